#include "report_file.hpp"

#include <fmt/format.h>

#include <fstream>

#include "command.hpp"
#include "tumble/io/atomic_file.hpp"
#include "tumble/io/results_file.hpp"
#include "tumble/report/paper_figure.hpp"
#include "tumble/report/study.hpp"

namespace tumble::app {

std::filesystem::path report_path(const std::filesystem::path& directory) {
  return directory / "report.html";
}

namespace {

void check_results(const std::vector<std::filesystem::path>& directories) {
  for (const std::filesystem::path& directory : directories) {
    const auto identity = read_results_identity(directory / "results.nc");
    if (!identity) throw UsageError(fmt::format("{} holds no results", directory.string()));
    if (identity->method == "sweep")
      throw UsageError(
          fmt::format("{0} holds a sweep, which has no report. With --keep-points its points have "
                      "studies of their own: tumble report {0}/points/* -o FILE",
                      directory.string()));
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
  check_results(directories);
  write_page(file, report::make_page(directories));
}

void write_figure_page(const std::vector<std::filesystem::path>& directories,
                       const std::filesystem::path& figure, const std::filesystem::path& file) {
  check_results(directories);
  std::ifstream in(figure);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw UsageError(fmt::format("{} cannot be read", figure.string()));
  try {
    write_page(file, report::make_figure_page(directories, report::read_paper_figure(text)));
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("{}: {}", figure.string(), error.what()));
  }
}

void refresh_report(const std::filesystem::path& directory, bool wanted) {
  const std::filesystem::path file = report_path(directory);
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  if (!wanted) return;
  try {
    write_report({directory}, file);
    fmt::print("report:  {}\n", file.string());
  } catch (const std::exception& error) {
    fmt::print(stderr, "tumble: warning: the results are complete, but there is no report: {}\n",
               error.what());
  }
}

}  // namespace tumble::app
