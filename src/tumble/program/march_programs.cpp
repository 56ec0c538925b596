#include "tumble/program/machine_recording.hpp"
// Kernels come after what they are recorded with.
#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>

#include "tumble/program/machine_samples.hpp"
#include "tumble/program/march_programs.hpp"

namespace tumble {

namespace {

/// What stands in for drives while a run is recorded: inputs, of the instant of the recorded state
/// or of a later one.
struct RecordedDrives {
  static constexpr double now = 0;
  std::vector<Recorded> at_now, ahead;
  Recorded time;  ///< now
};
thread_local const RecordedDrives* recorded_drives = nullptr;

}  // namespace

template <>
void update_drives<Recorded>(const System& system, const Recorded*, double t, double,
                             Workspace<Recorded>& w) {
  const auto& numbers = t == RecordedDrives::now ? recorded_drives->at_now : recorded_drives->ahead;
  // What is counted through turns is no drive's.
  const auto angle = w.angle;
  const auto bushing = w.bushing;
  const Recorded* next = numbers.data();
  visit_context(system, w, [&](Recorded& x) { x = *next++; });
  w.angle = angle;
  w.bushing = bushing;
  w.time = std::numeric_limits<double>::quiet_NaN();
}

// The time is an input too; workspaces hold it as a double. Otherwise as in dynamics/turns.hpp.
template <>
NearestAngles<Recorded> followed_euler<Recorded>(const TrackedEuler& tracked,
                                                 const FollowedEuler<Recorded>& euler,
                                                 const Workspace<Recorded>& w) {
  return nearest_euler_123(
      w.body[static_cast<std::size_t>(tracked.body)].R_WB,
      euler.angles.value + (recorded_drives->time - euler.instant) * euler.angles.rate);
}

template <>
RecordedMask follow_turns<Recorded>(const System& system, const Recorded* c,
                                    Workspace<Recorded>& w) {
  const Recorded &time = recorded_drives->time, zero(0.0), quarter(1.5707963267948966), clear(0.5);
  const bool moved = w.ahead > 0;
  RecordedMask lost = Recorded(1.0) < zero;
  for (std::size_t i = 0; i < w.euler.size(); ++i) {
    auto& euler = w.euler[i];
    const auto found = followed_euler(system.tracked_eulers[i], euler, w);
    const Vec3<Recorded> rates = euler_123_rates(
        found.angles, w.body[static_cast<std::size_t>(system.tracked_eulers[i].body)].w_B);
    const RecordedMask due = moved ? has_turned(euler.turned) : zero == zero;
    const RecordedMask gone = due & (found.gap > quarter) &
                              (abs(cos(euler.angles.value.y)) > clear) &
                              (abs(cos(found.angles.y)) > clear);
    if (moved) lost = lost | gone;
    for (int k = 0; k < 3; ++k) {
      euler.angles.value[k] = select(due, found.angles[k], euler.angles.value[k]);
      euler.angles.rate[k] = select(due, rates[k], euler.angles.rate[k]);
    }
    euler.instant = select(due, time, euler.instant);
    euler.turned = select(euler.instant == time, zero, euler.turned);
  }
  // Who steps leaves bushings that turn far to the processor.
  if (moved) return lost;
  for (const BushingIndex& bushing : system.all<BushingIndex>()) {
    auto& turn = w.bushing[static_cast<std::size_t>(bushing.index)];
    follow_bushing(bushing, c, w);
    turn.theta.value = turn.theta.next;
    turn.theta.rate = turn.theta.next_rate;
    turn.far = turn.next_far;
  }
  w.bushings_followed = false;
  for (const auto& turn : w.bushing)
    w.bushings_followed = w.bushings_followed || any(turn.far > Recorded(0.5));
  if (w.bushings_followed) throw NotRecordable("a bushing turns far at its start");
  return lost;
}

}  // namespace tumble

