#include "tumble/beam/structural.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tumble/beam/material.hpp"

namespace tumble::beam {

SectionStiffness section_stiffness(const Section& section, double youngs_modulus, double nu) {
  const double G = lame(youngs_modulus, nu).shear, A = section.area();
  return {youngs_modulus * A,
          section.shear_coefficient_y(nu) * G * A,
          section.shear_coefficient_z(nu) * G * A,
          G * section.torsion_constant(),
          youngs_modulus * section.I_y(),
          youngs_modulus * section.I_z(),
          youngs_modulus * A,
          G * A};
}

template <int D>
StructuralInvariants<D>::StructuralInvariants(const Reference<D>& reference)
    : length_(reference.length) {
  if (!(length_ > 0) || !std::isfinite(length_))
    throw std::invalid_argument(
        fmt::format("length of a beam element = {} m, must be positive and finite", length_));
  using Strains = SectionStrains<D>;
  double u[gradient_vectors<D>][D];
  const double* nodes = reference.nodes.data();
  load_gradient_vectors<D>(nodes, nodes + node_coordinates<D>, 1 / length_, u);
  auto out = strain_.begin();
  for (std::size_t g = 0; g < stretch_.size(); ++g) {
    const double t = Constants::place[g];
    const ShapeGradients<D> axis = shape_gradients<D>(length_, {t});
    // Derivatives of the axis, and of the section vectors with their derivatives along it.
    double x[Strains::vectors][D] = {};
    double square = 0;
    for (int c = 0; c < D; ++c) {
      for (int i = 0; i < 3; ++i) x[0][c] += axis.b[0][i] * u[i][c];
      square += x[0][c] * x[0][c];
      for (int k = 0; k < D - 1; ++k) {
        x[1 + 2 * k][c] = (1 - t) * u[3 + 2 * k][c] + t * u[4 + 2 * k][c];
        x[2 + 2 * k][c] = (u[4 + 2 * k][c] - u[3 + 2 * k][c]) / length_;
      }
    }
    stretch_[g] = std::sqrt(square);
    double strain[Strains::count];
    Strains::strains(x, strain);
    out = std::copy(std::begin(strain), std::end(strain), out);
    bool sound = square > 0;
    for (const double s : strain) sound = sound && std::isfinite(s);
    if (!sound || !(strain[0] > 0))
      throw std::invalid_argument(fmt::format(
          "the undeformed element has no section at x/L = {}: the axis must leave it on the side "
          "of r_y x r_z, and no slope may vanish",
          t));
  }
  for (int node = 0; node < 2; ++node)
    for (int a = 3 + node; a < gradient_vectors<D>; a += 2)
      for (int b = a; b < gradient_vectors<D>; b += 2) {
        double product = 0;
        for (int c = 0; c < D; ++c) product += u[a][c] * u[b][c];
        *out++ = a == b ? 0.5 * product : product;
      }
}

template <int D>
std::span<const double> StructuralInvariants<D>::places() {
  static constexpr double at[5] = {0, Constants::place[0], Constants::place[1], Constants::place[2],
                                   1};
  return at;
}

template <int D>
void StructuralInvariants<D>::write_geometry(double damping_time, double* constants) const {
  if (!(damping_time >= 0) || !std::isfinite(damping_time))
    throw std::invalid_argument(
        fmt::format("retardation time of a beam = {} s, must be >= 0 so that it takes energy out",
                    damping_time));
  constants[Constants::inverse_length] = 1 / length_;
  constants[Constants::damping_time] = damping_time;
  std::copy(strain_.begin(), strain_.end(), constants + Constants::reference);
}

template <int D>
void StructuralInvariants<D>::write_stiffness(std::span<const SectionStiffness> sections,
                                              double* constants, bool linear_curvature) const {
  if (sections.size() != places().size())
    throw std::invalid_argument(
        fmt::format("sections at {} places, must be given at the {} of places()", sections.size(),
                    places().size()));
  double* out = constants + Constants::stiffness;
  double flexibility[D] = {};          // Σ a_g²/k_g: of the quadratic part of each Γ
  double bending_flexibility[D] = {};  // L/(12 EI), averaged
  double patterns[D][Constants::gauss];
  double pattern_square[D] = {}, bending_stiffness[D] = {};  // Σ D_g B_g², H
  for (std::size_t g = 0; g < stretch_.size(); ++g) {
    // Strains are by parameter: by length they are smaller by the stretch, on a length greater by
    // it.
    const double factor = Constants::weight[g] * length_ / stretch_[g];
    const SectionStiffness& s = sections[g + 1];
    std::array<double, Constants::strains> value;
    std::array<double, D> bending;  // that goes with Γ: either plane with stretch
    if constexpr (D == 2) {
      value = {s.axial, s.shear_y, s.bending_z};
      bending = {s.bending_z, s.bending_z};
    } else {
      value = {s.axial, s.shear_y, s.shear_z, s.torsion, s.bending_y, s.bending_z};
      bending = {std::min(s.bending_y, s.bending_z), s.bending_z, s.bending_y};
    }
    const double a = Constants::quadratic[g];
    for (std::size_t k = 0; k < bending.size(); ++k) {
      flexibility[k] += a * a / (factor * value[k]);
      bending_flexibility[k] += Constants::weight[g] * length_ / (12 * bending[k]);
      patterns[k][g] = a;
      if (!linear_curvature || k == 0) continue;
      const double from_middle = 2 * Constants::place[g] - 1;
      const double turned = 1.5 * (1 - from_middle * from_middle),
                   curved = 6 * from_middle / length_;
      patterns[k][g] = factor * value[k] * turned;
      pattern_square[k] += factor * value[k] * turned * turned;
      bending_stiffness[k] += factor * bending[k] * curved * curved;
    }
    for (const double v : value) *out++ = factor * v;
  }
  for (int node = 0; node < 2; ++node) {
    const SectionStiffness& s = sections[node == 0 ? 0 : 4];
    // In the order of pairs: d·d, d·e, e·e.
    *out++ = 0.5 * length_ * s.stretch;
    if constexpr (D == 3) {
      *out++ = 0.5 * length_ * s.distortion;
      *out++ = 0.5 * length_ * s.stretch;
    }
  }
  for (int k = 0; k < D; ++k) {
    const bool enhanced = linear_curvature && k > 0;
    constants[Constants::softening + k] =
        enhanced ? 1 / (bending_stiffness[k] + pattern_square[k])
                 : 1 / flexibility[k] - 1 / (flexibility[k] + bending_flexibility[k]);
    for (int g = 0; g < Constants::gauss; ++g)
      constants[Constants::pattern + Constants::gauss * k + g] = patterns[k][g];
  }
}

template class StructuralInvariants<2>;
template class StructuralInvariants<3>;

}  // namespace tumble::beam
