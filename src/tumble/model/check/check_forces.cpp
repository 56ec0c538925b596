// Force elements: ends, matrices, characteristics.
#include <fmt/format.h>

#include "tumble/model/check/check_context.hpp"

namespace tumble {
namespace {

class ForceCheck {
 public:
  ForceCheck(CheckContext& context, ElementName element)
      : context_(context), element_(std::move(element)) {}

  void operator()(const Bushing& bushing) {
    const auto ends = context_.ends(element_, bushing.between);
    check_point(context_, element_, ends, bushing.point, true);
    check_orientation(context_, element_, bushing.orientation);
    matrix("stiffness", bushing.stiffness, "N/m", "N m/rad", false);
    matrix("damping", bushing.damping, "N s/m", "N m s/rad", true);
  }
  void operator()(const Spring& spring) {
    check_line(context_, element_, spring.between, spring.points);
    characteristic("stiffness", spring.stiffness);
    characteristic("damping", spring.damping);
    if (spring.actuator) context_.drive_exists(element_, "actuator", spring.actuator->name);
  }
  void operator()(const TorsionSpring& spring) {
    const auto ends = context_.ends(element_, spring.between);
    check_point(context_, element_, ends, spring.point, false);
    const bool marker = ends[0].marker != nullptr || ends[1].marker != nullptr;
    if (spring.axis)
      check_direction(context_, element_, "axis", *spring.axis);
    else if (ends[0].good && ends[1].good && !marker)
      context_.report(element_, "axis", "", "", "required unless an end is a marker");
    characteristic("stiffness", spring.stiffness);
    characteristic("damping", spring.damping);
    if (spring.actuator) context_.drive_exists(element_, "actuator", spring.actuator->name);
  }
  void operator()(const AppliedForce& force) {
    context_.body_exists(element_, "body", force.body.name, false);
    if (force.drive) context_.drive_exists(element_, "drive", force.drive->name);
  }
  void operator()(const PointLoad& load) { beam_load(load); }
  void operator()(const LineLoad& load) { beam_load(load); }

 private:
  template <class Load>
  void beam_load(const Load& load) {
    context_.beam_exists(element_, "beam", load.beam.name);
    if (load.drive) context_.drive_exists(element_, "drive", load.drive->name);
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
  for (const auto& force : context.model.forces)
    std::visit(ForceCheck(context, name_of(force)), force.kind);
}

}  // namespace tumble
