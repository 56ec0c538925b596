#include "tumble/integrate/watch/condition_geometry.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseQR>
#include <cmath>

#include "tumble/model/compile.hpp"

namespace tumble {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;

ConditionGeometry::ConditionGeometry(const System& system)
    : system_(system),
      constants_(prepare(system, system.nominal)),
      zero_(static_cast<std::size_t>(system.nv + system.nc), 0.0),
      residual_(zero_),
      w_(system),
      gradient_(system.nc, system.nv),
      value_(system.nc),
      inverse_mass_(system.nv) {}

void ConditionGeometry::move_to(const std::vector<double>& q, double time) {
  if (time != time_)
    for (auto& motion : w_.prescribed) motion.placed = false;
  q_ = q;
  time_ = time;
  const double* c = constants_.data();
  update_drives(system_, c, time, time, w_);
  update_bodies(system_, q.data(), zero_.data(), w_);
  residual(system_, c, zero_.data(), zero_.data(), w_, residual_.data());
  tangent(system_, c, zero_.data(), zero_.data(), w_);
  const auto& pattern = system_.pattern;
  std::vector<Eigen::Triplet<double>> entries;
  for (int row = 0; row < system_.nc; ++row) {
    const auto r = static_cast<std::size_t>(system_.nv + row);
    for (int s = pattern.row_start[r]; s < pattern.row_start[r + 1]; ++s) {
      const auto slot = static_cast<std::size_t>(s);
      entries.emplace_back(row, pattern.column[slot], w_.K[slot]);
    }
    value_[row] = residual_[r];
  }
  gradient_.setFromTriplets(entries.begin(), entries.end());
  const std::vector<double> stand_in = stand_ins();
  for (int i = 0; i < system_.nv; ++i)
    inverse_mass_[i] = 1 / (w_.M[static_cast<std::size_t>(pattern.slot(i, i))] +
                            stand_in[static_cast<std::size_t>(i)]);
}

std::vector<double> ConditionGeometry::stand_ins() const {
  std::vector<double> result(static_cast<std::size_t>(system_.nv), 0.0);
  const double* weight = constants_.data() + system_.weight_constants;
  double heaviest = 0;
  for (int i = 0; i < system_.nv; ++i)
    if (weight[i] > 0)
      heaviest = std::max(heaviest, w_.M[static_cast<std::size_t>(system_.pattern.slot(i, i))] /
                                        (weight[i] * weight[i]));
  for (std::size_t i = 0; i < system_.bodies.size(); ++i) {
    const Body& body = system_.nominal.bodies[i];
    if (!(body.at_node || body.node) || system_.bodies[i].block < 0) continue;
    const Block& block = system_.blocks[static_cast<std::size_t>(system_.bodies[i].block)];
    for (int v = block.v; v < block.v + block.nv; ++v)
      result[static_cast<std::size_t>(v)] = heaviest * weight[v] * weight[v];
  }
  return result;
}

VectorXd ConditionGeometry::mobility() const {
  return gradient_.cwiseProduct(gradient_) * inverse_mass_;
}

double ConditionGeometry::size() const {
  double length = 1e-3;
  for (const auto& body : w_.body)
    for (int k = 0; k < 3; ++k) length = std::max(length, std::fabs(body.p_W[k]));
  for (const auto& beam : system_.beams)
    for (int node = 0; node < beam.nodes; ++node)
      for (int k = 0; k < beam.dimension; ++k)
        length =
            std::max(length, std::fabs(w_.node_q[static_cast<std::size_t>(beam.node(node) + k)]));
  const double* weight = constants_.data() + system_.weight_constants;
  for (int i = 0; i < system_.nv; ++i) length = std::max(length, weight[i]);
  return length;
}

VectorXd ConditionGeometry::least_motion(const VectorXd& rhs, double softness) const {
  SparseMatrix matrix = gradient_ * inverse_mass_.asDiagonal() * gradient_.transpose();
  VectorXd diagonal = mobility();
  for (double& d : diagonal) d = d > 0 ? softness * d : 1.0;  // a condition on nothing that moves
  matrix += SparseMatrix(diagonal.asDiagonal());
  const Eigen::SimplicialLDLT<SparseMatrix> factor(matrix);
  return inverse_mass_.asDiagonal() * (gradient_.transpose() * factor.solve(rhs));
}

// Levenberg and Marquardt's method with a parameter that goes to zero as the residual does: of
// second order even where the conditions at the solution depend on each other (Yamashita and
// Fukushima 2001).
std::optional<std::vector<double>> ConditionGeometry::assemble() {
  constexpr int limit = 100;
  const double length = size();
  double before = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < limit; ++iteration) {
    const double violation = system_.nc > 0 ? value_.cwiseAbs().maxCoeff() : 0.0;
    if (!std::isfinite(violation)) return std::nullopt;
    if (violation <= 1e-14 * length || (violation <= 1e-11 * length && violation >= 0.5 * before))
      return q_;
    before = violation;
    VectorXd u = least_motion(-value_, 1e-12 + violation / length);
    double turn = 1;
    for (const auto& block : system_.blocks)
      if (block.kind == Block::Kind::rigid)
        turn = std::max(turn, u.segment<3>(block.v + 3).cwiseAbs().maxCoeff());
    u /= turn;
    std::vector<double> q = q_;
    compose(system_, q_.data(), u.data(), q.data());
    move_to(q, time_);
  }
  return std::nullopt;
}

