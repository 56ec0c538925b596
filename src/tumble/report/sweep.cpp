#include "tumble/report/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "tumble/io/model/study_sections.hpp"
#include "tumble/io/model/sweep.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/io/netcdf/netcdf_reader.hpp"
#include "tumble/model/parameters.hpp"
#include "tumble/report/results_view.hpp"

namespace tumble::report {
namespace {

using Variable = NetcdfReader::Variable;

/// A statistic of a response: one number a point, time and component, or a point and component.
struct Statistic {
  std::string name;                 ///< "standard deviation"
  std::string band;                 ///< what lies between lower and upper; empty: there are no ends
  std::string value, lower, upper;  ///< variables
  bool over_time = true;
  std::optional<std::size_t> quantile;  ///< place along the dimension `quantile`
  /// Ends lie by this multiple of `lower`, an error, to either side; 0: lower and upper are ends.
  double errors = 0;
  std::optional<std::string> unit = {};  ///< if it is not that of the response
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

class SweepView {
 public:
  SweepView(const std::filesystem::path& directory, Blob& blob)
      : file_(directory / "results.nc"), blob_(blob), sweep_(axes_of(file_)) {
    if (file_.find("time") == nullptr || file_.text_attribute("method") != "sweep")
      throw std::runtime_error((directory / "results.nc").string() + " holds no sweep");
    times_ = file_.numbers(*file_.find("time"));
    try {
      model_ = read_model_text(file_.text_attribute("model"), "model.yaml");
    } catch (const InputError&) {  // a file it refers to is gone: units are then not known
    }
    if (const auto* p = file_.find("quantile")) probabilities_ = file_.numbers(*p);
    interval_ = file_.number_attribute("interval_confidence").value_or(0.95);
    find_responses();
  }

  Json json(const std::string& label, std::size_t most_bytes) {
    choose_times(most_bytes);
    std::vector<double> times;
    for (const std::size_t t : shown_) times.push_back(times_[t]);
    Json json{{"label", label}, {"title", title()}, {"summary", summary()}};
    json["parameters"] = parameters();
    json["points"] = points();
    json["time"] = blob_.f64(times, {times.size()});
    json["times_computed"] = times_.size();
    json["responses"] = Json::array();
    for (const Response& response : responses_) json["responses"].push_back(describe(response));
    json["widest"] = widest();
    json["start_statistic"] = deviation_name;
    return json;
  }

 private:
  static constexpr const char* deviation_name = "standard deviation";

  struct Response {
    std::string probe, quantity, prefix, unit, description;
    std::vector<std::string> axes;
    std::vector<Statistic> statistics;
    bool over_time = true;  ///< false: a quantity of interest, one number a run
  };

  static Sweep axes_of(const NetcdfReader& file) {
    std::vector<SweepAxis> axes;
    for (const std::string& line : lines_of(file.text_attribute("sweep")))
      axes.push_back(parse_sweep_axis(line));
    return Sweep(std::move(axes));
  }

  std::string file_name() const {
    const std::string path = file_.text_attribute("model_path");
    return path.empty() ? "model.yaml" : std::filesystem::path(path).filename().string();
  }
  std::string title() const {
    const std::string title = file_.text_attribute("title");
    return title.empty() ? file_name() : title;
  }

