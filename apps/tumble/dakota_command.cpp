// tumble dakota: one evaluation for Dakota's fork and system interfaces.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "command.hpp"
#include "dakota_file.hpp"
#include "model_argument.hpp"
#include "terminal_observer.hpp"
#include "tumble/base/atomic_file.hpp"
#include "tumble/base/read_file.hpp"
#include "tumble/campaign/points/model_function.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/io/text/document.hpp"
#include "tumble/io/text/expression.hpp"

namespace tumble::app {
namespace {

struct Arguments {
  std::string model;
  std::vector<std::string> overrides;
  std::string parameters, results;
  std::vector<std::string> variables;
};

std::string text_of(const std::string& path) {
  constexpr std::size_t most_bytes = std::size_t{64} << 20;
  std::string error;
  std::string text = read_file(path, most_bytes, error);
  if (!error.empty()) throw UsageError(fmt::format("{}: {}", path, error));
  return text;
}

/// Names of Dakota's variables and what they are in the model.
std::map<std::string, std::string> paths_of(const Arguments& arguments) {
  std::map<std::string, std::string> paths;
  for (const std::string& variable : arguments.variables) {
    const std::size_t equals = variable.find('=');
    if (equals == variable.npos || equals == 0 || equals + 1 == variable.size())
      throw UsageError(
          fmt::format("--variable {}: expected NAME=PATH, a name in Dakota's file and a path as "
                      "`tumble parameters` lists them",
                      printable(variable)));
    if (!paths.emplace(variable.substr(0, equals), variable.substr(equals + 1)).second)
      throw UsageError(fmt::format("--variable {} is given twice", variable.substr(0, equals)));
  }
  return paths;
}

/// The quantities of interest that Dakota's functions are: by their names if these are all known,
/// else in order if there are as many.
std::vector<std::string> quantities_of(const DakotaRequest& request, const ModelFile& file,
                                       const std::string& path) {
  std::vector<std::string> known, asked;
  for (const QuantityOfInterest& quantity : *file.quantities) known.push_back(quantity.name);
  for (const auto& function : request.functions) asked.push_back(function.name);
  if (std::ranges::all_of(asked,
                          [&](const auto& name) { return std::ranges::count(known, name) > 0; }))
    return asked;
  if (asked.size() == known.size() && std::ranges::none_of(asked, [&](const auto& name) {
        return std::ranges::count(known, name) > 0;
      }))
    return known;
  throw UsageError(fmt::format(
      "{} asks for {} function{} ({}), the model has the quantities of interest {}: give response "
      "descriptors by these names, or as many functions as there are, in their order",
      path, asked.size(), asked.size() == 1 ? "" : "s",
      printable(fmt::format("{}", fmt::join(asked, ", "))),
      known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
}

std::vector<DakotaFunctionResult> evaluate(ModelFunction& function, const DakotaRequest& request,
                                           const std::vector<double>& point,
                                           const std::vector<std::string>& quantities) {
  constexpr auto never = ModelFunction::Deadline::max();
  std::vector<std::vector<double>> values;
  if (std::ranges::any_of(request.functions, [](const auto& f) { return (f.wanted & 1) != 0; }))
    values = function.evaluate(point, never);
  std::vector<DakotaFunctionResult> results;
  for (std::size_t i = 0; i < request.functions.size(); ++i) {
    DakotaFunctionResult& result = results.emplace_back();
    // Dakota may compare it with its own.
    result.name = request.functions[i].name.empty() ? quantities[i] : request.functions[i].name;
    result.wanted = request.functions[i].wanted;
    if (!values.empty()) result.value = values[i].front();
    if ((result.wanted & 2) == 0) continue;
    const std::vector<double> gradient = function.gradient(point, i, {1.0}, never);
    for (const std::size_t variable : request.derivative_variables)
      result.gradient.push_back(gradient[variable]);
  }
  return results;
}

void write(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void run(const Arguments& arguments) {
  const std::map<std::string, std::string> paths = paths_of(arguments);
  const DakotaRequest request =
      read_dakota_request(text_of(arguments.parameters), arguments.parameters);
  const ModelFile file = read_model_argument(arguments.model, arguments.overrides);
  FunctionRequest wanted;
  std::vector<double> point;
  for (const DakotaRequest::Variable& variable : request.variables) {
    const auto path = paths.find(variable.name);
    wanted.inputs.push_back(path != paths.end() ? path->second : variable.name);
    const std::optional<double> value = parse_number(variable.value);
    if (!value)
      throw UsageError(fmt::format("{}: variable {} is {}, not a number", arguments.parameters,
                                   printable(variable.name), printable(variable.value)));
    point.push_back(*value);
  }
  for (const auto& given : paths)
    if (std::ranges::none_of(request.variables,
                             [&](const auto& v) { return v.name == given.first; }))
      throw UsageError(fmt::format("{} has no variable {}", arguments.parameters, given.first));
  if (wanted.inputs.empty()) throw UsageError(arguments.parameters + " has no variables");
  wanted.outputs = quantities_of(request, file, arguments.parameters);
  if (wanted.outputs.empty()) throw UsageError(arguments.parameters + " asks for no functions");
  wanted.threads = 1;
  int all = 0;
  for (const auto& f : request.functions) all |= f.wanted;
  if ((all & 4) != 0)
    throw UsageError(arguments.parameters +
                     " asks for Hessians, which are not computed: `no_hessians`, or "
                     "`quasi_hessians` of Dakota");
  TerminalObserver observer(TerminalObserver::Progress::none);
  ModelFunction function(file, arguments.model, wanted, observer);
  if ((all & 2) != 0 && !function.no_gradient().empty())
    throw UsageError(
        fmt::format("{} asks for gradients; there are none {}: `numerical_gradients` "
                    "of Dakota",
                    arguments.parameters, function.no_gradient()));
  try {
    write(arguments.results, dakota_results(evaluate(function, request, point, wanted.outputs)));
  } catch (const PointFailed& error) {
    write(arguments.results, dakota_failure(error.what()));
    throw TooManyFailed(error.what());
  } catch (const SimulationError& error) {
    write(arguments.results, dakota_failure(error.what()));
    throw;
  }
}

}  // namespace

void add_dakota_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("dakota", "Evaluate a model once, as an analysis driver of Dakota");
  add_model_arguments(*command, arguments->model, arguments->overrides);
  command->add_option("PARAMETERS", arguments->parameters, "File that Dakota wrote")
      ->required()
      ->type_name("FILE")
      ->check(not_empty());
  command->add_option("RESULTS", arguments->results, "File that Dakota will read")
      ->required()
      ->type_name("FILE")
      ->check(not_empty());
  command
      ->add_option("--variable", arguments->variables,
                   "What a variable of Dakota is in the model, if its name is no path of `tumble "
                   "parameters` itself. May be repeated")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("NAME=PATH");
  command->footer(
      "Functions of Dakota are quantities of interest of the model, by their names or in their\n"
      "order. Values and gradients are given. A simulation that fails leaves `fail` in the\n"
      "results file, and status 1. Example, as Dakota would call it:\n"
      "  printf '2 variables\\n45 k\\n1.1 m\\n1 functions\\n1 ASV_1:top_speed\\n0 "
      "derivative_variables\\n' >params.in\n"
      "  tumble dakota examples/ensembles/spring-peaks.yaml params.in results.out \\\n"
      "    --variable k=forces.coil.stiffness --variable m=bodies.bob.mass");
  command->callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace tumble::app
