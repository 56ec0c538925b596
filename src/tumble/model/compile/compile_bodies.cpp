#include <cmath>

#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/compile/compiling.hpp"
#include "tumble/model/settle_nodes.hpp"

namespace tumble::compiling {

namespace {

/// mass, mass * c_B, and the inertia about the reference point in body axes,
/// J = J_c + m (c·c I - c cᵀ), c the centre of mass from the reference point.
void write_body(const PrepareContext& context, int index, RigidBodyIndex::Constants<double>& out) {
  const Body& body = context.model().bodies[static_cast<std::size_t>(index)];
  const Vec3d c = context.local(index + 1, {body.position, Mat3d::identity()}).p;
  const double factor = body.modal ? body.modal->mass_factor : 1.0, m = factor * body.mass;
  out.mass = m;
  out.moment = m * c;
  std::array<double, 6> J = body.inertia;
  for (double& j : J) j *= factor;
  out.inertia[0] = J[0] + m * (c.y * c.y + c.z * c.z);
  out.inertia[1] = J[1] + m * (c.x * c.x + c.z * c.z);
  out.inertia[2] = J[2] + m * (c.x * c.x + c.y * c.y);
  out.inertia[3] = J[3] - m * c.x * c.y;
  out.inertia[4] = J[4] - m * c.x * c.z;
  out.inertia[5] = J[5] - m * c.y * c.z;
}

/// The coordinates left to a body, -1 if there are none.
int add_block(System& system, int prescribed, bool rotates) {
  if (prescribed >= 0 && system.prescribed[static_cast<std::size_t>(prescribed)].translation)
    return -1;
  Block block;
  if (prescribed >= 0 || !rotates) block = {Block::Kind::linear, 0, 0, 3, 3};
  block.q = system.nq;
  block.v = system.nv;
  system.nq += block.nq;
  system.nv += block.nv;
  system.blocks.push_back(block);
  return static_cast<int>(system.blocks.size()) - 1;
}

/// Of the section that the frame on a node turns with.
double node_gyration(const Model& model, const Body& frame) {
  const beam::Section section =
      beam_section(model.beams[static_cast<std::size_t>(beam_index(model, frame.name))]);
  return std::sqrt((section.I_y() + section.I_z()) / (2 * section.area()));
}

}  // namespace

void add_bodies(System& system) {
  system.gravity_constants = reserve(system, 3);
  system.writers.push_back(
      [at = system.gravity_constants](const PrepareContext& context, double* c) {
        store3(c + at, context.model().gravity);
      });
  std::vector<int> prescribed(system.nominal.bodies.size() + 1, -1);
  for (std::size_t p = 0; p < system.prescribed.size(); ++p)
    prescribed[static_cast<std::size_t>(system.prescribed[p].body)] = static_cast<int>(p);
  for (std::size_t i = 0; i < system.nominal.bodies.size(); ++i) {
    RigidBodyIndex body;
    body.prescribed = prescribed[i + 1];
    body.block = add_block(system, body.prescribed, system.nominal.bodies[i].rotates);
    body.name = system.nominal.bodies[i].name;
    body.constants = reserve<RigidBodyIndex>(system);
    system.writers.push_back([index = static_cast<int>(i), at = body.constants](
                                 const PrepareContext& context, double* c) {
      write_body(context, index, constants_at<RigidBodyIndex>(c + at));
    });
    system.bodies.push_back(std::move(body));
  }
}

// A rotation weighs as much as the displacement it gives at the body's radius of gyration, a slope
// of a beam as the one it gives over the length of an element or over the section.
void add_weights(System& system) {
  system.weight_constants = reserve(system, system.nv);
  system.writers.push_back([&system](const PrepareContext& context, double* c) {
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
      if (system.bodies[i].block < 0) continue;
      const Block& block = system.blocks[static_cast<std::size_t>(system.bodies[i].block)];
      const Body& own = context.model().bodies[i];
      // A node has no inertia: its rotation weighs as that of its flexible body.
      const Body* flexible = flexible_body(context.model(), own);
      const Body& body = flexible != nullptr ? *flexible : own;
      const double gyration =
          body.at_node
              ? node_gyration(context.model(), body)
              : std::sqrt((body.inertia[0] + body.inertia[1] + body.inertia[2]) / (2 * body.mass));
      for (int k = 0; k < block.nv; ++k)
        c[system.weight_constants + block.v + k] = k < 3 ? 1.0 : gyration;
    }
    for (std::size_t i = 0; i < system.beams.size(); ++i) {
      const BeamIndex& index = system.beams[i];
      const Beam& beam = context.model().beams[i];
      const beam::Section section = beam_section(beam);
      const double lengths[4] = {1, beam_shape(beam).element_length,
                                 std::sqrt(section.I_z() / section.area()),
                                 std::sqrt(section.I_y() / section.area())};
      double* weight = c + system.weight_constants + system.beam_v + index.coordinates;
      for (int k = 0; k < index.nodes * index.node_size(); ++k)
        weight[k] = lengths[k % index.node_size() / index.dimension];
    }
    // An amplitude weighs as the displacement of the whole body that has the same kinetic energy.
    for (const ModalIndex& index : system.modal_bodies) {
      const double mass = c[system.bodies[static_cast<std::size_t>(index.body) - 1].constants];
      double* weight = c + system.weight_constants + system.modal_v + index.first;
      for (int k = 0; k < index.modes; ++k)
        weight[k] = std::sqrt(c[index.constants + index.mass() + k] / mass);
    }
  });
}

}  // namespace tumble::compiling
