#include "tumble/integrate/statics/linear_equations.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/integrate/statics/motion_drives.hpp"
#include "tumble/integrate/statics/steady_equations.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble {
namespace {

using Eigen::Index, Eigen::MatrixXcd, Eigen::MatrixXd, Eigen::VectorXd;

[[noreturn]] void refuse(const std::string& name, const std::string& why,
                         const std::string& suggestion = {}) {
  Diagnostic mistake;
  mistake.element = "input";
  mistake.value = "'" + name + "'";
  mistake.expectation = why;
  mistake.suggestion = suggestion;
  throw InputError({mistake});
}

/// The drives that a drive is made of at every instant.
const std::vector<DriveRef>* parts_of(const Drive& drive) {
  if (const auto* sum = std::get_if<SumDrive>(&drive.kind)) return &sum->of;
  if (const auto* product = std::get_if<ProductDrive>(&drive.kind)) return &product->of;
  return nullptr;
}

std::size_t place_of(const std::vector<Drive>& drives, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(drives, name, &Drive::name) - drives.begin());
}

/// Whether drives that remember follow this one: what they do is no function of its value.
const Drive* remembering(const std::vector<Drive>& drives, const std::string& name) {
  for (const Drive& drive : drives) {
    const auto* integral = std::get_if<IntegralDrive>(&drive.kind);
    const auto* delayed = std::get_if<DelayedDrive>(&drive.kind);
    if ((integral != nullptr && integral->of.name == name) ||
        (delayed != nullptr && delayed->of.name == name))
      return &drive;
    if (const auto* parts = parts_of(drive); parts != nullptr)
      for (const DriveRef& part : *parts)
        if (part.name == name)
          if (const Drive* found = remembering(drives, drive.name); found != nullptr) return found;
  }
  return nullptr;
}

/// Whether a drive, or one that is made of it, is marked.
bool reaches(const std::vector<Drive>& drives, std::size_t drive, const std::vector<bool>& marked) {
  if (marked[drive]) return true;
  for (std::size_t i = 0; i < drives.size(); ++i)
    if (const auto* parts = parts_of(drives[i]); parts != nullptr)
      for (const DriveRef& part : *parts)
        if (part.name == drives[drive].name && reaches(drives, i, marked)) return true;
  return false;
}

/// Values of all drives where one has others, and what is made of it follows.
std::vector<Taylor2<double>> with_drive(const std::vector<Drive>& drives,
                                        std::vector<Taylor2<double>> values, std::size_t changed,
                                        const Taylor2<double>& value) {
  const std::vector<Taylor2<double>> before = values;
  std::vector<int> known(drives.size(), 0);
  values[changed] = value;
  known[changed] = 1;
  // What a drive differs by from what its parts give, its rate that is held still, stays.
  const auto combined = [&](std::size_t i, const std::vector<Taylor2<double>>& of) {
    const bool sum = std::holds_alternative<SumDrive>(drives[i].kind);
    Taylor2<double> out{sum ? 0.0 : 1.0, 0, 0};
    for (const DriveRef& part : *parts_of(drives[i])) {
      const Taylor2<double>& x = of[place_of(drives, part.name)];
      out = sum ? out + x : out * x;
    }
    return out;
  };
  const auto settle = [&](const auto& self, std::size_t i) -> void {
    if (known[i] != 0) return;
    known[i] = 1;
    const auto* parts = parts_of(drives[i]);
    if (parts == nullptr) return;
    for (const DriveRef& part : *parts) self(self, place_of(drives, part.name));
    const Taylor2<double> old = combined(i, before), now = combined(i, values);
    values[i] = {before[i].value + (now.value - old.value), before[i].rate + (now.rate - old.rate),
                 before[i].second + (now.second - old.second)};
  };
  for (std::size_t i = 0; i < drives.size(); ++i) settle(settle, i);
  return values;
}

/// By differences of fourth order: f(x) is at a distance x from where the derivative is wanted.
template <class F>
VectorXd slope(double h, const F& f) {
  const VectorXd near = f(h) - f(-h), far = f(2 * h) - f(-2 * h);
  return (8 * near - far) / (12 * h);
}

