// A density on an interval, known at a few points of each of its panels, and its quantiles.
//
// In every panel the density is the polynomial of degree 9 through its values at the ten Gauss-
// Legendre points: their rule integrates it exactly. Panels should be so short that this is the
// density to rounding.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "tumble/random/law/gauss_legendre.hpp"

namespace tumble {

class PanelDensity {
 public:
  /// From `a` to `b`, to the right of all panels before it. `density` is positive.
  template <class F>
  void append(double a, double b, const F& density) {
    Panel panel{a, b, {}, 0};
    const double centre = 0.5 * (a + b), half = 0.5 * (b - a);
    for (std::size_t i = 0; i < panel.values.size(); ++i) {
      panel.values[i] = density(centre + half * gauss_legendre_10[i].place);
      panel.mass += half * gauss_legendre_10[i].weight * panel.values[i];
    }
    panels_.push_back(panel);
  }

  /// As many panels from `a` to `b` as the density needs for errors of about 1e-6 of `whole`, the
  /// mass that all panels have or more.
  template <class F>
  void append_resolved(double a, double b, const F& density, double whole, int halvings = 8) {
    append(a, b, density);
    if (halvings == 0 || is_resolved(panels_.back(), whole)) return;
    panels_.pop_back();
    const double middle = 0.5 * (a + b);
    append_resolved(a, middle, density, whole, halvings - 1);
    append_resolved(middle, b, density, whole, halvings - 1);
  }

  double mass() const;
  /// Where the fraction `below` of the mass lies to the left, for 0 < below <= 1/2.
  double lower_quantile(double below) const;
  /// Where the fraction `above` of the mass lies to the right, for 0 < above <= 1/2.
  double upper_quantile(double above) const;
  /// The point at the place u, 0 < u < 1, and the one at the normal score z.
  double at_place(double u) const { return u <= 0.5 ? lower_quantile(u) : upper_quantile(1 - u); }
  double at_score(double z) const;

 private:
  struct Panel {
    double a, b;
    std::array<double, 10> values;
    double mass;
  };

  /// Whether the last two coefficients of the polynomial are negligible.
  static bool is_resolved(const Panel& panel, double whole);

  std::vector<Panel> panels_;
};

/// Panels of exp(log_density) on the line, from where it is exp(-41) of its largest value on one
/// side to where it is so on the other. `centre` should be near the mode, and `scale` be a standard
/// deviation; where the density is narrower there, panels are as well.
template <class F>
PanelDensity panels_around(const F& log_density, double centre, double scale) {
  const double origin = log_density(centre), aside = 0.1 * scale;
  const double curvature =
      (2.0 * origin - log_density(centre + aside) - log_density(centre - aside)) / (aside * aside);
  if (curvature * scale * scale > 1.0) scale = 1.0 / std::sqrt(curvature);
  const double width = 2.0 * scale;
  const auto end = [&](double direction) {
    // Widths grow slowly, so that long tails do not take long.
    double s = centre, step = width, largest = origin;
    std::vector<double> edges;
    for (int k = 0; k < 400; ++k, step *= 1.05) {
      s += direction * step;
      edges.push_back(s);
      const double here = log_density(s);
      if (here > largest) largest = here;
      if (!(here > largest - 41.0)) break;
    }
    return edges;
  };
  const std::vector<double> left = end(-1.0), right = end(1.0);
  PanelDensity panels;
  const auto density = [&](double s) { return std::exp(log_density(s) - origin); };
  for (std::size_t k = left.size(); k-- > 0;)
    panels.append_resolved(left[k], k == 0 ? centre : left[k - 1], density, scale);
  for (std::size_t k = 0; k < right.size(); ++k)
    panels.append_resolved(k == 0 ? centre : right[k - 1], right[k], density, scale);
  return panels;
}

}  // namespace tumble
