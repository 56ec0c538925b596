// tumble sample: the random inputs of a study without its dynamics.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "command.hpp"
#include "inertial_text.hpp"
#include "model_argument.hpp"
#include "terminal_observer.hpp"
#include "tumble/base/atomic_file.hpp"
#include "tumble/campaign/output_directory.hpp"
#include "tumble/campaign/study_inputs.hpp"
#include "tumble/campaign/warnings.hpp"
#include "tumble/convert/robot_file.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble::app {

namespace {

struct Arguments {
  std::string model, output, format, robot;
  std::vector<std::string> overrides, origins;
  std::optional<unsigned> realizations;
  std::optional<std::int64_t> seed;
  bool overwrite = false, fixed_base = false;
};

void write_csv(AtomicFile& file, const RandomInputs& inputs, std::uint64_t realizations) {
  file.write(fmt::format("{}\n", fmt::join(inputs.paths(), ",")));
  std::vector<double> values(inputs.slots().size());
  for (std::uint64_t i = 0; i < realizations; ++i) {
    inputs.fill(i, values.data());
    std::string line;
    for (const double value : values) line += (line.empty() ? "" : ",") + format_number(value);
    file.write(line + "\n");
  }
}

/// Whole robot descriptions, a file for each draw, and a table of what was drawn beside them.
class RobotDraws {
 public:
  RobotDraws(const Arguments& arguments, const ModelFile& file, const RandomInputs& inputs,
             const DesignParameters& sampling)
      : arguments_(arguments),
        nominal_(file.model),
        inputs_(inputs),
        sampling_(sampling),
        robot_(read_robot_file(arguments.robot), arguments.robot,
               {.directory = std::filesystem::path(arguments.robot).parent_path().string(),
                .fixed_base = arguments.fixed_base}) {
    if (arguments.format != (robot_.is_urdf() ? "urdf" : "mjcf"))
      throw UsageError(fmt::format("{} is {}: give --format {}", arguments.robot,
                                   robot_.machine().robot.format,
                                   robot_.is_urdf() ? "urdf" : "mjcf"));
    (void)robot_.with(nominal_,
                      "");  // a model of another robot is refused before anything is written
    for (std::uint64_t i = 0; i < sampling.realizations; ++i)
      require_replaceable(file_of(i), arguments.overwrite);
    require_replaceable(table(), arguments.overwrite);
  }

  /// Random inputs that the description has no place for.
  std::vector<std::string> left_out() const { return robot_.without_place(inputs_.paths()); }

  void write() const {
    std::filesystem::create_directories(arguments_.output);
    Realization realization(nominal_);
    std::vector<double> values(inputs_.slots().size());
    for (std::uint64_t i = 0; i < sampling_.realizations; ++i) {
      inputs_.fill(i, values.data());
      for (std::size_t k = 0; k < values.size(); ++k)
        realization.set(inputs_.slots()[k], values[k]);
      AtomicFile file(file_of(i));
      file.write(robot_.with(realization.model(),
                             fmt::format("realisation {}, seed {}", i, sampling_.seed)));
      file.commit();
    }
    AtomicFile file(table());
    write_csv(file, inputs_, sampling_.realizations);
    file.commit();
  }

 private:
  /// DIR/arm-007.urdf: as many digits as the last one needs, so that names sort.
  std::filesystem::path file_of(std::uint64_t i) const {
    const std::filesystem::path robot = arguments_.robot;
    const std::size_t digits =
        std::max<std::size_t>(3, fmt::format("{}", sampling_.realizations - 1).size());
    return std::filesystem::path(arguments_.output) /
           fmt::format("{}-{:0{}}{}", robot.stem().string(), i, digits, robot.extension().string());
  }
  std::filesystem::path table() const {
    return std::filesystem::path(arguments_.output) /
           (std::filesystem::path(arguments_.robot).stem().string() + "-draws.csv");
  }

