// How the realisations of a study depend on each other, which decides what their errors are.
#pragma once
#include <cstdint>
#include <optional>

namespace tumble {

struct Sampling {
  /// R: the design (Latin hypercube, Sobol') is made of R independent copies, realisation i being
  /// part of copy i mod R. 0 or 1: realisations are independent, or come from Markov chains.
  std::uint64_t randomizations = 0;
  /// Of Markov chains: effective sample size over number of realisations, the smallest of all
  /// chains. Takes the place of n by this fraction of n in errors.
  std::optional<double> effective_fraction;

  bool in_copies() const { return randomizations > 1; }
  /// How many independent values `count` values are worth.
  double worth(std::uint64_t count) const {
    return effective_fraction.value_or(1.0) * static_cast<double>(count);
  }
};

}  // namespace tumble
