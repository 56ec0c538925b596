// Contacts against closed forms and against equations of motion written out by hand with the same
// law of the force, integrated by Runge and Kutta's method (ode_reference.hpp).
#include <fmt/format.h>

#include "cases.hpp"
#include "ode_reference.hpp"
#include "tumble/integrate/derivatives.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble::validation {
namespace {

Model read(const std::string& text) { return read_model_text(text, "test.yaml").model; }

/// The law of docs/theory/contact.md, with the functions of the C library.
struct Law {
  double k, e, a, sliding = 0, resting = 0, transition = 1, stribeck = 1;
  double normal(double gap, double gap_rate) const {
    if (gap >= 0) return 0;
    return std::max(k * std::pow(-gap, e) * (1 - a * gap_rate), 0.0);
  }
  double coefficient(double speed) const {
    const double s = speed / stribeck;
    return std::tanh(speed / transition) * (sliding + (resting - sliding) * std::exp(-s * s));
  }
  /// On what moves at v over the plane.
  Vec3d friction(double normal_force, const Vec3d& v) const {
    const double speed = norm(v);
    if (speed == 0) return {};
    return (-normal_force * coefficient(speed) / speed) * v;
  }
};

// --- bouncing ----------------------------------------------------------------------------------

std::string ball(const std::string& law, double height, double velocity, double gravity,
                 double duration, double step) {
  return fmt::format(R"(
gravity: [0, 0, {}]
bodies:
  ball: {{mass: 0.5, position: [0, 0, {}], velocity: [0, 0, {}], inertia: [0.002, 0.002, 0.002]}}
forces:
  floor: {{type: plane_contact, between: [ground, ball], points: [[0, 0, 0], [0, 0, {}]], normal: [0, 0, 1], radius: 0.1, stiffness: 1e6, {}}}
probes:
  p: {{body: ball, quantities: [position, velocity]}}
  f: {{force: floor, quantities: [gap, normal_force, dissipated_power]}}
  s: {{system: true, quantities: [total_energy]}}
simulation: {{duration: {}, step: {}, output_step: {}}}
)",
                     -gravity, height, velocity, height, law, duration, step, duration / 10);
}

// Hunt and Crossley's law has a restitution that depends on damping and impact speed alone.
TEST(Contact, ABallPartsWithTheRestitutionItWasGiven) {
  for (const double restitution : {0.3, 0.7, 0.95}) {
    Table table(fmt::format("restitution {}", restitution), {"rebound speed"});
    for (const double step : {8e-5, 4e-5, 2e-5}) {
      const std::string law =
          fmt::format("exponent: 1.5, restitution: {}, impact_velocity: 2", restitution);
      const Trajectory run = simulate(read(ball(law, 0.101, -2, 0, 0.04, step)));
      const double speed = at_end(run, "p", Quantity::velocity)[2];
      table.row(step, {std::fabs(speed - 2 * restitution)});
    }
    EXPECT_LT(table.error(2, 0), 2e-5);
    EXPECT_GT(observed_order(table.error(0, 0), table.error(2, 0)) / 2, 1.6);
  }
}

// The exponent does not matter for it, nor does another mass; another speed does, as
// x - log(1 + x) = -e x - log(1 - e x) with x = a v says.
TEST(Contact, RestitutionFallsWithTheImpactSpeed) {
  const double a = 0.3, speed = 3;
  for (const char* exponent : {"1", "2.2"}) {
    const std::string law = fmt::format("exponent: {}, damping: {}", exponent, a);
    const double height = 0.101, duration = exponent[0] == '1' ? 0.008 : 0.06;
    const Trajectory run = simulate(read(ball(law, height, -speed, 0, duration, duration / 4000)));
    const double out = at_end(run, "p", Quantity::velocity)[2];
    ASSERT_GT(out, 0);
    EXPECT_NEAR(a * speed - std::log1p(a * speed), -a * out - std::log1p(-a * out), 1e-4)
        << exponent;
  }
}