  Json summary() const {
    const auto seed = file_.integer_attribute("seed");
    const auto varies = [this](const char* path) {
      return std::ranges::any_of(sweep_.axes(), [path](const SweepAxis& axis) {
        return std::ranges::find(axis.paths, path) != axis.paths.end();
      });
    };
    const bool varies_seed = varies("study.seed"), varies_method = varies("study.method");
    const std::string method =
        varies_method ? std::string()
        : model_ && model_->study
            ? std::string(study_method_names[static_cast<std::size_t>(model_->study->study.method)])
            : "sweep";
    Json json{{"file", file_name()},
              {"method", method},
              {"realizations", file_.integer_attribute("realizations").value_or(0)},
              {"failed", file_.integer_attribute("failed").value_or(0)},
              {"seed", seed && !varies_seed ? Json(*seed) : Json(nullptr)},
              {"common_numbers",
               !varies_seed && !varies_method && method != "chaos" && sweep_.points() > 1},
              {"version", file_.text_attribute("tumble_version")},
              {"model_sha256", file_.text_attribute("model_sha256")},
              {"command", file_.text_attribute("command")},
              {"wall_time", file_.number_attribute("wall_time").value_or(0)},
              {"threads", file_.integer_attribute("threads").value_or(1)},
              {"warnings", lines_of(file_.text_attribute("warnings"))}};
    const std::string left_out = file_.text_attribute("left_out");
    if (!left_out.empty())
      json["warnings"].push_back("Left out, because points differ in shape: " + left_out);
    return json;
  }

  /// Of a slot of the model; of anything else nobody wrote it down.
  std::string unit_of(const std::string& path) const {
    if (!model_) return {};
    const ParameterTable table(model_->model);
    const int slot = table.find(path);
    return slot < 0 ? std::string()
                    : std::string(table.slots()[static_cast<std::size_t>(slot)].unit);
  }

  Json parameters() const {
    Json all = Json::array();
    for (const SweepAxis& axis : sweep_.axes()) {
      Json numbers = Json::array();
      for (const std::string& value : axis.values)
        if (const auto number = sweep_number(value)) numbers.push_back(*number);
      all.push_back({{"paths", axis.paths},
                     {"unit", unit_of(axis.paths.front())},
                     {"values", axis.values},
                     {"numbers", numbers.size() == axis.values.size() ? numbers : Json(nullptr)}});
    }
    return all;
  }

  Json points() const {
    const auto counts = [&](const char* name) {
      const auto* v = file_.find(name);
      return v == nullptr ? std::vector<double>(sweep_.points(), 0.0) : file_.numbers(*v);
    };
    const std::vector<double> realizations = counts("realizations"), failed = counts("failed");
    std::vector<std::string> failures(sweep_.points());
    if (const auto* v = file_.find("point_failure")) failures = file_.text(*v);
    Json all = Json::array();
    for (std::size_t p = 0; p < sweep_.points(); ++p)
      all.push_back({{"realizations", static_cast<long>(realizations.at(p))},
                     {"failed", static_cast<long>(failed.at(p))},
                     {"failure", failures.at(p)}});
    return all;
  }

  /// Responses are what has a nominal run; probes may have underscores in their names as quantities
  /// have, so both come from the model, or from the name as a whole.
  void find_responses() {
    constexpr std::string_view ending = "_nominal";
    for (const Variable& v : file_.variables()) {
      if (!v.name.ends_with(ending) || v.dimensions.size() < 2 || v.dimensions[0] != "sweep" ||
          v.dimensions[1] != "time" || v.dimensions.size() > 3)
        continue;
      Response response;
      response.prefix = v.name.substr(0, v.name.size() - ending.size());
      split_name(response);
      response.unit = file_.text_attribute("units", v.id);
      response.axes = {""};
      if (v.dimensions.size() == 3) {
        const auto* names = file_.find(v.dimensions[2]);
        if (names == nullptr || !names->is_text()) continue;
        response.axes = file_.text(*names);
      }
      find_statistics(response);
      if (!response.statistics.empty()) responses_.push_back(std::move(response));
    }
    find_quantities();
  }

  void find_quantities() {
    constexpr std::string_view begin = "quantity_", ending = "_nominal_output_error";
    for (const Variable& v : file_.variables()) {
      if (!v.name.starts_with(begin) || !v.name.ends_with(ending) || v.dimensions.size() != 1)
        continue;
      Response response;
      response.prefix = v.name.substr(0, v.name.size() - ending.size());
      response.probe = "quantity";
      response.quantity = response.prefix.substr(begin.size());
      response.unit = file_.text_attribute("units", v.id);
      response.axes = {""};
      response.over_time = false;
      find_statistics(response);
      if (!response.statistics.empty()) responses_.push_back(std::move(response));
    }
  }

