// Centres of mass as maps of the unit cube: the same laws as those of exact draws. Seeds are fixed;
// thresholds are exceeded by chance once in a million choices of them.
#include "tumble/random/centre/centre_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "domain_samples.hpp"
#include "sample_statistics.hpp"
#include "tumble/random/domain/mesh_domain.hpp"
#include "tumble/random/domain/polytope_domain.hpp"
#include "tumble/random/law/map_error.hpp"

namespace tumble {
namespace {

/// Off the barycentre, towards a corner of the bounds.
CentreLaw tilted(const std::shared_ptr<const Domain>& domain, double part) {
  const Bounds bounds = domain->bounds();
  Vec3d away = 0.5 * (bounds.upper - bounds.lower);
  away.y = -away.y;
  return CentreLaw(domain, domain->barycentre() + part * away);
}

std::vector<Vec3d> mapped(const CentreMap& map, std::size_t count, std::uint64_t seed) {
  std::vector<Vec3d> points;
  for (std::size_t r = 0; r < count; ++r) {
    const Stream stream(seed, r, 3);
    points.push_back(map({stream.uniform(0), stream.uniform(1), stream.uniform(2)}));
  }
  return points;
}

/// sqrt(n m / (n + m)) times the distance of two samples; exceeds 2.69 with probability 1e-6.
double two_samples(std::vector<double> a, std::vector<double> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  double largest = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    a[i] < b[j] ? ++i : ++j;
    largest = std::max(largest, std::abs(static_cast<double>(i) / n - static_cast<double>(j) / m));
  }
  return std::sqrt(n * m / (n + m)) * largest;
}

void expect_law_of_draws(std::size_t n) {
  for (const auto& [name, domain, rule] : samples::sample_domains())
    for (const double part : {0.0, 0.15}) {
      const CentreLaw law = tilted(domain, part);
      const CentreMap map(law);
      EXPECT_LT(map.error(), 1e-6) << name;
      const std::vector<Vec3d> points = mapped(map, n, 41);
      std::vector<Vec3d> draws;
      for (std::size_t r = 0; r < n; ++r) {
        Draws stream(Stream(42, r, 0));
        draws.push_back(law.draw(stream));
      }
      for (const Vec3d& x : points) ASSERT_TRUE(domain->distance_to_hull(x) < 1e-9) << name;
      // Each coordinate, and each pair through its sum and difference.
      for (const Vec3d& c :
           {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}, Vec3d{1, 1, 0}, Vec3d{1, -1, 0},
            Vec3d{1, 0, 1}, Vec3d{1, 0, -1}, Vec3d{0, 1, 1}, Vec3d{0, 1, -1}}) {
        std::vector<double> a, b;
        for (const Vec3d& x : points) a.push_back(dot(c, x));
        for (const Vec3d& x : draws) b.push_back(dot(c, x));
        EXPECT_LT(two_samples(a, b), samples::kKolmogorovLimit) << name;
      }
      const Vec3d mean = samples::mean_of(points);
      for (int k = 0; k < 3; ++k) {
        const double deviation = std::sqrt(law.report().covariance(k, k));
        EXPECT_NEAR(mean[k], law.mean()[k], 4.9 * deviation / std::sqrt(n)) << name;
      }
    }
}

TEST(CentreMap, HasTheLawOfExactDraws) { expect_law_of_draws(3'000); }
TEST(CentreMapLong, HasTheLawOfExactDraws) { expect_law_of_draws(200'000); }

/// A mean 1 % of the size from a corner: nearly all mass is there.
TEST(CentreMap, HoldsForStrongTilts) {
  for (const auto& [name, domain, rule] : samples::sample_domains()) {
    if (!domain->is_convex()) continue;
    const Vec3d b = domain->barycentre();
    Vec3d far = b;
    for (const auto& point : rule)
      if (norm(point.x - b) > norm(far - b)) far = point.x;
    const CentreMap map(CentreLaw(domain, b + 0.97 * (far - b)));
    EXPECT_LT(map.error(), 1e-5) << name;
  }
}

/// In a tetrahedron with the corners 0, e_x, e_y, e_z: 1 - (1-x)^3, then 1 - (1 - y/(1-x))^2, then
/// uniform.
TEST(CentreMap, OfATetrahedronIsInClosedForm) {
  const auto domain = std::make_shared<PolytopeDomain>(
      std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  const CentreMap map(CentreLaw(domain, {0.25, 0.25, 0.25}));
  for (std::size_t n = 0; n < 50; ++n) {
    const auto u = even_point<3>(n);
    const double x = 1 - std::cbrt(1 - u[0]), y = (1 - x) * (1 - std::sqrt(1 - u[1]));
    const Vec3d point = map({u[0], u[1], u[2]});
    EXPECT_NEAR(point.x, x, 1e-9);
    EXPECT_NEAR(point.y, y, 1e-9);
    EXPECT_NEAR(point.z, u[2] * (1 - x - y), 1e-9);
  }
}

/// Each coordinate increases with its own number, also where it jumps.
TEST(CentreMap, IsMonotoneInAMeshThatIsNotConvex) {
  const auto domain = std::make_shared<MeshDomain>(samples::hollow_surface());
  EXPECT_FALSE(domain->is_convex());
  const CentreMap map(CentreLaw(domain, domain->barycentre()));
  for (int k = 0; k < 3; ++k) {
    double before = -1e300;
    for (double t = 0.005; t < 1; t += 0.01) {
      Vec3d u{0.45, 0.52, 0.48};
      u[k] = t;
      const double now = map(u)[k];
      EXPECT_GT(now, before);
      before = now;
    }
  }
}

TEST(CentreMap, AConvexMeshIsSeenAsSuch) {
  EXPECT_TRUE(MeshDomain(samples::box_surface({0, 0, 0}, {1, 2, 3})).is_convex());
}

/// A wrong density is seen: x^2 for a uniform number is off by integral |p - q| / 2 = 1/4 from
/// uniform, where the densities 1 and 1 / (2 sqrt(y)) cross at y = 1/4.
TEST(MapError, IsTheTotalVariation) {
  const auto map = [](const std::array<double, 1>& u) { return std::array{u[0] * u[0]}; };
  const auto uniform = [](const std::array<double, 1>&) { return 0.0; };
  EXPECT_NEAR((map_error<1>(map, uniform, 4000, 1e-4)), 0.25, 1e-3);
}

}  // namespace
}  // namespace tumble
