// tumble linearize and tumble frequency-response: a machine as a control engineer or a measurement
// of vibrations sees it.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "command.hpp"
#include "model_argument.hpp"
#include "terminal_observer.hpp"
#include "tumble/base/atomic_file.hpp"
#include "tumble/campaign/assemble.hpp"
#include "tumble/campaign/linear_model.hpp"
#include "tumble/campaign/output_directory.hpp"
#include "tumble/io/results/linear_file.hpp"

namespace tumble::app {
namespace {

struct Arguments {
  std::string model, output;
  std::vector<std::string> overrides;
  LinearRequest request;
  bool at_start = false, at_rest = false, steady = false;
  bool overwrite = false, json = false;
  double from = 0, to = 0;
  int points = 200;
  bool linear = false;
  std::vector<double> frequencies;
};

const char* words_of(ReferenceState about) {
  switch (about) {
    case ReferenceState::start:
      return "the described start";
    case ReferenceState::rest:
      return "the equilibrium at rest";
    case ReferenceState::steady:
      return "the steady motion";
    case ReferenceState::equilibrium:
      break;
  }
  return "the equilibrium";
}

/// A file to be, beside others that are committed with it.
void write_files(const std::vector<std::pair<std::filesystem::path, std::string>>& files) {
  std::vector<AtomicFile> all;
  for (const auto& [path, bytes] : files) {
    all.emplace_back(path);
    all.back().write(bytes);
  }
  for (AtomicFile& file : all) file.commit();
}

/// What both commands begin with.
struct Session {
  explicit Session(const Arguments& arguments)
      : file(read_model_argument(arguments.model, arguments.overrides)),
        plan(assemble(file, arguments.model, observer)),
        model(linear_model(file, plan, arguments.request)),
        head{file.model.title, file.effective_yaml, words_of(arguments.request.about)} {
    for (const std::string& note : model.notes) fmt::print(stderr, "tumble: note: {}\n", note);
  }
  TerminalObserver observer;
  ModelFile file;
  Plan plan;
  LinearModel model;
  LinearFileHead head;
};

void print_names(const char* what, const std::vector<StateSpace::Named>& names) {
  fmt::print("{} {}{}\n", names.size(), what, names.size() == 1 ? "" : "s");
  for (const StateSpace::Named& n : names)
    fmt::print("  {}{}\n", n.name, n.unit.empty() ? "" : " [" + n.unit + "]");
}

/// "m.mtx" becomes "m.A.mtx" and so on.
std::filesystem::path matrix_path(const std::filesystem::path& path, char matrix) {
  return path.parent_path() / fmt::format("{}.{}.mtx", path.stem().string(), matrix);
}

void linearize(const Arguments& arguments) {
  const std::filesystem::path output(arguments.output);
  const std::string kind = output.extension().string();
  if (!arguments.output.empty() && kind != ".nc" && kind != ".json" && kind != ".mtx")
    throw UsageError(
        fmt::format("{}: must end in .nc, .json or .mtx, which says its format", output.string()));
  std::vector<std::filesystem::path> targets;
  if (kind == ".mtx")
    for (const char matrix : {'A', 'B', 'C', 'D'}) targets.push_back(matrix_path(output, matrix));
  else if (!arguments.output.empty())
    targets.push_back(output);
  for (const auto& target : targets) require_replaceable(target, arguments.overwrite);
  const Session session(arguments);
  const StateSpace found = session.model.equations->state_space();
  if (kind == ".nc")
    write_files({{output, state_space_netcdf(found, session.head)}});
  else if (kind == ".json")
    write_files({{output, state_space_json(found)}});
  else if (kind == ".mtx")
    write_files({{targets[0], state_space_matrix_market(found, 'A')},
                 {targets[1], state_space_matrix_market(found, 'B')},
                 {targets[2], state_space_matrix_market(found, 'C')},
                 {targets[3], state_space_matrix_market(found, 'D')}});
  if (arguments.json) {
    fmt::print("{}", state_space_json(found));
    return;
  }
  fmt::print("linearised about {}\n", session.head.about);
  print_names("state", found.states);
  print_names("input", found.inputs);
  print_names("output", found.outputs);
  for (const auto& target : targets) fmt::print("{}\n", target.string());
}

std::vector<double> frequencies_of(const Arguments& arguments) {
  if (!arguments.frequencies.empty()) {
    for (const double f : arguments.frequencies)
      if (!(f >= 0) || !std::isfinite(f))
        throw UsageError("--frequencies: must be numbers of at least 0 Hz");
    return arguments.frequencies;
  }
  if (!(arguments.to > arguments.from) || !(arguments.from >= 0) || !std::isfinite(arguments.to))
    throw UsageError("give --frequencies, or --from and --to with 0 <= from < to");
  if (!arguments.linear && !(arguments.from > 0))
    throw UsageError("--from must be greater than 0 Hz, or the steps --linear");
  std::vector<double> list;
  for (int i = 0; i < arguments.points; ++i) {
    const double x = static_cast<double>(i) / (arguments.points - 1);
    list.push_back(arguments.linear ? arguments.from + x * (arguments.to - arguments.from)
                                    : arguments.from * std::pow(arguments.to / arguments.from, x));
  }
  list.back() = arguments.to;
  return list;
}

void respond(const Arguments& arguments) {
  const std::filesystem::path output(arguments.output);
  const std::string kind = output.extension().string();
  if (!arguments.output.empty() && kind != ".nc" && kind != ".csv")
    throw UsageError(
        fmt::format("{}: must end in .nc or .csv, which says its format", output.string()));
  if (!arguments.output.empty()) require_replaceable(output, arguments.overwrite);
  FrequencyResponse found;
  found.frequencies = frequencies_of(arguments);
  const Session session(arguments);
  if (session.model.inputs.empty())
    throw UsageError("the model has no drives: name an input by --input, a number of a force");
  for (const LinearInput& input : session.model.inputs)
    found.inputs.push_back({input.name, input.unit});
  for (const LinearOutput& o : session.model.outputs) found.outputs.push_back({o.name, o.unit});
  constexpr double turn = 2 * 3.141592653589793;
  for (const double f : found.frequencies) {
    const auto values = session.model.equations->response({0, turn * f});
    found.values.insert(found.values.end(), values.begin(), values.end());
  }
  if (arguments.output.empty()) {
    fmt::print("{}", frequency_response_csv(found));
    return;
  }
  write_files({{output, kind == ".nc" ? frequency_response_netcdf(found, session.head)
                                      : frequency_response_csv(found)}});
  fmt::print("response of {} outputs to {} inputs at {} frequencies, about {}: {}\n",
             found.outputs.size(), found.inputs.size(), found.frequencies.size(),
             session.head.about, output.string());
}

std::shared_ptr<Arguments> add_common(CLI::App& command, const char* file_type) {
  auto arguments = std::make_shared<Arguments>();
  add_model_arguments(command, arguments->model, arguments->overrides);
  command
      .add_option("-i,--input", arguments->request.inputs,
                  "Inputs: drives, or numbers of forces and gravity by their paths; all drives of "
                  "type input if left out, or all drives")
      ->type_name("NAME...");
  command
      .add_option("-p,--probe", arguments->request.outputs,
                  "Outputs: probes, their quantities or components of these; all if left out")
      ->type_name("NAME...");
  command.add_option("-o,--output", arguments->output, "File to write")
      ->type_name(file_type)
      ->check(not_empty());
  command.add_flag("--overwrite", arguments->overwrite, "Replace files that are there");
  CLI::Option* start = command.add_flag("--at-start", arguments->at_start,
                                        "About the described start, or the described motion if "
                                        "that is steady, instead of the equilibrium");
  CLI::Option* rest =
      command.add_flag("--at-rest", arguments->at_rest, "About the equilibrium with drives held")
          ->excludes(start);
  command.add_flag("--steady", arguments->steady, "About the steady motion, or end with an error")
      ->excludes(rest)
      ->excludes(start);
  command
      .add_option("--load-steps", arguments->request.load_steps,
                  "Raise gravity, applied forces and loads in this many steps")
      ->check(CLI::Range(1, 100000));
  return arguments;
}

void set_reference(Arguments& arguments) {
  if (arguments.at_start) arguments.request.about = ReferenceState::start;
  if (arguments.at_rest) arguments.request.about = ReferenceState::rest;
  if (arguments.steady) arguments.request.about = ReferenceState::steady;
}

}  // namespace

void add_linearize_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "linearize", "The linearised equations as a state space: A, B, C, D in minimal coordinates");
  const auto arguments = add_common(*command, "FILE.nc|.json|.mtx");
  command->add_flag("--json", arguments->json, "Print the matrices as JSON");
  command->footer(
      "Of a drive that imposes a motion the input is the second derivative; its value and rate "
      "are\n"
      "states. FILE.mtx stands for FILE.A.mtx ... FILE.D.mtx in the format of Matrix Market.\n"
      "Example:\n"
      "  tumble linearize examples/control/cart-pole-plant.yaml -o plant.nc");
  command->callback([arguments, &action] {
    set_reference(*arguments);
    action = [arguments] { linearize(*arguments); };
  });
}

void add_frequency_response_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "frequency-response", "Amplitude and phase of what is probed where an input is harmonic");
  const auto arguments = add_common(*command, "FILE.nc|.csv");
  command->add_option("--from", arguments->from, "First frequency")->type_name("HZ");
  command->add_option("--to", arguments->to, "Last frequency")->type_name("HZ");
  command->add_option("--points", arguments->points, "How many, in equal ratios")
      ->check(CLI::Range(2, 1'000'000));
  command->add_flag("--linear", arguments->linear, "In equal steps instead");
  command->add_option("--frequencies", arguments->frequencies, "These frequencies instead")
      ->type_name("HZ...");
  command->footer(
      "Without a file, a table in CSV is printed.\n"
      "Example:\n"
      "  tumble frequency-response examples/control/shaker.yaml --from 0.5 --to 20 --points 100");
  command->callback([arguments, &action] {
    set_reference(*arguments);
    action = [arguments] { respond(*arguments); };
  });
}

}  // namespace tumble::app
