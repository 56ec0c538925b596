#include "tumble/fmu/model_description.hpp"

#include <fmt/format.h>

#include <iterator>
#include <set>

#include "tumble/base/sha256.hpp"
#include "tumble/fmu/unit_exponents.hpp"

namespace tumble {
namespace {

using Causality = FmuVariable::Causality;

/// As the value of an attribute; control characters, which XML has no place for, become spaces.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result;
}

std::string attribute(std::string_view name, std::string_view value) {
  return value.empty() ? "" : fmt::format(" {}=\"{}\"", name, escaped(value));
}

void append_units(const std::vector<FmuVariable>& variables, std::string& xml) {
  std::set<std::string> units;
  for (const FmuVariable& v : variables)
    if (!v.unit.empty()) units.insert(v.unit);
  xml += "  <UnitDefinitions>\n";
  for (const std::string& unit : units) {
    const UnitExponents e = unit_exponents(unit).value();
    std::string powers;
    for (const auto& [name, power] :
         {std::pair("kg", e.kg), std::pair("m", e.m), std::pair("s", e.s), std::pair("rad", e.rad)})
      if (power != 0) powers += fmt::format(" {}=\"{}\"", name, power);
    xml += fmt::format("    <Unit name=\"{}\">\n      <BaseUnit{}/>\n    </Unit>\n", escaped(unit),
                       powers);
  }
  xml += "  </UnitDefinitions>\n";
}

std::string_view role(Causality causality) {
  switch (causality) {
    case Causality::independent:
      return R"(causality="independent" variability="continuous")";
    case Causality::input:
      return R"(causality="input" variability="continuous")";
    case Causality::output:
      return R"(causality="output" variability="continuous" initial="calculated")";
    case Causality::parameter:
      break;
  }
  return R"(causality="parameter" variability="fixed" initial="exact")";
}

void append_variables(const std::vector<FmuVariable>& variables, std::string& xml) {
  xml += "  <ModelVariables>\n";
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const FmuVariable& v = variables[i];
    const bool starts = v.causality == Causality::input || v.causality == Causality::parameter;
    xml += fmt::format("    <Float64 name=\"{}\" valueReference=\"{}\"{} {}{}{}/>\n",
                       escaped(v.name), i, attribute("description", v.description),
                       role(v.causality), attribute("unit", v.unit),
                       starts ? attribute("start", format_number(v.start)) : "");
  }
  xml += "  </ModelVariables>\n";
}

/// At a communication point an output is what the inputs before it have made of the machine: it
/// depends on time alone, and there are no algebraic loops. What is initialised depends on all.
void append_structure(const std::vector<FmuVariable>& variables, std::string& xml) {
  xml += "  <ModelStructure>\n";
  const auto outputs = [&](const char* element, const char* dependencies) {
    for (std::size_t i = 0; i < variables.size(); ++i)
      if (variables[i].causality == Causality::output)
        xml += fmt::format("    <{} valueReference=\"{}\"{}/>\n", element, i, dependencies);
  };
  outputs("Output", " dependencies=\"0\"");
  outputs("InitialUnknown", "");
  xml += "  </ModelStructure>\n";
}

}  // namespace

std::string instantiation_token(const ModelFile& file) {
  Sha256 sum;
  sum.add(TUMBLE_VERSION "\n");
  sum.add(file.effective_yaml);
  for (const auto& [path, digest] : file.referenced_files) sum.add(digest + "  " + path + "\n");
  return "{" + sum.digest() + "}";
}

std::string model_identifier(const std::filesystem::path& model) {
  std::string name = model.stem().string();
  for (char& c : name)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))) c = '_';
  const bool begins_well = !name.empty() && !(name.front() >= '0' && name.front() <= '9');
  return begins_well ? name : "model_" + name;
}

void require_step(const Model& model, const std::string& path) {
  if (model.simulation.step) return;
  Diagnostic d;
  d.where = locate(model, "simulation.accuracy");
  if (d.where.file.empty()) d.where.file = path;
  d.element = "simulation";
  d.field = "step";
  d.unit = "s";
  d.expectation =
      "required but missing for an FMU: what its inputs will be is not known, so that no steps can "
      "be found for an accuracy";
  throw InputError({d});
}

void require_files_below(const ModelFile& file, const std::string& path) {
  std::vector<Diagnostic> mistakes;
  for (const auto& [name, digest] : file.referenced_files) {
    const auto normal = std::filesystem::path(name).lexically_normal();
    if (normal.is_relative() && *normal.begin() != "..") continue;
    Diagnostic d;
    d.where.file = path;
    d.value = "'" + name + "'";
    d.expectation =
        "a file that goes into an FMU must lie in the folder of the model file or below it, and be "
        "named relative to it";
    mistakes.push_back(d);
  }
  if (!mistakes.empty()) throw InputError(std::move(mistakes));
}

std::string model_description(const ModelFile& file, const std::vector<FmuVariable>& variables,
                              const std::string& identifier) {
  const Simulation& simulation = file.model.simulation;
  std::string xml =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"3.0\"";
  xml += attribute("modelName", identifier);
  xml += attribute("instantiationToken", instantiation_token(file));
  xml += attribute("description", file.model.title);
  xml += attribute("generationTool", "Tumble " TUMBLE_VERSION);
  xml += " variableNamingConvention=\"structured\">\n";
  xml += fmt::format(
      "  <CoSimulation modelIdentifier=\"{}\" needsExecutionTool=\"false\" "
      "canBeInstantiatedOnlyOncePerProcess=\"false\" canGetAndSetFMUState=\"true\" "
      "canSerializeFMUState=\"false\" canHandleVariableCommunicationStepSize=\"true\"/>\n",
      identifier);
  append_units(variables, xml);
  xml += fmt::format(
      "  <LogCategories>\n"
      "    <Category name=\"{}\" description=\"everything\"/>\n"
      "    <Category name=\"{}\" description=\"what the run assumed or doubts\"/>\n"
      "    <Category name=\"{}\" description=\"why a function failed\"/>\n"
      "  </LogCategories>\n",
      log_all, log_warning, log_error);
  xml +=
      fmt::format("  <DefaultExperiment startTime=\"0\" stopTime=\"{}\" stepSize=\"{}\"/>\n",
                  format_number(simulation.duration), format_number(simulation.output_interval()));
  append_variables(variables, xml);
  append_structure(variables, xml);
  xml += "</fmiModelDescription>\n";
  return xml;
}

}  // namespace tumble
