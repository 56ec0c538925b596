// Polynomials of laws that have no classical ones: against recurrences known in closed form,
// against references in 60 digits, and against integrals of the density.
#include "tumble/chaos/basis/stieltjes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "tumble/chaos/basis/gauss_rule.hpp"

namespace tumble {
namespace {

OrthonormalPolynomials polynomials_of(const ScalarLaw& law, int degree) {
  return stieltjes_polynomials(standardized_measure(law), degree);
}

TEST(Stieltjes, FindsTheClassicalFamiliesAgain) {
  const auto normal = polynomials_of(ScalarLaw(NormalLaw{.mean = 3, .std = 0.2}), 40);
  const auto uniform = polynomials_of(ScalarLaw(UniformLaw{.min = 1, .max = 4}), 40);
  const auto gamma = polynomials_of(ScalarLaw(GammaLaw{.shape = 2.5, .scale = 7}), 40);
  for (int k = 1; k <= 40; ++k) {
    EXPECT_NEAR(normal.a(k), 0, 2e-12) << k;
    EXPECT_NEAR(normal.b(k) / k, 1, 2e-12) << k;
    // t = sqrt(3) times a variable on [-1, 1]
    EXPECT_NEAR(uniform.a(k), 0, 1e-12) << k;
    EXPECT_NEAR(uniform.b(k), 3.0 * k * k / (4.0 * k * k - 1), 1e-12) << k;
    // t = (g - shape) / sqrt(shape)
    EXPECT_NEAR(gamma.a(k) * std::sqrt(2.5) / (2 * k), 1, 1e-11) << k;
    EXPECT_NEAR(gamma.b(k) * 2.5 / (k * (k + 1.5)), 1, 1e-11) << k;
  }
}

struct Reference {
  const char* title;
  ScalarLaw law;
  double mean, std;
  std::vector<double> a, b;  // from degree 1 on
};

// Made with mpmath 1.3: moments of the standardised density by tanh-sinh quadrature with 60 digits,
// then the recurrence from the moments.
TEST(Stieltjes, AgreesWithReferences) {
  const std::vector<Reference> references = {
      {"truncated normal",
       ScalarLaw(TruncatedNormalLaw{.min = -1, .max = 2}),
       0.22963717909132897,
       0.72094558685904579,
       {0.32254591283309152, 0.39262087258228003, 0.38539268166720721, 0.37911424158777908,
        0.37687203703605429},
       {1, 1.1761365920375643, 1.1381248715856566, 1.1090670050622336, 1.0971385903554529}},
      {"weibull",
       ScalarLaw(WeibullLaw{.shape = 1.8, .scale = 1}),
       0.88928673245221294,
       0.51122678761559392,
       {0.77873526068936457, 1.4235104325038829, 1.9818041296257674, 2.481286354444881,
        2.9379356455492472},
       {1, 1.9504511687173292, 2.917416371839201, 3.9080487253416635, 4.920575610349145}},
      {"gumbel",
       ScalarLaw(GumbelLaw{.location = 0, .scale = 1}),
       0.57721566490153286,
       1.2825498301618641,
       {1.1395470994046487, 2.4953909115771988, 3.923019556335454, 5.3842570280205156,
        6.8653227881834974},
       {1, 3.1014324082384518, 6.4412666705637467, 10.998561368843284, 16.772711651249733}},
      {"triangular",
       ScalarLaw(TriangularLaw{.min = 1, .mode = 1.5, .max = 4}),
       2.1666666666666667,
       0.65616732283431758,
       {0.50472308536849902, 0.51520158369725802, 0.49279141785361396, 0.49785682848112855,
        0.51143482100145609},
       {1, 1.1452546070961028, 1.2381512238882977, 1.2785426236126251, 1.2778746781949097}}};
  for (const Reference& reference : references) {
    EXPECT_NEAR(reference.law.mean(), reference.mean, 1e-13) << reference.title;
    EXPECT_NEAR(reference.law.std(), reference.std, 1e-13) << reference.title;
    const auto p = polynomials_of(reference.law, 5);
    for (std::size_t k = 0; k < 5; ++k) {
      const int degree = static_cast<int>(k) + 1;
      EXPECT_NEAR(p.a(degree), reference.a[k], 1e-12) << reference.title << " " << degree;
      EXPECT_NEAR(p.b(degree) / reference.b[k], 1, 1e-12) << reference.title << " " << degree;
    }
  }
}

/// E{f(T)} of the standardised variable by the trapezoidal rule on the density; x = exp(s) takes
/// care of what is above the lower end of the support.
template <class F>
double weibull_mean(double shape, const ScalarLaw& law, const F& f) {
  double sum = 0;
  const double step = 1e-3;
  for (double s = -25; s < 6; s += step) {
    const double x = std::exp(s);
    const double density = shape * std::pow(x, shape - 1) * std::exp(-std::pow(x, shape));
    sum += step * x * density * f((x - law.mean()) / law.std());
  }
  return sum;
}

TEST(Stieltjes, IsOrthonormalUnderTheDensityItself) {
  const double shape = 1.8;
  const ScalarLaw law(WeibullLaw{.shape = shape, .scale = 1});
  const auto polynomials = polynomials_of(law, 8);
  std::vector<double> p(9);
  for (std::size_t i = 0; i <= 8; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double product = weibull_mean(shape, law, [&](double t) {
        polynomials.evaluate(t, p);
        return p[i] * p[j];
      });
      EXPECT_NEAR(product, i == j ? 1 : 0, 1e-9) << i << " " << j;
    }
}

TEST(Stieltjes, GivesGaussRulesWithTheMomentsOfTheLaw) {
  // E{X^k} = Gamma(1 + k / shape)
  const double shape = 0.8;
  const ScalarLaw law(WeibullLaw{.shape = shape, .scale = 1});
  const QuadratureRule rule = gauss_rule(polynomials_of(law, 9), 10);
  for (int k = 0; k <= 19; ++k) {
    double moment = 0;
    for (std::size_t i = 0; i < rule.nodes.size(); ++i)
      moment += rule.weights[i] * std::pow(law.mean() + law.std() * rule.nodes[i], k);
    EXPECT_NEAR(moment / std::tgamma(1 + k / shape), 1, 1e-10) << k;
  }
}

// Binomial weights: Krawtchouk polynomials, a_k = p (N - k) + (1 - p) k, b_k = p (1 - p) k (N - k +
// 1), up to the very last degree.
TEST(Stieltjes, IsStableUpToTheLastDegreeOfADiscreteLaw) {
  const int n = 40;
  const double p = 0.3;
  DiscreteLaw binomial;
  double weight = std::pow(1 - p, n);
  for (int k = 0; k <= n; ++k) {
    binomial.values.push_back(k);
    binomial.weights.push_back(weight);
    weight *= p / (1 - p) * (n - k) / (k + 1.0);
  }
  const ScalarLaw law(binomial);
  const DiscreteMeasure measure = standardized_measure(law);
  ASSERT_EQ(measure.nodes.size(), 41U);
  const double variance = n * p * (1 - p);
  const auto polynomials = stieltjes_polynomials(measure, n);
  for (int k = 1; k <= n; ++k) {
    const double a = p * (n - k) + (1 - p) * k, b = p * (1 - p) * k * (n - k + 1);
    EXPECT_NEAR(polynomials.a(k), (a - n * p) / std::sqrt(variance), 1e-10) << k;
    EXPECT_NEAR(polynomials.b(k) / (b / variance), 1, 1e-10) << k;
  }
  // Equal weights on few values: discrete Chebyshev polynomials, b_k = k^2 (N^2 - k^2) / (4 (4 k^2
  // - 1)) for N values a unit apart, to the end.
  DiscreteLaw die;
  for (int k = 1; k <= 20; ++k) die.values.push_back(k);
  const auto dice = polynomials_of(ScalarLaw(die), 19);
  for (int k = 1; k <= 19; ++k) {
    const double b = k * k * (400.0 - k * k) / (4 * (4.0 * k * k - 1)),
                 variance_of_die = 399 / 12.0;
    EXPECT_NEAR(dice.a(k), 0, 1e-12) << k;
    EXPECT_NEAR(dice.b(k) / (b / variance_of_die), 1, 1e-12) << k;
  }
  // The Gauss rule with as many points as values is the law itself.
  const QuadratureRule rule = gauss_rule(dice, 20);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(10.5 + std::sqrt(399 / 12.0) * rule.nodes[i], static_cast<double>(i) + 1, 1e-12);
    EXPECT_NEAR(rule.weights[i], 0.05, 1e-12);
  }
  EXPECT_THROW(polynomials_of(ScalarLaw(die), 20), std::invalid_argument);
}

TEST(Stieltjes, TakesEmpiricalLaws) {
  const ScalarLaw steps(
      EmpiricalLaw{.values = {3, 1, 3, 7}, .interpolation = EmpiricalLaw::Interpolation::step});
  const DiscreteMeasure atoms = standardized_measure(steps);
  ASSERT_EQ(atoms.nodes.size(), 3U);
  EXPECT_NEAR(atoms.weights[1], 0.5, 1e-13);
  // Uniform between neighbours: moments are sums of integrals of powers.
  const std::vector<double> values = {1, 1.5, 2.5, 3, 4, 6, 9};
  const ScalarLaw linear(EmpiricalLaw{.values = values});
  const QuadratureRule rule = gauss_rule(polynomials_of(linear, 5), 6);
  for (int k = 0; k <= 11; ++k) {
    double expected = 0, found = 0;
    for (std::size_t i = 0; i + 1 < values.size(); ++i)
      expected += (std::pow(values[i + 1], k + 1) - std::pow(values[i], k + 1)) /
                  ((k + 1) * (values[i + 1] - values[i]) * 6);
    for (std::size_t i = 0; i < rule.nodes.size(); ++i)
      found += rule.weights[i] * std::pow(linear.mean() + linear.std() * rule.nodes[i], k);
    EXPECT_NEAR(found / expected, 1, 1e-11) << k;
  }
}

}  // namespace
}  // namespace tumble
