#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "tumble/dynamics/beam_point.hpp"
#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/integrate/statics/equilibrium.hpp"
#include "tumble/integrate/statics/steady_equations.hpp"
#include "tumble/math/special_functions.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {

namespace {

using Complex = std::complex<double>;
using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd, Eigen::VectorXcd;

/// std::abs() would be the C library's.
double size_of(const Complex& z) { return hypotenuse(z.real(), z.imag()); }

/// An eigenvalue and its way to move, among the motions that joints allow.
struct Eigenpair {
  Complex value;
  double square = 0;
  VectorXcd shape;
};

/// Neither damped nor spinning: K x = ω² M x, s = ± i ω, or ± √-ω² where that is unstable.
std::vector<Eigenpair> undamped_pairs(const VectorXd& squares, const MatrixXd& shapes) {
  std::vector<Eigenpair> out;
  for (Index i = 0; i < squares.size(); ++i) {
    const double square = squares(i);
    const Complex value =
        square >= 0 ? Complex(0, std::sqrt(square)) : Complex(std::sqrt(-square), 0);
    out.push_back({value, square, shapes.col(i).cast<Complex>()});
  }
  return out;
}

/// With the undamped shapes as coordinates η: η̈ + C η̇ + K η = 0, K nearly diagonal. As a system of
/// first order in (w η, η̇), w the undamped frequencies or, where those vanish, a scale of C: its
/// entries grow with frequencies, not with their squares, so slow motions keep their digits beside
/// fast ones.
std::vector<Eigenpair> damped_pairs(const VectorXd& squares, const MatrixXd& C, const MatrixXd& K,
                                    const MatrixXd& shapes) {
  const Index n = squares.size();
  const double rates = C.cwiseAbs().maxCoeff();
  VectorXd w(n);
  for (Index i = 0; i < n; ++i)
    w(i) = std::max(std::sqrt(std::fabs(squares(i))), rates > 0 ? 1e-3 * rates : 1.0);
  MatrixXd A = MatrixXd::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n) = w.asDiagonal();
  A.bottomLeftCorner(n, n) = -K * w.cwiseInverse().asDiagonal();
  A.bottomRightCorner(n, n) = -C;
  const Eigen::EigenSolver<MatrixXd> solver(A);
  if (solver.info() != Eigen::Success)
    throw SimulationError("the linearised equations have no eigenvalues", 0.0);
  std::vector<Eigenpair> out;
  for (Index i = 0; i < 2 * n; ++i) {
    const Complex s = solver.eigenvalues()(i);
    if (s.imag() < 0) continue;  // its partner is there
    const VectorXcd eta = w.cwiseInverse().asDiagonal() * solver.eigenvectors().col(i).head(n);
    // Of a motion that does not accelerate the velocity is all there is.
    const VectorXcd rate = solver.eigenvectors().col(i).tail(n);
    out.push_back({s, s.real() > 0 && s.imag() == 0 ? -std::norm(s) : std::norm(s),
                   shapes * (eta.norm() > 0 ? eta : rate)});
  }
  return out;
}

}  // namespace

double VibrationMode::frequency() const {
  return std::fabs(eigenvalue.imag()) / (2 * 3.141592653589793);
}
double VibrationMode::damping_ratio() const {
  const double size = size_of(eigenvalue);
  return size > 0 ? -eigenvalue.real() / size : 0;
}

