// The conditions of all joints at a place of the nominal model, as linear algebra sees them.
#pragma once
#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <optional>

#include "tumble/dynamics/equations.hpp"

namespace tumble {

class ConditionGeometry {
 public:
  explicit ConditionGeometry(const System& system);

  /// Goes to a place and a time.
  void move_to(const std::vector<double>& q, double time);
  /// The place nearest to the current one, in the metric of the masses, at which all conditions
  /// hold at the current time. Becomes the current place; empty if none is found.
  std::optional<std::vector<double>> assemble();
  /// From the current place, at which conditions hold, to another one that the mechanism can move
  /// to: as far along the `number`th of a sequence of directions as turns a body by `angle` or
  /// shifts it by the same share of the model's size. Empty if nothing can move.
  std::optional<std::vector<double>> wander(int number, double angle);

  /// Orthonormal columns n with Gᵀ n = 0, conditions that differ by less than 1e-6 being the same.
  Eigen::MatrixXd null_space() const;
  /// The diagonal of G M⁻¹ Gᵀ, with the diagonal of M.
  Eigen::VectorXd mobility() const;
  /// What frames on nodes count as where motions are compared in the metric of the masses, of which
  /// they have none: one a coordinate, zero for all others. As much as the heaviest coordinate.
  std::vector<double> stand_ins() const;
  /// Kinematics at the current place.
  Workspace<double>& workspace() { return w_; }
  const std::vector<double>& constants() const { return constants_; }

 private:
  /// The least motion, in the metric of the masses, for which G u = rhs, conditions being a little
  /// soft.
  Eigen::VectorXd least_motion(const Eigen::VectorXd& rhs, double softness) const;
  double size() const;

  const System& system_;
  const std::vector<double> constants_;
  std::vector<double> zero_, residual_, q_;
  Workspace<double> w_;
  double time_ = 0;
  Eigen::SparseMatrix<double> gradient_;  ///< G
  Eigen::VectorXd value_;                 ///< φ
  Eigen::VectorXd inverse_mass_;          ///< of the diagonal
};

}  // namespace tumble
