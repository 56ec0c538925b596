// A user force and a user constraint as a user might write them.
#pragma once
#include <cmath>

#include "tumble/model/user_element.hpp"

namespace tumble::testing {

/// Between two points: an attraction k d³ (energy k d⁴/4), a damping that grows as d², and a couple
/// along the drive that follows the first body's z axis.
class CubicAttraction : public UserForce {
 public:
  void evaluate(const UserContext& context, std::span<Wrench> wrenches) const override {
    const BodyView &a = context.bodies[0], &b = context.bodies[1];
    const double stiffness = context.numbers[0], drag = context.numbers[1];
    const double couple = context.drives.empty() ? 0.0 : context.drives[0].value;
    const Vec3d d = b.point(arm) - a.p_W;
    const Vec3d d_rate = b.point_velocity(arm) - a.v_W;
    const Vec3d force = (stiffness * dot(d, d) + drag * dot(d, d_rate)) * d;
    const Vec3d torque = couple * a.R_WB.column(2);
    wrenches[0].force += force;
    wrenches[0].torque -= torque;
    wrenches[1].force -= force;
    wrenches[1].torque += torque - cross(b.R_WB * arm, force);
  }
  double potential_energy(const UserContext& context) const override {
    const Vec3d d = context.bodies[1].point(arm) - context.bodies[0].p_W;
    return 0.25 * context.numbers[0] * dot(d, d) * dot(d, d);
  }

  const Vec3d arm{0.2, -0.3, 0.1};  ///< from b's reference point, its axes [m]
};

/// Two rows: ½(|d|² - (r + u(t))²) for points d apart, and the product p_b,x p_a,z.
class SphereAndProduct : public UserConstraint {
 public:
  int rows() const override { return 2; }
  void evaluate(const UserContext& context, ConstraintAnswer& answer) const override {
    const BodyView &a = context.bodies[0], &b = context.bodies[1];
    const Vec3d r_a = a.R_WB * arm_a, r_b = b.R_WB * arm_b;
    const Vec3d d = (b.p_W + r_b) - (a.p_W + r_a);
    const Vec3d d_rate = b.point_velocity(arm_b) - a.point_velocity(arm_a);
    const Vec3d d_bias = cross(b.w_W, cross(b.w_W, r_b)) - cross(a.w_W, cross(a.w_W, r_a));
    const Taylor2<double>& u = context.drives[0];
    const double radius = context.numbers[0] + u.value;
    answer.value[0] = 0.5 * (dot(d, d) - radius * radius);
    answer.time_rate[0] = -radius * u.rate;
    answer.acceleration_bias[0] =
        dot(d_rate, d_rate) + dot(d, d_bias) - u.rate * u.rate - radius * u.second;
    answer.gradient[0] = {-d, -cross(r_a, d)};
    answer.gradient[1] = {d, cross(r_b, d)};
    answer.value[1] = b.p_W.x * a.p_W.z;
    answer.acceleration_bias[1] = 2 * b.v_W.x * a.v_W.z;
    answer.gradient[2].translation = {0, 0, b.p_W.x};
    answer.gradient[3].translation = {a.p_W.z, 0, 0};
  }

  const Vec3d arm_a{0.1, 0.2, -0.2}, arm_b{-0.3, 0.1, 0.2};
};

}  // namespace tumble::testing
