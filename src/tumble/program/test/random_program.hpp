// Programs without sense, of all operations.
#pragma once
#include <random>

#include "tumble/program/tape.hpp"
#include "tumble/program/test/hostile_numbers.hpp"

namespace tumble::testing {

/// Written node by node, as no builder would: nothing is simplified. Two input regions, two of
/// output.
inline Program random_program(unsigned seed, int operations, bool guarded) {
  std::mt19937 random(seed);
  const auto draw = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  Program p;
  p.name = "random_" + std::to_string(seed);
  p.inputs = {{"a", 5}, {"b", 3}};
  p.outputs = {{"x", 8}, {"y", 8}};
  std::vector<int> numbers, truths;
  const auto append = [&](TapeNode node, bool truth) {
    (truth ? truths : numbers).push_back(static_cast<int>(p.nodes.size()));
    p.nodes.push_back(node);
  };
  for (int region = 0; region < 2; ++region)
    for (int i = 0; i < p.inputs[static_cast<std::size_t>(region)].size; ++i)
      append({Operation::input, region, i, -1}, false);
  const std::vector<double> values = hostile_numbers();
  for (int i = 0; i < 10; ++i) {
    p.literals.push_back(
        i < 6 ? std::vector<double>{0.0, -0.0, 1.0, -1.0, 2.0, 0.25}[static_cast<std::size_t>(i)]
              : values[draw(values.size())]);
    append({Operation::literal, i, -1, -1}, false);
  }
  append({Operation::truth, 1, -1, -1}, true);
  append({Operation::truth, 0, -1, -1}, true);
  for (int i = 0; i < operations; ++i) {
    const auto operation = static_cast<Operation>(2 + draw(21));
    // What shifts bits is only asked for integers.
    if (operation == Operation::truth || operation == Operation::power_of_two) continue;
    const bool of_truths = operation == Operation::both || operation == Operation::either ||
                           operation == Operation::negation;
    const auto any = [&](bool truth) {
      const auto& from = truth ? truths : numbers;
      return from[draw(from.size())];
    };
    TapeNode node{operation, any(of_truths || operation == Operation::select), -1, -1};
    if (operand_count(operation) > 1) node.b = any(of_truths);
    // The sign of a NaN that an operation yields depends on the machine: only signs of inputs.
    if (operation == Operation::copysign) node.b = numbers[draw(8)];
    if (operand_count(operation) > 2) node.c = any(false);
    append(node, yields_truth(operation));
  }
  for (int i = 0; i < 8; ++i)
    for (int region = 0; region < 2; ++region)
      p.stores.push_back({region, i, numbers[numbers.size() - 1 - draw(numbers.size())]});
  if (guarded) p.guards = {truths.back(), truths[truths.size() / 2]};
  return p;
}

}  // namespace tumble::testing
