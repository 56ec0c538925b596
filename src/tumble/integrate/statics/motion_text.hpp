// A displacement of a machine in words.
#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "tumble/model/system.hpp"

namespace tumble {

/// "body 'rod' turns about (0, 1, 0), ..." for a displacement in the frame's axes: who moves most.
std::string describe_motion(const System& system, const std::vector<double>& constants,
                            const Eigen::VectorXd& y);

}  // namespace tumble
