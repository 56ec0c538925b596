#include "tumble/study/statistics/density.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "ensemble_for_tests.hpp"

namespace tumble {
namespace {

std::vector<std::uint64_t> indices(std::size_t n) {
  std::vector<std::uint64_t> result(n);
  std::iota(result.begin(), result.end(), std::uint64_t{0});
  return result;
}

// SciPy 1.10: h = 0.9 * min(s, iqr(x) / 1.34) * n**-0.2, gaussian_kde(x, bw_method=h / s) and the
// scatter of its kernels, s being x.std(ddof=1).
TEST(Density, IsThatOfSciPy) {
  const std::vector<double> values{4, 0, 7, 1.5, 1, 2};
  DensityOptions options;
  options.points = 5;
  const KernelDensity found = kernel_density(values, indices(6), options);
  const double at[] = {-4.45893423, -0.47946711, 3.5, 7.47946711, 11.45893423};
  const double density[] = {2.04194695e-05, 9.64723877e-02, 9.56759849e-02, 5.48344173e-02,
                            2.00093108e-05};
  const double error[] = {1.99304142e-05, 5.13125502e-02, 5.05749998e-02, 5.42873491e-02,
                          2.00092973e-05};
  EXPECT_NEAR(found.bandwidth, 1.1147335569957093, 1e-15);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(found.at[k], at[k], 1e-8);
    EXPECT_NEAR(found.density[k], density[k], 1e-8 * density[k]);
    EXPECT_NEAR(found.error[k], error[k], 1e-8 * error[k]);
  }
  options.bandwidth_factor = 0.5;
  EXPECT_DOUBLE_EQ(kernel_density(values, indices(6), options).bandwidth, found.bandwidth / 2);
  options.sampling.effective_fraction = 0.25;
  options.bandwidth_factor = 1;
  EXPECT_NEAR(kernel_density(values, indices(6), options).error[2], 2 * error[2], 1e-8);
}

// 2000 exponential values: the integral is 1 but for the tails beyond 4 h; at 1 the density is
// 1/e. The smoothing adds h^2 f'' / 2 = 0.5 * h^2 / e = 0.007 with h = 0.19, below a tenth of
// 1/e; five stated errors are exceeded with a chance of 6e-7.
TEST(Density, OfExponentialValues) {
  std::vector<double> values(2000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = -std::log1p(-uniform(i));
  const KernelDensity found = kernel_density(values, indices(values.size()), {});
  double integral = 0;
  for (std::size_t k = 1; k < found.at.size(); ++k)
    integral += 0.5 * (found.density[k] + found.density[k - 1]) * (found.at[k] - found.at[k - 1]);
  EXPECT_NEAR(integral, 1, 1e-3);
  std::size_t near_one = 0;
  while (found.at[near_one] < 1) ++near_one;
  const double h = found.bandwidth, truth = std::exp(-found.at[near_one]);
  EXPECT_NEAR(found.density[near_one], truth * (1 + h * h / 2), 5 * found.error[near_one]);
  EXPECT_LT(found.error[near_one], 0.05);
}

TEST(Density, OfACopiedDesignHasTheErrorOfItsCopies) {
  // Both copies hold the same values: no error at all.
  const std::vector<double> values{1, 1, 2, 2, 4, 4, 7, 7};
  DensityOptions options;
  options.sampling.randomizations = 2;
  for (const double error : kernel_density(values, indices(8), options).error)
    EXPECT_NEAR(error, 0, 1e-16);
  options.sampling.randomizations = 0;
  EXPECT_GT(kernel_density(values, indices(8), options).error[100], 0.01);
}

TEST(Density, WithoutScatterThereIsNone) {
  const KernelDensity constant = kernel_density(std::vector<double>(9, 3.0), indices(9), {});
  EXPECT_EQ(constant.bandwidth, 0.0);
  EXPECT_EQ(constant.density.size(), 200u);
  EXPECT_TRUE(std::isnan(constant.density[100]));
  EXPECT_TRUE(std::isnan(kernel_density({}, {}, {}).bandwidth));
  // More than half are equal: the interquartile range is 0, the deviation 1 / 3.
  const std::vector<double> mostly{0, 0, 0, 0, 0, 0, 0, 0, 1};
  EXPECT_DOUBLE_EQ(silverman_bandwidth(mostly), 0.9 / 3 * std::pow(9, -0.2));
}

TEST(Density, OfAStudyAtTheTimesAskedFor) {
  const TestEnsemble ensemble;
  StoredValues stored(ensemble.layout);
  for (std::uint64_t leaf = 0; leaf < 2; ++leaf) {
    TestEnsemble keeping = ensemble;
    keeping.options.store_values = true;
    stored.add(leaf, *keeping.builder(leaf, 64).take_values());
  }
  const std::vector<std::size_t> times{2, 5};
  const auto found = ensemble_densities(stored, times, {});
  ASSERT_EQ(found.size(), 2u);
  ASSERT_EQ(found[1].size(), ensemble.layout->numbers());
  std::vector<double> values;
  for (std::uint64_t r = 0; r < 128; ++r)
    if (ensemble.valid_times(r) > 5)
      values.push_back(ensemble.row(r)[5 * ensemble.layout->numbers() + 3]);
  const KernelDensity alone = kernel_density(values, indices(values.size()), {});
  EXPECT_EQ(found[1][3].bandwidth, alone.bandwidth);
  EXPECT_EQ(found[1][3].density, alone.density);
}

}  // namespace
}  // namespace tumble
