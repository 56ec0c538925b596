// Draws of a random tensor of inertia: all admissible, with the right moments, and alike whichever
// way they are made. Seeds are fixed; thresholds are exceeded by chance once in a million choices
// of them, unless said otherwise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "inertia_samples.hpp"
#include "tumble/random/inertia/inertia_chain.hpp"
#include "tumble/random/inertia/inertia_weights.hpp"
#include "tumble/random/inertia/kummer_beta_sampler.hpp"
#include "tumble/random/stream/variates.hpp"

namespace tumble {
namespace {

using samples::case2;
using samples::determinant;
using samples::diagonal;
using samples::exact_draws;
using samples::expect_admissible;
using samples::expect_moments;
using samples::ks_distance;
using samples::ks_limit;
using samples::MeanAndError;
using samples::normal_limit;
using samples::trace;
using samples::turned;
using samples::Weighted;
using testing::HasSubstr;

TEST(Variates, FollowTheirLaws) {
  const std::size_t n = 100'000;
  Draws draws(Stream(20264, 0, 0));
  std::vector<double> values(n);
  for (double& x : values) x = normal_variate(draws);
  EXPECT_LT(ks_distance(values, boost::math::normal()), ks_limit / std::sqrt(n));
  for (const double shape : {0.2, 1.0, 2.5, 60.0}) {
    for (double& x : values) x = gamma_variate(shape, draws);
    EXPECT_LT(ks_distance(values, boost::math::gamma_distribution<>(shape)),
              ks_limit / std::sqrt(n))
        << shape;
  }
}

TEST(InertiaDraws, AreAdmissibleAndHaveTheirMoments) {
  const InertiaLaw law(case2());
  const auto draws = exact_draws(law, 100'000, 20265);
  expect_admissible(law, draws);
  expect_moments(law, draws);
}

TEST(InertiaDraws, OfOtherBodiesToo) {
  for (const BoundedInertia& input :
       {turned(-5, -5), turned(-1.8, 0.4), turned(-40, -2.5), turned(-3, -60)}) {
    const InertiaLaw law(input);
    const auto draws = exact_draws(law, 20'000, 20266);
    expect_admissible(law, draws);
    expect_moments(law, draws);
  }
}

TEST(InertiaDraws, WithoutABound) {
  const InertiaLaw law(UnboundedInertia{3000, diagonal(1200, 5000, 6000), 0.4});
  const auto draws = exact_draws(law, 50'000, 20267);
  expect_admissible(law, draws);
  expect_moments(law, draws);
}

TEST(InertiaDrawsLong, AMillionAreAdmissibleAndHaveTheirMoments) {
  for (const BoundedInertia& input : {case2(), turned(-2.5, -1)}) {
    const InertiaLaw law(input);
    const auto draws = exact_draws(law, 1'000'000, 20268);
    expect_admissible(law, draws);
    expect_moments(law, draws);
  }
}

// J = M (tr(Z) I - Z) has the mean of the nominal J where M has that of the mass.
TEST(InertiaDraws, GiveTheTensorOfTheRandomMass) {
  const BoundedInertia input = turned(-5, -5);
  const InertiaLaw law(input);
  Draws first(Stream(7, 8, 9)), second(Stream(7, 8, 9));
  const Mat3<double> g = law.draw_normalized(first);
  const Mat3<double> inertia = law.draw(10, second);
  const Mat3<double> expected = inertia_from_moments(10, law.scale().moments_of(g));
  for (int i = 0; i < 9; ++i) EXPECT_EQ(inertia.m[i], expected.m[i]);
  const Mat3<double> nominal = law.inertia_of(12, Mat3<double>::identity());
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(nominal.m[i], input.inertia.m[i], 1e-13);
}

// Without tilt B_11 is a Beta variable.
TEST(KummerBetaSampler, HasTheMarginalOfAMatrixBeta) {
  for (const auto proposal : {KummerBetaProposal::wishart, KummerBetaProposal::mirrored_wishart,
                              KummerBetaProposal::scaled_matrix_beta}) {
    const KummerBetaSampler sampler(4.0, 3.0, {0, 0, 0}, log_matrix_beta(4.0, 3.0), proposal);
    std::vector<double> values;
    for (std::uint64_t r = 0; r < 20'000; ++r) {
      Draws draws(Stream(20269, r, 1));
      values.push_back(sampler.draw(draws)(0, 0));
    }
    EXPECT_LT(ks_distance(values, boost::math::beta_distribution<>(4.0, 3.0)),
              ks_limit / std::sqrt(values.size()))
        << name_of(proposal);
  }
}

// A wrong bound of a ratio would show in both.
TEST(KummerBetaSampler, AcceptsAsOftenAsItSaysAndDrawsTheSameFromEachProposal) {
  struct Case {
    double a, b;
    Vec3<double> x;
  };
  for (const Case& c :
       {Case{7, 7, {33.9, 9.13, -0.92}}, Case{4, 3, {-6, 4, 1}}, Case{3.5, 1.4, {5, 2, -1}}}) {
    const double log_partition = matrix_kummer_beta(c.a, c.b, c.x).log_partition;
    std::vector<std::vector<Weighted>> traces, determinants;
    for (const auto proposal : {KummerBetaProposal::scaled_matrix_beta, KummerBetaProposal::wishart,
                                KummerBetaProposal::mirrored_wishart}) {
      if (proposal == KummerBetaProposal::wishart && c.b < 2) continue;
      const KummerBetaSampler sampler(c.a, c.b, c.x, log_partition, proposal);
      if (sampler.acceptance() < 1e-3) continue;  // would take long
      std::size_t proposals = 0;
      traces.emplace_back(), determinants.emplace_back();
      const int n = 10'000;
      for (int r = 0; r < n; ++r) {
        Draws draws(Stream(20270, static_cast<std::uint64_t>(r), 1));
        const Eigen::Matrix3d b = sampler.draw(draws, &proposals);
        traces.back().push_back({b.trace(), 1});
        determinants.back().push_back({b.determinant(), 1});
      }
      // The number of proposals for n draws: mean n/p, variance n (1-p)/p^2.
      const double p = sampler.acceptance();
      EXPECT_LE(p, 1.0);
      EXPECT_LT(std::abs(static_cast<double>(proposals) - n / p),
                normal_limit * std::sqrt(n * (1 - p)) / p)
          << name_of(proposal) << ' ' << p;
    }
    ASSERT_GE(traces.size(), 2u);
    for (std::size_t k = 1; k < traces.size(); ++k) {
      EXPECT_LT(ks_distance(traces[0], traces[k]), ks_limit * std::sqrt(2.0 / 10'000));
      EXPECT_LT(ks_distance(determinants[0], determinants[k]), ks_limit * std::sqrt(2.0 / 10'000));
    }
  }
}

TEST(KummerBetaSampler, TakesAGoodProposal) {
  const auto best = [](double a, double b, const Vec3<double>& x) {
    return KummerBetaSampler(a, b, x, matrix_kummer_beta(a, b, x).log_partition);
  };
  EXPECT_EQ(best(7, 7, {500, 400, 300}).proposal(), KummerBetaProposal::wishart);
  EXPECT_GT(best(7, 7, {500, 400, 300}).acceptance(), 0.9);
  EXPECT_EQ(best(7, 7, {-500, -400, -300}).proposal(), KummerBetaProposal::mirrored_wishart);
  EXPECT_GT(best(7, 7, {-500, -400, -300}).acceptance(), 0.9);
  EXPECT_EQ(best(7, 1.5, {5, 3, 2}).proposal(), KummerBetaProposal::scaled_matrix_beta);
  EXPECT_GT(best(7, 7, {0, 0, 0}).acceptance(), 0.999);
  EXPECT_THROW(KummerBetaSampler(4, 1.5, {0, 0, 0}, 0.0, KummerBetaProposal::wishart),
               std::invalid_argument);
}

// Three ways to tr(G) and det(G): independent draws, the Markov chain, and weighted draws. A
// weighted sample counts as (sum w)^2 / sum w^2 values, the chain as its effective sample size.
TEST(InertiaDraws, AgreeWithTheChainAndTheWeightedEstimator) {
  const InertiaLaw law(case2());
  const auto exact = exact_draws(law, 50'000, 20271);
  InertiaChain chain(law, Stream(20272, 0, 1), {.burn_in = 2000, .thinning = 60});
  chain.extend_to(5000);
  expect_admissible(law, chain.states());
  EXPECT_GT(chain.acceptance(), 0.1);
  EXPECT_LT(chain.acceptance(), 0.6);
  EXPECT_GT(chain.effective_sample_size(), 2500);
  Draws stream(Stream(20273, 0, 1));
  const auto weighted = weighted_inertia(law, stream, 50'000);

  double sum = 0, sum_of_squares = 0;
  std::vector<double> weights;
  for (const WeightedInertia& w : weighted) {
    sum += w.weight, sum_of_squares += w.weight * w.weight;
    weights.push_back(w.weight);
  }
  const double effective = sum * sum / sum_of_squares;
  EXPECT_GT(effective, 500);
  // The weights know C_G: their mean is 1.
  const MeanAndError mean_weight(weights);
  EXPECT_LT(std::abs(mean_weight.mean - 1), normal_limit * mean_weight.error) << mean_weight.mean;

  for (const auto& f : {trace, determinant}) {
    std::vector<Weighted> a, b, c;
    for (const auto& g : exact) a.push_back({f(g), 1});
    for (const auto& g : chain.states()) b.push_back({f(g), 1});
    for (const auto& w : weighted) c.push_back({f(w.normalized), w.weight});
    const auto limit = [&](double m) { return ks_limit * std::sqrt(1 / m + 1.0 / 50'000); };
    EXPECT_LT(ks_distance(a, b), limit(chain.effective_sample_size()));
    EXPECT_LT(ks_distance(a, c), limit(effective));
  }
}

TEST(InertiaChain, GoesOnWhereItWas) {
  const InertiaLaw law(case2());
  InertiaChain whole(law, Stream(1, 0, 1), {}), parts(law, Stream(1, 0, 1), {});
  whole.extend_to(40);
  parts.extend_to(7);
  parts.extend_to(40);
  ASSERT_EQ(parts.states().size(), 40u);
  for (std::size_t i = 0; i < 40; ++i)
    for (int k = 0; k < 9; ++k) EXPECT_EQ(whole.states()[i].m[k], parts.states()[i].m[k]);
  EXPECT_EQ(whole.acceptance(), parts.acceptance());
}

// A rejected step repeats the state: with large steps most neighbours are equal.
TEST(InertiaChain, RepeatsItsStateOnRejection) {
  InertiaChain chain(InertiaLaw(case2()), Stream(1, 0, 1),
                     {.burn_in = 0, .thinning = 1, .step = 3.0});
  chain.extend_to(1000);
  std::size_t moves = 0;
  Mat3<double> before = Mat3<double>::identity();
  for (const auto& g : chain.states()) {
    if (!std::equal(g.m, g.m + 9, before.m)) ++moves;
    before = g;
  }
  EXPECT_EQ(static_cast<double>(moves) / 1000, chain.acceptance());
  EXPECT_LT(chain.acceptance(), 0.1);
  EXPECT_GT(moves, 0u);
}

TEST(InertiaChain, RefusesSettingsWithoutSense) {
  const InertiaLaw law(case2());
  const auto message = [&](const InertiaChainSettings& settings) -> std::string {
    try {
      InertiaChain(law, Stream(1, 0, 1), settings);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message({.thinning = 0}), HasSubstr("thinning of the Markov chain = 0 must be 1"));
  EXPECT_THAT(message({.step = 0}), HasSubstr("step of the Markov chain = 0 must be positive"));
}

TEST(WeightedInertia, NeedsABound) {
  const InertiaLaw law(UnboundedInertia{1, diagonal(1, 1, 1), 0.3});
  Draws draws(Stream(1, 2, 3));
  EXPECT_THROW(weighted_inertia(law, draws, 1), std::invalid_argument);
}

// The law does not depend on a seed, and a draw on its stream alone.
TEST(InertiaDraws, AreFunctionsOfTheirStream) {
  const InertiaLaw law(case2()), again(case2());
  for (std::uint64_t r = 0; r < 20; ++r) {
    Draws a(Stream(3, r, 4)), b(Stream(3, r, 4));
    const Mat3<double> g = law.draw_normalized(a), h = again.draw_normalized(b);
    EXPECT_TRUE(std::equal(g.m, g.m + 9, h.m));
  }
}

}  // namespace
}  // namespace tumble
