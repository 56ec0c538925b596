// MJCF: inertias of geoms, defaults, orientations, joints in one body, what is listed and refused.
#include <cmath>
#include <filesystem>
#include <numbers>

#include "converted.hpp"
#include "tumble/convert/robot_file.hpp"
#include "tumble/convert/solids.hpp"

namespace tumble::convert {
namespace {

std::string in_world(const std::string& bodies, const std::string& before = "") {
  return "<mujoco>" + before + "<worldbody>" + bodies + "</worldbody></mujoco>";
}

// A capsule as a stack of discs, dJ = dm (r(z)^2 / 4 + z^2) across and dm r(z)^2 / 2 along: the
// midpoint rule on 200 000 of them is good to 1e-9.
TEST(Solids, ACapsuleIsAStackOfDiscs) {
  const double radius = 0.3, half = 0.5;
  double volume = 0, across = 0, along = 0;
  const int n = 200'000;
  for (int i = 0; i < n; ++i) {
    const double z = -(half + radius) + 2 * (half + radius) * (i + 0.5) / n;
    const double over = std::max(0.0, std::abs(z) - half);
    const double r2 = radius * radius - over * over;
    const double dm = std::numbers::pi * r2 * 2 * (half + radius) / n;
    volume += dm, across += dm * (r2 / 4 + z * z), along += dm * r2 / 2;
  }
  const UnitSolid capsule = capsule_solid(radius, half);
  EXPECT_NEAR(capsule.volume, volume, 1e-8);
  EXPECT_NEAR(capsule.inertia[0], across, 1e-8);
  EXPECT_NEAR(capsule.inertia[1], across, 1e-8);
  EXPECT_NEAR(capsule.inertia[2], along, 1e-8);
}

// Two halves of a box are the box, wherever they are and however they are turned.
TEST(Solids, HalvesMakeAWhole) {
  const Mat3d R = matrix(normalized(Quaternion<double>{0.3, -0.5, 0.7, 0.2}));
  Inertial sum;
  for (const double side : {-1.0, 1.0}) {
    const Vec3d at = Vec3d{5, 6, 7} + R * Vec3d{side * 0.5, 0, 0};
    const UnitSolid half = box_solid({0.5, 0.4, 0.3});
    add_solid(sum, half, 3 * half.volume, {at, R});
  }
  const UnitSolid whole = box_solid({1, 0.4, 0.3});
  const auto expected = turned(R, whole.inertia);
  EXPECT_NEAR(sum.mass, 3 * whole.volume, 1e-14);
  EXPECT_LT(largest_entry(sum.centre - Vec3d{5, 6, 7}), 1e-14);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(sum.inertia[k], 3 * expected[k], 1e-13);
}

// The forearm of the example is a box of 60 x 60 x 300 mm with its corner elsewhere than its
// centre.
TEST(Solids, AMeshHasTheInertiaOfItsBody) {
  const UnitSolid mesh =
      mesh_solid(read_scaled_mesh(example_directory() + "/forearm.obj", {0.001, 0.001, 0.001}));
  const UnitSolid box = box_solid({0.03, 0.03, 0.15});
  EXPECT_NEAR(mesh.volume, box.volume, 1e-15);
  EXPECT_LT(largest_entry(mesh.centre), 1e-15);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(mesh.inertia[k], box.inertia[k], 1e-17);
  // Reflected it is the same body, and still not inside out.
  const UnitSolid mirrored =
      mesh_solid(read_scaled_mesh(example_directory() + "/forearm.obj", {-0.001, 0.001, 0.001}));
  EXPECT_NEAR(mirrored.volume, box.volume, 1e-15);
}

TEST(Mjcf, GeomsGiveMassCentreAndInertia) {
  const Model model =
      converted(in_world(R"(<body name="b" pos="1 0 0"><freejoint/>
      <geom type="box" size=".1 .2 .3" density="500"/>
      <geom type="ellipsoid" size=".1 .2 .3" pos="0 0 1" mass="3" quat="1 0 1 0"/>
      <geom type="mesh" mesh="forearm" pos="0 0 2" density="2000"/></body>)",
                         R"(<asset><mesh file="forearm.obj" scale=".001 .001 .001"/></asset>)"))
          .model;
  const Body& b = body_named(model, "b");
  const double box = 500 * 8 * 0.006, mesh = 2000 * 8 * 0.03 * 0.03 * 0.15;
  EXPECT_NEAR(b.mass, box + 3 + mesh, 1e-12);
  EXPECT_NEAR(b.position.x, 1, 1e-14);
  EXPECT_NEAR(b.position.z, (3 + 2 * mesh) / b.mass, 1e-12);
  // About x; the ellipsoid is turned by a right angle about y, which swaps its x and z.
  const double c = b.position.z;
  const double expected = box * (0.04 + 0.09) / 3 + box * c * c + 3 * (0.04 + 0.01) / 5 +
                          3 * (1 - c) * (1 - c) + mesh * (0.0009 + 0.0225) / 3 +
                          mesh * (2 - c) * (2 - c);
  EXPECT_NEAR(b.inertia[0], expected, 1e-12);
}

TEST(Mjcf, AnInertialOfItsOwnComesFirst) {
  const std::string body = R"(<body name="b"><freejoint/><geom size="1"/>
      <inertial pos="0 0 .5" mass="2" diaginertia="1 2 2.5" euler="0 0 90"/></body>)";
  const Body own = body_named(converted(in_world(body)).model, "b");
  EXPECT_EQ(own.mass, 2);
  EXPECT_NEAR(own.inertia[0], 2, 1e-12);
  EXPECT_NEAR(own.inertia[1], 1, 1e-12);
  const Body geom =
      body_named(converted(in_world(body, "<compiler inertiafromgeom='true'/>")).model, "b");
  EXPECT_NEAR(geom.mass, 4000 * std::numbers::pi / 3, 1e-9);
  EXPECT_NEAR(body_named(converted(in_world(body, "<compiler settotalmass='7'/>")).model, "b").mass,
              7, 1e-12);
}

