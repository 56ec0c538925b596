// The memory kernels work in: kinematics of one instant, tangent matrices, accumulated wrenches.
// Allocated once per thread; a step allocates nothing.
#pragma once
#include <vector>

#include "tumble/dynamics/user_scratch.hpp"
#include "tumble/math/rotation.hpp"
#include "tumble/math/taylor2.hpp"
#include "tumble/model/system.hpp"

namespace tumble {

/// A body at one instant. W: world axes; B: body axes; the point is the body's reference point.
template <class S>
struct BodyKinematics {
  Vec3<S> p_W;
  Quaternion<S> q_WB;
  Mat3<S> R_WB = Mat3<S>::identity();
  Vec3<S> v_W;       ///< velocity of the point
  Vec3<S> w_B;       ///< angular velocity, body axes
  Vec3<S> w_W;       ///< angular velocity, world axes
  Vec3<S> force_W;   ///< minus the sum of forces: what the element kernels add up
  Vec3<S> torque_W;  ///< minus the sum of torques about the point
};

/// What a prescribed body needs beside its kinematics: accelerations that no unknown holds, and the
/// wrench of the joint that imposes them.
template <class S>
struct PrescribedMotionValue {
  bool placed = false;  ///< a steady body's rotation has been computed
  Mat3<S> R_WA;         ///< of the joint's first frame
  Vec3<S> offset_W;     ///< from the parent's reference point to the body's, without displacement
  Vec3<S> a_W;          ///< of the reference point; only where the translation is prescribed
  Vec3<S> alpha_W, alpha_B;   ///< angular acceleration in world and in body axes
  Vec3<S> force_W, torque_W;  ///< as in BodyKinematics: what the replaced rows would have added
};

/// A quantity that is counted through turns: its value and rate at the last accepted instant, which
/// say which of all values that differ by turns is meant next, and room for the next ones.
template <class T>
struct Followed {
  T value{}, rate{};
  T next{}, next_rate{};
};

/// Euler angles of a body. They cost more than a step should, so they are followed not at every
/// step but whenever the body may have turned by half a radian since.
template <class S>
struct FollowedEuler {
  Followed<Vec3<S>> angles;
  S instant = S(0.0), next_instant = S(0.0);  ///< of `angles.value` [s]
  S turned = S(0.0);                          ///< how far about an axis since, at most [rad]
};

/// The rotation vector of a bushing.
template <class S>
struct BushingTurn {
  Followed<Vec3<S>> theta;
  S far = S(0.0), next_far = S(0.0);  ///< 1 in the lanes that turn far
};

/// Axes of a joint frame turned by drives, in body axes, with two time derivatives.
template <class S>
struct TurnedAxesValue {
  Vec3<S> axis[3], rate[3], second[3];
};

/// What residual() adds up on its way: the power [W] of all that is not a potential.
template <class S>
struct PowerBalance {
  S work{};                      ///< of drives, loads and user elements, into the system
  S dissipation{};               ///< of dampers, out of it
  bool with_dissipation = true;  ///< whether it is wanted: half the samples do (step())
};

/// Serves one set of constants: what they fix once and for all is kept in it.
template <class S>
struct Workspace {
  explicit Workspace(const System& system);

  double time = 0;
  std::vector<BodyKinematics<S>> body;  ///< [0] is the ground
  // Of all beams: positions, velocities, and minus the sum of forces that loads and joints add up.
  std::vector<S> node_q, node_v, node_force;
  // Of all flexible bodies: amplitudes of modes, their rates, and minus the sum of forces on them.
  std::vector<S> mode_q, mode_v, mode_force;
  std::vector<S> state;              ///< values of state variables
  mutable std::vector<S> registers;  ///< scratch of expressions, sized for the longest program
  std::vector<Taylor2<S>> drive;
  std::vector<TurnedAxesValue<S>> turned;
  std::vector<PrescribedMotionValue<S>> prescribed;
  Vec3<S> no_turning;         ///< the angular acceleration of a point mass
  const S* lambda = nullptr;  ///< multipliers that belong to the kinematics, for friction
  PowerBalance<S> power;      ///< at the kinematics residual() was last called with
  /// How far the kinematics are ahead of the instant that what is followed belongs to [s].
  double ahead = 0;
  std::vector<Followed<S>> angle;       ///< by TrackedAngle
  std::vector<FollowedEuler<S>> euler;  ///< by TrackedEuler
  std::vector<BushingTurn<S>> bushing;
  /// Rotation vectors of bushings are followed, all of them, only while one of them, or what one
  /// turns in a step, is large in some lane; until then the shortest ones are meant.
  bool bushings_followed = false;
  S bushing_reach = S(0.0);                    ///< largest |θ|² in the last evaluation of forces
  double fast_turning = __builtin_huge_val();  ///< half a radian in a step [rad/s]
  /// Which could not be followed last, of a single realisation: a number that counts tracked
  /// angles, tracked Euler angles and bushings.
  int lost_turn = -1;

  // Over the slots of the pattern: stiffness (with the constraint gradients and their
  // transposes), damping and mass.
  std::vector<S> K, C, M;
  bool fills_C;                ///< does any element? If none does, C stays zero
  std::vector<S> phi_scratch;  ///< room for all constraint values
  UserScratch user;
};

/// Does any element depend on velocities, so that tangents have a C? A structural question.
bool has_damping_matrix(const System& system);

template <class S>
Workspace<S>::Workspace(const System& system)
    : body(system.bodies.size() + 1),
      node_q(static_cast<std::size_t>(system.beam_size), S(0.0)),
      node_v(node_q),
      node_force(node_q),
      mode_q(static_cast<std::size_t>(system.modal_size), S(0.0)),
      mode_v(mode_q),
      mode_force(mode_q),
      state(system.states.size(), S(0.0)),
      drive(static_cast<std::size_t>(system.drives.size())),
      turned(system.turned_axes.size()),
      prescribed(system.prescribed.size()),
      angle(system.tracked_angles.size()),
      euler(system.tracked_eulers.size()),
      bushing(system.all<BushingIndex>().size()),
      fills_C(has_damping_matrix(system)),
      user(system, std::is_same_v<S, double> ? 0 : lane_count<S>) {
  const auto slots = static_cast<std::size_t>(system.pattern.nonzeros());
  for (auto* matrix : {&K, &C, &M}) matrix->resize(slots, S(0.0));
  phi_scratch.resize(static_cast<std::size_t>(system.nc));
  int longest = 0;
  for (const auto& program : system.expressions)
    longest = program.registers() > longest ? program.registers() : longest;
  registers.resize(static_cast<std::size_t>(longest), S(0.0));
}

}  // namespace tumble
