// How far bodies turn in one step. The method is of second order in that angle: beyond a third of a
// radian forces on bodies that turn about more than one axis are no longer to be relied on.
#pragma once
#include <optional>
#include <string>

#include "tumble/dynamics/workspace.hpp"

namespace tumble {

class RotationWatch {
 public:
  static constexpr double allowed_angle = 0.35;  ///< a step [rad]

  /// At the workspace's kinematics, for steps of size h.
  void look(const System& system, const Workspace<double>& w, double h);
  /// If a body turned too far: which, by how much, and the step that would do.
  std::optional<std::string> warning(const System& system) const;
  /// Of a run that failed: if a beam turned so far that what steps do not resolve of it grows.
  std::optional<std::string> reason(const System& system) const;

  /// The largest angle in a step at which generalized-alpha of this spectral radius damps what is
  /// much stiffer than steps resolve (docs/theory/integration.md) [rad].
  static double damped_angle(double spectral_radius);

 private:
  double angle_ = 0, speed_ = 0, step_ = 0, time_ = 0;
  std::size_t body_ = 0;
  double beam_angle_ = 0, beam_speed_ = 0, beam_step_ = 0;
  std::size_t beam_ = 0;
};

}  // namespace tumble
