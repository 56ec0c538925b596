// The double pendulum and what happens after breaks of drives, against the equations in the two
// angles, written out by hand and integrated explicitly.
#include "convergence.hpp"
#include "ode_reference.hpp"

namespace tumble::validation {
namespace {

using Q = Quantity;

// Two different links in the x-y plane, gravity along -y; angles from -y, counter-clockwise.
constexpr double m1 = 1.3, m2 = 0.7, l1 = 0.8, c1 = 0.45, c2 = 0.3, I1 = 0.06, I2 = 0.03, g = 9.81;
constexpr double coupling = m2 * l1 * c2, J1 = I1 + m1 * c1 * c1 + m2 * l1 * l1;
constexpr double J2 = I2 + m2 * c2 * c2;
using State = Vector<4>;  // theta1, theta2 and their rates
constexpr State start{1.2, 2.0, 1.5, -2.0};

Vec3d along(double angle) { return {std::sin(angle), -std::cos(angle), 0}; }
Vec3d across(double angle) { return {std::cos(angle), std::sin(angle), 0}; }

/// Angular accelerations under a torque on the first link.
Vector<2> accelerations(const State& y, double torque) {
  const double s = coupling * std::sin(y[0] - y[1]), M12 = coupling * std::cos(y[0] - y[1]);
  const double f1 = torque - s * y[3] * y[3] - (m1 * c1 + m2 * l1) * g * std::sin(y[0]);
  const double f2 = s * y[2] * y[2] - m2 * c2 * g * std::sin(y[1]);
  const double det = J1 * J2 - M12 * M12;
  return {(J2 * f1 - M12 * f2) / det, (J1 * f2 - M12 * f1) / det};
}

struct Exact {
  Values position, velocity, reaction;  ///< end of link 1 and centre of link 2; both hinge forces
};
Exact exact(const State& y, const Vector<2>& a) {
  const auto point_acceleration = [&](double r, std::size_t i) {
    return r * (a[i] * across(y[i]) - y[i + 2] * y[i + 2] * along(y[i]));
  };
  const Vec3d knee = l1 * along(y[0]), knee_rate = l1 * y[2] * across(y[0]);
  const Vec3d p = knee + c2 * along(y[1]), v = knee_rate + c2 * y[3] * across(y[1]);
  const Vec3d up{0, g, 0};
  const Vec3d on_2 = m2 * (point_acceleration(l1, 0) + point_acceleration(c2, 1) + up);
  const Vec3d on_1 = m1 * (point_acceleration(c1, 0) + up) + on_2;
  return {{knee.x, knee.y, p.x, p.y},
          {knee_rate.x, knee_rate.y, v.x, v.y},
          {on_1.x, on_1.y, on_2.x, on_2.y}};
}

Model double_pendulum(double step) {
  Model model;
  model.gravity = {0, -g, 0};
  const Vec3d knee = l1 * along(start[0]);
  const auto add = [&](const char* name, double mass, double inertia, const Vec3d& position,
                       const Vec3d& velocity, double rate) {
    Body link;
    link.name = name;
    link.mass = mass;
    link.inertia = {inertia, 0.9 * inertia, inertia, 0, 0, 0};
    link.position = position;
    link.velocity = velocity;
    link.angular_velocity = {0, 0, rate};
    model.bodies.push_back(link);
    Probe probe;
    probe.name = name;
    probe.body = BodyRef{name};
    probe.point = model.bodies.size() == 1 ? knee : position;
    probe.quantities = {Q::position, Q::velocity};
    model.probes.push_back(probe);
  };
  add("upper", m1, I1, c1 * along(start[0]), c1 * start[2] * across(start[0]), start[2]);
  add("lower", m2, I2, knee + c2 * along(start[1]),
      l1 * start[2] * across(start[0]) + c2 * start[3] * across(start[1]), start[3]);
  const auto hinge = [&](const char* name, const char* first, const char* second, const Vec3d& at) {
    RevoluteJoint joint;
    joint.between = {{{first}, {second}}};
    joint.point = at;
    joint.axis = Vec3d{0, 0, 1};
    model.joints.push_back({name, joint});
    Probe probe;
    probe.name = name;
    probe.joint = JointRef{name};
    probe.quantities = {Q::force};
    model.probes.push_back(probe);
  };
  hinge("top", "ground", "upper", {});
  hinge("knee", "upper", "lower", knee);
  Probe system;
  system.name = "system";
  system.system = true;
  system.quantities = {Q::total_energy};
  model.probes.push_back(system);
  model.simulation.step = step;
  model.simulation.spectral_radius = 0.9;
  model.simulation.newton_tolerance = 1e-12;
  model.simulation.break_substeps = 1;  // the order of plain steps is what is measured
  return model;
}

/// The run's values at output k, or the right limits at its first break.
Exact computed(const Trajectory& run, std::size_t k, bool right = false) {
  const auto both = [&](const char* first, const char* second, Q quantity) {
    Values values;
    for (const char* probe : {first, second}) {
      const auto& series = find(run, probe, quantity);
      const double* v = right ? series.right_values.data() : series.values.data() + 3 * k;
      values.insert(values.end(), {v[0], v[1]});
    }
    return values;
  };
  return {both("upper", "lower", Q::position), both("upper", "lower", Q::velocity),
          both("top", "knee", Q::force)};
}

std::vector<double> errors_of(const Exact& a, const Exact& b) {
  return {largest_difference(a.position, b.position), largest_difference(a.velocity, b.velocity),
          largest_difference(a.reaction, b.reaction)};
}
void keep_worst(std::vector<double>& worst, const std::vector<double>& now) {
  for (std::size_t i = 0; i < worst.size(); ++i) worst[i] = std::max(worst[i], now[i]);
}

const std::vector<std::string> columns{"position [m]", "velocity [m/s]", "reaction [N]"};
constexpr double reference_step = 1e-5;

TEST(DoublePendulumSlow, SecondOrderInPositionVelocityReactionAndEnergy) {
  const auto motion = [](double, const State& y) {
    const auto a = accelerations(y, 0);
    return State{y[2], y[3], a[0], a[1]};
  };
  auto with_energy = columns;
  with_energy.push_back("energy [J]");
  Table table("Double pendulum, largest errors over [0, 2] s", with_energy);
  for (const double h : {2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4}) {
    Model model = double_pendulum(h);
    model.simulation.duration = 2;
    model.simulation.output_step = 0.01;
    const Trajectory run = simulate(model);
    State y = start;
    std::vector<double> worst(3, 0.0);
    double energy = 0;
    for (std::size_t k = 1; k < run.times.size(); ++k) {
      y = integrate(motion, y, run.times[k - 1], run.times[k], reference_step);
      keep_worst(worst, errors_of(computed(run, k), exact(y, accelerations(y, 0))));
      energy = std::max(energy, largest_difference(at_output(run, "system", Q::total_energy, k),
                                                   at_output(run, "system", Q::total_energy, 0)));
    }
    worst.push_back(energy);
    table.row(h, worst);
  }
  // Rounding of positions reaches reactions with 1/h²: at 1.25e-4 it is a tenth of their error.
  constexpr std::size_t reaction = 2;
  for (std::size_t i = 0; i < with_energy.size(); ++i)
    table.expect_second_order(i, i == reaction ? 4 : 5);
}

/// Errors a few steps after the start, and after a break at t = 0.1 s.
constexpr double break_time = 0.1;
constexpr int few = 5;

TEST(DoublePendulum, NoFirstOrderTransientAfterTheStartOrAKinkOfTheTorque) {
  const auto torque = [](double t) { return t < break_time ? 20 * t : 2 - 60 * (t - break_time); };
  const auto motion = [&](double t, const State& y) {
    const auto a = accelerations(y, torque(t));
    return State{y[2], y[3], a[0], a[1]};
  };
  Table first("Double pendulum, first 5 steps", columns);
  Table later("Double pendulum, 5 steps after a kink of the torque", columns);
  for (const double h : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
    Model model = double_pendulum(h);
    model.drives.push_back({"kinked", PiecewiseLinearDrive{{0, break_time, 0.2}, {0, 2, -4}}});
    AppliedForce motor;
    motor.body = {"upper"};
    motor.torque = {0, 0, 1};
    motor.drive = DriveRef{"kinked"};
    model.forces.push_back({"motor", motor});
    model.simulation.duration = break_time + few * h;
    const Trajectory run = simulate(model);
    const std::size_t at_break = run.times.size() - 1 - few;
    State y = start;
    std::vector<double> early(3, 0.0), late(3, 0.0);
    for (std::size_t k = 1; k < run.times.size(); ++k) {
      y = integrate(motion, y, run.times[k - 1], run.times[k], reference_step);
      const auto now =
          errors_of(computed(run, k), exact(y, accelerations(y, torque(run.times[k]))));
      if (k <= few) keep_worst(early, now);
      if (k > at_break) keep_worst(late, now);
    }
    first.row(h, early);
    later.row(h, late);
  }
  first.expect_second_order(2, 4, 0.15);
  for (std::size_t i = 0; i < 3; ++i) later.expect_second_order(i, 4, 0.15);
}

// The upper link is turned at a rate that jumps at t = 0.1 s. The knee then passes an impulse on
// to the lower link, whose angular momentum about the knee it does not change.
TEST(DoublePendulum, SecondOrderThroughAJumpOfAnImposedRate) {
  constexpr double before = 1.5, after = -4;
  const auto accelerate = [](const State& y) {
    const double f = coupling * std::sin(y[0] - y[1]) * y[2] * y[2] - m2 * c2 * g * std::sin(y[1]);
    return Vector<2>{0, f / J2};
  };
  const auto motion = [&](double, const State& y) {
    const auto a = accelerate(y);
    return State{y[2], y[3], a[0], a[1]};
  };
  Table limits("Imposed rate that jumps, right limits", columns);
  Table later("Imposed rate that jumps, 5 steps after", columns);
  for (const double h : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
    Model model = double_pendulum(h);
    model.drives.push_back(
        {"turn", PiecewiseLinearDrive{{0, break_time, 0.2},
                                      {0, break_time * before, break_time * (before + after)}}});
    std::get<RevoluteJoint>(model.joints[0].kind).motion.drive[5] = "turn";
    model.simulation.duration = break_time + few * h;
    const Trajectory run = simulate(model);
    const std::size_t at_break = run.times.size() - 1 - few;
    State y = integrate(motion, start, 0, break_time, reference_step);
    y[3] -= coupling * std::cos(y[0] - y[1]) * (after - before) / J2;
    y[2] = after;
    limits.row(h, errors_of(computed(run, 0, true), exact(y, accelerate(y))));
    std::vector<double> late(3, 0.0);
    for (std::size_t k = at_break + 1; k < run.times.size(); ++k) {
      y = integrate(motion, y, run.times[k - 1], run.times[k], reference_step);
      keep_worst(late, errors_of(computed(run, k), exact(y, accelerate(y))));
    }
    later.row(h, late);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    limits.expect_second_order(i, 4, 0.15);
    later.expect_second_order(i, 4, 0.15);
  }
}

}  // namespace
}  // namespace tumble::validation
