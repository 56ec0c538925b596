// Formulas in a model: of time, of motions, of drives, of state variables and of parameters.
//
// An Expression is parsed when it is made, once; check() says what is wrong with it, compile()
// makes a program of it (model/expression/expression_program.hpp).
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tumble/model/entry.hpp"

namespace tumble {

struct ExpressionSyntax;

struct Expression {
  std::string text;
  /// The constants of the model file that it names.
  std::map<std::string, double> constants = {};
  std::shared_ptr<const ExpressionSyntax> syntax = {};  ///< null only while the text is empty

  Expression() = default;
  Expression(std::string formula);
  Expression(const char* formula) : Expression(std::string(formula)) {}
  bool empty() const { return text.empty(); }
};

/// One formula, or one for each axis.
struct ExpressionList {
  std::vector<Expression> items;
  bool list = false;  ///< whether it was written as a list

  ExpressionList() = default;
  ExpressionList(Expression one) : items{std::move(one)} {}
  ExpressionList(std::vector<Expression> many) : items(std::move(many)), list(true) {}
  bool empty() const { return items.empty(); }
};

/// Numbers that formulas call by name; each is a parameter slot.
struct ExpressionParameters {
  struct Number {
    std::string name;
    double value = 0;
  };
  std::vector<Number> numbers;
};

/// The name of a state variable.
struct StateRef {
  std::string name;
  bool operator==(const StateRef&) const = default;
};

/// A number with an equation of its own, dx/dt = rate: what controllers and filters are made of.
struct StateVariable {
  std::string name;
  Expression rate;
  double start = 0;
  ExpressionParameters parameters;
  static constexpr std::string_view doc =
      "A state variable x with the equation dx/dt = rate: integrals of errors, filters, actuators. "
      "Any expression may name it, its own rate included.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"rate", "", "its rate of change, per second", Range::any, true}, s.rate);
    v(Entry{"start", "", "its value at t = 0"}, s.start);
    v(Entry{"parameters", "", "numbers that the rate calls by name"}, s.parameters);
  }
};

}  // namespace tumble