TEST(Contact, ABouncingBallMovesAsItsEquationSays) {
  const Law law{1e6, 1.5, 0.15};
  const auto equation = [&](double, const Vector<2>& y) {
    return Vector<2>{y[1], -9.81 + law.normal(y[0] - 0.1, y[1]) / 0.5};
  };
  const double duration = 0.8;
  const auto reference = integrate<2>(equation, {0.35, 0}, 0, duration, 1e-6);
  Table table("bouncing ball", {"height", "velocity"});
  for (const double step : {2e-5, 1e-5, 5e-6}) {
    const Trajectory run =
        simulate(read(ball("exponent: 1.5, damping: 0.15", 0.35, 0, 9.81, duration, step)));
    table.row(step, {std::fabs(at_end(run, "p", Quantity::position)[2] - reference[0]),
                     std::fabs(at_end(run, "p", Quantity::velocity)[2] - reference[1])});
    EXPECT_LT(run.statistics.energy.relative_mismatch, 1e-3) << step;
  }
  EXPECT_LT(table.error(2, 0), 1e-6);
  EXPECT_GT(observed_order(table.error(0, 0), table.error(2, 0)) / 2, 1.6);
}

// A step that is too long for a bounce must not pass for a result: the run is right to a per cent
// of the height, or it warns, or it fails.
TEST(Contact, CoarseStepsFailOrWarnOrAreRight) {
  const Law law{1e6, 1.5, 0.15};
  const auto equation = [&](double, const Vector<2>& y) {
    return Vector<2>{y[1], -9.81 + law.normal(y[0] - 0.1, y[1]) / 0.5};
  };
  const auto reference = integrate<2>(equation, {0.35, 0}, 0, 0.8, 1e-5);
  int failed = 0, warned = 0, right = 0;
  for (const double step : {2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4}) {
    try {
      const Trajectory run =
          simulate(read(ball("exponent: 1.5, damping: 0.15", 0.35, 0, 9.81, 0.8, step)));
      const double error = std::fabs(at_end(run, "p", Quantity::position)[2] - reference[0]);
      std::printf("step %g: error %.1e m, %zu warnings\n", step, error, run.warnings.size());
      if (!run.warnings.empty()) {
        ++warned;
      } else {
        EXPECT_LT(error, 0.0025) << step;
        ++right;
      }
    } catch (const SimulationError& failure) {
      std::printf("step %g: %s\n", step, failure.what());
      ++failed;
    }
  }
  EXPECT_GE(failed, 1);
  EXPECT_GE(warned, 2);
  EXPECT_GE(right, 3);
}

// Derivatives of a run by numbers of a contact, against differences of runs.
TEST(Contact, RunsHaveDerivativesByEveryNumberOfTheLaw) {
  const Model model =
      read(ball("exponent: 1.5, damping: 0.15, friction: 0.05, transition_velocity: 0.3", 0.15, 0,
                9.81, 0.2, 1e-4));
  Model moving = model;
  moving.bodies[0].velocity = Vec3d{1, 0.5, 0};
  const Plan plan = make_plan(moving);
  for (const char* path :
       {"forces.floor.stiffness", "forces.floor.exponent", "forces.floor.damping",
        "forces.floor.friction", "forces.floor.transition_velocity", "forces.floor.radius"}) {
    const Derivatives exact = differentiate(plan, moving, path);
    const auto end = [&](double factor) {
      Realization realization(moving);
      const int slot = ParameterTable(moving).find(path);
      realization.set(slot, realization.get(slot) * factor);
      return at_end(run(plan, realization.model()), "p", Quantity::position);
    };
    const double h = 1e-5;
    const int slot = ParameterTable(moving).find(path);
    const double value = Realization(moving).get(slot);
    const Values up = end(1 + h), down = end(1 - h);
    for (std::size_t k = 0; k < 3; ++k) {
      const double difference = (up[k] - down[k]) / (2 * h * value);
      const auto& series = exact.series[0].values;
      const double derivative = series[series.size() - 3 + k];
      // Differences err by rounding over h, 1e-10 of a place of 0.1 m, and by what Newton leaves.
      EXPECT_NEAR(derivative * value, difference * value, 2e-5) << path << " " << k;
    }
  }
}

