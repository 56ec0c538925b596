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
    if (jumped_) doubt_ = fma(S(time - time_), abs(power), doubt_);
    const S before = jumped_ ? power : last_;
    value_ = fma(S(0.5 * (time - time_)), before + power, value_);
    last_ = power;
    time_ = time;
    jumped_ = false;
  }
  /// Up to `time`, with the last power from its instant on.
  S at(double time) const { return fma(S(time - time_), last_, value_); }
  /// How much of it rests on one sample alone, because the power just after a jump is not known.
  const S& doubt() const { return doubt_; }

 private:
  S value_{}, last_{}, doubt_{};
  double time_ = 0;
  bool jumped_ = true;
};

}  // namespace tumble
