// What a filter of second order makes of an input that is held:
//     x" + 2 a x' + w^2 x = w^2 u,   a = damping w,
// with u constant since the time at which x and x' were x0 and v0. With d = x0 - u and
// k^2 = a^2 - w^2, exactly
//     x  = u + d C + (v0 + a d) S,   x' = v0 C - (w^2 d + a v0) S,
//     C = e^(-a s) cosh k s,  S = e^(-a s) sinh(k s) / k,  s the time since then.
// Below critical damping k is imaginary, and the hyperbolic functions are circular ones.
#pragma once
#include "tumble/math/elementary.hpp"
#include "tumble/math/scalar.hpp"
#include "tumble/math/taylor2.hpp"

namespace tumble {

struct InputFilter {
  double input = 0;              ///< u
  double since = 0;              ///< [s]
  double value = 0, rate = 0;    ///< x0, v0
  double angular_frequency = 0;  ///< w [rad/s]
  double damping = 1;

  Taylor2<double> at(double time) const;
};

inline Taylor2<double> InputFilter::at(double time) const {
  const double s = time - since, w = angular_frequency, a = damping * w, d = value - input;
  double C = 0, S = 0;
  if (damping < 1) {
    const double k = w * sqrt((1 - damping) * (1 + damping));
    const SinCos<double> turned = sincos(k * s);
    const double decay = exp(-a * s);
    C = decay * turned.cos;
    S = decay * (k > 0 ? turned.sin / k : s);
  } else {
    // e^(-a s) cosh k s without the large factors: e^((k - a) s) (1 + e^(-2 k s)) / 2, where
    // a - k = w^2 / (a + k) does not cancel.
    const double k = w * sqrt((damping - 1) * (damping + 1)), x = k * s;
    const double slow = exp(-w * w / (a + k) * s), fast = exp(-2 * x);
    C = 0.5 * slow * (1 + fast);
    const double x2 = x * x;
    // Near critical damping the difference of exponentials cancels: sinh(x) / x by its series.
    S = x > 0.5
            ? 0.5 * slow * (1 - fast) / k
            : s * exp(-a * s) *
                  (1 +
                   x2 / 6 *
                       (1 +
                        x2 / 20 * (1 + x2 / 42 * (1 + x2 / 72 * (1 + x2 / 110 * (1 + x2 / 156))))));
  }
  const double x = input + (d * C + (rate + a * d) * S);
  const double v = rate * C - (w * w * d + a * rate) * S;
  return {x, v, w * w * (input - x) - 2 * a * v};
}

}  // namespace tumble
