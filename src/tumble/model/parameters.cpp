#include "tumble/model/parameters.hpp"

#include <fmt/format.h>

#include "tumble/model/visit_numbers.hpp"

namespace tumble {

ParameterTable::ParameterTable(const Model& model) {
  visit_numbers(model,
                [this](const std::string& path, std::string_view unit, Range, const double&) {
                  index_.emplace(path, static_cast<int>(slots_.size()));
                  slots_.push_back({path, std::string(unit)});
                });
}

int ParameterTable::find(const std::string& path) const {
  const auto found = index_.find(path);
  return found == index_.end() ? -1 : found->second;
}

Realization::Realization(const Model& nominal) : model_(nominal) {
  visit_numbers(model_, [this](const std::string&, std::string_view, Range, double& number) {
    numbers_.push_back(&number);
  });
}

void Realization::throw_no_slot(int slot) const {
  Diagnostic d;
  d.element = "realization";
  d.field = "slot";
  d.value = std::to_string(slot);
  d.expectation = fmt::format(
      "must be between 0 and {}; a path that no parameter has is found as -1", numbers_.size() - 1);
  throw InputError({d});
}

}  // namespace tumble
