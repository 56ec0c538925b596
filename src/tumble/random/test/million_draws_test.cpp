// A million draws of every generator that the tests of single laws try with fewer: all admissible,
// means within four standard errors, exact marginals, and chains that agree with exact draws. Those
// of points in each kind of domain are in centre_draws_test.cpp, those of bounded inertias in
// inertia_draws_test.cpp. Seeds are fixed; limits without a comment are exceeded by chance once in
// a million choices of them.
#include <gtest/gtest.h>

#include <boost/math/distributions/gamma.hpp>
#include <numeric>

#include "domain_samples.hpp"
#include "inertia_samples.hpp"
#include "sample_statistics.hpp"
#include "tabulated_distribution.hpp"
#include "tumble/random/centre/centre_chain.hpp"
#include "tumble/random/inertia/inertia_chain.hpp"
#include "tumble/random/inertia/matrix_kummer_beta.hpp"
#include "tumble/random/law/effective_sample_size.hpp"
#include "tumble/random/law/random_mass.hpp"

namespace tumble {
namespace {

using samples::MeanAndError;
using samples::normal_limit;

constexpr std::size_t million = 1'000'000;

TEST(RandomMassLong, AMillionMassesAreGamma) {
  for (const double cv : {0.1, 0.5, 0.7}) {
    const ScalarLaw law = random_mass(3000, cv);
    std::vector<double> masses(million);
    for (std::size_t i = 0; i < million; ++i)
      masses[i] = law.quantile(Stream(20280, i, 3).uniform(0));
    EXPECT_GT(*std::min_element(masses.begin(), masses.end()), 0);
    const MeanAndError mean(masses);
    EXPECT_LT(std::abs(mean.mean - 3000), 4 * mean.error);  // 6e-5
    std::vector<double> squares;
    for (const double mass : masses) squares.push_back((mass - 3000) * (mass - 3000));
    const MeanAndError variance(squares);
    EXPECT_LT(std::abs(variance.mean - std::pow(3000 * cv, 2)), normal_limit * variance.error);
    const boost::math::gamma_distribution<> exact(1 / (cv * cv), 3000 * cv * cv);
    EXPECT_LT(samples::ks_distance(masses, exact), samples::ks_limit / std::sqrt(million)) << cv;
  }
}

// Without a bound G is a Wishart matrix with n = 4 / delta^2 degrees of freedom, over n: diagonal
// entries are chi-square variables over n, and det(G) is a product of three, with n, n - 1 and
// n - 2 degrees of freedom, so that its mean is (1 - 1/n) (1 - 2/n).
TEST(UnboundedInertiaLong, AMillionDrawsAreWishartMatrices) {
  for (const double delta : {0.2, 0.6}) {
    const InertiaLaw law(UnboundedInertia{3000, samples::diagonal(1200, 5000, 6000), delta});
    const auto draws = samples::exact_draws(law, million, 20281);
    samples::expect_admissible(law, draws);
    samples::expect_moments(law, draws);
    const double n = 4 / (delta * delta);
    for (int i = 0; i < 3; ++i) {
      std::vector<double> entries;
      for (const Mat3d& g : draws) entries.push_back(g(i, i));
      EXPECT_LT(samples::ks_distance(entries, boost::math::gamma_distribution<>(n / 2, 2 / n)),
                samples::ks_limit / std::sqrt(million));
    }
    std::vector<double> determinants;
    for (const Mat3d& g : draws) determinants.push_back(samples::determinant(g));
    const MeanAndError mean(determinants);
    EXPECT_LT(std::abs(mean.mean - (1 - 1 / n) * (1 - 2 / n)), normal_limit * mean.error);
  }
}

// Tilted along one axis only, B_11 has the density t^(a-1) (1-t)^(b-1) exp(-x t): the integral over
// the other entries is that of the untilted law, whose B_11 is a Beta variable.
TEST(KummerBetaLong, AMillionDrawsHaveTheMarginalOfATiltAlongOneAxis) {
  struct Case {
    double a, b, x;
  };
  for (const Case& c : {Case{7, 7, 30}, Case{4, 3, -8}, Case{3.5, 1.4, 5}}) {
    const KummerBetaSampler sampler(c.a, c.b, {c.x, 0, 0},
                                    matrix_kummer_beta(c.a, c.b, {c.x, 0, 0}).log_partition);
    const samples::Tabulated distribution([&](double z) {
      const double t = (1 + z) / 2;
      return std::pow(t, c.a - 1) * std::pow(1 - t, c.b - 1) * std::exp(-c.x * t);
    });
    std::vector<double> uniform(million);
    for (std::size_t i = 0; i < million; ++i) {
      Draws draws(Stream(20282, i, 1));
      uniform[i] = distribution(2 * sampler.draw(draws)(0, 0) - 1);
    }
    EXPECT_LT(samples::kolmogorov(uniform), samples::kKolmogorovLimit) << c.x;
  }
}

// The marginal of v^T B v in any direction v, through its Laplace transform
//   E exp(-s v^T B v) = Z(X + s v v^T) / Z(X),
// Z the integral of the tilted density, which depends on eigenvalues alone. B = Gmax^(-1/2) G
// Gmax^(-1/2) in the axes where mu and Gmax are diagonal.
TEST(KummerBetaLong, AMillionDrawsHaveTheLaplaceTransformsOfTheLaw) {
  for (const BoundedInertia& input :
       {samples::case2(), samples::turned(-2.5, -1), samples::turned(-1.8, 0.4)}) {
    const InertiaLaw law(input);
    const double a = 2 - law.report().lambda_l, b = 2 - law.report().lambda_u.value();
    const Eigen::Matrix3d axes = to_eigen(law.axes());
    const Eigen::Vector3d bound =
        (axes.transpose() * to_eigen(*law.report().bound) * axes).diagonal();
    const Eigen::Vector3d x =
        (axes.transpose() * to_eigen(law.report().mu) * axes).diagonal().cwiseProduct(bound);
    const Eigen::Vector3d shrink = bound.cwiseSqrt().cwiseInverse();
    std::vector<Eigen::Matrix3d> draws;
    for (const Mat3d& g : samples::exact_draws(law, million, 20283))
      draws.push_back(shrink.asDiagonal() * (axes.transpose() * to_eigen(g) * axes) *
                      shrink.asDiagonal());
    const double log_partition = matrix_kummer_beta(a, b, {x[0], x[1], x[2]}).log_partition;
    for (const Eigen::Vector3d& v :
         {Eigen::Vector3d{1, 0, 0}, Eigen::Vector3d{0, 1, 0}, Eigen::Vector3d{0, 0, 1},
          Eigen::Vector3d{0.6, 0.8, 0}, Eigen::Vector3d{2.0 / 3, -1.0 / 3, 2.0 / 3}}) {
      for (const double s : {-6.0, 2.0, 10.0, 30.0}) {
        Eigen::Matrix3d tilted = s * v * v.transpose();
        tilted.diagonal() += x;
        const Eigen::Vector3d e =
            Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(tilted, Eigen::EigenvaluesOnly)
                .eigenvalues();
        const double exact =
            std::exp(matrix_kummer_beta(a, b, {e[0], e[1], e[2]}).log_partition - log_partition);
        std::vector<double> values;
        for (const Eigen::Matrix3d& m : draws) values.push_back(std::exp(-s * v.dot(m * v)));
        const MeanAndError mean(values);
        EXPECT_LT(std::abs(mean.mean - exact), normal_limit * mean.error)
            << s << " along " << v.transpose();
      }
    }
  }
}

/// Difference of the average of correlated values from their mean, in standard errors.
double standardised(const std::vector<double>& values, double mean) {
  const auto n = static_cast<double>(values.size());
  const double average = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double square = 0;
  for (const double value : values) square += (value - average) * (value - average);
  return std::abs(average - mean) / std::sqrt(square / n / effective_sample_size(values));
}

// The chain against the law itself: means and covariances of all domains, by their exact values.
TEST(CentreChainLong, AMillionPointsHaveTheMomentsOfTheLaw) {
  for (const auto& [name, domain, rule] : samples::sample_domains()) {
    SCOPED_TRACE(name);
    const Vec3d barycentre = domain->barycentre();
    const CentreLaw law(domain, barycentre + 0.2 * (domain->bounds().upper - barycentre));
    CentreChain chain(law, Stream(20284, 0, 7));
    chain.extend_to(million);
    std::size_t outside = 0;
    for (const Vec3d& p : chain.points()) outside += !domain->contains(p);
    EXPECT_EQ(outside, 0u);
    const auto values = [&](const auto& quantity) {
      std::vector<double> list;
      for (const Vec3d& p : chain.points()) list.push_back(quantity(p - law.mean()));
      return list;
    };
    for (int i = 0; i < 3; ++i) {
      EXPECT_LT(standardised(values([&](const Vec3d& d) { return d[i]; }), 0), normal_limit);
      for (int j = 0; j <= i; ++j)
        EXPECT_LT(standardised(values([&](const Vec3d& d) { return d[i] * d[j]; }),
                               law.report().covariance(i, j)),
                  normal_limit);
    }
  }
}

TEST(InertiaChainLong, AMillionStatesAgreeWithExactDraws) {
  for (const InertiaLaw& law :
       {InertiaLaw(samples::case2()), InertiaLaw(samples::turned(-2.5, -1)),
        InertiaLaw(UnboundedInertia{3000, samples::diagonal(1200, 5000, 6000), 0.4})}) {
    InertiaChain chain(law, Stream(20285, 0, 1), {});
    chain.extend_to(million);
    samples::expect_admissible(law, chain.states());
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) {
        std::vector<double> entries;
        for (const Mat3d& g : chain.states()) entries.push_back(g(i, j));
        EXPECT_LT(standardised(entries, i == j ? 1.0 : 0.0), normal_limit) << i << j;
      }
    const auto exact = samples::exact_draws(law, million, 20286);
    for (const auto& f : {samples::trace, samples::determinant}) {
      std::vector<samples::Weighted> a, b;
      std::vector<double> values;
      for (const Mat3d& g : exact) a.push_back({f(g), 1});
      for (const Mat3d& g : chain.states()) {
        values.push_back(f(g));
        b.push_back({values.back(), 1});
      }
      EXPECT_LT(samples::ks_distance(a, b),
                samples::ks_limit * std::sqrt(1.0 / million + 1 / effective_sample_size(values)));
    }
  }
}

}  // namespace
}  // namespace tumble
