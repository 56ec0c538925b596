#include "tumble/io/model/read_quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
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
    const std::string kind(quantity_kind_names[static_cast<std::size_t>(quantity_.kind)]);
    if (quantity_.kind == QuantityKind::first_crossing) {
      if (!quantity_.level && good("level"))
        refuse("level", {}, {}, "required but missing: what is crossed");
      return;
    }
    for (const char* field : {"level", "direction"})
      if (node_.find(field) != nullptr)
        refuse(field, {}, {},
               fmt::format("must be left out: it is for first_crossing, the kind is {}", kind));
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

}  // namespace

void settle_quantities(ReadContext& context, const Node& section, const Model& model,
                       std::vector<QuantityOfInterest>& quantities) {
  const ProbedNames names(model);
  for (QuantityOfInterest& quantity : quantities)
    Settling(context, *section.find(quantity.name), model, names, quantity).settle();
  refuse_clashes(context, section, model, quantities);
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
    else if (found->may_not_happen())
      context.error(node, at, name,
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
