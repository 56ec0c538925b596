// What was recorded computes what the kernels compute, bit for bit, at states and for machines that
// the recording has not seen.
#include "tumble/program/machine_programs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>

#include "tumble/dynamics/context.hpp"
#include "tumble/dynamics/turns.hpp"
#include "tumble/integrate/step/kkt_solver.hpp"
#include "tumble/math/scalar.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/program/emit.hpp"
#include "tumble/program/machine_samples.hpp"
#include "tumble/program/test/compiled_source.hpp"
#include "tumble/program/test/hostile_numbers.hpp"
#include "tumble/program/test/machines.hpp"

namespace tumble {
namespace {

using testing::same_number;

/// A machine with other masses: mass and inertia of every second body as much larger.
Model heavier(const Model& nominal, double factor) {
  Model model = nominal;
  for (std::size_t i = 0; i < model.bodies.size(); i += 2) {
    model.bodies[i].mass *= factor;
    for (double& J : model.bodies[i].inertia) J *= factor;
  }
  for (auto& beam : model.beams) beam.youngs_modulus *= factor;
  return model;
}

struct Recording {
  explicit Recording(const Model& model)
      : plan(make_plan(model)),
        system(*plan.system),
        schedule(make_schedule(system, model)),
        step(most_frequent_step(system, schedule)),
        samples(sample_nominal_run(plan, schedule)) {
    auto recorded = record_machine(plan, step, samples);
    if (auto* refused = std::get_if<NoPrograms>(&recorded)) {
      ADD_FAILURE() << refused->reason;
      return;
    }
    raw = std::get<MachinePrograms>(recorded);
    for (const double factor : {1.0, 1.01, 1.2})
      constants.push_back(prepare(system, heavier(model, factor)));
    shared = shared_constants(constants);
    const auto shorter = specialize(raw, shared, constants[0]);
    EXPECT_TRUE(shorter.has_value());
    if (shorter) programs = *shorter;
  }

  Plan plan;
  const System& system;
  Schedule schedule;
  StepNumbers step;
  std::vector<MachineSample> samples;
  MachinePrograms raw, programs;
  std::vector<std::vector<double>> constants;  ///< of several realisations
  std::vector<int> shared;
};

/// Everything a step computes at one instant, by the kernels.
struct ByKernels {
  ByKernels(const Recording& r, const MachineSample& s, const std::vector<double>& c)
      : w(r.system) {
    const System& system = r.system;
    const auto size = static_cast<std::size_t>(system.nv + system.nc);
    forget_turns(system, w);
    w.ahead = r.step.h;
    update_drives(system, c.data(), s.time, s.inside, w);
    visit_context(system, w, [&](double x) { context.push_back(x); });
    update_bodies(system, s.q.data(), s.v.data(), w);
    residual.resize(size);
    tumble::residual(system, c.data(), s.vdot.data(), s.lambda.data(), w, residual.data());
    rest = {w.power.work, w.power.dissipation, w.bushing_reach};
    tangent(system, c.data(), s.vdot.data(), s.lambda.data(), w);
    const auto* soft = r.plan.compliance();
    std::vector<double> matrix(static_cast<std::size_t>(system.pattern.nonzeros()));
    assemble_kkt(system, w, r.step.c1, r.step.c2, s.u.data(), matrix.data());
    if (soft != nullptr)
      for (const double x : *soft) matrix.push_back(-x);
    factor.resize(static_cast<std::size_t>(r.plan.elimination->factor_size));
    degraded = factorize(*r.plan.elimination, matrix.data(), factor.data()) ? 1 : 0;
  }