// --- sliding and rolling -----------------------------------------------------------------------

/// At rest on its four lower corners, but for the friction.
std::string block(double slope, double duration, double step) {
  const double height = 0.1 - std::pow(3 * 9.81 * std::cos(slope) / 4 / 5e5, 1 / 1.2);
  return fmt::format(R"(
gravity: [{}, 0, {}]
bodies:
  block: {{mass: 3, position: [0, 0, {}], inertia: [0.03, 0.04, 0.05]}}
forces:
  floor: {{type: plane_contact, between: [ground, block], points: [[0, 0, 0], [0, 0, {}]], normal: [0, 0, 1], box: [0.3, 0.2, 0.2],
          stiffness: 5e5, exponent: 1.2, damping: 20, friction: 0.3, transition_velocity: 1e-4}}
probes:
  p: {{body: block, quantities: [position, velocity]}}
  f: {{force: floor, quantities: [normal_force, friction_force, sliding_velocity]}}
simulation: {{duration: {}, step: {}, output_step: {}}}
)",
                     9.81 * std::sin(slope), -9.81 * std::cos(slope), height, height, duration,
                     step, duration / 10);
}

TEST(Contact, ABlockSlidesDownASlopeThatIsSteepEnough) {
  const double slope = 0.5;
  const Trajectory run = simulate(read(block(slope, 1, 2e-4)));
  const double a = 9.81 * (std::sin(slope) - 0.3 * std::cos(slope));
  EXPECT_NEAR(at_end(run, "p", Quantity::velocity)[0], a, 2e-3 * a);
  EXPECT_NEAR(at_end(run, "f", Quantity::normal_force)[0], 3 * 9.81 * std::cos(slope), 0.05);
  EXPECT_NEAR(at_end(run, "f", Quantity::friction_force)[0], -0.3 * 3 * 9.81 * std::cos(slope),
              0.05);
}

// It creeps at the speed at which friction carries it: tanh(v/v_t) = tan(slope)/μ.
TEST(Contact, ABlockCreepsOnASlopeThatIsNot) {
  const double slope = 0.2;
  const Trajectory run = simulate(read(block(slope, 1, 2e-4)));
  const double creep = 1e-4 * std::atanh(std::tan(slope) / 0.3);
  EXPECT_NEAR(at_end(run, "p", Quantity::velocity)[0], creep, 1e-3 * creep);
}

// A bowling ball: it slides until t = 2 v/(7 μ g) and rolls on with 5/7 of its speed.
TEST(Contact, ABowlingBallComesToRollAtFiveSevenths) {
  const double speed = 3, friction = 0.2, radius = 0.1, rolls = 2 * speed / (7 * friction * 9.81);
  const std::string text = fmt::format(R"(
gravity: [0, 0, -9.81]
bodies:
  ball: {{mass: 5, position: [0, 0, 0.0999], velocity: [{}, 0, 0], inertia: [0.02, 0.02, 0.02]}}
forces:
  lane: {{type: plane_contact, between: [ground, ball], points: [[0, 0, 0], [0, 0, 0.0999]], normal: [0, 0, 1], radius: {}, stiffness: 4e7,
         damping: 5, friction: {}, transition_velocity: 1e-4}}
probes:
  p: {{body: ball, quantities: [position, velocity, angular_velocity]}}
simulation: {{duration: 0.6, step: 5e-5, output_step: 0.01}}
)",
                                       speed, radius, friction);
  const Trajectory run = simulate(read(text));
  const auto before = static_cast<std::size_t>(rolls / 0.01);
  for (const std::size_t k : {before / 2, before}) {
    const double t = run.times[k];
    EXPECT_NEAR(at_output(run, "p", Quantity::velocity, k)[0], speed - friction * 9.81 * t, 2e-3);
    EXPECT_NEAR(at_output(run, "p", Quantity::angular_velocity, k)[1],
                2.5 * friction * 9.81 / radius * t, 5e-2);
  }
  for (const std::size_t k : {before + 2, run.times.size() - 1}) {
    EXPECT_NEAR(at_output(run, "p", Quantity::velocity, k)[0], 5.0 / 7 * speed, 2e-3);
    EXPECT_NEAR(at_output(run, "p", Quantity::angular_velocity, k)[1], 5.0 / 7 * speed / radius,
                2e-2);
  }
}

