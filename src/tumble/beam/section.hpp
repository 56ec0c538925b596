// Cross sections of beams: y and z are measured from the centroid along the principal axes.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace tumble::beam {

/// A point of a quadrature rule over the section.
struct SectionPoint {
  double y, z;    ///< [m]
  double weight;  ///< [m²]
};

struct PolygonNumbers;

/// A homogeneous section, or one that is only as heavy and as stiff as told. Second moments do not
/// couple its axes, on which the sparsity of a straight beam's mass matrix rests.
class Section {
 public:
  /// `height` along y, `width` along z [m]. @throws std::invalid_argument unless both are positive.
  static Section rectangular(double height, double width);
  /// @throws std::invalid_argument unless the radius [m] is positive.
  static Section circular(double radius);
  /// Outside `radius`, and `thickness` of the wall [m].
  /// @throws std::invalid_argument unless 0 < thickness < radius.
  static Section tube(double radius, double thickness);
  /// A web along y between two flanges along z [m], corners sharp.
  /// @throws std::invalid_argument unless all are positive, 2 flange < height and web < width.
  static Section i_beam(double height, double width, double web, double flange);
  /// By its corners (y, z) in either sense; turned to its principal axes where `principal`.
  /// @throws std::invalid_argument as polygon_numbers() does.
  static Section polygon(const std::vector<std::array<double, 2>>& corners, bool principal);
  /// Without a shape: area, second moments; no torsion and no shear, which ask for a shape.
  static Section of_moments(double area, double I_y, double I_z);

  /// ∫ y^p z^q dA: in closed form of rectangle and disc, else by a rule exact for this degree.
  double moment(int p, int q) const;
  double area() const { return moment(0, 0); }
  double I_y() const { return moment(0, 2); }  ///< ∫ z² dA [m⁴]: bending in the plane x z
  double I_z() const { return moment(2, 0); }  ///< ∫ y² dA [m⁴]: bending in the plane x y

  /// Saint-Venant's torsion constant J [m⁴]: π r⁴/2 of a disc; of a rectangle with sides a >= b
  ///   J = a b³/3 (1 - 192/π⁵ b/a Σ_{n odd} tanh(n π a / 2b) / n⁵)
  /// (S. P. Timoshenko, J. N. Goodier, Theory of Elasticity, § 109); of a tube, with its inner
  /// radius q, π (r⁴ - q⁴)/2; of an I the thin-walled sum of its walls, ⅓ Σ b t³, the web measured
  /// between the middles of the flanges; of a polygon, polygon_section.hpp.
  double torsion_constant() const;

  /// Warping constant I_ω [m⁶] of sections whose torsion it may stiffen noticeably where warping is
  /// held: t_f h² b³/24 of an I, h between the middles of its flanges; of a polygon. Else 0.
  double warping_constant() const;

  /// Shear corrections k of kGA along y and z for Poisson's ratio nu (G. R. Cowper, J. Appl. Mech.
  /// 33 (1966), 335-340): 10 (1 + ν)/(12 + 11 ν) of a rectangle, 6 (1 + ν)/(7 + 6 ν) of a disc, his
  /// formulas of a thick tube and along the web of a thin-walled I; across it the share of the
  /// flanges in the area times the correction of a rectangle. Of a polygon his integral.
  double shear_coefficient_y(double nu) const;
  double shear_coefficient_z(double nu) const;

  /// By how much the axes of a polygon are turned from those of its corners, about x, and where its
  /// centroid is among them; the corners in the axes of the section. Nothing for other shapes.
  const PolygonNumbers* polygon_numbers() const { return polygon_.get(); }

  /// A rule that is exact for polynomials in y and z up to degree 2 order - 1.
  std::vector<SectionPoint> points(int order) const;

 private:
  enum class Kind { rectangle, disc, tube, i_beam, polygon, moments };
  Section(Kind kind, double height, double width) : kind_(kind), height_(height), width_(width) {}
  std::vector<SectionPoint> rectangle_points(double height, double width, double y,
                                             int order) const;
  Kind kind_;
  double height_, width_;  ///< of a disc or tube, both are its diameter; of moments, twice radii
  double web_ = 0;         ///< thickness, of a tube that of its wall
  double flange_ = 0;      ///< of moments the area
  std::shared_ptr<const PolygonNumbers> polygon_;
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
