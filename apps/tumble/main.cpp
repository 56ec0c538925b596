// The command line of Tumble. Commands are in files of their own; here is how they are found and
// how their failures become exit statuses.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <ostream>

#include "command.hpp"
#include "rank_session.hpp"
#include "tumble/base/diagnostic.hpp"
#include "tumble/campaign/errors.hpp"
#include "tumble/io/results/build_info.hpp"
#include "tumble/io/results/results_file.hpp"
#include "tumble/io/text/document.hpp"

namespace tumble::app {
namespace {

int execute(const Action& action, const RankSession& session) {
  // Once, however many ranks meet the same mistake.
  const auto say = [&session]<class... Args>(fmt::format_string<Args...> format, Args&&... args) {
    if (session.leads())
      fmt::print(stderr, "{}\n", fmt::format(format, std::forward<Args>(args)...));
  };
  try {
    action();
    return exit_done;
  } catch (const InputError& error) {
    std::size_t n = 0;
    for (const Diagnostic& d : error.diagnostics()) {
      say("{}", to_string(in_options(d)));
      n += d.stands_for;
    }
    say("{} {}", n, n == 1 ? "error" : "errors");
    return exit_bad_input;
  } catch (const UsageError& error) {
    say("tumble: {}{}", error.what(), in_options(error.ways()));
    return exit_bad_input;
  } catch (const SimulationError& error) {
    say("tumble: the simulation failed: {}", error.what());  // says when, too
    return exit_simulation_failed;
  } catch (const TooManyFailed& error) {
    say("tumble: {}", error.what());
    return exit_simulation_failed;
  } catch (const Interrupted& error) {
    say("tumble: {}{}", error.what(),
        error.resumable() ? "; the same command with --resume continues" : "");
    return exit_interrupted;
  } catch (const std::bad_alloc&) {
    say("tumble: not enough memory for {}", doing());
    return exit_system_error;
  } catch (const std::length_error&) {  // what a container says of a size beyond all memory
    say("tumble: not enough memory for {}", doing());
    return exit_system_error;
  } catch (const std::exception& error) {
    say("tumble: {}", error.what());
    return exit_system_error;
  }
}

/// "  run       Simulate a model ...", a line each.
std::string list_of_commands(const CLI::App& app) {
  std::string text = "Commands:\n";
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    text += fmt::format("  {:<19} {}\n", command->get_name(), command->get_description());
  return text + "`tumble COMMAND --help` explains one.\n";
}

/// What is wrong with the first word; empty if it is a command, or an option.
std::string wrong_command(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty()) return "which command?";
  const std::string& word = words.front();
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(command->get_name());
  if (word.starts_with("-") || std::ranges::count(known, word) > 0) return {};
  const std::string nearest = nearest_name(word, known);
  return fmt::format("there is no command '{}'{}", printable(word),
                     nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
}

/// `tumble help` is `tumble --help`, and `tumble help run` is `tumble run --help`.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  words.resize(std::min<std::size_t>(words.size(), 1));
  words.emplace_back("--help");
  return words;
}

int parse_and_execute(int argc, char** argv, RankSession& session) {
  CLI::App app(
      "Tumble: dynamics of machines made of rigid bodies, flexible beams, joints and springs",
      "tumble");
  app.set_version_flag(
      "--version", fmt::format("tumble {}\nsource revision {}, compiler {}, flags {}", version(),
                               build_info().revision, build_info().compiler, build_info().flags));
  app.require_subcommand(1);
  app.footer(
      "Example:\n"
      "  tumble run examples/classics/pendulum.yaml -o out/moon --set gravity='[0, 0, -1.62]'\n"
      "`tumble COMMAND --help` explains a command.\n"
      "Exit status: 0 done; 1 the simulation failed, or too many of a study; 2 bad input or "
      "usage,\n"
      "nothing written; 3 a system error such as a full disk; 130 interrupted.");
  Action action;
  add_run_command(app, action, session);
  add_merge_command(app, action);
  add_sweep_command(app, action);
  add_identify_command(app, action, session);
  add_replay_command(app, action);
  add_sensitivity_command(app, action);
  add_report_command(app, action);
  add_view_command(app, action);
  add_serve_command(app, action);
  add_dakota_command(app, action);
  add_check_command(app, action);
  add_equilibrium_command(app, action);
  add_modes_command(app, action);
  add_linearize_command(app, action);
  add_frequency_response_command(app, action);
  add_derivatives_command(app, action);
  add_parameters_command(app, action);
  add_sample_command(app, action);
  add_laws_command(app, action);
  add_convert_command(app, action);
  add_modal_body_command(app, action);
  add_fmu_command(app, action);
  add_schema_command(app, action);
  add_devices_command(app, action);
  std::vector<std::string> words = words_of(argc, argv);
  if (const std::string wrong = wrong_command(app, words); !wrong.empty()) {
    if (session.leads()) fmt::print(stderr, "tumble: {}\n{}", wrong, list_of_commands(app));
    return exit_bad_input;
  }
  std::ranges::reverse(words);  // the order in which CLI11 wants them
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    std::ostream nowhere(nullptr);
    const int status = session.leads() ? app.exit(error) : app.exit(error, nowhere, nowhere);
    return status == 0 ? exit_done : exit_bad_input;
  }
  const bool shared = app.got_subcommand("run") || app.got_subcommand("identify");
  if (!session.leads() && !shared) return exit_done;
  return execute(action, session);
}

}  // namespace
}  // namespace tumble::app

int main(int argc, char** argv) {
  // Arrays of one leaf of a study after the other: memory that is given back and asked for again
  // comes cleared, page by page, which takes longer than filling it.
  ::mallopt(M_MMAP_THRESHOLD, 4 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 64 << 20);
  // A file that may not grow further is then an error of write(), reported like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  tumble::leave_hdf5_out_of_exit();
  tumble::app::RankSession session;
  int status = tumble::app::exit_system_error;
  try {
    status = tumble::app::parse_and_execute(argc, argv, session);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tumble: %s\n", error.what());
  }
  // What was printed may be all that was asked for: losing it is a failure.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::perror("tumble: cannot write to standard output");
    if (status == tumble::app::exit_done) status = tumble::app::exit_system_error;
  }
  // Launchers end everybody at the first status that is not 0: a rank that has not joined the
  // others leaves that, like the message, to rank 0.
  if (!session.leads() && session.ranks() == nullptr) return tumble::app::exit_done;
  return session.agree(status);
}
