// tumble run: a model in, results.nc out.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>

#include "assemble.hpp"
#include "command.hpp"
#include "output_directory.hpp"
#include "progress_bar.hpp"
#include "summary.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/io/results_csv.hpp"
#include "tumble/io/results_file.hpp"

namespace tumble::app {
namespace {

struct Arguments {
  std::string model;
  std::vector<std::string> overrides;
  std::string directory;
  bool overwrite = false;
  bool resume = false;
  bool csv = false;

  IfResultsExist policy() const {
    if (overwrite) return IfResultsExist::overwrite;
    return resume ? IfResultsExist::resume : IfResultsExist::refuse;
  }
};

volatile std::sig_atomic_t interrupt_seen = 0;

/// The first Ctrl-C or termination request ends the run in order; a second one ends it at once.
/// What the caller chose to ignore (nohup) stays ignored.
void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupt_seen = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
}

void stop_if_interrupted() {
  if (interrupt_seen != 0) throw Interrupted();
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

void report(const Arguments& arguments, const System& system, const Trajectory& trajectory,
            double wall_time, const OutputDirectory& directory) {
  const RunStatistics& s = trajectory.statistics;
  const Model& model = system.nominal;
  const double per_step =
      s.steps > 0 ? static_cast<double>(s.iterations) / static_cast<double>(s.steps) : 0.0;
  fmt::print("{}{}{}\n", arguments.model, model.title.empty() ? "" : ": ", model.title);
  fmt::print("bodies {}, joints {}, degrees of freedom {}\n", model.bodies.size(),
             model.joints.size(), system.nv - system.nc);
  fmt::print("{:g} s simulated in {:.3g} s: {} steps, {:.2f} iterations a step\n",
             model.simulation.duration, wall_time, s.steps, per_step);
  if (s.halvings > 0) fmt::print("{} steps were halved to converge\n", s.halvings);
  const std::string table = peaks(trajectory);
  if (!table.empty()) fmt::print("\n{}", table);
  fmt::print("\nresults: {}\n", directory.results().string());
}

void run_model(const Arguments& arguments) {
  const ModelFile file = read_model(arguments.model, arguments.overrides);
  const Plan plan = assemble(file, arguments.model);
  const System& system = *plan.system;

  OutputDirectory directory(arguments.directory.empty()
                                ? std::filesystem::path("out") /
                                      std::filesystem::path(arguments.model).stem()
                                : std::filesystem::path(arguments.directory));
  ResultsMetadata metadata;
  metadata.title = file.model.title;
  metadata.effective_yaml = file.effective_yaml;
  metadata.referenced_files = file.referenced_files;
  metadata.host = host_name();
  if (arguments.csv)
    metadata.csv_files =
        csv_names(file.model.probes, !make_schedule(system, file.model).breaks.empty());
  if (directory.already_done(arguments.policy(), identity_of(metadata))) {
    fmt::print("nothing to do: {} holds the results of this model\n", directory.results().string());
    return;
  }
  catch_interrupts();
  directory.create();

  const auto start = std::chrono::steady_clock::now();
  Trajectory trajectory;
  {
    ProgressBar bar(file.model.simulation.duration);
    RunOptions options;
    options.progress = [&bar](double fraction) {
      stop_if_interrupted();
      bar.show(fraction);
    };
    trajectory = run(plan, file.model, options);
  }
  const std::chrono::duration<double> wall_time = std::chrono::steady_clock::now() - start;

  metadata.wall_time = wall_time.count();

  const std::vector<CsvFile> csv = arguments.csv ? results_csv(trajectory) : std::vector<CsvFile>{};
  metadata.csv_files.clear();
  for (const CsvFile& f : csv) metadata.csv_files.push_back(f.name);
  const std::string results = results_bytes(trajectory, metadata);
  stop_if_interrupted();
  directory.write(results, csv);
  report(arguments, system, trajectory, wall_time.count(), directory);
}

}  // namespace

void add_run_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("run", "Simulate a model and write DIR/results.nc");
  add_model_arguments(*command, arguments->model, arguments->overrides);
  command
      ->add_option("-o,--output", arguments->directory,
                   "Directory for the results; out/<name of the model file> if left out")
      ->type_name("DIR");
  CLI::Option* overwrite = command->add_flag("--overwrite", arguments->overwrite,
                                             "Replace results that are already in DIR");
  command
      ->add_flag("--resume", arguments->resume,
                 "Do nothing if DIR holds the finished results of this model and version")
      ->excludes(overwrite);
  command->add_flag("--csv", arguments->csv, "Also write DIR/<probe>.csv for every probe");
  command->footer(
      "Example:\n"
      "  tumble run examples/classics/pendulum.yaml -o out/long --set constants.length=2 --csv\n"
      "A field of several numbers: --set gravity='[0, 0, -1.62]'");
  command->callback([arguments, &action] { action = [arguments] { run_model(*arguments); }; });
}

}  // namespace tumble::app
