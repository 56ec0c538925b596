#include "tumble/model/beam.hpp"

namespace tumble {

// a/(2 ω) + t ω/2 = ζ at two frequencies, solved for a and t (T. K. Caughey, M. E. J. O'Kelly, J.
// Appl. Mech. 32 (1965) 583-588; any textbook of structural dynamics).
RayleighDamping rayleigh_damping(const Beam& beam) {
  if (!beam.damping_ratios) return {beam.mass_damping.value_or(0), beam.damping_time.value_or(0)};
  constexpr double two_pi = 6.283185307179586;
  const auto& [f, z] = *beam.damping_ratios;
  const double w0 = two_pi * f[0], w1 = two_pi * f[1], d = w1 * w1 - w0 * w0;
  // Rounding of ratios that are those of one kind of damping alone makes none of the other.
  const auto tidy = [](double x, double size) { return x < 0 && x > -1e-12 * size ? 0.0 : x; };
  const double up = z[0] * w1, down = z[1] * w0, high = z[1] * w1, low = z[0] * w0;
  return {2 * w0 * w1 / d * tidy(up - down, up + down), 2 / d * tidy(high - low, high + low)};
}

}  // namespace tumble
