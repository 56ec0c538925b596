#include "tumble/dynamics/user_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tumble {

UserScratch::UserScratch(const System& system) {
  std::size_t most_bodies = 0, most_rows = 0, most_numbers = 0, most_drives = 0;
  for (const auto* elements : {&system.user_forces, &system.user_constraints})
    for (const auto& e : *elements) {
      most_bodies = std::max(most_bodies, e.body.size());
      most_rows = std::max(most_rows, static_cast<std::size_t>(e.rows));
      most_numbers = std::max(most_numbers, static_cast<std::size_t>(e.numbers));
      most_drives = std::max(most_drives, e.drive.size());
    }
  bodies.resize(most_bodies), wrenches.resize(most_bodies), shifted.resize(most_bodies);
  numbers.resize(most_numbers), drives.resize(most_drives);
  value.resize(most_rows), time_rate.resize(most_rows), bias.resize(most_rows);
  gradient.resize(most_rows * most_bodies), shifted_gradient.resize(most_rows * most_bodies);
}
UserScratch::~UserScratch() = default;
UserScratch::UserScratch(const UserScratch&) = default;
UserScratch& UserScratch::operator=(const UserScratch&) = default;

namespace {
// Central differences: error ~ step² |f'''| + eps |f| / step, least near the cube root of eps.
constexpr double difference_step = 1e-5;

bool finite(const Vec3d& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}
}  // namespace

void UserEvaluator::refuse(const char* kind, const std::string& what) const {
  throw UserElementError(fmt::format("user {} '{}': {} is not finite at t = {} s", kind,
                                     element_.name, what, format_number(w_.time)),
                         w_.time);
}

UserEvaluator::UserEvaluator(const UserElementIndex& element, const double* constants,
                             Workspace<double>& workspace)
    : element_(element), w_(workspace) {
  std::copy_n(constants + element.constants, element.numbers, w_.user.numbers.begin());
  for (std::size_t i = 0; i < element.drive.size(); ++i)
    w_.user.drives[i] = w_.drive[static_cast<std::size_t>(element.drive[i])];
  load_bodies();
}

void UserEvaluator::load_bodies() {
  for (std::size_t i = 0; i < element_.body.size(); ++i) {
    const auto& b = w_.body[static_cast<std::size_t>(element_.body[i])];
    w_.user.bodies[i] = {b.p_W, b.R_WB, b.v_W, b.w_W};
  }
}

UserContext UserEvaluator::context() const {
  return {w_.time,
          {w_.user.bodies.data(), element_.body.size()},
          {w_.user.numbers.data(), static_cast<std::size_t>(element_.numbers)},
          {w_.user.drives.data(), element_.drive.size()}};
}

void UserEvaluator::shift_position(std::size_t body, int coordinate, double amount) {
  const auto& b = w_.body[static_cast<std::size_t>(element_.body[body])];
  BodyView& view = w_.user.bodies[body];
  if (coordinate < 3) {
    view.p_W[coordinate] += amount;
    return;
  }
  Vec3d u;
  u[coordinate - 3] = amount;
  view.R_WB = matrix(b.q_WB * exp_quaternion(u));
  view.w_W = view.R_WB * b.w_B;
}

void UserEvaluator::shift_velocity(std::size_t body, int coordinate, double amount) {
  BodyView& view = w_.user.bodies[body];
  if (coordinate < 3)
    view.v_W[coordinate] += amount;
  else
    view.w_W += amount * view.R_WB.column(coordinate - 3);
}

void UserEvaluator::evaluate(const UserForce& force, std::vector<Wrench>& out) {
  std::fill(out.begin(), out.end(), Wrench{});
  force.evaluate(context(), {out.data(), element_.body.size()});
  for (std::size_t i = 0; i < element_.body.size(); ++i) {
    const auto on = [&](const char* what) {
      return fmt::format("the {} on body '{}'", what, element_.body_names[i]);
    };
    if (!finite(out[i].force)) refuse("force", on("force"));
    if (!finite(out[i].torque)) refuse("force", on("torque"));
  }
}

