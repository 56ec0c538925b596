// Drives: increasing times, no drive that depends on itself.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <unordered_set>

#include "tumble/model/check/check_context.hpp"
#include "tumble/model/compile/integral_drive.hpp"
#include "tumble/model/excitation/process.hpp"
#include "tumble/model/excitation/spectrum.hpp"

namespace tumble {
namespace {

void increasing(CheckContext& context, const ElementName& element, const std::string& field,
                const std::vector<double>& x, std::string_view unit) {
  for (std::size_t i = 1; i < x.size(); ++i)
    if (x[i] <= x[i - 1]) {
      context.report(
          element, fmt::format("{}[{}]", field, i), format_number(x[i]), unit,
          fmt::format("must be greater than the one before, {}", format_number(x[i - 1])));
      return;
    }
}

std::span<const DriveRef> parts_of(const Drive& drive) {
  if (const auto* sum = std::get_if<SumDrive>(&drive.kind)) return sum->of;
  if (const auto* product = std::get_if<ProductDrive>(&drive.kind)) return product->of;
  if (const auto* integral = std::get_if<IntegralDrive>(&drive.kind)) return {&integral->of, 1};
  return {};
}

/// Values that do not differ are no jump.
bool jumps(const DriveKind& kind) {
  const std::vector<double>* values = nullptr;
  if (const auto* steps = std::get_if<PiecewiseConstantDrive>(&kind)) values = &steps->values;
  if (const auto* table = std::get_if<TableDrive>(&kind);
      table != nullptr && table->interpolation == Interpolation::hold)
    values = &table->table.y;
  return values != nullptr &&
         std::ranges::adjacent_find(*values, std::ranges::not_equal_to{}) != values->end();
}

class DriveCheck {
 public:
  DriveCheck(CheckContext& context, ElementName element)
      : context_(context), element_(std::move(element)) {}

  void operator()(const ConstantDrive&) {}
  void operator()(const HarmonicDrive&) {}
  void operator()(const PiecewiseLinearDrive& drive) { points(drive); }
  void operator()(const PiecewiseConstantDrive& drive) { points(drive); }
  void operator()(const TableDrive& drive) {
    check_table(context_, element_, "table", drive.table);
  }
  void operator()(const PolynomialDrive& drive) {
    if (drive.coefficients.empty())
      context_.report(element_, "coefficients", "", "", "must have a coefficient");
  }
  void operator()(const SmoothStepDrive& drive) {
    if (drive.end <= drive.start)
      context_.report(element_, "end", format_number(drive.end), "s",
                      fmt::format("must be later than start, {} s", format_number(drive.start)));
  }
  void operator()(const WhiteNoiseDrive& drive) {
    if (drive.corner && drive.resonance)
      context_.report(element_, "corner", format_number(*drive.corner), "Hz",
                      "must be left out: the filter is of second order, by resonance and damping");
    if (drive.resonance && !drive.damping)
      context_.report(element_, "damping", "", "", "required but missing: of the resonance");
    if (drive.damping && !drive.resonance)
      context_.report(element_, "resonance", "", "Hz", "required but missing: what is damped");
    resolved("bandwidth", drive.bandwidth, drive.bandwidth, "Hz");
  }
  void operator()(const SpectrumDrive& drive) {
    const std::size_t before = context_.found.size();
    check_table(context_, element_, "table", drive.table);
    const auto positive = [&](const char* column, const std::vector<double>& values,
                              std::string_view unit, const char* what) {
      for (std::size_t i = 0; i < values.size(); ++i)
        if (!(values[i] >= 0)) {
          context_.report(element_, fmt::format("table.{}[{}]", column, i),
                          format_number(values[i]), unit,
                          fmt::format("must be at least 0: a {}", what));
          return;
        }
    };
    positive("x", drive.table.x, "Hz", "frequency");
    positive("y", drive.table.y, "", "spectral density");
    if (context_.found.size() == before && !drive.table.x.empty())
      resolved("table", drive.table.x.back(), drive.table.x.back(), "Hz");
  }
  void operator()(const RoadDrive& drive) {
    if (drive.road_class && drive.roughness)
      context_.report(element_, "roughness", format_number(*drive.roughness), "m^3",
                      "must be left out: the class says it");
    if (!drive.road_class && !drive.roughness)
      context_.report(element_, "class", "", "", "required but missing: a class or a roughness");
    if (drive.from > 0 && !(drive.to > drive.from))
      context_.report(element_, "to", format_number(drive.to), "1/m",
                      fmt::format("must be greater than from, {} 1/m", format_number(drive.from)));
    resolved("to", drive.to, drive.to * drive.speed, "1/m");
  }
  void operator()(const DelayedDrive& drive) {
    const auto found = context_.drives.find(drive.of.name);
    if (found == context_.drives.end()) return context_.drive_exists(element_, "of", drive.of.name);
    if (!is_random(found->second->kind))
      return context_.report(element_, "of", fmt::format("'{}'", drive.of.name), "",
                             "must be a drive of type road, white_noise or spectrum");
    if (drive.delay && drive.distance)
      context_.report(element_, "distance", format_number(*drive.distance), "m",
                      "must be left out: the delay is given");
    if (!drive.delay && !drive.distance)
      context_.report(element_, "delay", "", "s", "required but missing: a delay or a distance");
    if (drive.distance && !std::holds_alternative<RoadDrive>(found->second->kind))
      context_.report(element_, "distance", format_number(*drive.distance), "m",
                      "must be a delay: only a road has a speed");
  }
  void operator()(const InputDrive& drive) {
    if (drive.damping && !drive.frequency)
      context_.report(element_, "frequency", "", "Hz", "required but missing: what is damped");
  }
  void operator()(const IntegralDrive& drive) {
    context_.drive_exists(element_, "of", drive.of.name);
  }
  void operator()(const ExpressionDrive& drive) {
    check_expression_drive(context_, element_, drive);
  }
  void operator()(const SumDrive& drive) { parts(drive.of); }
  void operator()(const ProductDrive& drive) { parts(drive.of); }