// MuJoCo's orientations, all of the same one: a quarter of a turn about x, then about the new z.
TEST(Mjcf, OrientationsInAllForms) {
  const auto axes_of = [](const std::string& attribute, const std::string& compiler = "") {
    return rotation_matrix(
        body_named(converted(in_world("<body name='b' " + attribute +
                                          "><freejoint/><geom type='box' size='1 2 3'/></body>",
                                      compiler))
                       .model,
                   "b")
            .orientation);
  };
  const Mat3d expected{{0, -1, 0, 0, 0, -1, 1, 0, 0}};
  for (const Mat3d& R :
       {axes_of("euler='90 0 90'"), axes_of("euler='90 90 0'", "<compiler eulerseq='ZXY'/>"),
        axes_of("euler='90 0 0'", "<compiler angle='degree' eulerseq='xyz'/>") *
            axes_of("euler='0 0 1.5707963267948966'", "<compiler angle='radian'/>"),
        axes_of("xyaxes='0 0 1 -1 0 0'"), axes_of("quat='.5 .5 -.5 .5'"),
        axes_of("axisangle='1 -1 1 120'")})
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(R.m[k], expected.m[k], 1e-12);
  EXPECT_LT(
      largest_entry(axes_of("zaxis='1 2 -3'").column(2) - (1 / std::sqrt(14.0)) * Vec3d{1, 2, -3}),
      1e-12);
}

TEST(Mjcf, DefaultClassesAreInherited) {
  const Model model = converted(R"(<mujoco><default><geom density="100"/>
      <default class="a"><geom type="box" size="1 1 1"/>
        <default class="b"><geom density="200"/></default></default></default>
      <worldbody>
        <body name="main"><freejoint/><geom type="box" size="1 1 1"/></body>
        <body name="child" childclass="a"><freejoint/><geom/></body>
        <body name="own" childclass="a"><freejoint/><geom class="b"/></body>
      </worldbody></mujoco>)")
                          .model;
  EXPECT_NEAR(body_named(model, "main").mass, 800, 1e-9);
  EXPECT_NEAR(body_named(model, "child").mass, 800, 1e-9);
  EXPECT_NEAR(body_named(model, "own").mass, 1600, 1e-9);
}

