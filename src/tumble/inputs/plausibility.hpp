// Laws that are possible but hardly meant: numbers no machine can have, and slips of units.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tumble/model/model.hpp"
#include "tumble/random/centre/centre_law.hpp"
#include "tumble/random/inertia/inertia_law.hpp"
#include "tumble/random/law/scalar_law.hpp"

namespace tumble {

/// What users should know about one random number whose value the parameters `paths` take:
/// - how probable values are with which the model does not pass check(), all other numbers being
///   nominal: realisations that draw such a value fail;
/// - that it is a hundred times larger or smaller than the nominal value, if that is not zero.
std::vector<std::string> doubts_about(const ScalarLaw& law, const std::vector<std::string>& paths,
                                      const Model& nominal);

/// That a domain of the centre of mass is far larger than the body, as one in millimetres is.
std::vector<std::string> doubts_about(const CentreLaw& law, const Body& body);

/// That the bound of the second moments is, likewise.
std::vector<std::string> doubts_about(const InertiaLaw& law);

}  // namespace tumble
