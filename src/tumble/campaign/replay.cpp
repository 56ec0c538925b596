#include "tumble/campaign/replay.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tumble/base/sha256.hpp"
#include "tumble/campaign/assemble.hpp"
#include "tumble/campaign/errors.hpp"
#include "tumble/campaign/output_directory.hpp"
#include "tumble/campaign/prepared_study.hpp"
#include "tumble/campaign/reliability/reliability_study.hpp"
#include "tumble/campaign/study_inputs.hpp"
#include "tumble/campaign/study_multilevel.hpp"
#include "tumble/campaign/study_quantities.hpp"
#include "tumble/integrate/missing_outputs.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/integrate/step/schedule.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/io/model/time_grid.hpp"
#include "tumble/io/netcdf/netcdf_reader.hpp"
#include "tumble/io/results/added_functions.hpp"
#include "tumble/io/results/build_info.hpp"
#include "tumble/io/results/results_csv.hpp"
#include "tumble/io/results/results_file.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble {
namespace {

namespace fs = std::filesystem;

/// Of the study in a results file. @throws RequestError if there is none that has the realisation.
ResultsIdentity identify_study(const fs::path& results, long long realization) {
  const auto identity = read_results_identity(results);
  if (!identity) throw RequestError(no_results(results));
  const auto refuse = [&](const std::string& why) {
    throw RequestError(fmt::format("{} {}", results.string(), why));
  };
  if (sha256(identity->model) != identity->model_sha256)
    refuse("is damaged: its model does not fit its checksum");
  if (identity->model_path.empty()) refuse("holds a single run, not a study");
  if (identity->method == "sweep")
    throw RequestError(
        fmt::format("{} holds a sweep; each of its points is a study, in {}/points, if they were "
                    "kept",
                    results.string(), results.parent_path().string()),
        {Way::keep_points});
  if (identity->version != version())
    refuse(fmt::format("was written by version {}, this is {}", identity->version, version()));
  if (change_runs(identity->added_functions))
    refuse(
        "was computed with forces or constraints that another program added to the model: it does "
        "not hold them");
  if (realization < 0 || realization >= identity->realizations)
    throw RequestError(fmt::format("there is no realisation {}: {} has {}, counted from 0",
                                   realization, results.string(), identity->realizations));
  return *identity;
}

/// The model of the results, from the files it was made of.
ModelFile read_model_of(const fs::path& results, const ResultsIdentity& identity) {
  ModelFile file = read_model_text(identity.model, identity.model_path);
  ResultsMetadata metadata;
  metadata.effective_yaml = identity.model;
  metadata.referenced_files = file.referenced_files;
  if (identity_of(metadata).referenced_files != identity.referenced_files)
    throw RequestError(
        fmt::format("{} was computed with other content of the files that the model refers to",
                    results.string()));
  file.model.simulation.grid = read_grid_text(identity.time_grid);
  return file;
}

void tell_of_other_build(const fs::path& results, Observer& observer) {
  const NetcdfReader file(results);
  const BuildInfo& here = build_info();
  if (file.text_attribute("source_revision") != here.revision ||
      file.text_attribute("compiler") != here.compiler ||
      file.text_attribute("compiler_flags") != here.flags)
    observer.say(
        Message::note,
        fmt::format("{} was computed by another build of the program (source revision {}, "
                    "this is {}): the last bits may differ",
                    results.string(), file.text_attribute("source_revision"), here.revision));
}

/// The values of a row [time][number] take the place of those of the scalar engine.
void replace_values(Trajectory& trajectory, const SingleRealization& single) {
  std::size_t numbers = 0, first = 0;
  for (const ProbeSeries& series : trajectory.series)
    numbers += static_cast<std::size_t>(series.size);
  for (ProbeSeries& series : trajectory.series) {
    const auto size = static_cast<std::size_t>(series.size);
    for (std::size_t t = 0; t < trajectory.times.size(); ++t)
      std::copy_n(&single.values[t * numbers + first], size, &series.values[t * size]);
    first += size;
  }
}

void write_replay(const fs::path& study, const ModelFile& file, const std::string& effective_yaml,
                  ReplayResults& found) {
  OutputDirectory directory(study / fmt::format("replay-{}", found.realization));
  if (fs::is_symlink(directory.path()))
    throw RequestError(fmt::format("{} is a symbolic link, which is not followed: remove it",
                                   directory.path().string()));
  directory.refuse_special_files(csv_names(file.model.probes, true));
  directory.create();
  ResultsMetadata metadata;
  metadata.title = file.model.title;
  metadata.effective_yaml = effective_yaml;
  metadata.referenced_files = file.referenced_files;
  metadata.fields = describe_fields(file.model);
  metadata.method = fmt::format("replay of realisation {}", found.realization);
  metadata.host = host_name();
  const std::vector<CsvFile> csv = results_csv(found.trajectory);
  for (const CsvFile& f : csv) metadata.csv_files.push_back(f.name);
  directory.write(results_bytes(found.trajectory, metadata, found.details->quantities), csv);
  found.file = directory.results();
}

/// An entry of a variable over realisations.
std::uint64_t entry_of(const fs::path& results, const char* variable, std::uint64_t realization) {
  const NetcdfReader file(results);
  return static_cast<std::uint64_t>(file.numbers(*file.find(variable))[realization]);
}

/// The numbers of a realisation.
std::vector<double> row_of(const fs::path& results, const char* variable,
                           std::uint64_t realization) {
  const NetcdfReader file(results);
  const NetcdfReader::Variable& found = *file.find(variable);
  std::vector<double> row(found.sizes[1]);
  file.read(found, {realization, 0}, {1, row.size()}, row.data());
  return row;
}

}  // namespace