// Several joints of one body, in the order in which they are applied.
TEST(Mjcf, JointsInOnePlaceAreOneJoint) {
  const auto freedoms = [](const std::string& joints) {
    const Model model =
        converted(in_world("<body name='b'><geom size='1' pos='0 0 1'/>" + joints + "</body>"))
            .model;
    return make_plan(model).degrees_of_freedom();
  };
  const std::string x = "<joint type='slide' axis='1 0 0'/>",
                    y = "<joint type='slide' axis='0 1 0'/>",
                    z = "<joint type='slide' axis='0 0 1'/>", rx = "<joint axis='1 0 0'/>",
                    ry = "<joint axis='0 1 0'/>", rz = "<joint axis='0 0 1'/>";
  EXPECT_EQ(freedoms(rx), 1);
  EXPECT_EQ(freedoms(x + y), 2);
  EXPECT_EQ(freedoms(rx + ry), 2);
  EXPECT_EQ(freedoms(rz + z), 2);
  EXPECT_EQ(freedoms(x + rz), 2);
  EXPECT_EQ(freedoms(x + y + rz), 3);
  EXPECT_EQ(freedoms(x + z + ry), 3);
  EXPECT_EQ(freedoms(rx + ry + rz), 3);
  EXPECT_EQ(freedoms(x + y + z + ry), 4);
  EXPECT_EQ(freedoms(x + rx + ry), 3);
  EXPECT_EQ(freedoms(x + y + z + rx + ry + rz), 6);
  EXPECT_EQ(freedoms("<joint type='ball'/>"), 3);
  EXPECT_EQ(freedoms("<freejoint/>"), 6);
}

// Hinges that do not meet, or have springs of their own, are joints of their own with light bodies
// between them: the whole keeps its mass, and a rod on two hinges across swings about the first as
// the closed form has it. w^2 = m g l / (J + m l^2), quarter of a period at 60 degrees.
TEST(Mjcf, JointsThatAreNotOneJointAreSeveral) {
  const std::string mjcf = R"(<mujoco><compiler angle="radian"/><worldbody>
      <body name="rod" euler="0 1.0471975511965976 0"><joint name="y" axis="0 1 0"/>
      <joint name="x" axis="1 0 0" pos="0 0 -0.1"/><joint name="z" type="slide" stiffness="1e5"/>
      <inertial pos="0 0 -0.7" mass="2" diaginertia="0.05 0.05 0.01"/></body></worldbody></mujoco>)";
  const double rate = std::sqrt(2 * 9.81 * 0.7 / (0.05 + 2 * 0.49));
  const double quarter = std::comp_ellint_1(0.5) / rate;
  Converted c = converted(mjcf);
  ASSERT_EQ(c.model.bodies.size(), 3u);
  EXPECT_TRUE(mentions(c.text.notes, 2, "the joints of 'rod' (y, x, z) being in one place"));
  double mass = 0, across = 0;
  for (const Body& body : c.model.bodies) mass += body.mass, across += body.inertia[0];
  EXPECT_NEAR(mass, 2, 1e-12);
  EXPECT_NEAR(across, 0.05, 1e-13);
  EXPECT_EQ(make_plan(c.model).degrees_of_freedom(), 3);
  // Whole files put the mass together again.
  const RobotFile file(mjcf, "rod.xml", {});
  const std::string written = file.with(c.model, "");
  EXPECT_NE(written.find("diaginertia=\"0.05 0.05 0.01\""), std::string::npos) << written;
  for (Body& body : c.model.bodies)
    if (body.name == "rod") body.mass *= 1.5;
  mass = 0;
  for (const Body& body : converted(file.with(c.model, "")).model.bodies) mass += body.mass;
  EXPECT_NEAR(mass, 3, 1e-12);
  const Converted swinging = converted(
      R"(<mujoco><compiler angle="radian"/><worldbody>
      <body name="rod" euler="0 1.0471975511965976 0"><joint name="y" axis="0 1 0"/>
      <joint name="x" axis="1 0 0" pos="0 0 -0.1" damping="0.1"/>
      <inertial pos="0 0 -0.7" mass="2" diaginertia="0.05 0.05 0.01"/></body></worldbody></mujoco>)",
      {"simulation.duration=" + format_number(quarter),
       "simulation.step=" + format_number(quarter / 2500),
       "simulation.output_step=" + format_number(quarter)});
  const Trajectory t = simulate(swinging.model);
  EXPECT_NEAR(last_values(t, "y", Quantity::angle)[0], -std::numbers::pi / 3, 3e-6);
  EXPECT_NEAR(last_values(t, "x", Quantity::angle)[0], 0, 1e-9);
}

