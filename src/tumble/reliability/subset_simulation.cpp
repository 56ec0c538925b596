#include "tumble/reliability/subset_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tumble/random/stream/stream.hpp"
#include "tumble/random/stream/variable_id.hpp"
#include "tumble/reliability/replica_interval.hpp"
#include "tumble/study/statistics/proportion_interval.hpp"

namespace tumble {
namespace {

constexpr std::uint64_t subset_germs = variable_id("reliability subset");
constexpr std::uint64_t subset_offsets = variable_id("reliability subset resampling");

bool passes(const LimitValue& value, double threshold) { return !(value.g > threshold); }

/// States that one replica has at a level.
struct Population {
  GermPoints points;
  std::vector<LimitValue> values;

  explicit Population(std::size_t dimension) : points(dimension) {}
  void add(std::span<const double> point, const LimitValue& value) {
    points.add(point);
    values.push_back(value);
  }
  std::size_t size() const { return values.size(); }
  Population beyond(double threshold) const {
    Population kept(points.dimension());
    for (std::size_t i = 0; i < size(); ++i)
      if (passes(values[i], threshold)) kept.add(points.row(i), values[i]);
    return kept;
  }
};

/// How far chains move, by component: sigma = min(1, factor * spread), rho^2 = 1 - sigma^2.
struct ChainMoves {
  double factor = 0.6;
  std::vector<double> spread;
  double acceptance = 0;  ///< of the moves made last
};

std::vector<double> spread_of(const Population& seeds) {
  const std::size_t d = seeds.points.dimension();
  const auto n = static_cast<double>(seeds.size());
  std::vector<double> spread(d, 1.0);
  if (seeds.size() < 3) return spread;
  for (std::size_t c = 0; c < d; ++c) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < seeds.size(); ++i) sum += seeds.points.row(i)[c];
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      const double deviation = seeds.points.row(i)[c] - sum / n;
      squares += deviation * deviation;
    }
    spread[c] = std::sqrt(squares / (n - 1));
  }
  return spread;
}

class SubsetRun {
 public:
  SubsetRun(std::size_t dimension, const LimitState& g, const SubsetOptions& options)
      : d_(dimension), g_(g), options_(options) {}

  ProbabilityEstimate run() {
    find_levels();
    found_.search_runs = found_.runs;
    estimate();
    return std::move(found_);
  }

 private:
  std::vector<LimitValue> evaluate(const GermPoints& points) {
    found_.runs += points.size();
    std::vector<LimitValue> values = g_(points);
    for (const LimitValue& value : values) found_.failed += std::isnan(value.g) ? 1 : 0;
    return values;
  }

  std::vector<Population> drawn(std::size_t replicas, std::uint64_t count) {
    GermPoints points(d_);
    points.reserve(replicas * count);
    for (std::uint64_t i = 0; i < replicas * count; ++i)
      draw_germs(options_.seed, drawn_++, subset_germs, points.add());
    const std::vector<LimitValue> values = evaluate(points);
    std::vector<Population> populations(replicas, Population(d_));
    for (std::size_t i = 0; i < values.size(); ++i)
      populations[i / count].add(points.row(i), values[i]);
    return populations;
  }

