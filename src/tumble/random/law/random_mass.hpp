// The random mass of a rigid body.
#pragma once
#include "tumble/random/law/scalar_law.hpp"

namespace tumble {

/// The law of largest entropy for a positive mass with a given mean and finite E{log M}: gamma with
/// shape 1 / cv^2 (A. Batou, C. Soize, Multibody System Dynamics 27 (2012), section 3.1.1). `cv` is
/// the dispersion parameter delta of the paper.
///
/// Throws std::invalid_argument unless mean > 0 and 0 < cv < 1 / sqrt(2); the report of a law with
/// cv >= 1/2 carries a warning.
ScalarLaw random_mass(double mean, double cv);

}  // namespace tumble
