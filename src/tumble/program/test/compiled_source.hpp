// Compiles source text and loads it: by the compiler that built the tests.
#pragma once
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace tumble::testing {

class CompiledSource {
 public:
  CompiledSource(const std::string& text, const std::vector<std::string>& flags) {
    std::string name = (std::filesystem::temp_directory_path() / "tumble-program-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    const std::string source = folder_ + "/source.cpp", library = folder_ + "/library.so";
    std::ofstream(source) << text;
    std::string command =
        std::string(TUMBLE_TEST_COMPILER) + " -shared -o " + library + " " + source;
    for (const std::string& flag : flags) command += " " + flag;
    command += " 2>" + folder_ + "/messages";
    if (std::system(command.c_str()) != 0) {
      std::ifstream messages(folder_ + "/messages");
      ADD_FAILURE() << std::string(std::istreambuf_iterator<char>(messages), {}).substr(0, 2000);
      return;
    }
    library_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) ADD_FAILURE() << dlerror();
  }
  ~CompiledSource() {
    if (library_ != nullptr) dlclose(library_);
    std::filesystem::remove_all(folder_);
  }
  CompiledSource(const CompiledSource&) = delete;
  CompiledSource& operator=(const CompiledSource&) = delete;

  template <class Function>
  Function* function(const std::string& name) const {
    return library_ == nullptr ? nullptr
                               : reinterpret_cast<Function*>(dlsym(library_, name.c_str()));
  }

 private:
  std::string folder_;
  void* library_ = nullptr;
};

}  // namespace tumble::testing
