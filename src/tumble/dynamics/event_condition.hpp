// What an event watches: its formula less its level, at the workspace's kinematics.
#pragma once
#include "tumble/dynamics/motion_measures.hpp"

namespace tumble {

template <class S>
[[gnu::noinline]] S event_condition(const System& system, const EventIndex& event, const S* c,
                                    const Workspace<S>& w) {
  MeasuredMotion<S> motion;
  evaluate_expression(system, event.expression, "event", event.name, c, w, motion);
  const auto& program = system.expressions[static_cast<std::size_t>(event.expression.program)];
  return program.operand(program.outputs[0], c + event.expression.constants,
                         static_cast<const S*>(w.registers.data())) -
         c[event.level];
}

}  // namespace tumble
