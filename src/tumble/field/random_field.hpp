// A random field on beams, from its description to the map that a solver uses.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tumble/field/field_expansion.hpp"
#include "tumble/field/field_map.hpp"

namespace tumble {

enum class ExpansionMethod {
  eole,           ///< uniform nodes
  karhunen_loeve  ///< Gauss-Legendre points as nodes
};

struct RandomFieldParameters {
  FieldMarginal marginal = {};
  CorrelationKernel kernel;
  /// Of a lognormal field; the two are the same for a Gaussian one.
  FieldCorrelationOf correlation_of = FieldCorrelationOf::field;
  ExpansionMethod method = ExpansionMethod::eole;
  /// One arc_length_curve() for a field of one beam's own; several curves in space for a field that
  /// beams share.
  std::vector<FieldCurve> curves;
  /// On the longest curve; usual_node_count() if not given.
  std::optional<std::size_t> nodes = {};
  Truncation truncation = {};
};

/// Immutable; may be used by many threads.
class RandomField {
 public:
  /// Throws std::invalid_argument as the parts it is made of do.
  explicit RandomField(const RandomFieldParameters& parameters);

  const FieldMarginal& marginal() const { return marginal_; }
  const FieldExpansion& expansion() const { return *expansion_; }
  /// To be shared with other fields: see CorrelatedFields.
  std::shared_ptr<const FieldExpansion> shared_expansion() const { return expansion_; }
  std::size_t germ_size() const { return expansion_->terms(); }
  /// Points of any of the curves, as the curve gives them: (s, 0, 0) for an arc length.
  FieldMap map(std::span<const Vec3d> points) const {
    return make_field_map(marginal_, *expansion_, points);
  }

 private:
  FieldMarginal marginal_;
  std::shared_ptr<const FieldExpansion> expansion_;
};

}  // namespace tumble
