#include "tumble/io/results/ensemble_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>

#include "tumble/io/results/chaos_part.hpp"
#include "tumble/io/results/fields_part.hpp"
#include "tumble/io/results/run_summary_part.hpp"
#include "tumble/io/results/sensitivity_part.hpp"
#include "tumble/io/results/statistics_part.hpp"
#include "tumble/io/results/time_error_part.hpp"
#include "tumble/study/statistics/plain_statistics.hpp"

namespace tumble {
namespace {

class EnsembleWriter {
 public:
  /// `file` has room for what is defined here.
  EnsembleWriter(AtomicFile& file, const EnsembleResults& results, const ResultsMetadata& metadata)
      : results_(results),
        target_(file),
        layout_(results.statistics->moments().layout()),
        file_(file.temporary()),
        nominal_(file_, *results.nominal, false),
        fields_(file_, metadata.fields) {
    count_failures();
    define();
    ResultsMetadata complete = metadata;
    complete.failed = static_cast<long>(failures_.count);
    complete.realizations = static_cast<long>(results.realizations);
    put_global_attributes(file_, *results.nominal, complete);
  }

  EnsembleFailures write() {
    file_.begin_data([this](std::uint64_t bytes) { target_.reserve(bytes + most_reason_bytes_); });
    nominal_.put(file_);
    fields_.put();
    if (statistics_) statistics_->put();
    if (chaos_) chaos_->put();
    if (sensitivity_) sensitivity_->put();
    if (variability_) variability_->put();
    if (reliability_) reliability_->put();
    if (multilevel_) multilevel_->put();
    if (worst_case_) worst_case_->put();
    if (time_errors_) time_errors_->put();
    if (quantities_) quantities_->put();
    put_realizations();
    if (summaries_) failures_.out_of_range = summaries_->finish();
    put_trajectories();
    put_failures();
    file_.close();
    return std::move(failures_);
  }

 private:
  using Sizes = std::vector<std::size_t>;

  /// Calls back with the number and the outcome of each failed realisation, in any order.
  template <class F>
  void for_each_failure(const F& f) const {
    results_.for_each_leaf([&](const LeafRecord& leaf) {
      for (std::size_t i = 0; i < leaf.realizations(); ++i)
        if (leaf.outcomes[i].status != RealizationStatus::ok) f(leaf.first() + i, leaf.outcomes[i]);
    });
  }

  void count_failures() {
    for_each_failure([this](std::uint64_t, const RealizationOutcome& outcome) {
      ++failures_.count;
      // HDF5 puts text into blocks of 4 KiB, and begins a new one for what does not fit.
      most_reason_bytes_ += 2 * outcome.reason.size() + 64;
    });
    most_reason_bytes_ += 8192;
  }

  void define() {
    const std::uint64_t n = results_.realizations;
    const int realization = file_.dimension("realization", n);
    if (results_.chaos != nullptr)
      chaos_.emplace(file_, nominal_, results_, realization, failures_.count > 0);
    else if (results_.has_statistics)
      statistics_.emplace(file_, nominal_, results_, failures_.count > 0);
    if (results_.sensitivity != nullptr) sensitivity_.emplace(file_, nominal_, results_);
    if (results_.variability != nullptr)
      variability_.emplace(file_, nominal_, results_, realization);
    if (results_.reliability != nullptr) reliability_.emplace(file_, *results_.reliability);
    if (results_.worst_case != nullptr) worst_case_.emplace(file_, nominal_, results_, realization);
    if (results_.time_errors != nullptr)
      time_errors_.emplace(file_, nominal_, *results_.nominal, *results_.time_errors, layout_);
    if (results_.multilevel != nullptr)
      multilevel_.emplace(file_, results_, realization);
    else
      summaries_.emplace(file_, nominal_, results_, realization);
    if (!results_.quantities.empty()) define_quantities(realization);
    int stored = -1;
    if (results_.store.all) {
      stored = realization;
    } else if (!results_.store.list.empty()) {
      stored = file_.dimension("stored_realization", results_.store.list.size());
      stored_ = file_.variable("stored_realization", NC_INT64, {stored});
      file_.attribute(stored_, "long_name", "realisations whose trajectories are stored");
    }
    if (stored >= 0) define_trajectories(stored);
    status_ = file_.variable("status", NC_BYTE, {realization});
    file_.attribute(status_, "flag_values", std::vector<signed char>{0, 1, 2});
    file_.attribute(status_, "flag_meanings", "ok failed inadmissible");
    file_.attribute(status_, "long_name",
                    "how the realisation ended: 0 ok, 1 failed, 2 inadmissible");
    failure_time_ = file_.variable("failure_time", NC_DOUBLE, {realization});
    file_.attribute(failure_time_, "units", "s");
    file_.attribute(failure_time_, "long_name", "when it failed; NaN if it did not");
    energy_mismatch_ = file_.variable("energy_mismatch", NC_DOUBLE, {realization});
    describe_energy_mismatch(file_, energy_mismatch_);
    const Sizes pieces{std::min<std::size_t>(n, 16384)};
    file_.chunk(energy_mismatch_, pieces, NetcdfWriter::Pieces::plain);
    file_.chunk(status_, pieces);
    file_.chunk(failure_time_, pieces);
    if (!results_.inputs.empty()) {
      const int input = file_.dimension("input", results_.inputs.size());
      input_ = file_.variable("input", NC_STRING, {input});
      file_.attribute(input_, "long_name", "parameter path");
      inputs_ = file_.variable("inputs", NC_DOUBLE, {realization, input});
      file_.attribute(inputs_, "long_name",
                      "numbers of the realisations, in the units of `tumble parameters`");
      file_.chunk(inputs_, {std::min<std::size_t>(n, 4096), results_.inputs.size()},
                  NetcdfWriter::Pieces::plain);
      if (reliability_) reliability_->define_inputs(input);
      if (worst_case_) worst_case_->define_inputs(input);
    }
    if (failures_.count > 0) {
      const int failure = file_.dimension("failure", failures_.count);
      failed_realization_ = file_.variable("failed_realization", NC_INT64, {failure});
      failure_reason_ = file_.variable("failure_reason", NC_STRING, {failure});
    }
  }

