// The equations about a state of rest or of steady motion with inputs and outputs: as a state space
// in minimal coordinates, or solved for one frequency after the other.
//
//   M ÿ + C ẏ + K y + Gᵀ δλ + F0 u + F1 u̇ + F2 ü = 0,   G y + P u = 0,
//   z = H0 y + H1 ẏ + H2 ÿ + Hλ δλ + U0 u + U1 u̇ + U2 ü.
// Theory: docs/theory/linearisation.md.
#pragma once
#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "tumble/integrate/statics/equilibrium.hpp"

namespace tumble {

/// What is changed from outside: a drive, or a number of the model.
struct LinearInput {
  std::string name;
  std::string unit;    ///< empty if the model does not say
  int drive = -1;      ///< which drive of the model, or
  int slot = -1;       ///< which of its numbers
  bool moves = false;  ///< the drive imposes a motion, and so acts by its derivatives as well
};

/// A number that is probed.
struct LinearOutput {
  std::string name, unit;
  std::size_t place;  ///< among the numbers probed at an instant
};

/// The input of a name: that of a drive, or the path of a number of the forces or of gravity.
/// @throws InputError
LinearInput linear_input(const Plan& plan, const std::string& name);
/// All drives of type input or, if there are none, all that no other drive is made of.
std::vector<LinearInput> default_inputs(const Plan& plan);

/// The described start, or the described motion if it is steady, with the reactions that hold it.
/// What no reaction balances is taken to be held by constant forces, which a note says.
Equilibrium held_start(const Plan& plan, const Model& model);

/// ẋ = A x + B u, z = C x + D u. Matrices by rows.
struct StateSpace {
  struct Named {
    std::string name, unit;
  };
  std::vector<Named> states, inputs, outputs;
  std::vector<double> A, B, C, D;
};

class LinearEquations {
 public:
  /// All but `about` are kept by reference. @throws SimulationError, InputError
  LinearEquations(const Plan& plan, const Model& model, const Equilibrium& about,
                  std::vector<LinearInput> inputs, std::vector<LinearOutput> outputs);
  ~LinearEquations();

  /// States are displacements and rates of independent coordinates, then value and rate of each
  /// drive that imposes a motion: of such a drive the input is the second derivative.
  StateSpace state_space() const;
  /// What outputs do where inputs are the real part of exp(s t): [output][input].
  /// @throws SimulationError where s is an eigenvalue
  std::vector<std::complex<double>> response(std::complex<double> s) const;

 private:
  struct Matrices;
  std::unique_ptr<const Matrices> m_;
  std::vector<LinearInput> inputs_;
  std::vector<LinearOutput> outputs_;
};

}  // namespace tumble
