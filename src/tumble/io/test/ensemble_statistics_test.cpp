// Statistics in the results of small ensembles: what is written, and what it says of itself.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netcdf.h>
#include <unistd.h>

#include <cmath>
#include <limits>

#include "tumble/io/results/ensemble_results.hpp"
#include "tumble/io/results/run_summary_part.hpp"
#include "tumble/study/leaf_builder.hpp"

namespace tumble {
namespace {

/// A results file, read by name.
class File {
 public:
  explicit File(const std::filesystem::path& path) {
    EXPECT_EQ(::nc_open(path.c_str(), NC_NOWRITE, &file_), NC_NOERR);
  }
  ~File() { ::nc_close(file_); }

  bool has(const std::string& name) const {
    int id = -1;
    return ::nc_inq_varid(file_, name.c_str(), &id) == NC_NOERR;
  }
  std::vector<double> values(const std::string& name) const {
    int id = -1, dimensions = 0;
    EXPECT_EQ(::nc_inq_varid(file_, name.c_str(), &id), NC_NOERR) << name;
    int ids[NC_MAX_VAR_DIMS];
    ::nc_inq_var(file_, id, nullptr, nullptr, &dimensions, ids, nullptr);
    std::size_t size = 1;
    for (int d = 0; d < dimensions; ++d) {
      std::size_t length = 0;
      ::nc_inq_dimlen(file_, ids[d], &length);
      size *= length;
    }
    std::vector<double> result(size);
    EXPECT_EQ(::nc_get_var_double(file_, id, result.data()), NC_NOERR) << name;
    return result;
  }
  std::string attribute(const std::string& variable, const char* name) const {
    int id = -1;
    std::size_t length = 0;
    ::nc_inq_varid(file_, variable.c_str(), &id);
    if (::nc_inq_attlen(file_, id, name, &length) != NC_NOERR) return "";
    std::string text(length, ' ');
    ::nc_get_att_text(file_, id, name, text.data());
    return text;
  }

 private:
  int file_ = -1;
};

/// Four realisations of a point's position at three times, the last of which may fail after one.
class EnsembleStatistics : public testing::Test {
 protected:
  EnsembleStatistics() {
    nominal_.times = {0, 0.5, 1};
    nominal_.series = {{"tip", Quantity::position, 3, {0, 0, 0, 1, 2, 3, -1, 5, 2}, {}}};
    path_ = std::filesystem::temp_directory_path() / fmt::format("tumble_stat_{}.nc", ::getpid());
  }
  ~EnsembleStatistics() override { std::filesystem::remove(path_); }

  static std::vector<double> row(int r) {
    return {0, 0, 0, 1.0 * r, 2.0 - r, 1, 2.0 * r, -1, std::pow(2, r)};
  }

  EnsembleFailures write(bool fails, EnsembleResults results = {}) {
    const std::uint64_t copies = results.sampling.randomizations;
    LeafBuilder builder(layout_, {0, true, copies}, 0);
    LeafRecord record;
    for (int r = 0; r < 4; ++r) {
      const bool failed = fails && r == 3;
      builder.add(row(r).data(), 1, failed ? 1 : 3);
      record.outcomes.push_back(failed ? RealizationOutcome{RealizationStatus::failed, 0.3, "stuck"}
                                       : RealizationOutcome{});
    }
    const LeafStatistics statistics = builder.statistics();
    record.summaries = builder.take_summaries();
    StoredValues values(layout_);
    values.add(0, *builder.take_values());
    results.nominal = &nominal_;
    results.statistics = &statistics;
    results.realizations = 4;
    results.probabilities = {0.5};
    results.quantiles =
        ensemble_quantiles(statistics, &values, results.probabilities, {0.5, results.sampling, 1});
    results.interval_confidence = 0.5;
    results.densities.points = 5;
    results.densities.times = {1};
    DensityOptions options;
    options.points = 5;
    results.densities.curves = ensemble_densities(values, std::vector<std::size_t>{2}, options);
    results.for_each_leaf = [&](const auto& visit) { visit(record); };
    AtomicFile file(path_);
    EnsembleFailures failures = write_ensemble_results(file, results, {});
    file.commit();
    return failures;
  }