  void define_quantities(int realization) {
    QuantityEnsemble ensemble;
    ensemble.realization = realization;
    if (chaos_) ensemble.quantile = chaos_->quantile();
    if (statistics_) ensemble.quantile = statistics_->quantile();
    if (chaos_) ensemble.germ = chaos_->germ(), ensemble.group = chaos_->group();
    if (sensitivity_)
      (results_.sensitivity->dimension == "group" ? ensemble.group : ensemble.germ) =
          sensitivity_->factor();
    ensemble.realizations = results_.realizations;
    ensemble.interval_confidence = results_.interval_confidence;
    ensemble.error_basis = error_basis(results_.sampling);
    quantities_.emplace(file_, results_.quantities, &ensemble);
  }

  void define_trajectories(int stored) {
    for (const ProbeSeries& s : results_.nominal->series) {
      const int id = nominal_.define(file_, s, "", {stored, nominal_.time()}, "");
      Sizes chunk{1, layout_.times()};
      if (s.size > 1) chunk.push_back(static_cast<std::size_t>(s.size));
      file_.chunk(id, chunk);
      trajectories_.push_back(id);
    }
  }

  void put_realizations() {
    if (input_ >= 0) {
      std::vector<const char*> names;
      for (const std::string& path : results_.inputs) names.push_back(path.c_str());
      file_.put(input_, names);
    }
    // Several leaves at a time: what HDF5 does for a few values of a variable takes longer than
    // writing them.
    constexpr std::size_t at_once = 4096;
    LeafRecord several;
    const auto put = [&] {
      if (several.realizations() > 0) put_leaf(several);
      several = {};
    };
    results_.for_each_leaf([&](const LeafRecord& leaf) {
      const std::size_t there = several.realizations();
      if (there >= at_once || leaf.first() != several.first() + there) put();
      several.append(leaf);
    });
    put();
  }

  void put_trajectories() {
    if (!results_.store.any()) return;
    const auto& list = results_.store.list;
    if (stored_ >= 0) file_.put(stored_, std::vector<long long>(list.begin(), list.end()));
    results_.for_each_values([&](std::uint64_t leaf, const LeafValues& values) {
      for (std::size_t i = 0; i < values.realizations(); ++i) {
        std::size_t place = leaf * realizations_per_leaf + i;
        if (place >= results_.realizations) return;
        if (!results_.store.all) {
          const auto found = std::lower_bound(list.begin(), list.end(), place);
          if (found == list.end() || *found != place) continue;
          place = static_cast<std::size_t>(found - list.begin());
        }
        put_trajectory(place, values.row(i));
      }
    });
  }

  /// In the order of realisations, which the leaves do not have: as many at a time as memory shall
  /// hold, in as many passes as that takes.
  void put_failures() {
    constexpr std::size_t at_once = 8192;
    std::uint64_t from = 0;  // realisations before it are done
    for (std::size_t done = 0; done < failures_.count;) {
      std::map<std::uint64_t, std::string> next;
      for_each_failure([&](std::uint64_t number, const RealizationOutcome& outcome) {
        if (number < from || (next.size() == at_once && number > next.rbegin()->first)) return;
        next.emplace(number, outcome.reason);
        if (next.size() > at_once) next.erase(std::prev(next.end()));
      });
      std::vector<long long> numbers;
      std::vector<const char*> reasons;
      for (const auto& [number, reason] : next) {
        numbers.push_back(static_cast<long long>(number));
        reasons.push_back(reason.c_str());
        if (failures_.first.size() < EnsembleFailures::shown)
          failures_.first.push_back(fmt::format("realisation {}: {}", number, reason));
      }
      file_.put(failed_realization_, done, numbers);
      file_.put(failure_reason_, done, reasons);
      done += next.size();
      from = next.rbegin()->first + 1;
    }
  }