/// "rod.x", "rod.turn_y", "bar.node_3[2]": what each coordinate is called, and its unit.
std::vector<StateSpace::Named> coordinate_names(const System& system) {
  std::vector<StateSpace::Named> names(static_cast<std::size_t>(system.nv));
  constexpr const char* axes = "xyz";
  for (const RigidBodyIndex& body : system.bodies) {
    if (body.block < 0) continue;
    const Block& block = system.blocks[static_cast<std::size_t>(body.block)];
    for (int k = 0; k < 3; ++k) {
      names[static_cast<std::size_t>(block.v + k)] = {fmt::format("{}.{}", body.name, axes[k]),
                                                      "m"};
      if (block.kind == Block::Kind::rigid)
        names[static_cast<std::size_t>(block.v + 3 + k)] = {
            fmt::format("{}.turn_{}", body.name, axes[k]), "rad"};
    }
  }
  for (const BeamIndex& beam : system.beams)
    for (int node = 0; node < beam.nodes; ++node)
      for (int k = 0; k < beam.node_size(); ++k) {
        const bool place = k < beam.dimension;
        names[static_cast<std::size_t>(system.beam_v + beam.node(node) + k)] = {
            place ? fmt::format("{}.node_{}.{}", beam.name, node, axes[k])
                  : fmt::format("{}.node_{}.gradient_{}", beam.name, node, k - beam.dimension),
            place ? "m" : "1"};
      }
  for (const ModalIndex& modal : system.modal_bodies)
    for (int k = 0; k < modal.modes; ++k)
      names[static_cast<std::size_t>(system.modal_v + modal.first + k)] = {
          fmt::format("{}.mode_{}", modal.name, k + 1), "1"};
  return names;
}

std::string per(const std::string& unit, const char* time) {
  return unit.empty() ? std::string{} : (unit == "1" ? "1" : unit) + "/" + time;
}

}  // namespace

LinearInput linear_input(const Plan& plan, const std::string& name) {
  const std::vector<Drive>& drives = plan.system->nominal.drives;
  if (const std::size_t i = place_of(drives, name); i < drives.size()) {
    if (const Drive* drive = remembering(drives, name); drive != nullptr)
      refuse(name, fmt::format("drive '{}' depends on its past, not on its value", drive->name));
    return {name, {}, static_cast<int>(i), -1, reaches(drives, i, motion_drives(*plan.system))};
  }
  const ParameterTable& table = plan.parameters();
  const int slot = table.find(name);
  const bool load = name.starts_with("forces.") || name.starts_with("gravity");
  if (slot >= 0 && load)
    return {name, std::string(table.slots()[static_cast<std::size_t>(slot)].unit), -1, slot, false};
  std::vector<std::string> known;
  for (const Drive& drive : drives) known.push_back(drive.name);
  for (const Slot& s : table.slots())
    if (s.path.starts_with("forces.") || s.path.starts_with("gravity")) known.push_back(s.path);
  refuse(name, "must be a drive, or a number of the forces or of gravity",
         nearest_name(name, known));
}

std::vector<LinearInput> default_inputs(const Plan& plan) {
  const std::vector<Drive>& drives = plan.system->nominal.drives;
  std::vector<LinearInput> inputs;
  for (const Drive& drive : drives)
    if (std::holds_alternative<InputDrive>(drive.kind))
      inputs.push_back(linear_input(plan, drive.name));
  if (!inputs.empty()) return inputs;
  for (const Drive& drive : drives) {
    const bool used = std::ranges::any_of(drives, [&](const Drive& other) {
      const auto* parts = parts_of(other);
      return parts != nullptr &&
             std::ranges::find(*parts, drive.name, &DriveRef::name) != parts->end();
    });
    if (!used && remembering(drives, drive.name) == nullptr)
      inputs.push_back(linear_input(plan, drive.name));
  }
  return inputs;
}

Equilibrium held_start(const Plan& plan, const Model& model) {
  Equilibrium start = described_state(plan, model);
  const std::vector<double> constants = prepare(*plan.system, model);
  SteadyEquations equations(*plan.system, constants, start.motion);
  const VectorXd loads = equations.residual_at(start.state).force;
  const VectorXd left = equations.balance(start.state).force;
  const double most = std::max(loads.size() > 0 ? loads.cwiseAbs().maxCoeff() : 0.0, 1e-300);
  const MatrixXd Z = allowed_motions(equations.linearize(start.state).G);
  const VectorXd free = Z.transpose() * left;
  if (free.size() > 0 && free.cwiseAbs().maxCoeff() > 1e-6 * most)
    start.notes.push_back(
        "the described start is no equilibrium: the equations are those of a machine that constant "
        "forces hold there");
  return start;
}

