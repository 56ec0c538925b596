#include "tumble/model/expression/expression_syntax.hpp"

#include <algorithm>

#include "tumble/base/diagnostic.hpp"
#include "tumble/model/expression.hpp"
#include "tumble/model/expression/expression_parser.hpp"

namespace tumble {
namespace {

/// Writes down what is read.
class SyntaxAlgebra {
 public:
  using Value = int;
  explicit SyntaxAlgebra(std::vector<SyntaxNode>& nodes) : nodes_(nodes) {}

  int number(double value) { return add_node({SyntaxNode::Kind::number, value, {}, -1, -1}); }
  int add(int a, int b) { return made_of(SyntaxNode::Kind::add, a, b); }
  int subtract(int a, int b) { return made_of(SyntaxNode::Kind::subtract, a, b); }
  int multiply(int a, int b) { return made_of(SyntaxNode::Kind::multiply, a, b); }
  int divide(int a, int b) { return made_of(SyntaxNode::Kind::divide, a, b); }
  int power(int a, int b) { return made_of(SyntaxNode::Kind::power, a, b); }
  int negate(int a) { return made_of(SyntaxNode::Kind::negate, a, -1); }
  int call(const std::string& name, const FormulaFunction& function, const int* arguments) {
    return add_node({SyntaxNode::Kind::call, 0, name, arguments[0],
                     function.arguments > 1 ? arguments[1] : -1});
  }
  std::size_t name_length(std::string_view rest) const {
    std::size_t length = 0;
    while (length < rest.size() &&
           (is_name_letter(rest[length]) || is_digit(rest[length]) || rest[length] == '.'))
      ++length;
    return length;
  }
  int name(const std::string& name, const ExpressionParser<SyntaxAlgebra>&) {
    return add_node({SyntaxNode::Kind::name, 0, name, -1, -1});
  }

 private:
  int made_of(SyntaxNode::Kind kind, int a, int b) { return add_node({kind, 0, {}, a, b}); }
  int add_node(SyntaxNode node) {
    nodes_.push_back(std::move(node));
    return static_cast<int>(nodes_.size()) - 1;
  }
  std::vector<SyntaxNode>& nodes_;
};

/// 30 deg, where 30*deg is meant.
bool has_bare_degrees(std::string_view text) {
  for (auto at = text.find("deg"); at != text.npos; at = text.find("deg", at + 1)) {
    auto before = text.substr(0, at).find_last_not_of(" \t");
    if (before != text.npos && (is_digit(text[before]) || text[before] == '.')) return true;
  }
  return false;
}

}  // namespace

ExpressionSyntax parse_expression(const std::string& text) {
  ExpressionSyntax syntax;
  try {
    SyntaxAlgebra algebra(syntax.nodes);
    ExpressionParser(std::string_view(text), algebra).whole();
  } catch (const ExpressionFailure& failure) {
    syntax.nodes.clear();
    syntax.error = failure.error;
    if (has_bare_degrees(text)) syntax.error += ": angles are in radians, 30 degrees are 30*deg";
  }
  return syntax;
}

std::vector<std::string> ExpressionSyntax::names() const {
  std::vector<std::string> found;
  for (const SyntaxNode& node : nodes)
    if (node.kind == SyntaxNode::Kind::name && std::ranges::count(found, node.name) == 0)
      found.push_back(node.name);
  return found;
}

std::string ExpressionSyntax::text_of(int node) const {
  const SyntaxNode& n = nodes[static_cast<std::size_t>(node)];
  const auto pair = [&](const char* sign) {
    return fmt::format("({} {} {})", text_of(n.a), sign, text_of(n.b));
  };
  switch (n.kind) {
    case SyntaxNode::Kind::number:
      return format_number(n.number);
    case SyntaxNode::Kind::name:
      return n.name;
    case SyntaxNode::Kind::negate:
      return "-" + text_of(n.a);
    case SyntaxNode::Kind::add:
      return pair("+");
    case SyntaxNode::Kind::subtract:
      return pair("-");
    case SyntaxNode::Kind::multiply:
      return pair("*");
    case SyntaxNode::Kind::divide:
      return pair("/");
    case SyntaxNode::Kind::power:
      return pair("^");
    case SyntaxNode::Kind::call:
      break;
  }
  return n.b < 0 ? fmt::format("{}({})", n.name, text_of(n.a))
                 : fmt::format("{}({}, {})", n.name, text_of(n.a), text_of(n.b));
}

Expression::Expression(std::string formula) : text(std::move(formula)) {
  if (!text.empty()) syntax = std::make_shared<const ExpressionSyntax>(parse_expression(text));
}

}  // namespace tumble
