// tumble derivatives: how the motion changes with numbers of the model.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command.hpp"
#include "command_line.hpp"
#include "interrupt.hpp"
#include "model_argument.hpp"
#include "terminal_observer.hpp"
#include "tumble/base/atomic_file.hpp"
#include "tumble/campaign/assemble.hpp"
#include "tumble/campaign/output_directory.hpp"
#include "tumble/campaign/prepared_study.hpp"
#include "tumble/campaign/times/time_grid.hpp"
#include "tumble/campaign/warnings.hpp"
#include "tumble/integrate/derivatives.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/io/results/derivatives_file.hpp"

namespace tumble::app {
namespace {

struct Arguments {
  std::string model, output;
  std::vector<std::string> overrides, paths;
  bool overwrite = false;
};

/// "N/kg": what a derivative by a number is measured in.
std::string unit_of(const ProbeSeries& series, const Derivatives& by) {
  const std::string_view unit = info(series.quantity).unit;
  if (by.unit.empty()) return std::string(unit);
  return fmt::format("({})/({})", unit.empty() ? "1" : unit, by.unit);
}

void print_largest(const std::vector<Derivatives>& derivatives) {
  for (const Derivatives& d : derivatives) {
    fmt::print("by {}: largest over the run\n", d.path);
    for (const ProbeSeries& series : d.series) {
      double largest = 0;
      for (const double x : series.values) largest = std::max(largest, std::fabs(x));
      fmt::print("  {} {}  {:.6g} {}\n", series.probe, info(series.quantity).name, largest,
                 unit_of(series, d));
    }
  }
}

void derive(const Arguments& arguments) {
  require_replaceable(arguments.output, arguments.overwrite);
  const ModelFile file = read_model_argument(arguments.model, arguments.overrides);
  TerminalObserver observer;
  Model model = file.model;
  Plan plan = assemble(file, arguments.model, observer);
  Warnings warnings(&observer);
  warnings.add(settle_time_grid(model, plan, nullptr, 0, observer));
  const Trajectory trajectory = run(plan, model);
  warnings.add(trajectory.warnings);
  std::vector<Derivatives> derivatives;
  for (const std::string& path : arguments.paths) {
    stop_if_cancelled(observer);
    derivatives.push_back(differentiate(plan, model, path));
  }
  ResultsMetadata metadata;
  metadata.title = model.title;
  metadata.method = "derivatives";
  metadata.effective_yaml = file.effective_yaml;
  metadata.referenced_files = file.referenced_files;
  metadata.host = host_name();
  if (!warnings.empty()) metadata.attributes.emplace_back("warnings", warnings.text());
  AtomicFile output(arguments.output);
  output.write(derivatives_bytes(trajectory, derivatives, metadata));
  output.commit();
  print_largest(derivatives);
  fmt::print("derivatives by {} number{}: {}\n", derivatives.size(),
             derivatives.size() == 1 ? "" : "s", arguments.output);
}

}  // namespace

void add_derivatives_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "derivatives", "Differentiate the probed quantities by numbers of the model");
  add_model_arguments(*command, arguments->model, arguments->overrides);
  command
      ->add_option("--of", arguments->paths,
                   "Numbers to differentiate by: paths as `tumble parameters` lists them")
      ->required()
      ->type_name("PATH...");
  command->add_option("-o,--output", arguments->output, "netCDF file to write")
      ->required()
      ->type_name("FILE.nc")
      ->check(not_empty());
  command->add_flag("--overwrite", arguments->overwrite, "Replace the file if it is there");
  command->footer(
      "The file holds the nominal run and, for each number and quantity,\n"
      "<probe>_<quantity>_derivative(slot, time, axis): what the quantity gains per unit of the\n"
      "number. Found by one run for each number that carries derivatives along, not by\n"
      "differences.\n"
      "Example:\n"
      "  tumble derivatives examples/batou-soize-2012/nominal.yaml -o derivatives.nc \\\n"
      "    --of bodies.rb5.mass bodies.rb5.position[0] forces.rb1-rb3.stiffness[2]");
  command->callback([arguments, &action] { action = [arguments] { derive(*arguments); }; });
}

}  // namespace tumble::app
