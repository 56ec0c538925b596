// Steps of a single realisation that are tried again in halves where they fail.
#pragma once
#include "tumble/integrate/step/integrator.hpp"

namespace tumble {

class StepRetry {
 public:
  explicit StepRetry(const System& system) : system_(&system) {}

  /// The integrator begins anew with steps of size h, at its start or after a break point.
  void restart(Integrator& integrator, double h);

  /// From one instant to another in one step of size h, or in two halves of it if that fails.
  /// @throws SimulationError if even the shortest parts fail.
  void advance(Integrator& integrator, double before, double after, double h) {
    advance(integrator, before, after, h, 0);
  }

  /// Steps that were retried.
  long halvings() const { return halvings_; }

 private:
  void advance(Integrator& integrator, double before, double after, double h, int depth);
  bool stepped(Integrator& integrator, double after, double h, int depth);
  void change_step(Integrator& integrator, double h);

  const System* system_;
  double h_ = 0;  ///< that the integrator is ready for; 0: none
  long halvings_ = 0;
};

}  // namespace tumble
