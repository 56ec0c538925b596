// Cases 1 to 4 of Batou & Soize (2012): the random response against quadrature over the mass and
// against independent runs of another engine. The figures are those of docs/batou-soize-2012.md.
#include "random_five_body.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cstdio>
#include <numeric>

#include "tumble/random/law/random_mass.hpp"

namespace tumble::validation {
namespace {

using Components = std::array<double, response_size>;

// --- case 1 against quadrature -------------------------------------------------------------------

struct WeightedMass {
  double mass, weight;
};

/// Gauss's rule for the gamma law with this mean and coefficient of variation: abscissas and
/// weights from the eigenvalues of the Jacobi matrix of the Laguerre polynomials L_k^(shape - 1)
/// (G. H. Golub, J. H. Welsch, Mathematics of Computation 23, 1969).
std::vector<WeightedMass> gauss_laguerre(double mean, double cv, int points) {
  const double shape = 1 / (cv * cv);
  Eigen::VectorXd diagonal(points), beside(points - 1);
  for (int k = 0; k < points; ++k) diagonal[k] = 2 * k + shape;
  for (int k = 1; k < points; ++k) beside[k - 1] = std::sqrt(k * (k + shape - 1));
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, beside);
  std::vector<WeightedMass> rule;
  for (int k = 0; k < points; ++k) {
    const double first = solver.eigenvectors()(0, k);
    rule.push_back({solver.eigenvalues()[k] * mean / shape, first * first});
  }
  return rule;
}

/// The middles of `points` intervals of equal probability.
std::vector<WeightedMass> midpoints(const ScalarLaw& law, int points) {
  std::vector<WeightedMass> rule;
  for (int k = 0; k < points; ++k) rule.push_back({law.quantile((k + 0.5) / points), 1.0 / points});
  return rule;
}

/// Responses to these masses; the inertia follows the mass, Eq. (32).
Responses run_masses(const ModelFile& file, const std::vector<WeightedMass>& rule) {
  const RandomInputs inputs(file.model, *file.uncertainty, {});
  const Body& rb5 = file.model.bodies[4];
  const std::vector<std::string> expected{"bodies.rb5.mass",       "bodies.rb5.inertia[0]",
                                          "bodies.rb5.inertia[1]", "bodies.rb5.inertia[2]",
                                          "bodies.rb5.inertia[3]", "bodies.rb5.inertia[4]",
                                          "bodies.rb5.inertia[5]"};
  if (inputs.paths() != expected) throw std::logic_error("other random inputs than the mass");
  const auto fill = [&](std::uint64_t i, double* values) {
    values[0] = rule[i].mass;
    for (std::size_t k = 0; k < 6; ++k) values[1 + k] = rule[i].mass / rb5.mass * rb5.inertia[k];
  };
  return run_realizations(file.model, {inputs.slots(), fill}, rule.size());
}

struct MeanAndDeviation {
  double mean = 0, deviation = 0;
};

MeanAndDeviation integrate(const Responses& responses, const std::vector<WeightedMass>& rule,
                           std::size_t time, std::size_t component) {
  MeanAndDeviation result;
  for (std::size_t i = 0; i < rule.size(); ++i)
    result.mean += rule[i].weight * responses(i, time, component);
  double variance = 0;
  for (std::size_t i = 0; i < rule.size(); ++i) {
    const double d = responses(i, time, component) - result.mean;
    variance += rule[i].weight * d * d;
  }
  result.deviation = std::sqrt(variance);
  return result;
}

constexpr std::array<std::size_t, 3> planar{0, 2, 4};    // ax, az, wdy
constexpr std::array<std::size_t, 3> crossing{1, 3, 5};  // ay, wdx, wdz: out of the plane

// One random number, so that integrals over it can be computed: by Gauss's rule for means, and
// quantiles from a dense grid, because responses need not be monotone in the mass. Both rules and
// the study go through the same engine, so what is compared is the sampling alone. How sharp it is:
// masses drawn with the coefficient of variation 0.44 instead of 0.5 fail, with 0.47 they pass.
TEST(RandomFiveBodySlow, RandomMassHasTheMeanAndQuantilesOfQuadrature) {
  const std::size_t n = 4096;
  const int grid_points = 4000;
  const ModelFile file = five_body_case(1);
  const double mean_mass = file.model.bodies[4].mass, cv = file.uncertainty->bodies[0].mass->cv;
  ASSERT_EQ(cv, 0.5);
  const Responses sample = run_study(file, 1, n);
  const auto gauss = gauss_laguerre(mean_mass, cv, 48);
  const auto grid = midpoints(random_mass(mean_mass, cv), grid_points);
  const Responses at_gauss = run_masses(file, gauss), at_grid = run_masses(file, grid);

  // False alarms: 1e-6 for all means together and for all quantiles together, if the sum over
  // realisations is normal. At t = 0 accelerations go like 1/M, whose fourth moment is infinite:
  // a single tiny mass breaks the bar with probability n P{1/M > 6.2 sd sqrt(n)} = 2e-6.
  const double tests = static_cast<double>(sample.times() * planar.size());
  const double z = 6.2;  // 903 P{|Z| > 6.2} = 5e-7
  const std::array<double, 3> levels{0.05, 0.5, 0.95};
  double worst_mean = 0, worst_rule = 0, worst_quantile = 0;
  for (std::size_t time = 0; time < sample.times(); ++time) {
    for (const std::size_t component : planar) {
      SCOPED_TRACE(std::string(response_names[component]) + " at output " + std::to_string(time));
      const MeanAndDeviation exact = integrate(at_gauss, gauss, time, component);
      const MeanAndDeviation other = integrate(at_grid, grid, time, component);
      const double error = exact.deviation / std::sqrt(static_cast<double>(n));
      // A tenth of what the sample resolves; and what Newton's iterations leave of an ax that is
      // zero before the first kink.
      const double rounding = 1e-6;
      EXPECT_NEAR(exact.mean, other.mean, 0.1 * error + rounding);
      std::vector<double> values = sample.sample(time, component);
      const double mean =
          std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n);
      EXPECT_NEAR(mean, exact.mean, z * error + rounding);
      if (error > rounding) {
        worst_rule = std::max(worst_rule, std::fabs(exact.mean - other.mean) / error);
        worst_mean = std::max(worst_mean, std::fabs(mean - exact.mean) / error);
      }
      if (exact.deviation < rounding) continue;

      // The number of values below the quantile q of level p is binomial (n, p). The grid knows p
      // to one of its intervals: q is enclosed between two of its values.
      std::vector<double> sorted = at_grid.sample(time, component);
      std::sort(sorted.begin(), sorted.end());
      std::sort(values.begin(), values.end());
      for (const double p : levels) {
        const auto k = static_cast<std::size_t>(p * grid_points);
        const auto below = std::lower_bound(values.begin(), values.end(), sorted[k - 1]);
        const auto above = std::upper_bound(values.begin(), values.end(), sorted[k]);
        const boost::math::binomial count(static_cast<double>(n), p);
        const double rate = 0.5 * 1e-6 / (tests * levels.size());
        EXPECT_LE(static_cast<double>(below - values.begin()),
                  boost::math::quantile(boost::math::complement(count, rate)))
            << p;
        EXPECT_GE(static_cast<double>(above - values.begin()), boost::math::quantile(count, rate))
            << p;
        const double middle =
            0.5 * static_cast<double>((below - values.begin()) + (above - values.begin()));
        worst_quantile =
            std::max(worst_quantile, std::fabs(middle - p * static_cast<double>(n)) /
                                         std::sqrt(static_cast<double>(n) * p * (1 - p)));
      }
    }
  }
  std::printf(
      "largest differences: means %.2f, quantiles %.2f, the two rules %.3f standard errors\n",
      worst_mean, worst_quantile, worst_rule);
}

