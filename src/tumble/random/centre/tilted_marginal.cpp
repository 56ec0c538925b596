#include "tumble/random/centre/tilted_marginal.hpp"

#include <cmath>
#include <numbers>

#include "tumble/random/centre/exponential_difference.hpp"

namespace tumble {

// z = b_0 - b_1 on the simplex of two, nodes k and -k. Lengths are counted from the end where most
// of the mass is: w = (1 - z) / 2 = b_1, for k >= 0.
TiltedMarginal tilted_interval(double k) {
  k = std::abs(k);
  const auto m = simplex_moments<2>({0.0, -2.0 * k});
  const double w = m.first[1] / m.value, ww = m.second[1][1] / m.value;
  return {k + std::log(m.value), 2.0 * m.second[0][1] / m.value, 4.0 * (ww - w * w)};
}

// On the simplex of four, b_0 + b_1 has the density 6 v (1 - v), that of the ball in z = 2 v - 1.
// So z = b_0 + b_1 - b_2 - b_3, w = (1 - z) / 2 = b_2 + b_3, 1 - z^2 = 4 (b_0 + b_1) (b_2 + b_3).
TiltedMarginal tilted_ball(double k) {
  k = std::abs(k);
  const auto m = simplex_moments<4>({0.0, 0.0, -2.0 * k, -2.0 * k});
  const double w = 2.0 * m.first[2] / m.value;
  const double ww = 2.0 * (m.second[2][2] + m.second[2][3]) / m.value;
  return {k + std::log(6.0 * m.value), 4.0 * m.second[0][2] / m.value, 4.0 * (ww - w * w)};
}

// z = cos(theta): integrals of sin(theta)^2 exp(k cos(theta)) over a period, which are Bessel
// functions (2 I_1(k) / k for the value), by the trapezoidal rule. Its relative error for a period
// of 2 n points is that of I_{2n}(k) / I_0(k), about exp(-2 n^2 / k): below 1e-17 here. All terms
// are positive, and the mass near theta = 0 is measured by w = 1 - z = 2 sin(theta/2)^2.
TiltedMarginal tilted_disk(double k) {
  k = std::abs(k);
  const double n = std::ceil(40.0 + 5.0 * std::sqrt(k));
  double value = 0, w_sum = 0, ww_sum = 0, sine_sum = 0;
  for (int i = 1; i < n; ++i) {
    const double theta = std::numbers::pi * i / n;
    const double half_sine = std::sin(0.5 * theta), sine = std::sin(theta);
    const double w = 2.0 * half_sine * half_sine;
    if (!(k * w < 750.0)) break;  // exp() is 0 from here on
    const double weight = sine * sine * std::exp(-k * w);
    value += weight;
    w_sum += weight * w;
    ww_sum += weight * w * w;
    sine_sum += weight * sine * sine;
  }
  const double w = w_sum / value;
  return {k + std::log(2.0 * value / n), sine_sum / value / 3.0, ww_sum / value - w * w};
}

// p = (1 - exp(-s u)) / (1 - exp(-s)), from whichever end the density falls.
double truncated_exponential_quantile(double s, double p) {
  if (s < 0) return 1.0 - truncated_exponential_quantile(-s, 1.0 - p);
  return s > 0 ? -std::log1p(p * std::expm1(-s)) / s : p;
}

// From the heavy end, with w = 1 - z: the mass up to w is
//   g(w) = integral_0^w v (2 - v) exp(-k v) dv = w^2 (2 e_1 - w e_2),
//   e_n = integral_0^1 u^n exp(-k w u) du = n! exp[-k w, ..., -k w, 0] with n + 1 equal nodes.
// Newton's steps, kept between bounds that close in.
double tilted_ball_quantile(double k, double p) {
  if (k < 0) return -tilted_ball_quantile(-k, 1.0 - p);
  const auto mass = [k](double w) {
    const double x = -k * w;
    const std::array<double, 4> nodes{0.0, x, x, x};
    const std::span<const double> all(nodes);
    return w * w *
           (2.0 * exponential_difference(all.first(3)) - 2.0 * w * exponential_difference(all));
  };
  const double wanted = (1.0 - p) * mass(2.0);
  double lower = 0.0, upper = 2.0, w = k > 1.0 ? 2.0 / (1.0 + k) : 1.0;
  for (int step = 0; step < 200; ++step) {
    const double excess = mass(w) - wanted;
    (excess > 0 ? upper : lower) = w;
    double next = w - excess / (w * (2.0 - w) * std::exp(-k * w));
    if (!(next > lower && next < upper)) next = 0.5 * (lower + upper);
    const double change = std::abs(next - w);
    w = next;
    if (change <= 1e-12 * w) break;  // the next one would be of order 1e-24
  }
  return 1.0 - w;
}

}  // namespace tumble
