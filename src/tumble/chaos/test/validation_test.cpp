// Errors of polynomial chaos that are measured: how often their intervals hold, and how wide they
// are.
#include "tumble/chaos/error/validation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <string_view>
#include <vector>

#include "tumble/chaos/chaos_plan.hpp"
#include "tumble/chaos/surrogate_quantiles.hpp"

namespace tumble {
namespace {

using Model = std::function<double(std::span<const double>)>;

ScalarLaw gamma_law(double cv) { return ScalarLaw(GammaLaw{.mean = 1, .cv = cv}); }
ScalarLaw normal_law() { return ScalarLaw(NormalLaw{.mean = 0, .std = 1}); }
ScalarLaw uniform_law() { return ScalarLaw(UniformLaw{.min = -1, .max = 1}); }

InputSpace space_of(const std::vector<ScalarLaw>& laws) {
  InputSpace space;
  for (std::size_t k = 0; k < laws.size(); ++k) space.add("x" + std::to_string(k), laws[k]);
  return space;
}

double value_at(const InputSpace& space, std::span<const double> germs, const Model& model) {
  std::vector<double> x(space.size());
  space.inputs_from_germs(germs, x);
  return model(x);
}

DenseMatrix values_at(const InputSpace& space, const DenseMatrix& points, const Model& model) {
  DenseMatrix values(points.rows(), 1);
  for (std::size_t i = 0; i < points.rows(); ++i)
    values(i, 0) = value_at(space, points.row(i), model);
  return values;
}

struct Case {
  const char* name;
  std::vector<ScalarLaw> laws;
  Model model;
  ChaosOptions options;
};

struct Truth {
  double mean, std, relative;
  std::vector<double> quantiles;  ///< of the model
  std::vector<double> surrogate;  ///< those of the polynomial
  double first = 0, total = 0;    ///< Sobol' indices of the first input
};

const std::vector<double> probabilities{0.05, 0.5, 0.95};

/// By a midpoint rule on a tensor grid, closer at the ends of each probability (u = v^3 (10 - 15 v
/// + 6 v^2)), where the errors of polynomials are.
Truth truth_of(const Case& one, const Expansion& expansion, bool fine) {
  const InputSpace space = space_of(one.laws);
  const std::size_t d = space.size();
  const std::size_t n = d == 1   ? (fine ? 40000 : 4000)
                        : d == 2 ? (fine ? 400 : 100)
                        : fine   ? 60
                                 : 30;
  std::vector<std::vector<double>> germs(d);
  std::vector<double> weight(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double v = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    const double u = v * v * v * (10 - 15 * v + 6 * v * v);
    weight[i] = 30 * v * v * (1 - v) * (1 - v) / static_cast<double>(n);
    for (std::size_t k = 0; k < d; ++k)
      germs[k].push_back(space.germ(k).from_uniform(std::clamp(u, 1e-300, 1 - 0x1p-53)));
  }
  const std::size_t rest = d == 1 ? 1 : d == 2 ? n : n * n;
  std::vector<std::array<double, 3>> all;  // model, polynomial, weight
  std::vector<double> given_first(n), given_rest(rest), rest_weight(rest, 1.0), g(d);
  std::array<double, 1> p;
  double mean = 0, square = 0, missed = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < rest; ++j) {
      g[0] = germs[0][i];
      double w = 1;
      if (d == 2) g[1] = germs[1][j], w = weight[j];
      if (d == 3) g[1] = germs[1][j / n], g[2] = germs[2][j % n], w = weight[j / n] * weight[j % n];
      rest_weight[j] = w;
      const double y = value_at(space, g, one.model);
      expansion.evaluate(g, p);
      given_first[i] += w * y;
      given_rest[j] += weight[i] * y;
      w *= weight[i];
      mean += w * y;
      square += w * y * y;
      missed += w * (y - p[0]) * (y - p[0]);
      all.push_back({y, p[0], w});
    }
  Truth truth;
  truth.mean = mean;
  const double variance = square - mean * mean;
  truth.std = std::sqrt(variance);
  truth.relative = missed / variance;
  for (std::size_t i = 0; i < n; ++i)
    truth.first += weight[i] * (given_first[i] - mean) * (given_first[i] - mean) / variance;
  truth.total = 1;
  for (std::size_t j = 0; j < rest; ++j)
    truth.total -= rest_weight[j] * (given_rest[j] - mean) * (given_rest[j] - mean) / variance;
  const auto quantiles_by = [&](std::size_t column) {
    std::ranges::sort(all, {}, [=](const auto& row) { return row[column]; });
    std::vector<double> found;
    double sum = 0;
    for (const auto& row : all) {
      sum += row[2];
      while (found.size() < probabilities.size() && sum >= probabilities[found.size()])
        found.push_back(row[column]);
    }
    return found;
  };
  truth.quantiles = quantiles_by(0);
  truth.surrogate = quantiles_by(1);
  return truth;
}

std::vector<Case> cases() {
  const auto tensor = [](int degree) { return ChaosOptions{.degree = degree}; };
  const auto spring = [](std::span<const double> x) {
    return std::sin(6 * std::sqrt((1 + 0.2 * x[0]) / std::exp(0.1 * x[1])));
  };
  const auto inverse = [](std::span<const double> x) { return 1 / x[0]; };
  const auto jump = [](std::span<const double> x) { return x[0] > 0.3 ? 1.0 : 0.0; };
  const auto kink = [](std::span<const double> x) { return std::abs(x[0] - 0.3); };
  const auto curved = [](std::span<const double> x) {
    return std::exp(0.5 * x[0] + 0.3 * x[1] * x[2]);
  };
  const auto swing = [](std::span<const double> x) {
    return std::sin(1 + 0.4 * x[0] + 0.3 * x[1] + 0.1 * x[2]);
  };
  const auto pushed = [](std::span<const double> x) { return std::exp(0.3 * x[1]) / x[0]; };
  return {
      {"1/M, gamma, cv 0.5, 8 points", {gamma_law(0.5)}, inverse, tensor(7)},
      {"1/M, gamma, cv 0.6, 10 points", {gamma_law(0.6)}, inverse, tensor(9)},
      {"1/M, gamma, cv 0.3, 8 points", {gamma_law(0.3)}, inverse, tensor(7)},
      {"jump, uniform, 10 points", {uniform_law()}, jump, tensor(9)},
      {"jump, normal, 10 points", {normal_law()}, jump, tensor(9)},
      {"kink, uniform, 8 points", {uniform_law()}, kink, tensor(7)},
      {"kink, normal, 8 points", {normal_law()}, kink, tensor(7)},
      {"spring, 9 points", {uniform_law(), normal_law()}, spring, tensor(2)},
      {"spring, 25 points", {uniform_law(), normal_law()}, spring, tensor(4)},
      {"exp / M, 36 points", {gamma_law(0.5), normal_law()}, pushed, tensor(5)},
      {"exp of three, 27 points", {normal_law(), normal_law(), normal_law()}, curved, tensor(2)},
      {"sine of three, 27 points", {normal_law(), normal_law(), normal_law()}, swing, tensor(2)},
      {"sine of three, regression",
       {normal_law(), normal_law(), normal_law()},
       swing,
       {.method = ChaosMethod::least_squares, .degree = 3}},
  };
}

struct Coverage {
  double relative = 0, mean = 0, std = 0, first = 0, total = 0;
  std::vector<double> quantiles = std::vector<double>(probabilities.size(), 0.0);
  std::vector<double> widths, mean_widths, std_widths;  ///< over the true error
  double warned = 0;
};

Coverage coverage_of(const Case& one, int seeds, std::size_t points, const Truth& truth,
                     const ChaosPlan& plan, const ChaosFit& fit) {
  const Expansion& expansion = fit.expansion;
  const double mean_error = std::abs(expansion.means()[0] - truth.mean);
  const double std_error = std::abs(std::sqrt(expansion.variances()[0]) - truth.std);
  Coverage found;
  const double part = 1.0 / seeds;
  for (int seed = 1; seed <= seeds; ++seed) {
    const ValidationPoints set =
        validation_points(plan.space(), points, static_cast<std::uint64_t>(seed));
    const Validation validation(expansion, set, values_at(plan.space(), set.germs, one.model), {},
                                0.95);
    const ChaosErrors errors = validation.errors();
    found.relative += part * (errors.relative_lower[0] <= truth.relative &&
                              truth.relative <= errors.relative_upper[0]);
    found.mean += part * (mean_error <= errors.mean[0]);
    found.std += part * (std_error <= errors.std[0]);
    found.warned += part * (errors.relative_lower[0] > 0.01);
    found.widths.push_back((errors.relative_upper[0] - errors.relative_lower[0]) / 2 /
                           truth.relative);
    found.mean_widths.push_back(errors.mean[0] / mean_error);
    found.std_widths.push_back(errors.std[0] / std_error);
    const std::vector<double> bounds =
        validation.quantile_errors(truth.surrogate, probabilities.size());
    for (std::size_t k = 0; k < bounds.size(); ++k)
      found.quantiles[k] += part * (std::abs(truth.quantiles[k] - truth.surrogate[k]) <= bounds[k]);
    const std::size_t germ = 0;
    const Intervals first = validation.closed_sobol({&germ, 1});
    const Intervals total = validation.total_sobol({&germ, 1});
    const auto holds = [](const Intervals& i, double index) {
      return i.lower[0] <= index + 1e-6 && index <= i.upper[0] + 1e-6;  // of the truth by sums
    };
    found.first += part * holds(first, truth.first);
    found.total += part * holds(total, truth.total);
  }
  return found;
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<long>(values.size() / 2));
  return values[values.size() / 2];
}

