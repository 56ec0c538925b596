// The results of an ensemble whose leaves come in any order, with more failures than are held in
// memory at a time.
#include "tumble/io/results/ensemble_results.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netcdf.h>
#include <unistd.h>

#include <cmath>

#include "tumble/study/leaf_builder.hpp"

namespace tumble {
namespace {

constexpr std::uint64_t leaves = 900, n = leaves * realizations_per_leaf;

/// Largest in realisation 32003, which is neither in the first leaf nor in the last.
double mismatch_of(std::uint64_t r) { return r == 32003 ? 0.07 : 1e-9 * static_cast<double>(r); }

RealizationOutcome outcome(std::uint64_t r) {
  if (r % 50 == 3) return {RealizationStatus::ok, 0, "", mismatch_of(r)};
  return {r % 50 == 4 ? RealizationStatus::inadmissible : RealizationStatus::failed,
          static_cast<double>(r), fmt::format("reason {}", r), 0.5};
}

double number_of(std::uint64_t r) { return static_cast<double>(r); }

LeafRecord record(std::uint64_t leaf) {
  LeafRecord result;
  result.leaf = leaf;
  result.input_count = 2;
  for (std::uint64_t r = result.first(); r < result.first() + realizations_per_leaf; ++r) {
    result.inputs.push_back(static_cast<double>(r));
    result.inputs.push_back(-static_cast<double>(r));
    result.outcomes.push_back(outcome(r));
    result.summaries.peaks.push_back({number_of(r), number_of(r) + 1, 0, 1});
    result.summaries.square_integrals.push_back(r % 50 == 3 ? number_of(r) : std::nan(""));
  }
  return result;
}

TEST(EnsembleResults, StreamsWhatGrows) {
  const auto layout = std::make_shared<const StatisticsLayout>(2, std::vector<std::uint32_t>{1});
  LeafBuilder builder(layout, {0, false}, 0);
  const double values[] = {1, 2};
  for (int i = 0; i < 3; ++i) builder.add(values, 1, 2);
  const LeafStatistics statistics = builder.statistics();
  Trajectory nominal;
  nominal.times = {0, 1};
  nominal.series = {{"all", Quantity::total_energy, 1, {1, 2}, {}}};
  EnsembleResults results;
  results.nominal = &nominal;
  results.statistics = &statistics;
  results.realizations = n;
  results.inputs = {"bodies.a.mass", "bodies.b.mass"};
  results.probabilities = {0.5};
  results.quantiles.estimate = {1, 2};
  results.for_each_leaf = [](const auto& visit) {
    for (std::uint64_t i = 0; i < leaves; ++i) visit(record(i * 7 % leaves));
  };
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("tumble_ensemble_{}.nc", ::getpid());
  {
    AtomicFile file(path);
    const EnsembleFailures failures = write_ensemble_results(file, results, {});
    file.commit();
    EXPECT_EQ(failures.count, n - n / 50);
    EXPECT_EQ(failures.largest_mismatch, 0.07);
    EXPECT_EQ(failures.largest_mismatch_of, 32003u);
    EXPECT_EQ(failures.first,
              (std::vector<std::string>{"realisation 0: reason 0", "realisation 1: reason 1",
                                        "realisation 2: reason 2"}));
  }
  int file = -1;
  ASSERT_EQ(::nc_open(path.c_str(), NC_NOWRITE, &file), NC_NOERR);
  const auto variable = [file](const char* name) {
    int id = -1;
    EXPECT_EQ(::nc_inq_varid(file, name, &id), NC_NOERR) << name;
    return id;
  };
  // The curve does not depend on the order of leaves: sums in the order of realisations. Only those
  // with r % 50 == 3 count, and output times are 1 s apart.
  std::size_t points = 0;
  int dimension = -1;
  ASSERT_EQ(::nc_inq_dimid(file, "convergence_n", &dimension), NC_NOERR);
  ASSERT_EQ(::nc_inq_dimlen(file, dimension, &points), NC_NOERR);
  std::vector<long long> counts(points);
  std::vector<double> curve(points), curve_error(points), peak_times(n);
  ASSERT_EQ(::nc_get_var_longlong(file, variable("convergence_n"), counts.data()), NC_NOERR);
  ASSERT_EQ(::nc_get_var_double(file, variable("all_total_energy_convergence"), curve.data()),
            NC_NOERR);
  ASSERT_EQ(
      ::nc_get_var_double(file, variable("all_total_energy_convergence_se"), curve_error.data()),
      NC_NOERR);
  ASSERT_EQ(
      ::nc_get_var_double(file, variable("all_total_energy_peak_max_time"), peak_times.data()),
      NC_NOERR);
  EXPECT_EQ(peak_times, std::vector<double>(n, 1.0));
  EXPECT_EQ(counts.back(), static_cast<long long>(n));
  EXPECT_TRUE(std::isnan(curve[0]));  // the first realisation failed
  for (const std::size_t k : {points / 2, points - 1}) {
    const auto kept = (static_cast<std::uint64_t>(counts[k]) + 46) / 50;
    // Mean of 3, 53, ..., an arithmetic sequence, and its standard error.
    const auto m = static_cast<double>(kept);
    const double mean = 3 + 25 * (m - 1), variance = 2500 * m * (m + 1) / 12;
    EXPECT_NEAR(curve[k], std::sqrt(mean), 1e-10 * std::sqrt(mean)) << counts[k];
    EXPECT_NEAR(curve_error[k], std::sqrt(variance / m) / (2 * std::sqrt(mean)), 1e-8) << counts[k];
  }

  std::vector<double> inputs(2 * n), times(n), mismatch(n);
  ASSERT_EQ(::nc_get_var_double(file, variable("energy_mismatch"), mismatch.data()), NC_NOERR);
  std::vector<signed char> status(n);
  std::vector<long long> failed(n - n / 50);
  std::vector<char*> reasons(failed.size());
  ASSERT_EQ(::nc_get_var_double(file, variable("inputs"), inputs.data()), NC_NOERR);
  ASSERT_EQ(::nc_get_var_double(file, variable("failure_time"), times.data()), NC_NOERR);
  ASSERT_EQ(::nc_get_var_schar(file, variable("status"), status.data()), NC_NOERR);
  ASSERT_EQ(::nc_get_var_longlong(file, variable("failed_realization"), failed.data()), NC_NOERR);
  ASSERT_EQ(::nc_get_var_string(file, variable("failure_reason"), reasons.data()), NC_NOERR);
  std::size_t next = 0;
  for (std::uint64_t r = 0; r < n; ++r) {
    const auto number = static_cast<double>(r);
    ASSERT_EQ(inputs[2 * r], number);
    ASSERT_EQ(inputs[2 * r + 1], -number);
    const bool ok = r % 50 == 3;
    ASSERT_EQ(status[r], ok ? 0 : r % 50 == 4 ? 2 : 1);
    if (r % 50 == 4)
      ASSERT_TRUE(std::isnan(mismatch[r]));
    else
      ASSERT_EQ(mismatch[r], ok ? mismatch_of(r) : 0.5);
    if (ok) continue;
    ASSERT_EQ(times[r], number);
    ASSERT_EQ(failed[next], static_cast<long long>(r));
    ASSERT_EQ(std::string(reasons[next]), fmt::format("reason {}", r));
    ++next;
  }
  ::nc_free_string(reasons.size(), reasons.data());
  ::nc_close(file);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace tumble