// A thin disc that rolls in a circle, leaning inwards: with the axis at θ from the vertical,
// precession Ω and spin ω₃ about the axis,
//   (C + m a²) ω₃ Ω sin θ - A Ω² sin θ cos θ + m g a cos θ = 0
// (from the rate of the angular momentum about the centre; Routh, Advanced Rigid Dynamics, 244).
TEST(Contact, ARollingDiscPrecessesSteadily) {
  const double a = 0.2, m = 2, A = 0.25 * m * a * a, C = 0.5 * m * a * a, g = 9.81;
  const double theta = 1.2, precession = 3, s = std::sin(theta), c = std::cos(theta);
  const double spin =
      c * (A * precession * precession * s - m * g * a) / ((C + m * a * a) * precession * s);
  // Axis in the plane x-z at θ from z; the centre moves along -y ω₃ a (e1 is y here).
  const double k = 2e6, depth = m * g / k;
  const double height = a * s * 1.0 - depth;
  // e3 = (sin θ, 0, cos θ), e1 = y: e2 = e3 × e1 = (-cos θ, 0, sin θ).
  const Vec3d e3{s, 0, c}, e2{-c, 0, s};
  const Vec3d w = spin * e3 + (precession * s) * e2;
  const std::string text =
      fmt::format(R"(
gravity: [0, 0, -9.81]
bodies:
  disc: {{mass: {}, position: [0, 0, {}], orientation: {{rotation_vector: [0, {}, 0]}}, inertia: [{}, {}, {}], velocity: [0, {}, 0], angular_velocity: [{}, 0, {}]}}
forces:
  floor: {{type: plane_contact, between: [ground, disc], points: [[0, 0, 0], [0, 0, {}]], normal: [0, 0, 1], rim_radius: {}, rim_axis: [{}, 0, {}],
          stiffness: {}, exponent: 1, friction: 0.9, transition_velocity: 1e-4}}
probes:
  p: {{body: disc, quantities: [position, orientation, angular_velocity]}}
simulation: {{duration: 1, step: 5e-5, output_step: 0.1}}
)",
                  m, height, theta, A, A, C, -a * spin, w.x, w.z, height, a, e3.x, e3.z, k);
  const Trajectory run = simulate(read(text));
  // A circle of radius a |ω₃|/Ω about (R, 0), where v = Ω z × (r - centre): v_y = -a ω₃ = Ω x.
  const double R = -a * spin / precession;  // the centre of the circle is at x = -R
  for (const double t : {0.5, 1.0}) {
    const auto k_out = static_cast<std::size_t>(std::lround(t / 0.1));
    const auto p = at_output(run, "p", Quantity::position, k_out);
    EXPECT_NEAR(p[0], R * std::cos(precession * t) - R, 2e-3 * std::fabs(R)) << t;
    EXPECT_NEAR(p[1], R * std::sin(precession * t), 2e-3 * std::fabs(R)) << t;
    EXPECT_NEAR(p[2], height, 1e-4) << t;
  }
}

// --- stick and slip ----------------------------------------------------------------------------

