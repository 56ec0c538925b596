// The motion of the scene, against runs of the same models without it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>

#include "tumble/integrate/run.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/model/composite.hpp"
#include "tumble/model/parameters.hpp"
#include "tumble/report/energy.hpp"
#include "tumble/report/payload.hpp"
#include "tumble/report/scene/scene_parts.hpp"
#include "tumble/report/test/decoded.hpp"
#include "tumble/report/test/invented_results.hpp"

namespace tumble::report {
namespace {

using testing::Invented;
using testing::TemporaryDirectory;
using testing::write_invented;

/// The tip of the pendulum for a mass, from a run of its own: [time][axis].
std::vector<double> tip_of(double mass) {
  const ModelFile file = read_model_text(testing::pendulum_yaml(), "pendulum.yaml");
  const Plan plan = make_plan(compile(file.model));
  Realization realization(file.model);
  realization.set(plan.system->parameters.find("bodies.bob.mass"), mass);
  return run(plan, realization.model()).series[0].values;
}

/// The tip, half a metre from the reference point along the body's x axis, from a pose.
Vec3d tip_from(const double* pose) {
  const Quaternion<double> q{pose[3], pose[4], pose[5], pose[6]};
  return Vec3d{pose[0], pose[1], pose[2]} + matrix(q) * Vec3d{0.5, 0, 0};
}

TEST(ReportScene, PosesAreThoseOfTheRuns) {
  const TemporaryDirectory directory;
  const Invented what;
  write_invented(directory.path(), what);
  const Payload payload = make_payload({directory.path()});
  const Json& study = payload.report["studies"][0];
  const Json& scene = study["scene"];
  ASSERT_FALSE(scene.is_null()) << study["summary"]["warnings"].dump();
  const auto array = [&](const Json& ref) { return testing::decoded(payload.blob.bytes(), ref); };
  const auto expect_motion = [](const double* poses, const std::vector<double>& tip) {
    for (std::size_t t = 0; t < 11; ++t) {
      const Vec3d found = tip_from(poses + 7 * t);
      // Single precision, of coordinates up to 1.
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(found[k], tip[3 * t + static_cast<std::size_t>(k)], 5e-7) << t;
    }
  };
  EXPECT_EQ(array(scene["time"]).size(), 11u);
  const Json& body = scene["bodies"][0];
  EXPECT_EQ(body["name"], "bob");
  EXPECT_EQ(body["given"], false);
  EXPECT_EQ(body["random"], true);
  expect_motion(array(body["nominal"]).data(), tip_of(2));
  const std::vector<double> ghosts = array(body["samples"]);
  const std::vector<double> curves = array(study["curves"][0]["samples"]);
  ASSERT_EQ(scene["samples"].size(), 40u);
  EXPECT_EQ(scene["mean_of"], 64);
  for (std::size_t s = 0; s < 40; s += 13) {
    const std::vector<double> tip = tip_of(what.input(scene["samples"][s].get<std::size_t>()));
    expect_motion(&ghosts[s * 77], tip);
    for (std::size_t i = 0; i < 33; ++i) EXPECT_NEAR(curves[s * 33 + i], tip[i], 1e-7);
  }
  EXPECT_EQ(scene["joints"][0]["axis"], (Json{0.0, 1.0, 0.0}));
  EXPECT_EQ(scene["joints"][0]["at"]["point"], (Json{-0.5, 0.0, 0.0}));
  EXPECT_EQ(scene["marks"][0]["curve"], 0);
  EXPECT_EQ(study["summary"]["degrees_of_freedom"], 1);
}

// They have no orientation that could be asked for.
TEST(ReportScene, PointMassesAreDrawnUnturned) {
  const ModelFile file = read_model_text(R"(
bodies: {ball: {mass: 1, inertia: none, position: [0, 0, 0], velocity: [1, 2, 3]}}
probes: {ball: {body: ball, quantities: [position]}}
simulation: {duration: 1, step: 0.1}
)",
                                         "ball.yaml");
  const SceneModel scene(file.model);
  const NominalMotion motion = nominal_motion(make_plan(compile(scene.model)), scene);
  std::vector<double> pose(scene.pose_size());
  ASSERT_EQ(pose.size(), 7U);
  scene.poses(&motion.values[10 * scene.numbers], pose.data());
  const double expected[] = {1, 2, 3, 1, 0, 0, 0};
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(pose[i], expected[i], 1e-12) << i;
}

// By counts alone: a page must not depend on how fast the computer is.
TEST(ReportScene, LargeMachinesAreDrawnLessOften) {
  System system{Model{}};
  system.nv = 30;
  system.nc = 20;
  RunStatistics nominal;
  nominal.iterations = 10'000;
  EXPECT_EQ(affordable_runs(system, nominal, 64), 64u);
  nominal.iterations = 100'000;
  EXPECT_EQ(affordable_runs(system, nominal, 64), 20u);
  system.beam_size = 30;
  EXPECT_EQ(affordable_runs(system, nominal, 64), 8u);
}

TEST(ReportScene, QuaternionsOfBothSignsAreOneRotation) {
  const ModelFile file = read_model_text(testing::pendulum_yaml(), "pendulum.yaml");
  const SceneModel scene(file.model);
  const std::vector<double> pose{1, 2, 3, 0.8, 0, 0.6, 0};
  std::vector<std::pair<std::size_t, SceneRun>> runs(2);
  runs[0].second.poses = {0, 2, 3, 0.8, 0, 0.6, 0};
  runs[1].second.poses = {2, 2, 3, -0.8, 0, -0.6, 0};
  const std::vector<double> mean = mean_poses(scene, pose, runs);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(mean[i], pose[i], 1e-15);
}

/// Two bodies, a beam, and every kind of force and joint; a machine to be drawn, not to be run.
Model everything() {
  Model model;
  for (const char* name : {"a", "b"}) {
    Body body;
    body.name = name;
    body.mass = 1;
    body.inertia = {1, 1, 1, 0, 0, 0};
    body.position = {name[0] == 'a' ? 1.0 : 2.0, 0, 0};
    model.bodies.push_back(body);
  }
  Beam beam;
  beam.name = "arm";
  beam.line = {Vec3d{0, 1, 0}, Vec3d{3, 1, 0}};
  beam.elements = 3;
  beam.section.circle = CircleSection{.radius = 0.1};
  model.beams.push_back(beam);
  const std::array<MarkerRef, 2> ends{MarkerRef{"a"}, MarkerRef{"b"}};
  const auto all_of = [&]<class... Kinds>(std::type_identity<std::variant<Kinds...>>, auto add) {
    (add(Kinds{}), ...);
  };
  all_of(std::type_identity<ForceKind>{}, [&](auto kind) {
    if constexpr (requires { kind.between; }) kind.between = ends;
    if constexpr (requires { kind.points; }) kind.points = {Vec3d{1, 0, 0}, Vec3d{2, 0, 0}};
    if constexpr (requires { kind.point; }) kind.point = Vec3d{1.5, 0, 0};
    if constexpr (requires { kind.body; }) kind.body.name = "b";
    if constexpr (requires { kind.beam; }) kind.beam.name = "arm";
    if constexpr (requires { kind.joint; }) kind.joint.name = "joint revolute";
    if constexpr (requires { kind.ends; }) kind.ends = ends, kind.place = Vec3d{1.5, 0, 0};
    model.forces.push_back({"force " + std::string(kind.type), kind});
  });
  // An expression acts in three more ways.
  ExpressionForce line, on_body, on_joint;
  line.ends = ends;
  line.line = {Vec3d{1, 0, 0}, Vec3d{2, 0, 0}};
  line.tension = "1";
  on_body.on_body = BodyRef{"b"};
  on_joint.on_joint = JointRef{"joint revolute"};
  model.forces.push_back({"line expression", line});
  model.forces.push_back({"body expression", on_body});
  model.forces.push_back({"joint expression", on_joint});
  all_of(std::type_identity<JointKind>{}, [&](auto kind) {
    kind.between = ends;
    if constexpr (requires { kind.points; }) kind.points = {Vec3d{1, 0, 0}, Vec3d{2, 0, 0}};
    if constexpr (requires { kind.point; }) kind.point = Vec3d{1.5, 0, 0};
    if constexpr (requires { kind.axis; }) kind.axis = Vec3d{0, 0, 1};
    model.joints.push_back({"joint " + std::string(kind.type), kind});
  });
  return model;
}

TEST(ReportScene, NoElementIsLeftOut) {
  const SceneModel scene(everything());
  std::multiset<std::string> drawn;
  for (const Json& parts : {scene_joints(scene), scene_springs(scene), scene_loads(scene)})
    for (const Json& part : parts) {
      drawn.insert(part["name"]);
      EXPECT_TRUE(part["name"].get<std::string>().ends_with(part["type"].get<std::string>()));
      EXPECT_TRUE(part.contains("ends") ? part["ends"].size() == 2 : part["at"].is_object())
          << part.dump();
    }
  std::multiset<std::string> described;
  for (const Force& force : scene.model.forces) described.insert(force.name);
  for (const Joint& joint : scene.model.joints) described.insert(joint.name);
  EXPECT_EQ(drawn, described);
}

TEST(ReportScene, ContactsAreDrawnAsTheirSurfaces) {
  Model model = everything();
  model.forces.clear();
  const std::array<MarkerRef, 2> ends{MarkerRef{"ground"}, MarkerRef{"b"}};
  PlaneContact floor;
  floor.between = ends;
  floor.points = {Vec3d{9, 9, -1}, Vec3d{2, 0, 0}};
  floor.normal = Vec3d{0, 0, 3};
  CylinderContact pin;
  pin.between = ends;
  pin.points = {Vec3d{2, 0, -1}, Vec3d{2, 0, 0}};
  pin.axis = Vec3d{0, 2, 0};
  pin.surface_radius = 0.5;
  HeightFieldContact hills;
  hills.between = ends;
  hills.points = {Vec3d{}, Vec3d{2, 0, 0}};
  hills.spacing = {2, 3};
  hills.heights.assign(100, std::vector<double>(70, 0.25));
  model.forces = {{"floor", floor}, {"pin", pin}, {"hills", hills}};
  const Json links = scene_springs(SceneModel(model));
  // The part of the plane that is below the body.
  EXPECT_EQ(links[0]["surface"]["at"]["point"], (Json{2.0, 0.0, -1.0}));
  EXPECT_EQ(links[0]["surface"]["axis"], (Json{0.0, 0.0, 1.0}));
  EXPECT_EQ(links[1]["surface"]["kind"], "cylinder");
  EXPECT_TRUE(links[1]["surface"]["length"].is_null());
  // Every other height, so that there are at most 60 a side.
  EXPECT_EQ(links[2]["surface"]["rows"], 50);
  EXPECT_EQ(links[2]["surface"]["columns"], 35);
  EXPECT_EQ(links[2]["surface"]["points"].size(), 50u * 35u);
  EXPECT_EQ(links[2]["surface"]["points"].back(), (Json{136.0, 294.0, 0.25}));
}

TEST(ReportScene, LoadsAreDrawnWhereTheyAct) {
  Model model = everything();
  model.forces.clear();
  PointLoad tip;
  tip.beam.name = "arm";
  LineLoad along;
  along.beam.name = "arm";
  AppliedForce push;
  push.body.name = "b";
  push.point = Vec3d{2.5, 0, 1};
  AppliedForce centre;
  centre.body.name = "b";
  model.forces = {{"tip", tip}, {"along", along}, {"push", push}, {"centre", centre}};
  const SceneModel scene(model);
  const Json loads = scene_loads(scene);
  const auto station = [&](std::size_t i) {
    return scene.stations[0][loads[i]["at"]["station"].get<std::size_t>()];
  };
  EXPECT_EQ(station(0), 1.0);
  EXPECT_NEAR(station(1), 0.5, 0.5 / 3);  // there may be no station in the very middle
  EXPECT_EQ(loads[2]["at"]["body"], 1);
  EXPECT_EQ(loads[2]["at"]["point"], (Json{0.5, 0.0, 1.0}));
  EXPECT_EQ(loads[3]["at"]["point"], (Json{0.0, 0.0, 0.0}));
}

TEST(ReportScene, ABoxIsFoundFromItsInertia) {
  const Vec3d size{0.3, 1.2, 0.7};
  const double m = 5, x = size.x * size.x, y = size.y * size.y, z = size.z * size.z;
  const Vec3d found = equivalent_box(m, {m * (y + z) / 12, m * (x + z) / 12, m * (x + y) / 12});
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], size[k], 1e-14);
  // A thin rod keeps some thickness.
  const Vec3d rod = equivalent_box(1, {0, 1.0 / 12, 1.0 / 12});
  EXPECT_NEAR(rod.x, 1, 1e-14);
  EXPECT_NEAR(rod.y, 0.02, 1e-14);
}

