#include "tumble/campaign/worst_case/worst_case_study.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "tumble/campaign/worst_case/worst_case_warnings.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/random/stream/variable_id.hpp"
#include "tumble/study/workers.hpp"

namespace tumble {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Machines at which polynomials have their extremes, at most.
constexpr std::size_t most_extremes = 4 * realizations_per_leaf;

static_assert(BoxSearch::generation == realizations_per_leaf);

WorstCaseRequest request_of(const ModelFile& file) {
  return file.study->study.worst_case.value_or(WorstCaseRequest{});
}

std::vector<std::size_t> searched_quantities(const ModelFile& file) {
  const std::vector<std::string> names = request_of(file).quantities;
  std::vector<std::size_t> places;
  for (std::size_t q = 0; q < file.quantities->size(); ++q)
    if (names.empty() || std::ranges::find(names, (*file.quantities)[q].name) != names.end())
      places.push_back(q);
  return places;
}

std::uint64_t most_generations(const WorstCaseRequest& request) {
  return static_cast<std::uint64_t>(request.search_runs) / realizations_per_leaf;
}

}  // namespace

std::uint64_t most_worst_case_runs(const ModelFile& file, const WorstCaseInputs& inputs) {
  const WorstCaseRequest request = request_of(file);
  const std::uint64_t first = inputs.points().rows();
  if (request.search_runs == 0) return first;
  return first + most_extremes +
         searched_quantities(file).size() * most_generations(request) * realizations_per_leaf;
}

WorstCaseStudy::WorstCaseStudy(const ModelFile& file, const WorstCaseInputs& inputs,
                               LayoutPointer layout, int threads)
    : file_(file),
      request_(request_of(file)),
      inputs_(inputs),
      layout_(std::move(layout)),
      threads_(threads),
      seed_(static_cast<std::uint64_t>(file.study->study.seed)),
      first_leaves_(inputs.points().rows() / realizations_per_leaf),
      searched_(searched_quantities(file)) {}

WorstCaseStudy::Runs WorstCaseStudy::runs(std::uint64_t leaves, const StudyStore& store) const {
  const std::uint64_t count = leaves * realizations_per_leaf;
  const std::size_t quantities = file_.quantities->size();
  Runs all;
  all.failed.resize(count);
  all.quantities.assign(quantities, std::vector<double>(count, nan));
  store.for_each_leaf(count, [&](const LeafRecord& leaf) {
    for (std::size_t i = 0; i < leaf.realizations(); ++i) {
      const std::uint64_t run = leaf.first() + i;
      all.failed[run] = leaf.outcomes[i].status != RealizationStatus::ok;
      if (all.failed[run] != 0) continue;
      for (std::size_t q = 0; q < quantities; ++q)
        if (const double value = leaf.quantities[i * quantities + q].value; std::isfinite(value))
          all.quantities[q][run] = value;
    }
  });
  return all;
}

void WorstCaseStudy::fit(const Runs& runs, StudyStore& store) {
  const ChaosPlan& plan = inputs_.plan();
  const StoredValues& stored = store.values(first_leaves_ * realizations_per_leaf);
  const std::size_t row = layout_->row(), quantities = file_.quantities->size();
  DenseMatrix values(plan.runs(), row + quantities);
  for (std::size_t i = 0; i < plan.runs(); ++i) {
    std::copy_n(stored.row(i), row, values.row(i).begin());
    for (std::size_t q = 0; q < quantities; ++q) values(i, row + q) = runs.quantities[q][i];
  }
  const auto failed = std::span(runs.failed).first(plan.runs());
  const bool any = std::ranges::any_of(failed, [](std::uint8_t f) { return f != 0; });
  try {
    surrogate_.fit = plan.fit(values, any ? failed : std::span<const std::uint8_t>());
  } catch (const std::runtime_error& error) {  // too few runs are left
    surrogate_.failure = error.what();
    return;
  } catch (const std::invalid_argument& error) {  // those that are left do not tell terms apart
    surrogate_.failure = error.what();
    return;
  }
  surrogate_.bounds = box_bounds(surrogate_.fit->expansion, worker_count(threads_));
}