  void put_leaf(const LeafRecord& leaf) {
    if (summaries_) summaries_->put(leaf);
    if (quantities_) quantities_->put(leaf);
    std::vector<signed char> status;
    std::vector<double> time, mismatch;
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    for (const RealizationOutcome& outcome : leaf.outcomes) {
      note_mismatch(leaf.first() + status.size(), outcome);
      status.push_back(static_cast<signed char>(outcome.status));
      time.push_back(outcome.status == RealizationStatus::ok ? nan : outcome.failure_time);
      mismatch.push_back(
          outcome.status == RealizationStatus::inadmissible ? nan : outcome.energy_mismatch);
    }
    file_.put(status_, leaf.first(), status);
    file_.put(failure_time_, {leaf.first()}, {time.size()}, time.data());
    file_.put(energy_mismatch_, {leaf.first()}, {mismatch.size()}, mismatch.data());
    if (inputs_ >= 0)
      file_.put(inputs_, {leaf.first(), 0}, {leaf.realizations(), results_.inputs.size()},
                leaf.inputs.data());
  }

  /// Leaves come in any order: of equals the first realisation.
  void note_mismatch(std::uint64_t realization, const RealizationOutcome& outcome) {
    if (outcome.status != RealizationStatus::ok) return;
    const double mismatch = outcome.energy_mismatch, largest = failures_.largest_mismatch;
    if (mismatch < largest || (mismatch == largest && realization >= failures_.largest_mismatch_of))
      return;
    failures_.largest_mismatch = mismatch;
    failures_.largest_mismatch_of = realization;
  }

  void put_trajectory(std::size_t place, const double* row) {
    for (std::size_t q = 0; q < layout_.quantities(); ++q) {
      const std::size_t size = layout_.size(q), first = layout_.number(q);
      std::vector<double> values;
      for (std::size_t t = 0; t < layout_.times(); ++t)
        for (std::size_t a = 0; a < size; ++a)
          values.push_back(row[t * layout_.numbers() + first + a]);
      Sizes start{place, 0}, count{1, layout_.times()};
      if (size > 1) {
        start.push_back(0);
        count.push_back(size);
      }
      file_.put(trajectories_[q], start, count, values.data());
    }
  }

  const EnsembleResults& results_;
  AtomicFile& target_;
  const StatisticsLayout& layout_;
  NetcdfWriter file_;
  NominalPart nominal_;
  FieldsPart fields_;
  std::optional<StatisticsPart> statistics_;
  std::optional<ChaosPart> chaos_;
  std::optional<SensitivityPart> sensitivity_;
  std::optional<VariabilityPart> variability_;
  std::optional<ReliabilityPart> reliability_;
  std::optional<MultilevelPart> multilevel_;
  std::optional<WorstCasePart> worst_case_;
  std::optional<TimeErrorPart> time_errors_;
  std::optional<RunSummaryPart> summaries_;
  std::optional<QuantityPart> quantities_;
  std::vector<int> trajectories_;  ///< by quantity
  EnsembleFailures failures_;
  std::uint64_t most_reason_bytes_ = 0;
  int stored_ = -1, status_ = -1, failure_time_ = -1, energy_mismatch_ = -1, input_ = -1,
      inputs_ = -1, failed_realization_ = -1, failure_reason_ = -1;
};

}  // namespace

std::vector<double> quantile_probabilities(const Study& study) {
  std::vector<double> all;
  const auto add = [&](double p) {
    p = std::round(p * 1e12) / 1e12;  // 0.05, which a user will type, and not 0.04999...
    if (std::find(all.begin(), all.end(), p) == all.end()) all.push_back(p);
  };
  add((1 - study.confidence) / 2);
  add(0.5);
  add((1 + study.confidence) / 2);
  for (const double p : study.quantiles) add(p);
  return all;
}

std::vector<std::optional<ValueRange>> declared_ranges(const Model& model) {
  std::vector<std::optional<ValueRange>> ranges;
  for (const Probe& probe : model.probes)
    for (const Quantity quantity : probe.quantities) {
      std::optional<ValueRange>& range = ranges.emplace_back();
      for (const QuantityRanges::Entry& entry : probe.ranges.list)
        if (entry.quantity == quantity) range = ValueRange{entry.lower, entry.upper};
    }
  return ranges;
}

EnsembleFailures write_ensemble_results(AtomicFile& file, const EnsembleResults& results,
                                        const ResultsMetadata& metadata) {
  // For names, units, descriptions and attributes: some 1.5 KiB a variable were seen.
  constexpr std::uint64_t bytes_of_variable = 4096, bytes_of_rest = std::uint64_t{1} << 20;
  const std::uint64_t of_a_quantity = 66 + plain_statistics().size();
  const std::uint64_t variables = of_a_quantity * results.nominal->series.size() + 24 +
                                  FieldsPart::variables_of_field * metadata.fields.size() +
                                  QuantityPart::variables_of_quantity * results.quantities.size();
  file.reserve(bytes_of_rest + variables * bytes_of_variable + 2 * metadata.effective_yaml.size());
  return EnsembleWriter(file, results, metadata).write();
}

}  // namespace tumble
