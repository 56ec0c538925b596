#include "tumble/study/run_summary.hpp"

#include <limits>

namespace tumble {
namespace {
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
}

Peak find_peak(const StatisticsLayout& layout, const double* values, std::size_t stride,
               std::size_t valid_times, std::size_t number) {
  if (valid_times == 0) return {nan, nan};
  const std::size_t step = layout.numbers() * stride;
  const double* x = values + number * stride;
  Peak peak{x[0], x[0]};
  for (std::size_t t = 1; t < valid_times; ++t) {
    const double value = x[t * step];
    if (value < peak.minimum) {
      peak.minimum = value;
      peak.minimum_time = static_cast<std::uint32_t>(t);
    }
    if (value > peak.maximum) {
      peak.maximum = value;
      peak.maximum_time = static_cast<std::uint32_t>(t);
    }
  }
  return peak;
}

double square_integral(const StatisticsLayout& layout, const double* values, std::size_t stride,
                       std::size_t valid_times, std::size_t quantity) {
  if (valid_times < layout.times()) return nan;
  const std::size_t step = layout.numbers() * stride;
  const double* first = values + layout.number(quantity) * stride;
  const auto square = [&](std::size_t t) {
    double sum = 0;
    for (std::size_t a = 0; a < layout.size(quantity); ++a) {
      const double x = first[t * step + a * stride];
      sum += x * x;
    }
    return sum;
  };
  if (valid_times < 2) return 0.0;
  double sum = 0.5 * (square(0) + square(valid_times - 1));
  for (std::size_t t = 1; t + 1 < valid_times; ++t) sum += square(t);
  return sum;
}

void RunSummaries::add(const StatisticsLayout& layout, const double* values, std::size_t stride,
                       std::size_t valid_times) {
  for (std::size_t n = 0; n < layout.numbers(); ++n)
    peaks.push_back(find_peak(layout, values, stride, valid_times, n));
  for (std::size_t q = 0; q < layout.quantities(); ++q)
    square_integrals.push_back(square_integral(layout, values, stride, valid_times, q));
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
