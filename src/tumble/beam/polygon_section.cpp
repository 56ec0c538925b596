#include "tumble/beam/polygon_section.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>

#include "tumble/beam/gauss_points.hpp"

namespace tumble::beam {

namespace {

using Point = std::array<double, 2>;
using Triangle = std::array<std::size_t, 3>;

/// Twice the area to the left of the way from a over b to c.
double turn(const Point& a, const Point& b, const Point& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

double twice_area(const std::vector<Point>& corners) {
  double sum = 0;
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    sum += turn(corners[0], corners[i], corners[i + 1]);
  return sum;
}

bool within_box(const Point& a, const Point& b, const Point& p) {
  for (std::size_t k = 0; k < 2; ++k)
    if (p[k] < std::min(a[k], b[k]) || p[k] > std::max(a[k], b[k])) return false;
  return true;
}
bool touch(const Point& a, const Point& b, const Point& c, const Point& d) {
  const double c_side = turn(a, b, c), d_side = turn(a, b, d), a_side = turn(c, d, a),
               b_side = turn(c, d, b);
  const auto opposite = [](double x, double y) { return (x > 0 && y < 0) || (x < 0 && y > 0); };
  if (opposite(c_side, d_side) && opposite(a_side, b_side)) return true;
  return (c_side == 0 && within_box(a, b, c)) || (d_side == 0 && within_box(a, b, d)) ||
         (a_side == 0 && within_box(c, d, a)) || (b_side == 0 && within_box(c, d, b));
}

/// Calls f(y, z, weight) at the points of a rule on a triangle, exact up to degree 2 order - 2:
/// Gauss's in coordinates that collapse at the first corner.
template <class F>
void over_triangle(const Point& a, const Point& b, const Point& c, int order, F&& f) {
  const double area = 0.5 * turn(a, b, c);
  for (const GaussPoint& s : gauss_points(order))
    for (const GaussPoint& t : gauss_points(order)) {
      const double v = s.place * (1 - t.place), w = s.place * t.place;
      f(a[0] + v * (b[0] - a[0]) + w * (c[0] - a[0]), a[1] + v * (b[1] - a[1]) + w * (c[1] - a[1]),
        2 * area * s.place * s.weight * t.weight);
    }
}

/// Of a counterclockwise polygon, by cutting off the ear with the widest smallest angle.
std::vector<Triangle> triangulate(const std::vector<Point>& p) {
  std::vector<std::size_t> left(p.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
  std::vector<Triangle> triangles;
  while (left.size() > 3) {
    const std::size_t n = left.size();
    std::size_t best = n;
    double widest = -1;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t a = left[(i + n - 1) % n], b = left[i], c = left[(i + 1) % n];
      const double area = turn(p[a], p[b], p[c]);
      if (!(area > 0)) continue;
      const bool empty = std::ranges::none_of(left, [&](std::size_t q) {
        return q != a && q != b && q != c && turn(p[a], p[b], p[q]) >= 0 &&
               turn(p[b], p[c], p[q]) >= 0 && turn(p[c], p[a], p[q]) >= 0;
      });
      if (!empty) continue;
      double longest = 0;  // squared; area by it is least where an angle is small
      for (const auto& [k, l] : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}})
        longest = std::max(longest, (p[k][0] - p[l][0]) * (p[k][0] - p[l][0]) +
                                        (p[k][1] - p[l][1]) * (p[k][1] - p[l][1]));
      if (area / longest > widest) widest = area / longest, best = i;
    }
    if (best == n)  // three corners on a line are all that is left of what has an area
      throw std::invalid_argument("the corners of a polygon are too close to a line");
    triangles.push_back({left[(best + n - 1) % n], left[best], left[(best + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
  if (turn(p[left[0]], p[left[1]], p[left[2]]) > 0)
    triangles.push_back({left[0], left[1], left[2]});
  return triangles;
}

/// Triangles of six nodes: corners, then the middles of the sides after each.
class Mesh {
 public:
  Mesh(const std::vector<Point>& corners, int fineness) : nodes_(corners) {
    std::vector<Triangle> triangles = triangulate(corners);
    while (static_cast<int>(triangles.size()) < fineness) {
      std::vector<Triangle> finer;
      for (const Triangle& t : triangles) {
        const std::size_t m[3] = {middle(t[0], t[1]), middle(t[1], t[2]), middle(t[2], t[0])};
        finer.insert(finer.end(), {Triangle{t[0], m[0], m[2]}, Triangle{t[1], m[1], m[0]},
                                   Triangle{t[2], m[2], m[1]}, Triangle{m[0], m[1], m[2]}});
      }
      triangles = std::move(finer);
    }
    for (const Triangle& t : triangles)
      elements_.push_back(
          {t[0], t[1], t[2], middle(t[0], t[1]), middle(t[1], t[2]), middle(t[2], t[0])});
  }

  std::size_t size() const { return nodes_.size(); }
  /// Of each node, whether it lies on the outline: on a side that belongs to one triangle alone.
  std::vector<bool> outline() const {
    std::map<std::size_t, int> uses;  // of the middles of sides
    for (const auto& e : elements_)
      for (std::size_t i = 3; i < 6; ++i) ++uses[e[i]];
    std::vector<bool> on(nodes_.size(), false);
    for (const auto& e : elements_)
      for (std::size_t i = 0; i < 3; ++i)
        if (uses.at(e[3 + i]) == 1) on[e[i]] = on[e[3 + i]] = on[e[(i + 1) % 3]] = true;
    return on;
  }

  struct Values {
    Point at;
    double weight;
    std::array<double, 6> shape, by_y, by_z;
  };
  /// Calls f(nodes, values) at every point of a rule exact up to degree 4.
  template <class F>
  void for_each_point(F&& f) const {
    for (const auto& e : elements_) {
      const Point &a = nodes_[e[0]], &b = nodes_[e[1]], &c = nodes_[e[2]];
      const double J = turn(a, b, c);
      const double dy[3] = {(b[1] - c[1]) / J, (c[1] - a[1]) / J, (a[1] - b[1]) / J};
      const double dz[3] = {(c[0] - b[0]) / J, (a[0] - c[0]) / J, (b[0] - a[0]) / J};
      over_triangle(a, b, c, 3, [&](double y, double z, double weight) {
        const Point p{y, z};
        const double l[3] = {turn(b, c, p) / J, turn(c, a, p) / J, turn(a, b, p) / J};
        Values v{p, weight, {}, {}, {}};
        for (std::size_t i = 0; i < 3; ++i) {
          const std::size_t j = (i + 1) % 3;
          v.shape[i] = l[i] * (2 * l[i] - 1);
          v.by_y[i] = (4 * l[i] - 1) * dy[i];
          v.by_z[i] = (4 * l[i] - 1) * dz[i];
          v.shape[3 + i] = 4 * l[i] * l[j];
          v.by_y[3 + i] = 4 * (l[i] * dy[j] + l[j] * dy[i]);
          v.by_z[3 + i] = 4 * (l[i] * dz[j] + l[j] * dz[i]);
        }
        f(e, v);
      });
    }
  }

 private:
  std::size_t middle(std::size_t a, std::size_t b) {
    const auto [found, is_new] = middles_.try_emplace(std::minmax(a, b), nodes_.size());
    if (is_new)
      nodes_.push_back({0.5 * (nodes_[a][0] + nodes_[b][0]), 0.5 * (nodes_[a][1] + nodes_[b][1])});
    return found->second;
  }
  std::vector<Point> nodes_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> middles_;
  std::vector<std::array<std::size_t, 6>> elements_;
};

/// Solutions of ∫ ∇u·∇v = right side, zero at the first node: five of them, warping, and the
/// constant part and that with ν of the flexure along y and along z.
void solve_laplace(PolygonNumbers& s, int fineness) {
  const Mesh mesh(s.corners, fineness);
  const auto n = static_cast<Eigen::Index>(mesh.size());
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(n, 5);
  mesh.for_each_point([&](const auto& node, const Mesh::Values& v) {
    const double y = v.at[0], z = v.at[1];
    for (std::size_t i = 0; i < 6; ++i) {
      const auto row = static_cast<Eigen::Index>(node[i]);
      const double gy = v.by_y[i] * v.weight, gz = v.by_z[i] * v.weight, h = v.shape[i] * v.weight;
      right(row, 0) += z * gy - y * gz;
      right(row, 1) -= z * z * gy + 2 * y * z * gz + 2 * y * h;
      right(row, 2) -= 0.5 * (y * y - z * z) * gy + y * z * gz + 2 * y * h;
      right(row, 3) -= y * y * gz + 2 * y * z * gy + 2 * z * h;
      right(row, 4) -= 0.5 * (z * z - y * y) * gz + y * z * gy + 2 * z * h;
      for (std::size_t j = 0; j < 6; ++j)
        if (node[i] > 0 && node[j] > 0 && node[j] <= node[i])
          entries.emplace_back(row - 1, static_cast<Eigen::Index>(node[j]) - 1,
                               gy * v.by_y[j] + gz * v.by_z[j]);
    }
  });
  Eigen::SparseMatrix<double> matrix(n - 1, n - 1);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> factor(matrix);
  if (factor.info() != Eigen::Success)
    throw std::invalid_argument("the corners of a polygon make a section too thin to compute");
  Eigen::MatrixXd u = Eigen::MatrixXd::Zero(n, 5);
  u.bottomRows(n - 1) = factor.solve(right.bottomRows(n - 1));
  double mean = 0, square = 0, with_y = 0, with_z = 0, quartic = 0, dissipated = 0;
  double moment[4] = {};  // ∫ y χ, ∫ y χ', ∫ z χ, ∫ z χ'
  for (Eigen::Index i = 0; i < n; ++i) dissipated += u(i, 0) * right(i, 0);
  mesh.for_each_point([&](const auto& node, const Mesh::Values& v) {
    double value[5] = {};
    for (std::size_t i = 0; i < 6; ++i)
      for (Eigen::Index k = 0; k < 5; ++k)
        value[k] += v.shape[i] * u(static_cast<Eigen::Index>(node[i]), k);
    const double y = v.at[0], z = v.at[1];
    mean += v.weight * value[0];
    square += v.weight * value[0] * value[0];
    with_y += v.weight * y * value[0];
    with_z += v.weight * z * value[0];
    quartic += v.weight * y * y * z * z;
    for (int k = 0; k < 4; ++k) moment[k] += v.weight * (k < 2 ? y : z) * value[k + 1];
  });
  s.torsion = s.I_y + s.I_z - dissipated;
  s.warping = square - mean * mean / s.area - with_y * with_y / s.I_z - with_z * with_z / s.I_y;
  s.shear_centre = {-with_z / s.I_y, with_y / s.I_z};
  s.shear_y = {s.area, s.I_z, s.I_y, moment[0] + quartic, moment[1]};
  s.shear_z = {s.area, s.I_y, s.I_z, moment[2] + quartic, moment[3]};
}

/// J = 2 ∫ φ dA of Prandtl's stress function, -Δφ = 2 and φ = 0 on the outline: from below.
double torsion_by_stress(const PolygonNumbers& s, int fineness) {
  const Mesh mesh(s.corners, fineness);
  const std::vector<bool> outline = mesh.outline();
  std::vector<Eigen::Index> unknown(mesh.size(), -1);
  Eigen::Index n = 0;
  for (std::size_t i = 0; i < mesh.size(); ++i)
    if (!outline[i]) unknown[i] = n++;
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n);
  mesh.for_each_point([&](const auto& node, const Mesh::Values& v) {
    for (std::size_t i = 0; i < 6; ++i) {
      const Eigen::Index row = unknown[node[i]];
      if (row < 0) continue;
      right[row] += 2 * v.weight * v.shape[i];
      for (std::size_t j = 0; j < 6; ++j)
        if (const Eigen::Index column = unknown[node[j]]; column >= 0 && column <= row)
          entries.emplace_back(row, column,
                               v.weight * (v.by_y[i] * v.by_y[j] + v.by_z[i] * v.by_z[j]));
    }
  });
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> factor(matrix);
  const Eigen::VectorXd phi = factor.solve(right);
  double sum = 0;
  for (Eigen::Index i = 0; i < n; ++i) sum += phi[i] * right[i];
  return sum;
}

}  // namespace

double ShearIntegrals::coefficient(double nu) const {
  return 2 * (1 + nu) * along /
         (0.5 * nu * (across - along) - area / along * (constant + nu * poisson));
}

std::optional<std::string> polygon_fault(const std::vector<Point>& p) {
  if (p.size() < 3) return "must have three corners at least";
  if (p.size() > most_corners) return fmt::format("must have at most {} corners", most_corners);
  double size = 0;
  for (const Point& corner : p) {
    if (!std::isfinite(corner[0]) || !std::isfinite(corner[1])) return "must be finite";
    size = std::max({size, std::abs(corner[0] - p[0][0]), std::abs(corner[1] - p[0][1])});
  }
  const std::size_t n = p.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      const Point &a = p[i], &b = p[i + 1], &c = p[j], &d = p[(j + 1) % n];
      if (j == i + 1 || (i == 0 && j == n - 1)) {
        // Neighbours share a corner and nothing else.
        const Point &shared = j == i + 1 ? b : a, &other = j == i + 1 ? a : b,
                    &third = j == i + 1 ? d : c;
        if (a == b || c == d) return fmt::format("must not have corner {} twice", j);
        if (turn(other, shared, third) == 0 &&
            (other[0] - shared[0]) * (third[0] - shared[0]) +
                    (other[1] - shared[1]) * (third[1] - shared[1]) >
                0)
          return fmt::format("must not turn back on itself at corner {}", j);
        continue;
      }
      if (touch(a, b, c, d))
        return fmt::format(
            "must not touch or cross itself: the sides that begin at corners {} and "
            "{} do",
            i, j);
    }
  if (!(std::abs(twice_area(p)) > 1e-9 * size * size)) return "must have an area";
  return std::nullopt;
}

PolygonNumbers polygon_numbers(const std::vector<Point>& corners, bool principal, int fineness) {
  if (const auto fault = polygon_fault(corners))
    throw std::invalid_argument("the corners of a polygon " + *fault);
  PolygonNumbers s;
  s.corners = corners;
  if (twice_area(corners) < 0) std::reverse(s.corners.begin(), s.corners.end());
  // About the first corner, so that a section far from the origin loses no digits.
  const Point first = s.corners[0];
  for (Point& p : s.corners) p = {p[0] - first[0], p[1] - first[1]};
  const auto over = [&s](auto&& f) {
    double sum = 0;
    for (std::size_t i = 1; i + 1 < s.corners.size(); ++i)
      over_triangle(s.corners[0], s.corners[i], s.corners[i + 1], 2,
                    [&](double y, double z, double weight) { sum += weight * f(y, z); });
    return sum;
  };
  s.area = 0.5 * twice_area(s.corners);
  const Point centre{over([](double y, double) { return y; }) / s.area,
                     over([](double, double z) { return z; }) / s.area};
  for (Point& p : s.corners) p = {p[0] - centre[0], p[1] - centre[1]};
  s.centroid = {first[0] + centre[0], first[1] + centre[1]};
  const double yy = over([](double y, double) { return y * y; }),
               zz = over([](double, double z) { return z * z; }),
               yz = over([](double y, double z) { return y * z; });
  // Below rounding there is nothing to turn, and a square has no axes to turn to.
  if (principal && std::abs(yz) > 1e-9 * (yy + zz)) {
    const double quarter = 0.25 * std::numbers::pi;
    s.angle = yy == zz ? std::copysign(quarter, yz) : 0.5 * std::atan(2 * yz / (yy - zz));
    const double c = std::cos(s.angle), d = std::sin(s.angle);
    for (Point& p : s.corners) p = {c * p[0] + d * p[1], c * p[1] - d * p[0]};
  }
  s.I_z = over([](double y, double) { return y * y; });
  s.I_y = over([](double, double z) { return z * z; });
  solve_laplace(s, fineness);
  const double from_below = torsion_by_stress(s, fineness);
  s.torsion_error = 0.5 * (s.torsion - from_below);
  s.torsion = 0.5 * (s.torsion + from_below);
  return s;
}

std::shared_ptr<const PolygonNumbers> cached_polygon_numbers(const std::vector<Point>& corners,
                                                             bool principal) {
  struct Known {
    std::vector<Point> corners;
    bool principal = false;
    std::shared_ptr<const PolygonNumbers> numbers;
  };
  constexpr std::size_t most = 16;
  thread_local std::vector<Known> known;
  thread_local std::size_t oldest = 0;
  for (const Known& k : known)
    if (k.principal == principal && k.corners == corners) return k.numbers;
  Known made{corners, principal,
             std::make_shared<const PolygonNumbers>(polygon_numbers(corners, principal))};
  const auto numbers = made.numbers;
  if (known.size() < most) {
    known.push_back(std::move(made));
  } else {
    known[oldest] = std::move(made);
    oldest = (oldest + 1) % most;
  }
  return numbers;
}

std::vector<SectionPoint> polygon_points(const PolygonNumbers& polygon, int order) {
  std::vector<SectionPoint> out;
  const auto& p = polygon.corners;
  for (std::size_t i = 0; i < p.size(); ++i)
    over_triangle({0, 0}, p[i], p[(i + 1) % p.size()], order + 1,
                  [&out](double y, double z, double weight) {
                    out.push_back({y, z, weight});
                  });
  return out;
}

}  // namespace tumble::beam
