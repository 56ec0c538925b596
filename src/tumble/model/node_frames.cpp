#include "tumble/model/node_frames.hpp"

#include <algorithm>
#include <set>

#include "tumble/model/check/check_context.hpp"
#include "tumble/model/compile/compiling.hpp"
#include "tumble/model/compile/find_named.hpp"
#include "tumble/model/expression/expression_syntax.hpp"

namespace tumble {
namespace {

/// Every node has several names; a frame has one.
std::string node_name(const Model& model, const NodeRef& node) {
  const Beam& beam = model.beams[node.beam];
  if (node.node == 0) return beam.name + ".start";
  if (node.node == beam.elements) return beam.name + ".end";
  return beam.name + ".node" + std::to_string(node.node);
}

/// The joints of which more is asked than a node's conditions have: a coordinate.
class MeasuredJoints {
 public:
  explicit MeasuredJoints(const Model& model) {
    for (const Coupler& coupler : model.couplers)
      for (const CouplerTerm& term : terms_of(coupler.kind)) add(term.coordinate.name);
    for (const Probe& probe : model.probes)
      if (probe.joint && std::ranges::any_of(probe.quantities, [](Quantity q) {
            return q != Quantity::force && q != Quantity::torque;
          }))
        add(probe.joint->name);
    look_at(model.forces);
    look_at(model.drives);
    for (const StateVariable& state : model.states) fields(state);
    for (const Event& event : model.events) fields(event);
  }
  bool has(const std::string& joint) const { return names_.contains(joint); }

 private:
  void add(const std::string& reference) {
    names_.insert(reference.substr(0, reference.find('.')));
  }
  void add(const Expression& expression) {
    if (!expression.syntax) return;
    for (const std::string& name : expression.syntax->names()) add(name);
  }
  template <class Elements>
  void look_at(const Elements& elements) {
    for (const auto& element : elements)
      std::visit([this](const auto& kind) { this->fields(kind); }, element.kind);
  }
  template <class T>
  void fields(const T& description) {
    T::entries(description, [this](const Entry&, const auto& value) { this->field(value); });
  }
  void field(const CoordinateRef& coordinate) { add(coordinate.name); }
  void field(const std::optional<JointRef>& joint) {
    if (joint) add(joint->name);
  }
  void field(const Expression& expression) { add(expression); }
  void field(const ExpressionList& list) {
    for (const Expression& expression : list.items) add(expression);
  }
  template <class Value>
  void field(const Value&) {}

  std::set<std::string> names_;
};

/// Do the conditions of a node do for a joint of this kind?
template <class Kind>
bool node_suffices(const Kind& joint) {
  if constexpr (std::is_same_v<Kind, FixedJoint>)
    return !joint.motion.any();
  else if constexpr (std::is_same_v<Kind, RevoluteJoint>)
    return !joint.motion.any() && !start_of(joint).any();
  else if constexpr (std::is_same_v<Kind, SphericalJoint>)
    return !start_of(joint).any();
  else
    return false;
}

class FrameMaker {
 public:
  explicit FrameMaker(Model& model) : model_(model), measured_(model) {}

  void run() {
    const std::size_t joints = model_.joints.size();
    for (std::size_t i = 0; i < joints; ++i) {
      const std::string name = model_.joints[i].name;
      if (holds_frame(model_.joints[i])) continue;
      JointKind kind = model_.joints[i].kind;  // the list grows
      std::visit(
          [&](auto& joint) {
            if (!node_suffices(joint) || measured_.has(name)) take(joint.between);
          },
          kind);
      model_.joints[i].kind = std::move(kind);
    }
    for (Force& force : model_.forces)
      std::visit([this](auto& kind) { force_ends(kind); }, force.kind);
    for (Probe& probe : model_.probes) take(probe.body);
    for (auto& force : model_.user_forces) take(force.bodies);
    for (auto& constraint : model_.user_constraints) take(constraint.bodies);
    for (const std::string& name : planar_) add_guide(name);
  }

