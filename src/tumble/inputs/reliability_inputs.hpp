// Random inputs as functions of independent standard normal numbers, the germs of a study of
// reliability.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tumble/inputs/random_inputs.hpp"

namespace tumble {

/// Immutable; may be used by many threads.
class ReliabilityInputs {
 public:
  /// @throws InputError for laws that do not exist, std::invalid_argument for inputs that are no
  /// function of germs.
  ReliabilityInputs(const Model& nominal, const Uncertainty& uncertainty, std::uint64_t seed);

  const RandomInputs& random() const { return random_; }
  /// Those of random inputs, then those of random drives.
  std::size_t germs() const { return names_.size(); }
  const std::vector<std::string>& germ_names() const { return names_; }
  /// Writes one value per slot of random(): each coordinate of its cube is the normal distribution
  /// function of a germ. Germs of random drives may follow.
  void fill(std::span<const double> germs, double* values) const;

 private:
  RandomInputs random_;
  std::vector<std::string> names_;
};

}  // namespace tumble
