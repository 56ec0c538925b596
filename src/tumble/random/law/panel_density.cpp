#include "tumble/random/law/panel_density.hpp"

#include <algorithm>

#include "tumble/random/law/normal_score.hpp"

namespace tumble {
namespace {

constexpr std::size_t points = gauss_legendre_10.size();

/// P_0 ... P_10 at x.
std::array<double, points + 1> legendre(double x) {
  std::array<double, points + 1> p{1.0, x};
  for (std::size_t k = 1; k < points; ++k) {
    const auto n = static_cast<double>(k);
    p[k + 1] = ((2 * n + 1) * x * p[k] - n * p[k - 1]) / (n + 1);
  }
  return p;
}

using Table = std::array<std::array<double, points>, points>;

/// Row j: (2 j + 1) / 2 times weight times P_j at the points, which make the coefficient of P_j.
const Table& projection() {
  static const Table table = [] {
    Table rows{};
    for (std::size_t i = 0; i < points; ++i) {
      const auto p = legendre(gauss_legendre_10[i].place);
      for (std::size_t j = 0; j < points; ++j)
        rows[j][i] = 0.5 * static_cast<double>(2 * j + 1) * gauss_legendre_10[i].weight * p[j];
    }
    return rows;
  }();
  return table;
}

/// The x in (-1, 1) below which `wanted` of the polynomial through `values` lies; its whole
/// integral is `total`. From P_j = (P_{j+1}' - P_{j-1}') / (2 j + 1), and steps of Newton kept
/// between bounds that close in.
double place_in_panel(const std::array<double, points>& values, double wanted, double total) {
  std::array<double, points> c{};
  for (std::size_t j = 0; j < points; ++j)
    for (std::size_t i = 0; i < points; ++i) c[j] += projection()[j][i] * values[i];
  double lower = -1, upper = 1, x = 2 * wanted / total - 1;
  for (int step = 0; step < 100; ++step) {
    const auto p = legendre(x);
    double below = c[0] * (x + 1), density = c[0];
    for (std::size_t j = 1; j < points; ++j) {
      below += c[j] * (p[j + 1] - p[j - 1]) / static_cast<double>(2 * j + 1);
      density += c[j] * p[j];
    }
    (below > wanted ? upper : lower) = x;
    double next = x - (below - wanted) / density;
    if (!(next > lower && next < upper)) next = 0.5 * (lower + upper);
    const double change = std::abs(next - x);
    x = next;
    if (change < 1e-15) break;
  }
  return x;
}

}  // namespace

bool PanelDensity::is_resolved(const Panel& panel, double whole) {
  double last = 0;
  for (const std::size_t j : {points - 2, points - 1}) {
    double c = 0;
    for (std::size_t i = 0; i < points; ++i) c += projection()[j][i] * panel.values[i];
    last += std::abs(c);
  }
  return last * (panel.b - panel.a) < 1e-5 * whole;
}

double PanelDensity::mass() const {
  double sum = 0;
  for (const Panel& panel : panels_) sum += panel.mass;
  return sum;
}

double PanelDensity::lower_quantile(double below) const {
  double wanted = below * mass();
  for (const Panel& panel : panels_) {
    const double half = 0.5 * (panel.b - panel.a);
    if (wanted < panel.mass)
      return 0.5 * (panel.a + panel.b) +
             half * place_in_panel(panel.values, wanted / half, panel.mass / half);
    wanted -= panel.mass;
  }
  return panels_.back().b;
}

double PanelDensity::upper_quantile(double above) const {
  double wanted = above * mass();
  for (std::size_t k = panels_.size(); k-- > 0;) {
    const Panel& panel = panels_[k];
    const double half = 0.5 * (panel.b - panel.a);
    if (wanted < panel.mass) {
      // Mirrored, so that a small mass above is not the difference of large ones.
      std::array<double, points> mirrored = panel.values;
      std::reverse(mirrored.begin(), mirrored.end());
      return 0.5 * (panel.a + panel.b) -
             half * place_in_panel(mirrored, wanted / half, panel.mass / half);
    }
    wanted -= panel.mass;
  }
  return panels_.front().a;
}

double PanelDensity::at_score(double z) const {
  return z <= 0 ? lower_quantile(standard_normal_cdf(z)) : upper_quantile(standard_normal_cdf(-z));
}

}  // namespace tumble
