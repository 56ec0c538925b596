// An ensemble computed by several processes. Rank 0 hands out leaves one at a time, to its own
// threads and to whoever asks, so that a slow rank delays nobody; all finished leaves come back to
// it. What a leaf holds does not depend on who computed it, hence the same bits.
//
// Rank 0:      RankLeader leader(ranks);  ... leader.run(...)
// The others:  follow_ensemble(ranks, ...), and whatever happens in the end depart(ranks, ...)
#pragma once
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

 private:
  class Desk;
  void serve(Desk& desk);
  Ranks& ranks_;
  int present_;
};

/// On the other ranks: computes leaves until rank 0 has no more or `options.stop` says so.
/// @throws what run_ensemble() throws.
void follow_ensemble(Ranks& ranks, std::string_view identity, const Plan& plan,
                     const EnsembleInputs& inputs, const EnsembleOptions& options);

/// On the other ranks, once, after the last question. Returns when rank 0 has noted it.
void depart(Ranks& ranks, const Departure& departure);

}  // namespace tumble
