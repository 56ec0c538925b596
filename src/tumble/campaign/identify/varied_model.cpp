#include "tumble/campaign/identify/varied_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tumble/campaign/errors.hpp"
#include "tumble/io/text/document.hpp"

namespace tumble {
namespace {

/// The random thing whose law `path` is a parameter of.
std::optional<RandomPart> part_of(const Uncertainty& uncertainty, const std::string& path) {
  constexpr std::string_view section = "uncertainty.";
  if (!path.starts_with(section)) return std::nullopt;
  const std::string rest = path.substr(section.size());
  if (rest.starts_with("correlation")) return "correlation";
  for (const BodyUncertainty& body : uncertainty.bodies)
    for (const auto& [law, there] : {std::pair{".mass", body.mass.has_value()},
                                     {".center_of_mass", body.center_of_mass.has_value()},
                                     {".inertia", body.inertia.has_value()}})
      if (there && rest.starts_with(body.body + law + ".")) return body.body + law;
  for (const ScalarUncertainty& scalar : uncertainty.scalars)
    if (rest.starts_with(scalar.name + ".")) return scalar.name;
  return std::nullopt;
}

}  // namespace

std::vector<std::string> random_paths(const ModelFile& file) {
  std::vector<std::string> paths;
  for (const RandomSlot& slot : random_slots(*file.uncertainty)) paths.push_back(slot.path);
  return paths;
}

VariedModel::VariedModel(std::string text, std::string name, std::vector<std::string> overrides)
    : text_(std::move(text)),
      name_(std::move(name)),
      overrides_(std::move(overrides)),
      file_(read_model_text(text_, name_, overrides_)) {
  if (!file_.identification)
    throw RequestError(
        fmt::format("{} has no section `identification`: it says what is free and what was "
                    "measured",
                    name_));
  for (const FreeParameter& parameter : request().parameters) {
    box_.lower.push_back(parameter.min);
    box_.upper.push_back(parameter.max);
    start_.push_back(parameter.start.value_or(0.5 * (parameter.min + parameter.max)));
  }
  find_part_with_laws();
  check_bounds();
  for (std::size_t k = 0; k < box_.size(); ++k) classify(k);
}

std::vector<std::string> VariedModel::settings(const std::vector<double>& parameters) const {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < parameters.size(); ++k)
    all.push_back(request().parameters[k].path + "=" + format_number(parameters[k]));
  return all;
}

ModelFile VariedModel::at(const std::vector<double>& parameters) const {
  std::vector<std::string> all = overrides_;
  for (std::string& setting : settings(parameters)) all.push_back(std::move(setting));
  return read_model_text(text_, name_, all);
}

/// Searches ask for laws many hundred times, and most of a model file has nothing to do with those
/// of bodies.
void VariedModel::find_part_with_laws() {
  const Uncertainty& uncertainty = *file_.uncertainty;
  if (!uncertainty.scalars.empty() || !uncertainty.beams.empty() ||
      !uncertainty.shared_fields.empty())
    return;
  std::vector<Diagnostic> errors;
  Document document = parse_document(file_.effective_yaml, name_, errors);
  Node part;
  part.kind = Node::Kind::mapping;
  for (const char* key : {"constants", "bodies", "beams", "simulation", "uncertainty"}) {
    Node* section = document.root.find(key);
    if (section == nullptr) continue;
    part.keys.emplace_back(key);
    part.key_lines.push_back(0);
    part.items.push_back(std::move(*section));
  }
  part_with_laws_ = emit_yaml(part);
  try {
    laws_at(start_);
  } catch (const InputError&) {
    part_with_laws_.clear();  // something is missing, or there is no such law: as a whole it tells
  }
}

RandomLaws VariedModel::laws_at(const std::vector<double>& parameters) const {
  const ModelFile file = part_with_laws_.empty()
                             ? at(parameters)
                             : read_model_text(part_with_laws_, name_, settings(parameters));
  return RandomLaws(file.model, *file.uncertainty);
}

void VariedModel::check_bounds() {
  std::vector<Diagnostic> mistakes;
  const auto try_at = [&](std::size_t k, const char* field, double value) {
    std::vector<double> parameters = start_;
    parameters[k] = value;
    try {
      const ModelFile varied = at(parameters);
      RandomLaws(varied.model, *varied.uncertainty);
    } catch (const InputError& error) {
      const Diagnostic& first = error.diagnostics().front();
      Diagnostic mistake;
      const std::string path = "identification.parameters." + request().parameters[k].path;
      mistake.where = locate(file_.model, path);
      mistake.element = "identification";
      mistake.field = "parameters." + request().parameters[k].path + "." + field;
      mistake.value = format_number(value);
      mistake.suggestion = first.suggestion;
      mistake.expectation = fmt::format("there is no such model: {}{}{}", first.field,
                                        first.field.empty() ? "" : ": ", first.expectation);
      mistakes.push_back(std::move(mistake));
      return false;
    }
    return true;
  };
  for (std::size_t k = 0; k < box_.size(); ++k) {
    if (try_at(k, "min", box_.lower[k])) try_at(k, "max", box_.upper[k]);
  }
  if (!mistakes.empty()) throw InputError(std::move(mistakes));
}

void VariedModel::classify(std::size_t k) {
  const std::string& path = request().parameters[k].path;
  reasons_.emplace_back();
  moves_support_.push_back(false);
  const auto part = part_of(*file_.uncertainty, path);
  if (!part) {
    reasons_.back() = "it is no parameter of a law, and the runs themselves depend on it";
    return;
  }
  const auto chained = [](const auto& law) {
    return law && law->sampler == SamplingMethod::metropolis;
  };
  for (const BodyUncertainty& body : file_.uncertainty->bodies)
    if ((*part == body.body + ".center_of_mass" && chained(body.center_of_mass)) ||
        (*part == body.body + ".inertia" && chained(body.inertia))) {
      reasons_.back() = "its draws come from a Markov chain";
      return;
    }
  try {
    std::vector<double> low = start_, high = start_;
    low[k] = box_.lower[k];
    high[k] = box_.upper[k];
    parts_.insert(*part);
    moves_support_.back() = support_at(low) != support_at(high);
  } catch (const std::invalid_argument& error) {
    parts_.erase(*part);
    reasons_.back() = error.what();
  }
}

std::vector<double> VariedModel::support_at(const std::vector<double>& parameters) const {
  return InputDensity(laws_at(parameters), random_paths(file_), parts_).support();
}

bool VariedModel::has_density_ratios() const {
  return std::ranges::all_of(reasons_, [](const std::string& reason) { return reason.empty(); });
}

}  // namespace tumble
