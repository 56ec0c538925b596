#include "tumble/io/model/read_formula.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tumble/model/expression/expression_parser.hpp"

namespace tumble {
namespace {

const std::vector<std::string>& component_names(std::size_t size) {
  static const std::vector<std::string> axis{"x", "y", "z"}, quat{"w", "x", "y", "z"},
      tensor{"xx", "yy", "zz", "xy", "xz", "yz"};
  return size == 3 ? axis : size == 4 ? quat : tensor;
}

/// What is known of the unit of a part: nothing, that it is a mere number, or which.
struct PartUnit {
  enum class State { unknown, number, known };
  State state = State::unknown;
  std::string unit = {};
  bool plain() const { return state == State::number || (state == State::known && unit == "1"); }
};
const PartUnit unknown_unit{}, mere_number{PartUnit::State::number};
PartUnit known_unit(std::string unit) { return {PartUnit::State::known, std::move(unit)}; }

/// Writes down the steps of a formula while the expression is read, and what is known of units.
class FormulaAlgebra {
 public:
  using Value = PartUnit;
  using Parser = ExpressionParser<FormulaAlgebra>;
  FormulaAlgebra(ReadContext& context, const ProbedNames& names)
      : context_(context), names_(names) {}

  Value number(double value) {
    formula_.add_number(value);
    return mere_number;
  }
  Value add(const Value& a, const Value& b) {
    formula_.add_call([](const double* x) { return x[0] + x[1]; }, 2);
    return same(a, b);
  }
  Value subtract(const Value& a, const Value& b) {
    formula_.add_call([](const double* x) { return x[0] - x[1]; }, 2);
    return same(a, b);
  }
  Value multiply(const Value& a, const Value& b) {
    formula_.add_call([](const double* x) { return x[0] * x[1]; }, 2);
    return a.plain() ? b : b.plain() ? a : unknown_unit;
  }
  Value divide(const Value& a, const Value& b) {
    formula_.add_call([](const double* x) { return x[0] / x[1]; }, 2);
    if (b.plain()) return a;
    const bool ratio =
        a.state == PartUnit::State::known && b.state == PartUnit::State::known && a.unit == b.unit;
    return ratio ? known_unit("1") : unknown_unit;
  }
  Value negate(const Value& a) {
    formula_.add_call([](const double* x) { return -x[0]; }, 1);
    return a;
  }
  Value power(const Value& a, const Value& b) {
    formula_.add_call([](const double* x) { return std::pow(x[0], x[1]); }, 2);
    return a.plain() && b.plain() ? a : unknown_unit;
  }
  Value call(const std::string& name, const FormulaFunction& function, const Value* arguments) {
    formula_.add_call(function.call, function.arguments);
    const Value& a = arguments[0];
    if (name == "abs") return a;
    if (name == "min" || name == "max" || name == "hypot") return same(a, arguments[1]);
    if (name == "atan2")
      return same(a, arguments[1]).state == PartUnit::State::unknown ? unknown_unit
                                                                     : known_unit("rad");
    if (name == "asin" || name == "acos" || name == "atan")
      return a.plain() ? known_unit("rad") : unknown_unit;
    if (a.state == PartUnit::State::number) return a;
    const bool angle = a.state == PartUnit::State::known && a.unit == "rad" &&
                       (name == "sin" || name == "cos" || name == "tan");
    return a.plain() || angle ? known_unit("1") : unknown_unit;
  }

  /// Names of probes may have a '-' in them: the longest name of something probed, otherwise what
  /// looks like a name.
  std::size_t name_length(std::string_view rest) const {
    const auto plain = [&](char c) { return is_name_letter(c) || is_digit(c) || c == '.'; };
    std::size_t with_minus = 0, without = 0;
    while (with_minus < rest.size() && (plain(rest[with_minus]) || rest[with_minus] == '-'))
      ++with_minus;
    while (without < rest.size() && plain(rest[without])) ++without;
    for (std::size_t length = with_minus; length > 0; --length) {
      const bool ends = length == rest.size() || !plain(rest[length]);
      if (ends && names_.find(std::string(rest.substr(0, length))) != nullptr) return length;
    }
    return without;
  }

