#include "tumble/io/results/sweep_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "tumble/io/model/sweep.hpp"
#include "tumble/io/results/results_parts.hpp"
#include "tumble/io/results/sweep_structure.hpp"

namespace tumble {
namespace {

using Variable = NetcdfReader::Variable;
using Sizes = std::vector<std::size_t>;

constexpr std::size_t bytes_at_once = std::size_t{8} << 20;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A name as netCDF takes it and as the attribute `coordinates`, a list with blanks, can hold it.
std::string variable_name(std::string path) {
  std::ranges::replace(path, '/', '_');
  std::ranges::replace(path, ' ', '_');
  return path;
}

bool is_deviation(const Variable& v) {
  return v.name.ends_with("_std") && !v.dimensions.empty() && v.dimensions[0] == "time" &&
         v.type == NC_DOUBLE;
}

/// What the components along a dimension are called, as far as that is known.
std::vector<std::string> component_labels(const NetcdfReader& file, const std::string& dimension) {
  if (dimension == "principal") return {"largest", "middle", "smallest"};
  const Variable* names = file.find(dimension);
  return names != nullptr && names->is_text() ? file.text(*names) : std::vector<std::string>{};
}

/// An average over the output times of a variable over (time[, component]).
std::vector<double> time_mean(const std::vector<double>& values, const Variable& v) {
  const std::size_t components = v.entries() / v.sizes[0];
  std::vector<double> mean(components);
  for (std::size_t i = 0; i < values.size(); ++i) mean[i % components] += values[i];
  for (double& x : mean) x /= static_cast<double>(v.sizes[0]);
  return mean;
}

class SweepWriter {
 public:
  SweepWriter(AtomicFile& target, const SweepResults& results, const ResultsMetadata& metadata,
              SweepStructure structure)
      : results_(results),
        structure_(std::move(structure)),
        target_(target),
        file_(target.temporary()) {
    const NetcdfReader first(results_.points[structure_.model].results);
    sweep_ = dimension("sweep", results_.points.size());
    define_coordinates(first);
    for (const Variable& v : structure_.stacked) define_stacked(first, v);
    for (const Variable& v : structure_.stacked)
      if (is_deviation(v) && !is_missing(v)) define_time_means(first, v);
    define_failures();
    put_attributes(metadata);
  }

  SweepSummary write() {
    file_.begin_data([this](std::uint64_t bytes) { target_.reserve(bytes + text_bytes_); });
    put_coordinates();
    std::size_t failures = 0;
    for (std::size_t p = 0; p < results_.points.size(); ++p) {
      if (!results_.points[p].failure.empty()) {
        for (const Variable& v : structure_.stacked) put_nothing(v, p);
        for (TimeMean& m : time_means_) put_time_mean(m, p, std::vector<double>(m.components, nan));
        continue;
      }
      const NetcdfReader point(results_.points[p].results);
      for (const Variable& v : structure_.stacked) {
        if (const Variable* found = point.find(v.name))
          copy(point, *found, p);
        else
          put_nothing(v, p);
      }
      for (TimeMean& m : time_means_) {
        const Variable& v = *point.find(m.source);
        put_time_mean(m, p, time_mean(point.numbers(v), v));
      }
      put_failures(point, p, failures);
      failures += structure_.failure_counts[p];
    }
    file_.close();
    return summary();
  }

 private:
  /// An average over time, and where it comes from.
  struct TimeMean {
    std::string source, name, unit;
    int id = -1;
    Sizes sizes;  // of its components
    std::size_t components = 1;
    bool shown = true;
    std::vector<std::string> labels;  // of its components
    std::vector<double> values;       // [point][component]
  };

  bool is_missing(const Variable& v) const { return structure_.missing.contains(v.name); }

  int dimension(const std::string& name, std::size_t length) {
    const auto known = dimensions_.find(name);
    if (known != dimensions_.end()) return known->second;
    return dimensions_[name] = file_.dimension(name, length);
  }

  std::vector<int> dimensions_of(const Variable& v, std::size_t from = 0) {
    std::vector<int> ids;
    for (std::size_t d = from; d < v.dimensions.size(); ++d)
      ids.push_back(dimension(v.dimensions[d], v.sizes[d]));
    return ids;
  }

  std::vector<int> over_sweep(const Variable& v, std::size_t from = 0) {
    std::vector<int> ids = dimensions_of(v, from);
    ids.insert(ids.begin(), sweep_);
    return ids;
  }

