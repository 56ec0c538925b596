#include "tumble/convert/robot.hpp"

#include <Eigen/Eigenvalues>

namespace tumble::convert {

Frame operator*(const Frame& a, const Frame& b) { return {a.p + a.R * b.p, a.R * b.R}; }

Mat3d as_matrix(const std::array<double, 6>& J) {
  return {{J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]}};
}

std::array<double, 6> as_six(const Mat3d& J) {
  return {J(0, 0),
          J(1, 1),
          J(2, 2),
          0.5 * (J(0, 1) + J(1, 0)),
          0.5 * (J(0, 2) + J(2, 0)),
          0.5 * (J(1, 2) + J(2, 1))};
}

std::array<double, 6> turned(const Mat3d& R, const std::array<double, 6>& J) {
  return as_six(R * as_matrix(J) * transpose(R));
}

// No principal moment above the sum of the other two: a little stricter than the check of models,
// so that what passes here passes there with the digits that were written.
std::string wrong_with_inertia(const std::array<double, 6>& J) {
  Eigen::Matrix3d matrix;
  matrix << J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2];
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix, Eigen::EigenvaluesOnly);
  const auto& e = solver.eigenvalues();
  if (!(e(0) > 2e-12 * e(2))) return "must have positive principal moments";
  if (e(2) - e(1) - e(0) > 1e-12 * e(2))
    return "is that of no solid: a principal moment is larger than the sum of the others";
  return {};
}

Import read_robot(std::string_view text, const std::string& file, const ImportOptions& options) {
  const XmlElement root = parse_xml(text, file);
  if (root.name == "robot") return read_urdf(text, file, options);
  if (root.name == "mujoco") return read_mjcf(text, file, options);
  std::string hint = "must be <robot> (URDF) or <mujoco> (MJCF)";
  if (root.name == "sdf") hint += "; SDF is not read";
  throw InputError(
      {Diagnostic{{file, root.line}, "the root element", "", root.name, "", hint, ""}});
}

}  // namespace tumble::convert
