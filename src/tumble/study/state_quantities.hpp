// Quantities of interest that need no run: where a machine rests, and how it vibrates about that.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tumble/base/diagnostic.hpp"
#include "tumble/integrate/plan.hpp"
#include "tumble/model/study/quantity_of_interest.hpp"

namespace tumble {

/// A quantity asks for a mode that is not there.
class NoSuchMode : public SimulationError {
 public:
  NoSuchMode(const QuantityOfInterest& quantity, std::size_t modes);
  const std::string& quantity() const { return quantity_; }
  std::size_t modes() const { return modes_; }

 private:
  std::string quantity_;
  std::size_t modes_;
};

/// Those of one machine, for realisations of its numbers. Constant, for any number of threads.
class StateQuantities {
 public:
  /// `quantities` outlive this. Finds the shapes of the nominal machine, where they are compared
  /// with. `plan`: as it is assembled, not rehearsed, so that all give the same bits. @throws
  /// SimulationError, InputError
  StateQuantities(const Plan& plan, std::span<const QuantityOfInterest> quantities);
  ~StateQuantities();

  /// One value per quantity: NaN of those that need a run, and of expressions that are not finite.
  /// `notes`: takes what there is to say of the states, if it is not null.
  /// @throws SimulationError if a state does not exist, NoSuchMode
  std::vector<double> evaluate(const Model& model, std::vector<std::string>* notes = nullptr) const;

 private:
  struct State;
  const Plan plan_;
  std::span<const QuantityOfInterest> quantities_;
  std::vector<std::unique_ptr<State>> states_;
};

/// Null if no quantity is of a state.
std::unique_ptr<const StateQuantities> make_state_quantities(
    const Plan& plan, std::span<const QuantityOfInterest> quantities);

}  // namespace tumble
