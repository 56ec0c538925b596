// Surfaces of contacts: the distance of a point from each, signed, and the unit normal there.
//
// `motion` turns what is fixed in the first body; `at` is the point's place from that body's
// reference point, world axes. All are true distances: the normal is their gradient, so that the
// elastic force has a potential.
#pragma once
#include "tumble/dynamics/force/contact_law.hpp"
#include "tumble/dynamics/force/height_field.hpp"

namespace tumble {

template <class T>
struct SurfacePoint {
  T distance;
  Vec3<T> normal;
};

/// x/|x|; 0 where |x| is.
template <class T>
struct Direction {
  T length;
  Vec3<T> unit;
};
template <class T>
Direction<T> direction(const Vec3<T>& x) {
  const T length = norm(x);
  const T inverse = T(1.0) / select(length > T(0.0), length, T(1.0));
  return {length, inverse * x};
}

template <class S, int n, class T = typename PairMotion<S, n>::T>
SurfacePoint<T> nearest(const PlaneSurface&, const PlaneSurface::Numbers<S>& k, const S*,
                        const PairMotion<S, n>& motion, const Vec3<T>& at) {
  const Vec3<T> normal = motion.turn_A(k.normal);
  return {dot(normal, at - motion.turn_A(k.origin)), normal};
}

template <class S, int n, class T = typename PairMotion<S, n>::T>
SurfacePoint<T> nearest(const SphereSurface& surface, const SphereSurface::Numbers<S>& k, const S*,
                        const PairMotion<S, n>& motion, const Vec3<T>& at) {
  const Direction<T> out = direction(at - motion.turn_A(k.origin));
  if (surface.inside) return {T(k.radius) - out.length, -out.unit};
  return {out.length - T(k.radius), out.unit};
}

/// Of a finite cylinder: nearest to its side, to an end, or to the edge between them.
template <class S, int n, class T = typename PairMotion<S, n>::T>
SurfacePoint<T> nearest(const CylinderSurface& surface, const CylinderSurface::Numbers<S>& k,
                        const S*, const PairMotion<S, n>& motion, const Vec3<T>& at) {
  const Vec3<T> from = at - motion.turn_A(k.origin), axis = motion.turn_A(k.axis);
  const T along = dot(axis, from);
  const Direction<T> out = direction(from - along * axis);
  if (surface.inside) return {T(k.radius) - out.length, -out.unit};
  const T side = out.length - T(k.radius);
  if (!surface.finite) return {side, out.unit};

  const auto below = along < T(0.0);
  const Vec3<T> up{select(below, -axis.x, axis.x), select(below, -axis.y, axis.y),
                   select(below, -axis.z, axis.z)};
  const T end = select(below, -along, along) - T(k.half_length);
  const auto beside = side > T(0.0), beyond = end > T(0.0), on_side = side > end;
  const Direction<T> edge = direction(side * out.unit + end * up);
  const auto pick = [&](const T& of_edge, const T& of_side, const T& of_end) {
    return select(beside & beyond, of_edge, select(on_side, of_side, of_end));
  };
  return {pick(edge.length, side, end),
          {pick(edge.unit.x, out.unit.x, up.x), pick(edge.unit.y, out.unit.y, up.y),
           pick(edge.unit.z, out.unit.z, up.z)}};
}

template <class S, int n, class T = typename PairMotion<S, n>::T>
SurfacePoint<T> nearest(const HeightFieldSurface& surface, const HeightFieldSurface::Numbers<S>& k,
                        const S* c, const PairMotion<S, n>& motion, const Vec3<T>& at) {
  const Vec3<T> from = at - motion.turn_A(k.origin);
  Vec3<T> axis[3], place;
  for (int i = 0; i < 3; ++i) {
    axis[i] = motion.turn_A(k.axes.column(i));
    place[i] = dot(axis[i], from);
  }
  // x and y of the foot of the perpendicular, by values alone; then one step of Newton's iteration
  // with derivatives, which there gives those of the foot.
  const FieldFoot<S> foot = find_foot(surface, k.spacing, c + surface.heights, value_of(place));
  const T up = T(foot.h) - place.z;
  const T e_x = fma(up, T(foot.h_x), T(foot.x) - place.x);
  const T e_y = fma(up, T(foot.h_y), T(foot.y) - place.y);
  const T dx = -(T(foot.inverse[0]) * e_x + T(foot.inverse[1]) * e_y);
  const T dy = -(T(foot.inverse[1]) * e_x + T(foot.inverse[2]) * e_y);
  const T h = fma(T(foot.h_x), dx, fma(T(foot.h_y), dy, T(foot.h)));
  const T h_x = fma(T(foot.h_xx), dx, fma(T(foot.h_xy), dy, T(foot.h_x)));
  const T h_y = fma(T(foot.h_xy), dx, fma(T(foot.h_yy), dy, T(foot.h_y)));
  const T inverse = T(1.0) / sqrt(fma(h_x, h_x, fma(h_y, h_y, T(1.0))));
  const Vec3<T> normal = inverse * (axis[2] - h_x * axis[0] - h_y * axis[1]);
  const T distance = inverse * ((place.z - h) - h_x * (place.x - (T(foot.x) + dx)) -
                                h_y * (place.y - (T(foot.y) + dy)));
  return {distance, normal};
}

}  // namespace tumble
