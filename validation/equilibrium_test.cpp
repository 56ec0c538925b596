// Static equilibrium and small vibrations of rigid and flexible systems against closed forms and
// published values.
#include "tumble/integrate/statics/equilibrium.hpp"

#include "beams.hpp"
#include "tumble/model/compile.hpp"

namespace tumble::validation {
namespace {

using Q = Quantity;
constexpr double pi = 3.141592653589793;

Equilibrium equilibrium(const Model& model, int load_steps = 1) {
  return find_equilibrium(make_plan(compile(model)), model, {load_steps, 50});
}
Vec3d position(const Equilibrium& e) {
  const auto& m = e.measured.back();
  return {m[0], m[1], m[2]};
}
void simulate_anything(Model& model) {
  model.simulation.duration = 1;
  model.simulation.step = 1e-3;
}

/// A rod along +x of 1 m with EI = 1 N m², slender enough to be an elastica to 1e-6: a square of
/// side a has EA/EI = 12/a² and kGA/EI about 4/a².
Model elastica(double force, int elements, BeamDimension dimension, int direction) {
  constexpr double side = 1e-3;
  Model model;
  Beam arm = beam("arm", {0, 0, 0}, {1, 0, 0}, elements);
  arm.dimension = dimension;
  arm.section.rectangle = RectangleSection{side, side};
  arm.youngs_modulus = 12 / (side * side * side * side);
  arm.density = 1000;
  model.beams = {arm};
  connect(model, "clamp", "ground", "arm.start", FixedJoint{});
  Vec3d f;
  f[direction] = force;
  model.forces = {{"load", PointLoad{{"arm"}, 1, f, {}}}};
  model.probes = {point_probe("tip", "arm", 1, {Q::position})};
  simulate_anything(model);
  return model;
}

// P L²/EI = 1 and 10: elliptic integrals, to five digits.
TEST(Equilibrium, CantileverIsAnElastica) {
  const auto check = [](double force, double deflection, double shortening, BeamDimension dimension,
                        int direction, int n, int load_steps) {
    const auto tip = [&](int elements) {
      return position(equilibrium(elastica(force, elements, dimension, direction), load_steps));
    };
    const Vec3d coarse = tip(n), fine = tip(2 * n);
    const Vec3d limit = fine + (1.0 / 3) * (fine - coarse);
    EXPECT_NEAR(limit[direction], deflection, 2e-5);
    EXPECT_NEAR(1 - limit.x, shortening, 2e-5);
  };
  check(1, 0.30172, 0.05643, BeamDimension::planar, 1, 16, 2);
  check(10, 0.81061, 0.55500, BeamDimension::planar, 1, 32, 10);
  check(1, 0.30172, 0.05643, BeamDimension::spatial, 2, 16, 2);
  check(10, 0.81061, 0.55500, BeamDimension::spatial, 1, 32, 10);
}

// K. J. Bathe, S. Bolourchi, Int. J. Numer. Methods Eng. 14 (1979), 961-986, in inches and pounds:
// an eighth of a circle of radius 100 with a unit square section, clamped with its tangent along
// +y, 600 lb across its plane. The same rod by shooting (Reissner's equations, SciPy's DOP853)
// moves by the first numbers below, found so that no moment is left at the tip; published are
// -13.4, -23.5, 53.4 for eight elements of another theory.
TEST(Equilibrium, FortyFiveDegreeBend) {
  const auto tip = [](int elements) {
    Model model;
    Beam arm;
    arm.name = "arm";
    const double a = pi / 8, b = pi / 4, r = 100;
    arm.arc = Arc{{0, 0, 0},
                  {r * (1 - std::cos(a)), r * std::sin(a), 0},
                  {r * (1 - std::cos(b)), r * std::sin(b), 0}};
    arm.elements = elements;
    arm.section.rectangle = RectangleSection{1, 1};
    arm.youngs_modulus = 1e7;
    arm.density = 1;
    model.beams = {arm};
    connect(model, "clamp", "ground", "arm.start", FixedJoint{});
    model.forces = {{"load", PointLoad{{"arm"}, 1, {0, 0, 600}, {}}}};
    model.probes = {point_probe("tip", "arm", 1, {Q::position}), joint_probe("clamp")};
    simulate_anything(model);
    const Equilibrium e = equilibrium(model, 6);
    // The clamp holds the load.
    EXPECT_NEAR(e.measured.back()[5], -600, 1e-6);
    return position(e) - arm.arc->end;
  };
  const Vec3d coarse = tip(8), fine = tip(16), limit = fine + (1.0 / 3) * (fine - coarse);
  std::printf("45 degree bend: %.3f %.3f %.3f in\n", limit.x, limit.y, limit.z);
  EXPECT_LT(norm(limit - Vec3d{-13.73165, -23.81909, 53.60799}), 0.01);
  EXPECT_LT(norm(limit - Vec3d{-13.4, -23.5, 53.4}), 0.01 * norm(limit));
}

/// A body on a spring to the ground, guided along z.
Model sprung_body(double mass, double stiffness) {
  Model model;
  model.gravity = {0, 0, -9.81};
  Body body;
  body.name = "body";
  body.mass = mass;
  body.position = {0, 0, 1};
  body.inertia = {1, 1, 1, 0, 0, 0};
  model.bodies = {body};
  PrismaticJoint guide;
  guide.between = {MarkerRef{"ground"}, MarkerRef{"body"}};
  guide.point = Vec3d{0, 0, 1};
  guide.axis = Vec3d{0, 0, 1};
  model.joints = {{"guide", guide}};
  Spring spring;
  spring.between = {MarkerRef{"ground"}, MarkerRef{"body"}};
  spring.points = std::array<Vec3d, 2>{Vec3d{0, 0, 0}, Vec3d{0, 0, 1}};
  spring.stiffness.slope = stiffness;
  model.forces = {{"spring", spring}};
  Probe probe;
  probe.name = "body";
  probe.body = BodyRef{"body"};
  probe.quantities = {Q::position};
  model.probes = {probe};
  simulate_anything(model);
  return model;
}

TEST(Equilibrium, BodySagsOnItsSpringAndBounces) {
  const Model model = sprung_body(2, 500);
  const Plan plan = make_plan(compile(model));
  const Equilibrium e = find_equilibrium(plan, model);
  EXPECT_NEAR(position(e).z, 1 - 2 * 9.81 / 500, 1e-12);
  const Vibrations v = find_vibrations(plan, model, e.state, 10);
  ASSERT_EQ(v.modes.size(), 1u);
  EXPECT_NEAR(v.modes[0].square, 500.0 / 2, 1e-9);
  const auto shape = mode_displacements(*plan.system, model, e.state, v.modes[0]);
  ASSERT_EQ(shape.size(), 1u);
  EXPECT_NEAR(std::fabs(shape[0].displacement.z), 1, 1e-12);
}

// A physical pendulum finds the bottom from an oblique start and swings with ω² = m g c/(J + m c²).
TEST(Equilibrium, PendulumHangsAndSwings) {
  Model model;
  model.gravity = {0, -9.81, 0};
  Body body;
  body.name = "body";
  body.mass = 3;
  body.position = {0.3, -0.4, 0};
  body.inertia = {0.1, 0.2, 0.25, 0, 0, 0};
  model.bodies = {body};
  RevoluteJoint hinge;
  hinge.between = {MarkerRef{"ground"}, MarkerRef{"body"}};
  hinge.point = Vec3d{};
  hinge.axis = Vec3d{0, 0, 1};
  model.joints = {{"hinge", hinge}};
  Probe probe;
  probe.name = "body";
  probe.body = BodyRef{"body"};
  probe.quantities = {Q::position};
  model.probes = {probe, joint_probe("hinge")};
  simulate_anything(model);
  const Plan plan = make_plan(compile(model));
  const Equilibrium e = find_equilibrium(plan, model);
  EXPECT_NEAR(position(e).x, 0, 1e-12);
  EXPECT_NEAR(position(e).y, -0.5, 1e-12);
  EXPECT_NEAR(e.measured.back()[4], 3 * 9.81, 1e-9);  // what the hinge bears
  const Vibrations v = find_vibrations(plan, model, e.state, 1);
  EXPECT_NEAR(v.modes[0].square, 3 * 9.81 * 0.5 / (0.25 + 3 * 0.25), 1e-9);
  EXPECT_LE(v.asymmetry, 1e-12);
}

TEST(Equilibrium, WhatMovesFreelyIsNamed) {
  Model model = sprung_body(2, 500);
  model.forces.clear();
  try {
    equilibrium(model);
    FAIL() << "a body without a spring has no equilibrium";
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("body 'body'"), std::string::npos) << error.what();
  }
}

/// A square steel rod of 1 m and 10 mm, clamped or free.
Model steel(bool clamped, int elements, BeamFormulation formulation, BeamDimension dimension) {
  Model model;
  Beam arm = beam("arm", {0, 0, 0}, {1, 0, 0}, elements);
  arm.section.rectangle = RectangleSection{0.01, 0.01};
  arm.youngs_modulus = 2.1e11;
  arm.density = 7850;
  arm.formulation = formulation;
  arm.dimension = dimension;
  model.beams = {arm};
  if (clamped) connect(model, "clamp", "ground", "arm.start", FixedJoint{});
  model.probes = {point_probe("tip", "arm", 1, {Q::position})};
  simulate_anything(model);
  return model;
}
std::vector<double> frequencies(const Model& model, int count) {
  const Plan plan = make_plan(compile(model));
  const Vibrations v = find_vibrations(plan, model, assembled_start(plan, model), count);
  EXPECT_LE(v.asymmetry, 1e-9);
  std::vector<double> out;
  for (const auto& mode : v.modes) out.push_back(mode.frequency());
  return out;
}

// Euler and Bernoulli: f = β² sqrt(EI/ρA)/(2π L²) with β = 1.875104, 4.694091 clamped and 4.730041,
// 7.853205 free; Timoshenko's corrections are of order (β h/L)²/10, 2e-4 for the highest here.
TEST(Vibrations, OfClampedAndFreeBeamsConverge) {
  const double bending = std::sqrt(2.1e11 / 7850 * 0.01 * 0.01 / 12) / (2 * pi);
  for (const auto formulation : {BeamFormulation::structural, BeamFormulation::continuum})
    for (const auto dimension : {BeamDimension::planar, BeamDimension::spatial}) {
      const bool planar = dimension == BeamDimension::planar;
      const std::size_t each = planar ? 1 : 2;  // every bending mode comes in both planes
      const auto limit = [&](bool clamped, std::size_t skip, std::size_t mode) {
        const auto of = [&](int n) {
          return frequencies(steel(clamped, n, formulation, dimension), 14)[skip + each * mode];
        };
        const double coarse = of(8), fine = of(16);
        return fine + (fine - coarse) / 3;
      };
      const double clamped[2] = {1.875104, 4.694091}, free[2] = {4.730041, 7.853205};
      for (std::size_t mode = 0; mode < 2; ++mode) {
        const double c = clamped[mode] * clamped[mode] * bending;
        EXPECT_NEAR(limit(true, 0, mode), c, 2e-3 * c) << mode;
        const double f = free[mode] * free[mode] * bending;
        EXPECT_NEAR(limit(false, planar ? 3 : 6, mode), f, 3e-3 * f) << mode;
      }
      // Three or six rigid motions without frequency, up to rounding of K.
      const auto rigid = frequencies(steel(false, 8, formulation, dimension), 6);
      for (std::size_t i = 0; i < (planar ? 3u : 6u); ++i) EXPECT_LE(rigid[i], 0.05) << i;
    }
}

}  // namespace
}  // namespace tumble::validation
