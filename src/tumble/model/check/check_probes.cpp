// Probes, and the time grid their outputs are on.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/model/check/check_context.hpp"
#include "tumble/model/compile/compiling.hpp"
#include "tumble/model/expression/expression_names.hpp"

namespace tumble {
namespace {

std::string article(std::string_view word) {
  return (word.front() == 'a' ? "an " : "a ") + std::string(word);
}

/// Whether a quantity exists for a kind of joint or force element, where quantity_table() only
/// says that it exists for some.
bool exists_for(Quantity q, const JointKind& kind, bool of_beam) {
  // A node has no frame that a relative motion could refer to.
  if (of_beam) return q == Quantity::force || q == Quantity::torque;
  const bool distance = std::holds_alternative<DistanceJoint>(kind) ||
                        std::holds_alternative<RevoluteSphericalJoint>(kind);
  switch (q) {
    case Quantity::length:
    case Quantity::length_rate:
      return distance;
    case Quantity::angle:
    case Quantity::angle_rate:
    case Quantity::rotation_vector:
    case Quantity::displacement:
    case Quantity::displacement_rate:
      return !distance;
    default:
      return true;
  }
}

/// What acts on a coordinate does so by a moment or by a force.
bool suits(const Model& model, const CoordinateRef& coordinate, CoordinateKind wanted, Quantity q) {
  const auto place = compiling::find_coordinate(model, coordinate, wanted);
  return place.joint < 0 || (q == Quantity::moment) == (place.motion >= 3);
}

bool exists_for(Quantity q, const Model& model, const ForceKind& kind) {
  return std::visit(
      [&](const auto& force) {
        if (std::ranges::find(force.quantities, q) == force.quantities.end()) return false;
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(force)>, ExpressionForce>)
          if (q == Quantity::value && expressions_of(force).size() != 1) return false;
        if constexpr (requires { force.joint; })
          return suits(model, force.joint, CoordinateKind::any, q);
        else
          return true;
      },
      kind);
}

/// A coupler is observed at its first angle or its first displacement.
bool exists_for(Quantity q, const Model& model, const CouplerKind& kind) {
  const auto terms = terms_of(kind);
  return std::ranges::any_of(terms, [&](const CouplerTerm& term) {
    return suits(model, term.coordinate, term.wanted, q);
  });
}

class ProbeCheck {
 public:
  ProbeCheck(CheckContext& context, const Probe& probe)
      : context_(context), probe_(probe), element_(name_of(probe)) {}

  void run() {
    const int targets = probe_.body.has_value() + probe_.beam.has_value() +
                        probe_.joint.has_value() + probe_.force.has_value() +
                        probe_.coupler.has_value() + probe_.state.has_value() + probe_.system;
    if (targets != 1) {
      context_.report(
          element_, "", "", "",
          fmt::format(
              "must observe one of body, beam, joint, coupler, force, state or system, found {}",
              targets == 0 ? "none" : std::to_string(targets)));
      return;
    }
    if (probe_.point && !probe_.body)
      context_.report(element_, "point", format_vector(*probe_.point), "m",
                      "only a probe of a body has a point");
    if (!probe_.beam && (probe_.at || probe_.offset))
      context_.report(element_, probe_.at ? "at" : "offset", "", "",
                      "only a probe of a beam has a place along it and an offset");
    if (probe_.quantities.empty())
      context_.report(element_, "quantities", "", "", "must name at least one quantity");
    ranges();
    if (probe_.body) {
      context_.body_exists(element_, "body", probe_.body->name, false);
      quantities(ProbeTarget::body, "a body", [](Quantity) { return true; });
    } else if (probe_.beam) {
      beam();
    } else if (probe_.joint) {
      const auto found = context_.joints.find(probe_.joint->name);
      if (found == context_.joints.end()) {
        unknown("joint", probe_.joint->name, context_.model.joints);
        return;
      }
      const auto type = std::visit([](const auto& k) { return k.type; }, found->second->kind);
      quantities(ProbeTarget::joint, article(type) + " joint", [&](Quantity q) {
        return exists_for(q, found->second->kind,
                          compiling::touches_beam(context_.model, found->second->kind));
      });
    } else if (probe_.force) {
      const auto found = context_.forces.find(probe_.force->name);
      if (found == context_.forces.end()) {
        unknown("force", probe_.force->name, context_.model.forces);
        return;
      }
      const auto type = std::visit([](const auto& k) { return k.type; }, found->second->kind);
      quantities(ProbeTarget::force,
                 type == AppliedForce::type ? "an applied force" : article(type),
                 [&](Quantity q) { return exists_for(q, context_.model, found->second->kind); });
    } else if (probe_.coupler) {
      const auto found = context_.couplers.find(probe_.coupler->name);
      if (found == context_.couplers.end()) {
        unknown("coupler", probe_.coupler->name, context_.model.couplers);
        return;
      }
      const auto type = std::visit([](const auto& k) { return k.type; }, found->second->kind);
      quantities(ProbeTarget::coupler, article(type) + " coupler",
                 [&](Quantity q) { return exists_for(q, context_.model, found->second->kind); });
    } else if (probe_.state) {
      if (!context_.states.contains(probe_.state->name))
        return unknown("state", probe_.state->name, context_.model.states);
      quantities(ProbeTarget::state, "a state", [](Quantity) { return true; });
    } else {
      quantities(ProbeTarget::system, "the system", [](Quantity) { return true; });
    }
  }

