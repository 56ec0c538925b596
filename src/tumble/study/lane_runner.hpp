// One run per lane, in lock step; included only by the sources compiled for an instruction set.
#pragma once
#include "tumble/integrate/integrator_impl.hpp"
#include "tumble/integrate/probe_recorder_impl.hpp"
#include "tumble/math/batch.hpp"
#include "tumble/study/lane_kernel.hpp"

namespace tumble {

/// `count` numbers of each lane, side by side. Unused lanes repeat the first: they do what it does.
template <class S>
std::vector<S> pack_lanes(const double* const* source, int lanes, int count) {
  std::vector<S> packed(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    for (int lane = 0; lane < lane_count<S>; ++lane)
      packed[static_cast<std::size_t>(i)].set_lane(lane, source[lane < lanes ? lane : 0][i]);
  return packed;
}

template <class S>
class LaneRunner {
 public:
  LaneRunner(const Plan& plan, const Schedule& schedule, const LaneBatch& batch)
      : system_(*plan.system),
        schedule_(schedule),
        batch_(batch),
        constants_(pack_lanes<S>(batch.constants, batch.lanes, system_.constants_size)),
        offsets_(pack_lanes<S>(batch.offsets, batch.lanes,
                               3 * static_cast<int>(system_.nominal.probes.size()))),
        recorder_(system_, offsets_.data(), constants_.data()),
        measured_(static_cast<std::size_t>(recorder_.size())),
        integrator_(plan, constants_) {}

  void run() {
    double h = schedule_.segments[0].step_size;
    integrator_.start({pack_lanes<S>(batch_.q, batch_.lanes, system_.nq),
                       pack_lanes<S>(batch_.v, batch_.lanes, system_.nv)},
                      0.0, 0.5 * h);
    integrator_.restart(h);
    record();
    for (std::size_t i = 0; i < schedule_.segments.size(); ++i) {
      const Segment& segment = schedule_.segments[i];
      const double change = segment.step_size - h;
      if (change > 1e-9 * h || change < -1e-9 * h) {
        h = segment.step_size;
        integrator_.restart(h);
      }
      for (long k = 1; k <= segment.steps; ++k) integrator_.step(segment.time_after(k));
      if (all(integrator_.failed())) break;
      if (segment.output) record();
      if (segment.is_break) {
        h = schedule_.segments[i + 1].step_size;
        integrator_.restart(h);
      }
    }
    const S failure = select(integrator_.failed(), S(1.0), S(0.0));
    for (int lane = 0; lane < batch_.lanes; ++lane) batch_.failed[lane] = failure.lane(lane) > 0;
    *batch_.iterations = integrator_.statistics().iterations;
    *batch_.factorizations = integrator_.statistics().factorizations;
  }

 private:
  void record() {
    recorder_.measure(integrator_, measured_.data());
    const std::size_t size = measured_.size();
    for (int lane = 0; lane < batch_.lanes; ++lane) {
      double* out = batch_.values[lane] + recorded_ * size;
      for (std::size_t i = 0; i < size; ++i) out[i] = measured_[i].lane(lane);
    }
    ++recorded_;
  }

  const System& system_;
  const Schedule& schedule_;
  const LaneBatch& batch_;
  const std::vector<S> constants_, offsets_;
  BasicProbeRecorder<S> recorder_;
  std::vector<S> measured_;
  BasicIntegrator<S> integrator_;
  std::size_t recorded_ = 0;
};

/// A template over the batch type, not over its width: the type knows its instruction set, so the
/// linker cannot take one file's copy for another's.
template <class S>
void run_lanes(const Plan& plan, const Schedule& schedule, const LaneBatch& batch) {
  LaneRunner<S>(plan, schedule, batch).run();
}

}  // namespace tumble
