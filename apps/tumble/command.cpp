#include "command.hpp"

#include <fmt/format.h>

#include <algorithm>

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
