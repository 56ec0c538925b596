// Models with one force element each, for every kind and characteristic.
#pragma once
#include "tumble/dynamics/test/element_models.hpp"

namespace tumble::testing {

/// A full symmetric positive definite matrix: a diagonal with weaker couplings of all pairs.
inline std::vector<double> full_matrix(double scale) {
  std::vector<double> m(36);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      m[6 * i + j] = scale * (i == j ? 2.0 + 0.3 * static_cast<double>(i)
                                     : 0.25 * std::cos(static_cast<double>(i * j + i + j)));
  return m;
}

inline Bushing bushing(const Ends& ends, std::vector<double> stiffness, std::vector<double> damping,
                       const std::array<double, 6>& prestress = {}) {
  Bushing b;
  b.between = ends;
  b.point = joint_point;
  b.orientation = turned({0.5, -0.2, 0.4});
  b.stiffness = std::move(stiffness);
  b.damping = std::move(damping);
  b.prestress = prestress;
  return b;
}

inline Characteristic linear(double slope) { return {Characteristic::Form::linear, slope, {}, {}}; }

struct NamedCharacteristic {
  std::string name;
  Characteristic value;
};
/// All forms, with knots far enough apart that a difference quotient stays between two of them.
inline std::vector<NamedCharacteristic> all_characteristics() {
  using Form = Characteristic::Form;
  const Table table{"", {-40, -4, -0.55, 0.35, 1.7, 6.1, 50}, {-30, -6, -1.1, 0.4, 2.5, 7, 40}};
  return {{"linear", linear(3)},
          {"polynomial", {Form::polynomial, 0, {0.2, 1.5, -0.3, 0.05}, {}}},
          {"odd_polynomial", {Form::odd_polynomial, 0, {0.9, 0.4, 0.02}, {}}},
          {"smooth_table", {Form::table, 0, {}, table, true}},
          {"linear_table", {Form::table, 0, {}, table, false}}};
}

inline Spring spring(const Ends& ends, const Characteristic& stiffness,
                     const Characteristic& damping) {
  Spring s;
  s.between = ends;
  s.points = two_points;
  s.length = 1.1;
  s.stiffness = stiffness;
  s.damping = damping;
  return s;
}

inline TorsionSpring torsion_spring(const Ends& ends, const Characteristic& stiffness,
                                    const Characteristic& damping) {
  TorsionSpring s;
  s.between = ends;
  s.axis = Vec3d{0.4, 0.8, -0.3};
  s.angle = 0.2;
  s.stiffness = stiffness;
  s.damping = damping;
  return s;
}

inline AppliedForce applied(Axes axes, bool with_point, bool with_drive) {
  AppliedForce f;
  f.body = {"b"};
  f.force = {1.2, -0.7, 2.1};
  f.torque = {0.4, 0.9, -1.3};
  f.axes = axes;
  if (with_point) f.point = joint_point;
  if (with_drive) f.drive = DriveRef{"one"};
  return f;
}

inline UserEntry<UserForce> cubic_attraction(const Ends& ends, double drag, bool with_drive) {
  UserEntry<UserForce> entry{"it",
                             std::make_shared<CubicAttraction>(),
                             {BodyRef{ends[0].name}, BodyRef{ends[1].name}},
                             {},
                             {{"stiffness", "N/m^3", 0.8}, {"drag", "N s/m^3", drag}}};
  if (with_drive) entry.drives = {DriveRef{"three"}};
  return entry;
}

inline void add_user_force_cases(std::vector<Case>& cases, double drag, bool with_drive) {
  for (const auto& ends : all_ends()) {
    Model m = base_model();
    m.user_forces.push_back(cubic_attraction(ends.ends, drag, with_drive));
    cases.push_back({"user_force_" + ends.name, m});
  }
}

/// A stop on each kind of coordinate. The turns of an Instant are two full ones and some; stops lie
/// so that they are pressed a little, within and beyond the width.
inline void add_limit_cases(std::vector<Case>& cases, double damping) {
  const Ends ends[] = {{MarkerRef{"a"}, MarkerRef{"b"}}, {MarkerRef{"ground"}, MarkerRef{"b"}}};
  for (const char* coordinate : {"hinge", "slide.z", "slide.rz", "table.x", "table.rx"})
    for (const auto& second : ends)
      for (const bool upper : {false, true}) {
        Model m = coupled_model({MarkerRef{"ground"}, MarkerRef{"a"}}, second);
        JointLimit limit{{coordinate}, {}, {}, 3, damping, upper ? 0.3 : 40};
        if (upper)
          limit.upper = -10;
        else
          limit.lower = 20;
        m.forces = {{"it", limit}};
        cases.push_back({std::string("limit_") + (upper ? "upper_" : "lower_") +
                             (damping > 0 ? "damped_" : "") + std::string(coordinate).substr(0, 5) +
                             (std::string(coordinate).ends_with("z") ? "z_" : "_") +
                             (std::string(coordinate).ends_with(".rx") ? "rx_" : "") +
                             (std::string(coordinate).ends_with(".rz") ? "rz_" : "") +
                             (second[0].name == "a" ? "a_b" : "ground_b"),
                         m});
      }
}

/// Forces with a potential and nothing else.
inline std::vector<Case> conservative_cases() {
  std::vector<Case> cases;
  const auto add = [&cases](const std::string& name, auto make) {
    add_all_ends(cases, &Model::forces, name, make);
  };
  cases.push_back({"gravity", base_model()});
  add("bushing", [](const Ends& e) { return bushing(e, {2, 3, 4, 2.5, 1.5, 1}, {}); });
  add("bushing_full", [](const Ends& e) {
    return bushing(e, full_matrix(1.5), {}, {0.3, -0.2, 0.5, 0.7, 0.1, -0.4});
  });
  for (const auto& law : all_characteristics()) {
    add("spring_" + law.name, [&](const Ends& e) {
      auto s = spring(e, law.value, {});
      s.preload = 0.6;
      return s;
    });
    add("torsion_" + law.name, [&](const Ends& e) {
      auto s = torsion_spring(e, law.value, {});
      s.preload = -0.4;
      return s;
    });
  }
  add_user_force_cases(cases, 0, false);
  add_limit_cases(cases, 0);
  return cases;
}

/// Everything else: damped, driven, applied.
inline std::vector<Case> other_force_cases() {
  std::vector<Case> cases;
  const auto add = [&cases](const std::string& name, auto make) {
    add_all_ends(cases, &Model::forces, name, make);
  };
  add("bushing_damped",
      [](const Ends& e) { return bushing(e, full_matrix(1.2), full_matrix(0.7)); });
  add("bushing_diagonal_damping", [](const Ends& e) {
    return bushing(e, {2, 3, 4, 2.5, 1.5, 1}, {0.3, 0.5, 0.7, 0.4, 0.9, 0.2});
  });
  for (const auto& law : all_characteristics()) {
    add("spring_damper_" + law.name,
        [&](const Ends& e) { return spring(e, linear(1), law.value); });
    add("torsion_damper_" + law.name,
        [&](const Ends& e) { return torsion_spring(e, linear(1), law.value); });
  }
  add("spring_actuator", [](const Ends& e) {
    auto s = spring(e, linear(2), linear(0.5));
    s.actuator = DriveRef{"one"};
    return s;
  });
  add("torsion_actuator", [](const Ends& e) {
    auto s = torsion_spring(e, linear(2), linear(0.5));
    s.actuator = DriveRef{"two"};
    return s;
  });
  for (const Axes axes : {Axes::ground, Axes::body})
    for (const bool with_point : {false, true}) {
      Model m = base_model();
      m.forces.push_back({"it", applied(axes, with_point, with_point)});
      cases.push_back({std::string("applied_") + (axes == Axes::body ? "body" : "ground") +
                           (with_point ? "_at_point_driven" : ""),
                       m});
    }
  add_user_force_cases(cases, 0.6, true);
  add_limit_cases(cases, 0.5);
  return cases;
}

}  // namespace tumble::testing
