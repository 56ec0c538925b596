#include "warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <set>

namespace tumble::app {

void say_once(const std::vector<std::string>& sentences) {
  static std::set<std::string> said;
  for (const std::string& sentence : sentences)
    if (said.insert(sentence).second) fmt::print(stderr, "tumble: {}\n", sentence);
}

void Warnings::add(const std::string& sentence) {
  if (std::ranges::find(sentences_, sentence) != sentences_.end()) return;
  sentences_.push_back(sentence);
  if (printed_) say_once({"warning: " + sentence});
}

void Warnings::add(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) add(sentence);
}

std::string Warnings::text() const {
  std::string text;
  for (const std::string& sentence : sentences_) text += sentence + "\n";
  return text;
}

}  // namespace tumble::app
