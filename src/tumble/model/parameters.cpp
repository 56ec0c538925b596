#include "tumble/model/parameters.hpp"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

#include "tumble/model/composite.hpp"
#include "tumble/model/excitation.hpp"
#include "tumble/model/excitation/spectrum.hpp"
#include "tumble/model/settle_nodes.hpp"
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
  std::unordered_map<std::string, int> composites;
  for (std::size_t i = 0; i < model_.bodies.size(); ++i)
    if (follows_parts(model_.bodies[i]) || model_.bodies[i].modal)
      composites.emplace(model_.bodies[i].name, i);
  visit_numbers(model_, [&](const std::string& path, std::string_view, Range, double& number) {
    numbers_.push_back(&number);
    composite_.push_back(-1);
    if (composites.empty() || !path.starts_with("bodies.")) return;
    const auto body = composites.find(path.substr(7, path.find('.', 7) - 7));
    if (body != composites.end()) composite_.back() = body->second;
  });
  germs_.resize(nominal.drives.size());
  for (const ExcitationPart& part : excitation_parts(nominal))
    germs_[static_cast<std::size_t>(part.drive)] = part.count;
}

void Realization::settle(int index) {
  Body& body = model_.bodies[static_cast<std::size_t>(index)];
  if (follows_parts(body)) settle_parts(body);
  if (body.modal) settle_nodes(model_);
}

std::size_t Realization::germs() const {
  return std::accumulate(germs_.begin(), germs_.end(), std::size_t{0});
}

void Realization::excite(std::span<const double> germs) {
  if (!germs.empty() && germs.size() != this->germs())
    throw std::invalid_argument(
        fmt::format("the random drives have {} germs, not {}", this->germs(), germs.size()));
  for (std::size_t i = 0; i < germs_.size(); ++i) {
    if (germs_[i] == 0) continue;
    std::vector<double>& own = *germs_of(model_.drives[i].kind);
    if (germs.empty()) {
      own.clear();
      continue;
    }
    own.assign(germs.begin(), germs.begin() + static_cast<std::ptrdiff_t>(germs_[i]));
    germs = germs.subspan(germs_[i]);
  }
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
