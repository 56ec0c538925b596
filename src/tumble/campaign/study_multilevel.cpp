#include "tumble/campaign/study_multilevel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/campaign/assemble.hpp"
#include "tumble/campaign/errors.hpp"
#include "tumble/inputs/excitation_draws.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/integrate/run_work.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/model/excitation.hpp"

namespace tumble {
namespace {

constexpr std::uint64_t most_runs = 1'000'000;
/// A study begins with these; further ones follow where the grid is found too coarse.
constexpr std::size_t least_levels = 2;

/// How many levels have runs.
std::size_t used_levels(const LevelSource::Leaves& leaves) {
  return leaves.size() - static_cast<std::size_t>(std::ranges::count(leaves, 0U));
}

/// A mistake of the section `study.multilevel`.
InputError multilevel_mistake(const ModelFile& file, const std::string& field,
                              const std::string& expectation) {
  Diagnostic mistake;
  mistake.where = locate(file.model, "study.multilevel");
  mistake.element = "study";
  mistake.field = "multilevel" + field;
  mistake.expectation = expectation;
  return InputError({mistake});
}

std::string field_of(std::size_t level) { return fmt::format(".levels[{}]", level); }

int elements_of(const Model& model) {
  int sum = 0;
  for (const Beam& beam : model.beams) sum += beam.elements;
  return sum;
}

}  // namespace

ModelFile level_file(const ModelFile& file, const std::string& name, std::size_t level) {
  const LevelInput& input = file.study->study.multilevel->levels[level];
  std::vector<std::string> settings;
  if (input.step) settings.push_back("simulation.step=" + format_number(*input.step));
  for (const auto& [beam, count] : input.elements.list)
    settings.push_back(fmt::format("beams.{}.elements={}", beam, count));
  try {
    return read_model_text(file.effective_yaml, name, settings);
  } catch (const InputError& error) {
    const Diagnostic& first = error.diagnostics().front();
    throw multilevel_mistake(
        file, field_of(level),
        fmt::format("there is no such model: {}: {}{}{}", first.element, first.field,
                    first.field.empty() ? "" : ": ", first.expectation));
  }
}

StudyLevels::StudyLevels(const ModelFile& file, const std::string& name, Observer& observer)
    : study_(file.study->study), request_(*study_.multilevel) {
  if (!file.model.user_forces.empty() || !file.model.user_constraints.empty())
    throw multilevel_mistake(file, "",
                             "reads the model file once for every level and cannot have elements "
                             "that are supplied as C++ code");
  DesignParameters sampling = sampling_of(file);
  sampling.realizations = 0;  // no chains
  for (std::size_t l = 0; l < request_.levels.size(); ++l) {
    Level& level = levels_.emplace_back();
    level.file = level_file(file, name, l);
    level.step = level.file.model.simulation.first_step();
    level.elements = elements_of(level.file.model);
    level.inputs = random_inputs(level.file, sampling);
    if (!level.inputs->chains().empty())
      throw multilevel_mistake(
          file, "",
          fmt::format("needs independent realisations: {} is drawn by a Markov chain; leave out "
                      "sampler: metropolis",
                      level.inputs->chains().front().variable));
    if (level.inputs->paths() != levels_.front().inputs->paths() ||
        excitation_germs(level.file.model) != excitation_germs(levels_.front().file.model))
      throw multilevel_mistake(file, field_of(l),
                               "has other random numbers than level 0: random fields must have the "
                               "same number of terms, "
                               "and random drives the same band, on all levels");
  }
  const auto& quantities = *file.quantities;
  wanted_ = static_cast<std::size_t>(
      std::ranges::find(quantities, request_.quantity, &QuantityOfInterest::name) -
      quantities.begin());
  unit_ = quantities[wanted_].value_unit;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const RandomInputs* inputs = levels_[l].inputs.get();
    EnsembleInputs ensemble{inputs->slots(),
                            [inputs](std::uint64_t r, double* values) { inputs->fill(r, values); }};
    ensemble.excite = excitation_draws(levels_[l].file.model, sampling.seed);
    try {
      grids_.push_back({assemble(levels_[l].file, name, observer), std::move(ensemble),
                        *levels_[l].file.quantities});
    } catch (const InputError& error) {
      throw multilevel_mistake(file, field_of(l), error.diagnostics().front().expectation);
    }
  }
  seconds_.assign(levels_.size(), 0);
  timed_pairs_.assign(levels_.size(), 0);
}

