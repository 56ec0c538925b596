#include "assemble.hpp"

#include "tumble/integrate/start_state.hpp"

namespace tumble::app {

Plan assemble(const ModelFile& file, const std::string& path, std::vector<std::string>* warnings) {
  Plan plan = make_plan(compile(file.model));
  const std::vector<double> constants = prepare(*plan.system, file.model);
  const double step = file.model.simulation.step;
  try {
    Integrator integrator(plan, constants);
    integrator.start(start_state(plan, file.model, constants, 0.5 * step), 0.0, 0.5 * step);
    integrator.restart(step);
    if (!(integrator.alignment() > 0))
      throw_turned_over(*plan.system, constants, integrator.observe(), 0.0);
    if (file.model.simulation.start == StartPose::described) {
      const auto changes = start_changes(plan, file.model, constants, 0.5 * step, integrator);
      refuse_changed_start(file.model, changes);
      if (warnings != nullptr) *warnings = describe(changes);
    }
  } catch (const SimulationError& error) {
    Diagnostic diagnostic;
    diagnostic.where.file = path;
    diagnostic.expectation = error.what();
    throw InputError({diagnostic});
  }
  return plan;
}

}  // namespace tumble::app
