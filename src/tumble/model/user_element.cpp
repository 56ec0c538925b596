#include "tumble/model/user_element.hpp"

namespace tumble {

void UserForce::evaluate_states(std::span<const UserContext> states,
                                std::span<Wrench> wrenches) const {
  const std::size_t bodies = states.empty() ? 0 : states.front().bodies.size();
  for (std::size_t i = 0; i < states.size(); ++i)
    evaluate(states[i], wrenches.subspan(i * bodies, bodies));
}

void UserConstraint::evaluate_states(std::span<const UserContext> states,
                                     std::span<ConstraintAnswer> answers) const {
  for (std::size_t i = 0; i < states.size(); ++i) evaluate(states[i], answers[i]);
}

}  // namespace tumble
