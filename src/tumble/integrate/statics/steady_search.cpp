#include "tumble/integrate/statics/steady_search.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "tumble/integrate/start/start_state.hpp"
#include "tumble/integrate/statics/eigen_matrices.hpp"
#include "tumble/integrate/statics/motion_change.hpp"
#include "tumble/integrate/statics/motion_drives.hpp"

namespace tumble {

namespace {

using Eigen::Matrix3d, Eigen::Vector3d;

/// The steady motion that belongs to a frame, if there is one at `state` with its velocities.
class FrameSearch {
 public:
  FrameSearch(const System& system, const std::vector<double>& constants,
              const std::vector<Taylor2<double>>& drives, const MotionState& state)
      : system_(system), c_(constants), state_(state) {
    motion_.drives = drives;
    motion_.own_spin.resize(system.blocks.size());
  }

  /// Sets the frame, with the axis and the spins of bodies that fit the velocities best.
  void set_frame(const Vec3d& spin) {
    motion_.spin = spin;
    motion_.centre = {};
    SteadyEquations equations(system_, c_, motion_);
    const Workspace<double>& w = equations.observe(state_);
    const double square = dot(spin, spin);
    // Of all bodies that turn with the frame; of everything, if none does.
    std::vector<Vec3d> place, velocity;
    for (std::size_t i = 1; i < w.body.size(); ++i)
      if (norm(w.body[i].w_W - spin) <= 1e-9 * norm(spin))
        place.push_back(w.body[i].p_W), velocity.push_back(w.body[i].v_W);
    const bool all = place.empty();
    for (std::size_t i = 1; all && i < w.body.size(); ++i)
      place.push_back(w.body[i].p_W), velocity.push_back(w.body[i].v_W);
    for (const BeamIndex& beam : system_.beams)
      for (int node = 0; all && node < beam.nodes; ++node) {
        Vec3d p, v;
        for (int k = 0; k < beam.dimension; ++k) {
          p[k] = w.node_q[static_cast<std::size_t>(beam.node(node) + k)];
          v[k] = w.node_v[static_cast<std::size_t>(beam.node(node) + k)];
        }
        place.push_back(p), velocity.push_back(v);
      }
    if (square > 0 && !place.empty()) {
      Vec3d mean;  // of Ω × c = Ω × p - v
      for (std::size_t i = 0; i < place.size(); ++i)
        mean += (1.0 / static_cast<double>(place.size())) * (cross(spin, place[i]) - velocity[i]);
      motion_.centre = (1 / square) * cross(mean, spin);
    }
    for (const RigidBodyIndex& body : system_.bodies) {
      if (body.block < 0) continue;
      const Block& block = system_.blocks[static_cast<std::size_t>(body.block)];
      if (block.kind != Block::Kind::rigid) continue;
      const auto& b = w.body[static_cast<std::size_t>(&body - system_.bodies.data()) + 1];
      motion_.own_spin[static_cast<std::size_t>(body.block)] =
          load3(&state_.v[static_cast<std::size_t>(block.v + 3)]) - transpose_times(b.R_WB, spin);
    }
  }

  const SteadyMotion& motion() const { return motion_; }

  /// Do points stand still in the frame, and do joints allow the motion to go on?
  bool is_possible(double tolerance, MotionState& state) {
    for (const BeamIndex& beam : system_.beams)  // a planar beam turns in its plane only
      if (beam.dimension == 2 && (motion_.spin.x != 0 || motion_.spin.y != 0)) return false;
    SteadyEquations equations(system_, c_, motion_);
    state = state_;
    equations.set_rates(state);
    const double length = equations.length_scale(state);
    double speed = 0;
    const double turning = equations.fastest(state_);
    const Workspace<double>& w = equations.observe(state_);
    for (const double v : state_.v) speed = std::max(speed, std::fabs(v));
    speed = std::max(speed, turning * length);
    double error = 0;
    for (std::size_t i = 0; i < state.v.size(); ++i)
      error = std::max(error, std::fabs(state.v[i] - state_.v[i]));
    // Bodies that drives move have no velocities in the state.
    for (std::size_t i = 1; i < w.body.size(); ++i)
      error = std::max(error,
                       norm(w.body[i].v_W - cross(motion_.spin, w.body[i].p_W - motion_.centre)));
    const auto violated = equations.violation(state);
    return error <= tolerance * speed && violated.velocity <= tolerance * speed &&
           violated.acceleration <= tolerance * std::max(speed * turning, 1e-300);
  }

