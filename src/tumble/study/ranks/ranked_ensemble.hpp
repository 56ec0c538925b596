// An ensemble computed by several processes. Rank 0 hands out leaves one at a time, to its own
// threads and to whoever asks, so that a slow rank delays nobody; all finished leaves come back to
// it. What a leaf holds does not depend on who computed it, hence the same bits.
//
// Rank 0:      RankLeader leader(ranks);  ... leader.run(...)
// The others:  follow_ensemble(ranks, ...), and whatever happens in the end depart(ranks, ...)
//
// A method that needs several ensembles, each of which follows from what came before, has rounds.
// Rank 0 alone thinks; the others make the ensemble that it describes, help, and ask for the next:
//
// Rank 0:      leader.run_round(description, ...) as often as it likes
// The others:  follow_rounds(ranks, work), work(description) calls follow_ensemble(); then depart()
#pragma once
#include <set>

#include "tumble/study/ranks/rank_message.hpp"
#include "tumble/study/ranks/ranks.hpp"

namespace tumble {

/// Where finished leaves go. Called from several threads at once; what they throw ends the study.
struct LeafSink {
  std::function<void(LeafResult&&)> computed;   ///< here
  std::function<void(EncodedLeaf&&)> received;  ///< from another rank
};

/// Ranks wait for answers of rank 0 and would wait for ever. Whoever holds a leader cannot forget
/// them: those that have not departed when it goes are told that there is no work.
class RankLeader {
 public:
  explicit RankLeader(Ranks& ranks) : ranks_(ranks), present_(ranks.size() - 1) {}
  ~RankLeader();
  RankLeader(const RankLeader&) = delete;
  RankLeader& operator=(const RankLeader&) = delete;

  const Ranks& ranks() const { return ranks_; }

  /// As run_ensemble(), with all ranks; once. `identity` tells studies apart. Returns when every
  /// other rank has departed; false if a signal stopped the study, here or on another rank.
  /// @throws std::runtime_error naming the rank that failed or works on another study.
  bool run(std::string_view identity, const Plan& plan, const EnsembleInputs& inputs,
           const LeafSource& next, const EnsembleOptions& options, const LeafSink& sink);
  /// The same with leaves of another kind.
  bool run(std::string_view identity, const LeafWorkers& workers, const LeafSource& next,
           const EnsembleOptions& options, const LeafSink& sink);

  /// The same for one of several ensembles. Returns when every other rank has ended its work on
  /// it; these then wait for the next one, or until the leader goes. `description`: short.
  bool run_round(const std::string& description, std::string_view identity, const Plan& plan,
                 const EnsembleInputs& inputs, const LeafSource& next,
                 const EnsembleOptions& options, const LeafSink& sink);

 private:
  class Desk;
  bool work(Desk& desk, const LeafWorkers& workers, const EnsembleOptions& options);
  void serve(Desk& desk);
  RoundAnswer hear(int rank, const RoundWanted& question);

  Ranks& ranks_;
  int present_;
  std::uint64_t round_ = 0;  ///< 0: the work is one ensemble
  std::string description_;
  std::set<int> waiting_;  ///< ranks that have ended their work on this round
};

/// On the other ranks: computes leaves until rank 0 has no more or `options.stop` says so.
/// @throws what run_ensemble() throws.
void follow_ensemble(Ranks& ranks, std::string_view identity, const Plan& plan,
                     const EnsembleInputs& inputs, const EnsembleOptions& options);
void follow_ensemble(Ranks& ranks, std::string_view identity, const LeafWorkers& workers,
                     const EnsembleOptions& options);

/// On the other ranks: calls `work` with the description of each round until there are no more, or
/// `stop` says so. @throws what `work` throws.
void follow_rounds(Ranks& ranks, const std::function<void(const std::string&)>& work,
                   const std::function<bool()>& stop);

/// On the other ranks, once, after the last question. Returns when rank 0 has noted it.
void depart(Ranks& ranks, const Departure& departure);

}  // namespace tumble
