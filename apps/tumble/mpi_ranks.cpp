// Ranks by MPI. The only file that knows it.
#include "command.hpp"
#include "rank_session.hpp"

#ifdef TUMBLE_WITH_MPI

#include <fmt/format.h>
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>
#include <thread>

namespace tumble::app {
namespace {

using namespace std::chrono_literals;

/// MPI waits by asking again and again, which takes a core from the threads that compute. We sleep
/// in between: shortly at first, because most answers come at once.
class Patience {
 public:
  void wait() {
    std::this_thread::sleep_for(pause_);
    pause_ = std::min<std::chrono::microseconds>(2 * pause_, 250us);
  }

 private:
  std::chrono::microseconds pause_ = 10us;
};

/// Of the cores that the ranks of this machine may use together, and never more than may be used
/// here: a launcher may have bound each rank to cores of its own, or not.
int share_of_cores() {
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  int ranks = 1;
  MPI_Comm_size(machine, &ranks);
  cpu_set_t mine, together;
  CPU_ZERO(&mine);
  ::sched_getaffinity(0, sizeof mine, &mine);  // where it fails, one thread is left
  MPI_Allreduce(&mine, &together, sizeof mine, MPI_BYTE, MPI_BOR, machine);
  MPI_Comm_free(&machine);
  return std::max(1, std::min(CPU_COUNT(&mine), CPU_COUNT(&together) / ranks));
}

/// Errors of MPI end all processes, as is its default: nobody is left waiting.
class MpiRanks : public ProgramRanks {
 public:
  MpiRanks() {
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    can_thread_ = level >= MPI_THREAD_SERIALIZED;
    default_threads_ = share_of_cores();
  }

  ~MpiRanks() override {
    // Leaving without a word would leave the others waiting.
    if (!agreed_) MPI_Abort(MPI_COMM_WORLD, exit_system_error);
    MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int default_threads() const override { return default_threads_; }
  bool can_thread() const { return can_thread_; }

  std::string ask(std::string_view question) override {
    // More than threads can have on the way at a time, and no more tags than MPI promises.
    constexpr unsigned tags = 32'000;
    MPI_Request sending = MPI_REQUEST_NULL;
    int tag = 0;
    {
      const std::lock_guard lock(mutex_);
      tag = first_question_tag + static_cast<int>(questions_++ % tags);
      MPI_Isend(question.data(), length(question), MPI_BYTE, 0, tag, MPI_COMM_WORLD, &sending);
    }
    for (Patience patience; !sent(sending);) patience.wait();
    std::string answer;
    for (Patience patience; !receive(0, tag, answer);) patience.wait();
    return answer;
  }

  void answer_next(const Answer& answer) override {
    std::string question;
    MPI_Status status;
    for (Patience patience; !receive(MPI_ANY_SOURCE, MPI_ANY_TAG, question, &status);)
      patience.wait();
    // Whoever asked waits for nothing else, so a long answer, such as the germs of a leaf, is taken
    // at once.
    const std::string text = answer(status.MPI_SOURCE, question);
    const std::lock_guard lock(mutex_);
    MPI_Send(text.data(), length(text), MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG,
             MPI_COMM_WORLD);
  }

  std::string share(const std::string& text) override {
    if (rank_ == 0) {
      for (int rank = 1; rank < size_; ++rank)
        MPI_Send(text.data(), length(text), MPI_BYTE, rank, share_tag, MPI_COMM_WORLD);
      return text;
    }
    std::string arrived;
    for (Patience patience; !receive(0, share_tag, arrived);) patience.wait();
    return arrived;
  }

  int agree(int status) override {
    agreed_ = true;
    if (rank_ == 0) {
      for (int rank = 1; rank < size_; ++rank)
        MPI_Send(&status, 1, MPI_INT, rank, status_tag, MPI_COMM_WORLD);
      return status;
    }
    int arrived = 0;
    for (Patience patience; arrived == 0;) {
      MPI_Iprobe(0, status_tag, MPI_COMM_WORLD, &arrived, MPI_STATUS_IGNORE);
      if (arrived == 0) patience.wait();
    }
    MPI_Recv(&status, 1, MPI_INT, 0, status_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return status;
  }

 private:
  static constexpr int status_tag = 0;
  static constexpr int first_question_tag = 1;  // an answer has the tag of its question
  static constexpr int share_tag = 32'500;      // behind those of questions

  static int length(std::string_view bytes) {
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw std::length_error(
          fmt::format("a block of {} bytes is too large to be sent to rank 0; use fewer output "
                      "times or probes, or run without ranks",
                      bytes.size()));
    return static_cast<int>(bytes.size());
  }

  bool sent(MPI_Request& request) {
    const std::lock_guard lock(mutex_);
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  }

  /// False if nothing has come.
  bool receive(int source, int tag, std::string& bytes, MPI_Status* from = MPI_STATUS_IGNORE) {
    const std::lock_guard lock(mutex_);
    int arrived = 0, count = 0;
    MPI_Status status;
    MPI_Iprobe(source, tag, MPI_COMM_WORLD, &arrived, &status);
    if (arrived == 0) return false;
    MPI_Get_count(&status, MPI_BYTE, &count);
    bytes.resize(static_cast<std::size_t>(count));
    MPI_Recv(bytes.data(), count, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             from);
    return true;
  }

  int rank_ = 0, size_ = 1, default_threads_ = 1;
  bool can_thread_ = false, agreed_ = false;
  std::mutex mutex_;  // one thread at a time calls MPI
  unsigned questions_ = 0;
};

}  // namespace

std::unique_ptr<ProgramRanks> join_ranks(const Launch& launch) {
  auto ranks = std::make_unique<MpiRanks>();
  const auto refuse = [&](const std::string& why) {
    ranks->agree(exit_bad_input);
    throw UsageError(why);
  };
  if (launch.size != 0 && ranks->size() != launch.size)
    refuse(
        fmt::format("one of {} processes, but MPI sees {}: use the mpirun of the MPI that this "
                    "program was built with, or clear the variables of the launcher from the "
                    "environment to run alone",
                    launch.size, ranks->size()));
  if (!ranks->can_thread()) refuse("this MPI does not allow threads (MPI_THREAD_SERIALIZED)");
  return ranks;
}

}  // namespace tumble::app

#else

namespace tumble::app {

std::unique_ptr<ProgramRanks> join_ranks(const Launch&) {
  throw UsageError(
      "started as one of several ranks, but built without MPI: start it without mpirun, or install "
      "libopenmpi-dev and build it again");
}

}  // namespace tumble::app

#endif
