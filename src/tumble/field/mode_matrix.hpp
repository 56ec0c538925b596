// What random variables contribute at points: a matrix with a row for each point.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace tumble {

struct ModeMatrix {
  ModeMatrix() = default;
  ModeMatrix(std::size_t point_count, std::size_t term_count)
      : points(point_count), terms(term_count), values(point_count * term_count) {}

  std::size_t points = 0, terms = 0;
  std::vector<double> values = {};  ///< [point][term], by rows

  double& operator()(std::size_t point, std::size_t term) { return values[point * terms + term]; }
  double operator()(std::size_t point, std::size_t term) const {
    return values[point * terms + term];
  }
  std::span<double> row(std::size_t point) { return {values.data() + point * terms, terms}; }
  std::span<const double> row(std::size_t point) const {
    return {values.data() + point * terms, terms};
  }
};

}  // namespace tumble
