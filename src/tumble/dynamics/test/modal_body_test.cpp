// Flexible bodies in a floating frame: against Newton's law for points of mass.
#include "tumble/dynamics/test/jacobian_check.hpp"
#include "tumble/dynamics/test/modal_samples.hpp"

namespace tumble {
namespace {

using testing::Instant;
using testing::Numbers;
using testing::PointCloud;

TEST(ModalBody, HasTheTangentOfItsResidual) {
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    testing::expect_consistent_tangent(testing::flexible_model(), seed);
    if (HasFatalFailure()) return;
  }
}

TEST(ModalBody, HasLocksWithTheirRates) {
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    testing::expect_consistent_rates(testing::flexible_model(), seed);
  }
}

/// An instant of a lone flexible body, whose reference point is its centre of mass.
struct CloudInstant {
  PointCloud cloud;
  Model model = testing::base_model();
  Instant instant;

  explicit CloudInstant(std::uint32_t seed) : instant(make(model, cloud), seed) {
    instant.constants = prepare(*instant.system, model);
    instant.update();
  }
  static const Model& make(Model& model, const PointCloud& cloud) {
    model.bodies = {cloud.body("cloud")};
    return model;
  }
  /// p + R (x + Σ q Φ) of every point.
  std::vector<Vec3d> places(const Instant& at) const {
    const auto& b = at.w.body[1];
    std::vector<Vec3d> list;
    for (std::size_t k = 0; k < cloud.m.size(); ++k) {
      Vec3d x = cloud.x[k];
      for (std::size_t i = 0; i < cloud.shape.size(); ++i) x += at.w.mode_q[i] * cloud.shape[i][k];
      list.push_back(b.p_W + b.R_WB * x);
    }
    return list;
  }
};

// Differences of fourth order at h = 1e-3 of motions at some rad/s: h⁴ 3⁶/90 and 5 eps/h² are below
// 1e-9.
constexpr double h = 1e-3, tolerance = 1e-8;

// d'Alembert: the residual is Σ m (a - g)·∂p/∂u, plus springs and dampers of the modes.
TEST(ModalBody, MovesAsItsPointsOfMassDo) {
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) {
    SCOPED_TRACE(seed);
    CloudInstant c(seed);
    const System& system = *c.instant.system;
    const auto nv = static_cast<std::size_t>(system.nv), modes = c.cloud.shape.size();
    const Numbers residual = c.instant.residual();
    const auto at_time = [&](double t) { return c.places(c.instant.after(t)); };
    const auto m2 = at_time(-2 * h), m1 = at_time(-h), p0 = at_time(0), p1 = at_time(h),
               p2 = at_time(2 * h);
    const ModalIndex& index = system.modal_bodies[0];
    const double* k = c.instant.constants.data() + index.constants;
    for (std::size_t j = 0; j < nv; ++j) {
      const auto moved = [&](double amount) {
        Instant at(c.instant);
        Numbers u(nv);
        u[j] = amount;
        compose(system, c.instant.q.data(), u.data(), at.q.data());
        at.update();
        return c.places(at);
      };
      const auto a = moved(-2 * h), b = moved(-h), d = moved(h), e = moved(2 * h);
      double expected = 0;
      for (std::size_t n = 0; n < c.cloud.m.size(); ++n)
        for (int axis = 0; axis < 3; ++axis) {
          const double acceleration = testing::second_difference(
              m2[n][axis], m1[n][axis], p0[n][axis], p1[n][axis], p2[n][axis], h);
          expected += c.cloud.m[n] * (acceleration - c.model.gravity[axis]) *
                      testing::first_difference(a[n][axis], b[n][axis], d[n][axis], e[n][axis], h);
        }
      if (j >= nv - modes) {
        const auto i = static_cast<int>(j - (nv - modes));
        for (std::size_t n = 0; n < modes; ++n) {
          const auto other = static_cast<int>(n);
          expected += k[index.K() + i * index.modes + other] * c.instant.w.mode_q[n] +
                      k[index.C() + i * index.modes + other] * c.instant.w.mode_v[n];
        }
      }
      EXPECT_NEAR(residual[j], expected, tolerance * (10 + testing::largest(residual)))
          << system.describe_row(static_cast<int>(j));
    }
  }
}