 private:
  void beam() {
    context_.beam_exists(element_, "beam", probe_.beam->name);
    const auto found = context_.beams.find(probe_.beam->name);
    const bool shapeless =
        found != context_.beams.end() && found->second->section.stiffness.has_value();
    quantities(ProbeTarget::beam, shapeless ? "a beam whose section has no shape" : "a beam",
               [&](Quantity q) { return !shapeless || q != Quantity::stress; });
    if (probe_.at) {
      const double at = probe_.at->value;
      if (const auto fault = range_fault(Range::fraction, at); !fault.empty())
        context_.report(element_, "at", format_number(at), "", std::string(fault));
      return;
    }
    for (const Quantity q : probe_.quantities)
      if (is_of_a_point(q)) {
        context_.report(
            element_, "at", "", "",
            fmt::format("required for {}: 0 is the beam's start, 1 its end", info(q).name));
        return;
      }
  }
  static bool is_of_a_point(Quantity q) {
    return (info(q).targets & target_bit(ProbeTarget::beam)) != 0 && q < Quantity::strain_energy;
  }

  template <class T>
  void unknown(const std::string& field, const std::string& name, const std::vector<T>& known) {
    context_.report(element_, field, "'" + name + "'", "",
                    fmt::format("no {} has this name", field == "force"   ? "force element"
                                                       : field == "state" ? "state variable"
                                                                          : field),
                    context_.suggest(name, known));
  }

  void ranges() {
    for (const QuantityRanges::Entry& range : probe_.ranges.list) {
      const QuantityInfo& quantity = info(range.quantity);
      const std::string field = fmt::format("ranges.{}", quantity.name);
      if (std::find(probe_.quantities.begin(), probe_.quantities.end(), range.quantity) ==
          probe_.quantities.end())
        context_.report(element_, field, "", "", "the probe does not record this quantity");
      if (!(range.lower < range.upper) || !std::isfinite(range.lower) ||
          !std::isfinite(range.upper))
        context_.report(
            element_, field,
            fmt::format("[{}, {}]", format_number(range.lower), format_number(range.upper)),
            quantity.unit, "must be a finite lower and a larger upper limit");
    }
  }

  template <class Exists>
  void quantities(ProbeTarget target, const std::string& target_name, const Exists& exists) {
    std::vector<Quantity> seen;
    for (std::size_t i = 0; i < probe_.quantities.size(); ++i) {
      const Quantity q = probe_.quantities[i];
      const std::string field = fmt::format("quantities[{}]", i);
      const std::string shown(info(q).name);
      if (std::find(seen.begin(), seen.end(), q) != seen.end()) {
        context_.report(element_, field, shown, "", "given twice");
        continue;
      }
      seen.push_back(q);
      if ((info(q).targets & target_bit(target)) != 0 && exists(q)) continue;
      std::string valid;
      for (const auto& other : quantity_table())
        if ((other.targets & target_bit(target)) != 0 && exists(other.quantity))
          valid += (valid.empty() ? "" : ", ") + std::string(other.name);
      context_.report(element_, field, shown, "",
                      fmt::format("{} has only {}", target_name, valid));
    }
  }

