#include "tumble/model/study/formula.hpp"

#include <cmath>

#include "tumble/math/special_functions.hpp"

namespace tumble {

const std::map<std::string, FormulaFunction, std::less<>>& formula_functions() {
  static const std::map<std::string, FormulaFunction, std::less<>> table{
      {"sin", {1, [](const double* a) { return std::sin(a[0]); }}},
      {"cos", {1, [](const double* a) { return std::cos(a[0]); }}},
      {"tan", {1, [](const double* a) { return std::tan(a[0]); }}},
      {"asin", {1, [](const double* a) { return std::asin(a[0]); }}},
      {"acos", {1, [](const double* a) { return std::acos(a[0]); }}},
      {"atan", {1, [](const double* a) { return std::atan(a[0]); }}},
      {"atan2", {2, [](const double* a) { return std::atan2(a[0], a[1]); }}},
      {"sqrt", {1, [](const double* a) { return std::sqrt(a[0]); }}},
      {"hypot", {2, [](const double* a) { return hypotenuse(a[0], a[1]); }}},
      {"exp", {1, [](const double* a) { return std::exp(a[0]); }}},
      {"tanh", {1, [](const double* a) { return std::tanh(a[0]); }}},
      {"log", {1, [](const double* a) { return std::log(a[0]); }}},
      {"abs", {1, [](const double* a) { return std::abs(a[0]); }}},
      {"min", {2, [](const double* a) { return a[0] < a[1] ? a[0] : a[1]; }}},
      {"max", {2, [](const double* a) { return a[0] > a[1] ? a[0] : a[1]; }}},
  };
  return table;
}

void Formula::add_number(double number) { steps_.push_back({Kind::number, 0, number}); }
void Formula::add_component(std::size_t place) { steps_.push_back({Kind::component, place}); }
void Formula::add_time() { steps_.push_back({Kind::time}); }
void Formula::add_call(FormulaCall call, std::size_t arguments) {
  steps_.push_back({Kind::call, arguments, 0, call});
}

double Formula::evaluate(const double* row, double time, std::vector<double>& stack) const {
  stack.clear();
  for (const Step& step : steps_) {
    switch (step.kind) {
      case Kind::number:
        stack.push_back(step.number);
        break;
      case Kind::component:
        stack.push_back(row[step.count]);
        break;
      case Kind::time:
        stack.push_back(time);
        break;
      case Kind::call: {
        const double value = step.call(stack.data() + (stack.size() - step.count));
        stack.resize(stack.size() - step.count);
        stack.push_back(value);
        break;
      }
    }
  }
  return stack.back();
}

}  // namespace tumble
