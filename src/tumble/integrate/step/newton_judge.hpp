// When Newton's iteration of a step ends, and when the factor it works with is worth a new one.
//
// The factor is kept over iterations and steps while it converges fast. The error left after an
// increment δ is about δ ρ/(1 - ρ), ρ the contraction; it must be below the tolerance times the
// largest acceleration, or below what rounding of the positions does to accelerations. A rate is
// remembered only if it was measured in a later step than the factor's own, where Newton is
// quadratic, and is taken to grow with the age of the factor: in a body that spins fast an exact
// factor is poor after one step.
#pragma once
#include <algorithm>

#include "tumble/math/scalar.hpp"

namespace tumble {

/// What was found by measuring; none of it changes what a converged step means.
struct NewtonTuning {
  /// An iteration that gains less than this asks for a new factor.
  static constexpr double slow = 0.25;
  /// With a factor of its own, an iteration that gains more than this may go on.
  static constexpr double still_gaining = 0.5;
  /// A factor that converged in the step but worse than this is given up: the second one in every
  /// `renew_every`th step only. Lanes age together, and a new factor costs as much for one lane as
  /// for all.
  static constexpr double outdated = 0.25, outdated_at_renewal = 0.01;
  static constexpr long renew_every = 12;
  /// Every so many steps the rate is measured anew, which costs an iteration; where what is left
  /// would be below `ample` of what is allowed, only every fourth time.
  static constexpr long measure_every = 8, measure_all_every = 32;
  static constexpr double ample = 0.1;
  /// Iterations an old factor is given: many slow ones cost more than a new factor, and running out
  /// of iterations must mean that the step is too large, never that the factor is old.
  static constexpr int patience = 4;
  /// Of factors that turn with beams (turned_nodes.hpp), whose tangents cost as much as eight
  /// iterations: every so many steps, the same for all lanes, one that contracts worse than
  /// `outdated_at_renewal` is given up, so that the next step begins with one made from what it
  /// predicts, where it serves best. In between one is asked for only where the old one hardly
  /// gains.
  static constexpr long renew_turned_every = 3;
  static constexpr double slow_if_turned = 0.5;
  static constexpr int patience_if_turned = 9;
  /// Iterations before an own factor may be said to diverge.
  static constexpr int settling = 3;
  /// In roundings of the positions: an increment above the first tells of the factor, one below the
  /// second has vanished, and one below the third that no longer shrinks is as good as it gets.
  static constexpr double telling = 10, vanished = 2, good_enough = 50;
  /// Who asks for more than this tolerance gets iterations down to where they stop gaining. What
  /// Newton leaves has the same sign in many steps and adds up, where rounding does not.
  static constexpr double default_tolerance = 1e-8;
};

/// What is due in a step, by its number alone: lanes spend the extra effort in the same step.
struct NewtonAgenda {
  bool measuring;                 ///< the rate is to be measured,
  double margin;                  ///< unless less than this share of what is allowed is left
  double outdated;                ///< a factor that contracts less is given up
  double outdated_if_turned = 1;  ///< or so, where it turns with beams,
  int patience_if_turned =
      NewtonTuning::patience;  ///< where an old one is given so many iterations
};
constexpr NewtonAgenda newton_agenda(long step, int max_iterations) {
  using T = NewtonTuning;
  return {step % T::measure_every == 0, step % T::measure_all_every == 0 ? 0.0 : T::ample,
          step % T::renew_every == T::renew_every - 1 ? T::outdated_at_renewal : T::outdated,
          step % T::renew_turned_every == T::renew_turned_every - 1 ? T::outdated_at_renewal : 1,
          // A new factor must leave enough iterations to converge.
          std::clamp(max_iterations - T::settling, T::patience, T::patience_if_turned)};
}

/// Is this the step before which factors that turn are given up, if they are? Then others may as
/// well be renewed.
constexpr bool turned_factors_are_due(long step) {
  return step % NewtonTuning::renew_turned_every == 0;
}

/// What is known of each lane's factor; it outlives steps.
template <class S>
struct FactorRecord {
  Mask<S> valid = S(1.0) < S(0.0);
  S contraction = S(1.0);            ///< convergence rate measured with it
  S age = S(0.0);                    ///< steps since it was made
  S measured_age = S(0.0);           ///< its age when the rate was measured; 0: not yet
  Mask<S> turned = S(1.0) < S(0.0);  ///< it turns with the nodes of beams
};

/// Judges the increments of one step.
template <class S>
class NewtonJudge {
 public:
  /// @param rounding what rounding of the positions does to accelerations
  /// @param active lanes that take part
  TUMBLE_INLINE NewtonJudge(FactorRecord<S>& factor, const NewtonAgenda& agenda, double tolerance,
                            const S& rounding, const Mask<S>& active)
      : factor_(factor),
        agenda_(agenda),
        tolerance_(tolerance),
        rounding_(rounding),
        target_(min(S(1.0), S(tolerance / NewtonTuning::default_tolerance)) * rounding),
        active_(active) {}

  /// In which lanes the factor turns with beams in this step. A rate measured the other way is
  /// forgotten.
  TUMBLE_INLINE void turn_factors(const Mask<S>& lanes) {
    const Mask<S> changed = active_ & ((lanes & !factor_.turned) | (factor_.turned & !lanes));
    factor_.contraction = select(changed, S(1.0), factor_.contraction);
    factor_.measured_age = select(changed, S(0.0), factor_.measured_age);
    factor_.turned = (factor_.turned & !active_) | (lanes & active_);
    turned_ = factor_.turned;
  }

