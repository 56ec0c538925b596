// Contacts, tyres and cables: derivatives, balances, and values by hand.
#include "tumble/dynamics/test/contact_models.hpp"
#include "tumble/dynamics/test/force_check.hpp"
#include "tumble/dynamics/test/hand_model.hpp"
#include "tumble/dynamics/test/jacobian_check.hpp"

namespace tumble {
namespace {

using testing::Case;
using testing::expect_vector;
using testing::ground_to_b;
using testing::Instant;
using testing::Placed;
using testing::unit_model;

class ContactJacobian : public ::testing::TestWithParam<Case> {};

TEST_P(ContactJacobian, IsTheDerivativeOfTheResidual) {
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    testing::expect_consistent_tangent(GetParam().model, seed);
    if (HasFatalFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Elastic, ContactJacobian,
                         ::testing::ValuesIn(testing::elastic_contact_cases()), testing::case_name);
INSTANTIATE_TEST_SUITE_P(Lossy, ContactJacobian,
                         ::testing::ValuesIn(testing::lossy_contact_cases()), testing::case_name);

TEST(ContactBalance, ElasticForcesTakeWhatThePotentialLoses) {
  for (const auto& c : testing::elastic_contact_cases())
    for (const std::uint32_t seed : {1u, 2u, 3u}) {
      SCOPED_TRACE(c.name + ", seed " + std::to_string(seed));
      testing::expect_power_of_potential(c.model, seed);
    }
}

TEST(ContactBalance, ActionAndReactionCancel) {
  for (const auto& c : testing::lossy_contact_cases()) {
    SCOPED_TRACE(c.name);
    testing::expect_action_and_reaction(c.model);
  }
}

TEST(ContactBalance, QuantitiesAreThoseListed) {
  for (const auto& c : testing::lossy_contact_cases()) testing::expect_listed_quantities(c.model);
}

// What the bodies and the potential lose together is the heat that the account of energy gets.
TEST(ContactBalance, HeatIsWhatIsLost) {
  for (const auto& c : testing::lossy_contact_cases())
    for (const std::uint32_t seed : {1u, 2u, 3u}) {
      SCOPED_TRACE(c.name + ", seed " + std::to_string(seed));
      Instant instant(c.model, seed);
      instant.update();
      instant.w.power = {};
      add_element_forces(*instant.system, instant.constants.data(), instant.w);
      const double heat = instant.w.power.dissipation;
      const double power = testing::power_of_wrenches(instant) + testing::power_of_gravity(instant);
      const auto potential = [&](double t) {
        Instant moved = instant.after(t);
        return potential_energy(*instant.system, moved.constants.data(), moved.w);
      };
      const double h = 1e-3;
      const double rate = testing::first_difference(potential(-2 * h), potential(-h), potential(h),
                                                    potential(2 * h), h);
      EXPECT_NEAR(heat, -power - rate, 1e-9 * (1 + std::fabs(potential(0)) + heat));
      if (c.name.find("tyre") == std::string::npos) {
        EXPECT_GT(heat, 0);
      }
    }
}

// --- by hand: the body of 2 kg at the origin ----------------------------------------------------

Model touched_by(const ForceKind& kind) {
  Model m = unit_model();
  m.forces.push_back({"it", kind});
  return m;
}

/// A sphere of 0.5 m about the body's centre above the plane z = 0.
PlaneContact floor_contact() {
  PlaneContact c;
  c.between = ground_to_b;
  c.points = {Vec3d{7, -3, -0.5}, Vec3d{}};
  c.normal = Vec3d{0, 0, 2};
  c.radius = 0.5;
  c.stiffness = 800;
  c.exponent = 1.5;
  return c;
}

double measured(Placed& p, Quantity quantity, int component = 0) {
  p.update();
  double out[6] = {};
  bool found = false;
  for_each_force(p.system->forces, [&](const auto& force) {
    found = found || measure(*p.system, force, quantity, p.constants.data(), p.w, out);
  });
  EXPECT_TRUE(found);
  return out[component];
}

TEST(HandContact, PushesWithHertzsLaw) {
  Placed p(touched_by(floor_contact()));
  p.move({0, 0, 0.01}, {});
  expect_vector(p.wrench().force, {0, 0, 0});
  EXPECT_NEAR(measured(p, Quantity::gap), 0.01, 1e-15);
  p.move({0.3, 0.2, -0.05}, {0.4, 0.1, -0.7});
  // 0.04^1.5 = 0.008 exactly: 6.4 N.
  EXPECT_NEAR(p.wrench().force.z, 6.4, 1e-13);
  expect_vector(p.wrench().torque, {0, 0, 0});
  EXPECT_NEAR(p.potential(), 800 * 0.04 * 0.008 / 2.5, 1e-15);
  EXPECT_NEAR(measured(p, Quantity::gap), -0.04, 1e-15);
  EXPECT_NEAR(measured(p, Quantity::normal_force), 6.4, 1e-13);
}

TEST(HandContact, DampingPushesHarderInwardsAndNeverPulls) {
  PlaneContact c = floor_contact();
  c.damping = 0.5;
  Placed p(touched_by(c));
  p.move({0, 0, -0.04}, {}).speed({0, 0, -1}, {});
  EXPECT_NEAR(p.wrench().force.z, 6.4 * 1.5, 1e-13);
  EXPECT_NEAR(measured(p, Quantity::dissipated_power), 6.4 * 0.5, 1e-13);
  p.speed({0, 0, 1}, {});
  EXPECT_NEAR(p.wrench().force.z, 6.4 * 0.5, 1e-13);
  p.speed({0, 0, 3}, {});
  expect_vector(p.wrench().force, {0, 0, 0});
  EXPECT_NEAR(measured(p, Quantity::dissipated_power), 6.4 * 3, 1e-13);  // all that was stored
}

TEST(HandContact, FrictionActsWhereTheSphereTouches) {
  PlaneContact c = floor_contact();
  c.friction = 0.25;
  c.transition_velocity = 1e-3;
  Placed p(touched_by(c));
  p.move({0, 0, -0.04}, {}).speed({3, 0, 0}, {});
  // 0.25 times 6.4 N against +x, 0.5 m below the centre.
  EXPECT_NEAR(p.wrench().force.x, -1.6, 1e-13);
  EXPECT_NEAR(p.wrench().torque.y, 0.8, 1e-13);
  EXPECT_NEAR(measured(p, Quantity::sliding_velocity), 3, 1e-15);
  EXPECT_NEAR(measured(p, Quantity::friction_force), -1.6, 1e-13);
  // Rolling: ω_y = v/r, and nothing slides.
  p.speed({3, 0, 0}, {0, 6, 0});
  EXPECT_NEAR(p.wrench().force.x, 0, 1e-13);
  // Creeping at the transition velocity: tanh 1.
  p.speed({1e-3, 0, 0}, {});
  EXPECT_NEAR(p.wrench().force.x, -1.6 * std::tanh(1.0), 1e-13);
}

TEST(HandContact, StaticFrictionIsHigherNearRest) {
  PlaneContact c = floor_contact();
  c.friction = 0.25;
  c.static_friction = 0.5;
  c.transition_velocity = 1e-3;
  c.stribeck_velocity = 2;
  Placed p(touched_by(c));
  p.move({0, 0, -0.04}, {}).speed({2, 0, 0}, {});
  EXPECT_NEAR(p.wrench().force.x, -6.4 * (0.25 + 0.25 * std::exp(-1.0)), 1e-13);
  EXPECT_NEAR(measured(p, Quantity::dissipated_power), 2 * 6.4 * (0.25 + 0.25 * std::exp(-1.0)),
              1e-13);
}

TEST(HandContact, RollingAndSpinningAreResisted) {
  PlaneContact c = floor_contact();
  c.rolling_resistance = 0.01;
  c.spin_friction = 0.03;
  Placed p(touched_by(c));
  p.move({0, 0, -0.04}, {}).speed({}, {2, 0, -5});
  EXPECT_NEAR(p.wrench().torque.x, -6.4 * 0.01, 1e-14);
  EXPECT_NEAR(p.wrench().torque.z, 6.4 * 0.03, 1e-14);
}

TEST(HandContact, ThePlaneTurnsWithItsBody) {
  // The plane is on the body, z = 0.4 of it, facing up; the point is on the ground above it.
  PlaneContact c = floor_contact();
  c.between = {MarkerRef{"b"}, MarkerRef{"ground"}};
  c.points = {Vec3d{0, 0, 0.4}, Vec3d{0, 0, 0.5}};
  c.radius = 0;
  c.exponent = 1;
  Placed p(touched_by(c));
  expect_vector(p.wrench().force, {0, 0, 0});
  p.move({0, 0, 0.2}, {});
  EXPECT_NEAR(p.wrench().force.z, -80, 1e-12);  // 0.1 m of 800 N/m, downwards on the body
  p.move({}, {0.5, 0, 0});
  const double depth = 0.4 - 0.3 * std::cos(0.5);
  EXPECT_NEAR(p.wrench().force.z, -800 * depth * std::cos(0.5), 1e-12);
}

TEST(HandContact, ABoxStandsOnFourCorners) {
  PlaneContact c = floor_contact();
  c.radius = 0;
  c.box = Vec3d{0.4, 0.6, 1.0};
  c.exponent = 1;
  Placed p(touched_by(c));
  p.move({0, 0, -0.01}, {});
  EXPECT_NEAR(p.wrench().force.z, 4 * 8, 1e-12);
  // Tilted by a small angle about y: corners go down by 0.2 sin, the moment turns it back.
  p.move({}, {0, 0.01, 0});
  const double low = 0.01 + 0.2 * std::sin(0.01) - 0.5 * (1 - std::cos(0.01));
  EXPECT_NEAR(measured(p, Quantity::gap), -low, 1e-14);
  EXPECT_LT(p.wrench().torque.y, 0);
}

TEST(HandContact, AMeshTouchesWithItsVertices) {
  PlaneContact c = floor_contact();
  c.radius = 0;
  c.mesh = true;
  c.exponent = 1;
  Model m = touched_by(c);
  // A unit cube from the origin of its file on, so that its centre is the body's.
  auto cube = std::make_shared<ShapeMesh>();
  for (int i = 0; i < 8; ++i)
    cube->vertices.push_back({double(i & 1), double(i >> 1 & 1), double(i >> 2 & 1)});
  cube->centre = {0.5, 0.5, 0.5};
  m.bodies[0].shape.kind = Shape::Kind::mesh;
  m.bodies[0].shape.mesh = cube;
  Placed p(m);
  p.move({0, 0, -0.01}, {});
  EXPECT_NEAR(p.wrench().force.z, 4 * 8, 1e-12);
  expect_vector(p.wrench().torque, {0, 0, 0});
  // The origin of its file where it is said to be, the body turned.
  m.bodies[0].shape.origin = Vec3d{0, 0, -0.53};
  m.bodies[0].orientation = {Orientation::Form::rotation_vector, "", {0, 0, std::numbers::pi / 2}};
  Placed q(m);
  EXPECT_NEAR(measured(q, Quantity::gap), -0.03, 1e-14);
  EXPECT_NEAR(q.wrench().force.z, 4 * 24, 1e-11);
  EXPECT_NEAR(q.wrench().torque.y, 48, 1e-10);  // 96 N at (-0.5, 0.5): x is ground y, y is -x
  EXPECT_NEAR(q.wrench().torque.x, 48, 1e-10);
}

TEST(HandContact, ARimTouchesWithItsDeepestPoint) {
  PlaneContact c = floor_contact();
  c.radius = 0;
  c.rim_radius = 0.5;
  c.rim_axis = Vec3d{0, 1, 0};
  c.exponent = 1;
  c.friction = 0.25;
  Placed p(touched_by(c));
  p.move({0, 0, -0.01}, {});
  EXPECT_NEAR(p.wrench().force.z, 8, 1e-5);  // the radius is 0.5 √(1 + 1e-8)
  EXPECT_NEAR(p.wrench().torque.x, 0, 1e-12);
  // Leaning by 0.6 rad about x: the rim goes down by 0.5 cos only.
  p.move({0, 0, -0.1}, {0.6, 0, 0});
  const double depth = 0.61 - 0.5 + 0.5 * std::cos(0.6) - 0.5;
  EXPECT_NEAR(measured(p, Quantity::gap), -depth, 1e-8);
  EXPECT_NEAR(p.wrench().torque.x, 0.5 * std::sin(0.6) * 800 * depth, 1e-5);
  // Rolling about its own axis at any angle: it slides at the rim's speed.
  p.speed({}, {0, 4, 0});
  EXPECT_NEAR(measured(p, Quantity::sliding_velocity), -2, 1e-7);
}

TEST(HandContact, SpheresPushAlongTheirLine) {
  SphereContact c;
  c.between = ground_to_b;
  c.points = {Vec3d{0, 0, -1}, Vec3d{}};
  c.surface_radius = 0.7;
  c.radius = 0.5;
  c.stiffness = 100;
  c.exponent = 1;
  Placed p(touched_by(c));
  EXPECT_NEAR(p.wrench().force.z, 20, 1e-13);
  p.move({0.8, 0, -0.4}, {});  // (0.8, 0, 0.6) from the centre: still 1 m
  expect_vector(p.wrench().force, {16, 0, 12});
  c.inside = true;
  c.surface_radius = 1.4;
  Placed q(touched_by(c));
  EXPECT_NEAR(q.wrench().force.z, -10, 1e-13);  // 1 + 0.5 - 1.4 beyond the shell
}

TEST(HandContact, ACylinderHasSideEndAndEdge) {
  CylinderContact c;
  c.between = ground_to_b;
  c.points = {Vec3d{0, 0, -1}, Vec3d{}};
  c.axis = Vec3d{1, 0, 0};
  c.surface_radius = 0.8;
  c.radius = 0.5;
  c.stiffness = 100;
  c.exponent = 1;
  Placed p(touched_by(c));
  p.move({11, 0, 0}, {});
  EXPECT_NEAR(p.wrench().force.z, 30, 1e-13);
  c.length = 2;
  Placed q(touched_by(c));
  EXPECT_NEAR(q.wrench().force.z, 30, 1e-13);
  q.move({1.2, 0, -1}, {});  // before the end, on the axis: 0.2 m away
  expect_vector(q.wrench().force, {30, 0, 0});
  q.move({0.1, 0, 1.2}, {});  // from the edge at (1, 0, -0.2) it is (0.3, 0, 0.4) away
  EXPECT_NEAR(q.wrench().force.x, 0, 1e-12);
  q.move({0, 0, -0.04}, {});  // (0.3, 0, 0.36)
  const double distance = std::hypot(0.3, 0.36);
  EXPECT_NEAR(q.wrench().force.x, 100 * (0.5 - distance) * 0.3 / distance, 1e-12);
  c.length.reset();
  c.inside = true;
  c.surface_radius = 1.4;
  Placed r(touched_by(c));
  EXPECT_NEAR(r.wrench().force.z, -10, 1e-13);
}

TEST(HandContact, AnInclinedPlaneIsAHeightFieldToo) {
  HeightFieldContact c;
  c.between = ground_to_b;
  c.points = {Vec3d{-3, -2, -0.7}, Vec3d{}};
  c.spacing = {0.5, 0.8};
  for (int i = 0; i < 9; ++i) {
    c.heights.emplace_back();
    for (int j = 0; j < 13; ++j) c.heights.back().push_back(0.75 * 0.5 * j - 2.25);
  }
  c.radius = 0.6;
  c.stiffness = 100;
  c.exponent = 1;
  Placed p(touched_by(c));
  // z = 0.75 x - 0.7 below the origin: 0.7 · 0.8 away along (-0.6, 0, 0.8).
  EXPECT_NEAR(measured(p, Quantity::gap), 0.56 - 0.6, 1e-13);
  EXPECT_NEAR(p.wrench().force.x, -2.4, 1e-11);
  EXPECT_NEAR(p.wrench().force.z, 3.2, 1e-11);
}

TEST(HandContact, AHeightFieldPassesThroughItsHeights) {
  HeightFieldContact c;
  c.between = ground_to_b;
  c.points = {Vec3d{0, 0, 0}, Vec3d{}};
  c.spacing = {1, 2};
  c.heights = {{0.1, 0.4, -0.2, 0.3}, {0.2, -0.1, 0.5, 0}, {-0.3, 0.2, 0.1, 0.6}};
  c.stiffness = 1;
  Placed p(touched_by(c));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) {
      Placed at(touched_by(c));
      at.move(
          {1.0 * j, 2.0 * i, c.heights[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]},
          {});
      EXPECT_NEAR(measured(at, Quantity::gap), 0, 1e-14) << i << " " << j;
    }
  p.move({-5, 9, 0.7}, {});  // beyond the corner (0, 4), whose height is -0.3: level
  EXPECT_NEAR(measured(p, Quantity::gap), 1.0, 1e-14);
}

// A sphere in a round valley: the distance is that to the sphere which the heights are taken from.
TEST(HandContact, ASphereFindsTheFootOnACurvedGround) {
  HeightFieldContact c;
  c.between = ground_to_b;
  c.points = {Vec3d{-1, -1, 0}, Vec3d{}};
  c.spacing = {0.05, 0.05};
  for (int i = 0; i <= 40; ++i) {
    c.heights.emplace_back();
    for (int j = 0; j <= 40; ++j) {
      const double x = 0.05 * j - 1, y = 0.05 * i - 1;
      c.heights.back().push_back(3 - std::sqrt(9 - x * x - y * y));
    }
  }
  c.radius = 0.4;
  c.stiffness = 1;
  Placed p(touched_by(c));
  p.move({0.2, -0.3, 0.5}, {});
  const double distance = 3 - std::sqrt(0.04 + 0.09 + 6.25);
  EXPECT_NEAR(measured(p, Quantity::gap), distance - 0.4, 1e-6);  // the spline's own error
}

Tyre unit_tyre() {
  Tyre t;
  t.between = ground_to_b;
  t.points = {Vec3d{0, 0, -0.3}, Vec3d{}};
  t.normal = Vec3d{0, 0, 1};
  t.axis = {0, 1, 0};
  t.radius = 0.32;
  t.stiffness = 200e3;
  t.friction = 0.9;
  t.longitudinal_stiffness = 60e3;
  t.cornering_stiffness = 45e3;
  t.contact_length = 0.15;
  t.low_speed = 1e-3;
  return t;
}

TEST(HandTyre, StandsAndRollsWithoutSlip) {
  Placed p(touched_by(unit_tyre()));
  EXPECT_NEAR(p.wrench().force.z, 4000, 1e-2);  // 0.02 m
  p.speed({15, 0, 0}, {0, 50, 0});              // 0.3 m of loaded radius
  EXPECT_NEAR(p.wrench().force.x, 0, 1e-2);
  EXPECT_NEAR(measured(p, Quantity::slip_ratio), 0, 1e-7);
}

TEST(HandTyre, CornersAsFialaSays) {
  Placed p(touched_by(unit_tyre()));
  p.speed({15, 0.3, 0}, {0, 50, 0});
  const double slip = 0.3 / 15, load = 200e3 * (0.32 * std::sqrt(1 + 1e-8) - 0.3);
  const double y = 45e3 * slip / (3 * 0.9 * load);
  EXPECT_NEAR(p.wrench().force.y, -0.9 * load * (3 * y - 3 * y * y + y * y * y), 1e-3);
  EXPECT_NEAR(measured(p, Quantity::slip_angle), std::atan(slip), 1e-8);
  EXPECT_NEAR(measured(p, Quantity::aligning_moment),
              0.9 * load * 0.075 * y * (1 - y) * (1 - y) * (1 - y), 1e-4);
  EXPECT_NEAR(p.wrench().torque.z, measured(p, Quantity::aligning_moment), 1e-9);
}

TEST(HandTyre, ALockedWheelSlides) {
  Placed p(touched_by(unit_tyre()));
  p.speed({3, 4, 0}, {});
  const double load = p.wrench().force.z;
  EXPECT_NEAR(p.wrench().force.x, -0.9 * load * 60 * 3 / std::hypot(180, 180), 1e-4);
  EXPECT_NEAR(std::hypot(p.wrench().force.x, p.wrench().force.y), 0.9 * load, 1e-4);
  p.move({0, 0, 0.05}, {});
  expect_vector(p.wrench().force, {0, 0, 0});
}

TEST(HandTyre, DrivesForwards) {
  Placed p(touched_by(unit_tyre()));
  p.speed({15, 0, 0}, {0, 51, 0});
  EXPECT_GT(p.wrench().force.x, 100);
  EXPECT_GT(measured(p, Quantity::slip_ratio), 0);
  EXPECT_LT(p.wrench().torque.y, 0);  // the road brakes the wheel
}

TEST(HandCable, PullsWhereItIsTaut) {
  Cable c;
  c.between = ground_to_b;
  c.points = {Vec3d{-1, 0, 0}, Vec3d{}};
  c.stiffness = 200;
  c.damping = 10;
  Placed p(touched_by(c));
  p.move({-0.1, 0, 0}, {}).speed({5, 0, 0}, {});
  expect_vector(p.wrench().force, {0, 0, 0});
  p.move({0.2, 0, 0}, {});
  expect_vector(p.wrench().force, {-70, 0, 0});
  p.speed({-1, 0, 0}, {});
  expect_vector(p.wrench().force, {-10, 0, 0});
  p.speed({-3, 0, 0}, {});
  expect_vector(p.wrench().force, {0, 0, 0});  // the damper does not push
  EXPECT_NEAR(p.potential(), 1, 1e-14);
}

TEST(HandCable, AnOnsetMakesItSmooth) {
  Cable c;
  c.between = ground_to_b;
  c.points = {Vec3d{-1, 0, 0}, Vec3d{}};
  c.stiffness = 200;
  c.onset = 0.1;
  Placed p(touched_by(c));
  p.move({0.05, 0, 0}, {});
  EXPECT_NEAR(p.wrench().force.x, -200 * 0.05 * 0.05 / 0.2, 1e-13);
  p.move({0.15, 0, 0}, {});
  EXPECT_NEAR(p.wrench().force.x, -200 * (0.2 - 0.05), 1e-13);
}

}  // namespace
}  // namespace tumble
