#include "tumble/campaign/study_sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "tumble/campaign/study_quantities.hpp"
#include "tumble/study/statistics/block_indices.hpp"
#include "tumble/study/statistics/controlled_ratios.hpp"

namespace tumble {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

SensitivityMethod method_of(const Study& study) {
  return study.sensitivity.value_or(SensitivityRequest{}).method;
}

/// The rows of the members of a block, [member] -> [time][number].
using BlockRows = std::span<const double* const>;

/// Visits blocks in the order of their numbers, whatever the order of the journal: sums do not
/// depend on who computed what when. Values that exact quantiles keep anyway are in memory; others
/// come from the journal, of which leaves stay in memory until it is their turn.
void for_each_block(StudyStore& store, const Study& study, std::uint64_t realizations,
                    std::uint64_t block, const std::function<void(BlockRows)>& visit) {
  std::vector<const double*> rows(block);
  if (study.quantile_method == QuantileMethod::exact) {
    const StoredValues& values = store.values(realizations);
    for (std::uint64_t first = 0; first + block <= realizations; first += block) {
      for (std::uint64_t i = 0; i < block; ++i) rows[i] = values.row(first + i);
      visit(rows);
    }
    return;
  }
  std::map<std::uint64_t, LeafValues> waiting;
  std::uint64_t next = 0;  // the first run of the next block
  const auto row = [&](std::uint64_t realization) -> const double* {
    const auto leaf = waiting.find(realization / realizations_per_leaf);
    return leaf == waiting.end() ? nullptr : leaf->second.row(realization % realizations_per_leaf);
  };
  store.for_each_values(realizations, [&](std::uint64_t leaf, const LeafValues& values) {
    LeafValues& kept = waiting.emplace(leaf, LeafValues(values.layout_pointer())).first->second;
    for (std::size_t i = 0; i < values.realizations(); ++i)
      kept.add(values.row(i), 1, values.valid_times(i));
    for (; next + block <= realizations; next += block) {
      for (std::uint64_t i = 0; i < block; ++i) rows[i] = row(next + i);
      if (std::ranges::find(rows, nullptr) != rows.end()) return;
      visit(rows);
      waiting.erase(waiting.begin(), waiting.lower_bound((next + block) / realizations_per_leaf));
    }
  });
}

/// Whether every member came to the end.
bool is_complete(BlockRows rows, const StatisticsLayout& layout) {
  const std::size_t last = (layout.times() - 1) * layout.numbers();
  return std::ranges::none_of(rows, [&](const double* row) { return std::isnan(row[last]); });
}

/// Weights of the trapezoidal rule.
std::vector<double> time_weights(const std::vector<double>& times) {
  std::vector<double> weights(times.size(), 0.0);
  for (std::size_t t = 1; t < times.size(); ++t) {
    weights[t - 1] += (times[t] - times[t - 1]) / 2;
    weights[t] += (times[t] - times[t - 1]) / 2;
  }
  return weights;
}

/// Where the numbers of runs are taken from, and in which size: deviations from the mean over the
/// standard deviation, which neither cancel nor overflow.
struct Scales {
  std::vector<double> mean, inverse;  ///< [time][number]; the inverse is 0 where nothing varies
  std::vector<double> weight;         ///< of a time in integrals of variances over time

  Scales(const LeafStatistics& statistics, const std::vector<double>& times) {
    const Moments& moments = statistics.moments();
    const StatisticsLayout& layout = moments.layout();
    const std::vector<double> dt = time_weights(times);
    mean.resize(layout.row()), inverse.resize(layout.row()), weight.resize(layout.row());
    for (std::size_t n = 0; n < layout.numbers(); ++n) {
      double size = 0, integral = 0;
      for (std::size_t t = 0; t < layout.times(); ++t)
        size = std::max(size, std::abs(moments.mean(t, n)));
      for (std::size_t t = 0; t < layout.times(); ++t) {
        const std::size_t o = t * layout.numbers() + n;
        const double deviation = moments.standard_deviation(t, n);
        mean[o] = moments.mean(t, n);
        // What varies by rounding alone has no causes.
        inverse[o] = deviation > 1e-12 * size ? 1 / deviation : 0.0;
        weight[o] = inverse[o] > 0 ? dt[t] * deviation * deviation : 0.0;
        integral += weight[o];
      }
      for (std::size_t t = 0; t < layout.times() && integral > 0; ++t)
        weight[t * layout.numbers() + n] /= integral;
    }
  }
};

/// Ratios of every index and number: at each time, and of integrals over time.
class RatioPass {
 public:
  RatioPass(const SensitivityInputs& inputs, const StatisticsLayout& layout, const Scales& scales)
      : layout_(layout),
        scales_(scales),
        shapley_(inputs.request().method == SensitivityMethod::shapley),
        count_(inputs.factors().size() * (shapley_ ? 1 : 2)),
        at_times_(count_ * layout.row()),
        over_time_(count_ * layout.numbers()),
        y_(inputs.block()) {
    if (shapley_) weights_ = shapley_weights(inputs.factors().size());
  }

