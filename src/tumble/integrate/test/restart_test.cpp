// What happens at a break point where an imposed velocity jumps: the blow that rigid joints
// transmit, and accelerations that fit the new motion.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tumble/dynamics/energy.hpp"
#include "tumble/integrate/step/integrator.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

/// A carriage on a rail whose speed is imposed, 0 m/s until 0.05 s and then 2 m/s, with a rod
/// hanging from it by a ball joint and swinging.
Model jerked_pendulum() {
  Model m;
  m.gravity = {0, 0, -9.81};
  Body carriage;
  carriage.name = "carriage";
  carriage.mass = 3;
  carriage.inertia = {0.3, 0.4, 0.5, 0, 0, 0};
  Body rod;
  rod.name = "rod";
  rod.mass = 1.5;
  rod.position = {0, 0, -0.5};
  rod.inertia = {0.2, 0.25, 0.1, 0.01, 0.02, -0.01};
  rod.angular_velocity = {0.7, -0.4, 1.1};
  rod.velocity = cross(rod.angular_velocity, Vec3d{0, 0, -0.5});
  m.bodies = {carriage, rod};
  PrismaticJoint rail;
  rail.between = {MarkerRef{"ground"}, MarkerRef{"carriage"}};
  rail.point = Vec3d{};
  rail.axis = Vec3d{1, 0, 0};
  rail.motion.drive[2] = "travel";
  SphericalJoint ball{{{MarkerRef{"carriage"}, MarkerRef{"rod"}}, Vec3d{}}};
  m.joints = {{"rail", rail}, {"ball", ball}};
  m.drives = {{"travel", PiecewiseLinearDrive{{0, 0.05, 10}, {0, 0, 19.9}}}};
  m.simulation.duration = 0.1;
  m.simulation.step = 0.01;
  return m;
}

class Restart : public ::testing::Test {
 protected:
  Restart()
      : model(jerked_pendulum()),
        system(compile(model, PrescribedMotion::keep)),
        constants(prepare(*system, model)),
        integrator(make_plan(system), constants) {
    integrator.start(initial_state(*system, model), 0, 0.5 * h);
    integrator.restart(h);
    for (int k = 1; k <= 5; ++k) EXPECT_TRUE(integrator.step(k * h));
  }
  /// A matrix over the pattern's slots, its rows and columns from the given ones on.
  Eigen::MatrixXd dense(const std::vector<double>& values, int first_row, int rows) const {
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(rows, system->nv);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < system->nv; ++j)
        if (const int slot = system->pattern.slot(first_row + i, j); slot >= 0)
          m(i, j) = values[static_cast<std::size_t>(slot)];
    return m;
  }
  static Eigen::VectorXd vector(const std::vector<double>& x) {
    return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
  }

  const double h = 0.01;
  const Model model;
  const std::shared_ptr<const System> system;
  const std::vector<double> constants;
  Integrator integrator;
};

TEST_F(Restart, IsThePlasticImpulseOfTheJoints) {
  const MotionState before = integrator.state();
  integrator.restart(h);
  const MotionState after = integrator.state();
  EXPECT_EQ(before.q, after.q);
  EXPECT_EQ(before.time, after.time);

  Workspace<double>& w = integrator.observe();
  tangent(*system, constants.data(), after.vdot.data(), after.lambda.data(), w);
  const Eigen::MatrixXd M = dense(w.M, 0, system->nv), G = dense(w.K, system->nv, system->nc);
  const Eigen::VectorXd jump = M * (vector(after.v) - vector(before.v));
  EXPECT_GT(jump.norm(), 1);
  // Momentum changes along the constraint directions only: what is left of it after taking those
  // out is the rounding of a solve with a condition number near 100.
  const Eigen::VectorXd impulse = G.transpose().colPivHouseholderQr().solve(jump);
  EXPECT_LT((jump - G.transpose() * impulse).norm(), 1e-13 * jump.norm());
  // It takes the carriage to its new speed, and the rod's end with it.
  EXPECT_NEAR(after.v[0], 2, 1e-13);
  std::vector<double> time_rate(static_cast<std::size_t>(system->nc)), bias(time_rate);
  constraint_rates(*system, constants.data(), w, time_rate.data(), bias.data());
  EXPECT_LT((G * vector(after.v) + vector(time_rate)).norm(), 1e-13);
  // A blow of joints that are rigid before and after leaves what they do not transmit: the rod's
  // angular momentum about the ball.
  const auto about_ball = [&](const MotionState& state) {
    update_bodies(*system, state.q.data(), state.v.data(), w);
    const auto& rod = w.body[2];
    const Vec3d p = linear_momentum(system->bodies[1], constants.data(), rod);
    const Vec3d ball = w.body[1].p_W;
    return angular_momentum(system->bodies[1], constants.data(), rod) - cross(ball, p);
  };
  EXPECT_LT(norm(about_ball(after) - about_ball(before)), 1e-13);
}

TEST_F(Restart, GivesConsistentAccelerations) {
  integrator.restart(h);
  const MotionState state = integrator.state();
  Workspace<double>& w = integrator.observe();
  std::vector<double> r(static_cast<std::size_t>(system->nv + system->nc));
  residual(*system, constants.data(), state.vdot.data(), state.lambda.data(), w, r.data());
  // Forces are of order 50 N, so this is a few roundings of a solve.
  for (int i = 0; i < system->nv; ++i) EXPECT_NEAR(r[static_cast<std::size_t>(i)], 0, 1e-12);
  for (int i = system->nv; i < system->nv + system->nc; ++i)
    EXPECT_NEAR(r[static_cast<std::size_t>(i)], 0, 1e-13) << "positions stay on the constraints";
  tangent(*system, constants.data(), state.vdot.data(), state.lambda.data(), w);
  std::vector<double> time_rate(static_cast<std::size_t>(system->nc)), bias(time_rate),
      by_acceleration(time_rate);
  constraint_rates(*system, constants.data(), w, time_rate.data(), bias.data());
  multiply_gradient(*system, w, state.vdot.data(), by_acceleration.data());
  for (std::size_t i = 0; i < bias.size(); ++i) EXPECT_NEAR(by_acceleration[i] + bias[i], 0, 1e-12);
}

TEST_F(Restart, ChangesNothingWhereNothingJumps) {
  integrator.restart(h);  // the jump
  for (int k = 6; k <= 9; ++k) ASSERT_TRUE(integrator.step(k * h));
  const MotionState before = integrator.state();
  integrator.restart(0.5 * h);
  // Velocities of the index-3 method are off the constraints by h² |1 - 6β - 3Δ|/6 v̈, that is
  // 0.09 h² v̈; with v̈ below 10 m/s³ here, less than 1e-4 m/s.
  for (std::size_t i = 0; i < before.v.size(); ++i)
    EXPECT_NEAR(integrator.state().v[i], before.v[i], 1e-4);
}

}  // namespace
}  // namespace tumble
