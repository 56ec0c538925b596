#include "tumble/model/settle_nodes.hpp"

#include <algorithm>
#include <cmath>

#include "tumble/math/rotation.hpp"

namespace tumble {

const Body* flexible_body(const Model& model, const Body& node) {
  if (!node.node) return nullptr;
  const auto found = std::ranges::find(model.bodies, node.node->of, &Body::name);
  if (found == model.bodies.end() || !found->modal || !found->modal->data) return nullptr;
  return &*found;
}

// The rotation that modes give is the axial vector of the relative rotation matrix, whose length is
// the sine of the angle (dynamics/node_lock.hpp).
NodeStart node_start(const Body& flexible, const ModalNode& node) {
  const ModalPart& part = *flexible.modal;
  const ModalData& data = *part.data;
  NodeStart start;
  const int place = data.find_node(node.number);
  if (place < 0) return start;
  const auto at = static_cast<std::size_t>(place);
  start.frame.p = data.position[at] - data.centre;
  Vec3d turn;
  for (int i = 0; i < part.count(); ++i) {
    const std::size_t of_mode =
        at * static_cast<std::size_t>(data.modes) + static_cast<std::size_t>(i);
    start.frame.p += amplitude_of(part.amplitudes, i) * data.displacement[of_mode];
    turn += amplitude_of(part.amplitudes, i) * data.turn[of_mode];
    start.velocity += amplitude_of(part.rates, i) * data.displacement[of_mode];
  }
  const double sine = std::min(norm(turn), 1.0);
  if (sine > 0) turn = (std::asin(sine) / norm(turn)) * turn;
  start.frame.R = matrix(exp_quaternion(turn));
  return start;
}

void settle_nodes(Model& model) {
  for (Body& body : model.bodies) {
    const Body* flexible = flexible_body(model, body);
    if (flexible == nullptr) continue;
    const NodeStart start = node_start(*flexible, *body.node);
    const Mat3d R = rotation_matrix(flexible->orientation);
    body.position = flexible->position + R * start.frame.p;
    const Quaternion<double> q = quaternion_of(R * start.frame.R);
    body.orientation = Orientation{Orientation::Form::quaternion, {}, {q.w, q.x, q.y, q.z}};
  }
}

void settle_modal(Body& body) {
  if (!body.modal || !body.modal->data) return;
  const ModalData& data = *body.modal->data;
  body.mass = data.mass;
  body.inertia = data.inertia;
  body.position = body.modal->origin + rotation_matrix(body.orientation) * data.centre;
}

}  // namespace tumble
