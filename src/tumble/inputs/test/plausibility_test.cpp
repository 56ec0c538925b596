// How probable impossible values are, by tails of the normal distribution.
#include "tumble/inputs/plausibility.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tumble {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Model body_model() {
  Model model;
  Body body;
  body.name = "b";
  body.mass = 1;
  body.inertia = {1.4, 1, 1, 0, 0, 0};
  model.bodies = {body};
  model.simulation.duration = 1;
  model.simulation.step = 0.1;
  return model;
}

std::vector<std::string> doubts(double mean, double std, const std::string& path) {
  return doubts_about(ScalarLaw(NormalLaw{.mean = mean, .std = std}), {path}, body_model());
}

TEST(Plausibility, AddsUpTheTailsOfImpossibleValues) {
  // A mass below 0 is two deviations away: 0.0228.
  EXPECT_THAT(doubts(1, 0.5, "bodies.b.mass"), ElementsAre(HasSubstr("a probability of 2.3 %")));
  // No body has one moment larger than the sum of the others, 1.5 deviations up: 0.0668.
  EXPECT_THAT(doubts(1.4, 0.4, "bodies.b.inertia[0]"),
              ElementsAre(HasSubstr("a probability of 6.7 %")));
  // Both ends: below 0 and above 2, a deviation away from 1 each: 0.3173.
  EXPECT_THAT(doubts(1, 1, "bodies.b.inertia[0]"), ElementsAre(HasSubstr("a probability of 32 %")));
  EXPECT_THAT(doubts(1, 0.1, "bodies.b.mass"), IsEmpty());
}

}  // namespace
}  // namespace tumble
