#include "tumble/model/field/expanded_field.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <stdexcept>

#include "tumble/model/compile/beam_shape.hpp"

namespace tumble {

FieldCurve curve_in_space(const Beam& beam) {
  constexpr int axis_pieces = 2000;
  Beam fine = beam;
  if (beam.arc) fine.elements = axis_pieces;
  const BeamShape shape = beam_shape(fine);
  const double piece = shape.element_length;
  const auto nodes = std::make_shared<std::vector<Frame>>(shape.nodes);
  const int last = fine.elements;
  return {piece * last, [nodes, piece, last](double s) {
            const int i = std::clamp(static_cast<int>(s / piece), 0, last - 1);
            const Vec3d &a = (*nodes)[static_cast<std::size_t>(i)].p,
                        &b = (*nodes)[static_cast<std::size_t>(i) + 1].p;
            return a + (s / piece - i) * (b - a);
          }};
}

BeamFieldSeries series_of(const RandomField& field) {
  return {field.marginal(), field.shared_expansion(),
          [field](std::span<const Vec3d> points) { return field.map(points); }};
}

double ExpandedField::at(std::size_t beam, int element, double place,
                         const std::vector<double>& germ) const {
  const FieldMap& map = map_at(beam, element, place);
  if (map.points() == 0) return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  map.values(germ, {&value, 1});
  return value;
}

FieldPlace ExpandedField::describe(std::size_t beam, int element, double place) const {
  for (const FieldCarrier& carrier : carriers_) {
    if (carrier.beam != beam) continue;
    const Vec3d point = carrier.point(element, place);
    const PointMoments moments = moments_at(series_.marginal, point);
    return {(element + place) * carrier.element_length, moments.mean, moments.std,
            series_.expansion->variance_error({&point, 1}).front(),
            map_at(beam, element, place).modes.values};
  }
  throw std::invalid_argument("a field is asked for on a beam that does not carry it");
}

const FieldMap& ExpandedField::map_at(std::size_t beam, int element, double place) const {
  const Key key{beam, element, place};
  {
    const std::shared_lock reading(mutex_);
    if (const auto found = maps_.find(key); found != maps_.end()) return found->second;
  }
  FieldMap map;
  for (const FieldCarrier& carrier : carriers_)
    if (carrier.beam == beam) {
      const Vec3d point = carrier.point(element, place);
      map = series_.make_map({&point, 1});
    }
  const std::unique_lock writing(mutex_);
  return maps_.emplace(key, std::move(map)).first->second;  // nodes of a map stay where they are
}

}  // namespace tumble
