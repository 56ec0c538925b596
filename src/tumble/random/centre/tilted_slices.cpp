#include "tumble/random/centre/tilted_slices.hpp"

#include <algorithm>
#include <cmath>

#include "tumble/random/centre/tilted_marginal.hpp"

namespace tumble {
namespace {

/// Of the exponent in a panel: there polynomials of degree 9 have errors of some 1e-9.
constexpr double most_exponent = 2.0;
/// A surface with more vertices has kinks so small that panels need not end at each.
constexpr std::size_t most_breaks = 300;
constexpr std::size_t most_buckets = 512;

/// Appends panels from a to b so short that an exponent of the slope `rate` stays small.
template <class F>
void append(PanelDensity& panels, double a, double b, double rate, const F& density) {
  const double count = std::ceil(std::max(1.0, rate * (b - a) / most_exponent));
  for (double k = 0; k < count; ++k)
    panels.append(a + (b - a) * (k / count), k + 1 == count ? b : a + (b - a) * ((k + 1) / count),
                  density);
}

std::vector<double> sorted_without_repetition(std::vector<double> values, double resolution) {
  std::sort(values.begin(), values.end());
  std::vector<double> kept;
  for (const double v : values)
    if (kept.empty() || v - kept.back() > resolution) kept.push_back(v);
  return kept;
}

/// The integral of exp(-rate z) from low to high.
double exponential_mass(double rate, double low, double high) {
  const double length = high - low, exponent = rate * length;
  if (exponent == 0) return length * std::exp(-rate * low);
  return std::exp(-rate * low) * -std::expm1(-exponent) / rate;
}

}  // namespace

/// What is cut out of the body at one x.
class TiltedSlices::Slice {
 public:
  Slice(std::vector<Edge> edges, const Vec3d& lambda) : edges_(std::move(edges)), lambda_(lambda) {
    std::vector<double> corners;
    double low = 0, high = 0, z_low = 0, z_high = 0;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      const Edge& e = edges_[i];
      corners.push_back(e.y0);
      low = i == 0 ? e.y0 : std::min(low, e.y0), high = i == 0 ? e.y0 : std::max(high, e.y0);
      z_low = i == 0 ? e.z0 : std::min(z_low, e.z0),
      z_high = i == 0 ? e.z0 : std::max(z_high, e.z0);
    }
    corners_ = sorted_without_repetition(std::move(corners), 1e-13 * (high - low));
    if (corners_.size() < 2) return;
    // The ends of an interval in z move with y, and the exponent with them.
    rate_ = std::abs(lambda_.y) + std::abs(lambda_.z) * (z_high - z_low) / (high - low);
    active_.resize(corners_.size() - 1);
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      const auto [first, last] = std::minmax(edges_[i].y0, edges_[i].y1);
      for (std::size_t k = panel_of(first); k < active_.size() && corners_[k] < last; ++k)
        active_[k].push_back(i);
    }
  }

  /// The density of y, times that of x.
  PanelDensity panels() const {
    PanelDensity panels;
    for (std::size_t k = 0; k < active_.size(); ++k)
      append(panels, corners_[k], corners_[k + 1], rate_, [&](double y) { return density(y, k); });
    return panels;
  }

  double z_at(double y, double u) const {
    const std::vector<Interval> list = intervals(y, panel_of(y));
    double total = 0;
    for (const Interval& i : list) total += i.mass;
    double wanted = u * total;
    for (std::size_t k = 0; k < list.size(); ++k) {
      const Interval& i = list[k];
      if (wanted < i.mass || k + 1 == list.size())
        return i.low + (i.high - i.low) *
                           truncated_exponential_quantile(lambda_.z * (i.high - i.low),
                                                          std::clamp(wanted / i.mass, 0.0, 1.0));
      wanted -= i.mass;
    }
    return edges_.empty() ? 0.0 : edges_[0].z0;
  }

 private:
  std::size_t panel_of(double y) const {
    const auto above = std::upper_bound(corners_.begin(), corners_.end(), y);
    const auto k = static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - corners_.begin(), 1));
    return std::min(k, active_.size()) - 1;
  }

  double density(double y, std::size_t panel) const {
    double sum = 0;
    for (const Interval& i : intervals(y, panel)) sum += i.mass;
    return sum * std::exp(-lambda_.y * y);
  }

  /// Where the line at y is inside: edges from below add to or take from the number of surfaces
  /// around a point.
  std::vector<Interval> intervals(double y, std::size_t panel) const {
    struct Crossing {
      double z;
      int turn;
    };
    std::vector<Crossing> crossings;
    for (const std::size_t i : active_[panel]) {
      const Edge& e = edges_[i];
      if ((e.y0 <= y) == (e.y1 <= y)) continue;
      crossings.push_back(
          {e.z0 + (e.z1 - e.z0) * ((y - e.y0) / (e.y1 - e.y0)), e.y1 > e.y0 ? 1 : -1});
    }
    std::stable_sort(crossings.begin(), crossings.end(),
                     [](const Crossing& a, const Crossing& b) { return a.z < b.z; });
    std::vector<Interval> list;
    int around = 0;
    double low = 0;
    for (const Crossing& c : crossings) {
      const int before = around;
      around += c.turn;
      if (before <= 0 && around > 0) low = c.z;
      if (before > 0 && around <= 0 && c.z > low)
        list.push_back({low, c.z, exponential_mass(lambda_.z, low, c.z)});
    }
    return list;
  }

  std::vector<Edge> edges_;
  Vec3d lambda_;
  std::vector<double> corners_;                   ///< their y, sorted
  std::vector<std::vector<std::size_t>> active_;  ///< edges over each panel between them
  double rate_ = 0;
};

