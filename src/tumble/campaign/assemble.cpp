#include "tumble/campaign/assemble.hpp"

#include <fmt/format.h>

#include "tumble/campaign/model_text.hpp"
#include "tumble/integrate/start/start_state.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {

Plan assemble(const ModelFile& file, const std::string& path, Observer& observer,
              std::vector<std::string>* warnings) {
  const double step = file.model.simulation.first_step();
  long elements = 0;
  for (const Beam& beam : file.model.beams) elements += beam.elements;
  observer.about_to(fmt::format(
      "compiling {}: {} bodies, {} elements of beams, {} joints, {} probes", path,
      file.model.bodies.size(), elements, file.model.joints.size(), file.model.probes.size()));
  if (const Simulation& s = file.model.simulation;
      s.step && s.output_step && *s.step > *s.output_step * (1 + 1e-9))
    observer.say(Message::note,
                 fmt::format("simulation.step, {} s, is longer than output_step, {} s: every "
                             "output ends a step, so that steps are of {} s",
                             format_number(*s.step), format_number(*s.output_step),
                             format_number(*s.output_step)));
  std::string inputs;
  for (const Drive& drive : file.model.drives)
    if (const auto* input = std::get_if<InputDrive>(&drive.kind))
      inputs += fmt::format("{}{} = {}", inputs.empty() ? "" : ", ", drive.name,
                            format_number(input->start));
  if (!inputs.empty())
    observer.say(Message::note,
                 fmt::format("inputs keep their start values, {}: they are set where the model "
                             "runs as an FMU",
                             inputs));
  try {
    Plan plan = make_plan(compile(file.model));
    const std::vector<double> constants = prepare(*plan.system, file.model);
    Integrator integrator(plan, constants);
    integrator.start(start_state(plan, file.model, constants, 0.5 * step), 0.0, 0.5 * step);
    integrator.restart(step);
    const Workspace<double>& start = integrator.observe();
    if (!(integrator.alignment() > 0)) throw_turned_over(*plan.system, constants, start, 0.0);
    if (file.model.simulation.start == StartPose::described) {
      const auto changes = start_changes(plan, file.model, constants, 0.5 * step, integrator);
      refuse_changed_start(file.model, changes);
      if (warnings != nullptr) *warnings = describe(changes);
    }
    observer.about_to(size_of_run(*plan.system));  // which is what follows, if anything does
    return plan;
  } catch (const UserElementFailure&) {
    throw;  // no mistake of the file
  } catch (const SimulationError& error) {
    Diagnostic diagnostic;
    diagnostic.where.file = path;
    diagnostic.expectation = error.what();
    throw InputError({diagnostic});
  }
}

}  // namespace tumble
