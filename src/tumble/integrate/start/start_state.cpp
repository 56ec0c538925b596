#include "tumble/integrate/start/start_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/integrate/start/placement.hpp"
#include "tumble/integrate/start/start_velocity.hpp"
#include "tumble/integrate/statics/equilibrium.hpp"
#include "tumble/model/check/value_rules.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/model/excitation/spectrum.hpp"

namespace tumble {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Changes below this part of the machine's size, of a radian or of the largest speed are rounding
/// of what was typed.
constexpr double threshold = 1e-6;

/// A place of every body, the ground first.
using Places = std::vector<Frame>;

Places places(const Workspace<double>& w) {
  Places result;
  for (const auto& body : w.body) result.push_back({body.p_W, body.R_WB});
  return result;
}

double size_of(const Places& bodies) {
  double size = 0;
  for (const Frame& body : bodies) size = std::max(size, norm(body.p));
  return size > 0 ? size : 1.0;
}

double angle_between(const Mat3d& a, const Mat3d& b) {
  return norm(rotation_vector(quaternion_of(transpose_times(a, b))));
}

/// Of the joints at a body the one that is off most; if none is, or for a beam (-1), the one that
/// is off most of all.
std::string blamed_joint(const System& system, const std::vector<double>& errors, int body) {
  const auto worst = [&](bool anywhere) {
    int found = -1;
    for (std::size_t j = 0; j < system.joints.size(); ++j) {
      const auto& ends = system.joints[j].body;
      if (!anywhere && ends[0] != body && ends[1] != body) continue;
      if (errors[j] > (found < 0 ? 1e-12 : errors[at(found)])) found = static_cast<int>(j);
    }
    return found;
  };
  int joint = worst(false);
  if (joint < 0) joint = worst(true);
  return joint < 0 ? std::string{} : system.joints[at(joint)].name;
}

class ChangeSearch {
 public:
  ChangeSearch(const Plan& plan, const Model& model, const std::vector<double>& constants,
               double inside, Integrator& started)
      : plan_(plan),
        system_(*plan.system),
        model_(model),
        constants_(constants),
        inside_(inside),
        started_(started),
        pose_(described_pose(system_, model, constants, inside)),
        size_(size_of(pose_.bodies)),
        changes_(model.bodies.size() + model.beams.size()) {}

  std::vector<StartChange> run() {
    look_at_places();
    look_at_velocities();
    look_at_beams();
    std::vector<StartChange> found;
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      const std::size_t bodies = model_.bodies.size();
      changes_[i].body = i < bodies ? model_.bodies[i].name : model_.beams[i - bodies].name;
      if (!changes_[i].sentence.empty()) found.push_back(std::move(changes_[i]));
    }
    const auto weight = [this](const StartChange& c) {
      return c.displacement / size_ + c.rotation +
             (c.velocity / size_ + c.angular_velocity) / std::max(speed_, 1e-300);
    };
    std::stable_sort(found.begin(), found.end(), [&](const StartChange& a, const StartChange& b) {
      return weight(a) > weight(b);
    });
    return found;
  }

