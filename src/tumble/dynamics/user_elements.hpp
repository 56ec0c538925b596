// Force elements and constraints supplied by users. They are plain double code; their tangents are
// central differences of their own answers.
#pragma once
#include "tumble/dynamics/workspace.hpp"

namespace tumble {

/// A user element, or an expression, answered with something that is no finite number. A step may
/// be tried again with half its length, where the element is perhaps not asked for the impossible.
struct UserElementError : SimulationError {
  using SimulationError::SimulationError;
};

/// Evaluates one user element; keeps its inputs in the workspace's scratch.
class UserEvaluator {
 public:
  UserEvaluator(const UserElementIndex& element, const double* constants,
                Workspace<double>& workspace);

  /// Adds minus the forces to the bodies.
  void add_forces(const UserForce& force);
  double potential_energy(const UserForce& force) const;
  void add_force_tangent(const UserForce& force);

  void add_constraint(const UserConstraint& constraint, const double* lambda, double* phi);
  void constraint_rates(const UserConstraint& constraint, double* time_rate, double* bias);
  void add_constraint_tangent(const UserConstraint& constraint, const double* lambda);
  /// Violations of its rows: the largest value, and the largest relative to `length`: by the
  /// gradient, because only the user knows in which unit a row is.
  struct Violation {
    double value = 0, relative = 0;
    int row = 0;  ///< of the relative one
  };
  Violation violation(const UserConstraint& constraint, double length);

 private:
  UserContext context() const;
  /// "user force 'drag': the torque on body 'rod' is not finite at t = 0.5 s"
  [[noreturn]] void refuse(const char* kind, const std::string& what) const;
  void load_bodies();
  void shift_position(std::size_t body, int coordinate, double amount);
  void shift_velocity(std::size_t body, int coordinate, double amount);
  void evaluate(const UserForce& force, std::vector<Wrench>& out);
  ConstraintAnswer evaluate(const UserConstraint& constraint,
                            std::vector<ConstraintGradient>& gradient);
  /// Minus the generalized force on body i, in the system's coordinates.
  void generalized(const std::vector<Wrench>& wrenches, std::size_t i, double out[6]) const;

  const UserElementIndex& element_;
  Workspace<double>& w_;
};

/// Calls f(evaluator, entry) for each user element of a list. Lanes have none: a study runs models
/// with user elements one realisation at a time.
template <class S, class F>
void for_each_user_element(const std::vector<UserElementIndex>& elements, const S* constants,
                           Workspace<S>& workspace, F&& f) {
  if constexpr (std::is_same_v<S, double>) {
    for (const auto& element : elements) {
      UserEvaluator evaluator(element, constants, workspace);
      f(evaluator, static_cast<std::size_t>(element.entry));
    }
  }
}

/// A gradient in the system's coordinates: rotation in body axes.
inline void gradient_coordinates(const ConstraintGradient& g, const Mat3d& R_WB, double out[6]) {
  store3(out, g.translation);
  store3(out + 3, transpose_times(R_WB, g.rotation));
}

}  // namespace tumble
