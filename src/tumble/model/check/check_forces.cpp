// Force elements: ends, matrices, characteristics.
#include <fmt/format.h>

#include "tumble/model/check/check_context.hpp"

namespace tumble {
namespace {

class ForceCheck {
 public:
  ForceCheck(CheckContext& context, ElementName element)
      : context_(context), element_(std::move(element)) {}

  /// What fields say by their names and types, then what a kind asks for beyond that.
  void operator()(const ExpressionForce& force) {
    check_expression_force(context_, element_, force);
  }
  template <class Kind>
  void operator()(const Kind& force) {
    if constexpr (requires { force.points; }) {
      check_line(context_, element_, force.between, force.points, is_contact<Kind>);
    } else if constexpr (requires { force.between; }) {
      const auto ends = context_.ends(element_, force.between);
      check_point(context_, element_, ends, force.point, !is_for_drawing(force));
      if constexpr (requires { force.axis; })
        optional_direction(context_, element_, ends, "axis", force.axis);
    }
    Kind::entries(force,
                  [this](const Entry& entry, const auto& value) { this->field(entry, value); });
    beyond(force);
  }

 private:
  /// The point of its surface may be anywhere.
  template <class Kind>
  static constexpr bool is_contact =
      std::is_base_of_v<ContactLaw, Kind> || std::is_same_v<Kind, Tyre>;
  /// The torque of a torsion spring is the same wherever its point is.
  template <class Kind>
  static constexpr bool is_for_drawing(const Kind&) {
    return std::is_same_v<Kind, TorsionSpring>;
  }

  void field(const Entry& entry, const Characteristic& value) {
    characteristic(std::string(entry.name), value);
  }
  void field(const Entry& entry, const std::optional<DriveRef>& drive) {
    if (drive) context_.drive_exists(element_, std::string(entry.name), drive->name);
  }
  void field(const Entry&, const std::optional<Orientation>& orientation) {
    check_orientation(context_, element_, orientation);
  }
  void field(const Entry& entry, const BodyRef& body) {
    context_.body_exists(element_, std::string(entry.name), body.name, false);
  }
  void field(const Entry& entry, const CoordinateRef& reference) {
    check_coordinate(context_, element_, std::string(entry.name), reference, CoordinateKind::any);
  }
  void field(const Entry& entry, const BeamRef& beam) {
    context_.beam_exists(element_, std::string(entry.name), beam.name);
  }
  template <class Value>
  void field(const Entry&, const Value&) {}  // numbers: their ranges are checked with all others

  void beyond(const Bushing& bushing) {
    matrix("stiffness", bushing.stiffness, "N/m", "N m/rad", false);
    matrix("damping", bushing.damping, "N s/m", "N m s/rad", true);
  }
  void beyond(const JointLimit& limit) {
    if (!limit.lower && !limit.upper)
      context_.report(element_, "upper", "", "m, rad",
                      "required but missing: a lower or an upper limit");
    if (limit.lower && limit.upper && !(*limit.lower < *limit.upper))
      context_.report(element_, "upper", format_number(*limit.upper), "m, rad",
                      fmt::format("must be above lower, {}", format_number(*limit.lower)));
  }
  /// Left out, not zero: a realisation, a sweep or an event may make it zero.
  void beyond(const SectionLoad& load) {
    const auto& written = context_.model.locations;
    const std::string& path = element_.path;
    if (dot(load.force, load.force) > 0 || dot(load.moment, load.moment) > 0 ||
        !written.contains(path) || written.contains(path + ".force") ||
        written.contains(path + ".moment"))
      return;
    context_.report(element_, "moment", "", "N m",
                    "required but missing: a force, a moment or both");
  }
  void beyond(const JointFriction& friction) {
    if (!friction.static_coefficient) return;
    if (*friction.static_coefficient < friction.coefficient)
      context_.report(element_, "static_coefficient", format_number(*friction.static_coefficient),
                      "",
                      fmt::format("must not be below the sliding one, {}",
                                  format_number(friction.coefficient)));
    if (!(friction.stribeck_rate > 0))
      context_.report(element_, "stribeck_rate", format_number(friction.stribeck_rate),
                      "m/s, rad/s", "must be > 0 where a static coefficient is given");
  }
  template <class Kind>
  void beyond(const Kind& force) {
    if constexpr (is_contact<Kind>) check_contact(context_, element_, force);
  }

  void matrix(const char* field, const std::vector<double>& values, const char* unit,
              const char* angular_unit, bool may_be_empty) {
    if (values.empty() && may_be_empty) return;
    if (values.size() != 6 && values.size() != 36) {
      context_.report(
          element_, field, "", "",
          fmt::format("must be 6 diagonal values or 6 rows of 6, found {} values", values.size()));
      return;
    }
    for (std::size_t i = 0; i < 6; ++i) {
      const std::size_t at = values.size() == 6 ? i : 7 * i;
      if (values[at] < 0)
        context_.report(element_, fmt::format("{}[{}]", field, at), format_number(values[at]),
                        i < 3 ? unit : angular_unit, "must be >= 0");
    }
  }

  void characteristic(const std::string& field, const Characteristic& c) {
    switch (c.form) {
      case Characteristic::Form::linear:
        break;
      case Characteristic::Form::polynomial:
        if (c.coefficients.empty())
          context_.report(element_, field + ".polynomial", "", "", "must have a coefficient");
        break;
      case Characteristic::Form::odd_polynomial:
        if (c.coefficients.empty())
          context_.report(element_, field + ".odd_polynomial", "", "", "must have a coefficient");
        break;
      case Characteristic::Form::table:
        check_table(context_, element_, field + ".table", c.table);
        break;
    }
  }

  CheckContext& context_;
  ElementName element_;
};

}  // namespace

void check_forces(CheckContext& context) {
  // Expressions last: they may name any of the others.
  for (const bool expression : {false, true})
    for (const auto& force : context.model.forces)
      if (std::holds_alternative<ExpressionForce>(force.kind) == expression)
        std::visit(ForceCheck(context, name_of(force)), force.kind);
}

}  // namespace tumble
