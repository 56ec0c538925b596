#include "tumble/io/parameter_listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tumble/model/parameters.hpp"

namespace tumble {

std::string parameter_table_text(const Model& model) {
  const ParameterTable table(model);
  const Realization nominal(model);
  std::size_t path_width = 4, unit_width = 4;
  for (const Slot& slot : table.slots()) {
    path_width = std::max(path_width, slot.path.size());
    unit_width = std::max(unit_width, slot.unit.size());
  }
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{:<{}}  {:<{}}  value\n", "path", path_width, "unit", unit_width);
  for (std::size_t i = 0; i < table.slots().size(); ++i) {
    const Slot& slot = table.slots()[i];
    // A dash keeps the number of columns the same in every row, for awk and the like.
    fmt::format_to(out, "{:<{}}  {:<{}}  {}\n", slot.path, path_width,
                   slot.unit.empty() ? "-" : slot.unit, unit_width,
                   format_number(nominal.get(static_cast<int>(i))));
  }
  return text;
}

std::string parameter_table_json(const Model& model) {
  const ParameterTable table(model);
  const Realization nominal(model);
  auto list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < table.slots().size(); ++i) {
    const Slot& slot = table.slots()[i];
    list.push_back(
        {{"path", slot.path}, {"unit", slot.unit}, {"value", nominal.get(static_cast<int>(i))}});
  }
  return list.dump(2) + "\n";
}

}  // namespace tumble
