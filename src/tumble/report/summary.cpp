#include "tumble/report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tumble/model/node_frames.hpp"
#include "tumble/report/curves.hpp"

namespace tumble::report {
namespace {

constexpr std::size_t most_failures = 200;

std::string file_name(const ResultsView& results) {
  return std::filesystem::path(results.model_path()).filename().string();
}

/// Results say how they were made since they have the attribute `command`; for others this is the
/// best guess.
std::string command(const ResultsView& results) {
  const std::string given = results.file().text_attribute("command");
  if (!given.empty()) return given;
  std::string text = "tumble run " + file_name(results);
  if (results.is_study() && results.method() != "chaos")
    text += fmt::format(" -n {}", results.realizations());
  if (const auto seed = results.file().integer_attribute("seed"))
    text += fmt::format(" --seed {}", *seed);
  return text;
}

std::vector<std::string> warnings(const ResultsView& results) {
  std::vector<std::string> all = results.lines("warnings");
  for (const std::string& line : results.lines("redundancy")) all.push_back(line);
  // Most of them are among the warnings already.
  for (const std::string& line : results.lines("chaos_warnings"))
    if (std::ranges::find(all, line) == all.end()) all.push_back(line);
  if (const std::string failure = results.file().text_attribute("chaos_failure"); !failure.empty())
    all.push_back("Polynomial chaos: " + failure);
  return all;
}

/// How well the accounts of energy close: of the nominal run and of the worst realisation that
/// counts. Null for results that do not hold them.
Json energy_mismatch(const ResultsView& results) {
  const auto nominal = results.numbers("energy_mismatch_nominal");
  if (!nominal || nominal->size() != 1) return nullptr;
  Json json{{"nominal", nominal->front()}, {"largest", nullptr}, {"realization", nullptr}};
  const auto* variable = results.file().find("energy_mismatch");
  if (variable == nullptr || variable->dimensions.at(0) != "realization") return json;
  double largest = -1;
  results.for_each_realization(
      *variable, [&](std::size_t first, const double* values, std::size_t count) {
        const std::vector<std::uint8_t> status = results.status(first, count);
        for (std::size_t i = 0; i < count; ++i) {
          if (status[i] != 0 || !(values[i] > largest)) continue;
          largest = values[i];
          json["largest"] = largest;
          json["realization"] = first + i;
        }
      });
  return json;
}

void add_model(const ResultsView& results, Json& json) {
  for (const char* count : {"bodies", "beams", "joints", "forces", "degrees_of_freedom"})
    json[count] = 0;
  json["duration"] = results.times().back();
  json["step"] = 0.0;
  if (!results.model()) return;
  const Model& model = results.model()->model;
  json["bodies"] = std::ranges::count(model.bodies, false, &Body::at_node);
  json["beams"] = model.beams.size();
  json["joints"] = std::ranges::count_if(model.joints, std::not_fn(holds_frame));
  json["forces"] = model.forces.size();
  json["step"] = model.simulation.step.value_or(0.0);
  if (model.simulation.accuracy) json["accuracy"] = *model.simulation.accuracy;
}

/// What errors rest on, what the region holds and on what condition statistics stand, a sentence
/// each.
std::vector<std::string> notes(const ResultsView& results) {
  const NetcdfReader& file = results.file();
  std::vector<std::string> all;
  if (!results.is_study()) return all;
  const auto failed = file.integer_attribute("failed").value_or(0);
  if (!results.quantities().empty()) {
    const std::string& prefix = results.quantities().front().prefix;
    const auto* error = file.find(prefix + "_mean_se");
    const auto* mean = file.find(prefix + "_mean");
    if (error != nullptr) {
      const auto degrees = file.number_attribute("degrees_of_freedom", error->id);
      all.push_back(fmt::format("Errors rest on {}{}.",
                                file.text_attribute("error_basis", error->id),
                                degrees ? fmt::format(": {:g} degrees of freedom", *degrees) : ""));
    } else if (mean != nullptr) {
      const std::string basis = file.text_attribute("error_basis", mean->id);
      if (!basis.empty()) all.push_back("Errors: " + basis + ".");
    }
  }
  const auto probability = file.number_attribute("region_probability");
  const auto content = file.number_attribute("region_expected_content");
  if (probability && content && *probability - *content > 0.01)
    all.push_back(
        fmt::format("The {:g} % region is that of few values: on average it holds {:.0f} % of all "
                    "machines.",
                    100 * *probability, 100 * *content));
  if (failed > 0 && results.method() != "chaos")
    all.push_back(
        fmt::format("Statistics are on condition of success: {} of {} realisations failed "
                    "and are left out.",
                    failed, results.realizations()));
  return all;
}

}  // namespace

std::string title_of(const ResultsView& results) {
  const std::string title = results.file().text_attribute("title");
  return title.empty() ? file_name(results) : title;
}

Json make_summary(const ResultsView& results) {
  const NetcdfReader& file = results.file();
  const double wall_time = file.number_attribute("wall_time").value_or(0);
  const std::vector<double> quantiles = page_quantiles(results);
  const auto seed = file.integer_attribute("seed");
  Json json{{"file", file_name(results)},
            {"method", results.method()},
            {"realizations", results.realizations()},
            {"failed", file.integer_attribute("failed").value_or(0)},
            {"seed", seed ? Json(*seed) : Json(nullptr)},
            {"confidence", nullptr},
            {"version", file.text_attribute("tumble_version")},
            {"model_sha256", file.text_attribute("model_sha256")},
            {"command", command(results)},
            {"wall_time", wall_time},
            {"rate", nullptr},
            {"threads", file.integer_attribute("threads").value_or(1)},
            {"ranks", file.integer_attribute("ranks").value_or(1)}};
  if (quantiles.size() > 1)  // 0.9, and not 0.8999...
    json["confidence"] = std::round(1e12 * (quantiles.back() - quantiles.front())) / 1e12;
  // What was there before --resume took none of the time.
  if (const auto computed = file.integer_attribute("computed"); computed && results.is_study()) {
    json["computed"] = *computed;
    if (wall_time > 0 && *computed > 0) json["rate"] = static_cast<double>(*computed) / wall_time;
  }
  add_model(results, json);
  json["widest"] = widest(results);
  json["energy_mismatch"] = energy_mismatch(results);
  json["warnings"] = warnings(results);
  return json;
}

Json trust(const ResultsView& results) {
  const NetcdfReader& file = results.file();
  Json json;
  for (const char* count : {"steps", "iterations", "factorizations", "restarts", "halvings"})
    json[count] = file.integer_attribute(count).value_or(0);
  json["constraint_drift"] = file.number_attribute("constraint_drift").value_or(0);
  json["energy"] = nullptr;
  json["notes"] = notes(results);
  json["region"] = file.text_attribute("region");
  if (const std::string shortfall = file.text_attribute("region_shortfall"); !shortfall.empty())
    json["region_shortfall"] = shortfall;
  json["interval_confidence"] = file.number_attribute("interval_confidence").value_or(0.95);
  json["failures"] = Json::array();
  const auto numbers = results.numbers("failed_realization");
  if (!numbers) return json;
  const auto* reasons = file.find("failure_reason");
  const auto* times = file.find("failure_time");
  const std::vector<std::string> texts = file.text(*reasons, most_failures);
  for (std::size_t i = 0; i < std::min(numbers->size(), most_failures); ++i) {
    const auto realization = static_cast<std::size_t>((*numbers)[i]);
    double time = 0;
    file.read(*times, {realization}, {1}, &time);
    json["failures"].push_back(
        {{"realization", realization}, {"time", time}, {"reason", texts[i]}});
  }
  return json;
}

Json chaos(const ResultsView& results) {
  const NetcdfReader& file = results.file();
  const auto degrees = results.numbers("chaos_index");
  if (!degrees) return nullptr;
  const std::vector<std::string> germs = results.text("germ");
  double degree = 0;
  for (std::size_t term = 0; term < degrees->size(); term += germs.size()) {
    double total = 0;
    for (std::size_t g = 0; g < germs.size(); ++g) total = std::max(total, (*degrees)[term + g]);
    degree = std::max(degree, total);
  }
  return {{"method", file.text_attribute("chaos_method")},
          {"error_method", file.text_attribute("chaos_error_method")},
          {"germ", germs},
          {"group", results.text("group")},
          {"polynomials", results.text("germ_polynomials")},
          {"terms", degrees->size() / std::max<std::size_t>(1, germs.size())},
          {"degree", static_cast<int>(degree)}};
}

}  // namespace tumble::report
