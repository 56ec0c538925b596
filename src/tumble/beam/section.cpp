#include "tumble/beam/section.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "tumble/beam/gauss_points.hpp"
#include "tumble/beam/polygon_section.hpp"
#include "tumble/math/special_functions.hpp"

namespace tumble::beam {

namespace {

constexpr double pi = std::numbers::pi;

void require_positive(const char* what, double value) {
  if (!(value > 0) || !std::isfinite(value))
    throw std::invalid_argument(
        fmt::format("{} of a section = {} m, must be positive and finite "
                    "because the section carries mass and stress",
                    what, value));
}

/// ∫ s^n ds over [-a, a].
double line_moment(int n, double a) { return n % 2 == 1 ? 0.0 : 2 * std::pow(a, n + 1) / (n + 1); }

}  // namespace

Section Section::rectangular(double height, double width) {
  require_positive("height", height);
  require_positive("width", width);
  return {Kind::rectangle, height, width};
}

Section Section::circular(double radius) {
  require_positive("radius", radius);
  return {Kind::disc, 2 * radius, 2 * radius};
}

Section Section::tube(double radius, double thickness) {
  require_positive("radius", radius);
  require_positive("thickness", thickness);
  if (!(thickness < radius))
    throw std::invalid_argument(fmt::format(
        "thickness of a tube = {} m, must be smaller than its radius, {} m", thickness, radius));
  Section section(Kind::tube, 2 * radius, 2 * radius);
  section.web_ = thickness;
  return section;
}

Section Section::i_beam(double height, double width, double web, double flange) {
  require_positive("height", height);
  require_positive("width", width);
  require_positive("web", web);
  require_positive("flange", flange);
  if (!(2 * flange < height && web < width))
    throw std::invalid_argument("an I must be higher than its two flanges and wider than its web");
  Section section(Kind::i_beam, height, width);
  section.web_ = web;
  section.flange_ = flange;
  return section;
}

Section Section::polygon(const std::vector<std::array<double, 2>>& corners, bool principal) {
  Section section(Kind::polygon, 0, 0);
  section.polygon_ = cached_polygon_numbers(corners, principal);
  return section;
}

Section Section::of_moments(double area, double I_y, double I_z) {
  require_positive("area", area);
  require_positive("second moment", I_y);
  require_positive("second moment", I_z);
  Section section(Kind::moments, 2 * std::sqrt(I_z / area), 2 * std::sqrt(I_y / area));
  section.flange_ = area;
  return section;
}

double Section::moment(int p, int q) const {
  if (p < 0 || q < 0) throw std::invalid_argument("exponents of a section's moment must be >= 0");
  if (kind_ == Kind::rectangle) return line_moment(p, 0.5 * height_) * line_moment(q, 0.5 * width_);
  if (kind_ != Kind::disc) {
    double sum = 0;
    for (const SectionPoint& point : points((p + q) / 2 + 1))
      sum += point.weight * std::pow(point.y, p) * std::pow(point.z, q);
    return sum;
  }
  if (p % 2 == 1 || q % 2 == 1) return 0.0;
  // In polar coordinates: ∫ r^(p+q+1) dr ∫ cos^p sin^q dφ, the latter twice a Beta function.
  const double a = 0.5 * (p + 1), b = 0.5 * (q + 1);
  const double angular = 2 * std::exp(log_gamma(a) + log_gamma(b) - log_gamma(a + b));
  return angular * std::pow(0.5 * height_, p + q + 2) / (p + q + 2);
}

double Section::torsion_constant() const {
  const double radius = 0.5 * height_;
  switch (kind_) {
    case Kind::disc:
      return 0.5 * pi * std::pow(radius, 4);
    case Kind::tube:
      return 0.5 * pi * (std::pow(radius, 4) - std::pow(radius - web_, 4));
    case Kind::i_beam:
      return (2 * width_ * std::pow(flange_, 3) + (height_ - flange_) * std::pow(web_, 3)) / 3;
    case Kind::polygon:
      return polygon_->torsion;
    case Kind::moments:
      throw std::logic_error("a section without a shape has no torsion constant");
    case Kind::rectangle:
      break;
  }
  const double a = std::max(height_, width_), b = std::min(height_, width_);
  double sum = 0;
  constexpr int terms = 399;  // the first left out is below 1e-13
  for (int n = terms; n >= 1; n -= 2) sum += std::tanh(n * pi * a / (2 * b)) / std::pow(n, 5);
  return a * b * b * b / 3 * (1 - 192 / std::pow(pi, 5) * b / a * sum);
}

double Section::warping_constant() const {
  if (kind_ == Kind::polygon) return polygon_->warping;
  if (kind_ != Kind::i_beam) return 0;
  const double between = height_ - flange_;
  return flange_ * between * between * std::pow(width_, 3) / 24;
}

namespace {

double rectangle_shear(double nu) { return 10 * (1 + nu) / (12 + 11 * nu); }

}  // namespace

double Section::shear_coefficient_y(double nu) const {
  switch (kind_) {
    case Kind::disc:
      return 6 * (1 + nu) / (7 + 6 * nu);
    case Kind::tube: {
      const double m = 1 - 2 * web_ / height_, s = (1 + m * m) * (1 + m * m);
      return 6 * (1 + nu) * s / ((7 + 6 * nu) * s + (20 + 12 * nu) * m * m);
    }
    case Kind::i_beam: {
      const double h = height_ - flange_, n = width_ / h, m = 2 * width_ * flange_ / (h * web_);
      const double m2 = m * m, m3 = m2 * m;
      return 10 * (1 + nu) * (1 + 3 * m) * (1 + 3 * m) /
             (12 + 72 * m + 150 * m2 + 90 * m3 + nu * (11 + 66 * m + 135 * m2 + 90 * m3) +
              30 * n * n * (m + m2) + 5 * nu * n * n * (8 * m + 9 * m2));
    }
    case Kind::polygon:
      return polygon_->shear_y.coefficient(nu);
    case Kind::moments:
      throw std::logic_error("a section without a shape has no shear coefficient");
    case Kind::rectangle:
      break;
  }
  return rectangle_shear(nu);
}

double Section::shear_coefficient_z(double nu) const {
  if (kind_ == Kind::polygon) return polygon_->shear_z.coefficient(nu);
  if (kind_ == Kind::i_beam) return 2 * width_ * flange_ / area() * rectangle_shear(nu);
  return shear_coefficient_y(nu);
}

std::vector<SectionPoint> Section::rectangle_points(double height, double width, double y,
                                                    int order) const {
  std::vector<SectionPoint> out;
  const auto rule = gauss_points(order);
  for (const auto& a : rule)
    for (const auto& b : rule)
      out.push_back({y + height * (a.place - 0.5), width * (b.place - 0.5),
                     height * width * a.weight * b.weight});
  return out;
}

std::vector<SectionPoint> Section::points(int order) const {
  std::vector<SectionPoint> out;
  if (kind_ == Kind::rectangle) return rectangle_points(height_, width_, 0, order);
  if (kind_ == Kind::polygon) return polygon_points(*polygon_, order);
  if (kind_ == Kind::i_beam) {
    const double arm = 0.5 * (height_ - flange_);
    for (const double y : {-arm, 0.0, arm}) {
      const bool web = y == 0;
      const auto part =
          rectangle_points(web ? height_ - 2 * flange_ : flange_, web ? web_ : width_, y, order);
      out.insert(out.end(), part.begin(), part.end());
    }
    return out;
  }
  if (kind_ == Kind::moments) {
    // Four points with the second moments asked for; there is nothing to integrate further.
    for (const double y : {-0.5, 0.5})
      for (const double z : {-0.5, 0.5}) out.push_back({y * height_, z * width_, 0.25 * flange_});
    return out;
  }
  // Gauss in r², because r dr = d(r²)/2 and odd powers vanish with the angle; equal angles are
  // exact for all harmonics below their number.
  const auto rule = gauss_points((order + 1) / 2);
  const int angles = 2 * order;
  const double radius = 0.5 * height_;
  if (kind_ == Kind::tube) {
    const double inner = (radius - web_) * (radius - web_), ring = radius * radius - inner;
    for (const auto& t : rule)
      for (int k = 0; k < angles; ++k) {
        const double r = std::sqrt(inner + ring * t.place), phi = 2 * pi * (k + 0.5) / angles;
        out.push_back({r * std::cos(phi), r * std::sin(phi), pi * ring * t.weight / angles});
      }
    return out;
  }
  for (const auto& t : rule)
    for (int k = 0; k < angles; ++k) {
      const double r = radius * std::sqrt(t.place), phi = 2 * pi * (k + 0.5) / angles;
      out.push_back(
          {r * std::cos(phi), r * std::sin(phi), pi * radius * radius * t.weight / angles});
    }
  return out;
}

}  // namespace tumble::beam