void WorstCaseStudy::add_leaf(DenseMatrix points, std::vector<WorstCaseRole> roles) {
  leaves_.push_back({std::make_shared<const std::vector<double>>(
                         points.data(), points.data() + points.rows() * points.columns()),
                     std::move(roles)});
}

/// Those of quantities of interest; those of each number at the times of its overall extremes; then
/// those of numbers at times that are spread over the run. Each machine once; what is left of the
/// last leaf looks at the fit elsewhere.
void WorstCaseStudy::ask_extremes() {
  const BoxBounds& bounds = surrogate_.bounds;
  const std::size_t row = layout_->row(), numbers = layout_->numbers();
  std::vector<std::vector<double>> places;
  std::set<std::vector<double>> known;
  const auto add = [&](std::size_t output, bool upper) {
    if (places.size() == most_extremes || std::isnan(bounds.lower[output])) return;
    const auto at = (upper ? bounds.upper_at : bounds.lower_at).row(output);
    std::vector<double> place(at.begin(), at.end());
    if (known.insert(place).second) places.push_back(std::move(place));
  };
  for (std::size_t q = 0; q < file_.quantities->size(); ++q)
    for (const bool upper : {false, true}) add(row + q, upper);
  for (std::size_t n = 0; n < numbers; ++n)
    for (const bool upper : {false, true}) {
      std::size_t best = n;
      for (std::size_t o = n; o < row; o += numbers)
        if (upper ? bounds.upper[o] > bounds.upper[best] : bounds.lower[o] < bounds.lower[best])
          best = o;
      add(best, upper);
    }
  const std::size_t whole = std::max<std::size_t>(1, (places.size() + realizations_per_leaf - 1) /
                                                         realizations_per_leaf) *
                            realizations_per_leaf;
  // A step that has no factor in common with many numbers visits them all at many times.
  constexpr double golden = 0.6180339887498949;
  for (std::size_t i = 1; i <= 4 * whole && places.size() < whole; ++i) {
    const double place = std::fmod(golden * static_cast<double>(i), 1.0);
    add(static_cast<std::size_t>(place * static_cast<double>(row)), i % 2 == 0);
  }
  std::vector<WorstCaseRole> roles(places.size(), WorstCaseRole::extreme);
  const DenseMatrix others =
      box_points(inputs_.intervals().size(), whole, seed_, "beside the extremes");
  for (std::size_t i = 0; places.size() < whole; ++i) {
    places.emplace_back(others.row(i).begin(), others.row(i).end());
    roles.push_back(WorstCaseRole::kept_out);
  }
  for (std::size_t first = 0; first < whole; first += realizations_per_leaf) {
    DenseMatrix points(realizations_per_leaf, inputs_.intervals().size());
    for (std::size_t i = 0; i < realizations_per_leaf; ++i)
      std::ranges::copy(places[first + i], points.row(i).begin());
    const auto begin = roles.begin() + static_cast<std::ptrdiff_t>(first);
    add_leaf(std::move(points), {begin, begin + realizations_per_leaf});
  }
}

std::uint64_t WorstCaseStudy::next_round(std::uint64_t leaves, StudyStore& store) {
  const Runs known = runs(leaves, store);
  if (leaves == first_leaves_) {
    fit(known, store);
    if (!surrogate_.fit || request_.search_runs == 0) return leaves;
    ask_extremes();
    for (const std::size_t q : searched_) {
      const std::uint64_t use = variable_id("worst case of " + (*file_.quantities)[q].name);
      searches_.push_back(
          {q, BoxSearch(inputs_.points(), known.quantities[q], seed_, use), std::nullopt});
    }
  }
  for (Search& one : searches_) {
    if (one.asked)
      one.search.tell(std::span(known.quantities[one.quantity])
                          .subspan(*one.asked * realizations_per_leaf, realizations_per_leaf));
    one.asked.reset();
    if (one.search.converged() || one.search.generations() == most_generations(request_)) continue;
    one.asked = leaves_so_far();
    one.leaves.push_back(*one.asked);
    add_leaf(one.search.next(),
             std::vector<WorstCaseRole>(realizations_per_leaf, WorstCaseRole::search));
  }
  return leaves_so_far();
}

