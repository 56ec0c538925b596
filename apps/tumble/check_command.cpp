// tumble check: everything of a run that comes before its first step.
#include <fmt/format.h>

#include "command.hpp"
#include "model_argument.hpp"
#include "summary.hpp"
#include "terminal_observer.hpp"
#include "tumble/campaign/assemble.hpp"
#include "tumble/campaign/reliability/reliability_study.hpp"
#include "tumble/campaign/study_inputs.hpp"
#include "tumble/campaign/study_multilevel.hpp"
#include "tumble/campaign/warnings.hpp"
#include "tumble/integrate/watch/redundancy.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/model/compile/beam_shape.hpp"

namespace tumble::app {

void add_check_command(CLI::App& app, Action& action) {
  struct Arguments {
    std::string model;
    std::vector<std::string> overrides;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "check", "Read, compile and assemble a model; print a summary or the errors");
  add_model_arguments(*command, arguments->model, arguments->overrides);
  command->footer(
      "Example:\n"
      "  tumble check examples/classics/pendulum.yaml --set simulation.step=1e-4");
  command->callback([arguments, &action] {
    action = [arguments] {
      TerminalObserver observer;
      const ModelFile file = read_model_argument(arguments->model, arguments->overrides);
      std::vector<std::string> notes, warnings, start;
      const Plan plan = assemble(file, arguments->model, observer, &start);
      if (!file.study) warnings = beam_warnings(file.model);
      std::string runs;
      if (file.study && file.study->study.method == StudyMethod::chaos) {
        const StudyInputs inputs(file);
        notes = inputs.laws()->announcements();
        warnings = inputs.warnings();
        const std::size_t validation = inputs.chaos()->validation().weights.size();
        runs = fmt::format("polynomial chaos: {} runs", inputs.chaos()->plan().runs());
        if (validation > 0) runs += fmt::format(", and {} that measure its errors", validation);
      } else if (file.study && file.study->study.method == StudyMethod::sensitivity) {
        const StudyInputs inputs(file);
        notes = inputs.laws()->announcements();
        warnings = inputs.warnings();
        const SensitivityInputs& blocks = *inputs.sensitivity();
        runs = fmt::format("sensitivity: {} blocks of {} runs, for {}",
                           blocks.blocks_in(inputs.realizations()), blocks.block(),
                           fmt::join(blocks.factors(), "; "));
      } else if (file.study && file.study->study.method == StudyMethod::variability_response) {
        const StudyInputs inputs(file);
        warnings = inputs.warnings();
        const VariabilityInputs& waves = *inputs.variability();
        notes.push_back(fmt::format("variability response: {} wave numbers, {} phases",
                                    waves.wave_numbers().size(), waves.phases()));
        if (waves.check() > 0)
          notes.back() +=
              fmt::format(", and {} runs each with Gaussian and lognormal fields", waves.check());
      } else if (file.study && file.study->study.method == StudyMethod::reliability) {
        const StudyInputs inputs(file);
        require_enough_runs(file, *inputs.reliability());
        notes = inputs.laws()->announcements();
        warnings = inputs.warnings();
        const ReliabilityRequest& request = *file.study->study.reliability;
        runs = fmt::format("reliability by {}: at most {} runs, {} germs",
                           reliability_method_names[static_cast<std::size_t>(request.method)],
                           inputs.realizations(), inputs.reliability()->germs());
      } else if (file.study && file.study->study.method == StudyMethod::multilevel) {
        const StudyInputs inputs(file);
        notes = inputs.laws()->announcements();
        warnings = inputs.warnings();
        const StudyLevels levels(file, arguments->model, observer);
        runs = fmt::format("multilevel: {} levels, {} runs before numbers are chosen",
                           file.study->study.multilevel->levels.size(),
                           StudyLevels::runs(levels.first_round()));
      } else if (file.study && file.study->study.method == StudyMethod::worst_case) {
        const StudyInputs inputs(file);
        const WorstCaseInputs& box = *inputs.worst_case();
        notes = box.announcements();
        warnings = inputs.warnings();
        const std::size_t fitted = box.plan().runs(), first = box.points().rows();
        runs = fmt::format(
            "worst case: {} {}, {} runs, {} that measure errors, and at most {} of searches",
            box.intervals().size(), box.intervals().size() == 1 ? "interval" : "intervals", fitted,
            first - fitted, inputs.realizations() - first);
      } else if (!file.uncertainty->empty()) {
        DesignParameters sampling = sampling_of(file);
        if (sampling.kind == DesignKind::monte_carlo) sampling.realizations = 0;  // no chains
        const auto inputs = random_inputs(file, sampling);
        notes = inputs->laws().announcements();
        warnings = inputs->warnings();
      }
      fmt::print("{}{}{}", arguments->model, file.model.title.empty() ? "" : ": ",
                 file.model.title);
      fmt::print("\n{}", describe(plan));
      if (plan.redundancy) fmt::print("{}\n", plan.redundancy->note());
      for (const std::string& note : notes) fmt::print("{}\n", note);
      if (!runs.empty()) fmt::print("{}\n", runs);
      for (const std::string& warning : warnings) fmt::print("warning: {}\n", warning);
      Warnings(&observer).add(start);
    };
  });
}

}  // namespace tumble::app
