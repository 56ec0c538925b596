// A model at one random instant: off the constraints, turned far, every rate at work.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>

#include "tumble/dynamics/energy.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble::testing {

using Numbers = std::vector<double>;

/// The same numbers everywhere: std::mt19937 is fixed by the standard, its distributions are not.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
  }
  Numbers numbers(std::size_t count, double size) {
    Numbers x(count);
    for (double& xi : x) xi = between(-size, size);
    return x;
  }
  Vec3d direction() {
    for (;;) {
      const Vec3d d{between(-1, 1), between(-1, 1), between(-1, 1)};
      if (const double length = norm(d); length > 0.1 && length < 1) return (1 / length) * d;
    }
  }

 private:
  std::mt19937 engine_;
};

class Instant {
 public:
  /// Centres of mass are moved away from the reference points through parameter slots.
  explicit Instant(const Model& model, std::uint32_t seed = 1)
      : system(compile(model, PrescribedMotion::keep)), w(*system) {
    Random random(seed);
    Realization realization(model);
    for (const auto& b : model.bodies)
      for (const char* axis : {"[0]", "[1]", "[2]"}) {
        if (b.at_node) continue;  // has no slots
        const int slot = system->parameters.find("bodies." + b.name + ".position" + axis);
        if (slot < 0) continue;  // nodes of flexible bodies have none
        realization.set(slot, realization.get(slot) + random.between(-0.4, 0.4));
      }
    constants = prepare(*system, realization.model());
    const InitialState start = initial_state(*system, realization.model());
    const auto nv = static_cast<std::size_t>(system->nv), nc = static_cast<std::size_t>(system->nc);
    Numbers u(nv);
    const auto bodies = static_cast<std::size_t>(system->beam_v);
    for (std::size_t i = bodies; i < nv; ++i) u[i] = random.between(-0.2, 0.2);
    for (std::size_t i = 0; i < bodies; i += 6) {
      // Drawn one after the other: the order of operands is the compiler's.
      const Vec3d shift = random.direction();
      store3(&u[i], random.between(0.1, 0.5) * shift);
      // Up to 1.4 rad each: two bodies stay well below the half turn at which the rotation vector
      // between them jumps.
      const Vec3d turn = random.direction();
      store3(&u[i + 3], random.between(0.6, 1.4) * turn);
    }
    q = start.q;
    compose(*system, start.q.data(), u.data(), q.data());
    v = random.numbers(nv, 1.5);
    vdot = random.numbers(nv, 2);
    lambda = random.numbers(nc, 2);
    // Two full turns on; fixed at the angle itself so that no difference quotient jumps a turn.
    update();
    for (std::size_t i = 0; i < w.angle.size(); ++i) {
      w.angle[i].value = 12.566370614359172;
      w.angle[i].value = tracked_angle(*system, static_cast<int>(i), constants.data(), w);
    }
  }

  /// The kinematics of the workspace, wrenches cleared, the ground's too.
  void update() {
    w.body[0].force_W = w.body[0].torque_W = {};
    update_drives(*system, constants.data(), time, time, w);
    update_bodies(*system, q.data(), v.data(), w);
  }
  Numbers residual() {
    update();
    Numbers out(static_cast<std::size_t>(system->nv + system->nc));
    tumble::residual(*system, constants.data(), vdot.data(), lambda.data(), w, out.data());
    return out;
  }
  void tangent() {
    update();
    tumble::tangent(*system, constants.data(), vdot.data(), lambda.data(), w);
  }
  /// Moves along the path q ∘ exp(v t + ½ v̇ t²), whose velocity and acceleration at t = 0 are v
  /// and v̇ (the tangent of exp is the identity there, and its rate is ½ ω × ω = 0).
  Instant after(double t) const {
    Instant moved(*this);
    Numbers u(v.size());
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = t * (v[i] + 0.5 * t * vdot[i]);
    compose(*system, q.data(), u.data(), moved.q.data());
    moved.time += t;
    moved.update();
    return moved;
  }

  std::shared_ptr<const System> system;
  Numbers constants, q, v, vdot, lambda;
  double time = 0.3;
  Workspace<double> w;
};

/// First derivative at 0 of a function given at -2h, -h, h, 2h. Error h⁴ f⁗'/30 + 1.5 eps |f|/h.
inline double first_difference(double m2, double m1, double p1, double p2, double h) {
  return (8 * (p1 - m1) - (p2 - m2)) / (12 * h);
}
/// Second derivative likewise. Error h⁴ f⁽⁶⁾/90 + 5 eps |f|/h².
inline double second_difference(double m2, double m1, double f0, double p1, double p2, double h) {
  return (16 * (p1 + m1) - (p2 + m2) - 30 * f0) / (12 * h * h);
}

/// Shortest way to the norm of a list.
inline double largest(const Numbers& x) {
  double size = 0;
  for (const double xi : x) size = std::max(size, std::fabs(xi));
  return size;
}

}  // namespace tumble::testing
