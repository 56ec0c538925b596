// Joints and forces on frames that are fixed to nodes of beams, and damping in proportion to mass.
#include "tumble/dynamics/test/beam_models.hpp"
#include "tumble/dynamics/test/jacobian_check.hpp"
#include "tumble/model/node_frames.hpp"

namespace tumble {
namespace {

using testing::Case;
using testing::Instant;
using testing::Numbers;

Model two_beams(BeamDimension dimension) {
  Model model = testing::beam_base();
  const double z = dimension == BeamDimension::planar ? 0.2 : 0.9;
  model.beams = {testing::straight_beam("arm", dimension, BeamFormulation::structural, {0, 0, 0.2},
                                        {1.5, 0.4, z}),
                 testing::straight_beam("other", dimension, BeamFormulation::continuum,
                                        {1.5, 0.4, z}, {2.2, 1.6, z})};
  return model;
}

std::vector<Case> frame_cases() {
  std::vector<Case> cases;
  for (const auto dimension : {BeamDimension::planar, BeamDimension::spatial}) {
    const std::string word = dimension == BeamDimension::planar ? "Planar" : "Spatial";
    const auto add = [&](const std::string& name, const JointKind& kind) {
      Case c{word + name, two_beams(dimension), false};
      c.model.joints = {{"joint", kind}};
      attach_frames(c.model);
      cases.push_back(std::move(c));
    };
    PrismaticJoint slide;
    slide.between = {MarkerRef{"arm.end"}, MarkerRef{"a"}};
    slide.axis = Vec3d{0.3, -0.5, 0.8};
    add("Prismatic", slide);
    UniversalJoint cross;
    cross.between = {MarkerRef{"arm.end"}, MarkerRef{"other.start"}};
    cross.axis_first = Vec3d{1, 2, 0};
    cross.axis_second = Vec3d{-2, 1, 0};
    add("Universal", cross);
    RevoluteJoint motor;
    motor.between = {MarkerRef{"ground"}, MarkerRef{"arm.start"}};
    motor.axis = Vec3d{0, 0, 1};
    motor.motion.drive[5] = "one";
    add("Motor", motor);
    Case c{word + "Bushing", two_beams(dimension), false};
    Bushing bushing;
    bushing.between = {MarkerRef{"arm.end"}, MarkerRef{"other.start"}};
    bushing.stiffness = {3, 4, 5, 1, 2, 1.5};
    bushing.damping = {0.3, 0.1, 0.2, 0.4, 0.1, 0.2};
    c.model.forces = {{"bushing", bushing}};
    attach_frames(c.model);
    cases.push_back(std::move(c));
  }
  return cases;
}

class NodeFrameJacobian : public ::testing::TestWithParam<Case> {};
TEST_P(NodeFrameJacobian, IsTheDerivativeOfTheResidual) {
  testing::expect_consistent_tangent(GetParam().model, 1);
  testing::expect_consistent_rates(GetParam().model, 2);
}
INSTANTIATE_TEST_SUITE_P(Element, NodeFrameJacobian, ::testing::ValuesIn(frame_cases()),
                         testing::case_name);

std::vector<Case> mass_damped_cases() {
  std::vector<Case> cases = testing::beam_cases();
  for (Case& c : cases) c.model.beams[0].mass_damping = 0.7;
  return cases;
}
class MassDampedBeam : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Element, MassDampedBeam, ::testing::ValuesIn(mass_damped_cases()),
                         testing::case_name);

TEST_P(MassDampedBeam, HasTheTangentOfItsResidual) {
  testing::expect_consistent_tangent(GetParam().model, 1);
}

// The force is a M e' with the matrix M of the inertia, and turns a e'·M e' into heat, which is
// twice a times the kinetic energy.
TEST_P(MassDampedBeam, LosesTwiceItsKineticEnergyTimesTheFactor) {
  Model undamped = GetParam().model;
  undamped.beams[0].mass_damping.reset();
  Instant with(GetParam().model, 3), without(undamped, 3);
  const Numbers r = with.residual(), r0 = without.residual();
  ASSERT_EQ(with.v, without.v);
  double power = 0;
  for (std::size_t i = 0; i < with.v.size(); ++i) power += with.v[i] * (r[i] - r0[i]);
  const System& system = *with.system;
  const double kinetic = beam_state(system.beams[0], with.constants.data(), with.w).kinetic_energy;
  const double expected = 2 * 0.7 * kinetic;
  ASSERT_GT(expected, 0.01);
  EXPECT_NEAR(power, expected, 1e-12 * (expected + std::fabs(power)) + 1e-12);
  EXPECT_NEAR(with.w.power.dissipation - without.w.power.dissipation, expected,
              1e-12 * (expected + with.w.power.dissipation));
}

}  // namespace
}  // namespace tumble