  using Numbers = std::vector<double>;
  LayoutPointer layout_ =
      std::make_shared<const StatisticsLayout>(3, std::vector<std::uint32_t>{3});
  Trajectory nominal_;
  std::filesystem::path path_;
};

TEST_F(EnsembleStatistics, OfRunsThatAllSucceed) {
  EXPECT_EQ(write(false).count, 0u);
  const File file(path_);
  EXPECT_EQ(file.values("tip_position_min"), (Numbers{0, 0, 0, 0, -1, 1, 0, -1, 1}));
  EXPECT_EQ(file.values("tip_position_max"), (Numbers{0, 0, 0, 3, 2, 1, 6, -1, 8}));
  EXPECT_EQ(file.values("tip_position_min_realization"), (Numbers{0, 0, 0, 0, 3, 0, 0, 0, 0}));
  EXPECT_EQ(file.values("tip_position_max_realization"), (Numbers{0, 0, 0, 3, 0, 0, 3, 0, 3}));
  EXPECT_EQ(file.values("tip_position_peak_min"),
            (Numbers{0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0}));
  EXPECT_EQ(file.values("tip_position_peak_min_time"),
            (Numbers{0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0.5, 0}));
  EXPECT_EQ(file.values("tip_position_peak_max"), (Numbers{0, 2, 1, 2, 1, 2, 4, 0, 4, 6, 0, 8}));
  EXPECT_EQ(file.values("tip_position_nominal_peak_min"), (Numbers{-1, 0, 0}));
  EXPECT_EQ(file.values("tip_position_nominal_peak_min_time"), (Numbers{1, 0, 0}));
  EXPECT_EQ(file.values("tip_position_nominal_peak_max"), (Numbers{1, 5, 3}));
  EXPECT_EQ(file.values("tip_position_nominal_peak_max_time"), (Numbers{0.5, 1, 0.5}));
  // |q|^2 of realisation 1 is 0, 3 and 9 at times 0.5 s apart.
  EXPECT_DOUBLE_EQ(file.values("tip_position_square_integral")[1], 0.5 * (3 + 4.5));
  // The std of 0, 1, 2, 3 is sqrt(5/3), their kurtosis, unbiased for normal values, 1.8.
  EXPECT_NEAR(file.values("tip_position_std_se")[3], 0.5 * std::sqrt(5.0 / 3 * (1.8 - 1.0 / 3) / 4),
              1e-14);
  // Symmetric: Student's interval. scipy.stats.t.ppf(0.75, 3) = 0.7648923284043453.
  EXPECT_NEAR(file.values("tip_position_mean_interval_upper")[3],
              1.5 + 0.7648923284043453 * std::sqrt(5.0 / 12), 1e-12);
  EXPECT_NEAR(file.values("tip_position_mean_interval_lower")[3],
              1.5 - 0.7648923284043453 * std::sqrt(5.0 / 12), 1e-12);
  EXPECT_GT(file.values("tip_position_std_interval_upper")[3], std::sqrt(5.0 / 3));
  EXPECT_LT(file.values("tip_position_std_interval_lower")[3], std::sqrt(5.0 / 3));
  EXPECT_FALSE(file.has("tip_position_region_lower"));
  EXPECT_EQ(file.attribute("tip_position_mean_se", "error_basis"), "independent realisations");
  // Of four values one or none is below the median with 5/16, more than the 1/4 that 50 % leave.
  EXPECT_EQ(file.values("tip_position_quantile_lower")[6], 0.0);
  EXPECT_EQ(file.values("tip_position_quantile_upper")[6], 6.0);
  EXPECT_EQ(file.attribute("tip_position_quantile_lower", "units"), "m");
  EXPECT_EQ(file.values("density_time"), Numbers{1});
  EXPECT_EQ(file.values("tip_position_density").size(), 15u);
  EXPECT_EQ(file.values("tip_position_density_bandwidth")[1], 0.0);  // y is -1 in all
  EXPECT_EQ(file.attribute("tip_position_density", "units"), "1/(m)");
  EXPECT_EQ(file.attribute("tip_position_mean", "conditional_on"), "");
  for (const char* name : {"quantile_bound_lower", "mean_lower", "std_upper", "out_of_range"})
    EXPECT_FALSE(file.has(std::string("tip_position_") + name)) << name;
}

TEST_F(EnsembleStatistics, BoundsWhereOneFailed) {
  EnsembleResults results;
  results.ranges = {ValueRange{-2, 5}};
  const EnsembleFailures failures = write(true, results);
  EXPECT_EQ(failures.count, 1u);
  const File file(path_);
  EXPECT_EQ(file.values("count"), (Numbers{4, 3, 3}));
  EXPECT_EQ(file.attribute("tip_position_mean", "conditional_on"), "success");
  EXPECT_EQ(file.attribute("tip_position_std", "conditional_on"), "success");
  EXPECT_EQ(file.attribute("tip_position_mean_lower", "conditional_on"), "");
  // x at the last time: 0, 2, 4 and one more. The median of four is the mean of the inner two.
  EXPECT_EQ(file.values("tip_position_quantile")[6], 2.0);
  EXPECT_EQ(file.values("tip_position_quantile_bound_lower")[6], 1.0);
  EXPECT_EQ(file.values("tip_position_quantile_bound_upper")[6], 3.0);
  EXPECT_DOUBLE_EQ(file.values("tip_position_mean_lower")[6], (6.0 - 2) / 4);
  EXPECT_DOUBLE_EQ(file.values("tip_position_mean_upper")[6], (6.0 + 5) / 4);
  // With the fourth at 2, the mean, and at -2, which is farther from it than 5 by 1.
  EXPECT_DOUBLE_EQ(file.values("tip_position_std_lower")[6], std::sqrt(8.0 / 3));
  EXPECT_DOUBLE_EQ(file.values("tip_position_std_upper")[6], std::sqrt((8 + 0.75 * 16) / 3));
  // Before it failed it counted: nothing is uncertain there.
  EXPECT_EQ(file.values("tip_position_mean_lower")[0], 0.0);
  EXPECT_EQ(file.values("tip_position_mean_upper")[0], 0.0);
  // Its extremes are those before its failure, its integral is not known.
  EXPECT_EQ(file.values("tip_position_peak_max")[9], 0.0);
  EXPECT_TRUE(std::isnan(file.values("tip_position_square_integral")[3]));
  EXPECT_EQ(file.values("tip_position_out_of_range"), (Numbers{0, 0, 0}));
  EXPECT_TRUE(failures.out_of_range.empty());
}

TEST_F(EnsembleStatistics, ValuesOutsideTheirRangeAreCounted) {
  EnsembleResults results;
  results.ranges = {ValueRange{-0.5, 5}};
  const EnsembleFailures failures = write(false, results);
  const File file(path_);
  EXPECT_EQ(file.values("tip_position_out_of_range"), (Numbers{1, 4, 1}));
  EXPECT_EQ(failures.out_of_range.size(), 3u);
  EXPECT_EQ(failures.out_of_range[1],
            "tip.position[1]: 4 realisations left the declared range [-0.5, 5] m");
  EXPECT_FALSE(file.has("tip_position_mean_lower"));
}

TEST_F(EnsembleStatistics, CopiesAndChainsSayWhatErrorsRestOn) {
  EnsembleResults results;
  results.sampling.randomizations = 2;
  write(false, results);
  {
    // Copies {0, 2} and {1, 3} of x at the second time: means 1 and 2.
    const File file(path_);
    EXPECT_DOUBLE_EQ(file.values("tip_position_mean_se")[3], 0.5);
    // Divisor n, also of covariances: of x and y = 2 - x.
    EXPECT_DOUBLE_EQ(file.values("tip_position_std")[3], std::sqrt(5.0 / 4));
    EXPECT_DOUBLE_EQ(file.values("tip_position_cov")[9 + 1], -5.0 / 4);
    EXPECT_EQ(file.attribute("tip_position_mean_se", "error_basis"),
              "the scatter of 2 independent randomisations of the design");
  }
  results.sampling.randomizations = 1;
  write(false, results);
  {
    const File file(path_);
    EXPECT_DOUBLE_EQ(file.values("tip_position_std")[3], std::sqrt(5.0 / 4));
    for (const char* name : {"mean_se", "std_se", "mean_interval_lower", "std_interval_upper",
                             "quantile_lower", "quantile_upper"})
      EXPECT_FALSE(file.has(std::string("tip_position_") + name)) << name;
    for (const char* name : {"mean", "std", "quantile"})
      EXPECT_THAT(file.attribute(std::string("tip_position_") + name, "error_basis"),
                  testing::StartsWith("none: one randomisation"))
          << name;
  }
  results.sampling = {0, 0.25};
  write(false, results);
  const File file(path_);
  EXPECT_DOUBLE_EQ(file.values("tip_position_mean_se")[3], std::sqrt(5.0 / 3));
  EXPECT_EQ(file.attribute("tip_position_std_se", "error_basis"),
            "Markov chains: 0.25 n independent values for n realisations");
}

TEST_F(EnsembleStatistics, RegionsAreWrittenAndSayWhatTheyAre) {
  EnsembleResults results;
  results.region_kind = RegionKind::chebyshev;
  results.region.lower.assign(9, -1);
  results.region.upper.assign(9, 2);
  results.region.upper[3 + 1] = 7;
  write(false, results);
  const File file(path_);
  EXPECT_EQ(file.values("tip_position_region_lower"), Numbers(9, -1));
  EXPECT_EQ(file.values("tip_position_region_upper")[4], 7);
  EXPECT_THAT(file.attribute("tip_position_region_upper", "long_name"),
              testing::HasSubstr("upper end of the region of Chebyshev's inequality for 90 %"));
}

TEST(ConvergenceCounts, GrowGeometrically) {
  EXPECT_EQ(convergence_counts(1), (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(convergence_counts(20),
            (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 16, 19, 20}));
}

}  // namespace
}  // namespace tumble
