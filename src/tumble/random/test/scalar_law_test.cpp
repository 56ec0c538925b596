// Laws of random numbers: functions that belong together, values of SciPy, draws that follow them,
// and the messages for what is no law.
#include "tumble/random/law/scalar_law.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "law_cases.hpp"
#include "tumble/random/law/normal_score.hpp"
#include "tumble/random/stream/variable_id.hpp"

namespace tumble {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// What the rounding of x, by a few units of its last place, changes in its probability.
double rounding_of_cdf(const LawCase& c, double x) {
  const double d = 4 * epsilon * std::max(std::abs(x), c.terms);
  return c.law.cdf(x + d) < 0.5 ? c.law.cdf(x + d) - c.law.cdf(x - d)
                                : c.law.cdf_upper(x - d) - c.law.cdf_upper(x + d);
}

TEST(NormalScore, InvertsTheDistributionFunction) {
  for (double u = 0x1p-53; u < 0.5; u *= 1.7) {
    EXPECT_NEAR(standard_normal_cdf(standard_normal_score(u)) / u, 1, 1e-13) << u;
    EXPECT_EQ(standard_normal_score(1 - u), -standard_normal_score(1 - (1 - u)));
  }
  // scipy.stats.norm.ppf([1e-9, 0.3]), norm.pdf(1.5)
  EXPECT_NEAR(standard_normal_score(1e-9), -5.99780701500769, 1e-13);
  EXPECT_NEAR(standard_normal_score(0.3), -0.524400512708041, 1e-15);
  EXPECT_NEAR(standard_normal_pdf(1.5), 0.129517595665892, 1e-15);
}

TEST(ScalarLaw, QuantilesInvertTheDistributionFunctionInBothTails) {
  for (const auto& c : laws_with_density()) {
    SCOPED_TRACE(c.title);
    const ScalarLaw& law = c.law;
    for (double p = 1e-12; p < 1; p *= 2.3) {
      const double x = law.quantile(p);
      EXPECT_NEAR(law.cdf(x), p, 1e-11 * p + rounding_of_cdf(c, x)) << p;
      const double y = law.quantile_upper(p);
      EXPECT_NEAR(law.cdf_upper(y), p, 1e-11 * p + rounding_of_cdf(c, y)) << p;
      EXPECT_NEAR(law.cdf(y) + law.cdf_upper(y), 1, 1e-13);
    }
    EXPECT_EQ(law.quantile(1 - 0x1p-40), law.quantile_upper(0x1p-40));
  }
}

TEST(ScalarLaw, QuantilesIncreaseAndStayInTheSupport) {
  for (const auto& [title, law, terms] : laws_with_density()) {
    SCOPED_TRACE(title);
    const Support support = law.support();
    double last = -std::numeric_limits<double>::infinity();
    for (const double u : {0x1p-53, 1e-12, 1e-6, 1e-3, 0.1, 0.49, 0.51, 0.9, 0.999, 1 - 1e-6,
                           1 - 1e-12, 1 - 0x1p-53}) {
      const double x = law.quantile(u);
      EXPECT_GE(x, std::max(last, support.min)) << u;
      EXPECT_LE(x, support.max) << u;
      EXPECT_TRUE(std::isfinite(x)) << u;
      last = x;
    }
    EXPECT_LT(law.quantile(0.49), law.quantile(0.51));
  }
}

TEST(ScalarLaw, DensityIsTheDerivativeOfTheDistributionFunction) {
  for (const auto& [title, law, terms] : laws_with_density()) {
    SCOPED_TRACE(title);
    // Central differences of fourth order; 0.41 and 0.08 are on no kink of the laws.
    for (const double u : {0.08, 0.41, 0.6}) {
      const double x = law.quantile(u);
      const double h = 1e-3 * std::min(law.quantile(u + 0.05) - x, x - law.quantile(u - 0.05));
      const double slope =
          (8 * (law.cdf(x + h) - law.cdf(x - h)) - (law.cdf(x + 2 * h) - law.cdf(x - 2 * h))) /
          (12 * h);
      EXPECT_NEAR(slope / law.pdf(x), 1, 1e-8) << u;
    }
  }
}

TEST(ScalarLaw, IsZeroOrOneOutsideTheSupport) {
  for (const auto& [title, law, terms] : laws_with_density()) {
    SCOPED_TRACE(title);
    const Support support = law.support();
    if (std::isfinite(support.min)) {
      EXPECT_EQ(law.pdf(support.min - 1), 0);
      EXPECT_EQ(law.cdf(support.min - 1), 0);
      EXPECT_EQ(law.cdf_upper(support.min - 1), 1);
    }
    if (std::isfinite(support.max)) {
      EXPECT_EQ(law.pdf(support.max + 1), 0);
      EXPECT_EQ(law.cdf(support.max), 1);
      EXPECT_EQ(law.cdf_upper(support.max), 0);
    }
  }
}

TEST(ScalarLaw, HasItsDensityAtTheEndsOfTheSupport) {
  EXPECT_EQ(ScalarLaw(GammaLaw{.shape = 2, .scale = 4}).pdf(0), 0);
  EXPECT_EQ(ScalarLaw(GammaLaw{.shape = 1, .scale = 4, .min = 3}).pdf(3), 0.25);
  EXPECT_EQ(ScalarLaw(ExponentialLaw{.rate = 0.25}).pdf(0), 0.25);
  EXPECT_EQ(ScalarLaw(LognormalLaw{.mean = 1, .cv = 1}).pdf(0), 0);
  EXPECT_THROW(ScalarLaw(GammaLaw{.shape = 0.7, .scale = 4}).pdf(0), std::overflow_error);
  EXPECT_THROW(ScalarLaw(BetaLaw{.alpha = 0.7, .beta = 0.8}).pdf(1), std::overflow_error);
  EXPECT_THROW(ScalarLaw(WeibullLaw{.shape = 0.7, .scale = 1}).pdf(0), std::overflow_error);
}

/// E{f(X)} from normal scores by the trapezoidal rule, whose error falls faster than any power of
/// the step for smooth laws and with its square, 4e-6, for those with kinks.
double expectation(const ScalarLaw& law, const std::function<double(double)>& f) {
  constexpr double step = 1.0 / 512;
  double sum = 0;
  for (int k = -9 * 512; k <= 9 * 512; ++k) {
    const double z = step * k;
    sum += step * standard_normal_pdf(z) * f(law.from_normal_score(z));
  }
  return sum;
}

TEST(ScalarLaw, MomentsAreThoseOfTheQuantileFunction) {
  for (const auto& [title, law, terms] : laws_with_density()) {
    SCOPED_TRACE(title);
    const double mean = law.mean(), std = law.std();
    const double tolerance = law.breakpoints().empty() ? 1e-10 : 1e-5;
    EXPECT_NEAR(expectation(law, [&](double x) { return (x - mean) / std; }), 0, tolerance);
    EXPECT_NEAR(expectation(law, [&](double x) { return std::pow((x - mean) / std, 2); }), 1,
                tolerance);
  }
}

TEST(ScalarLaw, ScoresAndQuantilesAgree) {
  for (const auto& [title, law, terms] : laws_with_density()) {
    SCOPED_TRACE(title);
    for (const double z : {-5.0, -1.3, -0.1, 0.0, 0.2, 2.0, 6.0}) {
      const double x = z < 0 ? law.quantile(standard_normal_cdf(z))
                             : law.quantile_upper(standard_normal_cdf(-z));
      EXPECT_NEAR(law.from_normal_score(z), x, 1e-12 * std::max(std::abs(x), law.std())) << z;
    }
    EXPECT_TRUE(std::isfinite(law.from_normal_score(-60)));
    EXPECT_TRUE(std::isfinite(law.from_normal_score(60)));
  }
}

struct KnownLaw {
  std::string title;
  ScalarLawParameters law;
  double x, pdf, cdf, cdf_upper, lowest, highest, mean, std;
};

// python3-scipy 1.10.1, for each law `d = scipy.stats.<law>(<shapes>, loc, scale)`:
//   [x, d.pdf(x), d.cdf(x), d.sf(x), d.ppf(1e-3), d.isf(1e-3), d.mean(), d.std()]
// with norm(-2, .8); lognorm(log1p(.25)**.5, 0, 3/1.25**.5); lognorm(.7, 5, exp(.2)); uniform(-1,
// 5); triang(.5/3, 1, 3); beta(2, 3.5, -1, 3); beta(.6, .8); gamma(4, 0, 750); gamma(.7, 1, 2);
// weibull_min(1.8, 0, 10); gumbel_r(30, 4); expon(0, .25); truncnorm(-.5, 1.5, 1, 2).
// The last one with 40 digits of mpmath 1.2 from erfc: SciPy's truncnorm(8, inf, 0, .5) has 9
// right.
const std::vector<KnownLaw>& scipy_values() {
  static const std::vector<KnownLaw> table = {
      {"normal", NormalLaw{.mean = -2, .cv = 0.4}, -2.42, 0.434479080365435, 0.299791595468696,
       0.700208404531304, -4.47218584493425, 0.472185844934251, -2, 0.8},
      {"lognormal", LognormalLaw{.mean = 3, .std = 1.5}, 2.09, 0.351326743453286, 0.298412239279433,
       0.701587760720567, 0.623301037516496, 11.5514006340948, 3, 1.5},
      {"shifted lognormal", LognormalLaw{.log_mean = 0.2, .log_std = 0.7, .min = 5}, 5.85,
       0.586345147253786, 0.302269538454797, 0.697730461545203, 5.14041364376234, 15.6244995690471,
       6.56049019583267, 1.24087548779274},
      {"uniform", UniformLaw{.min = -1, .max = 4}, 0.5, 0.2, 0.3, 0.7, -0.995, 3.995, 1.5,
       1.44337567297406},
      {"triangular", TriangularLaw{.min = 1, .mode = 1.5, .max = 4}, 1.71, 0.610666666666667,
       0.300786666666667, 0.699213333333333, 1.03872983346207, 3.91339745962156, 2.16666666666667,
       0.656167322834318},
      {"beta", BetaLaw{.alpha = 2, .beta = 3.5, .min = -1, .max = 2}, -0.273, 0.635722982262371,
       0.30029533950574, 0.69970466049426, -0.965870812614598, 1.72292581145254, 0.0909090909090908,
       0.566044932723023},
      {"beta with poles", BetaLaw{.alpha = 0.6, .beta = 0.8}, 0.171, 1.07684693142473,
       0.299658409653019, 0.700341590346981, 1.30360445045264e-05, 0.999689184028531,
       0.428571428571429, 0.31943828249997},
      {"gamma", GammaLaw{.mean = 3000, .cv = 0.5}, 2070, 0.000295707243122591, 0.299176831297608,
       0.700823168702392, 321.414310221317, 9796.68058439105, 3000, 1500},
      {"gamma with pole", GammaLaw{.shape = 0.7, .scale = 2, .min = 1}, 1.35, 0.545461182583811,
       0.302714860628254, 0.697285139371746, 1.00009034126593, 13.1274791277745, 2.4,
       1.67332005306815},
      {"weibull", WeibullLaw{.shape = 1.8, .scale = 10}, 5.64, 0.0796862159809343,
       0.300017123835754, 0.699982876164245, 0.215503347681368, 29.2616156719142, 8.89286732452213,
       5.11226787615594},
      {"gumbel", GumbelLaw{.location = 30, .scale = 4}, 29.3, 0.0904877698007037, 0.303842374611794,
       0.696157625388206, 22.2694210643357, 57.6290202820949, 32.3088626596061, 5.13019932064746},
      {"exponential", ExponentialLaw{.mean = 0.25}, 0.0892, 2.79964986492216, 0.300087533769459,
       0.699912466230541, 0.000250125083395883, 1.72693881974553, 0.25, 0.25},
      {"truncated normal",
       TruncatedNormalLaw{.normal_mean = 1, .normal_std = 2, .min = 0, .max = 4}, 0.98,
       0.319313995517135, 0.300122510707481, 0.699877489292519, 0.0035469478439889,
       3.99038881193172, 1.71254576835412, 1.05876938027358},
      {"normal in its tail", TruncatedNormalLaw{.normal_std = 0.5, .min = 4}, 4.02,
       11.7852153243082, 0.277937298428753, 0.722062701571247, 4.00006159632467, 4.40532638046038,
       4.06068405611806, 0.0598433025562195},
  };
  return table;
}

TEST(ScalarLaw, HasTheValuesOfSciPy) {
  for (const auto& known : scipy_values()) {
    SCOPED_TRACE(known.title);
    const ScalarLaw law(known.law);
    constexpr double accuracy = 1e-11;
    EXPECT_NEAR(law.pdf(known.x) / known.pdf, 1, accuracy);
    EXPECT_NEAR(law.cdf(known.x) / known.cdf, 1, accuracy);
    EXPECT_NEAR(law.cdf_upper(known.x) / known.cdf_upper, 1, accuracy);
    EXPECT_NEAR(law.quantile(1e-3) / known.lowest, 1, accuracy);
    EXPECT_NEAR(law.quantile_upper(1e-3) / known.highest, 1, accuracy);
    EXPECT_NEAR(law.mean() / known.mean, 1, accuracy);
    EXPECT_NEAR(law.std() / known.std, 1, accuracy);
  }
}

TEST(ScalarLaw, HasTheMomentsItWasGiven) {
  const std::vector<ScalarLawParameters> given = {
      NormalLaw{.mean = 5, .std = 0.75},
      LognormalLaw{.mean = 5, .cv = 0.15},
      LognormalLaw{.mean = 5, .std = 0.75, .min = 2},
      UniformLaw{.mean = 5, .std = 0.75},
      UniformLaw{.mean = 5, .cv = 0.15},
      BetaLaw{.mean = 5, .std = 0.75, .min = 2, .max = 9},
      BetaLaw{.mean = 5, .cv = 0.15, .min = 4, .max = 6.2},
      GammaLaw{.mean = 5, .std = 0.75},
      GammaLaw{.mean = 5, .cv = 0.15, .min = -3},
      WeibullLaw{.mean = 5, .std = 0.75},
      WeibullLaw{.mean = 5, .cv = 0.15, .min = 4.5},
      GumbelLaw{.mean = 5, .std = 0.75},
      GumbelLaw{.mean = 5, .cv = 0.15},
      ExponentialLaw{.mean = 5, .min = 4.25},
  };
  for (const auto& parameters : given) {
    const ScalarLaw law(parameters);
    EXPECT_NEAR(law.mean(), 5, 1e-12) << law.name();
    EXPECT_NEAR(law.std(), 0.75, 1e-12) << law.name();
  }
  EXPECT_NEAR(ScalarLaw(NormalLaw{.mean = -5, .cv = 0.15}).std(), 0.75, 1e-15);
  EXPECT_NEAR(ScalarLaw(ExponentialLaw{.rate = 4}).mean(), 0.25, 1e-15);
  // The ends of what a Weibull law can be asked for.
  for (const double cv : {2e-5, 1.0, 100.0, 3e5})
    EXPECT_NEAR(ScalarLaw(WeibullLaw{.mean = 2, .cv = cv}).std() / (2 * cv), 1, 1e-8) << cv;
}

TEST(ScalarLaw, ReportsItsOwnParameters) {
  ScalarLaw law(GammaLaw{.mean = 3000, .cv = 0.5});
  law.add_warning("beware");
  const LawReport report = law.report();
  EXPECT_EQ(report.name, "gamma");
  ASSERT_EQ(report.parameters.size(), 3u);
  EXPECT_EQ(report.parameters[0].name, "shape");
  EXPECT_NEAR(report.parameters[0].value, 4, 1e-14);
  EXPECT_EQ(report.parameters[1].name, "scale");
  EXPECT_NEAR(report.parameters[1].value, 750, 1e-11);
  EXPECT_EQ(report.mean, law.mean());
  EXPECT_EQ(report.std, law.std());
  EXPECT_EQ(report.support.min, 0);
  EXPECT_EQ(report.warnings, std::vector<std::string>{"beware"});
}

TEST(EmpiricalLaw, IsLinearBetweenTheSortedValues) {
  const ScalarLaw law(EmpiricalLaw{.values = {5, 1, 2, 9, 3}});
  // numpy.quantile([5, 1, 2, 9, 3], [0.1, 0.25, 0.6, 0.99])
  EXPECT_NEAR(law.quantile(0.1), 1.4, 1e-15);
  EXPECT_EQ(law.quantile(0.25), 2);
  EXPECT_NEAR(law.quantile(0.6), 3.8, 1e-14);
  EXPECT_NEAR(law.quantile(0.99), 8.84, 1e-14);
  // A quarter of the probability in each gap: means 1.5, 2.5, 4, 7 and variances length^2 / 12.
  EXPECT_NEAR(law.mean(), 3.75, 1e-15);
  EXPECT_NEAR(law.variance(),
              (2.25 * 2.25 + 1.25 * 1.25 + 0.25 * 0.25 + 3.25 * 3.25) / 4 + (1 + 1 + 4 + 16) / 48.0,
              1e-14);
  EXPECT_EQ(law.pdf(3), 1.0 / 8);
  EXPECT_EQ(law.pdf(9), 1.0 / 16);
  EXPECT_EQ(law.breakpoints(), (std::vector<double>{0.25, 0.5, 0.75}));
}

TEST(EmpiricalLaw, HasNoDensityIfValuesAreEqual) {
  const ScalarLaw law(EmpiricalLaw{.values = {1, 2, 2, 4, 5}});
  EXPECT_FALSE(law.has_density());
  EXPECT_THROW(law.pdf(3), std::domain_error);
  EXPECT_EQ(law.cdf(2), 0.5);
  EXPECT_EQ(law.cdf_upper(2), 0.5);
  EXPECT_EQ(law.cdf(1.5), 0.125);
  EXPECT_EQ(law.quantile(0.3), 2);
  EXPECT_EQ(law.quantile(0.45), 2);
}

TEST(EmpiricalLaw, RepeatsTheValuesIfAskedForSteps) {
  const ScalarLaw law(
      EmpiricalLaw{.values = {7, 1, 1, 3}, .interpolation = EmpiricalLaw::Interpolation::step});
  EXPECT_EQ(law.quantile(0.5), 1);
  EXPECT_EQ(law.quantile(0.51), 3);
  EXPECT_EQ(law.quantile(0.76), 7);
  EXPECT_EQ(law.mean(), 3);
  EXPECT_EQ(law.variance(), 6);
}

TEST(DiscreteLaw, HasItsValuesWithTheirWeights) {
  const ScalarLaw law(DiscreteLaw{.values = {10, -1, 4, 10, 8}, .weights = {1, 2, 4, 1, 0}});
  EXPECT_EQ(law.cdf(-1.1), 0);
  EXPECT_EQ(law.cdf(-1), 0.25);
  EXPECT_EQ(law.cdf(9), 0.75);
  EXPECT_EQ(law.cdf_upper(9), 0.25);
  EXPECT_EQ(law.cdf(10), 1);
  EXPECT_EQ(law.quantile(0.25), -1);
  EXPECT_EQ(law.quantile(0.2500001), 4);
  EXPECT_EQ(law.quantile(0.75), 4);
  EXPECT_EQ(law.quantile(0.7500001), 10);
  EXPECT_EQ(law.quantile_upper(1e-300), 10);
  EXPECT_EQ(law.mean(), 4.25);
  EXPECT_NEAR(law.variance(), (2 * 5.25 * 5.25 + 4 * 0.25 * 0.25 + 2 * 5.75 * 5.75) / 8, 1e-14);
  EXPECT_FALSE(law.has_density());
  EXPECT_THROW(law.pdf(4), std::domain_error);
  EXPECT_EQ(law.breakpoints(), (std::vector<double>{0.25, 0.75}));
}

// Kolmogorov and Smirnov: sqrt(n) D exceeds 2.8 with probability 2 exp(-2 * 2.8^2) = 3e-7 for each
// law. The draws are the first numbers of the streams of 20000 realisations, as in a study.
TEST(ScalarLaw, DrawsFollowTheDistributionFunction) {
  constexpr std::size_t count = 20'000;
  for (const auto& [title, law, terms] : laws_with_density()) {
    std::vector<double> x;
    for (std::size_t r = 0; r < count; ++r) {
      Draws draws(Stream(414, r, variable_id(title)));
      x.push_back(law.draw(draws));
    }
    std::sort(x.begin(), x.end());
    double distance = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const double p = law.cdf(x[k]);
      distance = std::max(
          {distance, static_cast<double>(k + 1) / count - p, p - static_cast<double>(k) / count});
    }
    EXPECT_LT(std::sqrt(count) * distance, 2.8) << title;
  }
}

