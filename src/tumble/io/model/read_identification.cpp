#include "tumble/io/model/read_identification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/io/model/read_described.hpp"
#include "tumble/io/model/read_formula.hpp"
#include "tumble/io/model/read_input_law.hpp"
#include "tumble/io/text/expression.hpp"
#include "tumble/model/parameters.hpp"
#include "tumble/model/study/study_requests.hpp"

namespace tumble {
namespace {

const std::string section = "identification";

constexpr std::size_t most_parameters = 16;
constexpr std::size_t most_columns = 4096;

Place place_of(const std::string& field) { return {section, section + "." + field, field, {}}; }

template <std::size_t n, class Choice>
void read_word(ReadContext& context, const Place& place, const Node& node,
               const std::array<std::string_view, n>& names, Choice& value) {
  const int i = read_choice(context, place, node, {names.begin(), names.end()});
  if (i >= 0) value = static_cast<Choice>(i);
}

}  // namespace

static void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
                 LikelihoodKind& value) {
  read_word(context, place, node, likelihood_kind_names, value);
}

static void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
                 EnsembleDesign& value) {
  read_word(context, place, node, ensemble_design_names, value);
}

static void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
                 InputLaw& value) {
  if (node.is_mapping())
    read_input_law(context, place, node, {}, value);
  else
    context.wrong_kind(node, place, "a mapping with a law");
}

static void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
                 ColumnNames& value) {
  if (node.is_scalar()) {
    read_text(context, place, node, value.names.emplace_back());
    return;
  }
  if (!node.is_sequence()) {
    context.wrong_kind(node, place, "a name or a list of names");
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i)
    read_text(context, place.item(i), node.items[i], value.names.emplace_back());
}

static void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
                 std::vector<FreeParameter>& value) {
  if (!node.is_mapping()) {
    context.wrong_kind(node, place, "a mapping from paths to ranges");
    return;
  }
  if (node.keys.empty()) {
    context.error(node, place, {}, "must name at least one parameter");
    return;
  }
  if (node.keys.size() > most_parameters) {
    context.error(node, place, {}, fmt::format("must be at most {}", most_parameters));
    return;
  }
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    FreeParameter& parameter = value.emplace_back();
    parameter.path = node.keys[i];
    const Place here{
        place.element, place.path + "." + node.keys[i], place.field + "." + node.keys[i], {}};
    if (!node.items[i].is_mapping()) {
      context.wrong_kind(node.items[i], here, "a mapping with min and max");
      continue;
    }
    const std::size_t faults = context.faults();
    read_described(context, here, node.items[i], parameter);
    if (context.faults() > faults) continue;
    if (!(parameter.min < parameter.max))
      context.error(*node.items[i].find("max"), here.child("max"), format_number(parameter.max),
                    fmt::format("must be above min, {}", format_number(parameter.min)));
    else if (parameter.start &&
             !(*parameter.start > parameter.min && *parameter.start < parameter.max))
      context.error(*node.items[i].find("start"), here.child("start"),
                    format_number(*parameter.start), "must lie between min and max");
  }
}

static void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
                 std::vector<ObservationInput>& value) {
  if (!node.is_sequence()) {
    context.wrong_kind(node, place, "a list of observations");
    return;
  }
  if (node.items.empty()) {
    context.error(node, place, {}, "must have at least one observation");
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    ObservationInput& observation = value.emplace_back();
    if (node.items[i].is_mapping())
      read_described(context, place.item(i), node.items[i], observation);
    else
      context.wrong_kind(node.items[i], place.item(i), "a mapping");
  }
}

namespace {

/// Finds what an observation names and adds its columns.
class ObservationSettling {
 public:
  ObservationSettling(ReadContext& context, const Node& node, const Model& model,
                      const std::vector<QuantityOfInterest>& quantities, const ProbedNames& names,
                      const std::vector<std::string>& random_paths, std::size_t index,
                      Identification& result)
      : context_(context),
        node_(node),
        model_(model),
        quantities_(quantities),
        names_(names),
        random_paths_(random_paths),
        index_(index),
        input_(result.observations[index]),
        result_(result) {}

  void settle() {
    const bool probed = !input_.probe.empty(), own = !input_.parameter.empty();
    if (own && (probed || !input_.quantity.empty())) {
      refuse("parameter", {}, "must stand alone: without probe and quantity");
      return;
    }
    if (!own && input_.quantity.empty()) {
      refuse("quantity", {}, "required but missing: what was measured, unless `parameter` says so");
      return;
    }
    if (!probed) {
      for (const char* field : {"axis", "times", "from", "to", "every", "principal"})
        if (node_.find(field) != nullptr) {
          refuse(field, {}, "must be left out: it is for what a probe measures");
          return;
        }
    }
    if (own)
      settle_input();
    else if (probed)
      settle_probed();
    else
      settle_quantity();
    name_columns();
    check_noise();
  }

 private:
  Place place(const char* field, std::string_view unit = {}) const {
    const std::string path = fmt::format("observations[{}].{}", index_, field);
    return {section, section + "." + path, path, unit};
  }
  void refuse(const char* field, const std::string& value, const std::string& why,
              const std::string& suggestion = {}) {
    const Node* at = node_.find(field);
    context_.error(at == nullptr ? node_ : *at, place(field), value, why, suggestion);
  }

