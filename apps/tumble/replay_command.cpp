// tumble replay: one realisation of a study again, with everything a single run gives.
#include <fmt/format.h>

#include "command.hpp"
#include "quantity_table.hpp"
#include "report_file.hpp"
#include "summary.hpp"
#include "terminal_observer.hpp"
#include "tumble/base/sha256.hpp"
#include "tumble/campaign/assemble.hpp"
#include "tumble/campaign/output_directory.hpp"
#include "tumble/campaign/prepared_study.hpp"
#include "tumble/campaign/study_inputs.hpp"
#include "tumble/campaign/study_quantities.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/io/model/time_grid.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble::app {
namespace {

struct Arguments {
  std::string directory;
  long long realization = 0;
};

/// The model of the results, from the files it was made of.
ModelFile read_model_of(const std::filesystem::path& results, const ResultsIdentity& identity) {
  ModelFile file = read_model_text(identity.model, identity.model_path);
  ResultsMetadata metadata;
  metadata.effective_yaml = identity.model;
  metadata.referenced_files = file.referenced_files;
  if (identity_of(metadata).referenced_files != identity.referenced_files)
    throw UsageError(
        fmt::format("{} was computed with other content of the files that the model refers to",
                    results.string()));
  file.model.simulation.grid = read_grid_text(identity.time_grid);
  return file;
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

void replay(const Arguments& arguments) {
  const std::filesystem::path results = std::filesystem::path(arguments.directory) / "results.nc";
  const auto identity = read_results_identity(results);
  if (!identity) throw UsageError(no_results(results));
  if (sha256(identity->model) != identity->model_sha256)
    throw UsageError(
        fmt::format("{} is damaged: its model does not fit its checksum", results.string()));
  if (identity->model_path.empty())
    throw UsageError(fmt::format("{} holds a single run, not a study", results.string()));
  if (identity->method == "sweep")
    throw UsageError(
        fmt::format("{} holds a sweep; its points can be replayed if they were kept: "
                    "tumble sweep --keep-points, tumble replay {}/points/0 {}",
                    results.string(), arguments.directory, arguments.realization));
  if (identity->version != version())
    throw UsageError(fmt::format("{} was written by version {}, this is {}", results.string(),
                                 identity->version, version()));
  if (arguments.realization < 0 || arguments.realization >= identity->realizations)
    throw UsageError(fmt::format("there is no realisation {}: {} has {}, counted from 0",
                                 arguments.realization, results.string(), identity->realizations));
  const auto number = static_cast<std::uint64_t>(arguments.realization);
  const ModelFile file = read_model_of(results, *identity);
  TerminalObserver observer;
  const Plan plan = assemble(file, identity->model_path, observer);
  const StudyInputs study_inputs(file);
  const EnsembleInputs& inputs = study_inputs.ensemble();
  const SingleRealization single = run_realization(plan, inputs, number);

  fmt::print("realisation {} of {}\n", number, results.string());
  const auto& slots = plan.system->parameters.slots();
  for (std::size_t i = 0; i < inputs.slots.size() && i < 12; ++i) {
    const Slot& slot = slots[static_cast<std::size_t>(inputs.slots[i])];
    fmt::print("  {} = {} {}\n", slot.path, format_number(single.inputs[i]), slot.unit);
  }
  if (single.outcome.status == RealizationStatus::inadmissible)
    throw SimulationError(single.outcome.reason, 0.0);

  Realization realization(file.model);
  for (std::size_t i = 0; i < inputs.slots.size(); ++i)
    realization.set(inputs.slots[i], single.inputs[i]);
  Trajectory trajectory = run(plan, realization.model());
  if (single.outcome.status != RealizationStatus::ok)
    throw SimulationError(single.outcome.reason, single.outcome.failure_time);
  replace_values(trajectory, single);

  OutputDirectory directory(std::filesystem::path(arguments.directory) /
                            fmt::format("replay-{}", number));
  if (std::filesystem::is_symlink(directory.path()))
    throw UsageError(fmt::format("{} is a symbolic link, which is not followed: remove it",
                                 directory.path().string()));
  directory.refuse_special_files(csv_names(file.model.probes, true));
  directory.create();
  ResultsMetadata metadata;
  metadata.title = file.model.title;
  metadata.effective_yaml = identity->model;
  metadata.referenced_files = file.referenced_files;
  metadata.fields = describe_fields(file.model);
  metadata.method = fmt::format("replay of realisation {}", number);
  metadata.host = host_name();
  const std::vector<CsvFile> csv = results_csv(trajectory);
  for (const CsvFile& f : csv) metadata.csv_files.push_back(f.name);
  const std::vector<QuantityResults> quantities = nominal_quantities(*file.quantities, trajectory);
  directory.write(results_bytes(trajectory, metadata, quantities), csv);
  const std::string table = peaks(trajectory), scalars = quantity_table(quantities, 0);
  if (!table.empty()) fmt::print("\n{}", table);
  if (!scalars.empty()) fmt::print("\n{}", scalars);
  fmt::print("\nresults: {}\n", directory.results().string());
}

}  // namespace

void add_replay_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "replay", "Recompute one realisation of a study into DIR/replay-N, bit for bit");
  command->add_option("DIR", arguments->directory, "Directory of a finished study")
      ->required()
      ->type_name("DIR")
      ->check(not_empty());
  command->add_option("REALISATION", arguments->realization, "Its number, counted from 0")
      ->required()
      ->type_name("N");
  command->footer(
      "Example:\n"
      "  tumble run examples/ensembles/pendulum-table.yaml -o out/swings --overwrite\n"
      "  tumble replay out/swings 17");
  command->callback([arguments, &action] { action = [arguments] { replay(*arguments); }; });
}

}  // namespace tumble::app
