#include "tumble/beam/inertia.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace tumble::beam {

template <int D, Curvature curvature>
MassInvariants<D, curvature>::MassInvariants(const Reference<D>& reference,
                                             const SectionAlong& section, const Quadrature& rule) {
  constexpr const auto& layout = mass_layout<D, curvature>;
  for (const auto& slice : reference_slices(reference, curvature, section, rule)) {
    std::vector<double> sum(static_cast<std::size_t>(size), 0.0);
    for (const auto& point : slice.points)
      for (int i = 0; i < element_vectors<D>; ++i)
        for (int j = 0; j <= i; ++j)
          if (layout.slot[i][j] >= 0)
            sum[static_cast<std::size_t>(layout.slot[i][j])] +=
                point.weight * point.value.s[i] * point.value.s[j];
    places_.push_back(slice.xi);
    slices_.push_back(std::move(sum));
  }
}

template <int D, Curvature curvature>
void MassInvariants<D, curvature>::write(std::span<const double> density, double* mass) const {
  if (density.size() != places_.size())
    throw std::invalid_argument(
        fmt::format("density at {} places, must be given at the {} Gauss points of the element",
                    density.size(), places_.size()));
  for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < density.size(); ++k) sum += density[k] * slices_[k][i];
    mass[i] = sum;
  }
}

template class MassInvariants<2, Curvature::straight>;
template class MassInvariants<2, Curvature::curved>;
template class MassInvariants<3, Curvature::straight>;
template class MassInvariants<3, Curvature::curved>;

}  // namespace tumble::beam
