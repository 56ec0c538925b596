// Whole files as strings, with the reason where there is none.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>

namespace tumble {

/// The bytes of a file, at most `limit` of them; otherwise a message and an empty string.
std::string read_file(const std::filesystem::path& path, std::size_t limit, std::string& error);

/// The same, but not of a pipe or a device, which could keep the reader waiting for ever.
std::string read_regular_file(const std::filesystem::path& path, std::size_t limit,
                              std::string& error);

}  // namespace tumble
