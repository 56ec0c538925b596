#include "tumble/report/results_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "tumble/io/model/time_grid.hpp"
#include "tumble/io/results/added_functions.hpp"
#include "tumble/model/probe.hpp"
#include "tumble/study/statistics/plain_statistics.hpp"

namespace tumble::report {

std::vector<std::size_t> evenly(std::size_t count, std::size_t most) {
  std::vector<std::size_t> chosen;
  if (count == 0 || most == 0) return chosen;
  const std::size_t kept = std::min(count, most);
  for (std::size_t i = 0; i < kept; ++i)
    chosen.push_back(kept == 1 ? 0 : i * (count - 1) / (kept - 1));
  return chosen;
}

std::string without_directory(Diagnostic diagnostic) {
  diagnostic.where.file = std::filesystem::path(diagnostic.where.file).filename().string();
  return to_string(diagnostic);
}

ResultsView::ResultsView(const std::filesystem::path& directory, const Budget& budget)
    : budget_(budget), file_(directory / "results.nc") {
  if (file_.find("time") == nullptr || file_.text_attribute("tumble_version").empty())
    throw std::runtime_error((directory / "results.nc").string() + " holds no results of Tumble");
  if (method() == "sweep")
    throw std::runtime_error((directory / "results.nc").string() + " holds a sweep of studies");
  times_ = file_.numbers(*file_.find("time"));
  if (const auto* status = file_.find("status"); status != nullptr)
    realizations_ = status->sizes.at(0);
  read_model();
  find_quantities();
  choose_times();
}

std::string ResultsView::method() const { return file_.text_attribute("method"); }

bool ResultsView::holds_draws() const {
  for (const char* chosen : {"chaos", "variability-response", "reliability", "worst-case"})
    if (method() == chosen) return false;
  return file_.text_attribute("sensitivity_method") != "morris";
}

bool ResultsView::lacks_elements() const {
  return change_runs(file_.text_attribute("added_functions"));
}

void ResultsView::read_model() {
  model_path_ = file_.text_attribute("model_path");
  if (model_path_.empty()) model_path_ = file_.text_attribute("model_file");
  if (model_path_.empty()) model_path_ = "model.yaml";
  try {
    model_ = read_model_text(file_.text_attribute("model"), model_path_);
    Simulation& simulation = model_->model.simulation;
    simulation.grid = read_grid_text(file_.text_attribute("time_grid"));
    if (simulation.integrator == IntegrationMethod::automatic)
      simulation.integrator = read_method_text(file_.text_attribute("integrator"));
  } catch (const InputError& error) {
    model_problem_ = without_directory(error.diagnostics().front());
  }
}

void ResultsView::add_quantity(const std::string& probe, const std::string& quantity) {
  ProbedQuantity q{probe, quantity, probe + "_" + quantity, {}, {}, {}};
  const NetcdfReader::Variable* variable = file_.find(q.prefix + "_nominal");
  if (variable == nullptr) return;
  q.unit = file_.text_attribute("units", variable->id);
  for (const QuantityInfo& info : quantity_table())
    if (info.name == quantity) q.description = info.doc;
  if (const std::string open = file_.text_attribute("undetermined", variable->id); !open.empty())
    q.description += "; not determined by the motion, least-norm values: " + open;
  if (variable->dimensions.size() > 1)
    q.axes = text(variable->dimensions.back());
  else
    q.axes = {""};
  quantities_.push_back(std::move(q));
}

void ResultsView::find_quantities() {
  if (model_) {
    for (const Probe& probe : model_->model.probes)
      for (const Quantity quantity : probe.quantities)
        add_quantity(probe.name, std::string(info(quantity).name));
    return;
  }
  // Without the model, the longest name of a quantity that a variable's name ends with.
  for (const NetcdfReader::Variable& variable : file_.variables()) {
    if (!variable.name.ends_with("_nominal") || variable.dimensions.empty()) continue;
    const std::string prefix = variable.name.substr(0, variable.name.size() - 8);
    std::string_view longest;
    for (const QuantityInfo& info : quantity_table())
      if (prefix.ends_with("_" + std::string(info.name)) && info.name.size() > longest.size())
        longest = info.name;
    if (!longest.empty())
      add_quantity(prefix.substr(0, prefix.size() - longest.size() - 1), std::string(longest));
  }
}

void ResultsView::choose_times() {
  std::size_t numbers_at_a_time = 1;
  for (const ProbedQuantity& q : quantities_) {
    numbers_at_a_time += q.axes.size();
    const auto count = [&](const char* statistic) {
      if (const auto* variable = file_.find(q.prefix + "_" + statistic); variable != nullptr)
        numbers_at_a_time += variable->entries() / times_.size();
    };
    for (const char* statistic : statistics_over_time) count(statistic);
    for (const PlainStatistic& plain : plain_statistics()) count(plain.name);
  }
  const std::size_t room = budget_.curves / (sizeof(double) * numbers_at_a_time);
  shown_times_ = evenly(times_.size(), std::clamp<std::size_t>(room, 20, Budget::most_times));
  if (const auto* breaks = file_.find("break"); breaks != nullptr)
    for (const double time : file_.numbers(*breaks)) {
      const auto row = std::lower_bound(times_.begin(), times_.end(), time);
      if (row != times_.end() && *row == time)
        shown_times_.push_back(static_cast<std::size_t>(row - times_.begin()));
    }
  std::sort(shown_times_.begin(), shown_times_.end());
  shown_times_.erase(std::unique(shown_times_.begin(), shown_times_.end()), shown_times_.end());
}

std::vector<double> ResultsView::times_shown() const {
  std::vector<double> shown;
  for (const std::size_t t : shown_times_) shown.push_back(times_[t]);
  return shown;
}

std::optional<std::vector<double>> ResultsView::numbers(const std::string& name) const {
  const NetcdfReader::Variable* variable = file_.find(name);
  if (variable == nullptr || variable->is_text()) return std::nullopt;
  std::vector<double> all = file_.numbers(*variable);
  const auto time = std::find(variable->dimensions.begin(), variable->dimensions.end(), "time");
  if (time == variable->dimensions.end() || shown_times_.size() == times_.size()) return all;
  std::size_t before = 1, after = 1;
  for (auto d = variable->dimensions.begin(); d != variable->dimensions.end(); ++d) {
    const std::size_t size =
        variable->sizes[static_cast<std::size_t>(d - variable->dimensions.begin())];
    if (d < time) before *= size;
    if (d > time) after *= size;
  }
  std::vector<double> kept;
  kept.reserve(before * shown_times_.size() * after);
  for (std::size_t b = 0; b < before; ++b)
    for (const std::size_t t : shown_times_) {
      const auto row = all.begin() + static_cast<std::ptrdiff_t>((b * times_.size() + t) * after);
      kept.insert(kept.end(), row, row + static_cast<std::ptrdiff_t>(after));
    }
  return kept;
}

std::vector<std::string> ResultsView::text(const std::string& name) const {
  const NetcdfReader::Variable* variable = file_.find(name);
  if (variable == nullptr || !variable->is_text()) return {};
  return file_.text(*variable);
}

std::vector<std::string> ResultsView::lines(const char* attribute) const {
  std::istringstream stream(file_.text_attribute(attribute));
  std::vector<std::string> all;
  for (std::string line; std::getline(stream, line);)
    if (!line.empty()) all.push_back(line);
  return all;
}

void ResultsView::for_each_realization(const NetcdfReader::Variable& variable,
                                       const Visitor& visit) const {
  if (variable.type != NC_DOUBLE || variable.dimensions.at(0) != "realization")
    throw std::runtime_error(variable.name + ": expected numbers of realisations");
  const std::size_t total = variable.sizes[0], entries = total > 0 ? variable.entries() / total : 0;
  std::vector<double> values(std::min(piece, total) * entries);
  for (std::size_t first = 0; first < total; first += piece) {
    std::vector<std::size_t> start(variable.sizes.size(), 0), count = variable.sizes;
    start[0] = first;
    count[0] = std::min(piece, total - first);
    file_.read(variable, start, count, values.data());
    visit(first, values.data(), count[0]);
  }
}

std::vector<std::uint8_t> ResultsView::status(std::size_t first, std::size_t count) const {
  std::vector<std::uint8_t> values(count);
  file_.read(*file_.find("status"), {first}, {count}, values.data());
  return values;
}

}  // namespace tumble::report
