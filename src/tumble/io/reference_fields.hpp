// What the reference page says of single fields: the form of their values, range and default.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tumble/model/model.hpp"
#include "tumble/model/quantity_of_interest.hpp"
#include "tumble/model/study.hpp"
#include "tumble/model/uncertainty.hpp"

namespace tumble::reference {

inline std::string form(const Field&, const double&) { return "number"; }
inline std::string form(const Field&, const int&) { return "whole number"; }
inline std::string form(const Field&, const std::int64_t&) { return "whole number"; }
inline std::string form(const Field&, const bool&) { return "true or false"; }
inline std::string form(const Field&, const Vec3d&) { return "vector"; }
inline std::string form(const Field& f, const std::array<double, 6>&) {
  return f.name == "inertia" ? "inertia or `none`" : "6 numbers";
}
inline std::string form(const Field& f, const std::vector<double>&) {
  return f.unit.find(',') != f.unit.npos ? "matrix" : "list of numbers";
}
inline std::string form(const Field&, const std::array<Vec3d, 2>&) { return "2 vectors"; }
inline std::string form(const Field&, const Orientation&) { return "rotation"; }
inline std::string form(const Field&, const Shape&) { return "solid"; }
inline std::string form(const Field&, const Table&) { return "table"; }
inline std::string form(const Field&, const Characteristic&) { return "law"; }
inline std::string form(const Field&, const Motions&) { return "motions"; }
inline std::string form(const Field&, const MotionSet&) { return "list of motions"; }
inline std::string form(const Field&, const BodyRef&) { return "name of a body"; }
inline std::string form(const Field&, const BeamRef&) { return "name of a beam"; }
inline std::string form(const Field&, const BeamDimension&) { return "`planar` or `spatial`"; }
inline std::string form(const Field&, const BeamFormulation&) {
  return "`structural` or `continuum`";
}
inline std::string form(const Field&, const BeamSection&) { return "section"; }
inline std::string form(const Field&, const RectangleSection&) { return "rectangle"; }
inline std::string form(const Field&, const CircleSection&) { return "circle"; }
inline std::string form(const Field&, const Arc&) { return "arc"; }
inline std::string form(const Field&, const StartPose&) { return "`described` or `equilibrium`"; }
inline std::string form(const Field&, const ArcFraction&) { return "number or `nodes`"; }
inline std::string form(const Field&, const std::array<double, 2>&) { return "2 numbers"; }
inline std::string form(const Field&, const JointRef&) { return "name of a joint"; }
inline std::string form(const Field&, const ForceRef&) { return "name of a force element"; }
inline std::string form(const Field&, const DriveRef&) { return "name of a drive"; }
inline std::string form(const Field&, const std::array<MarkerRef, 2>&) { return "2 ends"; }
inline std::string form(const Field&, const std::vector<DriveRef>&) { return "names of drives"; }
inline std::string form(const Field&, const Axes&) { return "`ground` or `body`"; }
inline std::string form(const Field&, const std::vector<Quantity>&) { return "list of quantities"; }
inline std::string form(const Field&, const std::vector<Marker>&) { return "markers by name"; }
inline std::string form(const Field&, const FileName&) { return "name of a file"; }
template <std::size_t n>
std::string choice(const std::array<std::string_view, n>& names) {
  return fmt::format("`{}`", fmt::join(names, "` or `"));
}
inline std::string form(const Field&, const AngleStart&) { return "start of a hinge"; }
inline std::string form(const Field&, const SlideStart&) { return "start of a slider"; }
inline std::string form(const Field&, const AngleSlideStart&) {
  return "start of a joint that turns and slides";
}
inline std::string form(const Field&, const CardanStart&) { return "start of a Cardan joint"; }
inline std::string form(const Field&, const BallStart&) { return "start of a ball joint"; }
inline std::string form(const Field&, const MotionStart&) { return "start of free motions"; }
inline std::string form(const Field&, const LengthStart&) { return "start of a rod"; }
inline std::string form(const Field&, const OnChangedStart&) {
  return choice(on_changed_start_names);
}
inline std::string form(const Field&, const StudyMethod&) { return choice(study_method_names); }
inline std::string form(const Field&, const RedundancyPolicy&) {
  return choice(redundancy_policy_names);
}
inline std::string form(const Field&, const QuantileMethod&) {
  return choice(quantile_method_names);
}

inline std::string form(const Field&, const RegionKind&) { return choice(region_kind_names); }
inline std::string form(const Field&, const QuantityKind&) { return choice(quantity_kind_names); }
inline std::string form(const Field&, const CrossingDirection&) {
  return choice(crossing_direction_names);
}
inline std::string form(const Field&, const ChaosPoints&) { return choice(chaos_points_names); }
inline std::string form(const Field&, const ChaosFitting&) { return choice(chaos_fitting_names); }
inline std::string form(const Field&, const ChaosRule&) { return choice(chaos_rule_names); }
inline std::string form(const Field&, const ChaosGerms&) { return choice(chaos_germs_names); }
inline std::string form(const Field&, const ChaosOnFailure&) {
  return choice(chaos_on_failure_names);
}
inline std::string form(const Field&, const EmpiricalInterpolation&) {
  return choice(empirical_interpolation_names);
}
inline std::string form(const Field&, const SamplingMethod&) {
  return choice(sampling_method_names);
}
inline std::string form(const Field&, const CorrelationOf&) { return choice(correlation_of_names); }
inline std::string form(const Field&, const BeamProperty&) { return choice(beam_property_names); }
inline std::string form(const Field&, const FieldKernel&) { return choice(field_kernel_names); }
inline std::string form(const Field&, const FieldDistribution&) {
  return choice(field_distribution_names);
}
inline std::string form(const Field&, const FieldSeries&) { return choice(field_series_names); }
inline std::string form(const Field&, const std::string&) { return "text"; }
inline std::string form(const Field&, const std::vector<std::string>&) { return "list of names"; }
inline std::string form(const Field&, const std::vector<Vec3d>&) { return "list of vectors"; }
inline std::string form(const Field&, const std::vector<std::array<double, 4>>&) {
  return "rows of 4 numbers";
}
inline std::string form(const Field&, const std::vector<std::vector<double>>&) {
  return "rows of numbers";
}
inline std::string form(const Field&, const SecondMomentBound&) {
  return "inertia, `shape` or region";
}
inline std::string form(const Field&, const ChainInput&) { return "chain"; }
inline std::string form(const Field&, const MassUncertainty&) { return "random mass"; }
inline std::string form(const Field&, const CenterUncertainty&) { return "random centre of mass"; }
inline std::string form(const Field&, const InertiaUncertainty&) { return "random inertia"; }
inline std::string form(const Field&, const FieldInput&) { return "random field"; }
inline std::string form(const Field&, const StoredTrajectories&) {
  return "`none`, `all` or list of whole numbers";
}
inline std::string form(const Field&, const DensityRequest&) { return "densities"; }
inline std::string form(const Field&, const StoppingRequest&) { return "stopping rule"; }
inline std::string form(const Field&, const ChaosRequest&) { return "polynomial chaos"; }
inline std::string form(const Field&, const QuantityRanges&) { return "ranges by quantity"; }
template <class T>
std::string form(const Field& f, const std::optional<T>&) {
  return form(f, T{});
}

inline std::string range_text(Range range) {
  switch (range) {
    case Range::any:
      break;
    case Range::positive:
      return ", > 0";
    case Range::non_negative:
      return ", >= 0";
    case Range::fraction:
      return ", 0 to 1";
  }
  return {};
}

/// What a field is if left out, where that is a plain value.
template <class T>
std::string default_text(const Field&, const T&) {
  return {};
}
inline std::string default_text(const Field& f, const double& value) {
  return f.range == Range::positive && value <= 0 ? "" : format_number(value);
}
inline std::string default_text(const Field&, const int& value) { return std::to_string(value); }
inline std::string default_text(const Field&, const std::int64_t& value) {
  return std::to_string(value);
}
inline std::string default_text(const Field&, const Vec3d& v) {
  return v.x == 0 && v.y == 0 && v.z == 0 ? "zero" : fmt::format("[{}, {}, {}]", v.x, v.y, v.z);
}
template <class Enum, std::size_t n>
std::string name_in(const std::array<std::string_view, n>& names, Enum value) {
  return std::string(names[static_cast<std::size_t>(value)]);
}
inline std::string default_text(const Field&, const StartVelocity&) { return "free"; }
inline std::string default_text(const Field&, const OnChangedStart& value) {
  return name_in(on_changed_start_names, value);
}
inline std::string default_text(const Field&, const RedundancyPolicy& value) {
  return name_in(redundancy_policy_names, value);
}
inline std::string default_text(const Field&, const QuantileMethod& value) {
  return name_in(quantile_method_names, value);
}

inline std::string default_text(const Field&, const RegionKind& value) {
  return name_in(region_kind_names, value);
}
inline std::string default_text(const Field&, const CrossingDirection& value) {
  return name_in(crossing_direction_names, value);
}
inline std::string default_text(const Field&, const ChaosPoints& value) {
  return name_in(chaos_points_names, value);
}
inline std::string default_text(const Field&, const ChaosGerms& value) {
  return name_in(chaos_germs_names, value);
}
inline std::string default_text(const Field&, const ChaosOnFailure& value) {
  return name_in(chaos_on_failure_names, value);
}
inline std::string default_text(const Field&, const EmpiricalInterpolation& value) {
  return name_in(empirical_interpolation_names, value);
}
inline std::string default_text(const Field&, const SamplingMethod& value) {
  return name_in(sampling_method_names, value);
}
inline std::string default_text(const Field&, const CorrelationOf& value) {
  return name_in(correlation_of_names, value);
}
inline std::string default_text(const Field&, const FieldKernel& value) {
  return name_in(field_kernel_names, value);
}
inline std::string default_text(const Field&, const FieldDistribution& value) {
  return name_in(field_distribution_names, value);
}
inline std::string default_text(const Field&, const FieldSeries& value) {
  return name_in(field_series_names, value);
}
inline std::string default_text(const Field&, const BeamDimension& value) {
  return name_in(beam_dimension_names, value);
}
inline std::string default_text(const Field&, const BeamFormulation& value) {
  return name_in(beam_formulation_names, value);
}
inline std::string default_text(const Field&, const StartPose& value) {
  return name_in(start_pose_names, value);
}
inline std::string default_text(const Field&, const StoredTrajectories&) { return "none"; }

}  // namespace tumble::reference
