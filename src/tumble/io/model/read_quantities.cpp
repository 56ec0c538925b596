#include "tumble/io/model/read_quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tumble/io/model/read_formula.hpp"
#include "tumble/io/results/quantity_part.hpp"
#include "tumble/model/study/study_requests.hpp"

namespace tumble {
namespace {

/// One of them, and where it is written.
class Settling {
 public:
  Settling(ReadContext& context, const Node& node, const Model& model, const ProbedNames& names,
           QuantityOfInterest& quantity)
      : context_(context), node_(node), model_(model), names_(names), quantity_(quantity) {}

  void settle() {
    if (good("kind") && node_.find("kind") != nullptr && quantity_.of_event()) {
      settle_event();
      return;
    }
    if (good("kind") && node_.find("kind") != nullptr && quantity_.is_of_state())
      return settle_state();
    refuse_all({"mode", "follow", "about", "undamped", "load_steps"},
               "must be left out: it is for equilibria and modes");
    refuse_all({"input", "frequency", "band", "points"},
               "must be left out: it is for gain and phase");
    if (node_.find("of") == nullptr && good("of"))
      refuse("of", {}, {}, "required but missing: the function of time that is meant");
    if (good("of") && node_.find("of") != nullptr) settle_formula();
    if (good("kind") && node_.find("kind") != nullptr) {
      settle_crossing();
      if (quantity_.kind == QuantityKind::final_value && quantity_.from)
        refuse("from", format_number(*quantity_.from), "s",
               "must be left out: the final value is that at `to`");
    }
    settle_window();
  }

 private:
  Place place(const char* field, std::string_view unit = {}) const {
    return {element(), fmt::format("quantities.{}.{}", quantity_.name, field), field, unit};
  }
  std::string element() const { return element_label("quantity", quantity_.name); }
  bool good(const char* field) const { return !context_.faulty(element(), field); }
  void refuse(const char* field, const std::string& value, std::string_view unit,
              const std::string& why) {
    const Node* at = node_.find(field);
    context_.error(at == nullptr ? node_ : *at, place(field, unit), value, why);
  }

  void refuse_all(std::initializer_list<const char*> fields, const std::string& why) {
    for (const char* field : fields)
      if (node_.find(field) != nullptr) refuse(field, {}, {}, why);
  }
  std::string kind_name() const {
    return std::string(quantity_kind_names[static_cast<std::size_t>(quantity_.kind)]);
  }

  /// What needs no run: no function of time, or one at the equilibrium alone.
  void settle_state() {
    refuse_all({"level", "direction", "from", "to", "weighting"},
               fmt::format("must be left out: {} needs no motion", kind_name()));
    if (quantity_.load_steps < 1 || quantity_.load_steps > 100000)
      refuse("load_steps", std::to_string(quantity_.load_steps), {},
             "must be between 1 and 100000");
    if (quantity_.is_response()) return settle_response();
    refuse_all({"input", "frequency", "band", "points"},
               "must be left out: it is for gain and phase");
    if (quantity_.is_modal()) {
      refuse_all({"of", "unit"}, "must be left out: a mode is meant by its number");
      if (!quantity_.mode && good("mode"))
        refuse("mode", {}, {}, "required but missing: the number of the mode, from 1 on");
      if (quantity_.mode && *quantity_.mode < 1)
        refuse("mode", std::to_string(*quantity_.mode), {}, "must be at least 1");
      if (quantity_.undamped && quantity_.kind == QuantityKind::damping_ratio)
        refuse("undamped", "true", {}, "must be left out: the damping is asked for");
      if (quantity_.undamped && quantity_.about == ReferenceState::steady)
        refuse("undamped", "true", {},
               "must be left out: forces that depend on velocities hold a steady motion");
      if (quantity_.kind == QuantityKind::shape_correlation)
        refuse_all({"follow"}, "must be left out: shapes of one number are compared");
      quantity_.value_unit = quantity_.kind == QuantityKind::eigenfrequency ? "Hz" : "1";
      return;
    }
    refuse_all({"mode", "follow", "undamped"}, "must be left out: it is for modes");
    if (quantity_.about == ReferenceState::start)
      refuse("about", "start", {},
             "must be a state that is found: ask for the final value of a run of duration 0");
    if (node_.find("of") == nullptr && good("of"))
      refuse("of", {}, {}, "required but missing: what is probed at the equilibrium");
    if (good("of") && node_.find("of") != nullptr) settle_formula();
  }