/// The fewest of `seeds` that a true coverage of 0.92 has with a probability of at least 1e-5.
double fewest(int seeds) {
  double sum = 0;
  for (int hits = 0; hits <= seeds; ++hits) {
    sum += std::exp(std::lgamma(seeds + 1) - std::lgamma(hits + 1) - std::lgamma(seeds - hits + 1) +
                    hits * std::log(0.92) + (seeds - hits) * std::log(0.08));
    if (sum >= 1e-5) return hits;
  }
  return seeds;
}

void expect_coverage(int seeds, bool show) {
  const double least = (fewest(seeds) - 0.5) / seeds;
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    const ChaosPlan plan(space_of(one.laws), one.options);
    const ChaosFit fit = plan.fit(values_at(plan.space(), plan.points(), one.model));
    const Truth truth = truth_of(one, fit.expansion, show);
    const Coverage found = coverage_of(one, seeds, 64, truth, plan, fit);
    for (const double covered : {found.relative, found.mean, found.std, found.first, found.total,
                                 found.quantiles[0], found.quantiles[1], found.quantiles[2]})
      EXPECT_GE(covered, least);
    EXPECT_LE(median(found.widths), 5.0);
    if (truth.relative < 0.01) {
      EXPECT_LE(found.warned, 0.05);
    }
    // Where much is missed a warning is due; and bounds that hold are no wider than the error asks
    // for where the germ is a mass. (Gauss points often give a better deviation than the
    // polynomials deserve, which 64 runs cannot know.)
    if (truth.relative > 0.06) {
      EXPECT_GE(found.warned, 0.95);
    }
    if (std::string_view(one.name).starts_with("1/M")) {
      EXPECT_LE(median(found.std_widths), 5.0);
    }
    if (show)
      std::printf(
          "%-32s misses %.2e | holds: share %.3f mean %.3f std %.3f q %.3f %.3f %.3f first %.3f "
          "total %.3f | width/error %.2f mean %.1f std %.1f | warns %.2f\n",
          one.name, truth.relative, found.relative, found.mean, found.std, found.quantiles[0],
          found.quantiles[1], found.quantiles[2], found.first, found.total, median(found.widths),
          median(found.mean_widths), median(found.std_widths), found.warned);
  }
}

