#include "tumble/campaign/identify/observed_ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/base/sha256.hpp"
#include "tumble/campaign/assemble.hpp"
#include "tumble/campaign/errors.hpp"
#include "tumble/campaign/run_progress.hpp"
#include "tumble/campaign/study_inputs.hpp"
#include "tumble/campaign/times/time_grid.hpp"
#include "tumble/inputs/excitation_draws.hpp"
#include "tumble/io/model/time_grid.hpp"
#include "tumble/io/results/build_info.hpp"
#include "tumble/io/results/results_file.hpp"
#include "tumble/study/ensemble.hpp"
#include "tumble/study/journal/study_store.hpp"
#include "tumble/study/workers.hpp"

namespace tumble {
namespace {

using Column = ObservedColumn;

/// The observed numbers as quantities of interest, which are evaluated where a run ends and travel
/// with its record. Columns that are inputs need none.
std::vector<QuantityOfInterest> observed_quantities(const ModelFile& file) {
  std::vector<QuantityOfInterest> all;
  for (const Column& column : file.identification->columns) {
    if (column.kind == Column::Kind::input) continue;
    if (column.kind == Column::Kind::quantity) {
      all.push_back((*file.quantities)[column.place]);
      continue;
    }
    QuantityOfInterest& value = all.emplace_back();
    value.name = column.name;
    value.kind = QuantityKind::final_value;
    value.formula.add_component(column.place);
    value.value_unit = column.unit;
    value.last = column.time;
  }
  return all;
}

/// Places of columns that are inputs among the inputs; -1 of others.
std::vector<int> input_places(const ModelFile& file, const std::vector<std::string>& paths) {
  std::vector<int> places;
  for (const Column& column : file.identification->columns) {
    const auto found = std::ranges::find(paths, column.what);
    places.push_back(column.kind == Column::Kind::input ? static_cast<int>(found - paths.begin())
                                                        : -1);
  }
  return places;
}

JournalIdentity identity_of_ensemble(const ModelFile& file, const Simulation& simulation,
                                     const DesignParameters& sampling) {
  std::string files;
  for (const auto& [path, digest] : file.referenced_files) files += digest + "  " + path + "\n";
  JournalIdentity all{{"program", "tumble " + version()},
                      {"source revision", build_info().revision},
                      {"compiler", build_info().compiler},
                      {"compiler flags", build_info().flags},
                      {"model", sha256(file.effective_yaml)},
                      {"files", files},
                      {"seed", std::to_string(sampling.seed)},
                      {"draws", std::to_string(sampling.realizations)},
                      {"design", std::to_string(static_cast<int>(sampling.kind))}};
  if (!simulation.grid.empty()) all.emplace("time grid", sha256(grid_text(simulation.grid)));
  return all;
}

/// What is run, on whichever rank.
struct PreparedEnsemble {
  Model model;  ///< with the time grid
  Plan plan;
  std::unique_ptr<const RandomInputs> random;
  EnsembleInputs inputs;
  std::vector<QuantityOfInterest> quantities;
  JournalIdentity identity;

  PreparedEnsemble(const ModelFile& file, const ObservedEnsembleOptions& options,
                   Observer& observer)
      : model(file.model),
        plan(assemble(file, options.model, observer)),
        random(random_inputs(file, options.sampling)),
        quantities(observed_quantities(file)) {
    settle_time_grid(model, plan, nullptr, options.threads, observer);
    inputs = {random->slots(), [this](std::uint64_t r, double* values) { random->fill(r, values); },
              excitation_draws(file.model, options.sampling.seed)};
    identity = identity_of_ensemble(file, model.simulation, options.sampling);
  }
  PreparedEnsemble(const PreparedEnsemble&) = delete;
  PreparedEnsemble& operator=(const PreparedEnsemble&) = delete;

