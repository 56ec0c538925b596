// Parts of space that the user wrote, as domains of centres of mass and as extents of bodies.
#pragma once
#include <memory>

#include "tumble/model/compile/frames.hpp"
#include "tumble/model/study/region.hpp"
#include "tumble/random/domain/domain.hpp"
#include "tumble/random/inertia/moment_bound.hpp"

namespace tumble {

/// @throws std::invalid_argument for a region without a volume, or a mesh that is not closed.
std::shared_ptr<const Domain> make_domain(const Region& region);

/// The smallest box along the axes of `body` that holds the region, in coordinates of `body`, which
/// is given relative to the ground. @throws as make_domain().
BodyExtent extent_of(const Region& region, const Frame& body);

}  // namespace tumble
