#include "tumble/campaign/given_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "tumble/base/atomic_file.hpp"
#include "tumble/campaign/errors.hpp"
#include "tumble/campaign/output_directory.hpp"
#include "tumble/chaos/fit/cross_fit.hpp"
#include "tumble/inputs/sensitivity_inputs.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/io/netcdf/netcdf_reader.hpp"
#include "tumble/io/netcdf/netcdf_writer.hpp"
#include "tumble/io/results/results_file.hpp"
#include "tumble/study/journal/journal_scan.hpp"
#include "tumble/study/journal/study_store.hpp"
#include "tumble/study/quantiles/leaf_values.hpp"
#include "tumble/study/statistics/rank_index.hpp"

namespace tumble {
namespace {

namespace fs = std::filesystem;

/// Fewer runs would not even tell a large index.
constexpr std::size_t fewest_runs = 256;

/// A group, and its numbers in every run: a row of its features.
struct DataGroup {
  std::string name;
  DenseMatrix features;
};

/// Columns side by side.
DenseMatrix joined(const std::vector<DataGroup>& groups, std::size_t left_out) {
  std::size_t columns = 0;
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (g != left_out) columns += groups[g].features.columns();
  DenseMatrix all(groups[0].features.rows(), columns);
  std::size_t first = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (g == left_out) continue;
    const DenseMatrix& part = groups[g].features;
    for (std::size_t i = 0; i < part.rows(); ++i)
      std::ranges::copy(part.row(i), all.row(i).begin() + static_cast<std::ptrdiff_t>(first));
    first += part.columns();
  }
  return all;
}

/// Which runs there are, and how they depend on each other.
struct GivenSample {
  std::vector<std::size_t> runs;  ///< their numbers
  std::uint64_t copies = 0;       ///< of a design; 0: they are independent
  double level = 0.95;            ///< of intervals
};

/// What some of the inputs explain of any output: by their order if there is one, otherwise by the
/// order of what polynomials of them predict.
class Explanation {
 public:
  explicit Explanation(DenseMatrix features) : features_(std::move(features)) {
    if (features_.columns() > 1) fit_.emplace(features_);
  }

  /// Whether it rests on polynomials, which may explain less than the inputs do.
  bool is_fitted() const { return fit_.has_value(); }

  /// Of each column of outputs, [column].
  std::vector<RatioEstimate> operator()(const DenseMatrix& outputs,
                                        const GivenSample& sample) const {
    std::vector<RatioEstimate> found;
    const DenseMatrix predicted = fit_ ? fit_->predict(outputs) : DenseMatrix();
    std::vector<double> x(outputs.rows()), y(outputs.rows());
    for (std::size_t c = 0; c < outputs.columns(); ++c) {
      for (std::size_t i = 0; i < outputs.rows(); ++i) {
        x[i] = fit_ ? predicted(i, c) : features_(i, 0);
        y[i] = outputs(i, c);
      }
      found.push_back(rank_index(x, y, sample.level, sample.copies, sample.runs));
    }
    return found;
  }

 private:
  DenseMatrix features_;
  std::optional<CrossFit> fit_;
};

/// Values of runs, from the results or from the journal.
class RunValues {
 public:
  RunValues(const NetcdfReader& file, const fs::path& journal) : file_(file) {
    for (const NetcdfReader::Variable& v : file.variables()) {
      constexpr std::string_view end = "_nominal";
      if (!v.name.ends_with(end) || v.name.starts_with("quantity_") || v.dimensions.empty() ||
          v.dimensions[0] != "time")
        continue;
      series_.push_back({v.name.substr(0, v.name.size() - end.size()), v.dimensions, v.sizes});
    }
    if (series_.empty()) return;
    const auto* stored = file.find(series_[0].name);
    in_results_ = stored != nullptr && stored->dimensions[0] == "realization";
    if (!in_results_) read_journal(journal);
  }

  struct Series {
    std::string name;
    std::vector<std::string> dimensions;
    std::vector<std::size_t> sizes;
    std::size_t entries() const {
      return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
    }
  };
  const std::vector<Series>& series() const { return series_; }
  bool available(std::size_t realizations) const {
    return !series_.empty() &&
           (in_results_ || leaves_.size() * realizations_per_leaf >= realizations);
  }

