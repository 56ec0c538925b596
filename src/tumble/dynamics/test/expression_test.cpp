// Forces and state variables written as expressions.
#include <gtest/gtest.h>

#include "tumble/dynamics/test/force_check.hpp"
#include "tumble/dynamics/test/force_models.hpp"
#include "tumble/dynamics/test/jacobian_check.hpp"
#include "tumble/dynamics/user_elements.hpp"

namespace tumble::testing {
namespace {

using Formulas = std::vector<Expression>;

ExpressionForce on_frames(const Ends& ends, Formulas force, Formulas torque, Formulas moment) {
  ExpressionForce f;
  f.ends = ends;
  f.place = joint_point;
  f.orientation = turned({0.5, -0.2, 0.4});
  if (!force.empty()) f.force = std::move(force);
  if (!torque.empty()) f.torque = std::move(torque);
  if (!moment.empty()) f.moment = std::move(moment);
  f.parameters.numbers = {{"k", 1.7}, {"c", 0.6}};
  return f;
}

ExpressionForce on_line(const Ends& ends, const char* tension) {
  ExpressionForce f;
  f.ends = ends;
  f.line = two_points;
  f.tension = tension;
  f.parameters.numbers = {{"k", 1.7}, {"c", 0.6}};
  return f;
}

ExpressionForce on_body(Axes axes, bool with_point, Formulas force, Formulas torque) {
  ExpressionForce f;
  f.on_body = BodyRef{"b"};
  f.axes = axes;
  if (with_point) f.place = joint_point;
  f.force = std::move(force);
  f.torque = std::move(torque);
  return f;
}

/// Every way to act, every motion that can be read.
std::vector<Case> expression_cases() {
  std::vector<Case> cases;
  const auto add = [&cases](const std::string& name, auto make) {
    add_all_ends(cases, &Model::forces, name, make);
  };
  add("frames_force", [](const Ends& e) {
    return on_frames(e, {"-k*x - c*abs(vx)*vx", "y*z + sin(vy)", "exp(-x^2)*vz + two"}, {}, {});
  });
  add("frames_torque", [](const Ends& e) {
    return on_frames(e, {}, {"-k*wx + x*y", "tanh(wy) - wz*vx", "hypot(x, wz + 3) + time"}, {});
  });
  add("frames_moment", [](const Ends& e) {
    return on_frames(e, {}, {}, {"-k*rx + 0.3*ry", "-2*ry + rx*rz", "-rz - 0.2*rz^3 + y"});
  });
  add("frames_all", [](const Ends& e) {
    return on_frames(e, {"rx*vx", "-k*y", "x/(2 + z^2)"},
                     {"sqrt(4 + ry)*wx", "min(wy, 3) - c*rz", "-wz"},
                     {"rx - vx", "max(ry, -4)", "cos(rz)*k"});
  });
  add("line", [](const Ends& e) {
    return on_line(e, "k*(length - 1.1) + c*length_rate*abs(length_rate) + one*length");
  });
  for (const Axes axes : {Axes::ground, Axes::body})
    for (const bool with_point : {false, true}) {
      Model m = base_model();
      m.forces.push_back(
          {"it", on_body(axes, with_point,
                         {"-1.3*b.velocity.x", "b.position.y*two.rate", "b.n.velocity.z"},
                         {"b.angular_velocity.x", "-b.angular_velocity_body.y*b.rotation_vector.z",
                          "a.rotation_vector.y + bystander.position.x*a.m.position.z"})});
      cases.push_back({std::string("body_") + (axes == Axes::body ? "body" : "ground") +
                           (with_point ? "_at_point" : ""),
                       m});
    }
  for (const auto& ends : all_ends()) {
    Model m = base_model();
    m.joints.push_back({"hinge", axis_joint<RevoluteJoint>(ends.ends)});
    ExpressionForce f;
    f.on_joint = JointRef{"hinge"};
    f.torque = Expression("-0.8*sin(angle) - 0.3*angle_rate^3 + bystander.velocity.y");
    m.forces.push_back({"it", f});
    cases.push_back({"hinge_" + ends.name, m});
    m.joints = {{"slider", axis_joint<CylindricalJoint>(ends.ends)}};
    f.on_joint = JointRef{"slider"};
    f.force = Expression("-2*displacement - displacement_rate*angle + slider.displacement.x");
    f.torque = Expression("-displacement_rate + slider.rotation_vector.z");
    m.forces = {{"it", f}};
    cases.push_back({"slider_" + ends.name, m});
  }
  {
    // A controller: it reads one pair of bodies and acts on another, through states.
    Model m = base_model();
    Spring gauge;
    gauge.between = {MarkerRef{"a"}, MarkerRef{"bystander"}};
    gauge.points = two_points;
    m.forces.push_back({"gauge", gauge});
    m.states.resize(2);
    m.states[0].name = "error";
    m.states[0].rate = "gauge.length - 1.4 + 0.3*error*filtered + gauge.length_rate";
    m.states[1].name = "filtered";
    m.states[1].rate = "(b.velocity.x - filtered)/T + sin(a.angular_velocity.z)";
    m.states[1].parameters.numbers = {{"T", 0.7}};
    m.forces.push_back(
        {"it", on_frames({MarkerRef{"ground"}, MarkerRef{"b"}}, {"-k*error*x", "filtered^2", "0"},
                         {"0", "error", "wx"}, {})});
    ExpressionForce second =
        on_line({MarkerRef{"a"}, MarkerRef{"b"}}, "k*error + bystander.position.z");
    m.forces.push_back({"second", second});
    cases.push_back({"controller", m});
  }
  return cases;
}

class ExpressionForces : public ::testing::TestWithParam<Case> {};

TEST_P(ExpressionForces, HaveExactTangents) {
  for (std::uint32_t seed = 1; seed <= 3; ++seed) expect_consistent_tangent(GetParam().model, seed);
}

TEST_P(ExpressionForces, HaveTheQuantitiesTheyList) { expect_listed_quantities(GetParam().model); }

/// What they put into the bodies is what the account of energy books.
TEST_P(ExpressionForces, BookTheirPower) {
  Model model = GetParam().model;
  Instant instant(model, 4);
  instant.update();
  instant.w.power.work = 0;
  add_element_forces(*instant.system, instant.constants.data(), instant.w);
  EXPECT_NEAR(power_of_wrenches(instant), instant.w.power.work,
              1e-12 * (1 + std::fabs(instant.w.power.work)));
}

INSTANTIATE_TEST_SUITE_P(All, ExpressionForces, ::testing::ValuesIn(expression_cases()), case_name);

TEST(ExpressionForce, ActsAndReacts) {
  for (const char* name : {"a", "ground"}) {
    const Ends ends{MarkerRef{name}, MarkerRef{"b"}};
    for (const auto& force :
         {on_frames(ends, {"x", "1", "-vz"}, {"2", "wx", "0"}, {"rx", "3", "1"}),
          on_line(ends, "length + 2")}) {
      Model m = base_model();
      m.forces.push_back({"it", force});
      expect_action_and_reaction(m);
    }
  }
}

/// A bushing, written down: residual and tangent are the same.
TEST(ExpressionForce, CanBeABushing) {
  const Ends ends{MarkerRef{"a"}, MarkerRef{"b"}};
  Model written = base_model(), builtin = base_model();
  Bushing b = bushing(ends, {2, 3, 4, 2.5, 1.5, 1}, {0.3, 0.5, 0.7, 0.4, 0.9, 0.2},
                      {0.3, -0.2, 0.5, 0.7, 0.1, -0.4});
  builtin.forces.push_back({"it", b});
  ExpressionForce f =
      on_frames(ends, {"-2*x - 0.3*vx - 0.3", "-3*y - 0.5*vy + 0.2", "-4*z - 0.7*vz - 0.5"},
                {"-0.4*wx", "-0.9*wy", "-0.2*wz"}, {"-2.5*rx - 0.7", "-1.5*ry - 0.1", "-rz + 0.4"});
  written.forces.push_back({"it", f});
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    Instant x(written, seed), y(builtin, seed);
    const Numbers rx = x.residual(), ry = y.residual();
    for (std::size_t i = 0; i < rx.size(); ++i) EXPECT_NEAR(rx[i], ry[i], 1e-13 * largest(ry));
    x.tangent(), y.tangent();
    ASSERT_EQ(x.w.K.size(), y.w.K.size());
    for (std::size_t i = 0; i < x.w.K.size(); ++i) {
      EXPECT_NEAR(x.w.K[i], y.w.K[i], 1e-13 * largest(y.w.K));
      EXPECT_NEAR(x.w.C[i], y.w.C[i], 1e-13 * largest(y.w.C));
    }
  }
}

/// By hand: a point mass of 2 kg at (3, 0, 4) m on a line to the origin, tension 10 N.
TEST(ExpressionForce, PullsAlongItsLine) {
  Model m;
  m.bodies = {body("b", 2, {3, 0, 4}, {1, 1, 1, 0, 0, 0}, {0, 0, 0})};
  ExpressionForce f;
  f.ends = Ends{MarkerRef{"ground"}, MarkerRef{"b"}};
  f.line = std::array{Vec3d{0, 0, 0}, Vec3d{3, 0, 4}};
  f.tension = "2*length";
  m.forces = {{"rope", f}};
  m.simulation.duration = 1;
  m.simulation.step = 0.01;
  const auto system = compile(m);
  const Numbers constants = prepare(*system, m);
  Workspace<double> w(*system);
  const InitialState start = initial_state(*system, m);
  update_drives(*system, constants.data(), 0, 0, w);
  update_bodies(*system, start.q.data(), start.v.data(), w);
  add_element_forces(*system, constants.data(), w);
  EXPECT_NEAR(w.body[1].force_W.x, 6, 1e-14);  // minus the force
  EXPECT_NEAR(w.body[1].force_W.y, 0, 1e-14);
  EXPECT_NEAR(w.body[1].force_W.z, 8, 1e-14);
  EXPECT_NEAR(norm(w.body[1].torque_W), 0, 1e-14);
}

/// Where a rotation vector would jump, a run ends.
TEST(ExpressionForce, RefusesHalfATurn) {
  Model m;
  m.bodies = {body("b", 2, {0, 0, 0}, {1, 1, 1, 0, 0, 0}, {0, 0, 0})};
  ExpressionForce f;
  f.ends = Ends{MarkerRef{"ground"}, MarkerRef{"b"}};
  f.place = Vec3d{};
  f.moment = Formulas{"-rx", "-ry", "-rz"};
  m.forces = {{"it", f}};
  m.simulation.duration = 1;
  m.simulation.step = 0.01;
  const auto system = compile(m);
  const Numbers constants = prepare(*system, m);
  Workspace<double> w(*system);
  const InitialState start = initial_state(*system, m);
  const auto turned_by = [&](double angle) {
    Numbers q = start.q, u(6);
    u[4] = angle;
    compose(*system, start.q.data(), u.data(), q.data());
    update_bodies(*system, q.data(), start.v.data(), w);
    add_element_forces(*system, constants.data(), w);
    return w.body[1].torque_W.y;  // minus the torque
  };
  update_drives(*system, constants.data(), 0, 0, w);
  EXPECT_NEAR(turned_by(2.7), 2.7, 1e-13);
  EXPECT_THROW(turned_by(2.9), UserElementError);
  EXPECT_THROW(turned_by(3.2), UserElementError);
  EXPECT_NEAR(turned_by(4), 4 - 2 * 3.141592653589793, 1e-13);
}

TEST(ExpressionForce, NamesWhatIsNotFinite) {
  Model m = base_model();
  m.forces.push_back({"it", on_body(Axes::ground, false, {"0", "1/(time - 0.3)", "0"}, {})});
  m.forces.back().kind = [&] {
    auto f = std::get<ExpressionForce>(m.forces.back().kind);
    f.torque = {};
    return f;
  }();
  Instant instant(m);
  instant.update();
  try {
    add_element_forces(*instant.system, instant.constants.data(), instant.w);
    FAIL() << "nothing was said";
  } catch (const UserElementError& error) {
    EXPECT_STREQ(error.what(),
                 "expression 'it': (1 / (time - 0.3)) is not a finite number at t = 0.3 s");
  }
}

}  // namespace
}  // namespace tumble::testing
