// A random field on the beams of a model: its series at the places where elements ask for it.
#pragma once
#include <functional>
#include <map>
#include <shared_mutex>

#include "tumble/field/random_field.hpp"
#include "tumble/model/beam.hpp"
#include "tumble/model/field/beam_field_values.hpp"

namespace tumble {

/// One beam that carries a field.
struct FieldCarrier {
  std::size_t beam;  ///< its place in the model
  double element_length;
  int elements;
  FieldCurve curve;
  Vec3d point(int element, double place) const {
    return curve.point((element + place) * element_length);
  }
};

/// The axis of a beam in space by arc length: an arc as a polygon, whose points are within
/// (angle / 2000)^2 / 8 of the radius.
FieldCurve curve_in_space(const Beam& beam);

/// What makes the map of a field at given points.
using FieldMapMaker = std::function<FieldMap(std::span<const Vec3d>)>;

/// A field as it is computed.
struct BeamFieldSeries {
  FieldMarginal marginal;
  std::shared_ptr<const FieldExpansion> expansion;
  FieldMapMaker make_map;
};
/// Of a field that is correlated with no other.
BeamFieldSeries series_of(const RandomField& field);

class ExpandedField final : public BeamFieldValues {
 public:
  ExpandedField(BeamFieldSeries series, std::vector<FieldCarrier> carriers)
      : series_(std::move(series)), carriers_(std::move(carriers)) {}

  double at(std::size_t beam, int element, double place,
            const std::vector<double>& germ) const override;
  FieldPlace describe(std::size_t beam, int element, double place) const override;
  bool lognormal() const override { return series_.marginal.law == FieldLaw::lognormal; }

 private:
  struct Key {
    std::size_t beam;
    int element;
    double place;
    auto operator<=>(const Key&) const = default;
  };
  const FieldMap& map_at(std::size_t beam, int element, double place) const;

  BeamFieldSeries series_;
  std::vector<FieldCarrier> carriers_;
  mutable std::shared_mutex mutex_;
  mutable std::map<Key, FieldMap> maps_;
};

}  // namespace tumble