  void split_name(Response& response) const {
    response.probe = response.prefix;
    if (!model_) return;
    for (const Probe& probe : model_->model.probes)
      if (response.prefix.starts_with(probe.name + "_") &&
          (response.quantity.empty() || probe.name.size() > response.probe.size())) {
        response.probe = probe.name;
        response.quantity = response.prefix.substr(probe.name.size() + 1);
      }
  }

  bool has(const std::string& name) const { return file_.find(name) != nullptr; }

  void find_statistics(Response& response) const {
    const std::string& prefix = response.prefix;
    const std::string sure = fmt::format("{:g} % interval", 100 * interval_);
    const auto add = [&](const std::string& name, const std::string& statistic) {
      if (!has(prefix + "_" + statistic)) return;
      Statistic s;
      s.name = name, s.value = prefix + "_" + statistic;
      s.over_time = response.over_time;
      const std::string lower = s.value + "_interval_lower", upper = s.value + "_interval_upper";
      if (has(lower) && has(upper)) {
        s.band = sure, s.lower = lower, s.upper = upper;
      } else if (has(s.value + "_error")) {  // of polynomial chaos
        const bool measured = has(prefix + "_chaos_error_upper");
        s.band = measured ? fmt::format("{:g} % bounds", 100 * interval_) : "guessed bounds";
        s.lower = s.value + "_error", s.errors = 1;
      }
      response.statistics.push_back(s);
    };
    add("mean", "mean");
    add(deviation_name, "std");
    for (std::size_t k = 0; k < probabilities_.size() && has(prefix + "_quantile"); ++k) {
      Statistic s;
      s.name = fmt::format("{:.4g} % quantile", 100 * probabilities_[k]);
      s.value = prefix + "_quantile";
      s.quantile = k;
      s.over_time = response.over_time;
      if (has(s.value + "_lower") && has(s.value + "_upper"))
        s.band = sure, s.lower = s.value + "_lower", s.upper = s.value + "_upper";
      response.statistics.push_back(s);
    }
    if (has(prefix + "_probability")) {  // of what may not happen
      Statistic s;
      s.name = "probability", s.value = prefix + "_probability";
      s.over_time = false;
      s.unit = "1";
      s.band = sure, s.lower = s.value + "_lower", s.upper = s.value + "_upper";
      response.statistics.push_back(s);
    }
    if (has(prefix + "_std_time_mean")) {
      Statistic s;
      s.name = "standard deviation averaged over time", s.value = prefix + "_std_time_mean";
      s.over_time = false;
      if (has(s.value + "_se_bound"))
        s.band = "±2 standard errors, or less", s.lower = s.value + "_se_bound", s.errors = 2;
      response.statistics.push_back(s);
    }
  }

  std::size_t numbers_over_time() const {
    std::size_t count = 0;
    for (const Response& response : responses_)
      for (const Statistic& s : response.statistics)
        if (s.over_time) count += response.axes.size() * (s.lower.empty() ? 1 : 3);
    return count;
  }

  /// Evenly chosen, and those at which a response spreads most.
  void choose_times(std::size_t most_bytes) {
    const std::size_t bytes_of_time =
        std::max<std::size_t>(1, numbers_over_time() * sweep_.points() * sizeof(float));
    shown_ = evenly(times_.size(), std::max<std::size_t>(2, most_bytes / bytes_of_time));
    if (shown_.size() == times_.size()) return;
    for (const Response& response : responses_) {
      const auto* deviation = file_.find(response.prefix + "_std");
      if (deviation == nullptr || !response.over_time) continue;
      const std::vector<double> values = file_.numbers(*deviation);
      std::size_t at = 0;
      for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] > values[at] || std::isnan(values[at])) at = i;
      shown_.push_back(at / response.axes.size() % times_.size());
    }
    std::ranges::sort(shown_);
    shown_.erase(std::unique(shown_.begin(), shown_.end()), shown_.end());
  }