// exp(a g) with many normal germs: coefficients of all degrees are known, and what those above the
// second hold. Tails lie along a, which is no axis, and with 10 germs 64 points meet them too
// rarely: intervals hold in 0.915 of cases and are 6 times as wide as the error.
void expect_coverage_of_many_germs(int seeds, bool show) {
  const double least = (fewest(seeds) - 0.5) / seeds;
  for (const std::size_t d : {std::size_t{5}, std::size_t{10}}) {
    const std::size_t points = d == 10 ? 256 : 64;
    std::vector<double> a(d);
    double square = 0;
    for (std::size_t k = 0; k < d; ++k) square += (a[k] = 1 / std::sqrt(1.0 + double(k))) * a[k];
    for (double& slope : a) slope *= 0.5 / std::sqrt(square);
    const double v = 0.25;
    InputSpace space;
    space.add_standard_normals("g", d);
    const MultiIndexSet terms = MultiIndexSet::total_degree(d, 2);
    DenseMatrix coefficients(terms.size(), 1);
    for (std::size_t term = 0; term < terms.size(); ++term) {
      double product = std::exp(v / 2);
      for (std::size_t k = 0; k < d; ++k)
        product *= std::pow(a[k], terms[term][k]) / (terms[term][k] == 2 ? std::sqrt(2.0) : 1.0);
      coefficients(term, 0) = product;
    }
    const Expansion expansion(PolynomialBasis(space, terms), std::move(coefficients));
    const double missed = (std::exp(v) - 1 - v - v * v / 2) / (std::exp(v) - 1);
    int held = 0;
    std::vector<double> widths;
    for (int seed = 1; seed <= seeds; ++seed) {
      const ValidationPoints set =
          validation_points(space, points, static_cast<std::uint64_t>(seed));
      const Validation validation(
          expansion, set,
          values_at(space, set.germs,
                    [&](std::span<const double> g) {
                      return std::exp(std::inner_product(a.begin(), a.end(), g.begin(), 0.0));
                    }),
          {}, 0.95);
      const ChaosErrors errors = validation.errors();
      held += errors.relative_lower[0] <= missed && missed <= errors.relative_upper[0] ? 1 : 0;
      widths.push_back((errors.relative_upper[0] - errors.relative_lower[0]) / 2 / missed);
    }
    if (show)
      std::printf("exp of %zu germs misses %.2e, holds %.3f, width/error %.2f\n", d, missed,
                  held / double(seeds), median(widths));
    EXPECT_GE(held / double(seeds), least) << d << " germs";
    EXPECT_LE(median(widths), 5.0) << d << " germs";
  }
}

