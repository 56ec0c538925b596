// Densities that the page draws, against moments, draws and formulas from elsewhere.
#include "tumble/report/laws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "source_directory.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/random/stream/stream.hpp"

namespace tumble::report {
namespace {

ModelFile case_four() {
  return read_model(std::string(source_directory) + "/examples/batou-soize-2012/case4.yaml");
}

struct Moments {
  double integral = 0, mean = 0, variance = 0;
};
/// By Simpson's rule.
Moments moments(const std::function<double(double)>& density, double low, double high) {
  constexpr int pieces = 20000;
  const auto integral = [&](const std::function<double(double)>& f) {
    double sum = 0;
    const double h = (high - low) / pieces;
    for (int i = 0; i <= pieces; ++i)
      sum += (i == 0 || i == pieces ? 1 : i % 2 == 1 ? 4 : 2) * f(low + i * h);
    return sum * h / 3;
  };
  Moments m;
  m.integral = integral(density);
  m.mean = integral([&](double x) { return x * density(x); });
  m.variance = integral([&](double x) { return (x - m.mean) * (x - m.mean) * density(x); });
  return m;
}

TEST(ReportLaws, DensitiesHaveTheMomentsOfTheLaw) {
  const ModelFile file = case_four();
  const RandomLaws laws(file.model, *file.uncertainty);
  const auto known = input_laws(laws);
  const Moments mass = moments(known.at("bodies.rb5.mass").density, 0, 60000);
  EXPECT_NEAR(mass.integral, 1, 1e-9);
  EXPECT_NEAR(mass.mean, 3000, 1e-5);
  EXPECT_NEAR(mass.variance, 1500.0 * 1500, 1e-2);
  // The paper: the box [0.3, 0.8] x [-0.1, 0.1] x [0.49, 0.51] with the mean (0.6, 0, 0.5).
  const double mean[] = {0.6, 0, 0.5}, low[] = {0.3, -0.1, 0.49}, high[] = {0.8, 0.1, 0.51};
  const Mat3d covariance = laws.bodies()[0].centre->law.report().covariance;
  for (int k = 0; k < 3; ++k) {
    const InputLaw& law = known.at("bodies.rb5.position[" + std::to_string(k) + "]");
    EXPECT_NEAR(law.low, low[k], 1e-12);
    EXPECT_NEAR(law.high, high[k], 1e-12);
    const Moments m = moments(law.density, law.low, law.high);
    EXPECT_NEAR(m.integral, 1, 1e-12);
    EXPECT_NEAR(m.mean, mean[k], 1e-12);
    EXPECT_NEAR(m.variance, covariance(k, k), 1e-12);
    EXPECT_EQ(law.density(high[k] + 1e-9), 0);
  }
  EXPECT_EQ(known.at("bodies.rb5.mass").words, "gamma, mean 3000, cv 0.5");
  EXPECT_FALSE(known.at("bodies.rb5.inertia[0]").density);
}

TEST(ReportLaws, AMassScalesTheInertia) {
  const ModelFile file = case_four();
  Uncertainty uncertainty = *file.uncertainty;
  uncertainty.bodies[0].inertia.reset();
  const auto known = input_laws(RandomLaws(file.model, uncertainty));
  // 5000 kg m^2 with 3000 kg: the gamma law of the mass, stretched.
  const InputLaw& law = known.at("bodies.rb5.inertia[1]");
  const Moments m = moments(law.density, 0, 100000);
  EXPECT_NEAR(m.integral, 1, 1e-9);
  EXPECT_NEAR(m.mean, 5000, 1e-4);
  EXPECT_NEAR(std::sqrt(m.variance), 2500, 1e-4);
  EXPECT_FALSE(known.at("bodies.rb5.inertia[3]").density);  // is zero
}

double distribution(const DensityPoints& density, double x) {
  double sum = 0;
  for (std::size_t i = 1; i < density.x.size() && density.x[i - 1] < x; ++i) {
    const double part = std::min(1.0, (x - density.x[i - 1]) / (density.x[i] - density.x[i - 1]));
    const double end = density.y[i - 1] + part * (density.y[i] - density.y[i - 1]);
    sum += 0.5 * part * (density.x[i] - density.x[i - 1]) * (density.y[i - 1] + end);
  }
  return sum;
}

/// The saddlepoint density against exact draws: the distance of Kolmogorov and Smirnov of n draws
/// exceeds sqrt(log(2/p) / (2 n)) with a probability of at most p = 1e-6 (Dvoretzky, Kiefer,
/// Wolfowitz, Massart). The page cuts tails below a thousandth of the largest density, which hold
/// less than 0.002.
void expect_trace_of_draws(const InertiaLaw& law) {
  const DensityPoints density = trace_density(law);
  constexpr std::size_t n = 20000;
  std::vector<double> traces;
  for (std::size_t i = 0; i < n; ++i) {
    Draws draws(Stream(11, i, 5));
    const Mat3d G = law.draw_normalized(draws);
    traces.push_back(G(0, 0) + G(1, 1) + G(2, 2));
  }
  std::sort(traces.begin(), traces.end());
  double distance = 0;
  for (std::size_t i = 0; i < n; i += 20)
    distance = std::max(
        distance, std::abs(distribution(density, traces[i]) - (static_cast<double>(i) + 0.5) / n));
  EXPECT_LT(distance, std::sqrt(std::log(2e6) / (2.0 * n)) + 0.002);
}

TEST(ReportLaws, TheTraceOfGHasTheDensityOfItsDraws) {
  const ModelFile file = case_four();
  const RandomLaws laws(file.model, *file.uncertainty);
  expect_trace_of_draws(laws.bodies()[0].inertia->law);
  // The mean of the trace is 3, its variance the sum of the covariances.
  const InertiaLaw& law = laws.bodies()[0].inertia->law;
  const DensityPoints density = trace_density(law);
  double mean = 0, variance = 0, exact = 0;
  for (std::size_t i = 1; i < density.x.size(); ++i) {
    const double h = density.x[i] - density.x[i - 1], x = 0.5 * (density.x[i] + density.x[i - 1]);
    const double f = 0.5 * h * (density.y[i] + density.y[i - 1]);
    mean += f * x;
    variance += f * (x - 3) * (x - 3);
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) exact += law.diagonal_covariance()(i, j);
  EXPECT_NEAR(mean, 3, 0.01);
  EXPECT_NEAR(variance, exact, 0.03 * exact);
}

TEST(ReportLaws, WithoutABoundTheTraceIsGamma) {
  UnboundedInertia input;
  input.mass = 3000;
  for (int k = 0; k < 3; ++k) input.inertia(k, k) = (k == 0 ? 1200 : k == 1 ? 5000 : 6000);
  input.delta = 0.4;
  const InertiaLaw law(input);
  const DensityPoints density = trace_density(law);
  // tr(G) of a Wishart matrix over a = 2/delta^2: shape 3 a, scale 1/a.
  const double a = 2 / (0.4 * 0.4), shape = 3 * a;
  for (std::size_t i = 0; i < density.x.size(); ++i) {
    const double x = density.x[i];
    const double exact =
        std::exp((shape - 1) * std::log(x) - a * x + shape * std::log(a) - std::lgamma(shape));
    EXPECT_NEAR(density.y[i], exact, 0.005 * exact + 1e-3);
  }
}

}  // namespace
}  // namespace tumble::report
