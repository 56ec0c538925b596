// What is kept of every single realisation beside its inputs: the extremes of its run, and its
// mean-square size.
#pragma once
#include <cstdint>
#include <vector>

#include "tumble/study/journal/byte_stream.hpp"
#include "tumble/study/layout.hpp"

namespace tumble {

/// Smallest and largest value of one number over the output times at which a realisation counts,
/// and at which of these times, counted from 0, it has them first. NaN if it counts at none.
struct Peak {
  double minimum, maximum;
  std::uint32_t minimum_time = 0, maximum_time = 0;
  bool operator==(const Peak&) const = default;
};

/// The extremes of every number in a row [time][number]; for `stride` see usable_times().
std::vector<Peak> find_peaks(const StatisticsLayout& layout, const double* values,
                             std::size_t stride, std::size_t valid_times);

/// For every quantity q the integral over the run of |q|^2, the squares of its components added, by
/// the trapezoidal rule on equally spaced output times and with their distance for the unit of
/// time. NaN unless all times count: the integral of a run that failed is not known.
std::vector<double> square_integrals(const StatisticsLayout& layout, const double* values,
                                     std::size_t stride, std::size_t valid_times);

/// Of consecutive realisations.
struct RunSummaries {
  std::vector<Peak> peaks;               ///< [realisation][number]
  std::vector<double> square_integrals;  ///< [realisation][quantity], see square_integrals()

  /// Appends the next realisation.
  void add(const StatisticsLayout& layout, const double* values, std::size_t stride,
           std::size_t valid_times);
  /// Keeps the first `count` of `realizations`.
  void truncate(std::size_t realizations, std::size_t count);

  void write(ByteWriter& out) const;
  /// Of `realizations` in `layout`, or none at all. @throws std::runtime_error
  static RunSummaries read(ByteReader& in, const StatisticsLayout& layout,
                           std::size_t realizations);
  bool operator==(const RunSummaries&) const = default;
};

}  // namespace tumble
