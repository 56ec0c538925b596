// A command whose runs several ranks share: what rank 0 does, and what the others do for it.
#pragma once
#include <functional>

#include "interrupt.hpp"
#include "rank_session.hpp"
#include "tumble/campaign/observer.hpp"
#include "tumble/study/ranks/ranked_ensemble.hpp"

namespace tumble::app {

/// Of ranks that help: rank 0 has the same to say.
class HelpersObserver : public Observer {
 public:
  bool cancelled() override { return interrupted(); }
};

/// Alone, or on rank 0 of several: `lead`, with null or the leader of the others. On these: `help`.
/// They read the model themselves and leave what is wrong with it to rank 0, which meets it too;
/// what went wrong on one of them alone, it tells rank 0.
void among_ranks(RankSession& session, const std::string& model,
                 const std::function<void(RankLeader*)>& lead,
                 const std::function<void(Ranks&, Observer&)>& help);

}  // namespace tumble::app
