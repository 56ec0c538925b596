// One element of either formulation behind a common face, and where its vectors may be.
#pragma once
#include <Eigen/Dense>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "tumble/beam/continuum_force.hpp"
#include "tumble/beam/inertia.hpp"
#include "tumble/beam/structural_force.hpp"

namespace tumble::beam::testing {

/// What an element answers at given coordinates and velocities, node by node.
struct Answer {
  double energy = 0;
  Eigen::VectorXd force;
  Eigen::MatrixXd stiffness, damping;
};

template <int D>
class Element {
 public:
  static constexpr int size = 2 * node_coordinates<D>;
  virtual ~Element() = default;
  virtual Answer evaluate(const Eigen::VectorXd& e, const Eigen::VectorXd& rate,
                          bool tangent) const = 0;
  Eigen::MatrixXd mass;
};

/// Calls the kernels on doubles; Force is ContinuumForce or StructuralForce.
template <int D, class Force>
class KernelElement : public Element<D> {
 public:
  template <class... Options>
  explicit KernelElement(std::vector<double> constants, Options... options)
      : make_([options...](const double* c, const double* first, const double* second,
                           const double* first_rate, const double* second_rate) {
          return Force(c, first, second, first_rate, second_rate, options...);
        }),
        constants_(std::move(constants)) {}
  Answer evaluate(const Eigen::VectorXd& e, const Eigen::VectorXd& rate,
                  bool tangent) const override {
    constexpr int half = node_coordinates<D>;
    const Force force =
        make_(constants_.data(), e.data(), e.data() + half, rate.data(), rate.data() + half);
    Answer out;
    out.energy = force.energy();
    out.force = Eigen::VectorXd::Zero(2 * half);
    force.add_force(out.force.data(), out.force.data() + half);
    if (!tangent) return out;
    out.stiffness = out.damping = Eigen::MatrixXd::Zero(2 * half, 2 * half);
    const auto into = [](Eigen::MatrixXd& matrix) {
      return [&matrix](int i, int j, const double(&block)[D][D]) {
        for (int a = 0; a < D; ++a)
          for (int b = 0; b < D; ++b) matrix(D * i + a, D * j + b) += block[a][b];
      };
    };
    force.tangent(into(out.stiffness), into(out.damping));
    return out;
  }

