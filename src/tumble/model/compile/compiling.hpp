// The parts of compile(), one file per kind of element. Each adds the element's indices to the
// System together with the writer of its constants, so that layout and content stand side by side.
#pragma once
#include "tumble/model/system.hpp"

namespace tumble::compiling {

/// Reserves `count` constants and returns the index of the first.
int reserve(System& system, int count);

/// The same for the constants of an element.
template <class Element>
int reserve(System& system) {
  return reserve(system, constants_count<Element>);
}

/// Both frames of a pair, in body axes.
PairFrames<double> local_frames(const PrepareContext& context, const FramePair& pair);
PairPoints<double> local_points(const PrepareContext& context, const FramePair& pair);
PairAxes<double> local_axes(const PrepareContext& context, const FramePair& pair);

int drive_index(const System& system, const std::string& name);  ///< -1 for an empty name

/// How a joint's frame is laid and what it locks: all that distinguishes the kinds.
struct JointLayout {
  std::function<FramePair(const Model&)> frames;
  MotionSet locked;
  Motions motion;
  bool twist = false;  ///< a row of its own locks the twist
  bool locks(std::size_t k) const { return locked.has[k] || !motion.drive[k].empty(); }
};
/// The axes a joint describes for its frame, ground axes at t = 0; none where markers give them.
std::optional<Mat3d> joint_axes(const JointKind& kind);
/// Of any joint but distance joints and joints of beams, which have none.
std::optional<JointLayout> joint_layout(const Model& model, std::size_t index);

/// A coordinate that a reference means: which motion of which joint.
struct CoordinatePlace {
  int joint = -1;  ///< -1 if it means none
  int motion = 0;
  std::string mistake;  ///< why it means none
};
CoordinatePlace find_coordinate(const Model& model, const CoordinateRef& reference,
                                CoordinateKind wanted);
/// The index among System::coordinates, to which it is added if need be. Joints come first.
int coordinate_index(System& system, const CoordinateRef& reference, CoordinateKind wanted);

/// Lists the bodies whose motion joints impose, with what there is to know before rows and
/// constants are laid out.
std::vector<Prescribed> find_prescribed(const Model& model);

void add_bodies(System& system);
void add_beams(System& system);
/// The modes of flexible bodies.
void add_modal_bodies(System& system);
/// The locks of massless bodies to nodes of flexible ones.
void add_node_locks(System& system);
/// One length per velocity, with which accelerations are compared.
void add_weights(System& system);
void add_joints(System& system);
void add_couplers(System& system);
void add_forces(System& system);
void add_joint_limit(System& system, std::size_t index);
void add_joint_friction(System& system, std::size_t index);
void add_user_elements(System& system);
void add_expression_force(System& system, std::size_t index);
/// State variables: their coordinates come behind all others, their equations read joints and
/// forces.
void add_state_coordinates(System& system);
void add_state_equations(System& system);
void add_events(System& system);
void add_beam_probes(System& system);
/// The bodies whose Euler angles probes record.
void add_tracked_eulers(System& system);

/// A joint with a node of a beam at an end.
bool touches_beam(const Model& model, const JointKind& joint);
void add_node_joint(System& system, std::size_t index, JointIndex& entry);
void add_beam_load(System& system, std::size_t index);
void add_section_load(System& system, std::size_t index);
/// A contact, a tyre or a cable.
void add_contact(System& system, std::size_t index);

/// Builds the matrix pattern and tells every element where its entries are.
void lay_out_matrix(System& system);

}  // namespace tumble::compiling
