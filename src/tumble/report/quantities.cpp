#include "tumble/report/quantities.hpp"

#include <algorithm>
#include <cmath>

namespace tumble::report {
namespace {

/// The variables quantity_<name>... of one of them.
class WrittenQuantity {
 public:
  WrittenQuantity(const ResultsView& results, std::string name)
      : results_(results), name_(std::move(name)) {}

  Json make(Blob& blob) const {
    const NetcdfReader& file = results_.file();
    const int nominal = file.find(variable("_nominal"))->id;
    std::string words = file.text_attribute("long_name", nominal);
    words = words.substr(0, words.rfind(" (nominal run)"));
    Json json{{"name", name_},
              {"description", std::move(words)},
              {"unit", file.text_attribute("units", nominal)},
              {"nominal", number("_nominal")},
              {"nominal_output_error", number("_nominal_output_error")}};
    if (file.find(variable("_mean")) == nullptr) return json;
    for (const char* what : {"count", "mean", "std", "mean_output_error", "time_error",
                             "mean_time_error", "chaos_error"})
      if (const Json found = number(std::string("_") + what); !found.is_null()) json[what] = found;
    for (const std::string what : {"mean", "std"}) {
      const Json error = number("_" + what + "_se"), bound = number("_" + what + "_error");
      if (!error.is_null() || !bound.is_null())
        json[what + "_error"] = error.is_null() ? bound : error;
      const Json lower = number("_" + what + "_interval_lower");
      if (!lower.is_null())
        json[what + "_interval"] = {lower, number("_" + what + "_interval_upper")};
    }
    if (file.find(variable("_probability")) != nullptr)
      json["probability"] = {number("_probability"), number("_probability_lower"),
                             number("_probability_upper")};
    if (const Json found = shares(); !found.empty()) json["shares"] = found;
    json["quantiles"] = quantile_rows();
    json["curves"] = curves(blob);
    return json;
  }

 private:
  std::string variable(const std::string& ending) const { return "quantity_" + name_ + ending; }

  /// Null without such a variable, or where it says nothing.
  Json number(const std::string& ending) const {
    const auto found = results_.numbers(variable(ending));
    if (!found || found->size() != 1 || !std::isfinite(found->front())) return nullptr;
    return found->front();
  }

  /// Of the variance, by group: {name, alone: [share, lower end, upper end], total: the same}.
  Json shares() const {
    Json rows = Json::array();
    const auto* names = results_.file().find("group");
    if (names == nullptr) return rows;
    for (const std::string& name : results_.file().text(*names)) rows.push_back({{"name", name}});
    for (const auto& [key, ending] :
         {std::pair{"alone", "_sobol_group"}, {"total", "_sobol_group_total"}}) {
      const std::string stem = variable(ending);
      const auto value = results_.numbers(stem), lower = results_.numbers(stem + "_lower"),
                 upper = results_.numbers(stem + "_upper");
      if (!value || value->size() != rows.size() || !std::isfinite(value->front()))
        return Json::array();
      for (std::size_t g = 0; g < rows.size(); ++g)
        rows[g][key] = {(*value)[g], lower ? Json((*lower)[g]) : Json(nullptr),
                        upper ? Json((*upper)[g]) : Json(nullptr)};
    }
    return rows;
  }

  /// [probability, quantile, lower end, upper end] in ascending order of probability.
  Json quantile_rows() const {
    Json rows = Json::array();
    const auto p = results_.numbers("quantile"), value = results_.numbers(variable("_quantile"));
    if (!p || !value) return rows;
    const auto lower = results_.numbers(variable("_quantile_lower"));
    const auto upper = results_.numbers(variable("_quantile_upper"));
    const auto finite = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
    for (std::size_t i = 0; i < p->size(); ++i)
      rows.push_back({(*p)[i], finite((*value)[i]), lower ? finite((*lower)[i]) : Json(nullptr),
                      upper ? finite((*upper)[i]) : Json(nullptr)});
    std::sort(rows.begin(), rows.end(),
              [](const Json& a, const Json& b) { return a[0].get<double>() < b[0].get<double>(); });
    return rows;
  }

  /// Null where all values are equal.
  Json curves(Blob& blob) const {
    const auto at = results_.numbers(variable("_abscissa"));
    if (!at || at->empty() || !std::isfinite(at->front())) return nullptr;
    Json json = Json::object();
    for (const char* what : {"abscissa", "density", "density_se", "exceedance", "exceedance_lower",
                             "exceedance_upper"})
      if (const auto values = results_.numbers(variable(std::string("_") + what)))
        json[what] = blob.f64(*values, {values->size()});
    return json;
  }

  const ResultsView& results_;
  std::string name_;
};

}  // namespace

Json quantities(const ResultsView& results, Blob& blob) {
  const std::string_view begin = "quantity_", end = "_nominal_output_error";
  Json all = Json::array();
  for (const NetcdfReader::Variable& variable : results.file().variables()) {
    const std::string_view name = variable.name;
    if (!name.starts_with(begin) || !name.ends_with(end) || !variable.dimensions.empty()) continue;
    all.push_back(
        WrittenQuantity(results, std::string(name.substr(begin.size(),
                                                         name.size() - begin.size() - end.size())))
            .make(blob));
  }
  return all;
}

Json bands(const ResultsView& results, Blob& blob) {
  const std::string_view begin = "quantity_", end = "_band_nominal";
  Json all = Json::array();
  for (const NetcdfReader::Variable& variable : results.file().variables()) {
    const std::string_view name = variable.name;
    if (!name.starts_with(begin) || !name.ends_with(end)) continue;
    const std::string stem(name.substr(0, name.size() - end.size()));
    std::string words = results.file().text_attribute("long_name", variable.id);
    words = words.substr(0, words.rfind(" (nominal machine)"));
    Json json{{"name", stem.substr(begin.size())},
              {"description", std::move(words)},
              {"unit", results.file().text_attribute("units", variable.id)}};
    const auto add = [&](const char* key, const std::string& ending) {
      if (const auto values = results.numbers(stem + ending))
        json[key] = blob.f64(*values, {values->size()});
    };
    add("frequency", "_frequency");
    add("nominal", "_band_nominal");
    add("mean", "_band_mean");
    add("mean_error", "_band_mean_se");
    add("std", "_band_std");
    const auto p = results.numbers("quantile"), value = results.numbers(stem + "_band_quantile"),
               lower = results.numbers(stem + "_band_quantile_lower"),
               upper = results.numbers(stem + "_band_quantile_upper");
    json["quantiles"] = Json::array();
    for (std::size_t i = 0; p && value && i < p->size(); ++i) {
      const auto column = [&](const std::vector<double>& of) {
        std::vector<double> values;
        for (std::size_t k = i; k < of.size(); k += p->size()) values.push_back(of[k]);
        return blob.f64(values, {values.size()});
      };
      Json one{{"probability", (*p)[i]}, {"value", column(*value)}};
      if (lower && upper) {
        one["lower"] = column(*lower);
        one["upper"] = column(*upper);
      }
      json["quantiles"].push_back(std::move(one));
    }
    std::sort(json["quantiles"].begin(), json["quantiles"].end(), [](const Json& a, const Json& b) {
      return a["probability"].get<double>() < b["probability"].get<double>();
    });
    all.push_back(std::move(json));
  }
  return all;
}

}  // namespace tumble::report
