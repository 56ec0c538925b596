#include "tumble/random/law/random_mass.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "tumble/random/law/parameter_checks.hpp"

namespace tumble {

// With density proportional to m^(s - 1) exp(-s m / mean), s = 1 / cv^2, the moment E{M^-k} is
// finite if and only if s > k.
ScalarLaw random_mass(double mean, double cv) {
  check_positive("random mass", "mean", mean);
  check_positive("random mass", "cv", cv);
  if (!(2 * cv * cv < 1))
    throw std::invalid_argument(
        fmt::format("random mass: cv = {} must be below 1/sqrt(2) = 0.7071: beyond it E{{M^-2}}, "
                    "and with it the "
                    "variance of accelerations, is infinite",
                    cv));
  ScalarLaw law(GammaLaw{.mean = mean, .cv = cv});
  if (cv >= 0.5)
    law.add_sample_warning(
        fmt::format("random mass: with cv = {}, at or above 0.5, E{{M^-4}} is infinite: the sample "
                    "standard deviation of what goes like 1/M, accelerations for example, has no "
                    "finite variance and its standard error is unreliable; use quantiles",
                    cv));
  return law;
}

}  // namespace tumble