 private:
  template <class Kind>
  void force_ends(Kind& force) {
    if constexpr (requires { force.between; }) take(force.between);
    if constexpr (requires { force.body; }) take_body(force.body);
    if constexpr (std::is_same_v<Kind, ExpressionForce>) {
      if (force.ends) take(*force.ends);
      take(force.on_body);
    }
  }
  void take(std::array<MarkerRef, 2>& between) {
    for (MarkerRef& end : between)
      if (const auto node = node_of(model_, end); node && sound(*node))
        end = {frame_on(*node), true};
  }
  void take(std::optional<BodyRef>& body) {
    if (body) take_body(*body);
  }
  void take(std::vector<BodyRef>& bodies) {
    for (BodyRef& body : bodies) take_body(body);
  }
  void take_body(BodyRef& body) {
    if (const auto node = node_of(model_, {body.name}); node && sound(*node))
      body.name = frame_on(*node);
  }
  bool sound(const NodeRef& node) const { return beam_is_sound(model_.beams[node.beam]); }

  /// The name of the frame, which is made if there is none.
  std::string frame_on(const NodeRef& node) {
    const std::string name = node_name(model_, node);
    if (find_named(model_.bodies, name) >= 0) return name;
    const Beam& beam = model_.beams[node.beam];
    const Frame place = node_frame(model_, node);
    Body body;
    body.name = name;
    body.at_node = true;
    body.position = place.p;
    const Quaternion<double> turn = quaternion_of(place.R);
    body.orientation.numbers = {turn.w, turn.x, turn.y, turn.z};
    body.markers = {{"frame", body.position, body.orientation}};
    model_.bodies.push_back(std::move(body));
    FixedJoint hold;
    hold.between = {MarkerRef{name}, MarkerRef{name, true}};
    add_joint(name, beam.name, hold);
    model_.locations.emplace("bodies." + name, locate(model_, "beams." + beam.name));
    if (beam.dimension == BeamDimension::planar) planar_.push_back(name);
    return name;
  }
  /// A planar node says nothing across its plane, and the frame has to stay somewhere: what no
  /// joint to the ground locks already is locked here.
  void add_guide(const std::string& name) {
    GeneralJoint guide;
    guide.between = {MarkerRef{"ground"}, MarkerRef{name, true}};
    guide.orientation = Orientation{};
    guide.locked_motions.has = {false, false, true, true, true, false};
    for (std::size_t i = 0; i < model_.joints.size(); ++i) release(i, name, guide.locked_motions);
    const auto& has = guide.locked_motions.has;
    if (std::ranges::find(has, true) != has.end())
      add_joint(name + ".plane", name.substr(0, name.find('.')), guide);
  }
  /// Takes the motions across the plane out of a set that a joint between frame and ground locks.
  void release(std::size_t joint, const std::string& name, MotionSet& set) const {
    const bool grounded = std::visit(
        [&](const auto& kind) {
          const auto& [first, second] = kind.between;
          const auto is_ground = [](const MarkerRef& end) {
            return end.name == "ground" || end.name.starts_with("ground.");
          };
          const auto is_frame = [&](const MarkerRef& end) { return end.frame && end.name == name; };
          return (is_ground(first) && is_frame(second)) || (is_frame(first) && is_ground(second));
        },
        model_.joints[joint].kind);
    if (!grounded) return;
    std::optional<compiling::JointLayout> layout;
    FramePair pair;
    try {
      layout = compiling::joint_layout(model_, joint);
      if (layout) pair = layout->frames(model_);
    } catch (const std::logic_error&) {  // a name that check() will report
      return;
    }
    if (!layout) return;
    const auto locks = [&](const Vec3d& direction, std::size_t first) {
      Vec3d left = direction;
      for (int k = 0; k < 3; ++k) {
        const Vec3d axis = pair.frame[0].R.column(k);
        if (layout->locks(first + static_cast<std::size_t>(k))) left -= dot(direction, axis) * axis;
      }
      return norm(left) < 1e-9;
    };
    if (locks({0, 0, 1}, 0)) set.has[2] = false;
    if (locks({1, 0, 0}, 3)) set.has[3] = false;
    if (locks({0, 1, 0}, 3)) set.has[4] = false;
  }
  void add_joint(const std::string& name, const std::string& beam, JointKind kind) {
    model_.joints.push_back({name, std::move(kind)});
    model_.locations.emplace("joints." + name, locate(model_, "beams." + beam));
  }

  Model& model_;
  MeasuredJoints measured_;
  std::vector<std::string> planar_;  ///< frames made on nodes of planar beams
};

}  // namespace

void attach_frames(Model& model) {
  if (!model.beams.empty()) FrameMaker(model).run();
}

// Names of elements have no dots.
bool holds_frame(const Joint& joint) { return joint.name.find('.') != std::string::npos; }

}  // namespace tumble
