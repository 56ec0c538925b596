// The random inputs of a study: which parameters vary, and that each realisation's numbers are its
// own, admissible, and have the moments of their laws.
#include "tumble/inputs/random_inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tumble/model/parameters.hpp"

namespace tumble {
namespace {

/// Rb5 of Batou & Soize (2012) with its three sources of uncertainty.
Model heavy_body() {
  Model model;
  Body body;
  body.name = "rb5";
  body.mass = 3000;
  body.position = {0.6, 0, 0.5};
  body.inertia = {1200, 5000, 6000, 0, 0, 0};
  model.bodies = {body};
  model.simulation.duration = 1;
  model.simulation.step = 0.1;
  return model;
}
Uncertainty all_three() {
  BodyUncertainty body;
  body.body = "rb5";
  body.mass = MassUncertainty{0.5, {}};
  BoxRegion box;
  box.center = {0.55, 0, 0.5};
  box.size = {0.5, 0.2, 0.02};
  body.center_of_mass = CentreUncertainty{box, SamplingMethod::exact, {}, {}};
  InertiaUncertainty inertia;
  inertia.lambda_l = inertia.lambda_u = -5;
  inertia.z_max =
      SecondMomentBound{SecondMomentBound::From::numbers, {9.61, 1.0, 0.0625, 0, 0, 0}, {}};
  body.inertia = inertia;
  return {{body}, {}, {}};
}

DesignParameters seeded(std::uint64_t seed, std::uint64_t realizations = 0) {
  DesignParameters sampling;
  sampling.seed = seed;
  sampling.realizations = realizations;
  return sampling;
}

TEST(RandomInputs, NamesTheParametersThatVary) {
  const Model model = heavy_body();
  const RandomInputs inputs(model, all_three(), seeded(1));
  const std::vector<std::string> expected{"bodies.rb5.mass",        "bodies.rb5.position[0]",
                                          "bodies.rb5.position[1]", "bodies.rb5.position[2]",
                                          "bodies.rb5.inertia[0]",  "bodies.rb5.inertia[1]",
                                          "bodies.rb5.inertia[2]",  "bodies.rb5.inertia[3]",
                                          "bodies.rb5.inertia[4]",  "bodies.rb5.inertia[5]"};
  EXPECT_EQ(inputs.paths(), expected);
  const ParameterTable table(model);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(inputs.slots()[i], table.find(expected[i]));
}

// A draw depends on seed, realisation and variable alone.
TEST(RandomInputs, OtherVariablesDoNotChangeADraw) {
  const Model model = heavy_body();
  Uncertainty mass_only = all_three();
  mass_only.bodies[0].center_of_mass.reset();
  mass_only.bodies[0].inertia.reset();
  const RandomInputs all(model, all_three(), seeded(7)), one(model, mass_only, seeded(7)),
      other(model, mass_only, seeded(8));
  std::array<double, 10> a{}, b{}, c{};
  for (const std::uint64_t realization : {0u, 1u, 499u, 3u}) {
    all.fill(realization, a.data());
    one.fill(realization, b.data());
    other.fill(realization, c.data());
    EXPECT_EQ(a[0], b[0]);
    EXPECT_NE(a[0], c[0]);
    // The mass scales the nominal inertia where that is not random itself.
    EXPECT_DOUBLE_EQ(b[1], 1200 * b[0] / 3000);
    EXPECT_DOUBLE_EQ(b[3], 6000 * b[0] / 3000);
  }
}

// Every draw is a real body in its domain; sample means within 4.9 standard errors, which a normal
// variable leaves with a probability of 1e-6.
TEST(RandomInputs, DrawsAreAdmissibleAndHaveTheirMeans) {
  const Model model = heavy_body();
  const RandomInputs inputs(model, all_three(), seeded(1));
  constexpr int n = 20000;
  std::array<double, 10> sum{}, square{}, x{};
  for (int i = 0; i < n; ++i) {
    inputs.fill(static_cast<std::uint64_t>(i), x.data());
    EXPECT_GT(x[0], 0);
    EXPECT_TRUE(x[1] >= 0.3 && x[1] <= 0.8 && std::fabs(x[2]) <= 0.1 &&
                std::fabs(x[3] - 0.5) <= 0.01);
    Realization body(model);
    for (std::size_t k = 0; k < x.size(); ++k) body.set(inputs.slots()[k], x[k]);
    EXPECT_TRUE(check(body.model()).empty());
    for (std::size_t k = 0; k < x.size(); ++k) {
      sum[k] += x[k];
      square[k] += x[k] * x[k];
    }
  }
  const std::array<double, 10> mean{3000, 0.6, 0, 0.5, 1200, 5000, 6000, 0, 0, 0};
  for (std::size_t k = 0; k < mean.size(); ++k) {
    const double m = sum[k] / n, variance = square[k] / n - m * m;
    EXPECT_LT(std::fabs(m - mean[k]), 4.9 * std::sqrt(variance / n)) << inputs.paths()[k];
  }
}

// What the numbers of a realisation have to do with each other, as fill() gives them. In a box, the
// law exp(-<λ, x>) of a centre is a product: its components are independent of each other and of
// the mass, and so are the places in their distributions. Of n pairs of independent numbers the
// correlation has the standard error 1/sqrt(n).
TEST(RandomInputs, MassAndComponentsOfACentreAreIndependent) {
  const Model model = heavy_body();
  Uncertainty u = all_three();
  u.bodies[0].inertia.reset();
  constexpr std::uint64_t n = 16384;
  for (const DesignKind kind : {DesignKind::monte_carlo, DesignKind::latin_hypercube}) {
    DesignParameters sampling = seeded(6, n);
    sampling.kind = kind;
    const RandomInputs inputs(model, u, sampling);
    std::array<double, 4> mean{3000, 0.6, 0, 0.5}, variance{};
    std::array<std::array<double, 4>, 4> product{};
    std::array<double, 10> x{};
    for (std::uint64_t i = 0; i < n; ++i) {
      inputs.fill(i, x.data());
      for (std::size_t a = 0; a < 4; ++a) {
        variance[a] += (x[a] - mean[a]) * (x[a] - mean[a]);
        for (std::size_t b = 0; b < a; ++b) product[a][b] += (x[a] - mean[a]) * (x[b] - mean[b]);
      }
    }
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = 0; b < a; ++b)
        EXPECT_LT(std::fabs(product[a][b]) / std::sqrt(variance[a] * variance[b]),
                  4.9 / std::sqrt(static_cast<double>(n)))
            << inputs.paths()[a] << " and " << inputs.paths()[b];
  }
}

// Uniform in an ellipsoid: the cube of the radius, in half axes, is uniform between 0 and 1 (so the
// mean of its square is 1/3), whatever the design.
TEST(RandomInputs, CentresFillAnEllipsoid) {
  const Model model = heavy_body();
  Uncertainty u = all_three();
  u.bodies[0].mass.reset();
  u.bodies[0].inertia.reset();
  EllipsoidRegion ellipsoid;
  ellipsoid.center = {0.6, 0, 0.5};  // the mean: a uniform law
  ellipsoid.semi_axes = {0.5, 0.2, 0.02};
  u.bodies[0].center_of_mass->region = ellipsoid;
  constexpr std::uint64_t n = 16384;
  for (const DesignKind kind : {DesignKind::monte_carlo, DesignKind::sobol}) {
    DesignParameters sampling = seeded(6, n);
    sampling.kind = kind;
    const RandomInputs inputs(model, u, sampling);
    double mean = 0, square = 0;
    std::array<double, 3> x{};
    for (std::uint64_t i = 0; i < n; ++i) {
      inputs.fill(i, x.data());
      const double r = std::hypot((x[0] - 0.6) / 0.5, x[1] / 0.2, (x[2] - 0.5) / 0.02);
      mean += r * r * r / n;
      square += std::pow(r, 6) / n;
    }
    // Standard deviations of a uniform number and of its square: 1/sqrt(12) and sqrt(4/45).
    EXPECT_NEAR(mean, 0.5, 4.9 / std::sqrt(12.0 * n));
    EXPECT_NEAR(square, 1.0 / 3, 4.9 * std::sqrt(4.0 / 45 / n));
  }
}

TEST(RandomInputs, LawsThatDoNotExistAreReportedTogether) {
  Uncertainty bad = all_three();
  bad.bodies[0].mass->cv = 0.8;
  std::get<BoxRegion>(bad.bodies[0].center_of_mass->region).center = {0, 0, 0.55};  // as printed
  bad.bodies[0].inertia->lambda_l = -0.5;
  try {
    RandomInputs(heavy_body(), bad, seeded(1));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    ASSERT_EQ(error.diagnostics().size(), 3u);
    EXPECT_EQ(error.diagnostics()[0].field, "mass");
    EXPECT_EQ(error.diagnostics()[1].field, "center_of_mass");
    EXPECT_EQ(error.diagnostics()[2].field, "inertia");
  }
}

TEST(RandomInputs, OneVariableMayDriveSeveralParameters) {
  Model model = heavy_body();
  Uncertainty u;
  NormalLaw law;
  law.mean = 2, law.std = 0.1;
  u.scalars = {{"wind", {"gravity[0]", "gravity[1]"}, law}};
  const RandomInputs inputs(model, u, seeded(3));
  std::array<double, 2> x{};
  inputs.fill(5, x.data());
  EXPECT_EQ(x[0], x[1]);
  EXPECT_LT(std::fabs(x[0] - 2), 1);
}

// Laws of two bodies that name one variable: masses at the same place of their distributions, the
// same point of the unit cube for centres, the same G.
TEST(RandomInputs, BodiesMayShareVariables) {
  Model model = heavy_body();
  Body twin = model.bodies[0];
  twin.name = "twin";
  twin.mass = 30;
  for (double& entry : twin.inertia) entry /= 100;
  model.bodies.push_back(twin);
  Uncertainty u = all_three();
  u.bodies[0].mass->variable = "batch";
  u.bodies[0].center_of_mass->variable = "load";
  u.bodies[0].inertia->variable = "form";
  u.bodies.push_back(u.bodies[0]);
  u.bodies[1].body = "twin";
  const RandomInputs inputs(model, u, seeded(3));
  std::array<double, 20> x{};
  for (const std::uint64_t realization : {0u, 4u}) {
    inputs.fill(realization, x.data());
    EXPECT_NEAR(x[10] / 30, x[0] / 3000, 1e-13);
    for (std::size_t k = 1; k < 4; ++k) EXPECT_EQ(x[10 + k], x[k]);
    for (std::size_t k = 4; k < 10; ++k) EXPECT_NEAR(100 * x[10 + k], x[k], 1e-9 * 6000);
  }
  u.bodies[1].inertia->lambda_l = -6;  // another law of G
  EXPECT_THROW(RandomInputs(model, u, seeded(3)), InputError);
  u.bodies[1].inertia->lambda_l = -5;
  u.bodies[1].mass->variable = "load";  // a centre of mass elsewhere
  EXPECT_THROW(RandomInputs(model, u, seeded(3)), InputError);
}

Uncertainty by_chains() {
  Uncertainty u = all_three();
  u.bodies[0].center_of_mass->sampler = u.bodies[0].inertia->sampler = SamplingMethod::metropolis;
  return u;
}

// A longer study begins with the draws of the shorter one.
TEST(RandomInputs, ChainsGoOnWhereTheyEnded) {
  const Model model = heavy_body();
  const RandomInputs few(model, by_chains(), seeded(2, 50)),
      many(model, by_chains(), seeded(2, 80));
  ASSERT_EQ(many.chains().size(), 2u);
  EXPECT_EQ(many.chains()[0].variable, "bodies.rb5.position");
  for (const ChainSummary& chain : many.chains()) {
    EXPECT_GT(chain.acceptance, 0.1);
    EXPECT_LT(chain.acceptance, 0.9);
    EXPECT_GT(chain.effective_fraction, 0);
    EXPECT_LE(chain.effective_fraction, 1);
  }
  std::array<double, 10> a{}, b{};
  for (const std::uint64_t realization : {0u, 49u}) {
    few.fill(realization, a.data());
    many.fill(realization, b.data());
    EXPECT_EQ(a, b);
  }
  EXPECT_THROW(few.fill(50, a.data()), std::out_of_range);
}

// The mean of a chain's draws is as good as that of its effective sample size; of two estimates,
// within 4.9 standard errors of their difference (probability 1e-6).
TEST(RandomInputs, ChainsAndExactDrawsHaveTheSameMeans) {
  const Model model = heavy_body();
  constexpr std::uint64_t n = 20000;
  const RandomInputs exact(model, all_three(), seeded(5, n)),
      chain(model, by_chains(), seeded(5, n));
  std::array<double, 10> sum_e{}, sum_c{}, square{}, x{};
  for (std::uint64_t i = 0; i < n; ++i) {
    exact.fill(i, x.data());
    for (std::size_t k = 0; k < x.size(); ++k) {
      sum_e[k] += x[k];
      square[k] += x[k] * x[k];
    }
    chain.fill(i, x.data());
    for (std::size_t k = 0; k < x.size(); ++k) sum_c[k] += x[k];
  }
  for (std::size_t k = 1; k < x.size(); ++k) {
    const double mean = sum_e[k] / n, variance = square[k] / n - mean * mean;
    const double effective = chain.chains()[k < 4 ? 0 : 1].effective_sample_size;
    EXPECT_NEAR(sum_c[k] / n, mean, 4.9 * std::sqrt(variance * (1.0 / n + 1 / effective)))
        << exact.paths()[k];
  }
}

TEST(RandomInputs, DesignsReachEveryLawThroughMaps) {
  const Model model = heavy_body();
  DesignParameters sobol = seeded(1, 64);
  sobol.kind = DesignKind::sobol;
  const RandomInputs inputs(model, all_three(), sobol);
  EXPECT_EQ(inputs.design().dimension(), 10u);
  EXPECT_EQ(inputs.design().randomizations(), 16u);
  ASSERT_FALSE(inputs.germ_maps().empty());
  EXPECT_EQ(inputs.germ_maps().back().variable, "bodies.rb5.inertia");
  EXPECT_LT(inputs.germ_maps().back().error, 1e-5);
  EXPECT_TRUE(RandomInputs(model, all_three(), seeded(1)).germ_maps().empty());
  Uncertainty chain = all_three();
  chain.bodies[0].inertia->sampler = SamplingMethod::metropolis;
  EXPECT_THROW(RandomInputs(model, chain, sobol), std::invalid_argument);
  chain = all_three();
  chain.bodies[0].center_of_mass->sampler = SamplingMethod::metropolis;
  EXPECT_THROW(RandomInputs(model, chain, sobol), std::invalid_argument);
}

// Masses of maximum entropy with a correlation keep their laws and scale their inertias. A body
// that shares the variable of another has its mass at the same place.
TEST(RandomInputs, MassesMayBeCorrelated) {
  Model model = heavy_body();
  for (const char* name : {"other", "twin"}) {
    Body body = model.bodies[0];
    body.name = name;
    body.mass = 30;
    model.bodies.push_back(body);
  }
  Uncertainty u;
  u.bodies.resize(3);
  for (std::size_t i = 0; i < 3; ++i) {
    u.bodies[i].body = model.bodies[i].name;
    u.bodies[i].mass = MassUncertainty{i == 0 ? 0.5 : 0.2, i == 0 ? "" : "batch"};
  }
  u.bodies[2].mass->cv = 0.1;
  u.correlations = {
      {{"bodies.rb5.mass", "batch"}, {{1, -0.5}, {-0.5, 1}}, CorrelationOf::variables}};
  const RandomInputs inputs(model, u, seeded(12));
  EXPECT_EQ(inputs.design().dimension(), 2u);
  ASSERT_EQ(inputs.paths().size(), 21u);
  constexpr int n = 40000;
  double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
  std::array<double, 21> x{};
  const ScalarLaw batch(GammaLaw{.mean = 30, .cv = 0.2}), twin(GammaLaw{.mean = 30, .cv = 0.1});
  for (int i = 0; i < n; ++i) {
    inputs.fill(static_cast<std::uint64_t>(i), x.data());
    ASSERT_DOUBLE_EQ(x[1], 1200 * x[0] / 3000);
    ASSERT_DOUBLE_EQ(x[8], 1200 * x[7] / 30);
    if (i < 100) {
      EXPECT_NEAR(twin.cdf(x[14]), batch.cdf(x[7]), 1e-12);
    }
    sx += x[0], sy += x[7], sxx += x[0] * x[0], syy += x[7] * x[7], sxy += x[0] * x[7];
  }
  const double mx = sx / n, my = sy / n, vx = sxx / n - mx * mx, vy = syy / n - my * my;
  EXPECT_NEAR(mx, 3000, 4.9 * 1500 / std::sqrt(n));
  EXPECT_NEAR(my, 30, 4.9 * 6 / std::sqrt(n));
  EXPECT_NEAR(std::sqrt(vx), 1500, 4.9 * 1500 * 0.9 / std::sqrt(n));
  // A correlation of -0.5 has a standard error of about (1 - 0.25) / sqrt(n); 1 is on the safe
  // side.
  EXPECT_NEAR((sxy / n - mx * my) / std::sqrt(vx * vy), -0.5, 4.9 / std::sqrt(n));
}

// Equal masses that follow one variable are equal to the last bit, whether it is correlated or not.
TEST(RandomInputs, MassesOfOneVariableAreTheSame) {
  Model model = heavy_body();
  model.bodies.push_back(model.bodies[0]);
  model.bodies[1].name = "twin";
  Uncertainty u;
  u.bodies.resize(2);
  for (std::size_t i = 0; i < 2; ++i) {
    u.bodies[i].body = model.bodies[i].name;
    u.bodies[i].mass = MassUncertainty{0.3, "batch"};
  }
  NormalLaw gravity;
  gravity.mean = -9.81;
  gravity.std = 0.1;
  u.scalars = {{"gravity[2]", {"gravity[2]"}, gravity}};
  std::array<double, 15> x{};
  for (const bool correlated : {false, true}) {
    if (correlated)
      u.correlations = {{{"gravity[2]", "batch"}, {{1, 0.6}, {0.6, 1}}, CorrelationOf::variables}};
    const RandomInputs inputs(model, u, seeded(5));
    ASSERT_EQ(inputs.paths().size(), x.size());
    for (std::uint64_t i = 0; i < 2000; ++i) {
      inputs.fill(i, x.data());
      for (std::size_t k = 0; k < 7; ++k)
        ASSERT_EQ(x[k], x[7 + k]) << inputs.paths()[k] << " of " << i;
    }
  }
}

// Sobol' points integrate a smooth mean far better than the standard error of independent draws.
TEST(RandomInputs, SobolPointsAreEven) {
  const Model model = heavy_body();
  Uncertainty mapped = all_three();
  mapped.bodies[0].inertia.reset();
  DesignParameters sobol = seeded(1, 4096);
  sobol.kind = DesignKind::sobol;
  const RandomInputs inputs(model, mapped, sobol);
  double mass = 0, x0 = 0;
  std::array<double, 10> x{};
  for (std::uint64_t i = 0; i < 4096; ++i) {
    inputs.fill(i, x.data());
    mass += x[0] / 4096;
    x0 += x[1] / 4096;
  }
  EXPECT_NEAR(mass, 3000, 1500 / 64.0 / 10);
  EXPECT_NEAR(x0, 0.6, 0.14 / 64 / 10);
}

// Correlated numbers keep their own distributions.
TEST(RandomInputs, CorrelationsOfVariablesHold) {
  Model model = heavy_body();
  Uncertainty u;
  LognormalLaw stiff;
  stiff.mean = 9.81, stiff.cv = 0.3;
  ExponentialLaw wind;
  wind.mean = 2;
  u.scalars = {{"gravity[2]", {"gravity[2]"}, stiff}, {"wind", {"gravity[0]", "gravity[1]"}, wind}};
  u.correlations = {{{"gravity[2]", "wind"}, {{1, 0.6}, {0.6, 1}}, CorrelationOf::variables}};
  const RandomInputs inputs(model, u, seeded(11));
  constexpr int n = 40000;
  double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
  std::array<double, 3> x{};
  for (int i = 0; i < n; ++i) {
    inputs.fill(static_cast<std::uint64_t>(i), x.data());
    EXPECT_EQ(x[1], x[2]);
    sx += x[0], sy += x[1], sxx += x[0] * x[0], syy += x[1] * x[1], sxy += x[0] * x[1];
  }
  const double mx = sx / n, my = sy / n, vx = sxx / n - mx * mx, vy = syy / n - my * my;
  EXPECT_NEAR(mx, 9.81, 4.9 * 0.3 * 9.81 / std::sqrt(n));
  EXPECT_NEAR(my, 2, 4.9 * 2 / std::sqrt(n));
  // Standard error of the coefficient by its influence function, sampled 2e6 times with SciPy:
  // 0.751 / sqrt(n).
  EXPECT_NEAR((sxy / n - mx * my) / std::sqrt(vx * vy), 0.6, 4.9 * 0.751 / std::sqrt(n));
}

Uncertainty one_number(const std::string& path, const NormalLaw& law) {
  Uncertainty u;
  u.scalars = {{path, {path}, law}};
  return u;
}

std::string warnings_of(const Model& model, const Uncertainty& u) {
  std::string all;
  for (const std::string& sentence : RandomLaws(model, u).warnings()) all += sentence + "\n";
  return all;
}

// P(N(2, 1) <= 0) = 2.275 %; P(N(2, 0.4) <= 0) = 2.9e-7; at 0.3 it is 1.3e-11, not worth a word.
TEST(RandomInputs, ImpossibleValuesAreAnnouncedWithTheirProbability) {
  using testing::HasSubstr;
  Model model = heavy_body();
  model.bodies[0].mass = 2;
  NormalLaw law;
  law.mean = 2, law.std = 1;
  const auto said = [&] { return warnings_of(model, one_number("bodies.rb5.mass", law)); };
  EXPECT_THAT(
      said(),
      testing::AllOf(
          HasSubstr("bodies.rb5.mass: with a probability of 2.3 % its "
                    "value is impossible while all others are nominal (body 'rb5': mass must be"),
          HasSubstr("fail")));
  law.std = 0.4;
  EXPECT_THAT(said(), HasSubstr("2.9e-05 %"));
  law.std = 0.3;
  EXPECT_EQ(said(), "");
  law.mean = -1, law.std = 0.01;
  EXPECT_THAT(said(), HasSubstr("probability of 100 %"));
}

TEST(RandomInputs, NumbersOfAnotherSizeThanTheNominalOneAreDoubted) {
  using testing::HasSubstr;
  const Model model = heavy_body();  // 3000 kg at x = 0.6 m
  NormalLaw law;
  law.mean = 3e6, law.std = 1;
  EXPECT_THAT(warnings_of(model, one_number("bodies.rb5.mass", law)),
              HasSubstr("its mean 3e+06 is 1e+03 times the nominal value 3000 of bodies.rb5.mass"));
  law.mean = 3;
  EXPECT_THAT(warnings_of(model, one_number("bodies.rb5.mass", law)), HasSubstr("0.001 times"));
  law.mean = 3100;
  EXPECT_EQ(warnings_of(model, one_number("bodies.rb5.mass", law)), "");
  law.mean = 0, law.std = 0.2;  // around zero, of the size of the nominal 0.6
  EXPECT_EQ(warnings_of(model, one_number("bodies.rb5.position[0]", law)), "");
  law.mean = 5;  // the nominal value is zero: nothing to compare with
  EXPECT_EQ(warnings_of(model, one_number("bodies.rb5.position[1]", law)), "");
}

// A domain of 500 x 200 x 20 where the body has a radius of gyration of 1.4 m.
TEST(RandomInputs, ADomainInMillimetresIsDoubted) {
  const Model model = heavy_body();
  Uncertainty u = all_three();
  u.bodies[0].mass.reset();
  EXPECT_EQ(warnings_of(model, u), "");
  std::get<BoxRegion>(u.bodies[0].center_of_mass->region).size = {500, 200, 20};
  EXPECT_THAT(warnings_of(model, u),
              testing::HasSubstr("the box of the centre of mass is 539 m across, 3.8e+02 times the "
                                 "radius of gyration 1.43 m"));
  u.bodies[0].center_of_mass.reset();
  u.bodies[0].inertia->z_max->numbers = {9.61e6, 1.0e6, 0.0625e6, 0, 0, 0};
  EXPECT_THAT(warnings_of(model, u),
              testing::HasSubstr("z_max lets mass be 3.27e+03 m from the centre of mass"));
}

}  // namespace
}  // namespace tumble
