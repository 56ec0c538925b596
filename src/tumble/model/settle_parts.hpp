// For models made in code: gives a composite body the numbers of its parts.
#pragma once
#include "tumble/model/body.hpp"

namespace tumble {

/// Mass, position and inertia of `body` become those of its parts together. Files are read so
/// already, and realisations follow by themselves.
void settle_parts(Body& body);

}  // namespace tumble
