// One run of one realisation that goes on as far as it is told, with inputs that are set on the
// way: what a co-simulation needs.
//
// Inputs are held until they are set again. Where one changes, forces jump, and so do accelerations
// behind a filter: the integrator restarts there as it does at a break point of a drive, and keeps
// its order. Where none changes, steps go on as if nobody had looked, so that a run whose stops are
// the output times of the model has the bits of run().
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tumble/integrate/plan.hpp"

namespace tumble {

class SteppedRun {
 public:
  /// `model` differs from the plan's nominal model in its slots only; it is copied. Its inputs
  /// begin with their start values. @throws std::logic_error if it has no simulation.step.
  SteppedRun(const Plan& plan, const Model& model);
  ~SteppedRun();
  SteppedRun(const SteppedRun&) = delete;
  SteppedRun& operator=(const SteppedRun&) = delete;

  /// Assembles the machine at t = 0. @throws SimulationError, InputError as run() does.
  void start();

  double time() const;
  /// Drives that are inputs, by their number in the model.
  const std::vector<int>& inputs() const;
  /// What an input will be held at from the current time on.
  void set_input(int drive, double value);
  double input(int drive) const;

  /// Goes on to a later time, with whole steps of at most simulation.step. At a break point of a
  /// drive it stops just before. @throws SimulationError if the run cannot go on; it is over then.
  void advance(double to);

  /// Numbers of all probes, in the order of the model, at the current time.
  std::size_t size() const;
  void measure(std::span<double> out);

  /// After the last step: looks at the account of energy once more. @throws SimulationError if it
  /// does not add up.
  void close();
  /// Sentences that are new since this was asked last.
  std::vector<std::string> take_warnings();

  /// Where the run is. Only for the run that it is of.
  struct State;
  std::shared_ptr<const State> save() const;
  void restore(const State& state);

 private:
  struct Fixed;  ///< what does not change on the way
  const std::unique_ptr<Fixed> fixed_;
  std::unique_ptr<State> state_;

  void begin(double h);
  void look(bool due);
};

}  // namespace tumble