 private:
  const System& system_;
  const std::vector<double>& c_;
  const MotionState& state_;
  SteadyMotion motion_;
};

/// Frames to look from: the ground, those that bodies turn with, and `more`.
std::vector<Vec3d> candidate_spins(const Workspace<double>& w, std::optional<Vec3d> more) {
  std::vector<Vec3d> spins{Vec3d{}};
  const auto add = [&](const Vec3d& spin) {
    for (const Vec3d& known : spins)
      if (norm(spin - known) <= 1e-9 * norm(spin)) return;
    spins.push_back(spin);
  };
  if (more) add(*more);
  for (std::size_t i = 1; i < w.body.size(); ++i) add(w.body[i].w_W);
  return spins;
}

/// Drives that impose motions at t = 0, with their rates; empty if nothing moves.
struct ImposedRates {
  std::vector<Taylor2<double>> drives;
  bool moving = false;
  std::string unsteady;  ///< a drive whose rate changes
};
ImposedRates imposed_rates(const System& system, const Model& model, const std::vector<double>& c) {
  ImposedRates out;
  const double* constants = c.data() + system.drive_constants;
  const std::vector<bool> moves = motion_drives(system);
  const Simulation& simulation = system.nominal.simulation;
  std::vector<Taylor2<double>> later(moves.size());
  out.drives = later;
  system.drives.evaluate(constants, 0.0, 0.5 * simulation.first_step(), out.drives.data());
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (!moves[i]) out.drives[i].rate = 0;
    out.moving = out.moving || out.drives[i].rate != 0;
  }
  constexpr int samples = 64;
  for (int k = 0; k < samples; ++k) {
    const double t = (k + 0.5) / samples * (simulation.has_motion() ? simulation.duration : 1.0);
    system.drives.evaluate(constants, t, t, later.data());
    for (std::size_t i = 0; i < moves.size(); ++i)
      if (moves[i] && out.unsteady.empty() &&
          std::fabs(later[i].rate - out.drives[i].rate) > 1e-9 * std::fabs(out.drives[i].rate))
        out.unsteady = model.drives[i].name;
  }
  for (auto& drive : out.drives) drive.second = 0;
  return out;
}

}  // namespace

SteadySearch find_driven_motion(const Plan& plan, const Model& model, const std::vector<double>& c,
                                const MotionState& state) {
  const System& system = *plan.system;
  SteadySearch out;
  out.state = state;
  const ImposedRates imposed = imposed_rates(system, model, c);
  if (!imposed.moving) return out;
  if (!imposed.unsteady.empty()) {
    out.reason = fmt::format("drive '{}' has no constant rate", imposed.unsteady);
    return out;
  }
  MotionState moving = state;
  FrameSearch search(system, c, imposed.drives, moving);
  const auto set_velocity = [&](const std::vector<double>& reference) {
    SteadyEquations equations(system, c, search.motion());
    moving.v = equations.imposed_velocity(moving, reference);
  };
  const std::vector<double> none(moving.v.size(), 0.0);
  set_velocity(none);
  std::vector<Vec3d> spins;
  {
    SteadyEquations equations(system, c, search.motion());
    spins = candidate_spins(equations.observe(moving), {});
  }
  out.reason = "the machine cannot turn as one at the rates of its drives";
  for (const Vec3d& spin : spins) {
    set_velocity(none);
    search.set_frame(spin);
    SteadyMotion rigid = search.motion();
    for (Vec3d& own : rigid.own_spin) own = {};
    MotionState turning = moving;
    SteadyEquations(system, c, rigid).set_rates(turning);
    set_velocity(turning.v);
    search.set_frame(spin);
    MotionState found;
    if (!search.is_possible(1e-8, found)) continue;
    const MotionChange change = change_while_turning(system, c, search.motion(), found);
    if (change.force > MotionChange::force_tolerance) {
      out.reason = "the forces on the machine change while it turns";
      continue;
    }
    const bool changing = change.tangent > MotionChange::tangent_tolerance;
    if (out.motion && changing) continue;
    out.motion = search.motion();
    out.state = found;
    out.changing = changing;
    if (!changing) break;
  }
  return out;
}