  /// Values [point][time][component] at the times shown, or [point][component].
  std::vector<double> values(const Response& response, const Statistic& s,
                             const std::string& variable) const {
    const std::vector<double> all = file_.numbers(*file_.find(variable));
    const std::size_t blocks = s.quantile ? probabilities_.size() : 1;
    std::vector<double> chosen;
    if (!s.over_time) {
      for (std::size_t i = s.quantile.value_or(0); i < all.size(); i += blocks)
        chosen.push_back(all[i]);
      return chosen;
    }
    const std::size_t axes = response.axes.size(), row = times_.size() * axes;
    chosen.reserve(sweep_.points() * shown_.size() * axes);
    for (std::size_t p = 0; p < sweep_.points(); ++p) {
      const double* of_point = all.data() + (p * blocks + s.quantile.value_or(0)) * row;
      for (const std::size_t t : shown_)
        chosen.insert(chosen.end(), of_point + t * axes, of_point + (t + 1) * axes);
    }
    return chosen;
  }

  Json describe(const Response& response) {
    Json json{{"probe", response.probe},
              {"quantity", response.quantity},
              {"unit", response.unit},
              {"axes", response.axes},
              {"statistics", Json::array()}};
    const std::size_t points = sweep_.points(), axes = response.axes.size();
    for (const Statistic& s : response.statistics) {
      const Shape shape = s.over_time ? Shape{points, shown_.size(), axes} : Shape{points, axes};
      std::vector<double> value = values(response, s, s.value);
      Json one{{"name", s.name},
               {"over_time", s.over_time},
               {"band", s.band},
               {"value", blob_.f32(value, shape)}};
      if (s.unit) one["unit"] = *s.unit;
      if (!s.lower.empty()) {
        std::vector<double> lower = values(response, s, s.lower);
        std::vector<double> upper = s.errors == 0 ? values(response, s, s.upper) : lower;
        if (s.errors != 0)
          for (std::size_t i = 0; i < value.size(); ++i) {
            lower[i] = value[i] - s.errors * lower[i];
            upper[i] = value[i] + s.errors * upper[i];
          }
        one["lower"] = blob_.f32(lower, shape);
        one["upper"] = blob_.f32(upper, shape);
      }
      json["statistics"].push_back(std::move(one));
    }
    return json;
  }

  /// Where a standard deviation is largest, relative to the largest mean of its response.
  Json widest() const {
    Json found = nullptr;
    double largest = 0;
    for (std::size_t r = 0; r < responses_.size(); ++r) {
      const Response& response = responses_[r];
      if (!response.over_time || response.axes.size() > 3 || response.quantity == "total_energy")
        continue;
      const auto deviation =
          std::ranges::find(response.statistics, deviation_name, &Statistic::name);
      const auto mean = std::ranges::find(response.statistics, "mean", &Statistic::name);
      if (deviation == response.statistics.end() || mean == response.statistics.end()) continue;
      double size = 0;
      for (const double x : values(response, *mean, mean->value))
        if (std::abs(x) > size) size = std::abs(x);
      const std::vector<double> std = values(response, *deviation, deviation->value);
      const std::size_t axes = response.axes.size();
      for (std::size_t i = 0; i < std.size() && size > 0; ++i)
        if (std[i] / size > largest) {
          largest = std[i] / size;
          found = {{"response", r}, {"axis", i % axes}, {"row", i / axes % shown_.size()}};
        }
    }
    return found;
  }

  NetcdfReader file_;
  Blob& blob_;
  Sweep sweep_;
  std::optional<ModelFile> model_;
  std::vector<double> times_, probabilities_;
  std::vector<std::size_t> shown_;
  std::vector<Response> responses_;
  double interval_ = 0.95;
};

}  // namespace

bool holds_sweep(const std::filesystem::path& directory) {
  return NetcdfReader(directory / "results.nc").text_attribute("method") == "sweep";
}

Json make_sweep(const std::filesystem::path& directory, const std::string& label, Blob& blob,
                std::size_t most_bytes) {
  return SweepView(directory, blob).json(label, most_bytes);
}

}  // namespace tumble::report
