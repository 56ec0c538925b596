#include "tumble/study/quantiles/regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <limits>
#include <map>

#include "tumble/math/select_ranks.hpp"
#include "tumble/study/statistics/standard_errors.hpp"

namespace tumble {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// The smallest m with P(B <= m - 1) >= confidence, B binomial (n, content); above n if none.
std::uint64_t blocks_needed(std::uint64_t n, double content, double confidence) {
  using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  const boost::math::binomial_distribution<double, Policy> binomial(static_cast<double>(n),
                                                                    content);
  std::uint64_t first = 1, end = n + 1;
  while (first < end) {
    const std::uint64_t middle = first + (end - first) / 2;
    if (cdf(binomial, static_cast<double>(middle - 1)) >= confidence)
      end = middle;
    else
      first = middle + 1;
  }
  return first;
}

EnsembleRegion unbounded_region(const StatisticsLayout& layout) {
  return {std::vector<double>(layout.row(), -unbounded),
          std::vector<double>(layout.row(), unbounded)};
}

EnsembleRegion tolerance_region(const LeafStatistics& statistics, const StoredValues* values,
                                const RegionOptions& options) {
  const Moments& moments = statistics.moments();
  const StatisticsLayout& layout = moments.layout();
  EnsembleRegion region = unbounded_region(layout);
  std::map<std::uint64_t, std::optional<RankInterval>> by_count;
  const auto ranks_of = [&](std::uint64_t n) -> const std::optional<RankInterval>& {
    const auto found = by_count.find(n);
    if (found != by_count.end()) return found->second;
    return by_count[n] = two_sided_tolerance_ranks(n, options.content, options.confidence);
  };
  for (std::size_t t = 0; t < layout.times(); ++t) {
    const std::uint64_t n = moments.count(t);
    const std::optional<RankInterval>& ranks = ranks_of(n);
    if (!ranks) continue;
    const auto put = [&](std::size_t number, double low, double high) {
      region.lower[t * layout.numbers() + number] = low;
      region.upper[t * layout.numbers() + number] = high;
    };
    if (values != nullptr) {
      values->for_each_column(t, t + 1, [&](const StoredValues::Column& column) {
        const std::size_t places[] = {*ranks->lower, *ranks->upper};
        select_ranks(column.values, places);
        put(column.number, column.values[places[0]], column.values[places[1]]);
      });
      continue;
    }
    const QuantileSketch& sketch = *statistics.sketch();
    const std::uint64_t error = sketch.rank_error();
    for (std::size_t number = 0; number < layout.numbers(); ++number) {
      double low = moments.minimum(t, number), high = moments.maximum(t, number);
      const bool inside = *ranks->lower >= error && *ranks->upper + error < n;
      if (inside || error == 0) {
        const std::size_t places[] = {*ranks->lower - error, *ranks->upper + error};
        double found[2];
        sketch.order_statistics(t, number, places, found);
        low = found[0];
        high = found[1];
      }
      put(number, low, high);
    }
  }
  return region;
}

/// Of one number over time: where trajectories lie, in the middle and on either side.
struct BandShape {
  std::vector<double> middle, below, above;
};

class SimultaneousBand {
 public:
  SimultaneousBand(const LeafStatistics& statistics, const StoredValues& values,
                   const RegionOptions& options)
      : layout_(statistics.moments().layout()), values_(values), options_(options) {
    const std::size_t last = layout_.times() - 1;
    values.for_each_column(last, last + 1, [&](const StoredValues::Column& column) {
      if (column.number == 0)
        complete_.assign(column.realizations.begin(), column.realizations.end());
    });
  }

