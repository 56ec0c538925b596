#include "tumble/integrate/start/start_velocity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tumble/integrate/watch/redundancy.hpp"
#include "tumble/model/settle_nodes.hpp"

namespace tumble {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The centre of mass from the reference point, body axes.
Vec3d centre(const RigidBodyIndex& body, const std::vector<double>& c) {
  const auto& k = constants_of(body, c.data());
  return k.mass > 0 ? (1 / k.mass) * k.moment : Vec3d{};  // frames on nodes have none
}

Mat3d inertia_matrix(const std::array<double, 6>& J) {
  return {{J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]}};
}

bool beam_given(const Beam& beam) { return beam.velocity.given() || beam.angular_velocity.given(); }

}  // namespace

bool needs_start_velocities(const System& system, const Model& model) {
  for (const Joint& joint : model.joints)
    if (start_of(joint.kind).any_rate()) return true;
  int given = 0, free = 0;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const int block = system.bodies[i].block;
    if (block < 0 || model.bodies[i].node) continue;
    ++(model.bodies[i].velocity.given() ? given : free);
    if (system.blocks[at(block)].kind == Block::Kind::rigid)
      ++(model.bodies[i].angular_velocity.given() ? given : free);
  }
  for (const Beam& beam : model.beams) ++(beam_given(beam) ? given : free);
  given += static_cast<int>(system.modal_bodies.size());  // rates of modes always are
  return given > 0 && free > 0;
}

StartVelocities::StartVelocities(const Plan& plan, const Model& model,
                                 const std::vector<double>& constants,
                                 const std::vector<JointPath>& paths, const std::vector<double>& q,
                                 double inside)
    : system_(*plan.system),
      model_(model),
      c_(constants),
      paths_(paths),
      w_(system_),
      kkt_(plan),
      given_(at(system_.nv), 0.0),
      time_rate_(at(system_.nc), 0.0),
      bias_(time_rate_) {
  const std::vector<double> none(std::max(given_.size(), time_rate_.size()), 0.0);
  update_drives(system_, c_.data(), 0.0, inside, w_);
  update_bodies(system_, q.data(), none.data(), w_);
  tangent(system_, c_.data(), none.data(), none.data(), w_);
  kkt_.factor(w_, 0, 0, nullptr, 0.0, true);
  constraint_rates(system_, c_.data(), w_, time_rate_.data(), bias_.data());

  for (std::size_t i = 0; i < system_.bodies.size(); ++i) {
    if (system_.bodies[i].block < 0) continue;
    const Block& block = system_.blocks[at(system_.bodies[i].block)];
    const Body& body = model.bodies[i];
    const Mat3d& R = w_.body[i + 1].R_WB;
    const bool turns = block.kind == Block::Kind::rigid;
    const Vec3d omega =
        turns ? static_cast<const Vec3d&>(body.angular_velocity) : w_.body[i + 1].w_W;
    bodies_given_ = bodies_given_ || body.velocity.given() || body.angular_velocity.given();
    if (body.velocity.given() || turns)
      store3(&given_[at(block.v)], static_cast<const Vec3d&>(body.velocity) -
                                       cross(omega, R * centre(system_.bodies[i], c_)));
    if (turns) store3(&given_[at(block.v + 3)], transpose_times(R, omega));
  }
  for (std::size_t i = 0; i < system_.beams.size(); ++i) {
    const BeamIndex& index = system_.beams[i];
    const Beam& beam = model.beams[i];
    if (!beam_given(beam)) continue;
    bodies_given_ = true;
    const double* x = &q[at(system_.beam_q + index.coordinates)];
    double* v = &given_[at(system_.beam_v + index.coordinates)];
    const auto vector = [&](const double* p) {
      return Vec3d{p[0], p[1], index.dimension == 3 ? p[2] : 0.0};
    };
    const Vec3d first = vector(x);
    for (int k = 0; k < index.nodes * (index.dimension + 1); ++k) {
      const bool place = k % (index.dimension + 1) == 0;
      Vec3d rate = cross(beam.angular_velocity, place ? vector(x) - first : vector(x));
      if (place) rate += beam.velocity;
      for (int j = 0; j < index.dimension; ++j) v[j] = rate[j];
      x += index.dimension, v += index.dimension;
    }
  }
  for (const ModalIndex& index : system_.modal_bodies)
    for (int k = 0; k < index.modes; ++k)
      given_[at(system_.modal_v + index.first + k)] =
          amplitude_of(model.bodies[at(index.body) - 1].modal->rates, k);
  for (std::size_t i = 0; i < system_.states.size(); ++i)
    given_[at(system_.states[i].v)] = model.states[i].start;
  add_rates();
}

