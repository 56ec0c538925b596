// Several ranks give the bits of one, and whatever happens to one of them, all of them end.
#include "tumble/study/ranks/ranked_ensemble.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <map>
#include <thread>

#include "ensemble_for_tests.hpp"
#include "threads_as_ranks.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/model/compile.hpp"
#include "two_bars.hpp"

namespace tumble {
namespace {

class RankedEnsemble : public testing::Test {
 protected:
  RankedEnsemble() : plan(make_plan(compile(two_bars()))) {
    inputs.slots = {plan.system->parameters.find("bodies.lower.mass")};
    // One realisation is inadmissible: failures travel too.
    inputs.fill = [](std::uint64_t r, double* x) { x[0] = r == 70 ? -1 : 300 + 8700 * uniform(r); };
    options.threads = 2;
    options.sketch_size = 16;
    options.keep_values = [](std::uint64_t leaf) { return leaf % 2 == 0; };
  }

  LeafSink sink() {
    return {[this](LeafResult&& leaf) { keep(encode(leaf), computed_here); },
            [this](EncodedLeaf&& leaf) { keep(std::move(leaf), received); }};
  }
  void keep(EncodedLeaf&& leaf, int& counter) {
    const std::lock_guard lock(mutex);
    ++counter;
    EXPECT_TRUE(leaves.emplace(leaf.leaf, leaf.record + leaf.statistics).second);
  }

  /// Another rank from its start to its end.
  void follow(RankPost& post, int rank, const std::string& identity = "this study") {
    ThreadAsRank self(post, rank, ranks);
    Departure departure;
    try {
      follow_ensemble(self, identity, plan, inputs, options_of_others);
      if (options_of_others.stop && options_of_others.stop())
        departure.why = Departure::Why::interrupted;
    } catch (const std::exception& error) {
      departure = {Departure::Why::failed, error.what()};
    }
    depart(self, departure);
    if (stop_others) others_departed.count_down();
  }

  bool lead(const LeafSink& to) {
    RankPost post;
    options_of_others = options;
    options_of_others.progress = nullptr;
    if (stop_others) options_of_others.stop = [] { return true; };
    std::vector<std::jthread> others;
    for (int rank = 1; rank < ranks; ++rank)
      others.emplace_back(
          [this, &post, rank] { follow(post, rank, rank == stranger ? "another" : "this study"); });
    ThreadAsRank self(post, 0, ranks);
    RankLeader leader(self);
    if (lead_nothing) return false;
    return leader.run("this study", plan, inputs, leaf_source(realizations), options, to);
  }

  Plan plan;
  EnsembleInputs inputs;
  EnsembleOptions options, options_of_others;
  std::uint64_t realizations = 500;
  int ranks = 3;
  int stranger = 0;
  bool stop_others = false, lead_nothing = false;
  std::latch others_departed{2};
  std::mutex mutex;
  std::map<std::uint64_t, std::string> leaves;
  int computed_here = 0, received = 0;
};

TEST_F(RankedEnsemble, HasTheBitsOfOneProcess) {
  std::map<std::uint64_t, std::string> reference;
  run_ensemble(plan, inputs, leaf_source(realizations), options, [&](LeafResult&& leaf) {
    const EncodedLeaf encoded = encode(leaf);
    const std::lock_guard lock(mutex);
    reference[encoded.leaf] = encoded.record + encoded.statistics;
  });
  for (ranks = 1; ranks <= 4; ++ranks) {
    leaves.clear();
    EXPECT_TRUE(lead(sink()));
    EXPECT_EQ(leaves, reference) << ranks << " ranks";
  }
}

TEST_F(RankedEnsemble, CountsWhatOtherRanksDidAsProgress) {
  std::atomic<std::uint64_t> ended{0}, failed{0};
  options.progress = [&](std::uint64_t e, std::uint64_t f) { ended += e, failed += f; };
  EXPECT_TRUE(lead(sink()));
  EXPECT_EQ(computed_here + received, 8);
  EXPECT_EQ(ended, 500u);
  EXPECT_EQ(failed, 1u);
}

TEST_F(RankedEnsemble, EndsWithWhatTheSinkThrows) {
  const auto full = [](auto&&) { throw std::runtime_error("the disk is full"); };
  for (const LeafSink& broken :
       {LeafSink{full, sink().received}, LeafSink{sink().computed, full}, LeafSink{full, full}}) {
    leaves.clear();
    try {
      // With one sink intact, the other may happen to get no leaf.
      EXPECT_TRUE(lead(broken));
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "the disk is full");
    }
  }
  EXPECT_THROW(lead({full, full}), std::runtime_error);
}

TEST_F(RankedEnsemble, EndsWhenARankFails) {
  inputs.fill = [](std::uint64_t, double*) { throw std::runtime_error("no numbers here"); };
  EXPECT_THROW(lead(sink()), std::runtime_error);
  EXPECT_TRUE(leaves.empty());
}

TEST_F(RankedEnsemble, RefusesARankWithAnotherStudy) {
  stranger = 2;
  try {
    lead(sink());
    FAIL() << "accepted";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("rank 2 has another model"));
  }
}

