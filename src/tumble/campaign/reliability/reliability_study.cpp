#include "tumble/campaign/reliability/reliability_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tumble/campaign/errors.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/reliability/form.hpp"
#include "tumble/reliability/importance_sampling.hpp"
#include "tumble/reliability/monte_carlo.hpp"
#include "tumble/reliability/subset_simulation.hpp"

namespace tumble {
namespace {

std::size_t quantity_place(const ModelFile& file) {
  const auto& all = *file.quantities;
  const auto found =
      std::ranges::find(all, file.study->study.reliability->quantity, &QuantityOfInterest::name);
  return static_cast<std::size_t>(found - all.begin());
}

ProbabilityEstimate estimate_by(ReliabilityMethod method, std::uint64_t runs, const Study& study,
                                std::size_t germs, const LimitState& g) {
  const ReliabilityRequest& request = *study.reliability;
  const auto seed = static_cast<std::uint64_t>(study.seed);
  const auto starts = static_cast<std::size_t>(request.starts.value_or(0));
  const double confidence = study.interval_confidence;
  switch (method) {
    case ReliabilityMethod::monte_carlo:
      return monte_carlo(germs, g, {.runs = runs, .seed = seed, .confidence = confidence});
    case ReliabilityMethod::subset:
      return subset_simulation(germs, g,
                               {.runs = runs,
                                .replicas = static_cast<std::uint64_t>(request.replicas),
                                .level_probability = request.level_probability,
                                .seed = seed,
                                .confidence = confidence});
    case ReliabilityMethod::importance:
      return importance_sampling(germs, g,
                                 {.runs = runs,
                                  .seed = seed,
                                  .confidence = confidence,
                                  .nominal_share = request.nominal_share,
                                  .starts = starts});
    case ReliabilityMethod::form:
    case ReliabilityMethod::sorm:
      return form(germs, g,
                  {.seed = seed,
                   .runs = runs,
                   .starts = starts,
                   .second_order = method == ReliabilityMethod::sorm});
  }
  return {};
}

/// Runs that a method needs at least for gradients and curvatures; 0: as few as one likes.
std::uint64_t least_runs(ReliabilityMethod method, std::size_t germs) {
  switch (method) {
    case ReliabilityMethod::importance:
      return 2 * least_search_runs(germs);
    case ReliabilityMethod::form:
      return least_search_runs(germs);
    case ReliabilityMethod::sorm:
      return least_search_runs(germs) + curvature_runs(germs);
    default:
      return 0;
  }
}

std::string disagreement(const ReliabilityResults& found) {
  const ProbabilityEstimate &a = found.estimate, &b = *found.cross_check;
  if (a.is_approximation() || b.is_approximation()) return {};
  if (a.lower <= b.upper && b.lower <= a.upper) return {};
  return fmt::format(
      "the cross-check does not agree: {:.3g} ({:.3g} to {:.3g}) against {:.3g} ({:.3g} to "
      "{:.3g}). "
      "One of the two misses a way to fail",
      b.probability, b.lower, b.upper, a.probability, a.lower, a.upper);
}

}  // namespace

ValueOfRun distance_from_limit(const ModelFile& file) {
  return [request = *file.study->study.reliability, quantity = quantity_place(file),
          quantities = file.quantities->size()](const LeafRecord& record, std::size_t place) {
    const QuantityValue& value = record.quantities[place * quantities + quantity];
    return LimitValue{request.distance(value.value), value.output_error};
  };
}

ReliabilityResults find_probability(const ModelFile& file, const ReliabilityInputs& inputs,
                                    const LimitState& g) {
  const Study& study = file.study->study;
  const ReliabilityRequest& request = *study.reliability;
  ReliabilityResults found;
  found.request = request;
  found.unit = (*file.quantities)[quantity_place(file)].value_unit;
  found.confidence = study.interval_confidence;
  found.germs = inputs.germ_names();
  found.inputs = inputs.random().paths();
  found.estimate = estimate_by(request.method, static_cast<std::uint64_t>(request.runs), study,
                               inputs.germs(), g);
  for (const DesignPoint& point : found.estimate.design_points) {
    std::vector<double>& row = found.design_point_inputs.emplace_back(found.inputs.size());
    inputs.fill(point.germs, row.data());
  }
  std::vector<std::string>& warnings = found.estimate.warnings;
  if (request.cross_check) {
    const auto runs = static_cast<std::uint64_t>(request.cross_check_runs.value_or(request.runs));
    found.cross_check = estimate_by(*request.cross_check, runs, study, inputs.germs(), g);
    for (const std::string& sentence : found.cross_check->warnings)
      warnings.push_back("cross-check: " + sentence);
    if (const std::string sentence = disagreement(found); !sentence.empty())
      warnings.push_back(sentence);
  }
  const ProbabilityEstimate& e = found.estimate;
  if (e.failed > 0)
    warnings.push_back(
        fmt::format("{} of {} runs failed. The estimate counts them as not beyond the limit; the "
                    "upper end of its interval as beyond it",
                    e.failed, e.runs));
  constexpr double much = 0.1;
  if (e.probability > 0 && e.error_upper - e.error_lower > much * e.probability)
    warnings.push_back(fmt::format(
        "between outputs {} is known so badly that the probability may be {:.3g} to {:.3g}: take a "
        "smaller simulation.output_step",
        request.quantity, e.error_lower, e.error_upper));
  return found;
}

void require_enough_runs(const ModelFile& file, const ReliabilityInputs& inputs) {
  const ReliabilityRequest& request = *file.study->study.reliability;
  const auto require = [&](ReliabilityMethod method, int runs, const char* field) {
    const std::uint64_t least = least_runs(method, inputs.germs());
    if (static_cast<std::uint64_t>(runs) >= least) return;
    Diagnostic mistake;
    mistake.where = locate(file.model, "study.reliability");
    mistake.element = "study";
    mistake.field = std::string("reliability.") + field;
    mistake.value = std::to_string(runs);
    mistake.expectation = fmt::format(
        "must be at least {} with method {}, whose gradients take a run for each of the {} germs; "
        "method: subset needs none",
        least, reliability_method_names[static_cast<std::size_t>(method)], inputs.germs());
    throw InputError({mistake});
  };
  require(request.method, request.runs, "runs");
  if (request.cross_check)
    require(*request.cross_check, request.cross_check_runs.value_or(request.runs),
            request.cross_check_runs ? "cross_check_runs" : "runs");
}

std::vector<double> germs_of(const ModelFile& file, const ReliabilityInputs& inputs,
                             const LayoutPointer& layout, const std::filesystem::path& journal,
                             std::uint64_t realization) {
  const auto missing = [&] {
    throw RequestError(fmt::format(
        "{} does not have the values that the points of this study follow from; only a study that "
        "keeps its journal can be replayed",
        journal.string()));
  };
  std::error_code ignored;
  if (!std::filesystem::exists(journal, ignored)) missing();
  std::map<std::uint64_t, std::vector<LimitValue>> values;
  const ValueOfRun value_of = distance_from_limit(file);
  inspect_journal(journal, [&](const RecordInfo& info, std::string_view payload) {
    if (info.key.kind != record_kind::leaf_data) return;
    const LeafRecord record = LeafRecord::deserialize(info.key.index, payload, layout);
    std::vector<LimitValue>& all = values[info.key.index];
    all.clear();
    for (std::size_t i = 0; i < record.realizations(); ++i) all.push_back(value_of(record, i));
  });
  struct Found {
    std::vector<double> germs;
  };
  std::uint64_t asked = 0, leaves = 0;
  try {
    find_probability(file, inputs, [&](const GermPoints& points) {
      if (realization < asked + points.size()) {
        const std::span<const double> row = points.row(realization - asked);
        throw Found{{row.begin(), row.end()}};
      }
      asked += points.size();
      std::vector<LimitValue> answer;
      for (const std::size_t size : leaf_sizes(points.size())) {
        const auto leaf = values.find(leaves++);
        if (leaf == values.end() || leaf->second.size() != size) missing();
        answer.insert(answer.end(), leaf->second.begin(), leaf->second.end());
      }
      return answer;
    });
  } catch (const Found& found) {
    return found.germs;
  }
  missing();
  return {};
}

void for_each_packed_leaf(const Journal& journal, const LayoutPointer& layout,
                          const std::function<void(const LeafRecord&)>& visit) {
  std::map<std::uint64_t, LeafRecord> waiting;  // leaves that came before their turn
  std::uint64_t next = 0;
  LeafRecord packed;
  const auto append = [](auto& to, const auto& from, std::size_t place, std::size_t size) {
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(place * size);
    to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(size));
  };
  const auto add = [&](const LeafRecord& record) {
    const std::size_t n = record.realizations();
    packed.input_count = record.input_count;
    for (std::size_t i = 0; i < n; ++i) {
      append(packed.inputs, record.inputs, i, record.input_count);
      packed.outcomes.push_back(record.outcomes[i]);
      append(packed.summaries.peaks, record.summaries.peaks, i, record.summaries.peaks.size() / n);
      append(packed.summaries.square_integrals, record.summaries.square_integrals, i,
             record.summaries.square_integrals.size() / n);
      append(packed.quantities, record.quantities, i, record.quantities.size() / n);
      if (packed.realizations() < realizations_per_leaf) continue;
      visit(packed);
      const std::uint64_t leaf = packed.leaf + 1;
      packed = {};
      packed.leaf = leaf;
      packed.input_count = record.input_count;
    }
  };
  journal.for_each([&](const RecordInfo& info, std::string_view payload) {
    if (info.key.kind != record_kind::leaf_data || info.key.index < next) return;
    waiting.insert_or_assign(info.key.index,
                             LeafRecord::deserialize(info.key.index, payload, layout));
    for (auto found = waiting.find(next); found != waiting.end(); found = waiting.find(++next)) {
      add(found->second);
      waiting.erase(found);
    }
  });
  if (packed.realizations() > 0) visit(packed);
}

}  // namespace tumble
