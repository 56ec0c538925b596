// Where the nodes of flexible bodies are at t = 0.
#pragma once
#include "tumble/model/compile/frames.hpp"

namespace tumble {

/// The flexible body that a node belongs to, null if `of` names none with data.
const Body* flexible_body(const Model& model, const Body& node);

/// The amplitude or rate of mode i, zero where the list ends before it.
inline double amplitude_of(const std::vector<double>& list, int i) {
  const auto at = static_cast<std::size_t>(i);
  return at < list.size() ? list[at] : 0;
}

/// The motion of a node relative to the reference point and the axes of its flexible body at t = 0:
/// place and axes, with the amplitudes of `flexible`, and its velocity there, with their rates.
struct NodeStart {
  Frame frame;
  Vec3d velocity;
};
NodeStart node_start(const Body& flexible, const ModalNode& node);

/// Puts the nodes of all flexible bodies where these are. Called for every model that is read, and
/// to be called for one that is made in code.
void settle_nodes(Model& model);

/// Gives a flexible body the mass, the inertia and the centre of its file: its `origin` says where
/// that is.
void settle_modal(Body& body);

}  // namespace tumble
