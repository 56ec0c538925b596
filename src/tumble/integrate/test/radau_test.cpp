// The Radau IIA method: its coefficients, what its steps keep, and machines with everything that a
// step has to deal with, against closed forms and runs of generalized-alpha. Orders of pendulum and
// top: other_integrators_test.cpp; of larger machines: validation/.
#include "tumble/integrate/step/radau.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "test_machines.hpp"
#include "tumble/dynamics/equations.hpp"
#include "tumble/integrate/accuracy/grid_search.hpp"
#include "tumble/integrate/derivatives.hpp"
#include "tumble/integrate/step/integrator.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble::testing {
namespace {

Model by_radau(Model model) {
  model.simulation.integrator = IntegrationMethod::radau;
  model.simulation.newton_tolerance = 1e-12;
  return model;
}

double last(const Trajectory& run, Quantity quantity, std::size_t component = 0,
            std::size_t size = 3) {
  const std::vector<double>& all = values(run, quantity);
  return all[all.size() - size + component];
}

// Σ b c^(k-1) = 1/k up to five, Σ a_ij c_j^(k-1) = c_i^k/k up to three: Butcher's simplifying
// assumptions B(5) and C(3), which with D(2) make the order five.
TEST(RadauCoefficients, SatisfyTheConditionsOfOrderFive) {
  const Radau radau;
  const auto& b = radau.weights();
  for (int k = 1; k <= 5; ++k) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += b[i] * std::pow(radau.c[i], k - 1);
    EXPECT_NEAR(sum, 1.0 / k, 1e-15) << k;
  }
  double sixth = 0;
  for (std::size_t i = 0; i < 3; ++i) sixth += b[i] * std::pow(radau.c[i], 5);
  EXPECT_GT(std::fabs(sixth - 1.0 / 6), 1e-4);
  for (int k = 1; k <= 3; ++k)
    for (std::size_t i = 0; i < 3; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < 3; ++j) sum += radau.a[i][j] * std::pow(radau.c[j], k - 1);
      EXPECT_NEAR(sum, std::pow(radau.c[i], k) / k, 1e-15) << k;
    }
  for (int k = 1; k <= 2; ++k)  // D(2): Σ b_i c_i^(k-1) a_ij = b_j (1 - c_j^k)/k
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i) sum += b[i] * std::pow(radau.c[i], k - 1) * radau.a[i][j];
      EXPECT_NEAR(sum, b[j] * (1 - std::pow(radau.c[j], k)) / k, 1e-15) << k;
    }
}

TEST(RadauCoefficients, AreTheSumOverTheirEigenvectors) {
  const Radau radau;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const ComplexNumber pair = radau.eigenvalue2 * radau.right2[i] * radau.left2[j];
      const double sum = radau.eigenvalue * radau.right[i] * radau.left[j] + 2 * pair.re;
      EXPECT_NEAR(sum, radau.a[i][j], 1e-15);
    }
}

TEST(RadauCoefficients, ExtrapolateParabolas) {
  const Radau radau;
  const auto f = [](double t) { return 2 - 3 * t + 0.7 * t * t; };
  for (const double ratio : {1.0, 0.5, 3.0}) {
    const auto l = radau.extrapolation(ratio);
    for (std::size_t i = 0; i < 3; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < 3; ++j) sum += l[i][j] * f(radau.c[j]);
      EXPECT_NEAR(sum, f(1 + ratio * radau.c[i]), 1e-12);
    }
  }
}

/// A rod without symmetry on a ball joint, swinging and spinning, with a rod on a hinge at its end.
Model spatial_double_pendulum(double step) {
  Model m = by_radau(timed(0.5, step));
  m.simulation.output_step = 0.1;
  m.gravity = {0.3, 0, -9.81};
  m.bodies = {lopsided_body("upper", {0.4, 0, 0}), lopsided_body("lower", {0.8, 0.3, 0})};
  const Vec3d omega{0.5, 3, 2};
  for (Body& body : m.bodies) {
    body.angular_velocity = omega;
    body.velocity = cross(omega, Vec3d(body.position));
  }
  SphericalJoint shoulder;
  shoulder.between = between("ground", "upper");
  shoulder.point = Vec3d{};
  RevoluteJoint elbow;
  elbow.between = between("upper", "lower");
  elbow.point = Vec3d{0.8, 0, 0};
  elbow.axis = Vec3d{0.2, 0, 1};
  m.joints = {{"shoulder", shoulder}, {"elbow", elbow}};
  m.probes = {body_probe("lower", {Quantity::position, Quantity::velocity,
                                   Quantity::angular_acceleration, Quantity::orientation}),
              joint_probe("elbow", {Quantity::force, Quantity::torque}), energy_probe()};
  return m;
}

