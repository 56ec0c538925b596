// What the commands of the program share: how they are added to the command line, and how they end.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tumble/base/diagnostic.hpp"
#include "tumble/campaign/errors.hpp"

namespace tumble::app {

/// What scripts that call the program can rely on.
enum ExitStatus {
  exit_done = 0,
  exit_simulation_failed = 1,
  exit_bad_input = 2,     ///< or usage; nothing was written
  exit_system_error = 3,  ///< a full disk, a directory without permission
  exit_interrupted = 130,
};

/// Ends with exit_bad_input.
using UsageError = RequestError;
/// Ctrl-C: unwinds, so that temporary files go.
using Interrupted = Cancelled;

/// ": --overwrite replaces it, -o DIR puts the new results elsewhere": how ways out of a refusal
/// are said on the command line. Empty without any.
std::string in_options(const std::vector<Way>& ways);
/// Where a mistake is, in words of the command line: what the library calls an override is --set.
Diagnostic in_options(Diagnostic mistake);

/// The chosen command. Parsing the command line only sets it; main() runs it, so that the errors of
/// the two are never confused.
using Action = std::function<void()>;

class RankSession;

/// `run` is the command that ranks share; the others are rank 0's alone.
void add_run_command(CLI::App& app, Action& action, RankSession& session);
void add_merge_command(CLI::App& app, Action& action);
void add_sweep_command(CLI::App& app, Action& action);
void add_identify_command(CLI::App& app, Action& action, RankSession& session);
void add_replay_command(CLI::App& app, Action& action);
void add_sensitivity_command(CLI::App& app, Action& action);
void add_report_command(CLI::App& app, Action& action);
void add_view_command(CLI::App& app, Action& action);
void add_serve_command(CLI::App& app, Action& action);
void add_dakota_command(CLI::App& app, Action& action);
void add_check_command(CLI::App& app, Action& action);
void add_derivatives_command(CLI::App& app, Action& action);
void add_equilibrium_command(CLI::App& app, Action& action);
void add_modes_command(CLI::App& app, Action& action);
void add_linearize_command(CLI::App& app, Action& action);
void add_frequency_response_command(CLI::App& app, Action& action);
void add_parameters_command(CLI::App& app, Action& action);
void add_sample_command(CLI::App& app, Action& action);
void add_laws_command(CLI::App& app, Action& action);
void add_convert_command(CLI::App& app, Action& action);
void add_modal_body_command(CLI::App& app, Action& action);
void add_fmu_command(CLI::App& app, Action& action);
void add_schema_command(CLI::App& app, Action& action);
void add_devices_command(CLI::App& app, Action& action);

/// The text of a robot description. @throws InputError
std::string read_robot_file(const std::string& path);

/// What the program is about to do and how large it is: all that is known once memory runs out.
void about_to(std::string what);
const std::string& doing();

/// Refuses an empty text, which a variable that is not set makes of a path in a script.
CLI::Validator not_empty();

/// Adds --seed.
void add_seed_option(CLI::App& command, std::optional<std::int64_t>& seed, const std::string& help);

}  // namespace tumble::app