  /// As many seeds as a level begins with, drawn from those beyond the threshold: spread evenly
  /// over them from a random place on, so that each is expected equally often.
  Population resampled(const Population& survivors, std::size_t count) {
    Population seeds(d_);
    if (survivors.size() == 0) return seeds;
    const double offset = Stream(options_.seed, offsets_++, subset_offsets).uniform(0);
    const auto m = static_cast<double>(survivors.size()), n = static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto from =
          std::min(survivors.size() - 1,
                   static_cast<std::size_t>((static_cast<double>(i) + offset) * m / n));
      seeds.add(survivors.points.row(from), survivors.values[from]);
    }
    return seeds;
  }

  /// Goes on from every seed by `steps` states, all beyond the threshold. How many does not depend
  /// on how many survived: longer chains for few survivors would forget bad luck sooner than good
  /// luck, and so bias the product.
  std::vector<Population> moved(std::vector<Population> populations, double threshold,
                                std::size_t steps, ChainMoves& moves, bool adapt) {
    struct Chain {
      std::size_t replica, state;
    };
    std::vector<Chain> chains;
    for (std::size_t j = 0; j < populations.size(); ++j)
      for (std::size_t i = 0; i < populations[j].size(); ++i) chains.push_back({j, i});
    if (chains.empty()) return populations;
    double accepted = 0, proposed = 0;
    std::vector<double> germs(d_);
    for (std::size_t step = 1; step <= steps; ++step) {
      GermPoints points(d_);
      points.reserve(chains.size());
      for (const Chain& chain : chains) {
        const std::span<const double> from = populations[chain.replica].points.row(chain.state);
        const std::span<double> to = points.add();
        draw_germs(options_.seed, drawn_++, subset_germs, germs);
        for (std::size_t c = 0; c < d_; ++c) {
          const double sigma = std::min(1.0, moves.factor * moves.spread[c]);
          to[c] = std::sqrt(1 - sigma * sigma) * from[c] + sigma * germs[c];
        }
      }
      const std::vector<LimitValue> values = evaluate(points);
      double now = 0;
      for (std::size_t i = 0; i < chains.size(); ++i) {
        Population& population = populations[chains[i].replica];
        const std::size_t before = chains[i].state;
        chains[i].state = population.size();
        if (passes(values[i], threshold)) {
          population.add(points.row(i), values[i]);
          ++now;
        } else {
          const std::vector<double> same(population.points.row(before).begin(),
                                         population.points.row(before).end());
          const LimitValue value = population.values[before];
          population.add(same, value);
        }
      }
      accepted += now, proposed += static_cast<double>(chains.size());
      // The rate of acceptance at which chains forget soonest, Papaioannou et al. (2015), 4.2.
      constexpr double best_acceptance = 0.44;
      if (adapt)
        moves.factor *= std::exp((now / static_cast<double>(chains.size()) - best_acceptance) /
                                 std::sqrt(static_cast<double>(step)));
    }
    moves.acceptance = proposed > 0 ? accepted / proposed : 1;
    return populations;
  }

  /// States of a chain beside its seed.
  std::size_t steps() const {
    return static_cast<std::size_t>(std::llround(1 / options_.level_probability)) - 1;
  }

  /// The pilot, one small replica whose levels adapt to it.
  void find_levels() {
    const auto share = static_cast<std::size_t>(
        std::clamp<std::uint64_t>(options_.runs / (50 * (steps() + 1)), 5, 2000 / (steps() + 1)));
    const std::uint64_t size = share * (steps() + 1);
    std::vector<Population> pilot = drawn(1, size);
    ChainMoves moves;
    double last = std::numeric_limits<double>::infinity();
    while (true) {
      std::vector<double> sorted;
      for (const LimitValue& value : pilot[0].values)
        sorted.push_back(std::isnan(value.g) ? -std::numeric_limits<double>::infinity() : value.g);
      std::ranges::sort(sorted);
      if (sorted[share] <= 0) return;
      const double next =
          sorted[share - 1] > 0 ? 0.5 * (sorted[share - 1] + sorted[share]) : sorted[share - 1];
      if (next <= 0) return;
      if (!(next < last) || std::isinf(sorted[share])) {
        found_.warnings.push_back(
            "subset simulation finds no nearer level: too many runs have the same value. Ask for a "
            "quantity that says how far a run is from the limit, as a peak");
        return;
      }
      if (found_.runs > options_.runs / 3) {
        found_.warnings.push_back(fmt::format(
            "subset simulation did not come to the limit: a third of the runs led to {} "
            "levels, a probability of about {:.1g}; more runs go further",
            thresholds_.size(), std::pow(options_.level_probability, thresholds_.size())));
        return;
      }
      last = next;
      Population seeds = pilot[0].beyond(next);
      moves.spread = spread_of(seeds);
      pilot[0] = std::move(seeds);
      pilot = moved(std::move(pilot), next, steps(), moves, true);
      thresholds_.push_back(next);
      moves_.push_back(moves);
    }
  }

  void estimate() {
    const std::uint64_t rest = options_.runs - std::min(options_.runs, found_.runs);
    const std::uint64_t runs_of_a_seed = steps() + 1 + thresholds_.size() * steps();
    const std::size_t replicas =
        std::clamp<std::uint64_t>(rest / runs_of_a_seed, 2, options_.replicas);
    const std::uint64_t seeds = std::max<std::uint64_t>(1, rest / (replicas * runs_of_a_seed));
    constexpr std::uint64_t few_seeds = 12;  // intervals were found to hold with so many
    const bool too_few = !thresholds_.empty() && seeds < few_seeds;
    if (too_few)
      found_.warnings.push_back(fmt::format(
          "subset simulation: each of the {} replicas has only {} Markov chains at a level, too "
          "few "
          "for the interval to hold: it is widened to what the independent draws of the first "
          "level "
          "leave open. Take at least {} runs",
          replicas, seeds, found_.runs + few_seeds * options_.replicas * runs_of_a_seed));
    // Without levels there are no chains, and every run may be a draw.
    const std::uint64_t size =
        thresholds_.empty() ? std::max<std::uint64_t>(2, rest / replicas) : seeds * (steps() + 1);
    std::vector<Population> populations = drawn(replicas, size);
    const Interval safe = too_few ? by_draws(populations) : Interval{1, 0};
    std::vector<double> product(replicas, 1.0);  // of the levels so far
    std::uint64_t level_runs = replicas * size;
    double acceptance = 1;
    for (std::size_t k = 0; k < thresholds_.size(); ++k) {
      const double parent = mean(product);
      if (parent > 0) reached_ = product;
      const std::uint64_t before = found_.runs;
      for (std::size_t j = 0; j < replicas; ++j) {
        Population kept = populations[j].beyond(thresholds_[k]);
        if (populations[j].size() > 0)
          product[j] *=
              static_cast<double>(kept.size()) / static_cast<double>(populations[j].size());
        populations[j] = resampled(kept, seeds);
      }
      found_.levels.push_back(
          {thresholds_[k], parent > 0 ? mean(product) / parent : 0.0, acceptance, level_runs});
      ChainMoves moves = moves_[k];
      populations = moved(std::move(populations), thresholds_[k], steps(), moves, false);
      acceptance = moves.acceptance;
      level_runs = found_.runs - before;
    }
    seeds_ = replicas * (thresholds_.empty() ? size : seeds);
    finish(populations, product, acceptance, level_runs);
    if (!too_few) return;
    found_.lower = std::min(found_.lower, safe.lower);
    found_.upper = std::max(found_.upper, safe.upper);
  }

  /// What independent draws say by themselves, runs that failed counted against them both ways.
  Interval by_draws(const std::vector<Population>& populations) const {
    double hits = 0, failed = 0, all = 0;
    for (const Population& population : populations)
      for (const LimitValue& value : population.values) {
        hits += value.g <= 0 ? 1 : 0;
        failed += std::isnan(value.g) ? 1 : 0;
        ++all;
      }
    return {exact_proportion_interval(hits, all, options_.confidence).lower,
            exact_proportion_interval(hits + failed, all, options_.confidence).upper};
  }

  void finish(const std::vector<Population>& populations, const std::vector<double>& product,
              double acceptance, std::uint64_t level_runs) {
    const std::size_t replicas = product.size();
    std::vector<WeightedValue> values;
    std::vector<double> with_failed(replicas, 0.0);
    double hits = 0, failed = 0, all = 0;
    found_.replicas.assign(replicas, 0.0);
    for (std::size_t j = 0; j < replicas; ++j) {
      const double weight = product[j] / static_cast<double>(populations[j].size());
      for (const LimitValue& value : populations[j].values) {
        values.push_back({weight / static_cast<double>(replicas), value});
        if (value.g <= 0) found_.replicas[j] += weight, ++hits;
        if (passes(value, 0)) with_failed[j] += weight;
        if (std::isnan(value.g)) ++failed;
        ++all;
      }
    }
    found_.probability = mean(found_.replicas);
    const double parent = mean(product);
    found_.levels.push_back(
        {0.0, parent > 0 ? found_.probability / parent : 0.0, acceptance, level_runs});
    if (thresholds_.empty()) {
      // Independent draws all: the exact interval.
      found_.lower = exact_proportion_interval(hits, all, options_.confidence).lower;
      found_.upper = exact_proportion_interval(hits + failed, all, options_.confidence).upper;
      found_.cv = std::sqrt((1 - found_.probability) / hits);
    } else {
      const ReplicaInterval known = replica_interval(found_.replicas, options_.confidence);
      found_.lower = known.lower;
      found_.cv = known.cv;
      found_.upper = std::min(1.0, replica_interval(with_failed, options_.confidence).upper);
      if (mean(product) > 0) reached_ = product;
      if (mean(with_failed) == 0) found_.upper = unseen();
    }
    add_error_bounds(found_, values);
  }

  /// Nothing was seen: what the last level that was reached still allows. Its states stem from
  /// `seeds_` of the level before, and count for no more than those.
  double unseen() const {
    const double level = std::min(1.0, replica_interval(reached_, options_.confidence).upper);
    return level *
           exact_proportion_interval(0, static_cast<double>(std::max<std::uint64_t>(seeds_, 1)),
                                     options_.confidence)
               .upper;
  }

  static double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  }

  std::size_t d_;
  const LimitState& g_;
  const SubsetOptions& options_;
  ProbabilityEstimate found_;
  std::uint64_t drawn_ = 0, offsets_ = 0;  ///< of the streams
  std::vector<double> thresholds_;
  std::vector<ChainMoves> moves_;  ///< by threshold
  std::uint64_t seeds_ = 0;        ///< of the last level
  std::vector<double> reached_;    ///< probabilities, by replica, of the last level with survivors
};

}  // namespace

std::uint64_t least_subset_runs(const SubsetOptions& options) {
  return std::max<std::uint64_t>(1000, 100 * options.replicas);
}

ProbabilityEstimate subset_simulation(std::size_t dimension, const LimitState& g,
                                      const SubsetOptions& options) {
  return SubsetRun(dimension, g, options).run();
}

}  // namespace tumble
