// What an expression says, before anybody knows what its names mean.
#pragma once
#include <string>
#include <vector>

namespace tumble {

struct SyntaxNode {
  enum class Kind { number, name, negate, add, subtract, multiply, divide, power, call };
  Kind kind = Kind::number;
  double number = 0;
  std::string name;    ///< of a name, or of the function called
  int a = -1, b = -1;  ///< operands: nodes before this one
};

struct ExpressionSyntax {
  std::vector<SyntaxNode> nodes;  ///< operands before what is made of them; the last is the whole
  std::string error;              ///< why there are none; empty if the text is good
  std::vector<std::string> names() const;
  /// A part of the expression, as it may have been written.
  std::string text_of(int node) const;
};

ExpressionSyntax parse_expression(const std::string& text);

}  // namespace tumble