 private:
  void look_at_places() {
    Places corrected = places(started_.observe());
    std::vector<double> errors;
    // Where drives or starts move joints, what they do is not counted.
    if (pose_.needs_placement()) {
      Placement placement(plan_, model_, constants_, pose_, inside_);
      placement.correct();
      for (std::size_t i = 0; i < corrected.size(); ++i)
        corrected[i] = placement.body(static_cast<int>(i));
      errors = placement.described_errors();
    }
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      const Frame &from = pose_.bodies[i + 1], &to = corrected[i + 1];
      const Vec3d centre = transpose_times(from.R, model_.bodies[i].position - from.p);
      StartChange& change = changes_[i];
      change.displacement = norm((to.p + to.R * centre) - (from.p + from.R * centre));
      change.rotation = angle_between(from.R, to.R);
      if (change.displacement <= threshold * size_ && change.rotation <= threshold) continue;
      if (errors.empty())
        errors = Placement(plan_, model_, constants_, pose_, inside_).described_errors();
      change.joint = blamed_joint(system_, errors, static_cast<int>(i) + 1);
      std::string how;
      if (change.displacement > threshold * size_)
        how = fmt::format("is moved by {:.3g} m", change.displacement);
      if (change.rotation > threshold)
        how +=
            fmt::format("{}turned by {:.3g} rad", how.empty() ? "is " : " and ", change.rotation);
      say(change, fmt::format("body '{}' {}", model_.bodies[i].name, how));
    }
  }

  void look_at_velocities() {
    const Workspace<double>& w = started_.observe();
    struct Difference {
      Vec3d velocity, angular;  // as they are
    };
    std::vector<Difference> is;
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      const auto& b = w.body[i + 1];
      const Body& body = model_.bodies[i];
      const auto& k = constants_of(system_.bodies[i], constants_.data());
      const Vec3d centre = k.mass > 0 ? b.R_WB * ((1 / k.mass) * k.moment) : Vec3d{};
      is.push_back({b.v_W + cross(b.w_W, centre), b.w_W});
      speed_ = std::max({speed_, norm(is[i].velocity) / size_, norm(is[i].angular),
                         norm(body.velocity) / size_, norm(body.angular_velocity)});
    }
    std::vector<double> errors;
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      const Body& body = model_.bodies[i];
      StartChange& change = changes_[i];
      if (body.velocity.given()) change.velocity = norm(is[i].velocity - Vec3d(body.velocity));
      if (body.angular_velocity.given())
        change.angular_velocity = norm(is[i].angular - Vec3d(body.angular_velocity));
      const bool slides = change.velocity > threshold * speed_ * size_,
                 turns = change.angular_velocity > threshold * speed_;
      if (!slides && !turns) continue;
      if (errors.empty()) errors = velocity_errors();
      const std::string joint = blamed_velocity(errors, i);
      if (change.joint.empty()) change.joint = joint;
      std::string how;
      if (slides)
        how = fmt::format("has the velocity {} m/s instead of {}", rounded(is[i].velocity),
                          rounded(body.velocity));
      if (turns)
        how += fmt::format("{} the angular velocity {} rad/s instead of {}",
                           how.empty() ? "has" : " and", rounded(is[i].angular),
                           rounded(body.angular_velocity));
      StartChange said;
      said.joint = joint;
      say(said, fmt::format("body '{}' {}", body.name, how));
      change.sentence += (change.sentence.empty() ? "" : "; ") + said.sentence;
    }
  }

  /// Nodes that were moved, and velocities of nodes that do not hold.
  void look_at_beams() {
    if (system_.beams.empty()) return;
    const InitialState described = initial_state(system_, model_);
    std::vector<double> q = started_.state().q, errors, rates;
    if (pose_.needs_placement()) {
      Placement placement(plan_, model_, constants_, pose_, inside_);
      placement.correct();
      q = placement.q();
      errors = placement.described_errors();
    }
    for (std::size_t i = 0; i < system_.beams.size(); ++i) {
      const BeamIndex& index = system_.beams[i];
      const Beam& beam = model_.beams[i];
      StartChange& change = changes_[model_.bodies.size() + i];
      const auto largest = [&](const std::vector<double>& a, const std::vector<double>& b,
                               int from) {
        double found = 0;
        for (int node = 0; node < index.nodes; ++node) {
          double square = 0;
          for (int k = 0; k < index.dimension; ++k) {
            const std::size_t at_node = at(from + index.node(node) + k);
            square += (a[at_node] - b[at_node]) * (a[at_node] - b[at_node]);
          }
          found = std::max(found, std::sqrt(square));
        }
        return found;
      };
      change.displacement = largest(q, described.q, system_.beam_q);
      std::string how;
      if (change.displacement > threshold * std::max(size_, beam_size(index, described.q))) {
        if (errors.empty())
          errors = Placement(plan_, model_, constants_, pose_, inside_).described_errors();
        change.joint = blamed_joint(system_, errors, -1);
        how = fmt::format("is moved by up to {:.3g} m", change.displacement);
      }
      if (beam.velocity.given() || beam.angular_velocity.given()) {
        StartVelocities velocities(plan_, model_, constants_, pose_.paths, started_.state().q,
                                   inside_);
        change.velocity = largest(started_.state().v, velocities.given(), system_.beam_v);
        const double fastest =
            largest(velocities.given(), std::vector<double>(at(system_.nv), 0.0), system_.beam_v);
        if (change.velocity > threshold * fastest) {
          if (change.joint.empty()) {
            std::vector<double> v = started_.state().v;
            for (int k = 0; k < index.nodes * index.node_size(); ++k) {
              const std::size_t j = at(system_.beam_v + index.coordinates + k);
              v[j] = velocities.given()[j];
            }
            change.joint = blamed_joint(system_, velocities.violations(v, size_), -1);
          }
          how += fmt::format("{} velocities of nodes changed by up to {:.3g} m/s",
                             how.empty() ? "has" : " and has", change.velocity);
        }
      }
      if (!how.empty()) say(change, fmt::format("beam '{}' {}", beam.name, how));
    }
  }
  double beam_size(const BeamIndex& index, const std::vector<double>& q) const {
    double size = 0;
    for (int node = 0; node < index.nodes; ++node)
      for (int k = 0; k < index.dimension; ++k)
        size = std::max(size, std::fabs(q[at(system_.beam_q + index.node(node) + k)]));
    return size;
  }

  /// By joint: how far given velocities, with those that were found for the others, violate it.
  std::vector<double> velocity_errors() {
    StartVelocities velocities(plan_, model_, constants_, pose_.paths, started_.state().q, inside_);
    std::vector<double> v = started_.state().v;
    for (std::size_t i = 0; i < system_.bodies.size(); ++i) {
      if (system_.bodies[i].block < 0) continue;
      const Block& block = system_.blocks[at(system_.bodies[i].block)];
      const Body& body = model_.bodies[i];
      const auto take = [&](int first) {
        for (int k = first; k < first + 3; ++k) v[at(k)] = velocities.given()[at(k)];
      };
      if (body.velocity.given()) take(block.v);
      if (body.angular_velocity.given() && block.kind == Block::Kind::rigid) take(block.v + 3);
    }
    return velocities.violations(v, size_);
  }

  std::string blamed_velocity(const std::vector<double>& errors, std::size_t body) const {
    if (const int p = system_.bodies[body].prescribed; p >= 0)
      return system_.joints[at(system_.prescribed[at(p)].joint)].name;
    return blamed_joint(system_, errors, static_cast<int>(body) + 1);
  }

  static std::string rounded(const Vec3d& v) {
    const auto tidy = [&](double x) { return std::fabs(x) < 1e-9 * norm(v) ? 0.0 : x; };
    return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", tidy(v.x), tidy(v.y), tidy(v.z));
  }

  static void say(StartChange& change, const std::string& what) {
    change.sentence = what;
    if (!change.joint.empty())
      change.sentence += fmt::format(", because joint '{}' does not fit", change.joint);
  }

  const Plan& plan_;
  const System& system_;
  const Model& model_;
  const std::vector<double>& constants_;
  double inside_;
  Integrator& started_;
  DescribedPose pose_;
  double size_;       ///< of the machine [m]
  double speed_ = 0;  ///< the largest, as an angular velocity [1/s]
  std::vector<StartChange> changes_;
};

}  // namespace