  /// The values of the runs `chosen` at the times [first, end), [run][time][component].
  DenseMatrix values(std::size_t s, std::span<const std::size_t> chosen, std::size_t first,
                     std::size_t end) const {
    const Series& series = series_[s];
    const std::size_t components = series.entries() / series.sizes[0];
    DenseMatrix rows(chosen.size(), (end - first) * components);
    std::size_t number = 0;  // among the numbers of a time in the journal
    for (std::size_t k = 0; k < s; ++k) number += series_[k].entries() / series_[k].sizes[0];
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const std::size_t r = chosen[i];
      if (in_results_) {
        std::vector<std::size_t> start{r, first}, count{1, end - first};
        if (series.sizes.size() > 1) start.push_back(0), count.push_back(components);
        file_.read(*file_.find(series.name), start, count, rows.row(i).data());
        continue;
      }
      const LeafValues& leaf = leaves_.at(r / realizations_per_leaf);
      const double* row = leaf.row(r % realizations_per_leaf);
      for (std::size_t t = first; t < end; ++t)
        std::copy_n(row + t * layout_->numbers() + number, components,
                    rows.row(i).begin() + static_cast<std::ptrdiff_t>((t - first) * components));
    }
    return rows;
  }

 private:
  void read_journal(const fs::path& journal) {
    if (std::error_code ignored; !fs::exists(journal, ignored)) return;
    std::vector<std::uint32_t> sizes;
    for (const Series& s : series_) {
      const std::size_t components = s.entries() / s.sizes[0];
      sizes.push_back(static_cast<std::uint32_t>(components));
    }
    layout_ = std::make_shared<const StatisticsLayout>(series_[0].sizes[0], sizes);
    // Of a leaf that was written twice the last one counts.
    inspect_journal(journal, [&](const RecordInfo& info, std::string_view payload) {
      if (info.key.kind == record_kind::leaf_values)
        leaves_.insert_or_assign(info.key.index, LeafValues::deserialize(payload, layout_));
    });
  }

  const NetcdfReader& file_;
  std::vector<Series> series_;
  bool in_results_ = false;
  LayoutPointer layout_;
  std::map<std::uint64_t, LeafValues> leaves_;
};

class GivenData {
 public:
  GivenData(const fs::path& directory, Observer& observer)
      : observer_(observer),
        directory_(directory),
        path_(checked(directory_.results())),
        file_(path_),
        values_(file_, directory_.journal()) {
    read_study();
    choose_runs();
    find_groups();
  }

  GivenDataResults run() {
    GivenDataResults results;
    results.file = directory_.path() / "sensitivity.nc";
    results.runs = sample_.runs.size();
    results.failed = failed_;
    results.level = sample_.level;
    results.trajectories = values_.available(realizations_);
    for (const DataGroup& group : groups_) {
      results.groups.push_back(group.name);
      alone_.emplace_back(group.features);
    }
    for (std::size_t g = 0; g < groups_.size() && groups_.size() > 1; ++g)
      others_.emplace_back(joined(groups_, g));
    if (results.trajectories)
      for (std::size_t s = 0; s < values_.series().size(); ++s)
        results.indices.push_back(of_series(s));
    else
      observer_.say(Message::note,
                    "values over time are in neither results nor journal: study.store: all or "
                    "--keep-journal keeps them; quantities of interest are there anyway");
    for (const NetcdfReader::Variable& v : file_.variables())
      if (v.name.starts_with("quantity_") &&
          v.dimensions == std::vector<std::string>{"realization"} &&
          !v.name.ends_with("_output_error"))
        results.indices.push_back(of_quantity(v));
    if (results.indices.empty())
      throw RequestError(fmt::format("{} has no values of single runs", path_.string()));
    write(results);
    return results;
  }

 private:
  static fs::path checked(const fs::path& results) {
    if (!read_results_identity(results)) throw RequestError(no_results(results));
    return results;
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw RequestError(fmt::format("{} {}", path_.string(), why));
  }

