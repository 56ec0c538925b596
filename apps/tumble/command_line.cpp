#include "command_line.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "model_argument.hpp"

namespace tumble::app {

std::string quoted(const std::string& word) {
  if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "_-./=:,+") == std::string::npos)
    return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string shown_file(const std::string& path) {
  const std::filesystem::path file(path);
  return quoted((file.is_absolute() ? file.filename() : file).string());
}

std::string command_line(const std::string& command, const std::string& model,
                         const std::optional<std::uint32_t>& realizations,
                         const std::optional<std::int64_t>& seed,
                         const std::vector<std::string>& overrides) {
  std::string text =
      fmt::format("tumble {} {}", command, model == standard_input ? "-" : shown_file(model));
  if (realizations) text += fmt::format(" -n {}", *realizations);
  if (seed) text += fmt::format(" --seed {}", *seed);
  for (const std::string& set : overrides) text += " --set " + quoted(set);
  return text;
}

}  // namespace tumble::app
