#include "tumble/program/tape.hpp"

#include "tumble/math/scalar.hpp"

namespace tumble {

int operand_count(Operation operation) {
  switch (operation) {
    case Operation::literal:
    case Operation::input:
    case Operation::truth:
      return 0;
    case Operation::negate:
    case Operation::abs:
    case Operation::sqrt:
    case Operation::power_of_two:
    case Operation::negation:
      return 1;
    case Operation::fma:
    case Operation::fnma:
    case Operation::fms:
    case Operation::fnms:
    case Operation::select:
      return 3;
    default:
      return 2;
  }
}

bool yields_truth(Operation operation) {
  switch (operation) {
    case Operation::truth:
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal:
    case Operation::both:
    case Operation::either:
    case Operation::negation:
      return true;
    default:
      return false;
  }
}

bool commutes(Operation operation) {
  switch (operation) {
    case Operation::add:
    case Operation::multiply:
    case Operation::fma:
    case Operation::fnma:
    case Operation::fms:
    case Operation::fnms:
    case Operation::equal:
    case Operation::both:
    case Operation::either:
      return true;
    default:
      return false;
  }
}

int count_operations(const Program& program) {
  int count = 0;
  for (const TapeNode& node : program.nodes) count += operand_count(node.operation) > 0;
  return count;
}

double evaluate(Operation operation, double a, double b, double c) {
  switch (operation) {
    case Operation::negate:
      return -a;
    case Operation::abs:
      return tumble::abs(a);
    case Operation::sqrt:
      return tumble::sqrt(a);
    case Operation::power_of_two:
      return tumble::power_of_two(a);
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::fma:
      return tumble::fma(a, b, c);
    case Operation::fnma:
      return tumble::fnma(a, b, c);
    case Operation::fms:
      return tumble::fma(a, b, -c);
    case Operation::fnms:
      return tumble::fnma(a, b, -c);
    case Operation::copysign:
      return tumble::copysign(a, b);
    case Operation::select:
      return a != 0 ? b : c;
    case Operation::less:
      return a < b;
    case Operation::less_equal:
      return a <= b;
    case Operation::equal:
      return a == b;
    case Operation::both:
      return a != 0 && b != 0;
    case Operation::either:
      return a != 0 || b != 0;
    case Operation::negation:
      return a == 0;
    case Operation::literal:
    case Operation::input:
    case Operation::truth:
      break;
  }
  return a;
}

bool interpret(const Program& program, const std::vector<const double*>& inputs,
               const std::vector<double*>& outputs) {
  std::vector<double> value(program.nodes.size());
  const auto at = [&](int node) { return node < 0 ? 0.0 : value[static_cast<std::size_t>(node)]; };
  for (std::size_t i = 0; i < value.size(); ++i) {
    const TapeNode& node = program.nodes[i];
    if (node.operation == Operation::literal)
      value[i] = program.literals[static_cast<std::size_t>(node.a)];
    else if (node.operation == Operation::input)
      value[i] = inputs[static_cast<std::size_t>(node.a)][node.b];
    else if (node.operation == Operation::truth)
      value[i] = node.a;
    else
      value[i] = evaluate(node.operation, at(node.a), at(node.b), at(node.c));
  }
  for (const int guard : program.guards)
    if (at(guard) == 0) return false;
  for (const auto& store : program.stores)
    outputs[static_cast<std::size_t>(store.region)][store.index] = at(store.node);
  return true;
}

}  // namespace tumble