TEST(ReportScene, TurnedInertiaIsATurnedBox) {
  // The box above turned by 30 degrees about z: the corners of the mesh have the box's distances.
  const double c = std::sqrt(0.75), s = 0.5;
  Body body;
  body.mass = 12;
  const double xx = 2.0, yy = 1.0, zz = 2.5;
  body.inertia = {c * c * xx + s * s * yy, s * s * xx + c * c * yy, zz, c * s * (xx - yy), 0, 0};
  Blob blob;
  const Json shapes = body_shapes(body, blob);
  ASSERT_EQ(shapes[0]["type"], "mesh");
  const std::vector<double> v = testing::decoded(blob.bytes(), shapes[0]["vertices"]);
  const Vec3d size = equivalent_box(12, {xx, yy, zz});
  for (std::size_t i = 0; i < 24; i += 3) {
    // In the axes of the box every corner is at half the edges.
    const double along = c * v[i] + s * v[i + 1], across = -s * v[i] + c * v[i + 1];
    EXPECT_NEAR(std::abs(along), size.x / 2, 1e-6);
    EXPECT_NEAR(std::abs(across), size.y / 2, 1e-6);
    EXPECT_NEAR(std::abs(v[i + 2]), size.z / 2, 1e-6);
  }
}

TEST(ReportScene, SolidsAreDrawnWhereTheyAre) {
  // A body turned by a quarter about z: what is 1 m ahead along the ground's x is at -y of its
  // axes.
  Body body;
  body.mass = 1;
  body.inertia = {1, 1, 1, 0, 0, 0};
  body.position = {2, 0, 0};
  body.orientation = {Orientation::Form::axes, "", {0, 1, 0, -1, 0, 0}};
  DrawnShape drawn;
  drawn.shape.kind = tumble::Shape::Kind::cylinder;
  drawn.shape.radius = 0.1, drawn.shape.length = 1, drawn.shape.axis = 0;
  drawn.position = Vec3d{3, 0, 0};
  drawn.orientation = Orientation{};
  auto mesh = std::make_shared<ShapeMesh>();
  mesh->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
  mesh->triangles = {{0, 1, 2}};
  DrawnShape surface = drawn;
  surface.shape = {};
  surface.shape.kind = tumble::Shape::Kind::mesh;
  surface.shape.mesh = mesh;
  body.drawing = {drawn, surface};
  Blob blob;
  const Json shapes = body_shapes(body, blob);
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[0]["type"], "cylinder");
  EXPECT_NEAR(shapes[0]["center"][0], 0, 1e-15);
  EXPECT_NEAR(shapes[0]["center"][1], -1, 1e-15);
  EXPECT_NEAR(shapes[0]["axis"][1], -1, 1e-15);
  const std::vector<double> v = testing::decoded(blob.bytes(), shapes[1]["vertices"]);
  ASSERT_EQ(v.size(), 9u);
  EXPECT_NEAR(v[3], 0, 1e-6);
  EXPECT_NEAR(v[4], -2, 1e-6);
  EXPECT_NEAR(v[8], 1, 1e-6);
}

