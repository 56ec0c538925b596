#include "tumble/io/model_reader.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <numbers>

#include "source_directory.hpp"
#include "tumble/base/sha256.hpp"
#include "tumble/model/visit_numbers.hpp"

namespace tumble {
namespace {

constexpr double pi = std::numbers::pi;

const char* bodies_and_time = R"(
bodies:
  a: {mass: 1, position: [0, 0, 0], inertia: [1, 1, 1]}
  b:
    mass: 2
    position: [1, 0, 0]
    inertia: [1, 1, 1]
    markers:
      tip: {position: [1, 2, 3]}
simulation: {duration: 1, step: 0.01}
)";

Model read(const std::string& text) {
  return read_model_text(text + bodies_and_time, "test.yaml").model;
}

template <class Kind, class Element>
const Kind& only(const std::vector<Element>& elements) {
  EXPECT_EQ(elements.size(), 1u);
  return std::get<Kind>(elements.at(0).kind);
}

void expect_vector(const Vec3d& v, double x, double y, double z) {
  EXPECT_DOUBLE_EQ(v.x, x);
  EXPECT_DOUBLE_EQ(v.y, y);
  EXPECT_DOUBLE_EQ(v.z, z);
}

using Numbers = std::vector<double>;

TEST(ModelReader, TitleGravityConstantsGround) {
  const Model m = read(R"(
$schema: model.schema.json
title: A machine
constants: {g: -9.81 * planet, planet: half * 2, half: 1 / 2}
gravity: [0, 0, g]
ground:
  markers:
    o: {position: [1, 2, 3], orientation: {euler: [30*deg, 0, 0], sequence: xyz}}
)");
  EXPECT_EQ(m.title, "A machine");
  expect_vector(m.gravity, 0, 0, -9.81);
  ASSERT_EQ(m.ground_markers.size(), 1u);
  EXPECT_EQ(m.ground_markers[0].name, "o");
  expect_vector(m.ground_markers[0].position, 1, 2, 3);
  EXPECT_EQ(m.ground_markers[0].orientation.form, Orientation::Form::euler);
  EXPECT_EQ(m.ground_markers[0].orientation.sequence, "xyz");
  EXPECT_EQ(m.ground_markers[0].orientation.numbers, (Numbers{30 * pi / 180, 0, 0}));
}

TEST(ModelReader, Bodies) {
  const auto file = read_model_text(R"(
bodies:
  three: {mass: 3, position: [1, 2, 3], inertia: [4, 5, 6], velocity: [7, 8, 9],
          angular_velocity: [1, 0, -1]}
  six: {mass: 1, position: [0, 0, 0], inertia: [4, 5, 6, 0.1, 0.2, 0.3],
        orientation: [0, 1, 0, 0]}
  nine: {mass: 1, position: [0, 0, 0], inertia: [[4, 0.1, 0.2], [0.1, 5, 0.3], [0.2, 0.3, 6]],
         orientation: {quaternion: [0, 0, 1, 0]}}
  box: {position: [0, 0, 0], shape: {box: {size: [1, 2, 3], density: 100}},
        orientation: {rotation_vector: [0, 0, pi/2]}}
  drawn: {mass: 1, position: [0, 0, 0], inertia: [1, 1, 1], shape: {sphere: {radius: 2}},
          orientation: {x: [0, 1, 0], y: [-1, 0, 0]}}
  rod: {position: [0, 0, 0], inertia: [3, 3, 3],
        shape: {cylinder: {radius: 0.1, length: 2, axis: y, density: 1000}}}
simulation: {duration: 2, step: 1e-3, output_step: 0.1, spectral_radius: 0.6,
             newton_tolerance: 1e-9, max_iterations: 20, max_halvings: 3}
)",
                                    "test.yaml");
  const auto& b = file.model.bodies;
  ASSERT_EQ(b.size(), 6u);
  EXPECT_EQ(b[0].name, "three");
  EXPECT_EQ(b[0].mass, 3);
  expect_vector(b[0].position, 1, 2, 3);
  EXPECT_EQ(b[0].inertia, (std::array<double, 6>{4, 5, 6, 0, 0, 0}));
  expect_vector(b[0].velocity, 7, 8, 9);
  expect_vector(b[0].angular_velocity, 1, 0, -1);
  EXPECT_EQ(b[0].orientation.numbers, (Numbers{1, 0, 0, 0}));
  EXPECT_EQ(b[1].inertia, (std::array<double, 6>{4, 5, 6, 0.1, 0.2, 0.3}));
  EXPECT_EQ(b[1].orientation.numbers, (Numbers{0, 1, 0, 0}));
  EXPECT_EQ(b[2].inertia, b[1].inertia);
  EXPECT_EQ(b[2].orientation.numbers, (Numbers{0, 0, 1, 0}));
  EXPECT_DOUBLE_EQ(b[3].mass, 600);
  EXPECT_EQ(b[3].inertia, (std::array<double, 6>{650, 500, 250, 0, 0, 0}));
  EXPECT_EQ(b[3].orientation.form, Orientation::Form::rotation_vector);
  EXPECT_EQ(b[3].orientation.numbers, (Numbers{0, 0, pi / 2}));
  EXPECT_EQ(b[4].shape.kind, Shape::Kind::sphere);
  EXPECT_EQ(b[4].shape.radius, 2);
  EXPECT_EQ(b[4].orientation.form, Orientation::Form::axes);
  EXPECT_EQ(b[4].orientation.numbers, (Numbers{0, 1, 0, -1, 0, 0}));
  EXPECT_DOUBLE_EQ(b[5].mass, 20 * pi);
  EXPECT_EQ(b[5].inertia[0], 3);
  EXPECT_EQ(b[5].shape.axis, 1);
  const Simulation& s = file.model.simulation;
  EXPECT_EQ(s.duration, 2);
  EXPECT_EQ(s.step, 1e-3);
  EXPECT_EQ(s.output_step, 0.1);
  EXPECT_EQ(s.spectral_radius, 0.6);
  EXPECT_EQ(s.newton_tolerance, 1e-9);
  EXPECT_EQ(s.max_iterations, 20);
  EXPECT_EQ(s.max_halvings, 3);
}