// ω̇ = Ω × ω and v̇ = Ω × v of all bodies, by least squares: Σ (|x|² - x xᵀ) Ω = Σ x × ẋ.
SteadySearch find_described_motion(const Plan& plan, const Model& model,
                                   const std::vector<double>& c) {
  const System& system = *plan.system;
  const double step = model.simulation.first_step();
  SteadySearch out;
  Integrator integrator(plan, c);
  integrator.start(described_start(plan, model, c, 0.5 * step), 0.0, 0.5 * step);
  integrator.restart(step);
  const MotionState described = integrator.state();
  const ImposedRates imposed = imposed_rates(system, model, c);
  out.state = described;
  double fastest = 0;
  for (const double v : described.v) fastest = std::max(fastest, std::fabs(v));
  if (fastest < 1e-12) return out;
  if (imposed.moving && !imposed.unsteady.empty()) {
    out.reason = fmt::format("drive '{}' has no constant rate", imposed.unsteady);
    return out;
  }
  FrameSearch search(system, c, imposed.drives, described);
  const Workspace<double>& w = integrator.observe();
  Matrix3d sum = Matrix3d::Zero();
  Vector3d product = Vector3d::Zero();
  const auto count = [&](const Vec3d& x, const Vec3d& rate) {
    const Matrix3d m = skew_matrix(x);
    sum -= m * m;
    product += m * Vector3d(rate.x, rate.y, rate.z);
  };
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    if (system.bodies[i].block < 0) continue;
    const Block& block = system.blocks[static_cast<std::size_t>(system.bodies[i].block)];
    const auto& b = w.body[i + 1];
    count(b.v_W, load3(&described.vdot[static_cast<std::size_t>(block.v)]));
    if (block.kind == Block::Kind::rigid)
      count(b.w_W, b.R_WB * load3(&described.vdot[static_cast<std::size_t>(block.v + 3)]));
  }
  Eigen::CompleteOrthogonalDecomposition<Matrix3d> fit(sum);
  fit.setThreshold(rank_threshold);
  const Vector3d spin = fit.solve(product);
  const double gravity = norm(model.gravity);
  out.reason = "the described motion is not steady";
  for (const Vec3d& candidate : candidate_spins(w, Vec3d{spin(0), spin(1), spin(2)})) {
    search.set_frame(candidate);
    MotionState found;
    if (!search.is_possible(MotionChange::force_tolerance, found)) continue;
    double error = 0, largest = gravity;
    for (std::size_t i = 0; i < found.vdot.size(); ++i) {
      error = std::max(error, std::fabs(found.vdot[i] - described.vdot[i]));
      largest = std::max(largest, std::fabs(described.vdot[i]));
    }
    if (error > MotionChange::force_tolerance * std::max(largest, 1e-300)) continue;
    const MotionChange change = change_while_turning(system, c, search.motion(), found);
    if (change.force > MotionChange::force_tolerance) continue;
    const bool changing = change.tangent > MotionChange::tangent_tolerance;
    if (out.motion && changing) continue;
    found.lambda = described.lambda;
    out.motion = search.motion();
    out.state = found;
    out.changing = changing;
    if (!changing) break;
  }
  return out;
}

}  // namespace tumble
