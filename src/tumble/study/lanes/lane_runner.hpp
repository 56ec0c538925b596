// One run per lane, in lock step; included only by the sources compiled for an instruction set.
#pragma once
#include "tumble/integrate/probe_recorder_impl.hpp"
#include "tumble/integrate/step/follow_schedule.hpp"
#include "tumble/integrate/step/integrator_impl.hpp"
#include "tumble/integrate/watch/energy_account_impl.hpp"
#include "tumble/integrate/watch/event_watch.hpp"
#include "tumble/math/batch.hpp"
#include "tumble/study/lanes/lane_kernel.hpp"

namespace tumble {

/// The numbers of each lane, side by side. Unused lanes repeat the first: they do what it does.
template <class S>
void pack_lanes(const double* const* source, int lanes, std::vector<S>& packed) {
  for (std::size_t i = 0; i < packed.size(); ++i)
    for (int lane = 0; lane < lane_count<S>; ++lane)
      packed[i].set_lane(lane, source[lane < lanes ? lane : 0][i]);
}

/// A template over the batch type, not over its width: the type knows its instruction set, so the
/// linker cannot take one file's copy for another's.
template <class S>
class BatchRunner final : public LaneRunner {
 public:
  BatchRunner(const Plan& plan, const Schedule& schedule)
      : system_(*plan.system),
        schedule_(schedule),
        constants_(static_cast<std::size_t>(system_.constants_size)),
        offsets_(3 * system_.nominal.probes.size()),
        start_{std::vector<S>(static_cast<std::size_t>(system_.nq)),
               std::vector<S>(static_cast<std::size_t>(system_.nv)),
               {}},
        recorder_(system_, offsets_.data(), constants_.data()),
        measured_(static_cast<std::size_t>(recorder_.size())),
        integrator_(plan, constants_),
        account_(system_, constants_),
        dates_(schedule),
        events_(system_, constants_.data()),
        turns_(system_.tracked_angles.size() +
               3 * (system_.tracked_eulers.size() + system_.all<BushingIndex>().size())) {
    start_.turns.reserve(turns_);
  }

  void run(const LaneBatch& batch) override {
    begin(batch);
    follow_schedule(schedule_, *this);
    const S failure =
        select(integrator_.failed() | turned_over_ | account_.unbalanced(), S(1.0), S(0.0));
    const S mismatch = account_.relative();
    for (int lane = 0; lane < batch.lanes; ++lane) {
      batch.failed[lane] = failure.lane(lane) > 0;
      batch.energy_mismatch[lane] = mismatch.lane(lane);
      for (std::size_t e = 0; e < system_.events.size(); ++e)
        batch.events[lane][e] = events_.tally(e, lane);
    }
    *batch.iterations = integrator_.statistics().iterations;
    *batch.factorizations = integrator_.statistics().factorizations;
  }

  void depart(const LaneBatch& batch) override {
    begin(batch);
    // What is followed through turns does not travel.
    const Workspace<S>& w = integrator_.observe();
    const bool followed = w.bushings_followed;
    const S failure = select(integrator_.failed() | turned_over_, S(1.0), S(0.0));
    const auto& state = integrator_.state();
    const auto departure = integrator_.departure();
    const auto& opening = account_.opening();
    for (int lane = 0; lane < batch.lanes; ++lane) {
      batch.failed[lane] = followed || failure.lane(lane) > 0;
      double* out = batch.departures[lane];
      for (const auto* numbers :
           {&state.q, &state.v, &state.vdot, &state.lambda, &departure.a, &departure.v_start})
        for (const S& x : *numbers) *out++ = x.lane(lane);
      for (const FollowedEuler<S>& euler : w.euler) {
        for (int k = 0; k < 3; ++k) *out++ = euler.angles.value[k].lane(lane);
        for (int k = 0; k < 3; ++k) *out++ = euler.angles.rate[k].lane(lane);
        *out++ = euler.instant.lane(lane);
        *out++ = euler.turned.lane(lane);
      }
      for (const S& x : {departure.acceleration_size, integrator_.length_scale(), opening.kinetic,
                         opening.potential, opening.resting})
        *out++ = x.lane(lane);
    }
  }

  bool used_programs() const override { return with_programs_; }

