// The law of the centre of mass: the paper's case, moment constraints on every domain, what is
// reported, and what is refused.
#include "tumble/random/centre/centre_law.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "domain_samples.hpp"

namespace tumble {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const BoxShape kPaperBox{{0.55, 0, 0.5}, {0.5, 0.2, 0.02}};
const Vec3d kPaperMean{0.6, 0, 0.5};

// Independent computation for case 3 of the paper: lambda_r = (-2.45987, 0, 0) and C0 = 469.82 in
// coordinates relative to the centre of the box. (The paper prints (-2.13, 0.77, -7.7) and 472 from
// its sampling.)
TEST(CentreLaw, OfThePaperHasTheReferenceValues) {
  const CentreLaw law(std::make_shared<BoxDomain>(kPaperBox), kPaperMean);
  const CentreLawReport& report = law.report();
  EXPECT_NEAR(report.lambda.x / -2.45987, 1, 1e-5);
  EXPECT_NEAR(report.lambda.y, 0, 1e-12);
  EXPECT_NEAR(report.lambda.z, 0, 1e-12);
  EXPECT_NEAR(report.c0_relative / 469.82, 1, 1e-5);
  EXPECT_LE(report.iterations, 6);
  EXPECT_EQ(report.acceptance, 1);
  EXPECT_THAT(report.warnings, IsEmpty());

  // coth(l a) - 1 / (l a) = -m / a, with a the half edge and m the mean from the centre.
  const double la = report.lambda.x * 0.25;
  EXPECT_NEAR(1 / std::tanh(la) - 1 / la, -0.05 / 0.25, 1e-15);
  // C0 = 1 / (0.2 * 0.02 * 2 sinh(l a) / l).
  EXPECT_NEAR(report.c0_relative, report.lambda.x / (0.004 * 2 * std::sinh(la)), 1e-10);
  EXPECT_NEAR(report.log_c0, report.log_c0_relative + report.lambda.x * 0.55, 1e-14);
  EXPECT_NEAR(std::exp(law.log_density({0.7, 0.05, 0.505})),
              std::exp(report.log_c0 - report.lambda.x * 0.7), 1e-10);
  EXPECT_EQ(law.log_density({0.9, 0, 0.5}), -INFINITY);
}

TEST(CentreLaw, IsUniformAboutTheBarycentre) {
  for (const auto& sample : samples::sample_domains()) {
    SCOPED_TRACE(sample.name);
    const CentreLaw law(sample.domain, sample.domain->barycentre());
    EXPECT_EQ(norm(law.report().lambda), 0);
    EXPECT_EQ(law.report().iterations, 0);
    EXPECT_NEAR(law.report().c0_relative * sample.domain->volume(), 1, 1e-13);
    EXPECT_NEAR(law.report().entropy, std::log(sample.domain->volume()), 1e-13);
  }
}

/// From the barycentre, `fraction` of the way to the surface of the hull in some direction.
Vec3d towards_surface(const Domain& domain, const Vec3d& direction, double fraction) {
  double inside = 0, outside = norm(domain.bounds().upper - domain.bounds().lower);
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (inside + outside);
    (domain.distance_to_hull(domain.barycentre() + middle * direction) < 0 ? inside : outside) =
        middle;
  }
  return domain.barycentre() + (fraction * inside) * direction;
}

// The mean is checked by quadrature where that is accurate, and otherwise by what the tests of the
// domains have proven.
TEST(CentreLaw, HasTheMeanOnEveryDomain) {
  for (const auto& [name, domain, rule] : samples::sample_domains())
    for (const Vec3d& direction :
         {Vec3d{1, 0, 0}, Vec3d{0.6, -0.64, 0.48}, Vec3d{-0.8, 0, -0.6}, Vec3d{0, 0.28, 0.96}})
      for (const double fraction : {1e-9, 1e-3, 0.1, 0.5, 0.8, 0.99, 0.99999}) {
        SCOPED_TRACE(name + " " + std::to_string(fraction));
        const Vec3d mean = towards_surface(*domain, direction, fraction);
        const CentreLaw law(domain, mean);
        const CentreLawReport& report = law.report();
        // Close to an oblique face lambda is large across it; its rounding moves the mean along it.
        const double size = norm(domain->bounds().upper - domain->bounds().lower);
        const double tolerance = 1e-14 + 4e-16 * norm(report.lambda) * size;
        EXPECT_LT(report.mean_error, tolerance);
        EXPECT_LT(tolerance, 1e-9);
        EXPECT_LE(report.iterations, 40);
        const TiltedMoments m = domain->tilted_moments(report.lambda);
        EXPECT_LT(norm(domain->barycentre() + m.mean - mean), tolerance * (size + norm(mean)));
        EXPECT_NEAR(report.log_c0_relative, -m.log_integral, 1e-15);
        if (fraction > 0.9) continue;
        double total = 0, entropy = 0;
        Vec3d first;
        for (const auto& p : rule) {
          const double log_p = law.log_density(p.x), w = p.weight * std::exp(log_p);
          total += w;
          first += w * p.x;
          entropy -= w * log_p;
        }
        EXPECT_NEAR(total, 1, 1e-9);
        EXPECT_LT(norm(first - mean), 1e-9);
        EXPECT_NEAR(entropy, report.entropy, 1e-9 * (1 + std::abs(entropy)));
      }
}

