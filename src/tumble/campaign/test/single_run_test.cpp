// Single runs and replays as a library: silent, with the results that the program writes.
#include "tumble/campaign/single_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "campaign_fixture.hpp"
#include "tumble/campaign/replay.hpp"

namespace tumble {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class SingleRunTest : public CampaignTest {
 protected:
  SingleOptions single(const char* name) const {
    SingleOptions options;
    options.directory = root_ / name;
    return options;
  }
  const ModelFile& model(const std::vector<std::string>& overrides = {}) {
    files_.push_back(
        std::make_unique<ModelFile>(read_model_text(thrown_ball(1), "ball", overrides)));
    return *files_.back();
  }
};

/// What the call refuses with, and the ways out of it.
template <class Call>
RequestError refusal(const Call& call) {
  try {
    call();
  } catch (const RequestError& error) {
    return error;
  }
  return RequestError("not refused");
}

TEST_F(SingleRunTest, RunsInSilenceAndWritesItsResults) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  SingleOptions options = single("one");
  options.csv = true;
  Listener listener;
  const SingleResults results = run_single(model(), options, listener);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_FALSE(results.already_there);
  EXPECT_EQ(results.degrees_of_freedom, 3);
  // Thrown upwards with 5 m/s, a second later.
  EXPECT_NEAR(results.trajectory.series[0].values.back(), 5 - 9.81 / 2, 1e-9);
  EXPECT_EQ(numbers_of(results.file).at("ball_position_nominal"),
            results.trajectory.series[0].values);
  EXPECT_TRUE(fs::exists(root_ / "one" / "ball.csv"));
  ASSERT_FALSE(listener.times.empty());
  EXPECT_TRUE(std::ranges::is_sorted(listener.times));
  EXPECT_NEAR(listener.times.back(), 1.0, 1e-12);
  EXPECT_EQ(listener.ended, 1);

  options.if_results_exist = IfResultsExist::resume;
  EXPECT_TRUE(run_single(*files_.back(), options, listener).already_there);
}

TEST_F(SingleRunTest, SaysThatAModelWithoutAStudyIsRunAsItStands) {
  std::string text = thrown_ball(1);
  text.resize(text.find("study:"));
  const ModelFile file = read_model_text(text, "ball");
  Listener listener;
  run_single(file, single("nominal"), listener);
  ASSERT_EQ(listener.sentences.size(), 1u);
  EXPECT_THAT(listener.sentences[0].second, HasSubstr("no section study"));
}

TEST_F(SingleRunTest, CancelledItLeavesNothing) {
  Listener impatient;
  impatient.cancel_after = 1;
  try {
    run_single(model({"simulation.step=1e-5"}), single("cancelled"), impatient);
    FAIL() << "not cancelled";
  } catch (const Cancelled& cancelled) {
    EXPECT_FALSE(cancelled.resumable());
  }
  EXPECT_EQ(impatient.ended, 1);
  EXPECT_FALSE(fs::exists(root_ / "cancelled"));
}

TEST_F(SingleRunTest, RefusalsNameWaysAndNoOptions) {
  Observer nobody;
  run_single(model(), single("taken"), nobody);
  const RequestError taken = refusal([&] { run_single(model(), single("taken"), nobody); });
  EXPECT_THAT(taken.what(), HasSubstr("already holds results"));
  EXPECT_THAT(taken.ways(), ElementsAre(Way::overwrite, Way::resume, Way::elsewhere));

  run(1, in("study"), nobody);
  const RequestError study = refusal([&] { run_single(model(), single("study"), nobody); });
  EXPECT_THAT(study.ways(), ElementsAre(Way::overwrite, Way::elsewhere));
  const RequestError again = refusal([&] { run(1, in("study"), nobody); });
  EXPECT_THAT(again.ways(), ElementsAre(Way::resume, Way::overwrite, Way::elsewhere));
  StudyOptions other = in("study");
  other.if_results_exist = IfResultsExist::resume;
  const RequestError seed = refusal([&] { run(2, other, nobody); });
  EXPECT_THAT(seed.what(), HasSubstr("seed is 1 there and 2 here"));

  std::ofstream(root_ / "taken" / "sweep.txt") << "a sweep";
  const RequestError sweep = refusal([&] { run_single(model(), single("taken"), nobody); });
  EXPECT_THAT(sweep.ways(), ElementsAre(Way::sweep, Way::elsewhere));
  for (const RequestError& error : {taken, study, again, seed, sweep})
    EXPECT_THAT(error.what(), Not(HasSubstr(" --"))) << error.what();

  // A study that was cancelled goes on, and says so.
  Listener impatient;
  impatient.cancel_after = 64;
  StudyOptions options = in("cancelled");
  options.threads = 1;
  try {
    run(1, options, impatient);
    FAIL() << "not cancelled";
  } catch (const Cancelled& cancelled) {
    EXPECT_TRUE(cancelled.resumable());
  }
}