TEST_F(RankedEnsemble, StopsWhereTheLeaderStops) {
  std::atomic<int> asked{0};
  options.stop = [&] { return ++asked > 12; };
  EXPECT_FALSE(lead(sink()));
  EXPECT_LT(leaves.size(), 8u);
}

TEST_F(RankedEnsemble, StopsWhereAnotherRankIsInterrupted) {
  stop_others = true;
  LeafSink patient = sink();
  patient.computed = [this, keep = patient.computed](LeafResult&& leaf) {
    others_departed.wait();
    keep(std::move(leaf));
  };
  EXPECT_FALSE(lead(patient));
  EXPECT_EQ(received, 0);
  EXPECT_LE(computed_here, options.threads);
}

TEST_F(RankedEnsemble, LetsRanksGoThatNeverGotWork) {
  lead_nothing = true;
  EXPECT_FALSE(lead(sink()));
  EXPECT_TRUE(leaves.empty());
}

/// Rounds in which masses are multiplied by what the last round was described by.
class RankedRounds : public RankedEnsemble {
 protected:
  EnsembleInputs scaled(const std::string& description) const {
    const double factor = std::stod(description);
    return {inputs.slots, [factor](std::uint64_t r, double* x) {
              x[0] = factor * (300 + static_cast<double>(r));
            }};
  }
  void follow_all_rounds(RankPost& post, int rank) {
    ThreadAsRank self(post, rank, ranks);
    Departure departure;
    try {
      follow_rounds(
          self,
          [&](const std::string& description) {
            ++rounds_helped;
            if (description == failing_round) throw std::runtime_error("no numbers here");
            follow_ensemble(self, "round " + description, plan, scaled(description), options);
          },
          [] { return false; });
    } catch (const std::exception& error) {
      departure = {Departure::Why::failed, error.what()};
    }
    depart(self, departure);
  }
  /// The bytes of all leaves of each round.
  std::vector<std::map<std::uint64_t, std::string>> lead_rounds(
      const std::vector<std::string>& descriptions) {
    RankPost post;
    std::vector<std::jthread> others;
    for (int rank = 1; rank < ranks; ++rank)
      others.emplace_back([this, &post, rank] { follow_all_rounds(post, rank); });
    ThreadAsRank self(post, 0, ranks);
    RankLeader leader(self);
    std::vector<std::map<std::uint64_t, std::string>> all;
    for (const std::string& description : descriptions) {
      leaves.clear();
      EXPECT_TRUE(leader.run_round(description, "round " + description, plan, scaled(description),
                                   leaf_source(realizations), options, sink()));
      all.push_back(leaves);
    }
    return all;
  }
  std::string failing_round;
  std::atomic<int> rounds_helped{0};
};

TEST_F(RankedRounds, HaveTheBitsOfOneProcess) {
  const std::vector<std::string> descriptions{"1", "4.5", "1", "2"};
  ranks = 1;
  const auto alone = lead_rounds(descriptions);
  EXPECT_NE(alone[0], alone[1]);
  EXPECT_EQ(alone[0], alone[2]);
  for (ranks = 2; ranks <= 4; ++ranks) {
    rounds_helped = 0;
    EXPECT_EQ(lead_rounds(descriptions), alone) << ranks << " ranks";
    EXPECT_EQ(rounds_helped, 4 * (ranks - 1));
  }
}

TEST_F(RankedRounds, EndWhenARankFailsInOneOfThem) {
  failing_round = "2";
  EXPECT_THROW(lead_rounds({"1", "2", "3"}), std::runtime_error);
}

TEST_F(RankedRounds, MayBeNone) { EXPECT_TRUE(lead_rounds({}).empty()); }

TEST(RankMessage, RefusesDamagedBytes) {
  const std::string bytes = encode(LeafFinished{{3, "record", "statistics", {2.5, 0.5}}, 64, 1});
  const EncodedLeaf leaf = std::get<LeafFinished>(decode_question(bytes)).leaf;
  EXPECT_EQ(leaf.statistics, "statistics");
  EXPECT_EQ(leaf.times.integration, 2.5);
  EXPECT_EQ(leaf.times.statistics, 0.5);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(decode_question(bytes.substr(0, size)), std::runtime_error) << size;
  EXPECT_THROW(decode_question(bytes + "x"), std::runtime_error);
  EXPECT_THROW(decode_question("\x07"), std::runtime_error);
  EXPECT_EQ(decode_answer(encode(std::optional<LeafTask>{})), std::nullopt);
  EXPECT_EQ(decode_answer(encode(std::optional<LeafTask>({5, 9})))->count, 9u);
  EXPECT_EQ(std::get<RoundWanted>(decode_question(encode(RoundWanted{7}))).done, 7u);
  const std::string round = encode(RoundAnswer{RoundAnswer::Kind::work, 8, "laws"});
  EXPECT_EQ(decode_round(round).round, 8u);
  EXPECT_EQ(decode_round(round).description, "laws");
  for (std::size_t size = 0; size < round.size(); ++size)
    EXPECT_THROW(decode_round(round.substr(0, size)), std::runtime_error) << size;
}

}  // namespace
}  // namespace tumble
