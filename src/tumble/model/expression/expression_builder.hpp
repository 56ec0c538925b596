// Makes programs of expressions: names resolved, constants folded, derivatives taken.
#pragma once
#include <functional>
#include <map>
#include <tuple>

#include "tumble/model/expression/expression_program.hpp"
#include "tumble/model/expression/expression_syntax.hpp"

namespace tumble {

class ExpressionBuilder {
 public:
  /// Nodes are numbered; equal ones have one number.
  int number(double value);
  int parameter(int index);
  int input(int index);
  /// Folds what is constant; keeps the order of operations otherwise.
  int step(ExpressionCode code, int a, int b = -1);
  /// The value of an expression; `name` answers with the node of a name.
  /// @throws ExpressionFailure
  int translate(const ExpressionSyntax& syntax, const std::function<int(const std::string&)>& name);
  /// ∂node/∂input.
  int derivative(int node, int input);
  /// A program of these outputs with their derivatives by the inputs for which `differentiated`
  /// says so. @throws ExpressionFailure if it grows too long
  ExpressionProgram finish(const std::vector<int>& outputs, int inputs,
                           const std::vector<bool>& differentiated);

 private:
  struct Node {
    enum class Kind { number, parameter, input, step };
    Kind kind;
    double number = 0;
    int index = 0;
    ExpressionCode code{};
    int a = -1, b = -1;
    bool running = false;  ///< depends on an input
    std::string text = {};
  };
  int keep(const Node& node);
  bool is_number(int node, double value) const;
  const Node& at(int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  int power(int base, int exponent, const std::string& text);
  int whole_power(int base, int exponent);
  int rule(const Node& node, int input);

  std::vector<Node> nodes_;
  std::map<std::tuple<int, double, int, int, int, int>, int> known_;
  std::map<int, std::map<int, int>> slopes_;  ///< [input][node]
};

}  // namespace tumble