  void read_study() {
    const std::string method = file_.text_attribute("method");
    const auto* inputs = file_.find("inputs");
    if (method == "chaos")
      refuse("holds points of polynomial chaos, which are no draws; it has indices of its own");
    if (method == "worst-case") refuse("holds points of a box, which are no draws");
    if (method == "sweep" || inputs == nullptr) refuse("holds no study with random inputs");
    if (file_.text_attribute("sensitivity_method") == "morris")
      refuse("holds points of a screening, which are no draws");
    realizations_ = inputs->sizes[0];
    model_.emplace(
        read_model_text(file_.text_attribute("model"), file_.text_attribute("model_path")));
    sample_.level = file_.number_attribute("interval_confidence").value_or(0.95);
    if (!file_.text_attribute("chains").empty())
      observer_.say(Message::warning,
                    "some inputs come from Markov chains: intervals take their draws for "
                    "independent and may be too narrow");
  }

  /// Runs that ended well; of a study of sensitivity the two of each block that are independent.
  void choose_runs() {
    std::vector<signed char> status(realizations_);
    file_.read(*file_.find("status"), {0}, {realizations_}, status.data());
    const auto block =
        static_cast<std::size_t>(file_.integer_attribute("sensitivity_block_size").value_or(1));
    const bool shapley = file_.text_attribute("sensitivity_method") == "shapley";
    for (std::size_t r = 0; r < realizations_; ++r) {
      const std::size_t member = r % block;
      if (block > 1 && member != 0 && member != (shapley ? block - 1 : 1)) continue;
      if (status[r] != 0)
        ++failed_;
      else
        sample_.runs.push_back(r);
    }
    if (sample_.runs.size() < fewest_runs)
      refuse(fmt::format("has {} runs that tell; at least {} are needed", sample_.runs.size(),
                         fewest_runs));
    // Copies of a design are independent, their points are not.
    const std::string copies = file_.text_attribute("randomizations");
    if (copies == "1") refuse("is one randomisation of a design: its points depend on each other");
    if (!copies.empty()) sample_.copies = std::stoull(copies);
  }

  void find_groups() {
    const std::vector<std::string> paths = file_.text(*file_.find("input"));
    const std::vector<double> inputs = file_.numbers(*file_.find("inputs"));
    const auto place = [&](const std::string& path) {
      const auto found = std::ranges::find(paths, path);
      if (found == paths.end()) refuse("lacks the input " + path);
      return static_cast<std::size_t>(found - paths.begin());
    };
    const auto number = [&](std::size_t run, std::size_t column) {
      return inputs[run * paths.size() + column];
    };
    std::vector<std::pair<std::string, std::vector<std::vector<double>>>>
        found;  // columns by group
    const auto add = [&](const std::string& group, const auto& value) {
      auto at = std::ranges::find(found, group, [](const auto& f) { return f.first; });
      if (at == found.end()) at = found.insert(found.end(), {group, {}});
      std::vector<double> column;
      for (const std::size_t run : sample_.runs) column.push_back(value(run));
      at->second.push_back(std::move(column));
    };
    if (model_->uncertainty->empty()) {
      for (std::size_t c = 0; c < paths.size(); ++c)
        add(paths[c], [&](std::size_t run) { return number(run, c); });
    } else {
      SensitivityRequest request = model_->study->study.sensitivity.value_or(SensitivityRequest{});
      request.method = SensitivityMethod::pick_freeze;
      request.by = SensitivityFactors::groups;
      const SensitivityInputs blocks(model_->model, *model_->uncertainty, request, 1);
      const auto group_of = [&](const std::string& variable) { return blocks.factor_of(variable); };
      for (const BodyLaws& laws : blocks.random().laws().bodies()) {
        const std::string prefix = "bodies." + laws.body + ".";
        std::optional<std::size_t> mass;
        if (laws.mass) {
          mass = place(prefix + "mass");
          add(group_of(laws.mass->variable), [&](std::size_t run) { return number(run, *mass); });
        }
        for (int k = 0; laws.centre && k < 3; ++k) {
          const std::size_t c = place(fmt::format("{}position[{}]", prefix, k));
          add(group_of(laws.centre->variable), [&](std::size_t run) { return number(run, c); });
        }
        // A random mass scales the inertia; what is the inertia's own is what it is for a unit
        // mass.
        for (int k = 0; laws.inertia && k < 6; ++k) {
          const std::size_t c = place(fmt::format("{}inertia[{}]", prefix, k));
          add(group_of(laws.inertia->variable),
              [&](std::size_t run) { return number(run, c) / (mass ? number(run, *mass) : 1.0); });
        }
      }
      for (const ScalarVariable& scalar : blocks.random().laws().scalars())
        if (!scalar.is_mass()) {
          const std::size_t c = place(scalar.paths.front());
          add(group_of(scalar.name), [&](std::size_t run) { return number(run, c); });
        }
    }
    for (auto& [name, columns] : found) {
      DataGroup group{name, DenseMatrix(sample_.runs.size(), columns.size())};
      for (std::size_t c = 0; c < columns.size(); ++c)
        for (std::size_t i = 0; i < sample_.runs.size(); ++i) group.features(i, c) = columns[c][i];
      groups_.push_back(std::move(group));
    }
  }

