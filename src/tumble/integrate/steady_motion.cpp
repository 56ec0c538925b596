#include "tumble/integrate/steady_motion.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "tumble/dynamics/torsion_spring.hpp"
#include "tumble/integrate/start_state.hpp"

namespace tumble {

namespace {

using Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;

Matrix3d skew_matrix(const Vec3d& x) {
  Matrix3d m;
  m << 0, -x.z, x.y, x.z, 0, -x.x, -x.y, x.x, 0;
  return m;
}
Matrix3d eigen(const Mat3d& m) {
  Matrix3d out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out(i, j) = m(i, j);
  return out;
}

/// Which drives impose motions; the others scale forces.
std::vector<bool> motion_drives(const System& system) {
  std::vector<bool> moves(static_cast<std::size_t>(system.drives.size()), false);
  const auto mark = [&](int drive) {
    if (drive >= 0) moves[static_cast<std::size_t>(drive)] = true;
  };
  for (const auto& axes : system.turned_axes)
    for (const int drive : axes.drive) mark(drive);
  for (const auto& lock : system.axis_locks) mark(lock.drive);
  for (const auto& lock : system.distance_locks) mark(lock.drive);
  for (const auto& prescribed : system.prescribed)
    for (const int drive : prescribed.displacement) mark(drive);
  for (const auto& constraint : system.user_constraints)
    for (const int drive : constraint.drive) mark(drive);
  return moves;
}

/// A threshold of rank: gradients of independent conditions differ by more, rounding by less.
constexpr double rank_threshold = 1e-9;

}  // namespace

SteadyMotion state_of_rest(const System& system, const std::vector<double>& constants) {
  SteadyMotion motion;
  motion.drives.resize(static_cast<std::size_t>(system.drives.size()));
  system.drives.evaluate(constants.data() + system.drive_constants, 0.0,
                         0.5 * system.nominal.simulation.first_step(), motion.drives.data());
  for (auto& drive : motion.drives) drive.rate = drive.second = 0;
  motion.own_spin.resize(system.blocks.size());
  return motion;
}

bool is_rest(const SteadyMotion& motion) {
  for (const Vec3d& spin : motion.own_spin)
    if (norm(spin) > 0) return false;
  for (const auto& drive : motion.drives)
    if (drive.rate != 0) return false;
  return norm(motion.spin) == 0;
}

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
    Matrix3d D1 = 2 * spin, D0 = spin * spin;
    if (triple.rotation) {
      const double* v = &state.v[static_cast<std::size_t>(triple.v)];
      const Vector3d omega = rotation(state, triple) * Vector3d(v[0], v[1], v[2]);
      const Matrix3d turning = skew_matrix({omega(0), omega(1), omega(2)});
      D1 -= turning;
      D0 -= turning * spin;
    }
    const int n = triple.size;
    out.C.middleCols(triple.v, n) += M.middleCols(triple.v, n) * D1.topLeftCorner(n, n);
    out.K.middleCols(triple.v, n) += M.middleCols(triple.v, n) * D0.topLeftCorner(n, n) +
                                     C.middleCols(triple.v, n) * spin.topLeftCorner(n, n);
  }
  return out;
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
  MatrixXd out = MatrixXd::Zero(system_.nv, system_.nv);
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
      const Vec3d r = b.R_WB * load3(c_.data() + joint.constants + 7);
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

