#include "tumble/model/study/uncertainty.hpp"

#include "tumble/model/model.hpp"

namespace tumble {

std::vector<RandomSlot> random_slots(const BodyUncertainty& body) {
  std::vector<RandomSlot> slots;
  const std::string prefix = "bodies." + body.body;
  const auto add = [&](const std::string& field, int size, const std::string& law) {
    for (int i = 0; i < size; ++i)
      slots.push_back({prefix + field + "[" + std::to_string(i) + "]", body.body + law});
  };
  if (body.mass) slots.push_back({prefix + ".mass", body.body + ".mass"});
  if (body.center_of_mass) add(".position", 3, ".center_of_mass");
  if ((body.mass && !body.point_mass) || body.inertia)
    add(".inertia", 6, body.inertia ? ".inertia" : ".mass");
  return slots;
}

std::vector<RandomSlot> random_slots(const Uncertainty& uncertainty) {
  std::vector<RandomSlot> slots;
  for (const BodyUncertainty& body : uncertainty.bodies) {
    const auto of_body = random_slots(body);
    slots.insert(slots.end(), of_body.begin(), of_body.end());
  }
  for (const ScalarUncertainty& scalar : uncertainty.scalars)
    for (const std::string& path : scalar.paths) slots.push_back({path, scalar.name});
  return slots;
}

bool is_germ(const std::string& variable) {
  return (variable.starts_with("fields.") || variable.starts_with("matrices.")) &&
         variable.find(".germ[") != std::string::npos;
}

Diagnostic uncertainty_mistake(const Model& model, const std::string& entry,
                               const std::string& field, const std::string& why) {
  Diagnostic d;
  d.where = locate(model, "uncertainty." + entry + (field.empty() ? "" : "." + field));
  d.element = "uncertainty '" + entry + "'";
  d.field = field;
  d.expectation = why;
  return d;
}

}  // namespace tumble
