// Beams and their joints in the equations of motion.
#include "tumble/dynamics/test/beam_models.hpp"
#include "tumble/dynamics/test/jacobian_check.hpp"

namespace tumble {
namespace {

using testing::Case;
using testing::Instant;
using testing::Numbers;

class BeamJacobian : public ::testing::TestWithParam<Case> {};

TEST_P(BeamJacobian, IsTheDerivativeOfTheResidual) {
  for (const std::uint32_t seed : {1u, 2u}) {
    SCOPED_TRACE(seed);
    testing::expect_consistent_tangent(GetParam().model, seed);
    if (HasFatalFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Element, BeamJacobian, ::testing::ValuesIn(testing::beam_cases()),
                         testing::case_name);
INSTANTIATE_TEST_SUITE_P(Joint, BeamJacobian, ::testing::ValuesIn(testing::beam_joint_cases()),
                         testing::case_name);

TEST(BeamJointRates, AreTheTimeDerivativesAlongAPath) {
  for (const auto& joint : testing::beam_joint_cases())
    for (const std::uint32_t seed : {1u, 2u}) {
      SCOPED_TRACE(joint.name + ", seed " + std::to_string(seed));
      testing::expect_consistent_rates(joint.model, seed);
    }
}

/// Kinetic and potential energy of all beams.
double energy(Instant& instant) {
  instant.update();
  const System& system = *instant.system;
  const double* c = instant.constants.data();
  double sum = potential_energy(system, c, instant.w);
  for (std::size_t i = 0; i < system.bodies.size(); ++i)
    sum += kinetic_energy(system.bodies[i], c, instant.w.body[i + 1]);
  for (const auto& beam : system.beams) sum += beam_state(beam, c, instant.w).kinetic_energy;
  return sum;
}

// Without damping and loads, v·r is the rate of the energy: r = M v̇ + ∂V/∂q.
TEST(BeamEnergy, ChangesByThePowerOfTheResidual) {
  for (auto& c : testing::beam_cases()) {
    if (c.model.beams[0].damping_time) continue;
    SCOPED_TRACE(c.name);
    c.model.forces.clear();
    Instant instant(c.model, 4);
    const Numbers r = instant.residual();
    double power = 0;
    for (std::size_t i = static_cast<std::size_t>(instant.system->beam_v); i < instant.v.size();
         ++i)
      power += instant.v[i] * r[i];
    // The body of the model stays where it is.
    const auto at = [&](double t) {
      Instant moved(instant);
      for (std::size_t i = static_cast<std::size_t>(instant.system->beam_v); i < moved.v.size();
           ++i) {
        moved.q[i + 1] += t * (instant.v[i] + 0.5 * t * instant.vdot[i]);
        moved.v[i] += t * instant.vdot[i];
      }
      return energy(moved);
    };
    const double h = 1e-3;
    EXPECT_NEAR(power, testing::first_difference(at(-2 * h), at(-h), at(h), at(2 * h), h),
                1e-8 * (1 + std::fabs(power)));
  }
}

// Inner forces and those of a joint between two beams leave momentum and angular momentum to
// gravity: Σ over the position vectors, and Σ e_k x r_k over all vectors, of r - M v̇.
TEST(BeamMomentum, IsChangedByGravityAlone) {
  for (auto& c : testing::beam_joint_cases()) {
    if (c.name.find("BeamBeam") == std::string::npos) continue;
    SCOPED_TRACE(c.name);
    c.model.gravity = {};
    Instant instant(c.model, 5);
    std::fill(instant.vdot.begin(), instant.vdot.end(), 0.0);
    // On the constraint of points, or their forces would have an arm.
    const System& system = *instant.system;
    const auto& joint = system.node_joints[0];
    for (int k = 0; k < joint.components; ++k)
      instant.q[static_cast<std::size_t>(system.beam_q + joint.side[1].node + k)] =
          instant.q[static_cast<std::size_t>(system.beam_q + joint.side[0].node + k)];
    const Numbers r = instant.residual();
    Vec3d force, moment;
    double size = 0;
    for (const auto& beam : system.beams) {
      const int d = beam.dimension;
      for (int i = 0; i < beam.nodes * (d + 1); ++i) {
        Vec3d e, f;
        for (int k = 0; k < d; ++k) {
          const int at = beam.coordinates + d * i + k;
          e[k] = instant.q[static_cast<std::size_t>(system.beam_q + at)];
          f[k] = r[static_cast<std::size_t>(system.beam_v + at)];
        }
        if (i % (d + 1) == 0) force += f;
        moment += cross(e, f);
        size += norm(f);
      }
    }
    EXPECT_NEAR(norm(force), 0, 1e-13 * size);
    EXPECT_NEAR(norm(moment), 0, 1e-12 * size);
  }
}

}  // namespace
}  // namespace tumble