std::string describe_motion(const System& system, const std::vector<double>& constants,
                            const VectorXd& y) {
  struct Part {
    double size;
    std::string text;
  };
  const double* weight = constants.data() + system.weight_constants;
  const auto direction = [&](int v, int n) {
    Vector3d x = Vector3d::Zero();
    for (int k = 0; k < n; ++k) x(k) = y(v + k);
    x.normalize();
    Eigen::Index largest = 0;
    x.cwiseAbs().maxCoeff(&largest);
    if (x(largest) < 0) x = -x;
    for (int k = 0; k < 3; ++k) x(k) = std::round(x(k) * 1e3) / 1e3 + 0.0;
    return fmt::format("({:.3g}, {:.3g}, {:.3g})", x(0), x(1), x(2));
  };
  std::vector<Part> parts;
  for (const RigidBodyIndex& body : system.bodies) {
    if (body.block < 0) continue;
    const Block& block = system.blocks[static_cast<std::size_t>(body.block)];
    const double moves = weight[block.v] * y.segment<3>(block.v).norm();
    const double turns = block.kind == Block::Kind::rigid
                             ? weight[block.v + 3] * y.segment<3>(block.v + 3).norm()
                             : 0;
    if (moves > 2 * turns)
      parts.push_back(
          {moves, fmt::format("body '{}' moves along {}", body.name, direction(block.v, 3))});
    else
      parts.push_back({std::max(moves, turns), fmt::format("body '{}' turns about {}", body.name,
                                                           direction(block.v + 3, 3))});
  }
  for (const BeamIndex& beam : system.beams) {
    double largest = 0;
    for (int k = 0; k < beam.nodes * beam.node_size(); ++k) {
      const int v = system.beam_v + beam.coordinates + k;
      largest = std::max(largest, std::fabs(weight[v] * y(v)));
    }
    parts.push_back({largest, fmt::format("beam '{}' moves", beam.name)});
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.size > b.size; });
  std::string text;
  for (std::size_t i = 0; i < parts.size() && i < 3 && parts[i].size > 0.1 * parts[0].size; ++i)
    text += (i > 0 ? ", " : "") + parts[i].text;
  return text;
}

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

namespace {

/// The steady motion that belongs to a frame, if there is one at `state` with its velocities.
class FrameSearch {
 public:
  FrameSearch(const System& system, const std::vector<double>& constants,
              const std::vector<Taylor2<double>>& drives, const MotionState& state)
      : system_(system), c_(constants), state_(state) {
    motion_.drives = drives;
    motion_.own_spin.resize(system.blocks.size());
  }

  /// Sets the frame, with the axis and the spins of bodies that fit the velocities best.
  void set_frame(const Vec3d& spin) {
    motion_.spin = spin;
    motion_.centre = {};
    SteadyEquations equations(system_, c_, motion_);
    const Workspace<double>& w = equations.observe(state_);
    const double square = dot(spin, spin);
    // Of all bodies that turn with the frame; of everything, if none does.
    std::vector<Vec3d> place, velocity;
    for (std::size_t i = 1; i < w.body.size(); ++i)
      if (norm(w.body[i].w_W - spin) <= 1e-9 * norm(spin))
        place.push_back(w.body[i].p_W), velocity.push_back(w.body[i].v_W);
    const bool all = place.empty();
    for (std::size_t i = 1; all && i < w.body.size(); ++i)
      place.push_back(w.body[i].p_W), velocity.push_back(w.body[i].v_W);
    for (const BeamIndex& beam : system_.beams)
      for (int node = 0; all && node < beam.nodes; ++node) {
        Vec3d p, v;
        for (int k = 0; k < beam.dimension; ++k) {
          p[k] = w.node_q[static_cast<std::size_t>(beam.node(node) + k)];
          v[k] = w.node_v[static_cast<std::size_t>(beam.node(node) + k)];
        }
        place.push_back(p), velocity.push_back(v);
      }
    if (square > 0 && !place.empty()) {
      Vec3d mean;  // of Ω × c = Ω × p - v
      for (std::size_t i = 0; i < place.size(); ++i)
        mean += (1.0 / static_cast<double>(place.size())) * (cross(spin, place[i]) - velocity[i]);
      motion_.centre = (1 / square) * cross(mean, spin);
    }
    for (const RigidBodyIndex& body : system_.bodies) {
      if (body.block < 0) continue;
      const Block& block = system_.blocks[static_cast<std::size_t>(body.block)];
      if (block.kind != Block::Kind::rigid) continue;
      const auto& b = w.body[static_cast<std::size_t>(&body - system_.bodies.data()) + 1];
      motion_.own_spin[static_cast<std::size_t>(body.block)] =
          load3(&state_.v[static_cast<std::size_t>(block.v + 3)]) - transpose_times(b.R_WB, spin);
    }
  }

  const SteadyMotion& motion() const { return motion_; }

