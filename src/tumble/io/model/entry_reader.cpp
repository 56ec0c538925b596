#include "tumble/io/model/entry_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tumble {

Place EntryReader::place(const Entry& entry) const {
  const std::string name(entry.name);
  return {base_.element, base_.path.empty() ? name : base_.path + "." + name,
          base_.field.empty() ? name : base_.field + "." + name, entry.unit};
}

const Node* EntryReader::find(const Entry& entry) {
  known_.emplace_back(entry.name);
  const Node* node = node_.find(entry.name);
  if (node != nullptr) {
    context_.record(place(entry).path, *node);
    if (node->kind == Node::Kind::null) {
      context_.error(*node, place(entry), {}, "must have a value");
      return nullptr;
    }
  } else if (entry.required) {
    context_.error(node_, place(entry), {}, "required but missing");
  }
  return node;
}

void EntryReader::finish() {
  for (std::size_t i = 0; i < node_.keys.size(); ++i) {
    const std::string& key = node_.keys[i];
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    const Node& value = node_.items[i];
    const auto where = value.source == 0 ? context_.document().where(0, node_.key_lines[i])
                                         : context_.document().where(value);
    const std::string shown = base_.field.empty() ? key : base_.field + "." + key;
    // A slip is answered with the key that was meant; who does not know the keys is told them.
    const std::string nearest = context_.suggest(key, known_);
    const std::vector<std::string> none;
    const bool section = base_.path.empty();
    context_.error(where, Place{base_.element, {}, {}, {}}, {},
                   section ? unknown_key("section", shown, known_)
                           : unknown_key("key", shown, nearest.empty() ? known_ : none),
                   nearest);
  }
}

}  // namespace tumble
