#include "tumble/field/field_map.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

namespace tumble {

void FieldMap::values(std::span<const double> germ, std::span<double> field) const {
  if (germ.size() != germ_size() || field.size() != points())
    throw std::invalid_argument(
        fmt::format("random field: {} numbers of a germ and {} values for a map of {} to {}",
                    germ.size(), field.size(), germ_size(), points()));
  for (std::size_t p = 0; p < points(); ++p) {
    double sum = offset[p];
    const auto row = modes.row(p);
    for (std::size_t i = 0; i < germ.size(); ++i) sum += row[i] * germ[i];
    field[p] = law == FieldLaw::gaussian ? sum : std::exp(sum);
  }
}

std::vector<double> FieldMap::values(std::span<const double> germ) const {
  std::vector<double> field(points());
  values(germ, field);
  return field;
}

double FieldMap::score_std(std::size_t point) const {
  double squares = 0;
  for (const double mode : modes.row(point)) squares += mode * mode;
  return std::sqrt(squares);
}

PointMoments FieldMap::moments(std::size_t point) const {
  const double s = score_std(point);
  if (law == FieldLaw::gaussian) return {offset[point], s};
  const double mean = std::exp(offset[point] + 0.5 * s * s);
  return {mean, mean * std::sqrt(std::expm1(s * s))};
}

FieldMap make_field_map(const FieldMarginal& marginal, const FieldExpansion& expansion,
                        std::span<const Vec3d> points) {
  FieldMap map{.law = marginal.law, .modes = expansion.modes(points)};
  for (std::size_t p = 0; p < points.size(); ++p) {
    const PointMoments moments = moments_at(marginal, points[p]);
    const bool gaussian = marginal.law == FieldLaw::gaussian;
    const double scale = gaussian ? moments.std : log_std(moments);
    for (double& mode : map.modes.row(p)) mode *= scale;
    const double s = map.score_std(p);
    map.offset.push_back(gaussian ? moments.mean : std::log(moments.mean) - 0.5 * s * s);
  }
  return map;
}

}  // namespace tumble
