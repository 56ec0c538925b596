#include "tumble/io/expression.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <numbers>

#include "tumble/io/document.hpp"

namespace tumble {
namespace {

constexpr std::size_t longest = 4096;
constexpr int deepest = 100;

struct Function {
  std::size_t arguments;
  double (*call)(const double* a);
};

const std::map<std::string, Function, std::less<>>& functions() {
  static const std::map<std::string, Function, std::less<>> table{
      {"sin", {1, [](const double* a) { return std::sin(a[0]); }}},
      {"cos", {1, [](const double* a) { return std::cos(a[0]); }}},
      {"tan", {1, [](const double* a) { return std::tan(a[0]); }}},
      {"asin", {1, [](const double* a) { return std::asin(a[0]); }}},
      {"acos", {1, [](const double* a) { return std::acos(a[0]); }}},
      {"atan", {1, [](const double* a) { return std::atan(a[0]); }}},
      {"atan2", {2, [](const double* a) { return std::atan2(a[0], a[1]); }}},
      {"sqrt", {1, [](const double* a) { return std::sqrt(a[0]); }}},
      {"exp", {1, [](const double* a) { return std::exp(a[0]); }}},
      {"log", {1, [](const double* a) { return std::log(a[0]); }}},
      {"abs", {1, [](const double* a) { return std::abs(a[0]); }}},
      {"min", {2, [](const double* a) { return a[0] < a[1] ? a[0] : a[1]; }}},
      {"max", {2, [](const double* a) { return a[0] > a[1] ? a[0] : a[1]; }}},
  };
  return table;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

struct Failure {
  std::string error;
  std::string suggestion;
};

class Parser {
 public:
  Parser(std::string_view text, const NameScope& scope) : text_(text), scope_(scope) {}

  double whole() {
    const double value = sum();
    skip_space();
    if (at_ < text_.size()) fail("an operator");
    return value;
  }

 private:
  /// Counts nesting on the way down, so that no text can exhaust the stack.
  struct Deeper {
    explicit Deeper(Parser& p) : parser(p) {
      if (++parser.depth_ > deepest)
        throw Failure{fmt::format("the expression is nested more than {} deep", deepest), {}};
    }
    ~Deeper() { --parser.depth_; }
    Parser& parser;
  };

  double sum() {
    double value = product();
    for (;;) {
      if (accept('+'))
        value += product();
      else if (accept('-'))
        value -= product();
      else
        return value;
    }
  }
  double product() {
    double value = unary();
    for (;;) {
      if (accept('*'))
        value *= unary();
      else if (accept('/'))
        value /= unary();
      else
        return value;
    }
  }
  double unary() {
    const Deeper deeper(*this);
    if (accept('-')) return -unary();
    if (accept('+')) return unary();
    const double base = primary();
    return accept('^') ? std::pow(base, unary()) : base;
  }
  double primary() {
    skip_space();
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) return number();
    if (at_ < text_.size() && is_letter(text_[at_])) return name();
    if (!accept('(')) fail("a number, a name or '('");
    const double value = sum();
    expect(')');
    return value;
  }
  double number() {
    double value = 0;
    const char* end = text_.data() + text_.size();
    const auto [after, status] = std::from_chars(text_.data() + at_, end, value);
    if (status == std::errc::result_out_of_range)
      throw Failure{fmt::format("the number at position {} is out of range", at_ + 1), {}};
    if (status != std::errc{}) fail("a number");
    at_ = static_cast<std::size_t>(after - text_.data());
    return value;
  }
  double name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string name(text_.substr(start, at_ - start));
    if (const auto f = functions().find(name); f != functions().end()) return call(*f);
    if (name == "pi") return std::numbers::pi;
    if (name == "deg") return std::numbers::pi / 180;
    double value = 0;
    switch (scope_.look_up(name, value)) {
      case NameScope::Found::yes:
        return value;
      case NameScope::Found::broken:
        throw Failure{};
      case NameScope::Found::no:
        break;
    }
    throw Failure{fmt::format("unknown name '{}'", printable(name)), scope_.suggest(name)};
  }
  double call(const std::pair<const std::string, Function>& function) {
    double arguments[2]{};
    expect('(');
    for (std::size_t i = 0; i < function.second.arguments; ++i) {
      if (i > 0) expect(',');
      arguments[i] = sum();
    }
    expect(')');
    return function.second.call(arguments);
  }

  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
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
  [[noreturn]] void fail(const std::string& expected) const {
    const std::string place =
        at_ < text_.size() ? fmt::format("at position {}", at_ + 1) : "at the end";
    throw Failure{fmt::format("expected {} {}", expected, place), {}};
  }

  std::string_view text_;
  const NameScope& scope_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

ExpressionResult evaluate(std::string_view text, const NameScope& scope) {
  ExpressionResult result;
  if (text.size() > longest) {
    result.error = fmt::format("the expression has {} characters, at most {} are allowed",
                               text.size(), longest);
    return result;
  }
  try {
    const double value = Parser(text, scope).whole();
    if (std::isfinite(value))
      result.value = value;
    else
      result.error = "the result is not finite";
  } catch (const Failure& failure) {
    result.error = failure.error;
    result.suggestion = failure.suggestion;
  }
  return result;
}

const std::vector<std::string>& builtin_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list{"pi", "deg"};
    for (const auto& [name, function] : functions()) list.push_back(name);
    return list;
  }();
  return names;
}

std::optional<double> parse_number(std::string_view text) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  double value = 0;
  const auto [after, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || after != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

}  // namespace tumble