  EnsembleRegion find() {
    EnsembleRegion region = unbounded_region(layout_);
    std::vector<std::uint64_t> for_size;
    for (std::size_t i = 1; i < complete_.size(); i += 2) for_size.push_back(complete_[i]);
    const auto rank =
        one_sided_tolerance_rank(for_size.size(), options_.content, options_.confidence);
    if (!rank) return region;
    find_shapes();
    const std::size_t numbers = layout_.numbers();
    std::vector<std::vector<double>> scores(numbers);
    for (const std::uint64_t r : for_size) {
      const double* row = values_.row(r);
      for (std::size_t number = 0; number < numbers; ++number) {
        const BandShape& shape = shapes_[number];
        double worst = 0;
        for (std::size_t t = 0; t < layout_.times(); ++t) {
          const double d = row[t * numbers + number] - shape.middle[t];
          if (d != 0) worst = std::max(worst, d > 0 ? d / shape.above[t] : -d / shape.below[t]);
        }
        scores[number].push_back(worst);
      }
    }
    for (std::size_t number = 0; number < numbers; ++number) {
      std::vector<double>& all = scores[number];
      const auto place = all.begin() + static_cast<std::ptrdiff_t>(*rank);
      std::nth_element(all.begin(), place, all.end());
      const BandShape& shape = shapes_[number];
      for (std::size_t t = 0; t < layout_.times(); ++t) {
        // The trajectory that sets the size shall be inside, whatever the rounding.
        const double size = *place * (1 + 1e-14);
        region.lower[t * numbers + number] = shape.middle[t] - size * shape.below[t];
        region.upper[t * numbers + number] = shape.middle[t] + size * shape.above[t];
      }
    }
    return region;
  }

 private:
  /// The others of those that succeeded give the size. What failed does not change their number.
  bool gives_shape(std::uint64_t realization) const {
    const auto found = std::ranges::lower_bound(complete_, realization);
    return found != complete_.end() && *found == realization &&
           (found - complete_.begin()) % 2 == 0;
  }

  void find_shapes() {
    shapes_.resize(layout_.numbers());
    const double probabilities[] = {(1 - options_.content) / 2, 0.5, (1 + options_.content) / 2};
    for (std::size_t t = 0; t < layout_.times(); ++t)
      values_.for_each_column(t, t + 1, [&](const StoredValues::Column& column) {
        std::vector<double> half;
        for (std::size_t i = 0; i < column.values.size(); ++i)
          if (gives_shape(column.realizations[i])) half.push_back(column.values[i]);
        double quantiles[3];
        select_quantiles(half, probabilities, quantiles);
        BandShape& shape = shapes_[column.number];
        shape.middle.push_back(quantiles[1]);
        shape.below.push_back(quantiles[1] - quantiles[0]);
        shape.above.push_back(quantiles[2] - quantiles[1]);
      });
    // Where nothing scatters, as at the start, rounding shall not decide on the size of the band.
    constexpr double smallest = 1e-9;
    for (BandShape& shape : shapes_) {
      double widest = 0;
      for (const auto* side : {&shape.below, &shape.above})
        for (const double width : *side) widest = std::max(widest, width);
      for (auto* side : {&shape.below, &shape.above})
        for (double& width : *side) width = std::max(width, smallest * widest);
    }
  }

  const StatisticsLayout& layout_;
  const StoredValues& values_;
  const RegionOptions& options_;
  std::vector<std::uint64_t> complete_;  ///< realisations that did not fail, ascending
  std::vector<BandShape> shapes_;        ///< by number
};

EnsembleRegion chebyshev_region(const LeafStatistics& statistics, const RegionOptions& options) {
  const Moments& moments = statistics.moments();
  const StatisticsLayout& layout = moments.layout();
  EnsembleRegion region = unbounded_region(layout);
  const double factor = 1 / std::sqrt(1 - options.content);
  for (std::size_t t = 0; t < layout.times(); ++t)
    for (std::size_t number = 0; number < layout.numbers(); ++number) {
      const double mean = moments.mean(t, number);
      const double half = factor * ensemble_deviation(statistics, options.sampling, t, number);
      if (std::isnan(half)) continue;
      region.lower[t * layout.numbers() + number] = mean - half;
      region.upper[t * layout.numbers() + number] = mean + half;
    }
  return region;
}

}  // namespace