  /// The answer of one probed number to one input.
  void settle_response() {
    refuse_all({"mode", "follow", "undamped"}, "must be left out: it is for modes");
    if (!quantity_.input && good("input"))
      refuse("input", {}, {}, "required but missing: what is harmonic");
    if (quantity_.of.empty()) {
      if (good("of")) refuse("of", {}, {}, "required but missing: what answers");
    } else if (const auto* entry = names_.find(quantity_.of);
               entry == nullptr || entry->size != 1) {
      refuse("of", fmt::format("'{}'", printable(quantity_.of)), {},
             "must be a component of a probe, as tip.position.z, and no expression");
    } else {
      quantity_.probed = quantity_.of;
      quantity_.place = entry->place;
      quantity_.value_unit = quantity_.kind == QuantityKind::phase ? "rad"
                             : quantity_.unit                      ? *quantity_.unit
                                                                   : entry->unit;
    }
    if (quantity_.kind == QuantityKind::phase)
      refuse_all({"unit"}, "must be left out: a phase is in rad");
    if (quantity_.band.empty() && good("band")) {
      refuse_all({"points"}, "must be left out: it is for a band");
      if (!quantity_.frequency && good("frequency"))
        refuse("frequency", {}, "Hz", "required but missing: a frequency or a band");
      return;
    }
    refuse_all({"frequency"}, "must be left out: there is a band");
    if (quantity_.band.size() != 2 || !(quantity_.band[0] > 0) ||
        !(quantity_.band[1] > quantity_.band[0]) || !std::isfinite(quantity_.band[1]))
      refuse("band", {}, "Hz",
             "must be two frequencies, the first greater than 0, then a higher one");
    if (quantity_.points < 2 || quantity_.points > 1000)
      refuse("points", std::to_string(quantity_.points), {}, "must be between 2 and 1000");
  }

  void settle_formula() {
    const auto read = read_formula(context_, place("of"), *node_.find("of"), names_);
    if (!read) return;
    quantity_.formula = read->formula;
    if (quantity_.unit && read->unit && *quantity_.unit != *read->unit)
      refuse("unit", fmt::format("'{}'", printable(*quantity_.unit)), {},
             fmt::format("must be left out: what `of` names is in {}", *read->unit));
    const std::optional<std::string> unit = quantity_.unit ? quantity_.unit : read->unit;
    quantity_.value_unit = quantity_.is_time() ? "s" : unit.value_or("");
    if (!quantity_.is_time() && !unit && good("kind"))
      refuse("unit", {}, {},
             "required: the expression does not tell its unit; write \"1\" for a plain number");
  }

  void settle_event() {
    for (const char* field : {"level", "direction", "from", "to", "unit", "weighting"})
      if (node_.find(field) != nullptr)
        refuse(field, {}, {}, "must be left out: events say themselves when they happen");
    quantity_.value_unit = quantity_.kind == QuantityKind::event_count ? "1" : "s";
    quantity_.last = output_index(model_.simulation, model_.simulation.duration).value_or(0);
    if (!good("of") || node_.find("of") == nullptr) return;
    const auto found = std::ranges::find(model_.events, quantity_.of, &Event::name);
    quantity_.event = static_cast<std::size_t>(found - model_.events.begin());
    if (found != model_.events.end()) return;
    std::vector<std::string> known;
    for (const Event& event : model_.events) known.push_back(event.name);
    context_.error(*node_.find("of"), place("of"), fmt::format("'{}'", printable(quantity_.of)),
                   "must be the name of an event", context_.suggest(quantity_.of, known));
  }

  void settle_crossing() {
    if (quantity_.kind == QuantityKind::first_crossing) {
      if (!quantity_.level && good("level"))
        refuse("level", {}, {}, "required but missing: what is crossed");
      return;
    }
    for (const char* field : {"level", "direction"})
      if (node_.find(field) != nullptr)
        refuse(
            field, {}, {},
            fmt::format("must be left out: it is for first_crossing, the kind is {}", kind_name()));
  }

