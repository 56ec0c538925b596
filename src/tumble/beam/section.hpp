// Cross sections of beams: y and z are measured from the centroid along the principal axes.
#pragma once
#include <functional>
#include <utility>
#include <vector>

namespace tumble::beam {

/// A point of a quadrature rule over the section.
struct SectionPoint {
  double y, z;    ///< [m]
  double weight;  ///< [m²]
};

/// A rectangle or a disc. Both are symmetric about their axes, on which the sparsity of a straight
/// beam's invariants rests (gram_layout.hpp).
class Section {
 public:
  /// `height` along y, `width` along z [m]. @throws std::invalid_argument unless both are positive.
  static Section rectangular(double height, double width);
  /// @throws std::invalid_argument unless the radius [m] is positive.
  static Section circular(double radius);

  /// ∫ y^p z^q dA, in closed form.
  double moment(int p, int q) const;
  double area() const { return moment(0, 0); }
  double I_y() const { return moment(0, 2); }  ///< ∫ z² dA [m⁴]: bending in the plane x z
  double I_z() const { return moment(2, 0); }  ///< ∫ y² dA [m⁴]: bending in the plane x y

  /// Saint-Venant's torsion constant J [m⁴]: π r⁴/2 of a disc; of a rectangle with sides a >= b
  ///   J = a b³/3 (1 - 192/π⁵ b/a Σ_{n odd} tanh(n π a / 2b) / n⁵)
  /// (S. P. Timoshenko, J. N. Goodier, Theory of Elasticity, § 109).
  double torsion_constant() const;

  /// Shear correction k of kGA for Poisson's ratio nu: 10 (1 + ν)/(12 + 11 ν) of a rectangle,
  /// 6 (1 + ν)/(7 + 6 ν) of a disc (G. R. Cowper, J. Appl. Mech. 33 (1966), 335-340).
  double shear_coefficient(double nu) const;

  /// A rule that is exact for polynomials in y and z up to degree 2 order - 1.
  std::vector<SectionPoint> points(int order) const;

 private:
  enum class Kind { rectangle, disc };
  Section(Kind kind, double height, double width) : kind_(kind), height_(height), width_(width) {}
  Kind kind_;
  double height_, width_;  ///< of a disc, both are its diameter
};

/// The sections of one element: the same everywhere, or a function of the place x/L. Centroids and
/// principal axes are those of the element's nodes in either case: a section that varies changes
/// its size, and where its points are, but neither the axis nor the directions.
class SectionAlong {
 public:
  SectionAlong(const Section& section) : at_([section](double) { return section; }) {}
  explicit SectionAlong(std::function<Section(double xi)> at) : at_(std::move(at)) {}
  Section operator()(double xi) const { return at_(xi); }

 private:
  std::function<Section(double)> at_;
};

}  // namespace tumble::beam