InitialState start_state(const Plan& plan, const Model& model, const std::vector<double>& constants,
                         double inside, std::vector<std::string>* warnings) {
  InitialState start = described_start(plan, model, constants, inside);
  if (model.simulation.start == StartPose::described) return start;
  const Equilibrium found = find_equilibrium(plan, model);
  if (warnings != nullptr)
    for (const std::string& note : found.notes)
      warnings->push_back("start in equilibrium: " + note);
  start.q = found.state.q;
  start.v = found.state.v;
  start.turns.clear();  // the search counts from nothing
  return start;
}

InitialState described_start(const Plan& plan, const Model& model,
                             const std::vector<double>& constants, double inside) {
  const System& system = *plan.system;
  InitialState state = initial_state(system, model);
  const DescribedPose pose = described_pose(system, model, constants, inside);
  const bool placed = pose.needs_placement();
  if (placed) {
    Placement placement(plan, model, constants, pose, inside);
    placement.correct();
    placement.move();
    state.q = placement.q();
    state.turns = placement.turns();
  }
  const bool projected = needs_start_velocities(system, model);
  if (placed || projected) {
    StartVelocities velocities(plan, model, constants, pose.paths, state.q, inside);
    state.v = projected ? velocities.find() : velocities.given();
  }
  return state;
}

