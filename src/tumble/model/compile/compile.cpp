#include "tumble/model/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tumble/math/euler_angles.hpp"
#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/compile/compiling.hpp"
#include "tumble/model/compile/find_named.hpp"
#include "tumble/model/settle_nodes.hpp"

namespace tumble {

PrepareContext::PrepareContext(const Model& nominal, const Model& realized) : model_(realized) {
  start_.push_back({});
  for (std::size_t i = 0; i < nominal.bodies.size(); ++i)
    start_.push_back(
        nominal.bodies[i].at_node
            ? body_frame(realized, static_cast<int>(i) + 1)
            : Frame{nominal.bodies[i].position, rotation_matrix(realized.bodies[i].orientation)});
  // Nodes stand by the reference point and the axes of their flexible bodies.
  for (std::size_t i = 0; i < nominal.bodies.size(); ++i)
    if (const Body* flexible = flexible_body(realized, realized.bodies[i])) {
      const Frame& owner = start_[static_cast<std::size_t>(flexible - realized.bodies.data()) + 1];
      const Frame local = node_start(*flexible, *realized.bodies[i].node).frame;
      start_[i + 1] = {owner.p + owner.R * local.p, owner.R * local.R};
    }
}

Frame PrepareContext::local(int body, const Frame& frame) const {
  const Frame& b = start(body);
  return {transpose_times(b.R, frame.p - b.p), transpose_times(b.R, frame.R)};
}

namespace compiling {

int reserve(System& system, int count) {
  const int first = system.constants_size;
  system.constants_size += count;
  return first;
}

PairFrames<double> local_frames(const PrepareContext& context, const FramePair& pair) {
  const Frame a = context.local(pair.body[0], pair.frame[0]);
  const Frame b = context.local(pair.body[1], pair.frame[1]);
  return {a.p, quaternion_of(a.R), b.p, quaternion_of(b.R)};
}

PairPoints<double> local_points(const PrepareContext& context, const FramePair& pair) {
  return {context.local(pair.body[0], pair.frame[0]).p,
          context.local(pair.body[1], pair.frame[1]).p};
}

PairAxes<double> local_axes(const PrepareContext& context, const FramePair& pair) {
  return {context.local(pair.body[0], pair.frame[0]).R,
          context.local(pair.body[1], pair.frame[1]).R};
}

int drive_index(const System& system, const std::string& name) {
  if (name.empty()) return -1;
  const int index = find_named(system.nominal.drives, name);
  if (index < 0) throw std::logic_error("unknown drive '" + name + "'");
  return index;
}

void add_tracked_eulers(System& system) {
  const Model& model = system.nominal;
  for (const Probe& probe : model.probes) {
    if (!probe.body ||
        std::ranges::find(probe.quantities, Quantity::euler_123) == probe.quantities.end())
      continue;
    const int body = body_index(model, probe.body->name);
    if (std::ranges::find(system.tracked_eulers, body, &TrackedEuler::body) !=
        system.tracked_eulers.end())
      continue;
    const Vec3d start =
        euler_123(rotation_matrix(model.bodies[static_cast<std::size_t>(body) - 1].orientation));
    system.tracked_eulers.push_back(
        {body, {start.x, start.y, start.z}, "body '" + probe.body->name + "'"});
  }
}

}  // namespace compiling

std::shared_ptr<const System> compile(const Model& model, PrescribedMotion motion) {
  if (auto mistakes = check(model); !mistakes.empty()) throw InputError(std::move(mistakes));
  auto system = std::make_shared<System>(model);
  using namespace compiling;
  system->drive_constants = reserve(*system, system->drives.constants_size());
  system->writers.push_back([program = &system->drives, at = system->drive_constants](
                                const PrepareContext& context, double* c) {
    program->write_constants(context.model().drives, c + at);
  });
  // The multistep method finds velocities of imposed positions by its own formula, jumps and all.
  if (motion == PrescribedMotion::eliminate &&
      model.simulation.integrator != IntegrationMethod::multistep)
    system->prescribed = find_prescribed(model);
  add_bodies(*system);
  add_beams(*system);
  add_modal_bodies(*system);
  add_state_coordinates(*system);
  add_weights(*system);
  add_joints(*system);
  add_couplers(*system);
  add_node_locks(*system);
  add_forces(*system);
  add_state_equations(*system);
  add_events(*system);
  add_user_elements(*system);
  add_beam_probes(*system);
  add_tracked_eulers(*system);
  lay_out_matrix(*system);
  return system;
}

std::vector<double> prepare(const System& system, const Model& model) {
  std::vector<double> constants(static_cast<std::size_t>(system.constants_size), 0.0);
  const PrepareContext context(system.nominal, model);
  for (const auto& write : system.writers) write(context, constants.data());
  return constants;
}

std::vector<double> System::described_turns() const {
  std::vector<double> turns(tracked_angles.size(), 0.0);
  for (const TrackedEuler& euler : tracked_eulers)
    turns.insert(turns.end(), euler.start.begin(), euler.start.end());
  turns.resize(turns.size() + 3 * all<BushingIndex>().size(), 0.0);
  return turns;
}

InitialState initial_state(const System& system, const Model& model) {
  InitialState state{std::vector<double>(static_cast<std::size_t>(system.nq)),
                     std::vector<double>(static_cast<std::size_t>(system.nv)),
                     {}};
  const PrepareContext context(system.nominal, model);
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    if (system.bodies[i].block < 0) continue;
    const Block& block = system.blocks[static_cast<std::size_t>(system.bodies[i].block)];
    const Body& body = model.bodies[i];
    const Frame& start = context.start(static_cast<int>(i) + 1);
    // The velocity given is that of the centre of mass; the block carries the reference point's.
    const Vec3d p_ref_com = body.at_node ? Vec3d{} : body.position - start.p;
    double* q = &state.q[static_cast<std::size_t>(block.q)];
    double* v = &state.v[static_cast<std::size_t>(block.v)];
    store3(v, body.velocity - cross(body.angular_velocity, p_ref_com));
    if (block.kind == Block::Kind::linear) {
      store3(q, start.p);
      continue;
    }
    store3(q, start.p);
    const Quaternion<double> turn = quaternion_of(start.R);
    q[3] = turn.w, q[4] = turn.x, q[5] = turn.y, q[6] = turn.z;
    store3(v + 3, transpose_times(start.R, body.angular_velocity));
  }
  for (std::size_t i = 0; i < system.beams.size(); ++i) {
    const BeamIndex& index = system.beams[i];
    const Beam& beam = model.beams[i];
    const BeamShape shape = beam_shape(beam);
    double* q = &state.q[static_cast<std::size_t>(system.beam_q + index.coordinates)];
    double* v = &state.v[static_cast<std::size_t>(system.beam_v + index.coordinates)];
    for (const Frame& node : shape.nodes)
      for (int k = 0; k <= index.dimension; ++k) {
        const Vec3d vector = k == 0 ? node.p : node.R.column(k - 1);
        const Vec3d rate =
            k == 0 ? beam.velocity + cross(beam.angular_velocity, node.p - shape.nodes.front().p)
                   : cross(beam.angular_velocity, vector);
        for (int c = 0; c < index.dimension; ++c) *q++ = vector[c], *v++ = rate[c];
      }
  }
  for (const ModalIndex& index : system.modal_bodies) {
    const ModalPart& part = *model.bodies[static_cast<std::size_t>(index.body) - 1].modal;
    for (int k = 0; k < index.modes; ++k) {
      state.q[static_cast<std::size_t>(system.modal_q + index.first + k)] =
          amplitude_of(part.amplitudes, k);
      state.v[static_cast<std::size_t>(system.modal_v + index.first + k)] =
          amplitude_of(part.rates, k);
    }
  }
  // A node moves with its flexible body; the turning of its section by the modes is left to the
  // lock.
  for (const NodeLock& lock : system.node_locks) {
    const auto owner = static_cast<std::size_t>(lock.pair.body[0]) - 1,
               node = static_cast<std::size_t>(lock.pair.body[1]) - 1;
    const Block &from = system.blocks[static_cast<std::size_t>(system.bodies[owner].block)],
                &to = system.blocks[static_cast<std::size_t>(system.bodies[node].block)];
    const NodeStart start = node_start(model.bodies[owner], *model.bodies[node].node);
    const Mat3d& R = context.start(static_cast<int>(owner) + 1).R;
    const double* v = &state.v[static_cast<std::size_t>(from.v)];
    const Vec3d spin_B = load3(v + 3);
    double* out = &state.v[static_cast<std::size_t>(to.v)];
    store3(out, load3(v) + R * (cross(spin_B, start.frame.p) + start.velocity));
    store3(out + 3, transpose_times(start.frame.R, spin_B));
  }
  for (std::size_t i = 0; i < system.states.size(); ++i)
    state.v[static_cast<std::size_t>(system.states[i].v)] = model.states[i].start;
  return state;
}

