// Means and variances of the independent copies that a Latin hypercube or Sobol' design is made of.
#pragma once
#include <cstdint>
#include <vector>

#include "tumble/study/byte_stream.hpp"
#include "tumble/study/layout.hpp"

namespace tumble {

/// The points of such a design depend on each other, so the scatter of values does not tell the
/// error of their mean. Its R copies are independent: the scatter of their means does. Realisation
/// i belongs to copy i mod R. Recursions as in moments.hpp, for each copy by itself.
class CopyMoments {
 public:
  /// More are refused: every copy takes the room of two numbers per number and time.
  static constexpr std::uint64_t max_copies = 4096;

  /// @throws std::invalid_argument unless copies is 2 to max_copies.
  CopyMoments(LayoutPointer layout, std::uint64_t copies);

  /// As Moments::add().
  void add(std::int64_t realization, const double* values, std::size_t stride,
           std::size_t valid_times);
  static CopyMoments merge(const CopyMoments& a, const CopyMoments& b);

  const StatisticsLayout& layout() const { return *layout_; }
  std::uint64_t copies() const { return copies_; }
  std::uint64_t count(std::size_t time, std::uint64_t copy) const {
    return counts_[copy * layout_->times() + time];
  }

  /// Of the mean m over all realisations. A copy that lost realisations to failures has the weight
  /// of those left: with n = sum n_r, m = sum n_r m_r / n,
  ///   se^2 = R / (R - 1) sum (n_r / n)^2 (m_r - m)^2,
  /// the variance of a ratio of sums over independent copies (W. G. Cochran, Sampling Techniques,
  /// 3rd ed., Wiley 1977, chapter 9A), which for equal n_r is the variance of the m_r over R. NaN
  /// if fewer than two copies have anything.
  double mean_error(std::size_t time, std::size_t number) const;
  /// Of the standard deviation s: by the same formula for the variances s_r^2 of the copies, and
  /// se(s) = se(s^2) / (2 s). 0 where nothing varies, NaN if fewer than two copies have two values.
  double deviation_error(std::size_t time, std::size_t number, double deviation) const;

  void write(ByteWriter& out) const;
  static CopyMoments read(ByteReader& in, LayoutPointer layout);
  std::size_t bytes() const { return 8 * (counts_.size() + means_.size() + squares_.size()); }

 private:
  std::size_t at(std::size_t time, std::size_t number, std::uint64_t copy) const {
    return (copy * layout_->numbers() + number) * layout_->times() + time;
  }

  LayoutPointer layout_;
  std::uint64_t copies_;
  std::vector<std::uint64_t> counts_;  ///< [copy][time]
  std::vector<double> means_;          ///< [copy][number][time]
  std::vector<double> squares_;        ///< [copy][number][time]: sums of (x - mean)^2
};

/// The formula of CopyMoments::mean_error() for any estimates of the copies and the numbers of
/// values that they rest on; copies without any are left out.
double error_from_copies(const std::vector<double>& estimates,
                         const std::vector<std::uint64_t>& counts);

}  // namespace tumble