  void define_coordinates(const NetcdfReader& first) {
    ids_["sweep"] = file_.variable("sweep", NC_INT64, {sweep_});
    file_.attribute(ids_["sweep"], "long_name", "number of the point");
    std::vector<std::string> names;
    for (const SweepCoordinate& c : results_.coordinates) {
      const bool numeric = std::ranges::all_of(
          c.values, [](const std::string& text) { return sweep_number(text).has_value(); });
      names.push_back(variable_name(c.path));
      const int id = file_.variable(names.back(), numeric ? NC_DOUBLE : NC_STRING, {sweep_});
      file_.attribute(id, "long_name", "varied: " + c.path);
      varied_.emplace_back(id, numeric);
      for (const std::string& value : c.values) text_bytes_ += 2 * value.size() + 64;
    }
    coordinate_names_ = fmt::format("{}", fmt::join(names, " "));
    for (const Variable& v : structure_.coordinates) {
      ids_[v.name] = file_.variable(v.name, v.type, dimensions_of(v));
      file_.copy_attributes(ids_[v.name], first, v);
    }
    realizations_ = file_.variable("realizations", NC_INT64, {sweep_});
    file_.attribute(realizations_, "long_name", "realisations of a point");
    failed_ = file_.variable("failed", NC_INT64, {sweep_});
    file_.attribute(failed_, "long_name", "realisations of a point that failed");
    for (const int id : {realizations_, failed_})
      file_.attribute(id, "coordinates", coordinate_names_);
    if (std::ranges::any_of(results_.points, [](const auto& p) { return !p.failure.empty(); })) {
      point_failure_ = file_.variable("point_failure", NC_STRING, {sweep_});
      file_.attribute(point_failure_, "long_name", "why a point has no results");
    }
    for (const SweepPoint& p : results_.points) text_bytes_ += 2 * p.failure.size() + 64;
  }

  void define_stacked(const NetcdfReader& first, const Variable& v) {
    const int id = ids_[v.name] = file_.variable(v.name, v.type, over_sweep(v));
    if (const auto other = structure_.first_with.find(v.name); other != structure_.first_with.end())
      file_.copy_attributes(id, NetcdfReader(results_.points[other->second].results), v);
    else
      file_.copy_attributes(id, first, v);
    if (const auto restated = structure_.restated.find(v.name);
        restated != structure_.restated.end())
      for (const auto& [name, text] : restated->second) {
        file_.remove_attribute(id, name.c_str());
        if (text) file_.attribute(id, name.c_str(), *text);
      }
    if (is_missing(v))
      file_.attribute(id, "comment",
                      fmt::format("NaN at {} of {} points, whose results do not have it",
                                  structure_.missing.at(v.name), results_.points.size()));
    file_.attribute(id, "coordinates", coordinate_names_);
    if (v.is_text()) return;
    // A point is written at a time: pieces of the file do not cut through more of them than it
    // takes to make a piece worth its index.
    constexpr std::size_t smallest_piece = std::size_t{1} << 16, compressed = std::size_t{1} << 20;
    const std::size_t bytes = v.entries() * v.type_bytes, points = results_.points.size();
    if (bytes == 0 || bytes * points < compressed) return;
    Sizes pieces = v.chunks.empty() ? v.sizes : v.chunks;
    const std::size_t together =
        v.chunks.empty() ? std::clamp<std::size_t>(smallest_piece / bytes, 1, points) : 1;
    pieces.insert(pieces.begin(), together);
    file_.chunk(id, pieces);
  }

  void define_time_means(const NetcdfReader& first, const Variable& v) {
    define_time_mean(first, v, "_time_mean", ", averaged over the output times", true);
    // The average of standard errors bounds the standard error of the average (Minkowski's
    // inequality), however the errors at different times depend on each other.
    const auto error = std::ranges::find(structure_.stacked, v.name + "_se", &Variable::name);
    if (error != structure_.stacked.end() && error->dimensions == v.dimensions &&
        !is_missing(*error))
      define_time_mean(first, *error, "_time_mean_se_bound",
                       ", averaged over the output times: not less than the standard error of the "
                       "averaged standard deviation",
                       false, v.name);
  }

