// tumble run: a model in, results.nc out.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>

#include "command.hpp"
#include "command_line.hpp"
#include "interrupt.hpp"
#include "model_argument.hpp"
#include "quantity_table.hpp"
#include "report_file.hpp"
#include "shared_work.hpp"
#include "study_report.hpp"
#include "summary.hpp"
#include "terminal_observer.hpp"
#include "tumble/campaign/assemble.hpp"
#include "tumble/campaign/model_text.hpp"
#include "tumble/campaign/prepared_study.hpp"
#include "tumble/campaign/shard/shard_leaves.hpp"
#include "tumble/campaign/single_run.hpp"
#include "tumble/campaign/times/time_grid.hpp"
#include "tumble/integrate/accuracy/time_error.hpp"
#include "tumble/io/text/document.hpp"
#include "tumble/model/node_frames.hpp"

namespace tumble::app {
namespace {

struct Arguments {
  std::string model;
  std::vector<std::string> overrides;
  std::string directory;
  bool overwrite = false;
  bool resume = false;
  bool csv = false;
  bool keep_journal = false;
  bool no_report = false;
  std::optional<std::uint32_t> realizations;
  std::optional<std::int64_t> seed;
  std::string shard;
  unsigned threads = 0;
  unsigned lanes = 0;
  std::string kernels = "templates";
  std::string device = "cpu";
  bool json_progress = false;
  bool quiet = false;

