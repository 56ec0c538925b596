// tumble equilibrium and tumble modes: where a machine rests, and how it vibrates about that.
#include <fmt/format.h>

#include <cmath>

#include "command.hpp"
#include "model_argument.hpp"
#include "terminal_observer.hpp"
#include "tumble/campaign/assemble.hpp"
#include "tumble/campaign/warnings.hpp"
#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/integrate/statics/equilibrium.hpp"
#include "tumble/integrate/watch/redundancy.hpp"
#include "tumble/io/text/json.hpp"
#include "tumble/model/compile/beam_shape.hpp"

namespace tumble::app {
namespace {

struct Arguments {
  std::string model;
  std::vector<std::string> overrides;
  int load_steps = 1;
  int count = 10;
  bool at_start = false;
  bool at_rest = false;
  bool steady = false;
  bool json = false;
  bool undamped = false;

  EquilibriumOptions options() const {
    EquilibriumOptions options;
    options.load_steps = load_steps;
    if (at_rest) options.kind = EquilibriumKind::rest;
    if (steady) options.kind = EquilibriumKind::steady;
    return options;
  }
};

/// On standard error, so that JSON stays JSON.
void print_notes(const Equilibrium& found) {
  for (const auto* sentences : {&found.frame, &found.notes})
    for (const std::string& note : *sentences) fmt::print(stderr, "tumble: note: {}\n", note);
}

Equilibrium seek(const Arguments& arguments, const Plan& plan, const Model& model) {
  if (plan.redundancy) fmt::print(stderr, "tumble: note: {}\n", plan.redundancy->note());
  Equilibrium found = find_equilibrium(plan, model, arguments.options());
  print_notes(found);
  return found;
}

/// The axes of a reaction that redundant conditions leave open.
std::vector<std::string> undetermined_axes(const ProbeSeries& series) {
  std::vector<std::string> axes;
  for (const int k : series.undetermined) axes.emplace_back(1, "xyz"[k]);
  return axes;
}

void print_equilibrium(const Arguments& arguments, const Plan& plan, const Equilibrium& found) {
  const std::vector<ProbeSeries> series = make_series(plan);
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
        const std::string name(info(s.quantity).name);
        step[s.probe][name] =
            s.size == 1 ? Json(*value) : Json(std::vector<double>(value, value + s.size));
        if (!s.undetermined.empty()) step[s.probe][name + "_undetermined"] = undetermined_axes(s);
      });
      steps.push_back(std::move(step));
    }
    fmt::print("{}\n", steps.dump(2));
    return;
  }
  fmt::print("equilibrium {} found in {} iterations, {} load step{}\n",
             is_rest(found.motion) ? "at rest" : "in steady motion", found.iterations,
             arguments.load_steps, arguments.load_steps == 1 ? "" : "s");
  for_each(found.measured.back(), [](const ProbeSeries& s, const double* value) {
    fmt::print("{} {}", s.probe, info(s.quantity).name);
    for (int k = 0; k < s.size; ++k) fmt::print("  {:.9g}", value[k]);
    fmt::print("  {}", info(s.quantity).unit);
    if (!s.undetermined.empty())
      fmt::print("  (not determined: {})", fmt::join(undetermined_axes(s), ", "));
    fmt::print("\n");
  });
}

/// "0.5", "0.5i" or "0.5+0.2i".
std::string complex_text(double real, double imaginary) {
  constexpr double least = 5e-5;
  if (std::fabs(imaginary) < least)
    return fmt::format("{:.4f}", std::fabs(real) < least ? 0.0 : real);
  if (std::fabs(real) < least) return fmt::format("{:.4f}i", imaginary);
  return fmt::format("{:.4f}{:+.4f}i", real, imaginary);
}

Json as_json(const Vec3d& x) { return {x.x, x.y, x.z}; }

