#include "tumble/model/expression/expression_builder.hpp"

#include <algorithm>
#include <cmath>

#include "tumble/base/diagnostic.hpp"
#include "tumble/model/expression/expression_parser.hpp"

namespace tumble {
namespace {

constexpr std::size_t most_nodes = 20'000;
constexpr double largest_exponent = 64;

bool has_two_operands(ExpressionCode code) {
  switch (code) {
    case ExpressionCode::add:
    case ExpressionCode::subtract:
    case ExpressionCode::multiply:
    case ExpressionCode::divide:
    case ExpressionCode::atan2:
    case ExpressionCode::hypot:
    case ExpressionCode::min:
    case ExpressionCode::max:
    case ExpressionCode::less:
      return true;
    default:
      return false;
  }
}

const std::map<std::string, ExpressionCode, std::less<>>& codes() {
  using C = ExpressionCode;
  static const std::map<std::string, ExpressionCode, std::less<>> table{
      {"abs", C::abs}, {"sqrt", C::sqrt}, {"sin", C::sin},     {"cos", C::cos},
      {"tan", C::tan}, {"asin", C::asin}, {"acos", C::acos},   {"atan", C::atan},
      {"exp", C::exp}, {"tanh", C::tanh}, {"atan2", C::atan2}, {"hypot", C::hypot},
      {"min", C::min}, {"max", C::max}};
  return table;
}

}  // namespace

int ExpressionBuilder::keep(const Node& node) {
  const auto key = std::tuple(static_cast<int>(node.kind), node.number, node.index,
                              static_cast<int>(node.code), node.a, node.b);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  if (nodes_.size() >= most_nodes)
    throw ExpressionFailure{
        fmt::format("the expression and its derivatives take more than {} operations", most_nodes),
        {}};
  nodes_.push_back(node);
  const int index = static_cast<int>(nodes_.size()) - 1;
  known_.emplace(key, index);
  return index;
}

int ExpressionBuilder::number(double value) {
  Node node{Node::Kind::number};
  node.number = value;
  if (value == value) return keep(node);
  // What is no number equals nothing; translate() refuses it.
  nodes_.push_back(node);
  return static_cast<int>(nodes_.size()) - 1;
}
int ExpressionBuilder::parameter(int index) {
  Node node{Node::Kind::parameter};
  node.index = index;
  return keep(node);
}
int ExpressionBuilder::input(int index) {
  Node node{Node::Kind::input};
  node.index = index;
  node.running = true;
  return keep(node);
}

bool ExpressionBuilder::is_number(int node, double value) const {
  return at(node).kind == Node::Kind::number && at(node).number == value;
}

int ExpressionBuilder::step(ExpressionCode code, int a, int b) {
  using C = ExpressionCode;
  const bool two = has_two_operands(code);
  if (at(a).kind == Node::Kind::number && (!two || at(b).kind == Node::Kind::number)) {
    const double x = at(a).number, y = two ? at(b).number : 0.0;
    return number(apply_step(code, x, y));
  }
  if (code == C::add && is_number(a, 0)) return b;
  if ((code == C::add || code == C::subtract) && is_number(b, 0)) return a;
  if (code == C::subtract && is_number(a, 0)) return step(C::negate, b);
  if (code == C::multiply && (is_number(a, 0) || is_number(b, 0))) return number(0);
  if (code == C::multiply && is_number(a, 1)) return b;
  if ((code == C::multiply || code == C::divide) && is_number(b, 1)) return a;
  if (code == C::multiply && is_number(a, -1)) return step(C::negate, b);
  if (code == C::multiply && is_number(b, -1)) return step(C::negate, a);
  if (code == C::divide && is_number(a, 0)) return number(0);
  if (code == C::negate && at(a).kind == Node::Kind::step && at(a).code == C::negate)
    return at(a).a;
  Node node{Node::Kind::step};
  node.code = code;
  node.a = a;
  node.b = two ? b : -1;
  node.running = at(a).running || (two && at(b).running);
  return keep(node);
}

int ExpressionBuilder::whole_power(int base, int exponent) {
  if (exponent == 0) return number(1);
  if (exponent == 1) return base;
  const int half = whole_power(base, exponent / 2);
  const int square = step(ExpressionCode::multiply, half, half);
  return exponent % 2 == 0 ? square : step(ExpressionCode::multiply, square, base);
}

int ExpressionBuilder::power(int base, int exponent, const std::string& text) {
  if (at(exponent).kind != Node::Kind::number)
    throw ExpressionFailure{
        fmt::format("{}: an exponent must be a number, not a parameter or something that moves",
                    text),
        {}};
  const double n = at(exponent).number, halves = 2 * n;
  if (halves != std::floor(halves) || std::fabs(n) > largest_exponent)
    throw ExpressionFailure{
        fmt::format("{}: an exponent must be a whole number, or one and a half, up to {}", text,
                    format_number(largest_exponent)),
        {}};
  const int twice = static_cast<int>(std::fabs(halves));
  const int result = twice % 2 == 0 ? whole_power(base, twice / 2)
                                    : whole_power(step(ExpressionCode::sqrt, base), twice);
  return n < 0 ? step(ExpressionCode::divide, number(1), result) : result;
}

int ExpressionBuilder::translate(const ExpressionSyntax& syntax,
                                 const std::function<int(const std::string&)>& name) {
  using K = SyntaxNode::Kind;
  using C = ExpressionCode;
  std::vector<int> values;
  for (std::size_t i = 0; i < syntax.nodes.size(); ++i) {
    const SyntaxNode& n = syntax.nodes[i];
    const auto text = [&] { return syntax.text_of(static_cast<int>(i)); };
    const int a = n.a < 0 ? -1 : values[static_cast<std::size_t>(n.a)];
    const int b = n.b < 0 ? -1 : values[static_cast<std::size_t>(n.b)];
    int value = -1;
    switch (n.kind) {
      case K::number:
        value = number(n.number);
        break;
      case K::name:
        value = name(n.name);
        break;
      case K::negate:
        value = step(C::negate, a);
        break;
      case K::add:
        value = step(C::add, a, b);
        break;
      case K::subtract:
        value = step(C::subtract, a, b);
        break;
      case K::multiply:
        value = step(C::multiply, a, b);
        break;
      case K::divide:
        if (is_number(b, 0)) throw ExpressionFailure{"division by zero: " + text(), {}};
        value = step(C::divide, a, b);
        break;
      case K::power:
        value = power(a, b, text());
        break;
      case K::call: {
        const auto code = codes().find(n.name);
        if (code == codes().end()) {
          const FormulaFunction& function = formula_functions().find(n.name)->second;
          const bool plain =
              at(a).kind == Node::Kind::number && (b < 0 || at(b).kind == Node::Kind::number);
          if (plain) {
            const double arguments[2] = {at(a).number, b < 0 ? 0.0 : at(b).number};
            value = number(function.call(arguments));
            break;
          }
          std::string all;
          for (const auto& [known, c] : codes()) all += (all.empty() ? "" : ", ") + known;
          throw ExpressionFailure{
              fmt::format("{} is for numbers alone; functions of what moves are {}", n.name, all),
              {}};
        }
        value = step(code->second, a, b);
        break;
      }
    }
    if (at(value).kind == Node::Kind::number && !std::isfinite(at(value).number))
      throw ExpressionFailure{"not a finite number: " + text(), {}};
    Node& made = nodes_[static_cast<std::size_t>(value)];
    if (made.kind == Node::Kind::step && made.text.empty()) made.text = text();
    values.push_back(value);
  }
  return values.back();
}

int ExpressionBuilder::derivative(int node, int input) {
  if (!at(node).running) return number(0);
  auto& known = slopes_[input];
  if (const auto found = known.find(node); found != known.end()) return found->second;
  const Node n = at(node);  // a copy: nodes_ grows
  const int result =
      n.kind == Node::Kind::input ? number(n.index == input ? 1 : 0) : rule(n, input);
  slopes_[input].emplace(node, result);
  return result;
}

/// The rules of differentiation.
int ExpressionBuilder::rule(const Node& n, int input) {
  using C = ExpressionCode;
  const int a = n.a, b = n.b;
  const int da = derivative(a, input), db = b < 0 ? number(0) : derivative(b, input);
  const auto plus = [this](int x, int y) { return step(C::add, x, y); };
  const auto minus = [this](int x, int y) { return step(C::subtract, x, y); };
  const auto times = [this](int x, int y) { return step(C::multiply, x, y); };
  const auto over = [this](int x, int y) { return step(C::divide, x, y); };
  const auto self = [&] { return step(n.code, a, b); };  // known: the same node again
  switch (n.code) {
    case C::add:
      return plus(da, db);
    case C::subtract:
      return minus(da, db);
    case C::multiply:
      return plus(times(da, b), times(a, db));
    case C::divide:
      return over(minus(da, times(self(), db)), b);
    case C::negate:
      return step(C::negate, da);
    case C::abs:
      return times(step(C::sign, a), da);
    case C::sqrt:
      return is_number(da, 0) ? da : over(times(number(0.5), da), self());
    case C::sin:
      return times(step(C::cos, a), da);
    case C::cos:
      return step(C::negate, times(step(C::sin, a), da));
    case C::tan:
      return times(plus(number(1), times(self(), self())), da);
    case C::asin:
    case C::acos: {
      const int root = step(C::sqrt, minus(number(1), times(a, a)));
      return over(n.code == C::asin ? da : step(C::negate, da), root);
    }
    case C::atan:
      return over(da, plus(number(1), times(a, a)));
    case C::exp:
      return times(self(), da);
    case C::tanh:
      return times(minus(number(1), times(self(), self())), da);
    case C::atan2:
      return over(minus(times(b, da), times(a, db)), plus(times(a, a), times(b, b)));
    case C::hypot:
      return over(plus(times(a, da), times(b, db)), self());
    case C::min:
    case C::max: {
      const int first = n.code == C::min ? step(C::less, a, b) : step(C::less, b, a);
      return plus(times(first, da), times(minus(number(1), first), db));
    }
    case C::sign:
    case C::less:
      return number(0);
  }
  return number(0);
}

ExpressionProgram ExpressionBuilder::finish(const std::vector<int>& outputs, int inputs,
                                            const std::vector<bool>& differentiated) {
  ExpressionProgram program;
  program.inputs = inputs;
  std::vector<ExpressionProgram::Partial> partials;
  for (std::size_t o = 0; o < outputs.size(); ++o)
    for (int i = 0; i < inputs; ++i) {
      if (!differentiated[static_cast<std::size_t>(i)]) continue;
      const int slope = derivative(outputs[o], i);
      if (!is_number(slope, 0)) partials.push_back({static_cast<int>(o), i, slope});
    }

  // Operands come before what is made of them, so one pass backwards finds what is needed.
  const std::size_t n = nodes_.size();
  std::vector<int> need(n, 0);  // 1: for derivatives, 2: for values
  for (const int o : outputs) need[static_cast<std::size_t>(o)] = 2;
  for (const auto& p : partials) {
    int& grade = need[static_cast<std::size_t>(p.value)];
    grade = std::max(grade, 1);
  }
  for (std::size_t i = n; i-- > 0;) {
    const Node& node = nodes_[i];
    if (need[i] == 0 || node.kind != Node::Kind::step) continue;
    for (const int operand : {node.a, node.b})
      if (operand >= 0)
        need[static_cast<std::size_t>(operand)] =
            std::max(need[static_cast<std::size_t>(operand)], need[i]);
  }
  std::vector<int> prepared(n, -1), place(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const Node& node = nodes_[i];
    if (need[i] == 0 || node.running) continue;
    ExpressionProgram::Prepared value{};
    switch (node.kind) {
      case Node::Kind::number:
        value.kind = ExpressionProgram::Prepared::Kind::number;
        value.number = node.number;
        break;
      case Node::Kind::parameter:
        value.kind = ExpressionProgram::Prepared::Kind::parameter;
        value.parameter = node.index;
        break;
      default:
        value.kind = ExpressionProgram::Prepared::Kind::step;
        value.step = {node.code, prepared[static_cast<std::size_t>(node.a)],
                      node.b < 0 ? 0 : prepared[static_cast<std::size_t>(node.b)]};
    }
    prepared[i] = static_cast<int>(program.prepared_.size());
    program.prepared_.push_back(value);
  }
  std::map<int, int> constants;
  const auto operand = [&](int node) {
    if (node < 0) return 0;  // a step of one operand looks at the other, and does nothing with it
    const auto i = static_cast<std::size_t>(node);
    if (nodes_[i].running) return place[i];
    const auto [entry, is_new] = constants.emplace(prepared[i], static_cast<int>(constants.size()));
    if (is_new) program.kept_.push_back(prepared[i]);
    return ~entry->second;
  };
  for (const int grade : {2, 1}) {
    for (std::size_t i = 0; i < n; ++i) {
      const Node& node = nodes_[i];
      if (need[i] != grade || !node.running) continue;
      if (node.kind == Node::Kind::input) {
        place[i] = node.index;
        continue;
      }
      const int a = operand(node.a);
      program.steps.push_back({node.code, a, node.b < 0 ? a : operand(node.b)});
      place[i] = inputs + static_cast<int>(program.steps.size()) - 1;
      if (grade == 2) program.texts_.push_back(node.text);
    }
    if (grade == 2) program.value_steps = static_cast<int>(program.steps.size());
  }
  for (const int o : outputs) program.outputs.push_back(operand(o));
  for (auto& p : partials) {
    p.value = operand(p.value);
    program.partials.push_back(p);
  }
  program.constants = static_cast<int>(program.kept_.size());
  return program;
}

void ExpressionProgram::write_constants(const std::vector<double>& parameters, double* out) const {
  std::vector<double> values;
  values.reserve(prepared_.size());
  for (const Prepared& p : prepared_) {
    switch (p.kind) {
      case Prepared::Kind::number:
        values.push_back(p.number);
        break;
      case Prepared::Kind::parameter:
        values.push_back(parameters[static_cast<std::size_t>(p.parameter)]);
        break;
      case Prepared::Kind::step:
        values.push_back(apply_step(p.step.code, values[static_cast<std::size_t>(p.step.a)],
                                    values[static_cast<std::size_t>(p.step.b)]));
        break;
    }
  }
  for (std::size_t i = 0; i < kept_.size(); ++i)
    out[i] = values[static_cast<std::size_t>(kept_[i])];
}

std::string ExpressionProgram::first_fault(const double* c, const double* r) const {
  for (std::size_t i = 0; i < static_cast<std::size_t>(value_steps); ++i) {
    const Step& step = steps[i];
    const bool sound = std::isfinite(operand(step.a, c, r)) && std::isfinite(operand(step.b, c, r));
    if (sound && !std::isfinite(r[static_cast<std::size_t>(inputs) + i]))
      return texts_[i].empty() ? "a part of it" : texts_[i];
  }
  return {};
}

}  // namespace tumble
