// Reads a mapping into any description struct, nested ones included, and checks each number
// against the range its field declares.
//
// Elements of the model do not need the latter: check() finds their numbers through the parameter
// table, which descriptions of a study are not part of.
#pragma once
#include <concepts>

#include "tumble/io/field_reader.hpp"
#include "tumble/model/value_rules.hpp"
#include "tumble/model/visit_numbers.hpp"

namespace tumble {

/// Has fields().
template <class T>
concept Described = requires(T& value, FieldReader& reader) {
  T::fields(value, reader);
};

/// Visitor of fields() that reads each one and looks at its range.
class RangedFieldReader {
 public:
  /// `parameter` takes the place of parameter_unit.
  RangedFieldReader(ReadContext& context, const Place& base, const Node& node,
                    std::string_view parameter)
      : fields_(context, base, node), context_(context), base_(base), parameter_(parameter) {}

  template <class T>
  void operator()(const Field& declared, T& value) {
    Field shown = declared;  // in messages
    if (shown.unit == parameter_unit) shown.unit = parameter_;
    const Node* node = fields_.find(shown);
    if (node == nullptr) return;
    const std::size_t faults = context_.faults();
    read(context_, fields_.place(shown), declared, *node, value);
    if (context_.faults() == faults) check_range(shown, *node, value);
  }

  void know(std::string_view key) { fields_.know(key); }
  void finish() { fields_.finish(); }

 private:
  template <class T>
  void check_range(const Field& field, const Node& node, const T& value) {
    const Place place = fields_.place(field);
    if constexpr (std::same_as<T, int>) {
      const auto fault = range_fault(field.range, value);
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
      visitor(field, value);
    }
  }

  FieldReader fields_;
  ReadContext& context_;
  const Place& base_;
  std::string_view parameter_;
};

/// Reads `node`, a mapping. `other_keys` are read elsewhere. In place of parameter_unit messages
/// have the unit of `place`.
template <Described T>
void read_described(ReadContext& context, const Place& place, const Node& node, T& value,
                    const std::vector<std::string>& other_keys = {}) {
  RangedFieldReader reader(context, place, node, place.unit);
  for (const std::string& key : other_keys) reader.know(key);
  T::fields(value, reader);
  reader.finish();
}

template <Described T>
void read(ReadContext& context, const Place& place, const Field&, const Node& node, T& value) {
  if (node.is_mapping())
    read_described(context, place, node, value);
  else
    context.wrong_kind(node, place, "a mapping");
}

}  // namespace tumble
