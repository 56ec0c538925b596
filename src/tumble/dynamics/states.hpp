// State variables: ẋ = f(motion, states, time). A state is the velocity of a coordinate of its own
// whose "mass" is 1, so that its equation is v̇ - f = 0 and methods for second-order equations
// integrate it with their own order; the coordinate itself is the integral of x and acts on
// nothing (docs/theory/forces.md#state-variables).
#pragma once
#include "tumble/dynamics/motion_measures.hpp"

namespace tumble {

/// f at the workspace's kinematics.
template <class S>
S state_rate(const System& system, const StateIndex& state, const S* c, const Workspace<S>& w) {
  MeasuredMotion<S> motion;
  evaluate_expression(system, state.expression, "state", state.name, c, w, motion);
  const auto& program = system.expressions[static_cast<std::size_t>(state.expression.program)];
  return program.operand(program.outputs[0], c + state.expression.constants,
                         static_cast<const S*>(w.registers.data()));
}

template <class S>
[[gnu::noinline]] void states_residual(const System& system, const S* c, const S* vdot,
                                       Workspace<S>& w, S* out) {
  for (const StateIndex& state : system.states)
    out[state.v] = vdot[state.v] - state_rate(system, state, c, w);
}

template <class S>
[[gnu::noinline]] void states_tangent(const System& system, const S* c, Workspace<S>& w) {
  for (const StateIndex& state : system.states) {
    const ExpressionIndex& expression = state.expression;
    state_rate(system, state, c, w);
    const auto& program = system.expressions[static_cast<std::size_t>(expression.program)];
    const S* constants = c + expression.constants;
    S* registers = w.registers.data();
    program.run_partials(constants, registers);
    w.M[static_cast<std::size_t>(state.diagonal)] = S(1.0);

    S by[15];
    for (std::size_t p = 0; p < expression.pairs.size(); ++p) {
      const MotionPairIndex& read = expression.pairs[p];
      if (!gather_partials(expression, program, 0, static_cast<int>(p), constants, registers, by))
        continue;
      MeasuredMotion<S> motion;
      MotionRow<S> row;
      measure_motion(system, read, c, w, motion);
      motion_row(read, motion, by, w, row);
      for (std::size_t t = 0; t < 4; ++t) {
        if (read.row[t] < 0) continue;
        Vec3<S> k = row.k[t], c_row = row.c[t];
        if (t % 2 == 1) {  // δω_W = R δω_B - ω̃_W δφ, as in scatter()
          const auto& body = w.body[static_cast<std::size_t>(read.body[t / 2])];
          k = transpose_times(body.R_WB, k + cross(body.w_W, c_row));
          c_row = transpose_times(body.R_WB, c_row);
        }
        for (int j = 0; j < 3; ++j) {
          const auto slot = static_cast<std::size_t>(read.row[t] + j);
          w.K[slot] = w.K[slot] - k[j];
          w.C[slot] = w.C[slot] - c_row[j];
        }
      }
    }
    for (const auto& partial : program.partials) {
      const int slot = state.state_slots[static_cast<std::size_t>(partial.input)];
      if (slot < 0) continue;
      S& entry = w.C[static_cast<std::size_t>(slot)];
      entry = entry - program.operand(partial.value, constants, registers);
    }
  }
}

}  // namespace tumble
