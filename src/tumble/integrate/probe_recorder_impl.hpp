// The definitions of BasicProbeRecorder, instantiated where BasicIntegrator is.
#pragma once
#include "tumble/dynamics/beam_point.hpp"
#include "tumble/dynamics/energy.hpp"
#include "tumble/dynamics/relative_motion.hpp"
#include "tumble/dynamics/turns.hpp"
#include "tumble/integrate/probe_recorder.hpp"

namespace tumble {

namespace probing {

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

template <class S>
struct PointWrench {
  Vec3<S> force, torque;
};

template <class S>
void clear_wrenches(Workspace<S>& w) {
  for (auto& b : w.body) b.force_W = {}, b.torque_W = {};
}

/// The wrench that has been accumulated on a body (as minus forces), as a physical force at and
/// torque about the point with world offset r.
template <class S>
PointWrench<S> physical_wrench(const BodyKinematics<S>& b, const Vec3<S>& r) {
  return {-b.force_W, cross(r, b.force_W) - b.torque_W};
}

}  // namespace probing

template <class S>
BasicProbeRecorder<S>::BasicProbeRecorder(const System& system, const S* offsets,
                                          const S* constants)
    : system_(system), c_(constants) {
  const Model& model = system.nominal;
  for (std::size_t i = 0; i < model.probes.size(); ++i) {
    const Probe& probe = model.probes[i];
    for (const Quantity quantity : probe.quantities) {
      Measure measure;
      if (probe.body) {
        measure = body_measure(body_index(model, probe.body->name), quantity, offsets + 3 * i);
      } else if (probe.beam) {
        measure = beam_measure(system.beam_probes[i], quantity);
      } else if (probe.joint) {
        for (const auto& joint : system.joints)
          if (joint.name == probe.joint->name) measure = joint_measure(joint, quantity);
      } else if (probe.coupler) {
        measure = coupler_measure(probe.coupler->name, quantity);
      } else if (probe.force) {
        measure = force_measure(probe.force->name, quantity);
      } else if (probe.state) {
        for (const auto& state : system.states)
          if (state.name == probe.state->name) measure = state_measure(state, quantity);
      } else {
        measure = system_measure(quantity);
      }
      entries_.push_back({info(quantity).size, std::move(measure)});
      size_ += info(quantity).size;
    }
  }
}

template <class S>
void BasicProbeRecorder<S>::measure(Workspace<S>& w, const BasicMotionState<S>& state,
                                    S* out) const {
  Scene scene{w, state, out};
  w.lambda = state.lambda.data();
  for (const auto& entry : entries_) {
    entry.measure(scene);
    scene.out += entry.size;
  }
}

template <class S>
typename BasicProbeRecorder<S>::Measure BasicProbeRecorder<S>::body_measure(int body,
                                                                            Quantity quantity,
                                                                            const S* r_B) const {
  using namespace probing;
  const auto& index = system_.bodies[static_cast<std::size_t>(body) - 1];
  const int v = index.block < 0 ? -1 : system_.blocks[at(index.block)].v;
  const int prescribed = index.prescribed;
  const S* c = c_;
  const ModalIndex* modal = nullptr;  // if the body is flexible
  for (const ModalIndex& candidate : system_.modal_bodies)
    if (candidate.body == body) modal = &candidate;
  const auto measure = [=](auto f) -> Measure {
    return [=](const Scene& s) { store3(s.out, f(s.w.body[at(body)], s)); };
  };
  const bool rotates = system_.nominal.bodies[at(body) - 1].rotates;
  const auto wdot = [v, prescribed, rotates](const Scene& s) {
    return prescribed >= 0 ? s.w.prescribed[at(prescribed)].alpha_B
           : rotates       ? load3(&s.state.vdot[at(v + 3)])
                           : Vec3<S>{};
  };
  const auto vdot = [v, prescribed](const Scene& s) {
    return v < 0 ? s.w.prescribed[at(prescribed)].a_W : load3(&s.state.vdot[at(v)]);
  };
  using B = BodyKinematics<S>;
  switch (quantity) {
    case Quantity::position:
      return measure([=](const B& b, const Scene&) { return b.p_W + b.R_WB * load3(r_B); });
    case Quantity::velocity:
      return measure(
          [=](const B& b, const Scene&) { return b.v_W + cross(b.w_W, b.R_WB * load3(r_B)); });
    case Quantity::acceleration:
      return measure([=](const B& b, const Scene& s) {
        const Vec3<S> r = b.R_WB * load3(r_B);
        return vdot(s) + cross(b.R_WB * wdot(s), r) + cross(b.w_W, cross(b.w_W, r));
      });
    case Quantity::orientation:
      return [=](const Scene& s) {
        const auto& q = s.w.body[at(body)].q_WB;
        s.out[0] = q.w, s.out[1] = q.x, s.out[2] = q.y, s.out[3] = q.z;
      };
    case Quantity::rotation_vector:
      return measure([](const B& b, const Scene&) { return rotation_vector(b.q_WB); });
    case Quantity::euler_123:
      for (std::size_t i = 0; i < system_.tracked_eulers.size(); ++i)
        if (system_.tracked_eulers[i].body == body)
          return measure([i, this](const B&, const Scene& s) {
            const auto& euler = s.w.euler[i];
            return followed_euler(system_.tracked_eulers[i], euler, s.w).angles;
          });
      throw_unknown_quantity(quantity);
    case Quantity::angular_velocity:
      return measure([](const B& b, const Scene&) { return b.w_W; });
    case Quantity::angular_acceleration:
      return measure([=](const B& b, const Scene& s) { return b.R_WB * wdot(s); });
    case Quantity::angular_velocity_body:
      return measure([](const B& b, const Scene&) { return b.w_B; });
    case Quantity::angular_acceleration_body:
      return measure([=](const B&, const Scene& s) { return wdot(s); });
    case Quantity::kinetic_energy:
      return [=, &index](const Scene& s) {
        s.out[0] = kinetic_energy(index, c, s.w.body[at(body)]);
        if (modal != nullptr) s.out[0] = s.out[0] + modal_state(*modal, c, s.w).kinetic_energy;
      };
    case Quantity::linear_momentum:
      return measure([=, &index](const B& b, const Scene& s) {
        Vec3<S> sum = linear_momentum(index, c, b);
        if (modal != nullptr) sum += modal_state(*modal, c, s.w).momentum;
        return sum;
      });
    case Quantity::angular_momentum:
      return measure([=, &index](const B& b, const Scene& s) {
        Vec3<S> sum = angular_momentum(index, c, b);
        if (modal != nullptr) sum += modal_state(*modal, c, s.w).angular_momentum;
        return sum;
      });
    default:
      throw_unknown_quantity(quantity);
  }
}

template <class S>
typename BasicProbeRecorder<S>::Measure BasicProbeRecorder<S>::beam_measure(
    const BeamProbeIndex& probe, Quantity quantity) const {
  using namespace probing;
  const BeamIndex& beam = system_.beams[at(probe.beam)];
  const S* c = c_;
  const int v = system_.beam_v + beam.coordinates;
  // `x`: positions, velocities or accelerations of the beam's coordinates.
  const auto point = [&beam, &probe, c](const S* x) {
    return beam.dimension == 2 ? beam_point<2>(beam, probe, c, x)
                               : beam_point<3>(beam, probe, c, x);
  };
  const auto state = [&beam, c](auto f) -> Measure {
    return [=, &beam](const Scene& s) { f(beam_state(beam, c, s.w), s.out); };
  };
  const auto section = [&beam, &probe, c](auto f) -> Measure {
    return [=, &beam, &probe](const Scene& s) { f(beam_point_state(beam, probe, c, s.w), s.out); };
  };
  const auto put = [](const Tensor6<S>& t, S* out) {
    for (int k = 0; k < 6; ++k) out[k] = t.v[k];
  };
  switch (quantity) {
    case Quantity::position:
      return [=, &beam](const Scene& s) {
        Vec3<S> p = point(s.w.node_q.data() + beam.coordinates);
        if (beam.dimension == 2) p.z = c[beam.plane];
        store3(s.out, p);
      };
    case Quantity::velocity:
      return [=, &beam](const Scene& s) {
        store3(s.out, point(s.w.node_v.data() + beam.coordinates));
      };
    case Quantity::acceleration:
      return [=](const Scene& s) { store3(s.out, point(s.state.vdot.data() + v)); };
    case Quantity::strain:
      return section([put](const auto& x, S* out) { put(x.strain, out); });
    case Quantity::stress:
      return section([put](const auto& x, S* out) { put(x.stress, out); });
    case Quantity::section_force:
      return section([](const auto& x, S* out) { store3(out, x.resultant.force); });
    case Quantity::section_moment:
      return section([](const auto& x, S* out) { store3(out, x.resultant.moment); });
    case Quantity::strain_energy:
      return state([](const auto& x, S* out) { out[0] = x.strain_energy; });
    case Quantity::kinetic_energy:
      return state([](const auto& x, S* out) { out[0] = x.kinetic_energy; });
    case Quantity::linear_momentum:
      return state([](const auto& x, S* out) { store3(out, x.momentum); });
    case Quantity::angular_momentum:
      return state([](const auto& x, S* out) { store3(out, x.angular_momentum); });
    default:
      throw_unknown_quantity(quantity);
  }
}

template <class S>
typename BasicProbeRecorder<S>::Measure BasicProbeRecorder<S>::joint_measure(
    const JointIndex& joint, Quantity quantity) const {
  using namespace probing;
  const S* c = c_;
  if (joint.node_joint >= 0) {
    const NodeJoint& rows = system_.node_joints[at(joint.node_joint)];
    if (quantity == Quantity::force)
      return [&rows](const Scene& s) {
        store3(s.out, -point_multiplier(rows, s.state.lambda.data()));
      };
    return [&rows, c](const Scene& s) {
      store3(s.out, joint_torque(rows, c, s.state.lambda.data(), s.w));
    };
  }
  const PairFrames<S>& frames = constants_of(joint, c);
  // The reaction: this joint's rows alone, with their multipliers, and what replaced its others.
  const auto reaction = [this, &joint, c, &frames](const Scene& s) {
    if (joint.prescribed >= 0)
      prescribed_wrenches(system_, c, s.state.vdot.data(), s.state.lambda.data(), s.w);
    clear_wrenches(s.w);
    S* phi = s.w.phi_scratch.data();
    const S* lambda = s.state.lambda.data();
    if (joint.locks >= 0) residual(system_.joint_locks[at(joint.locks)], c, lambda, s.w, phi);
    if (joint.twist >= 0) residual(system_.twist_locks[at(joint.twist)], c, lambda, s.w, phi);
    for (const auto& lock : system_.distance_locks)
      if (lock.row.row >= joint.first_row && lock.row.row < joint.first_row + joint.rows)
        residual(lock, c, lambda, s.w, phi);
    auto& b = s.w.body[at(joint.body[1])];
    if (joint.prescribed >= 0) {
      b.force_W += s.w.prescribed[at(joint.prescribed)].force_W;
      b.torque_W += s.w.prescribed[at(joint.prescribed)].torque_W;
    }
    return physical_wrench(b, b.R_WB * frames.r_B);
  };
  switch (quantity) {
    case Quantity::force:
      return [=](const Scene& s) { store3(s.out, reaction(s).force); };
    case Quantity::torque:
      return [=](const Scene& s) { store3(s.out, reaction(s).torque); };
    case Quantity::displacement:
      return [=, &joint, &frames](const Scene& s) {
        displacement(relative_motion(joint.body, frames, s.w), s.out);
      };
    case Quantity::displacement_rate:
      return [=, &joint, &frames](const Scene& s) {
        displacement_rate(relative_motion(joint.body, frames, s.w), joint.body, s.w, s.out);
      };
    case Quantity::rotation_vector:
      return [=, &joint, &frames](const Scene& s) {
        store3(s.out, rotation_vector(relative_motion(joint.body, frames, s.w).q_AB));
      };
    case Quantity::angle:
      return [=, this, &joint](const Scene& s) {
        s.out[0] = tracked_angle(system_, joint.tracked, c, s.w);
      };
    case Quantity::angle_rate:
      return [=, &joint, &frames](const Scene& s) {
        const auto m = relative_motion(joint.body, frames, s.w);
        const auto &a = s.w.body[at(joint.body[0])], &b = s.w.body[at(joint.body[1])];
        s.out[0] = dot(m.R_WA.column(2), b.w_W - a.w_W);
      };
    case Quantity::length:
      return [=, &joint, &frames](const Scene& s) {
        s.out[0] = norm(relative_motion(joint.body, frames, s.w).p.d);
      };
    case Quantity::length_rate:
      return [=, &joint, &frames](const Scene& s) {
        const auto m = relative_motion(joint.body, frames, s.w);
        const auto &a = s.w.body[at(joint.body[0])], &b = s.w.body[at(joint.body[1])];
        s.out[0] = dot(m.p.d, difference_rate(a, b, m.p)) / norm(m.p.d);
      };
    default:
      throw_unknown_quantity(quantity);
  }
}

template <class S>
typename BasicProbeRecorder<S>::Measure BasicProbeRecorder<S>::force_measure(
    const std::string& name, Quantity quantity) const {
  using namespace probing;
  const S* c = c_;
  Measure measure_of_force;
  for_each_force(system_.forces, [&](const auto& force) {
    if (force.name != name) return;
    if constexpr (requires { force.pair; }) {
      // Its residual alone, on bodies that nothing else acts on.
      if (quantity == Quantity::force || quantity == Quantity::torque) {
        measure_of_force = [this, &force, c, quantity](const Scene& s) {
          clear_wrenches(s.w);
          residual(system_, force, c, s.w);
          const auto& b = s.w.body[at(force.pair.body[1])];
          const Vec3<S>* point = acts_at(force, c);
          const auto f = physical_wrench(b, point != nullptr ? b.R_WB * *point : Vec3<S>{});
          store3(s.out, quantity == Quantity::force ? f.force : f.torque);
        };
        return;
      }
    }
    measure_of_force = [this, &force, c, quantity](const Scene& s) {
      if (!tumble::measure(system_, force, quantity, c, s.w, s.out))
        throw_unknown_quantity(quantity);
    };
  });
  return measure_of_force;
}

template <class S>
typename BasicProbeRecorder<S>::Measure BasicProbeRecorder<S>::coupler_measure(
    const std::string& name, Quantity quantity) const {
  const S* c = c_;
  const bool angle = quantity == Quantity::moment;
  for (const auto& coupler : system_.couplers)
    if (coupler.name == name)
      return [this, &coupler, c, angle](const Scene& s) {
        s.out[0] = coupler_effort(system_, coupler, angle, c, s.state.lambda.data());
      };
  throw_unknown_quantity(quantity);
}

template <class S>
typename BasicProbeRecorder<S>::Measure BasicProbeRecorder<S>::state_measure(
    const StateIndex& state, Quantity quantity) const {
  const auto v = static_cast<std::size_t>(state.v);
  switch (quantity) {
    case Quantity::value:
      return [v](const Scene& s) { s.out[0] = s.state.v[v]; };
    case Quantity::rate:
      return [v](const Scene& s) { s.out[0] = s.state.vdot[v]; };
    default:
      throw_unknown_quantity(quantity);
  }
}

template <class S>
typename BasicProbeRecorder<S>::Measure BasicProbeRecorder<S>::system_measure(
    Quantity quantity) const {
  const S* c = c_;
  const auto sum = [this, c](const Scene& s, auto f, Vec3<S> BeamState<S>::*of_beam,
                             Vec3<S> ModalState<S>::*of_modes) {
    Vec3<S> total;
    for (std::size_t i = 0; i < system_.bodies.size(); ++i)
      total += f(system_.bodies[i], c, s.w.body[i + 1]);
    for (const auto& beam : system_.beams) total += beam_state(beam, c, s.w).*of_beam;
    for (const auto& modal : system_.modal_bodies) total += modal_state(modal, c, s.w).*of_modes;
    return total;
  };
  const auto kinetic = [this, c](const Scene& s) {
    S energy(0.0);
    for (std::size_t i = 0; i < system_.bodies.size(); ++i)
      energy = energy + kinetic_energy(system_.bodies[i], c, s.w.body[i + 1]);
    for (const auto& beam : system_.beams)
      energy = energy + beam_state(beam, c, s.w).kinetic_energy;
    for (const auto& modal : system_.modal_bodies)
      energy = energy + modal_state(modal, c, s.w).kinetic_energy;
    return energy;
  };
  switch (quantity) {
    case Quantity::kinetic_energy:
      return [=](const Scene& s) { s.out[0] = kinetic(s); };
    case Quantity::potential_energy:
      return [=, this](const Scene& s) { s.out[0] = potential_energy(system_, c, s.w); };
    case Quantity::total_energy:
      return
          [=, this](const Scene& s) { s.out[0] = kinetic(s) + potential_energy(system_, c, s.w); };
    case Quantity::linear_momentum:
      return [=](const Scene& s) {
        store3(s.out,
               sum(s, linear_momentum<S>, &BeamState<S>::momentum, &ModalState<S>::momentum));
      };
    case Quantity::angular_momentum:
      return [=](const Scene& s) {
        store3(s.out, sum(s, angular_momentum<S>, &BeamState<S>::angular_momentum,
                          &ModalState<S>::angular_momentum));
      };
    default:
      throw_unknown_quantity(quantity);
  }
}

}  // namespace tumble
