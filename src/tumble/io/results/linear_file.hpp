// Linearised machines as files: netCDF-4 with
//   A(state, state_2), B(state, input), C(output, state), D(output, input)
// or JSON with the same names, and responses over frequencies as
//   amplitude(frequency, output, input), phase(frequency, output, input)
// or CSV. Names are coordinates; units stand beside them.
#pragma once
#include <string>

#include "tumble/integrate/statics/linear_equations.hpp"

namespace tumble {

/// Of inputs that are harmonic.
struct FrequencyResponse {
  std::vector<StateSpace::Named> inputs, outputs;
  std::vector<double> frequencies;           ///< [Hz]
  std::vector<std::complex<double>> values;  ///< [frequency][output][input]
  double amplitude(std::size_t i) const;
  double phase(std::size_t i) const;  ///< [rad], positive where the output is ahead
};

/// `model`: the effective YAML. `about`: in words.
struct LinearFileHead {
  std::string title, model, about;
};

std::string state_space_netcdf(const StateSpace& found, const LinearFileHead& head);
std::string state_space_json(const StateSpace& found);
/// One of "A", "B", "C", "D", in the array format of Matrix Market, names as comments.
std::string state_space_matrix_market(const StateSpace& found, char matrix);
std::string frequency_response_netcdf(const FrequencyResponse& found, const LinearFileHead& head);
std::string frequency_response_csv(const FrequencyResponse& found);

}  // namespace tumble