ConstraintAnswer UserEvaluator::evaluate(const UserConstraint& constraint,
                                         std::vector<ConstraintGradient>& gradient) {
  auto& u = w_.user;
  std::fill(u.value.begin(), u.value.end(), 0.0);
  std::fill(u.time_rate.begin(), u.time_rate.end(), 0.0);
  std::fill(u.bias.begin(), u.bias.end(), 0.0);
  std::fill(gradient.begin(), gradient.end(), ConstraintGradient{});
  const auto rows = static_cast<std::size_t>(element_.rows);
  ConstraintAnswer answer{{u.value.data(), rows},
                          {u.time_rate.data(), rows},
                          {u.bias.data(), rows},
                          {gradient.data(), rows * element_.body.size()}};
  constraint.evaluate(context(), answer);
  const std::size_t n = element_.body.size();
  for (std::size_t r = 0; r < rows; ++r) {
    const auto in_row = [r](const char* what) { return fmt::format("{} of row {}", what, r); };
    if (!std::isfinite(answer.value[r])) refuse("constraint", in_row("the value"));
    if (!std::isfinite(answer.time_rate[r])) refuse("constraint", in_row("the time rate"));
    if (!std::isfinite(answer.acceleration_bias[r]))
      refuse("constraint", in_row("the acceleration bias"));
    for (std::size_t j = 0; j < n; ++j)
      if (const auto& g = answer.gradient[r * n + j]; !finite(g.translation) || !finite(g.rotation))
        refuse("constraint",
               in_row("the gradient") + fmt::format(" for body '{}'", element_.body_names[j]));
  }
  return answer;
}

void UserEvaluator::generalized(const std::vector<Wrench>& wrenches, std::size_t i,
                                double out[6]) const {
  store3(out, -wrenches[i].force);
  store3(out + 3, -transpose_times(w_.user.bodies[i].R_WB, wrenches[i].torque));
}

void UserEvaluator::add_forces(const UserForce& force) {
  evaluate(force, w_.user.wrenches);
  for (std::size_t i = 0; i < element_.body.size(); ++i) {
    auto& b = w_.body[static_cast<std::size_t>(element_.body[i])];
    b.force_W -= w_.user.wrenches[i].force;
    b.torque_W -= w_.user.wrenches[i].torque;
    w_.power.work += dot(w_.user.wrenches[i].force, b.v_W) + dot(w_.user.wrenches[i].torque, b.w_W);
  }
}

double UserEvaluator::potential_energy(const UserForce& force) const {
  const double energy = force.potential_energy(context());
  if (!std::isfinite(energy)) refuse("force", "the potential energy");
  return energy;
}

void UserEvaluator::add_force_tangent(const UserForce& force) {
  const std::size_t n = element_.body.size();
  const auto column = [&](std::size_t j, int k, auto shift, std::vector<double>& matrix) {
    load_bodies();
    shift(j, k, difference_step);
    evaluate(force, w_.user.wrenches);
    double plus[6], minus[6];
    for (std::size_t i = 0; i < n; ++i) {
      // Both evaluations are kept as wrenches; the rotation of body j itself is in its view.
      generalized(w_.user.wrenches, i, plus);
      store3(&w_.user.shifted[i].force.x, load3(plus));
      w_.user.shifted[i].torque = load3(plus + 3);
    }
    load_bodies();
    shift(j, k, -difference_step);
    evaluate(force, w_.user.wrenches);
    for (std::size_t i = 0; i < n; ++i) {
      generalized(w_.user.wrenches, i, minus);
      for (int r = 0; r < 6; ++r) {
        const int slot = element_.slots[(i * n + j) * 36 + static_cast<std::size_t>(6 * r + k)];
        const double up = r < 3 ? w_.user.shifted[i].force[r] : w_.user.shifted[i].torque[r - 3];
        if (slot >= 0)
          matrix[static_cast<std::size_t>(slot)] += (up - minus[r]) / (2 * difference_step);
      }
    }
  };
  for (std::size_t j = 0; j < n; ++j) {
    if (element_.body[j] == 0) continue;
    for (int k = 0; k < 6; ++k) {
      column(
          j, k, [this](auto... a) { shift_position(a...); }, w_.K);
      column(
          j, k, [this](auto... a) { shift_velocity(a...); }, w_.C);
    }
  }
  load_bodies();
}

