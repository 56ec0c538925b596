// Imported robots move as the closed forms say: free fall, pendulums, springs, dampers, a loop.
#include <cmath>
#include <numbers>

#include "converted.hpp"

namespace tumble::convert {
namespace {

constexpr double gravity = 9.81;

// Generalized-alpha is exact for constant accelerations, so only rounding and Newton's tolerance
// are left. A robot at rest falls without moving its joints.
TEST(RobotMotion, AFloatingBaseFallsFreely) {
  const Converted c = converted(example_text("hopper.urdf"), {"simulation.duration=0.5"});
  const Trajectory trajectory = simulate(c.model);
  const double drop = 0.5 * gravity * 0.25;
  for (const char* name : {"torso", "shin"}) {
    const Body& body = body_named(c.model, name);
    const auto p = last_values(trajectory, name, Quantity::position);
    EXPECT_NEAR(p[0], body.position.x, 1e-9);
    EXPECT_NEAR(p[1], body.position.y, 1e-9);
    EXPECT_NEAR(p[2], body.position.z - drop, 1e-9);
  }
  EXPECT_NEAR(last_values(trajectory, "knee", Quantity::angle)[0], 0, 1e-9);
}

// A physical pendulum released at 60 degrees: quarter of a period K(sin 30 deg) / w0 with
// w0^2 = m g l / (J + m l^2), after which it hangs. The step of 1e-4 of a period is accurate to
// (w0 h)^2 / 12, about 1e-7 of the phase.
TEST(RobotMotion, APendulumOfUrdfHasItsPeriod) {
  const double m = 2, l = 0.7, J = 0.05;
  const std::string urdf = R"(<robot name="pendulum"><link name="world"/>
    <joint name="pivot" type="continuous"><parent link="world"/><child link="rod"/>
      <origin xyz="1 2 3" rpy="0 1.0471975511965976 0.4"/><axis xyz="0 2 0"/></joint>
    <link name="rod"><inertial><origin xyz="0 0 -0.7" rpy="0 0 0.8"/><mass value="2"/>
      <inertia ixx="0.05" ixy="0" ixz="0" iyy="0.05" iyz="0" izz="0.01"/></inertial></link></robot>)";
  const double rate = std::sqrt(m * gravity * l / (J + m * l * l));
  const double quarter = std::comp_ellint_1(0.5) / rate;
  const Converted c = converted(urdf, {"simulation.duration=" + format_number(quarter),
                                       "simulation.step=" + format_number(quarter / 2500),
                                       "simulation.output_step=" + format_number(quarter)});
  const Trajectory trajectory = simulate(c.model);
  const auto p = last_values(trajectory, "rod", Quantity::position);
  EXPECT_NEAR(p[0], 1, 2e-6);
  EXPECT_NEAR(p[1], 2, 2e-6);
  EXPECT_NEAR(p[2], 3 - l, 1e-9);
  // Turned by 60 degrees about +y the rod hangs at -x; it swings back against the axis.
  EXPECT_NEAR(last_values(trajectory, "pivot", Quantity::angle)[0], -std::numbers::pi / 3, 2e-6);
}

// m v' = -m g - d v from rest: v = -(m g / d)(1 - exp(-d t / m)).
TEST(RobotMotion, ASliderOfUrdfIsDamped) {
  const std::string urdf = R"(<robot name="lift"><link name="world"/>
    <joint name="rail" type="prismatic"><parent link="world"/><child link="cabin"/>
      <origin rpy="1.5707963267948966 0 0"/><axis xyz="0 1 0"/><dynamics damping="6"/></joint>
    <link name="cabin"><inertial><mass value="3"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>)";
  const Trajectory t = simulate(converted(urdf, {"simulation.duration=0.5"}).model);
  const double expected = -(3 * gravity / 6) * (1 - std::exp(-1.0));
  EXPECT_NEAR(last_values(t, "cabin", Quantity::velocity)[2], expected, 2e-6);
}

// Ground axes: a slider along -x whose spring rests at springref - ref = 0.3 along the axis, so at
// x = -0.3: x = -0.3 (1 - cos w t).
TEST(RobotMotion, ASpringOfMjcfRestsAtItsReference) {
  const std::string mjcf = R"(<mujoco><option gravity="0 0 0"/><worldbody><body name="cart">
    <joint name="rail" type="slide" axis="-1 0 0" stiffness="8" ref="0.1" springref="0.4"/>
    <geom type="box" size=".1 .1 .1" mass="2"/></body></worldbody></mujoco>)";
  const Trajectory t = simulate(converted(mjcf, {"simulation.duration=1"}).model);
  EXPECT_NEAR(last_values(t, "cart", Quantity::position)[0], -0.3 * (1 - std::cos(2.0)), 1e-6);
  EXPECT_NEAR(last_values(t, "rail", Quantity::displacement)[2], 0.3 * (1 - std::cos(2.0)), 1e-6);
}