// Chi-square with 3 degrees of freedom exceeds 30.7 with probability 1e-6.
TEST(DiscreteLaw, DrawsHaveTheProbabilitiesOfTheWeights) {
  const std::vector<double> values = {0, 1, 2, 3}, weights = {0.1, 0.2, 0.3, 0.4};
  const ScalarLaw law(DiscreteLaw{.values = values, .weights = weights});
  constexpr int count = 50'000;
  std::vector<double> seen(4);
  for (int r = 0; r < count; ++r) {
    Draws draws(Stream(415, r, 1));
    ++seen.at(static_cast<std::size_t>(law.draw(draws)));
  }
  double chi_square = 0;
  for (std::size_t k = 0; k < 4; ++k)
    chi_square += std::pow(seen[k] - count * weights[k], 2) / (count * weights[k]);
  EXPECT_LT(chi_square, 30.7);
}

TEST(ScalarLaw, TakesOneNumberADraw) {
  const ScalarLaw law(NormalLaw{.mean = 0, .std = 1});
  const Stream stream(1, 2, 3);
  Draws draws(stream);
  for (std::uint64_t n = 0; n < 5; ++n) EXPECT_EQ(law.draw(draws), law.quantile(stream.uniform(n)));
}

TEST(ScalarLaw, RefusesProbabilitiesAtTheEnds) {
  const ScalarLaw law(UniformLaw{.min = 0, .max = 1});
  for (const double u : {0.0, 1.0, -0.1, 1.5, std::nan("")}) {
    EXPECT_THROW(law.quantile(u), std::invalid_argument);
    EXPECT_THROW(law.quantile_upper(u), std::invalid_argument);
  }
}