  void define_time_mean(const NetcdfReader& first, const Variable& v, const std::string& suffix,
                        const std::string& remark, bool shown, const std::string& stem = {}) {
    TimeMean m;
    m.source = v.name;
    m.name = (stem.empty() ? v.name : stem) + suffix;
    m.unit = first.text_attribute("units", v.id);
    m.sizes.assign(v.sizes.begin() + 1, v.sizes.end());
    m.components = v.entries() / v.sizes[0];
    m.shown = shown;
    if (v.dimensions.size() == 2) m.labels = component_labels(first, v.dimensions[1]);
    m.id = file_.variable(m.name, NC_DOUBLE, over_sweep(v, 1));
    if (!m.unit.empty()) file_.attribute(m.id, "units", m.unit);
    file_.attribute(m.id, "long_name", first.text_attribute("long_name", v.id) + remark);
    file_.attribute(m.id, "coordinates", coordinate_names_);
    time_means_.push_back(std::move(m));
  }

  void define_failures() {
    const auto& counts = structure_.failure_counts;
    const std::size_t total = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    if (total == 0) return;
    const int failure = dimension("failure", total);
    failure_sweep_ = file_.variable("failure_sweep", NC_INT64, {failure});
    file_.attribute(failure_sweep_, "long_name", "the point at which a realisation failed");
    for (const Variable& v : structure_.failures)
      ids_[v.name] = file_.variable(v.name, v.type, {failure});
  }

  void put_attributes(ResultsMetadata metadata) {
    metadata.failed = std::accumulate(structure_.failed.begin(), structure_.failed.end(), 0L);
    metadata.realizations =
        std::accumulate(structure_.realizations.begin(), structure_.realizations.end(), 0L);
    put_metadata(file_, metadata);
    file_.long_attribute("sweep", results_.description);
    file_.attribute("sweep_sha256", results_.identity);
    if (!structure_.germ_maps.empty()) file_.long_attribute("germ_maps", structure_.germ_maps);
    if (!structure_.left_out.empty())
      file_.long_attribute("left_out", fmt::format("{}", fmt::join(structure_.left_out, " ")));
  }

  void put_coordinates() {
    const std::size_t n = results_.points.size();
    std::vector<long long> numbers(n);
    std::vector<std::string> failures(n);
    for (std::size_t p = 0; p < n; ++p) {
      numbers[p] = static_cast<long long>(p);
      failures[p] = results_.points[p].failure;
    }
    file_.put(ids_["sweep"], numbers);
    const auto put_counts = [this](int id, const std::vector<long>& counts) {
      file_.put(id, std::vector<long long>(counts.begin(), counts.end()));
    };
    put_counts(realizations_, structure_.realizations);
    put_counts(failed_, structure_.failed);
    if (point_failure_ >= 0) file_.put(point_failure_, {0}, {n}, failures);
    for (std::size_t i = 0; i < results_.coordinates.size(); ++i) {
      const auto& values = results_.coordinates[i].values;
      const auto [id, numeric] = varied_[i];
      if (!numeric) {
        file_.put(id, {0}, {n}, values);
        continue;
      }
      std::vector<double> converted;
      for (const std::string& value : values) converted.push_back(*sweep_number(value));
      file_.put(id, converted);
    }
    const NetcdfReader first(results_.points[structure_.model].results);
    for (const Variable& v : structure_.coordinates) {
      if (v.is_text())
        file_.put(ids_[v.name], {0}, v.sizes, first.text(v));
      else
        file_.put(ids_[v.name], first.numbers(v));
    }
  }

  /// A variable of a point, some rows of its first dimension at a time.
  void copy(const NetcdfReader& point, const Variable& v, std::size_t p) {
    const int id = ids_[v.name];
    Sizes to{p}, count{1};
    to.resize(1 + v.sizes.size());
    count.insert(count.end(), v.sizes.begin(), v.sizes.end());
    if (v.entries() == 0) return;
    if (v.is_text()) return file_.put(id, to, count, point.text(v));
    const std::size_t rows = v.sizes.empty() ? 1 : v.sizes[0];
    const std::size_t row_bytes = v.entries() / rows * v.type_bytes;
    std::size_t block = std::clamp<std::size_t>(bytes_at_once / row_bytes, 1, rows);
    // Whole pieces, so that none is unpacked twice.
    if (!v.chunks.empty())
      block = std::min(rows, (block + v.chunks[0] - 1) / v.chunks[0] * v.chunks[0]);
    std::vector<unsigned char> bytes(block * row_bytes);
    for (std::size_t row = 0; row < rows; row += block) {
      if (!v.sizes.empty()) {
        to[1] = row;
        count[1] = std::min(block, rows - row);
      }
      const Sizes from(to.begin() + 1, to.end()), size(count.begin() + 1, count.end());
      point.read(v, from, size, bytes.data());
      file_.put_bytes(id, to, count, bytes.data());
    }
  }

