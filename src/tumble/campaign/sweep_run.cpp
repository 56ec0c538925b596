#include "tumble/campaign/sweep_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <sstream>

#include "tumble/base/sha256.hpp"
#include "tumble/campaign/assemble.hpp"
#include "tumble/campaign/errors.hpp"
#include "tumble/campaign/prepared_study.hpp"
#include "tumble/campaign/study_inputs.hpp"
#include "tumble/campaign/sweep/sweep_directory.hpp"
#include "tumble/campaign/sweep/sweep_warnings.hpp"
#include "tumble/campaign/warnings.hpp"
#include "tumble/io/model/sweep.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/io/netcdf/netcdf_reader.hpp"
#include "tumble/io/results/build_info.hpp"
#include "tumble/io/results/sweep_results.hpp"
#include "tumble/io/text/document.hpp"
#include "tumble/study/workers.hpp"

namespace tumble {
namespace {

Sweep read_sweep(const std::vector<std::string>& vary) {
  std::vector<SweepAxis> axes;
  for (const std::string& text : vary) {
    try {
      axes.push_back(parse_sweep_axis(text));
    } catch (const std::invalid_argument& error) {
      throw RequestError(fmt::format("to vary {}: {}", printable(text), error.what()));
    }
  }
  try {
    return Sweep(std::move(axes));
  } catch (const std::invalid_argument& error) {
    throw RequestError(fmt::format("what is varied: {}", error.what()));
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
  SweepRun(const SweepOptions& options, Observer& observer)
      : options_(options),
        observer_(observer),
        sweep_(read_sweep(options.vary)),
        text_(options.text ? *options.text : read_model_file(options.model)),
        base_(read_model_text(text_, options.model, options.overrides)),
        directory_(options.directory) {
    if (!base_.study)
      throw RequestError(fmt::format("{} has no section `study`: every point of a sweep is a study",
                                     options.model));
    refuse_columns();
    check_points();
  }

  SweepOutcome run() {
    SweepOutcome outcome;
    outcome.file = directory_.results();
    outcome.title = base_.model.title;
    outcome.points = sweep_.points();
    outcome.sweep = std::make_shared<Sweep>(sweep_);
    const SweepIdentity identity = identify();
    outcome.already_there = directory_.already_done(options_.if_results_exist, identity);
    if (outcome.already_there) return outcome;
    directory_.begin(options_.if_results_exist, identity);
    const auto start = std::chrono::steady_clock::now();
    compute();
    outcome.wall_time =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    SweepSummary summary = write_results(identity, outcome.wall_time);
    if (!options_.keep_points) directory_.remove_points();
    outcome.too_many_failed = too_many_failed(summary);
    outcome.summary = std::make_shared<SweepSummary>(std::move(summary));
    return outcome;
  }

 private:
  std::vector<std::string> overrides(std::size_t point) const {
    std::vector<std::string> all = options_.overrides;
    for (std::string& text : sweep_.overrides(point)) all.push_back(std::move(text));
    return all;
  }

  ModelFile read_point(std::size_t point) const {
    return read_model_text(text_, options_.model, overrides(point));
  }

  std::string name(std::size_t point) const {
    return fmt::format("point {} ({})", point,
                       printable(fmt::format("{}", fmt::join(sweep_.overrides(point), ", "))));
  }

  StudyOptions study_options(std::size_t point) const {
    StudyOptions study;
    study.model = options_.model;
    study.directory = directory_.point(point);
    study.if_results_exist = IfResultsExist::resume;
    study.threads = options_.threads;
    study.part = fmt::format("point {} of {} ", point + 1, sweep_.points());
    return study;
  }

  /// A number that every realisation takes from the table would be varied in vain.
  void refuse_columns() const {
    const auto& columns = base_.study->inputs.paths;
    for (const SweepAxis& axis : sweep_.axes())
      for (const std::string& path : axis.paths)
        if (std::ranges::find(columns, path) != columns.end())
          throw RequestError(fmt::format(
              "to vary {}: this is a column of the table {}, where each realisation finds its own "
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
      stop_if_cancelled(observer_);
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
      throw RequestError(
          fmt::format("{} has other output times than the model file; the results of a sweep have "
                      "one axis of time",
                      name(p)));
    const Plan plan = assemble(file, options_.model, observer_);
    try {
      check_study(file, plan, study_options(p));
    } catch (const RequestError& error) {
      throw RequestError(fmt::format("{}: {}", name(p), error.what()), error.ways());
    } catch (const std::invalid_argument& error) {
      throw RequestError(fmt::format("{}: {}", name(p), error.what()));
    }
    points_.push_back(describe(file));
  }

  /// The model file by itself is good: what is wrong comes from a value that is varied.
  void locate(Diagnostic& d, std::size_t point) const {
    for (const std::string& text : sweep_.overrides(point)) {
      if (d.where.file != "override " + printable(text)) continue;
      d.where.file = "varied " + printable(text);
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
    const BuildInfo& build = build_info();
    identity.program = fmt::format("tumble {}, source revision {}, compiler {}, flags {}",
                                   version(), build.revision, build.compiler, build.flags);
    for (const std::string& text : options_.vary)
      identity.varied += (identity.varied.empty() ? "" : "\n") + text;
    identity.studies = sha256(studies);
    identity.complete = sha256(identity.program + "\n" + identity.varied + "\n" + complete);
    return identity;
  }

  void compute() {
    results_.resize(sweep_.points());
    for (std::size_t p = 0; p < sweep_.points(); ++p) {
      try {
        stop_if_cancelled(observer_);
        run_point(p);
      } catch (const Cancelled&) {
        throw Cancelled(fmt::format("interrupted at point {} of {}", p + 1, sweep_.points()), true);
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
    const Plan plan = assemble(file, options_.model, observer_);
    OutputDirectory output(directory_.point(p));
    results_[p] = {output.results(), points_[p].realizations, {}};
    try {
      run_study(file, plan, output, study_options(p), observer_);
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
    metadata.threads = worker_count(options_.threads);
    metadata.method = "sweep";
    metadata.seed = base_.study->study.seed;
    metadata.model_path = std::filesystem::absolute(options_.model).string();
    if (!options_.command.empty()) metadata.attributes.emplace_back("command", options_.command);
    Warnings warnings(&observer_);
    warnings.add(collected_warnings());
    if (!warnings.empty()) metadata.attributes.emplace_back("warnings", warnings.text());
    SweepSummary summary;
    directory_.write(
        [&](AtomicFile& file) { summary = write_sweep_results(file, results, metadata); });
    return summary;
  }

  /// From the results of the points, which a resumed sweep finds as well.
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

  /// What to say of points of which more failed than they allow; empty if there are none.
  std::string too_many_failed(const SweepSummary& summary) const {
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
    if (bad.empty()) return {};
    constexpr std::size_t shown = 5;
    const std::size_t more = bad.size() > shown ? bad.size() - shown : 0;
    bad.resize(bad.size() - more);
    return fmt::format("more failed than max_failed allows\n  {}{}", fmt::join(bad, "\n  "),
                       more > 0 ? fmt::format("\n  and {} more points", more) : "");
  }

  const SweepOptions& options_;
  Observer& observer_;
  const Sweep sweep_;
  const std::string text_;  // read once: all points are of the same file
  const ModelFile base_;
  SweepDirectory directory_;
  std::vector<CheckedPoint> points_;
  std::vector<SweepPoint> results_;
};

}  // namespace

SweepOutcome run_sweep(const SweepOptions& options, Observer& observer) {
  return SweepRun(options, observer).run();
}

}  // namespace tumble