struct BadLaw {
  ScalarLawParameters law;
  std::string message;
};

TEST(ScalarLaw, RefusesWhatIsNoLawAndSaysWhy) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const std::vector<BadLaw> cases = {
      {NormalLaw{.mean = 1}, "normal: give mean and std, or mean and cv; given: mean"},
      {NormalLaw{.mean = 1, .std = 1, .cv = 1}, "given: mean and std and cv"},
      {NormalLaw{.mean = 0, .cv = 0.1}, "cv = 0.1 says nothing when mean = 0"},
      {NormalLaw{.mean = 1, .std = 0}, "normal: std = 0 must be positive"},
      {NormalLaw{.mean = inf, .std = 1}, "normal: mean = inf must be a finite number"},
      {LognormalLaw{.mean = -1, .std = 1}, "lognormal: mean = -1 must be greater than min = 0"},
      {LognormalLaw{.log_mean = 1, .log_std = -1}, "lognormal: log_std = -1 must be positive"},
      {UniformLaw{.min = 2, .max = 2}, "uniform: max = 2 must be greater than min = 2"},
      {UniformLaw{.min = 2, .mean = 3},
       "uniform: give min and max, or mean and std, or mean and cv; given: min and mean"},
      {TriangularLaw{.min = 0, .mode = 3, .max = 2},
       "triangular: mode = 3 must lie from min = 0 to max = 2"},
      {TriangularLaw{.min = 3, .mode = 3, .max = 2}, "max = 2 must be greater than min = 3"},
      {BetaLaw{.alpha = 0, .beta = 1}, "beta: alpha = 0 must be positive"},
      {BetaLaw{.mean = 2, .std = 0.1}, "beta: mean = 2 must lie between min = 0 and max = 1"},
      {BetaLaw{.mean = 0.5, .std = 0.5},
       "beta: std = 0.5 must be below sqrt((mean - min) (max - mean)) = 0.5"},
      {BetaLaw{.min = 1, .max = 0}, "beta: max = 0 must be greater than min = 1"},
      {GammaLaw{.mean = 1, .shape = 2},
       "gamma: give mean and std, or mean and cv, or shape and scale; given: mean and shape"},
      {GammaLaw{.shape = -1, .scale = 2}, "gamma: shape = -1 must be positive"},
      {GammaLaw{.mean = 1, .cv = 0.1, .min = 1}, "gamma: mean = 1 must be greater than min = 1"},
      {WeibullLaw{.mean = 1, .cv = 1e6}, "give shape and scale"},
      {WeibullLaw{.shape = 1, .scale = 0}, "weibull: scale = 0 must be positive"},
      {GumbelLaw{},
       "gumbel: give mean and std, or mean and cv, or location and scale; given: "
       "nothing"},
      {GumbelLaw{.location = 0, .scale = -1}, "gumbel: scale = -1 must be positive"},
      {ExponentialLaw{.mean = 1, .rate = 1}, "exponential: give mean, or rate"},
      {ExponentialLaw{.mean = -1}, "exponential: mean = -1 must be greater than min = 0"},
      {TruncatedNormalLaw{.normal_std = 0}, "normal_std = 0 must be positive"},
      {TruncatedNormalLaw{.min = 1, .max = 1}, "max = 1 must be greater than min = 1"},
      {TruncatedNormalLaw{.min = 40}, "has no probability that a number can hold"},
      {EmpiricalLaw{.values = {1}}, "empirical: 1 value(s) given; at least 2 are needed"},
      {EmpiricalLaw{.values = {2, 2}}, "empirical: all values are 2"},
      {EmpiricalLaw{.values = {1, inf}}, "empirical: values[1] = inf must be a finite number"},
      {DiscreteLaw{}, "discrete: values are missing"},
      {DiscreteLaw{.values = {1, 2}, .weights = {1}}, "discrete: 1 weights for 2 values"},
      {DiscreteLaw{.values = {1, 2}, .weights = {1, -1}}, "discrete: weights[1] = -1"},
      {DiscreteLaw{.values = {1, 2}, .weights = {0, 0}}, "discrete: all weights are 0"},
  };
  for (const auto& bad : cases) {
    try {
      const ScalarLaw law(bad.law);
      ADD_FAILURE() << "no exception: " << bad.message;
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(bad.message));
    }
  }
}