std::vector<StartChange> start_changes(const Plan& plan, const Model& model,
                                       const std::vector<double>& constants, double inside,
                                       Integrator& started) {
  return ChangeSearch(plan, model, constants, inside, started).run();
}

std::vector<std::string> describe(const std::vector<StartChange>& changes) {
  constexpr std::size_t most = 8;
  std::vector<std::string> sentences;
  for (const StartChange& change : changes) {
    if (sentences.size() == most) {
      sentences.push_back(fmt::format("the start differs from the description of {} more bodies",
                                      changes.size() - most));
      break;
    }
    sentences.push_back("the start differs from the description: " + change.sentence);
  }
  return sentences;
}

bool may_change_start(const Model& model, const std::vector<std::string>& paths) {
  // Random drives move joints to other places than the nominal ones.
  const auto moves = [](const Joint& joint) {
    return std::visit(
        [](const auto& kind) {
          if constexpr (requires { kind.motion.any(); })
            return kind.motion.any();
          else if constexpr (requires { kind.motion.has_value(); })
            return kind.motion.has_value();
          else
            return false;
        },
        joint.kind);
  };
  if (std::ranges::any_of(model.drives, [](const Drive& drive) { return is_random(drive.kind); }) &&
      std::ranges::any_of(model.joints, moves))
    return true;
  const auto is_velocity = [](const std::string& path) {
    return path.find("velocity[") != std::string::npos;
  };
  const auto given = [](const auto& element) {
    return element.velocity.given() || element.angular_velocity.given();
  };
  const bool velocities = std::any_of(model.bodies.begin(), model.bodies.end(), given) ||
                          std::any_of(model.beams.begin(), model.beams.end(), given) ||
                          std::any_of(paths.begin(), paths.end(), is_velocity);
  return std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
    for (const char* section : {"ground.", "joints.", "drives."})
      if (path.starts_with(section)) return true;
    if (path.starts_with("beams."))
      return is_velocity(path) || path.find(".position") != std::string::npos ||
             path.find(".orientation") != std::string::npos;
    if (!path.starts_with("bodies.")) return false;
    // Those of its parts move a body's centre of mass.
    if (path.find(".position[") != std::string::npos || path.find(".parts.") != std::string::npos)
      return velocities;
    return is_velocity(path) || path.find(".orientation") != std::string::npos ||
           path.find(".markers.") != std::string::npos;
  });
}

void refuse_changed_start(const Model& model, const std::vector<StartChange>& changes) {
  if (model.simulation.on_changed_start != OnChangedStart::refuse || changes.empty()) return;
  std::vector<Diagnostic> diagnostics;
  for (const StartChange& change : changes) {
    Diagnostic d;
    d.where =
        locate(model, (body_index(model, change.body) > 0 ? "bodies." : "beams.") + change.body);
    d.expectation = "the start differs from the description: " + change.sentence;
    diagnostics.push_back(std::move(d));
  }
  throw InputError(std::move(diagnostics));
}

}  // namespace tumble
