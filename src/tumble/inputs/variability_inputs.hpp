// The runs of a study of variability response: waves of the flexibility with evenly spaced phases,
// then random fields that show how far the method holds.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tumble/model/field/flexibility_field.hpp"
#include "tumble/random/design/design.hpp"

namespace tumble {

/// The model has the field (attach_flexibility()). Immutable; may be used by many threads.
class VariabilityInputs {
 public:
  /// @throws std::invalid_argument for a request that does not fit.
  VariabilityInputs(const Model& nominal, const VariabilityRequest& request, std::uint64_t seed);

  const std::vector<std::string>& paths() const { return paths_; }
  const std::vector<int>& slots() const { return slots_; }
  /// Writes one value per slot. From any thread.
  void fill(std::uint64_t realization, double* values) const;

  /// Wave by wave all phases; then Gaussian fields; then lognormal ones, of the same random
  /// numbers.
  std::uint64_t realizations() const { return waves() + 2 * check_; }
  std::uint64_t waves() const { return wave_numbers_.size() * phases_; }
  std::uint64_t check() const { return check_; }
  /// Independent copies that the random fields are made of: realisation i of a law is of copy i mod
  /// this.
  std::uint64_t copies() const { return check_ == 0 ? 0 : design_->randomizations(); }
  const std::vector<double>& wave_numbers() const { return wave_numbers_; }
  std::uint64_t phases() const { return phases_; }
  double std() const { return std_; }
  const CorrelationKernel& kernel() const { return kernel_; }
  /// Relative, of the variance of the Gaussian and of the lognormal fields, at the worst place.
  const std::array<double, 2>& variance_errors() const { return variance_errors_; }
  /// What to tell the user before the study begins.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  std::vector<double> wave_numbers_;
  std::uint64_t phases_, check_;
  double std_;
  CorrelationKernel kernel_;
  std::array<double, 2> variance_errors_;
  std::vector<std::string> paths_;
  std::vector<int> slots_;
  std::unique_ptr<const Design> design_;
  std::vector<std::string> warnings_;
};

}  // namespace tumble
