// Independent draws of the centre of mass: inside, with the right mean and covariance, and with
// exact distributions of coordinates and probabilities of cells.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "domain_samples.hpp"
#include "sample_statistics.hpp"
#include "tabulated_distribution.hpp"
#include "tumble/random/centre/centre_law.hpp"
#include "tumble/random/stream/variable_id.hpp"

namespace tumble {
namespace {

using samples::chi_square;
using samples::chi_square_limit;
using samples::cube_chi_square;
using samples::kKolmogorovLimit;
using samples::kolmogorov;
using samples::Tabulated;

/// As a study draws: a stream for each realisation.
std::vector<Vec3d> draw(const CentreLaw& law, std::size_t count) {
  std::vector<Vec3d> points;
  points.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Draws draws(Stream(20270, i, variable_id("bodies.rb5.position")));
    points.push_back(law.draw(draws));
  }
  return points;
}

/// An off-centre mean: towards the corner of the bounds, three tenths of the way to the surface.
Vec3d some_mean(const Domain& domain) {
  const Bounds b = domain.bounds();
  Vec3d corner = b.upper;
  while (domain.distance_to_hull(corner) > 0)
    corner = domain.barycentre() + 0.9 * (corner - domain.barycentre());
  return domain.barycentre() + 0.3 * (corner - domain.barycentre());
}

// Mean within 4 standard errors (a false alarm in 16000), variances within 5 of theirs, from the
// fourth moment of the sample; covariances likewise.
void expect_moments(const CentreLaw& law, const std::vector<Vec3d>& points) {
  const auto n = static_cast<double>(points.size());
  const Vec3d mean = samples::mean_of(points);
  const Mat3d& covariance = law.report().covariance;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(mean[i], law.mean()[i], 4 * std::sqrt(covariance(i, i) / n));
    for (int j = 0; j <= i; ++j) {
      double sum = 0, squares = 0;
      for (const Vec3d& p : points) {
        const double product = (p[i] - law.mean()[i]) * (p[j] - law.mean()[j]);
        sum += product, squares += product * product;
      }
      const double average = sum / n, error = std::sqrt((squares / n - average * average) / n);
      EXPECT_NEAR(average, covariance(i, j), 5 * error);
    }
  }
}

void expect_inside_with_moments(std::size_t count) {
  for (const auto& [name, domain, rule] : samples::sample_domains())
    for (const Vec3d& mean : {domain->barycentre(), some_mean(*domain)}) {
      SCOPED_TRACE(name);
      const CentreLaw law(domain, mean);
      const auto points = draw(law, count);
      std::size_t outside = 0;
      for (const Vec3d& p : points) outside += !domain->contains(p);
      EXPECT_EQ(outside, 0u);
      expect_moments(law, points);
    }
}

