// Frames on nodes of beams: bodies without mass that are fixed to a section, so that every joint
// and every force can take hold of a node (docs/theory/beam-joints.md#frames-on-nodes).
#pragma once
#include "tumble/model/model.hpp"

namespace tumble {

/// Puts a frame on every node at which an element needs one, and makes the element's ends refer to
/// it: a body with the node's name, held by a joint of that name. Joints whose conditions a node
/// takes by itself (`fixed`, `revolute` and `spherical`, unless something is imposed, started or
/// asked of their coordinate) need none. Reading a model file does this; models made in code call
/// it before they are compiled. Mistakes in names are left to check(). A second call adds what is
/// missing.
void attach_frames(Model& model);

/// Does a joint hold such a frame? Then it was not described by anybody.
bool holds_frame(const Joint& joint);

}  // namespace tumble
