#include "tumble/program/optimize.hpp"

#include <algorithm>
#include <map>

#include "tumble/program/builder.hpp"

namespace tumble {

Program without_dead_code(const Program& program) {
  const std::size_t size = program.nodes.size();
  std::vector<char> needed(size, 0);
  for (const auto& store : program.stores) needed[static_cast<std::size_t>(store.node)] = 1;
  for (const int guard : program.guards) needed[static_cast<std::size_t>(guard)] = 1;
  for (std::size_t i = size; i-- > 0;) {
    if (!needed[i]) continue;
    const TapeNode& node = program.nodes[i];
    const int operands[] = {node.a, node.b, node.c};
    for (int k = 0; k < operand_count(node.operation); ++k)
      needed[static_cast<std::size_t>(operands[k])] = 1;
  }

  Program result;
  result.name = program.name;
  result.inputs = program.inputs;
  result.outputs = program.outputs;
  std::vector<int> place(size, -1), literal(program.literals.size(), -1);
  const auto moved = [&](int node) { return place[static_cast<std::size_t>(node)]; };
  for (std::size_t i = 0; i < size; ++i) {
    if (!needed[i]) continue;
    TapeNode node = program.nodes[i];
    const int operands = operand_count(node.operation);
    if (operands > 0) node.a = moved(node.a);
    if (operands > 1) node.b = moved(node.b);
    if (operands > 2) node.c = moved(node.c);
    if (node.operation == Operation::literal) {
      int& known = literal[static_cast<std::size_t>(node.a)];
      if (known < 0) {
        known = static_cast<int>(result.literals.size());
        result.literals.push_back(program.literals[static_cast<std::size_t>(node.a)]);
      }
      node.a = known;
    }
    place[i] = static_cast<int>(result.nodes.size());
    result.nodes.push_back(node);
  }
  for (const int guard : program.guards) result.guards.push_back(moved(guard));
  for (auto store : program.stores) {
    store.node = moved(store.node);
    result.stores.push_back(store);
  }
  return result;
}

std::optional<Program> specialize(const Program& program, std::span<const FixedInput> fixed) {
  std::map<std::pair<int, int>, double> known;
  for (const FixedInput& input : fixed) known[{input.region, input.index}] = input.value;

  ProgramBuilder builder;
  builder.program.name = program.name;
  builder.program.inputs = program.inputs;
  builder.program.outputs = program.outputs;
  std::vector<int> place(program.nodes.size());
  const auto moved = [&](int node) { return place[static_cast<std::size_t>(node)]; };
  for (std::size_t i = 0; i < place.size(); ++i) {
    const TapeNode& node = program.nodes[i];
    switch (operand_count(node.operation)) {
      case 0:
        if (node.operation == Operation::literal) {
          place[i] = builder.literal(program.literals[static_cast<std::size_t>(node.a)]);
        } else if (node.operation == Operation::truth) {
          place[i] = builder.truth(node.a != 0);
        } else if (const auto value = known.find({node.a, node.b}); value != known.end()) {
          place[i] = builder.literal(value->second);
        } else {
          place[i] = builder.input(node.a, node.b);
        }
        break;
      case 1:
        place[i] = builder.make(node.operation, moved(node.a));
        break;
      case 2:
        place[i] = builder.make(node.operation, moved(node.a), moved(node.b));
        break;
      default:
        place[i] = builder.make(node.operation, moved(node.a), moved(node.b), moved(node.c));
        break;
    }
  }
  for (const int guard : program.guards) builder.guard(moved(guard));
  if (builder.impossible()) return std::nullopt;
  for (const auto& store : program.stores)
    builder.store(store.region, store.index, moved(store.node));
  return without_dead_code(builder.program);
}

Program without_outputs(const Program& program, std::span<const int> regions) {
  Program result = program;
  std::erase_if(result.stores, [&](const Program::Output& store) {
    return std::find(regions.begin(), regions.end(), store.region) != regions.end();
  });
  return without_dead_code(result);
}

}  // namespace tumble
