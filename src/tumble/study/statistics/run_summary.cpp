#include "tumble/study/statistics/run_summary.hpp"

#include <limits>

#include "tumble/study/quantiles/double_four.hpp"

namespace tumble {
namespace {
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
}

std::vector<Peak> find_peaks(const StatisticsLayout& layout, const double* values,
                             std::size_t stride, std::size_t valid_times) {
  const std::size_t numbers = layout.numbers();
  if (valid_times == 0) return std::vector<Peak>(numbers, Peak{nan, nan});
  // Times one after the other, the numbers of a time by fours; the last may have some too many.
  const std::size_t padded = (numbers + 3) / 4 * 4;
  std::vector<double> x(padded), minimum(padded), maximum(padded);
  std::vector<std::int64_t> minimum_at(padded), maximum_at(padded);
  for (std::size_t n = 0; n < numbers; ++n) minimum[n] = maximum[n] = values[n * stride];
  for (std::size_t t = 1; t < valid_times; ++t) {
    for (std::size_t n = 0; n < numbers; ++n) x[n] = values[(t * numbers + n) * stride];
    const auto at = static_cast<std::int64_t>(t);
    const IndexFour time = {at, at, at, at};
    for (std::size_t n = 0; n < padded; n += 4) {
      const auto value = load_four<DoubleFour>(&x[n]);
      const auto low = load_four<DoubleFour>(&minimum[n]);
      const auto high = load_four<DoubleFour>(&maximum[n]);
      const auto lower = value<low, higher = value> high;
      store_four<DoubleFour>(&minimum[n], lower ? value : low);
      store_four<DoubleFour>(&maximum[n], higher ? value : high);
      const auto low_at = load_four<IndexFour>(&minimum_at[n]);
      const auto high_at = load_four<IndexFour>(&maximum_at[n]);
      store_four<IndexFour>(&minimum_at[n], lower ? time : low_at);
      store_four<IndexFour>(&maximum_at[n], higher ? time : high_at);
    }
  }
  std::vector<Peak> peaks;
  for (std::size_t n = 0; n < numbers; ++n)
    peaks.push_back({minimum[n], maximum[n], static_cast<std::uint32_t>(minimum_at[n]),
                     static_cast<std::uint32_t>(maximum_at[n])});
  return peaks;
}

std::vector<double> square_integrals(const StatisticsLayout& layout, const double* values,
                                     std::size_t stride, std::size_t valid_times) {
  std::vector<double> integrals(layout.quantities(), nan);
  if (valid_times < layout.times()) return integrals;
  const std::size_t numbers = layout.numbers();
  std::vector<double> sums(numbers);
  for (std::size_t t = 0; t < valid_times && valid_times > 1; ++t) {
    const double* x = values + t * numbers * stride;
    const double weight = t == 0 || t + 1 == valid_times ? 0.5 : 1.0;
    for (std::size_t n = 0; n < numbers; ++n) sums[n] += weight * (x[n * stride] * x[n * stride]);
  }
  for (std::size_t q = 0; q < layout.quantities(); ++q) {
    integrals[q] = 0;
    for (std::size_t a = 0; a < layout.size(q); ++a) integrals[q] += sums[layout.number(q) + a];
  }
  return integrals;
}

void RunSummaries::add(const StatisticsLayout& layout, const double* values, std::size_t stride,
                       std::size_t valid_times) {
  const auto new_peaks = find_peaks(layout, values, stride, valid_times);
  peaks.insert(peaks.end(), new_peaks.begin(), new_peaks.end());
  const auto integrals = tumble::square_integrals(layout, values, stride, valid_times);
  square_integrals.insert(square_integrals.end(), integrals.begin(), integrals.end());
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
