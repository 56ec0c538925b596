// What PartsKernel points to; included only by sources compiled for an instruction set, and by the
// one that counts operations.
#pragma once
#include "parts_kernel.hpp"
#include "tumble/integrate/probe_recorder_impl.hpp"
#include "tumble/integrate/step/integrator_impl.hpp"
#include "tumble/integrate/watch/energy_account_impl.hpp"

namespace tumble::benchmarks {

/// Keeps the compiler from moving work out of a loop or dropping it.
TUMBLE_INLINE void touch_memory() { asm volatile("" ::: "memory"); }

/// Makes the compiler forget what it knows about a value in a register.
template <class S>
TUMBLE_INLINE void hold(S& x) {
  if constexpr (lane_count < S >> TUMBLE_NATIVE_LANES)
    hold(x.data.low), hold(x.data.high);
  else
    asm("" : "+v"(x.data));
}

template <class S>
std::vector<S> pack(const double* const* source, int lanes, int count) {
  std::vector<S> packed(static_cast<std::size_t>(count));
  double values[lane_count<S>];
  for (int i = 0; i < count; ++i) {
    for (int lane = 0; lane < lane_count<S>; ++lane)
      values[lane] = source[lane < lanes ? lane : 0][i];
    load_lanes(packed[static_cast<std::size_t>(i)], values);
  }
  return packed;
}

template <class S>
class PartsRunner {
 public:
  PartsRunner(const Plan& plan, const Schedule& schedule, const LaneBatch& batch)
      : system_(*plan.system),
        schedule_(schedule),
        constants_(pack<S>(batch.constants, batch.lanes, system_.constants_size)),
        offsets_(pack<S>(batch.offsets, batch.lanes,
                         3 * static_cast<int>(system_.nominal.probes.size()))),
        start_{pack<S>(batch.q, batch.lanes, system_.nq),
               pack<S>(batch.v, batch.lanes, system_.nv)},
        integrator_(plan, constants_),
        account_(system_, constants_),
        dates_(schedule),
        kkt_(plan),
        recorder_(system_, offsets_.data(), constants_.data()),
        measured_(static_cast<std::size_t>(recorder_.size())),
        lane_values_(measured_.size() * static_cast<std::size_t>(lane_count<S>)),
        matrix_(static_cast<std::size_t>(system_.pattern.nonzeros())),
        right_side_(static_cast<std::size_t>(system_.nv + system_.nc)),
        solution_(right_side_.size()),
        increment_(static_cast<std::size_t>(system_.nv)),
        moved_(static_cast<std::size_t>(system_.nq)) {}

  RunCounts run_whole() { return march(schedule_.segments.size()); }

  /// Runs half of it, and makes ready what the parts need from there on.
  void stop_halfway() {
    march(schedule_.segments.size() / 2);
    for (std::size_t i = 0; i < increment_.size(); ++i)
      increment_[i] = S(h_) * integrator_.state().v[i];
    const auto alpha =
        GeneralizedAlpha::with_spectral_radius(system_.nominal.simulation.spectral_radius);
    c1_ = alpha.velocity_factor(h_);
    c2_ = alpha.position_factor(h_);
    workspace_ = &integrator_.observe();
    for (const Part part : {Part::residual, Part::jacobian_and_factor}) run(part, 1);
  }

  void run(Part part, long repetitions) {
    for (long i = 0; i < repetitions; ++i) {
      run_once(part);
      touch_memory();
    }
  }

 private:
  void run_once(Part part) {
    const BasicMotionState<S>& now = integrator_.state();
    const S* c = constants_.data();
    Workspace<S>& w = *workspace_;
    switch (part) {
      case Part::restart:
        integrator_.restart(h_);
        break;
      case Part::drives:
        update_drives(system_, c, now.time, now.time - 0.5 * h_, w);
        break;
      case Part::update_bodies:
        update_bodies(system_, now.q.data(), now.v.data(), w);
        break;
      case Part::compose:
        compose(system_, now.q.data(), increment_.data(), moved_.data());
        break;
      case Part::residual:
        residual(system_, c, now.vdot.data(), now.lambda.data(), w, right_side_.data());
        break;
      case Part::jacobian:
        tangent(system_, c, now.vdot.data(), now.lambda.data(), w);
        assemble_kkt(system_, w, c1_, c2_, increment_.data(), matrix_.data());
        break;
      case Part::jacobian_and_factor:
        tangent(system_, c, now.vdot.data(), now.lambda.data(), w);
        kkt_.factor(w, c1_, c2_, increment_.data(), now.time, S(0.0) < S(1.0));
        break;
      case Part::solve:
        kkt_.solve(right_side_.data(), solution_.data());
        break;
      case Part::probes:
        record();
        break;
    }
  }