/// The largest difference of all values of a quantity.
double difference(const Trajectory& a, const Trajectory& b, Quantity quantity) {
  const std::vector<double>&x = values(a, quantity), &y = values(b, quantity);
  EXPECT_EQ(x.size(), y.size());
  double largest = 0;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
    largest = std::max(largest, std::fabs(x[i] - y[i]));
  return largest;
}

// Errors with steps h and h/2 against a run with h/8: it is better than the second by 2^10.
TEST(Radau, SpatialDoublePendulumIsOfFifthOrderInEverything) {
  const Trajectory exact = simulate(spatial_double_pendulum(0.1 / 128)),
                   coarse = simulate(spatial_double_pendulum(0.1 / 16)),
                   fine = simulate(spatial_double_pendulum(0.1 / 32));
  // Another method agrees with it, as far as that goes.
  Model other = spatial_double_pendulum(1e-4);
  other.simulation.integrator = IntegrationMethod::generalized_alpha;
  const Trajectory by_alpha = simulate(other);
  EXPECT_LT(difference(exact, by_alpha, Quantity::position), 1e-6);
  EXPECT_LT(difference(exact, by_alpha, Quantity::force), 1e-3);  // of some 40 N
  for (const Quantity q :
       {Quantity::position, Quantity::velocity, Quantity::angular_acceleration,
        Quantity::orientation, Quantity::force, Quantity::torque, Quantity::total_energy}) {
    const double before = difference(coarse, exact, q), after = difference(fine, exact, q);
    std::printf("%s: %.2e and %.2e, order %.2f\n", info(q).name.data(), before, after,
                std::log2(before / after));
    EXPECT_NEAR(std::log2(before / after), 5, 0.2) << info(q).name;
  }
  EXPECT_LT(exact.statistics.constraint_drift, 1e-14);
}

// What a state holds fits together: r = 0, φ = 0, G v = 0, G v̇ + bias = 0.
TEST(Radau, StatesSatisfyTheEquationsAtAllLevels) {
  const double h = 0.1 / 16;
  const Model m = spatial_double_pendulum(h);
  const auto system = compile(m);
  const Plan plan = make_plan(system);
  const auto c = prepare(*system, m);
  Integrator integrator(plan, c);
  integrator.start(initial_state(*system, m), 0, 0.5 * h);
  integrator.restart(h);
  for (int n = 1; n <= 20; ++n) ASSERT_TRUE(integrator.step(n * h));
  const MotionState& s = integrator.state();
  Workspace<double>& w = integrator.observe();
  std::vector<double> r(static_cast<std::size_t>(system->nv + system->nc)), rate(r), bias(r), g(r);
  residual(*system, c.data(), s.vdot.data(), s.lambda.data(), w, r.data());
  for (std::size_t i = 0; i < r.size(); ++i)
    EXPECT_NEAR(r[i], 0, i < static_cast<std::size_t>(system->nv) ? 1e-11 : 1e-14) << i;
  tangent(*system, c.data(), s.vdot.data(), s.lambda.data(), w);
  constraint_rates(*system, c.data(), w, rate.data(), bias.data());
  const auto nc = static_cast<std::size_t>(system->nc);
  multiply_gradient(*system, w, s.v.data(), g.data());
  for (std::size_t i = 0; i < nc; ++i) EXPECT_NEAR(g[i] + rate[i], 0, 1e-13) << i;
  multiply_gradient(*system, w, s.vdot.data(), g.data());
  for (std::size_t i = 0; i < nc; ++i) EXPECT_NEAR(g[i] + bias[i], 0, 1e-11) << i;
}

