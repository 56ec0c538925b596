#include "tumble/math/tracked_ranks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "tumble/math/compress_four.hpp"
#include "tumble/math/select_ranks.hpp"

namespace tumble {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Ranks from the outermost of a cluster to its bounds, where nothing was missed.
constexpr std::size_t least_margin = 8;
/// Clusters whose values are collected in one pass.
constexpr std::size_t most_together = 8;

#ifdef __AVX2__

/// Copies the values between one of N pairs of bounds, counts what is below each pair, and says how
/// many were copied. Pairs are ascending, so a value lies between one of them if it has passed an
/// odd number of bounds. The last values, fewer than four, are left out.
template <std::size_t N>
std::size_t collect_fours(std::span<const double> values, const std::array<double, N>& low,
                          const std::array<double, N>& high, double* to,
                          std::array<std::size_t, N>& below) {
  __m256d lows[N], highs[N];
  __m256i counts[N];
  for (std::size_t c = 0; c < N; ++c) {
    lows[c] = _mm256_set1_pd(low[c]);
    highs[c] = _mm256_set1_pd(high[c]);
    counts[c] = _mm256_setzero_si256();
  }
  double* next = to;
  for (std::size_t i = 0; i + 4 <= values.size(); i += 4) {
    const __m256d four = _mm256_loadu_pd(&values[i]);
    __m256d within = _mm256_setzero_pd();
    for (std::size_t c = 0; c < N; ++c) {
      const __m256d is_below = _mm256_cmp_pd(four, lows[c], _CMP_LT_OQ);
      const __m256d is_not_above = _mm256_cmp_pd(four, highs[c], _CMP_LE_OQ);
      counts[c] = _mm256_sub_epi64(counts[c], _mm256_castpd_si256(is_below));
      within = _mm256_xor_pd(within, _mm256_xor_pd(is_below, is_not_above));
    }
    const auto set = static_cast<unsigned>(_mm256_movemask_pd(within));
    _mm256_storeu_pd(next, lanes_first(four, set));
    next += std::popcount(set);
  }
  for (std::size_t c = 0; c < N; ++c) {
    alignas(32) std::int64_t of_lanes[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(of_lanes), counts[c]);
    below[c] = 0;
    for (const std::int64_t count : of_lanes) below[c] += static_cast<std::size_t>(count);
  }
  return static_cast<std::size_t>(next - to);
}

#endif

/// The same for all values.
template <std::size_t N>
std::size_t collect_between(std::span<const double> values, const std::array<double, N>& low,
                            const std::array<double, N>& high, double* to,
                            std::array<std::size_t, N>& below) {
  double* next = to;
  std::size_t i = 0;
  below.fill(0);
#ifdef __AVX2__
  next += collect_fours<N>(values, low, high, to, below);
  i = values.size() / 4 * 4;
#endif
  for (; i < values.size(); ++i) {
    bool within = false;
    for (std::size_t c = 0; c < N; ++c) {
      const bool is_below = values[i] < low[c];
      below[c] += is_below ? 1 : 0;
      within = within || (!is_below && values[i] <= high[c]);
    }
    *next = values[i];
    next += within ? 1 : 0;
  }
  return static_cast<std::size_t>(next - to);
}

/// Where values are collected: between the bounds of any cluster, and of one. With room for four
/// more. One for all that a thread tracks, so that it stays in the cache.
struct Scratch {
  std::vector<double> collected, apart;
  std::vector<std::size_t> wanted;  ///< ranks among them

  static Scratch& with_room_for(std::size_t members) {
    thread_local Scratch scratch;
    if (scratch.apart.size() < members + 4) {
      scratch.collected.resize(members + 4);
      scratch.apart.resize(members + 4);
    }
    return scratch;
  }
};

}  // namespace

TrackedRanks::TrackedRanks(std::span<const std::size_t> ranks, std::size_t members)
    : ranks_(ranks.begin(), ranks.end()), members_(members) {
  const std::size_t apart = std::max(2 * least_margin, members / 32);
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    if (i == 0 || ranks_[i] > ranks_[i - 1] + apart) clusters_.push_back({i, i, least_margin});
    clusters_.back().end = i + 1;
  }
  ranges_.resize(clusters_.size());
}

