#include "tumble/campaign/single_run.hpp"

#include <chrono>

#include "tumble/campaign/assemble.hpp"
#include "tumble/campaign/errors.hpp"
#include "tumble/campaign/model_text.hpp"
#include "tumble/campaign/output_directory.hpp"
#include "tumble/campaign/prepared_study.hpp"
#include "tumble/campaign/study_quantities.hpp"
#include "tumble/campaign/times/time_grid.hpp"
#include "tumble/campaign/warnings.hpp"
#include "tumble/integrate/accuracy/time_error.hpp"
#include "tumble/integrate/missing_outputs.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/integrate/step/schedule.hpp"
#include "tumble/integrate/watch/redundancy.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/io/model/time_grid.hpp"
#include "tumble/io/results/results_csv.hpp"
#include "tumble/io/results/results_file.hpp"
#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/excitation.hpp"

namespace tumble {
namespace {

ResultsMetadata describe_single(const ModelFile& file, const SingleOptions& options) {
  ResultsMetadata metadata;
  metadata.title = file.model.title;
  metadata.effective_yaml = file.effective_yaml;
  metadata.referenced_files = file.referenced_files;
  metadata.fields = describe_fields(file.model);
  metadata.host = host_name();
  if (!options.command.empty()) metadata.attributes.emplace_back("command", options.command);
  // Not model_path, which only studies have: their realisations can be replayed.
  metadata.attributes.emplace_back("model_file", std::filesystem::absolute(options.model).string());
  if (!file.model.beams.empty())
    metadata.attributes.emplace_back("beams", describe_beams(file.model));
  return metadata;
}

/// The run and, if the model asks for it, the one that tells its error.
Trajectory integrate(const Plan& plan, const Model& model, Observer& observer) {
  struct Ending {
    Observer& observer;
    ~Ending() { observer.end(); }
  } const ending{observer};
  const double duration = model.simulation.duration;
  // With half the steps, a second run takes twice as long.
  const double share = model.simulation.estimates_time_error() ? 1.0 / 3 : 1.0;
  double begun = 0;
  RunOptions options;
  options.progress = [&](double fraction) {
    stop_if_cancelled(observer);
    if (!model.simulation.has_motion()) return;
    observer.simulated((begun + (begun > 0 ? 1 - share : share) * fraction) * duration, duration);
  };
  Trajectory trajectory = run(plan, model, options);
  begun = share;
  if (model.simulation.estimates_time_error()) add_time_error(plan, model, trajectory, options);
  add_missing_outputs(trajectory, make_schedule(*plan.system, model));
  return trajectory;
}

}  // namespace

SingleResults run_single(const ModelFile& file, const SingleOptions& options, Observer& observer) {
  Model model = file.model;  // with the time grid, once it is found
  Plan plan = assemble(file, options.model, observer);
  OutputDirectory directory(options.directory);
  directory.refuse_special_files(options.csv ? csv_names(model.probes, true)
                                             : std::vector<std::string>{});
  directory.refuse_sweep();
  if (!file.uncertainty->empty() && !file.study)
    observer.say(Message::information, "the file has no section study: this is the nominal run");
  if (excitation_germs(model) > 0)
    observer.say(
        Message::note,
        "random drives are zero in a single run; a section study draws their realisations");
  ResultsMetadata metadata = describe_single(file, options);
  if (options.csv)
    metadata.csv_files =
        csv_names(model.probes, !make_schedule(*plan.system, model).breaks.empty());
  directory.refuse_study(options.if_results_exist);
  SingleResults found;
  found.file = directory.results();
  found.already_there = directory.already_done(options.if_results_exist, identity_of(metadata));
  if (found.already_there) return found;
  std::vector<std::string> notes;
  const std::vector<double> of_state = state_values(*file.quantities, plan, model, notes);
  directory.create();
  directory.remove_study();
  if (plan.redundancy) observer.say(Message::note, plan.redundancy->note());

  Warnings warnings(&observer);
  for (const std::string& note : notes) observer.say(Message::note, note);
  warnings.add(beam_warnings(model));
  const bool chooses = model.simulation.integrator == IntegrationMethod::automatic;
  warnings.add(settle_single_run(model, plan, options.threads, observer));
  if (chooses)
    metadata.attributes.emplace_back("integrator", method_text(model.simulation.integrator));
  if (!model.simulation.grid.empty())
    metadata.attributes.emplace_back("time_grid", grid_text(model.simulation.grid));

  const auto start = std::chrono::steady_clock::now();
  found.trajectory = integrate(plan, model, observer);
  found.wall_time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  found.simulation = model.simulation;
  found.degrees_of_freedom = plan.degrees_of_freedom();
  const auto details = std::make_shared<StudyDetails>(StudyDetails{
      {}, nominal_quantities(*file.quantities, found.trajectory, of_state), file.quantities});
  found.details = details;
  warnings.add(found.trajectory.warnings);
  warnings.add(output_warnings(details->quantities));
  found.warnings = warnings.sentences();

  metadata.wall_time = found.wall_time;
  if (!warnings.empty()) metadata.attributes.emplace_back("warnings", warnings.text());
  const std::vector<CsvFile> csv =
      options.csv ? results_csv(found.trajectory) : std::vector<CsvFile>{};
  metadata.csv_files.clear();
  for (const CsvFile& f : csv) metadata.csv_files.push_back(f.name);
  const std::string results = results_bytes(found.trajectory, metadata, details->quantities);
  stop_if_cancelled(observer);
  directory.write(results, csv);
  return found;
}

}  // namespace tumble
