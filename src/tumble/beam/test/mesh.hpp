// A mesh of elements with statics and dynamics of its own, so that beams can be tested without the
// engine: dense matrices, joints by shared or fixed coordinates.
#pragma once
#include <gtest/gtest.h>

#include <functional>

#include "tumble/beam/test/element.hpp"

namespace tumble::beam::testing {

template <int D>
class Mesh {
 public:
  using Point = Eigen::Matrix<double, D, 1>;
  static constexpr int per_node = node_coordinates<D>;

  /// Adds a node with its own coordinates; `position_of` >= 0 shares the position of that node.
  int add_node(const Eigen::VectorXd& coordinates, int position_of = -1) {
    std::vector<int> map;
    for (int k = 0; k < per_node; ++k) {
      if (position_of >= 0 && k < D) {
        map.push_back(nodes_[static_cast<std::size_t>(position_of)][static_cast<std::size_t>(k)]);
        continue;
      }
      map.push_back(static_cast<int>(start.size()));
      start.conservativeResize(start.size() + 1);
      start(start.size() - 1) = coordinates(k);
      fixed_.push_back(false);
    }
    nodes_.push_back(map);
    return static_cast<int>(nodes_.size()) - 1;
  }
  void add_element(int first, int second, std::unique_ptr<Element<D>> element) {
    std::vector<int> map = nodes_[static_cast<std::size_t>(first)];
    const auto& other = nodes_[static_cast<std::size_t>(second)];
    map.insert(map.end(), other.begin(), other.end());
    elements_.push_back({map, std::move(element)});
  }
  int coordinate(int node, int k) const {
    return nodes_[static_cast<std::size_t>(node)][static_cast<std::size_t>(k)];
  }
  /// Holds coordinates [first, last) of a node where they are.
  void fix(int node, int first, int last) {
    for (int k = first; k < last; ++k) fixed_[static_cast<std::size_t>(coordinate(node, k))] = true;
  }
  void hinge(int node) { fix(node, 0, D); }
  void clamp(int node) { fix(node, 0, per_node); }
  int last_node() const { return static_cast<int>(nodes_.size()) - 1; }
  Point position(const Eigen::VectorXd& q, int node) const {
    Point p;
    for (int c = 0; c < D; ++c) p(c) = q(coordinate(node, c));
    return p;
  }

  struct Forces {
    double energy = 0;
    Eigen::VectorXd force;
    Eigen::MatrixXd stiffness, damping;
  };
  Forces forces(const Eigen::VectorXd& q, const Eigen::VectorXd& v, bool tangent) const {
    const auto n = start.size();
    Forces out;
    out.force = Eigen::VectorXd::Zero(n);
    if (tangent) out.stiffness = out.damping = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd e(2 * per_node), rate(2 * per_node);
    for (const auto& [map, element] : elements_) {
      for (int i = 0; i < e.size(); ++i) {
        e(i) = q(map[static_cast<std::size_t>(i)]);
        rate(i) = v(map[static_cast<std::size_t>(i)]);
      }
      const Answer answer = element->evaluate(e, rate, tangent);
      out.energy += answer.energy;
      for (int i = 0; i < e.size(); ++i) {
        const int row = map[static_cast<std::size_t>(i)];
        out.force(row) += answer.force(i);
        if (!tangent) continue;
        for (int j = 0; j < e.size(); ++j) {
          const int column = map[static_cast<std::size_t>(j)];
          out.stiffness(row, column) += answer.stiffness(i, j);
          out.damping(row, column) += answer.damping(i, j);
        }
      }
    }
    return out;
  }
  Eigen::MatrixXd mass() const {
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(start.size(), start.size());
    for (const auto& [map, element] : elements_)
      for (int i = 0; i < 2 * per_node; ++i)
        for (int j = 0; j < 2 * per_node; ++j)
          M(map[static_cast<std::size_t>(i)], map[static_cast<std::size_t>(j)]) +=
              element->mass(i, j);
    return M;
  }
  /// Accelerations of free fall: gravity in every position.
  Eigen::VectorXd free_fall(const Point& gravity) const {
    Eigen::VectorXd a = Eigen::VectorXd::Zero(start.size());
    for (const auto& node : nodes_)
      for (int c = 0; c < D; ++c) a(node[static_cast<std::size_t>(c)]) = gravity(c);
    return a;
  }

