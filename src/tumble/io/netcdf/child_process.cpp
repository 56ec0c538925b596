#include "tumble/io/netcdf/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "tumble/io/netcdf/netcdf_lock.hpp"

namespace tumble {
namespace {

/// How the work ended: the first byte of what the child sends.
enum Answer : char { done = 'd', invalid = 'i', failed = 'f' };

void send(int pipe, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(pipe, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) ::_exit(1);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

/// Never returns. Buffers of streams are left as they are: they are the parent's.
[[noreturn]] void be_the_child(int pipe, const std::function<std::string()>& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int caught : {SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGABRT, SIGFPE})
    ::signal(caught, SIG_DFL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // What a crash makes libraries print would only hide the sentence that the parent says.
  if (const int nowhere = ::open("/dev/null", O_WRONLY); nowhere >= 0) ::dup2(nowhere, 2);
  std::string answer;
  try {
    answer = std::string(1, done) + work();
  } catch (const std::invalid_argument& error) {
    answer = std::string(1, invalid) + error.what();
  } catch (const std::bad_alloc&) {
    answer = std::string(1, failed) + "there is not enough memory for it";
  } catch (const std::exception& error) {
    answer = std::string(1, failed) + error.what();
  }
  send(pipe, answer);
  ::_exit(0);
}

std::string receive(int pipe) {
  std::string all;
  std::array<char, 65536> part{};
  for (;;) {
    const ssize_t n = ::read(pipe, part.data(), part.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return all;
    all.append(part.data(), static_cast<std::size_t>(n));
  }
}

}  // namespace

std::string in_child_process(const std::function<std::string()>& work) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return work();
  pid_t child = 0;
  {
    const NetcdfLock lock;  // no other thread leaves HDF5 half-way through something
    child = ::fork();
    if (child == 0) NetcdfLock::forget();
  }
  if (child == 0) {
    ::close(ends[0]);
    be_the_child(ends[1], work);
  }
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return work();
  }
  std::string answer = receive(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    throw ChildCrashed(
        fmt::format("it ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status))));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || answer.empty())
    throw ChildCrashed(fmt::format("it ended with status {}", WEXITSTATUS(status)));
  const std::string text = answer.substr(1);
  if (answer[0] == invalid) throw std::invalid_argument(text);
  if (answer[0] == failed) throw std::runtime_error(text);
  return text;
}

}  // namespace tumble