#include "tumble/integrate/probe_recorder_impl.hpp"
#include "tumble/integrate/step/integrator_impl.hpp"
#include "tumble/integrate/watch/energy_account_impl.hpp"

namespace tumble {

namespace {

using namespace recording;

class MarchRecording : public MachineRecording {
 public:
  MarchRecording(const Plan& plan, const StepNumbers& step,
                 const std::vector<MachineSample>& samples)
      : MachineRecording(plan, step, samples) {
    for (const MachineSample& sample : samples) {
      offsets_.push_back(probe_offsets(system_, system_.nominal));
      Workspace<double> w(system_);
      forget_turns(system_, w);
      update_drives(system_, sample.constants.data(), sample.time + step.h, sample.inside, w);
      std::vector<double> numbers;
      visit_context(system_, w, [&](double x) { numbers.push_back(x); });
      ahead_.push_back(std::move(numbers));
      eulers_.push_back(eulers_at(sample));
    }
  }

  // As turns_to_follow().
  Program turn() {
    Recorder recorder("tumble_turn", samples_.size());
    Inputs inputs(recorder, samples_);
    const auto v = inputs.of("v", &MachineSample::v);
    Workspace<S> w = workspace(inputs);
    auto euler = euler_inputs(inputs);
    const auto step = step_inputs(inputs);
    RecordedMask due = S(1.0) < S(0.0);
    for (std::size_t i = 0; i < euler.size(); ++i) {
      const int body = system_.tracked_eulers[i].body;
      const auto& index = system_.bodies[static_cast<std::size_t>(body) - 1];
      const Vec3<S> omega =
          index.prescribed >= 0
              ? w.body[static_cast<std::size_t>(body)].w_B
              : load3(v.data() + system_.blocks[static_cast<std::size_t>(index.block)].v + 3);
      euler[i].turned = fma(step[StepRegion::h], largest_entry(omega), euler[i].turned);
      due = due | has_turned(euler[i].turned);
    }
    write(recorder, "next_euler", numbers_of(euler));
    write(recorder, "due", {select(due, S(1.0), S(0.0))});
    return recorder.finish();
  }

  Program follow() {
    Recorder recorder("tumble_follow", samples_.size());
    Inputs inputs(recorder, samples_);
    const auto c = inputs.of("constants", &MachineSample::constants);
    const auto q = inputs.of("q", &MachineSample::q), v = inputs.of("v", &MachineSample::v);
    Workspace<S> w = workspace(inputs);
    w.euler = euler_inputs(inputs);
    RecordedDrives drives;
    drives.time = time_input(inputs);
    recorded_drives = &drives;
    update_bodies(system_, q.data(), v.data(), w);
    const RecordedMask lost = follow_turns(system_, c.data(), w);
    recorded_drives = nullptr;
    write(recorder, "next_euler", numbers_of(w.euler));
    write(recorder, "lost", {select(lost, S(1.0), S(0.0))});
    return recorder.finish();
  }

  // As BasicIntegrator::weighted_norm().
  Program overflow() {
    Recorder recorder("tumble_overflow", samples_.size());
    Inputs inputs(recorder, samples_);
    const auto c = inputs.of("constants", &MachineSample::constants);
    const auto r =
        inputs.make("residual", size(), [&](auto k, auto i) { return residuals_[k][i]; });
    const S* weight = c.data() + system_.weight_constants;
    S largest(0.0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(system_.nv); ++i) {
      const S value = weight[i] * abs(r[i]);
      largest = select(value <= largest, largest, select(value < S(infinity), value, S(infinity)));
    }
    write(recorder, "norm", {largest});
    return recorder.finish();
  }