  /// Do points stand still in the frame, and do joints allow the motion to go on?
  bool is_possible(double tolerance, MotionState& state) {
    for (const BeamIndex& beam : system_.beams)  // a planar beam turns in its plane only
      if (beam.dimension == 2 && (motion_.spin.x != 0 || motion_.spin.y != 0)) return false;
    SteadyEquations equations(system_, c_, motion_);
    state = state_;
    equations.set_rates(state);
    const double length = equations.length_scale(state);
    double speed = 0;
    const double turning = equations.fastest(state_);
    const Workspace<double>& w = equations.observe(state_);
    for (const double v : state_.v) speed = std::max(speed, std::fabs(v));
    speed = std::max(speed, turning * length);
    double error = 0;
    for (std::size_t i = 0; i < state.v.size(); ++i)
      error = std::max(error, std::fabs(state.v[i] - state_.v[i]));
    // Bodies that drives move have no velocities in the state.
    for (std::size_t i = 1; i < w.body.size(); ++i)
      error = std::max(error,
                       norm(w.body[i].v_W - cross(motion_.spin, w.body[i].p_W - motion_.centre)));
    const auto violated = equations.violation(state);
    return error <= tolerance * speed && violated.velocity <= tolerance * speed &&
           violated.acceleration <= tolerance * std::max(speed * turning, 1e-300);
  }

 private:
  const System& system_;
  const std::vector<double>& c_;
  const MotionState& state_;
  SteadyMotion motion_;
};

/// Frames to look from: the ground, those that bodies turn with, and `more`.
std::vector<Vec3d> candidate_spins(const Workspace<double>& w, std::optional<Vec3d> more) {
  std::vector<Vec3d> spins{Vec3d{}};
  const auto add = [&](const Vec3d& spin) {
    for (const Vec3d& known : spins)
      if (norm(spin - known) <= 1e-9 * norm(spin)) return;
    spins.push_back(spin);
  };
  if (more) add(*more);
  for (std::size_t i = 1; i < w.body.size(); ++i) add(w.body[i].w_W);
  return spins;
}

/// Drives that impose motions at t = 0, with their rates; empty if nothing moves.
struct ImposedRates {
  std::vector<Taylor2<double>> drives;
  bool moving = false;
  std::string unsteady;  ///< a drive whose rate changes
};
ImposedRates imposed_rates(const System& system, const Model& model, const std::vector<double>& c) {
  ImposedRates out;
  const double* constants = c.data() + system.drive_constants;
  const std::vector<bool> moves = motion_drives(system);
  const Simulation& simulation = system.nominal.simulation;
  std::vector<Taylor2<double>> later(moves.size());
  out.drives = later;
  system.drives.evaluate(constants, 0.0, 0.5 * simulation.first_step(), out.drives.data());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (!moves[i]) out.drives[i].rate = 0;
    out.moving = out.moving || out.drives[i].rate != 0;
  }
  constexpr int samples = 64;
  for (int k = 0; k < samples; ++k) {
    const double t = (k + 0.5) / samples * simulation.duration;
    system.drives.evaluate(constants, t, t, later.data());
    for (std::size_t i = 0; i < moves.size(); ++i)
      if (moves[i] && out.unsteady.empty() &&
          std::fabs(later[i].rate - out.drives[i].rate) > 1e-9 * std::fabs(out.drives[i].rate))
        out.unsteady = model.drives[i].name;
  }
  for (auto& drive : out.drives) drive.second = 0;
  return out;
}

}  // namespace

