#include "tumble/model/excitation/process.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>

#include "tumble/model/excitation/spectrum.hpp"

namespace tumble {
namespace {

constexpr int points_a_period = 6;  ///< of the highest frequency, at least

double longest_delay(const std::vector<Drive>& drives, const Drive& random) {
  double longest = 0;
  for (const Drive& drive : drives)
    if (const auto* delayed = std::get_if<DelayedDrive>(&drive.kind))
      if (delayed->of.name == random.name)
        longest = std::max(longest, delay_of(*delayed, random.kind));
  return longest;
}

}  // namespace

ProcessGrid process_grid(const std::vector<Drive>& drives, const Drive& random, double duration) {
  ProcessGrid grid;
  grid.period = 2 * (duration + longest_delay(drives, random));
  const double frequencies = std::ceil(band_of(random.kind).to * grid.period);
  grid.frequencies = static_cast<int>(frequencies < most_frequencies ? std::max(frequencies, 1.0)
                                                                     : most_frequencies);
  grid.points = 8;
  while (grid.points < points_a_period * grid.frequencies) grid.points *= 2;
  grid.nodes = static_cast<int>(std::ceil(duration / grid.step())) + 2;
  return grid;
}

// Re sum_k c_k exp(2 pi i k j / n), c_k = s_k (z_(2k-1) - i z_2k) exp(-i w_k delay). A derivative
// multiplies c_k by i w_k. Two real functions a and b are summed at once as a + i b, whose terms
// are (a_k + i b_k) / 2 and, at n - k, (conj a_k + i conj b_k) / 2.
void write_process(const DriveKind& random, const ProcessGrid& grid, const FourierSums& sums,
                   double delay, double* out) {
  const std::vector<double>& z = *germs_of(random);
  const auto nodes = static_cast<std::size_t>(grid.nodes);
  std::fill_n(out, 3 * nodes, 0.0);
  if (z.empty()) return;
  if (z.size() != grid.germs()) throw std::logic_error("a process has other germs than its grid");
  using Complex = std::complex<double>;
  const Complex i(0, 1);
  const auto n = static_cast<std::size_t>(grid.points);
  const double spacing = 1 / grid.period;
  const double offset = std::sqrt(variance_between(random, 0, 0.5 * spacing)) * z[0];
  std::vector<Complex> value_and_rate(n), bend(n);
  value_and_rate[0] = offset;
  for (int k = 1; k <= grid.frequencies; ++k) {
    const double s = std::sqrt(variance_between(random, (k - 0.5) * spacing, (k + 0.5) * spacing));
    if (s == 0) continue;
    const double w = 2 * std::numbers::pi * k * spacing, turn = w * delay, part = w * grid.step();
    const auto at = static_cast<std::size_t>(k);
    const Complex u =
        s * Complex(z[2 * at - 1], -z[2 * at]) * Complex(std::cos(turn), -std::sin(turn));
    const Complex rate = part * i * u, second = -part * part * u;
    value_and_rate[at] = 0.5 * (u + i * rate);
    value_and_rate[n - at] = 0.5 * (std::conj(u) + i * std::conj(rate));
    bend[at] = second;
  }
  sums.sum(value_and_rate);
  sums.sum(bend);
  for (std::size_t j = 0; j < nodes; ++j) {
    const std::size_t at = j % n;
    out[3 * j] = value_and_rate[at].real();
    out[3 * j + 1] = value_and_rate[at].imag();
    out[3 * j + 2] = bend[at].real();
  }
}

}  // namespace tumble
