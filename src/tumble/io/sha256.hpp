// SHA-256 (FIPS 180-4), to say in a results file exactly which inputs it came from.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace tumble {

/// 64 lower-case hexadecimal digits.
std::string sha256(std::string_view data);

/// The same of a file's bytes. Throws std::system_error if the file cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace tumble
