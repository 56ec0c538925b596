#include "tumble/io/schema/parameter_listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "tumble/model/parameters.hpp"

namespace tumble {
namespace {

struct ListedSlot {
  std::string path, unit;
  double value;
  std::string variable;  // empty if it does not vary
};

std::vector<ListedSlot> list_slots(const Model& model, const Uncertainty& uncertainty) {
  std::unordered_map<std::string, std::string> variables;
  for (const RandomSlot& slot : random_slots(uncertainty))
    variables.emplace(slot.path, slot.variable);
  const ParameterTable table(model);
  const Realization nominal(model);
  std::vector<ListedSlot> list;
  for (const Slot& slot : table.slots()) {
    const auto variable = variables.find(slot.path);
    list.push_back({slot.path, slot.unit, nominal.get(static_cast<int>(list.size())),
                    variable == variables.end() ? "" : variable->second});
  }
  return list;
}

}  // namespace

std::string parameter_table_text(const Model& model, const Uncertainty& uncertainty) {
  const std::vector<ListedSlot> list = list_slots(model, uncertainty);
  std::size_t path_width = 4, unit_width = 4, value_width = 5;
  for (const ListedSlot& slot : list) {
    path_width = std::max(path_width, slot.path.size());
    unit_width = std::max(unit_width, slot.unit.size());
    value_width = std::max(value_width, format_number(slot.value).size());
  }
  std::string text;
  auto out = std::back_inserter(text);
  const auto row = [&](std::string_view path, std::string_view unit, std::string_view value,
                       std::string_view random) {
    // A dash keeps the number of columns the same in every row, for awk and the like.
    fmt::format_to(out, "{:<{}}  {:<{}}  {:<{}}  {}\n", path, path_width, unit.empty() ? "-" : unit,
                   unit_width, value, value_width, random.empty() ? "-" : random);
  };
  row("path", "unit", "value", "random");
  for (const ListedSlot& slot : list)
    row(slot.path, slot.unit, format_number(slot.value), slot.variable);
  return text;
}

std::string parameter_table_json(const Model& model, const Uncertainty& uncertainty) {
  auto json = nlohmann::ordered_json::array();
  for (const ListedSlot& slot : list_slots(model, uncertainty)) {
    json.push_back({{"path", slot.path},
                    {"unit", slot.unit},
                    {"value", slot.value},
                    {"random", !slot.variable.empty()}});
    if (!slot.variable.empty()) json.back()["variable"] = slot.variable;
  }
  return json.dump(2) + "\n";
}

}  // namespace tumble
