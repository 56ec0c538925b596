#include "tumble/integrate/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "tumble/integrate/start/joint_path.hpp"
#include "tumble/integrate/start/joints_mistake.hpp"
#include "tumble/integrate/start/singular_start.hpp"
#include "tumble/integrate/start/start_state.hpp"
#include "tumble/integrate/statics/equilibrium.hpp"
#include "tumble/integrate/step/follow_schedule.hpp"
#include "tumble/integrate/step/integrator.hpp"
#include "tumble/integrate/step/schedule.hpp"
#include "tumble/integrate/watch/redundancy.hpp"
#include "tumble/math/elimination.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/system.hpp"

namespace tumble {

namespace {

/// A fixed, irregular displacement of every coordinate: symmetric starts make entries vanish that
/// matter later, and a pivot must not be chosen for such a zero.
std::vector<double> irregular_increment(const System& system) {
  std::vector<double> u(static_cast<std::size_t>(system.nv));
  double x = 0.5;
  for (double& ui : u) {
    x = x + 0.6180339887498949;  // golden-section steps fill (0, 1) evenly
    x -= static_cast<int>(x);
    ui = 0.6 * x - 0.3;
  }
  // Nodes this far apart would be torn: a beam is bent by some per cent of its elements' length.
  for (std::size_t i = 0; i < system.beams.size(); ++i) {
    const BeamIndex& beam = system.beams[i];
    const double length = beam_shape(system.nominal.beams[i]).element_length;
    for (int k = 0; k < beam.nodes * beam.node_size(); ++k) {
      const bool position = k % beam.node_size() < beam.dimension;
      u[static_cast<std::size_t>(system.beam_v + beam.coordinates + k)] *=
          position ? 0.1 * length : 0.1;
    }
  }
  // Amplitudes of modes have units of their own: they displace the body by some per cent of its
  // size.
  for (const ModalIndex& modal : system.modal_bodies) {
    const Body& body = system.nominal.bodies[static_cast<std::size_t>(modal.body) - 1];
    const double gyration =
        std::sqrt((body.inertia[0] + body.inertia[1] + body.inertia[2]) / (2 * body.mass));
    for (int k = 0; k < modal.modes; ++k)
      u[static_cast<std::size_t>(system.modal_v + modal.first + k)] *=
          0.1 * gyration *
          std::sqrt(body.mass / body.modal->data->modal_mass[static_cast<std::size_t>(k)]);
  }
  return u;
}

/// The nominal model with every second body's mass and inertia `factor` times as large, the others'
/// as much smaller, and density and modulus of beams, stiffness and damping of bushings likewise.
/// The order must serve every realisation; which of them a study will draw is not asked, so that
/// extending it cannot change what the first ones computed.
Model stretched(const Model& nominal, double factor) {
  Model model = nominal;
  auto next = [f = factor]() mutable { return std::exchange(f, 1 / f); };
  for (auto& body : model.bodies) {
    const double f = next();
    body.mass *= f;
    for (double& J : body.inertia) J *= f;
    if (body.modal) body.modal->stiffness_factor *= next();
  }
  for (auto& beam : model.beams) {
    const double f = next();
    beam.density *= f;
    beam.youngs_modulus *= next();
  }
  for (auto& force : model.forces)
    if (auto* bushing = std::get_if<Bushing>(&force.kind)) {
      const double f = next();
      for (double& k : bushing->stiffness) k *= f;
      for (double& c : bushing->damping) c *= f;
    }
  return model;
}

/// Iteration matrices an order must serve, each over the slots of the pattern.
using Samples = std::vector<std::vector<double>>;

/// What softens redundant conditions stands behind the slots of the pattern.
void append_compliance(const Redundancy* redundancy, std::vector<double>& sample) {
  if (redundancy == nullptr) return;
  for (const double c : redundancy->compliance) sample.push_back(-c);
}

/// At the start and at a displaced configuration, with and without a step's share of damping and
/// stiffness. The first two are those of the nominal start.
Samples start_samples(const System& s, const Redundancy* redundancy) {
  InitialState initial = initial_state(s, s.nominal);
  if (redundancy != nullptr) initial.q = redundancy->place;
  const double h = s.nominal.simulation.first_step();
  const auto alpha = GeneralizedAlpha::with_spectral_radius(s.nominal.simulation.spectral_radius);
  const std::vector<double> zero_v(static_cast<std::size_t>(s.nv), 0.0);
  const std::vector<double> zero_lambda(static_cast<std::size_t>(s.nc), 0.0);
  Samples samples;
  const auto add_samples = [&](const Model& model, const std::vector<double>& q) {
    std::vector<double> constants = prepare(s, model);
    Workspace<double> w(s);
    update_drives(s, constants.data(), 0.0, 0.5 * h, w);
    update_bodies(s, q.data(), initial.v.data(), w);
    // Where the start is far from the description, gradients of locks that do not fit may vanish.
    if (const auto pose = described_pose(s, model, constants, 0.5 * h); pose.needs_placement()) {
      place_prescribed(s, pose, {}, w);
      fit_axes(s, pose, {}, prepare(s, model), constants, w);
    }
    tangent(s, constants.data(), zero_v.data(), zero_lambda.data(), w);
    for (const bool stepping : {false, true}) {
      samples.emplace_back(static_cast<std::size_t>(s.pattern.nonzeros()));
      assemble_kkt(s, w, stepping ? alpha.velocity_factor(h) : 0.0,
                   stepping ? alpha.position_factor(h) : 0.0, static_cast<double*>(nullptr),
                   samples.back().data());
      require_finite(s, samples.back(), 0.0);
      append_compliance(redundancy, samples.back());
    }
  };
  add_samples(s.nominal, initial.q);
  const std::size_t nominal = samples.size();
  std::vector<double> q = initial.q;
  compose(s, initial.q.data(), irregular_increment(s).data(), q.data());
  try {
    add_samples(s.nominal, q);
    for (const double factor : {10.0, 0.1}) add_samples(stretched(s.nominal, factor), q);
  } catch (const SimulationError&) {
    // Where the model may never come, forces may overflow and user elements need not have an
    // answer.
    while (samples.size() > nominal) samples.pop_back();
  }
  return samples;
}

/// Keeps a few of very many matrices, evenly spread: when full, every second one is dropped and
/// from then on only every second one is taken.
class ThinnedSamples {
 public:
  void offer(const std::vector<double>& matrix) {
    if (offered_++ % stride_ != 0) return;
    kept_.push_back(matrix);
    if (kept_.size() < most) return;
    for (std::size_t i = 0; 2 * i < kept_.size(); ++i) std::swap(kept_[i], kept_[2 * i]);
    kept_.resize((kept_.size() + 1) / 2);
    stride_ *= 2;
  }
  Samples& kept() { return kept_; }

