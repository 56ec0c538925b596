// tumble modal-body: from matrices of finite elements to the file of a flexible body.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "command.hpp"
#include "tumble/base/atomic_file.hpp"
#include "tumble/base/read_file.hpp"
#include "tumble/campaign/output_directory.hpp"
#include "tumble/convert/flexible_body.hpp"
#include "tumble/convert/matrix_market.hpp"
#include "tumble/io/netcdf/modal_file.hpp"

namespace tumble::app {
namespace {

struct Arguments {
  std::string mass, stiffness, nodes, lines, output;
  std::vector<std::string> interfaces;
  int modes = 10;
  bool overwrite = false;
};

std::string content(const std::string& path) {
  constexpr std::size_t most_bytes = std::size_t{4} << 30;
  std::string error;
  std::string text = read_regular_file(path, most_bytes, error);
  if (!error.empty()) throw InputError({Diagnostic{{path, 0}, "", "", "", "", error, ""}});
  return text;
}

/// "1" or "5+6+7": the numbers of the nodes of one interface.
std::vector<int> interface_of(const std::string& word) {
  std::vector<int> numbers;
  for (std::size_t at = 0; at <= word.size();) {
    const std::size_t end = std::min(word.find('+', at), word.size());
    const std::string number = word.substr(at, end - at);
    if (number.empty() || number.size() > 9 ||
        number.find_first_not_of("0123456789") != std::string::npos)
      throw UsageError(fmt::format(
          "--interface {}: must be the number of a node, or several joined by '+'", word));
    numbers.push_back(std::stoi(number));
    at = end + 1;
  }
  return numbers;
}

void print_summary(const convert::Reduction& made, const Arguments& arguments) {
  const ModalData& body = made.body;
  fmt::print("mass {:.6g} kg, centre of mass [{:.6g}, {:.6g}, {:.6g}] m\n", body.mass,
             body.centre.x, body.centre.y, body.centre.z);
  fmt::print("{} modes of the free body, {} interfaces, {} fixed-interface modes: {}\n", body.modes,
             arguments.interfaces.size(), made.fixed_frequencies.size(), arguments.output);
  const auto frequency = [](double square) { return std::sqrt(square) / (2 * std::numbers::pi); };
  for (std::size_t i = 0; i < body.modal_stiffness.size() && i < 10; ++i)
    fmt::print("  mode {:2}: {:.6g} Hz\n", i + 1,
               frequency(body.modal_stiffness[i] / body.modal_mass[i]));
  if (body.modes > 10)
    fmt::print("  ... up to {:.6g} Hz\n",
               frequency(body.modal_stiffness.back() / body.modal_mass.back()));
}

void make_modal_body(const Arguments& arguments) {
  require_replaceable(arguments.output, arguments.overwrite);
  convert::ReductionRequest request;
  for (const std::string& word : arguments.interfaces)
    request.interfaces.push_back(interface_of(word));
  request.fixed_modes = arguments.modes;
  const convert::FiniteElements elements{
      convert::read_symmetric_matrix(content(arguments.mass), arguments.mass),
      convert::read_symmetric_matrix(content(arguments.stiffness), arguments.stiffness),
      convert::read_nodes(content(arguments.nodes), arguments.nodes)};
  if (!arguments.lines.empty())
    request.lines = convert::read_lines(content(arguments.lines), arguments.lines);
  convert::Reduction made;
  try {
    made = convert::reduce(elements, request);
  } catch (const std::invalid_argument& fault) {
    throw InputError({Diagnostic{{arguments.stiffness, 0}, "", "", "", "", fault.what(), ""}});
  }
  AtomicFile output(arguments.output);
  output.write(
      modal_file(made.body, fmt::format("tumble modal-body --mass {} --stiffness {} "
                                        "--nodes {} --interface {} --modes {}",
                                        arguments.mass, arguments.stiffness, arguments.nodes,
                                        fmt::join(arguments.interfaces, ","), arguments.modes)));
  output.commit();
  print_summary(made, arguments);
}

}  // namespace

void add_modal_body_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "modal-body", "Make the file of a flexible body of matrices of finite elements");
  command->add_option("--mass", arguments->mass, "Mass matrix, Matrix Market")
      ->required()
      ->type_name("M.mtx")
      ->check(not_empty());
  command->add_option("--stiffness", arguments->stiffness, "Stiffness matrix of the free body")
      ->required()
      ->type_name("K.mtx")
      ->check(not_empty());
  command
      ->add_option("--nodes", arguments->nodes,
                   "Nodes in the order of the rows, three or six of each: a CSV file with the "
                   "header node,x,y,z")
      ->required()
      ->type_name("NODES.csv")
      ->check(not_empty());
  command
      ->add_option("--interface", arguments->interfaces,
                   "Nodes to take hold of, as 1,12; 5+6+7 makes one rigid interface of several, at "
                   "their middle, with the number of the first")
      ->required()
      ->delimiter(',')
      ->type_name("NODES");
  command
      ->add_option(
          "--modes", arguments->modes,
          "Modes of the body held at all interfaces, beside those that the interfaces make")
      ->capture_default_str()
      ->type_name("N")
      ->check(CLI::Range(0, 150));
  command
      ->add_option(
          "--lines", arguments->lines,
          "Lines to draw the body with: a CSV file with the header a,b and two nodes a row")
      ->type_name("LINES.csv")
      ->check(not_empty());
  command->add_option("-o,--output", arguments->output, "File to write")
      ->required()
      ->type_name("BODY.nc")
      ->check(not_empty());
  command->add_flag("--overwrite", arguments->overwrite, "Replace the file if it is there");
  command->footer(
      "Craig and Bampton's reduction; the modes are those of the free body that it leaves.\n"
      "Example:\n"
      "  tumble modal-body --mass examples/flexible/arm.M.mtx --stiffness "
      "examples/flexible/arm.K.mtx --nodes examples/flexible/arm.nodes.csv --interface 0,20 "
      "-o arm.nc");
  command->callback(
      [arguments, &action] { action = [arguments] { make_modal_body(*arguments); }; });
}

}  // namespace tumble::app
