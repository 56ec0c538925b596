// tumble fmu: a model as a Functional Mock-up Unit, for simulators that speak FMI 3.0.
#include <fmt/format.h>
#include <link.h>
#include <sys/auxv.h>
#include <zip.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "command.hpp"
#include "model_argument.hpp"
#include "terminal_observer.hpp"
#include "tumble/base/atomic_file.hpp"
#include "tumble/base/read_file.hpp"
#include "tumble/base/sha256.hpp"
#include "tumble/campaign/output_directory.hpp"
#include "tumble/fmu/model_description.hpp"
#include "tumble/integrate/stepped_run.hpp"
#include "tumble/io/machine_reader.hpp"
#include "tumble/io/model/study_sections.hpp"

namespace tumble::app {
namespace {

constexpr std::size_t largest_part = std::size_t{1} << 30;

/// The folder of binaries for this kind of computer, as FMI calls it.
#ifdef __aarch64__
constexpr const char* binaries = "binaries/aarch64-linux";
#else
constexpr const char* binaries = "binaries/x86_64-linux";
#endif

/// A zip archive in memory. Its files bear the first date that zip knows: the same model makes the
/// same bytes.
class Archive {
 public:
  Archive() {
    zip_error_t error;
    zip_error_init(&error);
    source_ = zip_source_buffer_create(nullptr, 0, 0, &error);
    if (source_ == nullptr) throw std::bad_alloc();
    zip_source_keep(source_);
    zip_ = zip_open_from_source(source_, ZIP_TRUNCATE, &error);
    if (zip_ == nullptr) throw std::runtime_error("libzip: cannot begin an archive");
  }
  ~Archive() {
    if (zip_ != nullptr) zip_discard(zip_);
    zip_source_free(source_);
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  void add(const std::string& name, std::string bytes) {
    const std::string& kept = *parts_.emplace_back(std::make_unique<std::string>(std::move(bytes)));
    zip_source_t* part = zip_source_buffer(zip_, kept.data(), kept.size(), 0);
    const zip_int64_t index =
        part == nullptr ? -1 : zip_file_add(zip_, name.c_str(), part, ZIP_FL_ENC_UTF_8);
    constexpr std::time_t first_of_1980 = 315532800;
    if (index < 0 ||
        zip_file_set_mtime(zip_, static_cast<zip_uint64_t>(index), first_of_1980, 0) != 0)
      throw std::runtime_error(fmt::format("libzip: {}: {}", name, zip_strerror(zip_)));
  }

  std::string bytes() {
    if (zip_close(zip_) != 0)
      throw std::runtime_error(fmt::format("libzip: {}", zip_strerror(zip_)));
    zip_ = nullptr;
    zip_stat_t size;
    zip_source_stat(source_, &size);
    std::string all(size.size, '\0');
    if (zip_source_open(source_) != 0 ||
        zip_source_read(source_, all.data(), all.size()) != static_cast<zip_int64_t>(all.size()))
      throw std::runtime_error("libzip: the archive cannot be read back");
    zip_source_close(source_);
    return all;
  }

 private:
  zip_source_t* source_ = nullptr;
  zip_t* zip_ = nullptr;
  std::vector<std::unique_ptr<std::string>> parts_;  ///< libzip reads them when it closes
};

/// The same binary serves every model; it lies beside the program.
std::filesystem::path binary_path() {
  // A bare root has no /proc; then the name counts by which the system started the program.
  std::error_code failed;
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed)
    program = std::filesystem::canonical(reinterpret_cast<const char*>(::getauxval(AT_EXECFN)));
  return program.parent_path().parent_path() / "lib" / "tumble" / "tumble_fmu.so";
}

std::string read_part(const std::filesystem::path& path) {
  std::string error;
  std::string bytes = read_regular_file(path, largest_part, error);
  if (!error.empty())
    throw std::runtime_error(
        fmt::format("{}: {}; FMUs need it, and it is installed with Tumble", path.string(), error));
  return bytes;
}

struct SharedLibrary {
  std::string name, path;
};

/// yaml-cpp as this program has it: the one library beyond the system's that the binary needs.
SharedLibrary yaml_library() {
  SharedLibrary found;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        const std::filesystem::path path = info->dlpi_name;
        if (!path.filename().string().starts_with("libyaml-cpp.so")) return 0;
        *static_cast<SharedLibrary*>(result) = {path.filename().string(), path.string()};
        return 1;
      },
      &found);
  return found;
}

