// Means and variances of the independent copies that a Latin hypercube or Sobol' design is made of.
#pragma once
#include <cstdint>
#include <vector>

#include "tumble/study/journal/byte_stream.hpp"
#include "tumble/study/layout.hpp"

namespace tumble {

/// A mean over all realisations of a design, as its copies see it.
struct CopyEstimate {
  double value;     ///< m = sum n_r m_r / n; NaN without any
  double error;     ///< its standard error; NaN if fewer than two copies have anything
  double skewness;  ///< of what the copies add to the sum, unbiased for normal ones; 0 if unknown
  std::size_t copies;  ///< that have values
};

/// From estimates m_r of the copies that are means over n_r values; copies without any are left
/// out. A copy that lost realisations to failures has the weight of those left:
///   se^2 = R / (R - 1) sum d_r^2,   d_r = n_r (m_r - m) / n,
/// the variance of a ratio of sums over independent copies (W. G. Cochran, Sampling Techniques,
/// 3rd ed., Wiley 1977, chapter 9A), which for equal n_r is the variance of the m_r over R. The
/// skewness is that of the d_r.
CopyEstimate estimate_from_copies(const std::vector<double>& estimates,
                                  const std::vector<std::uint64_t>& counts);

/// The standard error of estimate_from_copies() alone.
double error_from_copies(const std::vector<double>& estimates,
                         const std::vector<std::uint64_t>& counts);

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

  /// The mean over all realisations from those of the copies.
  CopyEstimate mean(std::size_t time, std::size_t number) const;
  /// The variance over all realisations with divisor n, from the mean squares of the copies about
  /// the mean m of all:
  ///   v_r = C_r / n_r + (m_r - m)^2,   V = sum n_r v_r / n,
  /// which is V up to what is quadratic in m - E{m}. Divisor n: the mean of evenly placed points is
  /// far closer to the true one than that of n independent values, whose n - 1 would make V too
  /// large by 1 / n, many times its error.
  CopyEstimate variance(std::size_t time, std::size_t number) const;

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

}  // namespace tumble
