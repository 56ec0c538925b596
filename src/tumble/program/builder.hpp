// Makes programs of few operations: equal nodes once, literals folded, identities that keep bits.
//
// An identity stands here only if both sides have the same bits for all doubles, with infinities,
// denormals and both zeros; a NaN may become another NaN, of the other sign too. What holds but for
// the sign of a zero, as x + 0 = x does not for x = -0, is applied only where the operand is known
// not to be -0. What holds for finite numbers alone, as 0 x = 0, is not applied. The list is in
// docs/theory/generated-programs.md, and builder_test.cpp tries each one on hostile numbers.
#pragma once
#include <unordered_map>

#include "tumble/program/tape.hpp"

namespace tumble {

class ProgramBuilder {
 public:
  int literal(double value);
  int truth(bool value);
  int input(int region, int index);
  /// The node that yields the operation, which may be an older or a simpler one.
  int make(Operation operation, int a, int b = -1, int c = -1);

  void guard(int node);
  void store(int region, int index, int node) { program.stores.push_back({region, index, node}); }
  /// Has one of the guards turned out to be false whatever the inputs?
  bool impossible() const { return impossible_; }

  /// The number that a node yields if it is a literal.
  const double* literal_of(int node) const;
  const TapeNode& at(int node) const { return program.nodes[static_cast<std::size_t>(node)]; }

  Program program;

 private:
  struct Hash {
    std::size_t operator()(const TapeNode& node) const;
  };
  int append(TapeNode node);
  int simplify(Operation operation, int a, int b, int c);
  int add(int a, int b);
  int subtract(int a, int b);
  int multiply(int a, int b);
  int divide(int a, int b);
  int fused(Operation operation, int a, int b, int c);
  int logic(Operation operation, int a, int b);
  bool is(int node, double value) const;
  bool negated(int node) const { return at(node).operation == Operation::negate; }
  bool never_negative_zero(Operation operation, int a, int b, int c) const;
  bool never_negative_zero(int node) const {
    return positive_zero_[static_cast<std::size_t>(node)];
  }

  std::unordered_map<TapeNode, int, Hash> known_;
  std::unordered_map<std::uint64_t, int> literals_;
  std::vector<bool> positive_zero_;  ///< by node: it is never -0
  bool impossible_ = false;
};

}  // namespace tumble
