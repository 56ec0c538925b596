// Processes that work on one study, and how they talk. Rank 0 leads and owns all files; the others
// ask it for work.
//
// The study knows this interface only. The program implements it by MPI, tests by threads.
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace tumble {

class Ranks {
 public:
  using Answer = std::function<std::string(int rank, std::string_view question)>;

  Ranks() = default;
  virtual ~Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// For each rank its share of the cores of its machine: threads where the user names none.
  virtual int default_threads() const = 0;

  /// Not on rank 0: sends it a question and waits for the answer, which may take as long as it
  /// likes. From several threads at once.
  virtual std::string ask(std::string_view question) = 0;
  /// On rank 0: waits for a question and answers it. From one thread at a time.
  virtual void answer_next(const Answer& answer) = 0;
  /// On every rank, once, as the last thing: what rank 0 calls it with.
  virtual int agree(int status) = 0;
};

}  // namespace tumble
