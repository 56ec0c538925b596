// tumble convert: from a robot description of another program to a model file.
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "command.hpp"
#include "tumble/base/atomic_file.hpp"
#include "tumble/base/read_file.hpp"
#include "tumble/campaign/output_directory.hpp"
#include "tumble/convert/machine.hpp"
#include "tumble/io/model_reader.hpp"

namespace tumble::app {

std::string read_robot_file(const std::string& path) {
  std::string error;
  std::string text = read_regular_file(path, 16 << 20, error);
  if (!error.empty()) throw InputError({Diagnostic{{path, 0}, "", "", "", "", error, ""}});
  return text;
}

void add_convert_command(CLI::App& app, Action& action) {
  struct Arguments {
    std::string robot, output;
    bool overwrite = false, fixed_base = false;
    std::optional<double> limit_stiffness, friction_rate;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("convert", "Make a model file of a robot description: URDF or MJCF");
  command->add_option("robot", arguments->robot, "Robot description, .urdf or .xml")
      ->required()
      ->type_name("ROBOT")
      ->check(not_empty());
  command->add_option("-o,--output", arguments->output, "Model file to write")
      ->required()
      ->type_name("MODEL.yaml")
      ->check(not_empty());
  command->add_flag("--overwrite", arguments->overwrite, "Replace the file if it is there");
  command->add_flag("--fixed-base", arguments->fixed_base,
                    "Hold to the ground what floats: the root link of a URDF, bodies with free "
                    "joints of MJCF");
  command
      ->add_option("--limit-stiffness", arguments->limit_stiffness,
                   "Make stops of this stiffness [N/m or N m/rad] of the limits of joints, which "
                   "are listed otherwise")
      ->type_name("K")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--friction-rate", arguments->friction_rate,
                   "Carry dry friction of joints over, smooth below this rate [m/s or rad/s]; it "
                   "is listed otherwise")
      ->type_name("V")
      ->check(CLI::PositiveNumber);
  command->footer(
      "What cannot be carried over, such as the largest effort of a joint, is listed here and in\n"
      "the file.\n"
      "Example:\n"
      "  tumble convert examples/robots/arm.urdf -o arm.yaml");
  command->callback([arguments, &action] {
    action = [arguments] {
      require_replaceable(arguments->output, arguments->overwrite);
      const std::string text = read_robot_file(arguments->robot);
      const std::filesystem::path path = arguments->robot;
      const convert::ImportOptions options{.directory = path.parent_path().string(),
                                           .fixed_base = arguments->fixed_base,
                                           .limit_stiffness = arguments->limit_stiffness,
                                           .friction_rate = arguments->friction_rate};
      const convert::Machine machine =
          convert::make_machine(convert::read_robot(text, arguments->robot, options));
      const convert::ModelText model = convert::write_model(
          machine,
          {options.directory, std::filesystem::path(arguments->output).parent_path().string()},
          options);
      // Nothing is written that the other commands would refuse.
      const ModelFile file = read_model_text(model.yaml, arguments->output);
      AtomicFile output(arguments->output);
      output.write(model.yaml);
      output.commit();
      fmt::print("{} bodies, {} joints, {} force elements: {}\n", file.model.bodies.size(),
                 file.model.joints.size(), file.model.forces.size(), arguments->output);
      for (const convert::MachineBody& body : machine.bodies)
        if (body.hold == convert::Hold::free)
          fmt::print("body '{}' floats; --fixed-base would hold it to the ground\n", body.name);
      for (const convert::Note& note : model.notes)
        fmt::print("{}:{}: not carried over: {}\n", arguments->robot, note.line, note.text);
    };
  });
}

}  // namespace tumble::app
