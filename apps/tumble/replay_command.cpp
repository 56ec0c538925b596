// tumble replay: one realisation of a study again, with everything a single run gives.
#include <fmt/format.h>

#include "command.hpp"
#include "interrupt.hpp"
#include "quantity_table.hpp"
#include "summary.hpp"
#include "terminal_observer.hpp"
#include "tumble/campaign/prepared_study.hpp"
#include "tumble/campaign/replay.hpp"

namespace tumble::app {
namespace {

struct Arguments {
  std::string directory;
  long long realization = 0;
};

ReplayResults replay_or_advise(const Arguments& arguments, Observer& observer) {
  try {
    return tumble::replay(arguments.directory, arguments.realization, observer);
  } catch (const RequestError& error) {
    if (error.ways() != std::vector{Way::keep_points}) throw;
    throw UsageError(fmt::format("{}: tumble sweep --keep-points, tumble replay {}/points/0 {}",
                                 error.what(), arguments.directory, arguments.realization));
  }
}

void replay(const Arguments& arguments) {
  TerminalObserver observer;
  catch_interrupts();
  const ReplayResults results = replay_or_advise(arguments, observer);
  fmt::print("realisation {} of {}\n", results.realization,
             (std::filesystem::path(arguments.directory) / "results.nc").string());
  constexpr std::size_t shown = 12;
  for (std::size_t i = 0; i < results.inputs.size() && i < shown; ++i) {
    const ReplayResults::Input& input = results.inputs[i];
    fmt::print("  {} = {} {}\n", input.path, format_number(input.value), input.unit);
  }
  if (results.failure) throw SimulationError(*results.failure);
  const std::string table = peaks(results.trajectory);
  const std::string scalars = quantity_table(results.details->quantities, 0);
  if (!table.empty()) fmt::print("\n{}", table);
  if (!scalars.empty()) fmt::print("\n{}", scalars);
  fmt::print("\nresults: {}\n", results.file.string());
}

}  // namespace

void add_replay_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "replay", "Recompute one realisation of a study into DIR/replay-N, bit for bit");
  command->add_option("DIR", arguments->directory, "Directory of a finished study")
      ->required()
      ->type_name("DIR")
      ->check(not_empty());
  command->add_option("REALISATION", arguments->realization, "Its number, counted from 0")
      ->required()
      ->type_name("N");
  command->footer(
      "Example:\n"
      "  tumble run examples/ensembles/pendulum-table.yaml -o out/swings --overwrite\n"
      "  tumble replay out/swings 17");
  command->callback([arguments, &action] { action = [arguments] { replay(*arguments); }; });
}

}  // namespace tumble::app
