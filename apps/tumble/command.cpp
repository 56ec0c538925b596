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

void add_model_arguments(CLI::App& command, std::string& model,
                         std::vector<std::string>& overrides) {
  command.add_option("MODEL", model, "Model file (YAML)")
      ->required()
      ->type_name("FILE")
      ->check(not_empty());
  // One value a --set: otherwise a second word, even the model, would be taken for another.
  command
      .add_option("--set", overrides,
                  "Replace a field of the file, by its path; VALUE is YAML. May be repeated")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("PATH=VALUE");
}

}  // namespace tumble::app
