// Results of points put together: stacked, averaged, concatenated, left out.
#include "tumble/io/results/sweep_results.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "tumble/io/netcdf/netcdf_reader.hpp"
#include "tumble/io/netcdf/netcdf_writer.hpp"

namespace tumble {
namespace {

using testing::ElementsAre;
using testing::IsNan;

class SweepResultsTest : public testing::Test {
 protected:
  SweepResultsTest() { std::filesystem::create_directory(folder_); }
  ~SweepResultsTest() override { std::filesystem::remove_all(folder_); }

  struct PointFile {
    std::vector<double> breaks = {0.5};
    std::size_t realizations = 2;
    std::vector<const char*> reasons = {};
    bool error = true;
    bool extra = false;       // a number that only this point has
    bool extra_axis = false;  // over a dimension that only this point has
    std::string germ_maps = {};
  };

  /// Two times; the standard deviations of point p are p, p + 2 (x) and 10 p, 10 p + 4 (y).
  SweepPoint point(int p, const PointFile& content) {
    const auto path = folder_ / fmt::format("{}.nc", p);
    NetcdfWriter file(path);
    const int time = file.dimension("time", 2), axis = file.dimension("axis", 2);
    const int brk = file.dimension("break", content.breaks.size());
    const int realization = file.dimension("realization", content.realizations);
    const int times = file.variable("time", NC_DOUBLE, {time});
    const int axes = file.variable("axis", NC_STRING, {axis});
    const int breaks = file.variable("break", NC_DOUBLE, {brk});
    const int deviation = file.variable("tip_position_std", NC_DOUBLE, {time, axis});
    file.attribute(deviation, "units", "m");
    file.attribute(deviation, "long_name", "spread");
    const int error =
        content.error ? file.variable("tip_position_std_se", NC_DOUBLE, {time, axis}) : -1;
    const int right = file.variable("tip_position_nominal_right", NC_DOUBLE, {brk, axis});
    const int status = file.variable("status", NC_BYTE, {realization});
    const int count = file.variable("count", NC_INT64, {time});
    const int scalar = file.variable("scalar", NC_DOUBLE, {});
    const int label = file.variable("label", NC_STRING, {axis});
    int extra = -1, odd = -1;
    if (content.extra) {
      extra = file.variable("extra", NC_DOUBLE, {axis});
      file.attribute(extra, "units", "kg");
      file.variable("extra_count", NC_INT64, {});
    }
    if (content.extra_axis) odd = file.variable("odd", NC_DOUBLE, {file.dimension("odd_axis", 1)});
    if (!content.germ_maps.empty()) file.attribute("germ_maps", content.germ_maps);
    int failed = -1, reason = -1;
    if (!content.reasons.empty()) {
      const int failure = file.dimension("failure", content.reasons.size());
      failed = file.variable("failed_realization", NC_INT64, {failure});
      reason = file.variable("failure_reason", NC_STRING, {failure});
    }
    file.attribute("failed", static_cast<long>(content.reasons.size()));
    file.begin_data();
    file.put(times, std::vector<double>{0, 1});
    file.put(axes, std::vector<const char*>{"x", "y"});
    file.put(breaks, content.breaks);
    const double x = p;
    file.put(deviation, std::vector<double>{x, 10 * x, x + 2, 10 * x + 4});
    if (error >= 0) file.put(error, std::vector<double>{0.1, 0.2, 0.3, 0.6});
    file.put(right, std::vector<double>(2 * content.breaks.size(), x));
    file.put(status, 0,
             std::vector<signed char>(content.realizations, static_cast<signed char>(p)));
    file.put(count, std::vector<long long>{p, p + 7});
    file.put(scalar, std::vector<double>{-x});
    file.put(label, std::vector<const char*>{p == 0 ? "zero" : "other", "y"});
    if (extra >= 0) file.put(extra, std::vector<double>{x + 0.5, x + 0.75});
    if (odd >= 0) file.put(odd, std::vector<double>{x});
    if (failed >= 0) {
      std::vector<long long> numbers;
      for (std::size_t i = 0; i < content.reasons.size(); ++i)
        numbers.push_back(10 * p + static_cast<long long>(i));
      file.put(failed, numbers);
      file.put(reason, content.reasons);
    }
    file.close();
    return {path, static_cast<long>(content.realizations), {}};
  }

  SweepSummary compose(const std::vector<SweepPoint>& points) {
    SweepResults results;
    results.points = points;
    SweepCoordinate number{"bodies.a.position[0]", {}}, text{"study/x y", {}};
    for (std::size_t p = 0; p < points.size(); ++p) {
      number.values.push_back(fmt::format("{}/2", p));
      text.values.push_back(fmt::format("[{}]", p));
    }
    results.coordinates = {number, text};
    results.description = "what was varied";
    results.identity = "hash";
    AtomicFile file(composed_);
    SweepSummary summary = write_sweep_results(file, results, {});
    file.commit();
    return summary;
  }

