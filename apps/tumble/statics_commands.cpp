// tumble equilibrium and tumble modes: where a machine rests, and how it vibrates about that.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "assemble.hpp"
#include "command.hpp"
#include "tumble/integrate/equilibrium.hpp"
#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/io/model_reader.hpp"

namespace tumble::app {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  std::string model;
  std::vector<std::string> overrides;
  int load_steps = 1;
  int count = 10;
  bool at_start = false;
  bool json = false;
};

void print_equilibrium(const Arguments& arguments, const Plan& plan, const Equilibrium& found) {
  const std::vector<ProbeSeries> series = make_series(plan.system->nominal);
  const auto for_each = [&](const std::vector<double>& measured, const auto& f) {
    const double* value = measured.data();
    for (const ProbeSeries& s : series) {
      f(s, value);
      value += s.size;
    }
  };
  if (arguments.json) {
    Json steps = Json::array();
    for (std::size_t i = 0; i < found.measured.size(); ++i) {
      Json step{{"load", static_cast<double>(i + 1) / static_cast<double>(found.measured.size())}};
      for_each(found.measured[i], [&](const ProbeSeries& s, const double* value) {
        step[s.probe][std::string(info(s.quantity).name)] =
            s.size == 1 ? Json(*value) : Json(std::vector<double>(value, value + s.size));
      });
      steps.push_back(std::move(step));
    }
    fmt::print("{}\n", steps.dump(2));
    return;
  }
  fmt::print("equilibrium found in {} iterations, {} load step{}\n", found.iterations,
             arguments.load_steps, arguments.load_steps == 1 ? "" : "s");
  for_each(found.measured.back(), [](const ProbeSeries& s, const double* value) {
    fmt::print("{} {}", s.probe, info(s.quantity).name);
    for (int k = 0; k < s.size; ++k) fmt::print("  {:.9g}", value[k]);
    fmt::print("  {}\n", info(s.quantity).unit);
  });
}

void print_modes(const Arguments& arguments, const Plan& plan, const Model& model,
                 const MotionState& state) {
  const Vibrations found = find_vibrations(plan, model, state, arguments.count);
  Json list = Json::array();
  if (!arguments.json)
    fmt::print("{:>4} {:>14}  shape: displacement of each probe's position\n", "mode",
               "frequency Hz");
  for (std::size_t i = 0; i < found.modes.size(); ++i) {
    const VibrationMode& mode = found.modes[i];
    const auto shape = mode_displacements(*plan.system, model, state, mode);
    if (arguments.json) {
      Json entry{{"frequency", mode.frequency()}, {"omega_squared", mode.square}};
      for (const auto& d : shape)
        entry["shape"][d.probe] = {d.displacement.x, d.displacement.y, d.displacement.z};
      list.push_back(std::move(entry));
      continue;
    }
    fmt::print("{:>4} {:>14.6g}", i + 1, mode.frequency());
    for (const auto& d : shape)
      fmt::print("  {} ({:.4f}, {:.4f}, {:.4f})", d.probe, d.displacement.x, d.displacement.y,
                 d.displacement.z);
    fmt::print("\n");
  }
  if (arguments.json) fmt::print("{}\n", list.dump(2));
  if (!found.modes.empty() &&
      found.modes.front().square < -1e-6 * std::fabs(found.modes.back().square))
    fmt::print(stderr, "tumble: the state is unstable: it leaves with a rate of {:.4g} 1/s\n",
               std::sqrt(-found.modes.front().square));
  if (found.asymmetry > 1e-6)
    fmt::print(
        stderr,
        "tumble: the stiffness is not symmetric (by {:.1e}): forces without a potential act, "
        "and frequencies are those of its symmetric part\n",
        found.asymmetry);
}

std::shared_ptr<Arguments> add_common(CLI::App& command) {
  auto arguments = std::make_shared<Arguments>();
  add_model_arguments(command, arguments->model, arguments->overrides);
  command
      .add_option("--load-steps", arguments->load_steps,
                  "Raise gravity, applied forces and loads in this many steps")
      ->check(CLI::Range(1, 100000));
  command.add_flag("--json", arguments->json, "Print JSON");
  return arguments;
}

}  // namespace

void add_equilibrium_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "equilibrium", "Find where a machine rests, drives being as at t = 0; print its probes");
  const auto arguments = add_common(*command);
  command->footer(
      "Example:\n"
      "  tumble equilibrium examples/beams/cantilever.yaml --load-steps 10");
  command->callback([arguments, &action] {
    action = [arguments] {
      const ModelFile file = read_model(arguments->model, arguments->overrides);
      const Plan plan = assemble(file, arguments->model);
      print_equilibrium(*arguments, plan,
                        find_equilibrium(plan, file.model, {arguments->load_steps}));
    };
  });
}

void add_modes_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "modes", "Frequencies and shapes of small undamped vibrations about equilibrium");
  const auto arguments = add_common(*command);
  command->add_option("-n,--count", arguments->count, "How many of the lowest modes")
      ->check(CLI::Range(1, 1000));
  command->add_flag("--at-start", arguments->at_start,
                    "About the described start instead, as if it were in equilibrium without "
                    "reactions");
  command->footer(
      "Example:\n"
      "  tumble modes examples/beams/cantilever.yaml -n 5");
  command->callback([arguments, &action] {
    action = [arguments] {
      const ModelFile file = read_model(arguments->model, arguments->overrides);
      const Plan plan = assemble(file, arguments->model);
      const MotionState state =
          arguments->at_start ? assembled_start(plan, file.model)
                              : find_equilibrium(plan, file.model, {arguments->load_steps}).state;
      print_modes(*arguments, plan, file.model, state);
    };
  });
}

}  // namespace tumble::app
