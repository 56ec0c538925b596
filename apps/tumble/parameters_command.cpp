// tumble parameters: what can be set, made random or identified, by its path.
#include <fmt/format.h>

#include "command.hpp"
#include "model_argument.hpp"
#include "tumble/io/schema/parameter_listing.hpp"

namespace tumble::app {

void add_parameters_command(CLI::App& app, Action& action) {
  struct Arguments {
    std::string model;
    std::vector<std::string> overrides;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "parameters", "List every parameter of a model: path, unit, nominal value, random or not");
  add_model_arguments(*command, arguments->model, arguments->overrides);
  command->add_flag("--json", arguments->json,
                    "Print a JSON array of {path, unit, value, random, variable}");
  command->footer(
      "Example:\n"
      "  tumble parameters examples/classics/pendulum.yaml | grep rod");
  command->callback([arguments, &action] {
    action = [arguments] {
      const ModelFile file = read_model_argument(arguments->model, arguments->overrides);
      const auto& list = arguments->json ? parameter_table_json : parameter_table_text;
      const std::string text = list(file.model, *file.uncertainty);
      fmt::print("{}", text);
    };
  });
}

}  // namespace tumble::app
