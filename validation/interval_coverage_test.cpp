// How often the intervals of a study hold the true value, over many seeds: mean, standard deviation
// and quantiles of laws whose truth is known in closed form, for independent draws, Latin
// hypercubes and Sobol' points. docs/validation.md has the tables that the long test writes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>

#include "tumble/random/design/design.hpp"
#include "tumble/random/law/normal_score.hpp"
#include "tumble/random/law/scalar_law.hpp"
#include "tumble/random/stream/variable_id.hpp"
#include "tumble/study/leaf_builder.hpp"
#include "tumble/study/quantiles/ensemble_quantiles.hpp"
#include "tumble/study/statistics/heavy_tails.hpp"
#include "tumble/study/statistics/standard_errors.hpp"
#include "tumble/study/statistics/statistics_tree.hpp"

namespace tumble {
namespace {

constexpr double level = 0.95;
const std::vector<double> probabilities{0.05, 0.5, 0.95};

struct Truth {
  double mean, deviation;
  std::array<double, 3> quantiles;
};

/// light: never warned of from 64 realisations on. heavy: a warning may take the place of an
/// interval that holds.
enum class Tail { light, moderate, heavy };

/// A response of two uniform numbers.
struct Response {
  const char* name;
  double (*of)(double u, double v);
  Truth truth;
  Tail tail;
};

double normal_score(double u) { return standard_normal_score(u); }

const ScalarLaw& mass(double cv) {
  static const ScalarLaw light(GammaLaw{.mean = 1.0, .cv = 0.25}),
      heavy(GammaLaw{.mean = 1.0, .cv = 0.6});
  return cv < 0.5 ? light : heavy;
}

Truth lognormal_truth(double s) {
  const double mean = std::exp(s * s / 2);
  return {mean,
          mean * std::sqrt(std::expm1(s * s)),
          {std::exp(s * normal_score(0.05)), 1.0, std::exp(s * normal_score(0.95))}};
}

/// 1 / M, M gamma with mean 1 and shape a = 1 / cv^2.
Truth inverse_mass_truth(double cv) {
  const double a = 1 / (cv * cv);
  Truth truth{a / (a - 1), a / ((a - 1) * std::sqrt(a - 2)), {}};
  for (std::size_t p = 0; p < 3; ++p)
    truth.quantiles[p] = 1 / mass(cv).quantile(1 - probabilities[p]);
  return truth;
}

const std::vector<Response>& responses() {
  static const std::vector<Response> all{
      {"normal",
       [](double u, double) { return normal_score(u); },
       {0, 1, {normal_score(0.05), 0, normal_score(0.95)}},
       Tail::light},
      {"uniform",
       [](double u, double) { return u; },
       {0.5, std::sqrt(1.0 / 12), {0.05, 0.5, 0.95}},
       Tail::light},
      {"lognormal", [](double u, double) { return std::exp(normal_score(u)); }, lognormal_truth(1),
       Tail::heavy},
      {"1/M, cv 0.25", [](double u, double) { return 1 / mass(0.25).quantile(u); },
       inverse_mass_truth(0.25), Tail::heavy},
      {"1/M, cv 0.6", [](double u, double) { return 1 / mass(0.6).quantile(u); },
       inverse_mass_truth(0.6), Tail::heavy},
      // How far a weight m g stretches a spring k: lognormal, log_std 0.15 and 0.2.
      {"spring",
       [](double u, double v) {
         return std::exp(0.15 * normal_score(u)) / std::exp(0.2 * normal_score(v));
       },
       lognormal_truth(0.25), Tail::moderate}};
  return all;
}

constexpr std::array kinds{DesignKind::monte_carlo, DesignKind::latin_hypercube, DesignKind::sobol};
constexpr std::array kind_names{"Monte Carlo", "Latin hypercube", "Sobol'"};
constexpr std::array statistic_names{"mean", "std", "quantile 0.05", "quantile 0.5",
                                     "quantile 0.95"};

/// Over all seeds.
struct Count {
  int studies = 0, held = 0, held_or_warned = 0, warned = 0, unbounded = 0;
};
using Counts = std::map<std::array<std::size_t, 2>, Count>;  // by response and statistic

/// One study of n realisations of all responses.
void add_study(DesignKind kind, std::uint64_t n, std::uint64_t seed, Counts& counts) {
  const std::uint64_t copies = kind == DesignKind::monte_carlo ? 0 : n >= 128 ? 16 : 8;
  const auto design = make_design({kind, seed, n, copies == 0 ? 16 : copies},
                                  {{variable_id("u"), 0}, {variable_id("v"), 0}});
  const std::size_t numbers = responses().size();
  const auto layout =
      std::make_shared<const StatisticsLayout>(1, std::vector<std::uint32_t>(numbers, 1));
  StatisticsTree tree;
  StoredValues values(layout);
  std::vector<std::vector<double>> samples(numbers);
  for (std::uint64_t first = 0; first < n; first += realizations_per_leaf) {
    const std::uint64_t leaf = first / realizations_per_leaf;
    LeafBuilder builder(layout, {0, true, copies}, leaf);
    for (std::uint64_t r = first; r < std::min(first + realizations_per_leaf, n); ++r) {
      const double u = design->u(r, 0), v = design->u(r, 1);
      std::vector<double> row;
      for (std::size_t i = 0; i < numbers; ++i) {
        row.push_back(responses()[i].of(u, v));
        samples[i].push_back(row.back());
      }
      builder.add(row.data(), 1, 1);
    }
    tree.add(leaf, builder.statistics());
    values.add(leaf, *builder.take_values());
  }
  const LeafStatistics statistics = tree.finish(n);
  const Sampling sampling{copies, {}};
  const ConfidenceIntervals intervals(statistics, sampling, level);
  const EnsembleQuantiles quantiles =
      ensemble_quantiles(statistics, &values, probabilities, {level, sampling, 1});
  for (std::size_t i = 0; i < numbers; ++i) {
    std::sort(samples[i].begin(), samples[i].end());
    const bool warned = n < tail_sample || is_heavy(tail_shape(samples[i]), n);
    const Truth& truth = responses()[i].truth;
    const auto note = [&](std::size_t statistic, const Interval& interval, double true_value) {
      Count& count = counts[{i, statistic}];
      const bool held = interval.lower <= true_value && true_value <= interval.upper;
      ++count.studies;
      count.held += held;
      // What is warned of is the interval of mean and standard deviation.
      count.held_or_warned += held || (warned && statistic < 2);
      count.warned += warned;
      count.unbounded += !std::isfinite(interval.upper - interval.lower);
    };
    note(0, intervals.mean(0, i), truth.mean);
    note(1, intervals.deviation(0, i), truth.deviation);
    for (std::size_t p = 0; p < 3; ++p)
      note(2 + p, {quantiles.lower[3 * i + p], quantiles.upper[3 * i + p]}, truth.quantiles[p]);
  }
}

using Binomial = boost::math::binomial_distribution<double>;

/// Whether a coverage of at least 0.92, and of at most 0.99, would give such a count but for a
/// chance of `false_alarm` on either side.
bool enough(int held, int studies, double false_alarm) {
  return cdf(Binomial(studies, 0.92), held) >= false_alarm;
}
bool not_too_much(int held, int studies, double false_alarm) {
  return held == 0 || cdf(complement(Binomial(studies, 0.99), held - 1)) >= false_alarm;
}

constexpr std::array table_names{"mean", "standard deviation", "quantiles 0.05, 0.5 and 0.95"};

/// Shares of studies that hold the mean, the standard deviation (with the share that hold it or
/// warn behind it) and the quantiles (the lowest and the highest of three) of a response. A star
/// marks what is below 0.92.
std::string cell(const Counts& counts, std::size_t response, std::size_t table) {
  const auto share = [&](std::size_t statistic) {
    const Count& count = counts.at({response, statistic});
    return static_cast<double>(count.held) / count.studies;
  };
  const auto marked = [](double held) {
    return fmt::format("{:.3f}{}", held, held < 0.92 ? "*" : "");
  };
  if (table == 0) return marked(share(0));
  if (table == 1) {
    const Count& count = counts.at({response, 1});
    const double known = static_cast<double>(count.held_or_warned) / count.studies;
    return marked(share(1)) +
           (count.held_or_warned > count.held ? fmt::format(" ({:.3f})", known) : "");
  }
  const auto [low, high] = std::minmax({share(2), share(3), share(4)});
  return fmt::format("{}–{:.3f}", marked(low), high);
}

/// Compares with 0.92 and 0.99 what the studies of a response hold. `n` realisations each.
void check_response(std::string_view design, const Response& response, const Counts& counts,
                    std::size_t index, std::uint64_t n, double false_alarm) {
  for (std::size_t statistic = 0; statistic < 5; ++statistic) {
    const Count& count = counts.at({index, statistic});
    const std::string what =
        fmt::format("{}, {}, n = {}, {}: {} of {}, {} with warnings", design, response.name, n,
                    statistic_names[statistic], count.held, count.studies, count.held_or_warned);
    EXPECT_TRUE(enough(response.tail == Tail::heavy ? count.held_or_warned : count.held,
                       count.studies, false_alarm))
        << what;
    // Below 73 independent values an outer quantile has no end on one side.
    const bool outer = statistic == 2 || statistic == 4;
    if (outer && n < 73) continue;
    EXPECT_EQ(count.unbounded, 0) << what;
    EXPECT_TRUE(not_too_much(count.held, count.studies, false_alarm)) << what;
  }
  if (response.tail == Tail::light && n >= tail_sample) {
    EXPECT_EQ(counts.at({index, 0}).warned, 0) << design << " " << response.name << " " << n;
  }
}

/// `sizes`: numbers of realisations. Writes three tables, with a row for each design and response.
void check_coverage(const std::vector<std::uint64_t>& sizes, int seeds, std::ostream* file) {
  std::array<std::string, table_names.size()> tables;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    tables[t] = fmt::format("| {} |", table_names[t]);
    for (const std::uint64_t n : sizes) tables[t] += fmt::format(" n = {} |", n);
    tables[t] += "\n|---|";
    for (std::size_t i = 0; i < sizes.size(); ++i) tables[t] += "---|";
    tables[t] += "\n";
  }
  // All comparisons together raise a false alarm with a probability of at most 1e-3.
  const double comparisons =
      2.0 * static_cast<double>(sizes.size() * kinds.size() * responses().size() * 5);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    std::array<std::vector<std::string>, table_names.size()> rows;
    for (auto& of_table : rows)
      for (const Response& response : responses())
        of_table.push_back(fmt::format("| {}, {} |", kind_names[k], response.name));
    for (const std::uint64_t n : sizes) {
      const bool possible = kinds[k] == DesignKind::monte_carlo || n >= 64;
      Counts counts;
      for (int seed = 1; possible && seed <= seeds; ++seed)
        add_study(kinds[k], n, static_cast<std::uint64_t>(seed), counts);
      for (std::size_t i = 0; i < responses().size(); ++i) {
        for (std::size_t t = 0; t < tables.size(); ++t)
          rows[t][i] += possible ? fmt::format(" {} |", cell(counts, i, t)) : " |";
        if (possible)
          check_response(kind_names[k], responses()[i], counts, i, n, 1e-3 / comparisons);
      }
    }
    for (std::size_t t = 0; t < tables.size(); ++t)
      for (const std::string& row : rows[t]) tables[t] += row + "\n";
  }
  if (file == nullptr) return;
  for (const std::string& table : tables) *file << table << "\n";
}