TEST(ModalBody, HasTheEnergyAndTheMomentumOfItsPoints) {
  CloudInstant c(2);
  const Instant& now = c.instant;
  const auto m2 = c.places(now.after(-2 * h)), m1 = c.places(now.after(-h)),
             p1 = c.places(now.after(h)), p2 = c.places(now.after(2 * h)), p0 = c.places(now);
  double kinetic = 0, potential = 0;
  Vec3d momentum, angular;
  for (std::size_t k = 0; k < c.cloud.m.size(); ++k) {
    Vec3d v;
    for (int axis = 0; axis < 3; ++axis)
      v[axis] = testing::first_difference(m2[k][axis], m1[k][axis], p1[k][axis], p2[k][axis], h);
    kinetic += 0.5 * c.cloud.m[k] * dot(v, v);
    momentum += c.cloud.m[k] * v;
    angular += c.cloud.m[k] * cross(p0[k], v);
    potential -= c.cloud.m[k] * dot(c.model.gravity, p0[k]);
  }
  for (std::size_t i = 0; i < c.cloud.shape.size(); ++i)
    potential += 0.5 * (2.0 + static_cast<double>(i)) * now.w.mode_q[i] * now.w.mode_q[i];
  Instant instant(now);
  const double* constants = instant.constants.data();
  const System& system = *instant.system;
  const ModalState<double> state = modal_state(system.modal_bodies[0], constants, instant.w);
  const auto& body = system.bodies[0];
  EXPECT_NEAR(kinetic_energy(body, constants, instant.w.body[1]) + state.kinetic_energy, kinetic,
              tolerance * kinetic);
  const Vec3d p = linear_momentum(body, constants, instant.w.body[1]) + state.momentum,
              L = angular_momentum(body, constants, instant.w.body[1]) + state.angular_momentum;
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(p[axis], momentum[axis], tolerance * norm(momentum));
    EXPECT_NEAR(L[axis], angular[axis], tolerance * norm(angular));
  }
  EXPECT_NEAR(potential_energy(system, constants, instant.w), potential,
              tolerance * std::fabs(potential));
}

// A node that stands where its flexible body has it satisfies its lock, the rotation included: the
// start of a model with amplitudes.
TEST(ModalBody, StartsWithItsNodesInPlace) {
  Model model = testing::flexible_model();
  model.bodies[0].modal->amplitudes = {0.1, -0.2};
  model.bodies[0].modal->rates = {0.3, 0.2, -0.5};
  model.bodies[0].velocity = {1, 2, 3};
  model.bodies[0].angular_velocity = {0.3, -0.2, 0.9};
  settle_nodes(model);
  model.joints.clear();
  const auto system = compile(model);
  const std::vector<double> constants = prepare(*system, model);
  const InitialState start = initial_state(*system, model);
  Workspace<double> w(*system);
  const auto n = static_cast<std::size_t>(system->nv + system->nc);
  const Numbers zero(n, 0.0);
  Numbers out(n), rate(n);
  update_drives(*system, constants.data(), 0.0, 0.0, w);
  update_bodies(*system, start.q.data(), start.v.data(), w);
  residual(*system, constants.data(), zero.data(), zero.data(), w, out.data());
  tangent(*system, constants.data(), zero.data(), zero.data(), w);
  multiply_gradient(*system, w, start.v.data(), rate.data());
  ASSERT_EQ(system->nc, 12);
  for (int row = 0; row < system->nc; ++row) {
    EXPECT_NEAR(out[static_cast<std::size_t>(system->nv + row)], 0, 1e-14);
    // Turning of nodes by rates of modes is left to the lock.
    if (row % 6 < 3) {
      EXPECT_NEAR(rate[static_cast<std::size_t>(row)], 0, 1e-13);
    }
  }
}

}  // namespace
}  // namespace tumble
