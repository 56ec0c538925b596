// An expression of probed numbers, ready to be evaluated at every output time of a run.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tumble {

/// A function of up to two arguments.
using FormulaCall = double (*)(const double* arguments);
struct FormulaFunction {
  std::size_t arguments;
  FormulaCall call;
};
/// The functions that expressions know, by name.
const std::map<std::string, FormulaFunction, std::less<>>& formula_functions();

/// Steps in the order of a stack machine: each puts a number on the stack, or takes the arguments
/// of a function from it and puts its value there.
class Formula {
 public:
  void add_number(double number);
  /// The number at this place among those probed at an instant.
  void add_component(std::size_t place);
  void add_time();
  void add_call(FormulaCall call, std::size_t arguments);

  bool empty() const { return steps_.empty(); }
  /// `row`: the numbers probed at `time`. `stack` is used again from call to call.
  double evaluate(const double* row, double time, std::vector<double>& stack) const;

 private:
  enum class Kind : std::uint8_t { number, component, time, call };
  struct Step {
    Kind kind;
    std::size_t count = 0;  ///< place of a component, or number of arguments
    double number = 0;
    FormulaCall call = nullptr;
  };
  std::vector<Step> steps_;
};

}  // namespace tumble
