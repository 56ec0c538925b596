// Expressions of probed numbers: names, values, and units where they are plain.
#include "tumble/io/model/read_formula.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tumble/io/model/study_sections.hpp"
#include "tumble/io/model_reader.hpp"

namespace tumble::read_formula_test {

constexpr const char* model = R"(
constants: {L: 2, k: 0.5}
bodies:
  a: {mass: 1, position: [0, 0, 0], inertia: [1, 1, 1]}
joints:
  hinge: {type: revolute, between: [ground, a], point: [0, 0, 0], axis: [0, 1, 0]}
probes:
  tip: {body: a, quantities: [position, velocity]}
  tip-1: {body: a, quantities: [position]}
  hinge: {joint: hinge, quantities: [angle]}
simulation: {duration: 1, step: 0.01}
quantities:
)";

QuantityOfInterest quantity(const std::string& fields) {
  const ModelFile file =
      read_model_text(model + std::string("  q: {") + fields + "}\n", "model.yaml");
  return file.quantities->at(0);
}

/// Of position (1, 2, 3), velocity (3, 4, 12), position (7, 8, 9), angle 0.25 at t = 0.125.
double value(const std::string& expression, const std::string& unit = "") {
  const QuantityOfInterest q =
      quantity("of: \"" + expression + "\", kind: peak" + (unit.empty() ? "" : ", unit: " + unit));
  const std::vector<double> row{1, 2, 3, 3, 4, 12, 7, 8, 9, 0.25};
  std::vector<double> stack;
  return q.formula.evaluate(row.data(), 0.125, stack);
}

TEST(ReadFormula, Values) {
  EXPECT_EQ(value("tip.position.z"), 3);
  EXPECT_EQ(value("hinge.angle"), 0.25);
  EXPECT_EQ(value("tip-1.position.y"), 8);
  EXPECT_EQ(value("tip.position.x-tip-1.position.x"), -6);
  EXPECT_EQ(value("tip.position.y - L"), 0);
  EXPECT_EQ(value("tip.position.y-1"), 1);
  EXPECT_EQ(value("norm(tip.velocity)"), 13);
  EXPECT_EQ(value("norm(hinge.angle)"), 0.25);
  EXPECT_EQ(value("2 * tip.position.x + tip.position.y * 10 / 4 - -1"), 8);
  EXPECT_EQ(value("-tip.position.y ^ 2", "m^2"), -4);
  EXPECT_EQ(value("max(tip.position.x, k * tip.position.z)"), 1.5);
  EXPECT_EQ(value("hypot(tip.velocity.x, tip.velocity.y)"), 5);
  EXPECT_EQ(value("tip.position.x + time * tip.velocity.y", "m"), 1.5);
  EXPECT_DOUBLE_EQ(value("sin(hinge.angle)"), std::sin(0.25));
}

TEST(ReadFormula, Units) {
  const auto unit = [](const std::string& expression, const char* kind = "peak") {
    return quantity("of: \"" + expression + "\", kind: " + kind).value_unit;
  };
  EXPECT_EQ(unit("tip.position.z"), "m");
  EXPECT_EQ(unit("2 * norm(tip.velocity) / k - 1"), "m/s");
  EXPECT_EQ(unit("abs(tip.position.z - tip-1.position.z)"), "m");
  EXPECT_EQ(unit("tip.position.x / tip.position.z"), "1");
  EXPECT_EQ(unit("cos(hinge.angle) * tip.position.z"), "m");
  EXPECT_EQ(unit("atan2(tip.position.x, tip.position.z)"), "rad");
  EXPECT_EQ(unit("tip.position.z", "time_of_peak"), "s");
  EXPECT_EQ(unit("tip.position.z * tip.velocity.z", "time_of_minimum"), "s");
  // What does not tell is not guessed.
  EXPECT_THROW(unit("tip.position.x + tip.velocity.x"), InputError);
  EXPECT_THROW(unit("sqrt(tip.position.x)"), InputError);
}

TEST(ReadFormula, Windows) {
  const QuantityOfInterest all = quantity("of: tip.position.z, kind: rms");
  EXPECT_EQ(all.first, 0u);
  EXPECT_EQ(all.last, 100u);
  const QuantityOfInterest part = quantity("of: tip.position.z, kind: rms, from: 0.2, to: k");
  EXPECT_EQ(part.first, 20u);
  EXPECT_EQ(part.last, 50u);
}

}  // namespace tumble::read_formula_test
