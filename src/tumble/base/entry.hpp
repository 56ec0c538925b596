// How an element declares its fields, once, for everybody.
//
// Every description struct has
//     template <class Self, class V> static void entries(Self& self, V&& visit);
// which calls visit(Entry{...}, self.member) for each member. The reader of model files, the JSON
// Schema, the range checks, the parameter table and the reference page are all visitors of that
// one declaration, so a new element needs no change in any of them.
#pragma once
#include <string>
#include <string_view>

namespace tumble {

enum class Range { any, positive, non_negative, fraction };  // fraction: 0 <= x <= 1

struct Entry {
  std::string_view name;
  std::string_view unit;  ///< SI unit, empty if the field is not a physical number
  std::string_view doc;   ///< one line for the reference page and the schema
  Range range = Range::any;
  bool required = false;
};

/// A file the model refers to, as written: relative to the model file.
struct FileName {
  std::string name;
  bool operator==(const FileName&) const = default;
};

}  // namespace tumble