  CheckContext& context_;
  const Probe& probe_;
  ElementName element_;
};

}  // namespace

void check_probes(CheckContext& context) {
  for (const auto& probe : context.model.probes) ProbeCheck(context, probe).run();
}

/// A run of more would take weeks. Steps that are subdivided after breaks can still be counted.
constexpr double most_steps = 1e12;

void check_simulation(CheckContext& context) {
  const Simulation& s = context.model.simulation;
  const ElementName element{"simulation", "simulation"};
  const auto count = [&](const char* field, int value, int least, int most) {
    if (value < least || value > most)
      context.report(element, field, std::to_string(value), "",
                     fmt::format("must be between {} and {}", least, most));
  };
  count("max_iterations", s.max_iterations, 1, 1000);
  count("max_halvings", s.max_halvings, 0, 50);
  count("break_steps", s.break_steps, 0, 1'000'000);
  count("break_substeps", s.break_substeps, 1, 1000);
  // Without damping at infinity the multipliers of the constrained method grow without bound.
  if (s.spectral_radius == 1 &&
      !(context.model.joints.empty() && context.model.user_constraints.empty()))
    context.report(element, "spectral_radius", "1", "",
                   "must be below 1 in a system with joints, whose reactions it does not damp");
  if (!s.has_motion() || !std::isfinite(s.duration)) return;
  const auto within = [&](const char* field, double value) {
    if (value > s.duration)
      context.report(element, field, format_number(value), "s",
                     fmt::format("must be <= the duration, {} s", format_number(s.duration)));
  };
  if (!s.step && !s.accuracy)
    context.report(element, "step", "", "s", "required but missing, unless accuracy is given");
  if (s.step && s.accuracy)
    context.report(element, "accuracy", format_number(*s.accuracy), "",
                   "excludes step: the one says how to integrate, the other how well");
  if (s.accuracy && (s.integrator == IntegrationMethod::baumgarte ||
                     s.integrator == IntegrationMethod::multistep))
    context.report(element, "accuracy", format_number(*s.accuracy), "",
                   "steps are found for `integrator: generalized-alpha` and `radau` only: give a "
                   "step");
  if (!s.accuracy && s.integrator == IntegrationMethod::automatic)
    context.report(element, "integrator", "'auto'", "",
                   "chooses by what an accuracy costs: give accuracy in place of step, or name a "
                   "method");
  if (s.integrator != IntegrationMethod::baumgarte)
    for (const auto& [field, rate] : {std::pair{"baumgarte_alpha", s.baumgarte_alpha},
                                      std::pair{"baumgarte_beta", s.baumgarte_beta}})
      if (rate)
        context.report(element, field, format_number(*rate), "1/s",
                       "is a number of `integrator: baumgarte`");
  const bool fine = s.integrator == IntegrationMethod::radau;
  if (s.accuracy && (*s.accuracy > 0.1 || *s.accuracy < (fine ? 1e-9 : 1e-6)))
    context.report(element, "accuracy", format_number(*s.accuracy), "",
                   fine ? "must be between 1e-9 and 0.1" : "must be between 1e-6 and 0.1");
  if (s.step) within("step", *s.step);
  if (s.step && *s.step > 0 && s.duration / *s.step > most_steps)
    context.report(element, "step", format_number(*s.step), "s",
                   fmt::format("gives {:.3g} steps, at most 1e12 are allowed: the duration is {} s",
                               s.duration / *s.step, format_number(s.duration)));
  if (s.output_step) within("output_step", *s.output_step);
  const double interval = s.output_interval();
  const std::string field = s.output_step ? "output_step" : "step";
  if (!(interval > 0) || interval > s.duration) return;
  const double outputs = s.duration / interval, whole = std::round(outputs);
  if (outputs > 1e7)
    context.report(element, field, format_number(interval), "s",
                   fmt::format("gives {:.3g} outputs, at most 1e7 are allowed", outputs));
  else if (std::abs(outputs - whole) > 1e-9 * outputs)
    context.report(
        element, field, format_number(interval), "s",
        fmt::format("the duration, {} s, must be a whole number of {}, found {:.9g}",
                    format_number(s.duration),
                    s.output_step ? "output steps" : "steps if output_step is left out", outputs));
}

}  // namespace tumble
