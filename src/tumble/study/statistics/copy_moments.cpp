#include "tumble/study/statistics/copy_moments.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace tumble {

CopyEstimate estimate_from_copies(const std::vector<double>& estimates,
                                  const std::vector<std::uint64_t>& counts) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  double n = 0, sum = 0;
  std::size_t copies = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (counts[r] == 0) continue;
    ++copies;
    n += static_cast<double>(counts[r]);
    sum += static_cast<double>(counts[r]) * estimates[r];
  }
  if (copies == 0) return {nan, nan, 0, 0};
  const double mean = sum / n;
  double squares = 0, cubes = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (counts[r] == 0) continue;
    const double part = static_cast<double>(counts[r]) / n * (estimates[r] - mean);
    squares += part * part;
    cubes += part * part * part;
  }
  const auto number = static_cast<double>(copies);
  const double error = copies < 2 ? nan : std::sqrt(squares * number / (number - 1));
  double skewness = 0;
  if (copies > 2 && squares > 0)
    skewness =
        number * std::sqrt(number - 1) / (number - 2) * cubes / (squares * std::sqrt(squares));
  return {mean, error, std::isfinite(skewness) ? skewness : 0.0, copies};
}

double error_from_copies(const std::vector<double>& estimates,
                         const std::vector<std::uint64_t>& counts) {
  return estimate_from_copies(estimates, counts).error;
}

CopyMoments::CopyMoments(LayoutPointer layout, std::uint64_t copies)
    : layout_(std::move(layout)), copies_(copies) {
  if (copies < 2 || copies > max_copies)
    throw std::invalid_argument(
        fmt::format("the number of independent copies is {}, must be 2 to {}: one copy says "
                    "nothing about errors",
                    copies, max_copies));
  counts_.resize(copies * layout_->times());
  means_.resize(copies * layout_->row());
  squares_.resize(copies * layout_->row());
}

void CopyMoments::add(std::int64_t realization, const double* values, std::size_t stride,
                      std::size_t valid_times) {
  const std::uint64_t copy = static_cast<std::uint64_t>(realization) % copies_;
  const std::size_t numbers = layout_->numbers();
  std::uint64_t* counts = &counts_[copy * layout_->times()];
  for (std::size_t t = 0; t < valid_times; ++t) ++counts[t];
  for (std::size_t n = 0; n < numbers; ++n) {
    double *mean = &means_[at(0, n, copy)], *square = &squares_[at(0, n, copy)];
    for (std::size_t t = 0; t < valid_times; ++t) {
      const auto count = static_cast<double>(counts[t]);
      const double d = values[(t * numbers + n) * stride] - mean[t];
      mean[t] += d / count;
      square[t] += d * d * ((count - 1.0) / count);
    }
  }
}

CopyMoments CopyMoments::merge(const CopyMoments& a, const CopyMoments& b) {
  if (a.copies_ != b.copies_ || !(*a.layout_ == *b.layout_))
    throw std::logic_error("moments of copies of different designs cannot be merged");
  CopyMoments out(a.layout_, a.copies_);
  const std::size_t times = out.layout_->times();
  for (std::uint64_t copy = 0; copy < out.copies_; ++copy) {
    for (std::size_t t = 0; t < times; ++t) {
      const std::uint64_t n_a = a.count(t, copy), n_b = b.count(t, copy);
      out.counts_[copy * times + t] = n_a + n_b;
      if (n_a + n_b == 0) continue;
      const double share_b = static_cast<double>(n_b) / static_cast<double>(n_a + n_b);
      const double weight = static_cast<double>(n_a) * share_b;
      for (std::size_t n = 0; n < out.layout_->numbers(); ++n) {
        const std::size_t k = out.at(t, n, copy);
        const double d = b.means_[k] - a.means_[k];
        out.means_[k] = a.means_[k] + d * share_b;
        out.squares_[k] = (a.squares_[k] + b.squares_[k]) + d * d * weight;
      }
    }
  }
  return out;
}

CopyEstimate CopyMoments::mean(std::size_t time, std::size_t number) const {
  std::vector<double> means;
  std::vector<std::uint64_t> counts;
  for (std::uint64_t copy = 0; copy < copies_; ++copy) {
    means.push_back(means_[at(time, number, copy)]);
    counts.push_back(count(time, copy));
  }
  return estimate_from_copies(means, counts);
}

CopyEstimate CopyMoments::variance(std::size_t time, std::size_t number) const {
  const double of_all = mean(time, number).value;
  std::vector<double> squares;
  std::vector<std::uint64_t> counts;
  for (std::uint64_t copy = 0; copy < copies_; ++copy) {
    const std::uint64_t n = count(time, copy);
    const std::size_t k = at(time, number, copy);
    const double d = means_[k] - of_all;
    counts.push_back(n);
    squares.push_back(n == 0 ? 0 : squares_[k] / static_cast<double>(n) + d * d);
  }
  return estimate_from_copies(squares, counts);
}

void CopyMoments::write(ByteWriter& out) const {
  out.number(copies_);
  out.array(counts_);
  out.array(means_);
  out.array(squares_);
}

CopyMoments CopyMoments::read(ByteReader& in, LayoutPointer layout) {
  const auto copies = in.number<std::uint64_t>();
  in.require(copies >= 2 && copies <= max_copies, "has an impossible number of copies");
  in.require(in.rest().size() / 8 >= copies * (layout->times() + 2 * layout->row()),
             "ends too early");
  CopyMoments m(layout, copies);
  m.counts_ = in.array<std::uint64_t>(m.counts_.size());
  m.means_ = in.array<double>(m.means_.size());
  m.squares_ = in.array<double>(m.squares_.size());
  return m;
}

}  // namespace tumble
