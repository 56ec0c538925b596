// Expressions: forces, drives and state variables that are written as formulas.
#include <fmt/format.h>

#include <algorithm>

#include "tumble/model/check/check_context.hpp"
#include "tumble/model/compile/compiling.hpp"
#include "tumble/model/expression/expression_names.hpp"
#include "tumble/model/study/formula.hpp"
#include "tumble/model/visit_numbers.hpp"

namespace tumble {
namespace {

std::string quoted(const std::string& text) { return "'" + text + "'"; }

/// Names are looked up in a machine whose joints and springs hold on to something: where they do
/// not, that is the mistake to tell of.
bool names_can_be_looked_up(const CheckContext& context) {
  return std::ranges::none_of(context.found, [](const Diagnostic& d) {
    return d.element.starts_with("joint '") || d.element.starts_with("marker '") ||
           d.element.starts_with("bushing '") || d.element.starts_with("spring '");
  });
}

void check_parameters(CheckContext& context, const ElementName& element,
                      const ExpressionParameters& parameters, const ExpressionScope* scope) {
  for (std::size_t i = 0; i < parameters.numbers.size(); ++i)
    if (const auto fault = parameter_name_fault(parameters, i, scope); !fault.empty())
      context.report(element, "parameters." + parameters.numbers[i].name, "", "", fault);
}

class ExpressionForceCheck {
 public:
  ExpressionForceCheck(CheckContext& context, const ElementName& element,
                       const ExpressionForce& force)
      : context_(context), element_(element), force_(force) {}

  void run() {
    const std::size_t before = context_.found.size();
    if (const int ways =
            force_.ends.has_value() + force_.on_body.has_value() + force_.on_joint.has_value();
        ways != 1) {
      context_.report(
          element_, "", "", "",
          fmt::format("must act `between` two ends, on a `body` or on a `joint`, found {}",
                      ways == 0 ? "none of them" : fmt::format("{} of them", ways)));
      return;
    }
    switch (force_.form()) {
      case ExpressionForce::Form::joint:
        of_joint();
        break;
      case ExpressionForce::Form::body:
        of_body();
        break;
      case ExpressionForce::Form::line:
        check_line(context_, element_, *force_.ends, force_.line);
        left_out("force", force_.force), left_out("torque", force_.torque);
        left_out("moment", force_.moment);
        no_place("with a tension the ends are `points`", true);
        break;
      case ExpressionForce::Form::frames: {
        const auto ends = context_.ends(element_, *force_.ends);
        check_point(context_, element_, ends, force_.place, true);
        check_orientation(context_, element_, force_.orientation);
        triple("force", force_.force), triple("torque", force_.torque);
        triple("moment", force_.moment);
        if (force_.line)
          context_.report(element_, "points", "", "",
                          "belongs to a `tension`; frames have a `point`");
        break;
      }
    }
    if (force_.axes != Axes::ground && !force_.on_body)
      context_.report(element_, "axes", "body", "", "belongs to a force on a `body`");
    const auto formulas = expressions_of(force_);
    if (formulas.empty() && context_.found.size() == before)
      context_.report(element_, "", "", "", "has no formula: force, torque, moment or tension");
    if (context_.found.size() > before || !names_can_be_looked_up(context_)) return;
    const auto index = static_cast<std::size_t>(
        context_.forces.at(element_.path.substr(element_.path.find('.') + 1)) -
        context_.model.forces.data());
    const ExpressionScope scope = scope_of(context_.model, index);
    check_parameters(context_, element_, force_.parameters, &scope);
    std::vector<const Expression*> all;
    for (const auto& formula : formulas) all.push_back(formula.expression);
    for (const auto& mistake : compile_expressions(scope, all, false).mistakes)
      context_.report(element_, formulas[mistake.expression].field,
                      quoted(all[mistake.expression]->text), "", mistake.error, mistake.suggestion);
  }

 private:
  void of_joint() {
    const auto found = context_.joints.find(force_.on_joint->name);
    if (found == context_.joints.end()) {
      context_.report(element_, "joint", quoted(force_.on_joint->name), "",
                      "no joint has this name",
                      context_.suggest(force_.on_joint->name, context_.model.joints));
      return;
    }
    const JointKind& kind = found->second->kind;
    const bool turns = std::holds_alternative<RevoluteJoint>(kind),
               slides = std::holds_alternative<PrismaticJoint>(kind),
               both = std::holds_alternative<CylindricalJoint>(kind) ||
                      std::holds_alternative<GeneralJoint>(kind);
    if (!(turns || slides || both) || compiling::touches_beam(context_.model, kind)) {
      context_.report(element_, "joint", quoted(force_.on_joint->name), "",
                      "must be a revolute, prismatic, cylindrical or general joint between bodies: "
                      "it acts along or about the joint's z axis");
      return;
    }
    single("force", force_.force), single("torque", force_.torque);
    if (turns && !force_.force.empty())
      context_.report(element_, "force", "", "N", "a revolute joint turns: give a torque");
    if (slides && !force_.torque.empty())
      context_.report(element_, "torque", "", "N m", "a prismatic joint slides: give a force");
    left_out("moment", force_.moment);
    no_tension();
    no_place("the joint says where it acts", false);
  }

  void of_body() {
    context_.body_exists(element_, "body", force_.on_body->name, false);
    triple("force", force_.force), triple("torque", force_.torque);
    left_out("moment", force_.moment);
    no_tension();
    if (force_.orientation)
      context_.report(element_, "orientation", "", "", "a force on a body has `axes`");
    if (force_.line)
      context_.report(element_, "points", "", "", "belongs to a `tension` between two ends");
  }

