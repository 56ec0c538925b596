// Frequency weighting of a function that is known at evenly spaced times: how people feel
// vibration.
#pragma once
#include <array>
#include <complex>
#include <vector>

#include "tumble/model/study/quantity_of_interest.hpp"

namespace tumble {

/// H(i 2 pi f) of a weighting of ISO 2631-1.
std::complex<double> weighting_response(Weighting weighting, double frequency);

/// The analogue filter of ISO 2631-1, solved exactly for the cubics through four neighbouring
/// samples: no frequency is warped, however near half of the sampling rate. The filter is at rest
/// before the first sample.
class WeightingFilter {
 public:
  /// `step`: between samples [s].
  WeightingFilter(Weighting weighting, double step);
  /// One value per sample.
  std::vector<double> apply(const std::vector<double>& x) const;

 private:
  static constexpr int most_states = 8;
  using State = std::array<double, most_states>;
  int states_ = 0;
  std::array<State, most_states> transition_{};
  std::array<State, 4> input_{};  ///< by the Taylor coefficients of the cubic
  State output_{};
  double through_ = 0;
};

}  // namespace tumble
