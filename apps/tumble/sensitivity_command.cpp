// tumble sensitivity: which random input matters, from the runs of a study that is there.
#include <fmt/format.h>

#include <cmath>

#include "command.hpp"
#include "interrupt.hpp"
#include "terminal_observer.hpp"
#include "tumble/campaign/given_data.hpp"

namespace tumble::app {
namespace {

std::string with_interval(const SobolIndices& indices, std::size_t i) {
  if (!std::isfinite(indices.values[i])) return "-";
  return fmt::format("{:.3f} ({:.3f} to {:.3f})", indices.values[i], indices.lower[i],
                     indices.upper[i]);
}

void print_indices(const GivenDataResults& results, const GivenDataIndices& of) {
  const std::size_t axes = of.axes.size(), entries = of.alone.values.size() / results.groups.size();
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const std::size_t at = of.widest[axis] * axes + axis;
    if (!std::isfinite(of.alone.values[at])) continue;  // it does not vary
    fmt::print("{}{}{}\n", of.name, of.axes[axis].empty() ? "" : "." + of.axes[axis],
               of.times.empty() ? "" : fmt::format(" at t = {:.4g} s", of.times[of.widest[axis]]));
    for (std::size_t g = 0; g < results.groups.size(); ++g)
      fmt::print("  {:<40}  {:<26}  {}\n", results.groups[g],
                 with_interval(of.alone, g * entries + at),
                 with_interval(of.total, g * entries + at));
  }
}

void sensitivity(const std::string& directory) {
  TerminalObserver observer;
  catch_interrupts();
  const GivenDataResults results = given_data_sensitivity(directory, observer);
  fmt::print("{} runs", results.runs);
  if (results.failed > 0) fmt::print(", {} that failed are left out", results.failed);
  fmt::print("; shares of the variance, alone and with others, with {:g} % intervals{}\n\n",
             100 * results.level, results.trajectories ? ", of probes where it is largest" : "");
  for (const GivenDataIndices& of : results.indices) print_indices(results, of);
  fmt::print("\nindices: {}\n", results.file.string());
}

}  // namespace

void add_sensitivity_command(CLI::App& app, Action& action) {
  auto directory = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "sensitivity",
      "Tell from a study's runs which random input matters, into DIR/sensitivity.nc");
  command->add_option("DIR", *directory, "Directory of a finished study")
      ->required()
      ->type_name("DIR")
      ->check(not_empty());
  command->footer(
      "Example:\n"
      "  tumble run examples/ensembles/spring-peaks.yaml -o out/peaks --overwrite\n"
      "  tumble sensitivity out/peaks");
  command->callback([directory, &action] { action = [directory] { sensitivity(*directory); }; });
}

}  // namespace tumble::app
