// JSON Schema of single entries and of description structs; schema.cpp puts them together.
#pragma once
#include <fmt/format.h>

#include "tumble/io/model/read_values.hpp"
#include "tumble/io/text/json.hpp"
#include "tumble/model/model.hpp"
#include "tumble/model/study/identification.hpp"
#include "tumble/model/study/quantity_of_interest.hpp"
#include "tumble/model/study/study.hpp"
#include "tumble/model/study/uncertainty.hpp"

namespace tumble::schema {

inline constexpr const char* name_pattern = "^[A-Za-z_][A-Za-z0-9_-]*$";

inline Json shared(const char* name) { return {{"$ref", std::string("#/definitions/") + name}}; }

/// A number or an expression; YAML readers also take 1e-5 for a text.
inline Json number(Range range = Range::any) {
  Json json{{"type", {"number", "string"}}};
  if (range == Range::positive) json["exclusiveMinimum"] = 0;
  if (range == Range::non_negative || range == Range::fraction) json["minimum"] = 0;
  if (range == Range::fraction) json["maximum"] = 1;
  return json;
}

inline Json list(Json items, std::size_t least, std::size_t most) {
  Json json{{"type", "array"}, {"items", std::move(items)}};
  if (least > 0) json["minItems"] = least;
  if (most > 0) json["maxItems"] = most;
  return json;
}

inline Json words(const std::vector<std::string>& choices) { return {{"enum", choices}}; }

inline Json name() { return {{"type", "string"}, {"pattern", name_pattern}}; }

inline Json mapping(Json properties, std::vector<std::string> required) {
  Json json{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) json["required"] = std::move(required);
  json["additionalProperties"] = false;
  return json;
}

inline Json named(Json element) {
  return {{"type", "object"},
          {"propertyNames", {{"pattern", name_pattern}, {"not", {{"const", "ground"}}}}},
          {"additionalProperties", std::move(element)}};
}

template <class T>
Json struct_schema();

/// Whether the value may be the word `none`, as the inertia of a point mass.
inline bool may_be_none(const Entry& f) { return f.doc.find("`none`") != f.doc.npos; }

// What each type of entry looks like.
inline Json schema_of(const Entry& f, const double&) { return number(f.range); }
inline Json schema_of(const Entry&, const int&) { return {{"type", {"integer", "string"}}}; }
inline Json schema_of(const Entry&, const std::int64_t&) {
  return {{"type", {"integer", "string"}}};
}
inline Json schema_of(const Entry&, const bool&) { return {{"type", "boolean"}}; }
inline Json schema_of(const Entry&, const Vec3d&) { return shared("vector"); }
inline Json schema_of(const Entry& f, const std::array<double, 6>&) {
  if (f.name != "inertia") return list(number(), 6, 6);
  if (!may_be_none(f)) return shared("inertia");
  return {{"oneOf", {shared("inertia"), words({"none"})}}};
}
inline Json schema_of(const Entry& f, const std::vector<double>&) {
  if (takes_one_for_all(f)) return {{"oneOf", {number(f.range), list(number(), 1, 0)}}};
  return f.unit.find(',') != f.unit.npos ? shared("matrix") : list(number(), 1, 0);
}
inline Json schema_of(const Entry&, const std::array<Vec3d, 2>&) {
  return list(shared("vector"), 2, 2);
}
inline Json schema_of(const Entry&, const Orientation&) { return shared("orientation"); }
inline Json schema_of(const Entry&, const Shape&) { return shared("shape"); }
inline Json schema_of(const Entry&, const std::vector<DrawnShape>&) {
  return list(shared("drawn_shape"), 0, 0);
}
inline Json schema_of(const Entry&, const ModalPart&) { return struct_schema<ModalPart>(); }
inline Json schema_of(const Entry&, const ModalNode&) { return struct_schema<ModalNode>(); }
inline Json schema_of(const Entry&, const PartAxis&) {
  return words({part_axis_names.begin(), part_axis_names.end()});
}
inline Json schema_of(const Entry&, const std::vector<Part>&) {
  Json json = named(struct_schema<Part>());
  json["minProperties"] = 1;
  return json;
}
inline Json schema_of(const Entry&, const Table&) { return shared("table"); }
inline Json schema_of(const Entry& f, const Characteristic&) {
  return {{"oneOf", {number(f.range), shared("characteristic")}}};
}
inline Json schema_of(const Entry&, const Motions&) { return shared("motions"); }
inline Json schema_of(const Entry&, const MotionSet&) {
  Json json = list(words({motion_names.begin(), motion_names.end()}), 0, 6);
  json["uniqueItems"] = true;
  return json;
}
inline Json schema_of(const Entry&, const BodyRef&) { return name(); }
inline Json schema_of(const Entry&, const BeamRef&) { return name(); }
inline Json schema_of(const Entry&, const BeamDimension&) {
  return words({beam_dimension_names.begin(), beam_dimension_names.end()});
}
inline Json schema_of(const Entry&, const BeamCurvature&) {
  return words({beam_curvature_names.begin(), beam_curvature_names.end()});
}
inline Json schema_of(const Entry&, const BeamFormulation&) {
  return words({beam_formulation_names.begin(), beam_formulation_names.end()});
}
inline Json schema_of(const Entry&, const SpectrumSides&) {
  return words({spectrum_sides_names.begin(), spectrum_sides_names.end()});
}
inline Json schema_of(const Entry&, const RoadClass&) {
  return words({road_class_names.begin(), road_class_names.end()});
}
inline Json schema_of(const Entry&, const Interpolation&) {
  return words({interpolation_names.begin(), interpolation_names.end()});
}
inline Json schema_of(const Entry&, const StartPose&) {
  return words({start_pose_names.begin(), start_pose_names.end()});
}
inline Json schema_of(const Entry&, const IntegrationMethod&) {
  return words({integration_method_names.begin(), integration_method_names.end()});
}
inline Json schema_of(const Entry& f, const ArcFraction&) {
  return {{"anyOf", {number(f.range), {{"const", "nodes"}}}}};
}
inline Json schema_of(const Entry&, const std::array<double, 2>&) { return list(number(), 2, 2); }
inline Json schema_of(const Entry&, const JointRef&) { return name(); }
inline Json schema_of(const Entry&, const ForceRef&) { return name(); }
inline Json schema_of(const Entry&, const DriveRef&) { return name(); }
/// A name, or two with a dot between them.
inline Json dotted_name() {
  return {{"type", "string"},
          {"pattern", "^[A-Za-z_][A-Za-z0-9_-]*(\\.[A-Za-z_][A-Za-z0-9_-]*)?$"}};
}
inline Json schema_of(const Entry&, const CouplerRef&) { return name(); }
inline Json schema_of(const Entry&, const CoordinateRef&) { return dotted_name(); }
inline Json schema_of(const Entry&, const std::array<CoordinateRef, 2>&) {
  return list(dotted_name(), 2, 2);
}
inline Json schema_of(const Entry&, const std::vector<CoordinateRef>&) {
  return list(dotted_name(), 2, 3);
}
inline Json schema_of(const Entry&, const std::array<MarkerRef, 2>&) {
  return list(dotted_name(), 2, 2);
}
inline Json schema_of(const Entry&, const StateRef&) { return name(); }
inline Json schema_of(const Entry&, const Expression&) { return {{"type", {"string", "number"}}}; }
inline Json schema_of(const Entry& f, const ExpressionList&) {
  const Json one = schema_of(f, Expression{});
  return {{"oneOf", {one, list(one, 3, 3)}}};
}
inline Json schema_of(const Entry&, const ExpressionParameters&) {
  return {{"type", "object"},
          {"propertyNames", {{"pattern", "^[A-Za-z_][A-Za-z0-9_]*$"}}},
          {"additionalProperties", number()}};
}
inline Json schema_of(const Entry&, const std::vector<DriveRef>&) { return list(name(), 1, 0); }
inline Json schema_of(const Entry&, const Axes&) {
  return words({axes_names.begin(), axes_names.end()});
}
inline Json schema_of(const Entry&, const std::vector<Quantity>&) {
  std::vector<std::string> names;
  for (const auto& q : quantity_table()) names.emplace_back(q.name);
  Json json = list(words(names), 1, 0);
  json["uniqueItems"] = true;
  return json;
}
inline Json schema_of(const Entry&, const QuantityRanges&) {
  Json properties = Json::object();
  for (const auto& q : quantity_table()) properties[std::string(q.name)] = list(number(), 2, 2);
  return mapping(std::move(properties), {});
}
inline Json schema_of(const Entry&, const std::vector<Marker>&) { return named(shared("marker")); }
inline Json schema_of(const Entry&, const FileName&) {
  return {{"type", "string"}, {"minLength", 1}};
}
inline Json schema_of(const Entry&, const OnChangedStart&) {
  return words({on_changed_start_names.begin(), on_changed_start_names.end()});
}
inline Json schema_of(const Entry&, const StudyMethod&) {
  return words({study_method_names.begin(), study_method_names.end()});
}
inline Json schema_of(const Entry&, const RedundancyPolicy&) {
  return words({redundancy_policy_names.begin(), redundancy_policy_names.end()});
}
inline Json schema_of(const Entry&, const QuantileMethod&) {
  return words({quantile_method_names.begin(), quantile_method_names.end()});
}
inline Json schema_of(const Entry&, const RegionKind&) {
  return words({region_kind_names.begin(), region_kind_names.end()});
}
inline Json schema_of(const Entry&, const QuantityKind&) {
  return words({quantity_kind_names.begin(), quantity_kind_names.end()});
}
inline Json schema_of(const Entry&, const EventDirection&) {
  return words({event_direction_names.begin(), event_direction_names.end()});
}
inline Json schema_of(const Entry&, const EventAction&) {
  return words({event_action_names.begin(), event_action_names.end()});
}
inline Json schema_of(const Entry&, const CrossingDirection&) {
  return words({crossing_direction_names.begin(), crossing_direction_names.end()});
}
inline Json schema_of(const Entry&, const ReferenceState&) {
  return words({reference_state_names.begin(), reference_state_names.end()});
}
inline Json schema_of(const Entry&, const ModeFollowing&) {
  return words({mode_following_names.begin(), mode_following_names.end()});
}
inline Json schema_of(const Entry&, const Weighting&) {
  return words({weighting_names.begin(), weighting_names.end()});
}
inline Json schema_of(const Entry&, const ChaosPoints&) {
  return words({chaos_points_names.begin(), chaos_points_names.end()});
}
inline Json schema_of(const Entry&, const ChaosFitting&) {
  return words({chaos_fitting_names.begin(), chaos_fitting_names.end()});
}
inline Json schema_of(const Entry&, const ChaosRule&) {
  return words({chaos_rule_names.begin(), chaos_rule_names.end()});
}
inline Json schema_of(const Entry&, const ChaosGerms&) {
  return words({chaos_germs_names.begin(), chaos_germs_names.end()});
}
inline Json schema_of(const Entry&, const ChaosOnFailure&) {
  return words({chaos_on_failure_names.begin(), chaos_on_failure_names.end()});
}
inline Json schema_of(const Entry&, const SensitivityMethod&) {
  return words({sensitivity_method_names.begin(), sensitivity_method_names.end()});
}
inline Json schema_of(const Entry&, const SensitivityFactors&) {
  return words({sensitivity_factors_names.begin(), sensitivity_factors_names.end()});
}
inline Json schema_of(const Entry&, const ReliabilityMethod&) {
  return words({reliability_method_names.begin(), reliability_method_names.end()});
}
inline Json schema_of(const Entry&, const InputGroups&) {
  return {{"type", "object"}, {"additionalProperties", list({{"type", "string"}}, 1, 0)}};
}
inline Json schema_of(const Entry&, const MultilevelStatistic&) {
  return words({multilevel_statistic_names.begin(), multilevel_statistic_names.end()});
}
inline Json schema_of(const Entry&, const ElementCounts&) {
  return {{"type", "object"}, {"additionalProperties", {{"type", {"integer", "string"}}}}};
}
inline Json schema_of(const Entry&, const std::vector<LevelInput>&) {
  return list(struct_schema<LevelInput>(), 2, 0);
}
inline Json schema_of(const Entry&, const StoredTrajectories&) {
  return {{"oneOf", {words({"none", "all"}), list({{"type", {"integer", "string"}}}, 0, 0)}}};
}
inline Json schema_of(const Entry&, const EmpiricalInterpolation&) {
  return words({empirical_interpolation_names.begin(), empirical_interpolation_names.end()});
}
inline Json schema_of(const Entry&, const SamplingMethod&) {
  return words({sampling_method_names.begin(), sampling_method_names.end()});
}
inline Json schema_of(const Entry&, const CorrelationOf&) {
  return words({correlation_of_names.begin(), correlation_of_names.end()});
}
inline Json schema_of(const Entry&, const BeamProperty&) {
  return words({beam_property_names.begin(), beam_property_names.end()});
}
inline Json schema_of(const Entry&, const FieldKernel&) {
  return words({field_kernel_names.begin(), field_kernel_names.end()});
}
inline Json schema_of(const Entry&, const FieldDistribution&) {
  return words({field_distribution_names.begin(), field_distribution_names.end()});
}
inline Json schema_of(const Entry&, const FieldSeries&) {
  return words({field_series_names.begin(), field_series_names.end()});
}
inline Json schema_of(const Entry&, const std::string&) { return {{"type", {"string", "number"}}}; }
inline Json schema_of(const Entry&, const std::vector<std::string>&) {
  return list({{"type", "string"}}, 1, 0);
}
inline Json schema_of(const Entry&, const std::vector<Vec3d>&) {
  return list(shared("vector"), 4, 0);
}
inline Json schema_of(const Entry&, const std::vector<std::array<double, 4>>&) {
  return list(list(number(), 4, 4), 4, 0);
}
inline Json schema_of(const Entry&, const std::vector<std::vector<double>>&) {
  return list(list(number(), 2, 0), 2, 0);
}
inline Json schema_of(const Entry&, const SecondMomentBound&) {
  return {{"oneOf", {shared("inertia"), words({"shape"}), shared("region")}}};
}
inline Json schema_of(const Entry&, const CentreUncertainty&) { return shared("center_of_mass"); }
inline Json schema_of(const Entry&, const LikelihoodKind&) {
  return words({likelihood_kind_names.begin(), likelihood_kind_names.end()});
}
inline Json schema_of(const Entry&, const EnsembleDesign&) {
  return words({ensemble_design_names.begin(), ensemble_design_names.end()});
}
inline Json schema_of(const Entry&, const InputLaw&) { return shared("law"); }
inline Json schema_of(const Entry&, const ColumnNames&) {
  return {{"oneOf", {{{"type", "string"}}, list({{"type", "string"}}, 1, 0)}}};
}
inline Json schema_of(const Entry&, const std::vector<FreeParameter>&) {
  return {{"type", "object"}, {"additionalProperties", struct_schema<FreeParameter>()}};
}
inline Json schema_of(const Entry&, const std::vector<ObservationInput>&) {
  return list(struct_schema<ObservationInput>(), 1, 0);
}
/// Any other description struct.
template <class T>
Json schema_of(const Entry&, const T&) requires requires {
  T::doc;
}
{ return struct_schema<T>(); }
template <class T>
Json schema_of(const Entry& f, const std::optional<T>&) {
  return schema_of(f, T{});
}

/// Visitor of entries() that collects properties.
class SchemaVisitor {
 public:
  template <class T>
  void operator()(const Entry& entry, const T& value) {
    Json json = schema_of(entry, value);
    std::string text(entry.doc);
    if (!entry.unit.empty()) text += fmt::format(" [{}]", entry.unit);
    // Draft-07 ignores what stands beside a $ref.
    if (json.contains("$ref")) json = {{"allOf", {std::move(json)}}};
    json["description"] = text;
    properties_[std::string(entry.name)] = std::move(json);
    if (entry.required) required_.emplace_back(entry.name);
  }
  /// A key beside the entries.
  void add(const std::string& key, Json json, bool required) {
    properties_[key] = std::move(json);
    if (required) required_.push_back(key);
  }
  Json result(std::string_view doc) {
    Json json{{"description", doc}};
    json.update(mapping(std::move(properties_), std::move(required_)));
    return json;
  }

 private:
  Json properties_ = Json::object();
  std::vector<std::string> required_;
};

template <class T>
Json struct_schema() {
  SchemaVisitor visitor;
  const T value{};
  T::entries(value, visitor);
  return visitor.result(T::doc);
}

}  // namespace tumble::schema
