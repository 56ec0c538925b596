#include "shared_work.hpp"

#include <fmt/format.h>

#include "model_argument.hpp"
#include "tumble/campaign/prepared_study.hpp"

namespace tumble::app {

void among_ranks(RankSession& session, const std::string& model,
                 const std::function<void(RankLeader*)>& lead,
                 const std::function<void(Ranks&, Observer&)>& help) {
  session.join();
  Ranks* ranks = session.ranks();
  if (ranks == nullptr) return lead(nullptr);
  if (ranks->rank() == 0) {
    RankLeader leader(*ranks);
    share_standard_input(model, session);
    return lead(&leader);
  }
  share_standard_input(model, session);
  Departure departure;
  try {
    catch_interrupts();
    HelpersObserver observer;
    help(*ranks, observer);
    if (interrupted()) departure.why = Departure::Why::interrupted;
  } catch (const std::exception& error) {
    departure = {Departure::Why::failed, fmt::format("{} (on {})", error.what(), host_name())};
  }
  depart(*ranks, departure);
}

}  // namespace tumble::app
