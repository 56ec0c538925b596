#include "sweep_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <sstream>

#include "assemble.hpp"
#include "command.hpp"
#include "interrupt.hpp"
#include "study_inputs.hpp"
#include "study_run.hpp"
#include "sweep_directory.hpp"
#include "sweep_table.hpp"
#include "sweep_warnings.hpp"
#include "tumble/io/document.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/io/netcdf_reader.hpp"
#include "tumble/io/sha256.hpp"
#include "tumble/io/sweep.hpp"
#include "tumble/io/sweep_results.hpp"
#include "tumble/study/workers.hpp"
#include "warnings.hpp"

namespace tumble::app {
namespace {

Sweep read_sweep(const std::vector<std::string>& vary) {
  std::vector<SweepAxis> axes;
  for (const std::string& text : vary) {
    try {
      axes.push_back(parse_sweep_axis(text));
    } catch (const std::invalid_argument& error) {
      throw UsageError(fmt::format("--vary {}: {}", printable(text), error.what()));
    }
  }
  try {
    return Sweep(std::move(axes));
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("--vary: {}", error.what()));
  }
}

/// What is known of a point before it is run.
struct CheckedPoint {
  std::string model_sha256;
  std::string study_sha256;  ///< of the model without the number of realisations
  std::vector<std::pair<std::string, std::string>> files;
  long realizations = 0;
  double max_failed = 0;
};

CheckedPoint describe(const ModelFile& file) {
  const Study& study = file.study->study;
  return {sha256(file.effective_yaml), sha256(file.study_identity), file.referenced_files,
          // The points of chaos are made to be counted; nothing else has to be.
          study.realizations ? *study.realizations
                             : static_cast<long>(StudyInputs(file).realizations()),
          study.max_failed};
}

class SweepRun {
 public:
  explicit SweepRun(const SweepArguments& arguments)
      : arguments_(arguments),
        sweep_(read_sweep(arguments.vary)),
        text_(read_model_file(arguments.model)),
        base_(read_model_text(text_, arguments.model, arguments.overrides)),
        directory_(arguments.directory) {
    if (!base_.study)
      throw UsageError(fmt::format("{} has no section `study`: every point of a sweep is a study",
                                   arguments.model));
    refuse_columns();
    check_points();
  }

  void run() {
    const SweepIdentity identity = identify();
    if (directory_.already_done(arguments_.policy, identity)) {
      fmt::print("nothing to do: {} holds the results of this sweep\n",
                 directory_.results().string());
      return;
    }
    catch_interrupts();
    directory_.begin(arguments_.policy, identity);
    const auto start = std::chrono::steady_clock::now();
    compute();
    const double wall_time =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const SweepSummary summary = write_results(identity, wall_time);
    if (!arguments_.keep_points) directory_.remove_points();
    report(summary, wall_time);
    require_success(summary);
  }

 private:
  std::vector<std::string> overrides(std::size_t point) const {
    std::vector<std::string> all = arguments_.overrides;
    for (std::string& text : sweep_.overrides(point)) all.push_back(std::move(text));
    return all;
  }

  ModelFile read_point(std::size_t point) const {
    return read_model_text(text_, arguments_.model, overrides(point));
  }

  std::string name(std::size_t point) const {
    return fmt::format("point {} ({})", point,
                       printable(fmt::format("{}", fmt::join(sweep_.overrides(point), ", "))));
  }

  StudyArguments study_arguments(std::size_t point) const {
    StudyArguments study;
    study.model = arguments_.model;
    study.policy = IfResultsExist::resume;
    study.threads = arguments_.threads;
    study.quiet = true;
    study.progress_label = fmt::format("point {} of {} ", point + 1, sweep_.points());
    return study;
  }

  /// A number that every realisation takes from the table would be varied in vain.
  void refuse_columns() const {
    const auto& columns = base_.study->inputs.paths;
    for (const SweepAxis& axis : sweep_.axes())
      for (const std::string& path : axis.paths)
        if (std::ranges::find(columns, path) != columns.end())
          throw UsageError(fmt::format(
              "--vary {}: this is a column of the table {}, where each realisation finds its own "
              "value",
              path, base_.study->study.file->name));
  }

