// A joint's angle or displacement as one number q of two bodies' places, with its rate, gradient,
// Hessian and the bias of its second derivative (docs/theory/constraints.md#joint-coordinates).
//   angle:         q = atan2(y_A·x_B, x_A·x_B), counted through full turns (tracked_angle.hpp)
//   displacement:  q = e·d, as of an axis lock (locks.hpp)
#pragma once
#include "tumble/dynamics/locks.hpp"
#include "tumble/dynamics/tracked_angle.hpp"

namespace tumble {

template <class S>
struct CoordinateValue {
  S value, rate;
  PairGradient<S> gradient;
};

/// What of a displacement its derivatives are made of.
template <class S>
struct SlideGeometry {
  PointPair<S> p;
  Vec3<S> e, rho;
  PairGradient<S> gradient;
};
template <class S>
SlideGeometry<S> slide_geometry(const JointCoordinate& coordinate, const S* c,
                                const Workspace<S>& w) {
  const auto& a = w.body[static_cast<std::size_t>(coordinate.pair.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(coordinate.pair.body[1])];
  const auto& k = constants_of(coordinate, c);
  SlideGeometry<S> g;
  g.p = point_pair(a, b, k.r_A, k.r_B);
  g.e = a.R_WB * k.e_A;
  g.rho = g.p.r_A + g.p.d;
  g.gradient = {{-g.e, cross(g.e, g.rho), g.e, cross(g.p.r_B, g.e)}};
  return g;
}

template <class S>
AngleGeometry<S> coordinate_angle(const System& system, const JointCoordinate& coordinate,
                                  const S* c, const Workspace<S>& w) {
  const auto& tracked = system.tracked_angles[static_cast<std::size_t>(coordinate.tracked)];
  return angle_geometry(coordinate.pair.body, constants_of(tracked, c), w);
}

template <class S>
CoordinateValue<S> coordinate_value(const System& system, const JointCoordinate& coordinate,
                                    const S* c, const Workspace<S>& w) {
  if (coordinate.is_angle()) {
    const auto g = coordinate_angle(system, coordinate, c, w);
    const auto twist = followed_angle(system, coordinate.tracked, g, w);
    return {twist.angle, twist.rate, {{{}, -g.gradient, {}, g.gradient}}};
  }
  const auto g = slide_geometry(coordinate, c, w);
  return {dot(g.e, g.p.d),
          rate_along(g.gradient, w.body[static_cast<std::size_t>(coordinate.pair.body[0])],
                     w.body[static_cast<std::size_t>(coordinate.pair.body[1])]),
          g.gradient};
}

/// The derivative of the gradient: row and column by triple.
template <class S>
struct CoordinateHessian {
  Mat3<S> h[4][4];
};

/// gradient = (cosine A - sine B)/size with A = x_B × y_A and B = x_B × x_A; sine and cosine have
/// the gradients A and B with respect to δφ_B - δφ_A.
template <class S>
CoordinateHessian<S> angle_hessian(const AngleGeometry<S>& g) {
  const S scale = S(1.0) / (g.sine * g.sine + g.cosine * g.cosine);
  const Vec3<S> A = cross(g.x_B, g.y_A), B = cross(g.x_B, g.x_A);
  const Mat3<S> relative =
      outer(A, B) - outer(B, A) - S(2.0) * outer(g.gradient, g.sine * A + g.cosine * B);
  const Mat3<S> x_B = skew(g.x_B), x_A = skew(g.x_A), y_A = skew(g.y_A);
  const Mat3<S> by_A = scale * (g.sine * (x_B * x_A) - g.cosine * (x_B * y_A) - relative);
  const Mat3<S> by_B = scale * (g.cosine * (y_A * x_B) - g.sine * (x_A * x_B) + relative);
  CoordinateHessian<S> out;
  out.h[1][1] = -by_A;
  out.h[1][3] = -by_B;
  out.h[3][1] = by_A;
  out.h[3][3] = by_B;
  return out;
}

/// As the geometric stiffness of an axis lock.
template <class S>
CoordinateHessian<S> slide_hessian(const SlideGeometry<S>& g) {
  const Mat3<S> e = skew(g.e), r_B = skew(g.p.r_B);
  CoordinateHessian<S> out;
  out.h[0][1] = e;
  out.h[2][1] = -e;
  out.h[3][1] = -(r_B * e);
  out.h[3][3] = e * r_B;
  out.h[1][0] = -e;
  out.h[1][1] = skew(g.rho) * e;
  out.h[1][2] = e;
  out.h[1][3] = -(e * r_B);
  return out;
}

template <class S>
CoordinateHessian<S> coordinate_hessian(const System& system, const JointCoordinate& coordinate,
                                        const S* c, const Workspace<S>& w) {
  return coordinate.is_angle() ? angle_hessian(coordinate_angle(system, coordinate, c, w))
                               : slide_hessian(slide_geometry(coordinate, c, w));
}

/// d²q/dt² at zero accelerations. Of an angle, q̇ = g·(ω_B - ω_A) with the gradient g that turns on.
template <class S>
S coordinate_bias(const System& system, const JointCoordinate& coordinate, const S* c,
                  const Workspace<S>& w) {
  const auto& a = w.body[static_cast<std::size_t>(coordinate.pair.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(coordinate.pair.body[1])];
  if (coordinate.is_angle()) {
    const auto h = angle_hessian(coordinate_angle(system, coordinate, c, w));
    return dot(b.w_W - a.w_W, h.h[3][1] * a.w_W + h.h[3][3] * b.w_W);
  }
  const auto g = slide_geometry(coordinate, c, w);
  const Vec3<S> e_rate = cross(a.w_W, g.e);
  return dot(cross(a.w_W, e_rate), g.p.d) + S(2.0) * dot(e_rate, difference_rate(a, b, g.p)) +
         dot(g.e, difference_bias(a, b, g.p));
}

/// A force against the coordinate, F(q, q̇): what it adds to the equations is F ∂q/∂x.
template <class S>
struct CoordinateForce {
  S value;
  S stiffness{}, damping{};  ///< ∂F/∂q, ∂F/∂q̇
};

template <class S>
void add_coordinate_force(const JointCoordinate& coordinate, const CoordinateValue<S>& q,
                          const S& force, Workspace<S>& w) {
  add_along(q.gradient, force, w.body[static_cast<std::size_t>(coordinate.pair.body[0])],
            w.body[static_cast<std::size_t>(coordinate.pair.body[1])]);
}

/// K gets F H + g (∂F/∂q g + ∂F/∂q̇ Hᵀ v)ᵀ, C gets ∂F/∂q̇ g gᵀ.
template <class S>
void add_coordinate_tangent(const JointCoordinate& coordinate, const CoordinateValue<S>& q,
                            const CoordinateHessian<S>& hessian, const CoordinateForce<S>& force,
                            bool damped, Workspace<S>& w) {
  const auto& a = w.body[static_cast<std::size_t>(coordinate.pair.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(coordinate.pair.body[1])];
  const Vec3<S> velocity[4] = {a.v_W, a.w_W, b.v_W, b.w_W};
  PairTangent<S> t;
  t.damped = damped;
  for (int j = 0; j < 4; ++j) {
    Vec3<S> slope = force.stiffness * q.gradient.g[j];
    if (damped) {
      Vec3<S> rate_slope;
      for (int i = 0; i < 4; ++i) rate_slope += transpose_times(hessian.h[i][j], velocity[i]);
      slope += force.damping * rate_slope;
    }
    for (int i = 0; i < 4; ++i) {
      t.k[i][j] = force.value * hessian.h[i][j] + outer(q.gradient.g[i], slope);
      if (damped) t.c[i][j] = force.damping * outer(q.gradient.g[i], q.gradient.g[j]);
    }
  }
  t.torque[0] = force.value * q.gradient.g[1];
  t.torque[1] = force.value * q.gradient.g[3];
  scatter(coordinate.pair, t, w);
}

}  // namespace tumble
