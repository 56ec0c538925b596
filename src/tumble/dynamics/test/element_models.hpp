// Small models with one element each: what the tests of element kernels run over.
//
// Every model has two bodies the element may connect and a bystander it must leave alone. All
// numbers are of order one, so that a wrong term stands out in every entry of a matrix.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tumble/dynamics/test/user_samples.hpp"
#include "tumble/model/model.hpp"

namespace tumble::testing {

struct Case {
  std::string name;
  Model model;
  bool driven = false;  ///< a joint with an imposed motion
};
inline void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
/// Names parameterised tests after their case.
inline std::string case_name(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }

inline Body body(const std::string& name, double mass, const Vec3d& position,
                 const std::array<double, 6>& inertia, const std::vector<double>& rotation) {
  Body b;
  b.name = name;
  b.mass = mass;
  b.position = position;
  b.inertia = inertia;
  b.orientation = {Orientation::Form::rotation_vector, "", rotation};
  return b;
}

inline Orientation turned(const std::vector<double>& rotation) {
  return {Orientation::Form::rotation_vector, "", rotation};
}

/// Three free bodies, and drives with all derivatives at work.
inline Model base_model() {
  Model m;
  m.gravity = {0.5, -3, 1};
  m.bodies = {
      body("a", 1.3, {0.3, -0.2, 0.5}, {1.1, 1.4, 0.9, 0.1, -0.05, 0.07}, {0.4, -0.3, 0.2}),
      body("b", 2.1, {1.2, 0.6, -0.3}, {0.8, 1.0, 1.3, -0.06, 0.08, 0.04}, {-0.2, 0.5, 0.7}),
      body("bystander", 0.7, {-1, 1, 2}, {0.5, 0.6, 0.7, 0.02, 0.01, -0.03}, {1.1, 0.3, -0.6})};
  m.bodies[0].markers = {{"m", {0.9, 0.1, 0.3}, turned({0.3, 0.9, -0.4})}};
  m.bodies[1].markers = {{"n", {1.0, 0.2, -0.1}, turned({-0.5, 0.2, 0.8})}};
  m.drives = {{"one", PolynomialDrive{{0.4, 0.7, -0.9, 0.3}, 0}},
              {"two", HarmonicDrive{0.6, 0.4, 0.3, 0.2, -1}},
              {"three", HarmonicDrive{0.5, 0.7, -0.8, -0.3, -1}},
              // More than half a turn: the other branch of the turned axes.
              {"far", PolynomialDrive{{4.6, 0.8, 0.5}, 0}}};
  m.simulation.duration = 1;
  m.simulation.step = 0.01;
  return m;
}

using Ends = std::array<MarkerRef, 2>;
struct NamedEnds {
  std::string name;
  Ends ends;
};
/// Two moving bodies, and the ground on either side.
inline std::vector<NamedEnds> all_ends() {
  return {{"a_b", {MarkerRef{"a"}, MarkerRef{"b"}}},
          {"b_a", {MarkerRef{"b"}, MarkerRef{"a"}}},
          {"ground_b", {MarkerRef{"ground"}, MarkerRef{"b"}}},
          {"a_ground", {MarkerRef{"a"}, MarkerRef{"ground"}}}};
}

/// Adds one case for each pair of ends; `element(ends)` is what is put between them.
template <class List, class Make>
void add_all_ends(std::vector<Case>& cases, List Model::*list, const std::string& name, Make make) {
  for (const auto& ends : all_ends()) {
    Model m = base_model();
    (m.*list).push_back({"it", make(ends.ends)});
    cases.push_back({name + "_" + ends.name, m});
  }
}

inline const Vec3d joint_point{0.8, 0.25, 0.2};
inline const std::array<Vec3d, 2> two_points{Vec3d{0.1, -0.4, 0.7}, Vec3d{1.5, 0.3, -0.6}};

inline Motions motions(const std::array<std::string, 6>& drives) { return {drives}; }

template <class J>
J axis_joint(const Ends& ends, const Motions& motion = {}) {
  J joint;
  joint.between = ends;
  joint.point = joint_point;
  joint.axis = Vec3d{0.3, -0.5, 0.9};
  joint.motion = motion;
  return joint;
}

inline GeneralJoint general_joint(const Ends& ends, const std::array<bool, 6>& locked,
                                  const Motions& motion = {}) {
  GeneralJoint joint;
  joint.between = ends;
  joint.point = joint_point;
  joint.orientation = turned({0.2, 0.6, -0.5});
  joint.locked_motions.has = locked;
  joint.motion = motion;
  return joint;
}

inline void add_marker_case(std::vector<Case>& cases) {
  Model m = base_model();
  RevoluteJoint hinge;
  hinge.between = {MarkerRef{"a.m"}, MarkerRef{"b.n"}};
  m.joints.push_back({"it", hinge});
  cases.push_back({"revolute_on_markers", m});
}

inline void add_user_constraint_cases(std::vector<Case>& cases) {
  for (const auto& ends : all_ends()) {
    Model m = base_model();
    m.user_constraints.push_back({"it",
                                  std::make_shared<SphereAndProduct>(),
                                  {BodyRef{ends.ends[0].name}, BodyRef{ends.ends[1].name}},
                                  {DriveRef{"two"}},
                                  {{"radius", "m", 1.4}}});
    cases.push_back({"user_constraint_" + ends.name, m, true});
  }
}

/// A hinge, a slider that may also turn, and a joint of one coordinate that is named by its motion.
inline Model coupled_model(const Ends& first, const Ends& second) {
  Model m = base_model();
  m.joints = {{"hinge", axis_joint<RevoluteJoint>(first)},
              {"slide", axis_joint<CylindricalJoint>(second)},
              {"table", general_joint(second, {false, true, true, false, true, true})}};
  auto& axis = std::get<CylindricalJoint>(m.joints[1].kind).axis;
  axis = Vec3d{-0.7, 0.2, 0.5};
  return m;
}

/// Couplers between joints with a body in common, which is the ground in some.
inline void add_coupler_cases(std::vector<Case>& cases) {
  const Ends ground_a{MarkerRef{"ground"}, MarkerRef{"a"}}, a_b{MarkerRef{"a"}, MarkerRef{"b"}},
      b_ground{MarkerRef{"b"}, MarkerRef{"ground"}};
  const std::pair<std::string, CouplerKind> kinds[] = {
      {"gear", GearCoupler{{CoordinateRef{"hinge"}, CoordinateRef{"slide.rz"}}, -1.7, {}}},
      {"rack", RackCoupler{{CoordinateRef{"hinge"}, CoordinateRef{"slide"}}, 0.6, 0.3}},
      {"screw", ScrewCoupler{{"slide"}, -2.9, {}}},
      {"belt", BeltCoupler{{CoordinateRef{"hinge"}, CoordinateRef{"table"}}, {0.8, 1.3}, true, {}}},
      {"linear", LinearCoupler{{{"hinge.rz"}, {"slide.z"}, {"table.rx"}}, {0.9, -1.1, 0.7}, 0.2}},
      {"linear_slides", LinearCoupler{{{"slide.z"}, {"table.x"}}, {1.2, -0.8}, {}}}};
  for (const auto& [name, kind] : kinds)
    for (const auto& [ends, first, second] :
         {std::tuple{"shared", ground_a, a_b}, std::tuple{"ground", ground_a, b_ground}}) {
      Model m = coupled_model(first, second);
      m.couplers = {{"it", kind}};
      cases.push_back({"coupler_" + name + "_" + ends, m});
    }
}

inline bool is_driven(const Joint& joint) {
  return std::visit(
      [](const auto& kind) {
        if constexpr (requires { kind.motion.any(); }) return kind.motion.any();
        if constexpr (requires { kind.motion->name; }) return kind.motion.has_value();
        return false;
      },
      joint.kind);
}

/// Every joint kind, plain and with imposed motions.
inline std::vector<Case> joint_cases() {
  std::vector<Case> cases;
  const auto add = [&cases](const std::string& name, auto make) {
    add_all_ends(cases, &Model::joints, name, make);
  };
  const auto axis = [&add]<class J>(const std::string& name, J, const Motions& motion = {}) {
    add(name, [motion](const Ends& ends) { return axis_joint<J>(ends, motion); });
  };
  axis("revolute", RevoluteJoint{});
  axis("prismatic", PrismaticJoint{});
  axis("cylindrical", CylindricalJoint{});
  axis("revolute_motor", RevoluteJoint{}, motions({"", "", "", "", "", "one"}));
  axis("revolute_motor_far", RevoluteJoint{}, motions({"", "", "", "", "", "far"}));
  axis("revolute_tilted", RevoluteJoint{}, motions({"", "", "", "one", "", ""}));
  axis("revolute_tilted_twice", RevoluteJoint{}, motions({"", "", "", "one", "two", ""}));
  axis("prismatic_motor", PrismaticJoint{}, motions({"", "", "two", "", "", ""}));
  axis("cylindrical_motor", CylindricalJoint{}, motions({"", "", "one", "", "", "two"}));
  add("spherical", [](const Ends& ends) { return SphericalJoint{{ends, joint_point}}; });
  add("universal", [](const Ends& ends) {
    return UniversalJoint{{ends, joint_point}, Vec3d{1, 2, 0}, Vec3d{-2, 1, 0}};
  });
  const auto fixed = [&add](const std::string& name, const Motions& motion) {
    add(name, [motion](const Ends& ends) {
      FixedJoint joint;
      joint.between = ends;
      joint.point = joint_point;
      joint.orientation = turned({-0.4, 0.3, 0.8});
      joint.motion = motion;
      return joint;
    });
  };
  fixed("fixed", {});
  fixed("fixed_one_rotation", motions({"", "", "", "", "two", ""}));
  fixed("fixed_two_rotations", motions({"", "", "", "one", "", "three"}));
  fixed("fixed_three_rotations", motions({"", "", "", "one", "two", "three"}));
  fixed("fixed_three_rotations_far", motions({"", "", "", "one", "far", "three"}));
  fixed("fixed_all_imposed", motions({"one", "two", "three", "three", "one", "two"}));
  for (std::size_t k = 0; k < 6; ++k) {
    std::array<bool, 6> locked{};
    locked[k] = true;
    add("general_" + std::string(motion_names[k]),
        [locked](const Ends& ends) { return general_joint(ends, locked); });
    std::array<std::string, 6> drives;
    drives[k] = "two";
    add("general_imposed_" + std::string(motion_names[k]),
        [drives](const Ends& ends) { return general_joint(ends, {}, motions(drives)); });
  }
  for (const bool imposed : {false, true})
    add(imposed ? "distance_imposed" : "distance", [imposed](const Ends& ends) {
      DistanceJoint joint{ends, two_points, 1.7, {}, {}};
      if (imposed) joint.motion = DriveRef{"one"};
      return joint;
    });
  axis("planar", PlanarJoint{});
  axis("planar_motor", PlanarJoint{}, motions({"one", "two", "", "", "", "three"}));
  axis("point_on_line", PointOnLineJoint{});
  axis("point_on_plane", PointOnPlaneJoint{});
  add("constant_velocity", [](const Ends& ends) {
    return ConstantVelocityJoint{{ends, joint_point}, Vec3d{1, 2, 0.4}, Vec3d{0.7, 1.5, -0.9}};
  });
  add("revolute_spherical", [](const Ends& ends) {
    return RevoluteSphericalJoint{ends, two_points, {0.4, -0.3, 0.8}, 1.3};
  });
  add_marker_case(cases);
  for (auto& c : cases) c.driven = is_driven(c.model.joints[0]);
  add_user_constraint_cases(cases);
  add_coupler_cases(cases);
  return cases;
}

}  // namespace tumble::testing
