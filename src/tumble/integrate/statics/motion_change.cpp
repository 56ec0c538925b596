#include "tumble/integrate/statics/motion_change.hpp"

#include <algorithm>

namespace tumble {

using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

/// The equations seen from the frame and restricted to what joints allow.
struct SeenFromFrame {
  MatrixXd force, tangent[3];
  double strength = 0;         ///< of the forces, with what rounding may feign
  double size[3] = {0, 0, 0};  ///< of tangents that matter beside the mass
};

SeenFromFrame look_from_frame(SteadyEquations& equations, MotionState& state) {
  const System& system = equations.system();
  const Linearization lin = equations.balance(state);
  const MatrixXd Z = allowed_motions(lin.G);
  const MatrixXd S = equations.frame_axes().transpose() * Z * Z.transpose();
  const VectorXd scaling =
      Eigen::Map<const VectorXd>(equations.constants().data() + system.weight_constants, system.nv)
          .cwiseMax(1e-12)
          .cwiseInverse();
  const auto scaled = [&](const MatrixXd& m) {
    return MatrixXd(scaling.asDiagonal() * (S * m * S.transpose()) * scaling.asDiagonal());
  };
  SeenFromFrame out;
  out.force = scaling.asDiagonal() * (S * lin.force);
  out.tangent[0] = scaled(lin.M);
  out.tangent[1] = scaled(lin.C);
  out.tangent[2] = scaled(lin.K);
  const double mass = out.tangent[0].cwiseAbs().maxCoeff(), turning = equations.fastest(state);
  out.size[0] = mass;
  out.size[1] = mass * turning;
  out.size[2] = mass * turning * turning;
  out.strength = std::max((scaling.asDiagonal() * lin.force).cwiseAbs().maxCoeff(),
                          1e-4 * out.size[2] * equations.length_scale(state));
  return out;
}

double difference(const MatrixXd& a, const MatrixXd& b, double scale) {
  return scale > 0 && a.size() > 0 ? (a - b).cwiseAbs().maxCoeff() / scale : 0;
}

}  // namespace

MotionChange change_while_turning(const System& system, const std::vector<double>& constants,
                                  const SteadyMotion& motion, const MotionState& at) {
  SteadyEquations equations(system, constants, motion);
  MotionState state = at;
  equations.set_rates(state);
  const double turning = equations.fastest(state);
  const SeenFromFrame before = look_from_frame(equations, state);
  MotionChange largest;
  for (const double angle : {1.0, 1.3}) {
    equations.advance(state, angle / turning);
    const SeenFromFrame after = look_from_frame(equations, state);
    largest.force = std::max(largest.force, difference(before.force, after.force, before.strength));
    for (int k = 0; k < 3; ++k)
      largest.tangent =
          std::max(largest.tangent,
                   difference(before.tangent[k], after.tangent[k],
                              std::max(before.tangent[k].cwiseAbs().maxCoeff(), before.size[k])));
  }
  return largest;
}

}  // namespace tumble
