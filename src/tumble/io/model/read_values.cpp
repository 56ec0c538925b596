// Numbers, lists, names and words. Rotations, shapes and tables: read_forms.cpp.
#include "tumble/io/model/read_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/io/model/entry_reader.hpp"
#include "tumble/io/text/number_with_unit.hpp"

namespace tumble {
namespace {

bool read_number(ReadContext& context, const Place& place, const Node& node, double& value) {
  if (!node.is_scalar()) {
    context.wrong_kind(node, place, "a number");
    return false;
  }
  if (const auto plain = parse_number(node.text)) {
    value = *plain;
    return true;
  }
  const auto result = evaluate(node.text, context.scope);
  if (result.value) {
    value = *result.value;
    return true;
  }
  context.mark_faulty(place.element, place.field);
  if (!result.error.empty()) {
    const std::string advice = advice_for_unit(node.text, place.unit);
    context.error(node, place, fmt::format("'{}'", printable(node.text)),
                  "must be a number: " + (advice.empty() ? result.error : advice),
                  advice.empty() ? result.suggestion : "");
  }
  return false;
}

/// A whole number from `least` to `most`, which doubles must know exactly.
template <class Integer>
void read_whole(ReadContext& context, const Place& place, const Node& node, Integer least,
                Integer most, Integer& value) {
  double x = 0;
  if (!read_number(context, place, node, x)) return;
  // As written: the nearest double of a long number would look like another one.
  const std::string shown = parse_number(node.text) ? printable(node.text) : format_number(x);
  if (x != std::floor(x))
    context.error(node, place, shown, "must be a whole number");
  else if (x < static_cast<double>(least) || x > static_cast<double>(most))
    context.error(node, place, shown,
                  fmt::format("must be a whole number between {} and {}", least, most));
  else
    value = static_cast<Integer>(x);
}

/// Reads a list of exactly `size` numbers (any number of them if 0) one by one into sink(i, x).
template <class Sink>
bool read_numbers(ReadContext& context, const Place& place, const Node& node, std::size_t size,
                  const Sink& sink) {
  const std::string expected =
      size == 0 ? "a list of numbers" : fmt::format("a list of {} numbers", size);
  if (!node.is_sequence()) {
    context.wrong_kind(node, place, expected);
    return false;
  }
  if (size != 0 && node.items.size() != size) {
    context.error(node, place, {},
                  fmt::format("must be {}, found {}", expected, node.items.size()));
    return false;
  }
  bool good = true;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    double x = 0;
    const Place item = place.item(i);
    context.record_item(item.path, node.items[i], node);
    if (read_number(context, item, node.items[i], x))
      sink(i, x);
    else
      good = false;
  }
  return good;
}

/// Reads n rows of n numbers into sink(row, column, x).
template <class Sink>
bool read_matrix(ReadContext& context, const Place& place, const Node& node, std::size_t n,
                 const Sink& sink) {
  bool good = node.items.size() == n;
  for (const auto& row : node.items) good = good && row.is_sequence() && row.items.size() == n;
  if (!good) {
    context.error(node, place, {}, fmt::format("must be {} rows of {} numbers", n, n));
    return false;
  }
  for (std::size_t i = 0; i < n; ++i)
    good = read_numbers(context, place.item(i), node.items[i], n,
                        [&](std::size_t j, double x) { sink(i, j, x); }) &&
           good;
  return good;
}

/// Reads a list of anything an entry can be.
template <class T>
void read_items(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
                std::string_view expected, std::vector<T>& value) {
  if (!node.is_sequence()) {
    context.wrong_kind(node, place, expected);
    return;
  }
  value.resize(node.items.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    context.record_item(place.item(i).path, node.items[i], node);
    read(context, place.item(i), entry, node.items[i], value[i]);
  }
}

template <class Enum, std::size_t n>
void read_enum(ReadContext& context, const Place& place, const Node& node,
               const std::array<std::string_view, n>& names, Enum& value) {
  const int i = read_choice(context, place, node, {names.begin(), names.end()});
  if (i >= 0) value = static_cast<Enum>(i);
}

bool is_nested(const Node& node) {
  return node.is_sequence() && !node.items.empty() && node.items[0].is_sequence();
}

/// A word that is a legal name, or with `dotted` two of them joined by a dot.
void read_name(ReadContext& context, const Place& place, const Node& node,
               std::string_view expected, bool dotted, std::string& value) {
  if (!node.is_scalar()) {
    context.wrong_kind(node, place, expected);
    return;
  }
  const std::string_view text = node.text;
  const auto dot = text.find('.');
  const bool good = dot == text.npos || !dotted
                        ? valid_name(text)
                        : valid_name(text.substr(0, dot)) && valid_name(text.substr(dot + 1));
  if (good)
    value = node.text;
  else
    context.wrong_kind(node, place, expected);
}

}  // namespace

