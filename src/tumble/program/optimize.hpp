// Shorter programs with the same bits.
#pragma once
#include <optional>
#include <span>

#include "tumble/program/tape.hpp"

namespace tumble {

/// The program without nodes that no output and no guard depends on.
Program without_dead_code(const Program& program);

/// A number of an input region that is the same whenever the program is run.
struct FixedInput {
  int region = 0, index = 0;
  double value = 0;
};

/// The program with fixed inputs as literals, everything that follows from them computed, and equal
/// nodes once. Null if one of its guards can never hold then.
std::optional<Program> specialize(const Program& program, std::span<const FixedInput> fixed);

/// The program with fewer outputs: those of the regions named are left out.
Program without_outputs(const Program& program, std::span<const int> regions);

}  // namespace tumble
