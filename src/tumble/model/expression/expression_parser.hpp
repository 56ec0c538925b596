// The grammar of expression.hpp, whatever is made of what it reads: numbers, or formulas.
#pragma once
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

#include "tumble/model/study/formula.hpp"

namespace tumble {

struct ExpressionFailure {
  std::string error;
  std::string suggestion;
};

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// The Algebra has a type Value and makes values:
///   Value number(double);  Value add(Value, Value) and so on;
///   Value call(const std::string& name, const FormulaFunction&, const Value* arguments);
///   std::size_t name_length(std::string_view rest): of the name that `rest` begins with;
///   Value name(const std::string& name, Parser&): which may read on.
template <class Algebra>
class ExpressionParser {
 public:
  using Value = typename Algebra::Value;
  ExpressionParser(std::string_view text, Algebra& algebra) : text_(text), algebra_(algebra) {}

  /// @throws ExpressionFailure
  Value whole() {
    if (text_.size() > longest)
      throw ExpressionFailure{
          fmt::format("the expression has {} characters, at most {} are allowed", text_.size(),
                      longest),
          {}};
    Value value = sum();
    skip_space();
    if (at_ < text_.size()) fail("an operator");
    return value;
  }

  bool accept(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("'{}'", c));
  }
  /// The name that comes next; empty if something else does.
  std::string word() {
    skip_space();
    if (at_ >= text_.size() || !is_name_letter(text_[at_])) return {};
    const std::size_t length = algebra_.name_length(text_.substr(at_));
    at_ += length;
    return std::string(text_.substr(at_ - length, length));
  }
  [[noreturn]] void fail(const std::string& expected) const {
    const std::string place =
        at_ < text_.size() ? fmt::format("at position {}", at_ + 1) : "at the end";
    throw ExpressionFailure{fmt::format("expected {} {}", expected, place), {}};
  }

 private:
  static constexpr std::size_t longest = 4096;
  static constexpr int deepest = 100;

  /// Counts nesting on the way down, so that no text can exhaust the stack.
  struct Deeper {
    explicit Deeper(ExpressionParser& p) : parser(p) {
      if (++parser.depth_ > deepest)
        throw ExpressionFailure{fmt::format("the expression is nested more than {} deep", deepest),
                                {}};
    }
    ~Deeper() { --parser.depth_; }
    ExpressionParser& parser;
  };

  Value sum() {
    Value value = product();
    for (;;) {
      if (accept('+'))
        value = algebra_.add(value, product());
      else if (accept('-'))
        value = algebra_.subtract(value, product());
      else
        return value;
    }
  }
  Value product() {
    Value value = unary();
    for (;;) {
      if (accept('*'))
        value = algebra_.multiply(value, unary());
      else if (accept('/'))
        value = algebra_.divide(value, unary());
      else
        return value;
    }
  }
  Value unary() {
    const Deeper deeper(*this);
    if (accept('-')) return algebra_.negate(unary());
    if (accept('+')) return unary();
    Value base = primary();
    return accept('^') ? algebra_.power(base, unary()) : base;
  }
  Value primary() {
    skip_space();
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) return number();
    if (at_ < text_.size() && is_name_letter(text_[at_])) return name();
    if (!accept('(')) fail("a number, a name or '('");
    Value value = sum();
    expect(')');
    return value;
  }
  Value number() {
    double value = 0;
    const char* end = text_.data() + text_.size();
    const auto [after, status] = std::from_chars(text_.data() + at_, end, value);
    if (status == std::errc::result_out_of_range)
      throw ExpressionFailure{fmt::format("the number at position {} is out of range", at_ + 1),
                              {}};
    if (status != std::errc{}) fail("a number");
    at_ = static_cast<std::size_t>(after - text_.data());
    return algebra_.number(value);
  }
  Value name() {
    const std::string name = word();
    if (const auto f = formula_functions().find(name); f != formula_functions().end())
      return call(*f);
    if (name == "pi") return algebra_.number(std::numbers::pi);
    if (name == "deg") return algebra_.number(std::numbers::pi / 180);
    return algebra_.name(name, *this);
  }
  Value call(const std::pair<const std::string, FormulaFunction>& function) {
    Value arguments[2]{};
    expect('(');
    for (std::size_t i = 0; i < function.second.arguments; ++i) {
      if (i > 0) expect(',');
      arguments[i] = sum();
    }
    expect(')');
    return algebra_.call(function.first, function.second, arguments);
  }

  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }

  std::string_view text_;
  Algebra& algebra_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace tumble