void TrackedRanks::select(std::span<const double> values, double centre, double scale,
                          double* at_ranks) {
  const bool usable = std::isfinite(centre) && std::isfinite(scale) && scale > 0;
  if (!usable) known_times_ = 0;
  if (known_times_ == 0)
    select_from_all(values, centre, scale, at_ranks);
  else
    select_tracked(values, centre, scale, at_ranks);
  if (usable) known_times_ = std::min(2, known_times_ + 1);
}

void TrackedRanks::select_from_all(std::span<const double> values, double centre, double scale,
                                   double* at_ranks) {
  ++passes_;
  Scratch& scratch = Scratch::with_room_for(members_);
  std::vector<double>& collected = scratch.collected;
  std::vector<std::size_t>& wanted = scratch.wanted;
  std::copy(values.begin(), values.end(), collected.begin());
  const Range all{-infinity, infinity, 0, members_};
  wanted.clear();
  for (const Cluster& cluster : clusters_) want(all, cluster, wanted);
  std::ranges::sort(wanted);  // clusters may be close to each other
  select_ranks({collected.data(), members_}, wanted);
  for (Cluster& cluster : clusters_) {
    take(all, collected.data(), cluster, centre, scale, at_ranks);
    cluster.missed_by = 0;
    cluster.margin = 4 * least_margin;  // nothing is known of its changes yet
  }
}

void TrackedRanks::select_tracked(std::span<const double> values, double centre, double scale,
                                  double* at_ranks) {
  bool ascend = clusters_.size() <= most_together;
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    ranges_[c] = expected(clusters_[c], centre, scale);
    ascend = ascend && (c == 0 || ranges_[c - 1].high < ranges_[c].low);
  }
  Scratch& scratch = Scratch::with_room_for(members_);
  std::vector<double>&buffer = scratch.collected, &apart = scratch.apart;
  std::vector<std::size_t>& wanted = scratch.wanted;
  const std::span<const double> collected =
      ascend ? std::span<const double>(buffer.data(), collect(values, buffer.data())) : values;
  if (ascend) ++passes_;
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    Cluster& cluster = clusters_[c];
    Range range = ranges_[c];
    const auto look_at = [&](std::span<const double> some) {
      std::array<std::size_t, 1> below{};
      range.between = collect_between<1>(some, {range.low}, {range.high}, apart.data(), below);
      return below[0];
    };
    const std::size_t below = look_at(collected);
    if (!ascend) range.below = below, ++passes_;
    note_miss(range, cluster);
    for (double times = 2; !has(range, cluster); times *= 4) {
      move(range, cluster, times, scale);
      range.below = look_at(values);
      ++passes_;
    }
    wanted.clear();
    want(range, cluster, wanted);
    select_ranks({apart.data(), range.between}, wanted);
    take(range, apart.data(), cluster, centre, scale, at_ranks);
  }
}

/// Collects what is within the range of any cluster, and counts what is below each.
std::size_t TrackedRanks::collect(std::span<const double> values, double* to) {
  const auto with = [&]<std::size_t N>() {
    std::array<double, N> low, high;
    std::array<std::size_t, N> below;
    // Those left over are empty, above all others.
    low.fill(infinity);
    high.fill(infinity);
    for (std::size_t c = 0; c < clusters_.size(); ++c)
      low[c] = ranges_[c].low, high[c] = ranges_[c].high;
    const std::size_t count = collect_between<N>(values, low, high, to, below);
    for (std::size_t c = 0; c < clusters_.size(); ++c) ranges_[c].below = below[c];
    return count;
  };
  switch (clusters_.size()) {
    case 1:
      return with.operator()<1>();
    case 2:
      return with.operator()<2>();
    case 3:
      return with.operator()<3>();
    default:
      return with.operator()<most_together>();
  }
}