std::string System::describe_turn(int number) const {
  if (number < 0) return {};
  auto i = static_cast<std::size_t>(number);
  if (i < tracked_angles.size()) return "the angle of " + tracked_angles[i].owner;
  i -= tracked_angles.size();
  if (i < tracked_eulers.size()) return "the Euler angles of " + tracked_eulers[i].owner;
  return "the rotation of bushing '" + all<BushingIndex>()[i - tracked_eulers.size()].name + "'";
}

std::string System::describe_row(int row) const {
  const auto component = [](int k) {
    return std::string(motion_names[static_cast<std::size_t>(k)]);
  };
  if (row < nv) {
    for (const auto& body : bodies) {
      if (body.block < 0) continue;
      const Block& block = blocks[static_cast<std::size_t>(body.block)];
      if (row >= block.v && row < block.v + block.nv)
        return "body '" + body.name + "' (" + component(row - block.v) + ")";
    }
    for (const auto& beam : beams) {
      const int at = row - beam_v - beam.coordinates, node = beam.node_size();
      if (at < 0 || at >= beam.nodes * node) continue;
      static constexpr std::string_view vectors[] = {"r", "r_x", "r_y", "r_z"};
      return fmt::format("beam '{}' (node {}, {} {})", beam.name, at / node,
                         vectors[at % node / beam.dimension], component(at % beam.dimension));
    }
    for (const auto& modal : modal_bodies) {
      const int mode = row - modal_v - modal.first;
      if (mode >= 0 && mode < modal.modes)
        return fmt::format("body '{}' (mode {})", modal.name, mode + 1);
    }
    for (const auto& state : states)
      if (row == state.v) return "state '" + state.name + "'";
    return "coordinate " + std::to_string(row);
  }
  const int c = row - nv;
  for (const auto& joint : joints)
    if (c >= joint.first_row && c < joint.first_row + joint.rows)
      return "joint '" + joint.name + "' (" +
             joint.row_names[static_cast<std::size_t>(c - joint.first_row)] + ")";
  for (const auto& lock : node_locks)
    if (const int k = c - lock.rows[0].row; k >= 0 && k < 6)
      return "node '" + bodies[static_cast<std::size_t>(lock.pair.body[1]) - 1].name + "' (" +
             component(k) + ")";
  for (const auto& coupler : couplers)
    if (c == coupler.row) return "coupler '" + coupler.name + "' (sum)";
  for (const auto& user : user_constraints)
    if (c >= user.row && c < user.row + user.rows)
      return "constraint '" + nominal.user_constraints[static_cast<std::size_t>(user.entry)].name +
             "' (row " + std::to_string(c - user.row) + ")";
  return "constraint " + std::to_string(c);
}

}  // namespace tumble
