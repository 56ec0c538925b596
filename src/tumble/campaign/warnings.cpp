#include "tumble/campaign/warnings.hpp"

#include <algorithm>

namespace tumble {

void Warnings::add(const std::string& sentence) {
  if (std::ranges::find(sentences_, sentence) != sentences_.end()) return;
  sentences_.push_back(sentence);
  if (observer_ != nullptr) observer_->say(Message::warning, sentence);
}

void Warnings::add(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) add(sentence);
}

std::string Warnings::text() const {
  std::string text;
  for (const std::string& sentence : sentences_) text += sentence + "\n";
  return text;
}

}  // namespace tumble
