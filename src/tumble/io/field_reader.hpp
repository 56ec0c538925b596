// Reads a mapping of the file into a description struct by visiting the struct's fields().
#pragma once
#include "tumble/io/read_values.hpp"

namespace tumble {

/// Visitor of fields(): reads each field that is present, reports required ones that are not and,
/// in finish(), keys that no field has.
class FieldReader {
 public:
  /// `base` names the element (its field and path are prefixes, usually an element's own path and
  /// an empty field). `node` is a mapping.
  FieldReader(ReadContext& context, const Place& base, const Node& node)
      : context_(context), base_(base), node_(node) {}

  template <class T>
  void operator()(const Field& field, T& value) {
    if (const Node* node = find(field)) read(context_, place(field), field, *node, value);
  }

  /// The value of a field, after noting that the key is known and recording its place.
  const Node* find(const Field& field);
  /// Notes a key that is read elsewhere.
  void know(std::string_view key) { known_.emplace_back(key); }
  Place place(const Field& field) const;
  void finish();

 private:
  ReadContext& context_;
  const Place& base_;
  const Node& node_;
  std::vector<std::string> known_;
};

}  // namespace tumble
