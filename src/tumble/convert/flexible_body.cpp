#include "tumble/convert/flexible_body.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>

#include "tumble/convert/fixed_modes.hpp"
#include "tumble/convert/text_lines.hpp"

namespace tumble::convert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;

constexpr int most_number = 2'000'000'000;

Vector3d vector(const Vec3d& x) { return {x.x, x.y, x.z}; }
Vec3d plain(const Vector3d& x) { return {x(0), x(1), x(2)}; }

Eigen::Matrix3d skew_matrix(const Vector3d& x) {
  Eigen::Matrix3d S;
  S << 0, -x(2), x(1), x(2), 0, -x(0), -x(1), x(0), 0;
  return S;
}

std::array<double, 6> six(const Eigen::Matrix3d& J) {
  return {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)};
}

/// A point with displacements and, if `turns`, rotations among the unknowns.
struct Point {
  int number = 0;
  Vector3d x;
  Index first = 0;  ///< of its unknowns
  bool turns = false;
};

class Reducer {
 public:
  Reducer(const FiniteElements& elements, const ReductionRequest& request)
      : elements_(elements), request_(request) {
    const auto nodes = static_cast<Index>(elements.nodes.number.size());
    const Index n = elements.mass.rows();
    if (elements.stiffness.rows() != n)
      throw std::invalid_argument(
          fmt::format("the mass matrix has {} rows and the stiffness matrix {}: they must have as "
                      "many",
                      n, elements.stiffness.rows()));
    if (nodes == 0 || (n != 3 * nodes && n != 6 * nodes))
      throw std::invalid_argument(fmt::format(
          "the matrices have {} rows for {} nodes: a node has three rows, displacements, or six, "
          "displacements and rotations",
          n, nodes));
    freedoms_ = n / nodes;
  }

  Reduction run() {
    tie_spiders();
    const MatrixXd shapes = modes(M_, K_);
    return {integrals(shapes), fixed_frequencies_};
  }

 private:
  Index row_of(int number) const {
    const auto& list = elements_.nodes.number;
    const auto found = std::ranges::find(list, number);
    if (found == list.end())
      throw std::invalid_argument(fmt::format("there is no node {}", number));
    return static_cast<Index>(found - list.begin());
  }

  // Nodes k of a rigid spider follow its middle: u_k = u + θ × (x_k - x), θ_k = θ.
  void tie_spiders() {
    const auto& table = elements_.nodes;
    std::vector<bool> tied(table.number.size(), false);
    std::vector<Eigen::Triplet<double>> entries;
    Index unknowns = 0;
    if (request_.interfaces.empty())
      throw std::invalid_argument("a flexible body needs an interface, a place to take hold of it");
    for (const std::vector<int>& group : request_.interfaces) {
      Point middle{group.front(), Vector3d::Zero(), unknowns, true};
      for (const int number : group) {
        const auto row = static_cast<std::size_t>(row_of(number));
        if (tied[row])
          throw std::invalid_argument(fmt::format("node {} is in two interfaces", number));
        tied[row] = true;
        middle.x += vector(table.position[row]) / static_cast<double>(group.size());
      }
      if (freedoms_ == 3) require_plane(group, middle.x);
      for (const int number : group) {
        const Index row = row_of(number);
        const Eigen::Matrix3d lever =
            -skew_matrix(vector(table.position[static_cast<std::size_t>(row)]) - middle.x);
        for (Index i = 0; i < 3; ++i) {
          entries.emplace_back(freedoms_ * row + i, unknowns + i, 1.0);
          for (Index j = 0; j < 3; ++j)
            if (lever(i, j) != 0)
              entries.emplace_back(freedoms_ * row + i, unknowns + 3 + j, lever(i, j));
          if (freedoms_ == 6) entries.emplace_back(freedoms_ * row + 3 + i, unknowns + 3 + i, 1.0);
        }
      }
      points_.push_back(middle);
      unknowns += 6;
    }
    boundary_ = unknowns;
    for (std::size_t k = 0; k < tied.size(); ++k) {
      if (tied[k]) continue;
      points_.push_back({table.number[k], vector(table.position[k]), unknowns, freedoms_ == 6});
      for (Index i = 0; i < freedoms_; ++i)
        entries.emplace_back(freedoms_ * static_cast<Index>(k) + i, unknowns + i, 1.0);
      unknowns += freedoms_;
    }
    T_.resize(elements_.mass.rows(), unknowns);
    T_.setFromTriplets(entries.begin(), entries.end());
    M_ = SparseMatrix(T_.transpose() * elements_.mass * T_);
    K_ = SparseMatrix(T_.transpose() * elements_.stiffness * T_);
  }