// A mass on a rough floor, drawn by a spring whose other end moves evenly.
TEST(Contact, AnOscillatorSticksAndSlips) {
  const Law law{1e5, 1, 0, 0.2, 0.45, 2e-3, 0.05};
  const double m = 2, k = 150, pull = 0.1, duration = 4;
  const auto equation = [&](double t, const Vector<2>& y) {
    const double speed = std::fabs(y[1]);
    const double friction = m * 9.81 * law.coefficient(speed) * (y[1] < 0 ? -1 : 1);
    return Vector<2>{y[1], (k * (pull * t - y[0]) - friction) / m};
  };
  const auto reference = integrate<2>(equation, {0, 0}, 0, duration, 1e-5);
  Table table("stick-slip oscillator", {"place", "velocity"});
  for (const double step : {8e-4, 4e-4, 2e-4}) {
    const Trajectory run =
        simulate(read(fmt::format(R"(
gravity: [0, 0, -9.81]
bodies:
  mass: {{mass: 2, position: [0, 0, {}], inertia: none}}
  hand: {{mass: 1, position: [1, 0, {}], inertia: [1, 1, 1]}}
joints:
  guide: {{type: prismatic, between: [ground, hand], point: [1, 0, 0], axis: [1, 0, 0], motion: {{z: pull}}}}
drives:
  pull: {{type: polynomial, coefficients: [0, {}]}}
forces:
  line: {{type: spring, between: [mass, hand], points: [[0, 0, {}], [1, 0, {}]], stiffness: {}}}
  floor: {{type: plane_contact, between: [ground, mass], points: [[0, 0, 0], [0, 0, {}]], normal: [0, 0, 1], stiffness: 1e5, exponent: 1,
          friction: 0.2, static_friction: 0.45, transition_velocity: 2e-3, stribeck_velocity: 0.05}}
probes:
  p: {{body: mass, quantities: [position, velocity]}}
simulation: {{duration: {}, step: {}, output_step: 0.4}}
)",
                                  -2 * 9.81 / 1e5, -2 * 9.81 / 1e5, pull, -2 * 9.81 / 1e5,
                                  -2 * 9.81 / 1e5, k, -2 * 9.81 / 1e5, duration, step)));
    table.row(step, {std::fabs(at_end(run, "p", Quantity::position)[0] - reference[0]),
                     std::fabs(at_end(run, "p", Quantity::velocity)[0] - reference[1])});
  }
  EXPECT_LT(table.error(2, 0), 1e-5);
  table.expect_second_order(0, 3, 0.3);
}

// --- a tippe-top -------------------------------------------------------------------------------

/// A sphere whose centre of mass is off its centre, on a plane: Newton's and Euler's equations with
/// the nine direction cosines. State: place, velocity, R by columns, ω in body axes.
struct Top {
  double m = 0.02, radius = 0.02, offset = 0.004;  ///< the centre of mass is below the centre
  Vec3d J{3.2e-6, 3.2e-6, 3.0e-6};
  Law law{4e5, 1.5, 1.0, 0.3, 0.3, 1e-2, 1.0};
  using State = Vector<18>;
  static Vec3d triple(const State& y, std::size_t k) {
    return {y[3 * k], y[3 * k + 1], y[3 * k + 2]};
  }
  State operator()(double, const State& y) const {
    const Vec3d p = triple(y, 0), v = triple(y, 1), w = triple(y, 5);
    const Vec3d x = triple(y, 2), yy = triple(y, 3), z = triple(y, 4);
    const Vec3d centre = offset * z, w_W = w.x * x + w.y * yy + w.z * z;
    const Vec3d arm = centre - Vec3d{0, 0, radius};
    Vec3d slip = v + cross(w_W, arm);
    const double rate = slip.z;
    slip.z = 0;
    const double normal = law.normal(p.z + centre.z - radius, rate);
    Vec3d force = law.friction(normal, slip);
    force.z = normal;
    const Vec3d torque = cross(arm, force);
    const Vec3d torque_B{dot(torque, x), dot(torque, yy), dot(torque, z)};
    const Vec3d gyro = cross(w, {J.x * w.x, J.y * w.y, J.z * w.z});
    const Vec3d alpha{(torque_B.x - gyro.x) / J.x, (torque_B.y - gyro.y) / J.y,
                      (torque_B.z - gyro.z) / J.z};
    const Vec3d a = (1 / m) * force + Vec3d{0, 0, -9.81};
    const Vec3d dx = w.z * yy - w.y * z, dy = w.x * z - w.z * x, dz = w.y * x - w.x * yy;
    return {v.x,  v.y,  v.z,  a.x,  a.y,  a.z,  dx.x,    dx.y,    dx.z,
            dy.x, dy.y, dy.z, dz.x, dz.y, dz.z, alpha.x, alpha.y, alpha.z};
  }
};

