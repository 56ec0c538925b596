// The `constants` section: names for numbers, which may refer to each other in any order.
#pragma once
#include <map>
#include <string>

#include "tumble/io/model/read_context.hpp"

namespace tumble {

class Constants {
 public:
  /// Evaluates every constant of the section (null if the file has none); mistakes and cycles are
  /// reported to `context`.
  Constants(const Node* section, ReadContext& context);
  Constants(const Constants&) = delete;
  Constants& operator=(const Constants&) = delete;

  /// Where expressions find these constants; valid as long as this object.
  NameScope scope();

 private:
  enum class State { untouched, busy, known, broken };
  struct Entry {
    const Node* node = nullptr;
    State state = State::untouched;
    double value = 0;
  };

  NameScope::Found look_up(const std::string& name, double& value);
  void settle(const std::string& name, Entry& entry);

  ReadContext& context_;
  std::map<std::string, Entry> entries_;
  std::vector<std::string> chain_;  ///< constants being evaluated, to name a cycle
};

}  // namespace tumble