// lambda itself to 1e-12: of a box, where each component has an equation of its own.
TEST(CentreLaw, SolvesForLambdaToTwelveDigits) {
  for (const double fraction : {1e-9, 1e-4, 0.03, 0.4, 0.9, 0.999, 0.999999}) {
    const CentreLaw law(std::make_shared<BoxDomain>(BoxShape{{0, 0, 0}, {2, 4, 0.5}}),
                        {fraction, -2 * fraction, 0.1});
    // By bisection in extended precision on (1 + fraction) = difference from the far end.
    long double low = 0, high = 4e6L;
    for (int i = 0; i < 200; ++i) {
      const long double x = 0.5L * (low + high);
      // coth(x) - 1/x, as a series where the two would cancel.
      const long double langevin = x < 1e-3L ? x / 3 - x * x * x / 45 : 1 / std::tanh(x) - 1 / x;
      (langevin < static_cast<long double>(fraction) ? low : high) = x;
    }
    const auto expected = static_cast<double>(low);
    // Near the surface the mean, a double, determines lambda only to this.
    const double tolerance = 1e-12 + 2e-16 / (1 - fraction);
    EXPECT_NEAR(law.report().lambda.x / -expected, 1, tolerance) << fraction;
    EXPECT_NEAR(law.report().lambda.y / (0.5 * expected), 1, tolerance) << fraction;
  }
}

// The greatest entropy among laws with this mean: that of a mixture of two of the family is lower.
TEST(CentreLaw, HasMoreEntropyThanAMixtureWithTheSameMean) {
  for (const auto& [name, domain, rule] : samples::sample_domains()) {
    SCOPED_TRACE(name);
    const Vec3d mean = towards_surface(*domain, {0.6, -0.64, 0.48}, 0.4);
    const Vec3d shift = 0.2 * (mean - domain->barycentre());
    const CentreLaw law(domain, mean), a(domain, mean + shift), b(domain, mean - shift);
    double entropy = 0;
    for (const auto& p : rule) {
      const double density = 0.5 * (std::exp(a.log_density(p.x)) + std::exp(b.log_density(p.x)));
      entropy -= p.weight * density * std::log(density);
    }
    EXPECT_LT(entropy, law.report().entropy);
  }
}

std::string message_of(const std::shared_ptr<const Domain>& domain, const Vec3d& mean) {
  try {
    CentreLaw law(domain, mean);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CentreLaw, RefusesAMeanThatNoLawHas) {
  // The paper's text centres the box at (0, 0, 0.55).
  const auto printed = std::make_shared<BoxDomain>(BoxShape{{0, 0, 0.55}, {0.5, 0.2, 0.02}});
  EXPECT_THAT(message_of(printed, kPaperMean),
              HasSubstr("mean of the centre of mass = (0.6, 0, 0.5) lies 0.3522783 m outside the "
                        "convex hull of the domain (box within (-0.25, -0.1, 0.54) and (0.25, 0.1, "
                        "0.56)): no law on the domain has this mean"));
  const auto box = std::make_shared<BoxDomain>(kPaperBox);
  EXPECT_THAT(message_of(box, {0.8, 0, 0.5}),
              HasSubstr("lies on the surface of the convex hull of the domain (box within"));
  EXPECT_THAT(message_of(box, {0.6, NAN, 0.5}), HasSubstr("must have finite coordinates"));
  const auto l_shape = std::make_shared<MeshDomain>(samples::l_shape_surface());
  EXPECT_THAT(message_of(l_shape, {2, 0.5, 2}),
              HasSubstr("outside the convex hull of the domain ("
                        "mesh within (0, 0, 0) and (3, 1, 2.5))"));
}

TEST(CentreLaw, WarnsOfAMeanBetweenTheParts) {
  const auto l_shape = std::make_shared<MeshDomain>(samples::l_shape_surface());
  const CentreLaw law(l_shape, {1, 0.5, 0.9});
  ASSERT_EQ(law.report().warnings.size(), 1u);
  EXPECT_THAT(law.report().warnings[0],
              HasSubstr("mean of the centre of mass = (1, 0.5, 0.9) lies in the convex hull of the "
                        "mesh but not in the mesh itself"));
}

/// A bent sheet of thickness t between quarter circles of radius 1, of length 1: little of its
/// hull.
TriangleSurface thin_arch(double t) {
  TriangleSurface s;
  constexpr std::size_t n = 40;
  for (std::size_t i = 0; i <= n; ++i) {
    const double angle = std::numbers::pi * static_cast<double>(i) / n;
    for (const double r : {1.0, 1.0 + t})
      for (const double y : {0.0, 1.0})
        s.vertices.push_back({r * std::cos(angle), y, r * std::sin(angle)});
  }
  const auto quad = [&s](std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    s.triangles.push_back({a, b, c});
    s.triangles.push_back({a, c, d});
  };
  // Of each section: 0 inside front, 1 inside back, 2 outside front, 3 outside back.
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t p = 4 * i, q = p + 4;
    quad(p + 2, p + 3, q + 3, q + 2);
    quad(p, q, q + 1, p + 1);
    quad(p, p + 2, q + 2, q);
    quad(p + 1, q + 1, q + 3, p + 3);
  }
  quad(0, 1, 3, 2);
  quad(4 * n, 4 * n + 2, 4 * n + 3, 4 * n + 1);
  return s;
}

TEST(CentreLaw, WarnsOfSlowDrawing) {
  const auto arch = std::make_shared<MeshDomain>(thin_arch(1e-3));
  const CentreLaw law(arch, {0.1, 0.5, 0.6});
  ASSERT_EQ(law.report().warnings.size(), 2u);
  EXPECT_THAT(law.report().warnings[1], HasSubstr("of the points proposed are kept, because the "
                                                  "mesh fills so little of its convex hull"));
  EXPECT_LT(law.report().acceptance, 0.01);
  EXPECT_LT(law.report().mean_error, 1e-12);
  Draws draws(Stream(1, 0, 0));
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(arch->contains(law.draw(draws)));
}

}  // namespace
}  // namespace tumble