/// A turntable that a drive turns, prescribed and so without equations, a point on a spring and a
/// damper that slides on it, and a state that follows the point.
Model turntable(IntegrationMethod method, double step) {
  Model m = timed(1, step);
  m.simulation.integrator = method;
  m.simulation.newton_tolerance = 1e-12;
  m.simulation.output_step = 0.1;
  m.bodies = {unit_body("table"), point_mass("bead", 0.5, {0.3, 0, 0})};
  m.drives.push_back({"angle", SmoothStepDrive{0.2, 0.9, 0, 2}});
  RevoluteJoint axle = hinge("ground", "table", {0, 0, 1});
  axle.motion.drive[5] = "angle";
  GeneralJoint slot;
  slot.between = between("table", "bead");
  slot.point = Vec3d{0.3, 0, 0};
  slot.locked_motions = MotionSet{{false, true, true, false, false, false}};
  m.joints = {{"axle", axle}, {"slot", slot}};
  Spring spring;
  spring.between = between("table", "bead");
  spring.points = {{Vec3d{0.1, 0, 0}, Vec3d{0.3, 0, 0}}};
  spring.length = 0.2;
  spring.stiffness.slope = 40;
  spring.damping.slope = 1;
  m.forces = {{"spring", spring}};
  m.probes = {body_probe("bead", {Quantity::position, Quantity::acceleration}),
              joint_probe("axle", {Quantity::torque}), joint_probe("slot", {Quantity::force})};
  return m;
}

TEST(Radau, PrescribedBodiesAndDrivesAreFollowed) {
  const Trajectory fine = simulate(turntable(IntegrationMethod::generalized_alpha, 1e-4)),
                   run = simulate(turntable(IntegrationMethod::radau, 0.02));
  EXPECT_EQ(run.breaks.size(), fine.breaks.size());
  EXPECT_LT(difference(run, fine, Quantity::position), 1e-6);
  EXPECT_LT(difference(run, fine, Quantity::acceleration), 1e-4);
  EXPECT_LT(difference(run, fine, Quantity::torque), 1e-4);
  EXPECT_LT(difference(run, fine, Quantity::force), 1e-4);
  // What the drive put in is left, or has become heat in the damper. Work of drives that move
  // joints follows from multipliers at the ends of steps, by the trapezoidal rule: to second order.
  EXPECT_GT(std::fabs(run.statistics.energy.work), 1e-2);
  EXPECT_GT(run.statistics.energy.dissipated, 1e-3);
  EXPECT_LT(run.statistics.energy.relative_mismatch, 2e-4);
  const double coarse =
                   simulate(turntable(IntegrationMethod::radau, 5e-3)).statistics.energy.mismatch,
               half =
                   simulate(turntable(IntegrationMethod::radau, 2.5e-3)).statistics.energy.mismatch;
  EXPECT_GT(coarse, 3.5 * half);
}

// A door on two hinges has five conditions more than it needs.
TEST(Radau, RedundantConditionsDoNotMatter) {
  const auto door = [](bool twice) {
    Model m = by_radau(timed(1, 0.02));
    m.gravity = {0, 3, -9.81};
    m.bodies = {lopsided_body("door", {0.4, 0, 0})};
    RevoluteJoint upper = hinge("ground", "door", {0.1, 0, 1}), lower = upper;
    lower.point = Vec3d{-0.1, 0, -1};
    m.joints = {{"upper", upper}};
    if (twice) m.joints.push_back({"lower", lower});
    m.probes = {body_probe("door", {Quantity::position, Quantity::acceleration})};
    return simulate(m);
  };
  const Trajectory one = door(false), two = door(true);
  EXPECT_FALSE(two.redundancy.empty());
  // The conditions of the stages are soft, by 1e-8 or so.
  EXPECT_LT(difference(one, two, Quantity::position), 1e-7);
  EXPECT_LT(difference(one, two, Quantity::acceleration), 1e-6);
  EXPECT_LT(two.statistics.constraint_drift, 1e-13);
}

