// tumble sample: the random inputs of a study without its dynamics.
#include <fmt/format.h>

#include "command.hpp"
#include "inertial_text.hpp"
#include "model_argument.hpp"
#include "terminal_observer.hpp"
#include "tumble/base/atomic_file.hpp"
#include "tumble/campaign/output_directory.hpp"
#include "tumble/campaign/study_inputs.hpp"
#include "tumble/campaign/warnings.hpp"
#include "tumble/io/model/study_sections.hpp"

namespace tumble::app {

namespace {

struct Arguments {
  std::string model, output, format;
  std::vector<std::string> overrides, origins;
  std::optional<unsigned> realizations;
  std::optional<std::int64_t> seed;
  bool overwrite = false;
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

void sample(const Arguments& arguments) {
  require_replaceable(arguments.output, arguments.overwrite);
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
  command->add_option("-o,--output", arguments->output, "File to write")
      ->required()
      ->type_name("FILE")
      ->check(not_empty());
  command->add_flag("--overwrite", arguments->overwrite, "Replace the file if it is there");
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
  command->footer(
      "The draws are those of `tumble run` with the same seed.\n"
      "Example:\n"
      "  tumble sample examples/batou-soize-2012/case4.yaml -n 500 -o draws.csv\n"
      "  tumble sample examples/batou-soize-2012/case4.yaml -n 50 --format urdf -o bodies.xml");
  command->callback([arguments, &action] { action = [arguments] { sample(*arguments); }; });
}

}  // namespace tumble::app