// Probabilities far below the rounding of a cumulated one keep their digits.
TEST(ScalarLaw, ListsTheAtomsOfDiscreteLaws) {
  const auto atoms =
      ScalarLaw(DiscreteLaw{.values = {7, 2, 5, 2}, .weights = {1e-20, 1, 2, 1}}).atoms();
  ASSERT_EQ(atoms.size(), 3U);
  EXPECT_EQ(atoms[0].value, 2);
  EXPECT_EQ(atoms[0].probability, 0.5);
  EXPECT_EQ(atoms[2].value, 7);
  EXPECT_DOUBLE_EQ(atoms[2].probability, 1e-20 / 4);
  EXPECT_TRUE(ScalarLaw(NormalLaw{.mean = 0, .std = 1}).atoms().empty());
}

// On either side of a shape of 1e8, by Boost and by the expansion; and where Boost's series do not
// end. A standardised gamma variable is z + (z^2 - 1) cv / 3 + ... of a normal one.
TEST(ScalarLaw, NarrowGammaLawsAreNextToNormalOnes) {
  const auto standardized = [](double cv, double z) {
    const ScalarLaw law(GammaLaw{.mean = 2, .cv = cv});
    return (law.from_normal_score(z) - law.mean()) / law.std();
  };
  for (const double z : {-6.0, -3.0, -0.5, 0.0, 0.7, 2.0, 5.0}) {
    const double boost = standardized(1.0001e-4, z), expansion = standardized(0.9999e-4, z);
    EXPECT_NEAR(boost, expansion, std::abs(z * z - 1) / 3 * 2e-8 + 1e-10) << z;
    for (const double cv : {1e-5, 1e-6, 1e-9}) {
      EXPECT_NEAR(standardized(cv, z), z + (z * z - 1) * cv / 3, 1e-15 / cv + 1e-8) << z;
      const ScalarLaw law(GammaLaw{.mean = 2, .cv = cv});
      const double p = standard_normal_cdf(z);
      if (p > 1e-8 && p < 1 - 1e-8) {
        EXPECT_NEAR(law.cdf(law.quantile(p)), p, 1e-15 / cv + 1e-12) << z;
      }
    }
  }
  const ScalarLaw law(GammaLaw{.mean = 2, .cv = 1e-7});
  EXPECT_EQ(law.cdf(1.9), 0);
  EXPECT_EQ(law.cdf(2.1), 1);
}

}  // namespace
}  // namespace tumble
