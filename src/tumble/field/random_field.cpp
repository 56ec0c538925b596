#include "tumble/field/random_field.hpp"

#include <utility>

namespace tumble {

RandomField::RandomField(const RandomFieldParameters& parameters) : marginal_(parameters.marginal) {
  const auto& curves = parameters.curves;
  const std::size_t count =
      parameters.nodes ? *parameters.nodes : usual_node_count(curves, parameters.kernel.length());
  FieldNodes nodes = parameters.method == ExpansionMethod::eole
                         ? uniform_nodes(curves, count)
                         : gauss_legendre_nodes(curves, count);
  // Means and deviations that a field cannot have are refused now, not when a solver asks.
  for (const Vec3d& probe : nodes.probes) moments_at(marginal_, probe);
  expansion_ = std::make_shared<FieldExpansion>(
      std::move(nodes),
      gaussian_correlation(parameters.kernel, marginal_, parameters.correlation_of),
      parameters.truncation);
}

}  // namespace tumble
