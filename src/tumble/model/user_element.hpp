// Force elements and constraints that users write in C++.
//
// A user element sees the bodies it names as plain kinematics in world axes and answers with
// forces, or with constraint values and gradients. Tangent matrices are the engine's business: it
// differences the element's own answers.
//
// Studies run several realisations in lock step. An element that is quicker when asked for many
// states at once overrides evaluate_states(); any other is asked for them one by one.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tumble/base/diagnostic.hpp"
#include "tumble/math/taylor2.hpp"
#include "tumble/math/vec3.hpp"
#include "tumble/model/entry.hpp"

namespace tumble {

/// A body as a user element sees it. The reference point is the nominal centre of mass.
struct BodyView {
  Vec3d p_W;   ///< reference point, world axes [m]
  Mat3d R_WB;  ///< body axes to world axes
  Vec3d v_W;   ///< velocity of the reference point [m/s]
  Vec3d w_W;   ///< angular velocity, world axes [rad/s]

  /// World position and velocity of the material point that is r_B [m] from the reference point
  /// in body axes.
  Vec3d point(const Vec3d& r_B) const { return p_W + R_WB * r_B; }
  Vec3d point_velocity(const Vec3d& r_B) const { return v_W + cross(w_W, R_WB * r_B); }
};

/// What a user element is given at one instant.
struct UserContext {
  double time = 0;                          ///< [s]
  std::span<const BodyView> bodies;         ///< in the order of its list of bodies
  std::span<const double> numbers;          ///< its parameters, one set per realisation
  std::span<const Taylor2<double>> drives;  ///< its drives, in the order of its list
};

/// For an element to throw: the run ends with this reason, of a study the realisation alone. A
/// state that a smaller step may avoid is better answered with NaN.
struct UserElementFailure : SimulationError {
  using SimulationError::SimulationError;
};

/// Force [N] at a body's reference point and torque [N m] about it, world axes.
struct Wrench {
  Vec3d force;
  Vec3d torque;
};

class UserForce {
 public:
  virtual ~UserForce() = default;
  /// Adds what the element does to each of its bodies; `wrenches` starts at zero.
  virtual void evaluate(const UserContext& context, std::span<Wrench> wrenches) const = 0;
  /// The same for several states, of one realisation or of many, into wrenches[state * bodies +
  /// body]: by default one after the other. What it says of a state must not depend, bit by bit,
  /// on how many others there are and where among them it stands; nor on whether evaluate() was
  /// asked. If it throws, each state is asked for alone.
  virtual void evaluate_states(std::span<const UserContext> states,
                               std::span<Wrench> wrenches) const;
  /// Its potential energy [J], if it has one.
  virtual double potential_energy(const UserContext&) const { return 0; }
};

/// The gradient of one constraint with respect to one body's motion: the rate of the constraint is
/// Σ translation·v_W + rotation·w_W + time_rate.
struct ConstraintGradient {
  Vec3d translation;
  Vec3d rotation;
};

struct ConstraintAnswer {
  std::span<double> value;                 ///< φ(q, t), one per row
  std::span<double> time_rate;             ///< ∂φ/∂t
  std::span<double> acceleration_bias;     ///< d²φ/dt² at zero accelerations
  std::span<ConstraintGradient> gradient;  ///< [row][body]
};

class UserConstraint {
 public:
  virtual ~UserConstraint() = default;
  virtual int rows() const = 0;
  /// Fills all parts of the answer, which starts at zero.
  virtual void evaluate(const UserContext& context, ConstraintAnswer& answer) const = 0;
  /// The same for several states, as UserForce::evaluate_states().
  virtual void evaluate_states(std::span<const UserContext> states,
                               std::span<ConstraintAnswer> answers) const;
};

/// A number of a user element, a parameter slot like any other: user.<element>.<name>.
struct UserNumber {
  std::string name;
  std::string unit;
  double value = 0;
};

/// How a user element is entered into a Model.
template <class Element>
struct UserEntry {
  std::string name;
  std::shared_ptr<const Element> element;
  std::vector<BodyRef> bodies;
  std::vector<DriveRef> drives;
  std::vector<UserNumber> numbers;
};

}  // namespace tumble
