// Walks over every number of a Model that is a parameter slot: visit(path, unit, double&).
#pragma once
#include <string>
#include <type_traits>

#include "tumble/model/model.hpp"

namespace tumble {

/// Visitor of entries() that hands out each number below a path prefix. F is
/// f(const std::string& path, std::string_view unit, Range, [const] double&).
template <class F>
class NumberVisitor {
 public:
  NumberVisitor(std::string prefix, F& f) : prefix_(std::move(prefix)), f_(f) {}

  template <class T>
  void operator()(const Entry& entry, T& value) {
    walk(prefix_ + "." + std::string(entry.name), entry, value);
  }

 private:
  /// Descriptions inside the description of a beam.
  template <class U>
  static constexpr bool is_part_of_beam =
      std::is_same_v<U, BeamSection> || std::is_same_v<U, RectangleSection> ||
      std::is_same_v<U, CircleSection> || std::is_same_v<U, TubeSection> ||
      std::is_same_v<U, ISection> || std::is_same_v<U, PolygonSection> ||
      std::is_same_v<U, StiffnessSection> || std::is_same_v<U, Arc> ||
      std::is_same_v<U, DampingRatios>;
  /// The starts of joints.
  template <class U>
  static constexpr bool is_start = requires {
    U::starts_joint;
  };
  /// The solids of composite bodies.
  template <class U>
  static constexpr bool is_part_of_body = requires {
    U::is_part_of_body;
  };
  template <class U>
  static constexpr bool is_optional_part =
      std::is_same_v<U, std::optional<RectangleSection>> ||
      std::is_same_v<U, std::optional<CircleSection>> ||
      std::is_same_v<U, std::optional<TubeSection>> || std::is_same_v<U, std::optional<ISection>> ||
      std::is_same_v<U, std::optional<PolygonSection>> ||
      std::is_same_v<U, std::optional<StiffnessSection>> || std::is_same_v<U, std::optional<Arc>> ||
      std::is_same_v<U, std::optional<DampingRatios>> || requires {
    U::value_type::starts_joint;
  }
  || requires { U::value_type::is_part_of_body; };

  template <class T>
  void walk(const std::string& path, const Entry& entry, T& value) {
    using U = std::remove_const_t<T>;
    if constexpr (std::is_same_v<U, double>) {
      f_(path, entry.unit, entry.range, value);
    } else if constexpr (std::is_same_v<U, Vec3d> || std::is_same_v<U, StartVelocity>) {
      f_(path + "[0]", entry.unit, entry.range, value.x);
      f_(path + "[1]", entry.unit, entry.range, value.y);
      f_(path + "[2]", entry.unit, entry.range, value.z);
    } else if constexpr (std::is_same_v<U, Orientation>) {
      walk(path, Entry{entry.name, unit_of(value), ""}, value.numbers);
    } else if constexpr (std::is_same_v<U, Characteristic>) {
      switch (value.form) {
        case Characteristic::Form::linear:
          f_(path, entry.unit, entry.range, value.slope);
          break;
        case Characteristic::Form::polynomial:
          walk_coefficients(path + ".polynomial", axes_of(entry.unit), 0, value.coefficients);
          break;
        case Characteristic::Form::odd_polynomial:
          walk_coefficients(path + ".odd_polynomial", axes_of(entry.unit), 1, value.coefficients);
          break;
        case Characteristic::Form::table:
          walk(path + ".table.x", Entry{"", axes_of(entry.unit).x, ""}, value.table.x);
          walk(path + ".table.y", Entry{"", axes_of(entry.unit).y, ""}, value.table.y);
          break;
      }
    } else if constexpr (std::is_same_v<U, Table>) {
      walk(path + ".x", Entry{"", entry.unit, ""}, value.x);
      walk(path + ".y", Entry{"", "", ""}, value.y);
    } else if constexpr (std::is_same_v<U, std::vector<std::vector<double>>> ||
                         std::is_same_v<U, std::vector<double>> ||
                         std::is_same_v<U, std::array<double, 6>> ||
                         std::is_same_v<U, std::array<double, 2>> ||
                         std::is_same_v<U, std::array<Vec3d, 2>>) {
      for (std::size_t i = 0; i < value.size(); ++i)
        walk(path + "[" + std::to_string(i) + "]", entry, value[i]);
    } else if constexpr (std::is_same_v<U, std::optional<Vec3d>> ||
                         std::is_same_v<U, std::optional<double>> ||
                         std::is_same_v<U, std::optional<Orientation>> ||
                         std::is_same_v<U, std::optional<std::array<double, 2>>> ||
                         std::is_same_v<U, std::optional<std::array<double, 6>>> ||
                         std::is_same_v<U, std::optional<std::array<Vec3d, 2>>>) {
      if (value) walk(path, entry, *value);
    } else if constexpr (std::is_same_v<U, std::vector<Marker>>) {
      for (auto& marker : value) {
        NumberVisitor inner(path + "." + marker.name, f_);
        Marker::entries(marker, inner);
      }
    } else if constexpr (std::is_same_v<U, std::vector<Part>>) {
      for (auto& part : value) {
        NumberVisitor inner(path + "." + part.name, f_);
        Part::entries(part, inner);
      }
    } else if constexpr (std::is_same_v<U, ExpressionParameters>) {
      for (auto& number : value.numbers)
        f_(path + "." + number.name, std::string_view(), Range::any, number.value);
    } else if constexpr (is_part_of_beam<U> || is_start<U> || is_part_of_body<U>) {
      NumberVisitor inner(path, f_);
      U::entries(value, inner);
    } else if constexpr (is_optional_part<U>) {
      if (value) walk(path, entry, *value);
    }
    // Names, sets, switches and shapes hold no slots: a shape's density is a shorthand for mass
    // and inertia, and those are the slots.
  }

