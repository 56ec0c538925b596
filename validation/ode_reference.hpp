// References that share nothing with the engine: minimal-coordinate equations of motion written
// out by hand and integrated by the classical explicit Runge-Kutta method with tiny steps.
#pragma once
#include <array>
#include <cmath>

#include "tumble/model/entry.hpp"

namespace tumble::validation {

template <std::size_t N>
using Vector = std::array<double, N>;

template <std::size_t N>
Vector<N> combine(const Vector<N>& a, double s, const Vector<N>& b) {
  Vector<N> c;
  for (std::size_t i = 0; i < N; ++i) c[i] = a[i] + s * b[i];
  return c;
}

/// y(to) from y(from), y' = f(t, y), in equal steps of at most `largest_step`. With a step h and
/// frequency w its error is about (w h)^4 w t / 120.
template <std::size_t N, class F>
Vector<N> integrate(F f, Vector<N> y, double from, double to, double largest_step) {
  if (to <= from) return y;
  const auto steps = static_cast<long>(std::ceil((to - from) / largest_step));
  const double h = (to - from) / static_cast<double>(steps);
  for (long n = 0; n < steps; ++n) {
    const double t = from + static_cast<double>(n) * h;
    const auto k1 = f(t, y);
    const auto k2 = f(t + h / 2, combine(y, h / 2, k1));
    const auto k3 = f(t + h / 2, combine(y, h / 2, k2));
    const auto k4 = f(t + h, combine(y, h, k3));
    for (std::size_t i = 0; i < N; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return y;
}

/// A rigid body that turns about a point: Euler's equations with principal inertias J about that
/// point, and R' = R skew(w) for the nine direction cosines. State: R by columns, then w (body).
struct TurningBody {
  Vec3d J;         ///< about the point, body axes [kg m^2]
  Vec3d weight;    ///< mass times gravity, ground axes [N]
  Vec3d centre{};  ///< of mass, from the point, body axes [m]
  using State = Vector<12>;

  static State start(const Vec3d& w) { return {1, 0, 0, 0, 1, 0, 0, 0, 1, w.x, w.y, w.z}; }
  static Vec3d column(const State& y, std::size_t k) {
    return {y[3 * k], y[3 * k + 1], y[3 * k + 2]};
  }
  static Vec3d omega(const State& y) { return column(y, 3); }
  static Vec3d to_ground(const State& y, const Vec3d& r) {
    return r.x * column(y, 0) + r.y * column(y, 1) + r.z * column(y, 2);
  }
  Vec3d angular_acceleration(const State& y) const {
    const Vec3d w = omega(y);
    const Vec3d weight_B{dot(column(y, 0), weight), dot(column(y, 1), weight),
                         dot(column(y, 2), weight)};
    const Vec3d torque = cross(centre, weight_B) - cross(w, {J.x * w.x, J.y * w.y, J.z * w.z});
    return {torque.x / J.x, torque.y / J.y, torque.z / J.z};
  }
  State operator()(double, const State& y) const {
    const Vec3d w = omega(y), wdot = angular_acceleration(y);
    const Vec3d x = column(y, 0), yy = column(y, 1), z = column(y, 2);
    const Vec3d dx = w.z * yy - w.y * z, dy = w.x * z - w.z * x, dz = w.y * x - w.x * yy;
    return {dx.x, dx.y, dx.z, dy.x, dy.y, dy.z, dz.x, dz.y, dz.z, wdot.x, wdot.y, wdot.z};
  }
  /// Of the material point r (body axes), ground axes.
  Vec3d velocity(const State& y, const Vec3d& r) const { return to_ground(y, cross(omega(y), r)); }
  Vec3d acceleration(const State& y, const Vec3d& r) const {
    const Vec3d w = omega(y);
    return to_ground(y, cross(angular_acceleration(y), r) + cross(w, cross(w, r)));
  }
};

}  // namespace tumble::validation
