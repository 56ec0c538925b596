#include "tumble/fmu/variable_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <variant>

#include "tumble/fmu/unit_exponents.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble {
namespace {

using Causality = FmuVariable::Causality;

const std::vector<std::string_view>& components(int size) {
  static const std::vector<std::string_view> none{""}, axes{"x", "y", "z"},
      quaternion{"w", "x", "y", "z"}, tensor{"xx", "yy", "zz", "xy", "xz", "yz"};
  return size == 1 ? none : size == 3 ? axes : size == 4 ? quaternion : tensor;
}

/// Units of what a drive drives: collected over forces and joints, through sums.
class DrivenUnits {
 public:
  explicit DrivenUnits(const Model& model) : model_(model) {}

  /// The one unit of everything that the drive drives; empty if it is a factor of something, or
  /// drives things of several units.
  std::string of(const std::string& drive) {
    units_.clear();
    follow(drive, 0);
    return units_.size() == 1 ? *units_.begin() : "";
  }

 private:
  void follow(const std::string& drive, int depth) {
    if (depth > 100) return;  // cycles are mistakes that are found elsewhere
    for (const Force& force : model_.forces)
      std::visit(
          [&]<class Kind>(const Kind& kind) {
            if constexpr (requires { kind.actuator; }) {
              if (kind.actuator && kind.actuator->name == drive)
                units_.insert(std::is_same_v<Kind, Spring> ? "N" : "N m");
            } else if constexpr (requires { kind.drive; }) {
              if (kind.drive && kind.drive->name == drive) units_.insert("");
            }
          },
          force.kind);
    for (const Joint& joint : model_.joints)
      std::visit(
          [&]<class Kind>(const Kind& kind) {
            if constexpr (std::is_same_v<Kind, DistanceJoint>) {
              if (kind.motion && kind.motion->name == drive) units_.insert("m");
            } else if constexpr (requires { kind.motion.drive; }) {
              for (std::size_t i = 0; i < 6; ++i)
                if (kind.motion.drive[i] == drive) units_.insert(i < 3 ? "m" : "rad");
            }
          },
          joint.kind);
    for (const Drive& other : model_.drives) {
      const auto has = [&](const std::vector<DriveRef>& of) {
        return std::ranges::find(of, drive, &DriveRef::name) != of.end();
      };
      if (const auto* sum = std::get_if<SumDrive>(&other.kind); sum && has(sum->of))
        follow(other.name, depth + 1);
      if (const auto* product = std::get_if<ProductDrive>(&other.kind); product && has(product->of))
        units_.insert("");
    }
  }

  const Model& model_;
  std::set<std::string> units_;
};

/// "N/m, N m/rad" is that of six numbers, three of translations and three of rotations.
std::string unit_of(const Slot& slot) {
  std::string unit = slot.unit;
  if (const auto comma = unit.find(", "); comma != std::string::npos) {
    const bool turns =
        slot.path.ends_with("[3]") || slot.path.ends_with("[4]") || slot.path.ends_with("[5]");
    unit = turns ? unit.substr(comma + 2) : unit.substr(0, comma);
  }
  return unit_exponents(unit) ? unit : "";
}

void add_inputs(const Model& model, const ParameterTable& slots, std::vector<FmuVariable>& list) {
  const Realization nominal(model);
  for (std::size_t i = 0; i < model.drives.size(); ++i) {
    const Drive& drive = model.drives[i];
    const auto* input = std::get_if<InputDrive>(&drive.kind);
    if (input == nullptr) continue;
    if (drive.name == "time") {
      Diagnostic d;
      d.where = locate(model, "drives.time");
      d.element = "drive 'time'";
      d.expectation = "an input of an FMU must have another name: time is the independent variable";
      throw InputError({d});
    }
    FmuVariable v;
    v.name = structured_name(drive.name);
    v.unit = DrivenUnits(model).of(drive.name);
    v.description =
        input->frequency
            ? fmt::format("followed by a filter of second order of {} Hz, damping {}",
                          format_number(*input->frequency), format_number(input->damping_ratio()))
            : "held from one communication point to the next";
    v.causality = Causality::input;
    v.slot = slots.find("drives." + drive.name + ".start");
    v.drive = static_cast<int>(i);
    v.start = nominal.get(v.slot);
    list.push_back(std::move(v));
  }
}

void add_outputs(const Model& model, std::vector<FmuVariable>& list) {
  int number = 0;
  for (const Probe& probe : model.probes)
    for (const Quantity quantity : probe.quantities) {
      const QuantityInfo& what = info(quantity);
      for (const std::string_view component : components(what.size)) {
        FmuVariable v;
        v.name = fmt::format("{}.{}{}{}", structured_name(probe.name), what.name,
                             component.empty() ? "" : ".", component);
        v.unit = what.unit == "1" ? "" : std::string(what.unit);
        v.description = std::string(what.doc);
        v.causality = Causality::output;
        v.number = number++;
        list.push_back(std::move(v));
      }
    }
}

}  // namespace

std::string structured_name(const std::string& path) {
  std::string name, indices = path;
  for (auto at = indices.find("]["); at != std::string::npos; at = indices.find("]["))
    indices.replace(at, 2, ",");
  std::string_view rest = indices;
  while (true) {
    const auto dot = rest.find('.');
    const std::string_view part = rest.substr(0, dot);
    const std::string_view word = part.substr(0, part.find('['));
    const bool plain = std::ranges::none_of(word, [](char c) { return c == '-'; });
    name += plain ? std::string(part) : fmt::format("'{}'{}", word, part.substr(word.size()));
    if (dot == std::string_view::npos) return name;
    name += '.';
    rest.remove_prefix(dot + 1);
  }
}

std::vector<FmuVariable> fmu_variables(const Model& model) {
  const ParameterTable slots(model);
  const Realization nominal(model);
  std::vector<FmuVariable> list;
  list.push_back({"time", "s", "simulated time", Causality::independent});
  add_inputs(model, slots, list);
  std::set<int> starts;
  for (const FmuVariable& input : list) starts.insert(input.slot);
  add_outputs(model, list);
  for (std::size_t i = 0; i < slots.slots().size(); ++i) {
    if (starts.contains(static_cast<int>(i))) continue;  // what an input begins with is the input
    FmuVariable v;
    v.name = structured_name(slots.slots()[i].path);
    v.unit = unit_of(slots.slots()[i]);
    v.causality = Causality::parameter;
    v.slot = static_cast<int>(i);
    v.start = nominal.get(v.slot);
    list.push_back(std::move(v));
  }
  return list;
}

}  // namespace tumble
