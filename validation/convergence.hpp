// Shared by the convergence tests: what a run ended with, observed orders, extrapolation in h.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "tumble/integrate/run.hpp"

namespace tumble::validation {

using Values = std::vector<double>;

inline const ProbeSeries& find(const Trajectory& trajectory, const std::string& probe,
                               Quantity quantity) {
  for (const auto& series : trajectory.series)
    if (series.probe == probe && series.quantity == quantity) return series;
  throw std::logic_error("no probe " + probe);
}

/// The components of a probed quantity at output number k.
inline Values at_output(const Trajectory& trajectory, const std::string& probe, Quantity quantity,
                        std::size_t k) {
  const auto& series = find(trajectory, probe, quantity);
  const auto size = static_cast<std::ptrdiff_t>(series.size);
  const auto begin = series.values.begin() + static_cast<std::ptrdiff_t>(k) * size;
  return {begin, begin + size};
}
inline Values at_end(const Trajectory& trajectory, const std::string& probe, Quantity quantity) {
  return at_output(trajectory, probe, quantity, trajectory.times.size() - 1);
}

inline double largest_difference(const Values& a, const Values& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (const double d = std::fabs(a[i] - b[i]); !(d <= largest)) largest = d;  // keeps NaN
  return largest;
}

/// From errors with steps h and h/2.
inline double observed_order(double coarse, double fine) { return std::log2(coarse / fine); }

/// Richardson's extrapolation of results with steps h, h/2, h/4, ...: with generalized-alpha the
/// error is a series in h^2, h^3, h^4, ... (odd powers too, because a_n is a shifted acceleration);
/// one power is eliminated per halving.
inline Values extrapolate(std::vector<Values> levels) {
  for (double power = 2; levels.size() > 1; ++power) {
    for (std::size_t k = 0; k + 1 < levels.size(); ++k)
      for (std::size_t i = 0; i < levels[k].size(); ++i)
        levels[k][i] =
            levels[k + 1][i] + (levels[k + 1][i] - levels[k][i]) / (std::exp2(power) - 1);
    levels.pop_back();
  }
  return levels.front();
}

/// The same from the `count` results that start at `first`.
inline Values extrapolate(const std::vector<Values>& levels, std::size_t first, std::size_t count) {
  const auto begin = levels.begin() + static_cast<std::ptrdiff_t>(first);
  return extrapolate({begin, begin + static_cast<std::ptrdiff_t>(count)});
}

/// Errors by step size. Printed as they come, so that a test's output is a table to quote.
class Table {
 public:
  Table(std::string title, std::vector<std::string> columns)
      : title_(std::move(title)), columns_(std::move(columns)) {}
  ~Table() {
    std::printf("%s\n  %-9s", title_.c_str(), "h [s]");
    for (const auto& column : columns_) std::printf(" | %-17s", column.c_str());
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      std::printf("\n  %-9.3g", steps_[k]);
      for (std::size_t i = 0; i < columns_.size(); ++i)
        if (k > 0)
          std::printf(" | %.2e (%6.2f)", rows_[k][i], observed_order(rows_[k - 1][i], rows_[k][i]));
        else
          std::printf(" | %.2e         ", rows_[k][i]);
    }
    std::printf("\n");
  }
  void row(double h, std::vector<double> errors) {
    steps_.push_back(h);
    rows_.push_back(std::move(errors));
  }
  double error(std::size_t row, std::size_t column) const { return rows_[row][column]; }

  /// Every halving among the first `rows` rows divides the column's error by about four.
  void expect_second_order(std::size_t column, std::size_t rows, double slack = 0.1) const {
    for (std::size_t k = 1; k < rows; ++k)
      EXPECT_NEAR(observed_order(rows_[k - 1][column], rows_[k][column]), 2, slack)
          << title_ << ": " << columns_[column] << " at h = " << steps_[k];
  }
  /// From row to row the column's error falls by that order or more, which must not be luck: the
  /// error of the last row is below `bound`.
  void expect_order(std::size_t column, double least, double bound) const {
    const std::size_t last = rows_.size() - 1;
    EXPECT_GT(observed_order(rows_.front()[column], rows_[last][column]),
              least * static_cast<double>(last))
        << title_ << ": " << columns_[column];
    EXPECT_LT(rows_[last][column], bound) << title_ << ": " << columns_[column];
  }
  void expect_second_order() const {
    for (std::size_t i = 0; i < columns_.size(); ++i) expect_second_order(i, rows_.size());
  }

 private:
  std::string title_;
  std::vector<std::string> columns_;
  std::vector<double> steps_;
  std::vector<std::vector<double>> rows_;
};

}  // namespace tumble::validation
