// Couplers: coordinates that exist, coefficients that couple.
#include <fmt/format.h>

#include <algorithm>

#include "tumble/model/check/check_context.hpp"
#include "tumble/model/compile/compiling.hpp"

namespace tumble {
namespace {

void check_list(CheckContext& context, const ElementName& element, const LinearCoupler& coupler) {
  if (coupler.joints.size() < 2 || coupler.joints.size() > 3)
    context.report(element, "joints", "", "",
                   fmt::format("must name two or three joints, found {}", coupler.joints.size()));
  if (coupler.coefficients.size() != coupler.joints.size())
    context.report(element, "coefficients", "", "",
                   fmt::format("must have one for each of the {} joints, found {}",
                               coupler.joints.size(), coupler.coefficients.size()));
}
template <class Kind>
void check_list(CheckContext&, const ElementName&, const Kind&) {}

/// Which field has the coefficient of a term, and the number in it.
struct Factor {
  std::string field;
  double value;
};
Factor factor(const GearCoupler& c, std::size_t) { return {"ratio", c.ratio}; }
Factor factor(const RackCoupler& c, std::size_t) { return {"radius", c.radius}; }
Factor factor(const ScrewCoupler& c, std::size_t) { return {"lead", c.lead}; }
Factor factor(const BeltCoupler& c, std::size_t i) {
  return {fmt::format("radii[{}]", i), c.radii[i]};
}
Factor factor(const LinearCoupler& c, std::size_t i) {
  return {fmt::format("coefficients[{}]", i), c.coefficients[i]};
}

std::string field_of(const CouplerKind& kind, std::size_t i) {
  return std::holds_alternative<ScrewCoupler>(kind) ? "joint" : fmt::format("joints[{}]", i);
}

void check_coupler(CheckContext& context, const Coupler& coupler) {
  const ElementName element = name_of(coupler);
  const std::size_t before = context.found.size();
  std::visit([&](const auto& kind) { check_list(context, element, kind); }, coupler.kind);
  const auto terms = terms_of(coupler.kind);
  std::vector<compiling::CoordinatePlace> places;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::string field = field_of(coupler.kind, i);
    const bool reported = i > 0 && context.found.size() > before && field == "joint";
    if (reported ||
        !check_coordinate(context, element, field, terms[i].coordinate, terms[i].wanted))
      continue;
    places.push_back(
        compiling::find_coordinate(context.model, terms[i].coordinate, terms[i].wanted));
    const auto same = [&](const auto& other) {
      return other.joint == places.back().joint && other.motion == places.back().motion;
    };
    if (std::any_of(places.begin(), places.end() - 1, same))
      context.report(element, field, "'" + terms[i].coordinate.name + "'", "", "given twice");
  }
  if (context.found.size() > before) return;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].coefficient != 0) continue;
    const Factor f = std::visit([i](const auto& kind) { return factor(kind, i); }, coupler.kind);
    if (f.value == 0)
      context.report(element, f.field, "0", "", "must not be 0, which couples nothing");
  }
  const bool all_driven = std::ranges::all_of(places, [&](const auto& place) {
    const auto layout =
        compiling::joint_layout(context.model, static_cast<std::size_t>(place.joint));
    return !layout->motion.drive[static_cast<std::size_t>(place.motion)].empty();
  });
  if (all_driven)
    context.report(element, "", "", "",
                   "drives impose all its coordinates, which leaves it none to move");
}

}  // namespace

bool check_coordinate(CheckContext& context, const ElementName& element, const std::string& field,
                      const CoordinateRef& reference, CoordinateKind wanted) {
  const std::string name = reference.name.substr(0, reference.name.find('.'));
  if (!context.joints.contains(name)) {
    context.report(element, field, "'" + reference.name + "'", "", "no joint has this name",
                   context.suggest(name, context.model.joints));
    return false;
  }
  const auto place = compiling::find_coordinate(context.model, reference, wanted);
  if (place.joint >= 0) return true;
  context.report(element, field, "'" + reference.name + "'", "", place.mistake);
  return false;
}

void check_couplers(CheckContext& context) {
  for (const auto& coupler : context.model.couplers) check_coupler(context, coupler);
}

}  // namespace tumble