bool is_matrix_entry(const Entry& entry) { return entry.unit.find(',') != entry.unit.npos; }

void read(ReadContext& context, const Place& place, const Entry&, const Node& node, double& value) {
  read_number(context, place, node, value);
}

void read(ReadContext& context, const Place& place, const Entry&, const Node& node, int& value) {
  read_whole(context, place, node, -1'000'000'000, 1'000'000'000, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          std::int64_t& value) {
  read_whole(context, place, node, std::int64_t{0}, largest_seed, value);
}

void read(ReadContext& context, const Place& place, const Entry&, const Node& node, bool& value) {
  if (node.is_scalar() && (node.text == "true" || node.text == "false"))
    value = node.text == "true";
  else
    context.wrong_kind(node, place, "true or false");
}

void read(ReadContext& context, const Place& place, const Entry&, const Node& node, Vec3d& value) {
  read_numbers(context, place, node, 3,
               [&](std::size_t i, double x) { value[static_cast<int>(i)] = x; });
}
void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          StartVelocity& value) {
  value.written = true;
  read(context, place, entry, node, static_cast<Vec3d&>(value));
}

void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          std::array<double, 6>& value) {
  value.fill(0);
  if (entry.name == "inertia")
    read_symmetric_matrix(context, place, node, "principal", value);
  else
    read_numbers(context, place, node, 6, [&](std::size_t i, double x) { value[i] = x; });
}

void read_symmetric_matrix(ReadContext& context, const Place& place, const Node& node,
                           std::string_view three, std::array<double, 6>& value) {
  value.fill(0);
  if (is_nested(node)) {
    std::array<double, 9> m{};
    const auto sink = [&](std::size_t i, std::size_t j, double x) { m[3 * i + j] = x; };
    if (!read_matrix(context, place, node, 3, sink)) return;
    const double scale = std::abs(m[0]) + std::abs(m[4]) + std::abs(m[8]);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (std::abs(m[3 * i + j] - m[3 * j + i]) > 1e-12 * scale)
          context.error(
              node, place, {},
              fmt::format("must be symmetric, but [{}][{}] = {} and [{}][{}] = {}", j, i,
                          format_number(m[3 * j + i]), i, j, format_number(m[3 * i + j])));
    value = {m[0], m[4], m[8], m[1], m[2], m[5]};
  } else if (node.is_sequence() && (node.items.size() == 3 || node.items.size() == 6)) {
    read_numbers(context, place, node, 0, [&](std::size_t i, double x) { value[i] = x; });
  } else if (node.is_sequence()) {
    context.error(node, place, {},
                  fmt::format("must be 3 {} values, 6 values (xx, yy, zz, xy, xz, yz) or 3 "
                              "rows of 3, found {}",
                              three, node.items.size()));
  } else {
    context.wrong_kind(node, place, "a list of 3 or 6 numbers or 3 rows of 3");
  }
}

void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          std::vector<double>& value) {
  value.clear();
  if (is_matrix_entry(entry) && is_nested(node)) {
    value.resize(36);
    read_matrix(context, place, node, 6,
                [&](std::size_t i, std::size_t j, double x) { value[6 * i + j] = x; });
    return;
  }
  if (is_matrix_entry(entry) && node.is_sequence() && node.items.size() != 6 &&
      node.items.size() != 36) {
    context.error(
        node, place, {},
        fmt::format("must be 6 diagonal values or 6 rows of 6, found {}", node.items.size()));
    return;
  }
  if (takes_one_for_all(entry) && node.is_scalar()) {
    double one = 0;
    if (read_number(context, place, node, one)) value = {one};
    return;
  }
  if (node.is_sequence()) value.resize(node.items.size());
  read_numbers(context, place, node, 0, [&](std::size_t i, double x) { value[i] = x; });
}

