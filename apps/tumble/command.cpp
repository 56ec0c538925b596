#include "command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tumble/model/study/study.hpp"

namespace tumble::app {
namespace {

std::string& activity() {
  static std::string what = "starting";
  return what;
}

}  // namespace

void about_to(std::string what) { activity() = std::move(what); }
const std::string& doing() { return activity(); }

std::string in_options(const std::vector<Way>& ways) {
  const auto words = [](Way way) {
    switch (way) {
      case Way::resume:
        return "--resume goes on with it if it is of the same model";
      case Way::overwrite:
        return "--overwrite replaces it";
      case Way::elsewhere:
        return "-o DIR puts the new results elsewhere";
      case Way::sweep:
        return "`tumble sweep` goes on with it or replaces it";
      case Way::keep_points:
        return "`tumble sweep --keep-points` keeps them";
    }
    return "";
  };
  std::string text;
  for (const Way way : ways) text += fmt::format("{}{}", text.empty() ? ": " : ", ", words(way));
  return text;
}

Diagnostic in_options(Diagnostic mistake) {
  std::string& file = mistake.where.file;
  for (const auto& [library, option] :
       {std::pair<std::string, std::string>{"override ", "--set "}, {"varied ", "--vary "}})
    if (mistake.where.line == 0 && file.starts_with(library))
      file = option + file.substr(library.size());
  return mistake;
}

CLI::Validator not_empty() {
  return CLI::Validator(
      [](const std::string& text) {
        return text.empty() ? std::string("the name is empty") : std::string();
      },
      "");
}

void add_seed_option(CLI::App& command, std::optional<std::int64_t>& seed,
                     const std::string& help) {
  command.add_option("--seed", seed, help)
      ->type_name("S")
      ->check(CLI::Validator(
          [](const std::string& text) {
            const bool digits =
                !text.empty() && text.size() <= 16 &&
                std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
            return digits && std::stoll(text) <= largest_seed
                       ? std::string()
                       : fmt::format("must be a whole number between 0 and {}", largest_seed);
          },
          ""));
}

}  // namespace tumble::app
