#include "tumble/io/text/constants.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tumble/io/text/number_with_unit.hpp"

namespace tumble {
namespace {

constexpr std::size_t longest_chain = 100;
constexpr std::size_t most_constants = 10'000;

Place place_of(const std::string& name) {
  return {element_label("constant", name), "constants." + name, {}, {}};
}

bool valid_constant_name(const std::string& name) {
  return valid_name(name) && name.find('-') == std::string::npos;  // a-b is a subtraction
}

}  // namespace

Constants::Constants(const Node* section, ReadContext& context) : context_(context) {
  if (section == nullptr) return;
  if (!section->is_mapping()) {
    context.wrong_kind(*section, Place{{}, "constants", "constants", {}},
                       "a mapping from names to numbers");
    return;
  }
  if (section->items.size() > most_constants) {
    context.error(*section, Place{{}, "constants", "constants", {}}, {},
                  fmt::format("has {} constants, at most {} are allowed", section->items.size(),
                              most_constants));
    return;
  }
  for (std::size_t i = 0; i < section->items.size(); ++i) {
    const std::string& name = section->keys[i];
    const Node& node = section->items[i];
    if (!valid_constant_name(name))
      context.error(node, place_of(name), {},
                    "the name must consist of letters, digits and '_' and begin with a letter");
    else if (std::find(builtin_names().begin(), builtin_names().end(), name) !=
             builtin_names().end())
      context.error(node, place_of(name), {}, "the name already has a meaning in expressions");
    else
      entries_[name].node = &node;
    context.record("constants." + name, node);
  }
  for (auto& [name, entry] : entries_)
    if (entry.state == State::untouched) settle(name, entry);
}

NameScope Constants::scope() {
  return {[this](const std::string& name, double& value) { return look_up(name, value); },
          [this](const std::string& unknown) {
            return context_.suggest(unknown, [this] {
              auto names = builtin_names();
              for (const auto& [name, entry] : entries_) names.push_back(name);
              return names;
            });
          }};
}

NameScope::Found Constants::look_up(const std::string& name, double& value) {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return NameScope::Found::no;
  Entry& entry = found->second;
  if (entry.state == State::busy) {
    std::string cycle;
    const auto start = std::find(chain_.begin(), chain_.end(), name);
    for (auto i = start; i != chain_.end() && i - start < 10; ++i) cycle += *i + " -> ";
    context_.error(*entry.node, place_of(name), {},
                   fmt::format("must not depend on itself: {}{}", cycle, name));
    entry.state = State::broken;
  }
  if (entry.state == State::untouched) settle(name, entry);
  value = entry.value;
  return entry.state == State::known ? NameScope::Found::yes : NameScope::Found::broken;
}

void Constants::settle(const std::string& name, Entry& entry) {
  const Node& node = *entry.node;
  if (!node.is_scalar()) {
    entry.state = State::broken;
    context_.wrong_kind(node, place_of(name), "a number");
    return;
  }
  if (chain_.size() >= longest_chain) {
    entry.state = State::broken;
    context_.error(node, place_of(name), {},
                   fmt::format("constants refer to each other more than {} deep", longest_chain));
    return;
  }
  entry.state = State::busy;
  chain_.push_back(name);
  const auto result = evaluate(node.text, scope());
  chain_.pop_back();
  const bool cyclic = entry.state == State::broken;
  if (result.value && !cyclic) {
    entry.value = *result.value;
    entry.state = State::known;
    return;
  }
  entry.state = State::broken;
  if (cyclic || result.error.empty()) return;
  const std::string advice = advice_for_unit(node.text, {});
  context_.error(node, place_of(name), fmt::format("'{}'", printable(node.text)),
                 "must be a number: " + (advice.empty() ? result.error : advice),
                 advice.empty() ? result.suggestion : "");
}

}  // namespace tumble
