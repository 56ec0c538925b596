#include "tumble/program/builder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tumble {

namespace {

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// ± 2^k whose reciprocal is an ordinary number too.
bool has_exact_reciprocal(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(std::fabs(x), &exponent);
  return mantissa == 0.5 && std::abs(exponent) < 1000;
}

}  // namespace

std::size_t ProgramBuilder::Hash::operator()(const TapeNode& node) const {
  std::uint64_t h = static_cast<std::uint64_t>(node.operation);
  for (const int x : {node.a, node.b, node.c})
    h = (h ^ static_cast<std::uint32_t>(x)) * 0x9e3779b97f4a7c15ull, h ^= h >> 29;
  return h;
}

int ProgramBuilder::append(TapeNode node) {
  TapeNode key = node;
  if (commutes(key.operation) && key.b < key.a) std::swap(key.a, key.b);
  const auto [place, is_new] = known_.try_emplace(key, static_cast<int>(program.nodes.size()));
  if (!is_new) return place->second;
  program.nodes.push_back(node);
  positive_zero_.push_back(never_negative_zero(node.operation, node.a, node.b, node.c));
  return place->second;
}

int ProgramBuilder::literal(double value) {
  const auto [place, is_new] = literals_.try_emplace(std::bit_cast<std::uint64_t>(value),
                                                     static_cast<int>(program.literals.size()));
  if (is_new) program.literals.push_back(value);
  return append({Operation::literal, place->second, -1, -1});
}

int ProgramBuilder::truth(bool value) { return append({Operation::truth, value ? 1 : 0, -1, -1}); }
int ProgramBuilder::input(int region, int index) {
  return append({Operation::input, region, index, -1});
}

const double* ProgramBuilder::literal_of(int node) const {
  const TapeNode& n = at(node);
  return n.operation == Operation::literal ? &program.literals[static_cast<std::size_t>(n.a)]
                                           : nullptr;
}

bool ProgramBuilder::is(int node, double value) const {
  const double* found = literal_of(node);
  return found != nullptr && same_bits(*found, value);
}

void ProgramBuilder::guard(int node) {
  if (at(node).operation == Operation::truth) {
    impossible_ = impossible_ || at(node).a == 0;
    return;
  }
  if (std::find(program.guards.begin(), program.guards.end(), node) == program.guards.end())
    program.guards.push_back(node);
}

int ProgramBuilder::make(Operation operation, int a, int b, int c) {
  const int operands = operand_count(operation);
  const int operand[] = {a, b, c};
  bool fixed = true;
  double value[3] = {0, 0, 0};
  for (int i = 0; i < operands; ++i) {
    const TapeNode& node = at(operand[i]);
    if (node.operation == Operation::literal)
      value[i] = program.literals[static_cast<std::size_t>(node.a)];
    else if (node.operation == Operation::truth)
      value[i] = node.a;
    else
      fixed = false;
  }
  if (fixed) {
    const double result = evaluate(operation, value[0], value[1], value[2]);
    if (yields_truth(operation)) return truth(result != 0);
    // Which NaN an operation yields depends on the machine; it is left to the machine.
    if (result == result) return literal(result);
  }
  return simplify(operation, a, b, c);
}

int ProgramBuilder::simplify(Operation operation, int a, int b, int c) {
  switch (operation) {
    case Operation::negate:
      if (negated(a)) return at(a).a;
      break;
    case Operation::abs:
      if (negated(a)) return make(Operation::abs, at(a).a);
      if (at(a).operation == Operation::abs) return a;
      break;
    case Operation::copysign:
      if (negated(a) || at(a).operation == Operation::abs)
        return make(Operation::copysign, at(a).a, b);
      break;
    case Operation::add:
      return add(a, b);
    case Operation::subtract:
      return subtract(a, b);
    case Operation::multiply:
      return multiply(a, b);
    case Operation::divide:
      return divide(a, b);
    case Operation::fma:
    case Operation::fnma:
    case Operation::fms:
    case Operation::fnms:
      return fused(operation, a, b, c);
    case Operation::select:
      if (at(a).operation == Operation::truth) return at(a).a != 0 ? b : c;
      if (b == c) return b;
      if (at(a).operation == Operation::negation) return make(operation, at(a).a, c, b);
      break;
    case Operation::both:
    case Operation::either:
      return logic(operation, a, b);
    case Operation::negation:
      if (at(a).operation == Operation::negation) return at(a).a;
      break;
    default:
      break;
  }
  return append({operation, a, b, c});
}

int ProgramBuilder::add(int a, int b) {
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
    if (is(y, -0.0)) return x;
    if (is(y, 0.0) && never_negative_zero(x)) return x;
    if (negated(y)) return subtract(x, at(y).a);
  }
  return append({Operation::add, a, b, -1});
}

