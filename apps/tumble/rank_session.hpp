// The program as one of several processes that a launcher such as mpirun started.
#pragma once
#include <memory>
#include <string>

#include "tumble/study/ranks/ranks.hpp"

namespace tumble::app {

/// What the launcher told this process through the environment.
struct Launch {
  int rank = 0;
  int size = 1;  ///< 0: it did not say
};
Launch launch_from_environment();

/// Ranks of the program, which have more to tell each other than a study.
class ProgramRanks : public Ranks {
 public:
  /// On every rank, before any of them asks anything: what rank 0 calls it with.
  virtual std::string share(const std::string& text) = 0;
};

/// Among the processes of `launch`; waits for all of them.
/// @throws UsageError if that cannot be: no MPI in this program, or the launcher of another one.
std::unique_ptr<ProgramRanks> join_ranks(const Launch& launch);

class RankSession {
 public:
  /// Rank 0, or alone: it prints, and does what is not shared.
  bool leads() const { return launch_.rank == 0; }

  /// MPI begins here, and only if there are other processes. @throws UsageError
  void join() {
    if (launch_.size != 1) ranks_ = join_ranks(launch_);
  }
  /// Null if alone.
  Ranks* ranks() const { return ranks_.get(); }
  /// See ProgramRanks::share().
  std::string share(const std::string& text) { return ranks_ ? ranks_->share(text) : text; }

  /// As the last thing: the exit status of all, which is that of rank 0.
  int agree(int status) { return ranks_ ? ranks_->agree(status) : status; }

 private:
  const Launch launch_ = launch_from_environment();
  std::unique_ptr<ProgramRanks> ranks_;
};

}  // namespace tumble::app
