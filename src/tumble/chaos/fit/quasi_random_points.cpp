#include "tumble/chaos/fit/quasi_random_points.hpp"

#include <vector>

#include "tumble/random/design/design.hpp"
#include "tumble/random/stream/variable_id.hpp"

namespace tumble {

DenseMatrix quasi_random_points(const InputSpace& space, std::size_t count, std::uint64_t seed) {
  std::vector<DesignCoordinate> coordinates;
  for (const std::string& name : space.names()) coordinates.push_back({variable_id(name)});
  const auto design = make_design(
      {.kind = DesignKind::sobol, .seed = seed, .realizations = count, .randomizations = 1},
      std::move(coordinates));
  DenseMatrix points(count, space.size());
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < space.size(); ++k) points(i, k) = design->u(i, k);
    space.germs_from_uniforms(points.row(i), points.row(i));
  }
  return points;
}

}  // namespace tumble
