#include "tumble/campaign/linear_model.hpp"

#include <algorithm>

#include "tumble/io/model/read_formula.hpp"

namespace tumble {
namespace {

std::vector<LinearOutput> outputs_of(const Model& model, const std::vector<std::string>& wanted) {
  const ProbedNames names(model);
  std::vector<LinearOutput> all;
  for (const std::string& name : names.components()) {
    const ProbedNames::Entry& entry = *names.find(name);
    all.push_back({name, entry.unit, entry.place});
  }
  std::ranges::sort(all, {}, &LinearOutput::place);
  if (wanted.empty()) return all;
  std::vector<LinearOutput> outputs;
  for (const std::string& name : wanted) {
    const std::size_t before = outputs.size();
    for (const LinearOutput& output : all)
      if (output.name == name || output.name.starts_with(name + ".")) outputs.push_back(output);
    if (outputs.size() > before) continue;
    Diagnostic mistake;
    mistake.element = "output";
    mistake.value = "'" + name + "'";
    mistake.expectation = "must be a probe, a quantity of a probe or a component of one";
    std::vector<std::string> known;
    for (const LinearOutput& output : all) known.push_back(output.name);
    mistake.suggestion = nearest_name(name, known);
    throw InputError({mistake});
  }
  return outputs;
}

Equilibrium state_of(const Plan& plan, const Model& model, const LinearRequest& request) {
  if (request.about == ReferenceState::start) return held_start(plan, model);
  EquilibriumOptions options;
  options.load_steps = request.load_steps;
  if (request.about == ReferenceState::rest) options.kind = EquilibriumKind::rest;
  if (request.about == ReferenceState::steady) options.kind = EquilibriumKind::steady;
  return find_equilibrium(plan, model, options);
}

}  // namespace

LinearModel linear_model(const ModelFile& file, const Plan& plan, const LinearRequest& request) {
  LinearModel out;
  out.outputs = outputs_of(file.model, request.outputs);
  if (request.inputs.empty())
    out.inputs = default_inputs(plan);
  else
    for (const std::string& name : request.inputs) out.inputs.push_back(linear_input(plan, name));
  const Equilibrium about = state_of(plan, file.model, request);
  for (const auto* sentences : {&about.frame, &about.notes})
    out.notes.insert(out.notes.end(), sentences->begin(), sentences->end());
  out.equations =
      std::make_unique<const LinearEquations>(plan, file.model, about, out.inputs, out.outputs);
  return out;
}

}  // namespace tumble