void StartVelocities::add_rates() {
  for (const JointPath& path : paths_) {
    const JointStart start = start_of(model_.joints[at(path.joint)].kind);
    for (std::size_t k = 0; k < 6; ++k)
      if (start.rate[k]) add_rate(path, static_cast<Motion>(k), *start.rate[k]);
  }
  for (const DistanceLock& lock : system_.distance_locks)
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      const JointIndex& joint = system_.joints[j];
      if (joint.rows == 0 || joint.first_row != lock.row.row) continue;
      if (const auto rate = start_of(model_.joints[j].kind).length_rate)
        add_length_rate(static_cast<int>(j), lock, *rate);
    }
  for (RateRow& row : rates_) {
    set_gradient(row);
    std::vector<double> moved;
    project(row.gradient, nullptr, moved);
    const double mobility = product(row.gradient, moved);
    // A joint that cannot move has no inertia to weigh its rate by, and its rate is decided.
    const double own = product(row.gradient, row.gradient);
    row.weight = mobility > 1e-14 * own ? 1 / mobility : 0;
  }
}

/// The rate of an angle is the component of ω_B - ω_A along its axis: one of A's or, for the second
/// of two angles, B's, which is across the first. That of a displacement is the rate of e·d
/// (docs/theory/constraints.md#axis-lock).
void StartVelocities::add_rate(const JointPath& path, Motion motion, double rate) {
  const Joint& joint = model_.joints[at(path.joint)];
  const auto &a = w_.body[at(path.body[0])], &b = w_.body[at(path.body[1])];
  RateRow row{path.joint, rate, start_field(joint.kind, motion, true), unit_of_start(motion, true),
              path.body};
  const auto& locked = system_.joints[at(path.joint)].locked.has;
  if (motion >= Motion::rx) {
    const int k = static_cast<int>(motion) - 3;
    const bool of_two = locked[3] + locked[4] + locked[5] == 1;
    const bool second = of_two && locked[at(3 + (k + 1) % 3)];
    const Vec3d e =
        second ? b.R_WB * path.local[1].R.column(k) : a.R_WB * path.local[0].R.column(k);
    row.by[1] = -e, row.by[3] = e;
  } else {
    const Vec3d e = a.R_WB * path.local[0].R.column(static_cast<int>(motion));
    const Vec3d r_B = b.R_WB * path.local[1].p, rho = b.p_W + r_B - a.p_W;
    row.by = {-e, cross(e, rho), e, cross(r_B, e)};
  }
  rates_.push_back(std::move(row));
}

void StartVelocities::add_length_rate(int joint, const DistanceLock& lock, double rate) {
  const double* c = c_.data() + lock.constants;
  const auto &a = w_.body[at(lock.pair.body[0])], &b = w_.body[at(lock.pair.body[1])];
  const Vec3d r_A = a.R_WB * load3(c), r_B = b.R_WB * load3(c + 3);
  const Vec3d d = (b.p_W + r_B) - (a.p_W + r_A), n = (1 / norm(d)) * d;
  rates_.push_back({joint,
                    rate,
                    "start.length_rate",
                    "m/s",
                    lock.pair.body,
                    {-n, cross(n, r_A), n, cross(r_B, n)}});
}

void StartVelocities::set_gradient(RateRow& row) const {
  row.gradient.assign(at(system_.nv), 0.0);
  for (std::size_t end = 0; end < 2; ++end) {
    if (row.body[end] == 0) continue;
    const auto& kinematics = w_.body[at(row.body[end])];
    const int index = system_.bodies[at(row.body[end]) - 1].block;
    const Block* block = index < 0 ? nullptr : &system_.blocks[at(index)];
    if (block == nullptr)
      row.known += dot(row.by[2 * end], kinematics.v_W);
    else
      add3(&row.gradient[at(block->v)], row.by[2 * end]);
    if (block == nullptr || block->kind != Block::Kind::rigid)
      row.known += dot(row.by[2 * end + 1], kinematics.w_W);
    else
      add3(&row.gradient[at(block->v + 3)], transpose_times(kinematics.R_WB, row.by[2 * end + 1]));
  }
}

