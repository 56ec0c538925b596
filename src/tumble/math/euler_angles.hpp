// Euler angles about moving axes 1, 2, 3: R = R1(a) R2(b) R3(c), and how to follow them in time.
#pragma once
#include "tumble/math/scalar.hpp"
#include "tumble/math/vec3.hpp"

namespace tumble {

/// The angles with b in [-π/2, π/2].
template <class S>
Vec3<S> euler_123(const Mat3<S>& R) {
  const S first = atan2(-R(1, 2), R(2, 2));
  const S middle = atan2(R(0, 2), sqrt(R(1, 2) * R(1, 2) + R(2, 2) * R(2, 2)));
  // The second row of R1ᵀ R = R2 R3 is (sin c, cos c, 0): near gimbal lock, where `first` is hardly
  // defined, the last angle makes up for it and the three still give R.
  const S cosine = cos(first), sine = sin(first);
  return {first, middle,
          atan2(cosine * R(1, 0) + sine * R(2, 0), cosine * R(1, 1) + sine * R(2, 1))};
}

/// Angles of a rotation, and by how much the worst of them is off what was expected.
template <class S>
struct NearestAngles {
  Vec3<S> angles;
  S gap;
};

/// Of all angles that make R, the ones nearest to `expected`: (a, b, c) and (a + π, π - b, c + π)
/// are the same rotation, and so are all that differ from them by full turns. The second kind leads
/// the middle angle through ±π/2, where the first would jump.
template <class S>
NearestAngles<S> nearest_euler_123(const Mat3<S>& R, const Vec3<S>& expected) {
  const S half_turn(3.141592653589793238462643383280), turn(6.283185307179586476925286766559);
  const Vec3<S> plain = euler_123(R);
  const Vec3<S> folded{plain.x + half_turn, half_turn - plain.y, plain.z + half_turn};
  const auto near = [&](const Vec3<S>& angles) {
    Vec3<S> moved;
    for (int k = 0; k < 3; ++k)
      moved[k] = angles[k] + turn * round((expected[k] - angles[k]) / turn);
    return moved;
  };
  const Vec3<S> one = near(plain), other = near(folded);
  const Vec3<S> off_one = one - expected, off_other = other - expected;
  const auto fold = dot(off_other, off_other) < dot(off_one, off_one);
  NearestAngles<S> result;
  result.gap = S(0.0);
  for (int k = 0; k < 3; ++k) {
    result.angles[k] = select(fold, other[k], one[k]);
    result.gap = max(result.gap, abs(select(fold, off_other[k], off_one[k])));
  }
  return result;
}

/// Rates of the angles at the angular velocity ω in body axes: from
///   ω = a' (cos b cos c, -cos b sin c, sin b) + b' (sin c, cos c, 0) + c' (0, 0, 1).
/// Close to gimbal lock, where a' and c' have no bound, a' is left out.
template <class S>
Vec3<S> euler_123_rates(const Vec3<S>& angles, const Vec3<S>& omega) {
  const auto b = sincos(angles.y), c = sincos(angles.z);
  const auto locked = abs(b.cos) < S(0.1);
  const S a_rate =
      select(locked, S(0.0), c.cos * omega.x - c.sin * omega.y) / select(locked, S(1.0), b.cos);
  return {a_rate, c.sin * omega.x + c.cos * omega.y, omega.z - b.sin * a_rate};
}

}  // namespace tumble