  void add(BlockRows rows) {
    integrals_.assign(count_ * layout_.numbers(), {});
    for (std::size_t o = 0; o < layout_.row(); ++o) {
      if (scales_.inverse[o] == 0) continue;
      for (std::size_t m = 0; m < rows.size(); ++m)
        y_[m] = (rows[m][o] - scales_.mean[o]) * scales_.inverse[o];
      const double weight = scales_.weight[o];
      const auto take = [&](std::size_t index, const RatioKernel& kernel) {
        at_times_.add(index * layout_.row() + o, kernel.x, kernel.d, kernel.q);
        RatioKernel& sum = integrals_[index * layout_.numbers() + o % layout_.numbers()];
        sum.x += weight * kernel.x, sum.d += weight * kernel.d, sum.q += weight * kernel.q;
      };
      if (shapley_)
        shapley_kernels(y_, weights_, take);
      else
        pick_freeze_kernels(y_, take);
    }
    for (std::size_t i = 0; i < integrals_.size(); ++i)
      over_time_.add(i, integrals_[i].x, integrals_[i].d, integrals_[i].q);
    ++blocks_;
  }

  std::uint64_t blocks() const { return blocks_; }

  /// Of every `kinds`-th index from `kind` on, factor by factor.
  void describe(SensitivityIndices& indices, std::size_t kind, std::size_t kinds,
                double level) const {
    const double t = ControlledRatios::t_of(blocks_, level);
    const auto all = [&](const ControlledRatios& ratios, std::size_t numbers,
                         std::vector<double>& values, std::vector<double>& lower,
                         std::vector<double>& upper) {
      for (std::size_t index = kind; index < count_; index += kinds)
        for (std::size_t i = 0; i < numbers; ++i) {
          const RatioEstimate found = ratios.estimate(index * numbers + i, blocks_, t);
          values.push_back(found.value);
          lower.push_back(found.interval.lower);
          upper.push_back(found.interval.upper);
        }
    };
    all(at_times_, layout_.row(), indices.values, indices.lower, indices.upper);
    all(over_time_, layout_.numbers(), indices.generalized, indices.generalized_lower,
        indices.generalized_upper);
  }

 private:
  const StatisticsLayout& layout_;
  const Scales& scales_;
  const bool shapley_;
  const std::size_t count_;
  ControlledRatios at_times_, over_time_;
  std::vector<double> y_, weights_;
  std::vector<RatioKernel> integrals_;
  std::uint64_t blocks_ = 0;
};

/// Means, means of sizes and deviations of elementary effects, [factor][output].
class EffectPass {
 public:
  EffectPass(std::size_t factors, std::size_t outputs)
      : outputs_(outputs), sums_(factors * outputs) {}

  /// y(output, member) of a walk.
  template <class Value>
  void add(const SensitivityInputs& inputs, std::uint64_t walk, const Value& y) {
    for (std::size_t step = 0; step + 1 < inputs.block(); ++step) {
      const auto [factor, by] = inputs.move(walk, step);
      for (std::size_t o = 0; o < outputs_; ++o) {
        const double effect = (y(o, step + 1) - y(o, step)) / by;
        auto& s = sums_[factor * outputs_ + o];
        s[0] += effect, s[1] += std::abs(effect), s[2] += effect * effect;
      }
    }
    ++walks_;
  }

  std::uint64_t walks() const { return walks_; }

