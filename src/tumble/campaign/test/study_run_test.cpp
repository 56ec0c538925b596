// Studies as a library: silent, repeatable, from several threads, and ended by whoever watches.
#include "tumble/campaign/study_run.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <thread>

#include "campaign_fixture.hpp"
#include "tumble/campaign/sweep_run.hpp"
#include "tumble/io/results/build_info.hpp"
#include "tumble/io/results_reader.hpp"
#include "tumble/study/journal/journal.hpp"

namespace tumble {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST_F(CampaignTest, RunsInSilenceAndTellsItsObserver) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Listener listener;
  const StudyResults study = run(1, in("one"), listener);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(listener.begun, (std::vector<std::string>{"0 of 300"}));
  EXPECT_EQ(listener.seen, 300u);
  EXPECT_EQ(listener.ended, 1);
  EXPECT_EQ(study.realizations, 300u);
  EXPECT_EQ(study.computed, 300u);
  EXPECT_FALSE(study.already_there);
  EXPECT_TRUE(fs::exists(study.file));
  // z(1 s) = v - g / 2 with v normal: mean 5 - 9.81 / 2, deviation 0.2.
  const auto numbers = numbers_of(study.file);
  const double error = numbers.at("ball_position_mean_se").back();
  EXPECT_NEAR(error, 0.2 / std::sqrt(300.0), 0.2 * 0.2 / std::sqrt(300.0));
  EXPECT_NEAR(numbers.at("ball_position_mean").back(), 5 - 9.81 / 2, 4 * error);
}

