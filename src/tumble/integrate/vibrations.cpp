#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "tumble/dynamics/beam_point.hpp"
#include "tumble/integrate/equilibrium.hpp"
#include "tumble/integrate/probe_recorder.hpp"

namespace tumble {

namespace {

/// Dense K with G below it, and M, from the slots of the pattern.
struct DenseSystem {
  Eigen::MatrixXd K, M, G;
};
DenseSystem dense_system(const System& system, const Workspace<double>& w) {
  const auto& p = system.pattern;
  DenseSystem out{Eigen::MatrixXd::Zero(system.nv, system.nv),
                  Eigen::MatrixXd::Zero(system.nv, system.nv),
                  Eigen::MatrixXd::Zero(system.nc, system.nv)};
  for (int row = 0; row < p.n; ++row)
    for (int s = p.row_start[static_cast<std::size_t>(row)];
         s < p.row_start[static_cast<std::size_t>(row) + 1]; ++s) {
      const int column = p.column[static_cast<std::size_t>(s)];
      if (column >= system.nv) continue;
      const auto i = static_cast<std::size_t>(s);
      if (row < system.nv) {
        out.K(row, column) = w.K[i];
        out.M(row, column) = w.M[i];
      } else {
        out.G(row - system.nv, column) = w.K[i];
      }
    }
  return out;
}

/// Orthonormal basis of the null space of G, whose rows are independent.
Eigen::MatrixXd null_space(const Eigen::MatrixXd& G) {
  const Eigen::Index n = G.cols(), m = G.rows();
  if (m == 0) return Eigen::MatrixXd::Identity(n, n);
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(G.transpose());
  const Eigen::MatrixXd Q = qr.householderQ();
  return Q.rightCols(n - qr.rank());
}

}  // namespace

double VibrationMode::frequency() const {
  return square > 0 ? std::sqrt(square) / (2 * 3.141592653589793) : 0;
}

Vibrations find_vibrations(const Plan& plan, const Model& model, const MotionState& state,
                           int count) {
  const System& system = *plan.system;
  const std::vector<double> c = prepare(system, model);
  Workspace<double> w(system);
  update_drives(system, c.data(), 0.0, 0.0, w);
  update_bodies(system, state.q.data(), state.v.data(), w);
  std::vector<double> scratch(static_cast<std::size_t>(system.nv + system.nc));
  residual(system, c.data(), state.vdot.data(), state.lambda.data(), w, scratch.data());
  tangent(system, c.data(), state.vdot.data(), state.lambda.data(), w);
  const DenseSystem dense = dense_system(system, w);
  const Eigen::MatrixXd Z = null_space(dense.G);
  Vibrations out;
  if (Z.cols() == 0) return out;
  const Eigen::MatrixXd K = Z.transpose() * dense.K * Z, M = Z.transpose() * dense.M * Z;
  const double scale = K.cwiseAbs().maxCoeff();
  out.asymmetry = scale > 0 ? (K - K.transpose()).cwiseAbs().maxCoeff() / scale : 0;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (K + K.transpose()),
                                                                         0.5 * (M + M.transpose()));
  if (solver.info() != Eigen::Success)
    throw SimulationError("the linearised equations have no eigenvalues", 0.0);
  const double* weight = c.data() + system.weight_constants;
  for (Eigen::Index i = 0; i < std::min<Eigen::Index>(count, Z.cols()); ++i) {
    const Eigen::VectorXd shape = Z * solver.eigenvectors().col(i);
    double largest = 0;
    for (int k = 0; k < system.nv; ++k)
      if (std::fabs(weight[k] * shape(k)) > std::fabs(largest)) largest = weight[k] * shape(k);
    VibrationMode mode;
    mode.square = solver.eigenvalues()(i);
    mode.shape.resize(static_cast<std::size_t>(system.nv));
    for (int k = 0; k < system.nv; ++k)
      mode.shape[static_cast<std::size_t>(k)] = shape(k) / largest;
    out.modes.push_back(std::move(mode));
  }
  return out;
}

// A mode is a velocity: what probes measure as velocities at that speed is the displacement.
std::vector<ModeDisplacement> mode_displacements(const System& system, const Model& model,
                                                 const MotionState& state,
                                                 const VibrationMode& mode) {
  std::vector<ModeDisplacement> out;
  const std::vector<double> c = prepare(system, model), offsets = probe_offsets(system, model);
  Workspace<double> w(system);
  update_drives(system, c.data(), 0.0, 0.0, w);
  update_bodies(system, state.q.data(), mode.shape.data(), w);
  for (std::size_t i = 0; i < system.nominal.probes.size(); ++i) {
    const Probe& probe = system.nominal.probes[i];
    const bool has_position = std::find(probe.quantities.begin(), probe.quantities.end(),
                                        Quantity::position) != probe.quantities.end();
    if (!has_position) continue;
    Vec3d displacement;
    if (probe.body) {
      const auto& b =
          w.body[static_cast<std::size_t>(body_index(system.nominal, probe.body->name))];
      displacement = b.v_W + cross(b.w_W, b.R_WB * load3(&offsets[3 * i]));
    } else if (probe.beam) {
      const BeamProbeIndex& point = system.beam_probes[i];
      const BeamIndex& beam = system.beams[static_cast<std::size_t>(point.beam)];
      const double* x = w.node_v.data() + beam.coordinates;
      displacement = beam.dimension == 2 ? beam_point<2>(beam, point, c.data(), x)
                                         : beam_point<3>(beam, point, c.data(), x);
    }
    out.push_back({probe.name, displacement});
  }
  return out;
}

}  // namespace tumble
