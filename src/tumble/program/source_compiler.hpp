// A C++ compiler of this machine, called as a program to make a shared object of source text.
#pragma once
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace tumble {

/// Why something could not be done.
struct Refusal {
  std::string reason;
};

class SourceCompiler {
 public:
  /// $TUMBLE_CXX, or the first of c++, g++ and clang++ on the path.
  static std::variant<SourceCompiler, Refusal> find();

  const std::string& path() const { return path_; }
  /// Which build of the compiler it is, without asking it: its file's size and time.
  std::string identity() const;

  /// The bytes of a shared object of all sources, which are compiled side by side. Nothing goes
  /// through a shell, and what is written lies in a temporary folder of its own that is gone
  /// afterwards. `cancelled` is asked now and then; compilers that run are ended then.
  std::variant<std::string, Refusal> compile(const std::vector<std::string>& sources,
                                             const std::vector<std::string>& flags,
                                             const std::function<bool()>& cancelled = {}) const;

 private:
  explicit SourceCompiler(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

/// A shared object loaded from memory: the bytes that were checked are the bytes that run.
class LoadedCode {
 public:
  /// @throws std::runtime_error if it cannot be loaded.
  explicit LoadedCode(const std::string& bytes);
  ~LoadedCode();
  LoadedCode(const LoadedCode&) = delete;
  LoadedCode& operator=(const LoadedCode&) = delete;

  /// Null if there is none of that name.
  void* address(const std::string& name) const;

 private:
  int file_ = -1;  ///< kept open: the loader knows objects by the names of their files
  void* library_ = nullptr;
};

}  // namespace tumble
