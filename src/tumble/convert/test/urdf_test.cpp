// URDF: masses, centres and inertias as urdfdom reads them, what is listed, and what is refused.
#include <urdf_parser/urdf_parser.h>

#include <cmath>

#include "converted.hpp"
#include "tumble/convert/robot_file.hpp"

namespace tumble::convert {
namespace {

Vec3d as_vector(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }

/// The frame of a link by urdfdom's own poses and quaternions.
Frame frame_by_urdfdom(const urdf::Link& link) {
  if (!link.parent_joint) return {};
  const Frame parent = frame_by_urdfdom(*link.getParent());
  const urdf::Pose& pose = link.parent_joint->parent_to_joint_origin_transform;
  const urdf::Rotation& q = pose.rotation;
  return parent * Frame{as_vector(pose.position), matrix(Quaternion<double>{q.w, q.x, q.y, q.z})};
}

void expect_as_urdfdom_reads(const std::string& text) {
  const auto reference = urdf::parseURDF(text);
  ASSERT_TRUE(reference);
  const Model model = converted(text).model;
  std::size_t heavy = 0;
  for (const auto& [name, link] : reference->links_) {
    if (!link->inertial) continue;
    ++heavy;
    SCOPED_TRACE(name);
    const Body& body = body_named(model, name);
    const Frame frame = frame_by_urdfdom(*link);
    const urdf::Inertial& i = *link->inertial;
    EXPECT_NEAR(body.mass, i.mass, 1e-12 * i.mass);
    const Vec3d centre = frame.p + frame.R * as_vector(i.origin.position);
    EXPECT_LT(largest_entry(body.position - centre), 1e-12);
    // Compared in ground axes, so that it does not matter which axes a body has.
    const urdf::Rotation& q = i.origin.rotation;
    const Mat3d R = frame.R * matrix(Quaternion<double>{q.w, q.x, q.y, q.z});
    const auto expected = turned(R, {i.ixx, i.iyy, i.izz, i.ixy, i.ixz, i.iyz});
    const auto found = turned(rotation_matrix(body.orientation), body.inertia);
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(found[k], expected[k], 1e-12);
  }
  EXPECT_EQ(heavy, model.bodies.size());
}

TEST(Urdf, LinksAreAsUrdfdomReadsThem) {
  expect_as_urdfdom_reads(example_text("arm.urdf"));
  expect_as_urdfdom_reads(example_text("hopper.urdf"));
}

// By hand: base 0.85, upper arm 0.2 along x at 0.9, forearm, gripper along the same line.
TEST(Urdf, TheArmHasItsMassAndCentre) {
  const Model model = converted(example_text("arm.urdf")).model;
  double mass = 0;
  Vec3d moment;
  for (const Body& body : model.bodies) mass += body.mass, moment += body.mass * body.position;
  EXPECT_NEAR(mass, 7.5, 1e-12);
  EXPECT_NEAR(moment.x / mass, (2 * 0.2 + 1.2 * 0.55 + 0.3 * 0.73) / 7.5, 1e-12);
  EXPECT_NEAR(moment.y / mass, 0, 1e-12);
  EXPECT_NEAR(moment.z / mass, (4 * 0.85 + 3.5 * 0.9) / 7.5, 1e-12);
}

TEST(Urdf, WhatIsNotCarriedOverIsListed) {
  const auto notes = converted(example_text("arm.urdf")).text.notes;
  EXPECT_TRUE(mentions(notes, 35, "limits of joint 'shoulder': lower -2, upper 2, effort 50"));
  EXPECT_TRUE(mentions(notes, 36, "friction 0.1 of joint 'shoulder'"));
  EXPECT_TRUE(mentions(notes, 24, "collision"));
  EXPECT_TRUE(mentions(notes, 98, "transmission 'elbow_motor'"));
}

// knee = -2 hip + 0, as the file has it; what cannot be coupled is said.
TEST(Urdf, AJointThatMimicsAnotherIsCoupledToIt) {
  const Model hopper = converted(example_text("hopper.urdf")).model;
  ASSERT_EQ(hopper.couplers.size(), 1u);
  const auto& coupler = std::get<LinearCoupler>(hopper.couplers[0].kind);
  EXPECT_EQ(coupler.joints, (std::vector<CoordinateRef>{{"knee"}, {"hip"}}));
  EXPECT_EQ(coupler.coefficients, (std::vector<double>{1, 2}));
  EXPECT_FALSE(coupler.offset);
  std::string text = example_text("hopper.urdf");
  text.replace(text.find("multiplier=\"-2\" offset=\"0\""), 26, "multiplier=\"-2\" offset=\"1\"");
  const Trajectory moved = simulate(converted(text, {}, {.fixed_base = true}).model);
  const auto hip = last_values(moved, "hip", Quantity::angle),
             knee = last_values(moved, "knee", Quantity::angle);
  EXPECT_NEAR(knee[0], 1 - 2 * hip[0], 1e-9);
  text.replace(text.find("mimic joint=\"hip\""), 17, "mimic joint=\"hop\"");
  EXPECT_TRUE(mentions(converted(text).text.notes, 47, "joint 'knee' follows 'hop'"));
}

/// A rod of 1 kg whose centre is 1 m beside its hinge: it falls by positive angles.
std::string falling_rod(const std::string& parts) {
  return R"(<robot name="r"><link name="world"/><link name="rod"><inertial><origin xyz="1 0 0"/>
    <mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
    <joint name="hinge" type="revolute"><parent link="world"/><child link="rod"/><axis xyz="0 1 0"/>
    )" + parts +
         "</joint></robot>";
}

// The stop takes up what the rod has gained: 9.81 sin(0.5 + d) = 1e4 d^2 / 2.
TEST(Urdf, LimitsBecomeStopsOfAGivenStiffness) {
  const std::string urdf =
      falling_rod(R"(<limit lower="-0.25" upper="0.5" effort="7" velocity="2"/>)");
  const auto [text, model] = converted(urdf, {}, {.limit_stiffness = 1e4});
  ASSERT_EQ(model.forces.size(), 1u);
  const auto& stop = std::get<JointLimit>(model.forces[0].kind);
  EXPECT_EQ(stop.joint.name, "hinge");
  EXPECT_EQ(stop.lower, -0.25);
  EXPECT_EQ(stop.upper, 0.5);
  EXPECT_EQ(stop.stiffness, 1e4);
  EXPECT_TRUE(mentions(text.notes, 4, "limits of joint 'hinge': effort 7, velocity 2"));
  double largest = 0;
  for (const ProbeSeries& series : simulate(model).series)
    if (series.probe == "hinge" && series.quantity == Quantity::angle)
      largest = *std::ranges::max_element(series.values);
  EXPECT_GT(largest, 0.5);
  EXPECT_LT(largest, 0.5 + 0.0316);
  EXPECT_TRUE(mentions(converted(urdf).text.notes, 4, "lower -0.25, upper 0.5, effort 7"));
}

// Held by more friction than its weight can overcome, the rod creeps: v_t artanh(m g l / F).
TEST(Urdf, FrictionIsCarriedOverWithARate) {
  const std::string urdf = falling_rod(R"(<dynamics friction="100"/>)");
  const Converted rod = converted(urdf, {}, {.friction_rate = 1e-3});
  ASSERT_EQ(rod.model.forces.size(), 1u);
  EXPECT_EQ(std::get<JointFriction>(rod.model.forces[0].kind).constant, 100);
  EXPECT_TRUE(rod.text.notes.empty());
  const auto angle = last_values(simulate(rod.model), "hinge", Quantity::angle);
  EXPECT_NEAR(angle[0], 1e-3 * std::atanh(9.81 / 100), 1e-6);
}

TEST(Urdf, LinksWithoutMassBecomeMarkersOrJoints) {
  const Model arm = converted(example_text("arm.urdf")).model;
  const Body& gripper = body_named(arm, "gripper");
  ASSERT_EQ(gripper.markers.size(), 1u);
  EXPECT_EQ(gripper.markers[0].name, "tool0");
  EXPECT_NEAR(gripper.markers[0].position.x, 0.78, 1e-12);
  // Two hinges across a massless cross are a Cardan joint.
  const std::string urdf = R"(<robot name="r"><link name="world"/><link name="cross"/>
    <joint name="first" type="continuous"><parent link="world"/><child link="cross"/><axis xyz="1 0 0"/></joint>
    <joint name="second" type="continuous"><parent link="cross"/><child link="body"/><axis xyz="0 1 0"/></joint>
    <link name="body"><inertial><origin xyz="0 0 -1"/><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>)";
  const Model cardan = converted(urdf).model;
  ASSERT_EQ(cardan.joints.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<UniversalJoint>(cardan.joints[0].kind));
}