TEST(ReportScene, PartsAreDrawnAndHolesAreNot) {
  Body body;
  body.orientation = {Orientation::Form::axes, "", {0, 1, 0, -1, 0, 0}};
  for (const char* name : {"rod", "bore", "screw", "motor"}) {
    Part part;
    part.name = name;
    part.mass = 1;
    part.position = {3, 0, 0};
    body.parts.push_back(part);
  }
  body.parts[0].cylinder = CylinderPart{0.1, 1, PartAxis::x};
  body.parts[1].cylinder = CylinderPart{0.05, 1, PartAxis::x};
  body.parts[1].hole = true;
  body.parts[1].mass = 0.25;
  body.parts[2].position = {1, 0, 0};
  body.parts[3].position = {2, 0, 0};
  body.parts[3].orientation = Orientation{};
  body.parts[3].inertia = {0.2, 0.3, 0.4, 0, 0, 0};
  settle_parts(body);
  const double x = (0.75 * 3 + 1 + 2) / 2.75;
  Blob blob;
  const Json shapes = body_shapes(body, blob);
  ASSERT_EQ(shapes.size(), 3u);
  EXPECT_EQ(shapes[0]["type"], "cylinder");
  EXPECT_NEAR(shapes[0]["center"][1], x - 3, 1e-14);  // ahead along the ground's x is -y
  EXPECT_NEAR(shapes[0]["axis"][0], 1, 1e-15);        // its axes are those of the body
  EXPECT_EQ(shapes[1]["type"], "sphere");
  EXPECT_NEAR(shapes[1]["center"][1], x - 1, 1e-14);
  EXPECT_GT(shapes[1]["radius"], 0);
  // Edges of the box with this inertia: 6 (sum - 2 J) / m, turned by a quarter.
  EXPECT_EQ(shapes[2]["type"], "box");
  EXPECT_NEAR(shapes[2]["center"][1], x - 2, 1e-14);
  EXPECT_NEAR(shapes[2]["size"][1], std::sqrt(6 * (0.9 - 0.4)), 1e-12);
  EXPECT_NEAR(shapes[2]["size"][0], std::sqrt(6 * (0.9 - 0.6)), 1e-12);
}

