// Formulas and their parameters.
#include "tumble/io/model/read_values.hpp"
#include "tumble/model/expression/expression_syntax.hpp"

namespace tumble {

void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          StateRef& value) {
  if (node.is_scalar() && valid_name(node.text))
    value.name = node.text;
  else
    context.wrong_kind(node, place, "the name of a state variable");
}

/// What its names mean is known once the whole file is read; the constants among them are looked up
/// here.
void read(ReadContext& context, const Place& place, const Entry&, const Node& node,
          Expression& value) {
  if (!node.is_scalar() || node.text.empty()) {
    context.wrong_kind(node, place, "a formula");
    return;
  }
  value = Expression(node.text);
  for (const std::string& name : value.syntax->names()) {
    double number = 0;
    switch (context.scope.look_up(name, number)) {
      case NameScope::Found::yes:
        value.constants.emplace(name, number);
        break;
      case NameScope::Found::broken:
        context.mark_faulty(place.element, place.field);
        break;
      case NameScope::Found::no:
        break;
    }
  }
}

void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          ExpressionList& value) {
  value.list = node.is_sequence();
  value.items.resize(value.list ? node.items.size() : 1);
  if (!value.list) return read(context, place, entry, node, value.items[0]);
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    context.record_item(place.item(i).path, node.items[i], node);
    read(context, place.item(i), entry, node.items[i], value.items[i]);
  }
}

void read(ReadContext& context, const Place& place, const Entry& entry, const Node& node,
          ExpressionParameters& value) {
  if (!node.is_mapping()) {
    context.wrong_kind(node, place, "a mapping from names to numbers");
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Place number = place.child(node.keys[i]);
    context.record(number.path, node.items[i]);
    auto& added = value.numbers.emplace_back();
    added.name = node.keys[i];
    read(context, number, entry, node.items[i], added.value);
  }
}

}  // namespace tumble
