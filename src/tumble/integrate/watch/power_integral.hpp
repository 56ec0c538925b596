// The integral of a power over time, by the trapezoidal rule between the instants at which the
// power was sampled or by a rule of the method of integration, and how far it can be trusted.
#pragma once
#include "tumble/math/scalar.hpp"

namespace tumble {

template <class S>
class PowerIntegral {
 public:
  /// From zero on.
  void begin(double time) {
    value_ = last_ = alternating_ = after_jumps_ = S(0.0);
    restart_at(time);
  }
  /// At an instant where the power may jump. The next sample then holds for the time before it too:
  /// that is of second order as well, and right where velocities follow a jump at once.
  void jump(double time) {
    value_ = at(time);
    restart_at(time);
  }
  void add(double time, const S& power) {
    const double half = 0.5 * (time - time_);
    if (samples_ == 0) {
      value_ = fma(S(2 * half), power, value_);
    } else {
      const S change = power - last_;
      value_ = fma(S(half), last_ + power, value_);
      if (samples_ == 1)  // what the first sample may have missed of the time before it
        after_jumps_ = fma(S(2 * half), abs(change), after_jumps_);
      else
        alternating_ = fma(S(samples_ == 2 ? half : -half), change, alternating_);
    }
    last_ = power;
    time_ = time;
    samples_ = samples_ < 3 ? samples_ + 1 : 2;
  }
  /// What a method with stages has integrated itself, up to `time`, and how wrong that may be.
  void add_integral(double time, const S& integral, const S& doubt) {
    value_ = value_ + integral;
    alternating_ = alternating_ + doubt;
    last_ = S(0.0);
    time_ = time;
  }
  /// Up to `time`, with the last power from its instant on.
  S at(double time) const { return fma(S(time - time_), last_, value_); }
  /// How wrong the integral may be: by how much the rule with every other sample differs from it,
  ///   T(2h) - T(h) = Σ ½ h (P₀ - 2 P₁ + P₂) over pairs of intervals,
  /// three times the error where samples resolve the power and as much as the integral where they
  /// do not, and what powers change just after they jumped. Changes of a swinging power cancel as
  /// its errors do.
  S doubt() const { return abs(alternating_) + after_jumps_; }

 private:
  void restart_at(double time) {
    time_ = time;
    samples_ = 0;
  }

  S value_{}, last_{}, alternating_{}, after_jumps_{};
  double time_ = 0;
  int samples_ = 0;  ///< since the power may have jumped: 0, 1, then 2 and 3 in turn
};

}  // namespace tumble