TEST(ChaosValidation, IntervalsHold) { expect_coverage(25, false); }
TEST(ChaosValidation, IntervalsHoldWithManyGerms) { expect_coverage_of_many_germs(25, false); }
TEST(ChaosValidationLong, IntervalsHoldWithManyGerms) { expect_coverage_of_many_germs(1000, true); }
TEST(ChaosValidationLong, IntervalsHold) { expect_coverage(1000, true); }

// Weights stay bounded with many germs, their mean is 1, and more points begin with the fewer.
TEST(ValidationPoints, HaveWeightsOfMeanOne) {
  for (const std::size_t d : {std::size_t{1}, std::size_t{4}, std::size_t{20}}) {
    InputSpace space;
    space.add_standard_normals("g", d);
    const ValidationPoints few = validation_points(space, 64, 7);
    const ValidationPoints many = validation_points(space, 4096, 7);
    double sum = 0, squares = 0, second = 0;
    for (std::size_t i = 0; i < 4096; ++i) {
      sum += many.weights[i];
      squares += many.weights[i] * many.weights[i];
      second += many.weights[i] * many.germs(i, 0) * many.germs(i, 0);
    }
    // Of 4096 scrambled points; independent ones would scatter by 2 %.
    EXPECT_NEAR(sum / 4096, 1, 0.02) << d;
    EXPECT_NEAR(second / 4096, 1, 0.05) << d;
    EXPECT_LT(squares / 4096, 5) << d;  // a fifth of the points would do as well without weights
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(few.germs(i, d - 1), many.germs(i, d - 1));
  }
}

