// Warnings: each different sentence once, on standard error, and kept with the results.
#pragma once
#include <string>
#include <vector>

namespace tumble::app {

class Warnings {
 public:
  /// Prints the sentence, unless the same one was printed before.
  void add(const std::string& sentence);
  void add(const std::vector<std::string>& sentences);

  /// All of them, one a line: the attribute `warnings` of a results file.
  std::string text() const;
  bool empty() const { return sentences_.empty(); }

 private:
  std::vector<std::string> sentences_;
};

}  // namespace tumble::app
