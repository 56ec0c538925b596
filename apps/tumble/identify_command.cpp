// tumble identify: parameters of laws, and other numbers, from measurements.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "command.hpp"
#include "command_line.hpp"
#include "interrupt.hpp"
#include "model_argument.hpp"
#include "shared_work.hpp"
#include "terminal_observer.hpp"
#include "tumble/campaign/identification_run.hpp"
#include "tumble/io/results/identification_results.hpp"

namespace tumble::app {
namespace {

/// 0.32164 +- 0.0004, or 0.32164 alone where there is no error to tell.
std::string with_error(double value, double error) {
  if (!(error > 0)) return fmt::format("{:.6g}", value);
  return fmt::format("{:.6g} +- {:.1g}", value, error);
}

void print_estimates(const IdentificationResults& results, const std::vector<std::string>& verdicts,
                     double level) {
  for (std::size_t k = 0; k < results.parameters.size(); ++k) {
    const auto& p = results.parameters[k];
    fmt::print("\n{}\n  estimate  {}\n", p.path, with_error(p.estimate, p.estimate_error));
    fmt::print("  {:g} %      {} ... {}\n", 100 * level, with_error(p.lower, p.lower_error),
               with_error(p.upper, p.upper_error));
    if (std::isfinite(p.standard_error))
      fmt::print("  standard error from Fisher's information {:.4g}\n", p.standard_error);
    if (results.replicas > 0)
      fmt::print(
          "  posterior  mean {:.6g}, std {:.4g}, {:g} % {:.6g} ... {:.6g}; R-hat {:.3f}, "
          "effective draws {:.0f}\n",
          p.mean, p.std, 100 * level, p.posterior_lower, p.posterior_upper, p.r_hat,
          p.effective_size);
    if (!verdicts[k].empty()) fmt::print("  {}\n", verdicts[k]);
  }
}

void print(const IdentificationOptions& options, const IdentificationOutcome& outcome,
           double level) {
  const IdentificationResults& results = *outcome.results;
  fmt::print("{}{}{}\n", options.model, outcome.title.empty() ? "" : ": ", outcome.title);
  fmt::print("{} experiment{} of {} number{}, likelihood {}, {} runs\n", results.experiments,
             results.experiments == 1 ? "" : "s", results.observations.size(),
             results.observations.size() == 1 ? "" : "s", outcome.likelihood, outcome.runs);
  print_estimates(results, outcome.verdicts, level);
  fmt::print("\nlog likelihood {}\n",
             with_error(results.log_likelihood, results.log_likelihood_error));
  if (std::isfinite(results.ess)) {
    double least = results.ess_experiment.empty() ? 0 : results.ess_experiment[0];
    for (const double size : results.ess_experiment) least = std::min(least, size);
    fmt::print("effective draws {:.0f}, of the experiment with the fewest {:.0f}\n", results.ess,
               least);
  }
  for (const double share : results.principal_shares)
    fmt::print("principal components keep {:.2f} % of the variance of a series\n", 100 * share);
  fmt::print("errors after +- are those of a finite ensemble, one sigma\n");
  fmt::print("\nresults: {}\nmodel:   {}\n", outcome.file.string(), outcome.model.string());
}

struct Arguments {
  IdentificationOptions identification;
  std::string data, directory, method = "ml";
  bool overwrite = false, resume = false, quiet = false;
  unsigned threads = 0;
};

/// `ranks`: null if alone.
IdentificationOptions options_of(const Arguments& arguments, const Ranks* ranks) {
  IdentificationOptions all = arguments.identification;
  all.data = arguments.data;
  all.directory = arguments.directory;
  if (all.directory.empty()) all.directory = default_directory(all.model).string() + "-identified";
  all.text = model_text(all.model);
  all.method = arguments.method == "bayes" ? IdentificationMethod::bayes
                                           : IdentificationMethod::maximum_likelihood;
  all.if_results_exist = arguments.overwrite ? IfResultsExist::overwrite
                         : arguments.resume  ? IfResultsExist::resume
                                             : IfResultsExist::refuse;
  all.threads = static_cast<int>(arguments.threads);
  if (all.threads == 0 && ranks != nullptr) all.threads = ranks->default_threads();
  all.command = command_line("identify", all.model, {}, {}, all.overrides) + " --data " +
                shown_file(arguments.data) + (arguments.method == "bayes" ? " --method bayes" : "");
  return all;
}

/// `leader`: of the other ranks, or null.
void identify(const Arguments& arguments, RankLeader* leader) {
  IdentificationOptions all = options_of(arguments, leader != nullptr ? &leader->ranks() : nullptr);
  all.leader = leader;
  TerminalObserver observer(arguments.quiet ? TerminalObserver::Progress::none
                                            : TerminalObserver::Progress::bar);
  catch_interrupts();
  const IdentificationOutcome outcome = run_identification(all, observer);
  if (arguments.quiet) return;
  if (outcome.already_there)
    fmt::print("nothing to do: {} holds the results of this identification\n",
               outcome.file.string());
  else
    print(all, outcome, outcome.level);
}

}  // namespace

void add_identify_command(CLI::App& app, Action& action, RankSession& session) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "identify", "Find parameters of a model from measurements, and how sure they are");
  add_model_arguments(*command, arguments->identification.model,
                      arguments->identification.overrides);
  command
      ->add_option("--data", arguments->data,
                   "Measurements: one row an experiment, columns as the section `identification` "
                   "of the model names them; an empty cell is a missing value")
      ->required()
      ->type_name("FILE.csv")
      ->check(not_empty());
  command
      ->add_option("-o,--output", arguments->directory,
                   "Directory for the results; out/<name of the model file>-identified if left out")
      ->type_name("DIR")
      ->check(not_empty());
  command
      ->add_option("--method", arguments->method,
                   "ml: maximum likelihood with profile intervals; bayes: the posterior too")
      ->type_name("ml|bayes")
      ->check(CLI::IsMember({"ml", "bayes"}));
  CLI::Option* overwrite =
      command->add_flag("--overwrite", arguments->overwrite, "Replace what is already in DIR");
  command
      ->add_flag("--resume", arguments->resume,
                 "Go on with the identification in DIR; nothing to do if DIR holds its results")
      ->excludes(overwrite);
  command
      ->add_option("--threads", arguments->threads,
                   "Threads; all cores if left out. Under mpirun of each rank; its share of the "
                   "cores if left out")
      ->type_name("T")
      ->check(CLI::Range(1u, 4096u));
  command->add_flag("-q,--quiet", arguments->quiet, "Print nothing but notes, warnings and errors");
  command->footer(
      "Example:\n"
      "  tumble identify examples/identification/spring.yaml --data "
      "examples/identification/spring.csv\n"
      "On several machines or sockets: mpirun -n 4 tumble identify MODEL --data FILE.csv");
  command->callback([arguments, &action, &session] {
    action = [arguments, &session] {
      among_ranks(
          session, arguments->identification.model,
          [&](RankLeader* leader) { identify(*arguments, leader); },
          [&](Ranks& ranks, Observer& observer) {
            help_identification(options_of(*arguments, &ranks), ranks, observer);
          });
    };
  });
}

}  // namespace tumble::app