  void settle_window() {
    const Simulation& simulation = model_.simulation;
    const auto index = [&](const char* field, const std::optional<double>& time, double otherwise) {
      const auto found = output_index(simulation, time.value_or(otherwise));
      if (!found && good(field))
        refuse(field, format_number(*time), "s",
               fmt::format("must be an output time: a multiple of {} s up to {} s",
                           format_number(simulation.output_interval()),
                           format_number(simulation.duration)));
      return found;
    };
    const auto first = index("from", quantity_.from, 0.0);
    const auto last = index("to", quantity_.to, simulation.duration);
    if (!first || !last) return;
    quantity_.first = *first;
    quantity_.last = *last;
    const bool instant = quantity_.kind == QuantityKind::final_value;
    constexpr std::size_t fewest = 8;  // for cubics through every second output
    if (quantity_.weighting && *last < fewest && good("weighting"))
      refuse("weighting", {}, {}, "needs at least 9 outputs up to the end of the window");
    if (!instant && !simulation.has_motion() && good("kind")) {
      refuse("kind", kind_name(), {},
             "needs a motion: the duration is 0, and there is the final value alone");
      return;
    }
    if (!instant && *last <= *first && good("from") && good("to"))
      refuse(quantity_.to ? "to" : "from",
             format_number(quantity_.to ? *quantity_.to : *quantity_.from), "s",
             "the window ends where it begins or before: must be from < to");
  }

