#include "tumble/io/model/read_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "tumble/io/model/check_study.hpp"
#include "tumble/io/model/read_described.hpp"
#include "tumble/model/field/attach_fields.hpp"
#include "tumble/model/field/flexibility_field.hpp"

namespace tumble {
namespace {

const std::string element = "study";

/// Each takes the room of two numbers per number and time.
constexpr int most_randomizations = 4096;

Place place_of(const char* field) { return {element, std::string("study.") + field, field, {}}; }

template <class Test>
void require(ReadContext& context, const Node& node, const char* field, const std::string& value,
             Test good, const std::string& expectation) {
  if (context.faulty(element, field) || good) return;
  const Node* at = node.find(field);
  context.error(at == nullptr ? node : *at, place_of(field), value, expectation);
}

/// Of a Latin hypercube or Sobol' design: its copies must have enough points to tell errors.
void require_copies(ReadContext& context, const Node& node, const Study& study) {
  if (context.faulty(element, "randomizations") || context.faulty(element, "realizations")) return;
  const int copies = study.randomizations.value_or(0);
  if (study.randomizations)
    require(context, node, "randomizations", std::to_string(copies),
            copies >= 1 && copies <= most_randomizations,
            fmt::format("must be between 1 and {}: standard errors come from the scatter of 2 or "
                        "more repetitions",
                        most_randomizations));
  if (!study.realizations || context.faulty(element, "randomizations") || copies == 1) return;
  constexpr int fewest_points = 8, fewest_copies = 8;
  const int least = fewest_points * (copies == 0 ? fewest_copies : copies);
  require(context, node, "realizations", std::to_string(*study.realizations),
          *study.realizations >= least,
          copies == 0
              ? fmt::format("must be at least {}: errors come from {} repetitions of at "
                            "least {} points; randomizations: 1 gives values without errors",
                            least, fewest_copies, fewest_points)
              : fmt::format("must be at least {}: {} points in each of the {} randomizations",
                            least, fewest_points, copies));
}

/// What the method takes the numbers of realisations from.
void require_inputs(ReadContext& context, const Node& node, const Variation& variation,
                    const Study& study) {
  if (study.method == StudyMethod::table) {
    require(context, node, "file", {}, study.file.has_value(),
            "required but missing: the table of the realisations");
    return;
  }
  const std::string method(study_method_names[static_cast<std::size_t>(study.method)]);
  const bool by_waves = study.method == StudyMethod::variability_response;
  const bool by_design =
      study.method == StudyMethod::latin_hypercube || study.method == StudyMethod::sobol;
  const bool by_points = study.method == StudyMethod::chaos ||
                         study.method == StudyMethod::sensitivity ||
                         study.method == StudyMethod::worst_case;
  if (by_waves || by_points)
    require(context, node, "method", method, !variation.excited,
            "cannot be had with random drives: a run is no function of its inputs then; use "
            "monte-carlo, latin-hypercube or sobol");
  if (by_waves)
    require(context, node, "method", method, !variation.inputs,
            "varies the flexibility of a beam and nothing else: leave out the section uncertainty");
  else
    require(context, node, "method", method,
            variation.inputs || (variation.excited && !by_design && !by_points),
            variation.excited && by_design
                ? "needs a section uncertainty: germs of random drives alone are drawn by "
                  "monte-carlo"
                : "needs a section uncertainty that says what to draw");
  require(
      context, node, "file", {}, !study.file,
      fmt::format("must be left out: {} draws its numbers, the method table reads them", method));
  if (by_waves) {
    require(context, node, "realizations", std::to_string(study.realizations.value_or(0)),
            !study.realizations,
            "must be left out: variability.waves, phases and check say how many there are");
    require(context, node, "variability", {}, study.variability.has_value(),
            "required but missing: the beam, the waves and the spectrum");
    return;
  }
  if (study.method == StudyMethod::chaos) {
    require(context, node, "realizations", std::to_string(study.realizations.value_or(0)),
            !study.realizations,
            "must be left out: the points of polynomial chaos say how many there are, see "
            "chaos.degree, chaos.level and chaos.runs");
    return;
  }
  if (study.method == StudyMethod::worst_case) {
    require(context, node, "realizations", std::to_string(study.realizations.value_or(0)),
            !study.realizations,
            "must be left out: the points of the polynomials and worst_case.search_runs say how "
            "many there are");
    return;
  }
  if (study.method == StudyMethod::reliability) {
    require(context, node, "realizations", std::to_string(study.realizations.value_or(0)),
            !study.realizations, "must be left out: reliability.runs says how many there are");
    require(context, node, "reliability", {}, study.reliability.has_value(),
            "required but missing: the quantity and its limit");
    return;
  }
  if (study.method == StudyMethod::multilevel) {
    require(context, node, "multilevel", {}, study.multilevel.has_value(),
            "required but missing: the quantity, the target and the levels");
    return;
  }
  require(context, node, "realizations", {}, study.realizations.has_value(),
          "required but missing: how many to draw");
  if (study.method == StudyMethod::monte_carlo || study.method == StudyMethod::sensitivity) return;
  require_copies(context, node, study);
}

void remove_key(Node& mapping, std::string_view key) {
  const auto found = std::find(mapping.keys.begin(), mapping.keys.end(), key);
  if (found == mapping.keys.end()) return;
  const auto i = found - mapping.keys.begin();
  mapping.keys.erase(found);
  mapping.key_lines.erase(mapping.key_lines.begin() + i);
  mapping.items.erase(mapping.items.begin() + i);
}

}  // namespace

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          StoredTrajectories& value) {
  if (node.is_scalar()) {
    value.all = read_choice(context, place, node, {"none", "all"}) == 1;
    return;
  }
  if (!node.is_sequence()) {
    context.wrong_kind(node, place, "none, all or a list of realisations");
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    int number = 0;
    read(context, place.item(i), Entry{}, node.items[i], number);
    if (number < 0)
      context.error(node.items[i], place.item(i), std::to_string(number), "must be >= 0");
    else
      value.list.push_back(static_cast<std::uint64_t>(number));
  }
  std::sort(value.list.begin(), value.list.end());
  value.list.erase(std::unique(value.list.begin(), value.list.end()), value.list.end());
}

