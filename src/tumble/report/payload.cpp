#include "tumble/report/payload.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tumble/base/diagnostic.hpp"
#include "tumble/io/results/results_file.hpp"
#include "tumble/report/curves.hpp"
#include "tumble/report/excitation.hpp"
#include "tumble/report/identification.hpp"
#include "tumble/report/inputs.hpp"
#include "tumble/report/multilevel.hpp"
#include "tumble/report/quantities.hpp"
#include "tumble/report/reliability.hpp"
#include "tumble/report/scene/scene.hpp"
#include "tumble/report/sensitivity.hpp"
#include "tumble/report/summary.hpp"
#include "tumble/report/sweep.hpp"
#include "tumble/report/variability.hpp"
#include "tumble/report/worst_case.hpp"

namespace tumble::report {
namespace {

/// The directory's own name, also of "out/case4/" and of ".".
std::string label_of(const std::filesystem::path& directory) {
  std::filesystem::path path = std::filesystem::weakly_canonical(directory);
  if (path.filename().empty()) path = path.parent_path();
  return path.filename().string();
}

Json study(const std::filesystem::path& directory, const std::string& label, const Budget& budget,
           Blob& blob) {
  const ResultsView results(directory, budget);
  const ShownRealizations shown(results);
  Json json{{"label", label}, {"title", title_of(results)}, {"summary", nullptr}};
  const std::vector<double> times = results.times_shown();
  json["time"] = blob.f64(times, {times.size()});
  const auto breaks = results.numbers("break").value_or(std::vector<double>{});
  json["breaks"] = blob.f64(breaks, {breaks.size()});
  json["quantiles"] = page_quantiles(results);
  json["curves"] = curves(results, blob);
  if (results.is_study()) add_peaks(results, shown, json["curves"], blob);
  json["quantities"] = quantities(results, blob);
  if (Json found = bands(results, blob); !found.empty()) json["bands"] = std::move(found);
  json["realizations"] = realizations(results, shown, blob);
  json["inputs"] = inputs(results, shown, blob);
  json["correlations"] = correlations(results, blob);
  json["convergence"] = convergence(results, blob);
  json["chaos"] = chaos(results);
  if (Json found = sensitivity(results); !found.is_null()) json["sensitivity"] = std::move(found);
  if (Json found = variability(results); !found.is_null()) json["variability"] = std::move(found);
  if (Json found = excitation(results, blob); !found.is_null())
    json["excitation"] = std::move(found);
  if (Json found = reliability(results); !found.is_null()) json["reliability"] = std::move(found);
  if (Json found = multilevel(results); !found.is_null()) json["multilevel"] = std::move(found);
  if (Json found = worst_case(results); !found.is_null()) json["worst_case"] = std::move(found);
  json["fields"] = fields(results, shown, blob);
  Json summary = make_summary(results);
  json["trust"] = trust(results);
  json["scene"] = nullptr;
  std::string problem = results.model_problem();
  if (budget.scene == 0) {
    problem.clear();
  } else if (results.lacks_elements()) {
    problem = "forces or constraints that another program added are not in the results.";
  } else if (results.model()) {
    try {
      SceneParts parts = make_scene(results, shown, json["curves"], blob);
      json["scene"] = std::move(parts.scene);
      json["trust"]["energy"] = std::move(parts.energy);
      summary["degrees_of_freedom"] = parts.degrees_of_freedom;
    } catch (const InputError& error) {
      problem = without_directory(error.diagnostics().front());
    } catch (const SimulationError& error) {
      problem = error.what();
    }
  }
  if (!problem.empty())
    summary["warnings"].push_back(
        "The scene is missing, because the motion could not be computed again: " + problem);
  json["summary"] = std::move(summary);
  return json;
}

std::vector<std::string> labels_of(const std::vector<std::filesystem::path>& directories) {
  std::vector<std::string> labels;
  for (const auto& directory : directories) {
    const std::string own = label_of(directory);
    std::string label = own;
    for (int i = 2; std::ranges::find(labels, label) != labels.end(); ++i)
      label = fmt::format("{} ({})", own, i);
    labels.push_back(label);
  }
  return labels;
}

}  // namespace

Payload make_payload(const std::vector<std::filesystem::path>& directories, const Budget& budget) {
  Payload payload;
  payload.report = {
      {"format", 1}, {"generator", "tumble " + version()}, {"studies", Json::array()}};
  const std::vector<std::string> labels = labels_of(directories);
  if (directories.size() == 1 && holds_sweep(directories[0])) {
    payload.report["sweep"] = make_sweep(directories[0], labels[0], payload.blob);
    return payload;
  }
  if (directories.size() == 1 && holds_identification(directories[0])) {
    payload.report["identification"] = make_identification(directories[0], labels[0]);
    return payload;
  }
  for (std::size_t i = 0; i < directories.size(); ++i)
    payload.report["studies"].push_back(
        study(directories[i], labels[i], budget.divided(directories.size()), payload.blob));
  return payload;
}

std::string make_page(const std::vector<std::filesystem::path>& directories) {
  const Payload payload = make_payload(directories);
  for (const char* whole : {"sweep", "identification"})
    if (payload.report.contains(whole))
      return fill_page(page_template(), payload.report[whole]["title"], payload);
  std::string title;
  for (const Json& s : payload.report["studies"])
    title += (title.empty() ? "" : ", ") +
             (directories.size() == 1 ? s["title"] : s["label"]).get<std::string>();
  return fill_page(page_template(), title, payload);
}

}  // namespace tumble::report