LeafTask WorstCaseStudy::placed(LeafTask task) const {
  if (!task.is_pause() && task.leaf >= first_leaves_)
    task.germs = leaves_[task.leaf - first_leaves_].germs;
  return task;
}

std::span<const double> WorstCaseStudy::germs_of(std::uint64_t run) const {
  if (run < inputs_.points().rows()) return inputs_.points().row(run);
  const std::uint64_t behind = run - inputs_.points().rows();
  const std::size_t germs = inputs_.intervals().size();
  return std::span(*leaves_[behind / realizations_per_leaf].germs)
      .subspan(behind % realizations_per_leaf * germs, germs);
}

WorstCaseRole WorstCaseStudy::role_of(std::uint64_t run) const {
  if (run < inputs_.plan().runs()) return WorstCaseRole::fit;
  if (run < inputs_.points().rows()) return WorstCaseRole::kept_out;
  const std::uint64_t behind = run - inputs_.points().rows();
  return leaves_[behind / realizations_per_leaf].roles[behind % realizations_per_leaf];
}

std::vector<double> WorstCaseStudy::inputs_at(std::span<const double> germs) const {
  std::vector<double> values(inputs_.paths().size());
  inputs_.fill(germs, values.data());
  return values;
}

WorstCaseStudy::Deviations WorstCaseStudy::deviations(const Runs& runs,
                                                      const StoredValues& stored) const {
  const std::size_t row = layout_->row(), outputs = row + file_.quantities->size();
  Deviations found;
  found.told.assign(outputs, surrogate_.fit ? 0.0 : nan);
  found.all = found.told;
  if (!surrogate_.fit) return found;
  const Expansion& expansion = surrogate_.fit->expansion;
  std::vector<std::uint64_t> kept_out;
  for (std::uint64_t run = 0; run < runs.failed.size(); ++run)
    if (runs.failed[run] == 0 && role_of(run) != WorstCaseRole::fit) kept_out.push_back(run);
  found.runs = kept_out.size();
  // So many at a time, to bound the memory; and blocks of outputs that do not depend on threads.
  constexpr std::size_t most_runs = 2048, block = 64;
  for (std::size_t first = 0; first < kept_out.size(); first += most_runs) {
    const auto some =
        std::span(kept_out).subspan(first, std::min(most_runs, kept_out.size() - first));
    DenseMatrix points(some.size(), inputs_.intervals().size());
    for (std::size_t i = 0; i < some.size(); ++i)
      std::ranges::copy(germs_of(some[i]), points.row(i).begin());
    const DenseMatrix terms = expansion.basis().at(points);
    const auto one_block = [&](std::size_t b) {
      const std::size_t begin = b * block, size = std::min(block, outputs - begin);
      const DenseMatrix fitted = expansion.from_terms(terms, begin, size);
      for (std::size_t i = 0; i < some.size(); ++i) {
        const double* values = stored.row(some[i]);
        const bool blind = role_of(some[i]) == WorstCaseRole::kept_out;
        for (std::size_t o = begin; o < begin + size; ++o) {
          const double value = o < row ? values[o] : runs.quantities[o - row][some[i]];
          const double deviation = std::fabs(value - fitted(i, o - begin));
          if (blind) found.told[o] = std::fmax(found.told[o], deviation);
          found.all[o] = std::fmax(found.all[o], deviation);
        }
      }
    };
    with_workers(threads_, [&] {
      oneapi::tbb::parallel_for(std::size_t{0}, (outputs + block - 1) / block, one_block);
    });
  }
  return found;
}