TEST(IntervalCoverageSlow, OfSmallStudies) { check_coverage({16, 64, 200}, 200, nullptr); }

/// TUMBLE_COVERAGE_SEEDS says how many studies there are of each kind, TUMBLE_COVERAGE_TABLE where
/// the tables go.
TEST(IntervalCoverageLong, OfAllSizes) {
  const char* seeds = std::getenv("TUMBLE_COVERAGE_SEEDS");
  const char* path = std::getenv("TUMBLE_COVERAGE_TABLE");
  std::ofstream file;
  if (path != nullptr) file.open(path);
  check_coverage({16, 32, 64, 128, 200, 512, 2048, 8192},
                 seeds == nullptr ? 1000 : std::max(50, std::atoi(seeds)),
                 path == nullptr ? nullptr : &file);
}

// Evenly placed points make the standard deviation far more exact than 1 / (2 n), by which the
// divisor n - 1 would be off.
TEST(IntervalCoverageSlow, DeviationsOfDesignsAreNotBiased) {
  constexpr std::uint64_t n = 8192;
  Counts counts;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) add_study(DesignKind::sobol, n, seed, counts);
  // Normal, uniform and spring: with 12 studies and a coverage of 0.92 fewer than 7 hold with a
  // probability of 4e-5.
  for (const std::size_t i : {0, 1, 5}) EXPECT_GE((counts.at({i, 1}).held), 7);
}

}  // namespace
}  // namespace tumble