int ProgramBuilder::subtract(int a, int b) {
  if (is(b, 0.0)) return a;
  if (is(b, -0.0) && never_negative_zero(a)) return a;
  if (is(a, -0.0)) return make(Operation::negate, b);
  if (negated(b)) return add(a, at(b).a);
  return append({Operation::subtract, a, b, -1});
}

int ProgramBuilder::multiply(int a, int b) {
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
    if (is(y, 1.0)) return x;
    if (is(y, -1.0)) return make(Operation::negate, x);
  }
  if (negated(a)) return make(Operation::negate, multiply(at(a).a, b));
  if (negated(b)) return make(Operation::negate, multiply(a, at(b).a));
  return append({Operation::multiply, a, b, -1});
}

int ProgramBuilder::divide(int a, int b) {
  if (const double* divisor = literal_of(b); divisor != nullptr && has_exact_reciprocal(*divisor))
    return make(Operation::multiply, a, literal(1 / *divisor));
  if (negated(a)) return make(Operation::negate, divide(at(a).a, b));
  if (negated(b)) return make(Operation::negate, divide(a, at(b).a));
  return append({Operation::divide, a, b, -1});
}

// ± a b ± c: signs move out of the operands, a product by one or of literals is a sum.
int ProgramBuilder::fused(Operation operation, int a, int b, int c) {
  bool minus_product = operation == Operation::fnma || operation == Operation::fnms;
  bool minus_sum = operation == Operation::fms || operation == Operation::fnms;
  for (int* x : {&a, &b})
    if (negated(*x)) *x = at(*x).a, minus_product = !minus_product;
  if (negated(c)) c = at(c).a, minus_sum = !minus_sum;

  const auto sum_with = [&](int product) {
    if (minus_product && minus_sum) return subtract(make(Operation::negate, product), c);
    if (minus_product) return make(Operation::subtract, c, product);
    return make(minus_sum ? Operation::subtract : Operation::add, product, c);
  };
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
    if (is(y, 1.0)) return sum_with(x);
    if (is(y, -1.0)) {
      minus_product = !minus_product;
      return sum_with(x);
    }
  }
  const double *left = literal_of(a), *right = literal_of(b);
  if (left != nullptr && right != nullptr) {
    const double product = *left * *right;
    const bool exact = std::isfinite(product) &&
                       (*left == 0 || *right == 0 ||
                        (std::fabs(product) > 0x1p-900 && std::fma(*left, *right, -product) == 0));
    if (exact) return sum_with(literal(product));
  }
  // Nothing is added to the product: -0 is the neutral element of a sum, and a square has no -0.
  const bool nothing = minus_sum ? is(c, 0.0) : is(c, -0.0);
  const bool zero = minus_sum ? is(c, -0.0) : is(c, 0.0);
  if (nothing || (zero && a == b && !minus_product)) {
    const int product = make(Operation::multiply, a, b);
    return minus_product ? make(Operation::negate, product) : product;
  }
  const Operation meant = minus_product ? (minus_sum ? Operation::fnms : Operation::fnma)
                                        : (minus_sum ? Operation::fms : Operation::fma);
  return append({meant, a, b, c});
}

int ProgramBuilder::logic(Operation operation, int a, int b) {
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
    if (at(y).operation != Operation::truth) continue;
    const bool neutral = (at(y).a != 0) == (operation == Operation::both);
    return neutral ? x : y;
  }
  if (a == b) return a;
  return append({operation, a, b, -1});
}

// A sum is -0 only if both terms are, for sums of doubles never underflow; a fused sum may, unless
// its term is too large for what is left to vanish.
bool ProgramBuilder::never_negative_zero(Operation operation, int a, int b, int c) const {
  const auto nonzero = [&](int node) {
    const double* value = literal_of(node);
    return value != nullptr && *value != 0;
  };
  const auto large = [&](int node) {
    const double* value = literal_of(node);
    return value != nullptr && std::fabs(*value) > 0x1p-900;
  };
  switch (operation) {
    case Operation::literal:
      return !same_bits(program.literals[static_cast<std::size_t>(a)], -0.0);
    case Operation::abs:
      return true;
    case Operation::sqrt:
      return never_negative_zero(a);
    case Operation::add:
      return never_negative_zero(a) || never_negative_zero(b);
    case Operation::subtract:
      return never_negative_zero(a) || nonzero(b);
    case Operation::multiply:
      return a == b;
    case Operation::fma:
      return large(c) || (a == b && is(c, 0.0));
    case Operation::fnma:
    case Operation::fms:
    case Operation::fnms:
      return large(c);
    case Operation::select:
      return never_negative_zero(b) && never_negative_zero(c);
    default:
      return false;
  }
}

}  // namespace tumble
