// Where in a box a function has its smallest and its largest value: a global search in batches.
//
// Differential evolution (R. Storn, K. Price, J. Global Optim. 11, 1997) asks for a whole
// generation at a time, which lanes, threads and ranks share; searches that ask for one point after
// the other, as DIRECT does, would leave all but one of them idle. It converges slowly at the end:
// so one point of each generation is the extreme of a quadratic polynomial through the best points
// that are near.
//
// What is asked follows from the seed and from the values alone.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tumble/chaos/dense_matrix.hpp"

namespace tumble {

/// A value that is no number counts as worse than every number.
class BoxSearch {
 public:
  /// Points of a generation: half of them for the smallest value, half for the largest.
  static constexpr std::size_t generation = 64;

  /// From known values at points of [-1, 1]^m, by rows, at least 64. `use` tells the random numbers
  /// of one search from those of another.
  BoxSearch(const DenseMatrix& points, std::span<const double> values, std::uint64_t seed,
            std::uint64_t use);

  /// The points of the next generation, by rows.
  DenseMatrix next();
  /// Their values.
  void tell(std::span<const double> values);

  /// Whether the points of both extremes have come together.
  bool converged() const;
  std::uint64_t generations() const { return generations_; }
  double smallest() const { return -sides_[0].best(); }
  double largest() const { return sides_[1].best(); }

 private:
  static constexpr std::size_t population = generation / 2;

  struct Member {
    std::vector<double> point;
    double value;  ///< times the sign of the side: the largest is the best
  };
  struct Side {
    double sign;
    std::vector<Member> members;
    std::size_t best_place() const;
    double best() const { return members[best_place()].value; }
  };

  std::vector<double> trial(const Side& side, std::size_t member, std::size_t number) const;
  /// Of a quadratic polynomial around the best point; empty if the points do not determine one.
  std::vector<double> local_extreme(const Side& side) const;

  std::size_t germs_;
  std::uint64_t seed_, use_;
  std::array<Side, 2> sides_;
  DenseMatrix asked_;
  std::vector<Member> known_;  ///< all that was told; values without sign
  std::uint64_t generations_ = 0;
};

}  // namespace tumble