  const Arguments& arguments_;
  const Model& nominal_;
  const RandomInputs& inputs_;
  const DesignParameters& sampling_;
  convert::RobotFile robot_;
};

void sample(const Arguments& arguments) {
  if (arguments.robot.empty()) require_replaceable(arguments.output, arguments.overwrite);
  if (arguments.robot.empty() && arguments.fixed_base)
    throw UsageError("--fixed-base is for --template");
  if (!arguments.robot.empty() && (arguments.format == "csv" || !arguments.origins.empty()))
    throw UsageError("--template is for --format urdf and mjcf, and has no --origin");
  const ModelFile file = read_model_argument(arguments.model, arguments.overrides);
  if (file.uncertainty->empty())
    throw UsageError(arguments.model + " has no random inputs: it has no section uncertainty");
  DesignParameters sampling = sampling_of(file);
  if (arguments.seed) sampling.seed = static_cast<std::uint64_t>(*arguments.seed);
  if (arguments.realizations) {
    sampling.realizations = *arguments.realizations;
    if (file.study)
      sampling.randomizations = randomizations_of(file.study->study, sampling.realizations);
  }
  if (sampling.realizations == 0)
    throw UsageError("how many draws? Give -n N, or study.realizations in the file");
  const auto inputs = random_inputs(file, sampling);
  if (!arguments.robot.empty()) {
    const RobotDraws draws(arguments, file, *inputs, sampling);
    TerminalObserver observer;
    Warnings(&observer).add(inputs->warnings());
    draws.write();
    fmt::print("{} descriptions with draws of {} parameters: {}\n", sampling.realizations,
               inputs->slots().size(), arguments.output);
    for (const std::string& path : draws.left_out())
      fmt::print("not in the descriptions, which have no place for it: {}\n", path);
    for (const ChainSummary& chain : inputs->chains()) fmt::print("{}\n", to_string(chain));
    return;
  }
  std::optional<InertialText> text;
  if (arguments.format != "csv")
    text.emplace(file.model, *inputs, arguments.origins,
                 arguments.format == "urdf" ? InertialFormat::urdf : InertialFormat::mjcf);
  else if (!arguments.origins.empty())
    throw UsageError("--origin is for --format urdf and mjcf");
  TerminalObserver observer;
  Warnings(&observer).add(inputs->warnings());

  AtomicFile output(arguments.output);
  if (text)
    text->write(output, sampling.realizations);
  else
    write_csv(output, *inputs, sampling.realizations);
  output.commit();
  fmt::print("{} draws of {} parameters: {}\n", sampling.realizations, inputs->slots().size(),
             arguments.output);
  for (const ChainSummary& chain : inputs->chains()) fmt::print("{}\n", to_string(chain));
}

}  // namespace

void add_sample_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  arguments->format = "csv";
  CLI::App* command =
      app.add_subcommand("sample", "Write draws of the random inputs alone, no dynamics");
  add_model_arguments(*command, arguments->model, arguments->overrides);
  command
      ->add_option("-o,--output", arguments->output, "File to write; with --template a directory")
      ->required()
      ->type_name("FILE")
      ->check(not_empty());
  command->add_flag("--overwrite", arguments->overwrite, "Replace files that are there");
  command->add_option("-n", arguments->realizations, "How many; study.realizations if left out")
      ->type_name("N")
      ->check(CLI::Range(1u, 1'000'000'000u));
  add_seed_option(*command, arguments->seed, "study.seed, or 1, if left out");
  command
      ->add_option("--format", arguments->format,
                   "csv: a column for each parameter, a table that a study of method table reads; "
                   "urdf: inertial blocks; mjcf: inertial elements, of the random bodies")
      ->check(CLI::IsMember({"csv", "urdf", "mjcf"}));
  command
      ->add_option("--origin", arguments->origins,
                   "With urdf and mjcf: where the origin of a body's frame is at t = 0, in ground "
                   "axes; at its nominal centre of mass if left out")
      ->type_name("BODY=X,Y,Z");
  command
      ->add_option("--template", arguments->robot,
                   "With urdf and mjcf: the description that `tumble convert` made the model of. "
                   "Every draw becomes a whole description with its masses, centres, inertias, "
                   "dampings and stiffnesses; all else is kept")
      ->type_name("ROBOT");
  command->add_flag("--fixed-base", arguments->fixed_base,
                    "With --template: the model was converted with --fixed-base");
  command->footer(
      "The draws are those of `tumble run` with the same seed.\n"
      "Example:\n"
      "  tumble sample examples/batou-soize-2012/case4.yaml -n 500 -o draws.csv\n"
      "  tumble sample examples/batou-soize-2012/case4.yaml -n 50 --format urdf -o bodies.xml\n"
      "  tumble sample examples/robots/arm.yaml -n 20 --format urdf --template "
      "examples/robots/arm.urdf -o arms");
  command->callback([arguments, &action] { action = [arguments] { sample(*arguments); }; });
}

}  // namespace tumble::app