// One joint is a linear function of another, counted from the described pose.
TEST(Mjcf, JointsThatAreEqualAreCoupled) {
  const Converted c = converted(R"(<mujoco><compiler angle="radian"/><option gravity="0 0 0"/>
<worldbody><body name="a"><joint name="turn" axis="0 0 1"/><geom size="0.1" pos="1 0 0"/></body>
<body name="b"><joint name="slide" type="slide" axis="0 1 0" damping="2"/><geom size="0.1" pos="2 0 0"/></body>
</worldbody><equality><joint name="rack" joint1="slide" joint2="turn" polycoef="0 0.3 0 0 0"/>
<joint joint1="slide" joint2="turn" polycoef="0 0.3 1 0 0"/></equality></mujoco>)");
  ASSERT_EQ(c.model.couplers.size(), 1u);
  EXPECT_EQ(c.model.couplers[0].name, "rack");
  EXPECT_EQ(std::get<LinearCoupler>(c.model.couplers[0].kind).coefficients,
            (std::vector<double>{1, -0.3}));
  EXPECT_EQ(make_plan(c.model).degrees_of_freedom(), 1);
  EXPECT_TRUE(mentions(c.text.notes, 5, "coupling joint"));  // a parabola is none
}

// Degrees, from the described pose, which is at ref.
TEST(Mjcf, LimitsAndFrictionOnRequest) {
  const std::string mjcf = R"(<mujoco><worldbody><body name="b">
    <joint name="h" type="hinge" axis="0 1 0" range="-30 90" ref="30" frictionloss="2"/>
    <geom type="sphere" size="0.1" pos="1 0 0"/></body></worldbody></mujoco>)";
  const Model model = converted(mjcf, {}, {.limit_stiffness = 500, .friction_rate = 0.01}).model;
  ASSERT_EQ(model.forces.size(), 2u);
  const auto& stop = std::get<JointLimit>(model.forces[0].kind);
  EXPECT_NEAR(*stop.lower, -std::numbers::pi / 3, 1e-12);
  EXPECT_NEAR(*stop.upper, std::numbers::pi / 3, 1e-12);
  EXPECT_EQ(std::get<JointFriction>(model.forces[1].kind).constant, 2);
  EXPECT_TRUE(mentions(converted(mjcf).text.notes, 2, "limits of joint 'h': -30 to 90 degrees"));
}

TEST(Mjcf, WhatIsNotCarriedOverIsListed) {
  const auto notes = converted(example_text("four-bar.xml")).text.notes;
  EXPECT_TRUE(mentions(notes, 25, "limits of joint 'support': -60 to 60 degrees"));
  EXPECT_TRUE(mentions(notes, 32, "actuator"));
  const auto more = converted(R"(<mujoco>
<option integrator="RK4"/>
<worldbody><body name="b" gravcomp="1">
<joint name="j" armature="0.1" frictionloss="2"/>
<geom size="1" pos="1 0 0"/></body></worldbody>
<equality><joint joint1="j" polycoef="0 1 0 0 0"/></equality>
<sensor><gyro site="s"/></sensor></mujoco>)")
                        .text.notes;
  EXPECT_TRUE(mentions(more, 2, "integrator=\"RK4\""));
  EXPECT_TRUE(mentions(more, 3, "gravcomp"));
  EXPECT_TRUE(mentions(more, 4, "armature 0.1"));
  EXPECT_TRUE(mentions(more, 4, "frictionloss 2"));
  EXPECT_TRUE(mentions(more, 6, "coupling joint"));
  EXPECT_TRUE(mentions(more, 7, "sensor"));
}