  /// For a point without results: no number, a count of nothing, and the status `failed`.
  void put_nothing(const Variable& v, std::size_t p) {
    Sizes to{p}, count{1};
    to.resize(1 + v.sizes.size());
    count.insert(count.end(), v.sizes.begin(), v.sizes.end());
    if (v.entries() == 0) return;
    if (v.is_text())
      return file_.put(ids_[v.name], to, count, std::vector<std::string>(v.entries()));
    const bool real = v.type == NC_DOUBLE || v.type == NC_FLOAT;
    file_.put(ids_[v.name], to, count,
              std::vector<double>(v.entries(), real                 ? nan
                                               : v.name == "status" ? 1.0
                                                                    : 0.0)
                  .data());
  }

  void put_time_mean(TimeMean& m, std::size_t p, const std::vector<double>& mean) {
    m.values.insert(m.values.end(), mean.begin(), mean.end());
    Sizes start{p}, count{1};
    start.resize(1 + m.sizes.size());
    count.insert(count.end(), m.sizes.begin(), m.sizes.end());
    file_.put(m.id, start, count, mean.data());
  }

  void put_failures(const NetcdfReader& point, std::size_t p, std::size_t before) {
    const std::size_t n = structure_.failure_counts[p];
    if (n == 0) return;
    file_.put(failure_sweep_, before, std::vector<long long>(n, static_cast<long long>(p)));
    for (const Variable& known : structure_.failures) {
      const Variable* v = point.find(known.name);
      if (v == nullptr) continue;
      if (v->is_text()) {
        file_.put(ids_[v->name], {before}, {n}, point.text(*v));
      } else {
        std::vector<unsigned char> bytes(n * v->type_bytes);
        point.read(*v, {0}, {n}, bytes.data());
        file_.put_bytes(ids_[v->name], {before}, {n}, bytes.data());
      }
    }
  }

  SweepSummary summary() {
    SweepSummary result;
    result.realizations = structure_.realizations;
    result.failed = structure_.failed;
    result.left_out.assign(structure_.left_out.begin(), structure_.left_out.end());
    for (const auto& [name, points] : structure_.missing) result.missing.push_back(name);
    for (TimeMean& m : time_means_)
      if (m.shown)
        result.columns.push_back(
            {m.name, m.unit, m.components, std::move(m.labels), std::move(m.values)});
    return result;
  }

  const SweepResults& results_;
  const SweepStructure structure_;
  AtomicFile& target_;
  NetcdfWriter file_;
  int sweep_ = -1, realizations_ = -1, failed_ = -1, point_failure_ = -1, failure_sweep_ = -1;
  std::uint64_t text_bytes_ = structure_.text_bytes + 65536;
  std::string coordinate_names_;
  std::map<std::string, int> dimensions_, ids_;
  std::vector<std::pair<int, bool>> varied_;  // variable, whether it holds numbers
  std::vector<TimeMean> time_means_;
};

}  // namespace

SweepSummary write_sweep_results(AtomicFile& file, const SweepResults& results,
                                 const ResultsMetadata& metadata) {
  SweepStructure structure = common_structure(results.points);
  // For names, units, descriptions and attributes.
  constexpr std::uint64_t bytes_of_variable = 8192, bytes_of_rest = std::uint64_t{1} << 20;
  const std::uint64_t variables = structure.coordinates.size() + 2 * structure.stacked.size() +
                                  structure.failures.size() + results.coordinates.size() + 16;
  std::uint64_t names = 0;
  for (const SweepCoordinate& c : results.coordinates) names += c.path.size() + 1;
  file.reserve(bytes_of_rest + variables * (bytes_of_variable + names) +
               2 * (metadata.effective_yaml.size() + results.description.size() +
                    structure.germ_maps.size()));
  return SweepWriter(file, results, metadata, std::move(structure)).write();
}

}  // namespace tumble
