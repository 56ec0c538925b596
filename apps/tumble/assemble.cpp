#include "assemble.hpp"

#include "tumble/integrate/integrator.hpp"

namespace tumble::app {

Plan assemble(const ModelFile& file, const std::string& path) {
  Plan plan = make_plan(compile(file.model));
  const std::vector<double> constants = prepare(*plan.system, file.model);
  const double step = file.model.simulation.first_step();
  try {
    Integrator integrator(plan, constants);
    integrator.start(initial_state(*plan.system, file.model), 0.0, 0.5 * step);
    integrator.restart(step);
  } catch (const SimulationError& error) {
    Diagnostic diagnostic;
    diagnostic.where.file = path;
    diagnostic.expectation = error.what();
    throw InputError({diagnostic});
  }
  return plan;
}

}  // namespace tumble::app
