// The page's data of a sweep, from a results file with invented numbers.
#include <gtest/gtest.h>

#include "tumble/report/payload.hpp"
#include "tumble/report/sweep.hpp"
#include "tumble/report/test/decoded.hpp"
#include "tumble/report/test/invented_results.hpp"

namespace tumble::report {
namespace {

using testing::TemporaryDirectory;

constexpr std::size_t points = 6, times = 4, axes = 3;

double invented(std::size_t statistic, std::size_t i) {
  return 1000.0 * static_cast<double>(statistic) + static_cast<double>(i);
}

/// gravity[2] took -9.81 and -1.62, the shape of the bob three texts; statistics 0: mean, 1: its
/// lower and 2: its upper end, 3: std, 4: quantiles 0.05, 0.5, 0.95, 5: average, 6: its error.
void write_sweep(const std::filesystem::path& directory,
                 const char* varied = "gravity[2]=-9.81,-1.62\nbodies.bob.shape=a,[1, 2],c") {
  NetcdfWriter file;
  const int sweep = file.dimension("sweep", points), time = file.dimension("time", times);
  const int axis = file.dimension("axis", axes), quantile = file.dimension("quantile", 3);
  std::vector<std::function<void()>> puts;
  const auto add = [&](const char* name, const std::vector<int>& dimensions,
                       std::vector<double> values) {
    const int id = file.variable(name, NC_DOUBLE, dimensions);
    file.attribute(id, "units", "m");
    puts.push_back([&file, id, values] { file.put(id, values); });
  };
  const auto numbers = [](std::size_t statistic, std::size_t count) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(invented(statistic, i));
    return values;
  };
  add("time", {time}, {0, 0.1, 0.2, 0.3});
  add("quantile", {quantile}, {0.05, 0.5, 0.95});
  const int names = file.variable("axis", NC_STRING, {axis});
  puts.push_back([&file, names] { file.put(names, std::vector<const char*>{"x", "y", "z"}); });
  const std::size_t all = points * times * axes;
  add("tip_position_nominal", {sweep, time, axis}, numbers(9, all));
  add("tip_position_mean", {sweep, time, axis}, numbers(0, all));
  add("tip_position_mean_interval_lower", {sweep, time, axis}, numbers(1, all));
  add("tip_position_mean_interval_upper", {sweep, time, axis}, numbers(2, all));
  add("tip_position_std", {sweep, time, axis}, numbers(3, all));
  add("tip_position_quantile", {sweep, quantile, time, axis}, numbers(4, 3 * all));
  add("tip_position_std_time_mean", {sweep, axis}, numbers(5, points * axes));
  add("tip_position_std_time_mean_se_bound", {sweep, axis}, numbers(6, points * axes));
  add("realizations", {sweep}, {10, 10, 10, 10, 10, 10});
  add("failed", {sweep}, {0, 0, 2, 0, 0, 0});
  file.attribute("tumble_version", "0.1.0");
  file.attribute("method", "sweep");
  file.attribute("seed", 7L);
  file.attribute("realizations", 60L);
  file.attribute("failed", 2L);
  file.attribute("wall_time", 2.0);
  file.long_attribute("model", testing::pendulum_yaml());
  file.attribute("model_path", "/somewhere/else/pendulum.yaml");
  file.long_attribute("sweep", varied);
  file.long_attribute("warnings", "at all 6 points: beware\n");
  file.begin_data();
  for (const auto& put : puts) put();
  AtomicFile target(directory / "results.nc");
  target.write(file.close());
  target.commit();
}

TEST(SweepPage, HoldsWhatWasVariedAndEveryStatistic) {
  const TemporaryDirectory directory;
  write_sweep(directory.path());
  ASSERT_TRUE(holds_sweep(directory.path()));
  const Payload payload = make_payload({directory.path()});
  EXPECT_EQ(payload.report["studies"], Json::array());
  const Json& sweep = payload.report["sweep"];
  EXPECT_EQ(payload.report.dump().find("/somewhere/"), std::string::npos);
  EXPECT_EQ(sweep["summary"]["file"], "pendulum.yaml");
  EXPECT_EQ(sweep["summary"]["method"], "monte-carlo");
  EXPECT_EQ(sweep["summary"]["common_numbers"], true);
  EXPECT_EQ(sweep["summary"]["warnings"], Json{"at all 6 points: beware"});
  ASSERT_EQ(sweep["parameters"].size(), 2u);
  EXPECT_EQ(sweep["parameters"][0]["numbers"], (Json{-9.81, -1.62}));
  EXPECT_EQ(sweep["parameters"][0]["unit"], "m/s^2");
  EXPECT_EQ(sweep["parameters"][1]["values"], (Json{"a", "[1, 2]", "c"}));
  EXPECT_TRUE(sweep["parameters"][1]["numbers"].is_null());
  ASSERT_EQ(sweep["points"].size(), points);
  EXPECT_EQ(sweep["points"][2]["failed"], 2);
  ASSERT_EQ(sweep["responses"].size(), 1u);
  const Json& response = sweep["responses"][0];
  EXPECT_EQ(response["probe"], "tip");
  EXPECT_EQ(response["quantity"], "position");
  std::vector<std::string> names;
  for (const Json& s : response["statistics"]) names.push_back(s["name"]);
  EXPECT_EQ(names,
            (std::vector<std::string>{"mean", "standard deviation", "5 % quantile", "50 % quantile",
                                      "95 % quantile", "standard deviation averaged over time"}));
  const auto array = [&](const Json& ref) { return testing::decoded(payload.blob.bytes(), ref); };
  const Json& mean = response["statistics"][0];
  EXPECT_EQ(mean["value"]["shape"], (Json{points, times, axes}));
  EXPECT_EQ(mean["band"], "95 % interval");
  for (const std::size_t i : {std::size_t{0}, std::size_t{17}, points * times * axes - 1}) {
    EXPECT_EQ(array(mean["value"])[i], invented(0, i));
    EXPECT_EQ(array(mean["lower"])[i], invented(1, i));
    EXPECT_EQ(array(mean["upper"])[i], invented(2, i));
  }
  EXPECT_FALSE(response["statistics"][1].contains("lower"));  // nothing is known of its error
  // In the file quantiles come before times: of point 2, the second quantile at time 3, axis 1.
  EXPECT_EQ(array(response["statistics"][3]["value"])[(2 * times + 3) * axes + 1],
            invented(4, ((2 * 3 + 1) * times + 3) * axes + 1));
  const Json& average = response["statistics"][5];
  EXPECT_EQ(average["over_time"], false);
  EXPECT_EQ(array(average["lower"])[4], invented(5, 4) - 2 * invented(6, 4));
  EXPECT_EQ(array(average["upper"])[4], invented(5, 4) + 2 * invented(6, 4));
  // Deviations grow with their number: they are largest at the last time of the last point.
  EXPECT_EQ(sweep["widest"], (Json{{"response", 0}, {"axis", 2}, {"row", 3}}));
}

TEST(SweepPage, LeavesTimesOutButNotTheWidest) {
  const TemporaryDirectory directory;
  write_sweep(directory.path());
  Blob blob;
  const Json sweep = make_sweep(directory.path(), "small", blob, 1);
  EXPECT_EQ(sweep["times_computed"], times);
  EXPECT_EQ(testing::decoded(blob.bytes(), sweep["time"]), (std::vector<double>{0, 0.3}));
  EXPECT_EQ(sweep["responses"][0]["statistics"][0]["value"]["shape"], (Json{points, 2, axes}));
}

TEST(SweepPage, NamesNoMethodWhereItIsVaried) {
  const TemporaryDirectory directory;
  write_sweep(directory.path(), "study.method=sobol,monte-carlo\nbodies.bob.shape=a,[1, 2],c");
  const Json summary = make_payload({directory.path()}).report["sweep"]["summary"];
  EXPECT_EQ(summary["method"], "");
  EXPECT_EQ(summary["common_numbers"], false);
  EXPECT_EQ(summary["seed"], 7);
}

}  // namespace
}  // namespace tumble::report