  // What follow_schedule() asks for.
  void set_step(double h) { integrator_.restart(h); }
  bool step(double before, double after) {
    integrator_.step(after);
    if (events_.needed()) watch(before);
    return true;
  }
  bool reach(std::size_t i, const Segment& segment) {
    if (all(integrator_.failed())) return false;
    const bool due = dates_.due(i);
    if (segment.output) record();
    if (due) {
      account_.look(integrator_, integrator_.observe());
      account_.enter();
      integrator_.give_up(account_.open() | account_.hopeless());
    }
    return true;
  }
  void leave_break(double time, double next_step) {
    integrator_.restart(next_step);
    account_.cross_break(integrator_);
    if (events_.needed()) watch(time);
  }

 private:
  void begin(const LaneBatch& batch) {
    pack_lanes(batch.constants, batch.lanes, constants_);
    pack_lanes(batch.offsets, batch.lanes, offsets_);
    pack_lanes(batch.q, batch.lanes, start_.q);
    pack_lanes(batch.v, batch.lanes, start_.v);
    // Starts of nothing that counts turns, or before it has turned, come without.
    start_.turns.resize(batch.turns != nullptr ? turns_ : 0);
    pack_lanes(batch.turns, batch.lanes, start_.turns);
    recorded_ = 0;
    turned_over_ = S(1.0) < S(0.0);
    batch_ = &batch;
    const double h = schedule_.segments[0].step_size;
    integrator_.use_lanes(batch.lanes);
    with_programs_ = holds_for(batch.programs, batch);
    integrator_.use_programs(with_programs_ ? batch.programs : nullptr);
    integrator_.start(start_, 0.0, 0.5 * h);
    integrator_.restart(h);
    account_.begin(integrator_);
    dates_.begin();
    if (events_.needed()) events_.begin(integrator_);
    record();
  }

  /// Programs hold constants that realisations share: do these?
  static bool holds_for(const StepPrograms* programs, const LaneBatch& batch) {
    if (programs == nullptr) return false;
    for (int lane = 0; lane < batch.lanes; ++lane)
      for (std::size_t i = 0; i < programs->shared.size(); ++i)
        if (__builtin_bit_cast(unsigned long long, programs->shared_values[i]) !=
            __builtin_bit_cast(unsigned long long, batch.constants[lane][programs->shared[i]]))
          return false;
    return true;
  }

  /// A lane whose event acts is left to the scalar engine.
  void watch(double before) {
    events_.measure(integrator_);
    S acts(0.0);
    const S gone = select(integrator_.failed(), S(1.0), S(0.0));
    for (int lane = 0; lane < batch_->lanes; ++lane)
      if (gone.lane(lane) == 0 && events_.pass(integrator_, before, lane)) acts.set_lane(lane, 1.0);
    integrator_.give_up(acts > S(0.5));
    events_.go_on();
  }

  void record() {
    const LaneBatch& batch = *batch_;
    recorder_.measure(integrator_, measured_.data());
    turned_over_ = turned_over_ | !(integrator_.alignment() > S(0.0));
    const std::size_t size = measured_.size();
    for (int lane = 0; lane < batch.lanes; ++lane) {
      double* out = batch.values[lane] + recorded_ * size;
      for (std::size_t i = 0; i < size; ++i) out[i] = measured_[i].lane(lane);
    }
    ++recorded_;
  }

  const System& system_;
  const Schedule& schedule_;
  std::vector<S> constants_, offsets_;
  BasicInitialState<S> start_;
  BasicProbeRecorder<S> recorder_;
  std::vector<S> measured_;
  BasicIntegrator<S> integrator_;
  BasicEnergyAccount<S> account_;
  AccountDates dates_;
  BasicEventWatch<S> events_;
  std::size_t turns_;                 ///< numbers that are counted through turns
  const LaneBatch* batch_ = nullptr;  ///< the one that runs
  std::size_t recorded_ = 0;
  bool with_programs_ = false;
  Mask<S> turned_over_ = S(1.0) < S(0.0);  ///< lanes in which a joint has
};

template <class S>
LaneRunner* make_runner(const Plan& plan, const Schedule& schedule) {
  return new BatchRunner<S>(plan, schedule);
}

}  // namespace tumble