  const Mask<S>& active() const { return active_; }  ///< neither converged nor stuck
  const Mask<S>& stuck() const { return stuck_; }
  TUMBLE_INLINE Mask<S> without_factor() const { return active_ & !factor_.valid; }
  TUMBLE_INLINE void give_up(const Mask<S>& lanes) {
    stuck_ = stuck_ | lanes;
    active_ = active_ & !lanes;
  }

  TUMBLE_INLINE void factored(const Mask<S>& lanes) {
    const S one(1.0), zero(0.0);
    factor_.valid = factor_.valid | lanes;
    fresh_ = fresh_ | lanes;
    has_ratio_ = has_ratio_ & !lanes;
    factor_.contraction = select(lanes, one, factor_.contraction);
    factor_.age = select(lanes, zero, factor_.age);
    factor_.measured_age = select(lanes, zero, factor_.measured_age);
    before_ = select(lanes, zero, before_);
  }

  /// Looks at an iteration's increment, in the norm of accelerations, and at the largest
  /// acceleration of the step.
  TUMBLE_INLINE void look(int iteration, const S& change, const S& acceleration) {
    using T = NewtonTuning;
    const S one(1.0);
    const S allowed = max(target_, S(tolerance_) * acceleration);
    const Mask<S> repeated = before_ > S(0.0);
    const S rate = measure(change, repeated);
    const Mask<S> converging = rate < one;
    const S left = select(converging, change * rate / select(converging, one - rate, one), change);
    const Mask<S> measured =
        agenda_.measuring ? repeated | (left <= S(agenda_.margin) * allowed) : !none();
    const Mask<S> done =
        active_ &
        ((change <= allowed) | (measured & (left <= allowed)) |
         (repeated & (rate > S(T::still_gaining)) & (change <= S(T::good_enough) * rounding_)));
    retire(done);
    if (any(active_)) demand_factors(iteration, rate);
    before_ = change;
  }

 private:
  static TUMBLE_INLINE Mask<S> none() { return S(1.0) < S(0.0); }

  /// The rate with which the increments shrink, or the expected one after the first.
  TUMBLE_INLINE S measure(const S& change, const Mask<S>& repeated) {
    using T = NewtonTuning;
    const S one(1.0);
    const Mask<S> has_age = factor_.measured_age > S(0.0);
    const S expected = select(
        has_age,
        min(one, factor_.contraction * factor_.age / select(has_age, factor_.measured_age, one)),
        one);
    telling_ = none();
    if (!any(repeated)) return expected;
    const S known = select(repeated, before_, one);
    const S rate = select(repeated, min(one, change / known), expected);
    // Once at the rounding floor the ratio says nothing about the factor. Of a step's ratios the
    // largest counts: where rotations are right after one iteration and the positions that follow
    // from them after two, the last ratio is next to nothing, and steps that relied on it would
    // stop before their positions are right.
    telling_ = active_ & (before_ > S(T::telling) * rounding_);
    const Mask<S> remembered = telling_ & (factor_.age > S(0.0));
    // A change that vanished in rounding shows no rate below rounding / before; it then does not
    // contradict what was known before, so the smaller bound holds.
    const S seen = select(change > S(T::vanished) * rounding_, rate,
                          min(expected, max(rate, rounding_ / known)));
    factor_.contraction = select(
        remembered, select(has_ratio_, max(factor_.contraction, seen), seen), factor_.contraction);
    has_ratio_ = has_ratio_ | remembered;
    factor_.measured_age = select(remembered, factor_.age, factor_.measured_age);
    return rate;
  }

  TUMBLE_INLINE void retire(const Mask<S>& done) {
    const S one(1.0);
    factor_.age = select(done, factor_.age + one, factor_.age);
    const S outdated = select(turned_, S(agenda_.outdated_if_turned), S(agenda_.outdated));
    factor_.valid = factor_.valid & !(done & (factor_.contraction > outdated) &
                                      (factor_.contraction < one) & !fresh_);
    active_ = active_ & !done;
  }

  /// Lanes that gain too little get a new factor; those that diverge with their own are stuck.
  TUMBLE_INLINE void demand_factors(int iteration, const S& rate) {
    using T = NewtonTuning;
    const Mask<S> slowly =
        active_ & telling_ & (rate > select(turned_, S(T::slow_if_turned), S(T::slow)));
    if (iteration > T::settling) {
      give_up(slowly & fresh_ & (rate >= S(1.0)));
      if (!any(active_)) return;
    }
    factor_.valid = (factor_.valid & !slowly) | (slowly & fresh_ & (rate < S(T::still_gaining)));
    if (iteration >= T::patience) {
      const Mask<S> patient = turned_ & (S(static_cast<double>(iteration)) <
                                         S(static_cast<double>(agenda_.patience_if_turned)));
      factor_.valid = factor_.valid & (fresh_ | !active_ | patient);
    }
  }

  FactorRecord<S>& factor_;
  const NewtonAgenda agenda_;
  const double tolerance_;
  const S rounding_, target_;
  S before_ = S(0.0);  ///< size of the previous increment, zero if there is none with this factor
  Mask<S> active_, stuck_ = none(), fresh_ = none(), has_ratio_ = none(), telling_ = none();
  Mask<S> turned_ = none();
};

}  // namespace tumble
