#include "tumble/beam/continuum.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>

namespace tumble::beam {

namespace {

/// Adds factor x xᵀ, group by group. What couples different groups cancels over the section.
template <int D, Curvature curvature, class Row>
void add_square(double factor, const Row& x, std::vector<double>& packed) {
  constexpr const auto& layout = gram_layout<D, curvature>;
  for (int g = 0; g < layout.groups; ++g)
    for (int p = layout.group_start[g]; p < layout.group_start[g + 1]; ++p)
      for (int q = layout.group_start[g]; q <= p; ++q)
        packed[static_cast<std::size_t>(layout.packed(p, q))] +=
            factor * x[static_cast<std::size_t>(p)] * x[static_cast<std::size_t>(q)];
}

}  // namespace

template <int D, Curvature curvature>
ContinuumInvariants<D, curvature>::ContinuumInvariants(const Reference<D>& reference,
                                                       const SectionAlong& section,
                                                       const Quadrature& rule)
    : inverse_length_(1 / reference.length) {
  constexpr const auto& layout = gram_layout<D, curvature>;
  double u[gradient_vectors<D>][D];
  const Reference<D> shape =
      curvature == Curvature::straight ? Reference<D>::straight(reference.length) : reference;
  load_gradient_vectors<D>(shape.nodes.data(), shape.nodes.data() + node_coordinates<D>,
                           inverse_length_, u);
  for (int p = 0; p < layout.pairs; ++p) {
    double product = 0;
    for (int c = 0; c < D; ++c) product += u[layout.first[p]][c] * u[layout.second[p]][c];
    gram_.push_back(product);
  }

  const std::size_t size = static_cast<std::size_t>(layout.packed_size);
  using Row = std::array<double, static_cast<std::size_t>(layout.pairs)>;
  for (const auto& slice : reference_slices(shape, curvature, section, rule)) {
    std::vector<double> volumetric(size, 0.0), shear(size, 0.0);
    for (const auto& point : slice.points) {
      const auto& b = point.gradients.b;
      Row trace{};
      for (int alpha = 0; alpha < D; ++alpha)
        for (int beta = 0; beta < D; ++beta) {
          // E_αβ = ½ Σ_kl b_αk b_βl Δg_kl, over pairs k <= l.
          Row strain{};
          for (int p = 0; p < layout.pairs; ++p) {
            const int k = layout.first[p], l = layout.second[p];
            const double factor = k == l ? b[alpha][k] * b[beta][k]
                                         : b[alpha][k] * b[beta][l] + b[alpha][l] * b[beta][k];
            strain[static_cast<std::size_t>(p)] = 0.5 * factor;
            if (alpha == beta) trace[static_cast<std::size_t>(p)] += 0.5 * factor;
          }
          add_square<D, curvature>(2 * point.weight, strain, shear);
        }
      add_square<D, curvature>(point.weight, trace, volumetric);
    }
    places_.push_back(slice.xi);
    volumetric_.push_back(std::move(volumetric));
    shear_.push_back(std::move(shear));
  }
}

template <int D, Curvature curvature>
void ContinuumInvariants<D, curvature>::write_geometry(double damping_time,
                                                       double* constants) const {
  if (!(damping_time >= 0) || !std::isfinite(damping_time))
    throw std::invalid_argument(
        fmt::format("retardation time of a beam = {} s, must be >= 0 so that it takes energy out",
                    damping_time));
  using Constants = ContinuumConstants<D, curvature>;
  constants[Constants::inverse_length] = inverse_length_;
  constants[Constants::damping_time] = damping_time;
  for (std::size_t p = 0; p < gram_.size(); ++p)
    constants[Constants::gram + static_cast<int>(p)] = gram_[p];
}

template <int D, Curvature curvature>
void ContinuumInvariants<D, curvature>::write_stiffness(std::span<const Lame> material,
                                                        double* stiffness) const {
  if (material.size() != places_.size())
    throw std::invalid_argument(
        fmt::format("material at {} places, must be given at the {} Gauss points of the element",
                    material.size(), places_.size()));
  const std::size_t size = volumetric_.front().size();
  for (std::size_t i = 0; i < size; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < material.size(); ++k)
      sum += material[k].lambda * volumetric_[k][i] + material[k].shear * shear_[k][i];
    stiffness[i] = sum;
  }
}

template class ContinuumInvariants<2, Curvature::straight>;
template class ContinuumInvariants<2, Curvature::curved>;
template class ContinuumInvariants<3, Curvature::straight>;
template class ContinuumInvariants<3, Curvature::curved>;

}  // namespace tumble::beam
