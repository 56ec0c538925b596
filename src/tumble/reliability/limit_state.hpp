// What the methods of this module look at: a limit state g(u) of independent standard normal
// numbers u, the germs. g <= 0 is what the probability is asked of, whatever runs lie behind it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace tumble {

/// Points of the space of germs, one row each.
class GermPoints {
 public:
  explicit GermPoints(std::size_t dimension) : dimension_(dimension) {}
  std::size_t dimension() const { return dimension_; }
  std::size_t size() const { return size_; }
  std::span<const double> row(std::size_t i) const {
    return {values_.data() + i * dimension_, dimension_};
  }
  std::span<double> row(std::size_t i) { return {values_.data() + i * dimension_, dimension_}; }
  void add(std::span<const double> point) {
    values_.insert(values_.end(), point.begin(), point.end());
    ++size_;
  }
  /// A row of zeros.
  std::span<double> add() {
    values_.resize(values_.size() + dimension_, 0.0);
    return row(size_++);
  }
  void reserve(std::size_t points) { values_.reserve(points * dimension_); }

 private:
  std::size_t dimension_, size_ = 0;
  std::vector<double> values_;
};

/// Of one run.
struct LimitValue {
  double g;  ///< NaN if the run failed; infinite for what did not happen
  double error =
      0;  ///< what g may be wrong by, as outputs between which nobody looks; NaN: unknown
};

/// Runs a batch. What is asked next may depend on what this returns, and on nothing else: methods
/// are functions of the values, so that the same values give the same bits.
using LimitState = std::function<std::vector<LimitValue>(const GermPoints& points)>;

/// Draws of independent standard normal numbers: point `index` of the set that `use` names.
void draw_germs(std::uint64_t seed, std::uint64_t index, std::uint64_t use,
                std::span<double> germs);

}  // namespace tumble
