// The values of a random field at fixed points as a function of its germ, the independent standard
// normal variables xi. It is all that a solver needs to know of a field.
#pragma once
#include <span>
#include <vector>

#include "tumble/field/field_expansion.hpp"
#include "tumble/field/field_marginal.hpp"

namespace tumble {

/// H = offset + modes xi for a Gaussian field, which is affine in xi; exp(offset + modes xi) for a
/// lognormal one.
struct FieldMap {
  FieldLaw law = FieldLaw::gaussian;
  std::vector<double> offset = {};
  ModeMatrix modes = {};  ///< [point][xi]

  std::size_t points() const { return modes.points; }
  std::size_t germ_size() const { return modes.terms; }
  /// The field at the points for the germ given.
  void values(std::span<const double> germ, std::span<double> field) const;
  std::vector<double> values(std::span<const double> germ) const;
  /// Standard deviation of offset + modes xi at a point: the length of its row.
  double score_std(std::size_t point) const;
  /// Of what the map gives. A truncated expansion has a smaller variance than the field.
  PointMoments moments(std::size_t point) const;
};

/// With the standard deviation s of H or of log H, the modes are s g_i. The offset is the mean; for
/// a lognormal field it is log(mean) - sum (s g_i)^2 / 2, so the mean of what is computed is the
/// mean that was given, whatever variance the truncation has left out.
FieldMap make_field_map(const FieldMarginal& marginal, const FieldExpansion& expansion,
                        std::span<const Vec3d> points);

}  // namespace tumble
