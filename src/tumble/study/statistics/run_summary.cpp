#include "tumble/study/statistics/run_summary.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "tumble/study/quantiles/double_four.hpp"

namespace tumble {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Eight numbers of a run or one, over its times: what is found stays in registers meanwhile.
template <class V, class Index, std::size_t N>
struct Columns {
  static constexpr std::size_t width = sizeof(V) / sizeof(double);
  const double* values;
  std::size_t numbers, times;

  V at(std::size_t time, std::size_t k) const {
    V x;
    std::memcpy(&x, values + time * numbers + k * width, sizeof(x));
    return x;
  }
  /// Extremes, and the integrals of squares by the trapezoidal rule.
  void summarize(Peak* peaks, double* integrals) const {
    std::array<V, N> low, high, sums{};
    std::array<Index, N> low_at{}, high_at{};
    for (std::size_t k = 0; k < N; ++k) low[k] = high[k] = at(0, k);
    const auto look = [&](std::size_t t, double weight) {
      const Index here = Index{} + static_cast<std::int64_t>(t);
      for (std::size_t k = 0; k < N; ++k) {
        const V x = at(t, k);
        const auto lower = x<low[k], higher = x> high[k];
        low[k] = lower ? x : low[k];
        low_at[k] = lower ? here : low_at[k];
        high[k] = higher ? x : high[k];
        high_at[k] = higher ? here : high_at[k];
        sums[k] += weight * (x * x);
      }
    };
    look(0, 0.5);
    for (std::size_t t = 1; t + 1 < times; ++t) look(t, 1.0);
    if (times > 1) look(times - 1, 0.5);
    const auto lows = unpacked<double>(low), highs = unpacked<double>(high),
               squares = unpacked<double>(sums);
    const auto low_times = unpacked<std::int64_t>(low_at),
               high_times = unpacked<std::int64_t>(high_at);
    for (std::size_t i = 0; i < N * width; ++i) {
      peaks[i] = {lows[i], highs[i], static_cast<std::uint32_t>(low_times[i]),
                  static_cast<std::uint32_t>(high_times[i])};
      integrals[i] = times > 1 ? squares[i] : 0.0;
    }
  }

 private:
  template <class Number, class Four>
  static std::array<Number, N * width> unpacked(const std::array<Four, N>& fours) {
    return std::bit_cast<std::array<Number, N * width>>(fours);
  }
};

/// Calls `work` with the columns of all numbers, and which is their first: eight at a time, the
/// last ones perhaps for a second time.
template <class Work>
void for_each_column(const StatisticsLayout& layout, const double* values, std::size_t stride,
                     std::size_t times, const Work& work) {
  const std::size_t numbers = layout.numbers();
  std::vector<double> packed;
  if (stride != 1) {
    packed.resize(times * numbers);
    for (std::size_t i = 0; i < packed.size(); ++i) packed[i] = values[i * stride];
    values = packed.data();
  }
  for (std::size_t n = 0; n < numbers;) {
    if (numbers >= 8) {
      n = std::min(n, numbers - 8);
      work(Columns<DoubleFour, IndexFour, 2>{values + n, numbers, times}, n);
      n += 8;
    } else {
      work(Columns<double, std::int64_t, 1>{values + n, numbers, times}, n);
      ++n;
    }
  }
}

}  // namespace

std::vector<Peak> find_peaks(const StatisticsLayout& layout, const double* values,
                             std::size_t stride, std::size_t valid_times) {
  RunSummaries of_run;
  of_run.add(layout, values, stride, valid_times);
  return of_run.peaks;
}

std::vector<double> square_integrals(const StatisticsLayout& layout, const double* values,
                                     std::size_t stride, std::size_t valid_times) {
  RunSummaries of_run;
  of_run.add(layout, values, stride, valid_times);
  return of_run.square_integrals;
}

void RunSummaries::add(const StatisticsLayout& layout, const double* values, std::size_t stride,
                       std::size_t valid_times) {
  const std::size_t first_peak = peaks.size(), first_integral = square_integrals.size();
  peaks.resize(first_peak + layout.numbers(), Peak{nan, nan});
  square_integrals.resize(first_integral + layout.quantities(), nan);
  if (valid_times == 0) return;
  std::vector<double> of_numbers(layout.numbers());
  for_each_column(layout, values, stride, valid_times, [&](const auto& columns, std::size_t n) {
    columns.summarize(&peaks[first_peak + n], &of_numbers[n]);
  });
  if (valid_times < layout.times()) return;
  for (std::size_t q = 0; q < layout.quantities(); ++q) {
    double& integral = square_integrals[first_integral + q] = 0;
    for (std::size_t a = 0; a < layout.size(q); ++a) integral += of_numbers[layout.number(q) + a];
  }
}

void RunSummaries::truncate(std::size_t realizations, std::size_t count) {
  peaks.resize(peaks.size() / realizations * count);
  square_integrals.resize(square_integrals.size() / realizations * count);
}

void RunSummaries::write(ByteWriter& out) const {
  out.number(static_cast<std::uint8_t>(square_integrals.empty() ? 0 : 1));
  for (const Peak& peak : peaks) {
    out.number(peak.minimum);
    out.number(peak.maximum);
    out.number(peak.minimum_time);
    out.number(peak.maximum_time);
  }
  out.array(square_integrals);
}

RunSummaries RunSummaries::read(ByteReader& in, const StatisticsLayout& layout,
                                std::size_t realizations) {
  RunSummaries summaries;
  if (in.number<std::uint8_t>() == 0) return summaries;
  for (std::size_t i = 0; i < realizations * layout.numbers(); ++i) {
    Peak peak{in.number<double>(), in.number<double>()};
    peak.minimum_time = in.number<std::uint32_t>();
    peak.maximum_time = in.number<std::uint32_t>();
    in.require(peak.minimum_time < layout.times() && peak.maximum_time < layout.times(),
               "has an extreme after the end of the run");
    summaries.peaks.push_back(peak);
  }
  summaries.square_integrals = in.array<double>(realizations * layout.quantities());
  return summaries;
}

}  // namespace tumble