// [M Gᵀ; G 0] [v; μ] = [force; rhs]
void StartVelocities::project(const std::vector<double>& force, const double* rhs,
                              std::vector<double>& v) {
  std::vector<double> x(at(system_.nv + system_.nc), 0.0);
  std::copy(force.begin(), force.end(), x.begin());
  if (rhs != nullptr) std::copy_n(rhs, system_.nc, x.begin() + system_.nv);
  kkt_.solve(x.data(), x.data());
  v.assign(x.begin(), x.begin() + system_.nv);
}

double StartVelocities::add_misfit(const std::vector<double>& v, bool target,
                                   std::vector<double>& out) const {
  double misfit = 0;
  for (std::size_t i = 0; i < system_.bodies.size(); ++i) {
    const int index = system_.bodies[i].block;
    if (index < 0) continue;
    const Block& block = system_.blocks[at(index)];
    const Body& body = model_.bodies[i];
    const auto& kinematics = w_.body[i + 1];
    const bool turns = block.kind == Block::Kind::rigid;
    Vec3d spin;
    if (turns)
      spin = load3(&v[at(block.v + 3)]);
    else if (target)
      spin = kinematics.w_B;
    if (body.velocity.given()) {
      const Vec3d c = centre(system_.bodies[i], c_);
      Vec3d slip = load3(&v[at(block.v)]) + kinematics.R_WB * cross(spin, c);
      if (target) slip -= body.velocity;
      const Vec3d momentum = body.mass * slip;
      misfit += dot(slip, momentum);
      add3(&out[at(block.v)], momentum);
      if (turns) add3(&out[at(block.v + 3)], cross(c, transpose_times(kinematics.R_WB, momentum)));
    }
    if (turns && body.angular_velocity.given()) {
      if (target) spin -= transpose_times(kinematics.R_WB, Vec3d(body.angular_velocity));
      const Vec3d momentum = inertia_matrix(body.inertia) * spin;
      misfit += dot(spin, momentum);
      add3(&out[at(block.v + 3)], momentum);
    }
  }
  // Rates of modes are always given, zero if by no number.
  for (const ModalIndex& index : system_.modal_bodies)
    for (int k = 0; k < index.modes; ++k) {
      const std::size_t row = at(system_.modal_v + index.first + k);
      const double slip = v[row] - (target ? given_[row] : 0.0),
                   momentum = c_[at(index.constants + index.mass() + k)] * slip;
      out[row] += momentum;
      misfit += slip * momentum;
    }
  const auto& p = system_.pattern;
  for (std::size_t i = 0; i < system_.beams.size(); ++i) {
    if (!beam_given(model_.beams[i])) continue;
    const BeamIndex& beam = system_.beams[i];
    const int first = system_.beam_v + beam.coordinates, size = beam.nodes * beam.node_size();
    const auto slip = [&](int k) { return v[at(k)] - (target ? given_[at(k)] : 0.0); };
    for (int row = first; row < first + size; ++row)
      for (int s = p.row_start[at(row)]; s < p.row_start[at(row) + 1]; ++s)
        if (const int column = p.column[at(s)]; column >= first && column < first + size) {
          const double momentum = w_.M[at(s)] * slip(column);
          out[at(row)] += momentum;
          misfit += slip(row) * momentum;
        }
  }
  return misfit;
}

double StartVelocities::rate_error(const RateRow& row, const std::vector<double>& v) const {
  return product(row.gradient, v) + row.known - row.rate;
}