std::optional<RankInterval> two_sided_tolerance_ranks(std::uint64_t n, double content,
                                                      double confidence) {
  const std::uint64_t blocks = n == 0 ? 1 : blocks_needed(n, content, confidence);
  if (blocks + 1 > n) return std::nullopt;
  const std::uint64_t left_out = (n - 1 - blocks) / 2;  // at either end
  RankInterval ranks;
  ranks.lower = left_out;
  ranks.upper = n - 1 - left_out;
  return ranks;
}

std::optional<std::uint64_t> one_sided_tolerance_rank(std::uint64_t n, double content,
                                                      double confidence) {
  const std::uint64_t blocks = n == 0 ? 1 : blocks_needed(n, content, confidence);
  if (blocks > n) return std::nullopt;
  return blocks - 1;
}

std::uint64_t smallest_region_sample(RegionKind kind, double content, double confidence) {
  const auto enough = [&](std::uint64_t n) {
    if (kind == RegionKind::tolerance)
      return two_sided_tolerance_ranks(n, content, confidence).has_value();
    // Every second one is half of all, rounded down.
    return one_sided_tolerance_rank(n / 2, content, confidence).has_value();
  };
  if (kind == RegionKind::quantile || kind == RegionKind::chebyshev) return 1;
  std::uint64_t n = 2;
  while (!enough(n) && n < std::uint64_t{1} << 32) n *= 2;
  for (std::uint64_t step = n / 2; step > 0; step /= 2)
    if (n > step && enough(n - step)) n -= step;
  return n;
}

EnsembleRegion ensemble_region(const LeafStatistics& statistics, const StoredValues* values,
                               const RegionOptions& options) {
  const StatisticsLayout& layout = statistics.moments().layout();
  switch (options.kind) {
    case RegionKind::quantile:
      return {};
    case RegionKind::chebyshev:
      return chebyshev_region(statistics, options);
    case RegionKind::tolerance:
      if (values == nullptr && statistics.sketch() == nullptr)
        throw std::logic_error("a tolerance region needs stored values or sketches");
      return tolerance_region(statistics, values, options);
    case RegionKind::simultaneous:
      if (values == nullptr) throw std::logic_error("a simultaneous region needs stored values");
      if (layout.times() == 0) return unbounded_region(layout);
      return SimultaneousBand(statistics, *values, options).find();
  }
  throw std::logic_error("a region of no known kind");
}

std::string region_shortfall(const Moments& moments, const RegionOptions& options) {
  const bool whole = options.kind == RegionKind::simultaneous;
  const std::size_t times = moments.layout().times();
  if (times == 0 || (!whole && options.kind != RegionKind::tolerance)) return {};
  std::uint64_t fewest = moments.count(times - 1);  // those that reached the end
  for (std::size_t t = 0; t < times && !whole; ++t) fewest = std::min(fewest, moments.count(t));
  const std::uint64_t needed =
      smallest_region_sample(options.kind, options.content, options.confidence);
  if (fewest >= needed) return {};
  const double content = 100 * options.content, sure = 100 * options.confidence;
  if (whole)
    return fmt::format(
        "too few realisations succeeded for a region that holds the whole trajectories of {:g} % "
        "of all machines with a confidence of {:g} %: {}, and {} are needed; its ends are infinite",
        content, sure, fewest, needed);
  return fmt::format(
      "too few realisations succeeded for a region that holds {:g} % of all machines at each time "
      "with a confidence of {:g} %: {} where they are fewest, and {} are needed; there its ends "
      "are infinite",
      content, sure, fewest, needed);
}

double expected_content(double content, std::uint64_t n) {
  const auto count = static_cast<double>(n);
  return content * (count - 1) / (count + 1);
}

}  // namespace tumble