struct LinearEquations::Matrices {
  std::vector<StateSpace::Named> coordinates;
  MatrixXd Z, S;        ///< y = Z x + S u
  MatrixXd M, C, K;     ///< of all coordinates
  MatrixXd F0, F1, F2;  ///< of inputs
  MatrixXd reactions;   ///< -(Gᵀ)⁺
  MatrixXd H0, H1, H2;  ///< of y, ẏ, ÿ along the columns of [Z S]
  MatrixXd Hl;          ///< of λ
  MatrixXd U0, U1, U2;  ///< of inputs alone
};

namespace {

/// The equations at a displaced state, and what is probed there.
class DisplacedMachine {
 public:
  DisplacedMachine(const Plan& plan, const Model& model, const Equilibrium& about,
                   const std::vector<LinearOutput>& outputs)
      : system_(*plan.system),
        model_(model),
        about_(about),
        outputs_(outputs),
        constants_(prepare(system_, model)),
        offsets_(probe_offsets(system_, model)),
        equations_(system_, constants_, about.motion) {
    equations_.track_angles(about.state);
  }

  const std::vector<double>& constants() const { return constants_; }
  SteadyEquations& equations() { return equations_; }

  /// The outputs at a displacement of the coordinates, their rates and accelerations, and λ.
  VectorXd outputs(const SteadyEquations::Displacement& by) {
    return measure(equations_, constants_, equations_.displaced(about_.state, by));
  }

  /// Outputs, forces and violations where an input is changed and nothing else.
  struct Response {
    VectorXd outputs, force, violation;
  };
  Response with_input(const LinearInput& input, const Taylor2<double>& by) {
    if (input.slot >= 0) {
      Realization numbers(model_);
      numbers.set(input.slot, numbers.get(input.slot) + by.value);
      const std::vector<double> constants = prepare(system_, numbers.model());
      SteadyEquations equations(system_, constants, about_.motion);
      return respond(equations, constants);
    }
    SteadyMotion motion = about_.motion;
    const auto i = static_cast<std::size_t>(input.drive);
    const Taylor2<double>& now = motion.drives[i];
    motion.drives = with_drive(system_.nominal.drives, motion.drives, i,
                               {now.value + by.value, now.rate + by.rate, now.second + by.second});
    SteadyEquations equations(system_, constants_, motion);
    return respond(equations, constants_);
  }

 private:
  Response respond(SteadyEquations& equations, const std::vector<double>& constants) {
    equations.track_angles(about_.state);
    auto [force, violation] = equations.residual_at(about_.state);
    return {measure(equations, constants, about_.state), std::move(force), std::move(violation)};
  }
  VectorXd measure(SteadyEquations& equations, const std::vector<double>& constants,
                   const MotionState& state) {
    const ProbeRecorder recorder(system_, offsets_.data(), constants.data());
    std::vector<double> all(static_cast<std::size_t>(recorder.size()));
    recorder.measure(equations.observe(state), state, all.data());
    VectorXd chosen(static_cast<Index>(outputs_.size()));
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      chosen(static_cast<Index>(i)) = all[outputs_[i].place];
    return chosen;
  }

  const System& system_;
  const Model& model_;
  const Equilibrium& about_;
  const std::vector<LinearOutput>& outputs_;
  const std::vector<double> constants_, offsets_;
  SteadyEquations equations_;
};

/// The motions that conditions allow, in as many of the coordinates themselves: those that the
/// others follow best. Rotations count with the machine's size, so that a pendulum has an angle.
MatrixXd independent_motions(const MatrixXd& allowed, const VectorXd& size,
                             std::vector<Index>& chosen) {
  const Index n = allowed.cols();
  Eigen::ColPivHouseholderQR<MatrixXd> qr((size.asDiagonal() * allowed).transpose());
  MatrixXd rows(n, n);
  for (Index i = 0; i < n; ++i) chosen.push_back(qr.colsPermutation().indices()(i));
  std::sort(chosen.begin(), chosen.end());
  for (Index i = 0; i < n; ++i) rows.row(i) = allowed.row(chosen[static_cast<std::size_t>(i)]);
  MatrixXd Z = rows.transpose().partialPivLu().solve(allowed.transpose()).transpose();
  for (Index i = 0; i < n; ++i) Z.row(chosen[static_cast<std::size_t>(i)]).setZero();
  for (Index i = 0; i < n; ++i) Z(chosen[static_cast<std::size_t>(i)], i) = 1;
  return Z;
}

}  // namespace

