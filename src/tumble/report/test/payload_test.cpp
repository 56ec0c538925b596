// What the page holds of a results file: its numbers, or fewer of them.
#include "tumble/report/payload.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tumble/report/test/decoded.hpp"
#include "tumble/report/test/invented_results.hpp"

namespace tumble::report {
namespace {

using testing::Invented;
using testing::invented_number;
using testing::TemporaryDirectory;
using testing::write_invented;

struct Page {
  explicit Page(const Invented& what) {
    write_invented(directory.path(), what);
    payload = make_payload({directory.path()});
  }
  const Json& study() const { return payload.report["studies"][0]; }
  std::vector<double> array(const Json& ref) const {
    return testing::decoded(payload.blob.bytes(), ref);
  }
  TemporaryDirectory directory;
  Payload payload;
};

TEST(Evenly, KeepsBothEnds) {
  EXPECT_EQ(evenly(5, 9), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(evenly(9, 3), (std::vector<std::size_t>{0, 4, 8}));
  EXPECT_EQ(evenly(9, 1), (std::vector<std::size_t>{0}));
  EXPECT_TRUE(evenly(0, 3).empty());
  EXPECT_TRUE(evenly(3, 0).empty());
}

TEST(ReportPayload, HoldsTheNumbersOfTheResults) {
  const Page page{Invented{}};
  const Json& curve = page.study()["curves"][0];
  EXPECT_EQ(curve["probe"], "tip");
  EXPECT_EQ(curve["quantity"], "position");
  EXPECT_EQ(curve["unit"], "m");
  EXPECT_EQ(curve["axes"], (Json{"x", "y", "z"}));
  for (const std::string statistic : {"nominal", "mean", "std", "mean_se", "std_se"}) {
    EXPECT_EQ(curve[statistic]["shape"], (Json{11, 3})) << statistic;
    const std::vector<double> values = page.array(curve[statistic]);
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(values[i], invented_number(0, statistic, i)) << statistic;
  }
  ASSERT_EQ(curve["more"].size(), 2u);
  EXPECT_EQ(curve["more"][1]["name"], "largest value");
  EXPECT_EQ(curve["more"][1]["unit"], "m");
  EXPECT_EQ(page.array(curve["more"][1]["values"])[8], invented_number(0, "max", 8));
  EXPECT_EQ(curve["cov"]["shape"], (Json{11, 3, 3}));
  EXPECT_EQ(page.array(curve["cov"])[17], invented_number(0, "cov", 17));
  EXPECT_EQ(page.array(page.study()["time"])[7], 7 * 0.01);
  const Json& summary = page.study()["summary"];
  EXPECT_EQ(summary["file"], "pendulum.yaml");  // and not where it was
  EXPECT_EQ(summary["realizations"], 100);
  EXPECT_EQ(summary["rate"], 50.0);
  EXPECT_EQ(summary["confidence"], 0.9);
  EXPECT_EQ(page.study()["trust"]["failures"], Json::array());
  EXPECT_EQ(page.payload.report.dump().find("/somewhere/"), std::string::npos);
}

TEST(ReportPayload, TheRateIsThatOfWhatWasComputed) {
  Invented resumed;
  resumed.computed = 40;
  const Page page(resumed);
  EXPECT_EQ(page.study()["summary"]["computed"], 40);
  EXPECT_EQ(page.study()["summary"]["rate"], 20.0);
  resumed.computed = 0;
  EXPECT_TRUE(Page(resumed).study()["summary"]["rate"].is_null());
}

TEST(ReportPayload, SaysEachWarningOnce) {
  Invented what;
  what.warnings = "a slow germ\na short run\n";
  what.chaos_warnings = "a slow germ\na guess\n";
  EXPECT_EQ(Page(what).study()["summary"]["warnings"],
            (Json{"a slow germ", "a short run", "a guess"}));
}

// Peaks are 10 r + axis. Of 4 realisations without the failed one, number 1: 0, 20 and 30 and the
// axis, of mean 50/3 + axis, variance 700/3 and median 20 + axis.
TEST(ReportPayload, SettlingLeavesFailedRealizationsOut) {
  Invented what;
  what.convergence_n = {1, 4, 100};
  what.status = [](std::size_t r) { return r == 1 ? 1 : 0; };
  const Page page(what);
  const Json& entry = page.study()["convergence"]["curves"][0];
  EXPECT_EQ(page.array(page.study()["convergence"]["n"]), (std::vector<double>{1, 4, 100}));
  const auto axis = entry["axis"].get<double>();
  EXPECT_NEAR(page.array(entry["mean"])[0], axis, 1e-12);
  EXPECT_NEAR(page.array(entry["mean"])[1], 50.0 / 3 + axis, 1e-12);
  EXPECT_NEAR(page.array(entry["mean_se"])[1], std::sqrt(700.0 / 9), 1e-12);
  EXPECT_EQ(entry["quantile"]["shape"], (Json{3, 3}));
  EXPECT_NEAR(page.array(entry["quantile"])[3 + 1], 20 + axis, 1e-12);
  // 0, 20, 30 ... 990: (49500 - 10) / 99.
  EXPECT_NEAR(page.array(entry["mean"])[2], 49490.0 / 99 + axis, 1e-9);
}

TEST(ReportPayload, SaysHowWellEnergyIsAccountedFor) {
  Invented what;
  what.status = [](std::size_t r) { return r == 9 ? 1 : 0; };
  what.energy_mismatch = [](std::size_t r) { return r == 9 ? 0.9 : r == 41 ? 0.02 : 1e-4; };
  const Json all = Page(what).study()["summary"]["energy_mismatch"];
  EXPECT_EQ(all["nominal"], 1e-5);
  EXPECT_EQ(all["largest"], 0.02);  // the failed one does not count
  EXPECT_EQ(all["realization"], 41);
  what.energy_mismatch = {};
  const Json nominal = Page(what).study()["summary"]["energy_mismatch"];
  EXPECT_EQ(nominal["nominal"], 1e-5);
  EXPECT_TRUE(nominal["largest"].is_null());
}

TEST(ReportPayload, EndsOfTheConfidenceRegionAreFirstAndLast) {
  Invented what;
  what.probabilities = {0.1, 0.5, 0.9, 0.01, 0.999};
  const Page page(what);
  EXPECT_EQ(page.study()["quantiles"], (Json{0.1, 0.5, 0.01, 0.999, 0.9}));
  const Json& curve = page.study()["curves"][0];
  EXPECT_EQ(curve["quantile"]["shape"], (Json{5, 11, 3}));
  const std::vector<double> values = page.array(curve["quantile"]);
  const std::size_t place[] = {0, 1, 3, 4, 2};  // in the file
  for (std::size_t q = 0; q < 5; ++q)
    for (std::size_t i = 0; i < 33; ++i)
      EXPECT_EQ(values[33 * q + i], invented_number(0, "quantile", 33 * place[q] + i));
  EXPECT_NEAR(page.study()["summary"]["confidence"].get<double>(), 0.8, 1e-12);
}

TEST(ReportPayload, ThinsTimesAndKeepsBreaks) {
  Invented what;
  what.times = 100'001;
  what.step = 1e-6;
  what.breaks = {12345 * 1e-6, 77777 * 1e-6};
  // Its own times are coarser: the motion does not fit, but that is not what is looked at.
  what.model = "not a model";
  const Page page(what);
  const std::vector<double> times = page.array(page.study()["time"]);
  EXPECT_LE(times.size(), 2003u);
  EXPECT_GE(times.size(), 1000u);
  EXPECT_EQ(times.front(), 0);
  EXPECT_EQ(times.back(), 100'000 * 1e-6);
  for (const double time : what.breaks)
    EXPECT_TRUE(std::binary_search(times.begin(), times.end(), time));
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  const std::vector<double> mean = page.array(page.study()["curves"][0]["mean"]);
  ASSERT_EQ(mean.size(), 3 * times.size());
  for (std::size_t t = 0; t < times.size(); t += 100) {
    const auto row = static_cast<std::size_t>(std::lround(times[t] / 1e-6));
    EXPECT_EQ(mean[3 * t + 1], invented_number(0, "mean", 3 * row + 1));
  }
  // Without a model there is a reason, and no scene.
  EXPECT_TRUE(page.study()["scene"].is_null());
  EXPECT_NE(page.study()["summary"]["warnings"].dump().find("scene is missing"), std::string::npos);
}

TEST(ReportPayload, FailedRealizationsAreNotLeftOutFirst) {
  Invented what;
  what.realizations = 100'000;
  what.status = [](std::size_t r) { return r % 50 == 3 ? 1 : r % 5000 == 7 ? 2 : 0; };
  const Page page(what);
  const Json& shown = page.study()["realizations"];
  const std::vector<double> numbers = page.array(shown["shown"]);
  const std::vector<double> status = page.array(shown["status"]);
  const std::vector<double> failure = page.array(shown["failure_time"]);
  const std::vector<double> inputs = page.array(page.study()["inputs"][0]["values"]);
  const std::vector<double> peaks = page.array(page.study()["curves"][0]["peak_max"]);
  EXPECT_EQ(numbers.size(), 4000u);
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  EXPECT_EQ(std::count_if(status.begin(), status.end(), [](double s) { return s != 0; }), 1000);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto r = static_cast<std::size_t>(numbers[i]);
    EXPECT_EQ(status[i], what.status(r));
    EXPECT_EQ(std::isnan(failure[i]), what.status(r) == 0);
    EXPECT_EQ(inputs[i], what.input(r));
    EXPECT_EQ(peaks[3 * i + 2], static_cast<double>(10 * r + 2));
  }
  // The histogram counts them all.
  double total = 0;
  for (const double count : page.array(page.study()["inputs"][0]["counts"])) total += count;
  EXPECT_EQ(total, 100'000);
}

TEST(ReportPayload, AMillionRealizationsMakeAPageToMail) {
  Invented what;
  what.realizations = 1'000'000;
  what.times = 5001;
  what.step = 1e-5;
  what.quantities = {"tip_position",         "tip_velocity",        "tip_acceleration",
                     "tip_angular_velocity", "tip_rotation_vector", "tip_angular_acceleration"};
  what.model = testing::pendulum_yaml();
  what.model.replace(what.model.find("[position]"), 10,
                     "[position, velocity, acceleration, angular_velocity, rotation_vector, "
                     "angular_acceleration]");
  what.model.replace(what.model.find("0.1, step: 1e-3, output_step: 0.01"), 34,
                     "0.05, step: 1e-4, output_step: 1e-5");
  const TemporaryDirectory directory;
  write_invented(directory.path(), what);
  const std::string page = make_page({directory.path()});
  EXPECT_LT(page.size(), 15'000'000u);
  // Close to it: thinned no more than needed.
  EXPECT_GT(page.size(), 7'000'000u);
}

TEST(ReportPayload, ComparedStudiesHaveLabelsOfTheirOwn) {
  const TemporaryDirectory a, b;
  std::filesystem::create_directory(a.path() / "same");
  std::filesystem::create_directory(b.path() / "same");
  write_invented(a.path() / "same", Invented{});
  write_invented(b.path() / "same", Invented{});
  const Payload payload = make_payload({a.path() / "same", b.path() / "same/"});
  EXPECT_EQ(payload.report["studies"][0]["label"], "same");
  EXPECT_EQ(payload.report["studies"][1]["label"], "same (2)");
}

TEST(ReportPayload, NeedsResults) {
  const TemporaryDirectory directory;
  EXPECT_THROW(make_payload({directory.path()}), std::runtime_error);
}

}  // namespace
}  // namespace tumble::report