Vibrations find_vibrations(const Plan& plan, const Model& model, const MotionState& state,
                           int count, const SteadyMotion* motion, bool undamped) {
  refuse_states(plan);
  if (undamped && motion != nullptr && !is_rest(*motion))
    throw SimulationError(
        "undamped modes are those about rest: in a steady motion forces that depend on velocities "
        "hold the machine where it is",
        0.0);
  const System& system = *plan.system;
  const std::vector<double> c = prepare(system, model);
  const SteadyMotion rest = state_of_rest(system, c);
  SteadyEquations equations(system, c, motion != nullptr ? *motion : rest);
  const Linearization lin = equations.linearize(state);
  const MatrixXd Z = allowed_motions(lin.G);
  Vibrations out;
  if (Z.cols() == 0) return out;
  const MatrixXd K = Z.transpose() * lin.K * Z, M = Z.transpose() * lin.M * Z,
                 C = undamped ? MatrixXd::Zero(Z.cols(), Z.cols()).eval()
                              : (Z.transpose() * lin.C * Z).eval();
  const double scale = K.cwiseAbs().maxCoeff();
  out.asymmetry = scale > 0 ? (K - K.transpose()).cwiseAbs().maxCoeff() / scale : 0;
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(0.5 * (K + K.transpose()),
                                                                  0.5 * (M + M.transpose()));
  if (solver.info() != Eigen::Success)
    throw SimulationError("the linearised equations have no eigenvalues", 0.0);
  const VectorXd& squares = solver.eigenvalues();
  const MatrixXd& X = solver.eigenvectors();
  // In coordinates of unit mass. Rounding makes no damping.
  const MatrixXd unit_C = X.transpose() * C * X;
  MatrixXd unit_K = X.transpose() * (0.5 * (K - K.transpose())) * X;
  const double fastest = std::sqrt(squares.cwiseAbs().maxCoeff());
  const bool symmetric = out.asymmetry <= 1e-9 && unit_C.cwiseAbs().maxCoeff() <= 1e-13 * fastest;
  unit_K.diagonal() += squares;
  std::vector<Eigenpair> pairs =
      symmetric ? undamped_pairs(squares, Z * X) : damped_pairs(squares, unit_C, unit_K, Z * X);
  if (!symmetric)
    std::stable_sort(pairs.begin(), pairs.end(), [&](const Eigenpair& a, const Eigenpair& b) {
      // Growth that rounding could feign does not count.
      const bool a_grows = a.value.real() > 1e-9 * fastest,
                 b_grows = b.value.real() > 1e-9 * fastest;
      if (a_grows != b_grows) return a_grows;
      return size_of(a.value) < size_of(b.value);
    });
  const double* weight = c.data() + system.weight_constants;
  for (std::size_t i = 0; i < std::min(static_cast<std::size_t>(count), pairs.size()); ++i) {
    VectorXcd shape = pairs[i].shape;
    Complex largest = 0;
    for (int k = 0; k < system.nv; ++k)
      if (size_of(weight[k] * shape(k)) > size_of(largest) * (1 + 1e-9))
        largest = weight[k] * shape(k);
    shape /= largest;
    VibrationMode mode;
    mode.eigenvalue = pairs[i].value;
    mode.square = pairs[i].square;
    const VectorXd real = shape.real(), imaginary = shape.imag();
    mode.shape = equations.increment(state, real);
    if (!symmetric && imaginary.cwiseAbs().maxCoeff() > 0)
      mode.shape_imaginary = equations.increment(state, imaginary);
    out.modes.push_back(std::move(mode));
  }
  return out;
}

// A mode is a velocity: what probes measure as velocities at that speed is the displacement.
std::vector<ModeDisplacement> mode_displacements(const System& system, const Model& model,
                                                 const MotionState& state,
                                                 const VibrationMode& mode) {
  const std::vector<double> c = prepare(system, model), offsets = probe_offsets(system, model);
  // At rest: bodies that drives move take no part in a vibration.
  const SteadyMotion rest = state_of_rest(system, c);
  SteadyEquations equations(system, c, rest);
  MotionState moving = state;
  const auto displacement = [&](std::size_t i, const std::vector<double>& shape) {
    if (shape.empty()) return Vec3d{};
    moving.v = shape;
    const Workspace<double>& w = equations.observe(moving);
    const Probe& probe = system.nominal.probes[i];
    if (probe.body) {
      const auto& b =
          w.body[static_cast<std::size_t>(body_index(system.nominal, probe.body->name))];
      return b.v_W + cross(b.w_W, b.R_WB * load3(&offsets[3 * i]));
    }
    const BeamProbeIndex& point = system.beam_probes[i];
    const BeamIndex& beam = system.beams[static_cast<std::size_t>(point.beam)];
    const double* x = w.node_v.data() + beam.coordinates;
    return beam.dimension == 2 ? beam_point<2>(beam, point, c.data(), x)
                               : beam_point<3>(beam, point, c.data(), x);
  };
  std::vector<ModeDisplacement> out;
  for (std::size_t i = 0; i < system.nominal.probes.size(); ++i) {
    const Probe& probe = system.nominal.probes[i];
    const bool has_position = std::find(probe.quantities.begin(), probe.quantities.end(),
                                        Quantity::position) != probe.quantities.end();
    if (!has_position || (!probe.body && !probe.beam)) continue;
    out.push_back({probe.name, displacement(i, mode.shape), displacement(i, mode.shape_imaginary)});
  }
  return out;
}

}  // namespace tumble
