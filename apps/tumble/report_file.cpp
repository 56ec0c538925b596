#include "report_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <functional>

#include "command.hpp"
#include "tumble/base/atomic_file.hpp"
#include "tumble/campaign/output_directory.hpp"
#include "tumble/io/netcdf/child_process.hpp"
#include "tumble/io/results/results_file.hpp"
#include "tumble/report/paper_figure.hpp"
#include "tumble/report/payload.hpp"

namespace tumble::app {

std::filesystem::path report_path(const std::filesystem::path& directory) {
  return directory / "report.html";
}

namespace {

/// `figure`: for a page of one figure alone, which only studies have.
void check_results(const std::vector<std::filesystem::path>& directories, bool figure) {
  for (const std::filesystem::path& directory : directories) {
    const std::filesystem::path results = directory / "results.nc";
    const auto identity = read_results_identity(results);
    if (!identity) throw UsageError(no_results(results));
    if (identity->method == "sweep" && (directories.size() > 1 || figure))
      throw UsageError(
          fmt::format("{0} holds a sweep, which has a page of its own: tumble report {0}. With "
                      "--keep-points its points have studies: tumble report {0}/points/* -o FILE",
                      directory.string()));
  }
}

/// The page that `make` makes of files that may be damaged.
std::string made_apart(const std::vector<std::filesystem::path>& directories,
                       const std::function<std::string()>& make) {
  try {
    return in_child_process(make);
  } catch (const ChildCrashed& crash) {
    std::string names;
    for (const auto& directory : directories)
      names += (names.empty() ? "" : ", ") + (directory / "results.nc").string();
    throw UsageError(
        fmt::format("{} cannot be read to its end and must be damaged: the process "
                    "that tried has crashed, {}",
                    names, crash.what()));
  }
}

void write_page(const std::filesystem::path& file, const std::string& page) {
  AtomicFile target(file);
  target.write(page);
  target.commit();
}

}  // namespace

void write_report(const std::vector<std::filesystem::path>& directories,
                  const std::filesystem::path& file) {
  check_results(directories, false);
  require_replaceable(file, true);
  write_page(file, made_apart(directories, [&] { return report::make_page(directories); }));
}

void write_figure_page(const std::vector<std::filesystem::path>& directories,
                       const std::filesystem::path& figure, const std::filesystem::path& file) {
  check_results(directories, true);
  std::ifstream in(figure);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw UsageError(fmt::format("{} cannot be read", figure.string()));
  require_replaceable(file, true);
  try {
    write_page(file, made_apart(directories, [&] {
                 return report::make_figure_page(directories, report::read_paper_figure(text));
               }));
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("{}: {}", figure.string(), error.what()));
  }
}

namespace {

/// What goes wrong is a warning: the results themselves are safe.
void try_to_write(const std::filesystem::path& file, bool quiet,
                  const std::function<void()>& write) {
  try {
    write();
    if (!quiet) fmt::print("report:  {}\n", file.string());
  } catch (const std::exception& error) {
    fmt::print(stderr, "tumble: warning: the results are complete, but there is no report: {}\n",
               error.what());
  }
}

}  // namespace

void refresh_report(const std::filesystem::path& directory, bool wanted, bool quiet) {
  const std::filesystem::path file = report_path(directory);
  // Written a moment ago by this process, the results are not damaged.
  if (wanted) try_to_write(file, quiet, [&] { write_page(file, report::make_page({directory})); });
}

void complete_report(const std::filesystem::path& directory, bool wanted, bool quiet) {
  const std::filesystem::path file = report_path(directory);
  std::error_code no_page, no_results;
  const auto page = std::filesystem::last_write_time(file, no_page);
  const auto results = std::filesystem::last_write_time(directory / "results.nc", no_results);
  if (!wanted || no_results || (!no_page && page >= results)) return;
  try_to_write(file, quiet, [&] { write_report({directory}, file); });
}

}  // namespace tumble::app
