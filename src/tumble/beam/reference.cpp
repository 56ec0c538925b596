#include "tumble/beam/reference.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <stdexcept>

#include "tumble/beam/gauss_points.hpp"

namespace tumble::beam {

template <int D>
Reference<D> Reference<D>::straight(double length) {
  Reference out{length, {}};
  for (int node = 0; node < 2; ++node) {
    double* e = out.nodes.data() + node * node_coordinates<D>;
    e[0] = node * length;
    for (int k = 0; k < D; ++k) e[D * (k + 1) + k] = 1;
  }
  return out;
}

namespace {

template <int D>
using Jacobian = Eigen::Matrix<double, D, D>;

template <int D>
Jacobian<D> jacobian(const Reference<D>& reference, const ShapeGradients<D>& g) {
  double u[gradient_vectors<D>][D];
  const double* nodes = reference.nodes.data();
  load_gradient_vectors<D>(nodes, nodes + node_coordinates<D>, 1 / reference.length, u);
  Jacobian<D> J = Jacobian<D>::Zero();
  for (int a = 0; a < D; ++a)
    for (int k = 0; k < gradient_vectors<D>; ++k)
      for (int c = 0; c < D; ++c) J(c, a) += g.b[a][k] * u[k][c];
  return J;
}

/// Turns derivatives by the parameters into derivatives by lengths; returns det J₀. The first row
/// of R⁻¹ is left in `first_row`.
template <int D>
double normalize(const Reference<D>& reference, const ElementPoint& at, ShapeGradients<D>& g,
                 std::array<double, D>& first_row) {
  const Jacobian<D> J = jacobian(reference, g);
  const double volume = J.determinant();
  if (!(volume > 0))
    throw std::invalid_argument(fmt::format(
        "the undeformed element is folded: its volume ratio is {} at x/L = {}, y = {} m, z = {} m "
        "and must be positive; the section may be too thick for the curvature",
        volume, at.xi, at.y, at.z));
  const Jacobian<D> metric = J.transpose() * J;  // = Rᵀ R
  const Jacobian<D> R = metric.llt().matrixU();
  const Jacobian<D> inverse =
      R.template triangularView<Eigen::Upper>().solve(Jacobian<D>::Identity());
  const ShapeGradients<D> raw = g;
  for (int a = 0; a < D; ++a) first_row[static_cast<std::size_t>(a)] = inverse(0, a);
  for (int a = 0; a < D; ++a)
    for (int k = 0; k < gradient_vectors<D>; ++k) {
      g.b[a][k] = 0;
      for (int c = 0; c < D; ++c) g.b[a][k] += inverse(c, a) * raw.b[c][k];
    }
  return volume;
}

}  // namespace

template <int D>
std::vector<ReferenceSlice<D>> reference_slices(const Reference<D>& reference, Curvature curvature,
                                                const SectionAlong& section,
                                                const Quadrature& rule) {
  const double length = reference.length;
  if (!(length > 0) || !std::isfinite(length))
    throw std::invalid_argument(
        fmt::format("length of a beam element = {} m, must be positive and finite", length));
  std::vector<ReferenceSlice<D>> slices;
  for (const auto& axial : gauss_points(rule.axial)) {
    ReferenceSlice<D> slice{axial.place, {}};
    for (const auto& p : section(axial.place).points(rule.section)) {
      const ElementPoint at{axial.place, p.y, p.z};
      ReferencePoint<D> point{length * axial.weight * p.weight, shape_values<D>(length, at),
                              shape_gradients<D>(length, at)};
      std::array<double, D> unused;
      if (curvature == Curvature::curved)
        point.weight *= normalize<D>(reference, at, point.gradients, unused);
      slice.points.push_back(point);
    }
    slices.push_back(std::move(slice));
  }
  return slices;
}

template <int D>
ReferenceGradients<D> reference_gradients(const Reference<D>& reference, Curvature curvature,
                                          const ElementPoint& at) {
  ReferenceGradients<D> out{shape_gradients<D>(reference.length, at), {1}};
  if (curvature == Curvature::straight) return out;
  const double volume = normalize<D>(reference, at, out.gradients, out.area);
  for (double& a : out.area) a *= volume;
  return out;
}

template struct Reference<2>;
template struct Reference<3>;
template std::vector<ReferenceSlice<2>> reference_slices(const Reference<2>&, Curvature,
                                                         const SectionAlong&, const Quadrature&);
template std::vector<ReferenceSlice<3>> reference_slices(const Reference<3>&, Curvature,
                                                         const SectionAlong&, const Quadrature&);

template ReferenceGradients<2> reference_gradients(const Reference<2>&, Curvature,
                                                   const ElementPoint&);
template ReferenceGradients<3> reference_gradients(const Reference<3>&, Curvature,
                                                   const ElementPoint&);

}  // namespace tumble::beam
