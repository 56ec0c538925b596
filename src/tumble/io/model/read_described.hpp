// Reads a mapping into any description struct, nested ones included, and checks each number
// against the range its entry declares.
//
// Elements of the model do not need the latter: check() finds their numbers through the parameter
// table, which descriptions of a study are not part of.
#pragma once
#include <concepts>

#include "tumble/io/model/entry_reader.hpp"
#include "tumble/model/check/value_rules.hpp"
#include "tumble/model/visit_numbers.hpp"

namespace tumble {

/// Has entries().
template <class T>
concept Described = requires(T& value, EntryReader& reader) {
  T::entries(value, reader);
};

/// Visitor of entries() that reads each one and looks at its range.
class RangedEntryReader {
 public:
  /// `parameter` takes the place of parameter_unit.
  RangedEntryReader(ReadContext& context, const Place& base, const Node& node,
                    std::string_view parameter)
      : entries_(context, base, node), context_(context), base_(base), parameter_(parameter) {}

  template <class T>
  void operator()(const Entry& declared, T& value) {
    Entry shown = declared;  // in messages
    if (shown.unit == parameter_unit) shown.unit = parameter_;
    const Node* node = entries_.find(shown);
    if (node == nullptr) return;
    const std::size_t faults = context_.faults();
    read(context_, entries_.place(shown), declared, *node, value);
    if (context_.faults() == faults) check_range(shown, *node, value);
  }

  void know(std::string_view key) { entries_.know(key); }
  void finish() { entries_.finish(); }

 private:
  template <class T>
  void check_range(const Entry& entry, const Node& node, const T& value) {
    const Place place = entries_.place(entry);
    if constexpr (std::same_as<T, int>) {
      const auto fault = range_fault(entry.range, value);
      if (!fault.empty()) context_.error(node, place, std::to_string(value), std::string(fault));
    } else {
      const auto report = [&](const std::string& path, std::string_view unit, Range range,
                              double number) {
        const auto fault = range_fault(range, number, unit);
        if (fault.empty()) return;
        const std::string index = path.substr(place.path.size());
        context_.error(node, Place{place.element, path, place.field + index, unit},
                       format_number(number), std::string(fault));
      };
      NumberVisitor visitor(base_.path, report);
      visitor(entry, value);
    }
  }

  EntryReader entries_;
  ReadContext& context_;
  const Place& base_;
  std::string_view parameter_;
};

/// Reads `node`, a mapping. `other_keys` are read elsewhere. In place of parameter_unit messages
/// have the unit of `place`.
template <Described T>
void read_described(ReadContext& context, const Place& place, const Node& node, T& value,
                    const std::vector<std::string>& other_keys = {}) {
  RangedEntryReader reader(context, place, node, place.unit);
  for (const std::string& key : other_keys) reader.know(key);
  T::entries(value, reader);
  reader.finish();
}

template <Described T>
void read(ReadContext& context, const Place& place, const Entry&, const Node& node, T& value) {
  if (node.is_mapping())
    read_described(context, place, node, value);
  else
    context.wrong_kind(node, place, "a mapping");
}

}  // namespace tumble
