// Order statistics of samples that follow each other and change little.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace tumble {

/// Values of the same members from time to time, as those of an ensemble at its output times: who
/// was near a rank is near it the next time. So members on both sides, the outermost of three
/// because one alone may be in a hurry, tell between which values a rank lies; one pass counts what
/// lies below and collects what lies between, a small part of the sample, and if the rank is not
/// there after all everything is looked at. Results are those of sorting.
class TrackedRanks {
 public:
  /// `ranks` ascending and below `members`, of which there is at least one each.
  TrackedRanks(std::span<const std::size_t> ranks, std::size_t members);

  /// Writes the value of each rank. `values` are not NaN, and each has the same member every time.
  void select(std::span<const double> values, double* at_ranks);

  /// How often everything had to be looked at, the first time included.
  std::size_t complete_passes() const { return complete_passes_; }

 private:
  /// Three members on one side of the ranks.
  struct Witnesses {
    std::array<std::size_t, 3> ranks{}, members{};
    bool needed = false;  ///< not where the sample ends
  };
  /// Ranks that lie close together, and who tells where they are.
  struct Cluster {
    std::size_t first, end;  ///< places in ranks_
    Witnesses low, high;
    std::size_t below = 0, between = 0;

    /// Whether the value at this rank is among those that lie between.
    bool has(std::size_t rank) const { return rank >= below && rank - below < between; }
  };

  bool select_tracked(std::span<const double> values, double* at_ranks);
  void select_collected(std::span<const double> values, std::size_t count, bool all,
                        double* at_ranks);
  std::size_t collect(std::span<const double> values);

  std::vector<std::size_t> ranks_;
  std::size_t members_;
  std::vector<Cluster> clusters_;
  std::vector<double> low_, high_;   ///< by cluster
  std::vector<double> collected_;    ///< with room for four more
  std::vector<std::size_t> wanted_;  ///< ranks among what was collected
  bool known_ = false;
  std::size_t complete_passes_ = 0;
};

}  // namespace tumble
