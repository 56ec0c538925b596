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

 private:
  double angle_ = 0, speed_ = 0, step_ = 0, time_ = 0;
  std::size_t body_ = 0;
};

}  // namespace tumble