TEST(Urdf, PlanarFloatingAndFixedJoints) {
  const std::string body = R"(<inertial><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>)";
  const auto urdf = [&](const std::string& type) {
    return R"(<robot name="r"><link name="world"/><joint name="j" type=")" + type +
           R"("><parent link="world"/><child link="b"/><axis xyz="0 0 1"/></joint><link name="b">)" +
           body + "</robot>";
  };
  const Model planar = converted(urdf("planar")).model;
  EXPECT_EQ(make_plan(planar).degrees_of_freedom(), 3);
  EXPECT_EQ(make_plan(converted(urdf("floating")).model).degrees_of_freedom(), 6);
  EXPECT_EQ(make_plan(converted(urdf("prismatic")).model).degrees_of_freedom(), 1);
  EXPECT_EQ(converted(urdf("fixed")).model.joints.size(), 1u);
}

TEST(Urdf, TheBaseIsHeldOnRequest) {
  EXPECT_EQ(make_plan(converted(example_text("hopper.urdf")).model).degrees_of_freedom(), 7);
  EXPECT_EQ(make_plan(converted(example_text("hopper.urdf"), {}, {.fixed_base = true}).model)
                .degrees_of_freedom(),
            1);
}

// Whole files: others read them, unchanged links keep their text, and reading them back gives the
// numbers that were put in.
TEST(Urdf, WholeFilesHoldTheNumbersOfAModel) {
  const std::string text = example_text("arm.urdf");
  const RobotFile file(text, "arm.urdf", {.directory = example_directory()});
  Model model = converted(text).model;
  EXPECT_EQ(urdf::parseURDF(file.with(model, ""))->getLink("forearm")->inertial->origin.position.z,
            0.15);
  EXPECT_NE(file.with(model, "").find("rpy=\"0 0.3 0\""), std::string::npos);
  for (Body& body : model.bodies)
    if (body.name == "forearm") {
      body.mass = 1.5;
      body.position += Vec3d{0.01, 0.02, -0.03};
      body.inertia = {0.02, 0.021, 0.004, 0.001, -0.002, 0.0005};
    }
  for (Force& force : model.forces)
    if (auto* spring = std::get_if<TorsionSpring>(&force.kind); spring && force.name == "elbow")
      spring->damping.slope = 0.7;
    else if (auto* bushing = std::get_if<Bushing>(&force.kind))
      bushing->damping[2] = 9;
  const std::string written = file.with(model, "realisation 3");
  expect_as_urdfdom_reads(written);
  const auto read = urdf::parseURDF(written);
  EXPECT_EQ(read->getLink("forearm")->inertial->mass, 1.5);
  EXPECT_EQ(read->getJoint("elbow")->dynamics->damping, 0.7);
  EXPECT_EQ(read->getJoint("slide")->dynamics->damping, 9);
  EXPECT_EQ(read->getJoint("shoulder")->dynamics->damping, 0.4);
  EXPECT_EQ(read->getJoint("shoulder")->limits->upper, 2);
  const Model again = converted(written).model;
  const Body &a = body_named(again, "forearm"), &b = body_named(model, "forearm");
  EXPECT_LT(largest_entry(a.position - b.position), 1e-14);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(a.inertia[k], b.inertia[k], 1e-15);
  EXPECT_NE(written.find("realisation 3"), std::string::npos);
  EXPECT_NE(written.find("<!-- A frame without a mass"), std::string::npos);
  EXPECT_EQ(file.without_place({"bodies.forearm.mass", "forces.elbow.damping",
                                "forces.slide.damping[2]", "forces.elbow.angle", "gravity[2]"}),
            (std::vector<std::string>{"forces.elbow.angle", "gravity[2]"}));
}

