// tumble sweep: one study for each combination of values, one results file for all.
#include <fmt/format.h>

#include "command.hpp"
#include "command_line.hpp"
#include "interrupt.hpp"
#include "model_argument.hpp"
#include "sweep_table.hpp"
#include "terminal_observer.hpp"
#include "tumble/campaign/sweep_run.hpp"

namespace tumble::app {
namespace {

void print(const std::string& model, const SweepOutcome& outcome) {
  fmt::print("{}{}{}\n", model, outcome.title.empty() ? "" : ": ", outcome.title);
  fmt::print("{} points in {:.3g} s\n\n{}", outcome.points, outcome.wall_time,
             sweep_table(*outcome.sweep, *outcome.summary));
  if (!outcome.summary->left_out.empty())
    fmt::print("\nleft out, because points differ in shape: {}\n",
               fmt::join(outcome.summary->left_out, " "));
  if (!outcome.summary->missing.empty())
    fmt::print("\nat some points only, NaN at the others: {}\n",
               fmt::join(outcome.summary->missing, " "));
  fmt::print("\nresults: {}\npage:    tumble report {}\n", outcome.file.string(),
             outcome.file.parent_path().string());
}

void run(const SweepOptions& options, bool quiet) {
  TerminalObserver observer(quiet ? TerminalObserver::Progress::none
                                  : TerminalObserver::Progress::bar);
  catch_interrupts();
  const SweepOutcome outcome = run_sweep(options, observer);
  if (outcome.already_there) {
    if (!quiet)
      fmt::print("nothing to do: {} holds the results of this sweep\n", outcome.file.string());
    return;
  }
  if (!quiet) print(options.model, outcome);
  if (!outcome.too_many_failed.empty()) throw TooManyFailed(outcome.too_many_failed);
}

}  // namespace

void add_sweep_command(CLI::App& app, Action& action) {
  struct Arguments {
    SweepOptions sweep;
    std::string directory;
    bool overwrite = false, resume = false, quiet = false;
    std::optional<std::uint32_t> realizations;
    std::optional<std::int64_t> seed;
    unsigned threads = 0;
  };
  auto arguments = std::make_shared<Arguments>();
  SweepOptions& sweep = arguments->sweep;
  CLI::App* command = app.add_subcommand(
      "sweep", "Run the study of a model for lists of values and write one DIR/results.nc");
  add_model_arguments(*command, sweep.model, sweep.overrides);
  command
      ->add_option("--vary", sweep.vary,
                   "Values of a field, by its path as in --set; several paths move together. A "
                   "value is YAML, or FROM:TO:N for N equally spaced numbers. Repeated: all "
                   "combinations, the first varies slowest")
      ->required()
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("PATH[,PATH2...]=V1,V2,...");
  command
      ->add_option("-o,--output", arguments->directory,
                   "Directory for the results; out/<name of the model file>-sweep if left out")
      ->type_name("DIR")
      ->check(not_empty());
  CLI::Option* overwrite =
      command->add_flag("--overwrite", arguments->overwrite, "Replace what is already in DIR");
  command
      ->add_flag("--resume", arguments->resume,
                 "Go on with the sweep in DIR; nothing to do if DIR holds its results")
      ->excludes(overwrite);
  command->add_flag("--keep-points", sweep.keep_points,
                    "Leave the study of each point in DIR/points/<number>, for `tumble replay` and "
                    "to extend the sweep by realisations");
  command->add_option("-n", arguments->realizations, "Realisations of every point")
      ->type_name("N")
      ->check(CLI::Range(1u, 1'000'000'000u));
  add_seed_option(*command, arguments->seed, "Seed of the random inputs, the same at all points");
  command->add_option("--threads", arguments->threads, "Threads; all cores if left out")
      ->type_name("T")
      ->check(CLI::Range(1u, 4096u));
  command->add_flag("-q,--quiet", arguments->quiet, "Print nothing but notes, warnings and errors");
  command->footer(
      "Example:\n"
      "  tumble sweep examples/ensembles/pendulum-table.yaml --vary gravity[2]=-9.81,-1.62 "
      "--vary simulation.step=1e-3,2e-3 -n 64\n"
      "Two fields with the same value: --vary uncertainty.rb5.inertia.lambda_l,"
      "uncertainty.rb5.inertia.lambda_u=-5:-3:5");
  command->callback([arguments, &action] {
    action = [arguments] {
      SweepOptions all = arguments->sweep;
      if (arguments->realizations)
        all.overrides.push_back(fmt::format("study.realizations={}", *arguments->realizations));
      if (arguments->seed) all.overrides.push_back(fmt::format("study.seed={}", *arguments->seed));
      all.directory = arguments->directory;
      if (all.directory.empty()) all.directory = default_directory(all.model).string() + "-sweep";
      all.text = model_text(all.model);
      all.if_results_exist = arguments->overwrite ? IfResultsExist::overwrite
                             : arguments->resume  ? IfResultsExist::resume
                                                  : IfResultsExist::refuse;
      all.threads = static_cast<int>(arguments->threads);
      all.command = command_line("sweep", all.model, arguments->realizations, arguments->seed,
                                 arguments->sweep.overrides);
      for (const std::string& vary : all.vary) all.command += " --vary " + quoted(vary);
      run(all, arguments->quiet);
    };
  });
}

}  // namespace tumble::app