 private:
  /// The highest frequency [Hz] of a random drive, which its field `value` brings about: steps and
  /// the sum of its waves must reach it.
  void resolved(const char* field, double value, double highest, std::string_view unit) {
    const Simulation& simulation = context_.model.simulation;
    if (simulation.duration == 0)
      return context_.report(
          element_, "", "", "",
          "is a random function of time, and the duration is 0: must be left out");
    if (!(highest > 0) || !simulation.has_motion()) return;
    if (simulation.step && highest * *simulation.step > 0.5)
      context_.report(
          element_, field, format_number(value), unit,
          fmt::format("reaches {} Hz, beyond what steps of {} s resolve: must stay below {} Hz, "
                      "two steps a period, or the step be at most {} s",
                      format_number(highest), format_number(*simulation.step),
                      format_number(0.5 / *simulation.step), format_number(0.5 / highest)));
    const double waves = 2 * highest * simulation.duration;
    if (waves > most_frequencies)
      context_.report(element_, field, format_number(value), unit,
                      fmt::format("reaches {} Hz, which in a run of {} s takes {:.3g} waves: must "
                                  "be at most {:.0f}",
                                  format_number(highest), format_number(simulation.duration), waves,
                                  most_frequencies));
  }

  template <class Points>
  void points(const Points& drive) {
    if (drive.times.empty()) {
      context_.report(element_, "times", "", "s", "must have a time");
      return;
    }
    increasing(context_, element_, "times", drive.times, "s");
    if (drive.values.size() != drive.times.size())
      context_.report(element_, "values", "", "",
                      fmt::format("must have one value for each of the {} times, found {}",
                                  drive.times.size(), drive.values.size()));
  }

  void parts(const std::vector<DriveRef>& of) {
    if (of.empty()) context_.report(element_, "of", "", "", "must name at least one drive");
    for (std::size_t i = 0; i < of.size(); ++i)
      context_.drive_exists(element_, fmt::format("of[{}]", i), of[i].name);
  }