// y is a plane of symmetry of the machine whatever the mass.
TEST(RandomFiveBodySlow, RandomMassKeepsTheMotionPlanar) {
  const Responses responses = run_study(five_body_case(1), 1, 512);
  double largest = 0;
  for (std::size_t i = 0; i < responses.realizations(); ++i)
    for (std::size_t time = 0; time < responses.times(); ++time)
      for (const std::size_t component : crossing)
        largest = std::max(largest, std::fabs(responses(i, time, component)));
  std::printf("largest acceleration out of the plane: %g\n", largest);
  EXPECT_LE(largest, 1e-9);
}

// --- cases 1 to 4 against independent runs -------------------------------------------------------

/// Standard deviations averaged over the chosen times, of the realisations first ... first + count.
Components averaged_deviations(const Responses& responses, const std::vector<std::size_t>& times,
                               std::size_t first, std::size_t count) {
  Components average{};
  const auto n = static_cast<double>(count);
  for (const std::size_t time : times)
    for (std::size_t c = 0; c < response_size; ++c) {
      double mean = 0, square = 0;
      for (std::size_t i = first; i < first + count; ++i) mean += responses(i, time, c) / n;
      for (std::size_t i = first; i < first + count; ++i) {
        const double d = responses(i, time, c) - mean;
        square += d * d;
      }
      average[c] += std::sqrt(square / (n - 1)) / static_cast<double>(times.size());
    }
  return average;
}

struct Estimate {
  Components value{}, error{};  ///< standard errors
};

