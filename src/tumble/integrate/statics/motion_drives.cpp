#include "tumble/integrate/statics/motion_drives.hpp"

namespace tumble {

std::vector<bool> motion_drives(const System& system) {
  std::vector<bool> moves(static_cast<std::size_t>(system.drives.size()), false);
  const auto mark = [&](int drive) {
    if (drive >= 0) moves[static_cast<std::size_t>(drive)] = true;
  };
  for (const auto& axes : system.turned_axes)
    for (const int drive : axes.drive) mark(drive);
  for (const auto& lock : system.axis_locks) mark(lock.drive);
  for (const auto& lock : system.distance_locks) mark(lock.drive);
  for (const auto& prescribed : system.prescribed)
    for (const int drive : prescribed.displacement) mark(drive);
  for (const auto& constraint : system.user_constraints)
    for (const int drive : constraint.drive) mark(drive);
  return moves;
}

}  // namespace tumble
