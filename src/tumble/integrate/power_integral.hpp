// The integral of a power over time, by the trapezoidal rule between the instants at which the
// power was sampled.
#pragma once
#include "tumble/math/scalar.hpp"

namespace tumble {

template <class S>
class PowerIntegral {
 public:
  /// From zero on.
  void begin(double time, const S& power) {
    value_ = S(0.0);
    last_ = power;
    time_ = time;
  }
  /// After an instant at which the power may jump: its right limit there.
  void resume(double time, const S& power) {
    value_ = at(time);
    last_ = power;
    time_ = time;
  }
  void add(double time, const S& power) {
    value_ = fma(S(0.5 * (time - time_)), last_ + power, value_);
    last_ = power;
    time_ = time;
  }
  /// Up to `time`, with the last power from its instant on.
  S at(double time) const { return fma(S(time - time_), last_, value_); }

 private:
  S value_{}, last_{};
  double time_ = 0;
};

}  // namespace tumble
