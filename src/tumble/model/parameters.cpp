#include "tumble/model/parameters.hpp"

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

}  // namespace tumble
