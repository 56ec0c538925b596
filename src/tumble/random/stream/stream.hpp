// Random numbers of one variable in one realisation of a study.
//
// A stream is a function, not a state: its n-th number follows from (seed, realisation, variable,
// n). Whoever asks, in whichever order, gets the same.
#pragma once
#include <cstdint>

namespace tumble {

class Stream {
 public:
  /// `variable` is the variable_id() of its name.
  Stream(std::uint64_t seed, std::uint64_t realization, std::uint64_t variable)
      : seed_(seed), realization_(realization), variable_(variable) {}

  /// The n-th word, counted from 0.
  std::uint64_t word(std::uint64_t n) const;
  /// The n-th number of the uniform distribution on the open interval (0, 1), made of the n-th
  /// word: see uniform_from().
  double uniform(std::uint64_t n) const;

 private:
  std::uint64_t seed_, realization_, variable_;
};

/// (2 k + 1) 2^-53 with k the upper 52 bits of `word`: 53 significant bits, all of them exact, from
/// 2^-53 to 1 - 2^-53, symmetric about 1/2. Neither 0 nor 1, where inverse distribution functions
/// are infinite.
constexpr double uniform_from(std::uint64_t word) {
  return static_cast<double>((word >> 11) | 1) * 0x1p-53;
}

}  // namespace tumble
