#include "tumble/integrate/statics/steady_motion.hpp"

namespace tumble {

SteadyMotion state_of_rest(const System& system, const std::vector<double>& constants) {
  SteadyMotion motion;
  motion.drives.resize(static_cast<std::size_t>(system.drives.size()));
  system.drives.evaluate(constants.data() + system.drive_constants, 0.0,
                         0.5 * system.nominal.simulation.first_step(), motion.drives.data());
  for (auto& drive : motion.drives) drive.rate = drive.second = 0;
  motion.own_spin.resize(system.blocks.size());
  return motion;
}

bool is_rest(const SteadyMotion& motion) {
  for (const Vec3d& spin : motion.own_spin)
    if (norm(spin) > 0) return false;
  for (const auto& drive : motion.drives)
    if (drive.rate != 0) return false;
  return norm(motion.spin) == 0;
}

}  // namespace tumble
