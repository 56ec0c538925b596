// Rigid and flexible bodies in one system: every lane has the bits of the scalar engine, whatever
// formulation, joint and quantity.
#include <gtest/gtest.h>

#include "ensemble_for_tests.hpp"
#include "lanes_for_tests.hpp"
#include "tumble/model/field/attach_fields.hpp"

namespace tumble {
namespace {

Beam soft_beam(const char* name, BeamFormulation formulation) {
  Beam beam;
  beam.name = name;
  beam.elements = 2;
  beam.section.rectangle = RectangleSection{0.03, 0.02};
  beam.youngs_modulus = 5e7;
  beam.poisson_ratio = 0.3;
  beam.density = 2000;
  beam.formulation = formulation;
  return beam;
}

Probe beam_probe(const char* name, const char* beam) {
  Probe probe;
  probe.name = name;
  probe.beam = BeamRef{beam};
  probe.at = ArcFraction{0.8};
  probe.offset = std::array<double, 2>{0.01, -0.005};
  probe.quantities = {Quantity::position,       Quantity::velocity,      Quantity::acceleration,
                      Quantity::strain,         Quantity::stress,        Quantity::section_force,
                      Quantity::section_moment, Quantity::strain_energy, Quantity::kinetic_energy};
  return probe;
}

/// A damped beam clamped to the ground carries a body, from which a curved beam hangs on a hinge;
/// two planar beams swing beside them.
Model machine() {
  Model m;
  m.gravity = {0, -9.81, -2};
  Beam post = soft_beam("post", BeamFormulation::structural);
  post.line = std::array<Vec3d, 2>{Vec3d{0, 0, 0}, Vec3d{0.4, 0, 0.1}};
  post.damping_time = 1e-3;
  Beam hook = soft_beam("hook", BeamFormulation::continuum);
  hook.arc = Arc{{0.4, 0, 0.1}, {0.55, -0.1, 0.1}, {0.6, -0.25, 0.12}};
  Beam upper = soft_beam("upper", BeamFormulation::continuum);
  upper.dimension = BeamDimension::planar;
  upper.line = std::array<Vec3d, 2>{Vec3d{0, 0, 1}, Vec3d{0.3, 0, 1}};
  Beam lower = soft_beam("lower", BeamFormulation::structural);
  lower.dimension = BeamDimension::planar;
  lower.arc = Arc{{0.3, 0, 1}, {0.45, 0.05, 1}, {0.5, 0.2, 1}};
  m.beams = {post, hook, upper, lower};
  Body head;
  head.name = "head";
  head.mass = 0.3;
  head.position = {0.42, 0.01, 0.1};
  head.inertia = {1e-4, 2e-4, 2e-4, 0, 0, 0};
  m.bodies = {head};
  const auto connect = [&](const char* name, const char* a, const char* b, JointKind kind) {
    std::visit([&](auto& joint) { joint.between = {MarkerRef{a}, MarkerRef{b}}; }, kind);
    m.joints.push_back({name, std::move(kind)});
  };
  RevoluteJoint hinge;
  hinge.axis = Vec3d{0, 0.6, 0.8};
  connect("root", "ground", "post.start", FixedJoint{});
  connect("weld", "post.end", "head", FixedJoint{});
  connect("eye", "head", "hook.start", hinge);
  connect("pin", "ground", "upper.start", SphericalJoint{});
  connect("knee", "upper.end", "lower.start", FixedJoint{});
  m.forces = {{"push", PointLoad{{"hook"}, 0.9, {0.1, 0.2, 0.3}, {}}},
              {"wind", LineLoad{{"lower"}, {0.5, 0, 0}, Vec3d{1, 0, 0}, {}}}};
  m.probes = {beam_probe("a", "post"), beam_probe("b", "hook"), beam_probe("c", "upper"),
              beam_probe("d", "lower")};
  for (const auto& joint : m.joints) {
    Probe probe;
    probe.name = joint.name;
    probe.joint = JointRef{joint.name};
    probe.quantities = {Quantity::force, Quantity::torque};
    m.probes.push_back(probe);
  }
  Probe system;
  system.name = "system";
  system.system = true;
  system.quantities = {Quantity::total_energy, Quantity::angular_momentum};
  m.probes.push_back(system);
  m.simulation.duration = 0.05;
  m.simulation.step = 1e-3;
  m.simulation.output_step = 0.01;
  m.simulation.spectral_radius = 0.7;
  return m;
}

TEST(BeamLanes, HaveTheBitsOfTheScalarEngine) {
  expect_bits_of_scalar_engine(
      machine(),
      {"beams.post.youngs_modulus", "beams.hook.density", "beams.upper.poisson_ratio",
       "beams.lower.section.rectangle.height", "beams.post.damping_time", "bodies.head.mass"},
      [](std::uint64_t r, double* x) {
        x[0] = 4e7 + 2e7 * uniform(6 * r);
        x[1] = 1500 + 1000 * uniform(6 * r + 1);
        x[2] = 0.4 * uniform(6 * r + 2);
        x[3] = 0.02 + 0.02 * uniform(6 * r + 3);
        x[4] = 2e-3 * uniform(6 * r + 4);
        x[5] = 0.1 + 0.4 * uniform(6 * r + 5);
      });
}

// Loads that turn with their sections, and sections of every kind.
TEST(BeamLanes, HaveTheBitsOfTheScalarEngineWithFollowersAndOtherSections) {
  Model model = machine();
  Beam &post = model.beams[0], &hook = model.beams[1], &upper = model.beams[2];
  post.section = hook.section = upper.section = {};
  hook.formulation = upper.formulation = BeamFormulation::structural;
  post.section.i_beam = ISection{0.04, 0.03, 0.004, 0.005};
  hook.section.tube = TubeSection{0.01, 0.003};
  upper.section.polygon = PolygonSection{{{0, 0}, {0.03, 0}, {0.02, 0.02}, {0, 0.03}}};
  model.forces = {
      {"push", SectionLoad{{"hook"}, 0.9, {0.1, 0.2, 0.3}, {0.02, -0.01, 0.03}, true, {}}},
      {"twist", SectionLoad{{"post"}, 1, {}, {0.05, 0.02, -0.03}, false, {}}},
      {"curl", SectionLoad{{"upper"}, 0.3, {0.1, 0.2, 0}, {0, 0, 0.05}, true, {}}}};
  expect_bits_of_scalar_engine(
      model,
      {"forces.push.force[1]", "forces.twist.moment[2]", "beams.post.section.i_beam.web",
       "beams.hook.section.tube.thickness", "beams.upper.section.polygon.corners[2][1]",
       "forces.curl.at"},
      [](std::uint64_t r, double* x) {
        x[0] = 0.1 + 0.2 * uniform(6 * r);
        x[1] = -0.05 + 0.04 * uniform(6 * r + 1);
        x[2] = 0.003 + 0.002 * uniform(6 * r + 2);
        x[3] = 0.002 + 0.002 * uniform(6 * r + 3);
        x[4] = 0.015 + 0.01 * uniform(6 * r + 4);
        x[5] = 0.3 + 0.01 * uniform(6 * r + 5);
      });
}

// Every realisation has sections of its own, another one at each place.
TEST(BeamLanes, HaveTheBitsOfTheScalarEngineWithSectionsThatVary) {
  Model model = machine();
  FieldInput field;
  field.length = 0.5;
  field.cv = 0.15;
  field.terms = 2;
  Uncertainty uncertainty;
  for (const Beam& beam : model.beams) {
    BeamUncertainty varies;
    varies.beam = beam.name;
    (beam.name == "hook" ? varies.width : varies.height) = field;
    uncertainty.beams.push_back(varies);
  }
  ASSERT_TRUE(attach_fields(model, uncertainty).empty());
  std::vector<std::string> paths;
  for (const ScalarUncertainty& germ : uncertainty.scalars) paths.push_back(germ.name);
  ASSERT_EQ(paths.size(), 8u);
  expect_bits_of_scalar_engine(model, paths, [](std::uint64_t r, double* x) {
    for (std::uint64_t i = 0; i < 8; ++i) x[i] = 4 * uniform(8 * r + i) - 2;
  });
}

}  // namespace
}  // namespace tumble
