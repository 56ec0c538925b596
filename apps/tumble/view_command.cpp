// tumble view: the page of a directory in a browser, also while its study runs.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <deque>

#include "command.hpp"
#include "http_server.hpp"
#include "interrupt.hpp"
#include "tumble/io/results/results_file.hpp"
#include "tumble/report/payload.hpp"
#include "tumble/study/journal/journal.hpp"
#include "tumble/study/journal/journal_follower.hpp"

namespace tumble::app {
namespace {

using Clock = std::chrono::steady_clock;

/// Realisations per second over the last half minute of looking.
class Rate {
 public:
  double after(std::uint64_t done) {
    const auto now = Clock::now();
    if (!seen_.empty() && done < seen_.back().second) seen_.clear();
    seen_.emplace_back(now, done);
    while (seen_.size() > 2 && now - seen_.front().first > std::chrono::seconds(30))
      seen_.pop_front();
    const double seconds = std::chrono::duration<double>(now - seen_.front().first).count();
    return seconds > 0 ? static_cast<double>(done - seen_.front().second) / seconds : 0;
  }

 private:
  std::deque<std::pair<Clock::time_point, std::uint64_t>> seen_;
};

class View {
 public:
  explicit View(std::filesystem::path directory)
      : directory_(std::move(directory)), journal_(directory_ / Journal::file_name) {}

  HttpAnswer answer(std::string_view path) {
    if (path == "/" || path == "/index.html" || path == "/report.html")
      return {200, "text/html; charset=utf-8", is_done() ? finished_page() : live_page()};
    if (path == "/status.json") return {200, "application/json", status().dump()};
    return {404, "text/plain; charset=utf-8", "there is / and /status.json\n"};
  }

 private:
  std::filesystem::path results() const { return directory_ / "results.nc"; }

  /// Results that are older than the journal are those of a study that is being extended.
  bool is_done() const {
    std::error_code no_results, no_journal;
    const auto written = std::filesystem::last_write_time(results(), no_results);
    const auto appended =
        std::filesystem::last_write_time(directory_ / Journal::file_name, no_journal);
    return !no_results && (no_journal || appended <= written);
  }

  Json status() {
    if (is_done()) return {{"done", true}};
    journal_.look();
    return {{"done", false},
            {"finished", journal_.realizations()},
            {"failed", journal_.failed()},
            {"rate", rate_.after(journal_.realizations())}};
  }

  const std::string& finished_page() {
    const auto written = std::filesystem::last_write_time(results());
    if (page_.empty() || written != page_of_) {
      page_ = report::make_page({directory_});
      page_of_ = written;
    }
    return page_;
  }

  std::string live_page() const {
    report::Payload payload;
    payload.report = {{"format", 1},
                      {"generator", "tumble " + version()},
                      {"studies", Json::array()},
                      {"live", {{"status", "status.json"}}}};
    return report::fill_page(report::page_template(), directory_.string(), payload);
  }

  std::filesystem::path directory_;
  JournalFollower journal_;
  Rate rate_;
  std::string page_;
  std::filesystem::file_time_type page_of_;
};

void view(const std::string& directory, int port) {
  if (!std::filesystem::is_directory(directory))
    throw UsageError(fmt::format("there is no directory {}", directory));
  View pages(directory);
  HttpServer server(port);
  catch_interrupts();
  fmt::print("http://127.0.0.1:{}/\nCtrl-C ends it\n", server.port());
  std::fflush(stdout);
  server.serve([&pages](std::string_view path) { return pages.answer(path); },
               [] { return interrupted(); });
  throw Interrupted("the page is not served any more");
}

}  // namespace

void add_view_command(CLI::App& app, Action& action) {
  struct Arguments {
    std::string directory;
    int port = 0;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "view", "Show results, or a study while it runs, to a browser on this machine");
  command->add_option("DIR", arguments->directory, "Directory of a run")
      ->required()
      ->type_name("DIR");
  command->add_option("--port", arguments->port, "Port on 127.0.0.1; any free one if left out")
      ->type_name("P")
      ->check(CLI::Range(1, 65535));
  command->footer(
      "Example:\n"
      "  tumble view out/quickstart --port 8080");
  command->callback([arguments, &action] {
    action = [arguments] { view(arguments->directory, arguments->port); };
  });
}

}  // namespace tumble::app
