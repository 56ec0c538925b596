#include "tumble/random/domain/domain.hpp"

#include <stdexcept>

namespace tumble {

Vec3d TiltedSampler::from_cube(const Vec3d&) const {
  throw std::logic_error("the points of this domain are no map of three uniform numbers");
}

CubeMap Domain::cube_map(const Vec3d& lambda) const {
  const std::shared_ptr<const TiltedSampler> points = sampler(lambda);
  return [points](const Vec3d& u) { return points->from_cube(u); };
}

}  // namespace tumble
