#include "tumble/io/model/read_study_sections.hpp"

#include <algorithm>

#include "tumble/io/model/read_identification.hpp"
#include "tumble/io/model/read_quantities.hpp"
#include "tumble/io/model/read_study.hpp"
#include "tumble/io/model/read_uncertainty.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/model/excitation/spectrum.hpp"
#include "tumble/model/field/attach_fields.hpp"
#include "tumble/model/study/attach_matrices.hpp"

namespace tumble {
namespace {

/// Whether probes and output times are what their mistakes have not been reported of.
bool probes_are_good(const std::vector<Diagnostic>& errors) {
  return std::ranges::none_of(errors, [](const Diagnostic& error) {
    return error.element.starts_with("probe ") || error.element == "simulation";
  });
}

/// Bodies that have a law of their own keep their parts as they are.
void fix_parts(const Node& uncertainty, Model& model) {
  for (Body& body : model.bodies) {
    const Node* law = uncertainty.find(body.name);
    if (law != nullptr && law->is_mapping())
      for (const char* field : {"mass", "center_of_mass", "inertia"})
        if (law->find(field) != nullptr && !body.parts.empty()) body.parts_fixed = true;
  }
}

void read_study_sections(const StudyPlace& place) {
  auto& [context, root, errors, quantities, uncertainty, file] = place;
  const Node* quantities_node = root.find("quantities");
  if (quantities_node != nullptr && quantities_node->is_mapping() && probes_are_good(errors))
    settle_quantities(context, *quantities_node, file.model, quantities);
  if (const Node* node = root.find("uncertainty")) {
    fix_parts(*node, file.model);
    read_uncertainty(context, *node, file.model, uncertainty);
    file.model.locations.merge(context.locations);
    if (errors.empty()) {
      const auto faults = attach_fields(file.model, uncertainty);
      errors.insert(errors.end(), faults.begin(), faults.end());
      const auto matrix_faults = attach_matrices(file.model, uncertainty);
      errors.insert(errors.end(), matrix_faults.begin(), matrix_faults.end());
    }
  }
  if (const Node* node = root.find("study")) {
    auto study = std::make_shared<StudyFile>();
    const bool inputs_vary = !uncertainty.empty() || context.faulty({}, "uncertainty");
    const bool excited = std::ranges::any_of(
        file.model.drives, [](const Drive& drive) { return is_random(drive.kind); });
    read_study(context, *node, {inputs_vary, excited}, study->study);
    if (errors.empty() && study->study.method == StudyMethod::variability_response)
      attach_waves(context, *node, study->study, file.model);
    if (quantities_node != nullptr && errors.empty())
      check_quantities(context, *quantities_node, study->study, quantities);
    if (errors.empty()) check_named_quantities(context, *node, study->study, quantities);
    file.model.locations.merge(context.locations);  // designs are made after reading
    if (errors.empty()) read_study_files(context, *node, file.model, *study);
    file.study = std::move(study);
    file.study_identity = study_identity_yaml(root);
  }
  if (const Node* node = root.find("identification")) {
    auto identification = std::make_shared<Identification>();
    read_identification(context, *node, *identification);
    if (errors.empty())
      check_identification(context, *node, file.model, quantities, uncertainty, *identification);
    file.model.locations.merge(context.locations);
    file.identification = std::move(identification);
  }
}

}  // namespace

ModelFile read_model_text(std::string_view text, const std::string& file_name,
                          const std::vector<std::string>& overrides) {
  return read_sections(text, file_name, overrides,
                       {&read_study_sections, &read_results_table, &read_modal_file});
}

ModelFile read_model(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  return read_model_text(read_model_file(path), path.string(), overrides);
}

}  // namespace tumble
