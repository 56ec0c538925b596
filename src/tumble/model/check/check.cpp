// Mistakes any model can have: numbers out of range, bad names. The rest is in check_*.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tumble/model/check/check_context.hpp"
#include "tumble/model/node_frames.hpp"
#include "tumble/model/visit_numbers.hpp"

namespace tumble {
namespace {

/// Reports a number out of range. A path below `markers` belongs to the marker, one below `parts`
/// to the part.
void check_number(CheckContext& context, const ElementName& element, const std::string& path,
                  std::string_view unit, Range range, double value) {
  const auto expected = range_fault(range, value, unit);
  if (expected.empty()) return;
  ElementName owner = element;
  std::string field = path.substr(element.path.size() + 1);
  for (const std::string_view list : {"markers", "parts"}) {
    if (!field.starts_with(list) || field.size() <= list.size() || field[list.size()] != '.')
      continue;
    const std::size_t first = list.size() + 1, end = field.find('.', first);
    const std::string name = field.substr(first, end - first);
    const auto start = element.path.find('.');
    const std::string body =
        start == std::string::npos ? element.path : element.path.substr(start + 1);
    owner = {fmt::format("{}.{}.{}", element.path, list, name),
             fmt::format("{} '{}.{}'", list.substr(0, list.size() - 1), body, name)};
    field = field.substr(end + 1);
    break;
  }
  context.report(owner, field, format_number(value), unit, std::string(expected));
}

template <class T>
void check_fields(CheckContext& context, const ElementName& element, const T& value) {
  const auto visit = [&](const std::string& path, std::string_view unit, Range range,
                         const double& number) {
    check_number(context, element, path, unit, range, number);
  };
  NumberVisitor visitor(element.path, visit);
  T::entries(value, visitor);
}

bool valid_name(const std::string& name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '-';
  });
}

/// Frames on nodes and what holds them have the names of their nodes.
bool is_on_node(const Body& body) { return body.at_node; }
bool is_on_node(const Joint& joint) { return holds_frame(joint); }
template <class Element>
bool is_on_node(const Element&) {
  return false;
}

void check_markers(CheckContext& context, const std::string& path, const std::string& owner,
                   const std::vector<Marker>& markers) {
  std::set<std::string> seen;
  for (const auto& marker : markers) {
    const ElementName element{path + ".markers." + marker.name,
                              fmt::format("marker '{}.{}'", owner, marker.name)};
    check_name(context, element, marker.name, seen);
    check_orientation(context, element, marker.orientation);
  }
}

}  // namespace

void check_name(CheckContext& context, const ElementName& element, const std::string& name,
                std::set<std::string>& seen) {
  if (!valid_name(name))
    context.report(element, "", "", "",
                   "the name must consist of letters, digits, '_' and '-' and begin with a letter");
  else if (name == "ground")
    context.report(element, "", "", "", "the name 'ground' is reserved");
  else if (!seen.insert(name).second)
    context.report(element, "", "", "", "the name is given twice");
}

void check_numbers(CheckContext& context) {
  const Model& model = context.model;
  for (int i = 0; i < 3; ++i)
    if (const auto fault = range_fault(Range::any, model.gravity[i], "m/s^2"); !fault.empty())
      context.report({}, fmt::format("gravity[{}]", i), format_number(model.gravity[i]), "m/s^2",
                     std::string(fault));
  const ElementName ground{"ground", ""};
  for (const auto& marker : model.ground_markers)
    check_fields(context,
                 {"ground.markers." + marker.name, fmt::format("marker 'ground.{}'", marker.name)},
                 marker);
  for (const auto& body : model.bodies) check_fields(context, name_of(body), body);
  for (const auto& beam : model.beams) check_fields(context, name_of(beam), beam);
  const auto kinds = [&](const auto& elements) {
    for (const auto& element : elements)
      std::visit([&](const auto& kind) { check_fields(context, name_of(element), kind); },
                 element.kind);
  };
  kinds(model.joints);
  kinds(model.couplers);
  kinds(model.forces);
  kinds(model.drives);
  for (const auto& state : model.states) check_fields(context, name_of(state), state);
  for (const auto& event : model.events) check_fields(context, name_of(event), event);
  for (const auto& probe : model.probes) check_fields(context, name_of(probe), probe);
  check_fields(context, {"simulation", "simulation"}, model.simulation);
  // Squares of the diagonal come first.
  for (const auto& matrix : model.matrices)
    for (std::size_t i = 0; i < matrix.germ.size(); ++i)
      check_number(context, {"matrices." + matrix.name, fmt::format("matrix '{}'", matrix.name)},
                   fmt::format("matrices.{}.germ[{}]", matrix.name, i), "",
                   i < matrix.rows.size() ? Range::positive : Range::any, matrix.germ[i]);
}

void check_names(CheckContext& context) {
  const Model& model = context.model;
  const auto names = [&](const auto& elements) {
    std::set<std::string> seen;
    for (const auto& element : elements)
      if (!is_on_node(element)) check_name(context, name_of(element), element.name, seen);
  };
  names(model.bodies);
  names(model.beams);
  for (const auto& beam : model.beams)
    if (context.bodies.contains(beam.name))
      context.report(name_of(beam), "", "", "", "a body has the same name");
  names(model.joints);
  names(model.couplers);
  names(model.forces);
  names(model.drives);
  names(model.states);
  names(model.events);
  names(model.probes);
  check_markers(context, "ground", "ground", model.ground_markers);
  for (const auto& body : model.bodies) {
    check_markers(context, "bodies." + body.name, body.name, body.markers);
    std::set<std::string> parts;
    for (const Part& part : body.parts) check_name(context, name_of(body, part), part.name, parts);
  }
}

std::vector<Diagnostic> check(const Model& model) {
  CheckContext context(model);
  check_names(context);
  check_numbers(context);
  check_bodies(context);
  check_modal_bodies(context);
  check_beams(context);
  check_joints(context);
  check_couplers(context);
  check_forces(context);
  check_drives(context);
  check_states(context);
  check_events(context);
  check_user_elements(context);
  check_probes(context);
  check_point_masses(context);
  check_simulation(context);
  return std::move(context.found);
}

SourceLocation locate(const Model& model, const std::string& path) {
  std::string prefix = path;
  for (;;) {
    const auto found = model.locations.find(prefix);
    if (found != model.locations.end()) return found->second;
    const auto end = prefix.find_last_of(".[");
    if (end == std::string::npos) break;
    prefix.resize(end);
  }
  const auto whole = model.locations.find("");
  return whole == model.locations.end() ? SourceLocation{} : whole->second;
}

}  // namespace tumble
