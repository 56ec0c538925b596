// Warnings: each different sentence once, on standard error, and kept with the results.
#pragma once
#include <string>
#include <vector>

namespace tumble::app {

/// Prints "tumble: " and each sentence that the program has not printed before: the points of a
/// sweep have much in common.
void say_once(const std::vector<std::string>& sentences);

class Warnings {
 public:
  /// `printed`: false for a part of something larger, which will say what its parts have in common.
  explicit Warnings(bool printed = true) : printed_(printed) {}

  /// Prints the sentence, unless the program has printed the same one before.
  void add(const std::string& sentence);
  void add(const std::vector<std::string>& sentences);

  /// All of them, one a line: the attribute `warnings` of a results file.
  std::string text() const;
  bool empty() const { return sentences_.empty(); }

 private:
  bool printed_;
  std::vector<std::string> sentences_;
};

}  // namespace tumble::app
