#include "assemble.hpp"

#include <fmt/format.h>

#include "command.hpp"
#include "tumble/integrate/integrator.hpp"

namespace tumble::app {

Plan assemble(const ModelFile& file, const std::string& path) {
  const double step = file.model.simulation.step;
  long elements = 0;
  for (const Beam& beam : file.model.beams) elements += beam.elements;
  about_to(fmt::format("compiling {}: {} bodies, {} elements of beams, {} joints, {} probes", path,
                       file.model.bodies.size(), elements, file.model.joints.size(),
                       file.model.probes.size()));
  try {
    Plan plan = make_plan(compile(file.model));
    const std::vector<double> constants = prepare(*plan.system, file.model);
    Integrator integrator(plan, constants);
    integrator.start(initial_state(*plan.system, file.model), 0.0, 0.5 * step);
    integrator.restart(step);
    return plan;
  } catch (const SimulationError& error) {
    Diagnostic diagnostic;
    diagnostic.where.file = path;
    diagnostic.expectation = error.what();
    throw InputError({diagnostic});
  }
}

}  // namespace tumble::app
