// Contacts and tyres: what must hold beyond the ranges of single numbers.
#include <fmt/format.h>

#include "tumble/model/check/check_context.hpp"

namespace tumble {
namespace {

class ContactCheck {
 public:
  ContactCheck(CheckContext& context, const ElementName& element)
      : context_(context), element_(element) {}

  void operator()(const PlaneContact& contact) {
    law(contact);
    direction(contact.between[0], "normal", contact.normal);
    const bool rim = contact.rim_radius.has_value();
    one_shape(contact, rim);
    if (!rim) {
      for (const auto& [field, given] :
           {std::pair{"rim_axis", contact.rim_axis.has_value()},
            std::pair{"rim_distance", contact.rim_distance.has_value()},
            std::pair{"rim_points", contact.rim_points != 0}})
        if (given) report(field, "", "", "only a rim has it: give rim_radius");
      return;
    }
    direction(contact.between[1], "rim_axis", contact.rim_axis);
    if (contact.rim_points != 0 && contact.rim_points < 3)
      report("rim_points", std::to_string(contact.rim_points), "",
             "must be at least 3, or left out for the deepest point of the rim");
    if (contact.rim_points > 1000)
      report("rim_points", std::to_string(contact.rim_points), "", "must be at most 1000");
  }
  void operator()(const SphereContact& contact) {
    law(contact);
    one_shape(contact, false);
    if (contact.inside && contact.surface_radius > 0 && contact.radius >= contact.surface_radius)
      too_large(contact.radius, contact.surface_radius);
  }
  void operator()(const CylinderContact& contact) {
    law(contact);
    one_shape(contact, false);
    direction(contact.between[0], "axis", contact.axis);
    if (!contact.inside) return;
    if (contact.length)
      report("length", format_number(*contact.length), "m",
             "must be left out of a bore (inside: true), which has no end");
    if (contact.surface_radius > 0 && contact.radius >= contact.surface_radius)
      too_large(contact.radius, contact.surface_radius);
  }
  void operator()(const HeightFieldContact& contact) {
    law(contact);
    one_shape(contact, false);
    if (contact.heights.empty()) return;  // reported as missing
    if (contact.heights.size() < 2) report("heights", "", "", "must have at least 2 rows");
    for (std::size_t i = 0; i < contact.heights.size(); ++i) {
      const std::size_t columns = contact.heights[i].size();
      if (columns < 2)
        report(fmt::format("heights[{}]", i), "", "", "must have at least 2 values");
      else if (columns != contact.heights[0].size())
        report(fmt::format("heights[{}]", i), "", "",
               fmt::format("must have {} values as the first row has, found {}",
                           contact.heights[0].size(), columns));
    }
  }
  void operator()(const Tyre& tyre) {
    at_least_one(tyre.exponent);
    direction(tyre.between[0], "normal", tyre.normal);
    check_direction(context_, element_, "axis", tyre.axis);
  }
  template <class Kind>
  void operator()(const Kind&) {}

 private:
  void report(const std::string& field, std::string value, std::string_view unit,
              std::string expectation) {
    context_.report(element_, field, std::move(value), unit, std::move(expectation));
  }
  void direction(const MarkerRef& end, const std::string& field,
                 const std::optional<Vec3d>& given) {
    if (given)
      check_direction(context_, element_, field, *given);
    else if (end.name.find('.') == std::string::npos)
      report(field, "", "",
             fmt::format("required: '{}' is no marker whose z axis could be it", end.name));
  }
  void at_least_one(double exponent) {
    if (!(exponent >= 1))
      report("exponent", format_number(exponent), "",
             "must be >= 1: below, the stiffness at touch-down would be infinite");
  }
  void too_large(double radius, double room) {
    report("radius", format_number(radius), "m",
           fmt::format("must be below that of the hollow it is in, {} m", format_number(room)));
  }

  void law(const ContactLaw& law) {
    at_least_one(law.exponent);
    if (law.restitution) {
      if (*law.restitution == 0)
        report("restitution", "0", "", "must be above 0: no damping of this law stops a rebound");
      if (law.damping != 0)
        report("damping", format_number(law.damping), "s/m",
               "must be left out where restitution is given: it follows from that");
      if (!law.impact_velocity)
        report("impact_velocity", "", "m/s", "required: the speed that restitution is meant for");
    } else if (law.impact_velocity) {
      report("impact_velocity", format_number(*law.impact_velocity), "m/s",
             "is for restitution, which is not given");
    }
    if (law.static_friction && *law.static_friction < law.friction)
      report("static_friction", format_number(*law.static_friction), "",
             fmt::format("must not be below friction, {}", format_number(law.friction)));
    if (law.stribeck_velocity && !law.static_friction)
      report("stribeck_velocity", format_number(*law.stribeck_velocity), "m/s",
             "is for static_friction, which is not given");
    for (const auto& [field, value] : {std::pair{"rolling_resistance", law.rolling_resistance},
                                       std::pair{"spin_friction", law.spin_friction}})
      if (value > 0 && law.radius == 0)
        report(field, format_number(value), "m", "needs a radius: bare points do not roll or spin");
    if (law.box)
      for (int k = 0; k < 3; ++k)
        if (!((*law.box)[k] > 0))
          report(fmt::format("box[{}]", k), format_number((*law.box)[k]), "m", "must be > 0");
    if (!law.mesh) return;
    const std::string name = law.between[1].name.substr(0, law.between[1].name.find('.'));
    const auto body = context_.bodies.find(name);
    if (name == "ground" || (body != context_.bodies.end() && !body->second->shape.mesh))
      report("mesh", "true", "", fmt::format("'{}' must have a shape that is a mesh", name));
  }
  void one_shape(const ContactLaw& law, bool rim) {
    if (law.box.has_value() + law.mesh + rim > 1)
      report("", "", "", "must have one of box, mesh and rim_radius at most");
  }

  CheckContext& context_;
  const ElementName& element_;
};

}  // namespace

void check_contact(CheckContext& context, const ElementName& element, const ForceKind& kind) {
  std::visit(ContactCheck(context, element), kind);
}

}  // namespace tumble
