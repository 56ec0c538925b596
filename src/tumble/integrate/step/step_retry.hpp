// Steps of a single realisation that are tried again in halves where they fail.
#pragma once
#include <functional>

#include "tumble/integrate/step/integrator.hpp"

namespace tumble {

class StepRetry {
 public:
  explicit StepRetry(const System& system) : system_(&system) {}

  /// The integrator begins anew with steps of size h, at its start or after a break point.
  void restart(Integrator& integrator, double h);

  /// From one instant to another in one step of size h, or in two halves of it if that fails.
  /// @throws SimulationError if even the shortest parts fail.
  /// False if whoever is told of steps wants no more of them.
  bool advance(Integrator& integrator, double before, double after, double h) {
    return advance(integrator, before, after, h, 0);
  }
  /// Tells someone when a step, or a part of one, has been taken from one instant to another. Who
  /// goes back from there must leave the integrator at the end of it, unless it answers false.
  void tell(std::function<bool(double before, double after)> stepped) {
    tell_ = std::move(stepped);
  }

  /// Steps that were retried.
  long halvings() const { return halvings_; }

 private:
  bool advance(Integrator& integrator, double before, double after, double h, int depth);
  bool stepped(Integrator& integrator, double after, double h, int depth);
  void change_step(Integrator& integrator, double h);

  const System* system_;
  double h_ = 0;  ///< that the integrator is ready for; 0: none
  long halvings_ = 0;
  std::function<bool(double, double)> tell_;
};

}  // namespace tumble
