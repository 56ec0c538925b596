// tumble merge: the shards of a study become the results of one run.
#include <fmt/format.h>

#include "command.hpp"
#include "interrupt.hpp"
#include "report_file.hpp"
#include "study_report.hpp"
#include "terminal_observer.hpp"
#include "tumble/campaign/shard/merge_run.hpp"

namespace tumble::app {
namespace {

struct Arguments {
  std::vector<std::string> shards;
  std::string directory;
  bool overwrite = false;
  bool csv = false;
  bool keep_journal = false;
  bool no_report = false;
  unsigned threads = 0;
  bool quiet = false;
};

void merge(const Arguments& arguments) {
  const std::vector<std::filesystem::path> directories(arguments.shards.begin(),
                                                       arguments.shards.end());
  const ShardJournals shards = inspect_shards(directories);
  const ModelFile file = model_of(shards);
  TerminalObserver observer(arguments.quiet ? TerminalObserver::Progress::none
                                            : TerminalObserver::Progress::bar);
  catch_interrupts();
  StudyOptions options;
  options.directory = arguments.directory;
  options.if_results_exist =
      arguments.overwrite ? IfResultsExist::overwrite : IfResultsExist::refuse;
  options.threads = static_cast<int>(arguments.threads);
  options.csv = arguments.csv;
  options.keep_journal = arguments.keep_journal;
  const StudyResults results = merge_shards(file, shards, options, observer);
  if (!arguments.quiet) print_study(shards.model.path, file, results, false);
  refresh_report(options.directory, !arguments.no_report, arguments.quiet);
  require_success(results);
}

}  // namespace

void add_merge_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "merge", "Put the shards of a study together: the results of one run, bit for bit");
  command
      ->add_option("SHARDS", arguments->shards,
                   "Directories that `tumble run --shard I/N` filled, all N of them, in any order")
      ->required()
      ->type_name("DIR...")
      ->check(not_empty());
  command->add_option("-o,--output", arguments->directory, "Directory for the results")
      ->required()
      ->type_name("DIR")
      ->check(not_empty());
  command->add_flag("--overwrite", arguments->overwrite, "Replace results that are already in DIR");
  command->add_flag("--csv", arguments->csv,
                    "Also write DIR/<probe>.csv for every probe and "
                    "DIR/<probe>.<quantity>.statistics.csv");
  command->add_flag("--keep-journal", arguments->keep_journal,
                    "Keep the values of all realisations in DIR/study.journal, as for `run`");
  command->add_flag("--no-report", arguments->no_report, "Do not make the page DIR/report.html");
  command->add_option("--threads", arguments->threads, "Threads; all cores if left out")
      ->type_name("T")
      ->check(CLI::Range(1u, 4096u));
  command->add_flag("-q,--quiet", arguments->quiet, "Print nothing but notes, warnings and errors");
  command->footer(
      "Model and study are those of the shards; files that the model refers to are read again.\n"
      "Shards are left as they are. The study in DIR can be extended like any other.\n"
      "Example:\n"
      "  tumble run examples/ensembles/pendulum-table.yaml --shard 1/2 -o out/part1 --overwrite\n"
      "  tumble run examples/ensembles/pendulum-table.yaml --shard 2/2 -o out/part2 --overwrite\n"
      "  tumble merge out/part1 out/part2 -o out/merged --overwrite");
  command->callback([arguments, &action] { action = [arguments] { merge(*arguments); }; });
}

}  // namespace tumble::app
