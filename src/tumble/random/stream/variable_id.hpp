// The number by which a random variable is known to its streams.
#pragma once
#include <cstdint>
#include <string_view>

namespace tumble {

/// FNV-1a of the bytes of the variable's name, for example "bodies.rb5.mass". It follows from the
/// name alone: other variables, and their order in a file, do not change what this one draws.
/// Among a thousand names, two share a number with a probability of 3e-14.
constexpr std::uint64_t variable_id(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : name) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3;
  }
  return hash;
}

}  // namespace tumble