ReplayResults replay(const fs::path& directory, long long realization, Observer& observer) {
  const fs::path results = directory / "results.nc";
  const ResultsIdentity identity = identify_study(results, realization);
  ReplayResults found;
  found.realization = static_cast<std::uint64_t>(realization);
  ModelFile file = read_model_of(results, identity);
  tell_of_other_build(results, observer);
  // A run of a multilevel study has the grid of a level, and a draw that another run may have too.
  std::uint64_t draw = found.realization;
  if (file.study->study.method == StudyMethod::multilevel) {
    draw = entry_of(results, "draw", found.realization);
    file = level_file(file, identity.model_path, entry_of(results, "run_grid", found.realization));
  }
  const Plan plan = assemble(file, identity.model_path, observer);
  const StudyInputs study_inputs(file);
  EnsembleInputs inputs = study_inputs.ensemble();
  if (const ReliabilityInputs* chosen = study_inputs.reliability(); chosen != nullptr) {
    const std::vector<double> germs = germs_of(file, *chosen, statistics_layout(*plan.system),
                                               directory / Journal::file_name, found.realization);
    inputs.fill = [germs, chosen](std::uint64_t, double* values) { chosen->fill(germs, values); };
    if (inputs.excite)
      inputs.excite = [germs, first = chosen->random().units().size()](std::uint64_t, double* to) {
        std::copy(germs.begin() + static_cast<std::ptrdiff_t>(first), germs.end(), to);
      };
  }
  // Those of a search followed from other runs; the results have the numbers.
  if (study_inputs.worst_case() != nullptr)
    inputs.fill = [row = row_of(results, "inputs", found.realization)](
                      std::uint64_t, double* values) { std::ranges::copy(row, values); };
  const SingleRealization single = run_realization(plan, inputs, draw);
  stop_if_cancelled(observer);

  Realization numbers(file.model);
  const auto& slots = plan.system->parameters.slots();
  for (std::size_t i = 0; i < inputs.slots.size(); ++i) {
    const Slot& slot = slots[static_cast<std::size_t>(inputs.slots[i])];
    found.inputs.push_back({slot.path, std::string(slot.unit), single.inputs[i]});
    if (single.outcome.status != RealizationStatus::inadmissible)
      numbers.set(inputs.slots[i], single.inputs[i]);
  }
  excite(inputs, draw, numbers);
  if (single.outcome.status == RealizationStatus::inadmissible) {
    found.failure.emplace(single.outcome.reason, 0.0);
    return found;
  }
  try {
    RunOptions options;
    options.progress = [&](double) { stop_if_cancelled(observer); };
    found.trajectory = run(plan, numbers.model(), options);
    if (single.outcome.status != RealizationStatus::ok)
      throw SimulationError(single.outcome.reason, single.outcome.failure_time);
  } catch (const SimulationError& error) {
    found.failure = error;
    return found;
  }
  replace_values(found.trajectory, single);
  add_missing_outputs(found.trajectory, make_schedule(*plan.system, numbers.model()));
  std::vector<std::string> notes;
  const std::vector<double> of_state = state_values(*file.quantities, plan, numbers.model(), notes);
  found.details = std::make_shared<StudyDetails>(StudyDetails{
      {}, nominal_quantities(*file.quantities, found.trajectory, of_state), file.quantities});
  write_replay(directory, file, file.effective_yaml, found);
  return found;
}

}  // namespace tumble