TEST(Radau, BeamsBendAsByGeneralizedAlpha) {
  const auto bent = [](IntegrationMethod method, double step) {
    Model m = timed(0.1, step);
    m.simulation.integrator = method;
    m.simulation.output_step = 0.02;
    m.gravity = {0, 0, -9.81};
    m.beams = {soft_arm("arm")};
    FixedJoint clamp;
    clamp.between = {MarkerRef{"ground"}, MarkerRef{"arm.start"}};
    clamp.point = Vec3d{};
    m.joints = {{"clamp", clamp}};
    Probe tip;
    tip.name = "tip";
    tip.beam = BeamRef{"arm"};
    tip.at = ArcFraction{1};
    tip.quantities = {Quantity::position};
    m.probes = {tip};
    return simulate(m);
  };
  const Trajectory radau = bent(IntegrationMethod::radau, 2e-4),
                   fine = bent(IntegrationMethod::radau, 1e-4),
                   alpha = bent(IntegrationMethod::generalized_alpha, 1e-5);
  EXPECT_LT(difference(radau, fine, Quantity::position), 1e-7);
  EXPECT_LT(difference(radau, alpha, Quantity::position), 1e-5);
  EXPECT_LT(last(radau, Quantity::position, 2), -1e-3);
}

/// A ball of 5 kg on a spring and a damper that hardly give way, as in the governor of the IFToMM
/// library: rates of c/m = 8000 and k/c = 20 per second, where it swings in two seconds.
Trajectory stiff_pendulum(double step) {
  Model m = by_radau(timed(1, step));
  m.simulation.output_step = 0.1;
  m.gravity = {0, 0, -9.81};
  m.bodies = {point_mass("ball", 5, {1, 0, 0})};
  Spring spring;
  spring.between = between("ground", "ball");
  spring.points = {{Vec3d{}, Vec3d{1, 0, 0}}};
  spring.length = 1;
  spring.stiffness.slope = 8e5;
  spring.damping.slope = 4e4;
  m.forces = {{"arm", spring}};
  m.probes = {body_probe("ball", {Quantity::position, Quantity::velocity}), energy_probe()};
  return simulate(m);
}

TEST(Radau, StiffDampersDoNotForceSmallSteps) {
  const Trajectory exact = stiff_pendulum(0.02 / 64), coarse = stiff_pendulum(0.02),
                   fine = stiff_pendulum(0.01);
  const double before = difference(coarse, exact, Quantity::position),
               after = difference(fine, exact, Quantity::position);
  std::printf("stiff: %.2e and %.2e m, order %.2f; energy %.1e\n", before, after,
              std::log2(before / after), coarse.statistics.energy.relative_mismatch);
  EXPECT_EQ(coarse.statistics.halvings, 0);
  EXPECT_LT(before, 1e-6);
  EXPECT_GT(std::log2(before / after), 4);
  EXPECT_LT(coarse.statistics.energy.relative_mismatch, 1e-6);
}

// Angles go through many turns in steps of a third of a turn.
TEST(Radau, TurnsAreCounted) {
  Model m = by_radau(timed(10, 0.1));
  m.bodies = {unit_body("wheel")};
  m.bodies[0].angular_velocity = {0, 0, 20};
  m.joints = {{"axle", hinge("ground", "wheel", {0, 0, 1})}};
  m.probes = {joint_probe("axle", {Quantity::angle})};
  EXPECT_NEAR(last(simulate(m), Quantity::angle, 0, 1), 200, 1e-10);
  // Beyond half a turn there are no coordinates: such steps are halved.
  m.simulation.step = m.simulation.output_step = 0.2;
  const Trajectory halved = simulate(m);
  EXPECT_NEAR(last(halved, Quantity::angle, 0, 1), 200, 1e-10);
  EXPECT_GT(halved.statistics.halvings, 0);
}