  void settle_probed() {
    const std::string name =
        input_.probe + "." + input_.quantity + (input_.axis.empty() ? "" : "." + input_.axis);
    const ProbedNames::Entry* found = names_.find(name);
    if (found == nullptr) {
      const std::vector<std::string> known = names_.components();
      refuse(input_.axis.empty() ? "quantity" : "axis", fmt::format("'{}'", printable(name)),
             "nothing probed has this name", context_.suggest(name, known));
      return;
    }
    if (found->size != 1) {
      refuse("axis", {},
             fmt::format("required but missing: {} has {} components", name, found->size));
      return;
    }
    for (const std::size_t t : times()) {
      ObservedColumn column;
      column.kind = ObservedColumn::Kind::probed;
      column.place = found->place;
      column.time = t;
      // Multiples of the interval with the digits that were meant.
      const double seconds = static_cast<double>(t) * model_.simulation.output_interval();
      column.seconds = parse_number(fmt::format("{:.12g}", seconds)).value_or(seconds);
      column.what = name;
      column.unit = found->unit;
      add(std::move(column));
    }
    if (input_.principal && static_cast<std::size_t>(*input_.principal) > added_.size())
      refuse("principal", std::to_string(*input_.principal),
             fmt::format("must be at most the number of times, {}", added_.size()));
  }

  std::vector<std::size_t> times() {
    const Simulation& simulation = model_.simulation;
    const auto index = [&](const char* field, double time) -> std::optional<std::size_t> {
      const auto found = output_index(simulation, time);
      if (!found)
        refuse(field, format_number(time) + " s",
               fmt::format("must be an output time: a multiple of {} s up to {} s",
                           format_number(simulation.output_interval()),
                           format_number(simulation.duration)));
      return found;
    };
    std::vector<std::size_t> all;
    if (!input_.times.empty()) {
      for (const char* field : {"from", "to", "every"})
        if (node_.find(field) != nullptr) refuse(field, {}, "must be left out beside times");
      for (const double time : input_.times)
        if (const auto found = index("times", time)) all.push_back(*found);
      std::vector<std::size_t> sorted = all;
      std::ranges::sort(sorted);
      if (std::ranges::adjacent_find(sorted) != sorted.end())
        refuse("times", {}, "must be different from each other");
      return all;
    }
    const auto first = index("from", input_.from.value_or(0.0));
    const auto last = index("to", input_.to.value_or(simulation.duration));
    if (!first || !last) return all;
    if (*last < *first) refuse("to", format_number(*input_.to), "must not be before `from`");
    for (std::size_t t = *first; t <= *last; t += static_cast<std::size_t>(input_.every))
      all.push_back(t);
    return all;
  }

  void settle_quantity() {
    std::vector<std::string> known;
    for (std::size_t q = 0; q < quantities_.size(); ++q) {
      known.push_back(quantities_[q].name);
      if (quantities_[q].name != input_.quantity) continue;
      if (quantities_[q].may_not_happen()) {
        refuse("quantity", fmt::format("'{}'", input_.quantity),
               "cannot be observed: where the crossing does not happen there is no number");
        return;
      }
      ObservedColumn column;
      column.kind = ObservedColumn::Kind::quantity;
      column.place = q;
      column.what = input_.quantity;
      column.unit = quantities_[q].value_unit;
      add(std::move(column));
      return;
    }
    refuse("quantity", fmt::format("'{}'", printable(input_.quantity)),
           "no quantity of interest has this name; what a probe measures needs `probe`",
           context_.suggest(input_.quantity, known));
  }

  void settle_input() {
    if (std::ranges::find(random_paths_, input_.parameter) == random_paths_.end()) {
      refuse("parameter", fmt::format("'{}'", printable(input_.parameter)),
             "must be a random input, as `tumble sample` names them",
             context_.suggest(input_.parameter, random_paths_));
      return;
    }
    ObservedColumn column;
    column.kind = ObservedColumn::Kind::input;
    column.what = input_.parameter;
    const ParameterTable table(model_);
    if (const int slot = table.find(input_.parameter); slot >= 0)
      column.unit = table.slots()[static_cast<std::size_t>(slot)].unit;
    add(std::move(column));
  }

  void add(ObservedColumn column) {
    column.observation = index_;
    column.name = column.kind == ObservedColumn::Kind::probed
                      ? column.what + "@" + format_number(column.seconds)
                      : column.what;
    added_.push_back(std::move(column));
  }

  void name_columns() {
    const std::vector<std::string>& names = input_.column.names;
    if (!names.empty() && !added_.empty() && names.size() != added_.size()) {
      refuse("column", {},
             fmt::format("must name {} column{}, one a number; found {}", added_.size(),
                         added_.size() == 1 ? "" : "s", names.size()));
      return;
    }
    for (std::size_t i = 0; i < names.size() && i < added_.size(); ++i) added_[i].name = names[i];
    for (ObservedColumn& column : added_) {
      const bool twice = std::ranges::any_of(
          result_.columns, [&](const ObservedColumn& other) { return other.name == column.name; });
      if (twice)
        refuse("column", fmt::format("'{}'", printable(column.name)),
               "is the name of another observation's column");
      result_.columns.push_back(std::move(column));
    }
  }

