#include "tumble/beam/section.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "tumble/beam/gauss_points.hpp"
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

double Section::moment(int p, int q) const {
  if (p < 0 || q < 0) throw std::invalid_argument("exponents of a section's moment must be >= 0");
  if (kind_ == Kind::rectangle) return line_moment(p, 0.5 * height_) * line_moment(q, 0.5 * width_);
  if (p % 2 == 1 || q % 2 == 1) return 0.0;
  // In polar coordinates: ∫ r^(p+q+1) dr ∫ cos^p sin^q dφ, the latter twice a Beta function.
  const double a = 0.5 * (p + 1), b = 0.5 * (q + 1);
  const double angular = 2 * std::exp(log_gamma(a) + log_gamma(b) - log_gamma(a + b));
  return angular * std::pow(0.5 * height_, p + q + 2) / (p + q + 2);
}

double Section::torsion_constant() const {
  if (kind_ == Kind::disc) return 0.5 * pi * std::pow(0.5 * height_, 4);
  const double a = std::max(height_, width_), b = std::min(height_, width_);
  double sum = 0;
  constexpr int terms = 399;  // the first left out is below 1e-13
  for (int n = terms; n >= 1; n -= 2) sum += std::tanh(n * pi * a / (2 * b)) / std::pow(n, 5);
  return a * b * b * b / 3 * (1 - 192 / std::pow(pi, 5) * b / a * sum);
}

double Section::shear_coefficient(double nu) const {
  return kind_ == Kind::disc ? 6 * (1 + nu) / (7 + 6 * nu) : 10 * (1 + nu) / (12 + 11 * nu);
}

std::vector<SectionPoint> Section::points(int order) const {
  std::vector<SectionPoint> out;
  if (kind_ == Kind::rectangle) {
    const auto rule = gauss_points(order);
    for (const auto& y : rule)
      for (const auto& z : rule)
        out.push_back({height_ * (y.place - 0.5), width_ * (z.place - 0.5),
                       height_ * width_ * y.weight * z.weight});
    return out;
  }
  // Gauss in r², because r dr = d(r²)/2 and odd powers vanish with the angle; equal angles are
  // exact for all harmonics below their number.
  const auto rule = gauss_points((order + 1) / 2);
  const int angles = 2 * order;
  const double radius = 0.5 * height_;
  for (const auto& t : rule)
    for (int k = 0; k < angles; ++k) {
      const double r = radius * std::sqrt(t.place), phi = 2 * pi * (k + 0.5) / angles;
      out.push_back(
          {r * std::cos(phi), r * std::sin(phi), pi * radius * radius * t.weight / angles});
    }
  return out;
}

}  // namespace tumble::beam