// The same about a hinge, in degrees; the axis through the centre of mass of a cylinder.
TEST(RobotMotion, AHingeSpringOfMjcfRestsAtItsReference) {
  const std::string mjcf = R"(<mujoco><worldbody><body name="disc" euler="90 0 0">
    <joint name="axle" axis="0 0 1" stiffness="0.5" springref="-20" ref="10"/>
    <geom type="cylinder" size=".2 .01" mass="4"/></body></worldbody></mujoco>)";
  const Trajectory t = simulate(converted(mjcf, {"simulation.duration=1"}).model);
  const double rest = -std::numbers::pi / 6, rate = std::sqrt(0.5 / (0.5 * 4 * 0.04));
  EXPECT_NEAR(last_values(t, "axle", Quantity::angle)[0], rest * (1 - std::cos(rate)), 2e-6);
}

// A ball on a ball joint in its centre: w = w0 exp(-d t / J).
TEST(RobotMotion, ABallJointOfMjcfIsDamped) {
  const std::string mjcf =
      R"(<mujoco><option timestep="0.001"/><worldbody><body name="ball" pos="0 0 1">
    <joint name="socket" type="ball" damping="0.02"/><geom size="0.1" density="1000"/></body>
    </worldbody></mujoco>)";
  const Converted c =
      converted(mjcf, {"simulation.duration=1", "bodies.ball.angular_velocity=[1, -2, 3]",
                       "probes.ball.quantities=[angular_velocity]"});
  const Body& ball = body_named(c.model, "ball");
  EXPECT_NEAR(ball.mass, 4000 * std::numbers::pi / 3 * 1e-3, 1e-12);
  EXPECT_NEAR(ball.inertia[0], 0.4 * ball.mass * 0.01, 1e-14);
  const auto w = last_values(simulate(c.model), "ball", Quantity::angular_velocity);
  const double left = std::exp(-0.02 / ball.inertia[0]);
  EXPECT_NEAR(w[0], left, 1e-6);
  EXPECT_NEAR(w[1], -2 * left, 1e-6);
  EXPECT_NEAR(w[2], 3 * left, 1e-6);
}

// A parallelogram: two equal cranks carry a coupler that does not turn. With one angle,
//   (2 J + m_c L^2) a'' = -(2 m L/2 + m_c L) g sin a,
// a pendulum with a period in closed form. The cranks hang at 60 degrees at first.
TEST(RobotMotion, AClosedLoopSwingsAsOnePendulum) {
  const double L = 0.5, m = 1.5, J = m * L * L / 3 + 0.001, carried = 2;
  const std::string mjcf =
      R"(<mujoco><compiler angle="radian"/><default><joint axis="0 1 0"/></default>
    <worldbody>
      <body name="left" euler="0 1.0471975511965976 0"><joint name="a"/>
        <inertial pos="0 0 -0.25" mass="1.5" diaginertia="0.03225 0.03225 0.001"/>
        <body name="coupler" pos="0 0 -0.5" euler="0 -1.0471975511965976 0"><joint name="b"/>
          <inertial pos="0.4 0 0" mass="2" diaginertia="0.01 0.1 0.1"/></body></body>
      <body name="right" pos="0.8 0 0" euler="0 1.0471975511965976 0"><joint name="c"/>
        <inertial pos="0 0 -0.25" mass="1.5" diaginertia="0.03225 0.03225 0.001"/></body>
    </worldbody>
    <equality><connect name="loop" body1="coupler" body2="right" anchor="0.8 0 0"/></equality></mujoco>)";
  ASSERT_NEAR(0.03225 + m * L * L / 4, J, 1e-12);
  const double rate = std::sqrt((m * L + carried * L) * gravity / (2 * J + carried * L * L));
  const double quarter = std::comp_ellint_1(0.5) / rate;
  const Converted c = converted(mjcf, {"simulation.duration=" + format_number(quarter),
                                       "simulation.step=" + format_number(quarter / 2500),
                                       "simulation.output_step=" + format_number(quarter)});
  EXPECT_EQ(c.model.joints.size(), 4u);
  const Trajectory t = simulate(c.model);
  EXPECT_NEAR(last_values(t, "a", Quantity::angle)[0], -std::numbers::pi / 3, 3e-6);
  EXPECT_NEAR(last_values(t, "c", Quantity::angle)[0], -std::numbers::pi / 3, 3e-6);
  const auto p = last_values(t, "coupler", Quantity::position);
  EXPECT_NEAR(p[0], 0.4, 3e-6);
  EXPECT_NEAR(p[2], -L, 1e-8);
}

// The example: its loop holds, and its energy only falls by what the dampers take.
TEST(RobotMotion, TheFourBarStaysClosed) {
  const Converted c = converted(example_text("four-bar.xml"), {"simulation.duration=0.5"});
  const Trajectory t = simulate(c.model);
  EXPECT_LT(t.statistics.constraint_drift, 1e-9);
  EXPECT_LT(t.statistics.energy.relative_mismatch, 1e-4);
  EXPECT_GT(t.statistics.energy.dissipated, 0);
}

}  // namespace
}  // namespace tumble::convert
