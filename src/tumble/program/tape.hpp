// A straight-line program over doubles, as plain data: what a kernel did when it was recorded.
//
// Every node is one operation of math/arithmetic.hpp with the same bits, a comparison, or the logic
// of comparisons. Operands stand before what uses them. Where the kernel branched on values, the
// program holds the path taken and a guard: a truth that must hold for the path to be the right
// one. A program whose guards fail has no meaning for those numbers, and the kernel itself is
// called.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tumble {

enum class Operation : std::uint8_t {
  literal,       ///< a: index of Program::literals
  input,         ///< a: region, b: index in it
  negate,        ///< -a
  abs,           ///< |a|
  sqrt,          ///< √a
  power_of_two,  ///< 2^a, a an integer in [-1022, 1023]
  add,           ///< a + b
  subtract,      ///< a - b
  multiply,      ///< a b
  divide,        ///< a / b
  fma,           ///< a b + c, one rounding, as the next three
  fnma,          ///< c - a b
  fms,           ///< a b - c
  fnms,          ///< -a b - c
  copysign,      ///< |a| with the sign of b
  select,        ///< a ? b : c
  truth,         ///< a: 0 or 1
  less,          ///< a < b
  less_equal,    ///< a <= b
  equal,         ///< a == b
  both,          ///< a and b
  either,        ///< a or b
  negation,      ///< not a
};

/// How many operands an operation has; a literal, an input and a truth have none.
int operand_count(Operation operation);
/// Whether it yields a truth and not a number.
bool yields_truth(Operation operation);
/// Whether a and b may change places.
bool commutes(Operation operation);

struct TapeNode {
  Operation operation = Operation::literal;
  int a = -1, b = -1, c = -1;

  bool operator==(const TapeNode&) const = default;
};

/// An array that the caller provides.
struct TapeRegion {
  std::string name;
  int size = 0;
};

struct Program {
  std::string name;
  std::vector<TapeRegion> inputs, outputs;  ///< no output may overlap an input
  std::vector<double> literals;
  std::vector<TapeNode> nodes;
  std::vector<int> guards;  ///< nodes that must be true

  struct Output {
    int region = 0, index = 0, node = 0;
  };
  std::vector<Output> stores;  ///< one for each place that is written
};

/// Operations that take time: all but literals, inputs and truths.
int count_operations(const Program& program);

/// The number that an operation on numbers yields. Truths are 0 and 1 here.
double evaluate(Operation operation, double a, double b, double c);

/// Runs a program: slow and simple, what everything else is compared with. The regions are arrays
/// of doubles. False if a guard fails; the outputs then have no meaning.
bool interpret(const Program& program, const std::vector<const double*>& inputs,
               const std::vector<double*>& outputs);

}  // namespace tumble