struct Arguments {
  std::string model, output;
  std::vector<std::string> overrides;
  bool overwrite = false;
};

/// Nothing is written that could not be initialised.
void require_start(const ModelFile& file, const std::string& path, Observer& observer) {
  try {
    SteppedRun run(make_plan(file.model), file.model);
    run.start();
    for (const std::string& sentence : run.take_warnings())
      observer.say(Message::warning, sentence);
  } catch (const SimulationError& error) {
    throw InputError({Diagnostic{{path, 0}, "", "", "", "", error.what(), ""}});
  }
}

void export_fmu(const Arguments& arguments) {
  TerminalObserver observer;
  const ModelFile whole = read_model_argument(arguments.model, arguments.overrides);
  // Mistakes first, while lines are those of the user's file.
  require_step(whole.model, arguments.model);
  fmu_variables(whole.model);
  const ModelFile file = read_machine_text(machine_text(whole.effective_yaml), arguments.model);
  require_files_below(file, arguments.model);
  const std::filesystem::path model = arguments.model == standard_input ? "stdin" : arguments.model;
  const std::string output = arguments.output.empty()
                                 ? model.filename().replace_extension(".fmu").string()
                                 : arguments.output;
  require_replaceable(output, arguments.overwrite);
  const auto variables = fmu_variables(file.model);
  require_start(file, arguments.model, observer);

  const std::string identifier = model_identifier(model);
  Archive archive;
  archive.add("modelDescription.xml", model_description(file, variables, identifier));
  archive.add(fmt::format("{}/{}.so", binaries, identifier), read_part(binary_path()));
  if (const SharedLibrary yaml = yaml_library(); !yaml.name.empty())
    archive.add(fmt::format("{}/{}", binaries, yaml.name), read_part(yaml.path));
  archive.add(fmt::format("resources/{}", fmu_model_file), file.effective_yaml);
  for (const auto& [name, digest] : file.referenced_files) {
    std::string error;
    std::string bytes = read_regular_file(model.parent_path() / name, largest_part, error);
    if (error.empty() && sha256(bytes) != digest) error = "has changed since it was read";
    if (!error.empty()) throw InputError({Diagnostic{{name, 0}, "", "", "", "", error, ""}});
    archive.add("resources/" + std::filesystem::path(name).lexically_normal().generic_string(),
                std::move(bytes));
  }
  AtomicFile target(output);
  target.write(archive.bytes());
  target.commit();

  const auto count = [&](FmuVariable::Causality causality) {
    return std::ranges::count(variables, causality, &FmuVariable::causality);
  };
  using Causality = FmuVariable::Causality;
  fmt::print("{} inputs, {} outputs, {} parameters: {}\n", count(Causality::input),
             count(Causality::output), count(Causality::parameter), output);
  if (!whole.uncertainty->empty() || whole.study)
    observer.say(Message::note,
                 "the FMU has the nominal machine: what is uncertain about it are "
                 "parameters like all others");
}

}  // namespace

void add_fmu_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "fmu", "Make a Functional Mock-up Unit of a model: FMI 3.0, co-simulation");
  add_model_arguments(*command, arguments->model, arguments->overrides);
  command
      ->add_option("-o,--output", arguments->output,
                   "FMU to write; if left out, named after the model, in the current folder")
      ->type_name("FILE.fmu")
      ->check(not_empty());
  command->add_flag("--overwrite", arguments->overwrite, "Replace the file if it is there");
  command->footer(
      "Inputs are the drives of type `input`, outputs what is probed, parameters what `tumble\n"
      "parameters` lists.\n"
      "Example:\n"
      "  tumble fmu examples/fmu/pendulum-motor.yaml");
  command->callback([arguments, &action] { action = [arguments] { export_fmu(*arguments); }; });
}

}  // namespace tumble::app
