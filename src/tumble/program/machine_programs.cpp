#include <bit>
#include <cstdint>

#include "tumble/program/machine_recording.hpp"

namespace tumble {

std::variant<MachinePrograms, NoPrograms> record_machine(
    const Plan& plan, const StepNumbers& step, const std::vector<MachineSample>& samples) {
  if (samples.empty()) throw std::invalid_argument("a recording needs a sample");
  const System& system = *plan.system;
  if (!system.user_forces.empty() || !system.user_constraints.empty())
    return NoPrograms{"elements supplied as code cannot be recorded"};
  try {
    recording::MachineRecording recording(plan, step, samples);
    MachinePrograms programs;
    programs.residual = recording.residual();
    programs.factor = recording.factor();
    programs.correction = recording.correction();
    programs.prediction = recording.prediction();
    programs.residual_without_dissipation = programs.residual;
    programs.residual_needs_step_size = !system.tracked_angles.empty();
    return programs;
  } catch (const NotRecordable& reason) {
    return NoPrograms{reason.what()};
  }
}

Program without_dissipation(const Program& residual) {
  Program program = residual;
  program.name = "tumble_residual_without_dissipation";
  std::erase_if(program.stores, [](const Program::Output& store) {
    return store.region == ResidualRegions::rest && store.index == ResidualRegions::dissipation;
  });
  return without_dead_code(program);
}

std::vector<int> shared_constants(const std::vector<std::vector<double>>& constants) {
  std::vector<int> shared;
  for (std::size_t i = 0; i < constants.at(0).size(); ++i) {
    bool same = true;
    for (const auto& other : constants)
      same = same && std::bit_cast<std::uint64_t>(other[i]) ==
                         std::bit_cast<std::uint64_t>(constants[0][i]);
    if (same) shared.push_back(static_cast<int>(i));
  }
  return shared;
}

std::optional<MachinePrograms> specialize(const MachinePrograms& programs,
                                          const std::vector<int>& shared,
                                          const std::vector<double>& constants) {
  MachinePrograms result = programs;
  bool possible = true;
  // Constants are the first region wherever there are any.
  const auto with_constants = [&](Program& program) {
    std::vector<FixedInput> fixed;
    if (program.inputs[0].name == "constants")
      for (const int i : shared) fixed.push_back({0, i, constants[static_cast<std::size_t>(i)]});
    // What follows from operands that moved may be shorter once more.
    for (int pass = 0; pass < 2 && possible; ++pass) {
      auto shorter = specialize(program, fixed);
      possible = shorter.has_value();
      if (possible) program = std::move(*shorter);
    }
  };
  for (Program* program :
       {&result.residual, &result.factor, &result.correction, &result.prediction})
    with_constants(*program);
  if (!possible) return std::nullopt;
  result.residual_without_dissipation = without_dissipation(result.residual);
  return result;
}

}  // namespace tumble
