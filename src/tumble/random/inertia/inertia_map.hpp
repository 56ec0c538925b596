// A random inertia as a function of six independent standard normal numbers, its germs.
//
// Designs of experiments and polynomials need such a function; exact draws need none and stay the
// way of Monte Carlo. docs/theory/germs.md.
#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "tumble/random/inertia/inertia_law.hpp"

namespace tumble {

/// Immutable and cheap to copy; may be used by many threads.
class InertiaMap {
 public:
  static constexpr std::size_t germs = 6;

  /// Measures its own error. @throws std::invalid_argument for a law that has no map, and why.
  explicit InertiaMap(const InertiaLaw& law);

  /// G of six standard normal numbers: triangular, each number moves one coordinate of G given
  /// those before it, and smooth.
  Mat3<double> operator()(std::span<const double> scores) const;
  /// Bound of the error of every probability, by map_error().
  double error() const { return error_; }

  /// The coordinates of G behind operator().
  class Coordinates {
   public:
    virtual ~Coordinates() = default;
    virtual Mat3<double> normalized(std::span<const double> scores) const = 0;
  };

 private:
  std::shared_ptr<const Coordinates> coordinates_;
  double error_ = 0;
};

}  // namespace tumble