void StudyLevels::count_work(Observer& observer) {
  RunOptions options;
  options.progress = [&](double) { stop_if_cancelled(observer); };
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const Trajectory nominal = run(grids_[l].plan, levels_[l].file.model, options);
    levels_[l].work = run_work(*grids_[l].plan.system, nominal.statistics);
  }
}

double StudyLevels::pair_work(std::size_t level) const {
  return levels_[level].work + (level > 0 ? levels_[level - 1].work : 0);
}

/// By what errors of the grid depend on: the smaller of the changes of step and of elements.
std::vector<double> StudyLevels::refinements() const {
  std::vector<double> all{1};
  for (std::size_t l = 1; l < levels_.size(); ++l) {
    double ratio = 0;
    const auto refined = [&](double by) {
      if (by > 1) ratio = ratio == 0 ? by : std::min(ratio, by);
    };
    refined(levels_[l - 1].step / levels_[l].step);
    const auto& beams = levels_[l].file.model.beams;
    for (std::size_t b = 0; b < beams.size(); ++b)
      refined(static_cast<double>(beams[b].elements) / levels_[l - 1].file.model.beams[b].elements);
    all.push_back(ratio);
  }
  return all;
}

std::uint64_t StudyLevels::pilot_leaves(std::size_t level) const {
  return LevelLeaves::leaves(level, static_cast<std::uint64_t>(request_.pilot));
}

LevelSource::Leaves StudyLevels::first_round() const {
  LevelSource::Leaves leaves;
  for (std::size_t l = 0; l < levels_.size(); ++l)
    leaves.push_back(l < least_levels ? pilot_leaves(l) : 0);
  return leaves;
}

std::uint64_t StudyLevels::runs(const LevelSource::Leaves& leaves) {
  std::uint64_t sum = 0;
  for (const std::uint64_t n : leaves) sum += n * realizations_per_leaf;
  return sum;
}

void StudyLevels::for_each_leaf(const LevelSource::Leaves& leaves, const StudyStore& store,
                                const std::function<void(const LeafRecord&)>& visit) const {
  const LevelLeaves numbering{levels_.size()};
  std::vector<std::uint64_t> first{0};
  for (const std::uint64_t n : leaves) first.push_back(first.back() + n);
  store.for_each_leaf(max_leaves * realizations_per_leaf, [&](const LeafRecord& record) {
    const std::size_t level = numbering.level_of(record.leaf);
    const std::uint64_t place = numbering.place_of(record.leaf);
    if (place >= leaves[level]) return;  // of a study that went further
    LeafRecord renumbered;
    renumbered.append(record);
    renumbered.leaf = first[level] + place;
    visit(renumbered);
  });
}