  /// Everything of all points that comes before their first step, so that a mistake in the last
  /// one is not found after hours.
  void check_points() {
    constexpr std::size_t most_messages = 100;
    std::vector<Diagnostic> errors;
    std::set<std::string> seen;  // points share values, hence mistakes
    for (std::size_t p = 0; p < sweep_.points() && errors.size() < most_messages; ++p) {
      try {
        check_point(p);
      } catch (const InputError& error) {
        for (Diagnostic d : error.diagnostics()) {
          locate(d, p);
          if (seen.insert(to_string(d)).second) errors.push_back(std::move(d));
        }
      }
    }
    if (!errors.empty()) throw InputError(std::move(errors));
  }

  void check_point(std::size_t p) {
    const ModelFile file = read_point(p);
    const Simulation &mine = file.model.simulation, &common = base_.model.simulation;
    if (mine.duration != common.duration || mine.output_interval() != common.output_interval())
      throw UsageError(
          fmt::format("{} has other output times than the model file; the results of a sweep have "
                      "one axis of time",
                      name(p)));
    const Plan plan = assemble(file, arguments_.model);
    try {
      check_study(study_arguments(p), file, plan);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", name(p), error.what()));
    } catch (const std::invalid_argument& error) {
      throw UsageError(fmt::format("{}: {}", name(p), error.what()));
    }
    points_.push_back(describe(file));
  }

  /// The model file by itself is good: what is wrong comes from a value that is varied.
  void locate(Diagnostic& d, std::size_t point) const {
    for (const std::string& text : sweep_.overrides(point)) {
      if (d.where.file != "--set " + printable(text)) continue;
      d.where.file = "--vary " + printable(text);
      return;
    }
    d.expectation += " (" + name(point) + ")";
  }

  SweepIdentity identify() const {
    std::string studies, complete;
    for (const CheckedPoint& point : points_) {
      studies += point.study_sha256 + "\n";
      complete += point.model_sha256 + "\n";
      for (const auto& [path, digest] : point.files) {
        studies += digest + "  " + path + "\n";
        complete += digest + "  " + path + "\n";
      }
    }
    SweepIdentity identity;
    identity.program = "tumble " + version();
    for (const std::string& text : arguments_.vary)
      identity.varied += (identity.varied.empty() ? "" : "\n") + text;
    identity.studies = sha256(studies);
    identity.complete = sha256(identity.program + "\n" + identity.varied + "\n" + complete);
    return identity;
  }

  void compute() {
    results_.resize(sweep_.points());
    for (std::size_t p = 0; p < sweep_.points(); ++p) {
      try {
        stop_if_interrupted();
        run_point(p);
      } catch (const Interrupted&) {
        throw Interrupted(
            fmt::format("interrupted at point {} of {}; the same command with --resume continues",
                        p + 1, sweep_.points()));
      }
    }
    for (const SweepPoint& point : results_)
      if (point.failure.empty()) return;
    throw SimulationError(results_.front().failure, 0.0);
  }

  void run_point(std::size_t p) {
    const ModelFile file = read_point(p);
    if (file.referenced_files != points_[p].files)
      throw std::runtime_error("a file that the model refers to has changed during the sweep");
    const Plan plan = assemble(file, arguments_.model);
    OutputDirectory output(directory_.point(p));
    results_[p] = {output.results(), points_[p].realizations, {}};
    try {
      run_study(study_arguments(p), file, plan, output, nullptr);
    } catch (const TooManyFailed&) {
      // Known from the results, also of a study that had been finished before.
    } catch (const SimulationError& error) {
      results_[p].failure = error.what();
    }
  }

