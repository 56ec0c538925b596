// The equations about a state of rest or of steady motion, as dense matrices. Theory:
// docs/theory/statics-and-modes.md.
#pragma once
#include <Eigen/Core>

#include "tumble/integrate/statics/steady_motion.hpp"
#include "tumble/integrate/step/integrator.hpp"

namespace tumble {

/// A threshold of rank: gradients of independent conditions differ by more, rounding by less.
inline constexpr double rank_threshold = 1e-9;

/// The linearised equations in axes of the frame, for displacements y (δp, and δφ of rotations):
///   M ÿ + C ẏ + K y + Gᵀ δλ = 0,  G y = 0.
struct Linearization {
  Eigen::MatrixXd M, C, K, G;
  Eigen::VectorXd force;  ///< r, in the second case without the reactions that balance it
};

/// The equations of one system about steady motions. Velocities and accelerations of a state follow
/// from its positions.
class SteadyEquations {
 public:
  /// All are kept by reference.
  SteadyEquations(const System& system, const std::vector<double>& constants,
                  const SteadyMotion& motion);

  /// Velocities and accelerations of the steady motion at the state's positions.
  void set_rates(MotionState& state) const;
  /// The workspace at a state, drives as the motion says.
  Workspace<double>& observe(const MotionState& state);
  /// The equations linearised at a state with its reactions.
  Linearization linearize(const MotionState& state);
  /// The same with reactions of least norm that balance the forces best; they are put into the
  /// state.
  Linearization balance(MotionState& state);
  /// The mass matrix in the system's coordinates, rotations in body axes.
  Eigen::MatrixXd mass(const MotionState& state);
  /// The residual at a state, forces in the frame's axes.
  struct Residual {
    Eigen::VectorXd force, violation;
  };
  Residual residual_at(const MotionState& state);
  /// What a state is displaced by: y, ẏ and ÿ in the frame's axes, and δλ.
  struct Displacement {
    Eigen::VectorXd y, ydot, yddot, lambda;
  };
  MotionState displaced(const MotionState& state, const Displacement& by) const;
  /// By coordinate: 1 of places, the length of rotations and directions.
  Eigen::VectorXd coordinate_sizes(double length) const;
  /// The displacement y of the frame's axes as an increment of the coordinates.
  std::vector<double> increment(const MotionState& state, const Eigen::VectorXd& y) const;
  /// The largest first and second derivative of a constraint along the steady motion: zero if the
  /// joints allow it.
  struct Violation {
    double velocity = 0, acceleration = 0;
  };
  Violation violation(const MotionState& state);
  /// Moves the state onto the constraints, by least motion. False if that fails.
  bool assemble(MotionState& state);
  /// Counts the turns of torsion springs from the state on.
  void track_angles(const MotionState& state);
  /// Where the steady motion takes a state within `time`; drives move on as well.
  void advance(MotionState& state, double time);
  /// Turns vectors of displacements, which are in the frame's axes at t = 0, as far as the frame
  /// has advanced.
  Eigen::MatrixXd frame_axes() const;
  /// Velocities that the drives impose while all joints are still otherwise; of what joints leave
  /// open, those nearest to `reference`.
  std::vector<double> imposed_velocity(const MotionState& state,
                                       const std::vector<double>& reference);

  const System& system() const { return system_; }
  const std::vector<double>& constants() const { return c_; }
  const SteadyMotion& motion() const { return motion_; }
  /// The farthest point from the origin, or a millimetre.
  double length_scale(const MotionState& state);
  /// The largest angular velocity of a body or the frame.
  double fastest(const MotionState& state);

 private:
  /// Two or three coordinates that are a vector in ground or, for rotations, body axes.
  struct Triple {
    int v = 0, q = 0, size = 3;
    bool point = true;  ///< a place; otherwise a direction or a rotation
    bool rotation = false;
    int block = 0;
  };
  Eigen::Matrix3d rotation(const MotionState& state, const Triple& triple) const;
  void evaluate(const MotionState& state);
  /// D1 and D0 of δv̇ = T (ÿ + D1 ẏ + D0 y).
  struct RateMatrices {
    Eigen::Matrix3d first, zeroth;
  };
  RateMatrices rate_matrices(const MotionState& state, const Triple& triple) const;
  /// G in the system's coordinates, as tangent() left it.
  Eigen::MatrixXd gradients() const;

  const System& system_;
  const std::vector<double>& c_;
  const SteadyMotion& motion_;
  double elapsed_ = 0;
  std::vector<Triple> triples_;
  Workspace<double> w_;
  std::vector<double> residual_, rate_, bias_;
};

/// Orthonormal basis of the motions that the rows of G allow; rows may depend on each other.
Eigen::MatrixXd allowed_motions(const Eigen::MatrixXd& G);

}  // namespace tumble