  /// The units of the two axes of a characteristic whose slope has the unit given.
  struct AxisUnits {
    std::string_view x, y;
  };
  static AxisUnits axes_of(std::string_view slope) {
    if (slope == "N/m") return {"m", "N"};
    if (slope == "N s/m") return {"m/s", "N"};
    if (slope == "N m/rad") return {"rad", "N m"};
    return {"rad/s", "N m"};  // N m s/rad
  }
  /// Coefficient i multiplies x to the power of i + first.
  template <class V>
  void walk_coefficients(const std::string& path, const AxisUnits& axes, int first, V& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const int power = static_cast<int>(i) + first;
      std::string unit(axes.y);
      if (power > 0) unit += "/(" + std::string(axes.x) + ")";
      if (power > 1) unit += "^" + std::to_string(power);
      walk(path + "[" + std::to_string(i) + "]", Entry{"", unit, ""}, values[i]);
    }
  }

  static std::string_view unit_of(const Orientation& o) {
    const bool angles =
        o.form == Orientation::Form::rotation_vector || o.form == Orientation::Form::euler;
    return angles ? "rad" : "";
  }

  std::string prefix_;
  F& f_;
};

/// M is Model or const Model.
template <class M, class F>
void visit_numbers(M& model, F&& f) {
  f("gravity[0]", std::string_view("m/s^2"), Range::any, model.gravity.x);
  f("gravity[1]", std::string_view("m/s^2"), Range::any, model.gravity.y);
  f("gravity[2]", std::string_view("m/s^2"), Range::any, model.gravity.z);
  const auto visit = [&f](const std::string& prefix, auto& element) {
    NumberVisitor visitor(prefix, f);
    std::remove_const_t<std::remove_reference_t<decltype(element)>>::entries(element, visitor);
  };
  const auto visit_kinds = [&](const std::string& section, auto& elements) {
    for (auto& element : elements)
      std::visit([&](auto& kind) { visit(section + "." + element.name, kind); }, element.kind);
  };
  for (auto& marker : model.ground_markers) visit("ground.markers." + marker.name, marker);
  for (auto& body : model.bodies) visit("bodies." + body.name, body);
  for (auto& beam : model.beams) visit("beams." + beam.name, beam);
  for (auto& field : model.fields) visit("fields." + field.name, field);
  for (auto& matrix : model.matrices) visit("matrices." + matrix.name, matrix);
  visit_kinds("joints", model.joints);
  visit_kinds("couplers", model.couplers);
  visit_kinds("forces", model.forces);
  visit_kinds("drives", model.drives);
  for (auto& state : model.states) visit("states." + state.name, state);
  for (auto& event : model.events) visit("events." + event.name, event);
  for (auto& probe : model.probes) visit("probes." + probe.name, probe);
  const auto visit_user = [&f](auto& entries) {
    for (auto& entry : entries)
      for (auto& number : entry.numbers)
        f("user." + entry.name + "." + number.name, std::string_view(number.unit), Range::any,
          number.value);
  };
  visit_user(model.user_forces);
  visit_user(model.user_constraints);
}

}  // namespace tumble