 private:
  static constexpr std::size_t most = 16;
  Samples kept_;
  long offered_ = 0, stride_ = 1;
};

/// The nominal run as far as it gets without help in a limited number of steps, for the matrices
/// that it factors.
class Rehearsal {
 public:
  explicit Rehearsal(const Plan& plan)
      : plan_(plan),
        constants_(prepare(*plan.system, plan.system->nominal)),
        schedule_(make_schedule(*plan.system, plan.system->nominal)),
        integrator_(plan, constants_) {}

  Samples samples() {
    const double h = schedule_.segments.front().step_size;
    try {
      integrator_.start(start_state(plan_, plan_.system->nominal, constants_, 0.5 * h), 0.0,
                        0.5 * h);
      integrator_.restart(h);
      follow_schedule(schedule_, *this);
    } catch (const std::runtime_error&) {
      // What the run met before it failed is still worth knowing; failing is for the study to tell.
    }
    return std::move(samples_.kept());
  }

  // What follow_schedule() asks for.
  void set_step(double h) { integrator_.restart(h); }
  bool step(double /*before*/, double after) {
    constexpr long most_steps = 20000;
    if (++steps_ > most_steps || !integrator_.step(after)) return false;
    if (integrator_.statistics().factorizations != factorizations_) {
      factorizations_ = integrator_.statistics().factorizations;
      samples_.offer(integrator_.iteration_matrix());
    }
    return true;
  }
  bool reach(std::size_t /*segment*/, const Segment&) { return true; }
  void leave_break(double /*time*/, double next_step) { integrator_.restart(next_step); }