void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          InputGroups& value) {
  if (!node.is_mapping()) {
    context.wrong_kind(node, place, "names, each with a list of variables");
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    InputGroups::Group group{node.keys[i], {}};
    const Place at{
        place.element, place.path + "." + group.name, place.field + "." + group.name, {}};
    read(context, at, entry, node.items[i], group.variables);
    if (node.items[i].is_sequence() && group.variables.empty())
      context.error(node.items[i], at, {}, "must name at least one variable");
    value.list.push_back(std::move(group));
  }
}

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          ElementCounts& value) {
  if (!node.is_mapping()) {
    context.wrong_kind(node, place, "numbers of elements by the name of the beam");
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string& beam = node.keys[i];
    int count = 0;
    read(context, {place.element, place.path + "." + beam, place.field + "." + beam, {}}, Entry{},
         node.items[i], count);
    value.list.emplace_back(beam, count);
  }
}

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          std::vector<LevelInput>& value) {
  if (!node.is_sequence()) {
    context.wrong_kind(node, place, "a list of levels, the coarsest first");
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    LevelInput& level = value.emplace_back();
    if (node.items[i].is_mapping())
      read_described(context, place.item(i), node.items[i], level);
    else
      context.wrong_kind(node.items[i], place.item(i), "a mapping");
  }
}

void read_study(ReadContext& context, const Node& node, const Variation& variation, Study& study) {
  const Place base{element, "study", {}, {}};
  if (!node.is_mapping()) {
    context.wrong_kind(node, base, "a mapping");
    return;
  }
  EntryReader entries(context, base, node);
  Study::entries(study, entries);
  entries.finish();

  if (!context.faulty(element, "method")) require_inputs(context, node, variation, study);
  if (study.realizations)
    require(context, node, "realizations", std::to_string(*study.realizations),
            *study.realizations >= 1, "must be at least 1");
  require(context, node, "confidence", format_number(study.confidence),
          study.confidence > 0 && study.confidence < 1,
          "must be between 0 and 1, neither included");
  require(context, node, "interval_confidence", format_number(study.interval_confidence),
          study.interval_confidence > 0 && study.interval_confidence < 1,
          "must be between 0 and 1, neither included");
  require(context, node, "max_failed", format_number(study.max_failed),
          study.max_failed >= 0 && study.max_failed <= 1, "must be between 0 and 1");
  for (std::size_t i = 0; i < study.quantiles.size(); ++i)
    require(context, node, "quantiles", format_number(study.quantiles[i]),
            study.quantiles[i] >= 0 && study.quantiles[i] <= 1, "must be between 0 and 1");
  require(context, node, "sketch_size", std::to_string(study.sketch_size),
          study.sketch_size >= 8 && study.sketch_size <= 1 << 20, "must be between 8 and 1048576");
}