  std::vector<int> free_coordinates() const {
    std::vector<int> out;
    for (std::size_t i = 0; i < fixed_.size(); ++i)
      if (!fixed_[i]) out.push_back(static_cast<int>(i));
    return out;
  }

  /// Equilibrium under dead loads applied in equal steps, by Newton's iteration.
  Eigen::VectorXd equilibrium(const Eigen::VectorXd& load, int steps) const {
    const auto free = free_coordinates();
    Eigen::VectorXd q = start;
    const Eigen::VectorXd rest = Eigen::VectorXd::Zero(q.size());
    for (int step = 1; step <= steps; ++step) {
      double change = 1;
      for (int iteration = 0; iteration < 60 && change > 1e-11; ++iteration) {
        const Forces f = forces(q, rest, true);
        const Eigen::VectorXd r = load * (double(step) / steps) - f.force;
        const Eigen::MatrixXd K = f.stiffness(free, free);
        const Eigen::VectorXd d = K.partialPivLu().solve(Eigen::VectorXd(r(free)));
        q(free) += d;
        change = d.cwiseAbs().maxCoeff() / (1 + q.cwiseAbs().maxCoeff());
      }
      EXPECT_LE(change, 1e-11) << "no equilibrium at load step " << step;
      if (!(change <= 1e-11)) break;
    }
    return q;
  }

  /// Squared circular frequencies about a state, ascending.
  Eigen::VectorXd eigenvalues(const Eigen::VectorXd& q) const {
    const auto free = free_coordinates();
    const Forces f = forces(q, 0 * q, true);
    const Eigen::MatrixXd all = mass();
    const Eigen::MatrixXd K = f.stiffness(free, free), M = all(free, free);
    return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (K + K.transpose()), M,
                                                                     Eigen::EigenvaluesOnly)
        .eigenvalues();
  }

  struct State {
    double time = 0;
    Eigen::VectorXd q, v;
  };
  /// Generalized-alpha (J. Chung, G. M. Hulbert, J. Appl. Mech. 60 (1993), 371-375) from rest under
  /// gravity; `observe` sees every state.
  void integrate(const Point& gravity, double duration, double step, double spectral_radius,
                 const std::function<void(const State&)>& observe) const {
    const auto free = free_coordinates();
    const Eigen::MatrixXd all = mass(), M = all(free, free);
    const Eigen::VectorXd weight = (all * free_fall(gravity))(free);
    const double am = (2 * spectral_radius - 1) / (spectral_radius + 1),
                 af = spectral_radius / (spectral_radius + 1), gamma = 0.5 - am + af,
                 beta = 0.25 * (1 - am + af) * (1 - am + af), h = step;
    State now{0, start, 0 * start};
    Eigen::VectorXd a = 0 * start,
                    f_before = Eigen::VectorXd(forces(now.q, now.v, false).force(free)) - weight;
    a(free) = -M.llt().solve(f_before);
    observe(now);
    Eigen::PartialPivLU<Eigen::MatrixXd> lu;
    bool have_factor = false;
    const long steps = std::lround(duration / h);
    for (long n = 1; n <= steps; ++n) {
      State next = now;
      next.time = static_cast<double>(n) * h;
      Eigen::VectorXd a_next = a, f_next;
      const auto place = [&] {
        next.q = now.q + h * now.v + h * h * ((0.5 - beta) * a + beta * a_next);
        next.v = now.v + h * ((1 - gamma) * a + gamma * a_next);
      };
      place();
      double before = 0;
      for (int iteration = 0;; ++iteration) {
        ASSERT_LT(iteration, 50) << "no convergence at t = " << next.time;
        if (!have_factor) {
          const Forces f = forces(next.q, next.v, true);
          lu.compute((1 - am) * M +
                     (1 - af) * (h * gamma * f.damping + h * h * beta * f.stiffness)(free, free));
          have_factor = true;
          before = 0;
        }
        f_next = Eigen::VectorXd(forces(next.q, next.v, false).force(free)) - weight;
        const Eigen::VectorXd inertia = M * ((1 - am) * a_next + am * a)(free);
        const Eigen::VectorXd d = lu.solve(inertia + (1 - af) * f_next + af * f_before);
        a_next(free) -= d;
        place();
        const double change = d.cwiseAbs().maxCoeff(), size = a_next.cwiseAbs().maxCoeff();
        if (change <= 1e-9 * (1 + size)) break;
        if (before > 0 && change > 0.2 * before) have_factor = false;  // slow: a new matrix
        before = change;
      }
      f_before = Eigen::VectorXd(forces(next.q, next.v, false).force(free)) - weight;
      a = a_next;
      now = next;
      observe(now);
    }
  }

