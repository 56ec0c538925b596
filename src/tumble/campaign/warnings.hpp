// The warnings of a study, each different sentence once: for the observer, and for the results.
#pragma once
#include <string>
#include <vector>

#include "tumble/campaign/observer.hpp"

namespace tumble {

class Warnings {
 public:
  /// `observer`: null for a part of something larger, which will say what its parts have in common.
  explicit Warnings(Observer* observer) : observer_(observer) {}

  void add(const std::string& sentence);
  void add(const std::vector<std::string>& sentences);

  const std::vector<std::string>& sentences() const { return sentences_; }
  /// All of them, one a line: the attribute `warnings` of a results file.
  std::string text() const;
  bool empty() const { return sentences_.empty(); }

 private:
  Observer* observer_;
  std::vector<std::string> sentences_;
};

}  // namespace tumble
