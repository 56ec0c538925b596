// Order statistics of samples that follow each other and change little.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace tumble {

/// Values of an ensemble from one output time to the next: seen from their mean, in units of their
/// standard deviation, their distribution changes little and steadily. So where a rank was at the
/// last two times tells between which bounds it lies at the next; one pass counts what is below
/// them and collects what lies between, a small part of the sample. Bounds that missed are moved by
/// as many ranks as they missed by. Results are those of sorting.
class TrackedRanks {
 public:
  /// `ranks` ascending and below `members`, of which there is at least one each.
  TrackedRanks(std::span<const std::size_t> ranks, std::size_t members);

  /// Writes the value of each rank. `values` are not NaN; `centre` and `scale` say where they lie
  /// and how widely. Only the time that this takes depends on them.
  void select(std::span<const double> values, double centre, double scale, double* at_ranks);

  /// How often all values were looked at; once each time, if ranks are where they are expected.
  std::size_t passes() const { return passes_; }

 private:
  /// What lies between two bounds, both included.
  struct Range {
    double low, high;
    std::size_t below = 0, between = 0;
    std::size_t end() const { return below + between; }
  };
  /// Ranks that lie close together. Places are seen from the centre, in units of the scale.
  struct Cluster {
    std::size_t first, end;                  ///< places in ranks_
    std::size_t margin;                      ///< ranks from the outermost to the bounds
    double low = 0, high = 0;                ///< where the outermost are
    double low_change = 0, high_change = 0;  ///< since the time before
    double per_rank = 0;                     ///< how far values are apart
    std::size_t missed_by = 0;               ///< lately, in ranks
  };

  void select_from_all(std::span<const double> values, double centre, double scale,
                       double* at_ranks);
  void select_tracked(std::span<const double> values, double centre, double scale,
                      double* at_ranks);
  std::size_t collect(std::span<const double> values, double* to);
  Range expected(const Cluster& cluster, double centre, double scale) const;
  bool has(const Range& range, const Cluster& cluster) const;
  void move(Range& range, const Cluster& cluster, double times, double scale) const;
  void note_miss(const Range& range, Cluster& cluster) const;
  Range known(const Range& range, const Cluster& cluster) const;
  void want(const Range& range, const Cluster& cluster, std::vector<std::size_t>& wanted) const;
  void take(const Range& range, const double* values, Cluster& cluster, double centre, double scale,
            double* at_ranks) const;

  std::vector<std::size_t> ranks_;
  std::size_t members_;
  std::vector<Cluster> clusters_;
  std::vector<Range> ranges_;  ///< of the clusters
  int known_times_ = 0;        ///< up to 2, one after the other
  std::size_t passes_ = 0;
};

}  // namespace tumble