  Eigen::VectorXd start;  ///< coordinates of the undeformed mesh

 private:
  struct Entry {
    std::vector<int> map;
    std::unique_ptr<Element<D>> element;
  };
  std::vector<std::vector<int>> nodes_;
  std::vector<bool> fixed_;
  std::vector<Entry> elements_;
};

/// Coordinates of a node: position and orthonormal axes.
template <int D>
Eigen::VectorXd node_at(const Eigen::Matrix<double, D, 1>& position,
                        const Eigen::Matrix<double, D, D>& axes) {
  Eigen::VectorXd e(node_coordinates<D>);
  e.head<D>() = position;
  for (int k = 0; k < D; ++k) e.segment<D>(D * (k + 1)) = axes.col(k);
  return e;
}

/// A straight beam from `begin` along the first of `axes`; returns its first node. `make` gives an
/// element of the length asked for, with its mass.
template <int D>
int add_straight_beam(Mesh<D>& mesh, const Eigen::Matrix<double, D, 1>& begin,
                      const Eigen::Matrix<double, D, D>& axes, double length, int elements,
                      const std::function<std::unique_ptr<Element<D>>(double)>& make,
                      int position_of = -1) {
  const int first = mesh.add_node(node_at<D>(begin, axes), position_of);
  for (int i = 1; i <= elements; ++i) {
    const int node = mesh.add_node(node_at<D>(begin + axes.col(0) * (length * i / elements), axes));
    mesh.add_element(node - 1, node, make(length / elements));
  }
  return first;
}

/// A maker of straight elements of uniform material in the continuum formulation.
template <int D>
std::function<std::unique_ptr<Element<D>>(double)> continuum_maker(const Section& section, double E,
                                                                   double nu, double density) {
  return [=](double length) {
    const auto reference = Reference<D>::straight(length);
    auto element = continuum_element<D>(reference, section, std::vector<Lame>(5, lame(E, nu)));
    element->mass =
        mass_matrix<D, Curvature::straight>(reference, section, std::vector<double>(5, density));
    return element;
  };
}

/// The same in the structural formulation.
template <int D>
std::function<std::unique_ptr<Element<D>>(double)> structural_maker(const Section& section,
                                                                    double E, double nu,
                                                                    double density) {
  return [=](double length) {
    const auto reference = Reference<D>::straight(length);
    auto element = structural_element<D>(
        reference, std::vector<SectionStiffness>(5, section_stiffness(section, E, nu)));
    element->mass =
        mass_matrix<D, Curvature::straight>(reference, section, std::vector<double>(5, density));
    return element;
  };
}

}  // namespace tumble::beam::testing
