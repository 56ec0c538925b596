#include "tumble/program/source_compiler.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

extern char** environ;

namespace tumble {

namespace fs = std::filesystem;

namespace {

std::string on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string folder = rest.substr(0, colon);
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
    // A relative folder means another program wherever one is.
    if (folder.empty() || folder[0] != '/') continue;
    const std::string candidate = folder + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate)) return candidate;
  }
  return {};
}

/// A folder of one's own, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "tumble-kernels-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error(fmt::format("{}: {}", name, std::strerror(errno)));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

/// Programs that run side by side.
class Children {
 public:
  ~Children() {
    for (const pid_t child : running_) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
  }
  /// False if it could not be started.
  bool start(const std::vector<std::string>& arguments, const std::string& messages) {
    std::vector<char*> argv;
    for (const std::string& argument : arguments)
      argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    pid_t child = 0;
    const int failed = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return false;
    running_.push_back(child);
    return true;
  }
  /// Whether all ended well; false at once if cancelled.
  bool wait(const std::function<bool()>& cancelled) {
    bool well = true;
    while (!running_.empty()) {
      if (cancelled && cancelled()) return false;
      std::erase_if(running_, [&](pid_t child) {
        int status = 0;
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == 0) return false;
        well = well && ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
        return true;
      });
      if (!running_.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return well;
  }

 private:
  std::vector<pid_t> running_;
};

std::string first_line(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  while (line.empty() && std::getline(in, line)) continue;
  return line;
}

}  // namespace

std::variant<SourceCompiler, Refusal> SourceCompiler::find() {
  if (const char* chosen = std::getenv("TUMBLE_CXX"); chosen != nullptr && chosen[0] != 0) {
    const std::string path = chosen[0] == '/' ? chosen : on_path(chosen);
    if (!path.empty() && access(path.c_str(), X_OK) == 0) return SourceCompiler(path);
    return Refusal{fmt::format("TUMBLE_CXX names no program: '{}'", chosen)};
  }
  for (const char* name : {"c++", "g++", "clang++"})
    if (const std::string path = on_path(name); !path.empty()) return SourceCompiler(path);
  return Refusal{"there is no C++ compiler on the path (c++, g++ or clang++)"};
}

std::string SourceCompiler::identity() const {
  struct stat status {};
  std::error_code error;
  const fs::path real = fs::canonical(path_, error);
  if (error || stat(real.c_str(), &status) != 0) return path_;
  return fmt::format("{} {} {}.{}", real.string(), status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

std::variant<std::string, Refusal> SourceCompiler::compile(
    const std::vector<std::string>& sources, const std::vector<std::string>& flags,
    const std::function<bool()>& cancelled) const {
  try {
    const TemporaryFolder folder;
    const auto complaint = [&](std::size_t messages) -> Refusal {
      if (cancelled && cancelled()) return {"it was not needed any more"};
      for (std::size_t i = 0; i < messages; ++i)
        if (const std::string line = first_line(folder.file(fmt::format("messages{}", i)));
            !line.empty())
          return {fmt::format("{} failed: {}", path_, line)};
      return {fmt::format("{} failed", path_)};
    };
    std::vector<std::string> link = {path_, "-shared", "-o", folder.file("kernels.so")};
    Children compilers;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const std::string source = folder.file(fmt::format("part{}.cpp", i)),
                        object = folder.file(fmt::format("part{}.o", i));
      std::ofstream out(source, std::ios::binary);
      out << sources[i];
      out.close();
      if (!out) return Refusal{fmt::format("{} cannot be written", source)};
      std::vector<std::string> arguments = {path_, "-c", "-o", object, source};
      arguments.insert(arguments.end(), flags.begin(), flags.end());
      if (!compilers.start(arguments, folder.file(fmt::format("messages{}", i))))
        return Refusal{fmt::format("{} cannot be started", path_)};
      link.push_back(object);
    }
    if (!compilers.wait(cancelled)) return complaint(sources.size());
    Children linker;
    if (!linker.start(link, folder.file("messages0")) || !linker.wait(cancelled))
      return complaint(1);
    std::ifstream library(folder.file("kernels.so"), std::ios::binary);
    std::string bytes(std::istreambuf_iterator<char>(library), {});
    if (bytes.empty()) return Refusal{fmt::format("{} made nothing", path_)};
    return bytes;
  } catch (const std::exception& error) {
    return Refusal{error.what()};
  }
}

LoadedCode::LoadedCode(const std::string& bytes) {
  file_ = memfd_create("tumble-kernels", MFD_CLOEXEC);
  if (file_ < 0) throw std::runtime_error(std::strerror(errno));
  for (std::size_t written = 0; written < bytes.size();) {
    const ssize_t count = write(file_, bytes.data() + written, bytes.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      close(file_);
      throw std::runtime_error(std::strerror(errno));
    }
    written += static_cast<std::size_t>(count);
  }
  library_ = dlopen(fmt::format("/proc/self/fd/{}", file_).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) {
    const std::string reason = dlerror();
    close(file_);
    throw std::runtime_error(reason);
  }
}

LoadedCode::~LoadedCode() {
  dlclose(library_);
  close(file_);
}

void* LoadedCode::address(const std::string& name) const { return dlsym(library_, name.c_str()); }

}  // namespace tumble
