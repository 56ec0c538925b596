// How the realisations of a study depend on each other, which decides what their errors are.
#pragma once
#include <cstdint>
#include <optional>

namespace tumble {

/// Copies of a design with fewer points are hardly more even than independent ones, and what they
/// say of errors is rough.
inline constexpr std::uint64_t smallest_copy = 8;

struct Sampling {
  /// R: the design (Latin hypercube, Sobol') is made of R independent copies, realisation i being
  /// part of copy i mod R. 1: of one alone, which says nothing about its errors. 0: realisations
  /// are independent, or come from Markov chains.
  std::uint64_t randomizations = 0;
  /// Of Markov chains: effective sample size over number of realisations, the smallest of all
  /// chains. Takes the place of n by this fraction of n in errors.
  std::optional<double> effective_fraction;
  /// Of a study of sensitivity: runs in a block. They share random numbers, and each block counts
  /// as one independent value: effective_fraction is 1 / block. 0: there are no blocks.
  std::uint64_t block = 0;

  bool in_copies() const { return randomizations > 1; }
  /// Points that depend on each other and fill the space evenly.
  bool is_design() const { return randomizations > 0; }
  bool has_errors() const { return randomizations != 1; }
  /// How many independent values `count` values are worth.
  double worth(std::uint64_t count) const {
    return effective_fraction.value_or(1.0) * static_cast<double>(count);
  }
};

}  // namespace tumble
