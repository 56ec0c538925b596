// Germs and the inputs made of them; and inputs that have none.
#include "tumble/chaos/basis/input_space.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "tumble/chaos/basis/gauss_rule.hpp"
#include "tumble/random/law/normal_score.hpp"

namespace tumble {
namespace {

using testing::HasSubstr;

struct GermCase {
  const char* title;
  ScalarLaw law;
  PolynomialFamily family;
  double tolerance = 1e-11;
};

std::vector<GermCase> cases() {
  using F = PolynomialFamily;
  return {
      {"normal", ScalarLaw(NormalLaw{.mean = 5, .std = 2}), F::hermite},
      {"lognormal", ScalarLaw(LognormalLaw{.mean = 3, .cv = 0.3, .min = 1}), F::hermite},
      {"uniform", ScalarLaw(UniformLaw{.min = 2, .max = 7}), F::legendre},
      {"gamma", ScalarLaw(GammaLaw{.mean = 3000, .cv = 0.5, .min = 10}), F::laguerre},
      {"exponential", ScalarLaw(ExponentialLaw{.rate = 4, .min = -1}), F::laguerre},
      {"beta", ScalarLaw(BetaLaw{.alpha = 2, .beta = 3.5, .min = -1, .max = 2}), F::jacobi},
      {"beta with poles", ScalarLaw(BetaLaw{.alpha = 0.5, .beta = 0.5}), F::jacobi},
      {"triangular", ScalarLaw(TriangularLaw{.min = 1, .mode = 1.5, .max = 4}), F::stieltjes},
      {"weibull", ScalarLaw(WeibullLaw{.shape = 1.8, .scale = 10}), F::stieltjes},
      {"heavy weibull", ScalarLaw(WeibullLaw{.shape = 0.45, .scale = 10}), F::hermite, 1e-3},
      {"gumbel", ScalarLaw(GumbelLaw{.location = 30, .scale = 4}), F::stieltjes},
      {"truncated normal", ScalarLaw(TruncatedNormalLaw{.normal_mean = 1, .min = 0}), F::stieltjes},
      {"empirical", ScalarLaw(EmpiricalLaw{.values = {3, 1, 4, 1.5, 9}}), F::stieltjes},
      {"discrete", ScalarLaw(DiscreteLaw{.values = {1, 2, 5}, .weights = {1, 2, 1}}), F::stieltjes},
  };
}

// The mean and variance of the input by the Gauss rule of the germ are those of the law: family,
// exponents and map belong together.
TEST(Germ, CarriesTheLaw) {
  for (const auto& [title, law, family, tolerance] : cases()) {
    const Germ germ(law);
    EXPECT_EQ(germ.family(), family) << title;
    const int points = std::min(20, germ.most_degree() + 1);
    const QuadratureRule rule = gauss_rule(germ.polynomials(points - 1), points);
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < rule.nodes.size(); ++i)
      mean += rule.weights[i] * germ.input(rule.nodes[i]);
    for (std::size_t i = 0; i < rule.nodes.size(); ++i)
      square += rule.weights[i] * std::pow(germ.input(rule.nodes[i]) - law.mean(), 2);
    EXPECT_NEAR(mean, law.mean(), tolerance * law.std()) << title;
    EXPECT_NEAR(square / law.variance(), 1, 60 * tolerance) << title;
  }
}

TEST(Germ, AgreesWithQuantiles) {
  for (const auto& [title, law, family, tolerance] : cases())
    for (const double u : {0.01, 0.3, 0.77, 0.999}) {
      for (const auto choice : {GermChoice::matching, GermChoice::normal}) {
        const Germ germ(law, choice);
        const double g = germ.from_uniform(u);
        EXPECT_NEAR(germ.input(g), law.quantile(u), 1e-12 * (std::abs(law.mean()) + law.std()))
            << title;
        if (law.has_density() || choice == GermChoice::normal) {
          EXPECT_NEAR(germ.to_uniform(g), u, 1e-12) << title;
        }
      }
    }
}

TEST(Germ, KnowsItsHighestDegree) {
  EXPECT_EQ(Germ(ScalarLaw(DiscreteLaw{.values = {-1, 1, 4}})).most_degree(), 2);
  EXPECT_EQ(Germ(ScalarLaw(WeibullLaw{.shape = 2, .scale = 1})).most_degree(), 100);
  EXPECT_EQ(Germ::standard_normal().most_degree(), 100);
}

TEST(InputSpace, MapsEveryKindOfInput) {
  const std::vector<ScalarLaw> pair = {ScalarLaw(LognormalLaw{.mean = 2, .cv = 0.4}),
                                       ScalarLaw(UniformLaw{.min = 0, .max = 1})};
  const GaussianCopula copula(pair, {.rows = {{1, 0.6}, {0.6, 1}}});
  InputSpace space;
  space.add("mass", ScalarLaw(GammaLaw{.mean = 3, .cv = 0.5}));
  space.add({"stiffness", "damping"}, copula);
  space.add_standard_normals("modulus", 2);
  space.add_unit_intervals("centre", 3);
  ASSERT_EQ(space.size(), 8U);
  EXPECT_EQ(space.name(4), "modulus[1]");
  EXPECT_EQ(space.name(7), "centre[2]");
  EXPECT_EQ(space.label(0), "mass");
  EXPECT_EQ(space.label(1), "stiffness, and what others share with it");
  EXPECT_EQ(space.label(2), "damping, given stiffness");
  ASSERT_EQ(space.groups().size(), 4U);
  EXPECT_EQ(space.groups()[1].name, "stiffness, damping");
  EXPECT_EQ(space.groups()[1].germs, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(space.groups()[3].germs, (std::vector<std::size_t>{5, 6, 7}));

  const std::vector<double> u = {0.2, 0.9, 0.35, 0.5, 0.7, 0.11, 0.5, 0.98};
  std::vector<double> germs(8), inputs(8), back(8), correlated(2);
  space.germs_from_uniforms(u, germs);
  space.inputs_from_germs(germs, inputs);
  space.uniforms_from_germs(germs, back);
  copula.map(std::vector<double>{0.9, 0.35}, correlated);
  EXPECT_NEAR(inputs[0], ScalarLaw(GammaLaw{.mean = 3, .cv = 0.5}).quantile(0.2), 1e-13);
  EXPECT_NEAR(inputs[1], correlated[0], 1e-13);
  EXPECT_NEAR(inputs[2], correlated[1], 1e-13);
  EXPECT_NEAR(inputs[4], standard_normal_score(0.7), 1e-14);
  for (std::size_t k = 5; k < 8; ++k) EXPECT_NEAR(inputs[k], u[k], 1e-15);
  for (std::size_t k = 0; k < 8; ++k) EXPECT_NEAR(back[k], u[k], 1e-14);
}

template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "not refused";
}

TEST(InputSpace, RefusesInputsWithoutAProductGerm) {
  InputSpace space;
  EXPECT_THAT(refusal([&] { space.add("x", ScalarLaw(DiscreteLaw{.values = {3}})); }),
              HasSubstr("single value 3"));
  space.add("x", ScalarLaw(DiscreteLaw{.values = {3, 4}}));
  EXPECT_THAT(refusal([&] { space.add("x", ScalarLaw(NormalLaw{.mean = 0, .std = 1})); }),
              HasSubstr("two inputs are called x"));
  EXPECT_THAT(refusal([&] { space.polynomials(std::vector<int>{2}); }),
              HasSubstr("end at degree 1"));
  EXPECT_EQ(space.size(), 1U);
}

}  // namespace
}  // namespace tumble