/// In the order of the runs' numbers, whatever the order of the journal.
StudyLevels::Samples StudyLevels::samples(const LevelSource::Leaves& leaves,
                                          const StudyStore& store) const {
  struct Pair {
    double fine = 0, coarse = 0, output_error = 0;
    bool good = false;
  };
  const std::size_t used = used_levels(leaves);
  std::vector<std::vector<Pair>> pairs(used);
  std::vector<std::uint64_t> first{0};
  for (std::size_t l = 0; l < used; ++l) {
    pairs[l].resize(leaves[l] * LevelLeaves::pairs(l));
    first.push_back(first.back() + leaves[l]);
  }
  const std::size_t quantities = grids_.front().quantities.size();
  for_each_leaf(leaves, store, [&](const LeafRecord& record) {
    const std::size_t level =
        static_cast<std::size_t>(std::ranges::upper_bound(first, record.leaf) - first.begin()) - 1;
    const std::uint64_t grids = LevelLeaves::grids(level);
    for (std::uint64_t i = 0; i < LevelLeaves::pairs(level); ++i) {
      Pair& pair = pairs[level][(record.leaf - first[level]) * LevelLeaves::pairs(level) + i];
      pair.good = true;
      for (std::uint64_t g = 0; g < grids; ++g) {
        const std::size_t run = i * grids + g;
        const QuantityValue& value = record.quantities[run * quantities + wanted_];
        pair.good = pair.good && record.outcomes[run].status == RealizationStatus::ok;
        (g == 0 ? pair.fine : pair.coarse) = value.value;
        if (g == 0) pair.output_error = value.output_error;
      }
    }
  });
  Samples all;
  all.failed.assign(used, 0);
  double errors = 0;
  for (std::size_t l = 0; l < used; ++l) {
    LevelSample& sample = all.levels.emplace_back();
    for (const Pair& pair : pairs[l]) {
      if (!pair.good) {
        ++all.failed[l];
        continue;
      }
      sample.fine.push_back(pair.fine);
      if (l > 0) sample.coarse.push_back(pair.coarse);
      if (l + 1 == used) errors += pair.output_error;
    }
    if (sample.fine.size() < 2)
      throw TooManyFailed(
          fmt::format("of {} pairs of runs on level {} all but {} failed: there is nothing to "
                      "estimate from",
                      pairs[l].size(), l, sample.fine.size()));
  }
  all.output_error = errors / static_cast<double>(all.levels.back().fine.size());
  return all;
}

MultilevelEstimate StudyLevels::estimate(const Samples& samples,
                                         MultilevelStatistic statistic) const {
  return multilevel_estimate(samples.levels, statistic, study_.interval_confidence, refinements());
}

double StudyLevels::target(const MultilevelEstimate& estimate) const {
  return request_.target.absolute_error
             ? *request_.target.absolute_error
             : *request_.target.relative_error * std::fabs(estimate.value);
}

LevelSource::Leaves StudyLevels::next_round(const LevelSource::Leaves& leaves,
                                            const StudyStore& store) const {
  const MultilevelEstimate now = estimate(samples(leaves, store), request_.statistic);
  // What the bias leaves is for chance, and half of it all in any case: where the grid is too
  // coarse, runs without end would not help, and a finer level does.
  const double wanted = target(now);
  const double allowed = std::max(wanted - now.bias, 0.5 * wanted);
  const std::size_t used = now.levels.size();
  LevelSource::Leaves next = leaves;
  if (now.statistical_error <= allowed) {
    if (now.error() <= wanted || used == levels_.size()) return leaves;
    next[used] = pilot_leaves(used);
  } else {
    std::vector<double> work;
    for (std::size_t l = 0; l < used; ++l) work.push_back(pair_work(l));
    const std::vector<std::uint64_t> pairs = choose_pairs(now, work, allowed);
    for (std::size_t l = 0; l < used; ++l)
      next[l] = std::max(next[l], LevelLeaves::leaves(l, pairs[l]));
  }
  const std::uint64_t most =
      study_.realizations ? static_cast<std::uint64_t>(*study_.realizations) : most_runs;
  // Fewer of all in proportion, rounded down: no round goes beyond.
  if (const std::uint64_t there = runs(leaves), asked = runs(next); asked > most) {
    const double share =
        there >= most ? 0 : static_cast<double>(most - there) / static_cast<double>(asked - there);
    for (std::size_t l = 0; l < next.size(); ++l)
      next[l] =
          leaves[l] + static_cast<std::uint64_t>(share * static_cast<double>(next[l] - leaves[l]));
  }
  return next;
}

