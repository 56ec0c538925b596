// From a model file to its linearised equations: which state, which inputs, which outputs.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "tumble/integrate/statics/linear_equations.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/model/study/quantity_of_interest.hpp"

namespace tumble {

struct LinearRequest {
  ReferenceState about = ReferenceState::equilibrium;
  int load_steps = 1;
  std::vector<std::string> inputs;  ///< as linear_input() knows them; empty: default_inputs()
  /// Probes, their quantities or components of these; empty: all that is probed.
  std::vector<std::string> outputs;
};

struct LinearModel {
  std::unique_ptr<const LinearEquations> equations;
  std::vector<LinearInput> inputs;
  std::vector<LinearOutput> outputs;
  std::vector<std::string> notes;  ///< on the state
};

/// `plan` outlives it. @throws InputError, SimulationError
LinearModel linear_model(const ModelFile& file, const Plan& plan, const LinearRequest& request);

}  // namespace tumble