LinearEquations::LinearEquations(const Plan& plan, const Model& model, const Equilibrium& about,
                                 std::vector<LinearInput> inputs, std::vector<LinearOutput> outputs)
    : inputs_(std::move(inputs)), outputs_(std::move(outputs)) {
  refuse_states(plan);
  const System& system = *plan.system;
  DisplacedMachine machine(plan, model, about, outputs_);
  SteadyEquations& equations = machine.equations();
  Linearization lin = equations.linearize(about.state);
  auto m = std::make_unique<Matrices>();
  const MatrixXd allowed = allowed_motions(lin.G);
  const double length = equations.length_scale(about.state);
  const VectorXd size = equations.coordinate_sizes(length);
  std::vector<Index> chosen;
  if (allowed.cols() > 0)
    m->Z = independent_motions(allowed, size, chosen);
  else
    m->Z = allowed;
  const auto names = coordinate_names(system);
  for (const Index i : chosen) m->coordinates.push_back(names[static_cast<std::size_t>(i)]);

  const auto nu = static_cast<Index>(inputs_.size()), nz = static_cast<Index>(outputs_.size());
  const Index nv = system.nv, nc = system.nc, n = m->Z.cols();
  m->F0 = m->F1 = m->F2 = MatrixXd::Zero(nv, nu);
  m->U0 = m->U1 = m->U2 = MatrixXd::Zero(nz, nu);
  MatrixXd P = MatrixXd::Zero(nc, nu);
  for (Index j = 0; j < nu; ++j) {
    const LinearInput& input = inputs_[static_cast<std::size_t>(j)];
    const auto differentiate = [&](double h, Taylor2<double> unit, MatrixXd& F, MatrixXd& U,
                                   MatrixXd* violation) {
      const VectorXd all = slope(h, [&](double x) {
        const auto found =
            machine.with_input(input, {x * unit.value, x * unit.rate, x * unit.second});
        VectorXd row(nv + nc + nz);
        row << found.force, found.violation, found.outputs;
        return row;
      });
      F.col(j) = all.head(nv);
      U.col(j) = all.tail(nz);
      if (violation != nullptr) violation->col(j) = all.segment(nv, nc);
    };
    double now = 0;
    if (input.slot >= 0)
      now = Realization(model).get(input.slot);
    else
      now = about.motion.drives[static_cast<std::size_t>(input.drive)].value;
    // What moves things does so by angles and lengths; forces follow their drives nearly linearly.
    const double h =
        input.moves ? 1e-4 * std::min(1.0, length) : 1e-2 * std::max(1.0, std::fabs(now));
    differentiate(h, {1, 0, 0}, m->F0, m->U0, &P);
    if (input.drive < 0) continue;
    differentiate(h, {0, 1, 0}, m->F1, m->U1, nullptr);
    differentiate(h, {0, 0, 1}, m->F2, m->U2, nullptr);
  }
  m->S = MatrixXd::Zero(nv, nu);
  m->reactions = MatrixXd::Zero(nc, nv);
  if (nc > 0) {
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> rows(lin.G);
    rows.setThreshold(rank_threshold);
    m->S = rows.solve(-P);
    const MatrixXd left = lin.G * m->S + P;
    const double unmet = left.size() > 0 ? left.cwiseAbs().maxCoeff() : 0;
    if (unmet > 1e-6 * (P.size() > 0 ? std::max(P.cwiseAbs().maxCoeff(), 1e-300) : 1.0))
      throw SimulationError(
          "joints do not allow the motions that the inputs impose: the machine cannot follow them",
          0.0);
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> columns(lin.G.transpose());
    columns.setThreshold(rank_threshold);
    m->reactions = -columns.solve(MatrixXd::Identity(nv, nv));
  }
  m->M = std::move(lin.M), m->C = std::move(lin.C), m->K = std::move(lin.K);

  MatrixXd basis(nv, n + nu);
  basis << m->Z, m->S;
  m->H0 = m->H1 = m->H2 = MatrixXd::Zero(nz, n + nu);
  const VectorXd relative = size / length;
  for (Index k = 0; k < n + nu && nz > 0; ++k) {
    const VectorXd y = basis.col(k), none = VectorXd::Zero(nv);
    const double largest = relative.cwiseProduct(y).cwiseAbs().maxCoeff();
    if (!(largest > 0)) continue;
    const auto along = [&](double h, const VectorXd& q, const VectorXd& v, const VectorXd& a) {
      return slope(h / largest, [&](double x) {
        return machine.outputs({x * q, x * v, x * a, VectorXd::Zero(nc)});
      });
    };
    m->H0.col(k) = along(1e-4, y, none, none);
    m->H1.col(k) = along(1e-5, none, y, none);  // friction changes with small velocities
    m->H2.col(k) = along(1e-2, none, none, y);
  }
  m->Hl = MatrixXd::Zero(nz, nc);
  double reaction = 1;
  for (const double x : about.state.lambda) reaction = std::max(reaction, std::fabs(x));
  for (Index k = 0; k < nc && nz > 0; ++k) {
    const VectorXd none = VectorXd::Zero(nv), unit = VectorXd::Unit(nc, k);
    m->Hl.col(k) = slope(1e-2 * reaction, [&](double x) {
      return machine.outputs({none, none, none, x * unit});
    });
  }
  // An input that does not act by its derivatives is a mere force, whatever it is.
  const auto acts = [](const MatrixXd& a, Index j, double scale) {
    return a.rows() > 0 && a.col(j).cwiseAbs().maxCoeff() > 1e-9 * scale;
  };
  for (Index j = 0; j < nu; ++j) {
    LinearInput& input = inputs_[static_cast<std::size_t>(j)];
    const double scale =
        std::max({1e-300, m->F0.col(j).size() > 0 ? m->F0.col(j).cwiseAbs().maxCoeff() : 0.0,
                  m->U0.rows() > 0 ? m->U0.col(j).cwiseAbs().maxCoeff() : 0.0});
    if (input.drive < 0) {
      if (acts(P, j, 1)) refuse(input.name, "moves joints: must be a drive");
      continue;
    }
    input.moves = input.moves || acts(P, j, 1) || acts(m->F1, j, scale) || acts(m->F2, j, scale) ||
                  acts(m->U1, j, scale) || acts(m->U2, j, scale);
  }
  m_ = std::move(m);
}

