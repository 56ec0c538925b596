#include "tumble/base/read_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

namespace tumble {

std::string read_file(const std::filesystem::path& path, std::size_t limit, std::string& error) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status)) {
    error = "cannot be read: it is a directory";
    return {};
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) {
    error = fmt::format("cannot be read: {}", std::strerror(errno));
    return {};
  }
  std::string content;
  char buffer[65536];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file.get())) {
    content.append(buffer, n);
    if (content.size() > limit) {
      error = fmt::format("the file has more than {} bytes", limit);
      return {};
    }
  }
  if (std::ferror(file.get()) != 0) error = "cannot be read";
  return content;
}

std::string read_regular_file(const std::filesystem::path& path, std::size_t limit,
                              std::string& error) {
  std::error_code status;
  if (std::filesystem::exists(path, status) && !std::filesystem::is_regular_file(path, status)) {
    error = "must be a regular file";
    return {};
  }
  return read_file(path, limit, error);
}

}  // namespace tumble