/// Where the cluster will be if it goes on as it came.
auto TrackedRanks::expected(const Cluster& cluster, double centre, double scale) const -> Range {
  const double beyond = static_cast<double>(cluster.margin) * cluster.per_rank;
  const bool steady = known_times_ == 2;
  Range range{-infinity, infinity};
  if (ranks_[cluster.first] >= cluster.margin)
    range.low = centre + scale * (cluster.low + (steady ? cluster.low_change : 0) - beyond);
  if (ranks_[cluster.end - 1] + cluster.margin < members_)
    range.high = centre + scale * (cluster.high + (steady ? cluster.high_change : 0) + beyond);
  // Edges that are to pass each other, or that are no numbers, tell nothing.
  return range.low <= range.high ? range : Range{-infinity, infinity};
}

bool TrackedRanks::has(const Range& range, const Cluster& cluster) const {
  return ranks_[cluster.first] >= range.below && ranks_[cluster.end - 1] < range.end();
}

/// Moves the bounds that missed the cluster, `times` as many ranks as they did and more.
void TrackedRanks::move(Range& range, const Cluster& cluster, double times, double scale) const {
  const std::size_t first = ranks_[cluster.first], last = ranks_[cluster.end - 1];
  const double low = range.low, high = range.high;
  const auto far = [&](std::size_t ranks) {
    const double step =
        times * static_cast<double>(ranks + cluster.margin) * (cluster.per_rank * scale);
    return step > 0 && times < 100 ? step : infinity;
  };
  if (first < range.below) range.low = low - far(range.below - first);
  if (last >= range.end()) range.high = high + far(last + 1 - range.end());
  // What was beyond the other bound needs not be looked at again.
  if (last < range.below) range.high = low;
  if (first >= range.end()) range.low = high;
}

/// Bounds follow the largest miss of late: it halves from time to time.
void TrackedRanks::note_miss(const Range& range, Cluster& cluster) const {
  const std::size_t first = ranks_[cluster.first], last = ranks_[cluster.end - 1];
  std::size_t miss = cluster.missed_by / 2;
  const auto add = [&miss](std::size_t wanted, std::size_t there) {
    if (there < wanted) miss = std::max(miss, wanted - there);
  };
  if (!std::isinf(range.low)) add(range.below + cluster.margin, first);
  if (!std::isinf(range.high)) add(last + cluster.margin + 1, range.end());
  cluster.missed_by = miss;
  cluster.margin = least_margin + miss + miss / 2;
}

/// The part of the range, in ranks, that tells how far values are apart: its bounds are ranks here.
auto TrackedRanks::known(const Range& range, const Cluster& cluster) const -> Range {
  const std::size_t first = ranks_[cluster.first], last = ranks_[cluster.end - 1];
  const std::size_t low = first - std::min(first - range.below, least_margin);
  const std::size_t high = std::min(range.end() - 1, last + least_margin);
  return {0, 0, low, high - low + 1};
}

/// Notes the ranks to find in a range.
void TrackedRanks::want(const Range& range, const Cluster& cluster,
                        std::vector<std::size_t>& wanted) const {
  const Range ends = known(range, cluster);
  wanted.push_back(ends.below - range.below);
  for (std::size_t i = cluster.first; i < cluster.end; ++i)
    wanted.push_back(ranks_[i] - range.below);
  wanted.push_back(ends.end() - 1 - range.below);
}

/// Takes them from where they are now, and notes where that is.
void TrackedRanks::take(const Range& range, const double* values, Cluster& cluster, double centre,
                        double scale, double* at_ranks) const {
  for (std::size_t i = cluster.first; i < cluster.end; ++i)
    at_ranks[i] = values[ranks_[i] - range.below];
  const Range ends = known(range, cluster);
  const double apart = values[ends.end() - 1 - range.below] - values[ends.below - range.below];
  cluster.per_rank = apart / scale / static_cast<double>(ends.between);
  const double low = (at_ranks[cluster.first] - centre) / scale;
  const double high = (at_ranks[cluster.end - 1] - centre) / scale;
  cluster.low_change = low - cluster.low;
  cluster.high_change = high - cluster.high;
  cluster.low = low;
  cluster.high = high;
}

}  // namespace tumble