TEST_F(CampaignTest, TwoAtOnceAreWhatTheyAreAlone) {
  Observer nobody;
  std::vector<std::map<std::string, std::vector<double>>> alone, together(4);
  for (int seed = 0; seed < 4; ++seed)
    alone.push_back(numbers_of(run(seed, in(fmt::format("alone{}", seed).c_str()), nobody).file));
  for (int seed = 0; seed < 4; ++seed)
    files_.push_back(std::make_unique<ModelFile>(read_model_text(thrown_ball(seed), "ball")));
  std::vector<std::thread> threads;
  for (int seed = 0; seed < 4; ++seed)
    threads.emplace_back([&, seed] {
      Observer silent;
      const StudyResults study = run_study(*files_[4 + static_cast<std::size_t>(seed)],
                                           in(fmt::format("together{}", seed).c_str()), silent);
      together[static_cast<std::size_t>(seed)] = numbers_of(study.file);
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t seed = 0; seed < 4; ++seed)
    EXPECT_TRUE(same_bits(alone[seed], together[seed])) << seed;
  EXPECT_FALSE(same_bits(alone[0], alone[1]));
}

TEST_F(CampaignTest, GoesOnAfterItWasCancelled) {
  Listener impatient;
  impatient.cancel_after = 64;
  StudyOptions options = in("cancelled");
  options.threads = 1;
  EXPECT_THROW(run(1, options, impatient), Cancelled);
  EXPECT_EQ(impatient.ended, 1);
  EXPECT_FALSE(fs::exists(root_ / "cancelled" / "results.nc"));
  options.if_results_exist = IfResultsExist::resume;
  Listener listener;
  const StudyResults study = run(1, options, listener);
  EXPECT_LT(study.computed, 300u);
  EXPECT_EQ(study.realizations, 300u);
  Observer nobody;
  EXPECT_TRUE(same_bits(numbers_of(study.file), numbers_of(run(1, in("whole"), nobody).file)));

  const StudyResults again = run(1, options, nobody);
  EXPECT_TRUE(again.already_there);
}

TEST_F(CampaignTest, ReducesItsJournalAndGoesOnAllTheSame) {
  const auto of = [this](const char* name, int realizations, IfResultsExist policy, bool keep) {
    StudyOptions options = in(name);
    options.if_results_exist = policy;
    options.keep_journal = keep;
    files_.push_back(std::make_unique<ModelFile>(read_model_text(
        thrown_ball(1), "ball", {fmt::format("study.realizations={}", realizations)})));
    return options;
  };
  const auto journal = [this](const char* name) {
    return fs::file_size(root_ / name / "study.journal");
  };
  Observer nobody;
  for (const bool keep : {false, true}) {
    const StudyOptions options = of(keep ? "kept" : "reduced", 300, IfResultsExist::refuse, keep);
    run_study(*files_.back(), options, nobody);
  }
  EXPECT_LT(3 * journal("reduced"), journal("kept"));
  const StudyOptions once = of("once", 500, IfResultsExist::refuse, false);
  const auto expected = numbers_of(run_study(*files_.back(), once, nobody).file);
  for (const bool keep : {false, true}) {
    const StudyOptions options = of(keep ? "kept" : "reduced", 500, IfResultsExist::resume, keep);
    Listener listener;
    const StudyResults study = run_study(*files_.back(), options, listener);
    // 300 = 4 blocks of 64 and one that has to be completed.
    EXPECT_EQ(study.computed, keep ? 500u - 256u : 500u);
    ASSERT_EQ(listener.sentences.size(), keep ? 0u : 1u);
    if (!keep) {
      EXPECT_THAT(listener.sentences[0].second, HasSubstr("256 finished realisations"));
    }
    EXPECT_TRUE(same_bits(numbers_of(study.file), expected));
  }
}

TEST_F(CampaignTest, EndsWellWhereTheJournalCannotBeReduced) {
  struct InTheWay : Observer {
    explicit InTheWay(fs::path directory) : place(std::move(directory)) {}
    void end() override { fs::create_directories(place / "study.journal.new" / "something"); }
    fs::path place;
  };
  InTheWay blocker(root_ / "blocked");
  Observer nobody;
  StudyOptions options = in("blocked");
  const StudyResults study = run(1, options, blocker);
  EXPECT_EQ(study.realizations, 300u);
  const auto size = fs::file_size(root_ / "blocked" / "study.journal");
  EXPECT_GE(size, 300u * 11 * 3 * 8) << "values are gone";
  fs::remove_all(root_ / "blocked" / "study.journal.new");
  fs::remove(root_ / "blocked" / "results.nc");
  options.if_results_exist = IfResultsExist::resume;
  EXPECT_EQ(run(1, options, nobody).computed, 0u);
  EXPECT_LT(fs::file_size(root_ / "blocked" / "study.journal"), size);
}

TEST_F(CampaignTest, KeepsTheValuesOfModelsThatAreDearToRun) {
  // Two output times, and many steps between them: 48 bytes of values for 20000 iterations.
  const auto journal_of = [this](const std::string& name, const std::string& step) {
    files_.push_back(std::make_unique<ModelFile>(
        read_model_text(thrown_ball(1), "ball",
                        {"simulation.output_step=1", "simulation.step=" + step,
                         "study.realizations=64", "simulation.time_error=false"})));
    Observer nobody;
    run_study(*files_.back(), in(name.c_str()), nobody);
    return fs::file_size(root_ / name / "study.journal");
  };
  const auto quick = journal_of("quick", "0.1"), dear = journal_of("dear", "5e-5");
  EXPECT_GE(dear, quick + 64 * 48);
}

TEST_F(CampaignTest, GoesOnOnlyWithTheBuildThatBeganIt) {
  Observer nobody;
  StudyOptions options = in("begun");
  run(1, options, nobody);
  const fs::path directory = root_ / "begun";
  fs::remove(directory / "results.nc");
  const JournalIdentity mine = inspect_journal(directory / Journal::file_name).identity;
  EXPECT_EQ(mine.at("source revision"), build_info().revision);
  options.if_results_exist = IfResultsExist::resume;
  const auto refusal = [&](const std::string& name, const std::string& value) -> std::string {
    JournalIdentity other = mine;
    other.at(name) = value;
    Journal(directory, other, Journal::Start::overwrite);
    try {
      run(1, options, nobody);
    } catch (const RequestError& error) {
      return error.what();
    }
    return "not refused";
  };
  EXPECT_THAT(refusal("source revision", "0123abc"), HasSubstr("written by another build"));
  EXPECT_THAT(refusal("source revision", "0123abc"),
              HasSubstr("source revision is 0123abc there and " + build_info().revision + " here"));
  EXPECT_THAT(refusal("compiler", "Clang 14"), HasSubstr("compiler is Clang 14 there and "));
  EXPECT_THAT(refusal("compiler flags", "-Ofast"), HasSubstr("compiler flags is -Ofast there and"));
  EXPECT_THAT(refusal("seed", "7"), HasSubstr("belongs to another study: seed is 7 there"));
  Journal(directory, mine, Journal::Start::overwrite);
  EXPECT_EQ(run(1, options, nobody).computed, 300u);
}

TEST_F(CampaignTest, RefusesWhatIsInTheWay) {
  Observer nobody;
  run(1, in("taken"), nobody);
  EXPECT_THROW(run(1, in("taken"), nobody), RequestError);
  files_.push_back(std::make_unique<ModelFile>(
      read_model_text("bodies: {a: {mass: 1, position: [0, 0, 0], inertia: none}}\n"
                      "simulation: {duration: 1, step: 0.1}\n",
                      "a")));
  EXPECT_THROW(run_study(*files_.back(), in("no-study"), nobody), RequestError);
}

/// Has no answer for balls that were thrown at less than 4.8 m/s, after half a second.
class OnlyFastThrows : public UserForce {
  void evaluate(const UserContext& context, std::span<Wrench> wrenches) const override {
    const double thrown_at = context.bodies[0].v_W.z + 9.81 * context.time;
    if (context.time > 0.5 && thrown_at < 4.8) wrenches[0].force.x = std::nan("");
  }
};

TEST_F(CampaignTest, SaysWhenTooManyFailed) {
  ModelFile file = read_model_text(thrown_ball(1), "ball",
                                   {"study.realizations=64", "bodies.ball.inertia=[1, 1, 1]"});
  file.model.user_forces.push_back(
      {"fast", std::make_shared<OnlyFastThrows>(), {BodyRef{"ball"}}, {}, {}});
  Observer nobody;
  const StudyResults study = run_study(file, in("failing"), nobody);
  const std::vector<double> velocities = ResultsReader(study.file).numbers("inputs");
  const auto slow = std::ranges::count_if(velocities, [](double v) { return v < 4.8; });
  ASSERT_GT(slow, 0);
  EXPECT_EQ(study.failed, static_cast<std::uint64_t>(slow));
  ASSERT_FALSE(study.first_failures.empty());
  EXPECT_THAT(study.first_failures[0], HasSubstr("user force 'fast'"));
  EXPECT_EQ(study.too_many_failed,
            fmt::format("{} of 64 realisations failed; max_failed = 0.01 allows 0", slow));
  EXPECT_THROW(require_success(study), TooManyFailed);
  EXPECT_NO_THROW(require_success(run(1, in("good"), nobody)));
}

TEST_F(CampaignTest, SweepsOverPoints) {
  const fs::path model = root_ / "ball.yaml";
  std::ofstream(model) << thrown_ball(1);
  SweepOptions options;
  options.model = model.string();
  options.directory = root_ / "sweep";
  options.vary = {"gravity[2]=-9.81,-1.62"};
  Listener listener;
  const SweepOutcome outcome = run_sweep(options, listener);
  EXPECT_EQ(outcome.points, 2u);
  EXPECT_EQ(outcome.too_many_failed, "");
  ASSERT_EQ(listener.begun.size(), 2u);
  EXPECT_THAT(listener.begun[1], HasSubstr("point 2 of 2"));
  const std::vector<double> mean = numbers_of(outcome.file).at("ball_position_mean");
  const std::size_t half = mean.size() / 2;  // z of the last time at each point
  EXPECT_NEAR(mean.back() - mean[half - 1], (9.81 - 1.62) / 2, 1e-9);
}

}  // namespace
}  // namespace tumble
