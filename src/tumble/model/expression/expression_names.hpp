// What the names in an expression mean: parameters, motions, time, drives, state variables.
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tumble/model/compile/frames.hpp"
#include "tumble/model/elements.hpp"
#include "tumble/model/expression/expression_program.hpp"
#include "tumble/model/model.hpp"

namespace tumble {

/// Two frames whose relative motion expressions read.
struct MeasuredPair {
  std::string key;                                ///< equal for equal pairs
  std::array<int, 2> body{};                      ///< of the nominal model
  std::function<FramePair(const Model&)> frames;  ///< at t = 0, ground axes
  int joint = -1;                                 ///< whose frames they are, -1 if of none
};

/// What the expressions of an element are made into.
struct CompiledExpressions {
  ExpressionProgram program;
  std::vector<ExpressionInput> inputs;
  std::vector<MeasuredPair> pairs;  ///< the element's own first, if it has one
};

/// Why an expression is no good: in the field of which it is.
struct ExpressionMistake {
  std::size_t expression;  ///< which of those given
  std::string error, suggestion;
};

/// A name that an element has for a motion of its own pair: {"x", component}.
struct OwnName {
  const char* name;
  int component;
};

/// Where names are looked up.
struct ExpressionScope {
  const Model& model;
  const ExpressionParameters& parameters;
  std::optional<MeasuredPair> own = {};
  std::vector<OwnName> own_names = {};
};

struct ExpressionsResult {
  CompiledExpressions compiled;
  std::vector<ExpressionMistake> mistakes;
};
/// The program of several expressions and its inputs, or what is wrong with them. Who asks for the
/// mistakes alone need not wait for the derivatives.
ExpressionsResult compile_expressions(const ExpressionScope& scope,
                                      const std::vector<const Expression*>& expressions,
                                      bool with_program = true);

/// A drive: outputs are its value, rate and second derivative, the only input is the time.
ExpressionsResult compile_drive(const ExpressionDrive& drive, bool with_program = true);

/// Why a parameter cannot have its name, empty if it can; `model` may be null for a drive.
std::string parameter_name_fault(const ExpressionParameters& parameters, std::size_t index,
                                 const ExpressionScope* scope);

ExpressionScope scope_of(const Model& model, const StateVariable& state);
/// Good only for a force whose ends, body or joint exist.
ExpressionScope scope_of(const Model& model, std::size_t force);

/// The expressions of a force, each with its field: "force[1]".
struct NamedExpression {
  std::string field;
  const Expression* expression;
  ExpressionForceIndex::Output output;
};
std::vector<NamedExpression> expressions_of(const ExpressionForce& force);

}  // namespace tumble
