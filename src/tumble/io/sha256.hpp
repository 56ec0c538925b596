// SHA-256 (FIPS 180-4), to say in a results file exactly which inputs it came from.
#pragma once
#include <string>
#include <string_view>

namespace tumble {

/// 64 lower-case hexadecimal digits.
std::string sha256(std::string_view data);

}  // namespace tumble
