#include "tumble/integrate/equilibrium.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/integrate/probe_recorder.hpp"

namespace tumble {

namespace {

/// The model with `factor` of the loads that load stepping raises.
Model loaded(const Model& model, double factor) {
  Model scaled = model;
  scaled.gravity = factor * model.gravity;
  for (auto& force : scaled.forces) {
    if (auto* applied = std::get_if<AppliedForce>(&force.kind)) {
      applied->force = factor * applied->force;
      applied->torque = factor * applied->torque;
    } else if (auto* point = std::get_if<PointLoad>(&force.kind)) {
      point->force = factor * point->force;
    } else if (auto* line = std::get_if<LineLoad>(&force.kind)) {
      line->force = factor * line->force;
      if (line->force_end) line->force_end = factor * *line->force_end;
    }
  }
  return scaled;
}

class StaticNewton {
 public:
  StaticNewton(const Plan& plan, MotionState& state)
      : system_(*plan.system),
        state_(state),
        w_(system_),
        kkt_(plan),
        residual_(static_cast<std::size_t>(system_.nv + system_.nc)),
        q_(state.q) {}

  /// Reactions as they would be if the system were let go now: without any, a pendulum would have
  /// no stiffness. [M Gᵀ; G 0] [v̇; λ] = [-r; 0]
  void estimate_reactions(const std::vector<double>& c) {
    observe(c);
    residual(system_, c.data(), state_.vdot.data(), state_.lambda.data(), w_, residual_.data());
    tangent(system_, c.data(), state_.vdot.data(), state_.lambda.data(), w_);
    for (std::size_t i = 0; i < residual_.size(); ++i)
      residual_[i] = i < state_.v.size() ? -residual_[i] : 0.0;
    kkt_.factor(w_, 0, 0, nullptr, 0.0, true);
    kkt_.solve(residual_.data(), residual_.data());
    std::copy(residual_.begin() + system_.nv, residual_.end(), state_.lambda.begin());
  }

  /// Returns the number of iterations, or -1 if they do not converge.
  int solve(const std::vector<double>& constants, int max_iterations) {
    for (auto& motion : w_.prescribed) motion.placed = false;
    double before = 0;
    for (int iteration = 1; iteration <= max_iterations; ++iteration) {
      const double step = iterate(constants);
      if (!std::isfinite(step)) return -1;
      // Newton's last increment is squared by the next one; at rounding it only gets no smaller.
      if (step <= 1e-9 || (step <= 1e-6 && iteration > 2 && step >= 0.5 * before)) return iteration;
      before = step;
    }
    return -1;
  }

  /// Kinematics at the state.
  Workspace<double>& observe(const std::vector<double>& constants) {
    update_drives(system_, constants.data(), 0.0, 0.0, w_);
    update_bodies(system_, state_.q.data(), state_.v.data(), w_);
    return w_;
  }

 private:
  /// One increment; returns its size. No body turns by more than a fifth of a radian, and no slope
  /// of a beam changes by more than that.
  double iterate(const std::vector<double>& c) {
    observe(c);
    residual(system_, c.data(), state_.vdot.data(), state_.lambda.data(), w_, residual_.data());
    tangent(system_, c.data(), state_.vdot.data(), state_.lambda.data(), w_);
    std::fill(w_.M.begin(), w_.M.end(), 0.0);
    for (double& r : residual_) r = -r;
    kkt_.factor(w_, 0, 1, nullptr, 0.0, true);
    kkt_.solve(residual_.data(), residual_.data());
    const Increment size = measure_increment();
    constexpr double largest = 0.2;
    const double part = size.angle > largest ? largest / size.angle : 1;
    for (int i = 0; i < system_.nv; ++i) residual_[static_cast<std::size_t>(i)] *= part;
    compose(system_, state_.q.data(), residual_.data(), q_.data());
    state_.q.swap(q_);
    for (std::size_t i = 0; i < state_.lambda.size(); ++i)
      state_.lambda[i] += part * residual_[static_cast<std::size_t>(system_.nv) + i];
    return std::max(size.angle, size.displacement / length_scale());
  }

  struct Increment {
    double angle = 0;         ///< rotations and slopes
    double displacement = 0;  ///< [m]
  };
  Increment measure_increment() const {
    Increment size;
    for (std::size_t b = 0; b < system_.blocks.size(); ++b) {
      const Block& block = system_.blocks[b];
      const BeamIndex* beam = nullptr;
      for (const BeamIndex& index : system_.beams)
        if (index.block == static_cast<int>(b)) beam = &index;
      for (int k = 0; k < block.nv; ++k) {
        const double x = std::fabs(residual_[static_cast<std::size_t>(block.v + k)]);
        const bool position = beam != nullptr ? k % beam->node_size() < beam->dimension : k < 3;
        double& largest = position ? size.displacement : size.angle;
        if (!(x <= largest)) largest = x;  // keeps NaN
      }
    }
    return size;
  }
  /// The farthest point from the origin, or a millimetre.
  double length_scale() const {
    double length = 1e-3;
    for (const auto& body : w_.body) length = std::max(length, norm(body.p_W));
    for (const BeamIndex& beam : system_.beams)
      for (int node = 0; node < beam.nodes; ++node)
        for (int k = 0; k < beam.dimension; ++k)
          length =
              std::max(length, std::fabs(w_.node_q[static_cast<std::size_t>(beam.node(node) + k)]));
    return length;
  }

  const System& system_;
  MotionState& state_;
  Workspace<double> w_;
  KktSolver<double> kkt_;
  std::vector<double> residual_, q_;
};

}  // namespace

MotionState assembled_start(const Plan& plan, const Model& model) {
  const std::vector<double> constants = prepare(*plan.system, model);
  Integrator integrator(plan, constants);
  integrator.start(initial_state(*plan.system, model), 0.0, 0.0);
  MotionState state = integrator.state();
  for (auto* x : {&state.v, &state.vdot, &state.lambda}) std::fill(x->begin(), x->end(), 0.0);
  return state;
}

Equilibrium find_equilibrium(const Plan& plan, const Model& model,
                             const EquilibriumOptions& options) {
  Equilibrium result;
  result.state = assembled_start(plan, model);
  StaticNewton newton(plan, result.state);
  const std::vector<double> offsets = probe_offsets(*plan.system, model);
  for (int step = 1; step <= options.load_steps; ++step) {
    const double factor = static_cast<double>(step) / options.load_steps;
    const std::vector<double> constants = prepare(*plan.system, loaded(model, factor));
    if (step == 1) newton.estimate_reactions(constants);
    const int iterations = newton.solve(constants, options.max_iterations);
    if (iterations < 0)
      throw SimulationError(
          fmt::format("no equilibrium found at {} of the loads, in step {} of {}; use more load "
                      "steps, or there is none nearby",
                      format_number(factor), step, options.load_steps),
          0.0);
    result.iterations += iterations;
    const ProbeRecorder recorder(*plan.system, offsets.data(), constants.data());
    result.measured.emplace_back(static_cast<std::size_t>(recorder.size()));
    recorder.measure(newton.observe(constants), result.state, result.measured.back().data());
  }
  return result;
}

}  // namespace tumble