/// The error from batches, which makes no use of a fourth moment.
Estimate deviations(const Responses& responses, const std::vector<std::size_t>& times) {
  const std::size_t batches = 16, size = responses.realizations() / batches;
  Estimate estimate{averaged_deviations(responses, times, 0, responses.realizations()), {}};
  std::vector<Components> parts;
  for (std::size_t b = 0; b < batches; ++b)
    parts.push_back(averaged_deviations(responses, times, b * size, size));
  for (std::size_t c = 0; c < response_size; ++c) {
    double mean = 0, square = 0;
    for (const Components& part : parts) mean += part[c] / batches;
    for (const Components& part : parts) square += (part[c] - mean) * (part[c] - mean);
    estimate.error[c] = std::sqrt(square / (batches - 1) / batches);
  }
  return estimate;
}

/// MBDyn with 1000 to 2000 draws a case, case 1 by quadrature; `unit` is that of the last digit
/// known, `relative_error` the standard error.
struct Reference {
  Components value, unit;
  double relative_error;
};
const std::array<Reference, 4> references{
    {{{0.070, 0, 47.4, 0, 11.2, 0}, {0.001, 0, 0.1, 0, 0.1, 0}, 0.003},
     {{0.69, 4.9, 22.2, 15.3, 6.1, 0.69}, {0.01, 0.1, 0.1, 0.1, 0.1, 0.01}, 0.025},
     {{0.50, 3.6, 12.8, 8.5, 2.6, 0.30}, {0.01, 0.1, 0.1, 0.1, 0.1, 0.01}, 0.025},
     {{0.98, 6.9, 53.7, 19.1, 12.6, 0.86}, {0.01, 0.1, 0.1, 0.1, 0.1, 0.01}, 0.02}}};

void expect_agreement(const Estimate& ours, const Reference& theirs) {
  for (std::size_t c = 0; c < response_size; ++c) {
    SCOPED_TRACE(response_names[c]);
    if (theirs.value[c] == 0) {
      EXPECT_LE(ours.value[c], 1e-9);
      continue;
    }
    const double error = std::hypot(ours.error[c], theirs.relative_error * theirs.value[c]);
    EXPECT_NEAR(ours.value[c], theirs.value[c], 4 * error + 0.5 * theirs.unit[c]);
    // Symmetry is broken where the reference says so, far beyond rounding and chance.
    EXPECT_GT(ours.value[c], 10 * ours.error[c]);
  }
}

// Within four standard errors of both together and half a unit of the last digit: a false alarm in
// 700 choices of the seed (21 entries), were the errors normal and known exactly.
TEST(RandomFiveBodySlow, AveragedDeviationsAreThoseOfIndependentRuns) {
  std::array<Estimate, 4> cases;
  for (int number = 1; number <= 4; ++number) {
    SCOPED_TRACE("case " + std::to_string(number));
    const ModelFile file = five_body_case(number);
    const Responses responses = run_study(file, 1, 3072);
    const auto i = static_cast<std::size_t>(number - 1);
    cases[i] = deviations(responses, averaged_times(file.model, responses.times()));
    expect_agreement(cases[i], references[i]);
    for (std::size_t c = 0; c < response_size; ++c)
      std::printf("case %d %-3s %8.4f +- %.4f, reference %6.4g\n", number, response_names[c],
                  cases[i].value[c], cases[i].error[c], references[i].value[c]);
  }

  // Which source matters for which component: the largest of the three differs from the next by
  // more than five standard errors.
  const auto largest_source = [&](std::size_t c) {
    std::array<std::size_t, 3> order{0, 1, 2};
    std::ranges::sort(order, std::ranges::greater{},
                      [&](std::size_t i) { return cases[i].value[c]; });
    const Estimate &first = cases[order[0]], &second = cases[order[1]];
    EXPECT_GT(first.value[c] - second.value[c], 5 * std::hypot(first.error[c], second.error[c]))
        << response_names[c];
    return order[0] + 1;
  };
  const std::array<std::size_t, response_size> expected{2, 2, 1, 2, 1, 2};
  for (std::size_t c = 0; c < response_size; ++c)
    EXPECT_EQ(largest_source(c), expected[c]) << response_names[c];
}

// Case 1 once more without sampling: what is left is the other engine's error and its last digit.
TEST(RandomFiveBodySlow, AveragedDeviationsOfTheRandomMassByQuadrature) {
  const ModelFile file = five_body_case(1);
  const auto rule = gauss_laguerre(3000, 0.5, 48);
  const Responses responses = run_masses(file, rule);
  const auto times = averaged_times(file.model, responses.times());
  Estimate exact;
  for (std::size_t c = 0; c < response_size; ++c) {
    for (const std::size_t time : times)
      exact.value[c] +=
          integrate(responses, rule, time, c).deviation / static_cast<double>(times.size());
    std::printf("case 1 %-3s %8.4f, reference %6.4g\n", response_names[c], exact.value[c],
                references[0].value[c]);
  }
  expect_agreement(exact, references[0]);
}

}  // namespace
}  // namespace tumble::validation
