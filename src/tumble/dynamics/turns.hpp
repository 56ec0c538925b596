// Angles, Euler angles and rotation vectors counted through full turns
// (docs/theory/coordinates.md#angles-counted-through-full-turns).
//
// A rotation tells an angle up to full turns. Which of them is meant follows from the angle and its
// rate at the last accepted instant: the one nearest to where they lead. If the nearest is more
// than a quarter of a turn off, the step was too long to tell, and says so.
#pragma once
#include "tumble/dynamics/force/bushing.hpp"
#include "tumble/dynamics/tracked_angle.hpp"
#include "tumble/math/euler_angles.hpp"

namespace tumble {

/// Before the first instant: nothing has turned yet.
template <class S>
void forget_turns(const System& system, Workspace<S>& w) {
  w.ahead = 0;
  for (auto& angle : w.angle) angle = {};
  for (std::size_t i = 0; i < w.euler.size(); ++i) {
    const auto& start = system.tracked_eulers[i].start;
    w.euler[i] = {};
    w.euler[i].angles.value = {S(start[0]), S(start[1]), S(start[2])};
  }
  for (auto& turn : w.bushing) turn = {};
  w.bushings_followed = false;
}

/// All that is counted, as BasicInitialState holds it.
template <class S>
std::vector<S> turns_of(const Workspace<S>& w) {
  std::vector<S> turns;
  for (const auto& angle : w.angle) turns.push_back(angle.value);
  for (const auto& euler : w.euler)
    for (int k = 0; k < 3; ++k) turns.push_back(euler.angles.value[k]);
  for (const auto& turn : w.bushing)
    for (int k = 0; k < 3; ++k) turns.push_back(turn.theta.value[k]);
  return turns;
}

/// Begins to count where a start has turned to. Bushings are followed from there if one is far.
template <class S>
void take_turns(const S* turns, Workspace<S>& w) {
  for (auto& angle : w.angle) angle.value = *turns++;
  for (auto& euler : w.euler) euler.angles.value = load3(turns), turns += 3;
  for (auto& turn : w.bushing) {
    turn.theta.value = load3(turns), turns += 3;
    const S one(1.0);
    turn.far = select(dot(turn.theta.value, turn.theta.value) > one, one, S(0.0));
    w.bushings_followed = w.bushings_followed || any(turn.far > S(0.5));
  }
}

/// Whether bushings must be followed, by the last evaluation of forces. None comes to turn whole
/// turns in a step without having been seen at a large angle before, unless it starts so.
template <class S>
bool bushings_turn_far(const Workspace<S>& w) {
  return w.bushings_followed || !all(w.bushing_reach < S(1.0));
}

/// Half a radian about an axis, after which Euler angles are followed.
template <class S>
Mask<S> has_turned(const S& turned) {
  return turned > S(0.5);
}

/// Whether follow_turns() has anything to do after a step h to the velocities v; asked at every
/// step, and notes what Euler angles may have changed by.
template <class S>
bool turns_to_follow(const System& system, double h, const S* v, Workspace<S>& w) {
  bool any_turns = !w.angle.empty();
  for (std::size_t i = 0; i < w.euler.size(); ++i) {
    const int body = system.tracked_eulers[i].body;
    const auto& index = system.bodies[static_cast<std::size_t>(body) - 1];
    // The accepted velocities themselves: kinematics are those of the last iterate.
    const Vec3<S> omega =
        index.prescribed >= 0
            ? w.body[static_cast<std::size_t>(body)].w_B
            : load3(v + system.blocks[static_cast<std::size_t>(index.block)].v + 3);
    auto& euler = w.euler[i];
    euler.turned = fma(S(h), largest_entry(omega), euler.turned);
    any_turns = any_turns || any(has_turned(euler.turned));
  }
  return any_turns || bushings_turn_far(w);
}

/// Does a rotation change what the bushing does?
template <class S>
Mask<S> resists_turning(const BushingIndex& bushing, const S* c) {
  const S *K = constants_of(bushing, c).K, *f0 = constants_of(bushing, c).f0;
  S size(0.0);
  for (int i = 0; i < 6; ++i)
    for (int j = 3; j < 6; ++j) size = size + abs(K[6 * i + j]) + abs(K[6 * j + i]);
  for (int j = 3; j < 6; ++j) size = size + abs(f0[j]);
  return size > S(0.0);
}

/// The lanes in which a rotation vector of a bushing cannot be told.
template <class S>
Mask<S> follow_bushing(const BushingIndex& bushing, const S* c, Workspace<S>& w) {
  auto& turn = w.bushing[static_cast<std::size_t>(bushing.index)];
  const auto s = bushing_state(bushing, c, w);
  const Vec3<S> slip = transpose_times(s.R_WA, s.slip_W), across = cross(s.theta, slip);
  const Vec3<S> off = s.theta - expected_turn(turn, w);
  const S quarter(1.5707963267948966), one(1.0);
  const Mask<S> lost =
      (turn.far > S(0.5)) & (dot(off, off) > quarter * quarter) & resists_turning(bushing, c);
  turn.theta.next = s.theta;
  turn.theta.next_rate = slip - S(0.5) * across + s.tangent.c * cross(s.theta, across);
  turn.next_far =
      select((s.square < one) & (largest_entry(s.slip_W) < S(w.fast_turning)), S(0.0), one);
  return lost;
}

/// The Euler angles of a body at the workspace's time and kinematics.
template <class S>
NearestAngles<S> followed_euler(const TrackedEuler& tracked, const FollowedEuler<S>& euler,
                                const Workspace<S>& w) {
  return nearest_euler_123(w.body[static_cast<std::size_t>(tracked.body)].R_WB,
                           euler.angles.value + (S(w.time) - euler.instant) * euler.angles.rate);
}

/// Follows Euler angles in the lanes whose turn has come. Returns those in which they cannot be
/// told; close to gimbal lock, where angles may swing by half a turn in no time, there is nothing
/// to tell.
template <class S>
Mask<S> follow_euler(const TrackedEuler& tracked, FollowedEuler<S>& euler, const Workspace<S>& w) {
  const auto found = followed_euler(tracked, euler, w);
  const Vec3<S> rates =
      euler_123_rates(found.angles, w.body[static_cast<std::size_t>(tracked.body)].w_B);
  const S quarter(1.5707963267948966), clear(0.5), zero(0.0);
  const Mask<S> due = w.ahead > 0 ? has_turned(euler.turned) : zero == zero;
  for (int k = 0; k < 3; ++k) {
    euler.angles.next[k] = select(due, found.angles[k], euler.angles.value[k]);
    euler.angles.next_rate[k] = select(due, rates[k], euler.angles.rate[k]);
  }
  euler.next_instant = select(due, S(w.time), euler.instant);
  return due & (found.gap > quarter) & (abs(cos(euler.angles.value.y)) > clear) &
         (abs(cos(found.angles.y)) > clear);
}

/// Moves on to the workspace's kinematics, `w.ahead` after the last accepted instant. Returns the
/// lanes whose turns cannot be told; a single realisation then stays where it was. At the very
/// instant nothing can be lost.
template <class S>
Mask<S> follow_turns(const System& system, const S* c, Workspace<S>& w) {
  constexpr bool single = std::is_same_v<S, double>;
  const S quarter(1.5707963267948966);
  const bool moved = w.ahead > 0;
  Mask<S> lost = S(1.0) < S(0.0);
  int number = 0;
  const auto note = [&](const Mask<S>& here) {
    if (moved) {
      if constexpr (single)
        if (here && !lost) w.lost_turn = number;
      lost = lost | here;
    }
    ++number;
  };
  for (std::size_t i = 0; i < w.angle.size(); ++i) {
    const TrackedAngle& tracked = system.tracked_angles[i];
    const auto found = followed_angle(system, static_cast<int>(i), c, w);
    w.angle[i].next = found.angle;
    w.angle[i].next_rate = found.rate;
    const bool certain = tracked.drive >= 0 || !tracked.hinged;
    note(certain ? S(1.0) < S(0.0) : abs(found.angle - found.expected) > quarter);
  }
  for (std::size_t i = 0; i < w.euler.size(); ++i)
    note(follow_euler(system.tracked_eulers[i], w.euler[i], w));
  const bool bushings = !moved || bushings_turn_far(w);
  for (const BushingIndex& bushing : system.all<BushingIndex>())
    note(bushings ? follow_bushing(bushing, c, w) : S(1.0) < S(0.0));
  if constexpr (single)
    if (lost) return lost;

  for (auto& angle : w.angle) angle.value = angle.next, angle.rate = angle.next_rate;
  for (auto& euler : w.euler) {
    euler.angles.value = euler.angles.next;
    euler.angles.rate = euler.angles.next_rate;
    euler.turned = select(euler.next_instant == S(w.time), S(0.0), euler.turned);
    euler.instant = euler.next_instant;
  }
  if (!bushings) return lost;
  w.bushings_followed = false;
  for (auto& turn : w.bushing) {
    turn.theta.value = turn.theta.next;
    turn.theta.rate = turn.theta.next_rate;
    turn.far = turn.next_far;
    w.bushings_followed = w.bushings_followed || any(turn.far > S(0.5));
  }
  return lost;
}

}  // namespace tumble