  IfResultsExist policy() const {
    if (overwrite) return IfResultsExist::overwrite;
    return resume ? IfResultsExist::resume : IfResultsExist::refuse;
  }
};

/// From when on the time of a study counts.
const std::chrono::steady_clock::time_point program_start = std::chrono::steady_clock::now();

double largest_size(const std::vector<double>& values) {
  double largest = 0;
  for (const double x : values) largest = std::max(largest, std::fabs(x));  // false for NaN
  return largest;
}

/// Of the quantity with the largest, relative to its peak. What a conservative system has of total
/// energy beside a constant is errors, and says nothing here; nor does a peak that is itself of the
/// size of rounding, beside others of its unit or by itself: of such the error is given as it is.
std::string largest_time_error(const Trajectory& trajectory) {
  std::map<std::string_view, double> scale;  // by unit
  for (const ProbeSeries& series : trajectory.series) {
    double& size = scale.try_emplace(info(series.quantity).unit, 1.0).first->second;
    size = std::max(size, largest_size(series.values));
  }
  constexpr double rounding = 1e-9;
  const ProbeSeries *worst = nullptr, *worst_rounding = nullptr;
  for (const ProbeSeries& series : trajectory.series) {
    if (series.time_error.empty() || series.quantity == Quantity::total_energy) continue;
    const bool is_rounding =
        largest_size(series.values) <= rounding * scale.at(info(series.quantity).unit);
    const ProbeSeries*& leader = is_rounding ? worst_rounding : worst;
    if (leader == nullptr || relative_time_error(series) > relative_time_error(*leader))
      leader = &series;
  }
  if (worst != nullptr)
    return fmt::format("error of the time integration: at most {:.2g} of the peak ({} {})\n",
                       relative_time_error(*worst), worst->probe, info(worst->quantity).name);
  if (worst_rounding == nullptr) return {};
  const auto& [probe, quantity] = std::pair(worst_rounding->probe, worst_rounding->quantity);
  return fmt::format(
      "error of the time integration: at most {:.2g} {} ({} {}, which is at most {:.2g})\n",
      largest_size(worst_rounding->time_error), info(quantity).unit, probe, info(quantity).name,
      largest_size(worst_rounding->values));
}

void print_single(const Arguments& arguments, const Model& model, const SingleResults& results) {
  const RunStatistics& s = results.trajectory.statistics;
  const double per_step =
      s.steps > 0 ? static_cast<double>(s.iterations) / static_cast<double>(s.steps) : 0.0;
  fmt::print("{}{}{}\n", arguments.model, model.title.empty() ? "" : ": ", model.title);
  const auto frames = std::ranges::count_if(model.bodies, &Body::at_node);
  fmt::print("bodies {}, ", std::ssize(model.bodies) - frames);
  if (!model.beams.empty()) fmt::print("beams {}, ", model.beams.size());
  if (frames > 0) fmt::print("frames on nodes {}, ", frames);
  fmt::print("joints {}, degrees of freedom {}\n",
             std::ranges::count_if(model.joints, std::not_fn(holds_frame)),
             results.degrees_of_freedom);
  fmt::print("{}", describe_beams(model));
  if (model.simulation.has_motion())
    fmt::print("{:g} s simulated in {:.3g} s: {} steps, {:.2f} iterations a step\n",
               model.simulation.duration, results.wall_time, s.steps, per_step);
  else
    fmt::print("the start alone: nothing was integrated\n");
  fmt::print("{}", energy_line(s.energy));
  fmt::print("{}", describe_time_grid(results.simulation));
  if (s.halvings > 0) fmt::print("{} steps were halved to converge\n", s.halvings);
  const std::string table = peaks(results.trajectory);
  if (!table.empty()) fmt::print("\n{}", table);
  fmt::print("{}", largest_time_error(results.trajectory));
  const std::string scalars = quantity_table(results.details->quantities, 0);
  if (!scalars.empty()) fmt::print("\n{}", scalars);
  fmt::print("\nresults: {}\n", results.file.string());
}

/// "2/4". @throws UsageError
std::optional<Shard> shard_of(const Arguments& arguments) {
  if (arguments.shard.empty()) return std::nullopt;
  const std::string& text = arguments.shard;
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto [slash, bad_number] = std::from_chars(text.data(), end, shard.number);
  if (bad_number == std::errc() && slash != end && *slash == '/') {
    const auto [last, bad_count] = std::from_chars(slash + 1, end, shard.count);
    if (bad_count == std::errc() && last == end && shard.number >= 1 && shard.count >= shard.number)
      return shard;
  }
  throw UsageError(
      fmt::format("--shard {}: expected I/N, part I of N, such as 2/4", printable(text)));
}

/// A model without a section `study` is run once: what -n and --seed ask for, nobody would do.
void require_study(const Arguments& arguments) {
  if (!arguments.realizations && !arguments.seed && arguments.shard.empty()) return;
  for (const std::string& set : arguments.overrides)
    if (set.starts_with("study.") || set.starts_with("study=")) return;
  std::vector<Diagnostic> errors;
  const std::string text = model_text(arguments.model);
  const Document document = parse_document(text, arguments.model, errors);
  if (!errors.empty() || !document.root.is_mapping() || document.root.find("study") != nullptr)
    return;
  const std::string asked = arguments.realizations ? fmt::format("-n {}", *arguments.realizations)
                            : arguments.seed       ? fmt::format("--seed {}", *arguments.seed)
                                                   : "--shard " + arguments.shard;
  const bool uncertain = document.root.find("uncertainty") != nullptr;
  throw UsageError(fmt::format(
      "{} is for a study, and {} has no section `study`. A study runs the model many times with "
      "other numbers each time: {} and a section `study` how to draw it, for example `study: "
      "{{method: monte-carlo, realizations: {}}}` (or --set study.method=monte-carlo)",
      asked, arguments.model,
      uncertain ? "the section `uncertainty` says what is random,"
                : "a section `uncertainty` says what is random, for example `uncertainty: "
                  "{bodies.NAME.mass: {law: normal, mean: 2, std: 0.1}}`,",
      arguments.realizations.value_or(500)));
}

ModelFile read(const Arguments& arguments) {
  about_to("reading " + arguments.model);
  require_study(arguments);
  std::vector<std::string> overrides = arguments.overrides;
  if (arguments.realizations)
    overrides.push_back(fmt::format("study.realizations={}", *arguments.realizations));
  if (arguments.seed) overrides.push_back(fmt::format("study.seed={}", *arguments.seed));
  return read_model_argument(arguments.model, overrides);
}

std::string command_of(const Arguments& arguments) {
  return command_line("run", arguments.model, arguments.realizations, arguments.seed,
                      arguments.overrides);
}

std::filesystem::path directory_of(const Arguments& arguments) {
  return arguments.directory.empty() ? default_directory(arguments.model)
                                     : std::filesystem::path(arguments.directory);
}

StudyOptions study_options(const Arguments& arguments, const Ranks* ranks) {
  StudyOptions study;
  study.model = arguments.model;
  study.directory = directory_of(arguments);
  study.if_results_exist = arguments.policy();
  study.threads = static_cast<int>(arguments.threads);
  if (study.threads == 0 && ranks != nullptr) study.threads = ranks->default_threads();
  study.lanes = static_cast<int>(arguments.lanes);
  study.kernels = arguments.kernels == "generated" ? StudyKernels::generated
                  : arguments.kernels == "auto"    ? StudyKernels::automatic
                                                   : StudyKernels::templates;
  study.device = arguments.device == "gpu"    ? StudyDevice::gpu
                 : arguments.device == "auto" ? StudyDevice::automatic
                                              : StudyDevice::cpu;
  study.csv = arguments.csv;
  study.keep_journal = arguments.keep_journal;
  study.command = command_of(arguments);
  study.shard = shard_of(arguments);
  study.begun = program_start;
  return study;
}

void print_shard(const std::string& model, const ModelFile& file, const Shard& shard,
                 const StudyResults& results) {
  fmt::print("{}{}{}\n", model, file.model.title.empty() ? "" : ": ", file.model.title);
  fmt::print("shard {}: realisations {} to {}, {} computed in {:.3g} s", to_string(shard),
             results.first, results.first + results.realizations - 1, results.computed,
             results.wall_time);
  if (results.computed > 0 && results.wall_time > 0)
    fmt::print(" ({:.4g} per second)", static_cast<double>(results.computed) / results.wall_time);
  fmt::print("\nfailed: {}\n", results.failed);
  for (const std::string& reason : results.first_failures) fmt::print("  {}\n", reason);
  fmt::print("\nshard: {}; `tumble merge` makes results of all {}\n", results.file.string(),
             shard.count);
}

void run_study(const Arguments& arguments, const ModelFile& file, const StudyOptions& options,
               Observer& observer) {
  const StudyResults results = tumble::run_study(file, options, observer);
  if (options.shard) {
    if (!arguments.quiet) print_shard(arguments.model, file, *options.shard, results);
    return;
  }
  if (results.already_there) {
    if (!arguments.quiet)
      fmt::print("nothing to do: {} holds the results of this study\n", results.file.string());
    complete_report(options.directory, !arguments.no_report, arguments.quiet);
    return;
  }
  if (!arguments.quiet) print_study(arguments.model, file, results, arguments.json_progress);
  refresh_report(options.directory, !arguments.no_report, arguments.quiet);
  require_success(results);
}

void run_single(const Arguments& arguments, const ModelFile& file, Observer& observer) {
  SingleOptions options;
  options.directory = directory_of(arguments);
  options.if_results_exist = arguments.policy();
  options.threads = static_cast<int>(arguments.threads);
  options.csv = arguments.csv;
  options.model = arguments.model;
  options.command = command_of(arguments);
  const SingleResults results = tumble::run_single(file, options, observer);
  if (results.already_there) {
    if (!arguments.quiet)
      fmt::print("nothing to do: {} holds the results of this model\n", results.file.string());
    complete_report(options.directory, !arguments.no_report, arguments.quiet);
    return;
  }
  if (!arguments.quiet) print_single(arguments, file.model, results);
  refresh_report(options.directory, !arguments.no_report, arguments.quiet);
}

/// `leader`: of the other ranks, or null.
void run_model(const Arguments& arguments, RankLeader* leader) {
  const ModelFile file = read(arguments);
  TerminalObserver observer(arguments.json_progress ? TerminalObserver::Progress::json
                            : arguments.quiet       ? TerminalObserver::Progress::none
                                                    : TerminalObserver::Progress::bar);
  catch_interrupts();
  if (!file.study) return run_single(arguments, file, observer);
  StudyOptions options = study_options(arguments, leader != nullptr ? &leader->ranks() : nullptr);
  options.leader = leader;
  run_study(arguments, file, options, observer);
}

/// What the other ranks do.
void help_with_model(const Arguments& arguments, Ranks& ranks, Observer& observer) {
  const ModelFile file = read(arguments);
  if (!file.study) return;
  const Plan plan = assemble(file, arguments.model, observer);
  help_study(file, plan, study_options(arguments, &ranks), ranks, observer);
}

}  // namespace

void add_run_command(CLI::App& app, Action& action, RankSession& session) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("run", "Simulate a model and write DIR/results.nc and DIR/report.html");
  add_model_arguments(*command, arguments->model, arguments->overrides);
  command
      ->add_option("-o,--output", arguments->directory,
                   "Directory for the results; out/<name of the model file> if left out, out/stdin "
                   "for standard input")
      ->type_name("DIR")
      ->check(not_empty());
  CLI::Option* overwrite = command->add_flag("--overwrite", arguments->overwrite,
                                             "Replace results that are already in DIR");
  command
      ->add_flag(
          "--resume", arguments->resume,
          "Go on with the study in DIR, or extend it; nothing to do if DIR holds the results")
      ->excludes(overwrite);
  command->add_flag("--csv", arguments->csv,
                    "Also write DIR/<probe>.csv for every probe and, of a study, "
                    "DIR/<probe>.<quantity>.statistics.csv");
  command->add_flag("--keep-journal", arguments->keep_journal,
                    "Keep the values of all realisations in DIR/study.journal after the study, "
                    "also where extending it would soon have computed them again");
  command->add_flag("--no-report", arguments->no_report, "Do not make the page DIR/report.html");
  command->add_option("-n", arguments->realizations, "Realisations of the study")
      ->type_name("N")
      ->check(CLI::Range(1u, 1'000'000'000u));
  add_seed_option(*command, arguments->seed, "Seed of the study's random inputs");
  command
      ->add_option("--shard", arguments->shard,
                   "Compute part I of N of a study's realisations alone, for `tumble merge`")
      ->type_name("I/N")
      ->check(not_empty());
  command
      ->add_option(
          "--threads", arguments->threads,
          "Threads of a study; all cores if left out. Under mpirun of each rank; its share "
          "of the cores if left out")
      ->type_name("T")
      ->check(CLI::Range(1u, 4096u));
  command
      ->add_option("--lanes", arguments->lanes,
                   "Realisations in lock step (1, 4 or 8), for comparisons; the results are the "
                   "same")
      ->type_name("W")
      ->check(CLI::IsMember({1u, 4u, 8u}));
  command
      ->add_option("--kernels", arguments->kernels,
                   "What computes realisations of a study: templates, the kernels of the program; "
                   "generated, code compiled for the model first, by a C++ compiler on the path or "
                   "TUMBLE_CXX; auto, such code once it pays. The results are the same")
      ->type_name("KIND")
      ->check(CLI::IsMember({"templates", "generated", "auto"}));
  command
      ->add_option("--device", arguments->device,
                   "Where realisations of a study are computed: cpu; gpu, on the graphics "
                   "processors that `tumble devices` lists; auto, there if the study is large. The "
                   "results are the same")
      ->type_name("WHERE")
      ->check(CLI::IsMember({"cpu", "gpu", "auto"}));
  command->add_flag("--json-progress", arguments->json_progress,
                    "Report the progress of a study as lines of JSON on standard error");
  command->add_flag(
      "-q,--quiet", arguments->quiet,
      "Print nothing but notes, warnings and errors; with --json-progress its lines too");
  command->footer(
      "Example:\n"
      "  tumble run examples/classics/pendulum.yaml -o out/long --set constants.length=2 --csv\n"
      "A field of several numbers: --set gravity='[0, 0, -1.62]'\n"
      "A model that another program writes: make_model | tumble run - -o DIR\n"
      "A study on several machines or sockets: mpirun -n 4 tumble run MODEL -o DIR\n"
      "The same by jobs that do not know of each other: --shard, and `tumble merge`");
  command->callback([arguments, &action, &session] {
    action = [arguments, &session] {
      among_ranks(
          session, arguments->model, [&](RankLeader* leader) { run_model(*arguments, leader); },
          [&](Ranks& ranks, Observer& observer) { help_with_model(*arguments, ranks, observer); });
    };
  });
}

}  // namespace tumble::app
