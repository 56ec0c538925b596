#include "tumble/model/expression/expression_names.hpp"

#include <algorithm>
#include <cmath>

#include "tumble/model/compile/compiling.hpp"
#include "tumble/model/compile/find_named.hpp"
#include "tumble/model/expression/expression_builder.hpp"
#include "tumble/model/expression/expression_parser.hpp"

namespace tumble {
namespace {

constexpr std::array<OwnName, 12> frame_names{{{"x", motion_displacement},
                                               {"y", motion_displacement + 1},
                                               {"z", motion_displacement + 2},
                                               {"rx", motion_rotation},
                                               {"ry", motion_rotation + 1},
                                               {"rz", motion_rotation + 2},
                                               {"vx", motion_displacement_rate},
                                               {"vy", motion_displacement_rate + 1},
                                               {"vz", motion_displacement_rate + 2},
                                               {"wx", motion_angular_velocity},
                                               {"wy", motion_angular_velocity + 1},
                                               {"wz", motion_angular_velocity + 2}}};
constexpr std::array<OwnName, 2> line_names{
    {{"length", motion_length}, {"length_rate", motion_length_rate}}};
constexpr std::array<OwnName, 4> joint_names{{{"angle", motion_angle},
                                              {"angle_rate", motion_angular_velocity + 2},
                                              {"displacement", motion_displacement + 2},
                                              {"displacement_rate", motion_displacement_rate + 2}}};

std::vector<std::string> split(const std::string& name) {
  std::vector<std::string> parts(1);
  for (const char c : name) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

int axis_of(const std::string& word) {
  return word == "x" ? 0 : word == "y" ? 1 : word == "z" ? 2 : -1;
}

/// A point of a body, seen from the ground (or, inside out, the ground from the body).
MeasuredPair point_of_body(int body, std::string key, std::function<Vec3d(const Model&)> point,
                           bool inside_out) {
  MeasuredPair pair;
  pair.key = std::move(key) + (inside_out ? " inside out" : "");
  pair.body = inside_out ? std::array{body, 0} : std::array{0, body};
  pair.frames = [body, point = std::move(point), inside_out](const Model& model) {
    FramePair frames;
    Frame at = body_frame(model, body);
    at.p = point(model);
    const std::size_t own = inside_out ? 0 : 1;
    frames.body = {0, 0};
    frames.body[own] = body;
    frames.frame[own] = at;
    return frames;
  };
  return pair;
}

/// What a name of a motion stands for.
struct NamedMotion {
  MeasuredPair pair;
  int component;
  bool negative = false;
};

class MotionNames {
 public:
  explicit MotionNames(const Model& model) : model_(model) {}

  /// All meanings of a name.
  std::vector<NamedMotion> find(const std::string& name) const {
    const auto parts = split(name);
    std::vector<NamedMotion> found;
    if (parts.size() < 2) return found;
    const auto add = [&found](std::optional<NamedMotion> motion) {
      if (motion) found.push_back(std::move(*motion));
    };
    if (const int b = find_named(model_.bodies, parts[0]); b >= 0) add(of_body(b + 1, parts));
    if (const int j = find_named(model_.joints, parts[0]); j >= 0)
      add(of_joint(static_cast<std::size_t>(j), parts));
    if (const int f = find_named(model_.forces, parts[0]); f >= 0)
      add(of_force(static_cast<std::size_t>(f), parts));
    // A probe is another name for what it observes; bodies and joints come first.
    if (found.empty())
      if (const int p = find_named(model_.probes, parts[0]); p >= 0)
        add(of_probe(model_.probes[static_cast<std::size_t>(p)], parts));
    return found;
  }

  /// Names of motions of the element that a name begins with, for messages.
  std::vector<std::string> known(const std::string& first) const {
    std::vector<std::string> names;
    const auto vectors = [&](const std::string& owner, std::initializer_list<const char*> list) {
      for (const char* quantity : list)
        for (const char* axis : {".x", ".y", ".z"}) names.push_back(owner + "." + quantity + axis);
    };
    const auto body = [&](const Body& b, const std::string& owner) {
      vectors(owner, {"position", "velocity"});
      if (b.rotates)
        vectors(owner, {"rotation_vector", "angular_velocity", "angular_velocity_body"});
    };
    const auto joint = [&](std::size_t j, const std::string& owner) {
      if (!has_frames(j)) {
        if (std::holds_alternative<DistanceJoint>(model_.joints[j].kind))
          names.push_back(owner + ".length"), names.push_back(owner + ".length_rate");
        return;
      }
      for (const OwnName& own : joint_names) {
        const bool slides =
            own.component != motion_angle && own.component != motion_angular_velocity + 2;
        if (!slides || lies_along_axis(j)) names.push_back(owner + "." + own.name);
      }
      vectors(owner, {"displacement", "displacement_rate", "rotation_vector"});
    };
    if (const int b = find_named(model_.bodies, first); b >= 0) {
      const Body& owner = model_.bodies[static_cast<std::size_t>(b)];
      body(owner, first);
      for (const Marker& marker : owner.markers)
        vectors(first + "." + marker.name, {"position", "velocity"});
    }
    if (const int j = find_named(model_.joints, first); j >= 0)
      joint(static_cast<std::size_t>(j), first);
    if (const int f = find_named(model_.forces, first); f >= 0) {
      const ForceKind& kind = model_.forces[static_cast<std::size_t>(f)].kind;
      if (std::holds_alternative<Spring>(kind))
        names.push_back(first + ".length"), names.push_back(first + ".length_rate");
      if (std::holds_alternative<Bushing>(kind))
        vectors(first, {"displacement", "displacement_rate"});
    }
    if (names.empty())
      if (const int p = find_named(model_.probes, first); p >= 0) {
        const Probe& probe = model_.probes[static_cast<std::size_t>(p)];
        if (probe.body)
          if (const int b = find_named(model_.bodies, probe.body->name); b >= 0)
            body(model_.bodies[static_cast<std::size_t>(b)], first);
        if (probe.joint)
          if (const int j = find_named(model_.joints, probe.joint->name); j >= 0)
            joint(static_cast<std::size_t>(j), first);
      }
    return names;
  }

  bool has_frames(std::size_t joint) const {
    return !compiling::touches_beam(model_, model_.joints[joint].kind) &&
           !std::holds_alternative<DistanceJoint>(model_.joints[joint].kind);
  }

  MeasuredPair joint_pair(std::size_t joint) const {
    MeasuredPair pair;
    pair.key = "joint " + model_.joints[joint].name;
    pair.joint = static_cast<int>(joint);
    pair.frames = compiling::joint_layout(model_, joint)->frames;
    pair.body = pair.frames(model_).body;
    return pair;
  }

 private:
  bool lies_along_axis(std::size_t joint) const {
    const JointKind& kind = model_.joints[joint].kind;
    return std::holds_alternative<PrismaticJoint>(kind) ||
           std::holds_alternative<CylindricalJoint>(kind) ||
           std::holds_alternative<RevoluteJoint>(kind) ||
           std::holds_alternative<GeneralJoint>(kind);
  }

  std::optional<NamedMotion> of_point(int body, const std::string& key, const std::string& quantity,
                                      int axis, std::function<Vec3d(const Model&)> point) const {
    if (axis < 0) return std::nullopt;
    const bool rotates = model_.bodies[static_cast<std::size_t>(body) - 1].rotates;
    const bool inside_out = quantity == "angular_velocity_body";
    int first = -1;
    if (quantity == "position") first = motion_displacement;
    if (quantity == "velocity") first = motion_displacement_rate;
    if (rotates && quantity == "rotation_vector") first = motion_rotation;
    if (rotates && quantity == "angular_velocity") first = motion_angular_velocity;
    if (rotates && inside_out) first = motion_angular_velocity;
    if (first < 0) return std::nullopt;
    return NamedMotion{point_of_body(body, key, std::move(point), inside_out), first + axis,
                       inside_out};
  }

  std::optional<NamedMotion> of_body(int body, const std::vector<std::string>& parts) const {
    const auto centre = [body](const Model& m) { return body_frame(m, body).p; };
    if (parts.size() == 3)
      return of_point(body, "body " + parts[0], parts[1], axis_of(parts[2]), centre);
    if (parts.size() != 4) return std::nullopt;
    const auto& markers = model_.bodies[static_cast<std::size_t>(body) - 1].markers;
    const int marker = find_named(markers, parts[1]);
    if (marker < 0) return std::nullopt;
    return of_point(body, "marker " + parts[0] + "." + parts[1], parts[2], axis_of(parts[3]),
                    [body, marker](const Model& m) {
                      return m.bodies[static_cast<std::size_t>(body) - 1]
                          .markers[static_cast<std::size_t>(marker)]
                          .position;
                    });
  }

  std::optional<NamedMotion> of_joint(std::size_t joint,
                                      const std::vector<std::string>& parts) const {
    const std::string& quantity = parts[1];
    if (std::holds_alternative<DistanceJoint>(model_.joints[joint].kind)) {
      if (parts.size() != 2) return std::nullopt;
      return of_line(quantity, "joint " + parts[0], [joint](const Model& m) {
        const auto& j = std::get<DistanceJoint>(m.joints[joint].kind);
        return point_pair(m, j.between, j.points);
      });
    }
    if (!has_frames(joint)) return std::nullopt;
    int component = -1;
    if (parts.size() == 2) {
      for (const OwnName& own : joint_names)
        if (quantity == own.name) component = own.component;
      const bool slides = quantity.starts_with("displacement");
      if (slides && !lies_along_axis(joint)) component = -1;
    } else if (parts.size() == 3) {
      const int axis = axis_of(parts[2]);
      if (axis < 0) return std::nullopt;
      if (quantity == "displacement") component = motion_displacement + axis;
      if (quantity == "displacement_rate") component = motion_displacement_rate + axis;
      if (quantity == "rotation_vector") component = motion_rotation + axis;
    }
    if (component < 0) return std::nullopt;
    return NamedMotion{joint_pair(joint), component};
  }

  std::optional<NamedMotion> of_line(const std::string& quantity, std::string key,
                                     std::function<FramePair(const Model&)> ends) const {
    const int component = quantity == "length"        ? motion_length
                          : quantity == "length_rate" ? motion_length_rate
                                                      : -1;
    if (component < 0) return std::nullopt;
    MeasuredPair pair;
    pair.key = std::move(key);
    pair.frames = std::move(ends);
    pair.body = pair.frames(model_).body;
    return NamedMotion{pair, component};
  }

  std::optional<NamedMotion> of_force(std::size_t force,
                                      const std::vector<std::string>& parts) const {
    const ForceKind& kind = model_.forces[force].kind;
    if (std::holds_alternative<Spring>(kind) && parts.size() == 2)
      return of_line(parts[1], "force " + parts[0], [force](const Model& m) {
        const auto& s = std::get<Spring>(m.forces[force].kind);
        return point_pair(m, s.between, s.points);
      });
    if (!std::holds_alternative<Bushing>(kind) || parts.size() != 3 || axis_of(parts[2]) < 0)
      return std::nullopt;
    const int first = parts[1] == "displacement"        ? motion_displacement
                      : parts[1] == "displacement_rate" ? motion_displacement_rate
                                                        : -1;
    if (first < 0) return std::nullopt;
    MeasuredPair pair;
    pair.key = "force " + parts[0];
    pair.frames = [force](const Model& m) {
      const auto& b = std::get<Bushing>(m.forces[force].kind);
      return frame_pair(
          m, b.between, b.point,
          b.orientation ? std::optional(rotation_matrix(*b.orientation)) : std::nullopt);
    };
    pair.body = pair.frames(model_).body;
    return NamedMotion{pair, first + axis_of(parts[2])};
  }

  std::optional<NamedMotion> of_probe(const Probe& probe,
                                      const std::vector<std::string>& parts) const {
    if (probe.joint) {
      const int j = find_named(model_.joints, probe.joint->name);
      return j < 0 ? std::nullopt : of_joint(static_cast<std::size_t>(j), parts);
    }
    if (!probe.body || parts.size() != 3) return std::nullopt;
    const int b = find_named(model_.bodies, probe.body->name);
    if (b < 0) return std::nullopt;
    const auto index = static_cast<std::size_t>(&probe - model_.probes.data());
    return of_point(b + 1, "probe " + probe.name, parts[1], axis_of(parts[2]),
                    [b, index](const Model& m) {
                      const auto& point = m.probes[index].point;
                      return point ? *point : body_frame(m, b + 1).p;
                    });
  }

  const Model& model_;
};

/// Collects the inputs of an element's expressions while their names are resolved.
class NameResolver {
 public:
  NameResolver(const ExpressionScope& scope, ExpressionBuilder& builder,
               CompiledExpressions& compiled)
      : scope_(scope), motions_(scope.model), builder_(builder), compiled_(compiled) {
    if (scope.own) compiled_.pairs.push_back(*scope.own);
  }

  /// @throws ExpressionFailure
  int node_of(const std::string& name, const Expression& expression) {
    for (std::size_t i = 0; i < scope_.parameters.numbers.size(); ++i)
      if (scope_.parameters.numbers[i].name == name) return builder_.parameter(static_cast<int>(i));
    const auto constant = expression.constants.find(name);
    const auto meaning = meaning_of(name);
    if (constant != expression.constants.end() && meaning)
      throw ExpressionFailure{
          fmt::format("'{}' is a constant of the file and has another meaning here: give the "
                      "constant another name",
                      name),
          {}};
    if (constant != expression.constants.end()) return builder_.number(constant->second);
    if (!meaning) throw unknown(name);
    return builder_.input(place_of(*meaning));
  }

 private:
  std::optional<ExpressionInput> meaning_of(const std::string& name) {
    ExpressionInput input;
    if (name == "time") return input;
    for (const OwnName& own : scope_.own_names)
      if (name == own.name) {
        input.kind = ExpressionInput::Kind::motion;
        input.component = own.component;
        return input;
      }
    const Model& model = scope_.model;
    const int state = find_named(model.states, name), drive = find_named(model.drives, name);
    if (state >= 0 && drive >= 0)
      throw ExpressionFailure{
          fmt::format("'{}' is the name of a state variable and of a drive", name), {}};
    if (state >= 0) {
      input.kind = ExpressionInput::Kind::state;
      input.index = state;
      return input;
    }
    if (drive >= 0) {
      input.kind = ExpressionInput::Kind::drive;
      input.index = drive;
      return input;
    }
    if (name.ends_with(".rate")) {
      const int driven = find_named(model.drives, name.substr(0, name.size() - 5));
      if (driven >= 0) {
        input.kind = ExpressionInput::Kind::drive_rate;
        input.index = driven;
        return input;
      }
    }
    const auto found = motions_.find(name);
    if (found.empty()) return std::nullopt;
    if (found.size() > 1)
      throw ExpressionFailure{
          fmt::format("'{}' may mean a body, a joint or a force of that name: rename one of them",
                      name),
          {}};
    input.kind = ExpressionInput::Kind::motion;
    input.component = found[0].component;
    input.negative = found[0].negative;
    input.pair = pair_of(found[0].pair);
    return input;
  }

  int pair_of(const MeasuredPair& pair) {
    for (std::size_t i = 0; i < compiled_.pairs.size(); ++i)
      if (compiled_.pairs[i].key == pair.key) return static_cast<int>(i);
    compiled_.pairs.push_back(pair);
    return static_cast<int>(compiled_.pairs.size()) - 1;
  }

  int place_of(const ExpressionInput& input) {
    const auto found = std::ranges::find(compiled_.inputs, input);
    if (found != compiled_.inputs.end()) return static_cast<int>(found - compiled_.inputs.begin());
    compiled_.inputs.push_back(input);
    return static_cast<int>(compiled_.inputs.size()) - 1;
  }

  ExpressionFailure unknown(const std::string& name) const {
    const Model& model = scope_.model;
    const std::string first = name.substr(0, name.find('.'));
    if (first.size() < name.size()) {
      const auto known = motions_.known(first);
      if (!known.empty()) {
        std::string some;
        for (const std::string& k : known)
          if (!k.ends_with(".y") && !k.ends_with(".z")) some += (some.empty() ? "" : ", ") + k;
        return {fmt::format("nothing is named '{}'; of '{}' there are {} (and .y, .z)", name, first,
                            some),
                nearest_name(name, known)};
      }
      std::vector<std::string> owners;
      for (const auto& b : model.bodies) owners.push_back(b.name);
      for (const auto& j : model.joints) owners.push_back(j.name);
      for (const auto& p : model.probes) owners.push_back(p.name);
      const std::string nearest = nearest_name(first, owners);
      return {fmt::format("nothing is named '{}': no body, joint, force or probe '{}' has a motion",
                          name, first),
              nearest.empty() ? "" : nearest + name.substr(first.size())};
    }
    std::vector<std::string> known{"time"};
    for (const auto& p : scope_.parameters.numbers) known.push_back(p.name);
    for (const OwnName& own : scope_.own_names) known.emplace_back(own.name);
    for (const auto& s : model.states) known.push_back(s.name);
    for (const auto& d : model.drives) known.push_back(d.name);
    return {fmt::format("nothing is named '{}': no parameter, constant, state variable, drive or "
                        "motion",
                        name),
            nearest_name(name, known)};
  }

  const ExpressionScope& scope_;
  MotionNames motions_;
  ExpressionBuilder& builder_;
  CompiledExpressions& compiled_;
};

/// Translates each expression; mistakes are collected.
template <class Name>
std::vector<int> translate_all(ExpressionBuilder& builder,
                               const std::vector<const Expression*>& expressions, const Name& name,
                               std::vector<ExpressionMistake>& mistakes) {
  std::vector<int> outputs;
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    const Expression& expression = *expressions[i];
    try {
      if (!expression.syntax) throw ExpressionFailure{"there is no formula", {}};
      if (!expression.syntax->error.empty()) throw ExpressionFailure{expression.syntax->error, {}};
      outputs.push_back(builder.translate(
          *expression.syntax, [&](const std::string& word) { return name(word, expression); }));
    } catch (const ExpressionFailure& failure) {
      mistakes.push_back({i, failure.error, failure.suggestion});
    }
  }
  return outputs;
}

}  // namespace

ExpressionsResult compile_expressions(const ExpressionScope& scope,
                                      const std::vector<const Expression*>& expressions,
                                      bool with_program) {
  ExpressionsResult result;
  ExpressionBuilder builder;
  NameResolver names(scope, builder, result.compiled);
  const auto outputs = translate_all(
      builder, expressions,
      [&](const std::string& word, const Expression& e) { return names.node_of(word, e); },
      result.mistakes);
  if (!result.mistakes.empty() || !with_program) return result;
  std::vector<bool> differentiated;
  for (const ExpressionInput& input : result.compiled.inputs)
    differentiated.push_back(input.kind == ExpressionInput::Kind::motion ||
                             input.kind == ExpressionInput::Kind::state);
  try {
    result.compiled.program =
        builder.finish(outputs, static_cast<int>(result.compiled.inputs.size()), differentiated);
  } catch (const ExpressionFailure& failure) {
    result.mistakes.push_back({0, failure.error, failure.suggestion});
  }
  return result;
}

ExpressionsResult compile_drive(const ExpressionDrive& drive, bool with_program) {
  ExpressionsResult result;
  ExpressionBuilder builder;
  const auto name = [&](const std::string& word, const Expression& e) {
    for (std::size_t i = 0; i < drive.parameters.numbers.size(); ++i)
      if (drive.parameters.numbers[i].name == word) return builder.parameter(static_cast<int>(i));
    const auto constant = e.constants.find(word);
    if (constant != e.constants.end() && word != "time") return builder.number(constant->second);
    if (constant != e.constants.end())
      throw ExpressionFailure{"a constant of the file is named 'time', too", {}};
    if (word == "time") return builder.input(0);
    std::vector<std::string> known{"time"};
    for (const auto& p : drive.parameters.numbers) known.push_back(p.name);
    throw ExpressionFailure{
        fmt::format("nothing is named '{}': a drive is a formula of time, parameters and constants",
                    word),
        nearest_name(word, known)};
  };
  const auto outputs = translate_all(builder, {&drive.value}, name, result.mistakes);
  if (!result.mistakes.empty() || !with_program) return result;
  try {
    const int rate = builder.derivative(outputs[0], 0);
    result.compiled.program =
        builder.finish({outputs[0], rate, builder.derivative(rate, 0)}, 1, {false});
    if (result.compiled.program.registers() > most_drive_registers)
      throw ExpressionFailure{
          fmt::format("the formula and its derivatives take {} operations, at most {} are allowed",
                      result.compiled.program.registers(), most_drive_registers),
          {}};
  } catch (const ExpressionFailure& failure) {
    result.mistakes.push_back({0, failure.error, failure.suggestion});
  }
  return result;
}

std::string parameter_name_fault(const ExpressionParameters& parameters, std::size_t index,
                                 const ExpressionScope* scope) {
  const std::string& name = parameters.numbers[index].name;
  const bool word =
      !name.empty() && is_name_letter(name[0]) &&
      std::ranges::all_of(name, [](char c) { return is_name_letter(c) || is_digit(c); });
  if (!word) return "the name must consist of letters, digits and '_' and begin with a letter";
  for (std::size_t i = 0; i < index; ++i)
    if (parameters.numbers[i].name == name) return "the name is given twice";
  const auto taken = [](const char* by) { return fmt::format("the name is taken: it is {}", by); };
  if (name == "time") return taken("that of the time");
  if (name == "pi" || name == "deg" || formula_functions().contains(name))
    return taken("that of a number or function of all expressions");
  if (scope == nullptr) return {};
  for (const OwnName& own : scope->own_names)
    if (name == own.name) return taken("that of a motion of this force");
  if (find_named(scope->model.states, name) >= 0) return taken("that of a state variable");
  if (find_named(scope->model.drives, name) >= 0) return taken("that of a drive");
  return {};
}

ExpressionScope scope_of(const Model& model, const StateVariable& state) {
  return {model, state.parameters};
}

ExpressionScope scope_of(const Model& model, std::size_t index) {
  const auto kind_of = [index](const Model& m) -> const ExpressionForce& {
    return std::get<ExpressionForce>(m.forces[index].kind);
  };
  const ExpressionForce& force = kind_of(model);
  ExpressionScope scope{model, force.parameters};
  MeasuredPair own;
  switch (force.form()) {
    case ExpressionForce::Form::joint: {
      const int joint = find_named(model.joints, force.on_joint->name);
      own = MotionNames(model).joint_pair(static_cast<std::size_t>(joint));
      scope.own_names.assign(joint_names.begin(), joint_names.end());
      break;
    }
    case ExpressionForce::Form::body: {
      const int body = body_index(model, force.on_body->name);
      own = point_of_body(
          body, "own point",
          [kind_of, body](const Model& m) {
            const ExpressionForce& f = kind_of(m);
            return f.place ? *f.place : body_frame(m, body).p;
          },
          false);
      break;
    }
    case ExpressionForce::Form::line:
      own.key = "own line";
      own.frames = [kind_of](const Model& m) {
        return point_pair(m, *kind_of(m).ends, kind_of(m).line);
      };
      own.body = own.frames(model).body;
      scope.own_names.assign(line_names.begin(), line_names.end());
      break;
    case ExpressionForce::Form::frames:
      own.key = "own frames";
      own.frames = [kind_of](const Model& m) {
        const ExpressionForce& f = kind_of(m);
        return frame_pair(
            m, *f.ends, f.place,
            f.orientation ? std::optional(rotation_matrix(*f.orientation)) : std::nullopt);
      };
      own.body = own.frames(model).body;
      scope.own_names.assign(frame_names.begin(), frame_names.end());
      break;
  }
  scope.own = std::move(own);
  return scope;
}

std::vector<NamedExpression> expressions_of(const ExpressionForce& force) {
  using Kind = ExpressionForceIndex::Output::Kind;
  std::vector<NamedExpression> all;
  const auto add = [&](const char* field, const ExpressionList& list, Kind kind) {
    for (std::size_t i = 0; i < list.items.size(); ++i)
      all.push_back({list.list ? fmt::format("{}[{}]", field, i) : field,
                     &list.items[i],
                     {kind, list.list ? static_cast<int>(i) : 2}});
  };
  add("force", force.force, Kind::force);
  add("torque", force.torque, Kind::torque);
  add("moment", force.moment, Kind::moment);
  if (!force.tension.empty()) all.push_back({"tension", &force.tension, {Kind::tension, 0}});
  return all;
}

}  // namespace tumble