  static void put(SobolIndices& to, double value, Interval interval) {
    to.values.push_back(value);
    to.lower.push_back(interval.lower);
    to.upper.push_back(interval.upper);
  }

  /// Appends the indices of every column to those of each group. What polynomials of all other
  /// inputs explain is a lower bound, so the share with others is an upper one; and it is never
  /// less than the share alone.
  void add_indices(const DenseMatrix& outputs, std::vector<SobolIndices>& alone,
                   std::vector<SobolIndices>& total) const {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const std::vector<RatioEstimate> own = alone_[g](outputs, sample_);
      for (const RatioEstimate& e : own) put(alone[g], e.value, e.interval);
      if (others_.empty()) {
        for (std::size_t c = 0; c < outputs.columns(); ++c) put(total[g], 1, {1, 1});
        continue;
      }
      const std::vector<RatioEstimate> rest = others_[g](outputs, sample_);
      for (std::size_t c = 0; c < rest.size(); ++c) {
        Interval interval{1 - rest[c].interval.upper, 1 - rest[c].interval.lower};
        if (others_[g].is_fitted())
          interval.lower = std::min(interval.lower, own[c].interval.lower);
        put(total[g], 1 - rest[c].value, interval);
      }
    }
  }

  static double variance(const DenseMatrix& outputs, std::size_t column) {
    double mean = 0, squares = 0;
    for (std::size_t i = 0; i < outputs.rows(); ++i)
      mean += outputs(i, column) / static_cast<double>(outputs.rows());
    for (std::size_t i = 0; i < outputs.rows(); ++i)
      squares += (outputs(i, column) - mean) * (outputs(i, column) - mean);
    return squares / static_cast<double>(outputs.rows());
  }

  static SobolIndices concatenated(const std::vector<SobolIndices>& parts) {
    SobolIndices all;
    for (const SobolIndices& part : parts) {
      all.values.insert(all.values.end(), part.values.begin(), part.values.end());
      all.lower.insert(all.lower.end(), part.lower.begin(), part.lower.end());
      all.upper.insert(all.upper.end(), part.upper.begin(), part.upper.end());
    }
    return all;
  }

  GivenDataIndices of_series(std::size_t s) const {
    const RunValues::Series& series = values_.series()[s];
    const std::size_t times = series.sizes[0], components = series.entries() / times;
    GivenDataIndices result;
    result.name = series.name;
    result.dimensions = series.dimensions;
    result.sizes = series.sizes;
    result.axes = components == 1 ? std::vector<std::string>{""}
                                  : file_.text(*file_.find(series.dimensions[1]));
    result.times = file_.numbers(*file_.find("time"));
    result.widest.assign(components, 0);
    std::vector<double> largest(components, 0.0);
    std::vector<SobolIndices> alone(groups_.size()), total(groups_.size());
    // As many times at once as memory should hold, with predictions by every degree.
    const std::size_t at_once =
        std::max<std::size_t>(1, std::size_t{4'000'000} / (sample_.runs.size() * components));
    for (std::size_t first = 0; first < times; first += at_once) {
      stop_if_cancelled(observer_);
      const DenseMatrix outputs =
          values_.values(s, sample_.runs, first, std::min(times, first + at_once));
      add_indices(outputs, alone, total);
      for (std::size_t c = 0; c < outputs.columns(); ++c)
        if (const double v = variance(outputs, c); v > largest[c % components]) {
          largest[c % components] = v;
          result.widest[c % components] = first + c / components;
        }
    }
    result.alone = concatenated(alone);
    result.total = concatenated(total);
    return result;
  }

  GivenDataIndices of_quantity(const NetcdfReader::Variable& variable) const {
    const std::vector<double> all = file_.numbers(variable);
    GivenDataIndices result;
    result.name = variable.name;
    result.axes = {""};
    result.widest = {0};
    DenseMatrix outputs(sample_.runs.size(), 1);
    bool finite = true;
    for (std::size_t i = 0; i < sample_.runs.size(); ++i) {
      outputs(i, 0) = all[sample_.runs[i]];
      finite = finite && std::isfinite(outputs(i, 0));
    }
    std::vector<SobolIndices> alone(groups_.size()), total(groups_.size());
    if (finite) {
      add_indices(outputs, alone, total);
    } else {
      observer_.say(
          Message::warning,
          fmt::format("{} is no finite number in every run, and has no indices", variable.name));
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        put(alone[g], NAN, {NAN, NAN});
        put(total[g], NAN, {NAN, NAN});
      }
    }
    result.alone = concatenated(alone);
    result.total = concatenated(total);
    return result;
  }

  void write(const GivenDataResults& results) const {
    NetcdfWriter file;
    file.attribute("Conventions", "CF-1.8");
    file.attribute("tumble_version", version());
    file.attribute("sensitivity_method", "given-data");
    file.attribute("model_sha256", file_.text_attribute("model_sha256"));
    file.attribute("runs", static_cast<long>(results.runs));
    file.attribute("failed", static_cast<long>(results.failed));
    file.attribute("interval_confidence", results.level);
    std::map<std::string, int> dimensions{{"group", file.dimension("group", groups_.size())}};
    std::vector<std::pair<int, const NetcdfReader::Variable*>> coordinates;
    const int names = file.variable("group", NC_STRING, {dimensions["group"]});
    std::vector<std::pair<int, const std::vector<double>*>> values;
    for (const GivenDataIndices& of : results.indices) {
      std::vector<int> shape{dimensions["group"]};
      for (std::size_t d = 0; d < of.dimensions.size(); ++d) {
        const std::string& name = of.dimensions[d];
        if (!dimensions.contains(name)) {
          dimensions[name] = file.dimension(name, of.sizes[d]);
          if (const auto* source = file_.find(name)) {
            const int id = file.variable(name, source->type, {dimensions[name]});
            file.copy_attributes(id, file_, *source);
            coordinates.emplace_back(id, source);
          }
        }
        shape.push_back(dimensions[name]);
      }
      const auto define = [&](const std::string& statistic, const std::string& what,
                              const SobolIndices& indices) {
        const auto add = [&](const std::string& end, const std::string& remark,
                             const std::vector<double>& numbers) {
          const int id = file.variable(of.name + statistic + end, NC_DOUBLE, shape);
          file.attribute(id, "units", "1");
          file.attribute(id, "long_name", what + remark);
          values.emplace_back(id, &numbers);
        };
        const std::string sure = fmt::format("with {:.4g} % confidence", 100 * results.level);
        add("", "", indices.values);
        add("_lower", ", lower end " + sure, indices.lower);
        add("_upper", ", upper end " + sure, indices.upper);
      };
      define("_sobol_group", "share of the variance that is due to one group alone", of.alone);
      define("_sobol_group_total", "share of the variance that one group takes part in", of.total);
    }
    file.begin_data();
    std::vector<const char*> shown;
    for (const std::string& name : results.groups) shown.push_back(name.c_str());
    file.put(names, shown);
    for (const auto& [id, source] : coordinates) {
      if (!source->is_text()) {
        file.put(id, file_.numbers(*source));
        continue;
      }
      const std::vector<std::string> texts = file_.text(*source);
      std::vector<const char*> pointers;
      for (const std::string& text : texts) pointers.push_back(text.c_str());
      file.put(id, pointers);
    }
    for (const auto& [id, numbers] : values) file.put(id, *numbers);
    AtomicFile target(results.file);
    target.write(file.close());
    target.commit();
  }

  Observer& observer_;
  OutputDirectory directory_;
  fs::path path_;
  NetcdfReader file_;
  RunValues values_;
  std::optional<ModelFile> model_;
  std::size_t realizations_ = 0, failed_ = 0;
  GivenSample sample_;
  std::vector<DataGroup> groups_;
  std::vector<Explanation> alone_, others_;
};

}  // namespace

GivenDataResults given_data_sensitivity(const fs::path& directory, Observer& observer) {
  return GivenData(directory, observer).run();
}

}  // namespace tumble