  SweepSummary write_results(const SweepIdentity& identity, double wall_time) {
    SweepResults results;
    results.points = results_;
    for (std::size_t a = 0; a < sweep_.axes().size(); ++a)
      for (const std::string& path : sweep_.axes()[a].paths) {
        SweepCoordinate& coordinate = results.coordinates.emplace_back();
        coordinate.path = path;
        for (std::size_t p = 0; p < sweep_.points(); ++p)
          coordinate.values.push_back(sweep_.value(a, p));
      }
    results.description = identity.varied;
    results.identity = identity.complete;

    ResultsMetadata metadata;
    metadata.title = base_.model.title;
    metadata.effective_yaml = base_.effective_yaml;
    std::map<std::string, std::string> files;
    for (const CheckedPoint& point : points_) files.insert(point.files.begin(), point.files.end());
    metadata.referenced_files.assign(files.begin(), files.end());
    metadata.wall_time = wall_time;
    metadata.host = host_name();
    metadata.threads = worker_count(arguments_.threads);
    metadata.method = "sweep";
    metadata.seed = base_.study->study.seed;
    metadata.model_path = std::filesystem::absolute(arguments_.model).string();
    if (!arguments_.command.empty())
      metadata.attributes.emplace_back("command", arguments_.command);
    Warnings warnings;
    warnings.add(collected_warnings());
    if (!warnings.empty()) metadata.attributes.emplace_back("warnings", warnings.text());
    SweepSummary summary;
    directory_.write(
        [&](AtomicFile& file) { summary = write_sweep_results(file, results, metadata); });
    return summary;
  }

  /// From the results of the points, which --resume finds as well.
  std::vector<std::string> collected_warnings() const {
    std::vector<std::vector<std::string>> sentences(results_.size());
    std::vector<std::string> names;
    for (std::size_t p = 0; p < results_.size(); ++p) {
      names.push_back(name(p));
      if (!results_[p].failure.empty()) continue;
      std::istringstream text(NetcdfReader(results_[p].results).text_attribute("warnings"));
      for (std::string line; std::getline(text, line);) sentences[p].push_back(line);
    }
    return sweep_warnings(sentences, names);
  }

  void report(const SweepSummary& summary, double wall_time) const {
    fmt::print("{}{}{}\n", arguments_.model, base_.model.title.empty() ? "" : ": ",
               base_.model.title);
    fmt::print("{} points in {:.3g} s\n\n{}", sweep_.points(), wall_time,
               sweep_table(sweep_, summary));
    if (!summary.left_out.empty())
      fmt::print("\nleft out, because points differ in shape: {}\n",
                 fmt::join(summary.left_out, " "));
    if (!summary.missing.empty())
      fmt::print("\nat some points only, NaN at the others: {}\n", fmt::join(summary.missing, " "));
    fmt::print("\nresults: {}\npage:    tumble report {}\n", directory_.results().string(),
               directory_.results().parent_path().string());
  }

  void require_success(const SweepSummary& summary) const {
    std::vector<std::string> bad;
    for (std::size_t p = 0; p < points_.size(); ++p) {
      const bool too_many = static_cast<double>(summary.failed[p]) >
                            points_[p].max_failed * static_cast<double>(summary.realizations[p]);
      if (!results_[p].failure.empty())
        bad.push_back(fmt::format("{}: the nominal run failed: {}", name(p), results_[p].failure));
      else if (too_many)
        bad.push_back(fmt::format("{}: {} of {} realisations failed", name(p), summary.failed[p],
                                  summary.realizations[p]));
    }
    if (bad.empty()) return;
    constexpr std::size_t shown = 5;
    const std::size_t more = bad.size() > shown ? bad.size() - shown : 0;
    bad.resize(bad.size() - more);
    throw TooManyFailed(fmt::format("more failed than max_failed allows\n  {}{}",
                                    fmt::join(bad, "\n  "),
                                    more > 0 ? fmt::format("\n  and {} more points", more) : ""));
  }

  const SweepArguments& arguments_;
  const Sweep sweep_;
  const std::string text_;  // read once: all points are of the same file
  const ModelFile base_;
  SweepDirectory directory_;
  std::vector<CheckedPoint> points_;
  std::vector<SweepPoint> results_;
};

}  // namespace

void run_sweep(const SweepArguments& arguments) { SweepRun(arguments).run(); }

}  // namespace tumble::app