  CheckContext& context_;
  ElementName element_;
};

/// Depth-first search with its own stack: a chain of drives may be long.
void check_cycles(CheckContext& context) {
  struct Visit {
    const Drive* drive;
    std::size_t next = 0;
  };
  std::unordered_set<const Drive*> done, open;
  for (const auto& start : context.model.drives) {
    if (done.contains(&start)) continue;
    std::vector<Visit> path{{&start}};
    open.insert(&start);
    while (!path.empty()) {
      Visit& top = path.back();
      const auto parts = parts_of(*top.drive);
      if (top.next >= parts.size()) {
        open.erase(top.drive);
        done.insert(top.drive);
        path.pop_back();
        continue;
      }
      const auto found = context.drives.find(parts[top.next++].name);
      if (found == context.drives.end() || done.contains(found->second)) continue;
      if (open.contains(found->second)) {
        std::string cycle;
        bool inside = false;
        int shown = 0;
        for (const auto& visit : path) {
          inside = inside || visit.drive == found->second;
          if (inside && ++shown <= 10) cycle += visit.drive->name + " -> ";
        }
        context.report(name_of(*found->second), "of", "", "",
                       fmt::format("must not depend on itself: {}{}", cycle, found->first));
        continue;
      }
      open.insert(found->second);
      path.push_back({found->second});
    }
  }
}

/// What drives a joint, by itself or as part of a sum or product; of an integral, which is
/// continuous whatever it is of, nothing.
void find_parts(const CheckContext& context, const std::string& name,
                std::unordered_set<const Drive*>& found) {
  std::vector<std::string> open{name};
  while (!open.empty()) {
    const auto drive = context.drives.find(open.back());
    open.pop_back();
    if (drive == context.drives.end() || !found.insert(drive->second).second) continue;
    if (std::holds_alternative<IntegralDrive>(drive->second->kind)) continue;
    for (const DriveRef& part : parts_of(*drive->second)) open.push_back(part.name);
  }
}

/// An input jumps from one communication point to the next; where a joint is cannot.
void check_moving_inputs(CheckContext& context) {
  std::unordered_set<const Drive*> reported;
  for (const Joint& joint : context.model.joints) {
    std::unordered_set<const Drive*> moving;
    std::visit(
        [&]<class Kind>(const Kind& kind) {
          if constexpr (std::is_same_v<Kind, DistanceJoint>) {
            if (kind.motion) find_parts(context, kind.motion->name, moving);
          } else if constexpr (requires { kind.motion.drive; }) {
            for (const std::string& drive : kind.motion.drive)
              if (!drive.empty()) find_parts(context, drive, moving);
          }
        },
        joint.kind);
    for (const Drive& drive : context.model.drives) {
      const auto* input = std::get_if<InputDrive>(&drive.kind);
      if (input == nullptr || input->frequency || !moving.contains(&drive)) continue;
      if (reported.insert(&drive).second)
        context.report(name_of(drive), "frequency", "", "Hz",
                       fmt::format("required but missing: joint '{}' is moved by this input, and a "
                                   "motion cannot jump; behind a filter of second order it does "
                                   "not",
                                   joint.name));
    }
  }
}

}  // namespace

void check_table(CheckContext& context, const ElementName& element, const std::string& field,
                 const Table& table) {
  if (table.x.size() != table.y.size())
    context.report(
        element, field, "", "",
        fmt::format("must have as many y as x, found {} and {}", table.y.size(), table.x.size()));
  else if (table.x.size() < 2)
    context.report(element, field, "", "",
                   fmt::format("must have at least 2 rows, found {}", table.x.size()));
  increasing(context, element, field + ".x", table.x, "");
}

/// Once references and cycles are known to be in order: what has an integral.
void check_integrals(CheckContext& context) {
  const auto& drives = context.model.drives;
  for (std::size_t i = 0; i < drives.size(); ++i) {
    const auto* integral = std::get_if<IntegralDrive>(&drives[i].kind);
    if (integral == nullptr) continue;
    if (count_integral_terms(drives, static_cast<int>(i)) > most_integral_terms) {
      context.report(name_of(drives[i]), "of", "'" + integral->of.name + "'", "",
                     fmt::format("must be made of at most {:.0f} drives", most_integral_terms));
      continue;
    }
    const int without = drive_without_integral(drives, static_cast<int>(i));
    if (without < 0) continue;
    const Drive& drive = drives[static_cast<std::size_t>(without)];
    const auto type = std::visit([](const auto& kind) { return kind.type; }, drive.kind);
    context.report(name_of(drives[i]), "of", "'" + integral->of.name + "'", "",
                   fmt::format("drive '{}' is of type {}, which has no integral in closed form",
                               drive.name, type));
  }
}

void check_imposed(CheckContext& context, const ElementName& element, const std::string& field,
                   const std::string& drive) {
  context.drive_exists(element, field, drive);
  std::unordered_set<const Drive*> parts;
  find_parts(context, drive, parts);
  for (const Drive& part : context.model.drives) {
    if (!parts.contains(&part) || !jumps(part.kind)) continue;
    context.report(element, field, fmt::format("'{}'", drive), "",
                   part.name == drive
                       ? "must not jump, as no body can: impose another drive"
                       : fmt::format("must not jump, as no body can, but '{}' does", part.name));
    return;
  }
}

void check_drives(CheckContext& context) {
  const std::size_t before = context.found.size();
  for (const auto& drive : context.model.drives)
    std::visit(DriveCheck(context, name_of(drive)), drive.kind);
  check_cycles(context);
  check_moving_inputs(context);
  if (context.found.size() == before) check_integrals(context);
}

}  // namespace tumble
