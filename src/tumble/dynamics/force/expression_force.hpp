// Forces written as expressions (docs/theory/forces.md#expressions).
//
// The outputs u of a program act along directions: a force F on the second body at p_B and a torque
// M, the opposite on the first body at the same point,
//   F = Σ u a,  M = Σ u a,   a the axes of frame A (or of B, or the line between two points),
//   M += R_A T⁻ᵀ(θ) u        for moments, which are conjugate to the rotation vector θ.
// With D the wrench on both bodies that a unit of an output adds to the equations,
//   K = Σ D ⊗ ∂u/∂q + Σ u ∂D/∂q,  C = Σ D ⊗ ∂u/∂v:
// a product of two rows for each output, and what the directions do themselves.
#pragma once
#include "tumble/dynamics/force/bushing.hpp"
#include "tumble/dynamics/motion_measures.hpp"

namespace tumble {

/// Force and torque of an expression, world axes, with what they are made of.
template <class S>
struct ExpressionWrench {
  MeasuredMotion<S> motion;
  Mat3<S> axes;       ///< of the components
  Vec3<S> force;      ///< F
  Vec3<S> torque;     ///< M without moments
  Vec3<S> conjugate;  ///< what moments add to M
  Vec3<S> moment;     ///< their components, axes of A
  S tension;
};

template <class S>
TUMBLE_INLINE void expression_wrench(const System& system, const ExpressionForceIndex& f,
                                     const S* c, Workspace<S>& w, ExpressionWrench<S>& x) {
  using Kind = ExpressionForceIndex::Output::Kind;
  evaluate_expression(system, f.expression, "expression", f.name, c, w, x.motion);
  const auto& program = system.expressions[static_cast<std::size_t>(f.expression.program)];
  const S* constants = c + f.expression.constants;
  Vec3<S> force, torque, moment;
  S tension(0.0);
  for (std::size_t o = 0; o < f.outputs.size(); ++o) {
    const S& u = program.operand(program.outputs[o], constants, w.registers.data());
    const int axis = f.outputs[o].axis;
    switch (f.outputs[o].kind) {
      case Kind::force:
        force[axis] = u;
        break;
      case Kind::torque:
        torque[axis] = u;
        break;
      case Kind::moment:
        moment[axis] = u;
        break;
      case Kind::tension:
        tension = u;
        break;
    }
  }
  const auto& b = w.body[static_cast<std::size_t>(f.pair.body[1])];
  x.axes = f.second_axes ? b.R_WB : x.motion.R_WA;
  x.force = x.axes * force;
  x.torque = x.axes * torque;
  x.tension = tension;
  x.moment = moment;
  x.conjugate = {};
  if (f.expression.pairs[0].line && f.outputs.size() == 1 && f.outputs[0].kind == Kind::tension)
    x.force = -(tension * x.motion.n);
  if (f.moments)
    x.conjugate =
        x.motion.R_WA * inverse_transposed_tangent(x.motion.theta, x.motion.tangent.c, moment);
}

template <class S>
[[gnu::noinline]] void residual(const System& system, const ExpressionForceIndex& f, const S* c,
                                Workspace<S>& w) {
  ExpressionWrench<S> x;
  expression_wrench(system, f, c, w, x);
  const Vec3<S> torque = x.torque + x.conjugate;
  auto& a = w.body[static_cast<std::size_t>(f.pair.body[0])];
  auto& b = w.body[static_cast<std::size_t>(f.pair.body[1])];
  a.force_W += x.force;
  a.torque_W += cross(x.motion.rho, x.force) + torque;
  b.force_W -= x.force;
  b.torque_W -= cross(x.motion.p.r_B, x.force) + torque;
  w.power.work = w.power.work + dot(x.force, x.motion.e_rate_W) + dot(torque, x.motion.slip_W);
}

/// As scatter(), with the columns of other bodies than those the element acts on.
template <class S>
void scatter_read(const PairIndex& acting, const MotionPairIndex& read, const PairTangent<S>& t,
                  Workspace<S>& w) {
  for (std::size_t row = 0; row < 4; ++row) {
    const Mat3<S>& R_row = w.body[static_cast<std::size_t>(acting.body[row / 2])].R_WB;
    for (std::size_t column = 0; column < 4; ++column) {
      const BlockSlots& slots = read.slots[row][column];
      if (slots.row[0] < 0) continue;
      const auto& body = w.body[static_cast<std::size_t>(read.body[column / 2])];
      Mat3<S> k = t.k[row][column], c = t.c[row][column];
      if (column % 2 == 1) {
        k -= c * skew(body.w_W);
        k = k * body.R_WB;
        c = c * body.R_WB;
      }
      if (row % 2 == 1) {
        k = transpose_times(R_row, k);
        c = transpose_times(R_row, c);
      }
      add_block(w.K.data(), slots, k);
      add_block(w.C.data(), slots, c);
    }
  }
}

/// What a unit of an output adds to the four triples, world axes.
template <class S>
TUMBLE_INLINE void unit_wrench(const ExpressionForceIndex::Output& output,
                               const ExpressionWrench<S>& x, Vec3<S> (&D)[4]) {
  using Kind = ExpressionForceIndex::Output::Kind;
  const auto& m = x.motion;
  if (output.kind == Kind::force || output.kind == Kind::tension) {
    const Vec3<S> a = output.kind == Kind::force ? x.axes.column(output.axis) : -m.n;
    D[0] = a;
    D[1] = cross(m.rho, a);
    D[2] = -a;
    D[3] = cross(a, m.p.r_B);
    return;
  }
  Vec3<S> a = x.axes.column(output.axis);
  if (output.kind == Kind::moment) {
    Vec3<S> unit;
    unit[output.axis] = S(1.0);
    a = m.R_WA * inverse_transposed_tangent(m.theta, m.tangent.c, unit);
  }
  D[0] = D[2] = {};
  D[1] = a;
  D[3] = -a;
}

/// Σ u ∂D/∂q.
template <class S>
void add_turning_directions(const ExpressionForceIndex& f, const ExpressionWrench<S>& x,
                            PairTangent<S>& t) {
  const auto& m = x.motion;
  const Mat3<S> F = skew(x.force), rho = skew(m.rho), r_A = skew(m.p.r_A), r_B = skew(m.p.r_B),
                I = Mat3<S>::identity();
  Mat3<S> dF[4], dM[4];
  const int turning = f.second_axes ? 3 : 1;
  const bool line =
      f.outputs.size() == 1 && f.outputs[0].kind == ExpressionForceIndex::Output::Kind::tension;
  if (line) {
    const Mat3<S> P = (-x.tension / m.length) * (I - outer(m.n, m.n));
    dF[0] = -P;
    dF[1] = P * r_A;
    dF[2] = P;
    dF[3] = -(P * r_B);
  } else {
    dF[turning] -= F;
    dM[turning] -= skew(x.torque);
  }
  if (f.moments) {
    const Mat3<S> theta = skew(m.theta), Rt = transpose(m.R_WA);
    const Mat3<S> to_theta = I - S(0.5) * theta + m.tangent.c * (theta * theta);
    const Mat3<S> by_turn =
        m.R_WA * (inverse_tangent_derivative(m.theta, m.tangent, x.moment) * (to_theta * Rt));
    dM[1] -= skew(x.conjugate) + by_turn;
    dM[3] += by_turn;
  }
  const Mat3<S> d_rho[4] = {-I, {}, I, -r_B};
  for (int j = 0; j < 4; ++j) {
    t.k[0][j] += dF[j];
    t.k[1][j] += rho * dF[j] - F * d_rho[j] + dM[j];
    t.k[2][j] -= dF[j];
    t.k[3][j] -= r_B * dF[j] + dM[j];
  }
  t.k[3][3] -= F * r_B;
}

template <class S>
[[gnu::noinline]] void tangent(const System& system, const ExpressionForceIndex& f, const S* c,
                               Workspace<S>& w) {
  ExpressionWrench<S> x;
  expression_wrench(system, f, c, w, x);
  const auto& program = system.expressions[static_cast<std::size_t>(f.expression.program)];
  const S* constants = c + f.expression.constants;
  S* registers = w.registers.data();
  program.run_partials(constants, registers);

  S by[15];
  Vec3<S> D[4];
  MotionRow<S> row;
  for (std::size_t p = 0; p < f.expression.pairs.size(); ++p) {
    const MotionPairIndex& read = f.expression.pairs[p];
    PairTangent<S> t;
    t.damped = true;
    MeasuredMotion<S> other;
    if (p > 0) measure_motion(system, read, c, w, other);
    bool any_here = p == 0;
    for (std::size_t o = 0; o < f.outputs.size(); ++o) {
      if (!gather_partials(f.expression, program, static_cast<int>(o), static_cast<int>(p),
                           constants, registers, by))
        continue;
      any_here = true;
      motion_row(read, p > 0 ? other : x.motion, by, w, row);
      unit_wrench(f.outputs[o], x, D);
      const bool pushes = f.outputs[o].kind == ExpressionForceIndex::Output::Kind::force ||
                          f.outputs[o].kind == ExpressionForceIndex::Output::Kind::tension;
      for (int j = 0; j < 4; ++j) {
        for (int i = pushes ? 0 : 1; i < 4; i += pushes ? 1 : 2) {
          t.k[i][j] += outer(D[i], row.k[j]);
          t.c[i][j] += outer(D[i], row.c[j]);
        }
      }
    }
    if (p > 0) {
      if (any_here) scatter_read(f.pair, read, t, w);
      continue;
    }
    add_turning_directions(f, x, t);
    const Vec3<S> torque = x.torque + x.conjugate;
    t.torque[0] = cross(x.motion.rho, x.force) + torque;
    t.torque[1] = -(cross(x.motion.p.r_B, x.force) + torque);
    scatter(f.pair, t, w);
  }

  for (const auto& partial : program.partials) {
    const auto i = static_cast<std::size_t>(partial.input);
    if (f.expression.inputs[i].kind != ExpressionInput::Kind::state) continue;
    const S slope = program.operand(partial.value, constants, registers);
    unit_wrench(f.outputs[static_cast<std::size_t>(partial.output)], x, D);
    for (std::size_t triple = 0; triple < 4; ++triple) {
      const auto& slots = f.state_slots[i][triple];
      if (slots[0] < 0) continue;
      Vec3<S> entries = slope * D[triple];
      if (triple % 2 == 1)
        entries = transpose_times(w.body[static_cast<std::size_t>(f.pair.body[triple / 2])].R_WB,
                                  entries);
      for (int k = 0; k < 3; ++k) {
        S& slot = w.C[static_cast<std::size_t>(slots[static_cast<std::size_t>(k)])];
        slot = slot + entries[k];
      }
    }
  }
}

template <class S>
const Vec3<S>* acts_at(const ExpressionForceIndex& f, const S* c) {
  return &constants_of(f, c).r_B;
}

/// Of the first formula; check() sees to it that there is one only.
template <class S>
bool measure(const System& system, const ExpressionForceIndex& f, Quantity quantity, const S* c,
             const Workspace<S>& w, S* out) {
  if (quantity != Quantity::value) return false;
  MeasuredMotion<S> motion;
  evaluate_expression(system, f.expression, "expression", f.name, c, w, motion);
  const auto& program = system.expressions[static_cast<std::size_t>(f.expression.program)];
  out[0] = program.outputs.empty() ? S(0.0)
                                   : program.operand(program.outputs[0], c + f.expression.constants,
                                                     static_cast<const S*>(w.registers.data()));
  return true;
}

}  // namespace tumble