  /// Displacements alone give a spider a rotation only if its nodes are not in a line.
  void require_plane(const std::vector<int>& group, const Vector3d& middle) const {
    Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
    for (const int number : group) {
      const Vector3d d =
          vector(elements_.nodes.position[static_cast<std::size_t>(row_of(number))]) - middle;
      spread += d * d.transpose();
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(spread);
    if (!(solver.eigenvalues()(1) > 1e-9 * solver.eigenvalues()(2)))
      throw std::invalid_argument(fmt::format(
          "the interface at node {} must have three nodes that are not in a line, joined by '+': "
          "nodes without rotations cannot be turned one by one",
          group.front()));
  }

  /// Columns: translations along the axes, rotations about axes through `about`.
  static MatrixXd rigid_motions(const std::vector<Point>& points, Index rows,
                                const Vector3d& about) {
    MatrixXd R = MatrixXd::Zero(rows, 6);
    for (const Point& p : points) {
      R.block<3, 3>(p.first, 0).setIdentity();
      R.block<3, 3>(p.first, 3) = -skew_matrix(p.x - about);
      if (p.turns) R.block<3, 3>(p.first + 3, 3).setIdentity();
    }
    return R;
  }

  /// Shapes of the free body, of unit modal mass: Craig and Bampton's vectors are
  ///   [ -K_ii⁻¹ K_ib   Φ ]      on the unknowns within
  ///   [      I         0 ]      on those of the interfaces,
  /// with K_ii Φ = M_ii Φ Ω². The matrices that they leave are diagonalised, and of the vibrations
  /// found the six of zero frequency are the motions of the rigid body.
  MatrixXd modes(const SparseMatrix& M, const SparseMatrix& K) {
    const Index n = M.rows(), inside = n - boundary_;
    const MatrixXd R = rigid_motions(points_, n, Vector3d::Zero());
    const double size = std::sqrt(R.rightCols(3).squaredNorm() / static_cast<double>(n));
    const VectorXd stiff = K.diagonal().cwiseAbs();
    if (!(stiff.maxCoeff() > 0)) throw std::invalid_argument("the stiffness matrix is zero");
    const MatrixXd strained = K * R;
    for (Index k = 0; k < 6; ++k)
      if (strained.col(k).cwiseAbs().maxCoeff() >
          1e-6 * stiff.maxCoeff() * (k < 3 ? 1.0 : std::max(size, 1e-300)))
        throw std::invalid_argument(fmt::format(
            "the stiffness matrix resists the {} of the whole body {} {}: it must be "
            "that of the free body, without supports, and the nodes in the order of its "
            "rows",
            k < 3 ? "translation" : "rotation", k < 3 ? "along" : "about", "xyz"[k % 3]));

    MatrixXd P = MatrixXd::Zero(n, boundary_ + std::min<Index>(request_.fixed_modes, inside));
    P.topLeftCorner(boundary_, boundary_).setIdentity();
    if (inside > 0) {
      const SparseMatrix K_ii = K.bottomRightCorner(inside, inside),
                         M_ii = M.bottomRightCorner(inside, inside);
      const Eigen::SimplicialLDLT<SparseMatrix> factor(K_ii);
      if (factor.info() != Eigen::Success || !(factor.vectorD().minCoeff() > 0))
        throw std::invalid_argument(
            "held at its interfaces, the body can still move without strain: its parts are not "
            "joined, or interfaces are too few");
      const MatrixXd K_ib = MatrixXd(K.bottomLeftCorner(inside, boundary_));
      P.bottomLeftCorner(inside, boundary_) = -factor.solve(K_ib);
      const int wanted = static_cast<int>(std::min<Index>(request_.fixed_modes, inside));
      if (wanted > 0) {
        const FixedModes fixed = fixed_modes(factor, K_ii, M_ii, wanted);
        P.bottomRightCorner(inside, wanted) = fixed.shapes;
        for (const double x : fixed.eigenvalues)
          fixed_frequencies_.push_back(std::sqrt(x) / (2 * std::numbers::pi));
      }
    }
    // In columns of unit mass the pencil is well scaled whatever the units of rotations.
    MatrixXd m = P.transpose() * (M * P), k = P.transpose() * (K * P);
    const VectorXd masses = m.diagonal();
    if (!(masses.minCoeff() > 0))
      throw std::invalid_argument("the mass matrix is not positive: some motion has no mass");
    const VectorXd d = masses.cwiseSqrt().cwiseInverse();
    m = d.asDiagonal() * m * d.asDiagonal();
    k = d.asDiagonal() * k * d.asDiagonal();
    m = 0.5 * (m + m.transpose()).eval();
    k = 0.5 * (k + k.transpose()).eval();
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(k, m);
    if (solver.info() != Eigen::Success)
      throw std::invalid_argument("the reduced mass matrix is not positive definite");
    const VectorXd& values = solver.eigenvalues();
    if (values.size() <= 6)
      throw std::invalid_argument(
          "no mode is left beside the motions of the rigid body: ask for modes of the body that is "
          "held at its interfaces");
    const double largest = values.cwiseAbs().maxCoeff();
    if (!(std::fabs(values(5)) < 1e-3 * values(6)) || !(values(6) > 1e-13 * largest))
      throw std::invalid_argument(fmt::format(
          "the body must have six motions without strain and no more, but the squares of its "
          "lowest circular frequencies are {:.3g} and {:.3g} 1/s^2",
          values(5), values(6)));
    const Index count = values.size() - 6;
    stiffness_ = values.tail(count);
    MatrixXd X = P * (d.asDiagonal() * solver.eigenvectors().rightCols(count));
    // The motions of the rigid body, which are known exactly, are taken out of the shapes.
    const MatrixXd MR = M * R;
    X -= R * (R.transpose() * MR).ldlt().solve(MR.transpose() * X);
    for (Index j = 0; j < count; ++j) {
      Index where = 0;
      X.col(j).cwiseAbs().maxCoeff(&where);
      X.col(j) *= (X(where, j) < 0 ? -1 : 1) / std::sqrt(X.col(j).dot(M * X.col(j)));
    }
    return X;
  }

  // With the velocity of all unknowns u = T v + (R + Σ q_j W_j) ω + X q̇ in the axes of the body,
  // W_j the displacements of mode j turned, ω × Φ_j, the kinetic energy ½ uᵀ M u has the integrals
  // of the shapes as its coefficients (Zwölfer and Gerstmayr, Multibody Syst. Dyn. 49, 2020): no
  // mass has to be lumped at nodes.
  // Nodes of a spider count one by one.
  ModalData integrals(const MatrixXd& shapes) {
    ModalData data;
    const SparseMatrix& M = elements_.mass;
    const MatrixXd X = T_ * shapes;
    std::vector<Point> nodes;
    for (std::size_t k = 0; k < elements_.nodes.number.size(); ++k)
      nodes.push_back({elements_.nodes.number[k], vector(elements_.nodes.position[k]),
                       freedoms_ * static_cast<Index>(k), freedoms_ == 6});
    const MatrixXd from_origin = rigid_motions(nodes, M.rows(), Vector3d::Zero());
    const MatrixXd T = from_origin.leftCols(3), MT = M * T;
    const Eigen::Matrix3d mass = T.transpose() * MT;
    data.mass = mass.trace() / 3;
    if (!((mass - data.mass * Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() <
          1e-6 * data.mass))
      throw std::invalid_argument(fmt::format(
          "the body must have one mass, but the mass matrix gives {:.6g}, {:.6g} and {:.6g} kg "
          "along x, y and z",
          mass(0, 0), mass(1, 1), mass(2, 2)));
    // Tᵀ M R = -m c̃
    const Eigen::Matrix3d moment = -(MT.transpose() * from_origin.rightCols(3)) / data.mass;
    const Vector3d centre{(moment(2, 1) - moment(1, 2)) / 2, (moment(0, 2) - moment(2, 0)) / 2,
                          (moment(1, 0) - moment(0, 1)) / 2};
    data.centre = plain(centre);
    const MatrixXd R = rigid_motions(nodes, M.rows(), centre).rightCols(3), MR = M * R, MX = M * X;
    data.inertia = six(R.transpose() * MR);

    const auto m = X.cols();
    data.modes = static_cast<int>(m);
    std::vector<MatrixXd> W, MW;
    for (Index j = 0; j < m; ++j) {
      MatrixXd turned = MatrixXd::Zero(M.rows(), 3);
      for (const Point& p : nodes)
        turned.middleRows<3>(p.first) = -skew_matrix(X.col(j).segment<3>(p.first));
      MW.push_back(M * turned);
      W.push_back(std::move(turned));
    }
    const MatrixXd S = T.transpose() * MX, D = R.transpose() * MX;
    for (Index i = 0; i < m; ++i) {
      const auto at = static_cast<std::size_t>(i);
      data.modal_mass.push_back(X.col(i).dot(MX.col(i)));
      data.modal_stiffness.push_back(stiffness_(i) * data.modal_mass.back());
      data.moment.push_back(plain(S.col(i)));
      data.rotation.push_back(plain(D.col(i)));
      const Eigen::Matrix3d rate = R.transpose() * MW[at];
      for (const double x : six(rate + rate.transpose())) data.inertia_rate.push_back(x);
      for (Index j = 0; j < m; ++j) {
        const auto other = static_cast<std::size_t>(j);
        data.coupling.push_back(
            plain(0.5 * (W[at].transpose() * MX.col(j) - W[other].transpose() * MX.col(i))));
        const Eigen::Matrix3d curve = W[std::min(at, other)].transpose() * MW[std::max(at, other)];
        for (const double x : six(curve + curve.transpose())) data.inertia_curve.push_back(x);
      }
    }
    add_nodes(data, shapes);
    return data;
  }

  /// The interfaces, and the ends of lines that are no nodes of them.
  void add_nodes(ModalData& data, const MatrixXd& X) const {
    std::vector<const Point*> kept;
    for (std::size_t i = 0; i < request_.interfaces.size(); ++i) kept.push_back(&points_[i]);
    std::map<int, int> place;  // number -> among those kept
    for (std::size_t i = 0; i < kept.size(); ++i)
      for (const int number : request_.interfaces[i]) place[number] = static_cast<int>(i);
    for (const auto& line : request_.lines) {
      std::array<int, 2> ends{};
      for (std::size_t e = 0; e < 2; ++e) {
        if (!place.contains(line[e])) {
          row_of(line[e]);
          place[line[e]] = static_cast<int>(kept.size());
          kept.push_back(&*std::ranges::find(points_, line[e], &Point::number));
        }
        ends[e] = place[line[e]];
      }
      if (ends[0] != ends[1]) data.lines.push_back(ends);
    }
    for (const Point* p : kept) {
      data.node.push_back(p->number);
      data.position.push_back(plain(p->x));
      for (Index j = 0; j < X.cols(); ++j) {
        data.displacement.push_back(plain(X.col(j).segment<3>(p->first)));
        data.turn.push_back(p->turns ? plain(X.col(j).segment<3>(p->first + 3)) : Vec3d{});
      }
    }
  }

  const FiniteElements& elements_;
  const ReductionRequest& request_;
  Index freedoms_ = 6, boundary_ = 0;
  std::vector<Point> points_;  ///< the interfaces first
  SparseMatrix T_;             ///< from their unknowns to those of all nodes
  SparseMatrix M_, K_;         ///< with spiders tied
  VectorXd stiffness_;
  std::vector<double> fixed_frequencies_;
};

/// The rows of a CSV file with this header, as words.
template <class F>
void for_each_row(std::string_view text, const std::string& file,
                  const std::vector<std::string_view>& header, const F& f) {
  TextLines lines(text, file);
  const auto first = lines.next_data('#');
  const auto named = first ? split(*first, ", \t\"") : std::vector<std::string_view>{};
  if (!std::ranges::equal(named, header, same_word))
    lines.fail(fmt::format("must begin with the header {}", fmt::join(header, ",")));
  while (const auto line = lines.next_data('#')) {
    const auto words = split(*line, ", \t");
    if (words.size() != header.size())
      lines.fail(fmt::format("must hold {} numbers: {}", header.size(), fmt::join(header, ",")));
    f(lines, words);
  }
}

}  // namespace

NodeTable read_nodes(std::string_view text, const std::string& file) {
  NodeTable table;
  std::map<int, int> seen;
  for_each_row(text, file, {"node", "x", "y", "z"}, [&](const TextLines& lines, const auto& words) {
    const int number = static_cast<int>(lines.whole(words[0], 0, most_number));
    if (!seen.emplace(number, 0).second) lines.fail(fmt::format("node {} is given twice", number));
    table.number.push_back(number);
    table.position.push_back(
        {lines.number(words[1]), lines.number(words[2]), lines.number(words[3])});
  });
  return table;
}

std::vector<std::array<int, 2>> read_lines(std::string_view text, const std::string& file) {
  std::vector<std::array<int, 2>> list;
  for_each_row(text, file, {"a", "b"}, [&](const TextLines& lines, const auto& words) {
    list.push_back({static_cast<int>(lines.whole(words[0], 0, most_number)),
                    static_cast<int>(lines.whole(words[1], 0, most_number))});
  });
  return list;
}

Reduction reduce(const FiniteElements& elements, const ReductionRequest& request) {
  return Reducer(elements, request).run();
}

}  // namespace tumble::convert