void attach_waves(ReadContext& context, const Node& node, const Study& study, Model& model) {
  try {
    attach_flexibility(model, *study.variability);
  } catch (const std::invalid_argument& error) {
    context.error(*node.find("variability"), place_of("variability"), {}, error.what());
  }
}

void read_study_files(ReadContext& context, const Node& node, const Model& model,
                      StudyFile& result) {
  check_study_requests(context, node, model, result.study);
  if (!result.study.file) return;
  const std::string& name = result.study.file->name;
  const std::filesystem::path path = context.directory() / name;
  const auto refuse = [&](const std::string& why) {
    context.error(*node.find("file"), place_of("file"), fmt::format("'{}'", printable(name)), why);
  };
  std::error_code status;
  // A pipe or a device could keep the reader waiting for ever.
  if (std::filesystem::exists(path, status) && !std::filesystem::is_regular_file(path, status))
    return refuse("must be a regular file");
  const std::size_t before = context.errors().size();
  try {
    InputTableFile file = read_input_table(path, name, ParameterTable(model), context.errors());
    result.inputs = std::move(file.table);
    context.referenced_files[name] = std::move(file.sha256);
  } catch (const std::system_error& error) {
    return refuse("cannot be read: " + error.code().message());
  }
  for (const std::string& column : result.inputs.paths)
    if (const BeamField* field = field_in_place_of(model, column))
      refuse(
          fmt::format("its column {} would change nothing: the field '{}' takes its place; set "
                      "fields.{}.germ[0] and so on, or leave the field out",
                      column, field->name, field->name));
  if (context.errors().size() > before) return;

  const std::uint64_t rows = result.inputs.rows();
  if (!result.study.realizations) result.study.realizations = static_cast<int>(rows);
  const auto wanted = static_cast<std::uint64_t>(*result.study.realizations);
  require(
      context, node, "realizations", std::to_string(wanted), wanted <= rows,
      fmt::format("'{}' has {} {} of numbers", printable(name), rows, rows == 1 ? "row" : "rows"));
}

std::string study_identity_yaml(Node root) {
  remove_key(root, "identification");
  if (Node* study = root.find("study"); study != nullptr && study->is_mapping()) {
    // A Latin hypercube is made for its number of realisations and cannot be extended.
    const Node* method = study->find("method");
    if (method == nullptr || method->text != "latin-hypercube") remove_key(*study, "realizations");
    // How many copies a design has is part of the identity by itself, whether said or chosen.
    for (const char* key :
         {"max_failed", "interval_confidence", "densities", "until", "region", "randomizations"})
      remove_key(*study, key);
    // What is made of the runs may change without running them again; those that measure errors are
    // behind the others, and more of them begin with these.
    if (Node* chaos = study->find("chaos"); chaos != nullptr && chaos->is_mapping()) {
      for (const char* key : {"validation", "target_error", "on_failure", "surrogate_samples"})
        remove_key(*chaos, key);
      // Left out or left empty, all that remains is what points follow from.
      if (chaos->keys.empty()) remove_key(*study, "chaos");
    }
    // How accurate it is to be decides how many runs there are, and not what is in each.
    if (Node* multilevel = study->find("multilevel");
        multilevel != nullptr && multilevel->is_mapping())
      for (const char* key : {"target", "statistic", "pilot"}) remove_key(*multilevel, key);
    // More rounds of a search begin with those of fewer.
    if (Node* worst = study->find("worst_case"); worst != nullptr && worst->is_mapping()) {
      remove_key(*worst, "search_runs");
      if (worst->keys.empty()) remove_key(*study, "worst_case");
    }
  }
  return emit_yaml(root);
}

}  // namespace tumble