TEST(Mjcf, WholeFilesHoldTheNumbersOfAModel) {
  const std::string text = example_text("four-bar.xml");
  const RobotFile file(text, "four-bar.xml", {.directory = example_directory()});
  Model model = converted(text).model;
  Body& rocker = const_cast<Body&>(body_named(model, "rocker"));
  rocker.mass *= 1.3;
  rocker.position.x += 0.01;
  rocker.inertia = {0.02, 0.021, 0.004, 0.001, -0.002, 0.0005};
  for (Force& force : model.forces)
    if (force.name == "support") {
      std::get<TorsionSpring>(force.kind).damping.slope = 0.05;
      std::get<TorsionSpring>(force.kind).stiffness.slope = 2.5;
    }
  const std::string written = file.with(model, "realisation 0");
  const Model again = converted(written).model;
  const Body& read = body_named(again, "rocker");
  EXPECT_NEAR(read.mass, rocker.mass, 1e-14);
  EXPECT_LT(largest_entry(read.position - rocker.position), 1e-14);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(read.inertia[k], rocker.inertia[k], 1e-15);
  EXPECT_NEAR(body_named(again, "crank").mass, body_named(model, "crank").mass, 1e-12);
  for (const Force& force : again.forces)
    if (force.name == "support") {
      EXPECT_EQ(std::get<TorsionSpring>(force.kind).damping.slope, 0.05);
      EXPECT_EQ(std::get<TorsionSpring>(force.kind).stiffness.slope, 2.5);
    }
  EXPECT_NE(written.find("<motor name=\"torque\""), std::string::npos);
  // What MuJoCo would do to masses is done before: a draw must keep its own.
  const RobotFile total(
      R"(<mujoco><compiler settotalmass="7"/><worldbody><body name="b"><freejoint/>
      <geom size="1"/></body></worldbody></mujoco>)",
      "total.xml", {});
  const std::string fixed = total.with(
      converted(in_world("<body name='b'><freejoint/><geom size='1' mass='7'/></body>")).model, "");
  EXPECT_EQ(fixed.find("settotalmass"), std::string::npos);
  EXPECT_NE(fixed.find("mass=\"7\""), std::string::npos);
}

TEST(Mjcf, MistakesAreReportedWithTheirLine) {
  struct Fault {
    std::string text;
    int line;
    const char* words;
  };
  const std::string body = "<geom size='1'/></body>";
  for (const Fault& fault : std::vector<Fault>{
           {"<mujoco>\n</mujoco>", 1, "has no worldbody"},
           {"<mujoco><worldbody/></mujoco>", 1, "has no body"},
           {"<mujoco>\n<include file='x.xml'/></mujoco>", 2, "not included"},
           {in_world("\n<body name='a'><joint type='screw'/>" + body), 2, "must be hinge, slide"},
           {in_world("<body name='a'>\n<joint axis='0 0 0'/>" + body), 2, "direction"},
           {in_world("<body name='a'>\n<geom type='box' size='1'/></body>"), 2,
            "must be 3 numbers"},
           {in_world("<body name='a'>\n<geom size='-1'/></body>"), 2, "must be > 0"},
           {in_world("<body name='a'>\n<geom type='cube' size='1'/></body>"), 2, "must be sphere"},
           {in_world("<body name='a'>\n<geom class='x' size='1'/></body>"), 2, "no default class"},
           {in_world("<body name='a'>\n<geom type='mesh' mesh='x'/></body>"), 2, "no mesh"},
           {in_world("<body name='a'>\n<geom type='mesh' mesh='x'/></body>",
                     "<asset><mesh name='x' file='absent.stl'/></asset>"),
            2, "absent.stl"},
           {in_world("<body name='a'>" + body + "\n<body name='a'>" + body), 2, "stands twice"},
           {in_world("<body name='a'>\n<inertial mass='1' diaginertia='1 1 9'/></body>"), 2,
            "no solid"},
           {in_world("<body name='a' quat='0 0 0 0'>" + body), 1, "must not be zero"},
           {in_world("<body name='a'>\n<freejoint/><joint/>" + body), 2, "only joint"},
           {"<mujoco><worldbody><body name='a'>" + body +
                "</worldbody>\n<equality><connect body1='a' body2='b' anchor='0 0 "
                "0'/></equality></mujoco>",
            2, "no body of this name"},
       }) {
    SCOPED_TRACE(fault.text);
    try {
      (void)converted(fault.text);
      ADD_FAILURE() << "no mistake was found";
    } catch (const InputError& error) {
      EXPECT_EQ(error.diagnostics().front().where.line, fault.line) << error.what();
      EXPECT_NE(std::string(error.what()).find(fault.words), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace tumble::convert
