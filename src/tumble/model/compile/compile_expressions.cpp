// Forces written as expressions, and state variables.
#include <fmt/format.h>

#include "tumble/model/compile/compiling.hpp"
#include "tumble/model/expression/expression_names.hpp"
#include "tumble/model/expression/expression_syntax.hpp"

namespace tumble::compiling {
namespace {

/// check() has looked for mistakes before.
CompiledExpressions compiled_or_refused(const ExpressionScope& scope,
                                        const std::vector<const Expression*>& expressions,
                                        const std::string& element) {
  ExpressionsResult result = compile_expressions(scope, expressions);
  if (result.mistakes.empty()) return std::move(result.compiled);
  std::vector<Diagnostic> all;
  for (const ExpressionMistake& mistake : result.mistakes) {
    Diagnostic d;
    d.element = element;
    d.value = "'" + expressions[mistake.expression]->text + "'";
    d.expectation = mistake.error;
    d.suggestion = mistake.suggestion;
    all.push_back(std::move(d));
  }
  throw InputError(std::move(all));
}

int add_tracked_angle(System& system, const MeasuredPair& pair) {
  const auto index = static_cast<std::size_t>(pair.joint);
  const auto shape = joint_layout(system.nominal, index);
  TrackedAngle angle;
  angle.body = pair.body;
  angle.owner = "joint '" + system.nominal.joints[index].name + "'";
  const auto& motion = shape->motion.drive;
  // A force depends on it, so it is followed even where the z axes do not stay parallel.
  const bool parallel =
      shape->locks(3) && shape->locks(4) && motion[3].empty() && motion[4].empty();
  if (parallel) angle.drive = drive_index(system, motion[5]);
  angle.constants = reserve<TrackedAngle>(system);
  system.writers.push_back(
      [frames = pair.frames, at = angle.constants](const PrepareContext& context, double* c) {
        constants_at<TrackedAngle>(c + at) = local_axes(context, frames(context.model()));
      });
  system.tracked_angles.push_back(angle);
  return static_cast<int>(system.tracked_angles.size()) - 1;
}

MotionPairIndex add_pair(System& system, const MeasuredPair& pair) {
  MotionPairIndex entry;
  entry.body = pair.body;
  entry.constants = reserve<MotionPairIndex>(system);
  system.writers.push_back(
      [frames = pair.frames, at = entry.constants](const PrepareContext& context, double* c) {
        constants_at<MotionPairIndex>(c + at) = local_frames(context, frames(context.model()));
      });
  return entry;
}

ExpressionIndex add_expression(
    System& system, CompiledExpressions compiled,
    std::function<const ExpressionParameters&(const Model&)> parameters_of) {
  ExpressionIndex entry;
  entry.program = static_cast<int>(system.expressions.size());
  entry.inputs = compiled.inputs;
  for (const MeasuredPair& pair : compiled.pairs) entry.pairs.push_back(add_pair(system, pair));
  for (const ExpressionInput& input : compiled.inputs) {
    if (input.kind != ExpressionInput::Kind::motion) continue;
    MotionPairIndex& pair = entry.pairs[static_cast<std::size_t>(input.pair)];
    const int component = input.component;
    if (component == motion_angle && pair.tracked < 0)
      pair.tracked =
          add_tracked_angle(system, compiled.pairs[static_cast<std::size_t>(input.pair)]);
    pair.rotation =
        pair.rotation || (component >= motion_rotation && component < motion_displacement_rate);
    pair.line = pair.line || component == motion_length || component == motion_length_rate;
  }
  entry.constants = reserve(system, compiled.program.constants);
  system.expressions.push_back(std::move(compiled.program));
  system.writers.push_back([&system, program = static_cast<std::size_t>(entry.program),
                            at = entry.constants,
                            parameters_of](const PrepareContext& context, double* c) {
    std::vector<double> numbers;
    for (const auto& number : parameters_of(context.model()).numbers)
      numbers.push_back(number.value);
    system.expressions[program].write_constants(numbers, c + at);
  });
  return entry;
}

bool is_zero(const Expression& expression) {
  const auto& nodes = expression.syntax->nodes;
  return nodes.size() == 1 && nodes[0].kind == SyntaxNode::Kind::number && nodes[0].number == 0;
}

}  // namespace

void add_expression_force(System& system, std::size_t index) {
  const Force& described = system.nominal.forces[index];
  const auto& force = std::get<ExpressionForce>(described.kind);
  const ExpressionScope scope = scope_of(system.nominal, index);
  ExpressionForceIndex entry;
  entry.name = described.name;
  std::vector<const Expression*> expressions;
  for (const NamedExpression& named : expressions_of(force)) {
    if (is_zero(*named.expression)) continue;
    expressions.push_back(named.expression);
    entry.outputs.push_back(named.output);
    entry.moments =
        entry.moments || named.output.kind == ExpressionForceIndex::Output::Kind::moment;
  }
  entry.expression = add_expression(
      system,
      compiled_or_refused(scope, expressions, fmt::format("expression '{}'", described.name)),
      [index](const Model& model) -> const ExpressionParameters& {
        return std::get<ExpressionForce>(model.forces[index].kind).parameters;
      });
  MotionPairIndex& own = entry.expression.pairs[0];
  own.rotation = own.rotation || entry.moments;
  own.line = own.line || force.form() == ExpressionForce::Form::line;
  entry.pair.body = own.body;
  entry.constants = own.constants;
  entry.second_axes =
      force.form() == ExpressionForce::Form::body && force.axes == tumble::Axes::body;
  system.all<ExpressionForceIndex>().push_back(std::move(entry));
}

void add_state_coordinates(System& system) {
  const int count = static_cast<int>(system.nominal.states.size());
  if (count == 0) return;
  for (int i = 0; i < count; ++i) {
    StateIndex state;
    state.name = system.nominal.states[static_cast<std::size_t>(i)].name;
    state.q = system.nq + i;
    state.v = system.nv + i;
    system.states.push_back(std::move(state));
  }
  system.blocks.push_back({Block::Kind::linear, system.nq, system.nv, count, count});
  system.nq += count;
  system.nv += count;
}

void add_state_equations(System& system) {
  for (std::size_t i = 0; i < system.states.size(); ++i) {
    const StateVariable& state = system.nominal.states[i];
    system.states[i].expression =
        add_expression(system,
                       compiled_or_refused(scope_of(system.nominal, state), {&state.rate},
                                           fmt::format("state '{}'", state.name)),
                       [i](const Model& model) -> const ExpressionParameters& {
                         return model.states[i].parameters;
                       });
  }
}

void add_events(System& system) {
  for (std::size_t i = 0; i < system.nominal.events.size(); ++i) {
    const Event& event = system.nominal.events[i];
    EventIndex entry;
    entry.name = event.name;
    entry.expression =
        add_expression(system,
                       compiled_or_refused({system.nominal, event.parameters}, {&event.when},
                                           fmt::format("event '{}'", event.name)),
                       [i](const Model& model) -> const ExpressionParameters& {
                         return model.events[i].parameters;
                       });
    entry.level = reserve(system, 1);
    entry.dead_time = reserve(system, 1);
    system.writers.push_back([i, level = entry.level, dead_time = entry.dead_time](
                                 const PrepareContext& context, double* c) {
      c[level] = context.model().events[i].level;
      c[dead_time] = context.model().events[i].dead_time;
    });
    system.events.push_back(std::move(entry));
  }
}

}  // namespace tumble::compiling