 private:
  const Plan& plan_;
  const std::vector<double> constants_;
  const Schedule schedule_;
  Integrator integrator_;
  ThinnedSamples samples_;
  long steps_ = 0, factorizations_ = 0;
};

/// The sine of half a turn is 1e-16 on a computer, and scaling makes as much of it as of any other
/// number: what rounding leaves of a zero in the gradients must not hide that they are dependent.
std::optional<EliminationFailure> hidden_singularity(const System& s,
                                                     const std::vector<double>& sample) {
  std::vector<double> cleaned = sample;
  bool found = false;
  for (int row = s.nv; row < s.nv + s.nc; ++row) {
    const auto first = static_cast<std::size_t>(s.pattern.row_start[static_cast<std::size_t>(row)]);
    const auto last =
        static_cast<std::size_t>(s.pattern.row_start[static_cast<std::size_t>(row) + 1]);
    double largest = 0;
    for (std::size_t slot = first; slot < last; ++slot)
      largest = std::max(largest, std::fabs(sample[slot]));
    for (std::size_t slot = first; slot < last; ++slot) {
      if (sample[slot] == 0 || std::fabs(sample[slot]) > 1e-14 * largest) continue;
      cleaned[slot] = 0;
      cleaned[static_cast<std::size_t>(s.pattern.slot(s.pattern.column[slot], row))] = 0;
      found = true;
    }
  }
  if (!found) return std::nullopt;
  EliminationOptions one_order;
  one_order.search_lines = {16};
  one_order.search_fronts = {};
  auto result = analyze(s.pattern, std::span(&cleaned, 1), one_order);
  if (auto* failure = std::get_if<EliminationFailure>(&result)) return std::move(*failure);
  return std::nullopt;
}

}  // namespace

const Model& Plan::model() const { return system->nominal; }

const ParameterTable& Plan::parameters() const { return system->parameters; }

int Plan::degrees_of_freedom() const {
  const int states = static_cast<int>(system->states.size());  // they are no motions
  return system->nv - states - system->nc + (redundancy ? redundancy->count : 0);
}

const std::vector<double>* Plan::compliance() const {
  return redundancy ? &redundancy->compliance : nullptr;
}

Plan make_plan(const Model& model) { return make_plan(compile(model)); }

/// Friction of a joint needs its reaction, which redundant conditions may leave open.
static void refuse_undetermined_friction(const System& s, const Redundancy& redundancy) {
  for (const JointFrictionIndex& friction : s.all<JointFrictionIndex>())
    for (int i = 0; i < friction.rows; ++i)
      for (int n = 0; n < redundancy.count; ++n) {
        const int row = friction.row[static_cast<std::size_t>(i)];
        if (std::fabs(redundancy.null_space[static_cast<std::size_t>(n * s.nc + row)]) < 1e-7)
          continue;
        const auto& coordinate = s.coordinates[static_cast<std::size_t>(friction.coordinate)];
        Diagnostic d;
        d.element = "joint_friction '" + friction.name + "'";
        d.field = "joint";
        d.where = locate(s.nominal, "forces." + friction.name + ".joint");
        d.value = "'" + s.nominal.joints[static_cast<std::size_t>(coordinate.joint)].name + "'";
        d.expectation = fmt::format("its reaction is not determined: {}; {}", redundancy.summary(),
                                    redundancy.remedy);
        throw InputError({d});
      }
}

Plan make_plan(std::shared_ptr<const System> system) {
  const System& s = *system;
  std::shared_ptr<const Redundancy> redundancy;
  if (has_loops(s)) redundancy = find_redundancy(s);
  if (redundancy && s.nominal.simulation.redundancy == RedundancyPolicy::refuse)
    throw InputError(
        {joints_mistake(s, fmt::format("{}; {}, or let `simulation.redundancy` be `resolve`",
                                       redundancy->summary(), redundancy->remedy))});
  if (redundancy) refuse_undetermined_friction(s, *redundancy);
  const Samples samples = start_samples(s, redundancy.get());
  auto result = analyze_kkt(s, samples);
  if (std::holds_alternative<EliminationFailure>(result)) {
    result = analyze_kkt(s, std::span(samples).first(2));
  } else if (!redundancy) {
    if (auto failure = hidden_singularity(s, samples.front())) result = std::move(*failure);
  }
  if (const auto* failure = std::get_if<EliminationFailure>(&result)) {
    const std::string what = describe_singularity(s, *failure);
    if (starts_in_singular_position(s)) throw_singular_start(s, what);
    throw InputError({joints_mistake(
        s, "redundant or contradictory at t = 0: " + what +
               "; lock fewer motions (a planar loop needs its in-plane motions only)")});
  }
  return {std::move(system),
          std::make_shared<const Elimination>(std::get<Elimination>(std::move(result))),
          std::move(redundancy)};
}

Plan rehearse(const Plan& plan) {
  Samples samples = start_samples(*plan.system, plan.redundancy.get());
  for (auto& matrix : Rehearsal(plan).samples()) samples.push_back(std::move(matrix));
  auto result = analyze_kkt(*plan.system, samples);
  if (std::holds_alternative<EliminationFailure>(result)) return plan;
  return {plan.system,
          std::make_shared<const Elimination>(std::get<Elimination>(std::move(result))),
          plan.redundancy};
}

}  // namespace tumble