std::optional<std::vector<double>> ConditionGeometry::wander(int number, double angle) {
  const double length = size();
  VectorXd u(system_.nv);
  double x = 0.25 * number;
  for (int i = 0; i < system_.nv; ++i) {
    x += 0.6180339887498949;  // golden-section steps fill (0, 1) evenly
    x -= std::floor(x);
    u[i] = (x - 0.5) * std::sqrt(inverse_mass_[i]);
  }
  const double wished = u.cwiseAbs().maxCoeff();
  u -= least_motion(gradient_ * u, 1e-12);
  if (!(u.cwiseAbs().maxCoeff() > 1e-6 * wished)) return std::nullopt;
  double largest = 0;
  for (const auto& block : system_.blocks)
    for (int k = 0; k < block.nv; ++k) {
      const bool turns = block.kind == Block::Kind::rigid && k >= 3;
      largest = std::max(largest, std::fabs(u[block.v + k]) / (turns ? 1.0 : length));
    }
  u *= angle / largest;
  std::vector<double> q = q_;
  compose(system_, q_.data(), u.data(), q.data());
  move_to(q, time_);
  return assemble();
}

namespace {

/// A pivot of C Cᵀ is the square of what of a column of unit length those before it leave. Rounding
/// is squared as well, so only much larger ones tell; but for a net of many loops this takes a
/// hundredth of the time of the decomposition that is sure.
bool clearly_independent(const SparseMatrix& columns) {
  constexpr double clearly = 1e-6;
  const Eigen::SimplicialLDLT<SparseMatrix> factor(SparseMatrix(columns.transpose() * columns));
  return factor.info() == Eigen::Success && factor.vectorD().minCoeff() > clearly;
}

}  // namespace

// G M⁻¹ Gᵀ n = 0 with rows of unit length: a column of (M^-½ Gᵀ) that depends on those before it
// is put last by the decomposition Q R P, and  n = P [-R₁⁻¹ R₂; 1].
MatrixXd ConditionGeometry::null_space() const {
  constexpr double same = 1e-6;
  VectorXd scale = mobility();
  for (double& s : scale) s = s > 0 ? 1 / std::sqrt(s) : 1.0;
  SparseMatrix columns =
      inverse_mass_.cwiseSqrt().asDiagonal() * gradient_.transpose() * scale.asDiagonal();
  columns.makeCompressed();
  if (clearly_independent(columns)) return MatrixXd(system_.nc, 0);
  Eigen::SparseQR<SparseMatrix, Eigen::COLAMDOrdering<int>> qr;
  qr.setPivotThreshold(same);
  qr.compute(columns);
  const Eigen::Index rank = qr.rank(), count = system_.nc - rank;
  if (count == 0) return MatrixXd(system_.nc, 0);
  const SparseMatrix R = qr.matrixR();
  const SparseMatrix R1 = R.topLeftCorner(rank, rank);
  MatrixXd n = MatrixXd::Zero(system_.nc, count);
  n.topRows(rank) =
      -R1.triangularView<Eigen::Upper>().solve(MatrixXd(R.block(0, rank, rank, count)));
  n.bottomRows(count).setIdentity();
  n = scale.asDiagonal() * (qr.colsPermutation() * n);
  const Eigen::HouseholderQR<MatrixXd> orthonormal(n);
  return orthonormal.householderQ() * MatrixXd::Identity(system_.nc, count);
}

}  // namespace tumble
