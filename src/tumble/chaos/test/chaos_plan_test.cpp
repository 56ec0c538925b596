// From inputs to results: models with known moments and Sobol' indices, error estimates, failures.
#include "tumble/chaos/chaos_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "tumble/chaos/run_guidance.hpp"
#include "tumble/chaos/surrogate_sample.hpp"
#include "tumble/random/law/normal_score.hpp"

namespace tumble {
namespace {

using testing::HasSubstr;
constexpr double pi = std::numbers::pi;

InputSpace ishigami_inputs() {
  InputSpace space;
  for (const char* name : {"x1", "x2", "x3"})
    space.add(name, ScalarLaw(UniformLaw{.min = -pi, .max = pi}));
  return space;
}

/// T. Ishigami, T. Homma (1990), with a = 7 and b = 0.1.
double ishigami(std::span<const double> x) {
  return std::sin(x[0]) + 7 * std::pow(std::sin(x[1]), 2) +
         0.1 * std::pow(x[2], 4) * std::sin(x[0]);
}

struct IshigamiTruth {
  double mean = 3.5;
  double v1 = 0.5 * std::pow(1 + 0.1 * std::pow(pi, 4) / 5, 2);
  double v2 = 49.0 / 8;
  double v13 = 0.01 * std::pow(pi, 8) * (1.0 / 18 - 1.0 / 50);
  double variance = v1 + v2 + v13;
};

template <class F>
DenseMatrix run_model(const ChaosPlan& plan, std::size_t outputs, const F& model) {
  DenseMatrix values(plan.runs(), outputs);
  std::vector<double> x(plan.space().size());
  for (std::size_t i = 0; i < plan.runs(); ++i) {
    plan.space().inputs_from_germs(plan.points().row(i), x);
    model(x, values.row(i));
  }
  return values;
}

ChaosFit fit_ishigami(const ChaosOptions& options) {
  const ChaosPlan plan(ishigami_inputs(), options);
  return plan.fit(run_model(
      plan, 1, [](std::span<const double> x, std::span<double> y) { y[0] = ishigami(x); }));
}

void expect_ishigami(const ChaosFit& fit, double tolerance) {
  const IshigamiTruth truth;
  const Expansion& e = fit.expansion;
  EXPECT_NEAR(e.means()[0], truth.mean, tolerance * std::sqrt(truth.variance)) << fit.method;
  EXPECT_NEAR(e.variances()[0] / truth.variance, 1, tolerance) << fit.method;
  EXPECT_NEAR(e.first_sobol(0)[0], truth.v1 / truth.variance, tolerance) << fit.method;
  EXPECT_NEAR(e.first_sobol(1)[0], truth.v2 / truth.variance, tolerance) << fit.method;
  EXPECT_NEAR(e.first_sobol(2)[0], 0, tolerance) << fit.method;
  EXPECT_NEAR(e.total_sobol(0)[0], (truth.v1 + truth.v13) / truth.variance, tolerance);
  EXPECT_NEAR(e.total_sobol(1)[0], truth.v2 / truth.variance, tolerance);
  EXPECT_NEAR(e.total_sobol(2)[0], truth.v13 / truth.variance, tolerance);
  const std::vector<std::size_t> one_and_three = {0, 2}, two_and_three = {1, 2};
  EXPECT_NEAR(e.closed_sobol(one_and_three)[0], (truth.v1 + truth.v13) / truth.variance, tolerance);
  EXPECT_NEAR(e.total_sobol(two_and_three)[0], (truth.v2 + truth.v13) / truth.variance, tolerance);
  // The estimate covers what is wrong.
  EXPECT_LE(std::abs(e.means()[0] - truth.mean), 4 * fit.errors.mean[0] + 1e-12) << fit.method;
  EXPECT_LE(std::abs(std::sqrt(e.variances()[0]) - std::sqrt(truth.variance)),
            4 * fit.errors.std[0] + 1e-12)
      << fit.method;
}

// Closed forms: mean a / 2, V1 = (1 + b pi^4 / 5)^2 / 2, V2 = a^2 / 8, V13 = b^2 pi^8 (1/18 -
// 1/50).
TEST(ChaosPlan, FindsTheMomentsAndIndicesOfIshigami) {
  expect_ishigami(fit_ishigami({.method = ChaosMethod::tensor, .degree = 12}), 1e-5);
  expect_ishigami(fit_ishigami({.method = ChaosMethod::tensor, .degree = 18}), 1e-10);
  expect_ishigami(
      fit_ishigami({.method = ChaosMethod::sparse_grid, .level = 12, .rule = GridRule::gauss}),
      1e-3);
  expect_ishigami(
      fit_ishigami({.method = ChaosMethod::sparse_grid, .level = 9, .rule = GridRule::leja}), 1e-3);
  expect_ishigami(fit_ishigami({.method = ChaosMethod::least_squares, .degree = 11}), 2e-3);
  expect_ishigami(fit_ishigami({.method = ChaosMethod::lars, .degree = 14, .runs = 200}), 2e-3);
}

TEST(ChaosPlan, WarnsWhereTheErrorIsLarge) {
  for (const ChaosOptions& options :
       {ChaosOptions{.method = ChaosMethod::tensor, .degree = 3},
        ChaosOptions{.method = ChaosMethod::sparse_grid, .level = 3},
        ChaosOptions{.method = ChaosMethod::least_squares, .degree = 3},
        ChaosOptions{.method = ChaosMethod::lars, .degree = 3, .runs = 40}}) {
    const ChaosFit fit = fit_ishigami(options);
    ASSERT_EQ(fit.warnings.size(), 1U) << fit.method;
    EXPECT_THAT(fit.warnings[0], HasSubstr("misses"));
    EXPECT_GT(fit.errors.relative[0], 0.1);
  }
  EXPECT_TRUE(fit_ishigami({.method = ChaosMethod::tensor, .degree = 18}).warnings.empty());
  // A single run knows no variance.
  EXPECT_TRUE(std::isinf(
      fit_ishigami({.method = ChaosMethod::sparse_grid, .level = 0}).errors.relative[0]));
}

/// Two outputs of lognormal and gamma inputs, with moments in closed form.
struct Lognormal {
  static constexpr double s = 0.3, shape = 4;
  static ChaosPlan plan(ChaosOptions options) {
    InputSpace space;
    space.add("k", ScalarLaw(LognormalLaw{.log_mean = 0, .log_std = s}));
    space.add("m", ScalarLaw(GammaLaw{.shape = shape, .scale = 1}));
    return ChaosPlan(std::move(space), options);
  }
  static void model(std::span<const double> x, std::span<double> y) {
    y[0] = x[0] * x[1];
    y[1] = x[0] - 2 * x[1];
    y[2] = 11;
  }
};

TEST(ChaosPlan, FindsCovariancesOfOutputs) {
  const ChaosPlan plan = Lognormal::plan({.method = ChaosMethod::tensor, .degree = 10});
  const ChaosFit fit = plan.fit(run_model(plan, 3, Lognormal::model));
  const double s2 = Lognormal::s * Lognormal::s, shape = Lognormal::shape;
  const double k = std::exp(s2 / 2), k2 = std::exp(2 * s2), m2 = shape * (shape + 1);
  EXPECT_NEAR(fit.expansion.means()[0], k * shape, 1e-10);
  EXPECT_NEAR(fit.expansion.variances()[0], k2 * m2 - k * k * shape * shape, 1e-9);
  EXPECT_NEAR(fit.expansion.variances()[1], k2 - k * k + 4 * shape, 1e-9);
  // cov(k m, k - 2 m) = var(k) E m - 2 E k var(m)
  const double covariance = (k2 - k * k) * shape - 2 * k * shape;
  EXPECT_NEAR(fit.expansion.covariance(0, 1), covariance, 1e-9);
  const std::vector<std::size_t> outputs = {1, 0};
  EXPECT_NEAR(fit.expansion.covariance(outputs)(0, 1), covariance, 1e-9);
  EXPECT_NEAR(fit.expansion.covariance(outputs)(0, 0), fit.expansion.variances()[1], 1e-12);
  // An output that does not vary has neither errors nor indices.
  EXPECT_NEAR(fit.expansion.means()[2], 11, 1e-12);
  EXPECT_LT(fit.expansion.variances()[2], 1e-20);
  EXPECT_EQ(fit.errors.relative[2], 0);
}

TEST(ChaosPlan, SurrogateRepeatsTheModel) {
  const ChaosPlan plan = Lognormal::plan({.method = ChaosMethod::tensor, .degree = 10});
  const ChaosFit fit = plan.fit(run_model(plan, 3, Lognormal::model));
  for (const auto& germs : {std::vector<double>{0.4, 2.0}, std::vector<double>{-1.5, 6.3}}) {
    std::vector<double> x(2), exact(3), found(3);
    plan.space().inputs_from_germs(germs, x);
    Lognormal::model(x, exact);
    fit.expansion.evaluate(germs, found);
    for (std::size_t o = 0; o < 3; ++o) EXPECT_NEAR(found[o], exact[o], 1e-6);
  }
}

// The surrogate of exp(s z) is a long polynomial; its quantiles are those of a lognormal law.
TEST(SurrogateSample, HasTheQuantilesOfTheModel) {
  InputSpace space;
  space.add("k", ScalarLaw(LognormalLaw{.log_mean = 0, .log_std = 0.5}));
  const ChaosPlan plan(space, {.method = ChaosMethod::tensor, .degree = 15});
  const ChaosFit fit =
      plan.fit(run_model(plan, 2, [](std::span<const double> x, std::span<double> y) {
        y[0] = x[0];
        y[1] = 4;
      }));
  const SurrogateSample sample(space, fit.expansion, 16384, 5);
  const std::vector<double> values = sample.sorted_values(0), constant = sample.sorted_values(1);
  const ScalarLaw law(LognormalLaw{.log_mean = 0, .log_std = 0.5});
  // Scrambled nets have a point in each interval of 2^-14: quantiles are good to the slope over n.
  for (const double p : {0.01, 0.05, 0.5, 0.95, 0.99})
    EXPECT_NEAR(sorted_quantile(values, p), law.quantile(p),
                3 / (16384 * law.pdf(law.quantile(p))));
  EXPECT_NEAR(sorted_quantile(constant, 0.3), 4, 1e-12);
  EXPECT_EQ(sorted_quantile(std::vector<double>{1, 2, 4}, 0.75), 3);
  EXPECT_THROW(sorted_quantile(std::vector<double>{1}, 1.5), std::invalid_argument);
  EXPECT_THROW(SurrogateSample(space, fit.expansion, 1, 5), std::invalid_argument);
}

// A thousand outputs share factorisations: each must be what it would be alone.
TEST(ChaosPlan, TakesManyOutputs) {
  for (const ChaosOptions& options :
       {ChaosOptions{.method = ChaosMethod::tensor, .degree = 6},
        ChaosOptions{.method = ChaosMethod::least_squares, .degree = 6},
        ChaosOptions{.method = ChaosMethod::lars, .degree = 8, .runs = 100}}) {
    const ChaosPlan plan = Lognormal::plan(options);
    const auto model = [](std::span<const double> x, std::span<double> y) {
      for (std::size_t o = 0; o < y.size(); ++o)
        y[o] = std::sin(0.0005 * static_cast<double>(o) * x[1]) + x[0];
    };
    const ChaosFit all = plan.fit(run_model(plan, 1000, model));
    ASSERT_EQ(all.expansion.outputs(), 1000U);
    EXPECT_LT(all.errors.relative[700], 0.05) << all.method;
    if (options.method == ChaosMethod::lars) continue;  // terms are chosen together
    const DenseMatrix values = run_model(plan, 1000, model);
    DenseMatrix one(plan.runs(), 1);
    for (std::size_t i = 0; i < plan.runs(); ++i) one(i, 0) = values(i, 700);
    const ChaosFit alone = plan.fit(one);
    EXPECT_NEAR(all.expansion.means()[700], alone.expansion.means()[0], 1e-13);
    EXPECT_NEAR(all.expansion.variances()[700], alone.expansion.variances()[0], 1e-13);
  }
}

TEST(ChaosPlan, CannotLeaveOutAPointOfAGrid) {
  ChaosOptions options{.method = ChaosMethod::tensor, .degree = 6};
  const auto values_of = [](const ChaosPlan& plan, std::vector<std::uint8_t>& failed) {
    DenseMatrix values = run_model(plan, 3, Lognormal::model);
    failed.assign(plan.runs(), 0);
    for (const std::size_t run : {3U, 20U}) {
      failed[run] = 1;
      values(run, 0) = std::nan("");
    }
    return values;
  };
  std::vector<std::uint8_t> failed;
  const ChaosPlan strict = Lognormal::plan(options);
  const DenseMatrix values = values_of(strict, failed);
  EXPECT_THROW(strict.fit(values, failed), std::runtime_error);

  options.regression_after_failure = true;
  const ChaosFit fit = Lognormal::plan(options).fit(values, failed);
  EXPECT_THAT(fit.method, HasSubstr("least squares"));
  EXPECT_THAT(fit.warnings.back(), HasSubstr("2 of 49 runs failed"));
  EXPECT_NEAR(fit.expansion.means()[0], std::exp(0.045) * 4, 1e-2);
  // Regression does without.
  const ChaosPlan squares = Lognormal::plan({.method = ChaosMethod::least_squares, .degree = 5});
  const DenseMatrix rest = values_of(squares, failed);
  EXPECT_NEAR(squares.fit(rest, failed).expansion.means()[0], std::exp(0.045) * 4, 1e-2);
  EXPECT_THROW(squares.fit(rest, std::vector<std::uint8_t>(squares.runs(), 1)), std::runtime_error);
}

// Two runs of a grid still have a mean, one has no spread.
TEST(ChaosPlan, NeedsTwoRunsOfAGrid) {
  InputSpace space;
  space.add_standard_normals("xi", 1);
  const ChaosPlan plan(
      space, {.method = ChaosMethod::tensor, .degree = 3, .regression_after_failure = true});
  ASSERT_EQ(plan.runs(), 4u);
  const DenseMatrix values =
      run_model(plan, 1, [](std::span<const double> x, std::span<double> y) { y[0] = 7 + x[0]; });
  std::vector<std::uint8_t> failed(4, 1);
  for (std::size_t run = 0; run < 4; ++run) failed[run] = std::fabs(plan.points()(run, 0)) > 1;
  EXPECT_NEAR(plan.fit(values, failed).expansion.means()[0], 7, 1e-14);
  for (std::size_t run = 0; run < 4; ++run) failed[run] = !(plan.points()(run, 0) > 1);
  EXPECT_THROW(plan.fit(values, failed), std::runtime_error);
}

TEST(ChaosPlan, ExplainsWhenRunsExplode) {
  InputSpace space;
  space.add_standard_normals("xi", 10);
  try {
    ChaosPlan plan(space, {.method = ChaosMethod::tensor, .degree = 5});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(),
                testing::AllOf(HasSubstr("6^10 = 6.04662e+07"), HasSubstr("sparse grid"),
                               HasSubstr("3003"), HasSubstr("LARS")));
  }
  EXPECT_EQ(run_counts(10, 5).least_squares, 6006);
  const ChaosPlan large(space, {.method = ChaosMethod::tensor, .degree = 1});
  EXPECT_EQ(large.runs(), 1024U);
  EXPECT_EQ(large.warnings().size(), 1U);
  EXPECT_THROW(ChaosPlan(space, {.method = ChaosMethod::least_squares, .degree = 2, .runs = 60}),
               std::invalid_argument);
  EXPECT_THROW(ChaosPlan(space, {.method = ChaosMethod::lars}), std::invalid_argument);
  EXPECT_THROW(ChaosPlan(InputSpace(), {}), std::invalid_argument);
}

TEST(ChaosPlan, PointsFollowFromTheSeed) {
  const auto points = [](std::uint64_t seed, std::size_t runs) {
    return ChaosPlan(ishigami_inputs(), {.method = ChaosMethod::lars, .runs = runs, .seed = seed})
        .points();
  };
  const DenseMatrix few = points(1, 10), many = points(1, 20), other = points(2, 10);
  EXPECT_EQ(few(7, 1), many(7, 1));
  EXPECT_NE(few(7, 1), other(7, 1));
}

// Correlated inputs: germs are the independent scores behind them.
TEST(ChaosPlan, TakesCorrelatedInputs) {
  const std::vector<ScalarLaw> laws = {ScalarLaw(NormalLaw{.mean = 1, .std = 2}),
                                       ScalarLaw(NormalLaw{.mean = -1, .std = 0.5})};
  InputSpace space;
  space.add({"a", "b"}, GaussianCopula(laws, {.rows = {{1, 0.6}, {0.6, 1}}}));
  const ChaosPlan plan(space, {.method = ChaosMethod::tensor, .degree = 2});
  const ChaosFit fit =
      plan.fit(run_model(plan, 2, [](std::span<const double> x, std::span<double> y) {
        y[0] = x[0] + x[1];
        y[1] = x[0] * x[1];
      }));
  EXPECT_NEAR(fit.expansion.variances()[0], 4 + 0.25 + 2 * 0.6, 1e-12);
  EXPECT_NEAR(fit.expansion.means()[1], -1 + 0.6, 1e-12);
}

}  // namespace
}  // namespace tumble
