// Force elements and constraints supplied by users. Their answers are plain doubles, of all lanes
// at once; their tangents are central differences of their own answers.
#pragma once
#include "tumble/dynamics/workspace.hpp"

namespace tumble {

/// Evaluates one user element; keeps its inputs in the workspace's scratch.
template <class S>
class UserEvaluator {
 public:
  TUMBLE_INLINE UserEvaluator(const UserElementIndex& element, const S* constants,
                              Workspace<S>& workspace)
      : element_(element), constants_(constants + element.constants), w_(workspace) {}

  /// Adds minus the forces to the bodies.
  void add_forces(const UserForce& force);
  S potential_energy(const UserForce& force) const;
  void add_force_tangent(const UserForce& force);

  void add_constraint(const UserConstraint& constraint, const S* lambda, S* phi);
  void constraint_rates(const UserConstraint& constraint, S* time_rate, S* bias);
  void add_constraint_tangent(const UserConstraint& constraint, const S* lambda);
  /// Violations of its rows: the largest value, and the largest relative to `length`: by the
  /// gradient, because only the user knows in which unit a row is.
  struct Violation {
    S value{}, relative{};
    int row = 0;  ///< of the relative one; of a single realisation
  };
  Violation violation(const UserConstraint& constraint, const S& length);

 private:
  // Central differences: error ~ step² |f'''| + eps |f| / step, least near the cube root of eps.
  static constexpr double difference_step = 1e-5;
  static constexpr int lanes = lane_count<S>;

  /// Writes the numbers of all lanes, with the same motion in every variant.
  void open(int variants) const;
  void write_motion(int variant, std::size_t i, const Vec3<S>& p_W, const Mat3<S>& R_WB,
                    const Vec3<S>& v_W, const Vec3<S>& w_W) const;
  void shift_position(int variant, std::size_t i, int coordinate, double amount) const;
  void shift_velocity(int variant, std::size_t i, int coordinate, double amount) const;
  Mat3<S> rotation(int variant, std::size_t i) const;
  /// Minus the generalized force on body i, in the system's coordinates.
  void generalized(int variant, std::size_t i, S out[6]) const;
  /// A gradient in the system's coordinates: rotation in body axes.
  void gradient_coordinates(int variant, std::size_t row, std::size_t i, S out[6]) const;

  template <class Read>
  static TUMBLE_INLINE S gather(Read&& read) {
    double x[lanes];
    for (int lane = 0; lane < lanes; ++lane) x[lane] = read(lane);
    S packed;
    load_lanes(packed, x);
    return packed;
  }
  template <class Read>
  static TUMBLE_INLINE Vec3<S> gather3(Read&& read) {
    return {gather([&](int lane) { return read(lane)[0]; }),
            gather([&](int lane) { return read(lane)[1]; }),
            gather([&](int lane) { return read(lane)[2]; })};
  }
  Vec3<S> force(int variant, std::size_t i) const {
    return gather3([&](int lane) { return w_.user.wrench(variant, lane, i); });
  }
  Vec3<S> torque(int variant, std::size_t i) const {
    return gather3([&](int lane) { return w_.user.wrench(variant, lane, i) + 3; });
  }
  Vec3<S> translation(int variant, std::size_t row, std::size_t i) const {
    return gather3([&](int lane) { return w_.user.gradient(variant, lane, row, i); });
  }
  Vec3<S> turn(int variant, std::size_t row, std::size_t i) const {
    return gather3([&](int lane) { return w_.user.gradient(variant, lane, row, i) + 3; });
  }
  S value(std::size_t row) const {
    return gather([&](int lane) { return w_.user.value(lane, row); });
  }
  S time_rate(std::size_t row) const {
    return gather([&](int lane) { return w_.user.time_rate(lane, row); });
  }

