// The model that a command is given: a file, or standard input.
#pragma once
#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "tumble/io/model_reader.hpp"

namespace tumble::app {

class RankSession;

/// What `-` is called from the command line on, in messages and results.
inline constexpr const char* standard_input = "<stdin>";

/// Adds the arguments MODEL.yaml and --set.
void add_model_arguments(CLI::App& command, std::string& model,
                         std::vector<std::string>& overrides);

/// The text of the model. Standard input is read when it is first asked for, and kept: a study asks
/// again, and so does every point of a sweep. @throws InputError
std::string model_text(const std::string& model);
/// @throws InputError
ModelFile read_model_argument(const std::string& model, const std::vector<std::string>& overrides);

/// Launchers give standard input to rank 0 alone: the others have it from there. Called on all
/// ranks, before any of them reads the model. @throws InputError on rank 0
void share_standard_input(const std::string& model, RankSession& session);

/// out/<name of the model file>, out/stdin.
std::filesystem::path default_directory(const std::string& model);

}  // namespace tumble::app
