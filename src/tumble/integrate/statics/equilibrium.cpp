#include "tumble/integrate/statics/equilibrium.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/integrate/start/start_state.hpp"
#include "tumble/integrate/statics/motion_change.hpp"
#include "tumble/integrate/statics/motion_text.hpp"
#include "tumble/integrate/statics/relaxation.hpp"
#include "tumble/integrate/statics/steady_search.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {

namespace {

/// The model with `factor` of the loads that load stepping raises.
Model loaded(const Model& model, double factor) {
  Model scaled = model;
  scaled.gravity = factor * model.gravity;
  for (auto& force : scaled.forces)
    std::visit(
        [factor](auto& kind) {
          if constexpr (requires { kind.scale_load(factor); }) kind.scale_load(factor);
        },
        force.kind);
  return scaled;
}

/// Newton's method on the sparse equations of rest: quick, and it passes through the large strains
/// of slender beams on its way. It finds any equilibrium, stable or not.
class StaticNewton {
 public:
  StaticNewton(const Plan& plan, const SteadyMotion& rest, MotionState& state)
      : system_(*plan.system),
        rest_(rest),
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
    w_.time = 0;
    w_.drive = rest_.drives;
    follow_drives(system_, constants.data(), w_);
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
    const Increment size = measure_increment(c.data() + system_.weight_constants);
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
  Increment measure_increment(const double* weight) const {
    Increment size;
    for (std::size_t b = 0; b < system_.blocks.size(); ++b) {
      const Block& block = system_.blocks[b];
      const BeamIndex* beam = nullptr;
      for (const BeamIndex& index : system_.beams)
        if (index.block == static_cast<int>(b)) beam = &index;
      const bool modal = std::ranges::find(system_.modal_bodies, static_cast<int>(b),
                                           &ModalIndex::block) != system_.modal_bodies.end();
      for (int k = 0; k < block.nv; ++k) {
        const double x = std::fabs(residual_[static_cast<std::size_t>(block.v + k)]);
        if (modal) {
          size.displacement = std::max(size.displacement, x * weight[block.v + k]);
          if (!(x == x)) size.displacement = x;
          continue;
        }
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
  const SteadyMotion& rest_;
  MotionState& state_;
  Workspace<double> w_;
  KktSolver<double> kkt_;
  std::vector<double> residual_, q_;
};

/// Dense matrices of more coordinates than this take too long.
constexpr int most_coordinates = 2500;

/// What the probes see.
std::vector<double> measure(const System& system, const Model& model,
                            const std::vector<double>& constants, SteadyEquations& equations,
                            const MotionState& state) {
  const std::vector<double> offsets = probe_offsets(system, model);
  const ProbeRecorder recorder(system, offsets.data(), constants.data());
  std::vector<double> out(static_cast<std::size_t>(recorder.size()));
  recorder.measure(equations.observe(state), state, out.data());
  return out;
}

class EquilibriumSearch {
 public:
  EquilibriumSearch(const Plan& plan, const Model& model, const EquilibriumOptions& options)
      : plan_(plan),
        system_(*plan.system),
        model_(model),
        options_(options),
        constants_(prepare(system_, model)) {}

  Equilibrium run() {
    found_.state = assembled_start(plan_, model_);
    found_.motion = state_of_rest(system_, constants_);
    if (options_.kind != EquilibriumKind::rest && choose_motion()) return std::move(found_);
    if (is_rest(found_.motion) || !settle_in_motion()) settle_at_rest();
    return std::move(found_);
  }

 private:
  /// Sets the motion. True if it is the described one, about which nothing is to be found.
  bool choose_motion() {
    SteadySearch driven = find_driven_motion(plan_, model_, constants_, found_.state);
    if (driven.motion) {
      found_.motion = *driven.motion;
      found_.state = driven.state;
      note_frame(driven.changing, "in steady motion with the drives");
      return false;
    }
    if (!driven.reason.empty()) {
      hold_drives(driven.reason);
      return false;
    }
    SteadySearch described = find_described_motion(plan_, model_, constants_);
    if (described.motion) {
      found_.motion = *described.motion;
      found_.state = described.state;
      note_frame(described.changing, "the described motion is steady, and is taken as it is");
      SteadyEquations equations(system_, constants_, found_.motion);
      equations.balance(found_.state);  // finds the reactions
      found_.measured.push_back(measure(system_, model_, constants_, equations, found_.state));
      return true;
    }
    if (options_.kind == EquilibriumKind::steady)
      throw SimulationError(
          "no steady motion: " + (described.reason.empty() ? "nothing moves" : described.reason),
          0.0);
    if (!described.reason.empty())
      found_.notes.push_back("at rest: described velocities are left out, because " +
                             described.reason);
    return false;
  }

  void hold_drives(const std::string& reason) {
    if (options_.kind == EquilibriumKind::steady)
      throw SimulationError("no steady motion: " + reason, 0.0);
    found_.frame.clear();
    found_.notes = {"at rest, drives held at their values at t = 0, because " + reason};
  }

  void note_frame(bool changing, const std::string& what) {
    const Vec3d& spin = found_.motion.spin;
    const std::string frame =
        norm(spin) == 0
            ? "seen from the ground"
            : fmt::format(
                  "seen from a frame that turns at {:.6g} rad/s about ({:.3g}, "
                  "{:.3g}, {:.3g})",
                  norm(spin), spin.x / norm(spin), spin.y / norm(spin), spin.z / norm(spin));
    found_.frame.push_back(what + "; " + frame);
    if (changing)
      found_.frame.push_back(
          "the linearised equations change while the machine turns: what is said of vibrations "
          "holds at t = 0 only");
  }

  void settle_at_rest() {
    StaticNewton newton(plan_, found_.motion, found_.state);
    for (int step = 1; step <= options_.load_steps; ++step) {
      const double factor = static_cast<double>(step) / options_.load_steps;
      const bool last = step == options_.load_steps;
      const std::vector<double> constants = prepare(system_, loaded(model_, factor));
      SteadyEquations equations(system_, constants, found_.motion);
      const MotionState before = found_.state;
      int iterations = -1;
      try {
        if (step == 1) newton.estimate_reactions(constants);
        iterations = newton.solve(constants, options_.max_iterations);
      } catch (const SimulationError&) {
        // Singular: neutral, or nothing that Newton's method can find.
      }
      bool stable = true;
      if (iterations >= 0 && last) stable = note_stability(equations);
      if (iterations < 0 || !stable) {
        const MotionState newton_found = found_.state;
        found_.state = before;
        try {
          iterations = descend(equations, factor);
          if (last) note_stability(equations);
        } catch (const SimulationError&) {
          if (stable) throw;
          found_.state = newton_found;
          found_.notes.push_back(
              "unstable, and nothing stable was found: it leaves when " +
              describe_motion(system_, constants, examine(equations, newton_found).unstable[0]));
        }
      }
      // Newton's method leaves what redundant conditions do not determine as it was.
      if (plan_.redundancy && system_.nv <= most_coordinates) equations.balance(found_.state);
      found_.iterations += iterations;
      found_.measured.push_back(measure(system_, model_, constants, equations, found_.state));
    }
  }

  /// False if what was found does not stay balanced: a level shaft turns its load against gravity.
  bool settle_in_motion() {
    SteadyEquations equations(system_, constants_, found_.motion);
    found_.iterations = descend(equations, 1);
    if (change_while_turning(system_, constants_, found_.motion, found_.state).force >
        MotionChange::force_tolerance) {
      hold_drives("the forces on the machine change while it turns");
      found_.state = assembled_start(plan_, model_);
      found_.motion = state_of_rest(system_, constants_);
      found_.iterations = 0;
      return false;
    }
    note_stability(equations);
    found_.measured.push_back(measure(system_, model_, constants_, equations, found_.state));
    return true;
  }

  int descend(SteadyEquations& equations, double factor) {
    if (system_.nv > most_coordinates)
      throw SimulationError(
          fmt::format("no equilibrium found at {} of the loads by Newton's method, and {} "
                      "coordinates are too many for others; use more load steps",
                      format_number(factor), system_.nv),
          0.0);
    const Relaxation relaxed = relax(equations, found_.state);
    if (relaxed.converged) return relaxed.iterations;
    throw SimulationError(
        fmt::format("no equilibrium found{}: {}, and nothing brings it to rest",
                    options_.load_steps > 1
                        ? fmt::format(" at {} of the loads", format_number(factor))
                        : "",
                    relaxed.moving.empty() ? "the constraints cannot be met" : relaxed.moving),
        0.0);
  }

  /// False if the equilibrium is unstable; notes which motions nothing resists.
  bool note_stability(SteadyEquations& equations) {
    if (system_.nv > most_coordinates) {
      found_.notes.push_back(fmt::format(
          "whether it is stable was not examined: {} coordinates are too many", system_.nv));
      return true;
    }
    const Stability stability = examine(equations, found_.state);
    if (!stability.unstable.empty()) return false;
    for (const auto& way : stability.neutral)
      found_.notes.push_back("neutral: nothing resists when " +
                             describe_motion(system_, equations.constants(), way));
    return true;
  }

  const Plan& plan_;
  const System& system_;
  const Model& model_;
  const EquilibriumOptions& options_;
  const std::vector<double> constants_;
  Equilibrium found_;
};

}  // namespace

MotionState assembled_start(const Plan& plan, const Model& model) {
  const std::vector<double> constants = prepare(*plan.system, model);
  Integrator integrator(plan, constants);
  const double inside = 0.5 * model.simulation.first_step();
  integrator.start(described_start(plan, model, constants, inside), 0.0, inside);
  MotionState state = integrator.state();
  for (auto* x : {&state.v, &state.vdot, &state.lambda}) std::fill(x->begin(), x->end(), 0.0);
  return state;
}

void refuse_states(const Plan& plan) {
  if (plan.system->states.empty()) return;
  Diagnostic d;
  d.element = "state '" + plan.system->states.front().name + "'";
  d.where = locate(plan.system->nominal, "states." + plan.system->states.front().name);
  d.expectation =
      "equilibria and modes of machines with state variables are not computed: let a run settle";
  throw InputError({d});
}

Equilibrium find_equilibrium(const Plan& plan, const Model& model,
                             const EquilibriumOptions& options) {
  refuse_states(plan);
  return EquilibriumSearch(plan, model, options).run();
}

Equilibrium described_state(const Plan& plan, const Model& model) {
  refuse_states(plan);
  const std::vector<double> constants = prepare(*plan.system, model);
  Equilibrium out;
  const SteadySearch described = find_described_motion(plan, model, constants);
  if (described.motion) {
    out.state = described.state;
    out.motion = *described.motion;
    SteadyEquations(*plan.system, constants, out.motion).balance(out.state);
    return out;
  }
  out.state = assembled_start(plan, model);
  out.motion = state_of_rest(*plan.system, constants);
  if (!described.reason.empty())
    out.notes.push_back("described velocities are left out, because " + described.reason);
  return out;
}

}  // namespace tumble
