// The Metropolis-Hastings chain: it agrees with independent draws, its effective sample size says
// how well, and a longer chain begins like a shorter one.
#include "tumble/random/centre/centre_chain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "domain_samples.hpp"
#include "sample_statistics.hpp"
#include "tumble/random/law/effective_sample_size.hpp"

namespace tumble {
namespace {

using testing::HasSubstr;

double truncated_exponential(double s, double u) {
  return s == 0 ? u : std::expm1(-s * u) / std::expm1(-s);
}

// The paper's box and one with a mean near an edge. With 60 steps between them points are nearly
// independent (correlations below 0.002), and exact cell probabilities apply.
TEST(CentreChain, HasTheLawOfTheBox) {
  const BoxShape box{{0.55, 0, 0.5}, {0.5, 0.2, 0.02}};
  for (const Vec3d& mean : {Vec3d{0.6, 0, 0.5}, Vec3d{0.75, 0.06, 0.5}}) {
    const CentreLaw law(std::make_shared<BoxDomain>(box), mean);
    CentreChain chain(law, Stream(31, 0, 7), {.burn_in = 1000, .thinning = 60});
    chain.extend_to(20'000);
    std::vector<Vec3d> uniform;
    for (const Vec3d& x : chain.points()) {
      Vec3d u;
      for (int i = 0; i < 3; ++i)
        u[i] = truncated_exponential(law.report().lambda[i] * box.edges[i],
                                     (x[i] - box.centre[i]) / box.edges[i] + 0.5);
      uniform.push_back(u);
    }
    EXPECT_LT(samples::cube_chi_square(uniform, 5), samples::chi_square_limit(125));
    for (int i = 0; i < 3; ++i) {
      std::vector<double> u;
      for (const Vec3d& p : uniform) u.push_back(p[i]);
      EXPECT_LT(samples::kolmogorov(u), samples::kKolmogorovLimit);
    }
  }
}

/// Difference of the averages of a quantity over chain and independent draws, in standard errors;
/// that of the chain is from its effective sample size.
template <class Quantity>
double standardised_difference(const std::vector<Vec3d>& chain, const std::vector<Vec3d>& draws,
                               const Quantity& quantity) {
  const auto summary = [&](const std::vector<Vec3d>& points, bool correlated) {
    std::vector<double> values;
    for (const Vec3d& p : points) values.push_back(quantity(p));
    const auto n = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double square = 0;
    for (const double v : values) square += (v - mean) * (v - mean);
    const double size = correlated ? effective_sample_size(values) : n;
    return std::pair{mean, square / n / size};
  };
  const auto [a, a_error] = summary(chain, true);
  const auto [b, b_error] = summary(draws, false);
  return std::abs(a - b) / std::sqrt(a_error + b_error);
}

// Means, squares and products of coordinates within 5 standard errors (6e-7) on every domain. The
// error of an estimated standard error is some percent.
TEST(CentreChain, AgreesWithIndependentDraws) {
  for (const auto& [name, domain, rule] : samples::sample_domains()) {
    SCOPED_TRACE(name);
    const Vec3d b = domain->barycentre();
    const CentreLaw law(domain, b + 0.2 * (domain->bounds().upper - b));
    CentreChain chain(law, Stream(32, 0, 7));
    chain.extend_to(20'000);
    std::vector<Vec3d> draws;
    for (std::size_t i = 0; i < 20'000; ++i) {
      Draws stream(Stream(33, i, 7));
      draws.push_back(law.draw(stream));
    }
    for (const Vec3d& x : chain.points()) ASSERT_TRUE(domain->contains(x));
    for (int i = 0; i < 3; ++i) {
      EXPECT_LT(
          standardised_difference(chain.points(), draws, [i](const Vec3d& x) { return x[i]; }), 5);
      for (int j = 0; j <= i; ++j)
        EXPECT_LT(standardised_difference(
                      chain.points(), draws,
                      [&, i, j](const Vec3d& x) { return (x[i] - b[i]) * (x[j] - b[j]); }),
                  5);
    }
    EXPECT_GT(chain.acceptance(), 0.05);
    EXPECT_LT(chain.acceptance(), 0.9);
    const Vec3d size = chain.effective_sample_size();
    for (int i = 0; i < 3; ++i) {
      EXPECT_GT(size[i], 1000);  // the L, where the walk seldom turns the corner
      EXPECT_LE(size[i], 20'000);
    }
  }
}

// On rejection the state is repeated: without thinning, the fraction of repeated points is that of
// rejected proposals.
TEST(CentreChain, RepeatsItsStateOnRejection) {
  const CentreLaw law(std::make_shared<EllipsoidDomain>(BallShape{{0, 0, 0}, 1}), {0.3, 0, 0});
  CentreChain chain(law, Stream(34, 0, 7), {.burn_in = 10, .thinning = 1});
  chain.extend_to(5000);
  double repeated = 0;
  for (std::size_t i = 1; i < 5000; ++i)
    repeated += norm(chain.points()[i] - chain.points()[i - 1]) == 0 ? 1 : 0;
  EXPECT_NEAR(1 - repeated / 5000, chain.acceptance(), 1.01 / 5000);
  EXPECT_GT(repeated, 1000);
}

TEST(CentreChain, GoesOnWhereItStopped) {
  const CentreLaw law(std::make_shared<MeshDomain>(samples::l_shape_surface()), {1, 0.5, 0.9});
  CentreChain whole(law, Stream(35, 0, 7)), pieces(law, Stream(35, 0, 7));
  EXPECT_EQ(whole.acceptance(), 0);
  whole.extend_to(1000);
  for (const std::size_t count : {10u, 300u, 200u, 1000u}) pieces.extend_to(count);
  ASSERT_EQ(pieces.points().size(), 1000u);
  for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(norm(whole.points()[i] - pieces.points()[i]), 0);
  EXPECT_EQ(whole.acceptance(), pieces.acceptance());
}

TEST(CentreChain, RefusesSettingsThatCannotWork) {
  const CentreLaw law(std::make_shared<BoxDomain>(BoxShape{{0, 0, 0}, {1, 1, 1}}), {0, 0, 0});
  const auto message = [&law](const ChainSettings& settings) {
    try {
      CentreChain chain(law, Stream(1, 0, 0), settings);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(message({.thinning = 0}), HasSubstr("thinning of the chain = 0 must be at least 1"));
  EXPECT_THAT(message({.step = 0}), HasSubstr("step of the chain = 0 must be positive"));
}

// x_{i+1} = a x_i + e_i has correlations a^lag: (1 - a) / (1 + a) of n. The estimate varies by some
// percent here; 20 % is beyond five of its deviations.
TEST(EffectiveSampleSize, OfAnAutoregressionIsKnown) {
  for (const double a : {0.0, 0.5, 0.9}) {
    Draws draws(Stream(36, 0, 0));
    std::vector<double> x{0};
    while (x.size() < 40'000) x.push_back(a * x.back() + draws.uniform() - 0.5);
    const double expected = 40'000 * (1 - a) / (1 + a);
    EXPECT_NEAR(effective_sample_size(x) / expected, 1, 0.2) << a;
  }
}

TEST(EffectiveSampleSize, OfSimpleCases) {
  EXPECT_EQ(effective_sample_size({}), 0);
  EXPECT_EQ(effective_sample_size(std::vector<double>(7, 1.5)), 7);
  EXPECT_LE(effective_sample_size(std::vector<double>{1, -1, 1, -1, 1, -1}), 6);
}

}  // namespace
}  // namespace tumble
