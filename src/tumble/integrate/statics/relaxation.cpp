#include "tumble/integrate/statics/relaxation.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "tumble/integrate/statics/motion_text.hpp"

namespace tumble {

namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

/// Curvature below this fraction of the largest is rounding.
constexpr double neutral_curvature = 1e-13;

/// The equations on the constraints, in ways to move x of unit mass that the symmetric part of the
/// tangent does not couple: curvature μ = xᵀ K x, slope xᵀ r.
struct Valley {
  MatrixXd allowed;    ///< orthonormal basis of what joints allow
  MatrixXd ways;       ///< columns, in the frame's axes
  VectorXd curvature;  ///< increasing
  VectorXd slope;
  MatrixXd stiffness;   ///< waysᵀ K ways, not symmetric where forces have no potential
  VectorXd force;       ///< r without reactions
  double strength = 0;  ///< size of the forces that must balance, as slopes are measured
  double neutral = 0;   ///< curvatures of this size are none
};

Valley look_around(SteadyEquations& equations, MotionState& state) {
  const Linearization lin = equations.balance(state);
  const MatrixXd Z = allowed_motions(lin.G);
  Valley out;
  out.allowed = Z;
  out.force = lin.force;
  if (Z.cols() == 0) return out;
  const MatrixXd K = Z.transpose() * lin.K * Z, M = Z.transpose() * lin.M * Z;
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(0.5 * (K + K.transpose()),
                                                                  0.5 * (M + M.transpose()));
  if (solver.info() != Eigen::Success)
    throw SimulationError("the linearised equations have no eigenvalues", 0.0);
  out.ways = Z * solver.eigenvectors();
  out.curvature = solver.eigenvalues();
  out.slope = out.ways.transpose() * lin.force;
  out.stiffness = solver.eigenvectors().transpose() * K * solver.eigenvectors();
  out.strength = std::sqrt(std::fabs(lin.force.dot(lin.M.ldlt().solve(lin.force))));
  out.neutral = neutral_curvature * out.curvature.cwiseAbs().maxCoeff();
  return out;
}

/// How far a displacement goes: angles and slopes in radians, places as fractions of the machine's
/// size.
double extent(const System& system, const VectorXd& y, double length) {
  double largest = 0;
  for (std::size_t b = 0; b < system.blocks.size(); ++b) {
    const Block& block = system.blocks[b];
    const BeamIndex* beam = nullptr;
    for (const BeamIndex& index : system.beams)
      if (index.block == static_cast<int>(b)) beam = &index;
    const bool modal = std::ranges::find(system.modal_bodies, static_cast<int>(b),
                                         &ModalIndex::block) != system.modal_bodies.end();
    for (int k = 0; k < block.nv; ++k) {
      const bool place =
          modal || (beam != nullptr ? k % beam->node_size() < beam->dimension : k < 3);
      largest = std::max(largest, std::fabs(y(block.v + k)) / (place ? length : 1.0));
    }
  }
  return largest;
}

}  // namespace

Stability examine(SteadyEquations& equations, const MotionState& state) {
  MotionState copy = state;
  const Valley valley = look_around(equations, copy);
  Stability out;
  for (Index i = 0; i < valley.curvature.size(); ++i) {
    if (valley.curvature(i) > valley.neutral) break;
    (valley.curvature(i) < -valley.neutral ? out.unstable : out.neutral)
        .push_back(valley.ways.col(i));
  }
  return out;
}

// Newton's step where the tangent is positive; against the slope, with the absolute curvature,
// where it is not; and off a ridge by a small step to one side. A way is followed by a limited
// amount, and a step is shortened until the slope along it has not turned to more than half its
// size: no energy is asked for, so follower forces and steady rotation are welcome.
Relaxation relax(SteadyEquations& equations, MotionState& state) {
  constexpr int most_iterations = 400, most_ridges = 20;
  constexpr double farthest = 0.3, off_ridge = 0.1, small = 1e-9;
  const System& system = equations.system();
  const double start_length = equations.length_scale(state);
  equations.set_rates(state);
  equations.track_angles(state);
  Relaxation out;
  std::vector<double> q(state.q.size());
  Valley valley = look_around(equations, state);
  out.converged = valley.curvature.size() == 0;  // nothing can move
  if (out.converged) return out;
  double strength = valley.strength, step_before = 1e300;
  int ridges = 0;
  for (out.iterations = 1; out.iterations <= most_iterations; ++out.iterations) {
    const Index n = valley.curvature.size();
    const double length = equations.length_scale(state);
    if (length > 1e3 * start_length || !std::isfinite(length)) break;
    strength = std::max(strength, valley.strength);
    const Index low = (valley.curvature.array() < -valley.neutral).count();
    const Index high = (valley.curvature.array() > valley.neutral).count();
    VectorXd way = VectorXd::Zero(n);
    double step = 0;
    // Positive ways together: Newton's method, even where the tangent is not symmetric.
    if (high > 0)
      way.tail(high) = -valley.stiffness.bottomRightCorner(high, high)
                            .partialPivLu()
                            .solve(valley.slope.tail(high));
    if (low > 0)
      way.tail(high) = -valley.slope.tail(high).cwiseQuotient(valley.curvature.tail(high));
    for (Index i = 0; i < n - high; ++i) {
      const double curvature = std::fabs(valley.curvature(i));
      if (std::fabs(valley.slope(i)) <= small * strength && curvature <= valley.neutral) continue;
      way(i) = -valley.slope(i) / std::max(curvature, valley.neutral + 1e-300);
    }
    for (Index i = 0; i < n; ++i) {
      const double far = std::fabs(way(i)) * extent(system, valley.ways.col(i), length);
      step = std::max(step, far);
      if (far > farthest) way(i) *= farthest / far;
    }
    if (!std::isfinite(step)) break;
    const bool settled = step <= small || (step <= 1e-6 && step >= 0.5 * step_before);
    step_before = step;
    // What is left is a last step, which Newton's method squares.
    out.converged = settled && low == 0;
    if (settled && low > 0) {
      if (++ridges > most_ridges) break;
      // Either side of a ridge will do; which one must not depend on rounding.
      VectorXd down = valley.ways.col(0);
      Index largest = 0;
      down.cwiseAbs().maxCoeff(&largest);
      way.setZero();
      way(0) = (down(largest) < 0 ? -off_ridge : off_ridge) / extent(system, down, length);
    }
    const VectorXd direction = valley.ways * way;
    const double slope = valley.slope.dot(way);
    double part = std::min(1.0, 2 * farthest / std::max(extent(system, direction, length), 1e-300));
    const MotionState before = state;
    for (int shortened = 0; shortened < 30; ++shortened, part *= 0.5) {
      state = before;
      const std::vector<double> u = equations.increment(before, part * direction);
      compose(system, before.q.data(), u.data(), q.data());
      state.q = q;
      if (!equations.assemble(state)) continue;
      equations.set_rates(state);
      valley = look_around(equations, state);
      // The slope along what joints still allow of the direction.
      const double onward =
          (valley.allowed.transpose() * valley.force).dot(valley.allowed.transpose() * direction);
      if (settled || onward <= 0.5 * std::fabs(slope) || step < 1e-7) break;
    }
    equations.track_angles(state);
    if (out.converged) return out;
  }
  Index worst = 0;
  if (valley.slope.size() > 0) valley.slope.cwiseAbs().maxCoeff(&worst);
  if (valley.ways.cols() > 0)
    out.moving = describe_motion(system, equations.constants(), valley.ways.col(worst));
  return out;
}

}  // namespace tumble
