#include "command.hpp"

namespace tumble::app {

void add_model_arguments(CLI::App& command, std::string& model,
                         std::vector<std::string>& overrides) {
  command.add_option("MODEL", model, "Model file (YAML)")->required()->type_name("FILE");
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
