// Beams with bodies, joints and loads against closed forms.
#include <utility>

#include "beams.hpp"

namespace tumble::validation {
namespace {

using Q = Quantity;

/// A square rod along +x, clamped at the origin, damped so strongly that it creeps to equilibrium:
/// every mode decays like exp(-t/τ).
constexpr double length = 2, side = 0.1, modulus = 1e9, nu = 0.25, retardation = 0.5;
constexpr double area = side * side, inertia = side * side * side * side / 12;

Model rod(BeamFormulation formulation = BeamFormulation::structural, int elements = 8) {
  Model model;
  Beam arm = beam("arm", {0, 0, 0}, {length, 0, 0}, elements);
  arm.section.rectangle = RectangleSection{side, side};
  arm.youngs_modulus = modulus;
  arm.poisson_ratio = nu;
  arm.density = 1000;
  arm.damping_time = retardation;
  arm.formulation = formulation;
  model.beams = {arm};
  model.simulation.duration = 15;  // exp(-30) = 1e-13
  model.simulation.step = 0.05;
  model.simulation.output_step = 15.0;
  model.simulation.spectral_radius = 0.5;
  return model;
}

Body block(const std::string& name, const Vec3d& position, double mass) {
  Body body;
  body.name = name;
  body.position = position;
  body.mass = mass;
  body.inertia = {0.02 * mass, 0.03 * mass, 0.04 * mass, 0, 0, 0};
  return body;
}

Probe body_probe(const std::string& name, std::vector<Quantity> quantities) {
  Probe probe;
  probe.name = name;
  probe.body = BodyRef{name};
  probe.quantities = std::move(quantities);
  return probe;
}

/// What a quantity tends to as elements get shorter: the error of bending falls with their square.
double refined(const std::function<double(int)>& with_elements) {
  const double coarse = with_elements(8), fine = with_elements(16);
  return fine + (fine - coarse) / 3;
}

// Bending by an end load, shear included: P L³/3EI + P L/kGA in both planes, with the reactions of
// the clamp and the section forces in the middle of the third of eight elements.
TEST(BeamStatics, CantileverBendsByItsLoad) {
  const double P = 1, Q_z = -2;
  const auto bend = [=](int elements) {
    Model model = rod(BeamFormulation::structural, elements);
    connect(model, "clamp", "ground", "arm.start", FixedJoint{});
    model.forces = {{"push", PointLoad{{"arm"}, 1, {0, P, Q_z}, {}}}};
    model.probes = {point_probe("tip", "arm", 1, {Q::position}),
                    point_probe("inside", "arm", 0.3125, {Q::section_force, Q::section_moment}),
                    joint_probe("clamp")};
    return simulate(model);
  };
  const double G = modulus / (2 * (1 + nu)), k = 10 * (1 + nu) / (12 + 11 * nu);
  const double flexibility =
      length * length * length / (3 * modulus * inertia) + length / (k * G * area);
  const auto tip = [&](std::size_t axis) {
    return refined([&](int n) { return at_end(bend(n), "tip", Q::position)[axis]; });
  };
  // Deflections are 3e-4 of the length: nonlinear terms are its square.
  EXPECT_NEAR(tip(1), P * flexibility, 1e-6 * P * flexibility);
  EXPECT_NEAR(tip(2), Q_z * flexibility, 1e-6 * std::fabs(Q_z) * flexibility);
  // The beam is the second side: the ground holds it.
  const Trajectory result = bend(8);
  const Values force = at_end(result, "clamp", Q::force),
               torque = at_end(result, "clamp", Q::torque);
  EXPECT_LE(largest_difference(force, {0, -P, -Q_z}), 1e-9);
  EXPECT_LE(largest_difference(torque, {0, Q_z * length, -P * length}), 1e-5);
  const Values n = at_end(result, "inside", Q::section_force),
               m = at_end(result, "inside", Q::section_moment);
  const double rest = (1 - 0.3125) * length;
  EXPECT_LE(largest_difference(n, {0, P, Q_z}), 2e-3);
  EXPECT_LE(largest_difference(m, {0, -Q_z * rest, P * rest}), 1e-5);
}

// A body clamped to the end of a rod clamped to the ground is twisted by T L/GJ.
TEST(BeamStatics, TorqueOnABodyTwistsTheRod) {
  Model model = rod();
  model.bodies = {block("head", {length, 0, 0}, 3)};
  connect(model, "clamp", "arm.start", "ground", FixedJoint{});
  connect(model, "weld", "head", "arm.end", FixedJoint{});
  AppliedForce torque;
  torque.body = {"head"};
  const double T = 20;
  torque.torque = {T, 0, 0};
  model.forces = {{"twist", torque}};
  model.probes = {body_probe("head", {Q::rotation_vector}), joint_probe("clamp"),
                  joint_probe("weld"), point_probe("middle", "arm", 0.5, {Q::section_moment})};
  const Trajectory result = simulate(model);
  // S. P. Timoshenko, J. N. Goodier, Theory of Elasticity, § 109: 0.1406 a⁴ for a square, to four
  // digits.
  const double GJ = modulus / (2 * (1 + nu)) * 0.1406 * side * side * side * side;
  EXPECT_NEAR(at_end(result, "head", Q::rotation_vector)[0], T * length / GJ,
              5e-4 * T * length / GJ);
  // Second sides: the ground takes the torque up, and the beam gets it from the body.
  EXPECT_NEAR(at_end(result, "clamp", Q::torque)[0], T, 1e-6);
  EXPECT_NEAR(at_end(result, "weld", Q::torque)[0], T, 1e-6);
  EXPECT_NEAR(at_end(result, "middle", Q::section_moment)[0], T, 1e-6);
}

// A rod held by hinges at both ends, one of them on a body that slides: simply supported.
TEST(BeamStatics, HingedRodSagsUnderALineLoad) {
  const double w = 3;
  for (const auto dimension : {BeamDimension::planar, BeamDimension::spatial}) {
    const auto sag = [=](int elements) {
      Model model = rod(BeamFormulation::structural, elements);
      model.beams[0].dimension = dimension;
      model.bodies = {block("slider", {length, 0, 0}, 3)};
      RevoluteJoint hinge;
      if (dimension == BeamDimension::spatial) hinge.axis = Vec3d{0, 0, 1};
      connect(model, "left", "ground", "arm.start", hinge);
      connect(model, "right", "arm.end", "slider", hinge);
      PrismaticJoint guide;
      guide.between = {MarkerRef{"ground"}, MarkerRef{"slider"}};
      guide.point = Vec3d{length, 0, 0};
      guide.axis = Vec3d{1, 0, 0};
      model.joints.push_back({"guide", guide});
      model.forces = {{"weight", LineLoad{{"arm"}, {0, -w, 0}, {}, {}}}};
      model.probes = {point_probe("middle", "arm", 0.5, {Q::position}), joint_probe("left")};
      const Trajectory result = simulate(model);
      EXPECT_NEAR(at_end(result, "left", Q::force)[1], w * length / 2, 1e-6);
      return at_end(result, "middle", Q::position)[1];
    };
    const double G = modulus / (2 * (1 + nu)), k = 10 * (1 + nu) / (12 + 11 * nu);
    const double expected = 5 * w * std::pow(length, 4) / (384 * modulus * inertia) +
                            w * length * length / (8 * k * G * area);
    EXPECT_NEAR(refined(sag), -expected, 1e-5 * expected);
  }
}

// Stress of the continuum formulation under tension, and of the structural one: P/A each.
TEST(BeamStatics, TensionStressIsForceByArea) {
  for (const auto formulation : {BeamFormulation::structural, BeamFormulation::continuum}) {
    Model model = rod(formulation, 3);
    connect(model, "clamp", "ground", "arm.start", FixedJoint{});
    const double P = 100;
    model.forces = {{"pull", PointLoad{{"arm"}, 1, {P, 0, 0}, {}}}};
    // The clamp holds directions and no lengths: the section is free to contract.
    Probe probe = point_probe("inside", "arm", 0.4, {Q::stress, Q::strain, Q::section_force});
    probe.offset = std::array<double, 2>{0.03, -0.02};
    model.probes = {probe};
    const Trajectory result = simulate(model);
    const double strain = P / (modulus * area);
    const Values stress = at_end(result, "inside", Q::stress),
                 found = at_end(result, "inside", Q::strain);
    EXPECT_NEAR(stress[0], P / area, 1e-4 * P / area);
    for (std::size_t i = 1; i < 6; ++i) EXPECT_NEAR(stress[i], 0, 1e-4 * P / area) << i;
    EXPECT_NEAR(found[0], strain, 1e-4 * strain);
    const bool solid = formulation == BeamFormulation::continuum;
    EXPECT_NEAR(found[1], solid ? -nu * strain : 0, 1e-4 * strain);
    EXPECT_NEAR(at_end(result, "inside", Q::section_force)[0], P, 1e-4 * P);
  }
}

// Free fall with a spin that does not exist: a beam thrown without rotation moves as one point.
TEST(BeamMotion, FreeFallIsExact) {
  Model model = rod(BeamFormulation::continuum, 3);
  model.beams[0].damping_time.reset();
  model.beams[0].velocity = {1, 2, 3};
  model.gravity = {0.5, -2, -9};
  model.probes = {point_probe("tip", "arm", 1, {Q::position, Q::velocity, Q::acceleration}),
                  point_probe("stress", "arm", 0.3, {Q::stress})};
  model.simulation.duration = 1;
  model.simulation.output_step = 1.0;
  const Trajectory result = simulate(model);
  EXPECT_LE(largest_difference(at_end(result, "tip", Q::position), {length + 1.25, 1, -1.5}),
            1e-12);
  EXPECT_LE(largest_difference(at_end(result, "tip", Q::velocity), {1.5, 0, -6}), 1e-12);
  EXPECT_LE(largest_difference(at_end(result, "tip", Q::acceleration), {0.5, -2, -9}), 1e-9);
  EXPECT_LE(largest_difference(at_end(result, "stress", Q::stress), Values(6, 0.0)), 1e-2);
}

// Nothing acts on a spinning beam from outside. Energy and angular momentum converge with the
// second order of the method; momentum is kept to rounding.
TEST(BeamMotion, FreeFlightKeepsMomentumAndEnergy) {
  for (const auto formulation : {BeamFormulation::structural, BeamFormulation::continuum}) {
    const auto fly = [formulation](double step) {
      Model model = rod(formulation, 4);
      Beam& arm = model.beams[0];
      arm.damping_time.reset();
      arm.youngs_modulus = 2e6;
      arm.velocity = {0.3, -0.2, 0.1};
      arm.angular_velocity = {0.4, 3, 2};
      model.probes = {system_probe({Q::total_energy, Q::linear_momentum, Q::angular_momentum})};
      model.simulation.duration = 0.5;
      model.simulation.step = step;
      model.simulation.output_step = 0.05;
      model.simulation.spectral_radius = 0.9;
      return simulate(model);
    };
    Table table("a spinning beam", {"energy [J]", "angular momentum"});
    for (const double h : {1e-3, 5e-4, 2.5e-4}) {
      const Trajectory result = fly(h);
      double energy = 0, spin = 0, momentum = 0;
      for (std::size_t k = 1; k < result.times.size(); ++k) {
        const auto change = [&](Quantity q) {
          return largest_difference(at_output(result, "system", q, k),
                                    at_output(result, "system", q, 0));
        };
        energy = std::max(energy, change(Q::total_energy));
        spin = std::max(spin, change(Q::angular_momentum));
        momentum = std::max(momentum, change(Q::linear_momentum));
      }
      table.row(h, {energy, spin});
      EXPECT_LE(momentum, 1e-11);
    }
    table.expect_second_order(0, 3, 0.3);
    table.expect_second_order(1, 3, 0.3);
  }
}

// A stiff beam swings like the rigid body it nearly is, whose motion the engine knows from other
// tests: strains are of order ρ g L/E = 1e-7.
TEST(BeamMotion, StiffPendulumIsARigidOne) {
  const auto swing = [](bool flexible) {
    Model model;
    model.gravity = {0, -9.81, 0};
    const double rho = 1000, m = rho * area * length;
    if (flexible) {
      model = rod(BeamFormulation::structural, 2);
      model.gravity = {0, -9.81, 0};
      model.beams[0].damping_time.reset();
      model.beams[0].youngs_modulus = 2e11;
      RevoluteJoint hinge;
      hinge.axis = Vec3d{0, 0, 1};
      connect(model, "hinge", "ground", "arm.start", hinge);
      model.probes = {point_probe("tip", "arm", 1, {Q::position})};
    } else {
      Body body = block("rigid", {length / 2, 0, 0}, m);
      const double across = m * (length * length + side * side) / 12;
      body.inertia = {m * side * side / 6, across, across, 0, 0, 0};
      model.bodies = {body};
      RevoluteJoint hinge;
      hinge.axis = Vec3d{0, 0, 1};
      hinge.point = Vec3d{};
      connect(model, "hinge", "ground", "rigid", hinge);
      Probe tip = body_probe("rigid", {Q::position});
      tip.name = "tip";
      tip.point = Vec3d{length, 0, 0};
      model.probes = {tip, joint_probe("hinge")};
    }
    if (flexible) model.probes.push_back(joint_probe("hinge"));
    model.simulation.duration = 3;
    model.simulation.step = 1e-3;
    model.simulation.output_step = 0.05;
    model.simulation.spectral_radius = 0.7;
    return simulate(model);
  };
  const Trajectory flexible = swing(true), rigid = swing(false);
  double position = 0, force = 0;
  for (std::size_t k = 0; k < rigid.times.size(); ++k) {
    position = std::max(position, largest_difference(at_output(flexible, "tip", Q::position, k),
                                                     at_output(rigid, "tip", Q::position, k)));
    if (k < 10) continue;  // the rod first rings a little
    force = std::max(force, largest_difference(at_output(flexible, "hinge", Q::force, k),
                                               at_output(rigid, "hinge", Q::force, k)));
  }
  std::printf("positions differ by %.1e m, reactions by %.1e N\n", position, force);
  EXPECT_LE(position, 2e-5);
  EXPECT_LE(force, 0.5);
}

// A beam cut in two and clamped together again. The joint leaves r_x and the section's own strains
// free to jump, as two elements' strains are anyway.
TEST(BeamMotion, TwoClampedBeamsAreOne) {
  const auto fall = [](bool cut, BeamDimension dimension) {
    Model model = rod(BeamFormulation::structural, 8);
    model.gravity = {0, -9.81, 0};
    Beam& arm = model.beams[0];
    arm.damping_time.reset();
    arm.dimension = dimension;
    arm.youngs_modulus = 2e7;
    if (cut) {
      arm.line = std::array<Vec3d, 2>{Vec3d{0, 0, 0}, Vec3d{length / 2, 0, 0}};
      arm.elements = 4;
      model.beams.push_back(arm);
      model.beams[1].name = "rest";
      model.beams[1].line = std::array<Vec3d, 2>{Vec3d{length / 2, 0, 0}, Vec3d{length, 0, 0}};
      connect(model, "weld", "arm.end", "rest.start", FixedJoint{});
    }
    connect(model, "hinge", "ground", "arm.start");
    model.probes = {point_probe("tip", cut ? "rest" : "arm", 1, {Q::position})};
    model.simulation.duration = 1;
    model.simulation.step = 1e-3;
    model.simulation.output_step = 0.1;
    model.simulation.spectral_radius = 0.7;
    return simulate(model);
  };
  for (const auto dimension : {BeamDimension::planar, BeamDimension::spatial}) {
    const Trajectory one = fall(false, dimension), two = fall(true, dimension);
    double largest = 0;
    for (std::size_t k = 0; k < one.times.size(); ++k)
      largest = std::max(largest, largest_difference(at_output(one, "tip", Q::position, k),
                                                     at_output(two, "tip", Q::position, k)));
    std::printf("ends differ by %.1e m\n", largest);
    EXPECT_LE(largest, 1e-3);
  }
}

}  // namespace
}  // namespace tumble::validation