// Half the sum of m |v_c - v_c*|², (ω - ω*)ᵀ J (ω - ω*) and w (rate - rate*)² over what is given is
// least among the velocities that joints allow. Conjugate gradients with the projection onto those
// as preconditioner, from the velocities of least kinetic energy: directions that change nothing of
// what is given are never taken, so of all minimisers it ends at the one of least energy. They end
// after as many iterations as there are different eigenvalues, which lie between 0 and 1.
std::vector<double> StartVelocities::minimise(bool rates) {
  const std::size_t n = at(system_.nv);
  std::vector<double> v, r(n), z, p, Ap(n), rhs = time_rate_;
  for (double& x : rhs) x = -x;
  project(std::vector<double>(n, 0.0), rhs.data(), v);
  const auto gradient = [&](const std::vector<double>& x, bool target, std::vector<double>& out) {
    std::fill(out.begin(), out.end(), 0.0);
    add_misfit(x, target, out);
    if (!rates) return;
    for (const RateRow& row : rates_) {
      const double error = target ? rate_error(row, x) : product(row.gradient, x);
      for (std::size_t i = 0; i < n; ++i) out[i] += row.weight * error * row.gradient[i];
    }
  };
  gradient(v, true, r);
  for (double& x : r) x = -x;
  project(r, nullptr, z);
  p = z;
  double rz = product(r, z);
  const double first = rz;
  const std::size_t most = 2 * n + 20;
  double least = rz;
  for (std::size_t iteration = 0, stalled = 0; iteration < most && rz > 1e-32 * first;
       ++iteration) {
    gradient(p, false, Ap);
    const double curvature = product(p, Ap);
    if (!(curvature > 0)) break;
    const double alpha = rz / curvature;
    for (std::size_t i = 0; i < n; ++i) v[i] += alpha * p[i], r[i] -= alpha * Ap[i];
    project(r, nullptr, z);
    const double next = product(r, z);
    if (!(next > 0)) break;
    if (next < 0.5 * least)
      least = next, stalled = 0;
    else if (next < 1e-24 * first && ++stalled > 3)
      break;
    const double beta = next / rz;
    rz = next;
    for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + beta * p[i];
  }
  return v;
}

std::vector<double> StartVelocities::find() {
  std::vector<double> v = minimise(true);
  refuse_contradictions(v);
  // State variables start where they are said to: no joint has a say in that.
  for (const StateIndex& state : system_.states) v[at(state.v)] = given_[at(state.v)];
  return v;
}

void StartVelocities::refuse_contradictions(const std::vector<double>& v) {
  for (const RateRow& row : rates_) {
    const double error = std::fabs(rate_error(row, v));
    if (error <= 1e-7 * std::max(std::fabs(row.rate), 1e-3)) continue;
    throw_contradiction(row, row.weight == 0 ? "joints and drives do not leave this rate free"
                                             : "contradicts other velocities that are given");
  }
  if (rates_.empty() || !bodies_given_) return;
  // Do velocities of bodies hold as well as they would without the joints' rates?
  const std::vector<double> without = minimise(false);
  std::vector<double> force(v.size(), 0.0);
  const double held = add_misfit(without, true, force), changed = add_misfit(v, true, force);
  double scale = add_misfit(given_, false, force);
  for (const RateRow& row : rates_) scale += row.weight * row.rate * row.rate;
  if (changed > held + 1e-12 * scale)
    throw_contradiction(rates_.front(), "contradicts velocities that are given for bodies");
}

void StartVelocities::throw_contradiction(const RateRow& row, const std::string& why) const {
  const Joint& joint = model_.joints[at(row.joint)];
  Diagnostic d;
  d.element = "joint '" + joint.name + "'";
  d.field = row.field;
  d.where = locate(model_, "joints." + joint.name + "." + d.field);
  d.value = format_number(row.rate);
  d.unit = row.unit;
  d.expectation = why;
  throw InputError({d});
}

std::vector<double> StartVelocities::violations(const std::vector<double>& v, double length_scale) {
  std::vector<double> rows(at(system_.nc)), by_joint(system_.joints.size(), 0.0);
  multiply_gradient(system_, w_, v.data(), rows.data());
  for (std::size_t j = 0; j < system_.joints.size(); ++j) {
    const JointIndex& joint = system_.joints[j];
    for (int row = joint.first_row; row < joint.first_row + joint.rows; ++row) {
      const bool turns = joint.row_names[at(row - joint.first_row)][0] == 'r';
      const double rate = std::fabs(rows[at(row)] + time_rate_[at(row)]);
      by_joint[j] = std::max(by_joint[j], turns ? rate : rate / length_scale);
    }
  }
  return by_joint;
}

}  // namespace tumble