  /// describe(mean), of sizes, and the deviation; Student's intervals.
  void describe(std::array<SensitivityIndices*, 3> kinds, double level) const {
    const auto n = static_cast<double>(walks_);
    const double t = walks_ < 2 ? no_number : student_quantile(n - 1, level);
    for (const auto& sums : sums_) {
      const double mean = sums[0] / n, size = sums[1] / n, squares = sums[2];
      const auto deviation = [&](double about) {
        return walks_ < 2 ? no_number
                          : std::sqrt(std::max(0.0, squares - n * about * about) / (n - 1));
      };
      const auto put = [&](SensitivityIndices& kind, double value) {
        const double half = t * deviation(value) / std::sqrt(n);
        kind.values.push_back(value);
        kind.lower.push_back(value - half);
        kind.upper.push_back(value + half);
      };
      put(*kinds[0], mean);
      put(*kinds[1], size);
      kinds[2]->values.push_back(deviation(mean));
    }
  }

 private:
  std::size_t outputs_;
  std::vector<std::array<double, 3>> sums_;
  std::uint64_t walks_ = 0;
};

/// Names and words of what a study tells, without numbers.
std::vector<SensitivityIndices> kinds_of(const SensitivityInputs& inputs) {
  const auto kind = [](const char* statistic, const char* what, bool share = true) {
    SensitivityIndices made;
    made.statistic = statistic, made.what = what, made.share = share;
    return made;
  };
  switch (inputs.request().method) {
    case SensitivityMethod::morris:
      return {kind("morris_mean", "mean of elementary effects", false),
              kind("morris_mean_abs", "mean of the sizes of elementary effects", false),
              kind("morris_std", "standard deviation of elementary effects", false)};
    case SensitivityMethod::shapley:
      return {kind("shapley", "Shapley effect: share of the variance")};
    default:
      if (inputs.request().by == SensitivityFactors::germs)
        return {kind("sobol_first", "share of the variance that is due to one random number alone"),
                kind("sobol_total", "share of the variance that one random number takes part in")};
      return {kind("sobol_group", "share of the variance that is due to one group alone"),
              kind("sobol_group_total", "share of the variance that one group takes part in")};
  }
}

bool by_groups(const SensitivityInputs& inputs) {
  return inputs.request().method != SensitivityMethod::morris &&
         inputs.request().by == SensitivityFactors::groups;
}

/// Of one quantity, [run], in place of the rows of probes.
struct QuantityBlocks {
  std::vector<std::vector<double>> complete;  ///< values of the members
  std::vector<std::uint64_t> numbers;         ///< of these blocks
  double mean = 0, deviation = 0;

  QuantityBlocks(std::span<const double> values, std::uint64_t block) {
    double sum = 0, squares = 0, count = 0;
    for (std::size_t first = 0; first + block <= values.size(); first += block) {
      const auto part = values.subspan(first, block);
      if (!std::ranges::all_of(part, [](double y) { return std::isfinite(y); })) continue;
      complete.emplace_back(part.begin(), part.end());
      numbers.push_back(first / block);
      for (const double y : part) sum += y, ++count;
    }
    mean = count > 0 ? sum / count : no_number;
    for (const auto& members : complete)
      for (const double y : members) squares += (y - mean) * (y - mean);
    deviation = count > 1 ? std::sqrt(squares / (count - 1)) : 0.0;
  }
};

SobolIndices& place_of(QuantityShares& shares, const SensitivityIndices& kind, bool groups) {
  if (kind.statistic == "sobol_first") return shares.first;
  if (kind.statistic == "sobol_total") return shares.total;
  if (kind.statistic == "sobol_group") return shares.group_alone;
  if (kind.statistic == "sobol_group_total") return shares.group_total;
  shares.others.push_back({"_" + kind.statistic, kind.what, kind.share, groups, {}});
  return shares.others.back().indices;
}

void add_ratios(std::vector<SensitivityIndices>& kinds, const SensitivityInputs& inputs,
                const QuantityBlocks& blocks, double level) {
  const bool shapley = inputs.request().method == SensitivityMethod::shapley;
  const std::vector<double> weights =
      shapley ? shapley_weights(inputs.factors().size()) : std::vector<double>();
  ControlledRatios ratios(inputs.factors().size() * kinds.size());
  const auto take = [&](std::size_t index, const RatioKernel& kernel) {
    ratios.add(index, kernel.x, kernel.d, kernel.q);
  };
  const double scale = blocks.deviation > 1e-12 * std::abs(blocks.mean) ? 1 / blocks.deviation : 0;
  for (std::vector<double> y : blocks.complete) {
    for (double& each : y) each = (each - blocks.mean) * scale;
    if (shapley)
      shapley_kernels(std::span<const double>(y), weights, take);
    else
      pick_freeze_kernels(std::span<const double>(y), take);
  }
  const std::uint64_t count = blocks.complete.size();
  const double t = ControlledRatios::t_of(count, level);
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    const RatioEstimate found = ratios.estimate(i, count, t);
    SensitivityIndices& kind = kinds[i % kinds.size()];
    kind.values.push_back(found.value);
    kind.lower.push_back(found.interval.lower);
    kind.upper.push_back(found.interval.upper);
  }
}