TEST(ModelReader, JointsWithAFrame) {
  const std::string drive = "drives: {m: {type: constant, value: 1}}\n";
  const auto m = read(drive + R"(
joints:
  f: {type: fixed, between: [a, b], point: [1, 2, 3], motion: {x: m}}
  r: {type: revolute, between: [ground, b], point: [0, 0, 1], axis: [0, 1, 0], motion: {rz: m}}
  p: {type: prismatic, between: [a, b.tip]}
  c: {type: cylindrical, between: [b.tip, ground], axis: [1, 0, 0]}
  s: {type: spherical, between: [a, b], point: [0, 0, 0]}
  u: {type: universal, between: [a, b], point: [0, 0, 0], axis_first: [1, 0, 0],
      axis_second: [0, 0, 2]}
  g: {type: general, between: [a, b], point: [0, 0, 0], locked: [z, rx, ry],
      orientation: {rotation_vector: [0.1, 0, 0]}, motion: {z: m}}
)");
  ASSERT_EQ(m.joints.size(), 7u);
  const auto& f = std::get<FixedJoint>(m.joints[0].kind);
  EXPECT_EQ(f.between[0].name, "a");
  expect_vector(f.point.value(), 1, 2, 3);
  EXPECT_EQ(f.motion.drive, (std::array<std::string, 6>{"m", "", "", "", "", ""}));
  const auto& r = std::get<RevoluteJoint>(m.joints[1].kind);
  EXPECT_EQ(r.between[0].name, "ground");
  expect_vector(r.axis.value(), 0, 1, 0);
  EXPECT_EQ(r.motion.drive[5], "m");
  EXPECT_EQ(std::get<PrismaticJoint>(m.joints[2].kind).between[1].name, "b.tip");
  EXPECT_FALSE(std::get<PrismaticJoint>(m.joints[2].kind).point);
  expect_vector(std::get<CylindricalJoint>(m.joints[3].kind).axis.value(), 1, 0, 0);
  EXPECT_TRUE(std::get<SphericalJoint>(m.joints[4].kind).point);
  expect_vector(std::get<UniversalJoint>(m.joints[5].kind).axis_second.value(), 0, 0, 2);
  const auto& g = std::get<GeneralJoint>(m.joints[6].kind);
  EXPECT_EQ(g.locked_motions, (MotionSet{{false, false, true, true, true, false}}));
  EXPECT_EQ(g.motion.drive[2], "m");
}