  void check_noise() {
    if (input_.noise || input_.parameter.empty() == false) return;
    if (result_.likelihood == LikelihoodKind::marginal)
      refuse("noise", {},
             "required but missing: the marginal likelihood of a response is that of its noise "
             "about the runs; the likelihoods gaussian and kernel do without");
  }

  ReadContext& context_;
  const Node& node_;
  const Model& model_;
  const std::vector<QuantityOfInterest>& quantities_;
  const ProbedNames& names_;
  const std::vector<std::string>& random_paths_;
  std::size_t index_;
  const ObservationInput& input_;
  Identification& result_;
  std::vector<ObservedColumn> added_;
};

}  // namespace

void read_identification(ReadContext& context, const Node& node, Identification& result) {
  const Place base{section, section, {}, {}};
  if (!node.is_mapping()) {
    context.wrong_kind(node, base, "a mapping");
    return;
  }
  const std::size_t faults = context.faults();
  read_described(context, base, node, result);
  if (context.faults() > faults) return;
  const auto require = [&](const char* part, const char* field, const std::string& value, bool good,
                           const std::string& why) {
    if (good) return;
    const Node* at = node.find(part);
    const Node* deeper = at == nullptr ? nullptr : at->find(field);
    context.error(deeper != nullptr ? *deeper : node, place_of(std::string(part) + "." + field),
                  value, why);
  };
  const IdentificationEnsemble& ensemble = result.ensemble;
  require("ensemble", "draws", std::to_string(ensemble.draws),
          ensemble.draws >= 256 && ensemble.draws <= 100'000'000,
          "must be between 256 and 100000000: fewer cannot tell the error");
  require("ensemble", "rounds", std::to_string(ensemble.rounds), ensemble.rounds <= 10,
          "must be at most 10");
  const IntervalRequest& intervals = result.intervals;
  require("intervals", "level", format_number(intervals.level),
          intervals.level > 0 && intervals.level < 1, "must be between 0 and 1, neither included");
  require("intervals", "points", std::to_string(intervals.points),
          intervals.points >= 5 && intervals.points <= 10'000, "must be between 5 and 10000");
  require("intervals", "bootstrap", std::to_string(intervals.bootstrap),
          intervals.bootstrap == 0 || (intervals.bootstrap >= 20 && intervals.bootstrap <= 100'000),
          "must be 0, or between 20 and 100000");
  require("bayes", "particles", std::to_string(result.bayes.particles),
          result.bayes.particles >= 50 && result.bayes.particles <= 1'000'000,
          "must be between 50 and 1000000");
  require("bayes", "replicas", std::to_string(result.bayes.replicas),
          result.bayes.replicas >= 2 && result.bayes.replicas <= 64,
          "must be between 2 and 64: replicas are compared with each other");
}

void check_identification(ReadContext& context, const Node& node, const Model& model,
                          const std::vector<QuantityOfInterest>& quantities,
                          const Uncertainty& uncertainty, Identification& result) {
  for (const Event& event : model.events)
    if (event.action == EventAction::end)
      context.error(
          node, {"identification", "identification", {}, {}}, {},
          fmt::format("needs all runs to their end, and event '{}' ends some of them early: "
                      "let it record",
                      event.name));
  const ProbedNames names(model);
  std::vector<std::string> random_paths;
  for (const RandomSlot& slot : random_slots(uncertainty)) random_paths.push_back(slot.path);
  const Node& list = *node.find("observations");
  for (std::size_t i = 0; i < result.observations.size(); ++i)
    ObservationSettling(context, list.items[i], model, quantities, names, random_paths, i, result)
        .settle();
  if (result.columns.size() > most_columns)
    context.error(
        list, place_of("observations"), std::to_string(result.columns.size()),
        fmt::format("must be at most {} columns: thin the series with `every`", most_columns));
  std::size_t features = 0;
  for (std::size_t i = 0; i < result.observations.size(); ++i) {
    const auto own = static_cast<std::size_t>(std::ranges::count_if(
        result.columns, [&](const ObservedColumn& column) { return column.observation == i; }));
    features += result.observations[i].principal
                    ? static_cast<std::size_t>(*result.observations[i].principal)
                    : own;
  }
  if (result.likelihood == LikelihoodKind::kernel && features > 2)
    context.error(
        *node.find("likelihood"), place_of("likelihood"), "kernel",
        fmt::format("is for one or two numbers an experiment, here are {}: the error of a density "
                    "from kernels falls like n^(-4/(4 + d)) with n draws of d numbers, and is "
                    "hopeless beyond two; use marginal with the noise of the sensor, or fewer "
                    "numbers (principal: 2)",
                    features));
  if (uncertainty.empty())
    context.error(node, place_of("parameters"), {},
                  "needs a section uncertainty: the likelihood is that of machines that vary");
}

}  // namespace tumble