TEST(ReportScene, LargeMeshesAreThinned) {
  // A sheet of 200 x 200 squares, 80 000 triangles; what is left spans the same square.
  auto mesh = std::make_shared<ShapeMesh>();
  const std::size_t n = 200;
  for (std::size_t i = 0; i <= n; ++i)
    for (std::size_t j = 0; j <= n; ++j)
      mesh->vertices.push_back({static_cast<double>(i), static_cast<double>(j), 0});
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t a = i * (n + 1) + j;
      mesh->triangles.push_back({a, a + 1, a + n + 1});
      mesh->triangles.push_back({a + 1, a + n + 2, a + n + 1});
    }
  Body body;
  DrawnShape sheet;
  sheet.shape.kind = tumble::Shape::Kind::mesh;
  sheet.shape.mesh = mesh;
  body.drawing = {sheet};
  Blob blob;
  const Json shapes = body_shapes(body, blob);
  const auto triangles = shapes[0]["triangles"]["shape"][0].get<std::size_t>();
  EXPECT_LE(triangles, 4000u);
  EXPECT_GT(triangles, 500u);
  const std::vector<double> v = testing::decoded(blob.bytes(), shapes[0]["vertices"]);
  EXPECT_EQ(*std::max_element(v.begin(), v.end()), 200);
  EXPECT_EQ(*std::min_element(v.begin(), v.end()), 0);
}

