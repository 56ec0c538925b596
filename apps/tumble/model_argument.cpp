#include "model_argument.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <utility>

#include "command.hpp"
#include "rank_session.hpp"
#include "tumble/io/text/document.hpp"

namespace tumble::app {
namespace {

std::optional<std::string>& kept_input() {
  static std::optional<std::string> text;
  return text;
}

std::string read_standard_input() {
  const std::size_t limit = DocumentLimits{}.bytes;
  const auto refuse = [](std::string why) {
    Diagnostic d;
    d.where = {standard_input, 0};
    d.expectation = std::move(why);
    throw InputError({d});
  };
  std::string text;
  char buffer[65536];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, stdin)) {
    text.append(buffer, n);
    if (text.size() > limit) refuse(fmt::format("more than {} bytes", limit));
  }
  if (std::ferror(stdin) != 0) refuse("cannot be read");
  return text;
}

}  // namespace

void add_model_arguments(CLI::App& command, std::string& model,
                         std::vector<std::string>& overrides) {
  command.add_option("MODEL", model, "Model file (YAML); - is standard input")
      ->required()
      ->type_name("FILE")
      ->check(not_empty())
      ->transform(CLI::Validator(
          [](std::string& name) {
            if (name == "-") name = standard_input;
            return std::string();
          },
          ""));
  // One value a --set: otherwise a second word, even the model, would be taken for another.
  command
      .add_option("--set", overrides,
                  "Replace a field of the file, by its path; VALUE is YAML. May be repeated")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("PATH=VALUE");
}

std::string model_text(const std::string& model) {
  if (model != standard_input) return read_model_file(model);
  if (!kept_input()) kept_input() = read_standard_input();
  return *kept_input();
}

ModelFile read_model_argument(const std::string& model, const std::vector<std::string>& overrides) {
  return read_model_text(model_text(model), model, overrides);
}

void share_standard_input(const std::string& model, RankSession& session) {
  if (model != standard_input || session.ranks() == nullptr) return;
  if (!session.leads()) {
    kept_input() = session.share({});
    return;
  }
  try {
    session.share(model_text(model));
  } catch (const InputError&) {
    session.share({});  // the others wait for it
    throw;
  }
}

std::filesystem::path default_directory(const std::string& model) {
  return std::filesystem::path("out") /
         (model == standard_input ? "stdin" : std::filesystem::path(model).stem());
}

}  // namespace tumble::app
