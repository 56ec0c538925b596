#include "tumble/math/tracked_ranks.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "tumble/math/compress_four.hpp"
#include "tumble/math/select_ranks.hpp"

namespace tumble {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The place of a value that is there.
std::size_t place_of(std::span<const double> values, double value) {
  std::size_t i = 0;
#ifdef __AVX2__
  const __m256d wanted = _mm256_set1_pd(value);
  for (; i + 4 <= values.size(); i += 4)
    if (_mm256_movemask_pd(_mm256_cmp_pd(_mm256_loadu_pd(&values[i]), wanted, _CMP_EQ_OQ)) != 0)
      break;
#endif
  while (values[i] != value) ++i;
  return i;
}

}  // namespace

TrackedRanks::TrackedRanks(std::span<const std::size_t> ranks, std::size_t members)
    : ranks_(ranks.begin(), ranks.end()), members_(members), collected_(members + 4) {
  // So far from a rank its members come seldom within one output step.
  const std::size_t margin = std::max<std::size_t>(8, members / 64), apart = margin / 4;
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const std::size_t rank = ranks_[i];
    if (i == 0 || rank > ranks_[i - 1] + 2 * (margin + apart)) {
      Cluster& next = clusters_.emplace_back(Cluster{i, i, {}, {}});
      next.low.needed = rank >= margin + apart;
      if (next.low.needed)
        next.low.ranks = {rank - margin - apart, rank - margin, rank - margin + apart};
    }
    Cluster& cluster = clusters_.back();
    cluster.end = i + 1;
    cluster.high.needed = rank + margin + apart < members;
    cluster.high.ranks = {rank + margin - apart, rank + margin, rank + margin + apart};
  }
  low_.resize(clusters_.size());
  high_.resize(clusters_.size());
}

void TrackedRanks::select(std::span<const double> values, double* at_ranks) {
  if (known_ && select_tracked(values, at_ranks)) return;
  // Everything is between.
  ++complete_passes_;
  std::copy(values.begin(), values.end(), collected_.begin());
  for (Cluster& cluster : clusters_) cluster.below = 0, cluster.between = members_;
  select_collected(values, members_, true, at_ranks);
  known_ = true;
}

/// Counts what is below each cluster and within it, and says how many values are within one.
std::size_t TrackedRanks::collect(std::span<const double> values) {
  double* next = collected_.data();
  std::size_t i = 0;
#ifdef __AVX2__
  constexpr std::size_t most = 8;
  if (const std::size_t n = clusters_.size(); n <= most) {
    __m256d low[most], high[most];
    __m256i below[most], not_above[most];
    for (std::size_t c = 0; c < n; ++c) {
      low[c] = _mm256_set1_pd(low_[c]);
      high[c] = _mm256_set1_pd(high_[c]);
      below[c] = not_above[c] = _mm256_setzero_si256();
    }
    for (; i + 4 <= values.size(); i += 4) {
      const __m256d four = _mm256_loadu_pd(&values[i]);
      __m256d within = _mm256_setzero_pd();
      for (std::size_t c = 0; c < n; ++c) {
        const __m256d is_below = _mm256_cmp_pd(four, low[c], _CMP_LT_OQ);
        const __m256d is_not_above = _mm256_cmp_pd(four, high[c], _CMP_LE_OQ);
        below[c] = _mm256_sub_epi64(below[c], _mm256_castpd_si256(is_below));
        not_above[c] = _mm256_sub_epi64(not_above[c], _mm256_castpd_si256(is_not_above));
        within = _mm256_or_pd(within, _mm256_andnot_pd(is_below, is_not_above));
      }
      const auto set = static_cast<unsigned>(_mm256_movemask_pd(within));
      _mm256_storeu_pd(next, lanes_first(four, set));
      next += std::popcount(set);
    }
    for (std::size_t c = 0; c < n; ++c) {
      alignas(32) std::int64_t of_lanes[2][4];
      _mm256_store_si256(reinterpret_cast<__m256i*>(of_lanes[0]), below[c]);
      _mm256_store_si256(reinterpret_cast<__m256i*>(of_lanes[1]), not_above[c]);
      for (std::size_t lane = 0; lane < 4; ++lane) {
        clusters_[c].below += static_cast<std::size_t>(of_lanes[0][lane]);
        clusters_[c].between += static_cast<std::size_t>(of_lanes[1][lane] - of_lanes[0][lane]);
      }
    }
  }
#endif
  for (; i < values.size(); ++i) {
    bool within = false;
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      const bool is_below = values[i] < low_[c], is_within = !is_below && values[i] <= high_[c];
      clusters_[c].below += is_below ? 1 : 0;
      clusters_[c].between += is_within ? 1 : 0;
      within = within || is_within;
    }
    *next = values[i];
    next += within ? 1 : 0;
  }
  return static_cast<std::size_t>(next - collected_.data());
}

bool TrackedRanks::select_tracked(std::span<const double> values, double* at_ranks) {
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    Cluster& cluster = clusters_[c];
    const auto &low = cluster.low.members, &high = cluster.high.members;
    low_[c] =
        cluster.low.needed ? std::min({values[low[0]], values[low[1]], values[low[2]]}) : -infinity;
    high_[c] = cluster.high.needed ? std::max({values[high[0]], values[high[1]], values[high[2]]})
                                   : infinity;
    // Members that have passed each other, or one of the next cluster: start again.
    if (low_[c] > high_[c] || (c > 0 && low_[c] <= high_[c - 1])) return false;
    cluster.below = cluster.between = 0;
  }
  const std::size_t count = collect(values);
  for (const Cluster& cluster : clusters_)
    if (!cluster.has(ranks_[cluster.first]) || !cluster.has(ranks_[cluster.end - 1])) return false;
  select_collected(values, count, false, at_ranks);
  return true;
}

/// The first `count` of collected_ are the values between, cluster by cluster once they are sorted;
/// or, `all` of them, each cluster's.
void TrackedRanks::select_collected(std::span<const double> values, std::size_t count, bool all,
                                    double* at_ranks) {
  wanted_.clear();
  std::size_t begin = 0;
  const auto for_each_cluster = [&](const auto& visit) {
    begin = 0;
    for (Cluster& cluster : clusters_) {
      visit(cluster);
      if (!all) begin += cluster.between;
    }
  };
  for_each_cluster([&](const Cluster& cluster) {
    const auto want = [&](std::size_t rank) { wanted_.push_back(begin + rank - cluster.below); };
    const auto want_witnesses = [&](const Witnesses& witnesses) {
      if (!witnesses.needed) return;
      for (const std::size_t rank : witnesses.ranks)
        if (cluster.has(rank)) want(rank);
    };
    want_witnesses(cluster.low);
    for (std::size_t i = cluster.first; i < cluster.end; ++i) want(ranks_[i]);
    want_witnesses(cluster.high);
  });
  select_ranks({collected_.data(), count}, wanted_);
  for_each_cluster([&](Cluster& cluster) {
    const auto value = [&](std::size_t rank) { return collected_[begin + rank - cluster.below]; };
    for (std::size_t i = cluster.first; i < cluster.end; ++i) at_ranks[i] = value(ranks_[i]);
    for (Witnesses* witnesses : {&cluster.low, &cluster.high})
      for (std::size_t w = 0; w < 3 && witnesses->needed; ++w)
        // One that has come nearer than it should be stays: nobody is known beyond it.
        if (cluster.has(witnesses->ranks[w]))
          witnesses->members[w] = place_of(values, value(witnesses->ranks[w]));
  });
}

}  // namespace tumble