void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          std::array<Vec3d, 2>& value) {
  if (!node.is_sequence()) {
    context.wrong_kind(node, place, "a list of two points, each of 3 numbers");
    return;
  }
  if (node.items.size() != 2) {
    context.error(node, place, {},
                  fmt::format("must be a list of two points, found {}", node.items.size()));
    return;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    context.record_item(place.item(i).path, node.items[i], node);
    read(context, place.item(i), entry, node.items[i], value[i]);
  }
}

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          BodyRef& value) {
  read_name(context, place, node, "the name of a body, or a node of a beam", true, value.name);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          BeamRef& value) {
  read_name(context, place, node, "the name of a beam", false, value.name);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          BeamDimension& value) {
  read_enum(context, place, node, beam_dimension_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          PartAxis& value) {
  read_enum(context, place, node, part_axis_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          BeamCurvature& value) {
  read_enum(context, place, node, beam_curvature_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          BeamFormulation& value) {
  read_enum(context, place, node, beam_formulation_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          SpectrumSides& value) {
  read_enum(context, place, node, spectrum_sides_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          RoadClass& value) {
  read_enum(context, place, node, road_class_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          Interpolation& value) {
  read_enum(context, place, node, interpolation_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          StartPose& value) {
  read_enum(context, place, node, start_pose_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          IntegrationMethod& value) {
  read_enum(context, place, node, integration_method_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          ArcFraction& value) {
  value.every_node = node.is_scalar() && node.text == "nodes";
  if (!value.every_node) read_number(context, place, node, value.value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          std::array<double, 2>& value) {
  read_numbers(context, place, node, 2, [&](std::size_t i, double x) { value[i] = x; });
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          JointRef& value) {
  read_name(context, place, node, "the name of a joint", false, value.name);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          ForceRef& value) {
  read_name(context, place, node, "the name of a force element", false, value.name);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          CouplerRef& value) {
  read_name(context, place, node, "the name of a coupler", false, value.name);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          CoordinateRef& value) {
  read_name(context, place, node, "the name of a joint, or joint.rz", true, value.name);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          DriveRef& value) {
  read_name(context, place, node, "the name of a drive", false, value.name);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          MarkerRef& value) {
  read_name(context, place, node, "the name of a body, body.marker, or a node of a beam", true,
            value.name);
}

namespace {

template <class Reference>
void read_two_names(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
                    std::array<Reference, 2>& value) {
  if (!node.is_sequence() || node.items.size() != 2) {
    if (node.is_sequence())
      context.error(node, place, {},
                    fmt::format("must be a list of two names, found {}", node.items.size()));
    else
      context.wrong_kind(node, place, "a list of two names");
    return;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    context.record_item(place.item(i).path, node.items[i], node);
    read(context, place.item(i), entry, node.items[i], value[i]);
  }
}

}  // namespace

void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          std::array<MarkerRef, 2>& value) {
  read_two_names(context, place, entry, node, value);
}
void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          std::array<CoordinateRef, 2>& value) {
  read_two_names(context, place, entry, node, value);
}
void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          std::vector<CoordinateRef>& value) {
  read_items(context, place, entry, node, "a list of names of joints", value);
}

void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          std::vector<DriveRef>& value) {
  read_items(context, place, entry, node, "a list of names of drives", value);
}

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          std::string& value) {
  read_text(context, place, node, value);
}

void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          std::vector<std::string>& value) {
  read_items(context, place, entry, node, "a list of names", value);
}

void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          std::vector<Vec3d>& value) {
  read_items(context, place, entry, node, "a list of points, each of 3 numbers", value);
}

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          std::array<double, 4>& value) {
  read_numbers(context, place, node, 4, [&](std::size_t i, double x) { value[i] = x; });
}

void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          std::vector<std::array<double, 4>>& value) {
  read_items(context, place, entry, node, "a list of rows, each of 4 numbers", value);
}

void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          std::vector<std::vector<double>>& value) {
  read_items(context, place, entry, node, "a list of rows of numbers", value);
}