  Workspace<double> w;
  std::vector<double> context, residual, rest, factor;
  double degraded = 0;
};

/// Those outputs of a program that it writes must be what is expected.
void expect_outputs(const Program& program, const std::vector<std::vector<double>>& found,
                    const std::vector<std::vector<double>>& expected) {
  for (const auto& store : program.stores) {
    const auto r = static_cast<std::size_t>(store.region),
               i = static_cast<std::size_t>(store.index);
    ASSERT_TRUE(same_number(found[r][i], expected[r][i]))
        << program.name << ": " << program.outputs[r].name << "[" << i << "] is " << found[r][i]
        << " for " << expected[r][i];
  }
}

std::vector<std::vector<double>> arrays_of(const std::vector<TapeRegion>& regions) {
  std::vector<std::vector<double>> arrays;
  for (const TapeRegion& region : regions)
    arrays.emplace_back(static_cast<std::size_t>(region.size));
  return arrays;
}

using Call = std::function<bool(const Program&, const std::vector<const double*>&,
                                const std::vector<double*>&)>;

/// Runs a program and compares; returns whether its guards held.
bool check_program(const Program& program, const std::vector<const double*>& in,
                   const std::vector<std::vector<double>>& expected, const Call& call) {
  auto out = arrays_of(program.outputs);
  std::vector<double*> places;
  for (auto& array : out) places.push_back(array.data());
  if (!call(program, in, places)) return false;
  expect_outputs(program, out, expected);
  return true;
}

/// Whether the step-size dependent numbers of a state are moved by a little noise.
MachineSample shaken(const MachineSample& sample, const System& system, int seed) {
  MachineSample s = sample;
  double x = 0.37 * seed;
  const auto next = [&] {
    x += 0.6180339887498949;
    x -= std::floor(x);
    return x - 0.5;
  };
  for (auto* list : {&s.v, &s.vdot, &s.lambda})
    for (double& value : *list) value += 1e-3 * next() * (1 + std::fabs(value));
  for (double& u : s.u) u = 1e-5 * next();
  std::vector<double> q = s.q;
  compose(system, sample.q.data(), s.u.data(), q.data());
  s.q = q;
  return s;
}

struct Tally {
  int tried = 0, held = 0;
};

/// All programs at shaken states of all realisations.
Tally check_machine(const Recording& r, const MachinePrograms& programs, const Call& call) {
  Tally tally;
  const auto note = [&](bool held) { ++tally.tried, tally.held += held; };
  for (std::size_t k = 0; k < r.samples.size(); ++k) {
    const MachineSample s = shaken(r.samples[k], r.system, static_cast<int>(k));
    const std::vector<double>& c = r.constants[k % r.constants.size()];
    const ByKernels kernels(r, s, c);
    const std::vector<const double*> state = {
        c.data(), s.q.data(), s.v.data(), s.vdot.data(), s.lambda.data(), kernels.context.data()};
    note(check_program(programs.residual, state, {kernels.residual, kernels.rest}, call));
    note(check_program(programs.residual_without_dissipation, state,
                       {kernels.residual, kernels.rest}, call));
    auto with_u = state;
    with_u.push_back(s.u.data());
    note(check_program(programs.factor, with_u, {kernels.factor, {kernels.degraded}}, call));

    // A correction, as the integrator makes it.
    const std::size_t nv = s.v.size();
    std::vector<double> rhs = kernels.residual, solution(rhs.size()), scratch(rhs.size());
    for (std::size_t i = nv; i < rhs.size(); ++i) rhs[i] = r.step.row_scale * rhs[i];
    if (const auto* soft = r.plan.compliance())
      for (std::size_t i = 0; i < soft->size(); ++i)
        rhs[nv + i] = fnma((*soft)[i], s.lambda[i], rhs[nv + i]);
    solve(*r.plan.elimination, kernels.factor.data(), rhs.data(), solution.data(), scratch.data());
    const double* weight = c.data() + r.system.weight_constants;
    const std::vector<double> step = StepRegion::numbers(r.step);
    for (const double active : {1.0, 0.0}) {
      auto vdot = s.vdot, v = s.v, u = s.u, lambda = s.lambda, q = s.q;
      double change = 0, acceleration = 0, nonfinite = 0;
      for (std::size_t i = 0; i < nv; ++i) {
        const double delta = active > 0 ? solution[i] : 0.0;
        vdot[i] -= delta;
        v[i] = fnma(r.step.c1, delta, v[i]);
        u[i] = fnma(r.step.c2, delta, u[i]);
        change = max(weight[i] * std::fabs(delta), change);
        acceleration = max(weight[i] * std::fabs(vdot[i]), acceleration);
        nonfinite = fma(delta, 0.0, nonfinite);
      }
      if (active > 0)
        for (std::size_t i = 0; i < lambda.size(); ++i) lambda[i] -= solution[nv + i];
      compose(r.system, s.q.data(), u.data(), q.data());
      note(check_program(programs.correction,
                         {c.data(), kernels.residual.data(), s.lambda.data(), kernels.factor.data(),
                          &active, s.vdot.data(), s.v.data(), s.u.data(), s.q.data(), step.data()},
                         {solution, vdot, v, u, lambda, q, {change, acceleration, nonfinite}},
                         call));
    }
  }
  return tally;
}

Call by_interpreter() {
  return [](const Program& p, const auto& in, const auto& out) { return interpret(p, in, out); };
}

TEST(MachinePrograms, HaveTheBitsOfTheKernels) {
  for (const auto& machine : testing::machines) {
    SCOPED_TRACE(machine.name);
    const Recording r(machine.make());
    for (const MachinePrograms* programs : {&r.raw, &r.programs}) {
      const Tally tally = check_machine(r, *programs, by_interpreter());
      // A guard fails where this state takes another path than most; the kernels serve it.
      EXPECT_GT(tally.held, tally.tried * 3 / 4);
    }
    const auto count = [](const Program& p) { return count_operations(p); };
    std::printf(
        "%-25s residual %d -> %d, factor %d -> %d, correction %d -> %d, prediction %d -> %d; "
        "guards %zu, %zu, %zu\n",
        machine.name, count(r.raw.residual), count(r.programs.residual), count(r.raw.factor),
        count(r.programs.factor), count(r.raw.correction), count(r.programs.correction),
        count(r.raw.prediction), count(r.programs.prediction), r.programs.residual.guards.size(),
        r.programs.factor.guards.size(), r.programs.correction.guards.size());
  }
}

// The CUDA source, compiled as C++ for the host: what a thread of a GPU is told to compute.
Tally check_cuda(const Recording& r) {
  const MachinePrograms& p = r.programs;
  const EmittedSource source =
      emit_cuda({p.residual, p.residual_without_dissipation, p.factor, p.correction});
  auto flags = compile_flags(LaneRegisters::scalar);
  std::replace(flags.begin(), flags.end(), std::string("-O2"), std::string("-O1"));
  const testing::CompiledSource compiled(cuda_host_shim() + source.text, flags);
  using Function = int(const double* const*, double* const*, double*, long);
  int scratch = 0;
  for (const auto& function : source.functions) scratch = std::max(scratch, function.scratch);
  std::vector<double> waiting(static_cast<std::size_t>(scratch));
  return check_machine(r, p, [&](const Program& program, const auto& in, const auto& out) {
    auto* function = compiled.function<Function>(program.name);
    EXPECT_NE(function, nullptr);
    return function != nullptr && function(in.data(), out.data(), waiting.data(), 1) == 0;
  });
}

void expect_cuda_has_the_bits(const testing::Machine& machine) {
  SCOPED_TRACE(machine.name);
  const Recording r(machine.make());
  const Tally tally = check_cuda(r);
  EXPECT_GT(tally.held, tally.tried * 3 / 4);
  // Guards fail where the interpreter says so.
  EXPECT_EQ(tally.held, check_machine(r, r.programs, by_interpreter()).held);
}

TEST(MachineProgramsSlow, EmittedCudaHasTheBitsOfTheKernels) {
  for (const auto& machine : testing::machines)
    if (std::string(machine.name) != "flexible_double_pendulum") expect_cuda_has_the_bits(machine);
}
TEST(MachineProgramsLong, EmittedCudaOfBeamsHasTheBitsOfTheKernels) {
  expect_cuda_has_the_bits(testing::machines[2]);
}

std::string refusal_of(const Model& model) {
  const Plan plan = make_plan(model);
  const Schedule schedule = make_schedule(*plan.system, model);
  const auto recorded = record_machine(plan, most_frequent_step(*plan.system, schedule),
                                       sample_nominal_run(plan, schedule));
  const auto* refused = std::get_if<NoPrograms>(&recorded);
  return refused == nullptr ? std::string() : refused->reason;
}

TEST(MachinePrograms, WhatCannotBeRecordedSaysWhy) {
  EXPECT_EQ(refusal_of(testing::example("friction/stick-slip.yaml")),
            "it reads the time, or another number that recordings do not know");
  EXPECT_EQ(refusal_of(testing::example("contact/marble-in-hills.yaml")),
            "it looks up a height field");
  EXPECT_EQ(refusal_of(testing::example("contact/braking-wheel.yaml")), "it looks up a table");
}

// Joints, forces, contacts, friction, controllers and beams of all kinds: whatever can be recorded
// of the examples has the bits of its kernels.
TEST(MachineProgramsLong, ProgramsOfAllExamplesHaveTheBitsOfTheKernels) {
  namespace fs = std::filesystem;
  int recorded = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(std::string(source_directory) + "/examples")) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path().string());
    std::optional<Model> model;
    try {
      model = read_model(entry.path(), {}).model;
    } catch (const InputError&) {
      continue;  // a file that others include
    }
    if (!model->simulation.has_motion() ||
        model->simulation.integrator != IntegrationMethod::generalized_alpha)
      continue;
    if (!refusal_of(*model).empty()) continue;
    const Recording r(*model);
    const Tally tally = check_machine(r, r.programs, by_interpreter());
    std::printf("%-60s %4d of %4d runs held\n", entry.path().filename().c_str(), tally.held,
                tally.tried);
    ++recorded;
  }
  EXPECT_GT(recorded, 40);
}

}  // namespace
}  // namespace tumble
