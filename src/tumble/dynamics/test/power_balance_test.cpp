// What elements do to energy and momentum, whatever their formulas are.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tumble/dynamics/test/force_check.hpp"
#include "tumble/dynamics/test/force_models.hpp"

namespace tumble {
namespace {

using testing::Case;
using testing::expect_no_net_wrench;
using testing::Instant;
using testing::Numbers;
using testing::power_of_wrenches;

TEST(PowerBalance, ForcesTakeWhatThePotentialLoses) {
  for (const auto& c : testing::conservative_cases())
    for (const std::uint32_t seed : {1u, 2u, 3u}) {
      SCOPED_TRACE(c.name + ", seed " + std::to_string(seed));
      testing::expect_power_of_potential(c.model, seed);
    }
}

/// Elements between two bodies; gravity and applied forces come from outside.
std::vector<Case> mutual_cases() {
  std::vector<Case> cases;
  for (const auto& list : {testing::conservative_cases(), testing::other_force_cases()})
    for (const auto& c : list)
      if (c.name != "gravity" && c.name.rfind("applied", 0) != 0) cases.push_back(c);
  return cases;
}

TEST(PowerBalance, ActionAndReactionCancel) {
  for (const auto& c : mutual_cases()) {
    SCOPED_TRACE(c.name);
    testing::expect_action_and_reaction(c.model);
  }
}

/// Leaves in the workspace the forces of the multipliers alone.
void add_constraint_forces(Instant& instant) {
  const System& system = *instant.system;
  Numbers phi(static_cast<std::size_t>(system.nc));
  instant.update();
  const double* c = instant.constants.data();
  add_joint_forces(system, c, instant.lambda.data(), instant.w, phi.data());
  for (const auto& user : system.user_constraints)
    UserEvaluator(user, c, instant.w)
        .add_constraint(
            *system.nominal.user_constraints[static_cast<std::size_t>(user.entry)].element,
            instant.lambda.data(), phi.data());
}

TEST(PowerBalance, ConstraintForcesCancelBetweenTheBodies) {
  for (const auto& c : testing::joint_cases()) {
    SCOPED_TRACE(c.name);
    Instant instant(c.model);
    // The product of coordinates in the user's constraint knows an origin, so it pushes on nothing.
    if (!instant.system->user_constraints.empty()) instant.lambda[1] = 0;
    // A point lock pulls two points together that are apart here: a couple that goes with the gap.
    const Numbers all = instant.residual();
    Vec3d couple;
    for (const auto& lock : instant.system->point_locks) {
      const auto row = static_cast<std::size_t>(lock.rows[0].row);
      couple += cross(load3(&all[static_cast<std::size_t>(instant.system->nv) + row]),
                      load3(&instant.lambda[row]));
    }
    add_constraint_forces(instant);
    expect_no_net_wrench(instant, couple);
  }
}

TEST(PowerBalance, ConstraintForcesDoTheWorkOfImposedMotionsOnly) {
  for (const auto& test : testing::joint_cases()) {
    Instant instant(test.model);
    const System& system = *instant.system;
    const auto nc = static_cast<std::size_t>(system.nc);
    Numbers time_rate(nc), bias(nc);
    instant.tangent();
    constraint_rates(system, instant.constants.data(), instant.w, time_rate.data(), bias.data());
    // The nearest velocity with G v + ∂φ/∂t = 0.
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(system.nc, system.nv);
    for (int row = 0; row < system.nc; ++row)
      for (int k = 0; k < system.nv; ++k)
        if (const int slot = system.pattern.slot(system.nv + row, k); slot >= 0)
          G(row, k) = instant.w.K[static_cast<std::size_t>(slot)];
    Eigen::Map<Eigen::VectorXd> v(instant.v.data(), system.nv);
    const Eigen::Map<const Eigen::VectorXd> rate(time_rate.data(), system.nc);
    v -= G.completeOrthogonalDecomposition().solve(G * v + rate);
    add_constraint_forces(instant);
    // λᵀ G v = -λᵀ ∂φ/∂t, and the residual carries minus the physical forces.
    double imposed = 0;
    for (std::size_t i = 0; i < nc; ++i) imposed += instant.lambda[i] * time_rate[i];
    EXPECT_NEAR(power_of_wrenches(instant), imposed, 1e-12 * (10 + std::fabs(imposed)))
        << test.name;
    // No drive takes part: every rate is exactly zero and so is the work.
    if (!test.driven) {
      EXPECT_EQ(testing::largest(time_rate), 0) << test.name;
    }
  }
}

/// Damping alone: power of a model's only element.
double damping_power(const ForceKind& element, Instant& instant) {
  Model m = testing::base_model();
  m.forces.push_back({"it", element});
  instant = Instant(m);
  instant.update();
  add_element_forces(*instant.system, instant.constants.data(), instant.w);
  return power_of_wrenches(instant);
}

TEST(Dissipation, OfASpringDamperIsTheSquareOfItsRate) {
  const double damping = 0.7;
  for (const auto& ends : testing::all_ends()) {
    Instant instant(testing::base_model());
    const double power = damping_power(
        testing::spring(ends.ends, testing::linear(0), testing::linear(damping)), instant);
    const auto& spring = instant.system->all<SpringIndex>()[0];
    const auto length = [&](double t) {
      const Instant moved = instant.after(t);
      return line(spring.pair, constants_of(spring, moved.constants.data()).ends, moved.w).length;
    };
    const double h = 1e-3;
    const double rate =
        testing::first_difference(length(-2 * h), length(-h), length(h), length(2 * h), h);
    // At 3 m/s over 1 m the fifth derivative is near 3⁵: h⁴ 3⁵/30 = 1e-11, and twice the rate.
    EXPECT_NEAR(power, -damping * rate * rate, 1e-9 * (1 + rate * rate)) << ends.name;
    EXPECT_LT(power, -1e-3) << ends.name;
  }
}

TEST(Dissipation, OfATorsionDamperIsTheSquareOfItsRate) {
  const double damping = 0.7;
  for (const auto& ends : testing::all_ends()) {
    Instant instant(testing::base_model());
    const double power = damping_power(
        testing::torsion_spring(ends.ends, testing::linear(0), testing::linear(damping)), instant);
    const auto angle = [&](double t) {
      const Instant moved = instant.after(t);
      return tracked_angle(*moved.system, 0, moved.constants.data(), moved.w);
    };
    const double h = 1e-3;
    const double rate =
        testing::first_difference(angle(-2 * h), angle(-h), angle(h), angle(2 * h), h);
    EXPECT_NEAR(power, -damping * rate * rate, 1e-9 * (1 + rate * rate)) << ends.name;
    EXPECT_LT(power, -1e-3) << ends.name;
  }
}

TEST(Dissipation, OfABushingIsTheFormOfItsDampingMatrix) {
  const std::vector<double> C = testing::full_matrix(0.6);
  for (const auto& ends : testing::all_ends()) {
    Instant instant(testing::base_model());
    const double power =
        damping_power(testing::bushing(ends.ends, std::vector<double>(6, 0.0), C), instant);
    // Rates of the strain: of R_Aᵀ(p_B - p_A) by differences; of the rotation as defined.
    const auto& index = instant.system->all<BushingIndex>()[0];
    const auto state = [&](double t) {
      const Instant moved = instant.after(t);
      return bushing_state(index, moved.constants.data(), moved.w);
    };
    const double h = 1e-3;
    const auto m2 = state(-2 * h), m1 = state(-h), here = state(0), p1 = state(h),
               p2 = state(2 * h);
    double rate[6];
    for (int k = 0; k < 3; ++k)
      rate[k] = testing::first_difference(m2.e[k], m1.e[k], p1.e[k], p2.e[k], h);
    const auto& bodies = instant.w.body;
    store3(rate + 3, transpose_times(here.R_WA,
                                     bodies[static_cast<std::size_t>(index.pair.body[1])].w_W -
                                         bodies[static_cast<std::size_t>(index.pair.body[0])].w_W));
    double dissipated = 0;
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j) dissipated += rate[i] * C[6 * i + j] * rate[j];
    EXPECT_NEAR(power, -dissipated, 1e-9 * (1 + dissipated)) << ends.name;
    EXPECT_LT(power, -1e-3) << ends.name;
  }
}

}  // namespace
}  // namespace tumble