void StudyLevels::add_seconds(std::uint64_t leaf, double seconds) {
  const std::size_t level = LevelLeaves{levels_.size()}.level_of(leaf);
  const std::lock_guard lock(mutex_);
  seconds_[level] += seconds;
  timed_pairs_[level] += LevelLeaves::pairs(level);
}

MultilevelResults StudyLevels::results(const LevelSource::Leaves& leaves,
                                       const StudyStore& store) const {
  const Samples all = samples(leaves, store);
  MultilevelResults found;
  found.quantity = request_.quantity;
  found.unit = unit_;
  found.statistic = request_.statistic;
  found.confidence = study_.interval_confidence;
  found.refinements = refinements();
  found.mean = estimate(all, MultilevelStatistic::mean);
  found.variance = estimate(all, MultilevelStatistic::variance);
  found.target = target(found.wanted());
  found.met = found.wanted().error() <= found.target;
  found.output_error = all.output_error;
  std::vector<double> run_works;
  bool timed = true;
  found.levels_given = levels_.size();
  for (std::size_t l = 0; l < found.mean.levels.size(); ++l) {
    MultilevelResults::Level& level = found.levels.emplace_back();
    level.step = levels_[l].step;
    level.elements = levels_[l].elements;
    level.work = levels_[l].work;
    level.pair_work = pair_work(l);
    level.leaves = leaves[l];
    level.failed = all.failed[l];
    run_works.push_back(level.work);
    const auto pairs = static_cast<double>(leaves[l] * LevelLeaves::pairs(l));
    found.work += pairs * level.pair_work;
    timed = timed && timed_pairs_[l] > 0;
    if (timed_pairs_[l] == 0) continue;
    level.pair_seconds = seconds_[l] / static_cast<double>(timed_pairs_[l]);
    found.seconds += pairs * level.pair_seconds;
  }
  found.plain = plain_monte_carlo(found.wanted(), run_works);
  if (!timed) {
    found.seconds = 0;
    return found;
  }
  const MultilevelResults::Level& grid = found.levels[found.plain.level];
  found.plain_seconds = found.plain.runs * grid.pair_seconds * grid.work / grid.pair_work;
  return found;
}

std::vector<std::string> multilevel_warnings(const MultilevelResults& found) {
  std::vector<std::string> all;
  const MultilevelEstimate& e = found.wanted();
  const std::string what = fmt::format(
      "the {} of {}", multilevel_statistic_names[static_cast<std::size_t>(found.statistic)],
      found.quantity);
  if (!found.met) {
    // An error of order p shrinks with the grid to the power p; half the target is for chance.
    const double finer = std::pow(std::max(1.0, 2 * e.bias / found.target), 1 / e.order);
    all.push_back(
        e.bias > 0.5 * found.target
            ? fmt::format(
                  "{}: the error claimed is {:.3g}, more than the {:.3g} asked for, because "
                  "the finest grid may be off by {:.3g}: a level that is some {:.1f} times "
                  "finer would help",
                  what, e.error(), found.target, e.bias, finer)
            : fmt::format("{}: the error claimed is {:.3g}, more than the {:.3g} asked for: "
                          "study.realizations allows no more runs",
                          what, e.error(), found.target));
  }
  if (!e.order_observed && e.bias > 0.1 * e.error())
    all.push_back(
        fmt::format("{}: the order of convergence of the grids could not be observed and is taken "
                    "to be 1; more levels tell it",
                    what));
  if (e.order_observed && e.order <= 0.5)
    all.push_back(
        fmt::format("{}: differences between levels hardly fade: what the finest grid is off by "
                    "cannot be told from them",
                    what));
  if (found.output_error > 0.5 * found.mean.error())
    all.push_back(fmt::format(
        "{}: runs are looked at every output_step only, which may be wrong by {:.2g}; the error "
        "claimed, {:.2g}, does not include that: a smaller output_step helps",
        found.quantity, found.output_error, found.mean.error()));
  return all;
}

}  // namespace tumble
