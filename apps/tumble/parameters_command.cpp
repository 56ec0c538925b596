// tumble parameters: what can be set, made random or identified, by its path.
#include <fmt/format.h>

#include "command.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/io/parameter_listing.hpp"

namespace tumble::app {

void add_parameters_command(CLI::App& app, Action& action) {
  struct Arguments {
    std::string model;
    std::vector<std::string> overrides;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "parameters", "List every parameter of a model: path, unit, nominal value");
  add_model_arguments(*command, arguments->model, arguments->overrides);
  command->add_flag("--json", arguments->json, "Print a JSON array of {path, unit, value}");
  command->footer(
      "Example:\n"
      "  tumble parameters examples/classics/pendulum.yaml | grep rod");
  command->callback([arguments, &action] {
    action = [arguments] {
      const Model model = read_model(arguments->model, arguments->overrides).model;
      const std::string text =
          arguments->json ? parameter_table_json(model) : parameter_table_text(model);
      fmt::print("{}", text);
    };
  });
}

}  // namespace tumble::app