SteadySearch find_driven_motion(const Plan& plan, const Model& model, const std::vector<double>& c,
                                const MotionState& state) {
  const System& system = *plan.system;
  SteadySearch out;
  out.state = state;
  const ImposedRates imposed = imposed_rates(system, model, c);
  if (!imposed.moving) return out;
  if (!imposed.unsteady.empty()) {
    out.reason = fmt::format("drive '{}' has no constant rate", imposed.unsteady);
    return out;
  }
  MotionState moving = state;
  FrameSearch search(system, c, imposed.drives, moving);
  const auto set_velocity = [&](const std::vector<double>& reference) {
    SteadyEquations equations(system, c, search.motion());
    moving.v = equations.imposed_velocity(moving, reference);
  };
  const std::vector<double> none(moving.v.size(), 0.0);
  set_velocity(none);
  std::vector<Vec3d> spins;
  {
    SteadyEquations equations(system, c, search.motion());
    spins = candidate_spins(equations.observe(moving), {});
  }
  out.reason = "the machine cannot turn as one at the rates of its drives";
  for (const Vec3d& spin : spins) {
    set_velocity(none);
    search.set_frame(spin);
    SteadyMotion rigid = search.motion();
    for (Vec3d& own : rigid.own_spin) own = {};
    MotionState turning = moving;
    SteadyEquations(system, c, rigid).set_rates(turning);
    set_velocity(turning.v);
    search.set_frame(spin);
    MotionState found;
    if (!search.is_possible(1e-8, found)) continue;
    const MotionChange change = change_while_turning(system, c, search.motion(), found);
    if (change.force > MotionChange::force_tolerance) {
      out.reason = "the forces on the machine change while it turns";
      continue;
    }
    const bool changing = change.tangent > MotionChange::tangent_tolerance;
    if (out.motion && changing) continue;
    out.motion = search.motion();
    out.state = found;
    out.changing = changing;
    if (!changing) break;
  }
  return out;
}

// ω̇ = Ω × ω and v̇ = Ω × v of all bodies, by least squares: Σ (|x|² - x xᵀ) Ω = Σ x × ẋ.
SteadySearch find_described_motion(const Plan& plan, const Model& model,
                                   const std::vector<double>& c) {
  const System& system = *plan.system;
  const double step = model.simulation.first_step();
  SteadySearch out;
  Integrator integrator(plan, c);
  integrator.start(described_start(plan, model, c, 0.5 * step), 0.0, 0.5 * step);
  integrator.restart(step);
  const MotionState described = integrator.state();
  const ImposedRates imposed = imposed_rates(system, model, c);
  out.state = described;
  double fastest = 0;
  for (const double v : described.v) fastest = std::max(fastest, std::fabs(v));
  if (fastest < 1e-12) return out;
  if (imposed.moving && !imposed.unsteady.empty()) {
    out.reason = fmt::format("drive '{}' has no constant rate", imposed.unsteady);
    return out;
  }
  FrameSearch search(system, c, imposed.drives, described);
  const Workspace<double>& w = integrator.observe();
  Matrix3d sum = Matrix3d::Zero();
  Vector3d product = Vector3d::Zero();
  const auto count = [&](const Vec3d& x, const Vec3d& rate) {
    const Matrix3d m = skew_matrix(x);
    sum -= m * m;
    product += m * Vector3d(rate.x, rate.y, rate.z);
  };
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    if (system.bodies[i].block < 0) continue;
    const Block& block = system.blocks[static_cast<std::size_t>(system.bodies[i].block)];
    const auto& b = w.body[i + 1];
    count(b.v_W, load3(&described.vdot[static_cast<std::size_t>(block.v)]));
    if (block.kind == Block::Kind::rigid)
      count(b.w_W, b.R_WB * load3(&described.vdot[static_cast<std::size_t>(block.v + 3)]));
  }
  Eigen::CompleteOrthogonalDecomposition<Matrix3d> fit(sum);
  fit.setThreshold(rank_threshold);
  const Vector3d spin = fit.solve(product);
  const double gravity = norm(model.gravity);
  out.reason = "the described motion is not steady";
  for (const Vec3d& candidate : candidate_spins(w, Vec3d{spin(0), spin(1), spin(2)})) {
    search.set_frame(candidate);
    MotionState found;
    if (!search.is_possible(MotionChange::force_tolerance, found)) continue;
    double error = 0, largest = gravity;
    for (std::size_t i = 0; i < found.vdot.size(); ++i) {
      error = std::max(error, std::fabs(found.vdot[i] - described.vdot[i]));
      largest = std::max(largest, std::fabs(described.vdot[i]));
    }
    if (error > MotionChange::force_tolerance * std::max(largest, 1e-300)) continue;
    const MotionChange change = change_while_turning(system, c, search.motion(), found);
    if (change.force > MotionChange::force_tolerance) continue;
    const bool changing = change.tangent > MotionChange::tangent_tolerance;
    if (out.motion && changing) continue;
    found.lambda = described.lambda;
    out.motion = search.motion();
    out.state = found;
    out.changing = changing;
    if (!changing) break;
  }
  return out;
}

}  // namespace tumble
