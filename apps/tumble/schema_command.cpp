// tumble schema: the model file for editors and validators.
#include <fmt/format.h>

#include "command.hpp"
#include "tumble/io/schema/schema.hpp"

namespace tumble::app {

void add_schema_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("schema", "Print the JSON Schema of model files");
  command->footer(
      "Example:\n"
      "  tumble schema > model.schema.json\n"
      "An editor with a YAML language server then completes and checks a model that begins with\n"
      "  # yaml-language-server: $schema=model.schema.json");
  command->callback([&action] { action = [] { fmt::print("{}", model_schema()); }; });
}

}  // namespace tumble::app