  Program measure() {
    Recorder recorder("tumble_measure", samples_.size());
    Inputs inputs(recorder, samples_);
    const auto c = inputs.of("constants", &MachineSample::constants);
    const auto offsets =
        inputs.make("offsets", offsets_[0].size(), [&](auto k, auto i) { return offsets_[k][i]; });
    const auto state = motion(inputs);
    Drives drives(inputs, *this, false);
    const auto euler = euler_inputs(inputs);
    drives.set_time(time_input(inputs));
    BasicIntegrator<S> integrator(plan_, c);
    integrator.arrive(state, S(1.0));
    integrator.observe().euler = euler;
    const BasicProbeRecorder<S> probes(system_, offsets.data(), c.data());
    std::vector<S> values(static_cast<std::size_t>(probes.size()));
    probes.measure(integrator, values.data());
    write(recorder, "values", values);
    write(recorder, "alignment", {integrator.alignment()});
    return recorder.finish();
  }

  Program look() {
    Recorder recorder("tumble_look", samples_.size());
    Inputs inputs(recorder, samples_);
    const auto c = inputs.of("constants", &MachineSample::constants);
    const auto state = motion(inputs);
    const Drives drives(inputs, *this, false);
    const auto scale = inputs.make("length_scale", 1, [](auto, auto) { return 1.0; });
    BasicIntegrator<S> integrator(plan_, c);
    integrator.arrive(state, scale[0]);
    BasicEnergyAccount<S> account(system_, c);
    const EnergySight<S> seen = account.see(integrator, integrator.observe());
    write(recorder, "sight", {seen.kinetic, seen.potential, seen.size, seen.violation, seen.slack});
    return recorder.finish();
  }

  Program restart(const std::string& name) {
    Recorder recorder(name, samples_.size());
    Inputs inputs(recorder, samples_);
    const auto c = inputs.of("constants", &MachineSample::constants);
    const auto state = motion(inputs);
    Drives drives(inputs, *this, true);
    const auto euler = euler_inputs(inputs);
    drives.set_time(time_input(inputs));
    BasicIntegrator<S> integrator(plan_, c);
    integrator.arrive(state, S(1.0));
    integrator.observe().euler = euler;
    integrator.restart(step_.h);
    const auto departure = integrator.departure();
    write(recorder, "next_v", integrator.state().v);
    write(recorder, "next_vdot", integrator.state().vdot);
    write(recorder, "next_lambda", integrator.state().lambda);
    write(recorder, "next_a", departure.a);
    write(recorder, "v_start", departure.v_start);
    write(recorder, "next_euler", numbers_of(integrator.observe().euler));
    write(recorder, "rest",
          {departure.acceleration_size, integrator.impulse_work(),
           select(departure.failed, S(1.0), S(0.0))});
    return recorder.finish();
  }

 private:
  /// Drives as inputs, for as long as it lives.
  class Drives {
   public:
    Drives(Inputs& inputs, const MarchRecording& of, bool with_ahead) {
      drives_.at_now = inputs.make("context", of.contexts_[0].size(),
                                   [&](auto k, auto i) { return of.contexts_[k][i]; });
      if (with_ahead)
        drives_.ahead = inputs.make("context_ahead", of.ahead_[0].size(),
                                    [&](auto k, auto i) { return of.ahead_[k][i]; });
      recorded_drives = &drives_;
    }
    ~Drives() { recorded_drives = nullptr; }
    void set_time(const S& time) { drives_.time = time; }
    Drives(const Drives&) = delete;
    Drives& operator=(const Drives&) = delete;

   private:
    RecordedDrives drives_;
  };

  BasicMotionState<S> motion(Inputs& inputs) const {
    BasicMotionState<S> state;
    state.time = RecordedDrives::now;
    state.q = inputs.of("q", &MachineSample::q);
    state.v = inputs.of("v", &MachineSample::v);
    state.vdot = inputs.of("vdot", &MachineSample::vdot);
    state.lambda = inputs.of("lambda", &MachineSample::lambda);
    return state;
  }