LinearEquations::~LinearEquations() = default;

namespace {

std::vector<double> by_rows(const MatrixXd& a) {
  std::vector<double> out;
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j) out.push_back(a(i, j) + 0.0);
  return out;
}

}  // namespace

// With y = Z x + S u and w = ẋ: Zᵀ M Z ẇ = -Zᵀ (C Z w + K Z x + [..u..]). Of an input that moves
// things u and u̇ are states, and ü is the input.
StateSpace LinearEquations::state_space() const {
  const Matrices& m = *m_;
  const Index n = m.Z.cols(), nz = static_cast<Index>(outputs_.size()),
              nu = static_cast<Index>(inputs_.size());
  std::vector<Index> moving;
  for (Index j = 0; j < nu; ++j)
    if (inputs_[static_cast<std::size_t>(j)].moves) moving.push_back(j);
  const auto nm = static_cast<Index>(moving.size());
  const Index ns = 2 * n + 2 * nm;
  // Of u, u̇ and ü, by states and inputs.
  MatrixXd u0 = MatrixXd::Zero(nu, ns + nu), u1 = u0, u2 = u0;
  for (Index j = 0, k = 0; j < nu; ++j) {
    if (!inputs_[static_cast<std::size_t>(j)].moves) {
      u0(j, ns + j) = 1;
      continue;
    }
    u0(j, 2 * n + k) = 1;
    u1(j, 2 * n + nm + k) = 1;
    u2(j, ns + j) = 1;
    ++k;
  }
  MatrixXd x = MatrixXd::Zero(n, ns + nu), w = x, a = x;
  x.leftCols(n).setIdentity();
  w.middleCols(n, n).setIdentity();
  const MatrixXd y = m.Z * x + m.S * u0, ydot = m.Z * w + m.S * u1;
  const MatrixXd given = m.F0 * u0 + m.F1 * u1 + m.F2 * u2;
  if (n > 0) {
    const MatrixXd mass = m.Z.transpose() * m.M * m.Z;
    const Eigen::LLT<MatrixXd> factor(0.5 * (mass + mass.transpose()));
    if (factor.info() != Eigen::Success)
      throw SimulationError("a motion has no mass: there is no state space", 0.0);
    a = -factor.solve(m.Z.transpose() * (m.M * (m.S * u2) + m.C * ydot + m.K * y + given));
  }
  const MatrixXd yddot = m.Z * a + m.S * u2;
  const MatrixXd lambda = m.reactions * (m.M * yddot + m.C * ydot + m.K * y + given);
  const auto joined = [](const MatrixXd& top, const MatrixXd& bottom) {
    MatrixXd out(top.rows() + bottom.rows(), top.cols());
    out << top, bottom;
    return out;
  };
  const MatrixXd z = m.H0 * joined(x, u0) + m.H1 * joined(w, u1) + m.H2 * joined(a, u2) +
                     m.Hl * lambda + m.U0 * u0 + m.U1 * u1 + m.U2 * u2;
  MatrixXd rates = MatrixXd::Zero(ns, ns + nu);
  rates.topRows(n) = w;
  rates.middleRows(n, n) = a;
  for (Index k = 0; k < nm; ++k) {
    rates(2 * n + k, 2 * n + nm + k) = 1;
    rates(2 * n + nm + k, ns + moving[static_cast<std::size_t>(k)]) = 1;
  }
  StateSpace out;
  out.A = by_rows(rates.leftCols(ns));
  out.B = by_rows(rates.rightCols(nu));
  out.C = by_rows(z.leftCols(ns));
  out.D = by_rows(z.rightCols(nu));
  for (const auto& c : m.coordinates) out.states.push_back(c);
  for (const auto& c : m.coordinates) out.states.push_back({c.name + ".rate", per(c.unit, "s")});
  for (const char* what : {"value", "rate"})
    for (const Index j : moving)
      out.states.push_back({inputs_[static_cast<std::size_t>(j)].name + "." + what, {}});
  for (const LinearInput& input : inputs_)
    out.inputs.push_back({input.moves ? input.name + ".second" : input.name, input.unit});
  for (const LinearOutput& output : outputs_) out.outputs.push_back({output.name, output.unit});
  (void)nz;
  return out;
}

