// How many steps a touch takes. A bounce within a few steps has whatever restitution the steps give
// it: energy may be lost there as it is by damping, which the account of energy cannot tell apart.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tumble/dynamics/forces.hpp"

namespace tumble {

class ContactWatch {
 public:
  static constexpr int allowed_steps = 10;  ///< of a touch that begins and ends in the run

  explicit ContactWatch(const System& system);
  bool needed() const { return !touches_.empty(); }
  /// At the workspace's kinematics, after each step of size h.
  void look(const System& system, const double* constants, const Workspace<double>& w, double h);
  /// If a touch was too short: of what, when, and the step that would do.
  std::optional<std::string> warning() const;

 private:
  /// Of a contact, a tyre or a cable.
  struct Touch {
    std::string name;
    bool apart =
        false;         ///< it was, before: how long a touch lasts that a run begins with is unknown
    int steps = 0;     ///< since it began
    double since = 0;  ///< [s]
  };
  void add(Touch& touch, bool touching, double time, double h);

  std::vector<Touch> touches_;
  int short_ones_ = 0;
  Touch shortest_;
  double length_ = 0;  ///< of the shortest [s]
};

}  // namespace tumble
