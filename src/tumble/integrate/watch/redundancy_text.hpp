// What redundant conditions are called, and which locks to leave out.
#pragma once
#include <Eigen/Dense>
#include <string>

#include "tumble/dynamics/workspace.hpp"

namespace tumble {

/// The rows of `null_space` (one a condition), with the three of a point lock turned from ground
/// axes to the axes of its joint: rows then stand for the motions x, y, z, rx, ry, rz of joints.
Eigen::MatrixXd in_joint_axes(const System& system, const Workspace<double>& w,
                              const double* constants, const Eigen::MatrixXd& null_space);

/// "joint 'left' (z, rx), joint 'right' (z)": the conditions that take part with more than a share,
/// by default what rounding leaves of a unit vector.
std::string name_conditions(const System& system, const Eigen::MatrixXd& in_joint_axes,
                            double smallest_share = 1e-6);

/// A sentence without its end: a change of the model that leaves every condition independent, of a
/// single joint if that is possible.
std::string propose_remedy(const System& system, const Eigen::MatrixXd& in_joint_axes);

}  // namespace tumble