std::vector<std::complex<double>> LinearEquations::response(std::complex<double> s) const {
  const Matrices& m = *m_;
  const Index n = m.Z.cols(), nu = static_cast<Index>(inputs_.size());
  const MatrixXcd dynamic = s * s * m.M + s * m.C + m.K;
  const MatrixXcd given = m.F0 + s * m.F1 + s * s * m.F2;
  MatrixXcd x = MatrixXcd::Zero(n, nu);
  if (n > 0) {
    const MatrixXcd reduced = m.Z.transpose() * dynamic * m.Z;
    const Eigen::PartialPivLU<MatrixXcd> factor(reduced);
    if (!(factor.rcond() > 1e-15))
      throw SimulationError(
          fmt::format("no response at s = {:.6g} + {:.6g}i 1/s: the machine has an undamped mode "
                      "there",
                      s.real(), s.imag()),
          0.0);
    x = -factor.solve(m.Z.transpose() * (dynamic * m.S + given));
  }
  const MatrixXcd y = m.Z * x + m.S;
  MatrixXcd along(n + nu, nu);
  along << x, MatrixXcd::Identity(nu, nu);
  const MatrixXcd lambda = m.reactions * (dynamic * y + given);
  const MatrixXcd z = m.H0 * along + s * (m.H1 * along) + s * s * (m.H2 * along) + m.Hl * lambda +
                      m.U0 + s * m.U1 + s * s * m.U2;
  std::vector<std::complex<double>> out;
  for (Index i = 0; i < z.rows(); ++i)
    for (Index j = 0; j < z.cols(); ++j) out.push_back(z(i, j));
  return out;
}

}  // namespace tumble
