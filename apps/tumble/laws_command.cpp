// tumble laws: the law of every random input, with what was solved for.
#include <fmt/format.h>

#include "command.hpp"
#include "model_argument.hpp"
#include "tumble/campaign/laws_json.hpp"
#include "tumble/io/text/json.hpp"

namespace tumble::app {

namespace {

std::string text_of(const Json& value) {
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const Json& item : value) text += (text.empty() ? "" : ", ") + text_of(item);
  return "[" + text + "]";
}

}  // namespace

void add_laws_command(CLI::App& app, Action& action) {
  struct Arguments {
    std::string model;
    std::vector<std::string> overrides;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("laws", "Show the law of every random input with its solved parameters");
  add_model_arguments(*command, arguments->model, arguments->overrides);
  command->add_flag("--json", arguments->json, "Print a JSON object keyed by parameter path");
  command->footer(
      "Example:\n"
      "  tumble laws examples/batou-soize-2012/case4.yaml --json");
  command->callback([arguments, &action] {
    action = [arguments] {
      const ModelFile file = read_model_argument(arguments->model, arguments->overrides);
      const Json laws = laws_json(RandomLaws(file.model, *file.uncertainty));
      if (arguments->json) {
        fmt::print("{}\n", laws.dump(2));
        return;
      }
      if (laws.empty()) fmt::print("no random inputs\n");
      for (const auto& [path, law] : laws.items()) {
        fmt::print("{}: {}\n", path, law["law"].get<std::string>());
        for (const auto& [name, value] : law.items())
          if (name != "law" && name != "warnings")
            fmt::print("  {:<12} {}\n", name, text_of(value));
        for (const Json& warning : law.value("warnings", Json::array()))
          fmt::print("  warning: {}\n", warning.get<std::string>());
      }
    };
  });
}

}  // namespace tumble::app
