// Reads a mapping of the file into a description struct by visiting the struct's entries().
#pragma once
#include "tumble/io/model/read_values.hpp"

namespace tumble {

/// Visitor of entries(): reads each entry that is present, reports required ones that are not and,
/// in finish(), keys that no entry has.
class EntryReader {
 public:
  /// `base` names the element (its entry and path are prefixes, usually an element's own path and
  /// an empty entry). `node` is a mapping.
  EntryReader(ReadContext& context, const Place& base, const Node& node)
      : context_(context), base_(base), node_(node) {}

  template <class T>
  void operator()(const Entry& entry, T& value) {
    if (const Node* node = find(entry)) read(context_, place(entry), entry, *node, value);
  }

  /// The value of an entry, after noting that the key is known and recording its place.
  const Node* find(const Entry& entry);
  /// Notes a key that is read elsewhere.
  void know(std::string_view key) { known_.emplace_back(key); }
  Place place(const Entry& entry) const;
  void finish();

 private:
  ReadContext& context_;
  const Place& base_;
  const Node& node_;
  std::vector<std::string> known_;
};

}  // namespace tumble