TiltedSlices::TiltedSlices(const TriangleSurface& surface, const Vec3d& lambda)
    : surface_(surface), lambda_(lambda) {
  origin_ = *std::min_element(
      surface.vertices.begin(), surface.vertices.end(),
      [&](const Vec3d& a, const Vec3d& b) { return dot(lambda, a) < dot(lambda, b); });
  std::vector<double> breaks;
  for (Vec3d& v : surface_.vertices) {
    v = v - origin_;
    breaks.push_back(v.x);
  }
  const Bounds bounds = bounds_of(surface_.vertices);
  const Vec3d size = bounds.upper - bounds.lower;
  breaks = sorted_without_repetition(std::move(breaks), 1e-13 * size.x);
  if (breaks.size() > most_breaks) {
    std::vector<double> fewer;
    for (std::size_t k = 0; k <= most_breaks; ++k)
      fewer.push_back(breaks[k * (breaks.size() - 1) / most_breaks]);
    breaks = std::move(fewer);
  }

  left_ = bounds.lower.x;
  const std::size_t buckets = std::min(most_buckets, surface_.triangles.size());
  width_ = size.x / static_cast<double>(buckets);
  buckets_.resize(buckets);
  const auto bucket_of = [&](double x) {
    const double k = (x - left_) / width_;
    return std::min(static_cast<std::size_t>(std::max(k, 0.0)), buckets - 1);
  };
  for (std::size_t i = 0; i < surface_.triangles.size(); ++i) {
    const auto& t = surface_.triangles[i];
    const auto [low, high] = std::minmax(
        {surface_.vertices[t[0]].x, surface_.vertices[t[1]].x, surface_.vertices[t[2]].x});
    for (std::size_t k = bucket_of(low); k <= bucket_of(high); ++k) buckets_[k].push_back(i);
  }

  const double rate =
      std::abs(lambda.x) + (std::abs(lambda.y) * size.y + std::abs(lambda.z) * size.z) / size.x;
  for (std::size_t k = 0; k + 1 < breaks.size(); ++k)
    append(marginal_, breaks[k], breaks[k + 1], rate,
           [&](double x) { return slice_at(x).panels().mass() * std::exp(-lambda_.x * x); });
}

// A triangle whose corners lie on both sides of the plane is cut along a segment. Counter-clockwise
// for who looks from outside, one of its edges leads up across the plane and one down: from the
// first cut to the second, the outside is always on the same hand.
TiltedSlices::Slice TiltedSlices::slice_at(double x) const {
  const auto k = static_cast<std::size_t>(std::max((x - left_) / width_, 0.0));
  std::vector<Edge> edges;
  for (const std::size_t i : buckets_[std::min(k, buckets_.size() - 1)]) {
    const auto& t = surface_.triangles[i];
    double up[2] = {0, 0}, down[2] = {0, 0};
    bool cut = false;
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t from = t[c], to = t[(c + 1) % 3];
      const Vec3d &a = surface_.vertices[from], &b = surface_.vertices[to];
      if ((a.x > x) == (b.x > x)) continue;
      cut = true;
      // From the lower to the higher corner, whichever way the triangle runs: neighbours must
      // agree.
      const Vec3d &p = a.x < b.x ? a : b, &q = a.x < b.x ? b : a;
      const double part = (x - p.x) / (q.x - p.x);
      double* end = b.x > x ? up : down;
      end[0] = p.y + part * (q.y - p.y);
      end[1] = p.z + part * (q.z - p.z);
    }
    if (cut) edges.push_back({down[0], down[1], up[0], up[1]});
  }
  return Slice(std::move(edges), lambda_);
}

Vec3d TiltedSlices::from_cube(const Vec3d& u) const {
  const double x = marginal_.at_place(u.x);
  const Slice slice = slice_at(x);
  const double y = slice.panels().at_place(u.y);
  return origin_ + Vec3d{x, y, slice.z_at(y, u.z)};
}

}  // namespace tumble