TEST(Validation, LeavesOutWhatFailed) {
  InputSpace space;
  space.add("x", normal_law());
  const ChaosPlan plan(space, {.degree = 3});
  const Model model = [](std::span<const double> x) { return std::exp(x[0]); };
  const ChaosFit fit = plan.fit(values_at(space, plan.points(), model));
  const ValidationPoints all = validation_points(space, 33, 5);
  DenseMatrix values = values_at(space, all.germs, model);
  std::vector<std::uint8_t> failed(33, 0);
  failed[7] = 1;
  values(7, 0) = std::numeric_limits<double>::quiet_NaN();
  const Validation validation(fit.expansion, all, values, failed, 0.95);
  EXPECT_EQ(validation.points(), 32u);
  EXPECT_GT(validation.errors().relative[0], 0);
  EXPECT_TRUE(std::isfinite(validation.errors().std[0]));
  std::ranges::fill(failed, std::uint8_t{1});
  EXPECT_THROW(Validation(fit.expansion, all, values, failed, 0.95), std::invalid_argument);
}

// A polynomial of the basis is met exactly; an output that does not vary has no error either.
TEST(Validation, FindsNoErrorWhereThereIsNone) {
  InputSpace space;
  space.add("x", uniform_law());
  const ChaosPlan plan(space, {.degree = 2});
  const auto values = [&](const DenseMatrix& points) {
    DenseMatrix table(points.rows(), 2);
    for (std::size_t i = 0; i < points.rows(); ++i) {
      table(i, 0) = 1 + points(i, 0) * points(i, 0);
      table(i, 1) = 4;
    }
    return table;
  };
  const ChaosFit fit = plan.fit(values(plan.points()));
  const ValidationPoints points = validation_points(space, 64, 3);
  const Validation validation(fit.expansion, points, values(points.germs), {}, 0.95);
  const ChaosErrors errors = validation.errors();
  for (const std::size_t o : {std::size_t{0}, std::size_t{1}}) {
    EXPECT_LT(errors.mean[o], 1e-12);
    EXPECT_LT(errors.std[o], 1e-7);
    EXPECT_LT(errors.relative_upper[o], 1e-12);
  }
}

// Selected order statistics are those of sorted values, to the last bit.
TEST(SurrogateQuantiles, AreThoseOfSortedValues) {
  InputSpace space;
  space.add("x", normal_law());
  space.add("y", uniform_law());
  const ChaosPlan plan(space, {.degree = 4});
  DenseMatrix values(plan.runs(), 7);
  for (std::size_t i = 0; i < plan.runs(); ++i)
    for (std::size_t o = 0; o < 7; ++o)
      values(i, o) = o == 3 ? 2.5 : std::sin(double(o) + plan.points()(i, 0)) + plan.points()(i, 1);
  const ChaosFit fit = plan.fit(values);
  const std::vector<double> at{0, 0.001, 0.05, 0.5, 0.95, 0.9999, 1};
  for (const std::size_t size : {std::size_t{2}, std::size_t{100}, std::size_t{4096}}) {
    const SurrogateSample sample(space, fit.expansion, size, 11);
    const SurrogateQuantiles one = surrogate_quantiles(sample, at, 1);
    EXPECT_EQ(one.values, surrogate_quantiles(sample, at, 3).values);
    for (std::size_t o = 0; o < 7; ++o) {
      const std::vector<double> sorted = sample.sorted_values(o);
      for (std::size_t p = 0; p < at.size(); ++p)
        EXPECT_EQ(one.values[o * at.size() + p], sorted_quantile(sorted, at[p])) << o << " " << p;
    }
  }
}

}  // namespace
}  // namespace tumble