TEST(Radau, EventsActBetweenStepsToItsOrder) {
  // A mass on a spring of 1 N/m; the stiffness becomes 4 N/m when it passes zero after π/2.
  const auto at_end = [](double step) {
    Model m = by_radau(timed(3, step));
    m.bodies = {point_mass("m", 1, {1, 0, 0})};
    ExpressionForce f;
    f.on_body = BodyRef{"m"};
    f.force = std::vector<Expression>{"-k*m.position.x", "0", "0"};
    f.parameters.numbers = {{"k", 1}};
    m.forces = {{"spring", f}};
    Event e;
    e.name = "switch";
    e.when = Expression("m.position.x");
    e.direction = EventDirection::falling;
    e.at_most = 1;
    e.action = EventAction::change;
    e.change = "forces.spring.parameters.k";
    e.to = 4;
    m.events = {e};
    m.probes = {body_probe("m", {Quantity::position, Quantity::velocity})};
    const Trajectory run = simulate(m);
    EXPECT_EQ(run.events.size(), 1u);
    EXPECT_NEAR(run.events[0].time, std::numbers::pi / 2, 1e-6);
    return run;
  };
  const double since = 3 - std::numbers::pi / 2, exact = -0.5 * std::sin(2 * since);
  const double coarse = std::fabs(last(at_end(0.2), Quantity::position) - exact),
               fine = std::fabs(last(at_end(0.1), Quantity::position) - exact);
  std::printf("switched: %.2e and %.2e, order %.2f\n", coarse, fine, std::log2(coarse / fine));
  EXPECT_LT(fine, 1e-6);
  EXPECT_GT(std::log2(coarse / fine), 4.3);
}

TEST(Radau, FailuresNameTheTimeAndTheBody) {
  Model m = by_radau(timed(1, 0.1));
  m.bodies = {point_mass("m", 1, {0, 0, 0})};
  m.bodies[0].velocity = {1, 0, 0};
  ExpressionForce f;  // no number beyond x = 1/2
  f.on_body = BodyRef{"m"};
  f.force = std::vector<Expression>{"sqrt(0.5 - m.position.x)", "0", "0"};
  m.forces = {{"root", f}};
  m.probes = {body_probe("m", {Quantity::position})};
  try {
    simulate(m);
    FAIL() << "went through";
  } catch (const SimulationError& error) {
    EXPECT_GT(error.time(), 0.2);
    EXPECT_LT(error.time(), 0.6);
    EXPECT_NE(std::string(error.what()).find("'root'"), std::string::npos) << error.what();
  }
}

// What is asked for is what comes out, by a run that the search has not seen.
TEST(Radau, StepsAreFoundForAnAccuracy) {
  const Trajectory exact = simulate(spatial_double_pendulum(0.1 / 128));
  for (const double accuracy : {1e-4, 1e-6, 1e-8}) {
    Model m = spatial_double_pendulum(1);
    m.simulation.newton_tolerance = 1e-8;
    m.simulation.step.reset();
    m.simulation.accuracy = accuracy;
    const Plan plan = make_plan(m);
    const FoundGrid found = find_grid(plan, {m});
    EXPECT_TRUE(found.fits);
    EXPECT_GT(found.work, 0);
    m.simulation.grid = found.zones;
    const Trajectory run = tumble::run(make_plan(m), m);
    double worst = 0;
    for (const Quantity q : {Quantity::position, Quantity::velocity, Quantity::angular_acceleration,
                             Quantity::orientation, Quantity::force, Quantity::torque}) {
      double peak = 0;
      for (const double x : values(exact, q)) peak = std::max(peak, std::fabs(x));
      worst = std::max(worst, difference(run, exact, q) / peak);
    }
    std::printf("accuracy %g: error %.2e, estimated %.2e, %ld steps\n", accuracy, worst,
                found.estimate, run.statistics.steps);
    EXPECT_LT(worst, accuracy);
    EXPECT_GT(worst, 0.01 * accuracy);
    EXPECT_NEAR(found.estimate, worst, 0.2 * accuracy);
  }
}

TEST(Radau, DerivativesAreRefused) {
  const Model m = spatial_double_pendulum(0.02);
  const Plan plan = make_plan(m);
  EXPECT_THROW(require_derivative(plan, m, "bodies.upper.mass"), InputError);
}

}  // namespace
}  // namespace tumble::testing
