// Expressions as kernels see them: a flat list of steps over registers, with exact derivatives.
//
// Registers hold the inputs (motions, time, drives, states), then the value of each step. What
// depends on parameters and constants alone is computed once per realisation and read from its
// constants. Derivatives by the inputs are steps too, made at compile time by the rules of
// differentiation and simplified: a linear law has the derivatives of a linear law.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tumble/math/scalar.hpp"

namespace tumble {

/// What a step does with its operands a and b.
enum class ExpressionCode : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  negate,
  abs,
  sqrt,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  exp,
  tanh,
  atan2,
  hypot,
  min,
  max,
  sign,  ///< -1, 0 or 1: the slope of abs
  less   ///< 1 where a < b, 0 elsewhere: the slope of min by a
};

/// tanh x: a continued fraction (Lambert) for small arguments, where 1 - exp(-2x) would lose
/// digits.
template <class S>
TUMBLE_INLINE S tanh_of(const S& x) {
  const S one(1.0), size = abs(x), z = x * x;
  const auto small = size < S(0.5);
  const S z_small = select(small, z, one);
  S fraction(17.0);
  for (int k = 15; k >= 1; k -= 2) fraction = S(static_cast<double>(k)) + z_small / fraction;
  const S e = exp(S(-2.0) * size);
  return select(small, x / fraction, copysign((one - e) / (one + e), x));
}

template <class S>
TUMBLE_INLINE S apply_step(ExpressionCode code, const S& a, const S& b) {
  const S one(1.0), zero(0.0);
  switch (code) {
    case ExpressionCode::add:
      return a + b;
    case ExpressionCode::subtract:
      return a - b;
    case ExpressionCode::multiply:
      return a * b;
    case ExpressionCode::divide:
      return a / b;
    case ExpressionCode::negate:
      return -a;
    case ExpressionCode::abs:
      return abs(a);
    case ExpressionCode::sqrt:
      return sqrt(a);
    case ExpressionCode::sin:
      return sin(a);
    case ExpressionCode::cos:
      return cos(a);
    case ExpressionCode::tan: {
      const auto both = sincos(a);
      return both.sin / both.cos;
    }
    case ExpressionCode::asin:
      return atan2(a, sqrt((one - a) * (one + a)));
    case ExpressionCode::acos:
      return atan2(sqrt((one - a) * (one + a)), a);
    case ExpressionCode::atan:
      return atan2(a, one);
    case ExpressionCode::exp:
      return exp(a);
    case ExpressionCode::tanh:
      return tanh_of(a);
    case ExpressionCode::atan2:
      return atan2(a, b);
    case ExpressionCode::hypot:
      return sqrt(a * a + b * b);
    case ExpressionCode::min:
      return select(a < b, a, b);
    case ExpressionCode::max:
      return select(a > b, a, b);
    case ExpressionCode::sign:
      return select(a < zero, -one, select(a > zero, one, zero));
    case ExpressionCode::less:
      return select(a < b, one, zero);
  }
  return zero;
}

/// Registers that the program of a drive may take: they are on the stack of whoever evaluates it.
inline constexpr int most_drive_registers = 256;

class ExpressionProgram {
 public:
  /// An operand: a register, or the constant ~operand if it is negative.
  struct Step {
    ExpressionCode code;
    int a, b;
  };
  /// The derivative of an output by an input, where it is not zero everywhere.
  struct Partial {
    int output, input;
    int value;  ///< operand
  };
  int inputs = 0;
  std::vector<Step> steps;  ///< the value of step i is in register inputs + i
  int value_steps = 0;      ///< how many steps the outputs take; those of derivatives follow
  std::vector<int> outputs;
  std::vector<Partial> partials;  ///< by output, then by input
  int constants = 0;

  int registers() const { return inputs + static_cast<int>(steps.size()); }
  /// Writes `constants` numbers.
  void write_constants(const std::vector<double>& parameters, double* out) const;
  /// What was written where a step's value became infinite or no number although its operands are
  /// finite; empty if there is no such step.
  std::string first_fault(const double* constants_of, const double* registers_of) const;

  template <class S>
  const S& operand(int index, const S* c, const S* r) const {
    return index < 0 ? c[~index] : r[index];
  }
  /// Computes steps [from, to). Out of line: all functions are in it.
  template <class S>
  [[gnu::noinline]] void run(std::size_t from, std::size_t to, const S* c, S* r) const {
    for (std::size_t i = from; i < to; ++i) {
      const Step& step = steps[i];
      const S& a = step.a < 0 ? c[~step.a] : r[step.a];
      const S& b = step.b < 0 ? c[~step.b] : r[step.b];
      r[static_cast<std::size_t>(inputs) + i] = apply_step(step.code, a, b);
    }
  }
  template <class S>
  void run_values(const S* c, S* r) const {
    run(0, static_cast<std::size_t>(value_steps), c, r);
  }
  template <class S>
  void run_partials(const S* c, S* r) const {
    run(static_cast<std::size_t>(value_steps), steps.size(), c, r);
  }

 private:
  friend class ExpressionBuilder;
  /// Computed once per realisation: numbers, parameters and what is made of them.
  struct Prepared {
    enum class Kind { number, parameter, step };
    Kind kind;
    double number;
    int parameter;
    Step step;  ///< of values before this one
  };
  std::vector<Prepared> prepared_;
  std::vector<int> kept_;           ///< which of them are the constants
  std::vector<std::string> texts_;  ///< of the value steps
};

}  // namespace tumble
