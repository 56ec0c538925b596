// States of rest and of steady motion, and the equations about them.
//
// A motion is steady if it does not change as seen from a frame that turns at a constant rate Ω
// about a fixed axis: all points stand still in the frame, and a body may spin in it about an axis
// of its own. Rest is the case without rates. Theory: docs/theory/statics-and-modes.md.
#pragma once
#include <Eigen/Core>
#include <optional>

#include "tumble/integrate/integrator.hpp"

namespace tumble {

/// What stays constant in a steady motion.
struct SteadyMotion {
  /// Values at t = 0, and the constant rates of those that impose motions; second derivatives are
  /// zero.
  std::vector<Taylor2<double>> drives;
  Vec3d spin;    ///< Ω of the frame, ground axes [rad/s]
  Vec3d centre;  ///< a point of the frame's axis [m]
  /// By block: angular velocity of a rigid body in the frame, body axes [rad/s].
  std::vector<Vec3d> own_spin;
};

/// Everything at rest, drives held at their values at t = 0.
SteadyMotion state_of_rest(const System& system, const std::vector<double>& constants);
bool is_rest(const SteadyMotion& motion);

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

/// "body 'rod' turns about (0, 1, 0), ..." for a displacement in the frame's axes: who moves most.
std::string describe_motion(const System& system, const std::vector<double>& constants,
                            const Eigen::VectorXd& y);

/// How the equations change, as fractions of their size, while the machine turns on by about a
/// radian: forces that no reaction balances, and the tangents on the constraints.
struct MotionChange {
  double force = 0, tangent = 0;
  /// Beyond these the motion is not steady, or its linearised equations are not constant.
  static constexpr double force_tolerance = 1e-5, tangent_tolerance = 1e-6;
};
MotionChange change_while_turning(const System& system, const std::vector<double>& constants,
                                  const SteadyMotion& motion, const MotionState& at);

/// A search for a steady motion: what was found, or why there is none.
struct SteadySearch {
  std::optional<SteadyMotion> motion;
  MotionState state;      ///< where it was looked for, with its rates if it was found
  bool changing = false;  ///< the forces balance at all times, but their tangents change
  std::string reason;     ///< why there is none
};

/// The steady motion that drives with constant rates impose on the machine at `state`, all free
/// joints being still. Not sought (no reason is given) if no drive moves.
SteadySearch find_driven_motion(const Plan& plan, const Model& model,
                                const std::vector<double>& constants, const MotionState& state);

/// The described motion itself, if it is steady. Not sought if nothing moves at t = 0.
SteadySearch find_described_motion(const Plan& plan, const Model& model,
                                   const std::vector<double>& constants);

}  // namespace tumble
