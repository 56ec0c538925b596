// The variables of a model as an FMU shows them: time, inputs, probed quantities and parameters.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tumble/model/model.hpp"

namespace tumble {

struct FmuVariable {
  enum class Causality { independent, input, output, parameter };
  std::string name;  ///< structured: tip.position.x, bodies.rb5.mass, bodies.'left-arm'.mass
  std::string unit;  ///< as unit_exponents() reads it; empty if there is none
  std::string description;
  Causality causality = Causality::independent;
  int slot = -1;    ///< of a parameter, and of the start value of an input
  int drive = -1;   ///< of an input
  int number = -1;  ///< of an output: among those of all probes
  double start = 0;
};

/// The value reference of a variable is its place in the list: time, then inputs, outputs and
/// parameters, each in the order of the model. @throws InputError if an input is called `time`.
std::vector<FmuVariable> fmu_variables(const Model& model);

/// A path of this program as a name of FMI's structured naming: parts that are no identifiers of C
/// are quoted, and several indices are in one bracket.
std::string structured_name(const std::string& path);

}  // namespace tumble