  const UserElementIndex& element_;
  const S* constants_;
  Workspace<S>& w_;
};

/// Calls f(evaluator, entry) for each user element of a list. Numbers that carry derivatives have
/// none: derivatives of models with user elements are refused.
template <class S, class F>
void for_each_user_element(const std::vector<UserElementIndex>& elements, const S* constants,
                           Workspace<S>& workspace, F&& f) {
  if constexpr (requires(S x, double* p) { store_lanes(x, p); }) {
    for (const auto& element : elements) {
      UserEvaluator<S> evaluator(element, constants, workspace);
      f(evaluator, static_cast<std::size_t>(element.entry));
    }
  }
}

/// The lanes of a mask, one bit each, and back.
template <class S>
TUMBLE_INLINE unsigned lane_bits(const Mask<S>& mask) {
  if constexpr (std::is_same_v<Mask<S>, bool>)
    return mask ? 1u : 0u;
  else
    return static_cast<unsigned>(mask.to_bits());
}
template <class S>
TUMBLE_INLINE Mask<S> lanes_of_bits(unsigned bits) {
  if constexpr (std::is_same_v<Mask<S>, bool>) {
    return (bits & 1u) != 0;
  } else {
    Mask<S> mask;
    for (int lane = 0; lane < lane_count<S>; ++lane) mask.set_lane(lane, (bits >> lane & 1u) != 0);
    return mask;
  }
}

template <class S>
void UserEvaluator<S>::write_motion(int variant, std::size_t i, const Vec3<S>& p_W,
                                    const Mat3<S>& R_WB, const Vec3<S>& v_W,
                                    const Vec3<S>& w_W) const {
  double x[18 * lanes];
  for (int k = 0; k < 3; ++k) {
    store_lanes(p_W[k], x + k * lanes);
    store_lanes(v_W[k], x + (12 + k) * lanes);
    store_lanes(w_W[k], x + (15 + k) * lanes);
  }
  for (int k = 0; k < 9; ++k) store_lanes(R_WB.m[k], x + (3 + k) * lanes);
  for (int lane = 0; lane < lanes; ++lane) {
    double* out = w_.user.motion(variant, lane, i);
    for (int k = 0; k < 18; ++k) out[k] = x[k * lanes + lane];
  }
}

template <class S>
void UserEvaluator<S>::open(int variants) const {
  auto& user = w_.user;
  user.open(element_, variants);
  double x[lanes];
  for (int k = 0; k < element_.numbers; ++k) {
    store_lanes(constants_[k], x);
    for (int lane = 0; lane < lanes; ++lane) user.numbers(lane)[k] = x[lane];
  }
  for (std::size_t i = 0; i < element_.drive.size(); ++i) {
    const auto& drive = w_.drive[static_cast<std::size_t>(element_.drive[i])];
    const S* const parts[3] = {&drive.value, &drive.rate, &drive.second};
    for (int k = 0; k < 3; ++k) {
      store_lanes(*parts[k], x);
      for (int lane = 0; lane < lanes; ++lane) user.drive(lane, i)[k] = x[lane];
    }
  }
  for (std::size_t i = 0; i < element_.body.size(); ++i) {
    const auto& b = w_.body[static_cast<std::size_t>(element_.body[i])];
    for (int variant = 0; variant < variants; ++variant)
      write_motion(variant, i, b.p_W, b.R_WB, b.v_W, b.w_W);
  }
}

template <class S>
void UserEvaluator<S>::shift_position(int variant, std::size_t i, int coordinate,
                                      double amount) const {
  const auto& b = w_.body[static_cast<std::size_t>(element_.body[i])];
  if (coordinate < 3) {
    Vec3<S> p_W = b.p_W;
    p_W[coordinate] = p_W[coordinate] + S(amount);
    write_motion(variant, i, p_W, b.R_WB, b.v_W, b.w_W);
  } else {
    Vec3<S> u;
    u[coordinate - 3] = S(amount);
    const Mat3<S> R_WB = matrix(b.q_WB * exp_quaternion(u));
    write_motion(variant, i, b.p_W, R_WB, b.v_W, R_WB * b.w_B);
  }
}

template <class S>
void UserEvaluator<S>::shift_velocity(int variant, std::size_t i, int coordinate,
                                      double amount) const {
  const auto& b = w_.body[static_cast<std::size_t>(element_.body[i])];
  Vec3<S> v_W = b.v_W, w_W = b.w_W;
  if (coordinate < 3)
    v_W[coordinate] = v_W[coordinate] + S(amount);
  else
    w_W += S(amount) * b.R_WB.column(coordinate - 3);
  write_motion(variant, i, b.p_W, b.R_WB, v_W, w_W);
}

template <class S>
Mat3<S> UserEvaluator<S>::rotation(int variant, std::size_t i) const {
  Mat3<S> R_WB;
  for (int k = 0; k < 9; ++k)
    R_WB.m[k] = gather([&](int lane) { return w_.user.motion(variant, lane, i)[3 + k]; });
  return R_WB;
}

template <class S>
void UserEvaluator<S>::generalized(int variant, std::size_t i, S out[6]) const {
  store3(out, -force(variant, i));
  store3(out + 3, -transpose_times(rotation(variant, i), torque(variant, i)));
}

template <class S>
void UserEvaluator<S>::gradient_coordinates(int variant, std::size_t row, std::size_t i,
                                            S out[6]) const {
  store3(out, translation(variant, row, i));
  store3(out + 3, transpose_times(rotation(variant, i), turn(variant, row, i)));
}

template <class S>
void UserEvaluator<S>::add_forces(const UserForce& user_force) {
  open(1);
  w_.user.ask(user_force, w_.time);
  for (std::size_t i = 0; i < element_.body.size(); ++i) {
    auto& b = w_.body[static_cast<std::size_t>(element_.body[i])];
    const Vec3<S> f = force(0, i), t = torque(0, i);
    b.force_W -= f;
    b.torque_W -= t;
    w_.power.work = w_.power.work + (dot(f, b.v_W) + dot(t, b.w_W));
  }
}

template <class S>
S UserEvaluator<S>::potential_energy(const UserForce& user_force) const {
  open(1);
  w_.user.ask_energy(user_force, w_.time);
  return gather([&](int lane) { return w_.user.energy(lane); });
}

template <class S>
void UserEvaluator<S>::add_force_tangent(const UserForce& user_force) {
  const std::size_t n = element_.body.size();
  const S width(2 * difference_step);
  for (std::size_t j = 0; j < n; ++j) {
    if (element_.body[j] == 0) continue;
    open(24);  // 4 k: position k up and down, velocity k up and down
    for (int k = 0; k < 6; ++k) {
      shift_position(4 * k, j, k, difference_step);
      shift_position(4 * k + 1, j, k, -difference_step);
      shift_velocity(4 * k + 2, j, k, difference_step);
      shift_velocity(4 * k + 3, j, k, -difference_step);
    }
    w_.user.ask(user_force, w_.time);
    for (int column = 0; column < 12; ++column) {
      const int k = column / 2;
      std::vector<S>& matrix = column % 2 == 0 ? w_.K : w_.C;
      for (std::size_t i = 0; i < n; ++i) {
        S up[6], down[6];
        generalized(2 * column, i, up);
        generalized(2 * column + 1, i, down);
        for (int r = 0; r < 6; ++r) {
          const int slot = element_.slots[(i * n + j) * 36 + static_cast<std::size_t>(6 * r + k)];
          if (slot < 0) continue;
          S& entry = matrix[static_cast<std::size_t>(slot)];
          entry = entry + (up[r] - down[r]) / width;
        }
      }
    }
  }
}

template <class S>
void UserEvaluator<S>::add_constraint(const UserConstraint& constraint, const S* lambda, S* phi) {
  open(1);
  w_.user.ask(constraint, w_.time);
  for (std::size_t r = 0; r < static_cast<std::size_t>(element_.rows); ++r) {
    phi[element_.row + static_cast<int>(r)] = value(r);
    const S l = lambda[element_.row + static_cast<int>(r)];
    w_.power.work = w_.power.work + l * time_rate(r);
    for (std::size_t j = 0; j < element_.body.size(); ++j) {
      auto& b = w_.body[static_cast<std::size_t>(element_.body[j])];
      b.force_W += l * translation(0, r, j);
      b.torque_W += l * turn(0, r, j);
    }
  }
}

template <class S>
void UserEvaluator<S>::constraint_rates(const UserConstraint& constraint, S* rates, S* bias) {
  open(1);
  w_.user.ask(constraint, w_.time);
  for (std::size_t r = 0; r < static_cast<std::size_t>(element_.rows); ++r) {
    rates[element_.row + static_cast<int>(r)] = time_rate(r);
    bias[element_.row + static_cast<int>(r)] =
        gather([&](int lane) { return w_.user.bias(lane, r); });
  }
}

template <class S>
typename UserEvaluator<S>::Violation UserEvaluator<S>::violation(const UserConstraint& constraint,
                                                                 const S& length) {
  open(1);
  w_.user.ask(constraint, w_.time);
  Violation violation{S(0.0), S(0.0), element_.row};
  for (std::size_t r = 0; r < static_cast<std::size_t>(element_.rows); ++r) {
    const S size = abs(value(r));
    violation.value = select(size <= violation.value, violation.value, size);
    S slope(0.0);  // of the row against a displacement, or a rotation by which `length` moves
    for (std::size_t j = 0; j < element_.body.size(); ++j)
      slope = max(max(slope, norm(translation(0, r, j))), norm(turn(0, r, j)) / length);
    const S relative = select(slope > S(0.0), size / (slope * length), S(0.0));
    if constexpr (std::is_same_v<S, double>) {
      if (!(relative <= violation.relative)) violation.row = element_.row + static_cast<int>(r);
    }
    violation.relative = select(relative <= violation.relative, violation.relative, relative);
  }
  return violation;
}

template <class S>
void UserEvaluator<S>::add_constraint_tangent(const UserConstraint& constraint, const S* lambda) {
  const std::size_t n = element_.body.size(), rows = static_cast<std::size_t>(element_.rows);
  open(1);
  w_.user.ask(constraint, w_.time);
  S up[6], down[6];
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < n; ++j) {
      gradient_coordinates(0, r, j, up);
      for (std::size_t k = 0; k < 6; ++k) {
        const std::size_t at = (r * n + j) * 6 + k;
        if (element_.gradient[at] < 0) continue;
        w_.K[static_cast<std::size_t>(element_.gradient[at])] = up[k];
        w_.K[static_cast<std::size_t>(element_.transpose[at])] = up[k];
      }
    }
  // Geometric stiffness: λ times the difference of gradients.
  const S width(2 * difference_step);
  for (std::size_t j = 0; j < n; ++j) {
    if (element_.body[j] == 0) continue;
    open(12);
    for (int k = 0; k < 6; ++k) {
      shift_position(2 * k, j, k, difference_step);
      shift_position(2 * k + 1, j, k, -difference_step);
    }
    w_.user.ask(constraint, w_.time);
    for (int k = 0; k < 6; ++k)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t r = 0; r < rows; ++r) {
          gradient_coordinates(2 * k, r, i, up);
          gradient_coordinates(2 * k + 1, r, i, down);
          const S l = lambda[element_.row + static_cast<int>(r)];
          for (int a = 0; a < 6; ++a) {
            const int slot = element_.slots[(i * n + j) * 36 + static_cast<std::size_t>(6 * a + k)];
            if (slot < 0) continue;
            S& entry = w_.K[static_cast<std::size_t>(slot)];
            entry = entry + l * (up[a] - down[a]) / width;
          }
        }
  }
}

// For one realisation it is compiled once, in equations.cpp.
extern template class UserEvaluator<double>;

}  // namespace tumble