struct Fault {
  std::string text;
  int line;
  std::string words;
};

void expect_fault(const Fault& fault) {
  SCOPED_TRACE(fault.text);
  try {
    (void)converted(fault.text);
    ADD_FAILURE() << "no mistake was found; expected: " << fault.words;
  } catch (const InputError& error) {
    const Diagnostic& first = error.diagnostics().front();
    EXPECT_EQ(first.where.file, "robot.xml");
    EXPECT_EQ(first.where.line, fault.line);
    EXPECT_NE(std::string(error.what()).find(fault.words), std::string::npos) << error.what();
  }
}

TEST(Urdf, MistakesAreReportedWithTheirLine) {
  const std::string mass =
      "<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
      "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>";
  for (const Fault& fault : std::vector<Fault>{
           {"", 1, "the file is empty"},
           {"gravity: [0, 0, 1]", 1, "has no end"},
           {"<robot name='a'>\n<link name='b'>\n</robot>", 2, "not closed"},
           {"\n<sdf version='1.6'/>", 2, "SDF is not read"},
           {"<robot name='a'>\n\n</robot>", 1, "has no link"},
           {"<robot xmlns:xacro='x' name='a'>\n<xacro:macro name='m'/></robot>", 2, "xacro"},
           {"<robot name='a'>\n<link name='b'><inertial>\n<mass "
            "value='${m}'/></inertial></link></robot>",
            3, "xacro"},
           {"<robot name='a'>\n<link/></robot>", 2, "name, required"},
           {"<robot name='a'><link name='b'/>\n<link name='b'/></robot>", 2, "stands twice"},
           {"<robot name='a'><link name='b'>\n<inertial>\n<mass value='x'/><inertia ixx='1' "
            "ixy='0' "
            "ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link></robot>",
            3, "must be a finite number"},
           {"<robot name='a'><link name='b'><inertial>\n<mass value='-1'/><inertia ixx='1' ixy='0' "
            "ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link></robot>",
            2, "must be > 0"},
           {"<robot name='a'><link name='b'><inertial><mass value='1'/>\n<inertia ixx='1' ixy='0' "
            "ixz='0' iyy='1' iyz='0' izz='3'/></inertial></link></robot>",
            2, "no solid"},
           {"<robot name='a'><link name='b'><inertial><mass value='1'/>\n<inertia ixx='1' ixy='0' "
            "ixz='0' iyy='1' iyz='0'/></inertial></link></robot>",
            2, "izz, required"},
           {"<robot name='a'><link name='base'>" + mass +
                "</link>\n<joint name='j' type='revolute'>\n<parent link='bass'/><child "
                "link='base'/></joint></robot>",
            3, "did you mean 'base'?"},
           {"<robot name='a'><link name='b'>" + mass +
                "</link><link name='c'/>\n<joint name='j' "
                "type='screw'><parent link='b'/><child link='c'/></joint></robot>",
            2, "must be one of revolute"},
           {"<robot name='a'><link name='b'>" + mass + "</link><link name='c'>" + mass +
                "</link>\n<joint "
                "name='j' type='revolute'><parent link='b'/><child link='c'/>\n<axis xyz='0 0 "
                "0'/></joint></robot>",
            3, "must have a direction"},
           {"<robot name='a'><link name='b'>" + mass + "</link>\n<link name='c'/></robot>", 2,
            "a robot has one root"},
           {"<robot name='a'><link name='b'/><link name='c'/><joint name='j' type='fixed'><parent "
            "link='b'/><child link='c'/></joint>\n<joint name='k' type='fixed'><parent "
            "link='c'/><child "
            "link='b'/></joint></robot>",
            1, "form a ring"},
           {"<robot name='a'><link name='w'/>\n<link name='m'/><joint name='j' "
            "type='revolute'><parent "
            "link='w'/><child link='m'/></joint><link name='b'>" +
                mass +
                "</link><joint name='k' "
                "type='floating'><parent link='m'/><child link='b'/></joint></robot>",
            2, "moves and has no mass"},
           {"<robot name='a'><link name='b'/></robot>", 0, "nothing to move"},
       })
    expect_fault(fault);
}

}  // namespace
}  // namespace tumble::convert