  Value name(const std::string& name, Parser& parser) {
    if (const ProbedNames::Entry* entry = names_.find(name)) {
      if (entry->size > 1) throw not_a_number(name, entry->size);
      return component(*entry);
    }
    double value = 0;
    switch (context_.scope.look_up(name, value)) {
      case NameScope::Found::yes:
        return number(value);
      case NameScope::Found::broken:
        throw ExpressionFailure{};
      case NameScope::Found::no:
        break;
    }
    if (name == "time") {
      formula_.add_time();
      return known_unit("s");
    }
    if (name == "norm") return norm(parser);
    throw unknown(name);
  }

  Formula take() { return std::move(formula_); }
  bool has_component() const { return has_component_; }

 private:
  /// Of a sum.
  static Value same(const Value& a, const Value& b) {
    if (a.state == PartUnit::State::number) return b;
    if (b.state == PartUnit::State::number) return a;
    const bool equal =
        a.state == PartUnit::State::known && b.state == PartUnit::State::known && a.unit == b.unit;
    return equal ? a : unknown_unit;
  }

  Value component(const ProbedNames::Entry& entry) {
    formula_.add_component(entry.place);
    has_component_ = true;
    return known_unit(entry.unit);
  }

  Value norm(Parser& parser) {
    parser.expect('(');
    const std::string name = parser.word();
    if (name.empty()) parser.fail("the name of a probed vector");
    const ProbedNames::Entry* entry = names_.find(name);
    if (entry == nullptr) throw unknown(name);
    const FormulaFunction& hypot = formula_functions().at("hypot");
    for (std::size_t i = 0; i < entry->size; ++i) {
      component({entry->place + i, 1, entry->unit});
      if (i > 0) formula_.add_call(hypot.call, hypot.arguments);
    }
    if (entry->size == 1) formula_.add_call(formula_functions().at("abs").call, 1);
    parser.expect(')');
    return known_unit(entry->unit);
  }

  static ExpressionFailure not_a_number(const std::string& name, std::size_t size) {
    const std::vector<std::string>& parts = component_names(size);
    return {fmt::format("'{}' has {} components: name one, such as {}.{}, or take norm({})",
                        printable(name), size, printable(name), parts.front(), printable(name)),
            {}};
  }
  ExpressionFailure unknown(const std::string& name) const {
    // Where there is a dot something probed was meant.
    const std::string nearest = name.find('.') != name.npos
                                    ? context_.suggest(name, [this] { return names_.components(); })
                                    : context_.scope.suggest(name);
    return {fmt::format("nothing probed and no constant is named '{}'", printable(name)), nearest};
  }

  ReadContext& context_;
  const ProbedNames& names_;
  Formula formula_;
  bool has_component_ = false;
};

}  // namespace

ProbedNames::ProbedNames(const Model& model) {
  std::size_t place = 0;
  for (const Probe& probe : model.probes)
    for (const Quantity quantity : probe.quantities) {
      const QuantityInfo& what = info(quantity);
      const std::string name = probe.name + "." + std::string(what.name);
      const auto size = static_cast<std::size_t>(what.size);
      entries_.emplace(name, Entry{place, size, std::string(what.unit)});
      for (std::size_t i = 0; size > 1 && i < size; ++i)
        entries_.emplace(name + "." + component_names(size)[i],
                         Entry{place + i, 1, std::string(what.unit)});
      place += size;
    }
}

const ProbedNames::Entry* ProbedNames::find(const std::string& name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : &found->second;
}

std::vector<std::string> ProbedNames::components() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_)
    if (entry.size == 1) names.push_back(name);
  return names;
}

std::optional<ReadFormula> read_formula(ReadContext& context, const Place& place, const Node& node,
                                        const ProbedNames& names) {
  const std::string shown = fmt::format("'{}'", printable(node.text));
  try {
    FormulaAlgebra algebra(context, names);
    const PartUnit unit = ExpressionParser(node.text, algebra).whole();
    if (!algebra.has_component()) {
      context.error(node, place, shown,
                    "names nothing that is probed: expected probe.quantity.x or the like");
      return std::nullopt;
    }
    ReadFormula result{algebra.take(), std::nullopt};
    if (unit.state == PartUnit::State::known) result.unit = unit.unit;
    return result;
  } catch (const ExpressionFailure& failure) {
    if (failure.error.empty())
      context.mark_faulty(place.element, place.field);
    else
      context.error(node, place, shown, failure.error, failure.suggestion);
    return std::nullopt;
  }
}

}  // namespace tumble
