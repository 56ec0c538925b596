// The integral of a power over time, by the trapezoidal rule between the instants at which the
// power was sampled.
#pragma once
#include "tumble/math/scalar.hpp"

namespace tumble {

template <class S>
class PowerIntegral {
 public:
  /// From zero on.
  void begin(double time) {
    value_ = last_ = doubt_ = S(0.0);
    time_ = time;
    jumped_ = true;
  }
  /// At an instant where the power may jump. The next sample then holds for the time before it too:
  /// that is of second order as well, and right where velocities follow a jump at once.
  void jump(double time) {
    value_ = at(time);
    time_ = time;
    jumped_ = true;
  }
  void add(double time, const S& power) {
    const S before = jumped_ ? power : last_;
    const S change = jumped_ ? S(2.0) * power : power - last_;
    doubt_ = fma(S(0.5 * (time - time_)), abs(change), doubt_);
    value_ = fma(S(0.5 * (time - time_)), before + power, value_);
    last_ = power;
    time_ = time;
    jumped_ = false;
  }
  /// Up to `time`, with the last power from its instant on.
  S at(double time) const { return fma(S(time - time_), last_, value_); }
  /// What the rule cannot tell: half of what the power changes between samples, and after a jump,
  /// where one sample stands alone, all of it. Where steps resolve the power this is little; of
  /// stiff dampers, whose first velocities no step resolves, it is as much as the integral.
  const S& doubt() const { return doubt_; }

 private:
  S value_{}, last_{}, doubt_{};
  double time_ = 0;
  bool jumped_ = true;
};

}  // namespace tumble
