// The rules of maximum-entropy laws that reading can check; the rest needs the solved law.
#pragma once
#include "tumble/io/model/read_context.hpp"
#include "tumble/model/study/body_uncertainty.hpp"

namespace tumble {

/// `node` holds the fields of the law, which were read without fault.
void check_mass_law(ReadContext& context, const Place& place, const Node& node,
                    const MassUncertainty& law);
/// `body` may be null if it could not be read.
void check_inertia_law(ReadContext& context, const Place& place, const Node& node,
                       const InertiaUncertainty& law, const Body* body);

}  // namespace tumble
