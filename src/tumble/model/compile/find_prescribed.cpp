// Which bodies move as functions of time alone (docs/theory/constraints.md#prescribed-motion).
//
// A joint that locks or imposes all three rotations between a known body and another leaves the
// other's rotation no freedom; if it locks the translations too and the known body is known
// altogether, nothing is left unknown. Such coordinates, and the multipliers that would hold them,
// need not be solved for.
#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/compile/compiling.hpp"

namespace tumble::compiling {

namespace {

class PrescribedSearch {
 public:
  explicit PrescribedSearch(const Model& model)
      : model_(model),
        of_body_(model.bodies.size() + 1, -1),
        excluded_(model.bodies.size() + 1),
        prescribes_(model.joints.size()) {
    for (std::size_t i = 0; i < model.joints.size(); ++i) {
      exclude_at_beams(model.joints[i].kind);
      layouts_.push_back(joint_layout(model, i));
      bodies_.push_back(layouts_.back() ? layouts_.back()->frames(model).body
                                        : std::array<int, 2>{-1, -1});
    }
    // User-supplied elements take whole bodies.
    const auto exclude = [&](const auto& entries) {
      for (const auto& entry : entries)
        for (const auto& body : entry.bodies)
          excluded_[static_cast<std::size_t>(body_index(model, body.name))] = true;
    };
    exclude(model.user_forces);
    exclude(model.user_constraints);
    // Locks of nodes hold multipliers of flexible bodies, whose equations need their coordinates.
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
      if (model.bodies[i].modal || model.bodies[i].node) excluded_[i + 1] = true;
    exclude_coupled();
  }

  std::vector<Prescribed> run() {
    for (bool found = true; found;) {
      found = false;
      for (std::size_t i = 0; i < layouts_.size(); ++i) found = try_joint(i) || found;
    }
    // A second joint between bodies that are both known repeats or contradicts the first: all
    // stays as the user wrote it, for the analysis of the equations to explain. So does a machine
    // without any freedom.
    std::size_t known_bodies = 0;
    for (const Prescribed& p : found_) known_bodies += p.translation;
    if (known_bodies == model_.bodies.size() && model_.beams.empty()) return {};
    for (std::size_t i = 0; i < model_.joints.size(); ++i)
      if (repeats(i)) return {};
    return found_;
  }

 private:
  /// Joints of beams take whole bodies too.
  void exclude_at_beams(const JointKind& joint) {
    if (!touches_beam(model_, joint)) return;
    std::visit(
        [this](const auto& kind) {
          for (const MarkerRef& end : kind.between)
            if (end.frame || beam_index(model_, end.name) < 0)
              excluded_[static_cast<std::size_t>(resolve(model_, end).body)] = true;
        },
        joint);
  }
  /// A coupler must be left with a coordinate to move, whatever else holds its joints, and friction
  /// needs the multipliers of its joint.
  void exclude_coupled() {
    const auto exclude = [this](const CoordinateRef& reference, CoordinateKind wanted,
                                bool driven) {
      const CoordinatePlace place = find_coordinate(model_, reference, wanted);
      if (place.joint < 0) return;
      const auto joint = static_cast<std::size_t>(place.joint);
      const auto& drives = layouts_[joint]->motion.drive;
      if (!driven && !drives[static_cast<std::size_t>(place.motion)].empty()) return;
      const auto [first, second] = bodies_[joint];
      excluded_[static_cast<std::size_t>(second > 0 ? second : first)] = true;
    };
    for (const Coupler& coupler : model_.couplers)
      for (const CouplerTerm& term : terms_of(coupler.kind))
        exclude(term.coordinate, term.wanted, false);
    for (const Force& force : model_.forces)
      if (const auto* friction = std::get_if<JointFriction>(&force.kind))
        exclude(friction->joint, CoordinateKind::any, true);
  }
  bool rotation_known(int body) const {
    return body == 0 || of_body_[static_cast<std::size_t>(body)] >= 0;
  }
  bool all_known(int body) const {
    if (body == 0) return true;
    const int p = of_body_[static_cast<std::size_t>(body)];
    return p >= 0 && found_[static_cast<std::size_t>(p)].translation;
  }

  bool try_joint(std::size_t joint) {
    if (!layouts_[joint]) return false;
    const auto [parent, body] = bodies_[joint];
    if (body == 0 || rotation_known(body) || !rotation_known(parent)) return false;
    if (excluded_[static_cast<std::size_t>(body)]) return false;
    const JointLayout& layout = *layouts_[joint];
    if (!layout.locks(3) || !layout.locks(4) || !layout.locks(5)) return false;
    Prescribed p;
    p.body = body;
    p.parent = parent;
    p.joint = static_cast<int>(joint);
    p.translation = all_known(parent) && layout.locks(0) && layout.locks(1) && layout.locks(2);
    const bool turned = !layout.motion.drive[3].empty() || !layout.motion.drive[4].empty() ||
                        !layout.motion.drive[5].empty();
    p.steady =
        !turned &&
        (parent == 0 ||
         found_[static_cast<std::size_t>(of_body_[static_cast<std::size_t>(parent)])].steady);
    of_body_[static_cast<std::size_t>(body)] = static_cast<int>(found_.size());
    prescribes_[joint] = true;
    found_.push_back(p);
    return true;
  }

  /// Does a joint that prescribes nothing have a row without an unknown?
  bool repeats(std::size_t joint) const {
    if (prescribes_[joint]) return false;
    const auto& frames = layouts_[joint];
    if (!frames) {
      if (touches_beam(model_, model_.joints[joint].kind)) return false;
      return std::visit(
          [this](const auto& link) {
            if constexpr (requires { link.points; }) {
              const auto body = point_pair(model_, link.between, link.points).body;
              return all_known(body[0]) && all_known(body[1]);
            } else {
              return false;
            }
          },
          model_.joints[joint].kind);
    }
    const auto [first, second] = bodies_[joint];
    const bool turns = frames->twist || frames->locks(3) || frames->locks(4) || frames->locks(5);
    const bool moves = frames->locks(0) || frames->locks(1) || frames->locks(2);
    return (turns && rotation_known(first) && rotation_known(second)) ||
           (moves && all_known(first) && all_known(second));
  }

  const Model& model_;
  std::vector<std::optional<JointLayout>> layouts_;
  std::vector<std::array<int, 2>> bodies_;
  std::vector<int> of_body_;  ///< index in found_, -1 if not found
  std::vector<bool> excluded_;
  std::vector<bool> prescribes_;  ///< joint -> did it make a body known?
  std::vector<Prescribed> found_;
};

}  // namespace

std::vector<Prescribed> find_prescribed(const Model& model) {
  return PrescribedSearch(model).run();
}

}  // namespace tumble::compiling