TEST_F(SingleRunTest, ReplaysARealisationBitForBit) {
  Observer nobody;
  files_.push_back(std::make_unique<ModelFile>(
      read_model_text(thrown_ball(1), "ball", {"study.store=all", "study.realizations=70"})));
  const StudyResults study = run_study(*files_.back(), in("study"), nobody);
  const auto numbers = numbers_of(study.file);
  for (const std::size_t r : {0u, 17u, 69u}) {
    Listener listener;
    const ReplayResults again = replay(root_ / "study", static_cast<long long>(r), listener);
    EXPECT_TRUE(listener.sentences.empty());
    EXPECT_FALSE(again.failure);
    ASSERT_EQ(again.inputs.size(), 1u);
    EXPECT_EQ(again.inputs[0].path, "bodies.ball.velocity[2]");
    EXPECT_EQ(again.inputs[0].unit, "m/s");
    EXPECT_EQ(again.inputs[0].value, numbers.at("inputs")[r]);
    const auto& all = numbers.at("ball_position");
    const std::vector<double>& values = again.trajectory.series[0].values;
    ASSERT_EQ(values.size(), all.size() / 70);
    EXPECT_TRUE(std::equal(values.begin(), values.end(), &all[r * values.size()])) << r;
    EXPECT_EQ(numbers_of(again.file).at("ball_position_nominal"), values);
    // z(1 s) = v - g / 2
    EXPECT_NEAR(values.back(), again.inputs[0].value - 9.81 / 2, 1e-9);
  }
  for (const long long r : {-1LL, 70LL})
    EXPECT_THAT(refusal([&] { replay(root_ / "study", r, nobody); }).what(),
                HasSubstr("there is no realisation"));
  EXPECT_THAT(refusal([&] { replay(root_ / "nowhere", 0, nobody); }).what(),
              HasSubstr("holds no results"));
  run_single(model(), single("one"), nobody);
  EXPECT_THAT(refusal([&] { replay(root_ / "one", 0, nobody); }).what(),
              HasSubstr("holds a single run"));
}

TEST_F(SingleRunTest, AReplayThatFailsSaysWhyAndWritesNothing) {
  Observer nobody;
  std::ofstream(root_ / "rows.csv") << "bodies.ball.mass\n1\n-1\n";
  std::string text = thrown_ball(1);
  text.resize(text.find("uncertainty:"));
  text += "study: {method: table, file: rows.csv, max_failed: 1}\n";
  files_.push_back(
      std::make_unique<ModelFile>(read_model_text(text, (root_ / "ball.yaml").string())));
  StudyOptions options = in("study");
  options.model = (root_ / "ball.yaml").string();
  run_study(*files_.back(), options, nobody);
  const ReplayResults bad = replay(root_ / "study", 1, nobody);
  ASSERT_TRUE(bad.failure);
  EXPECT_THAT(bad.failure->what(), HasSubstr("must be > 0"));
  EXPECT_EQ(bad.inputs.at(0).value, -1);
  EXPECT_FALSE(fs::exists(root_ / "study" / "replay-1"));
  EXPECT_FALSE(replay(root_ / "study", 0, nobody).failure);
}

}  // namespace
}  // namespace tumble
