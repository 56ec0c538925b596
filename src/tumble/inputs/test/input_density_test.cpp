// Densities of random inputs: closed forms, and means of ratios of laws, which are 1.
#include "tumble/inputs/input_density.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tumble/inputs/random_inputs.hpp"

namespace tumble {
namespace {

/// A body with a random mass, centre in a box and inertia with these parameters.
struct UncertainBody {
  double cv = 0.4, edge = 0.4, lambda_l = -5, lambda_u = -5;

  Model model() const {
    Model model;
    Body body;
    body.name = "block";
    body.mass = 3000;
    body.position = {0.6, 0, 0.5};
    body.inertia = {1200, 5000, 6000, 0, 0, 0};
    model.bodies = {body};
    model.simulation.duration = 1;
    model.simulation.step = 0.1;
    return model;
  }
  Uncertainty uncertainty() const {
    BodyUncertainty body;
    body.body = "block";
    body.mass = MassUncertainty{cv, {}};
    BoxRegion box;
    box.center = {0.6, 0, 0.5};
    box.size = {edge, 0.2, 0.02};
    body.center_of_mass = CentreUncertainty{box, SamplingMethod::exact, {}, {}};
    InertiaUncertainty inertia;
    inertia.lambda_l = lambda_l;
    inertia.lambda_u = lambda_u;
    inertia.z_max =
        SecondMomentBound{SecondMomentBound::From::numbers, {9.61, 1.0, 0.0625, 0, 0, 0}, {}};
    body.inertia = inertia;
    return {{body}, {}, {}};
  }
  InputDensity density(const std::vector<std::string>& paths,
                       const std::set<RandomPart>& parts) const {
    return {RandomLaws(model(), uncertainty()), paths, parts};
  }
};

/// The mean of p_b / p_a over draws of a, and its standard error.
struct MeanRatio {
  double mean, error;
};
MeanRatio mean_ratio(const UncertainBody& a, const UncertainBody& b,
                     const std::set<RandomPart>& parts) {
  DesignParameters sampling;
  sampling.seed = 3;
  const RandomInputs inputs(a.model(), a.uncertainty(), sampling);
  const InputDensity of_a = a.density(inputs.paths(), parts),
                     of_b = b.density(inputs.paths(), parts);
  std::vector<double> row(inputs.paths().size());
  constexpr int n = 2000;
  double sum = 0, squares = 0;
  for (std::uint64_t r = 0; r < n; ++r) {
    inputs.fill(r, row.data());
    const double ratio = std::exp(of_b.log_density(row.data()) - of_a.log_density(row.data()));
    sum += ratio;
    squares += ratio * ratio;
  }
  const double mean = sum / n;
  return {mean, std::sqrt((squares / n - mean * mean) / n)};
}

TEST(InputDensity, OfAMassIsThatOfItsGammaLaw) {
  const UncertainBody body{.cv = 0.5};
  const InputDensity density = body.density({"bodies.block.mass"}, {"block.mass"});
  // Shape 4, scale 750: x^3 exp(-x / 750) / (3! 750^4)
  const double x = 2500;
  EXPECT_NEAR(density.log_density(&x),
              3 * std::log(x) - x / 750 - std::log(6.0) - 4 * std::log(750.0), 1e-12);
}

TEST(InputDensity, OfACentreInTheMiddleOfItsBoxIsUniform) {
  const std::vector<std::string> paths{"bodies.block.position[0]", "bodies.block.position[1]",
                                       "bodies.block.position[2]"};
  const InputDensity density = UncertainBody{.edge = 0.4}.density(paths, {"block.center_of_mass"});
  const double inside[] = {0.7, 0.05, 0.505}, outside[] = {0.81, 0, 0.5};
  EXPECT_NEAR(density.log_density(inside), -std::log(0.4 * 0.2 * 0.02), 1e-9);
  EXPECT_EQ(density.log_density(outside), -std::numeric_limits<double>::infinity());
  EXPECT_NE(density.support(),
            UncertainBody{.edge = 0.5}.density(paths, {"block.center_of_mass"}).support());
}

TEST(InputDensity, RatiosOfLawsHaveTheMeanOne) {
  const UncertainBody wide{.cv = 0.4};
  const MeanRatio mass = mean_ratio(wide, {.cv = 0.3}, {"block.mass"});
  EXPECT_NEAR(mass.mean, 1, 4 * mass.error);
  EXPECT_LT(mass.error, 0.03);
  // The normalising constants of the Kummer-Beta law are solved for, not sampled.
  const MeanRatio inertia = mean_ratio(wide, {.lambda_l = -6, .lambda_u = -4}, {"block.inertia"});
  EXPECT_NEAR(inertia.mean, 1, 4 * inertia.error);
  EXPECT_LT(inertia.error, 0.05);
}

TEST(InputDensity, CorrelatedNormalNumbersHaveTheirJointDensity) {
  Model model = UncertainBody{}.model();
  Uncertainty uncertainty;
  uncertainty.scalars = {{"gravity[0]", {"gravity[0]"}, NormalLaw{.mean = 1.0, .std = 2.0}},
                         {"gravity[1]", {"gravity[1]"}, NormalLaw{.mean = -1.0, .std = 0.5}}};
  uncertainty.correlations = {
      {{"gravity[0]", "gravity[1]"}, {{1, 0.6}, {0.6, 1}}, CorrelationOf::variables}};
  const InputDensity density(RandomLaws(model, uncertainty), {"gravity[0]", "gravity[1]"},
                             {"gravity[0]"});
  const double x[] = {2.0, -0.8};
  const double u = 0.5, v = 0.4, rho = 0.6, det = 1 - rho * rho;
  const double exact = -std::log(2 * 3.14159265358979323846 * 2.0 * 0.5 * std::sqrt(det)) -
                       0.5 * (u * u - 2 * rho * u * v + v * v) / det;
  EXPECT_NEAR(density.log_density(x), exact, 1e-9);
}

TEST(InputDensity, DiscreteLawsHaveNone) {
  const Model model = UncertainBody{}.model();
  Uncertainty uncertainty;
  uncertainty.scalars = {{"gravity[0]", {"gravity[0]"}, DiscreteLaw{{1, 2}, {1, 1}}}};
  EXPECT_THROW(InputDensity(RandomLaws(model, uncertainty), {"gravity[0]"}, {"gravity[0]"}),
               std::invalid_argument);
}

}  // namespace
}  // namespace tumble
