// The general joint with each of its six motions locked or imposed alone, a rod of imposed length,
// and the universal joint as a coupling between shafts.
#include "imposed.hpp"

namespace tumble::validation {
namespace {

const Vec3d inertia{0.04, 0.1, 0.07};
const double mass = 2;

Vec3d unit(std::size_t k) { return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }

GeneralJoint locking(std::size_t motion) {
  GeneralJoint joint = grounded(GeneralJoint{});
  joint.locked_motions.has[motion] = true;
  return joint;
}

// --- one motion locked ---------------------------------------------------------------------------

/// A tumbling body held beside its centre of mass: the lock holds, its reaction is a force along
/// the one axis or a torque about it and does no work.
TEST(GeneralJoint, EachMotionLockedAlone) {
  const Orientation frame = turned({0.4, 0.8, -0.3});
  const Mat3d R_WA = rotation_matrix(frame);
  for (std::size_t motion = 0; motion < 6; ++motion) {
    SCOPED_TRACE(motion_names[motion]);
    const Vec3d point{0.2, -0.1, 0.4};
    Model model = one_body({0.5, 0.3, -0.2}, inertia, frame, mass);
    model.bodies[0].velocity = {0.3, -0.5, 0.2};
    model.bodies[0].angular_velocity = R_WA * Vec3d{1.1, -0.8, 0.6};
    GeneralJoint joint = locking(motion);
    joint.point = point;
    joint.orientation = frame;
    add_joint(model, joint, point, {Quantity::displacement});
    model.simulation.duration = 1;
    model.simulation.step = 5e-4;
    model.simulation.output_step = 0.01;
    const Trajectory run = simulate(model);
    // One constraint leaves five freedoms: the start keeps the rest of its velocity.
    EXPECT_GT(norm(vector_at(run, "body", Quantity::angular_velocity, 0)), 0.5);

    for (std::size_t k = 0; k <= last(run); ++k) {
      const Vec3d force = vector_at(run, "joint", Quantity::force, k);
      const Vec3d torque = vector_at(run, "joint", Quantity::torque, k);
      const double small = 1e-12 * (norm(force) + norm(torque));
      if (motion < 3) {
        const int axis = static_cast<int>(motion);
        EXPECT_LT(std::fabs(vector_at(run, "joint", Quantity::displacement, k)[axis]), 1e-13);
        EXPECT_LE(norm(cross(force, R_WA.column(axis))), small);
        EXPECT_LE(norm(torque), small);
      } else {
        // The body's axes are those of the joint. Rotation k is locked by keeping axis k + 1 of the
        // first frame perpendicular to axis k + 2 of the second: the cross of a universal joint.
        const int i = static_cast<int>((motion - 2) % 3), j = static_cast<int>((motion - 1) % 3);
        const Vec3d a = R_WA.column(i), b = rotation_at(run, "body", k).column(j);
        EXPECT_LT(std::fabs(dot(a, b)), 1e-13);
        EXPECT_LE(norm(force), small);
        EXPECT_LE(norm(cross(torque, cross(a, b))), small);
      }
    }
    expect_newton_euler(model, run);
    double spin = 0;
    for (std::size_t k = 0; k <= last(run); ++k)
      spin = std::max(spin, norm(vector_at(run, "body", Quantity::angular_velocity, k)));
    const double turned_per_step = spin * *model.simulation.step;
    EXPECT_LT(energy_change(run), turned_per_step * turned_per_step);
    *model.simulation.step *= 2;
    expect_second_order("energy", energy_change(simulate(model)), energy_change(run), 1e-9);
  }
}

/// Without gravity, from rest and with the joint at the centre of mass along principal axes, the
/// body follows the one imposed motion and nothing else moves.
TEST(GeneralJoint, EachMotionImposedAlone) {
  const Orientation frame = turned({0.4, 0.8, -0.3});
  const Mat3d R_WA = rotation_matrix(frame);
  const Vec3d centre{0.5, 0.3, -0.2};
  for (std::size_t motion = 0; motion < 6; ++motion) {
    Model model = one_body(centre, inertia, frame, mass);
    model.gravity = {};
    model.drives = {{"drive", harmonic_drive(2, 3)}};
    GeneralJoint joint = locking(motion);
    joint.point = centre;
    joint.orientation = frame;
    joint.motion.drive[motion] = "drive";
    add_joint(model, joint, centre);
    model.simulation.duration = 2;
    model.simulation.output_step = 0.05;
    const Vec3d axis = R_WA * unit(motion % 3);
    const bool slides = motion < 3;
    const double about = inertia[static_cast<int>(motion % 3)];
    expect_converging(
        "imposed " + std::string(motion_names[motion]), model, 5e-4, {1e-4},
        [&](const Trajectory& run, std::size_t k) {
          const Imposed u = harmonic(2, 3, run.times[k]);
          const Imposed s = slides ? u : Imposed{0, 0, 0}, r = slides ? Imposed{0, 0, 0} : u;
          const Mat3d R = matrix(exp_quaternion(r.value * axis)) * R_WA;
          const Mat3d found = rotation_at(run, "body", k);
          for (int i = 0; i < 3; ++i) EXPECT_LT(distance(found.column(i), R.column(i)), 1e-13);
          using Q = Quantity;
          EXPECT_LT(distance(vector_at(run, "body", Q::position, k), centre + s.value * axis),
                    1e-13);
          return std::max(
              {distance(vector_at(run, "body", Q::velocity, k), s.rate * axis),
               distance(vector_at(run, "body", Q::acceleration, k), s.second * axis),
               distance(vector_at(run, "body", Q::angular_velocity, k), r.rate * axis),
               distance(vector_at(run, "body", Q::angular_acceleration, k), r.second * axis),
               distance(vector_at(run, "joint", Q::force, k), mass * s.second * axis),
               distance(vector_at(run, "joint", Q::torque, k), about * r.second * axis)});
        });
  }
}

// --- a rod of imposed length ---------------------------------------------------------------------

/// Pendulum of length l(t), θ from the vertical: θ̈ = -(g sin θ + 2 l̇ θ̇) / l, by classical
/// Runge-Kutta steps of 1e-4 s (error below 1e-12).
struct RodState {
  double angle, rate;
};
Imposed rod_length(double t) {
  const Imposed u = harmonic(0.4, 3, t);
  return {1.5 + u.value, u.rate, u.second};
}
RodState rod_reference(double to) {
  const double g = 9.80665;
  const auto slope = [g](double t, const RodState& x) {
    const Imposed l = rod_length(t);
    return RodState{x.rate, -(g * std::sin(x.angle) + 2 * l.rate * x.rate) / l.value};
  };
  const auto moved = [](const RodState& x, double h, const RodState& d) {
    return RodState{x.angle + h * d.angle, x.rate + h * d.rate};
  };
  RodState x{pi / 2, 0};
  const long steps = std::lround(to / 1e-4);
  for (long n = 0; n < steps; ++n) {
    const double h = to / static_cast<double>(steps), t = static_cast<double>(n) * h;
    const RodState a = slope(t, x), b = slope(t + h / 2, moved(x, h / 2, a));
    const RodState c = slope(t + h / 2, moved(x, h / 2, b)), d = slope(t + h, moved(x, h, c));
    x = moved(moved(x, h / 6, a), h / 3, b);
    x = moved(moved(x, h / 3, c), h / 6, d);
  }
  return x;
}

TEST(DistanceJoint, ImposedLength) {
  const Vec3d start{1.5, 0, 0};
  Model model = one_body(start, inertia, {}, mass);
  model.drives = {{"winch", harmonic_drive(0.4, 3)}};
  DistanceJoint joint = grounded(DistanceJoint{});
  joint.points = {{Vec3d{}, start}};
  joint.motion = DriveRef{"winch"};
  add_joint(model, joint, start, {Quantity::length, Quantity::length_rate});
  model.simulation.duration = 2;
  model.simulation.output_step = 0.05;
  std::vector<RodState> reference;
  for (int k = 0; k <= 40; ++k) reference.push_back(rod_reference(0.05 * k));
  expect_converging(
      "imposed length", model, 2.5e-4, {1e-4, 1e-4}, [&](const Trajectory& run, std::size_t k) {
        const RodState x = reference[static_cast<std::size_t>(std::lround(run.times[k] / 0.05))];
        const Imposed l = rod_length(run.times[k]);
        const Vec3d along{std::sin(x.angle), 0, -std::cos(x.angle)};
        const Vec3d across{std::cos(x.angle), 0, std::sin(x.angle)};
        const double tension =
            mass * (l.value * x.rate * x.rate + 9.80665 * std::cos(x.angle) - l.second);
        using Q = Quantity;
        EXPECT_NEAR(scalar_at(run, "joint", Q::length, k), l.value, 1e-13);
        return std::max({distance(vector_at(run, "body", Q::position, k), l.value * along),
                         distance(vector_at(run, "body", Q::velocity, k),
                                  l.rate * along + l.value * x.rate * across),
                         std::fabs(scalar_at(run, "joint", Q::length_rate, k) - l.rate),
                         distance(vector_at(run, "joint", Q::force, k), -tension * along)});
      });
}

// --- universal joint between two shafts ----------------------------------------------------------

/// The input shaft is turned about z by a motor; the output shaft is bent away from it by 0.6 rad
/// towards x and carries a constant load. The bearing of the output shaft keeps its direction
/// only: the universal joint holds it already.
TEST(UniversalJoint, TransmitsRotationBetweenBentShafts) {
  const double bend = 0.6, load = -3, J = inertia.z;
  const Vec3d output{std::sin(bend), 0, std::cos(bend)};
  Model model = one_body({0, 0, -0.5}, inertia, {}, mass);
  model.gravity = {};
  Body driven = model.bodies[0];
  driven.name = "driven";
  driven.position = 0.5 * output;
  driven.orientation = turned({0, bend, 0});
  model.bodies.push_back(driven);
  PolynomialDrive turning;
  turning.coefficients = {0, 4, 1.5};
  model.drives = {{"turning", turning}};
  RevoluteJoint motor = grounded(RevoluteJoint{});
  motor.point = Vec3d{0, 0, -0.5};
  motor.axis = Vec3d{0, 0, 1};
  motor.motion.drive[5] = "turning";
  add_joint(model, motor, *motor.point, {Quantity::angle, Quantity::angle_rate});
  UniversalJoint cross_joint;
  cross_joint.between = {MarkerRef{"body"}, MarkerRef{"driven"}};
  cross_joint.point = Vec3d{};
  cross_joint.axis_first = Vec3d{1, 0, 0};
  cross_joint.axis_second = Vec3d{0, 1, 0};
  model.joints.push_back({"cross", cross_joint});
  GeneralJoint bearing;
  bearing.between = {MarkerRef{"ground"}, MarkerRef{"driven"}};
  bearing.point = driven.position;
  bearing.orientation = driven.orientation;
  bearing.locked_motions.has = {false, false, false, true, true, false};
  model.joints.push_back({"bearing", bearing});
  Probe probe;
  probe.name = "bearing";
  probe.joint = JointRef{"bearing"};
  probe.quantities = {Quantity::angle, Quantity::angle_rate};
  model.probes.push_back(probe);
  AppliedForce brake;
  brake.body = BodyRef{"driven"};
  brake.torque = load * output;
  model.forces.push_back({"brake", brake});
  model.simulation.duration = 3;
  model.simulation.output_step = 0.05;

  // a·b = 0 for the arms a = (cos α, sin α, 0) and b, which starts at y and turns about the output
  // by β: tan β = tan α / cos(bend). Differentiated twice, with N = cos² bend cos² α + sin² α:
  //   β̇ = α̇ cos(bend) / N,   β̈ = (α̈ - α̇² sin² bend sin 2α / N) cos(bend) / N.
  const double c = std::cos(bend), s2 = 1 - c * c;
  const auto error = [&](const Trajectory& run, std::size_t k) {
    const double t = run.times[k];
    const Imposed in{4 * t + 1.5 * t * t, 4 + 3 * t, 3};
    const double ca = std::cos(in.value), sa = std::sin(in.value);
    const double N = c * c * ca * ca + sa * sa;
    // The output is never more than a quarter turn from the input.
    const double turn = std::atan2(sa, c * ca);
    const Imposed out{turn + 2 * pi * std::round((in.value - turn) / (2 * pi)), in.rate * c / N,
                      (in.second - in.rate * in.rate * s2 * 2 * sa * ca / N) * c / N};
    using Q = Quantity;
    EXPECT_NEAR(scalar_at(run, "joint", Q::angle, k), in.value, 1e-12);
    EXPECT_NEAR(scalar_at(run, "bearing", Q::angle, k), out.value, 1e-12);
    // Power: motor torque times α̇ feeds both shafts and the load.
    const double torque = J * in.second + (J * out.second - load) * out.rate / in.rate;
    return std::max({std::fabs(scalar_at(run, "joint", Q::angle_rate, k) - in.rate),
                     std::fabs(scalar_at(run, "bearing", Q::angle_rate, k) - out.rate),
                     std::fabs(vector_at(run, "joint", Q::torque, k).z - torque)});
  };
  // 20 rad/s of the double angle at the end of the run: (h ω)² of 13 rad/s is 3e-4 rad/s.
  expect_converging("universal joint between shafts", model, 2.5e-4, {1e-3}, error);
}

}  // namespace
}  // namespace tumble::validation