void UserEvaluator::add_constraint(const UserConstraint& constraint, const double* lambda,
                                   double* phi) {
  const auto answer = evaluate(constraint, w_.user.gradient);
  const std::size_t n = element_.body.size();
  for (std::size_t r = 0; r < static_cast<std::size_t>(element_.rows); ++r) {
    phi[element_.row + static_cast<int>(r)] = answer.value[r];
    const double l = lambda[element_.row + static_cast<int>(r)];
    w_.power.work += l * answer.time_rate[r];
    for (std::size_t j = 0; j < n; ++j) {
      auto& b = w_.body[static_cast<std::size_t>(element_.body[j])];
      b.force_W += l * answer.gradient[r * n + j].translation;
      b.torque_W += l * answer.gradient[r * n + j].rotation;
    }
  }
}

void UserEvaluator::constraint_rates(const UserConstraint& constraint, double* time_rate,
                                     double* bias) {
  const auto answer = evaluate(constraint, w_.user.gradient);
  for (std::size_t r = 0; r < static_cast<std::size_t>(element_.rows); ++r) {
    time_rate[element_.row + static_cast<int>(r)] = answer.time_rate[r];
    bias[element_.row + static_cast<int>(r)] = answer.acceleration_bias[r];
  }
}

UserEvaluator::Violation UserEvaluator::violation(const UserConstraint& constraint, double length) {
  const auto answer = evaluate(constraint, w_.user.gradient);
  const std::size_t n = element_.body.size();
  Violation violation;
  violation.row = element_.row;
  for (std::size_t r = 0; r < static_cast<std::size_t>(element_.rows); ++r) {
    const double size = std::fabs(answer.value[r]);
    if (!(size <= violation.value)) violation.value = size;
    double slope = 0;  // of the row against a displacement, or a rotation by which `length` moves
    for (std::size_t j = 0; j < n; ++j)
      slope = std::max({slope, norm(answer.gradient[r * n + j].translation),
                        norm(answer.gradient[r * n + j].rotation) / length});
    const double relative = slope > 0 ? size / (slope * length) : 0.0;
    if (relative <= violation.relative) continue;  // NaN goes on
    violation.relative = relative;
    violation.row = element_.row + static_cast<int>(r);
  }
  return violation;
}

void UserEvaluator::add_constraint_tangent(const UserConstraint& constraint, const double* lambda) {
  const std::size_t n = element_.body.size(), rows = static_cast<std::size_t>(element_.rows);
  evaluate(constraint, w_.user.gradient);
  double g[6], up[6], down[6];
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < n; ++j) {
      gradient_coordinates(w_.user.gradient[r * n + j], w_.user.bodies[j].R_WB, g);
      for (std::size_t k = 0; k < 6; ++k) {
        const std::size_t at = (r * n + j) * 6 + k;
        if (element_.gradient[at] < 0) continue;
        w_.K[static_cast<std::size_t>(element_.gradient[at])] = g[k];
        w_.K[static_cast<std::size_t>(element_.transpose[at])] = g[k];
      }
    }
  // Geometric stiffness: λ times the difference of gradients.
  for (std::size_t j = 0; j < n; ++j) {
    if (element_.body[j] == 0) continue;
    for (int k = 0; k < 6; ++k) {
      load_bodies();
      shift_position(j, k, difference_step);
      const Mat3d R_up = w_.user.bodies[j].R_WB;
      evaluate(constraint, w_.user.gradient);
      load_bodies();
      shift_position(j, k, -difference_step);
      evaluate(constraint, w_.user.shifted_gradient);
      for (std::size_t i = 0; i < n; ++i) {
        const Mat3d R_i_down = w_.user.bodies[i].R_WB;
        const Mat3d R_i_up = i == j ? R_up : R_i_down;
        for (std::size_t r = 0; r < rows; ++r) {
          gradient_coordinates(w_.user.gradient[r * n + i], R_i_up, up);
          gradient_coordinates(w_.user.shifted_gradient[r * n + i], R_i_down, down);
          for (int a = 0; a < 6; ++a) {
            const int slot = element_.slots[(i * n + j) * 36 + static_cast<std::size_t>(6 * a + k)];
            if (slot >= 0)
              w_.K[static_cast<std::size_t>(slot)] += lambda[element_.row + static_cast<int>(r)] *
                                                      (up[a] - down[a]) / (2 * difference_step);
          }
        }
      }
    }
  }
  load_bodies();
}

}  // namespace tumble