 private:
  std::function<Force(const double*, const double*, const double*, const double*, const double*)>
      make_;
  std::vector<double> constants_;
};

/// The mass matrix over coordinates.
template <int D, Curvature curvature>
Eigen::MatrixXd mass_matrix(const Reference<D>& reference, const SectionAlong& section,
                            const std::vector<double>& density) {
  const MassInvariants<D, curvature> invariants(reference, section);
  std::vector<double> mass(static_cast<std::size_t>(invariants.size));
  invariants.write(density, mass.data());
  constexpr int size = 2 * node_coordinates<D>;
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(size, size);
  for (int i = 0; i < element_vectors<D>; ++i)
    for (int j = 0; j < element_vectors<D>; ++j)
      if (const int slot = mass_layout<D, curvature>.slot[i][j]; slot >= 0)
        for (int c = 0; c < D; ++c) M(D * i + c, D * j + c) = mass[static_cast<std::size_t>(slot)];
  return M;
}

template <int D, Curvature curvature = Curvature::straight>
std::unique_ptr<Element<D>> continuum_element(const Reference<D>& reference,
                                              const SectionAlong& section,
                                              const std::vector<Lame>& material,
                                              double damping_time = 0) {
  using Constants = ContinuumConstants<D, curvature>;
  const ContinuumInvariants<D, curvature> invariants(reference, section);
  std::vector<double> constants(Constants::size);
  invariants.write_geometry(damping_time, constants.data());
  invariants.write_stiffness(material, constants.data() + Constants::stiffness);
  return std::make_unique<KernelElement<D, ContinuumForce<D, curvature, double>>>(constants,
                                                                                  damping_time > 0);
}

template <int D>
std::unique_ptr<Element<D>> structural_element(const Reference<D>& reference,
                                               const std::vector<SectionStiffness>& sections,
                                               double damping_time = 0,
                                               bool linear_curvature = false) {
  using Constants = StructuralConstants<D>;
  const StructuralInvariants<D> invariants(reference);
  std::vector<double> constants(Constants::size);
  invariants.write_geometry(damping_time, constants.data());
  invariants.write_stiffness(sections, constants.data(), linear_curvature);
  return std::make_unique<KernelElement<D, StructuralForce<D, double>>>(constants, damping_time > 0,
                                                                        linear_curvature);
}

template <int D>
Eigen::VectorXd coordinates(const Reference<D>& reference) {
  return Eigen::Map<const Eigen::VectorXd>(reference.nodes.data(), 2 * node_coordinates<D>);
}

/// The coordinates after r -> R r + shift.
template <int D>
Eigen::VectorXd moved(const Eigen::VectorXd& e, const Eigen::Matrix<double, D, D>& R,
                      const Eigen::Matrix<double, D, 1>& shift) {
  Eigen::VectorXd out(e.size());
  for (int i = 0; i < e.size() / D; ++i) {
    out.segment<D>(D * i) = R * e.segment<D>(D * i);
    if (i % node_vectors<D> == 0) out.segment<D>(D * i) += shift;
  }
  return out;
}

/// A rotation that is none of the simple ones.
template <int D>
Eigen::Matrix<double, D, D> some_rotation(std::mt19937& generator) {
  std::normal_distribution<double> normal;
  Eigen::Matrix<double, D, D> m;
  for (int i = 0; i < D * D; ++i) m(i) = normal(generator);
  Eigen::HouseholderQR<Eigen::Matrix<double, D, D>> qr(m);
  Eigen::Matrix<double, D, D> Q = qr.householderQ();
  if (Q.determinant() < 0) Q.col(0) *= -1;
  return Q;
}

/// A strained, turned and shifted element: every vector off by up to `size` of its length.
template <int D>
Eigen::VectorXd some_configuration(const Reference<D>& reference, double size,
                                   std::mt19937& generator) {
  std::uniform_real_distribution<double> uniform(-size, size);
  Eigen::VectorXd e = coordinates(reference);
  for (int i = 0; i < e.size(); ++i) {
    const bool position = i / D % node_vectors<D> == 0;
    e(i) += uniform(generator) * (position ? reference.length : 1.0);
  }
  Eigen::Matrix<double, D, 1> shift;
  for (int c = 0; c < D; ++c) shift(c) = uniform(generator);
  return moved<D>(e, some_rotation<D>(generator), shift);
}

/// An arc that turns by `angle` and, in space, is twisted.
template <int D>
Reference<D> curved_reference(double length = 0.7, double angle = 0.9) {
  const double radius = length / angle;
  Reference<D> out{length, {}};
  for (int node = 0; node < 2; ++node) {
    double* e = out.nodes.data() + node * node_coordinates<D>;
    const double s = std::sin(node * angle), c = std::cos(node * angle);
    const double axes[3][3] = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
    e[0] = radius * s, e[1] = radius * (1 - c);
    for (int k = 0; k < D; ++k)
      for (int x = 0; x < D; ++x) e[D * (k + 1) + x] = axes[k][x];
    if constexpr (D == 3) {  // turn the section of the second node by 0.3 about its tangent
      const double t = 0.3 * node;
      for (int x = 0; x < 3; ++x) {
        e[6 + x] = std::cos(t) * axes[1][x] + std::sin(t) * axes[2][x];
        e[9 + x] = -std::sin(t) * axes[1][x] + std::cos(t) * axes[2][x];
      }
    }
  }
  return out;
}

}  // namespace tumble::beam::testing
