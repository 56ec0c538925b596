#include "tumble/random/domain.hpp"

#include <stdexcept>

namespace tumble {

Vec3d TiltedSampler::from_cube(const Vec3d&) const {
  throw std::logic_error("the points of this domain are no map of three uniform numbers");
}

}  // namespace tumble
