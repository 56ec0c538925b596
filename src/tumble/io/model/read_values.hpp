// One reading function for each type an entry may have. A new type of entry needs one here.
#pragma once
#include "tumble/io/model/read_context.hpp"
#include "tumble/model/study/quantity_of_interest.hpp"
#include "tumble/model/study/study.hpp"
#include "tumble/model/study/uncertainty.hpp"

namespace tumble {

// Each reads `node` into `value` or reports why it cannot; `entry` is the entry's declaration.
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, double& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, int& value);
/// A seed.
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, std::int64_t& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, bool& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, Vec3d& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, StartVelocity& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, OnChangedStart& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          std::array<double, 6>& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          std::vector<double>& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          std::array<Vec3d, 2>& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, Orientation& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, Shape& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          std::vector<DrawnShape>& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, PartAxis& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          std::vector<Part>& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, ModalPart& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, ModalNode& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, Table& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, Characteristic& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, Motions& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, MotionSet& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, BodyRef& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, BeamRef& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, BeamDimension& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, BeamFormulation& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, BeamCurvature& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, StartPose& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, SpectrumSides& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, RoadClass& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, Interpolation& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          IntegrationMethod& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, ArcFraction& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          std::array<double, 2>& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, JointRef& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, ForceRef& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, CouplerRef& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, CoordinateRef& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          std::array<CoordinateRef, 2>& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          std::vector<CoordinateRef>& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, DriveRef& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, MarkerRef& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          std::array<MarkerRef, 2>& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, StateRef& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, Expression& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, ExpressionList& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          ExpressionParameters& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          std::vector<DriveRef>& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, Axes& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          std::vector<Quantity>& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, QuantityRanges& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          std::vector<Marker>& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, FileName& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, StudyMethod& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, QuantileMethod& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, RegionKind& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          RedundancyPolicy& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, QuantityKind& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          CrossingDirection& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, ReferenceState& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, ModeFollowing& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, EventDirection& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, EventAction& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, Weighting& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, ChaosPoints& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, ChaosFitting& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, ChaosRule& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, ChaosGerms& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, ChaosOnFailure& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          StoredTrajectories& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          SensitivityMethod& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          SensitivityFactors& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, InputGroups& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          ReliabilityMethod& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          MultilevelStatistic& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, ElementCounts& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          std::vector<LevelInput>& value);

void read(ReadContext&, const Place&, const Entry& entry, const Node& node, std::string& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          std::vector<std::string>& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          std::vector<Vec3d>& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          std::array<double, 4>& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          std::vector<std::array<double, 4>>& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          std::vector<std::vector<double>>& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          EmpiricalInterpolation& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, SamplingMethod& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, CorrelationOf& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, BeamProperty& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, FieldKernel& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          FieldDistribution& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node, FieldSeries& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          CentreUncertainty& value);
void read(ReadContext&, const Place&, const Entry& entry, const Node& node,
          SecondMomentBound& value);

template <class T>
void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          std::optional<T>& value) {
  read(context, place, entry, node, value.emplace());
}

/// A scalar out of a list of words; returns its index, or -1 after a report.
int read_choice(ReadContext&, const Place&, const Node& node,
                const std::vector<std::string>& choices);

/// The only key of a mapping that is one of `forms`; -1 after a report that there is none or more
/// than one.
int read_form(ReadContext&, const Place&, const Node& node, const std::vector<std::string>& forms);

/// xx, yy, zz, xy, xz, yz of a matrix given by 3 values, 6 or 3 rows; `three` is what messages call
/// the 3 values.
void read_symmetric_matrix(ReadContext&, const Place&, const Node& node, std::string_view three,
                           std::array<double, 6>& value);

/// A text of at most a thousand characters.
void read_text(ReadContext&, const Place&, const Node& node, std::string& value);

/// True for the entries that hold a 6 x 6 matrix as a list of numbers.
bool is_matrix_entry(const Entry& entry);

/// True for lists of which a single number stands for all.
inline bool takes_one_for_all(const Entry& entry) {
  return entry.doc.find("one for all") != entry.doc.npos;
}

}  // namespace tumble