  /// By which ranks know that they work on the same.
  std::string fingerprint() const { return sha256(encode_identity(identity)); }
  EnsembleOptions settings(int threads, Observer& observer) const {
    EnsembleOptions all;
    all.threads = threads;
    all.quantities = quantities;
    all.stop = [&observer] { return observer.cancelled(); };
    return all;
  }
};

std::unique_ptr<StudyStore> open_ensemble_journal(const std::filesystem::path& directory,
                                                  const JournalIdentity& identity,
                                                  const LayoutPointer& layout) {
  std::filesystem::create_directories(directory);
  try {
    return std::make_unique<StudyStore>(directory, identity, Journal::Start::resume, layout);
  } catch (const JournalError& error) {
    throw RequestError(fmt::format("cannot go on: {}", error.what()),
                       {Way::overwrite, Way::elsewhere});
  }
}

}  // namespace

ObservedEnsemble observe_ensemble(const ModelFile& file, const ObservedEnsembleOptions& options,
                                  Observer& observer) {
  const PreparedEnsemble ensemble(file, options, observer);
  const std::uint64_t draws = options.sampling.realizations;
  const LayoutPointer layout = statistics_layout(*ensemble.plan.system);
  const auto store = open_ensemble_journal(options.directory, ensemble.identity, layout);
  const auto finished = [&](const LeafTask& task) { return store->contains(task); };
  std::uint64_t missing = 0;
  int leaves = 0;
  for (const LeafSource next = leaf_source(draws, finished); const auto task = next();) {
    missing += task->count;
    ++leaves;
  }
  if (missing > 0) {
    const RunProgress progress(observer, draws - missing, draws, options.part);
    EnsembleOptions settings =
        ensemble.settings(std::clamp(leaves, 1, worker_count(options.threads)), observer);
    settings.progress = [&](std::uint64_t ended, std::uint64_t failed) {
      observer.advance(ended, failed);
    };
    const LeafSource next = leaf_source(draws, finished);
    const auto commit = [&](LeafResult&& leaf) { store->commit(std::move(leaf)); };
    const bool complete =
        options.leader == nullptr
            ? run_ensemble(ensemble.plan, ensemble.inputs, next, settings, commit)
            : options.leader->run_round(
                  options.description, ensemble.fingerprint(), ensemble.plan, ensemble.inputs, next,
                  settings, {commit, [&](EncodedLeaf&& leaf) { commit(decode(leaf, layout)); }});
    store->finish();
    store->sync();
    if (!complete) throw Cancelled("interrupted", true);
  }

  ObservedEnsemble result;
  result.paths = ensemble.random->paths();
  const std::vector<int> places = input_places(file, result.paths);
  const std::size_t columns = places.size(), numbers = result.paths.size();
  std::vector<LeafRecord> records;
  store->for_each_leaf(draws, [&](const LeafRecord& record) {
    LeafRecord& kept = records.emplace_back();
    kept.leaf = record.leaf;
    kept.inputs = record.inputs;
    kept.outcomes = record.outcomes;
    kept.quantities = record.quantities;
  });
  std::ranges::sort(records, {}, &LeafRecord::leaf);
  for (const LeafRecord& record : records) {
    for (std::size_t i = 0; i < record.outcomes.size() && record.first() + i < draws; ++i) {
      const double* x = &record.inputs[i * numbers];
      std::vector<double> row(columns);
      bool good = record.outcomes[i].status == RealizationStatus::ok;
      for (std::size_t c = 0, q = 0; c < columns; ++c) {
        row[c] = places[c] >= 0 ? x[places[c]]
                                : record.quantities[i * ensemble.quantities.size() + q].value;
        if (places[c] < 0) ++q;
        good = good && std::isfinite(row[c]);
      }
      if (!good) {
        if (result.failed++ == 0)
          result.first_failure =
              fmt::format("draw {}: {}", record.first() + i,
                          record.outcomes[i].reason.empty() ? "an observed number is not finite"
                                                            : record.outcomes[i].reason);
        continue;
      }
      result.inputs.insert(result.inputs.end(), x, x + numbers);
      result.responses.insert(result.responses.end(), row.begin(), row.end());
      result.indices.push_back(record.first() + i);
    }
  }
  return result;
}

void help_with_ensemble(const ModelFile& file, const ObservedEnsembleOptions& options, Ranks& ranks,
                        Observer& observer) {
  const PreparedEnsemble ensemble(file, options, observer);
  follow_ensemble(ranks, ensemble.fingerprint(), ensemble.plan, ensemble.inputs,
                  ensemble.settings(worker_count(options.threads), observer));
}

ObservedEnsemble observe_inputs(const ModelFile& file, const DesignParameters& sampling) {
  const auto random = random_inputs(file, sampling);
  ObservedEnsemble result;
  result.paths = random->paths();
  const std::vector<int> places = input_places(file, result.paths);
  std::vector<double> row(result.paths.size());
  for (std::uint64_t r = 0; r < sampling.realizations; ++r) {
    random->fill(r, row.data());
    result.inputs.insert(result.inputs.end(), row.begin(), row.end());
    for (const int place : places) result.responses.push_back(row[static_cast<std::size_t>(place)]);
    result.indices.push_back(r);
  }
  return result;
}

}  // namespace tumble