  /// What is followed at a sample, as if it had been so a moment ago.
  std::vector<double> eulers_at(const MachineSample& sample) const {
    Workspace<double> w(system_);
    update_drives(system_, sample.constants.data(), sample.time, sample.inside, w);
    update_bodies(system_, sample.q.data(), sample.v.data(), w);
    std::vector<double> numbers;
    for (const TrackedEuler& tracked : system_.tracked_eulers) {
      const auto& body = w.body[static_cast<std::size_t>(tracked.body)];
      const Vec3<double> angles =
          nearest_euler_123(body.R_WB, {tracked.start[0], tracked.start[1], tracked.start[2]})
              .angles;
      const Vec3<double> rates = euler_123_rates(angles, body.w_B);
      for (const double x : {angles.x, angles.y, angles.z, rates.x, rates.y, rates.z,
                             sample.time - 10 * step_.h, 0.1})
        numbers.push_back(x);
    }
    return numbers;
  }
  std::vector<FollowedEuler<S>> euler_inputs(Inputs& inputs) const {
    const auto numbers =
        inputs.make("euler", eulers_[0].size(), [&](auto k, auto i) { return eulers_[k][i]; });
    std::vector<FollowedEuler<S>> euler(system_.tracked_eulers.size());
    using E = EulerNumbers;
    for (std::size_t i = 0; i < euler.size(); ++i) {
      const S* x = numbers.data() + i * E::size;
      euler[i].angles.value = load3(x);
      euler[i].angles.rate = load3(x + E::rates);
      euler[i].instant = x[E::instant];
      euler[i].turned = x[E::turned];
    }
    return euler;
  }
  S time_input(Inputs& inputs) const {
    return inputs.make("time", 1, [&](auto k, auto) { return samples_[k].time; })[0];
  }
  static std::vector<S> numbers_of(const std::vector<FollowedEuler<S>>& euler) {
    std::vector<S> numbers;
    for (const auto& e : euler)
      for (const S& x : {e.angles.value.x, e.angles.value.y, e.angles.value.z, e.angles.rate.x,
                         e.angles.rate.y, e.angles.rate.z, e.instant, e.turned})
        numbers.push_back(x);
    return numbers;
  }