  /// As LaneRunner marches.
  RunCounts march(std::size_t segments) {
    RunCounts counts;
    h_ = schedule_.segments[0].step_size;
    integrator_.start(start_, 0.0, 0.5 * h_);
    const RunStatistics& statistics = integrator_.statistics();
    const RunStatistics before = statistics;
    long in_restarts = 0;
    const auto restart = [&](double h) {
      h_ = h;
      const long factorizations = statistics.factorizations;
      integrator_.restart(h_);
      in_restarts += statistics.factorizations - factorizations;
      ++counts.restarts;
    };
    restart(h_);
    account_.begin(integrator_);
    dates_.begin();
    record();
    counts.outputs = 1;
    for (std::size_t i = 0; i < segments; ++i) {
      const Segment& segment = schedule_.segments[i];
      const double change = segment.step_size - h_;
      if (change > 1e-9 * h_ || change < -1e-9 * h_) restart(segment.step_size);
      for (long k = 1; k <= segment.steps; ++k) integrator_.step(segment.time_after(k));
      const bool due = dates_.due(i);
      if (segment.output) {
        record();
        ++counts.outputs;
      }
      if (due) {
        account_.look(integrator_, integrator_.observe());
        account_.enter();
        integrator_.give_up(account_.open() | account_.hopeless());
      }
      if (segment.is_break && i + 1 < segments) {
        restart(schedule_.segments[i + 1].step_size);
        account_.cross_break(integrator_);
      }
    }
    counts.steps = statistics.steps - before.steps;
    counts.iterations = statistics.iterations - before.iterations;
    counts.factorizations = statistics.factorizations - before.factorizations - in_restarts;
    return counts;
  }

  void record() {
    recorder_.measure(integrator_, measured_.data());
    for (std::size_t i = 0; i < measured_.size(); ++i)
      store_lanes(measured_[i], &lane_values_[i * static_cast<std::size_t>(lane_count<S>)]);
  }

  const System& system_;
  const Schedule& schedule_;
  const std::vector<S> constants_, offsets_;
  const BasicInitialState<S> start_;
  BasicIntegrator<S> integrator_;
  BasicEnergyAccount<S> account_;
  AccountDates dates_;
  KktSolver<S> kkt_;
  BasicProbeRecorder<S> recorder_;
  std::vector<S> measured_;
  std::vector<double> lane_values_;
  std::vector<S> matrix_, right_side_, solution_, increment_, moved_;
  Workspace<S>* workspace_ = nullptr;
  double h_ = 0, c1_ = 0, c2_ = 0;
};

/// The functions of a PartsKernel. A template over the batch type, not over its width, as
/// run_lanes() is.
template <class S>
struct PartsFunctions {
  static void* make(const Plan& plan, const Schedule& schedule, const LaneBatch& batch,
                    RunCounts& counts) {
    auto* runner = new PartsRunner<S>(plan, schedule, batch);
    counts = runner->run_whole();
    runner->stop_halfway();
    return runner;
  }
  static void destroy(void* runner) { delete static_cast<PartsRunner<S>*>(runner); }
  static void run(void* runner, Part part, long repetitions) {
    static_cast<PartsRunner<S>*>(runner)->run(part, repetitions);
  }
  /// Ten independent chains: enough to hide the latency of a multiply-add, few enough for the
  /// registers. Named one by one because g++ keeps an array of them in memory.
  static double multiply_adds(long repetitions) {
    double seed = 1;
    asm volatile("" : "+x"(seed));  // a number that the compiler does not know
    const S r(0.5 * seed), s(seed);
    S a(s), b(s), c(s), d(s), e(s), f(s), g(s), h(s), i(s), j(s);
    for (long n = 0; n < repetitions; ++n) {
      a = fma(a, r, s), b = fma(b, r, s), c = fma(c, r, s), d = fma(d, r, s), e = fma(e, r, s);
      f = fma(f, r, s), g = fma(g, r, s), h = fma(h, r, s), i = fma(i, r, s), j = fma(j, r, s);
      // Chains stay apart: g++ would see that they are equal, or put four single lanes into one
      // register.
      for (S* x : {&a, &b, &c, &d, &e, &f, &g, &h, &i, &j}) hold(*x);
    }
    double values[lane_count<S>];
    store_lanes(a + b + c + d + e + f + g + h + i + j, values);
    asm volatile("" ::"m"(values));
    return 20.0 * static_cast<double>(repetitions);
  }
};

template <class S>
PartsKernel parts_kernel(const char* instruction_set) {
  using F = PartsFunctions<S>;
  return {lane_count<S>, instruction_set, F::make, F::destroy, F::run, F::multiply_adds};
}

}  // namespace tumble::benchmarks
