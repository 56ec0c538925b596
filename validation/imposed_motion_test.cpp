// Joints that move as told: angles, displacements, rotations and lengths imposed by drives, with
// the velocities, accelerations and reactions that follow. References are closed forms and
// differences of the imposed motions themselves.
#include "imposed.hpp"

namespace tumble::validation {
namespace {

const Vec3d inertia{0.04, 0.1, 0.07};

// --- prismatic -----------------------------------------------------------------------------------

/// A body on an inclined slider, held beside its centre of mass.
struct Slider {
  Vec3d axis{0.6, 0, -0.8}, point{0.1, -0.2, 0.3};
  Model model = one_body({0.5, 0.25, 0}, inertia, turned({0.3, -0.2, 0.5}), 2.0);
  PrismaticJoint joint = grounded(PrismaticJoint{});
  Slider() {
    joint.point = point;
    joint.axis = axis;
    model.simulation.duration = 2;
    model.simulation.output_step = 0.05;
  }
  /// Differences in position, velocity, acceleration and reaction when the slider is at s(t).
  /// `drive_force` is what the joint exerts along its axis.
  double error(const Trajectory& run, std::size_t k, const Imposed& s, double drive_force) const {
    const Vec3d start = model.bodies[0].position, g = model.gravity;
    // Across the axis the body does not accelerate: the joint carries the weight, which acts at
    // the centre of mass, and the moment that follows; so does the drive force.
    const Vec3d force = -2.0 * (g - dot(g, axis) * axis) + drive_force * axis;
    const Vec3d torque = -cross(start - point, 2.0 * g - 2.0 * s.second * axis);
    using Q = Quantity;
    return std::max({distance(vector_at(run, "body", Q::position, k), start + s.value * axis),
                     distance(vector_at(run, "body", Q::velocity, k), s.rate * axis),
                     distance(vector_at(run, "body", Q::acceleration, k), s.second * axis),
                     distance(vector_at(run, "joint", Q::force, k), force),
                     distance(vector_at(run, "joint", Q::torque, k), torque),
                     std::fabs(vector_at(run, "joint", Q::displacement, k).z - s.value),
                     std::fabs(vector_at(run, "joint", Q::displacement_rate, k).z - s.rate)});
  }
};
const std::vector<Quantity> displacements{Quantity::displacement, Quantity::displacement_rate};

TEST(ImposedMotion, FreePrismaticSlidesDownItsAxis) {
  Slider slider;
  add_joint(slider.model, slider.joint, slider.point, displacements);
  slider.model.simulation.step = 0.01;
  const Trajectory run = simulate(slider.model);
  // Constant acceleration is integrated without error, so that only rounding is left.
  const double a = dot(slider.model.gravity, slider.axis);
  for (std::size_t k = 0; k <= last(run); ++k) {
    const double t = run.times[k];
    EXPECT_LT(slider.error(run, k, {a * t * t / 2, a * t, a}, 0), acceleration_noise(0.01))
        << "t = " << t;
  }
  expect_newton_euler(slider.model, run);
  EXPECT_LT(energy_change(run), 1e-12);
}

TEST(ImposedMotion, DrivenPrismaticFollowsItsDrive) {
  Slider slider;
  slider.model.drives = {{"push", harmonic_drive(0.3, 4)}};
  slider.joint.motion.drive[2] = "push";
  add_joint(slider.model, slider.joint, slider.point, displacements);
  const double weight = 2 * dot(slider.model.gravity, slider.axis);
  expect_converging("driven prismatic", slider.model, 5e-4, {1e-5},
                    [&](const Trajectory& run, std::size_t k) {
                      const Imposed s = harmonic(0.3, 4, run.times[k]);
                      return slider.error(run, k, s, 2 * s.second - weight);
                    });
}

// --- motorised revolute --------------------------------------------------------------------------

/// A motor turns the body about z through the origin; its centre of mass is 0.5 m off the axis, and
/// gravity is along -y, so that the motor also lifts it.
Model motor_model(const std::vector<Drive>& drives) {
  Model model = one_body({0.5, 0, 0.1}, inertia, {}, 2.0);
  model.gravity = {0, -9.80665, 0};
  model.drives = drives;
  RevoluteJoint joint = grounded(RevoluteJoint{});
  joint.point = Vec3d{};
  joint.axis = Vec3d{0, 0, 1};
  joint.motion.drive[5] = drives.back().name;
  add_joint(model, joint, {}, {Quantity::angle, Quantity::angle_rate});
  model.simulation.duration = 2;
  model.simulation.output_step = 0.05;
  return model;
}
/// The angle and the position are imposed exactly; what follows from them converges.
double motor_error(const Trajectory& run, std::size_t k, const Imposed& angle) {
  const double c = std::cos(angle.value), s = std::sin(angle.value), r = 0.5, m = 2;
  const Vec3d along{c, s, 0}, across{-s, c, 0};
  using Q = Quantity;
  EXPECT_NEAR(scalar_at(run, "joint", Q::angle, k), angle.value, 1e-13);
  EXPECT_LT(distance(vector_at(run, "body", Q::position, k), r * along + Vec3d{0, 0, 0.1}), 1e-13);
  const Vec3d acceleration = r * angle.second * across - r * angle.rate * angle.rate * along;
  const double torque = (inertia.z + m * r * r) * angle.second + m * 9.80665 * r * c;
  return std::max(
      {std::fabs(scalar_at(run, "joint", Q::angle_rate, k) - angle.rate),
       distance(vector_at(run, "body", Q::velocity, k), r * angle.rate * across),
       distance(vector_at(run, "body", Q::acceleration, k), acceleration),
       distance(vector_at(run, "body", Q::angular_velocity, k), {0, 0, angle.rate}),
       distance(vector_at(run, "body", Q::angular_acceleration, k), {0, 0, angle.second}),
       distance(vector_at(run, "joint", Q::force, k), m * (acceleration + Vec3d{0, 9.80665, 0})),
       std::fabs(vector_at(run, "joint", Q::torque, k).z - torque)});
}

// The centre of mass circles at up to 10 rad/s with forces of 100 N: (h ω)² / 10 of that is 2.5e-4
// N at h = 5e-4.
TEST(ImposedMotion, MotorFollowsHarmonicAngle) {
  expect_converging("harmonic motor", motor_model({{"motor", harmonic_drive(2, 5)}}), 2.5e-4,
                    {1e-3}, [](const Trajectory& run, std::size_t k) {
                      return motor_error(run, k, harmonic(2, 5, run.times[k]));
                    });
}

TEST(ImposedMotion, MotorFollowsSmoothStepThroughTwoTurns) {
  SmoothStepDrive drive;
  drive.start = 0.2;
  drive.end = 1.8;
  drive.to = 4 * pi;
  expect_converging("smooth-step motor", motor_model({{"motor", drive}}), 2.5e-4, {1e-3},
                    [](const Trajectory& run, std::size_t k) {
                      return motor_error(run, k, smooth_step(0.2, 1.8, 4 * pi, run.times[k]));
                    });
}

// --- three rotations at once ---------------------------------------------------------------------

/// The imposed rotation vector, in joint axes: its angle passes π and 4.
Vec3d rotation_vector_at(double t) {
  return {3 * std::sin(1.5 * t), -2.5 * std::sin(1.1 * t), 3.5 * std::sin(0.9 * t)};
}

TEST(ImposedMotion, FixedJointWithThreeImposedRotations) {
  const Orientation frame = turned({0.4, 0.8, -0.3}), start = turned({-0.7, 0.2, 0.9});
  const Mat3d R_WA = rotation_matrix(frame), R_WB = rotation_matrix(start);
  const Vec3d point{0.2, -0.1, 0.4}, centre{0.5, 0.3, -0.2};
  Model model = one_body(centre, inertia, start, 2.0);
  model.drives = {{"a", harmonic_drive(3, 1.5)},
                  {"b", harmonic_drive(-2.5, 1.1)},
                  {"c", harmonic_drive(3.5, 0.9)}};
  FixedJoint joint = grounded(FixedJoint{});
  joint.point = point;
  joint.orientation = frame;
  joint.motion.drive = {"", "", "", "a", "b", "c"};
  add_joint(model, joint, point, {Quantity::rotation_vector});
  model.simulation.duration = 2;
  model.simulation.output_step = 0.05;

  // The body turns by R_WA exp(θ(t)) R_WAᵀ about the joint's point.
  const auto rotation = [&](double t) {
    return R_WA * matrix(exp_quaternion(rotation_vector_at(t))) * transpose(R_WA) * R_WB;
  };
  // Of a skew matrix S, or the skew part of another, the vector s with S = s̃.
  const auto vector_of = [](const Mat3d& S) {
    return 0.5 * Vec3d{S(2, 1) - S(1, 2), S(0, 2) - S(2, 0), S(1, 0) - S(0, 1)};
  };
  // Differences of fourth order: an error of 1e-12 from the formula, eps/δ² = 2e-10 from rounding.
  const double d = 1e-3;
  double largest_angle = 0;
  for (double t = 0; t < 2; t += 0.01)
    largest_angle = std::max(largest_angle, norm(rotation_vector_at(t)));
  EXPECT_GT(largest_angle, 4.5);
  const auto error = [&](const Trajectory& run, std::size_t k) {
    const double t = run.times[k];
    const Mat3d R = rotation(t), R1 = rotation(t + d), R2 = rotation(t + 2 * d);
    const Mat3d L1 = rotation(t - d), L2 = rotation(t - 2 * d);
    const Mat3d rate = (1 / (12 * d)) * (8.0 * (R1 - L1) - (R2 - L2));
    const Mat3d second = (1 / (12 * d * d)) * (16.0 * (R1 + L1) - (R2 + L2) - 30.0 * R);
    const Mat3d found = rotation_at(run, "body", k);
    double largest = 0;
    for (int i = 0; i < 3; ++i) largest = std::max(largest, distance(found.column(i), R.column(i)));
    // The orientation and the point are imposed exactly.
    EXPECT_LT(largest, 1e-13) << "t = " << t;
    const Vec3d arm = R * transpose_times(R_WB, centre - point);
    EXPECT_LT(distance(vector_at(run, "body", Quantity::position, k), point + arm), 1e-13);
    using Q = Quantity;
    // R̈ Rᵀ = ω̇̃ + ω̃ ω̃, and the last is symmetric.
    return std::max(
        {distance(vector_at(run, "body", Q::angular_velocity, k), vector_of(rate * transpose(R))),
         distance(vector_at(run, "body", Q::angular_acceleration, k),
                  vector_of(second * transpose(R))),
         distance(vector_at(run, "body", Q::acceleration, k),
                  second * transpose_times(R_WB, centre - point))});
  };
  expect_converging("three imposed rotations", model, 5e-4, {2e-4, 1e-8}, error);
  model.simulation.step = 5e-4;
  const Trajectory run = simulate(model);
  expect_newton_euler(model, run);
}

}  // namespace
}  // namespace tumble::validation