  std::vector<std::vector<double>> offsets_, ahead_, eulers_;  ///< by sample
};

void fix(const Program& program, std::string_view region, const std::vector<int>& indices,
         const std::vector<double>& values, std::vector<FixedInput>& fixed) {
  for (std::size_t r = 0; r < program.inputs.size(); ++r)
    if (program.inputs[r].name == region)
      for (const int i : indices)
        fixed.push_back({static_cast<int>(r), i, values[static_cast<std::size_t>(i)]});
}

/// What follows from operands that moved may be shorter once more.
bool shorten(Program& program, const std::vector<FixedInput>& fixed) {
  for (int pass = 0; pass < 2; ++pass) {
    auto shorter = specialize(program, fixed);
    if (!shorter) return false;
    program = std::move(*shorter);
  }
  return true;
}

/// Entries of the factor that are the same in all factors are so in what reads it.
bool take_over_factor(const Program& factor, Program& correction) {
  std::vector<FixedInput> fixed;
  for (const auto& store : factor.stores) {
    const TapeNode& node = factor.nodes[static_cast<std::size_t>(store.node)];
    if (store.region == MarchFactorRegions::factor && node.operation == Operation::literal)
      fixed.push_back({CorrectionRegions::factor, store.index,
                       factor.literals[static_cast<std::size_t>(node.a)]});
  }
  fixed.push_back({CorrectionRegions::active, 0, 1.0});  // others do not call it
  return shorten(correction, fixed);
}

}  // namespace

std::vector<Program*> MarchPrograms::all() {
  std::vector<Program*> programs = {
      &first_prediction, &prediction, &residual, &residual_without_dissipation, &overflow, &factor,
      &correction,       &measure,    &look};
  for (Program& program : restart) programs.push_back(&program);
  return programs;
}

std::optional<NoPrograms> why_no_march(const Plan& plan) {
  const System& system = *plan.system;
  const auto because = [](const char* reason) { return NoPrograms{reason}; };
  if (system.nominal.simulation.integrator != IntegrationMethod::generalized_alpha)
    return because("devices know generalised-alpha alone");
  if (!system.user_forces.empty() || !system.user_constraints.empty())
    return because("elements supplied as code cannot be recorded");
  if (!system.beams.empty()) return because("beams are left to the processor");
  if (!system.states.empty()) return because("states of controllers are left to the processor");
  if (!system.events.empty()) return because("events are left to the processor");
  if (!system.friction_slots.empty())
    return because("friction by joint reactions is left to the processor");
  if (plan.redundancy != nullptr)
    return because("machines with redundant conditions are left to the processor");
  if (!system.tracked_angles.empty())
    return because("angles counted through turns are left to the processor");
  return std::nullopt;
}

std::variant<MarchPrograms, NoPrograms> record_march(const Plan& plan,
                                                     const std::vector<double>& step_sizes,
                                                     const std::vector<MachineSample>& samples) {
  if (samples.empty() || step_sizes.empty())
    throw std::invalid_argument("a recording needs a sample and a step");
  if (auto none = why_no_march(plan)) return *none;
  const System& system = *plan.system;
  try {
    MarchRecording recording(plan, step_numbers(system, step_sizes.front()), samples);
    MarchPrograms programs;
    programs.first_prediction = recording.prediction(false);
    programs.prediction = recording.prediction();
    programs.residual = recording.residual();
    programs.residual_without_dissipation = without_dissipation(programs.residual);
    programs.correction = recording.correction();
    programs.factor = recording.factor(true);
    programs.overflow = recording.overflow();
    programs.turn = recording.turn();
    programs.follow = recording.follow();
    programs.measure = recording.measure();
    programs.look = recording.look();
    for (const double h : step_sizes) {
      MarchRecording of_size(plan, step_numbers(system, h), samples);
      programs.restart.push_back(
          of_size.restart("tumble_restart_" + std::to_string(programs.restart.size())));
      programs.restart_sizes.push_back(h);
    }
    return programs;
  } catch (const NotRecordable& reason) {
    return NoPrograms{reason.what()};
  }
}

std::optional<MarchPrograms> specialize(const MarchPrograms& programs,
                                        const SharedNumbers& shared) {
  MarchPrograms result = programs;
  for (Program* program : result.all()) {
    std::vector<FixedInput> fixed;
    fix(*program, "constants", shared.constants, shared.constant_values, fixed);
    fix(*program, "offsets", shared.offsets, shared.offset_values, fixed);
    if (!shorten(*program, fixed)) return std::nullopt;
  }
  if (!take_over_factor(result.factor, result.correction)) return std::nullopt;
  const int solution[] = {CorrectionRegions::solution};
  result.correction = without_outputs(result.correction, solution);
  result.residual_without_dissipation = without_dissipation(result.residual);
  return result;
}

std::vector<int> indices_read(const std::vector<Program*>& programs, std::string_view region) {
  std::set<int> indices;
  for (const Program* program : programs)
    for (const TapeNode& node : program->nodes)
      if (node.operation == Operation::input &&
          program->inputs[static_cast<std::size_t>(node.a)].name == region)
        indices.insert(node.b);
  return {indices.begin(), indices.end()};
}

void keep_only(const std::vector<Program*>& programs, std::string_view region,
               const std::vector<int>& indices) {
  for (Program* program : programs) {
    for (TapeNode& node : program->nodes)
      if (node.operation == Operation::input &&
          program->inputs[static_cast<std::size_t>(node.a)].name == region)
        node.b = static_cast<int>(std::ranges::lower_bound(indices, node.b) - indices.begin());
    for (TapeRegion& input : program->inputs)
      if (input.name == region) input.size = static_cast<int>(indices.size());
  }
}

}  // namespace tumble
