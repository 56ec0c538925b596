// Forces between two bodies whose kernel is written over its number type: over S for the force,
// over Gradient<S, n> for the tangent.
//
// Such a kernel sees the relative motion of the two bodies (PairMotion), in which it turns vectors
// fixed in them to world axes, and returns a wrench on the second about its reference point. The
// derivatives go by displacement and rotation of the second body, its velocity and angular velocity
// and, unless the first is the ground, rotation and angular velocity of the first. As only
// differences of places and of velocities count, those by the first body's are the opposite of
// those by the second's.
#pragma once
#include "tumble/dynamics/pair_tangent.hpp"
#include "tumble/math/gradient.hpp"

namespace tumble {

/// First of three derivatives each.
enum PairDirection {
  by_place = 0,
  by_rotation = 3,
  by_velocity = 6,
  by_turning = 9,
  by_first_rotation = 12,
  by_first_turning = 15
};
inline constexpr int directions_on_ground = 12, directions_between_bodies = 18;

/// n = 0: values alone.
template <class S, int n>
struct PairNumber {
  using type = Gradient<S, n>;
};
template <class S>
struct PairNumber<S, 0> {
  using type = S;
};

template <class S, int n>
struct PairMotion {
  using T = typename PairNumber<S, n>::type;
  const BodyKinematics<S>&a, &b;
  Vec3<T> d, v;      ///< place and velocity of the second reference point from the first
  Vec3<T> w_A, w_B;  ///< angular velocities, world axes

  PairMotion(const PairIndex& pair, const Workspace<S>& w)
      : a(w.body[static_cast<std::size_t>(pair.body[0])]),
        b(w.body[static_cast<std::size_t>(pair.body[1])]),
        d(variable(b.p_W - a.p_W, by_place)),
        v(variable(b.v_W - a.v_W, by_velocity)),
        w_A(variable(a.w_W, by_first_turning)),
        w_B(variable(b.w_W, by_turning)) {}

  static Vec3<T> constant(const Vec3<S>& x) { return {T(x.x), T(x.y), T(x.z)}; }
  Vec3<T> turn_A(const Vec3<S>& x_A) const { return turned(a.R_WB * x_A, by_first_rotation); }
  Vec3<T> turn_B(const Vec3<S>& x_B) const { return turned(b.R_WB * x_B, by_rotation); }

 private:
  static Vec3<T> variable(const Vec3<S>& x, int first) {
    Vec3<T> r = constant(x);
    if constexpr (n > 0)
      if (first < n)
        for (int k = 0; k < 3; ++k) r[k].slope[first + k] = S(1.0);
    return r;
  }
  /// δφ × x.
  static Vec3<T> turned(const Vec3<S>& x, int first) {
    Vec3<T> r = constant(x);
    if constexpr (n > 0)
      if (first < n) {
        r.x.slope[first + 1] = x.z, r.x.slope[first + 2] = -x.y;
        r.y.slope[first + 2] = x.x, r.y.slope[first] = -x.z;
        r.z.slope[first] = x.y, r.z.slope[first + 1] = -x.x;
      }
    return r;
  }
};

/// On the second body: a force, and the moment about its reference point.
template <class T>
struct PairWrench {
  Vec3<T> force, moment;
};

template <class T>
TUMBLE_INLINE void accumulate(PairWrench<T>& sum, const PairWrench<T>& part) {
  sum.force += part.force;
  sum.moment += part.moment;
}

template <class S>
void add_wrench(const PairIndex& pair, const PairWrench<S>& f, Workspace<S>& w) {
  auto& a = w.body[static_cast<std::size_t>(pair.body[0])];
  auto& b = w.body[static_cast<std::size_t>(pair.body[1])];
  b.force_W -= f.force;
  b.torque_W -= f.moment;
  a.force_W += f.force;
  a.torque_W += f.moment + cross(b.p_W - a.p_W, f.force);
}

template <class S, int n>
Mat3<S> derivative(const Vec3<Gradient<S, n>>& y, int first) {
  Mat3<S> m;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) m(i, k) = y[i].slope[first + k];
  return m;
}

template <class S, int n>
void add_tangent(const PairIndex& pair, const PairMotion<S, n>& motion,
                 const PairWrench<Gradient<S, n>>& f, Workspace<S>& w) {
  // What it adds to the equations of the four triples: minus the forces.
  const Vec3<Gradient<S, n>> added[4] = {f.force, f.moment + cross(motion.d, f.force), -f.force,
                                         -f.moment};
  PairTangent<S> t;
  t.damped = true;
  for (int row = 0; row < 4; ++row) {
    t.k[row][2] = derivative(added[row], by_place);
    t.k[row][0] = -t.k[row][2];
    t.k[row][3] = derivative(added[row], by_rotation);
    t.c[row][2] = derivative(added[row], by_velocity);
    t.c[row][0] = -t.c[row][2];
    t.c[row][3] = derivative(added[row], by_turning);
    if constexpr (n > directions_on_ground) {
      t.k[row][1] = derivative(added[row], by_first_rotation);
      t.c[row][1] = derivative(added[row], by_first_turning);
    }
  }
  t.torque[0] = value_of(added[1]);
  t.torque[1] = value_of(added[3]);
  scatter(pair, t, w);
}

}  // namespace tumble