TEST(CentreDraws, AreInsideWithTheRightMoments) { expect_inside_with_moments(50'000); }
TEST(CentreDrawsLong, AreInsideWithTheRightMoments) { expect_inside_with_moments(1'000'000); }

/// Distribution function of exp(-s u) on (0, 1).
double truncated_exponential(double s, double u) {
  return s == 0 ? u : std::expm1(-s * u) / std::expm1(-s);
}

// In the axes of the box the three coordinates are independent truncated exponentials. The paper's
// box, and an oblique one with a mean near a corner.
void expect_box_law(std::size_t count) {
  const BoxShape paper{{0.55, 0, 0.5}, {0.5, 0.2, 0.02}};
  const BoxShape oblique{{1, 2, 3}, {1, 2, 0.5}, samples::oblique_axes()};
  const Vec3d near_corner = oblique.centre + oblique.orientation * Vec3d{0.45, -0.6, 0.2};
  for (const auto& [shape, mean] : {std::pair{paper, Vec3d{0.6, 0, 0.5}}, {oblique, near_corner}}) {
    const CentreLaw law(std::make_shared<BoxDomain>(shape), mean);
    const Vec3d slope = transpose_times(shape.orientation, law.report().lambda);
    std::vector<Vec3d> uniform;
    for (const Vec3d& x : draw(law, count)) {
      const Vec3d local = transpose_times(shape.orientation, x - shape.centre);
      Vec3d u;
      for (int i = 0; i < 3; ++i)
        u[i] = truncated_exponential(slope[i] * shape.edges[i], local[i] / shape.edges[i] + 0.5);
      uniform.push_back(u);
    }
    for (int i = 0; i < 3; ++i) {
      std::vector<double> u;
      for (const Vec3d& p : uniform) u.push_back(p[i]);
      EXPECT_LT(kolmogorov(u), kKolmogorovLimit);
    }
    EXPECT_LT(cube_chi_square(uniform, 6), chi_square_limit(216));
  }
}

TEST(CentreDraws, InABoxAreTruncatedExponentials) { expect_box_law(100'000); }
TEST(CentreDrawsLong, InABoxAreTruncatedExponentials) { expect_box_law(1'000'000); }

// Along lambda the marginal by quadrature; across it, uniform in angle and in squared radius.
void expect_ellipsoid_law(std::size_t count) {
  const EllipsoidShape shape{{0.2, 0.1, 3}, {0.5, 1.2, 0.3}, samples::oblique_axes()};
  for (const Vec3d& offset : {Vec3d{0, 0, 0}, Vec3d{0.1, 0.3, -0.05}, Vec3d{0.25, -0.7, 0.1}}) {
    const CentreLaw law(std::make_shared<EllipsoidDomain>(shape),
                        shape.centre + shape.orientation * offset);
    const auto to_ball = [&](const Vec3d& x) {
      const Vec3d local = transpose_times(shape.orientation, x - shape.centre);
      return Vec3d{local.x / shape.semi_axes.x, local.y / shape.semi_axes.y,
                   local.z / shape.semi_axes.z};
    };
    const Vec3d l = transpose_times(shape.orientation, law.report().lambda);
    const Vec3d n{-l.x * shape.semi_axes.x, -l.y * shape.semi_axes.y, -l.z * shape.semi_axes.z};
    const double k = norm(n);
    const ShapeFrame frame = frame_along({}, k > 0 ? n : Vec3d{1, 1, 1});
    const Tabulated distribution([k](double z) { return (1 - z * z) * std::exp(k * (z - 1)); });
    std::vector<Vec3d> uniform;
    std::vector<double> along;
    for (const Vec3d& x : draw(law, count)) {
      const Vec3d y = frame.to_local(to_ball(x));
      along.push_back(distribution(y.z));
      uniform.push_back({along.back(), (y.x * y.x + y.y * y.y) / (1 - y.z * y.z),
                         std::atan2(y.y, y.x) / (2 * std::numbers::pi) + 0.5});
    }
    EXPECT_LT(kolmogorov(along), kKolmogorovLimit);
    EXPECT_LT(cube_chi_square(uniform, 6), chi_square_limit(216));
  }
}

TEST(CentreDraws, InAnEllipsoidFollowTheirMarginals) { expect_ellipsoid_law(50'000); }
TEST(CentreDrawsLong, InAnEllipsoidFollowTheirMarginals) { expect_ellipsoid_law(1'000'000); }

// Along the axis a truncated exponential; in the disk, the marginal along lambda by quadrature and
// a uniform position on the chord across. Both ways of drawing the disk, by the last two means.
void expect_cylinder_law(std::size_t count) {
  const CylinderShape shape{{-1, 0.5, 0}, 0.4, 1.8, {1, 2, -1}};
  const ShapeFrame frame = frame_along(shape.centre, shape.axis);
  for (const Vec3d& offset : {Vec3d{0, 0, 0}, Vec3d{0.05, -0.05, 0.3}, Vec3d{-0.3, 0.1, -0.5}}) {
    const CentreLaw law(std::make_shared<CylinderDomain>(shape), frame.to_space(offset));
    const Vec3d l = transpose_times(frame.axes, law.report().lambda);
    const double k = shape.radius * std::hypot(l.x, l.y), across = std::hypot(l.x, l.y);
    const Vec3d direction = k > 0 ? Vec3d{-l.x / across, -l.y / across, 0} : Vec3d{1, 0, 0};
    const Tabulated distribution(
        [k](double x) { return std::sqrt(std::max(1 - x * x, 0.0)) * std::exp(k * (x - 1)); });
    std::vector<Vec3d> uniform;
    std::vector<double> along, in_disk;
    for (const Vec3d& point : draw(law, count)) {
      const Vec3d y = frame.to_local(point);
      const double x = (y.x * direction.x + y.y * direction.y) / shape.radius;
      const double chord = (y.y * direction.x - y.x * direction.y) / shape.radius;
      along.push_back(truncated_exponential(l.z * shape.length, y.z / shape.length + 0.5));
      in_disk.push_back(distribution(x));
      uniform.push_back({along.back(), in_disk.back(), 0.5 + 0.5 * chord / std::sqrt(1 - x * x)});
    }
    EXPECT_LT(kolmogorov(along), kKolmogorovLimit);
    EXPECT_LT(kolmogorov(in_disk), kKolmogorovLimit);
    EXPECT_LT(cube_chi_square(uniform, 6), chi_square_limit(216));
  }
}

TEST(CentreDraws, InACylinderFollowTheirMarginals) { expect_cylinder_law(100'000); }
TEST(CentreDrawsLong, InACylinderFollowTheirMarginals) { expect_cylinder_law(1'000'000); }

// Cells of a grid in a polytope are polytopes too, and their probabilities exact integrals. The
// means make both kinds of proposals in the tetrahedra do the work.
void expect_polytope_law(std::size_t count) {
  const auto v = samples::bipyramid_vertices();
  const auto domain = std::make_shared<PolytopeDomain>(v);
  std::vector<HalfSpace> sides;
  const TriangleSurface& surface = domain->surface();
  for (const auto& t : surface.triangles) {
    const Vec3d a = surface.vertices[t[0]];
    const Vec3d normal = cross(surface.vertices[t[1]] - a, surface.vertices[t[2]] - a);
    sides.push_back({normal, dot(normal, a)});
  }
  const std::size_t n = 5;
  const Bounds b = domain->bounds();
  const auto edge = [&](int axis, std::size_t i) {
    return b.lower[axis] + (b.upper[axis] - b.lower[axis]) * static_cast<double>(i) / n;
  };
  for (const Vec3d& mean :
       {domain->barycentre(), some_mean(*domain), 0.1 * domain->barycentre() + 0.9 * v[1]}) {
    const CentreLaw law(domain, mean);
    const Vec3d& lambda = law.report().lambda;
    std::vector<double> probabilities(n * n * n);
    double sum = 0;
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
      const std::array<std::size_t, 3> index{i / (n * n), i / n % n, i % n};
      std::vector<HalfSpace> cell = sides;
      for (int axis = 0; axis < 3; ++axis) {
        Vec3d normal;
        normal[axis] = 1;
        const std::size_t k = index[static_cast<std::size_t>(axis)];
        cell.push_back({normal, edge(axis, k + 1)});
        cell.push_back({-normal, -edge(axis, k)});
      }
      try {
        const PolytopeDomain part(cell);
        probabilities[i] = std::exp(part.tilted_moments(lambda).log_integral -
                                    dot(lambda, part.barycentre() - domain->barycentre()) +
                                    law.report().log_c0_relative);
      } catch (const std::invalid_argument&) {
        // The cell lies outside.
      }
      sum += probabilities[i];
    }
    EXPECT_NEAR(sum, 1, 1e-10);
    const auto points = draw(law, count);
    const auto n_points = static_cast<double>(count);
    std::vector<double> counts(probabilities.size());
    const auto cell_of = [&](double x, int axis) {
      const double u = (x - b.lower[axis]) / (b.upper[axis] - b.lower[axis]);
      return std::min(static_cast<std::size_t>(u * static_cast<double>(n)), n - 1);
    };
    for (const Vec3d& p : points)
      ++counts[(cell_of(p.x, 0) * n + cell_of(p.y, 1)) * n + cell_of(p.z, 2)];
    // Cells with few expected points are put together: chi-square wants some in each.
    std::vector<double> kept{0}, kept_probabilities{0};
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (n_points * probabilities[i] < 20) {
        kept[0] += counts[i], kept_probabilities[0] += probabilities[i];
      } else {
        kept.push_back(counts[i]), kept_probabilities.push_back(probabilities[i]);
      }
    }
    EXPECT_LT(chi_square(kept, kept_probabilities, n_points), chi_square_limit(kept.size()));
    EXPECT_GT(kept.size(), 8u);
  }
}

TEST(CentreDraws, InAPolytopeFillItsCells) { expect_polytope_law(100'000); }
TEST(CentreDrawsLong, InAPolytopeFillItsCells) { expect_polytope_law(1'000'000); }

// In the L of two boxes: which box, and where in it, has exact probabilities.
void expect_mesh_law(std::size_t count) {
  const auto domain = std::make_shared<MeshDomain>(samples::l_shape_surface());
  const auto boxes = samples::l_shape_boxes();
  for (const Vec3d& mean : {domain->barycentre(), Vec3d{0.7, 0.6, 0.5}, Vec3d{0.3, 0.2, 1.8}}) {
    const CentreLaw law(domain, mean);
    const Vec3d& lambda = law.report().lambda;
    std::array<double, 2> share{};
    for (std::size_t i = 0; i < 2; ++i)
      share[i] = std::exp(BoxDomain(boxes[i]).tilted_moments(lambda).log_integral -
                          dot(lambda, boxes[i].centre - domain->barycentre()) +
                          law.report().log_c0_relative);
    EXPECT_NEAR(share[0] + share[1], 1, 1e-13);
    const auto points = draw(law, count);
    std::array<std::vector<Vec3d>, 2> uniform;
    for (const Vec3d& p : points) {
      const std::size_t i = p.z < 0.5 ? 0 : 1;
      Vec3d u;
      for (int k = 0; k < 3; ++k)
        u[k] = truncated_exponential(lambda[k] * boxes[i].edges[k],
                                     (p[k] - boxes[i].centre[k]) / boxes[i].edges[k] + 0.5);
      uniform[i].push_back(u);
    }
    const auto n = static_cast<double>(points.size());
    EXPECT_NEAR(static_cast<double>(uniform[0].size()), n * share[0],
                5 * std::sqrt(n * share[0] * share[1]));
    for (const auto& part : uniform) EXPECT_LT(cube_chi_square(part, 5), chi_square_limit(125));
  }
}

TEST(CentreDraws, InAMeshFillItsParts) { expect_mesh_law(100'000); }
TEST(CentreDrawsLong, InAMeshFillItsParts) { expect_mesh_law(1'000'000); }

TEST(CentreDraws, AreAcceptedAtTheRatesOfTheory) {
  // Uniform in the mesh of an L: proposals are uniform points of tetrahedra of its hull, each
  // accepted there (lambda = 0), and in the mesh with the ratio of volumes.
  const MeshDomain l_shape(samples::l_shape_surface());
  const double hull = enclosed_volume(ConvexHull(l_shape.surface().vertices).surface()).volume;
  EXPECT_NEAR(l_shape.sampler({})->acceptance(), l_shape.volume() / hull, 1e-12);
  EXPECT_DOUBLE_EQ(BoxDomain({{0, 0, 0}, {1, 1, 1}}).sampler({1, 2, 3})->acceptance(), 1);
  EXPECT_DOUBLE_EQ(EllipsoidDomain(BallShape{{0, 0, 0}, 1}).sampler({1, 2, 3})->acceptance(), 1);
  // In the disk of a cylinder: at worst 46 %.
  const CylinderDomain cylinder({{0, 0, 0}, 1, 1});
  double least = 1;
  for (double k = 0; k < 10; k += 0.02)
    least = std::min(least, cylinder.sampler({k, 0, 1})->acceptance());
  EXPECT_GT(least, 0.46);
  EXPECT_NEAR(cylinder.sampler({0, 0, 5})->acceptance(), 1, 1e-14);
  EXPECT_NEAR(cylinder.sampler({1e4, 0, 5})->acceptance(), 1, 1e-3);
  // In tetrahedra: at least one in six.
  const PolytopeDomain polytope(samples::bipyramid_vertices());
  for (const double slope : {0.0, 1.0, 3.0, 10.0, 30.0, 100.0, 1e4})
    EXPECT_GT(polytope.sampler(slope * Vec3d{0.3, 0.5, -0.8})->acceptance(), 1.0 / 6);
}

/// How many numbers of its stream a draw uses: the next one tells.
std::size_t numbers_used(const TiltedSampler& sampler, const Stream& stream) {
  Draws draws(stream);
  sampler.draw(draws);
  const double next = draws.uniform();
  std::size_t n = 0;
  while (stream.uniform(n) != next) ++n;
  return n;
}

// Proposals are counted by the numbers they take. Their number is geometric, with the deviation
// sqrt(1 - rate) / rate; the average of 20000 must be within 5 standard errors (6e-7).
TEST(CentreDraws, AreAcceptedAtTheRateReported) {
  struct Case {
    std::unique_ptr<const TiltedSampler> sampler;
    double once, per_proposal;  ///< numbers taken
  };
  const CylinderDomain cylinder({{0, 0, 0}, 1, 1});
  const PolytopeDomain polytope(samples::bipyramid_vertices());
  std::vector<Case> cases;
  cases.push_back({cylinder.sampler({0.6, 0, 1}), 1, 3});      // points of the disk
  cases.push_back({cylinder.sampler({0, 15.0, 1}), 2, 4});     // gamma variables
  cases.push_back({polytope.sampler({-2, 1, 8}), 1, 3});       // exponential variables
  cases.push_back({polytope.sampler({0.2, 0.1, 0.3}), 1, 4});  // points of the simplex
  for (const auto& [sampler, once, per_proposal] : cases) {
    double proposals = 0;
    const int count = 20'000;
    for (std::uint64_t i = 0; i < count; ++i)
      proposals +=
          (static_cast<double>(numbers_used(*sampler, Stream(40, i, 1))) - once) / per_proposal;
    const double rate = sampler->acceptance();
    EXPECT_LT(rate, 0.99);
    EXPECT_NEAR(proposals / count, 1 / rate, 5 * std::sqrt((1 - rate) / count) / rate);
  }
  // In a tilted mesh: which draws of its hull are in the mesh.
  const MeshDomain l_shape(samples::l_shape_surface());
  const PolytopeDomain hull(l_shape.surface().vertices);
  const Vec3d lambda{0.4, 0.2, -0.5};
  const auto from_hull = hull.sampler(lambda);
  const double rate = l_shape.sampler(lambda)->acceptance() / from_hull->acceptance();
  const int count = 20'000;
  double inside = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Draws draws(Stream(41, i, 1));
    inside += l_shape.contains(from_hull->draw(draws)) ? 1 : 0;
  }
  EXPECT_NEAR(inside / count, rate, 5 * std::sqrt(rate * (1 - rate) / count));
}

// A hundred realisations, forwards and backwards: the same points.
TEST(CentreDraws, DependOnTheirStreamAlone) {
  for (const auto& [name, domain, rule] : samples::sample_domains()) {
    const CentreLaw law(domain, some_mean(*domain)), again(domain, some_mean(*domain));
    const auto points = draw(law, 100);
    for (std::size_t i = 100; i-- > 0;) {
      Draws draws(Stream(20270, i, variable_id("bodies.rb5.position")));
      EXPECT_EQ(norm(again.draw(draws) - points[i]), 0);
    }
  }
}

// Boxes, balls and ellipsoids: the map of the unit cube is what draw() uses.
TEST(CentreDraws, HaveACubeMapWhereItIsExact) {
  const std::map<std::string, bool> expected{
      {"box", true},       {"ball", true},     {"ellipsoid", true}, {"cylinder", false},
      {"polytope", false}, {"l_shape", false}, {"hollow", false}};
  for (const auto& [name, domain, rule] : samples::sample_domains()) {
    SCOPED_TRACE(name);
    const CentreLaw law(domain, some_mean(*domain));
    EXPECT_EQ(law.has_cube_map(), expected.at(name));
    if (!law.has_cube_map()) {
      EXPECT_THROW(law.from_cube({0.5, 0.5, 0.5}), std::logic_error);
      continue;
    }
    const Stream stream(1, 2, 3);
    Draws draws(stream);
    EXPECT_EQ(norm(law.draw(draws) -
                   law.from_cube({stream.uniform(0), stream.uniform(1), stream.uniform(2)})),
              0);
  }
}

}  // namespace
}  // namespace tumble
