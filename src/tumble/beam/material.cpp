#include "tumble/beam/material.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace tumble::beam {

Lame lame(double youngs_modulus, double nu) {
  if (!(youngs_modulus > 0) || !std::isfinite(youngs_modulus))
    throw std::invalid_argument(
        fmt::format("Young's modulus = {} Pa, must be positive and finite", youngs_modulus));
  if (!(nu > -1 && nu < 0.5))
    throw std::invalid_argument(fmt::format(
        "Poisson's ratio = {}, must be above -1 and below 0.5, where the material is stable", nu));
  return {youngs_modulus * nu / ((1 + nu) * (1 - 2 * nu)), youngs_modulus / (2 * (1 + nu))};
}

}  // namespace tumble::beam
