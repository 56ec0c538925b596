#include "tumble/report/paper_figure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "tumble/base/diagnostic.hpp"
#include "tumble/report/payload.hpp"

namespace tumble::report {
namespace {

/// What the views show of one study. Curves are kept with these statistics; what every curve must
/// have comes with it.
struct Shown {
  std::map<std::size_t, std::set<std::string>> curves;
  std::set<std::size_t> inputs, fields;
  bool realizations = false;
};

[[noreturn]] void refuse(const std::string& where, const char* what, const std::string& name,
                         const std::vector<std::string>& known) {
  const std::string near = nearest_name(name, known);
  throw std::invalid_argument(
      fmt::format("{}: no {} '{}' in the results{}", where, what, name,
                  !near.empty()      ? fmt::format("; did you mean '{}'?", near)
                  : known.size() < 9 ? fmt::format("; there are: {}", fmt::join(known, ", "))
                                     : ""));
}

/// The entry of a list whose `key` is `name`.
std::size_t find_by(const Json& list, const char* key, const std::string& name,
                    const std::string& where, const char* what) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < list.size(); ++i) {
    known.push_back(list[i][key].get<std::string>());
    if (known.back() == name) return i;
  }
  refuse(where, what, name, known);
}

std::size_t find_curve(const Json& study, const std::string& probe, const std::string& quantity,
                       const std::string& where) {
  const Json& curves = study["curves"];
  std::vector<std::string> quantities;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (curves[i]["probe"] != probe) continue;
    if (curves[i]["quantity"] == quantity) return i;
    quantities.push_back(curves[i]["quantity"].get<std::string>());
  }
  if (!quantities.empty()) refuse(where, "quantity", quantity, quantities);
  return find_by(curves, "probe", probe, where, "probe");
}

void check_axis(const Json& curve, const std::string& axis, const std::string& where) {
  const auto axes = curve["axes"].get<std::vector<std::string>>();
  if (std::find(axes.begin(), axes.end(), axis) == axes.end()) refuse(where, "axis", axis, axes);
}

/// Two axes of the curve, "xy", or "space": all three, seen obliquely.
void check_plane(const Json& curve, const std::string& plane, const std::string& where) {
  if (plane == "space" ? curve["axes"].size() == 3 : plane.size() == 2) {
    if (plane == "space") return;
    check_axis(curve, plane.substr(0, 1), where);
    check_axis(curve, plane.substr(1), where);
    return;
  }
  throw std::invalid_argument(fmt::format(
      "{}: plane '{}' must be two axes, such as 'xy', or 'space' for three", where, plane));
}

/// What one view needs of one study.
void add_view(const Json& view, const Json& study, const std::string& where, Shown& shown) {
  const std::string kind = view["kind"];
  const auto curve = [&](const std::string& probe, const std::set<std::string>& statistics) {
    const std::size_t i = find_curve(study, probe, view["quantity"], where);
    for (const std::string& statistic : statistics)
      if (study["curves"][i].contains(statistic)) shown.curves[i].insert(statistic);
    shown.curves[i];
    return study["curves"][i];
  };
  if (kind == "response") {
    const Json found = curve(view["probe"], {"mean", "quantile"});
    check_axis(found, view["axis"], where);
    // Statistics are at output times, where a jump has its left limit: beside them a nominal curve
    // with right limits would seem to have peaks that the mean lacks.
    if (!found.contains("mean")) curve(view["probe"], {"nominal_right"});
  } else if (kind == "mean") {
    const Json found = curve(view["probe"], {"mean"});
    for (const Json& axis : view["axes"]) check_axis(found, axis, where);
  } else if (kind == "covariance") {
    const Json found = curve(view["probe"], {"cov"});
    for (const Json& pair : view["entries"])
      for (const Json& axis : pair) check_axis(found, axis, where);
  } else if (kind == "principal-std") {
    curve(view["probe"], {"principal_std"});
  } else if (kind == "track") {
    check_plane(curve(view["probe"], {"mean", "cov"}), view["plane"], where);
  } else if (kind == "configurations") {
    for (const Json& line : view["lines"])
      for (const Json& probe : line)
        check_plane(curve(probe, {"mean", "cov"}), view["plane"], where);
  } else if (kind == "input") {
    shown.inputs.insert(find_by(study["inputs"], "path", view["path"], where, "input"));
  } else if (kind == "points") {
    shown.realizations = true;
    for (const char* side : {"x", "y"})
      shown.inputs.insert(find_by(study["inputs"], "path", view[side], where, "input"));
  } else if (kind == "field") {
    shown.fields.insert(find_by(study["fields"], "name", view["field"], where, "field"));
  } else if (kind == "field-error") {
    for (const Json& name : view["fields"])
      shown.fields.insert(find_by(study["fields"], "name", name, where, "field"));
  }
}

