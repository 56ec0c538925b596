// Constraint values and forces worked out by hand, one simple case for each primitive.
#include "tumble/dynamics/test/hand_model.hpp"

namespace tumble {
namespace {

using testing::expect_vector;
using testing::ground_to_b;
using testing::Placed;
using testing::unit_model;

Model with(const JointKind& kind) {
  Model m = unit_model();
  m.joints.push_back({"it", kind});
  m.drives = {{"u", PolynomialDrive{{0.1, 2}, 0}}};
  return m;
}

TEST(HandPointLock, IsTheGapInGroundAxes) {
  Placed p(with(SphericalJoint{{ground_to_b, Vec3d{1, 0, 0}}}));
  ASSERT_EQ(p.system->point_locks.size(), 1u);
  p.move({0.1, 0.2, 0.3}, {0, 0, std::numbers::pi / 2});
  // The body's point is now at (0.1, 1.2, 0.3); that of the ground stays at (1, 0, 0).
  expect_vector(load3(p.constraints().data()), {-0.9, 1.2, 0.3});
  // λ is the force on the body, up to the sign of the residual: minus it, about its arm (0, 1, 0).
  p.lambda = {5, 0, 0};
  const auto r = p.residual();
  expect_vector(load3(&r[0]), {5, 0, 0});
  expect_vector(p.w.body[1].torque_W, {0, 0, -5});
}

GeneralJoint general(std::size_t motion, bool imposed) {
  GeneralJoint joint;
  joint.between = ground_to_b;
  joint.point = Vec3d{};
  joint.locked_motions.has[motion] = true;
  if (imposed) joint.motion.drive[motion] = "u";
  return joint;
}

TEST(HandAxisLock, IsTheDisplacementAlongItsAxis) {
  GeneralJoint joint = general(0, false);
  joint.orientation = Orientation{Orientation::Form::axes, "", {3, 4, 0, -4, 3, 0}};
  Placed p(with(joint));
  ASSERT_EQ(p.system->axis_locks.size(), 1u);
  p.move({2, 1, 7}, {});
  EXPECT_NEAR(p.constraints()[0], 2 * 0.6 + 1 * 0.8, 1e-15);
  p.lambda = {10};
  expect_vector(load3(p.residual().data()), {6, 8, 0});
}

TEST(HandAxisLock, ImposedMotionIsSubtracted) {
  Placed p(with(general(1, true)));
  p.move({0, 3, 0}, {}).at_time(0.5);
  EXPECT_NEAR(p.constraints()[0], 3 - 1.1, 1e-15);
  double rate, bias;
  constraint_rates(*p.system, p.constants.data(), p.w, &rate, &bias);
  EXPECT_DOUBLE_EQ(rate, -2);
  EXPECT_DOUBLE_EQ(bias, 0);
}

TEST(HandDotLock, IsTheSineOfTheRotation) {
  // Rotation about z locked alone: x_A · y_B = -sin.
  Placed p(with(general(5, false)));
  ASSERT_EQ(p.system->dot_locks.size(), 1u);
  p.move({}, {0, 0, 0.3});
  EXPECT_NEAR(std::fabs(p.constraints()[0]), std::sin(0.3), 1e-15);
  p.lambda = {2};
  p.residual();
  expect_vector(p.w.body[1].force_W, {0, 0, 0});
  EXPECT_NEAR(norm(p.w.body[1].torque_W), 2 * std::cos(0.3), 1e-15);
  EXPECT_NEAR(std::fabs(p.w.body[1].torque_W.z), 2 * std::cos(0.3), 1e-15);
}

TEST(HandDotLock, VanishesAtTheImposedAngle) {
  Placed p(with(general(5, true)));
  p.at_time(0.6).move({}, {0, 0, 1.3});  // 0.1 + 2 0.6
  EXPECT_NEAR(p.constraints()[0], 0, 1e-15);
  double rate, bias;
  constraint_rates(*p.system, p.constants.data(), p.w, &rate, &bias);
  EXPECT_NEAR(std::fabs(rate), 2, 1e-15);  // the frame runs away at 2 rad/s
}

TEST(HandDistanceLock, IsTheExcessLength) {
  DistanceJoint joint{ground_to_b, std::array<Vec3d, 2>{Vec3d{-1, 0, 0}, Vec3d{}}, 2.0, {}, {}};
  Placed p(with(joint));
  p.move({2, 4, 0}, {});  // 5 m apart
  EXPECT_NEAR(p.constraints()[0], 3, 1e-15);
  p.lambda = {10};
  expect_vector(load3(p.residual().data()), {6, 8, 0});
}

TEST(HandDistanceLock, LengthAtTheStartIfNotGiven) {
  DistanceJoint joint{ground_to_b, std::array<Vec3d, 2>{Vec3d{-1, 0, 0}, Vec3d{}}, {}, {}, {}};
  joint.motion = DriveRef{"u"};
  Placed p(with(joint));
  EXPECT_NEAR(p.constraints()[0], -0.1, 1e-15);  // u(0) is added to the length of 1 m
  // A circle of 1 m at 3 m/s: the length would grow by v²/L = 9 m/s².
  p.speed({0, 3, 0}, {});
  p.update();
  double rate, bias;
  constraint_rates(*p.system, p.constants.data(), p.w, &rate, &bias);
  EXPECT_DOUBLE_EQ(rate, -2);
  EXPECT_DOUBLE_EQ(bias, 9);
}

TEST(HandJoint, KindsLockWhatTheyNameAndLeaveTheRest) {
  // A hinge along z at the body's centre, turned by a large angle about z: nothing is violated;
  // tilted about x by 0.2: z_A · y_B = sin 0.2 is.
  RevoluteJoint hinge;
  hinge.between = ground_to_b;
  hinge.point = Vec3d{};
  hinge.axis = Vec3d{0, 0, 1};
  Placed turned(with(hinge));
  turned.move({}, {0, 0, 2.5});
  for (const double phi : turned.constraints()) EXPECT_NEAR(phi, 0, 1e-15);
  Placed tilted(with(hinge));
  tilted.move({}, {0.2, 0, 0});
  const auto phi = tilted.constraints();
  ASSERT_EQ(phi.size(), 5u);
  EXPECT_NEAR(std::hypot(phi[3], phi[4]), std::sin(0.2), 1e-15);
}

}  // namespace
}  // namespace tumble