  ReadContext& context_;
  const Node& node_;
  const Model& model_;
  const ProbedNames& names_;
  QuantityOfInterest& quantity_;
};

/// Variables of results are named by quantities and what is said of them.
void refuse_clashes(ReadContext& context, const Node& section, const Model& model,
                    const std::vector<QuantityOfInterest>& quantities) {
  std::set<std::string> names;
  for (const QuantityOfInterest& quantity : quantities) names.insert(quantity.name);
  for (const QuantityOfInterest& quantity : quantities) {
    for (const std::string_view ending : quantity_variable_endings())
      if (const std::string other = quantity.name + std::string(ending); names.contains(other))
        context.error(*section.find(other), {element_label("quantity", other), {}, {}, {}}, {},
                      fmt::format("its variables in the results would have names of those of '{}'; "
                                  "must have another name",
                                  quantity.name));
  }
  for (const Probe& probe : model.probes)
    if (probe.name == "quantity" || probe.name.starts_with("quantity_"))
      context.error(section, {element_label("probe", probe.name), {}, {}, {}}, {},
                    "must have another name beside a section quantities, whose variables in the "
                    "results begin with it");
}

/// Bands become a quantity for each of their frequencies.
void expand_bands(ReadContext& context, const Node& section,
                  std::vector<QuantityOfInterest>& quantities) {
  std::vector<QuantityOfInterest> all;
  std::set<std::string> names;
  for (const QuantityOfInterest& quantity : quantities) names.insert(quantity.name);
  for (const QuantityOfInterest& quantity : quantities) {
    if (quantity.band.empty()) {
      all.push_back(quantity);
      continue;
    }
    if (const std::string other = quantity.name + "_band"; names.contains(other))
      context.error(*section.find(other), {element_label("quantity", other), {}, {}, {}}, {},
                    fmt::format("its variables in the results would have names of those of '{}'; "
                                "must have another name",
                                quantity.name));
    for (int i = 0; i < quantity.points; ++i) {
      QuantityOfInterest one = quantity;
      one.band.clear();
      one.group = quantity.name;
      one.name = fmt::format("{}_{:03}", quantity.name, i + 1);
      one.frequency =
          i + 1 == quantity.points
              ? quantity.band[1]
              : quantity.band[0] * std::pow(quantity.band[1] / quantity.band[0],
                                            static_cast<double>(i) / (quantity.points - 1));
      if (names.contains(one.name))
        context.error(*section.find(one.name), {element_label("quantity", one.name), {}, {}, {}},
                      {},
                      fmt::format("must have another name: the band '{}' has a frequency of this",
                                  quantity.name));
      all.push_back(std::move(one));
    }
  }
  quantities = std::move(all);
}

}  // namespace

void settle_quantities(ReadContext& context, const Node& section, const Model& model,
                       std::vector<QuantityOfInterest>& quantities) {
  const ProbedNames names(model);
  for (QuantityOfInterest& quantity : quantities)
    Settling(context, *section.find(quantity.name), model, names, quantity).settle();
  refuse_clashes(context, section, model, quantities);
  const auto sound = [](const QuantityOfInterest& q) {
    return q.band.empty() || (q.band.size() == 2 && q.band[0] > 0 && q.band[1] > q.band[0] &&
                              q.points >= 2 && q.points <= 1000);
  };
  if (std::ranges::all_of(quantities, sound)) expand_bands(context, section, quantities);
}

namespace {

/// That the quantity of a study of reliability is there, and says how far a run is from the limit.
void check_reliable(ReadContext& context, const Node& study_section,
                    const ReliabilityRequest& request,
                    const std::vector<QuantityOfInterest>& quantities) {
  const Node& section = *study_section.find("reliability");
  const auto found = std::ranges::find(quantities, request.quantity, &QuantityOfInterest::name);
  if (found == quantities.end()) {
    std::vector<std::string> known;
    for (const QuantityOfInterest& quantity : quantities) known.push_back(quantity.name);
    context.error(*section.find("quantity"),
                  {"study", "study.reliability.quantity", "reliability.quantity", {}}, {},
                  fmt::format("no quantity of interest is named '{}'", printable(request.quantity)),
                  context.suggest(request.quantity, known));
    return;
  }
  const bool by_distance = request.method != ReliabilityMethod::monte_carlo ||
                           request.cross_check.value_or(ReliabilityMethod::monte_carlo) !=
                               ReliabilityMethod::monte_carlo;
  if (found->may_not_happen() && by_distance)
    context.error(
        *section.find("quantity"),
        {"study", "study.reliability.quantity", "reliability.quantity", {}},
        fmt::format("'{}'", printable(request.quantity)),
        fmt::format("is a {}, which does not say how far a run is from it: ask for the peak that "
                    "passes the level, or take method: monte-carlo",
                    quantity_kind_names[static_cast<std::size_t>(found->kind)]));
}

}  // namespace

void check_named_quantities(ReadContext& context, const Node& study_section, const Study& study,
                            const std::vector<QuantityOfInterest>& quantities) {
  std::vector<std::string> known;
  for (const QuantityOfInterest& quantity : quantities) known.push_back(quantity.name);
  if (study.reliability) check_reliable(context, study_section, *study.reliability, quantities);
  if (study.multilevel) {
    const std::string& name = study.multilevel->quantity;
    const auto found = std::ranges::find(quantities, name, &QuantityOfInterest::name);
    const Place at{"study", "study.multilevel.quantity", "multilevel.quantity", {}};
    const Node& node = *study_section.find("multilevel")->find("quantity");
    if (found == quantities.end())
      context.error(node, at, {},
                    fmt::format("no quantity of interest is named '{}'", printable(name)),
                    context.suggest(name, known));
    else if (found->is_of_state())
      context.error(node, at, name,
                    "must be a quantity of a run: equilibria and modes have no grid in time; take "
                    "another method");
    else if (found->may_not_happen())
      context.error(
          node, at, name,
          "must be a quantity that every run has: a first crossing may not happen, nor may "
          "an event, and there is no mean then");
  }
  const auto check_list = [&](const std::string& section, const std::vector<std::string>& names) {
    const Place place{"study", "study." + section + ".quantities", section + ".quantities", {}};
    for (std::size_t i = 0; i < names.size(); ++i)
      if (std::ranges::find(known, names[i]) == known.end())
        context.error(study_section.find(section)->find("quantities")->items[i], place.item(i), {},
                      fmt::format("no quantity of interest is named '{}'", printable(names[i])),
                      context.suggest(names[i], known));
  };
  if (study.until) check_list("until", study.until->quantities);
  if (study.worst_case) check_list("worst_case", study.worst_case->quantities);
}

void check_quantities(ReadContext& context, const Node& section, const Study& study,
                      const std::vector<QuantityOfInterest>& quantities) {
  if (study.method != StudyMethod::chaos && study.method != StudyMethod::worst_case) return;
  const bool worst = study.method == StudyMethod::worst_case;
  for (const QuantityOfInterest& quantity : quantities)
    if (quantity.may_not_happen())
      context.error(*section.find(quantity.name)->find("kind"),
                    {element_label("quantity", quantity.name),
                     "quantities." + quantity.name + ".kind",
                     "kind",
                     {}},
                    std::string(quantity_kind_names[static_cast<std::size_t>(quantity.kind)]),
                    fmt::format("cannot be had with study.method: {}: where it does not happen "
                                "there is nothing to fit a polynomial to; use {}",
                                worst ? "worst-case" : "chaos",
                                worst ? "the peak that passes the level"
                                      : "monte-carlo, latin-hypercube or sobol"));
}

}  // namespace tumble