TEST(Contact, ATippeTopMovesAsItsEquationsSay) {
  const Top top;
  const double tilt = 0.1, spin = 150, depth = std::pow(top.m * 9.81 / top.law.k, 1 / 1.5);
  const double s = std::sin(tilt), c = std::cos(tilt);
  const double height = top.radius - depth - top.offset * c;
  // Turned about x by the tilt: x stays, y = (0, c, s), z = (0, -s, c); ω along the vertical.
  const Top::State start{0, 0, height, 0, 0, 0, 1, 0, 0, 0, c, s, 0, -s, c, 0, spin * s, spin * c};
  const double duration = 0.2;
  const auto reference = integrate<18>(top, start, 0, duration, 2e-6);
  Table table("tippe-top", {"place", "spin"});
  for (const double step : {4e-5, 2e-5, 1e-5}) {
    const Trajectory run = simulate(read(fmt::format(R"(
gravity: [0, 0, -9.81]
bodies:
  top: {{mass: 0.02, position: [0, 0, {}], orientation: {{rotation_vector: [{}, 0, 0]}}, inertia: [3.2e-6, 3.2e-6, 3.0e-6], angular_velocity: [0, 0, {}]}}
forces:
  floor: {{type: plane_contact, between: [ground, top], points: [[0, 0, 0], [0, {}, {}]], normal: [0, 0, 1], radius: 0.02,
          stiffness: 4e5, exponent: 1.5, damping: 1.0, friction: 0.3, transition_velocity: 1e-2}}
probes:
  p: {{body: top, quantities: [position, angular_velocity_body]}}
simulation: {{duration: {}, step: {}, output_step: 0.02}}
)",
                                                     height, tilt, spin, -top.offset * s,
                                                     height + top.offset * c, duration, step)));
    const auto p = at_end(run, "p", Quantity::position);
    const auto w = at_end(run, "p", Quantity::angular_velocity_body);
    table.row(step, {largest_difference(p, {reference[0], reference[1], reference[2]}),
                     largest_difference(w, {reference[15], reference[16], reference[17]})});
    EXPECT_LT(run.statistics.energy.relative_mismatch, 1e-2);
  }
  EXPECT_LT(table.error(2, 0), 1e-5);
  EXPECT_LT(table.error(2, 1), 0.2);
  EXPECT_GT(observed_order(table.error(0, 1), table.error(2, 1)) / 2, 1.6);
}

// --- cable -------------------------------------------------------------------------------------

// A mass thrown upwards from a hanging rope: a parabola while it is slack.
TEST(Contact, ACableIsSlackWhileItsMassFlies) {
  const double k = 2000, c = 5, m = 1;
  const auto equation = [&](double, const Vector<2>& y) {
    const double x = -y[0] - 1;  // the rope hangs from the origin and is 1 m long
    const double tension = x > 0 ? std::max(k * x - c * y[1], 0.0) : 0.0;
    return Vector<2>{y[1], -9.81 + tension / m};
  };
  const double start = -1 - 9.81 / k;
  const auto reference = integrate<2>(equation, {start, 3}, 0, 0.7, 1e-6);
  Table table("cable", {"height"});
  for (const double step : {2e-4, 1e-4, 5e-5}) {
    const Trajectory run = simulate(read(fmt::format(R"(
gravity: [0, 0, -9.81]
bodies:
  mass: {{mass: 1, position: [0, 0, {}], velocity: [0, 0, 3], inertia: none}}
forces:
  rope: {{type: cable, between: [ground, mass], points: [[0, 0, 0], [0, 0, {}]], length: 1, stiffness: 2000, damping: 5}}
probes:
  p: {{body: mass, quantities: [position]}}
  f: {{force: rope, quantities: [tension]}}
simulation: {{duration: 0.7, step: {}, output_step: 0.1}}
)",
                                                     start, start, step)));
    table.row(step, {std::fabs(at_end(run, "p", Quantity::position)[2] - reference[0])});
    EXPECT_EQ(at_output(run, "f", Quantity::tension, 3)[0], 0);
  }
  EXPECT_LT(table.error(2, 0), 1e-4);
}

}  // namespace
}  // namespace tumble::validation