TEST(ModelReader, DistanceJoint) {
  const auto m = read(R"(
drives: {m: {type: constant, value: 1}}
joints:
  d: {type: distance, between: [a, b], points: [[0, 0, 0], [3, 4, 0]], length: 5.5, motion: m}
)");
  const auto& d = only<DistanceJoint>(m.joints);
  expect_vector(d.points.value()[1], 3, 4, 0);
  EXPECT_EQ(d.length, 5.5);
  EXPECT_EQ(d.motion->name, "m");
}

TEST(ModelReader, Forces) {
  const auto m = read(R"(
drives: {u: {type: constant, value: 1}}
forces:
  bush: {type: bushing, between: [a, b], point: [0, 0, 0], stiffness: [1, 2, 3, 4, 5, 6],
         prestress: [6, 5, 4, 3, 2, 1]}
  full:
    type: bushing
    between: [a, b.tip]
    stiffness:
      - [1, 0, 0, 0, 0, 7]
      - [0, 2, 0, 0, 0, 0]
      - [0, 0, 3, 0, 0, 0]
      - [0, 0, 0, 4, 0, 0]
      - [0, 0, 0, 0, 5, 0]
      - [8, 0, 0, 0, 0, 6]
    damping: [1, 1, 1, 1, 1, 1]
  spring: {type: spring, between: [a, b], points: [[0, 0, 0], [0, 0, 1]], length: 0.9,
           stiffness: 1e5, damping: {polynomial: [0, 10, 2]}, preload: -3, actuator: u}
  hard: {type: spring, between: [a, b], points: [[0, 0, 0], [0, 0, 1]],
         stiffness: {odd_polynomial: [1, 0, 3]},
         damping: {table: {x: [-1, 0, 1], y: [-3, 0, 5]}, interpolation: linear}}
  twist: {type: torsion_spring, between: [a, b], axis: [0, 0, 1], angle: 10*deg, stiffness: 7}
  push: {type: applied, body: b, point: [1, 1, 1], force: [1, 2, 3], torque: [0, 0, 4],
         axes: body, drive: u}
)");
  ASSERT_EQ(m.forces.size(), 6u);
  const auto& bush = std::get<Bushing>(m.forces[0].kind);
  EXPECT_EQ(bush.stiffness, (Numbers{1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(bush.damping.empty());
  EXPECT_EQ(bush.prestress[0], 6);
  const auto& full = std::get<Bushing>(m.forces[1].kind);
  ASSERT_EQ(full.stiffness.size(), 36u);
  EXPECT_EQ(full.stiffness[5], 7);
  EXPECT_EQ(full.stiffness[30], 8);
  const auto& spring = std::get<Spring>(m.forces[2].kind);
  EXPECT_EQ(spring.length, 0.9);
  EXPECT_EQ(spring.stiffness.form, Characteristic::Form::linear);
  EXPECT_EQ(spring.stiffness.slope, 1e5);
  EXPECT_EQ(spring.damping.form, Characteristic::Form::polynomial);
  EXPECT_EQ(spring.damping.coefficients, (Numbers{0, 10, 2}));
  EXPECT_EQ(spring.preload, -3);
  EXPECT_EQ(spring.actuator->name, "u");
  const auto& hard = std::get<Spring>(m.forces[3].kind);
  EXPECT_EQ(hard.stiffness.form, Characteristic::Form::odd_polynomial);
  EXPECT_EQ(hard.damping.form, Characteristic::Form::table);
  EXPECT_EQ(hard.damping.table.y, (Numbers{-3, 0, 5}));
  EXPECT_FALSE(hard.damping.smooth);
  const auto& twist = std::get<TorsionSpring>(m.forces[4].kind);
  EXPECT_DOUBLE_EQ(twist.angle, pi / 18);
  const auto& push = std::get<AppliedForce>(m.forces[5].kind);
  EXPECT_EQ(push.body.name, "b");
  expect_vector(push.force, 1, 2, 3);
  expect_vector(push.torque, 0, 0, 4);
  EXPECT_EQ(push.axes, Axes::body);
  EXPECT_EQ(push.drive->name, "u");
}

TEST(ModelReader, Drives) {
  const auto m = read(R"(
drives:
  c: {type: constant, value: 3}
  l: {type: piecewise_linear, times: [0, 1], values: [2, 4]}
  t: {type: table, table: {x: [0, 1, 2], y: [0, 1, 0]}}
  h: {type: harmonic, amplitude: 2, frequency: 50, phase: pi/2, offset: 1, start: 0.1}
  p: {type: polynomial, coefficients: [1, 2, 3], origin: 0.5}
  s: {type: smooth_step, start: 1, end: 2, from: -1, to: 5}
  sum: {type: sum, of: [c, l]}
  product: {type: product, of: [sum, h]}
)");
  ASSERT_EQ(m.drives.size(), 8u);
  EXPECT_EQ(std::get<ConstantDrive>(m.drives[0].kind).value, 3);
  EXPECT_EQ(std::get<PiecewiseLinearDrive>(m.drives[1].kind).values, (Numbers{2, 4}));
  EXPECT_EQ(std::get<TableDrive>(m.drives[2].kind).table.y, (Numbers{0, 1, 0}));
  const auto& h = std::get<HarmonicDrive>(m.drives[3].kind);
  EXPECT_EQ((Numbers{h.amplitude, h.frequency, h.phase, h.offset, h.start}),
            (Numbers{2, 50, pi / 2, 1, 0.1}));
  EXPECT_EQ(std::get<PolynomialDrive>(m.drives[4].kind).coefficients, (Numbers{1, 2, 3}));
  const auto& s = std::get<SmoothStepDrive>(m.drives[5].kind);
  EXPECT_EQ((Numbers{s.start, s.end, s.from, s.to}), (Numbers{1, 2, -1, 5}));
  EXPECT_EQ(std::get<SumDrive>(m.drives[6].kind).of[1].name, "l");
  EXPECT_EQ(std::get<ProductDrive>(m.drives[7].kind).of[0].name, "sum");
}

TEST(ModelReader, Probes) {
  const auto m = read(R"(
joints: {j: {type: spherical, between: [a, b], point: [0, 0, 0]}}
forces: {f: {type: spring, between: [a, b], points: [[0, 0, 0], [1, 0, 0]], stiffness: 1}}
probes:
  p: {body: b, point: [1, 2, 3], quantities: [position, acceleration]}
  j: {joint: j, quantities: [force, torque]}
  f: {force: f, quantities: [tension]}
  s: {system: true, quantities: [total_energy]}
)");
  ASSERT_EQ(m.probes.size(), 4u);
  EXPECT_EQ(m.probes[0].body->name, "b");
  expect_vector(m.probes[0].point.value(), 1, 2, 3);
  EXPECT_EQ(m.probes[0].quantities,
            (std::vector<Quantity>{Quantity::position, Quantity::acceleration}));
  EXPECT_EQ(m.probes[1].joint->name, "j");
  EXPECT_EQ(m.probes[2].force->name, "f");
  EXPECT_TRUE(m.probes[3].system);
}

TEST(ModelReader, RemembersLines) {
  const Model m = read("");
  EXPECT_EQ(locate(m, "bodies.a.mass"), (SourceLocation{"test.yaml", 3}));
  EXPECT_EQ(locate(m, "bodies.b"), (SourceLocation{"test.yaml", 4}));
  EXPECT_EQ(locate(m, "bodies.b.position[2]"), (SourceLocation{"test.yaml", 6}));
  EXPECT_EQ(locate(m, "bodies.b.markers.tip.position"), (SourceLocation{"test.yaml", 9}));
  EXPECT_EQ(locate(m, "nothing.like.it"), (SourceLocation{"test.yaml", 2}));
}

TEST(ModelReader, TablesFromFiles) {
  const std::string table = "tumble_model_reader_" + std::to_string(::getpid()) + ".csv";
  const std::string name = testing::TempDir() + table;
  const std::string rows = "t,u\n0,1\n1,2\n";
  std::FILE* file = std::fopen(name.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  std::fputs(rows.c_str(), file);
  std::fclose(file);
  const auto result =
      read_model_text("drives: {d: {type: table, table: " + table + "}}" + bodies_and_time,
                      testing::TempDir() + "model.yaml");
  std::remove(name.c_str());
  EXPECT_EQ(only<TableDrive>(result.model.drives).table.y, (Numbers{1, 2}));
  ASSERT_EQ(result.referenced_files.size(), 1u);
  EXPECT_EQ(result.referenced_files[0].first, table);
  EXPECT_EQ(result.referenced_files[0].second, sha256(rows));
}

std::vector<std::pair<std::string, double>> numbers_of(const Model& model) {
  std::vector<std::pair<std::string, double>> list;
  visit_numbers(model, [&](const std::string& path, std::string_view, Range, const double& value) {
    list.emplace_back(path, value);
  });
  return list;
}

TEST(ModelReader, EffectiveYamlGivesTheSameModel) {
  for (const char* name : {"forces.yaml", "joints.yaml"}) {
    const auto first =
        read_model(std::string(source_directory) + "/fuzz/corpus/model_reader_fuzzer/" + name,
                   {"bodies.a.mass=2*3", "simulation.spectral_radius=0.3"});
    const auto again = read_model_text(first.effective_yaml, "again.yaml");
    EXPECT_EQ(numbers_of(first.model), numbers_of(again.model));
    EXPECT_EQ(first.effective_yaml, again.effective_yaml);
    EXPECT_EQ(again.model.bodies[0].mass, 6);
    EXPECT_EQ(again.model.simulation.spectral_radius, 0.3);
    EXPECT_EQ(again.model.joints.size(), first.model.joints.size());
    EXPECT_EQ(again.model.probes.size(), first.model.probes.size());
  }
}

TEST(ModelReader, ManyElementsAreRefused) {
  std::string text = "bodies:\n";
  for (int i = 0; i < 10001; ++i) text += "  b" + std::to_string(i) + ": {}\n";
  try {
    read_model_text(text + "simulation: {duration: 1, step: 0.1}\n", "big.yaml");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "big.yaml:1: bodies, has 10001 elements, at most 10000 are allowed");
  }
}

TEST(ModelReader, ListsOfMistakesEnd) {
  std::string text = "bodies:\n";
  for (int i = 0; i < 5000; ++i) text += "  b" + std::to_string(i) + ": {}\n";
  try {
    read_model_text(text + "simulation: {duration: 1, step: 0.1}\n", "big.yaml");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().size(), 1001u);
    EXPECT_EQ(to_string(error.diagnostics().back()),
              "big.yaml: 14000 more mistakes are not listed");
  }
}

// Found by hand: looking for the nearest of many names for each of many mistakes took minutes.
TEST(ModelReader, ManyMisspeltNamesEndQuickly) {
  std::string constants = "constants:\n", bodies = "bodies:\n", joints = "joints:\n";
  for (int i = 0; i < 9000; ++i) {
    const std::string n = std::to_string(i);
    constants += "  constant_" + n + ": constnt_" + n + "\n";
    bodies += "  body_" + n + ": {mass: 1, position: [0, 0, 0], inertia: [1, 1, 1]}\n";
    joints +=
        "  j" + n + ": {type: spherical, between: [bdy_" + n + ", ground], point: [0, 0, 0]}\n";
  }
  try {
    read_model_text(constants + bodies + joints + "simulation: {duration: 1, step: 0.1}\n",
                    "f.yaml");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(to_string(error.diagnostics()[0]),
              "f.yaml:2: constant 'constant_0': 'constnt_0', must be a number: unknown name "
              "'constnt_0'; did you mean 'constant_0'?");
    EXPECT_EQ(to_string(error.diagnostics().back()), "f.yaml: 17000 more mistakes are not listed");
  }
}

TEST(ModelReader, MissingFile) {
  try {
    read_model("/nonexistent/model.yaml");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "/nonexistent/model.yaml: cannot be read: No such file or directory");
  }
}

}  // namespace
}  // namespace tumble
