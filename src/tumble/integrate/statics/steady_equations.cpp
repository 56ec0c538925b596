#include "tumble/integrate/statics/steady_equations.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "tumble/dynamics/tracked_angle.hpp"
#include "tumble/integrate/statics/eigen_matrices.hpp"

namespace tumble {

using Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;

MatrixXd allowed_motions(const MatrixXd& G) {
  if (G.rows() == 0) return MatrixXd::Identity(G.cols(), G.cols());
  Eigen::ColPivHouseholderQR<MatrixXd> qr(G.transpose());
  qr.setThreshold(rank_threshold);
  const MatrixXd Q = qr.householderQ();
  return Q.rightCols(G.cols() - qr.rank());
}

SteadyEquations::SteadyEquations(const System& system, const std::vector<double>& constants,
                                 const SteadyMotion& motion)
    : system_(system),
      c_(constants),
      motion_(motion),
      w_(system),
      residual_(static_cast<std::size_t>(system.nv + system.nc)),
      rate_(static_cast<std::size_t>(system.nc)),
      bias_(rate_) {
  for (std::size_t b = 0; b < system.blocks.size(); ++b) {
    const Block& block = system.blocks[b];
    const int index = static_cast<int>(b);
    const BeamIndex* beam = nullptr;
    for (const BeamIndex& candidate : system.beams)
      if (candidate.block == index) beam = &candidate;
    // Amplitudes of modes are no vectors: in a steady motion they stand still as they are.
    if (std::ranges::find(system.modal_bodies, index, &ModalIndex::block) !=
        system.modal_bodies.end())
      continue;
    if (beam == nullptr) {
      triples_.push_back({block.v, block.q, 3, true, false, index});
      if (block.kind == Block::Kind::rigid)
        triples_.push_back({block.v + 3, block.q + 3, 3, false, true, index});
      continue;
    }
    const int size = beam->dimension;
    for (int k = 0; k < block.nv; k += size)
      triples_.push_back(
          {block.v + k, block.q + k, size, k % beam->node_size() == 0, false, index});
  }
}

Matrix3d SteadyEquations::rotation(const MotionState& state, const Triple& triple) const {
  const double* q = &state.q[static_cast<std::size_t>(triple.q)];
  return eigen(matrix(Quaternion<double>{q[0], q[1], q[2], q[3]}));
}

// A point stands still in the frame: v = Ω × (p - c), v̇ = Ω × v. A body turns with ω = Ω + σ, σ
// fixed in the body and in the frame, so dω/dt = Ω × ω as seen from the ground.
void SteadyEquations::set_rates(MotionState& state) const {
  const Matrix3d turn = skew_matrix(motion_.spin);
  const Vector3d spin(motion_.spin.x, motion_.spin.y, motion_.spin.z);
  const Vector3d centre(motion_.centre.x, motion_.centre.y, motion_.centre.z);
  for (const Triple& triple : triples_) {
    double* v = &state.v[static_cast<std::size_t>(triple.v)];
    double* vdot = &state.vdot[static_cast<std::size_t>(triple.v)];
    Vector3d rate, second;
    if (triple.rotation) {
      const Matrix3d R = rotation(state, triple);
      const Vec3d& own = motion_.own_spin[static_cast<std::size_t>(triple.block)];
      rate = R.transpose() * spin + Vector3d(own.x, own.y, own.z);
      second = R.transpose() * (turn * (R * rate));
    } else {
      Vector3d x = Vector3d::Zero();
      for (int k = 0; k < triple.size; ++k) x(k) = state.q[static_cast<std::size_t>(triple.q + k)];
      if (triple.point) x -= centre;
      rate = turn * x;
      second = turn * rate;
    }
    for (int k = 0; k < triple.size; ++k) v[k] = rate(k), vdot[k] = second(k);
  }
  for (int k = 0; k < system_.modal_size; ++k) {
    state.v[static_cast<std::size_t>(system_.modal_v + k)] = 0;
    state.vdot[static_cast<std::size_t>(system_.modal_v + k)] = 0;
  }
}

Workspace<double>& SteadyEquations::observe(const MotionState& state) {
  w_.time = 0;
  for (std::size_t i = 0; i < w_.drive.size(); ++i) {
    w_.drive[i] = motion_.drives[i];
    w_.drive[i].value += elapsed_ * motion_.drives[i].rate;
  }
  follow_drives(system_, c_.data(), w_);
  update_bodies(system_, state.q.data(), state.v.data(), w_);
  return w_;
}

MatrixXd SteadyEquations::gradients() const {
  const int nv = system_.nv;
  MatrixXd G = MatrixXd::Zero(system_.nc, nv);
  const auto& p = system_.pattern;
  for (int row = nv; row < p.n; ++row)
    for (int s = p.row_start[static_cast<std::size_t>(row)];
         s < p.row_start[static_cast<std::size_t>(row) + 1]; ++s)
      G(row - nv, p.column[static_cast<std::size_t>(s)]) = w_.K[static_cast<std::size_t>(s)];
  return G;
}

void SteadyEquations::evaluate(const MotionState& state) {
  observe(state);
  residual(system_, c_.data(), state.vdot.data(), state.lambda.data(), w_, residual_.data());
  tangent(system_, c_.data(), state.vdot.data(), state.lambda.data(), w_);
}

// With δq = T y (rotations in body axes: δθ = Rᵀ δφ) and the frame turning,
//   δv = T (ẏ + Ω y),   δv̇ = T (ÿ + D1 ẏ + D0 y),
//   D1 = 2 Ω, D0 = Ω Ω for points;   D1 = 2 Ω - ω, D0 = (Ω - ω) Ω for rotations (cross products),
// the last because the axes in which δω̇ is counted turn with the body.
Linearization SteadyEquations::linearize(const MotionState& state) {
  evaluate(state);
  const int nv = system_.nv;
  Linearization out;
  out.force = Eigen::Map<const VectorXd>(residual_.data(), nv);
  out.G = gradients();
  MatrixXd M = MatrixXd::Zero(nv, nv), C = M, K = M;
  const auto& p = system_.pattern;
  for (int row = 0; row < nv; ++row)
    for (int s = p.row_start[static_cast<std::size_t>(row)];
         s < p.row_start[static_cast<std::size_t>(row) + 1]; ++s) {
      const int column = p.column[static_cast<std::size_t>(s)];
      const auto i = static_cast<std::size_t>(s);
      if (column < nv) M(row, column) = w_.M[i], C(row, column) = w_.C[i], K(row, column) = w_.K[i];
    }
  const Matrix3d spin = skew_matrix(motion_.spin);
  for (const Triple& triple : triples_) {
    if (!triple.rotation) continue;
    const Matrix3d R = rotation(state, triple);
    for (MatrixXd* matrix : {&M, &C, &K, &out.G})
      matrix->middleCols<3>(triple.v) = (matrix->middleCols<3>(triple.v) * R.transpose()).eval();
    for (MatrixXd* matrix : {&M, &C, &K})
      matrix->middleRows<3>(triple.v) = (R * matrix->middleRows<3>(triple.v)).eval();
    out.force.segment<3>(triple.v) = (R * out.force.segment<3>(triple.v)).eval();
  }
  out.M = M;
  out.C = C;
  out.K = K;
  for (const Triple& triple : triples_) {
    const auto [D1, D0] = rate_matrices(state, triple);
    const int n = triple.size;
    out.C.middleCols(triple.v, n) += M.middleCols(triple.v, n) * D1.topLeftCorner(n, n);
    out.K.middleCols(triple.v, n) += M.middleCols(triple.v, n) * D0.topLeftCorner(n, n) +
                                     C.middleCols(triple.v, n) * spin.topLeftCorner(n, n);
  }
  return out;
}

SteadyEquations::RateMatrices SteadyEquations::rate_matrices(const MotionState& state,
                                                             const Triple& triple) const {
  const Matrix3d spin = skew_matrix(motion_.spin);
  Matrix3d D1 = 2 * spin, D0 = spin * spin;
  if (triple.rotation) {
    const double* v = &state.v[static_cast<std::size_t>(triple.v)];
    const Vector3d omega = rotation(state, triple) * Vector3d(v[0], v[1], v[2]);
    const Matrix3d turning = skew_matrix({omega(0), omega(1), omega(2)});
    D1 -= turning;
    D0 -= turning * spin;
  }
  return {D1, D0};
}

SteadyEquations::Residual SteadyEquations::residual_at(const MotionState& state) {
  observe(state);
  residual(system_, c_.data(), state.vdot.data(), state.lambda.data(), w_, residual_.data());
  Residual out;
  out.force = Eigen::Map<const VectorXd>(residual_.data(), system_.nv);
  out.violation = Eigen::Map<const VectorXd>(residual_.data() + system_.nv, system_.nc);
  for (const Triple& triple : triples_)
    if (triple.rotation)
      out.force.segment<3>(triple.v) =
          (rotation(state, triple) * out.force.segment<3>(triple.v)).eval();
  return out;
}

// As linearize() has it: δv = T (ẏ + Ω y), δv̇ = T (ÿ + D1 ẏ + D0 y).
MotionState SteadyEquations::displaced(const MotionState& state, const Displacement& by) const {
  MotionState out = state;
  const Matrix3d spin = skew_matrix(motion_.spin);
  VectorXd v = by.ydot, a = by.yddot;
  for (const Triple& triple : triples_) {
    const int n = triple.size;
    const auto [D1, D0] = rate_matrices(state, triple);
    v.segment(triple.v, n) += spin.topLeftCorner(n, n) * by.y.segment(triple.v, n);
    a.segment(triple.v, n) += D1.topLeftCorner(n, n) * by.ydot.segment(triple.v, n) +
                              D0.topLeftCorner(n, n) * by.y.segment(triple.v, n);
  }
  compose(system_, state.q.data(), increment(state, by.y).data(), out.q.data());
  const std::vector<double> dv = increment(state, v), da = increment(state, a);
  for (std::size_t i = 0; i < dv.size(); ++i) {
    out.v[i] += dv[i];
    out.vdot[i] += da[i];
  }
  for (std::size_t i = 0; i < out.lambda.size(); ++i)
    out.lambda[i] += by.lambda(static_cast<Eigen::Index>(i));
  return out;
}

VectorXd SteadyEquations::coordinate_sizes(double length) const {
  VectorXd sizes = VectorXd::Ones(system_.nv);
  for (const Triple& triple : triples_)
    if (!triple.point) sizes.segment(triple.v, triple.size).setConstant(length);
  return sizes;
}

MatrixXd SteadyEquations::mass(const MotionState& state) {
  evaluate(state);
  MatrixXd M = MatrixXd::Zero(system_.nv, system_.nv);
  const auto& p = system_.pattern;
  for (int row = 0; row < system_.nv; ++row)
    for (int s = p.row_start[static_cast<std::size_t>(row)];
         s < p.row_start[static_cast<std::size_t>(row) + 1]; ++s)
      if (const int column = p.column[static_cast<std::size_t>(s)]; column < system_.nv)
        M(row, column) = w_.M[static_cast<std::size_t>(s)];
  return M;
}

Linearization SteadyEquations::balance(MotionState& state) {
  std::fill(state.lambda.begin(), state.lambda.end(), 0.0);
  if (system_.nc == 0) return linearize(state);
  evaluate(state);
  const VectorXd force = Eigen::Map<const VectorXd>(residual_.data(), system_.nv);
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> reactions(gradients().transpose());
  reactions.setThreshold(rank_threshold);
  Eigen::Map<VectorXd>(state.lambda.data(), system_.nc) = reactions.solve(-force);
  Linearization out = linearize(state);
  out.force -= out.G.transpose() * Eigen::Map<const VectorXd>(state.lambda.data(), system_.nc);
  return out;
}

std::vector<double> SteadyEquations::increment(const MotionState& state, const VectorXd& y) const {
  std::vector<double> u(y.data(), y.data() + y.size());
  for (const Triple& triple : triples_)
    if (triple.rotation) {
      const Vector3d turned = rotation(state, triple).transpose() * y.segment<3>(triple.v);
      std::copy_n(turned.data(), 3, &u[static_cast<std::size_t>(triple.v)]);
    }
  return u;
}

SteadyEquations::Violation SteadyEquations::violation(const MotionState& state) {
  observe(state);
  tangent(system_, c_.data(), state.vdot.data(), state.lambda.data(), w_);
  constraint_rates(system_, c_.data(), w_, rate_.data(), bias_.data());
  Violation largest;
  std::vector<double> product(rate_.size());
  multiply_gradient(system_, w_, state.v.data(), product.data());
  for (std::size_t i = 0; i < product.size(); ++i)
    largest.velocity = std::max(largest.velocity, std::fabs(product[i] + rate_[i]));
  multiply_gradient(system_, w_, state.vdot.data(), product.data());
  for (std::size_t i = 0; i < product.size(); ++i)
    largest.acceleration = std::max(largest.acceleration, std::fabs(product[i] + bias_[i]));
  return largest;
}

double SteadyEquations::length_scale(const MotionState& state) {
  double length = 1e-3;
  for (const auto& body : observe(state).body) length = std::max(length, norm(body.p_W));
  for (const Triple& triple : triples_)
    if (triple.point)
      for (int k = 0; k < triple.size; ++k)
        length = std::max(length, std::fabs(state.q[static_cast<std::size_t>(triple.q + k)]));
  return length;
}

double SteadyEquations::fastest(const MotionState& state) {
  double turning = norm(motion_.spin);
  for (const auto& body : observe(state).body) turning = std::max(turning, norm(body.w_W));
  return turning;
}

bool SteadyEquations::assemble(MotionState& state) {
  if (system_.nc == 0) return true;
  const double floor = 4 * 2.220446049250313e-16 * length_scale(state);
  const int nv = system_.nv, nc = system_.nc;
  double before = 1e300;
  std::vector<double> q(state.q.size());
  for (int iteration = 0; iteration < 30; ++iteration) {
    observe(state);
    residual(system_, c_.data(), state.vdot.data(), state.lambda.data(), w_, residual_.data());
    const Eigen::Map<const VectorXd> phi(residual_.data() + nv, nc);
    const double violation = phi.cwiseAbs().maxCoeff();
    if (!std::isfinite(violation)) return false;
    if (violation <= floor || (violation <= 1e3 * floor && violation >= 0.5 * before)) return true;
    before = violation;
    tangent(system_, c_.data(), state.vdot.data(), state.lambda.data(), w_);
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> projection(gradients());
    projection.setThreshold(rank_threshold);
    const VectorXd delta = projection.solve(-phi);
    compose(system_, state.q.data(), delta.data(), q.data());
    state.q.swap(q);
  }
  return false;
}

void SteadyEquations::track_angles(const MotionState& state) {
  observe(state);
  for (std::size_t i = 0; i < system_.tracked_angles.size(); ++i)
    w_.angle[i].value = tracked_angle(system_, static_cast<int>(i), c_.data(), w_);
}

// R(t) = exp(Ω t) exp(σ t) R, σ in the frame's axes: Ω turns the frame, σ the body in it.
void SteadyEquations::advance(MotionState& state, double time) {
  elapsed_ += time;
  const Quaternion<double> frame = exp_quaternion(time * motion_.spin);
  const Matrix3d Q = eigen(matrix(frame));
  const Vector3d centre(motion_.centre.x, motion_.centre.y, motion_.centre.z);
  for (const Triple& triple : triples_) {
    double* q = &state.q[static_cast<std::size_t>(triple.q)];
    if (triple.rotation) {
      const Vec3d& own = motion_.own_spin[static_cast<std::size_t>(triple.block)];
      const Quaternion<double> turned =
          frame * (Quaternion<double>{q[0], q[1], q[2], q[3]} * exp_quaternion(time * own));
      q[0] = turned.w, q[1] = turned.x, q[2] = turned.y, q[3] = turned.z;
      continue;
    }
    Vector3d x = Vector3d::Zero();
    for (int k = 0; k < triple.size; ++k) x(k) = q[k];
    x = triple.point ? (centre + Q * (x - centre)).eval() : (Q * x).eval();
    for (int k = 0; k < triple.size; ++k) q[k] = x(k);
  }
  set_rates(state);
}

MatrixXd SteadyEquations::frame_axes() const {
  const Matrix3d Q = eigen(matrix(exp_quaternion(elapsed_ * motion_.spin)));
  MatrixXd out = MatrixXd::Identity(system_.nv, system_.nv);
  for (const Triple& triple : triples_)
    out.block(triple.v, triple.v, triple.size, triple.size) =
        Q.topLeftCorner(triple.size, triple.size);
  return out;
}

// In three stages, each within what the one before leaves open: G v = -∂φ/∂t, least relative rates
// of the two sides of every joint, least distance from the reference.
std::vector<double> SteadyEquations::imposed_velocity(const MotionState& state,
                                                      const std::vector<double>& reference) {
  MotionState still = state;
  std::fill(still.v.begin(), still.v.end(), 0.0);
  observe(still);
  tangent(system_, c_.data(), still.vdot.data(), still.lambda.data(), w_);
  constraint_rates(system_, c_.data(), w_, rate_.data(), bias_.data());
  const MatrixXd G = gradients();
  VectorXd v = VectorXd::Zero(system_.nv);
  if (system_.nc > 0) {
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> rows(G);
    rows.setThreshold(rank_threshold);
    v = rows.solve(-Eigen::Map<const VectorXd>(rate_.data(), system_.nc));
  }
  MatrixXd Z = allowed_motions(G);
  // Every joint with frames has a point, the second, at which relative velocities are taken.
  const auto relative = [&](const VectorXd& velocity) {
    update_bodies(system_, still.q.data(), velocity.data(), w_);
    std::vector<double> rates;
    for (const JointIndex& joint : system_.joints) {
      if (joint.node_joint >= 0 || (joint.locks < 0 && joint.prescribed < 0)) continue;
      const auto& a = w_.body[static_cast<std::size_t>(joint.body[0])];
      const auto& b = w_.body[static_cast<std::size_t>(joint.body[1])];
      const Vec3d r = b.R_WB * constants_of(joint, c_.data()).r_B;
      const Vec3d turning = b.w_W - a.w_W,
                  sliding = b.v_W + cross(b.w_W, r) - a.v_W - cross(a.w_W, b.p_W + r - a.p_W);
      for (const Vec3d& x : {turning, sliding}) rates.insert(rates.end(), {x.x, x.y, x.z});
    }
    return VectorXd(
        Eigen::Map<const VectorXd>(rates.data(), static_cast<Eigen::Index>(rates.size())));
  };
  const VectorXd rates = relative(v);
  if (rates.size() > 0 && Z.cols() > 0) {
    MatrixXd S(rates.size(), Z.cols());
    for (Eigen::Index j = 0; j < Z.cols(); ++j) S.col(j) = relative(v + Z.col(j)) - rates;
    // Differences of rates leave rounding, which must not pass for a condition.
    const double rounding = 1e-12 * (1 + rates.cwiseAbs().maxCoeff());
    S = (S.array().abs() < rounding).select(0.0, S);
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> joints(S);
    joints.setThreshold(rank_threshold);
    v += Z * joints.solve(-rates);
    Z = (Z * allowed_motions(S)).eval();
  }
  v += Z * (Z.transpose() * (Eigen::Map<const VectorXd>(reference.data(), system_.nv) - v));
  return {v.data(), v.data() + v.size()};
}

}  // namespace tumble
