// tumble report: results in, one HTML page out.
#include <fmt/format.h>

#include "command.hpp"
#include "report_file.hpp"

namespace tumble::app {

void add_report_command(CLI::App& app, Action& action) {
  struct Arguments {
    std::vector<std::string> directories;
    std::string output, figure;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "report", "Make a page of results that any browser opens, without a network");
  command
      ->add_option("DIR", arguments->directories,
                   "Directory with results; several are compared in one page")
      ->required()
      ->type_name("DIR")
      ->check(not_empty());
  command
      ->add_option("-o,--output", arguments->output,
                   "The page; DIR/report.html if left out, required for several directories")
      ->type_name("FILE")
      ->check(not_empty());
  command
      ->add_option("--figure", arguments->figure,
                   "A page of one figure alone, which this JSON file describes (docs/gallery.md)")
      ->type_name("FILE")
      ->check(not_empty());
  command->footer(
      "Example:\n"
      "  tumble run examples/classics/pendulum.yaml -o out/swing --overwrite\n"
      "  tumble report out/swing -o out/swing.html");
  command->callback([arguments, &action] {
    action = [arguments] {
      if (arguments->directories.size() > 1 && arguments->output.empty())
        throw UsageError("a page of several directories needs a name: -o FILE");
      if (!arguments->figure.empty() && arguments->output.empty())
        throw UsageError("a page of a figure needs a name: -o FILE");
      const std::vector<std::filesystem::path> directories(arguments->directories.begin(),
                                                           arguments->directories.end());
      const std::filesystem::path file = arguments->output.empty()
                                             ? report_path(directories.front())
                                             : std::filesystem::path(arguments->output);
      if (arguments->figure.empty())
        write_report(directories, file);
      else
        write_figure_page(directories, arguments->figure, file);
      fmt::print("report: {}\n", file.string());
    };
  });
}

}  // namespace tumble::app
