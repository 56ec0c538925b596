// How a joint gets from the described pose to the one a run starts from
// (docs/theory/starts.md).
//
// With A and B the joint's frames in ground axes, the described pose is
//   B = A exp(e) G(θ₀),   A-components of p_B - p_A in given directions: u₀
// where θ and u are what a drive or a start gives, θ₀ and u₀ their values as described, and e is
// what locks do not allow. A start is reached by e → 0, then θ₀ → θ(0), u₀ → u(0). G(θ) = exp(θ) is
// the rotation by a rotation vector; where two rotations are free, with axes i fixed in A and j
// fixed in B, G(θ) = exp(θ_i e_i) exp(θ_j e_j).
#pragma once
#include <cmath>

#include "tumble/dynamics/workspace.hpp"

namespace tumble {

/// How far the way is covered: the part of the errors removed, the part of given motions made.
struct StartProgress {
  double corrected = 0, moved = 0;
};

struct JointPath {
  int joint = 0;                           ///< among System::joints
  std::array<int, 2> body{};               ///< as in PairIndex
  std::array<Frame, 2> local;              ///< the joint's frames in body axes
  Vec3d error;                             ///< e: rotation vector, axes of A [rad]
  Vec3d turn_from, turn_to;                ///< θ₀ and θ(0) [rad]
  Vec3d slide_from, slide_to;              ///< u₀ and u(0) [m]
  bool slides[3] = {false, false, false};  ///< directions in which u is given
  Vec3d offset;                            ///< of p_B from p_A in locked directions, axes of A [m]
  int first_arm = -1;                      ///< i: θ are angles about i, then i + 1 of a cross
  std::array<bool, 6> starts{};            ///< motions whose start is given, by Motion

  /// How far the given rotation goes: no piece of the way turns by more.
  double turn() const {
    const Vec3d by = turn_to - turn_from;
    return first_arm < 0 ? norm(by) : std::fabs(by.x) + std::fabs(by.y) + std::fabs(by.z);
  }
  double slide() const { return norm(slide_to - slide_from); }
  Vec3d turn_at(double s) const { return (1 - s) * turn_from + s * turn_to; }
  /// G(θ)
  Mat3d given_rotation(const Vec3d& theta) const {
    if (first_arm < 0) return matrix(exp_quaternion(theta));
    Vec3d first, second;
    first[first_arm] = theta[first_arm];
    second[(first_arm + 1) % 3] = theta[(first_arm + 1) % 3];
    return matrix(exp_quaternion(first) * exp_quaternion(second));
  }
  Vec3d slide_at(double s) const { return (1 - s) * slide_from + s * slide_to; }
  /// The rotation of B in A on the way.
  Mat3d rotation_at(const StartProgress& progress) const {
    return matrix(exp_quaternion((1 - progress.corrected) * error)) *
           given_rotation(turn_at(progress.moved));
  }
};

/// What a start follows from.
struct DescribedPose {
  std::vector<Frame> bodies;            ///< places as described, the ground first
  std::vector<Taylor2<double>> drives;  ///< at t = 0
  std::vector<JointPath> paths;         ///< of all joints that have frames
  bool lengths_given = false;           ///< a drive or a start gives the length of a distance joint

  /// False if a run's own assembly finds the start: nothing is given that moves a joint, and no
  /// frame is far from where its joint wants it.
  bool needs_placement() const;
};

/// `inside` is a time inside the first step.
DescribedPose described_pose(const System& system, const Model& model,
                             const std::vector<double>& constants, double inside);

/// Puts bodies whose motion is prescribed where they are on the way.
void place_prescribed(const System& system, const DescribedPose& pose,
                      const StartProgress& progress, Workspace<double>& w);

/// Turns the axes of dot locks to where they are on the way: those that are constants in `c`, a
/// copy of `constants`, those that drives turn in the workspace. With nothing covered the described
/// pose fits, and its gradients are those of the root that is meant.
void fit_axes(const System& system, const DescribedPose& pose, const StartProgress& progress,
              const std::vector<double>& constants, std::vector<double>& c, Workspace<double>& w);

}  // namespace tumble
