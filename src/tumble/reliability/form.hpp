// Approximations of the probability from the nearest design point alone, without an error.
//
// First order (FORM): g is a plane, p = Phi(-beta). Second order (SORM): a paraboloid with the
// principal curvatures kappa_i of g = 0 there, positive if it bends towards the origin's side,
//   p = Phi(-beta) prod_i (1 + psi kappa_i)^(-1/2)
// with psi = beta (K. Breitung, Journal of Engineering Mechanics 110, 1984) or psi = phi(beta) /
// Phi(-beta) (M. Hohenbichler, R. Rackwitz, Journal of Engineering Mechanics 114, 1988).
#pragma once
#include "tumble/reliability/design_point.hpp"

namespace tumble {

struct FormOptions {
  std::uint64_t seed = 1;
  std::uint64_t runs = 10000;  ///< at most
  std::size_t starts = 0;
  bool second_order = false;
};

/// Runs of the second order beside the search.
std::uint64_t curvature_runs(std::size_t dimension);

ProbabilityEstimate form(std::size_t dimension, const LimitState& g, const FormOptions& options);

}  // namespace tumble