int read_choice(ReadContext& context, const Place& place, const Node& node,
                const std::vector<std::string>& choices) {
  if (!node.is_scalar()) {
    context.wrong_kind(node, place, one_of(choices));
    return -1;
  }
  const auto found = std::find(choices.begin(), choices.end(), node.text);
  if (found != choices.end()) return static_cast<int>(found - choices.begin());
  context.error(node, place, fmt::format("'{}'", printable(node.text)),
                "must be " + one_of(choices), context.suggest(node.text, choices));
  return -1;
}

void read_text(ReadContext& context, const Place& place, const Node& node, std::string& value) {
  if (!node.is_scalar())
    context.wrong_kind(node, place, "a text");
  else if (node.text.size() > 1000)
    context.error(node, place, {}, "must have at most 1000 characters");
  else
    value = node.text;
}

void read(ReadContext& context, const Place& place, const Entry&, const Node& node, Axes& value) {
  read_enum(context, place, node, axes_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          OnChangedStart& value) {
  read_enum(context, place, node, on_changed_start_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          StudyMethod& value) {
  read_enum(context, place, node, study_method_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          QuantileMethod& value) {
  read_enum(context, place, node, quantile_method_names, value);
}

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          RegionKind& value) {
  read_enum(context, place, node, region_kind_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          RedundancyPolicy& value) {
  read_enum(context, place, node, redundancy_policy_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          QuantityKind& value) {
  read_enum(context, place, node, quantity_kind_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          CrossingDirection& value) {
  read_enum(context, place, node, crossing_direction_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          ReferenceState& value) {
  read_enum(context, place, node, reference_state_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          ModeFollowing& value) {
  read_enum(context, place, node, mode_following_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          EventDirection& value) {
  read_enum(context, place, node, event_direction_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          EventAction& value) {
  read_enum(context, place, node, event_action_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          Weighting& value) {
  read_enum(context, place, node, weighting_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          SensitivityMethod& value) {
  read_enum(context, place, node, sensitivity_method_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          SensitivityFactors& value) {
  read_enum(context, place, node, sensitivity_factors_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          ReliabilityMethod& value) {
  read_enum(context, place, node, reliability_method_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          MultilevelStatistic& value) {
  read_enum(context, place, node, multilevel_statistic_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          ChaosPoints& value) {
  read_enum(context, place, node, chaos_points_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          ChaosFitting& value) {
  read_enum(context, place, node, chaos_fitting_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          ChaosRule& value) {
  read_enum(context, place, node, chaos_rule_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          ChaosGerms& value) {
  read_enum(context, place, node, chaos_germs_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          ChaosOnFailure& value) {
  read_enum(context, place, node, chaos_on_failure_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          EmpiricalInterpolation& value) {
  read_enum(context, place, node, empirical_interpolation_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          SamplingMethod& value) {
  read_enum(context, place, node, sampling_method_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          CorrelationOf& value) {
  read_enum(context, place, node, correlation_of_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          BeamProperty& value) {
  read_enum(context, place, node, beam_property_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          FieldKernel& value) {
  read_enum(context, place, node, field_kernel_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          FieldDistribution& value) {
  read_enum(context, place, node, field_distribution_names, value);
}
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          FieldSeries& value) {
  read_enum(context, place, node, field_series_names, value);
}

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          std::vector<Quantity>& value) {
  if (!node.is_sequence()) {
    context.wrong_kind(node, place, "a list of quantities");
    return;
  }
  std::vector<std::string> known;
  for (const auto& q : quantity_table()) known.emplace_back(q.name);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& item = node.items[i];
    context.record_item(place.item(i).path, item, node);
    const auto found = std::find(known.begin(), known.end(), item.text);
    if (!item.is_scalar())
      context.wrong_kind(item, place.item(i), "the name of a quantity");
    else if (found == known.end())
      context.error(item, place.item(i), {},
                    fmt::format("no quantity is named '{}'; there are {}", printable(item.text),
                                all_of(known)),
                    context.suggest(item.text, known));
    else
      value.push_back(quantity_table()[static_cast<std::size_t>(found - known.begin())].quantity);
  }
}

}  // namespace tumble
