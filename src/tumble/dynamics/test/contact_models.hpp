// Models with one contact, tyre or cable each, pressed together at every random instant that tests
// look at.
#pragma once
#include "tumble/dynamics/test/element_models.hpp"

namespace tumble::testing {

/// Every term of the law at work, at speeds of order 1.
inline void set_law(ContactLaw& law, const Ends& ends, double radius) {
  law.between = ends;
  law.points = two_points;
  law.radius = radius;
  law.stiffness = 0.7;
  law.exponent = 1.4;
  law.damping = 0.06;
  law.friction = 0.5;
  law.static_friction = 0.9;
  law.transition_velocity = 1.7;
  law.stribeck_velocity = 3.1;
  law.rolling_resistance = 0.2;
  law.spin_friction = 0.3;
}
inline void make_elastic(ContactLaw& law) {
  law.damping = law.friction = law.rolling_resistance = law.spin_friction = 0;
  law.static_friction.reset();
  law.stribeck_velocity.reset();
}

inline PlaneContact plane_contact(const Ends& ends, double radius = 6) {
  PlaneContact c;
  set_law(c, ends, radius);
  c.stiffness = 0.1;  // with a lever of 6 m friction would otherwise stop a body within a step
  c.normal = Vec3d{0.3, -0.4, 0.8};
  return c;
}
/// A rim so large that it reaches behind the plane wherever it is turned.
inline PlaneContact rim_contact(const Ends& ends) {
  PlaneContact c = plane_contact(ends, 5);
  c.rim_radius = 2.5;
  c.rim_axis = Vec3d{0.2, 0.9, 0.5};
  return c;
}
inline SphereContact sphere_contact(const Ends& ends, bool inside) {
  SphereContact c;
  set_law(c, ends, inside ? 4.5 : 4);
  c.surface_radius = inside ? 5 : 3;
  c.inside = inside;
  return c;
}
inline CylinderContact cylinder_contact(const Ends& ends, bool inside, bool finite) {
  CylinderContact c;
  set_law(c, ends, inside ? 4.9 : 5);
  // Away from the axis, where the direction of the normal turns fast.
  c.points = {Vec3d{-0.4, 2.6, 1.9}, two_points[1]};
  c.surface_radius = inside ? 5 : 2;
  c.axis = Vec3d{0.7, 0.2, -0.4};
  c.inside = inside;
  if (finite) c.length = 1.1;
  return c;
}
/// Gentle hills, whose radii of curvature are above that of the sphere.
inline HeightFieldContact height_field_contact(const Ends& ends) {
  HeightFieldContact c;
  set_law(c, ends, 0.3);
  c.points = {Vec3d{-9, -8, 3.5}, two_points[1]};
  c.orientation = turned({0.1, -0.15, 0.2});
  c.spacing = {2.2, 1.9};
  for (int i = 0; i < 10; ++i) {
    c.heights.emplace_back();
    for (int j = 0; j < 10; ++j)
      c.heights.back().push_back(0.3 * std::sin(0.9 * i + 0.4 * j) + 0.2 * std::cos(0.7 * j));
  }
  return c;
}

inline Tyre tyre(const Ends& ends) {
  Tyre t;
  t.between = ends;
  t.points = two_points;
  t.normal = Vec3d{0.3, -0.4, 0.8};
  t.axis = {0.2, 0.9, 0.5};
  t.radius = 6;
  t.stiffness = 1.3;
  t.exponent = 1.2;
  t.damping = 0.06;
  t.friction = 0.9;
  t.longitudinal_stiffness = 6;
  t.cornering_stiffness = 4;
  t.contact_length = 0.8;
  t.low_speed = 1.1;
  return t;
}

inline Cable cable(const Ends& ends, double length, double onset) {
  Cable c;
  c.between = ends;
  c.points = two_points;
  c.length = length;
  c.stiffness = 2;
  c.damping = 0.3;
  c.onset = onset;
  return c;
}

inline std::vector<Case> elastic_contact_cases() {
  std::vector<Case> cases;
  const auto add = [&cases](const std::string& name, auto make) {
    add_all_ends(cases, &Model::forces, name, [make](const Ends& e) {
      auto c = make(e);
      if constexpr (std::is_base_of_v<ContactLaw, decltype(c)>)
        make_elastic(c);
      else
        c.damping = 0;
      return c;
    });
  };
  add("plane", [](const Ends& e) { return plane_contact(e); });
  add("rim", [](const Ends& e) { return rim_contact(e); });
  add("two_rims", [](const Ends& e) {
    auto c = rim_contact(e);
    c.rim_distance = 0.8;
    return c;
  });
  add("rim_points", [](const Ends& e) {
    auto c = rim_contact(e);
    c.rim_points = 5;
    return c;
  });
  add("box", [](const Ends& e) {
    auto c = plane_contact(e, 5);
    c.box = Vec3d{0.9, 0.5, 1.2};
    c.stiffness = 0.015;  // for each of eight
    return c;
  });
  add("sphere", [](const Ends& e) { return sphere_contact(e, false); });
  add("hollow_sphere", [](const Ends& e) { return sphere_contact(e, true); });
  add("cylinder", [](const Ends& e) { return cylinder_contact(e, false, false); });
  add("finite_cylinder", [](const Ends& e) { return cylinder_contact(e, false, true); });
  add("bore", [](const Ends& e) { return cylinder_contact(e, true, false); });
  add("height_field", [](const Ends& e) { return height_field_contact(e); });
  add("cable", [](const Ends& e) { return cable(e, 0.3, 0); });
  add("cable_onset", [](const Ends& e) { return cable(e, 0.3, 5); });
  return cases;
}

inline std::vector<Case> lossy_contact_cases() {
  std::vector<Case> cases;
  const auto add = [&cases](const std::string& name, auto make) {
    add_all_ends(cases, &Model::forces, name, make);
  };
  add("plane", [](const Ends& e) { return plane_contact(e); });
  add("plane_linear", [](const Ends& e) {
    auto c = plane_contact(e);
    c.exponent = 1;
    return c;
  });
  add("rim", [](const Ends& e) { return rim_contact(e); });
  add("box", [](const Ends& e) {
    auto c = plane_contact(e, 5);
    c.box = Vec3d{0.9, 0.5, 1.2};
    c.stiffness = 0.015;  // for each of eight
    return c;
  });
  add("sphere", [](const Ends& e) { return sphere_contact(e, false); });
  add("hollow_sphere", [](const Ends& e) { return sphere_contact(e, true); });
  add("cylinder", [](const Ends& e) { return cylinder_contact(e, false, false); });
  add("finite_cylinder", [](const Ends& e) { return cylinder_contact(e, false, true); });
  add("bore", [](const Ends& e) { return cylinder_contact(e, true, false); });
  add("height_field", [](const Ends& e) { return height_field_contact(e); });
  add("tyre", [](const Ends& e) { return tyre(e); });
  add("sliding_tyre", [](const Ends& e) {
    auto t = tyre(e);
    t.friction = 0.02;
    // With a short lever: a difference quotient moves it by little beside the speed it slides at.
    t.radius = 3;
    t.points = {two_points[0] + 2.0 * Vec3d{0.318, -0.424, 0.848}, two_points[1]};
    return t;
  });
  add("cable", [](const Ends& e) { return cable(e, 0.3, 0); });
  add("cable_onset", [](const Ends& e) { return cable(e, 0.3, 5); });
  return cases;
}

}  // namespace tumble::testing