void add_effects(std::vector<SensitivityIndices>& kinds, const SensitivityInputs& inputs,
                 const QuantityBlocks& blocks, double level) {
  EffectPass pass(inputs.factors().size(), 1);
  for (std::size_t i = 0; i < blocks.complete.size(); ++i)
    pass.add(inputs, blocks.numbers[i],
             [&](std::size_t, std::size_t member) { return blocks.complete[i][member]; });
  pass.describe({&kinds[0], &kinds[1], &kinds[2]}, level);
}

}  // namespace

bool is_screening(const Study& study) {
  return study.method == StudyMethod::sensitivity && method_of(study) == SensitivityMethod::morris;
}

SensitivityResults study_sensitivity(const SensitivityInputs& inputs, const Study& study,
                                     const Trajectory& nominal, const LeafStatistics& statistics,
                                     StudyStore& store, std::uint64_t realizations) {
  const StatisticsLayout& layout = statistics.moments().layout();
  SensitivityResults results;
  const SensitivityMethod method = inputs.request().method;
  results.method = sensitivity_method_names[static_cast<std::size_t>(method)];
  results.dimension = by_groups(inputs) ? "group" : "germ";
  results.factors = inputs.factors();
  results.block = inputs.block();
  results.indices = kinds_of(inputs);
  if (layout.row() == 0) return results;
  std::uint64_t number = 0;
  const auto pass_over = [&](const auto& add) {
    for_each_block(store, study, realizations, inputs.block(), [&](BlockRows rows) {
      if (is_complete(rows, layout))
        add(rows, number);
      else
        ++results.dropped;
      ++number;
    });
    results.blocks = number - results.dropped;
  };
  if (method == SensitivityMethod::morris) {
    EffectPass pass(results.factors.size(), layout.row());
    pass_over([&](BlockRows rows, std::uint64_t walk) {
      pass.add(inputs, walk, [&](std::size_t o, std::size_t member) { return rows[member][o]; });
    });
    pass.describe({&results.indices[0], &results.indices[1], &results.indices[2]},
                  study.interval_confidence);
    return results;
  }
  const Scales scales(statistics, nominal.times);
  RatioPass pass(inputs, layout, scales);
  pass_over([&](BlockRows rows, std::uint64_t) { pass.add(rows); });
  for (std::size_t kind = 0; kind < results.indices.size(); ++kind)
    pass.describe(results.indices[kind], kind, results.indices.size(), study.interval_confidence);
  return results;
}

void add_quantity_sensitivity(std::vector<QuantityResults>& results,
                              const SensitivityInputs& inputs, const Study& study,
                              const StudyStore& store, std::uint64_t realizations,
                              std::vector<std::string>& warnings) {
  if (results.empty()) return;
  const QuantitySamples samples = quantity_samples(results.size(), store, realizations);
  for (std::size_t q = 0; q < results.size(); ++q) {
    if (results[q].quantity->may_not_happen()) {
      warnings.push_back(
          fmt::format("the quantity {} has no indices of sensitivity: it does not happen in every "
                      "run",
                      results[q].quantity->name));
      continue;
    }
    const QuantityBlocks blocks(samples.values(q), inputs.block());
    std::vector<SensitivityIndices> kinds = kinds_of(inputs);
    if (inputs.request().method == SensitivityMethod::morris)
      add_effects(kinds, inputs, blocks, study.interval_confidence);
    else
      add_ratios(kinds, inputs, blocks, study.interval_confidence);
    QuantityShares& shares = results[q].shares.emplace();
    shares.groups = inputs.factors();
    for (SensitivityIndices& kind : kinds)
      place_of(shares, kind, by_groups(inputs)) = {std::move(kind.values), std::move(kind.lower),
                                                   std::move(kind.upper)};
  }
}

}  // namespace tumble
