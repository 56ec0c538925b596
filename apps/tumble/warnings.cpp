#include "warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace tumble::app {

void Warnings::add(const std::string& sentence) {
  if (std::ranges::find(sentences_, sentence) != sentences_.end()) return;
  sentences_.push_back(sentence);
  fmt::print(stderr, "tumble: warning: {}\n", sentence);
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
