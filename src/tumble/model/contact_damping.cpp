#include "tumble/model/contact_damping.hpp"

#include "tumble/math/power.hpp"

namespace tumble {
namespace {

/// x - log(1 + x), x > -1, without loss at small x.
double above_logarithm(double x) {
  if (abs(x) > 0.1) {
    const auto log = elementary::log_of_normal(1 + x);
    return (x - log.high) - log.low;
  }
  double sum = 0;
  for (int k = 18; k >= 2; --k) sum = 1.0 / k - x * sum;  // x²/2 - x³/3 + ...
  return x * x * sum;
}

}  // namespace

double damping_of_restitution(double restitution, double impact) {
  if (restitution >= 1) return 0;
  // With x = a v: x - log(1 + x) = -e x - log(1 - e x), which has one root in (0, 1/e).
  double low = 0, high = 1 / restitution;
  for (int i = 0; i < 120; ++i) {
    const double x = 0.5 * (low + high);
    const double under = 1 - restitution * x;
    const bool below = under > 0 && above_logarithm(x) > above_logarithm(-restitution * x);
    (below ? low : high) = x;
  }
  return 0.5 * (low + high) / impact;
}

}  // namespace tumble