TEST(ReportEnergy, OfAFallingBeamIsThatOfItsMass) {
  // Free fall for 0.1 s from a height of 2 m: rho A L g z, and half the mass times the square of
  // the velocity; no strain.
  const ModelFile file = read_model_text(R"(
gravity: [0, 0, -10]
beams:
  arm:
    line: [[0, 0, 2], [1.5, 0, 2]]
    elements: 3
    section: {rectangle: {height: 0.1, width: 0.2}}
    youngs_modulus: 1e8
    poisson_ratio: 0.3
    density: 1000
probes:
  end: {beam: arm, at: 0.9, quantities: [position]}
simulation: {duration: 0.1, step: 1e-3, output_step: 0.05}
)",
                                         "beam.yaml");
  const SceneModel scene(file.model);
  ASSERT_EQ(scene.stations[0].size(), 14u);  // four to an element, the last, and the probe's
  const Plan plan = make_plan(compile(scene.model));
  const NominalMotion motion = nominal_motion(plan, scene);
  Blob blob;
  const Json energy = energy_of(scene, motion.values, {0, 1, 2}, {0, 0.05, 0.1}, blob);
  const auto array = [&](const char* name) { return testing::decoded(blob.bytes(), energy[name]); };
  const double mass = 30;
  EXPECT_NEAR(array("potential")[0], mass * 10 * 2, 1e-9);
  EXPECT_NEAR(array("potential")[2], mass * 10 * (2 - 0.05), 1e-4);
  EXPECT_NEAR(array("kinetic")[2], mass / 2, 1e-4);
  EXPECT_NEAR(array("elastic")[2], 0, 1e-6);
  EXPECT_EQ(array("work")[2], 0);
}

TEST(ReportEnergy, WorkIsUnknownWhereEnergyComesOrGoes) {
  const ModelFile file = read_model_text(testing::pendulum_yaml(), "pendulum.yaml");
  Model model = file.model;
  EXPECT_TRUE(is_conservative(model));
  Spring spring;
  spring.stiffness.slope = 3;
  model.forces.push_back({"s", spring});
  EXPECT_TRUE(is_conservative(model));
  spring.damping.slope = 0.1;
  model.forces.back().kind = spring;
  EXPECT_FALSE(is_conservative(model));
  model.forces.back().kind = AppliedForce{};
  EXPECT_FALSE(is_conservative(model));
}

}  // namespace
}  // namespace tumble::report