/// Views that lay all studies over each other; the others show one.
bool shows_all_studies(const std::string& kind) {
  return kind == "mean" || kind == "covariance" || kind == "principal-std";
}

std::vector<Shown> find_shown(const Json& figure, const Json& studies) {
  std::vector<Shown> shown(studies.size());
  for (std::size_t v = 0; v < figure["views"].size(); ++v) {
    const Json& view = figure["views"][v];
    const std::string where = fmt::format("view {}", v + 1);
    const auto chosen = view.value("study", std::size_t{0});
    if (chosen >= studies.size())
      throw std::invalid_argument(fmt::format(
          "{}: study {} is asked for, but there {}", where, chosen,
          studies.size() == 1 ? "is only study 0" : fmt::format("are {}", studies.size())));
    for (std::size_t s = 0; s < studies.size(); ++s)
      if (s == chosen || (shows_all_studies(view["kind"]) && !view.contains("study")))
        add_view(view, studies[s], where, shown[s]);
  }
  return shown;
}

Json chosen(const Json& list, const std::set<std::size_t>& indices) {
  Json kept = Json::array();
  for (const std::size_t i : indices) kept.push_back(list[i]);
  return kept;
}

Json reduced(const Json& study, const Shown& shown) {
  Json kept = study;
  kept["curves"] = Json::array();
  for (const auto& [i, statistics] : shown.curves) {
    const Json& from = study["curves"][i];
    Json curve;
    for (const char* always : {"probe", "quantity", "description", "unit", "axes", "nominal"})
      curve[always] = from[always];
    for (const std::string& statistic : statistics) curve[statistic] = from[statistic];
    kept["curves"].push_back(std::move(curve));
  }
  kept["inputs"] = chosen(study["inputs"], shown.inputs);
  kept["fields"] = chosen(study["fields"], shown.fields);
  if (!shown.realizations) kept["realizations"] = nullptr;
  for (const char* left_out : {"correlations", "convergence", "chaos", "scene"})
    kept[left_out] = nullptr;
  kept.erase("sensitivity");
  kept.erase("variability");
  kept.erase("reliability");
  kept.erase("worst_case");
  kept["summary"]["widest"] = nullptr;  // its index would point at another curve
  kept["trust"]["energy"] = nullptr;
  kept["trust"]["failures"] = Json::array();
  return kept;
}

/// Copies the arrays that `json` refers to from one block to another, and lets it refer to that.
void move_arrays(Json& json, const Blob& from, Blob& to) {
  if (json.is_object() && json.contains("at") && json.contains("type") && json.contains("shape"))
    json = to.copy(from, json);
  else if (json.is_structured())
    for (Json& part : json) move_arrays(part, from, to);
}

}  // namespace

Payload make_figure_payload(const std::vector<std::filesystem::path>& directories,
                            const Json& figure) {
  Budget budget;
  budget.scene = 0;
  budget.field_samples = 1000;
  const Payload whole = make_payload(directories, budget);
  const std::vector<Shown> shown = find_shown(figure, whole.report["studies"]);
  Payload payload;
  payload.report = whole.report;
  Json& studies = payload.report["studies"];
  for (std::size_t s = 0; s < studies.size(); ++s) {
    studies[s] = reduced(studies[s], shown[s]);
    move_arrays(studies[s], whole.blob, payload.blob);
  }
  payload.report["figure"] = figure;
  if (!figure.contains("notes")) payload.report["figure"]["notes"] = Json::array();
  return payload;
}

std::string make_figure_page(const std::vector<std::filesystem::path>& directories,
                             const Json& figure) {
  const std::string title =
      fmt::format("Figure {} of {}: {}", figure["number"].get<std::string>(),
                  figure["paper"].get<std::string>(), figure["title"].get<std::string>());
  return fill_page(page_template(), title, make_figure_payload(directories, figure));
}

}  // namespace tumble::report