  void triple(const char* field, const ExpressionList& list) {
    if (!list.empty() && (!list.list || list.items.size() != 3))
      context_.report(element_, field, "", "", "must be a list of three formulas");
  }
  void single(const char* field, const ExpressionList& list) {
    if (list.list)
      context_.report(element_, field, "", "",
                      "must be one formula: along or about the joint's axis");
  }
  void left_out(const char* field, const ExpressionList& list) {
    if (!list.empty())
      context_.report(element_, field, "", "",
                      "must be left out: it has no meaning for a force that acts like this");
  }
  void no_tension() {
    if (!force_.tension.empty())
      context_.report(element_, "tension", quoted(force_.tension.text), "N",
                      "must be left out: it acts `between` two points");
  }
  void no_place(const char* why, bool line_allowed) {
    if (force_.place) context_.report(element_, "point", "", "m", why);
    if (force_.orientation) context_.report(element_, "orientation", "", "", why);
    if (force_.line && !line_allowed) context_.report(element_, "points", "", "m", why);
  }

  CheckContext& context_;
  const ElementName& element_;
  const ExpressionForce& force_;
};

}  // namespace

void check_expression_force(CheckContext& context, const ElementName& element,
                            const ExpressionForce& force) {
  ExpressionForceCheck(context, element, force).run();
}

void check_expression_drive(CheckContext& context, const ElementName& element,
                            const ExpressionDrive& drive) {
  check_parameters(context, element, drive.parameters, nullptr);
  for (const auto& mistake : compile_drive(drive, false).mistakes)
    context.report(element, "value", quoted(drive.value.text), "", mistake.error,
                   mistake.suggestion);
}

void check_states(CheckContext& context) {
  for (const StateVariable& state : context.model.states) {
    const ElementName element = name_of(state);
    if (state.name.find('-') != std::string::npos || state.name == "time" || state.name == "pi" ||
        state.name == "deg" || formula_functions().contains(state.name))
      context.report(element, "", "", "",
                     "expressions must be able to name it: letters, digits and '_' alone, and "
                     "neither time, pi, deg nor a function");
    if (context.drives.contains(state.name))
      context.report(element, "", "", "", "a drive has the same name");
    const ExpressionScope scope = scope_of(context.model, state);
    check_parameters(context, element, state.parameters, &scope);
    if (!names_can_be_looked_up(context)) continue;
    for (const auto& mistake : compile_expressions(scope, {&state.rate}, false).mistakes)
      context.report(element, "rate", quoted(state.rate.text), "", mistake.error,
                     mistake.suggestion);
  }
}

namespace {

/// What an event may switch: numbers that say how strong something pushes, not where things are.
bool can_be_switched(const Model& model, const std::string& path) {
  if (path.starts_with("forces.") || path.starts_with("gravity[")) return true;
  return std::ranges::any_of(model.states, [&](const StateVariable& state) {
    return path.starts_with("states." + state.name + ".parameters.");
  });
}

void check_change(CheckContext& context, const ElementName& element, const Event& event) {
  if (event.action != EventAction::change) {
    for (const char* field : {"change", "to"})
      if (field[0] == 'c' ? event.change.has_value() : event.to.has_value())
        context.report(element, field, "", "", "must be left out: it belongs to action: switch");
    return;
  }
  if (!event.change)
    context.report(element, "change", "", "", "required but missing: the parameter to switch");
  if (!event.to)
    context.report(element, "to", "", "", "required but missing: the parameter's new value");
  if (!event.change || !event.to) return;
  std::vector<std::string> known;
  bool found = false;
  visit_numbers(context.model,
                [&](const std::string& path, std::string_view unit, Range range, const double&) {
                  if (!can_be_switched(context.model, path)) return;
                  known.push_back(path);
                  if (path != *event.change) return;
                  found = true;
                  if (const auto fault = range_fault(range, *event.to, unit); !fault.empty())
                    context.report(element, "to", format_number(*event.to), unit,
                                   fmt::format("{}: it is a value of '{}'", fault, path));
                });
  if (!found)
    context.report(
        element, "change", quoted(*event.change), "",
        "must be the path of a number of a force, of a parameter of a state variable, or "
        "of gravity[0] to gravity[2], as `tumble parameters` lists them",
        nearest_name(*event.change, known));
}

}  // namespace

void check_events(CheckContext& context) {
  const Simulation& simulation = context.model.simulation;
  for (const Event& event : context.model.events) {
    const ElementName element = name_of(event);
    const ExpressionScope scope{context.model, event.parameters};
    check_parameters(context, element, event.parameters, &scope);
    if (event.at_most < 0)
      context.report(element, "at_most", std::to_string(event.at_most), "", "must be >= 0");
    check_change(context, element, event);
    if (simulation.integrator == IntegrationMethod::multistep ||
        (event.acts() && simulation.integrator == IntegrationMethod::baumgarte))
      context.report(element, event.acts() ? "action" : "", "", "",
                     event.acts()
                         ? "needs simulation.integrator: generalized-alpha or radau, which can "
                           "begin anew at any instant"
                         : "the multistep method does not watch events");
    if (event.acts() && simulation.accuracy)
      context.report(element, "action", "", "",
                     "cannot be had with simulation.accuracy, which looks for steps without what "
                     "events change: give simulation.step");
    if (!names_can_be_looked_up(context)) continue;
    for (const auto& mistake : compile_expressions(scope, {&event.when}, false).mistakes)
      context.report(element, "when", quoted(event.when.text), "", mistake.error,
                     mistake.suggestion);
  }
}

}  // namespace tumble
