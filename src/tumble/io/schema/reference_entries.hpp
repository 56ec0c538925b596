// What the reference page says of single entries: the form of their values, range and default.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tumble/io/model/read_values.hpp"
#include "tumble/model/model.hpp"
#include "tumble/model/study/identification.hpp"
#include "tumble/model/study/quantity_of_interest.hpp"
#include "tumble/model/study/study.hpp"
#include "tumble/model/study/uncertainty.hpp"

namespace tumble::reference {

inline std::string form(const Entry&, const double&) { return "number"; }
inline std::string form(const Entry&, const int&) { return "whole number"; }
inline std::string form(const Entry&, const std::int64_t&) { return "whole number"; }
inline std::string form(const Entry&, const bool&) { return "true or false"; }
inline std::string form(const Entry&, const Vec3d&) { return "vector"; }
inline std::string form(const Entry& f, const std::array<double, 6>&) {
  if (f.name != "inertia") return "6 numbers";
  return f.doc.find("`none`") != f.doc.npos ? "inertia or `none`" : "inertia";
}
inline std::string form(const Entry& f, const std::vector<double>&) {
  if (takes_one_for_all(f)) return "number or list of numbers";
  return f.unit.find(',') != f.unit.npos ? "matrix" : "list of numbers";
}
inline std::string form(const Entry&, const std::array<Vec3d, 2>&) { return "2 vectors"; }
inline std::string form(const Entry&, const Orientation&) { return "rotation"; }
inline std::string form(const Entry&, const Shape&) { return "solid"; }
inline std::string form(const Entry&, const std::vector<DrawnShape>&) { return "list of solids"; }
inline std::string form(const Entry&, const PartAxis&) { return "`x`, `y` or `z`"; }
inline std::string form(const Entry&, const BoxPart&) { return "box"; }
inline std::string form(const Entry&, const CylinderPart&) { return "cylinder"; }
inline std::string form(const Entry&, const SpherePart&) { return "ball"; }
inline std::string form(const Entry&, const MeshPart&) { return "mesh"; }
inline std::string form(const Entry&, const ModalPart&) { return "modes"; }
inline std::string form(const Entry&, const ModalNode&) { return "node"; }
inline std::string form(const Entry&, const std::vector<Part>&) { return "parts by name"; }
inline std::string form(const Entry&, const Table&) { return "table"; }
inline std::string form(const Entry&, const Characteristic&) { return "law"; }
inline std::string form(const Entry&, const Motions&) { return "motions"; }
inline std::string form(const Entry&, const MotionSet&) { return "list of motions"; }
inline std::string form(const Entry&, const BodyRef&) { return "name of a body, or a node"; }
inline std::string form(const Entry&, const BeamRef&) { return "name of a beam"; }
inline std::string form(const Entry&, const BeamDimension&) { return "`planar` or `spatial`"; }
inline std::string form(const Entry&, const BeamFormulation&) {
  return "`structural` or `continuum`";
}
inline std::string form(const Entry&, const BeamSection&) { return "section"; }
inline std::string form(const Entry&, const RectangleSection&) { return "rectangle"; }
inline std::string form(const Entry&, const CircleSection&) { return "circle"; }
inline std::string form(const Entry&, const TubeSection&) { return "tube"; }
inline std::string form(const Entry&, const ISection&) { return "I"; }
inline std::string form(const Entry&, const PolygonSection&) { return "polygon"; }
inline std::string form(const Entry&, const StiffnessSection&) { return "stiffnesses"; }
inline std::string form(const Entry&, const BeamCurvature&) { return "`constant` or `linear`"; }
inline std::string form(const Entry&, const Arc&) { return "arc"; }
inline std::string form(const Entry&, const DampingRatios&) { return "damping ratios"; }
inline std::string form(const Entry&, const StartPose&) { return "`described` or `equilibrium`"; }
inline std::string form(const Entry&, const IntegrationMethod&) {
  return "`generalized-alpha`, `baumgarte`, `multistep`, `radau` or `auto`";
}
inline std::string form(const Entry&, const ArcFraction&) { return "number or `nodes`"; }
inline std::string form(const Entry&, const std::array<double, 2>&) { return "2 numbers"; }
inline std::string form(const Entry&, const JointRef&) { return "name of a joint"; }
inline std::string form(const Entry&, const ForceRef&) { return "name of a force element"; }
inline std::string form(const Entry&, const CouplerRef&) { return "name of a coupler"; }
inline std::string form(const Entry&, const CoordinateRef&) { return "coordinate"; }
inline std::string form(const Entry&, const std::array<CoordinateRef, 2>&) {
  return "2 coordinates";
}
inline std::string form(const Entry&, const std::vector<CoordinateRef>&) {
  return "2 or 3 coordinates";
}
inline std::string form(const Entry&, const DriveRef&) { return "name of a drive"; }
inline std::string form(const Entry&, const std::array<MarkerRef, 2>&) { return "2 ends"; }
inline std::string form(const Entry&, const std::vector<DriveRef>&) { return "names of drives"; }
inline std::string form(const Entry&, const StateRef&) { return "name of a state variable"; }
inline std::string form(const Entry&, const Expression&) { return "formula"; }
inline std::string form(const Entry&, const ExpressionList&) { return "formula, or three of them"; }
inline std::string form(const Entry&, const ExpressionParameters&) { return "numbers by name"; }
inline std::string form(const Entry&, const Axes&) { return "`ground` or `body`"; }
inline std::string form(const Entry&, const std::vector<Quantity>&) { return "list of quantities"; }
inline std::string form(const Entry&, const std::vector<Marker>&) { return "markers by name"; }
inline std::string form(const Entry&, const FileName&) { return "name of a file"; }
template <std::size_t n>
std::string choice(const std::array<std::string_view, n>& names) {
  return fmt::format("`{}`", fmt::join(names, "` or `"));
}
inline std::string form(const Entry&, const AngleStart&) { return "start of a hinge"; }
inline std::string form(const Entry&, const SlideStart&) { return "start of a slider"; }
inline std::string form(const Entry&, const AngleSlideStart&) {
  return "start of a joint that turns and slides";
}
inline std::string form(const Entry&, const CardanStart&) { return "start of a Cardan joint"; }
inline std::string form(const Entry&, const BallStart&) { return "start of a ball joint"; }
inline std::string form(const Entry&, const MotionStart&) { return "start of free motions"; }
inline std::string form(const Entry&, const LengthStart&) { return "start of a rod"; }
inline std::string form(const Entry&, const PlanarStart&) { return "start of a motion in a plane"; }
inline std::string form(const Entry&, const OnChangedStart&) {
  return choice(on_changed_start_names);
}
inline std::string form(const Entry&, const StudyMethod&) { return choice(study_method_names); }
inline std::string form(const Entry&, const RedundancyPolicy&) {
  return choice(redundancy_policy_names);
}
inline std::string form(const Entry&, const QuantileMethod&) {
  return choice(quantile_method_names);
}

inline std::string form(const Entry&, const RegionKind&) { return choice(region_kind_names); }
inline std::string form(const Entry&, const QuantityKind&) { return choice(quantity_kind_names); }
inline std::string form(const Entry&, const SpectrumSides&) { return choice(spectrum_sides_names); }
inline std::string form(const Entry&, const RoadClass&) { return choice(road_class_names); }
inline std::string form(const Entry&, const Interpolation&) { return choice(interpolation_names); }
inline std::string form(const Entry&, const EventDirection&) {
  return choice(event_direction_names);
}
inline std::string form(const Entry&, const EventAction&) { return choice(event_action_names); }
inline std::string form(const Entry&, const CrossingDirection&) {
  return choice(crossing_direction_names);
}
inline std::string form(const Entry&, const ReferenceState&) {
  return choice(reference_state_names);
}
inline std::string form(const Entry&, const ModeFollowing&) { return choice(mode_following_names); }
inline std::string form(const Entry&, const Weighting&) { return choice(weighting_names); }
inline std::string form(const Entry&, const ChaosPoints&) { return choice(chaos_points_names); }
inline std::string form(const Entry&, const ChaosFitting&) { return choice(chaos_fitting_names); }
inline std::string form(const Entry&, const ChaosRule&) { return choice(chaos_rule_names); }
inline std::string form(const Entry&, const ChaosGerms&) { return choice(chaos_germs_names); }
inline std::string form(const Entry&, const ChaosOnFailure&) {
  return choice(chaos_on_failure_names);
}
inline std::string form(const Entry&, const EmpiricalInterpolation&) {
  return choice(empirical_interpolation_names);
}
inline std::string form(const Entry&, const SamplingMethod&) {
  return choice(sampling_method_names);
}
inline std::string form(const Entry&, const CorrelationOf&) { return choice(correlation_of_names); }
inline std::string form(const Entry&, const BeamProperty&) { return choice(beam_property_names); }
inline std::string form(const Entry&, const FieldKernel&) { return choice(field_kernel_names); }
inline std::string form(const Entry&, const FieldDistribution&) {
  return choice(field_distribution_names);
}
inline std::string form(const Entry&, const FieldSeries&) { return choice(field_series_names); }
inline std::string form(const Entry&, const std::string&) { return "text"; }
inline std::string form(const Entry&, const std::vector<std::string>&) { return "list of names"; }
inline std::string form(const Entry&, const std::vector<Vec3d>&) { return "list of vectors"; }
inline std::string form(const Entry&, const std::vector<std::array<double, 4>>&) {
  return "rows of 4 numbers";
}
inline std::string form(const Entry&, const std::vector<std::vector<double>>&) {
  return "rows of numbers";
}
inline std::string form(const Entry&, const SecondMomentBound&) {
  return "inertia, `shape` or region";
}
inline std::string form(const Entry&, const ChainInput&) { return "chain"; }
inline std::string form(const Entry&, const MassUncertainty&) { return "random mass"; }
inline std::string form(const Entry&, const CentreUncertainty&) { return "random centre of mass"; }
inline std::string form(const Entry&, const InertiaUncertainty&) { return "random inertia"; }
inline std::string form(const Entry&, const MatrixUncertainty&) { return "random matrix"; }
inline std::string form(const Entry&, const FieldInput&) { return "random field"; }
inline std::string form(const Entry&, const StoredTrajectories&) {
  return "`none`, `all` or list of whole numbers";
}
inline std::string form(const Entry&, const DensityRequest&) { return "densities"; }
inline std::string form(const Entry&, const StoppingRequest&) { return "stopping rule"; }
inline std::string form(const Entry&, const ChaosRequest&) { return "polynomial chaos"; }
inline std::string form(const Entry&, const LikelihoodKind&) {
  return choice(likelihood_kind_names);
}
inline std::string form(const Entry&, const EnsembleDesign&) {
  return choice(ensemble_design_names);
}
inline std::string form(const Entry&, const InputLaw&) { return "a law of a parameter"; }
inline std::string form(const Entry&, const ColumnNames&) { return "text or list of texts"; }
inline std::string form(const Entry&, const std::vector<FreeParameter>&) {
  return "free parameters by path";
}
inline std::string form(const Entry&, const std::vector<ObservationInput>&) {
  return "list of observations";
}
inline std::string form(const Entry&, const IdentificationEnsemble&) { return "ensemble"; }
inline std::string form(const Entry&, const IntervalRequest&) { return "intervals"; }
inline std::string form(const Entry&, const BayesRequest&) { return "sequential Monte Carlo"; }
inline std::string form(const Entry&, const SensitivityRequest&) { return "sensitivity"; }
inline std::string form(const Entry&, const SensitivityMethod&) {
  return choice(sensitivity_method_names);
}
inline std::string form(const Entry&, const SensitivityFactors&) {
  return choice(sensitivity_factors_names);
}
inline std::string form(const Entry&, const ReliabilityRequest&) { return "reliability"; }
inline std::string form(const Entry&, const ReliabilityMethod&) {
  return choice(reliability_method_names);
}
inline std::string form(const Entry&, const InputGroups&) { return "lists of names by name"; }
inline std::string form(const Entry&, const VariabilityRequest&) { return "variability response"; }
inline std::string form(const Entry&, const WaveNumbers&) { return "wave numbers"; }
inline std::string form(const Entry&, const SpectrumInput&) { return "spectrum"; }
inline std::string form(const Entry&, const WorstCaseRequest&) { return "worst case"; }
inline std::string form(const Entry&, const MultilevelRequest&) { return "multilevel"; }
inline std::string form(const Entry&, const MultilevelStatistic&) {
  return choice(multilevel_statistic_names);
}
inline std::string form(const Entry&, const MultilevelTarget&) { return "target"; }
inline std::string form(const Entry&, const std::vector<LevelInput>&) { return "list of levels"; }
inline std::string form(const Entry&, const ElementCounts&) { return "whole numbers by name"; }
inline std::string form(const Entry&, const QuantityRanges&) { return "ranges by quantity"; }
template <class T>
std::string form(const Entry& f, const std::optional<T>&) {
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

/// What an entry is if left out, where that is a plain value.
template <class T>
std::string default_text(const Entry&, const T&) {
  return {};
}
inline std::string default_text(const Entry& f, const double& value) {
  return f.range == Range::positive && value <= 0 ? "" : format_number(value);
}
inline std::string default_text(const Entry&, const int& value) { return std::to_string(value); }
inline std::string default_text(const Entry&, const std::int64_t& value) {
  return std::to_string(value);
}
inline std::string default_text(const Entry&, const Vec3d& v) {
  return v.x == 0 && v.y == 0 && v.z == 0 ? "zero" : fmt::format("[{}, {}, {}]", v.x, v.y, v.z);
}
template <class Enum, std::size_t n>
std::string name_in(const std::array<std::string_view, n>& names, Enum value) {
  return std::string(names[static_cast<std::size_t>(value)]);
}
inline std::string default_text(const Entry&, const StartVelocity&) { return "free"; }
inline std::string default_text(const Entry&, const OnChangedStart& value) {
  return name_in(on_changed_start_names, value);
}
inline std::string default_text(const Entry&, const RedundancyPolicy& value) {
  return name_in(redundancy_policy_names, value);
}
inline std::string default_text(const Entry&, const QuantileMethod& value) {
  return name_in(quantile_method_names, value);
}

inline std::string default_text(const Entry&, const RegionKind& value) {
  return name_in(region_kind_names, value);
}
inline std::string default_text(const Entry&, const ReferenceState& value) {
  return std::string(reference_state_names[static_cast<std::size_t>(value)]);
}
inline std::string default_text(const Entry&, const ModeFollowing& value) {
  return std::string(mode_following_names[static_cast<std::size_t>(value)]);
}
inline std::string default_text(const Entry&, const EventDirection& value) {
  return name_in(event_direction_names, value);
}
inline std::string default_text(const Entry&, const EventAction& value) {
  return name_in(event_action_names, value);
}
inline std::string default_text(const Entry&, const CrossingDirection& value) {
  return name_in(crossing_direction_names, value);
}
inline std::string default_text(const Entry&, const ChaosPoints& value) {
  return name_in(chaos_points_names, value);
}
inline std::string default_text(const Entry&, const ChaosGerms& value) {
  return name_in(chaos_germs_names, value);
}
inline std::string default_text(const Entry&, const ChaosOnFailure& value) {
  return name_in(chaos_on_failure_names, value);
}
inline std::string default_text(const Entry&, const EmpiricalInterpolation& value) {
  return name_in(empirical_interpolation_names, value);
}
inline std::string default_text(const Entry&, const SamplingMethod& value) {
  return name_in(sampling_method_names, value);
}
inline std::string default_text(const Entry&, const CorrelationOf& value) {
  return name_in(correlation_of_names, value);
}
inline std::string default_text(const Entry&, const LikelihoodKind& value) {
  return name_in(likelihood_kind_names, value);
}
inline std::string default_text(const Entry&, const EnsembleDesign& value) {
  return name_in(ensemble_design_names, value);
}
inline std::string default_text(const Entry&, const FieldKernel& value) {
  return name_in(field_kernel_names, value);
}
inline std::string default_text(const Entry&, const FieldDistribution& value) {
  return name_in(field_distribution_names, value);
}
inline std::string default_text(const Entry&, const FieldSeries& value) {
  return name_in(field_series_names, value);
}
inline std::string default_text(const Entry&, const PartAxis& value) {
  return name_in(part_axis_names, value);
}
inline std::string default_text(const Entry&, const BeamDimension& value) {
  return name_in(beam_dimension_names, value);
}
inline std::string default_text(const Entry&, const BeamCurvature& value) {
  return name_in(beam_curvature_names, value);
}
inline std::string default_text(const Entry&, const BeamFormulation& value) {
  return name_in(beam_formulation_names, value);
}
inline std::string default_text(const Entry&, const StartPose& value) {
  return name_in(start_pose_names, value);
}
inline std::string default_text(const Entry&, const IntegrationMethod& value) {
  return name_in(integration_method_names, value);
}
inline std::string default_text(const Entry&, const StoredTrajectories&) { return "none"; }
inline std::string default_text(const Entry&, const SensitivityMethod& value) {
  return name_in(sensitivity_method_names, value);
}
inline std::string default_text(const Entry&, const SensitivityFactors& value) {
  return name_in(sensitivity_factors_names, value);
}
inline std::string default_text(const Entry&, const ReliabilityMethod& value) {
  return name_in(reliability_method_names, value);
}
inline std::string default_text(const Entry&, const MultilevelStatistic& value) {
  return name_in(multilevel_statistic_names, value);
}

}  // namespace tumble::reference