  static std::vector<double> numbers(const NetcdfReader& file, const char* name) {
    const auto* v = file.find(name);
    return v == nullptr ? std::vector<double>{} : file.numbers(*v);
  }
  static std::vector<std::string> text(const NetcdfReader& file, const char* name) {
    const auto* v = file.find(name);
    return v == nullptr ? std::vector<std::string>{} : file.text(*v);
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      fmt::format("tumble_sweep_{}_{}", ::getpid(),
                  testing::UnitTest::GetInstance()->current_test_info()->name());
  const std::filesystem::path composed_ = folder_ / "results.nc";
};

TEST_F(SweepResultsTest, StacksVariablesOfAnyKind) {
  compose({point(0, {}), point(1, {}), point(2, {})});
  const NetcdfReader file(composed_);
  EXPECT_THAT(file.find("tip_position_std")->dimensions, ElementsAre("sweep", "time", "axis"));
  EXPECT_THAT(numbers(file, "tip_position_std"),
              ElementsAre(0, 0, 2, 4, 1, 10, 3, 14, 2, 20, 4, 24));
  EXPECT_EQ(file.text_attribute("units", file.find("tip_position_std")->id), "m");
  EXPECT_EQ(file.find("status")->type, NC_BYTE);
  EXPECT_THAT(numbers(file, "status"), ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_THAT(numbers(file, "count"), ElementsAre(0, 7, 1, 8, 2, 9));
  EXPECT_THAT(numbers(file, "scalar"), ElementsAre(0, -1, -2));
  EXPECT_THAT(text(file, "label"), ElementsAre("zero", "y", "other", "y", "other", "y"));
  EXPECT_THAT(file.find("time")->dimensions, ElementsAre("time"));
  EXPECT_THAT(text(file, "axis"), ElementsAre("x", "y"));
  EXPECT_THAT(numbers(file, "break"), ElementsAre(0.5));
  EXPECT_EQ(file.text_attribute("left_out"), "");
}

TEST_F(SweepResultsTest, NamesWhatWasVaried) {
  compose({point(0, {}), point(1, {})});
  const NetcdfReader file(composed_);
  EXPECT_THAT(numbers(file, "sweep"), ElementsAre(0, 1));
  EXPECT_THAT(numbers(file, "bodies.a.position[0]"), ElementsAre(0, 0.5));
  EXPECT_THAT(text(file, "study_x_y"), ElementsAre("[0]", "[1]"));
  EXPECT_EQ(file.text_attribute("coordinates", file.find("count")->id),
            "bodies.a.position[0] study_x_y");
  EXPECT_EQ(file.text_attribute("sweep"), "what was varied");
  EXPECT_EQ(file.text_attribute("sweep_sha256"), "hash");
  EXPECT_EQ(file.integer_attribute("realizations"), 4);
}

TEST_F(SweepResultsTest, AveragesDeviationsOverTime) {
  const SweepSummary summary = compose({point(0, {}), point(3, {})});
  const NetcdfReader file(composed_);
  EXPECT_THAT(file.find("tip_position_std_time_mean")->dimensions, ElementsAre("sweep", "axis"));
  EXPECT_THAT(numbers(file, "tip_position_std_time_mean"), ElementsAre(1, 2, 4, 32));
  const auto bound = numbers(file, "tip_position_std_time_mean_se_bound");
  ASSERT_EQ(bound.size(), 4u);
  EXPECT_DOUBLE_EQ(bound[0], 0.2);
  EXPECT_DOUBLE_EQ(bound[3], 0.4);
  ASSERT_EQ(summary.columns.size(), 1u);
  EXPECT_EQ(summary.columns[0].variable, "tip_position_std_time_mean");
  EXPECT_EQ(summary.columns[0].unit, "m");
  EXPECT_THAT(summary.columns[0].labels, ElementsAre("x", "y"));
  EXPECT_THAT(summary.columns[0].values, ElementsAre(1, 2, 4, 32));
}

TEST_F(SweepResultsTest, LeavesOutWhatDoesNotFit) {
  const SweepSummary summary =
      compose({point(0, {}), point(1, {.breaks = {0.25}, .extra = true, .extra_axis = true}),
               point(2, {.realizations = 3})});
  EXPECT_THAT(summary.left_out,
              ElementsAre("break", "extra_count", "odd", "status", "tip_position_nominal_right"));
  const NetcdfReader file(composed_);
  for (const std::string& name : summary.left_out) EXPECT_EQ(file.find(name), nullptr) << name;
  EXPECT_THAT(numbers(file, "scalar"), ElementsAre(0, -1, -2));
  EXPECT_THAT(numbers(file, "realizations"), ElementsAre(2, 2, 3));
  EXPECT_EQ(file.text_attribute("left_out"),
            "break extra_count odd status tip_position_nominal_right");
}

/// Bounds of quantiles are in the results of those points at which a realisation failed.
TEST_F(SweepResultsTest, HasNoNumbersWhereAPointDoesNotHaveAVariable) {
  const SweepSummary summary =
      compose({point(0, {}), point(1, {.error = false, .extra = true}), point(2, {})});
  EXPECT_THAT(summary.missing, ElementsAre("extra", "tip_position_std_se"));
  EXPECT_THAT(summary.left_out, ElementsAre("extra_count"));
  const NetcdfReader file(composed_);
  EXPECT_THAT(numbers(file, "extra"), ElementsAre(IsNan(), IsNan(), 1.5, 1.75, IsNan(), IsNan()));
  EXPECT_EQ(file.text_attribute("units", file.find("extra")->id), "kg");
  EXPECT_EQ(file.text_attribute("comment", file.find("extra")->id),
            "NaN at 2 of 3 points, whose results do not have it");
  EXPECT_THAT(
      numbers(file, "tip_position_std_se"),
      ElementsAre(0.1, 0.2, 0.3, 0.6, IsNan(), IsNan(), IsNan(), IsNan(), 0.1, 0.2, 0.3, 0.6));
  EXPECT_EQ(file.text_attribute("comment", file.find("tip_position_std")->id), "");
  EXPECT_EQ(file.find("tip_position_std_time_mean_se_bound"), nullptr);
}

TEST_F(SweepResultsTest, SaysHowGoodGermMapsAre) {
  compose({point(0, {.germ_maps = "a: fine\nb: so-so\n"}),
           point(1, {.germ_maps = "a: fine\nb: so-so\n"})});
  EXPECT_EQ(NetcdfReader(composed_).text_attribute("germ_maps"), "a: fine\nb: so-so\n");
  compose({point(0, {.germ_maps = "a: fine\nb: so-so\n"}), point(1, {}),
           point(2, {.germ_maps = "a: better\n"})});
  EXPECT_EQ(NetcdfReader(composed_).text_attribute("germ_maps"),
            "point 0: a: fine\npoint 0: b: so-so\npoint 2: a: better\n");
  compose({point(0, {}), point(1, {})});
  EXPECT_EQ(NetcdfReader(composed_).text_attribute("germ_maps"), "");
}

TEST_F(SweepResultsTest, StringsFailuresTogether) {
  const SweepSummary summary =
      compose({point(0, {}), point(1, {.reasons = {"a", "b"}}), point(2, {.reasons = {"c"}})});
  const NetcdfReader file(composed_);
  EXPECT_THAT(numbers(file, "failure_sweep"), ElementsAre(1, 1, 2));
  EXPECT_THAT(numbers(file, "failed_realization"), ElementsAre(10, 11, 20));
  EXPECT_THAT(text(file, "failure_reason"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(numbers(file, "failed"), ElementsAre(0, 2, 1));
  EXPECT_THAT(summary.failed, ElementsAre(0, 2, 1));
  EXPECT_EQ(file.integer_attribute("failed"), 3);
}

TEST_F(SweepResultsTest, HasNoNumbersForAPointWithoutResults) {
  const SweepPoint lost{folder_ / "nowhere.nc", 2, "it broke"};
  const SweepSummary summary = compose({lost, point(1, {})});
  const NetcdfReader file(composed_);
  EXPECT_THAT(text(file, "point_failure"), ElementsAre("it broke", ""));
  EXPECT_THAT(numbers(file, "failed"), ElementsAre(2, 0));
  EXPECT_THAT(numbers(file, "status"), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(numbers(file, "count"), ElementsAre(0, 0, 1, 8));
  EXPECT_THAT(numbers(file, "scalar"), ElementsAre(IsNan(), -1));
  EXPECT_THAT(summary.columns[0].values, ElementsAre(IsNan(), IsNan(), 2, 12));
  EXPECT_THROW(compose({lost, lost}), std::invalid_argument);
}

/// More than is copied at a time, and compressed: in the points by pieces of three rows.
TEST_F(SweepResultsTest, CopiesLargeVariablesInPieces) {
  constexpr std::size_t rows = 700, columns = 2000;
  std::vector<SweepPoint> points;
  const auto value = [](std::size_t p, std::size_t i) {
    return static_cast<double>(p * rows * columns + i);
  };
  for (std::size_t p = 0; p < 2; ++p) {
    const auto path = folder_ / fmt::format("{}.nc", p);
    NetcdfWriter file(path);
    const int row = file.dimension("realization", rows), column = file.dimension("time", columns);
    const int id = file.variable("large", NC_DOUBLE, {row, column});
    file.chunk(id, {3, columns});
    file.begin_data();
    std::vector<double> values(rows * columns);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(p, i);
    file.put(id, values);
    file.close();
    points.push_back({path, 1, {}});
  }
  compose(points);
  const NetcdfReader file(composed_);
  EXPECT_THAT(file.find("large")->chunks, ElementsAre(1, 3, columns));
  const auto values = numbers(file, "large");
  ASSERT_EQ(values.size(), 2 * rows * columns);
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], value(0, i));
}

}  // namespace
}  // namespace tumble
