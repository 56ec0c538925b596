// Every identity of the builder, on numbers made to break it: the raw program and the shorter one
// must have the same bits, and identities that do not keep them must not be applied.
#include "tumble/program/builder.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tumble/program/optimize.hpp"
#include "tumble/program/test/random_program.hpp"

namespace tumble {
namespace {

using testing::hostile_numbers;
using testing::same_number;

/// Three inputs x, y, z and one output, written node by node.
class Raw {
 public:
  Raw() {
    program.inputs = {{"in", 3}};
    program.outputs = {{"out", 1}};
    for (int i = 0; i < 3; ++i) add({Operation::input, 0, i, -1});
  }
  int add(TapeNode node) {
    program.nodes.push_back(node);
    return static_cast<int>(program.nodes.size()) - 1;
  }
  int literal(double x) {
    program.literals.push_back(x);
    return add({Operation::literal, static_cast<int>(program.literals.size()) - 1, -1, -1});
  }
  int make(Operation operation, int a, int b = -1, int c = -1) { return add({operation, a, b, c}); }

  Program program;
};
constexpr int x = 0, y = 1, z = 2;

struct Identity {
  std::string name;
  int (*write)(Raw&);
  int operations;  ///< of the shorter program
};

const Identity identities[] = {
    {"x * 1 = x", [](Raw& r) { return r.make(Operation::multiply, x, r.literal(1)); }, 0},
    {"1 * x = x", [](Raw& r) { return r.make(Operation::multiply, r.literal(1), x); }, 0},
    {"x * -1 = -x", [](Raw& r) { return r.make(Operation::multiply, x, r.literal(-1)); }, 1},
    {"x / 1 = x", [](Raw& r) { return r.make(Operation::divide, x, r.literal(1)); }, 0},
    {"x / 8 = x * 0.125", [](Raw& r) { return r.make(Operation::divide, x, r.literal(8)); }, 1},
    {"x / -2^-500", [](Raw& r) { return r.make(Operation::divide, x, r.literal(-0x1p-500)); }, 1},
    {"x / 3 stays", [](Raw& r) { return r.make(Operation::divide, x, r.literal(3)); }, 1},
    {"x - 0 = x", [](Raw& r) { return r.make(Operation::subtract, x, r.literal(0)); }, 0},
    {"x + -0 = x", [](Raw& r) { return r.make(Operation::add, x, r.literal(-0.0)); }, 0},
    {"-0 + x = x", [](Raw& r) { return r.make(Operation::add, r.literal(-0.0), x); }, 0},
    {"-0 - x = -x", [](Raw& r) { return r.make(Operation::subtract, r.literal(-0.0), x); }, 1},
    {"x + 0 stays", [](Raw& r) { return r.make(Operation::add, x, r.literal(0)); }, 1},
    {"x - -0 stays", [](Raw& r) { return r.make(Operation::subtract, x, r.literal(-0.0)); }, 1},
    {"0 - x stays", [](Raw& r) { return r.make(Operation::subtract, r.literal(0), x); }, 1},
    {"0 * x stays", [](Raw& r) { return r.make(Operation::multiply, r.literal(0), x); }, 1},
    {"x - x stays", [](Raw& r) { return r.make(Operation::subtract, x, x); }, 1},
    {"|x| + 0 = |x|",
     [](Raw& r) { return r.make(Operation::add, r.make(Operation::abs, x), r.literal(0)); }, 1},
    {"x² + 0 = x²",
     [](Raw& r) { return r.make(Operation::add, r.make(Operation::multiply, x, x), r.literal(0)); },
     1},
    {"(x + 1) + 0",
     [](Raw& r) {
       return r.make(Operation::add, r.make(Operation::add, x, r.literal(1)), r.literal(0));
     },
     1},
    {"(x - 1) + 0",
     [](Raw& r) {
       return r.make(Operation::add, r.make(Operation::subtract, x, r.literal(1)), r.literal(0));
     },
     1},
    {"(x y + 1) + 0",
     [](Raw& r) {
       return r.make(Operation::add, r.make(Operation::fma, x, y, r.literal(1)), r.literal(0));
     },
     1},
    {"(x y + tiny) + 0 stays",
     [](Raw& r) {
       return r.make(Operation::add, r.make(Operation::fma, x, y, r.literal(5e-324)), r.literal(0));
     },
     2},
    {"(x y + 0) + 0: a product may vanish from below",
     [](Raw& r) {
       return r.make(Operation::add, r.make(Operation::fma, x, y, r.literal(0)), r.literal(0));
     },
     2},
    {"√|x| + 0",
     [](Raw& r) {
       return r.make(Operation::add, r.make(Operation::sqrt, r.make(Operation::abs, x)),
                     r.literal(0));
     },
     2},
    {"√x + 0 stays",
     [](Raw& r) { return r.make(Operation::add, r.make(Operation::sqrt, x), r.literal(0)); }, 2},
    {"-(-x) = x", [](Raw& r) { return r.make(Operation::negate, r.make(Operation::negate, x)); },
     0},
    {"x + (-y) = x - y",
     [](Raw& r) { return r.make(Operation::add, x, r.make(Operation::negate, y)); }, 1},
    {"(-x) + y = y - x",
     [](Raw& r) { return r.make(Operation::add, r.make(Operation::negate, x), y); }, 1},
    {"x - (-y) = x + y",
     [](Raw& r) { return r.make(Operation::subtract, x, r.make(Operation::negate, y)); }, 1},
    {"(-x) - y stays: the sign of zero",
     [](Raw& r) { return r.make(Operation::subtract, r.make(Operation::negate, x), y); }, 2},
    {"-(x - y) stays: the sign of zero",
     [](Raw& r) { return r.make(Operation::negate, r.make(Operation::subtract, x, y)); }, 2},
    {"(-x) (-y) = x y",
     [](Raw& r) {
       return r.make(Operation::multiply, r.make(Operation::negate, x),
                     r.make(Operation::negate, y));
     },
     1},
    {"z + (-x) y = z - x y, rounded twice",
     [](Raw& r) {
       return r.make(Operation::add, z,
                     r.make(Operation::multiply, r.make(Operation::negate, x), y));
     },
     2},
    {"(-x) / (-y) = x / y",
     [](Raw& r) {
       return r.make(Operation::divide, r.make(Operation::negate, x), r.make(Operation::negate, y));
     },
     1},
    {"fma(-x, y, z)",
     [](Raw& r) { return r.make(Operation::fma, r.make(Operation::negate, x), y, z); }, 1},
    {"fma(x, -y, -z)",
     [](Raw& r) {
       return r.make(Operation::fma, x, r.make(Operation::negate, y), r.make(Operation::negate, z));
     },
     1},
    {"fnma(-x, y, z) = fma(x, y, z)",
     [](Raw& r) { return r.make(Operation::fnma, r.make(Operation::negate, x), y, z); }, 1},
    {"fms(x, y, -z) = fma(x, y, z)",
     [](Raw& r) { return r.make(Operation::fms, x, y, r.make(Operation::negate, z)); }, 1},
    {"fnms(x, -y, z) = fms(x, y, z)",
     [](Raw& r) { return r.make(Operation::fnms, x, r.make(Operation::negate, y), z); }, 1},
    {"-fma(x, y, z) stays: the sign of zero",
     [](Raw& r) { return r.make(Operation::negate, r.make(Operation::fma, x, y, z)); }, 2},
    {"fma(x, 1, y) = x + y", [](Raw& r) { return r.make(Operation::fma, x, r.literal(1), y); }, 1},
    {"fma(-1, x, y) = y - x", [](Raw& r) { return r.make(Operation::fma, r.literal(-1), x, y); },
     1},
    {"fnma(x, 1, y) = y - x", [](Raw& r) { return r.make(Operation::fnma, x, r.literal(1), y); },
     1},
    {"fms(1, x, y) = x - y", [](Raw& r) { return r.make(Operation::fms, r.literal(1), x, y); }, 1},
    {"fnms(x, 1, y) = -x - y", [](Raw& r) { return r.make(Operation::fnms, x, r.literal(1), y); },
     2},
    {"fma(3, 5, x) = x + 15",
     [](Raw& r) { return r.make(Operation::fma, r.literal(3), r.literal(5), x); }, 1},
    {"fma(0.1, 0.1, x) stays: the product rounds",
     [](Raw& r) { return r.make(Operation::fma, r.literal(0.1), r.literal(0.1), x); }, 1},
    {"fma(0, 5, |x|) = |x|",
     [](Raw& r) {
       return r.make(Operation::fma, r.literal(0), r.literal(5), r.make(Operation::abs, x));
     },
     1},
    {"fma(-0, 5, x) = x",
     [](Raw& r) { return r.make(Operation::fma, r.literal(-0.0), r.literal(5), x); }, 0},
    {"fma(0, inf, x) stays",
     [](Raw& r) { return r.make(Operation::fma, r.literal(0), r.literal(INFINITY), x); }, 1},
    {"fma(x, y, -0) = x y", [](Raw& r) { return r.make(Operation::fma, x, y, r.literal(-0.0)); },
     1},
    {"fma(x, y, 0) stays", [](Raw& r) { return r.make(Operation::fma, x, y, r.literal(0)); }, 1},
    {"fma(x, x, 0) = x²", [](Raw& r) { return r.make(Operation::fma, x, x, r.literal(0)); }, 1},
    {"fms(x, y, 0) = x y", [](Raw& r) { return r.make(Operation::fms, x, y, r.literal(0)); }, 1},
    {"fnma(x, y, -0) = -(x y)",
     [](Raw& r) { return r.make(Operation::fnma, x, y, r.literal(-0.0)); }, 2},
    {"fnma(x, x, 0) stays", [](Raw& r) { return r.make(Operation::fnma, x, x, r.literal(0)); }, 1},
    {"||x|| = |x|", [](Raw& r) { return r.make(Operation::abs, r.make(Operation::abs, x)); }, 1},
    {"|-x| = |x|", [](Raw& r) { return r.make(Operation::abs, r.make(Operation::negate, x)); }, 1},
    {"copysign(-x, y)",
     [](Raw& r) { return r.make(Operation::copysign, r.make(Operation::negate, x), y); }, 1},
    {"copysign(|x|, y)",
     [](Raw& r) { return r.make(Operation::copysign, r.make(Operation::abs, x), y); }, 1},
    {"x < y ? z : z",
     [](Raw& r) { return r.make(Operation::select, r.make(Operation::less, x, y), z, z); }, 0},
    {"not (x < y) ? y : z",
     [](Raw& r) {
       return r.make(Operation::select, r.make(Operation::negation, r.make(Operation::less, x, y)),
                     y, z);
     },
     2},
    {"1 < 2 ? x : y",
     [](Raw& r) {
       return r.make(Operation::select, r.make(Operation::less, r.literal(1), r.literal(2)), x, y);
     },
     0},
    {"(x < y and x < y) ? y : z",
     [](Raw& r) {
       const int less = r.make(Operation::less, x, y);
       return r.make(Operation::select, r.make(Operation::both, less, less), y, z);
     },
     2},
    {"(x < y or 1 < 2) ? y : z",
     [](Raw& r) {
       const int less = r.make(Operation::less, x, y);
       const int true_ = r.make(Operation::less, r.literal(1), r.literal(2));
       return r.make(Operation::select, r.make(Operation::either, less, true_), y, z);
     },
     0},
    {"x y + y x: once",
     [](Raw& r) {
       return r.make(Operation::add, r.make(Operation::multiply, x, y),
                     r.make(Operation::multiply, y, x));
     },
     2},
};

TEST(ProgramBuilder, IdentitiesKeepBits) {
  const std::vector<double> numbers = hostile_numbers();
  for (const Identity& identity : identities) {
    Raw raw;
    const int node = identity.write(raw);
    raw.program.stores = {{0, 0, node}};
    const auto shorter = specialize(raw.program, {});
    ASSERT_TRUE(shorter.has_value());
    EXPECT_EQ(count_operations(*shorter), identity.operations) << identity.name;
    for (const double a : numbers)
      for (const double b : numbers)
        for (const double c : numbers) {
          const double in[] = {a, b, c};
          double expected = 0, found = 0;
          ASSERT_TRUE(interpret(raw.program, {in}, {&expected}));
          ASSERT_TRUE(interpret(*shorter, {in}, {&found}));
          ASSERT_TRUE(same_number(expected, found))
              << identity.name << " of " << a << ", " << b << ", " << c << ": " << found << " for "
              << expected;
        }
  }
}

// Identities meet each other: programs without sense, whose numbers are hostile too.
TEST(ProgramBuilder, RandomProgramsKeepBits) {
  const std::vector<double> numbers = hostile_numbers();
  std::mt19937 random(7);
  long shortened = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const Program raw = testing::random_program(seed, 60, false);
    std::vector<double> a(5), b(3);
    for (int trial = 0; trial < 50; ++trial) {
      for (auto* list : {&a, &b})
        for (double& value : *list) value = numbers[random() % numbers.size()];
      std::vector<FixedInput> fixed;
      if (trial % 2 == 0) fixed = {{0, 1, a[1]}, {1, 2, b[2]}, {0, 3, a[3]}};
      const auto shorter = specialize(raw, fixed);
      ASSERT_TRUE(shorter.has_value());
      shortened += count_operations(without_dead_code(raw)) - count_operations(*shorter);
      std::vector<double> x1(8), y1(8), x2(8), y2(8);
      interpret(raw, {a.data(), b.data()}, {x1.data(), y1.data()});
      interpret(*shorter, {a.data(), b.data()}, {x2.data(), y2.data()});
      for (std::size_t i = 0; i < 8; ++i)
        ASSERT_TRUE(same_number(x1[i], x2[i]) && same_number(y1[i], y2[i]))
            << "program " << seed << ", output " << i << ": " << x1[i] << " became " << x2[i]
            << ", " << y1[i] << " became " << y2[i];
    }
  }
  EXPECT_GT(shortened, 0);
}

TEST(ProgramBuilder, GuardThatCannotHoldLeavesNoProgram) {
  Raw raw;
  raw.program.guards = {raw.make(Operation::less, x, y)};
  raw.program.stores = {{0, 0, z}};
  const FixedInput wrong[] = {{0, 0, 2.0}, {0, 1, 1.0}}, right[] = {{0, 0, 1.0}, {0, 1, 2.0}};
  EXPECT_FALSE(specialize(raw.program, wrong).has_value());
  const auto without = specialize(raw.program, right);
  ASSERT_TRUE(without.has_value());
  EXPECT_TRUE(without->guards.empty());
  const double in[] = {2, 1, 7};
  double out = 0;
  EXPECT_FALSE(interpret(raw.program, {in}, {&out}));
}

}  // namespace
}  // namespace tumble