void print_modes(const Arguments& arguments, const Plan& plan, const Model& model,
                 const Equilibrium& about) {
  const Vibrations found =
      find_vibrations(plan, model, about.state, arguments.count, &about.motion, arguments.undamped);
  Json list = Json::array();
  if (!arguments.json)
    fmt::print("{:>4} {:>14} {:>13}  shape: displacement of each probe's position\n", "mode",
               "frequency Hz", "damping ratio");
  for (std::size_t i = 0; i < found.modes.size(); ++i) {
    const VibrationMode& mode = found.modes[i];
    const auto shape = mode_displacements(*plan.system, model, about.state, mode);
    if (arguments.json) {
      Json entry{{"frequency", mode.frequency()},
                 {"omega_squared", mode.square},
                 {"damping_ratio", mode.damping_ratio()},
                 {"eigenvalue", {mode.eigenvalue.real(), mode.eigenvalue.imag()}}};
      for (const auto& d : shape) {
        entry["shape"][d.probe] = as_json(d.displacement);
        entry["shape_imaginary"][d.probe] = as_json(d.imaginary);
      }
      list.push_back(std::move(entry));
      continue;
    }
    fmt::print("{:>4} {:>14.6g} {:>13.4g}", i + 1, mode.frequency(), mode.damping_ratio() + 0.0);
    for (const auto& d : shape)
      fmt::print("  {} ({}, {}, {})", d.probe, complex_text(d.displacement.x, d.imaginary.x),
                 complex_text(d.displacement.y, d.imaginary.y),
                 complex_text(d.displacement.z, d.imaginary.z));
    fmt::print("\n");
  }
  if (arguments.json) fmt::print("{}\n", list.dump(2));
  if (found.modes.empty()) return;
  const double fastest = std::abs(found.modes.back().eigenvalue);
  if (found.modes.front().eigenvalue.real() > 1e-6 * fastest)
    fmt::print(stderr, "tumble: the state is unstable: it leaves with a rate of {:.4g} 1/s\n",
               found.modes.front().eigenvalue.real());
}

std::shared_ptr<Arguments> add_common(CLI::App& command) {
  auto arguments = std::make_shared<Arguments>();
  add_model_arguments(command, arguments->model, arguments->overrides);
  command
      .add_option("--load-steps", arguments->load_steps,
                  "Raise gravity, applied forces and loads in this many steps")
      ->check(CLI::Range(1, 100000));
  CLI::Option* rest = command.add_flag(
      "--at-rest", arguments->at_rest,
      "Hold drives at their values at t = 0 and leave described velocities out, even where a "
      "steady motion is possible");
  command
      .add_flag("--steady", arguments->steady,
                "Steady motion or nothing: drives go on with their constant rates, or the "
                "described motion is steady")
      ->excludes(rest);
  command.add_flag("--json", arguments->json, "Print JSON");
  return arguments;
}

}  // namespace

void add_equilibrium_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "equilibrium",
      "Find where a machine rests, or stands still in a steady rotation; print its probes");
  const auto arguments = add_common(*command);
  command->footer(
      "Example:\n"
      "  tumble equilibrium examples/beams/cantilever.yaml --load-steps 10");
  command->callback([arguments, &action] {
    action = [arguments] {
      const ModelFile file = read_model_argument(arguments->model, arguments->overrides);
      TerminalObserver observer;
      const Plan plan = assemble(file, arguments->model, observer);
      Warnings(&observer).add(beam_warnings(file.model));
      print_equilibrium(*arguments, plan, seek(*arguments, plan, file.model));
    };
  });
}

void add_modes_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "modes", "Frequencies, damping and shapes of small vibrations about equilibrium");
  const auto arguments = add_common(*command);
  command->add_option("-n,--count", arguments->count, "How many of the lowest modes")
      ->check(CLI::Range(1, 1000));
  command->add_flag("--at-start", arguments->at_start,
                    "About the described start instead, as if it were in equilibrium without "
                    "reactions, or about the described motion, if that is steady");
  command->add_flag("--undamped", arguments->undamped,
                    "Without damping, as if nothing depended on velocities; about rest");
  command->footer(
      "Example:\n"
      "  tumble modes examples/beams/cantilever.yaml -n 5");
  command->callback([arguments, &action] {
    action = [arguments] {
      const ModelFile file = read_model_argument(arguments->model, arguments->overrides);
      TerminalObserver observer;
      const Plan plan = assemble(file, arguments->model, observer);
      Warnings(&observer).add(beam_warnings(file.model));
      if (!arguments->at_start) {
        print_modes(*arguments, plan, file.model, seek(*arguments, plan, file.model));
        return;
      }
      const Equilibrium start = described_state(plan, file.model);
      print_notes(start);
      print_modes(*arguments, plan, file.model, start);
    };
  });
}

}  // namespace tumble::app