WorstCaseResults WorstCaseStudy::results(std::uint64_t leaves, StudyStore& store) const {
  const Runs all = runs(leaves, store);
  const std::uint64_t count = leaves * realizations_per_leaf;
  const std::size_t row = layout_->row(), outputs = row + file_.quantities->size();
  WorstCaseResults found;
  found.failure = surrogate_.failure;
  if (surrogate_.fit) {
    found.fit = surrogate_.fit->method;
    found.warnings = surrogate_.fit->warnings;
  }
  found.inputs = inputs_.paths();
  for (std::size_t i = 0; i < found.inputs.size(); ++i) {
    found.interval_lower.push_back(inputs_.interval_of(i).min);
    found.interval_upper.push_back(inputs_.interval_of(i).max);
  }
  const StoredValues& stored = store.values(count);
  std::vector<double> low(outputs, nan), high(outputs, nan);
  for (std::uint64_t run = 0; run < count; ++run) {
    found.roles.push_back(role_of(run));
    if (all.failed[run] != 0) {
      ++found.failed;
      continue;
    }
    const double* values = stored.row(run);
    for (std::size_t o = 0; o < outputs; ++o) {
      const double value = o < row ? values[o] : all.quantities[o - row][run];
      low[o] = std::fmin(low[o], value);
      high[o] = std::fmax(high[o], value);
    }
  }
  const Deviations off = deviations(all, stored);
  found.kept_out = off.runs;
  const std::vector<double>&told = off.told, &error = off.all;
  const auto part = [&](const std::vector<double>& of) {
    if (of.empty()) return std::vector<double>(row, nan);
    return std::vector<double>(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(row));
  };
  const BoxBounds& bounds = surrogate_.bounds;
  found.outputs = {part(bounds.lower),
                   part(bounds.upper),
                   part(bounds.inclusion_lower),
                   part(bounds.inclusion_upper),
                   part(error),
                   part(low),
                   part(high)};
  const auto entry = [&](const std::vector<double>& of, std::size_t q) {
    return of.empty() ? nan : of[row + q];
  };
  for (std::size_t q = 0; q < file_.quantities->size(); ++q) {
    WorstCaseQuantity& one = found.quantities.emplace_back();
    one.quantity = &(*file_.quantities)[q];
    one.lower = entry(bounds.lower, q);
    one.upper = entry(bounds.upper, q);
    one.inclusion_lower = entry(bounds.inclusion_lower, q);
    one.inclusion_upper = entry(bounds.inclusion_upper, q);
    one.error = std::isnan(one.lower) ? nan : error[row + q];
    one.told_error = std::isnan(one.lower) ? nan : told[row + q];
    one.found_min = low[row + q];
    one.found_max = high[row + q];
    if (!std::isnan(one.lower)) {
      one.lower_inputs = inputs_at(bounds.lower_at.row(row + q));
      one.upper_inputs = inputs_at(bounds.upper_at.row(row + q));
    }
  }
  find_quantities(found, all);
  std::ranges::move(worst_case_warnings(found, *layout_), std::back_inserter(found.warnings));
  return found;
}

/// Which runs have the extremes, and what searches found by themselves.
void WorstCaseStudy::find_quantities(WorstCaseResults& found, const Runs& runs) const {
  for (std::size_t q = 0; q < found.quantities.size(); ++q) {
    WorstCaseQuantity& one = found.quantities[q];
    const std::vector<double>& values = runs.quantities[q];
    one.searched_min = one.searched_max = nan;
    if (std::isnan(one.found_min)) continue;
    const auto first_with = [&](double value) {
      return static_cast<std::uint64_t>(std::ranges::find(values, value) - values.begin());
    };
    one.found_min_realization = first_with(one.found_min);
    one.found_max_realization = first_with(one.found_max);
    one.found_min_inputs = inputs_at(germs_of(one.found_min_realization));
    one.found_max_inputs = inputs_at(germs_of(one.found_max_realization));
    one.found_min_role = role_of(one.found_min_realization);
    one.found_max_role = role_of(one.found_max_realization);
  }
  for (const Search& search : searches_) {
    WorstCaseQuantity& one = found.quantities[search.quantity];
    one.search_runs = search.leaves.size() * realizations_per_leaf;
    one.converged = search.search.converged();
    for (const std::uint64_t leaf : search.leaves)
      for (std::uint64_t i = 0; i < realizations_per_leaf; ++i) {
        const double value = runs.quantities[search.quantity][leaf * realizations_per_leaf + i];
        one.searched_min = std::fmin(one.searched_min, value);
        one.searched_max = std::fmax(one.searched_max, value);
      }
  }
}

}  // namespace tumble
