#include "tumble/integrate/watch/redundancy.hpp"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <numeric>

#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/integrate/start/singular_start.hpp"
#include "tumble/integrate/watch/condition_geometry.hpp"
#include "tumble/integrate/watch/redundancy_text.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// A place where all conditions hold, and what is redundant there.
struct Visit {
  std::vector<double> q;
  double time = 0;
  MatrixXd null_space;
};

/// The start, and places to which the mechanism can go from there: by itself, and where its drives
/// take it.
std::vector<Visit> visit_places(const System& system, ConditionGeometry& geometry) {
  std::vector<Visit> visits;
  const std::vector<double> described = initial_state(system, system.nominal).q;
  geometry.move_to(described, 0.0);
  const auto start = geometry.assemble();
  if (!start) return {};
  visits.push_back({*start, 0.0, geometry.null_space()});
  if (visits.front().null_space.cols() == 0) return visits;
  int number = 0;
  for (const double angle : {0.05, 0.15, 0.3}) {
    geometry.move_to(*start, 0.0);
    if (const auto q = geometry.wander(++number, angle))
      visits.push_back({*q, 0.0, geometry.null_space()});
  }
  if (system.drives.size() > 0) {
    std::vector<double> q = *start;
    for (const double share : {0.002, 0.007, 0.02}) {
      const double time = share * system.nominal.simulation.duration;
      geometry.move_to(q, time);
      const auto later = geometry.assemble();
      if (!later) break;
      visits.push_back({q = *later, time, geometry.null_space()});
    }
  }
  return visits;
}

/// Which numbers of a measurement change if a vector n is added to the multipliers.
void mark_undetermined(const System& system, ConditionGeometry& geometry, const Visit& visit,
                       std::vector<bool>& undetermined) {
  geometry.move_to(visit.q, visit.time);
  const std::vector<double> offsets = probe_offsets(system, system.nominal);
  const ProbeRecorder recorder(system, offsets.data(), geometry.constants().data());
  MotionState state;
  state.time = visit.time;
  state.q = visit.q;
  state.v.assign(at(system.nv), 0.0);
  state.vdot = state.v;
  state.lambda.assign(at(system.nc), 0.0);
  std::vector<double> without(at(recorder.size())), with(without);
  undetermined.resize(without.size());
  recorder.measure(geometry.workspace(), state, without.data());
  for (Index j = 0; j < visit.null_space.cols(); ++j) {
    for (Index i = 0; i < system.nc; ++i) state.lambda[at(i)] = visit.null_space(i, j);
    recorder.measure(geometry.workspace(), state, with.data());
    for (std::size_t i = 0; i < with.size(); ++i)
      if (std::fabs(with[i] - without[i]) > 1e-7) undetermined[i] = true;
  }
}

/// ε D: the mean over a joint's forces and over its moments, so that turned axes make no
/// difference.
std::vector<double> compliance(const System& system, const VectorXd& mobility) {
  VectorXd mean = mobility;
  for (const JointIndex& joint : system.joints)
    for (const bool moments : {false, true}) {
      double sum = 0;
      int count = 0;
      const auto each = [&](auto f) {
        for (int r = 0; r < joint.rows; ++r)
          if ((joint.row_names[at(r)].front() == 'r') == moments) f(joint.first_row + r);
      };
      each([&](int row) { sum += mobility[row], ++count; });
      each([&](int row) { mean[row] = sum / count; });
    }
  const double largest = mean.size() > 0 ? mean.maxCoeff() : 1.0;
  std::vector<double> result;
  for (const double m : mean)  // a condition on nothing that moves has no mobility
    result.push_back(condition_softness * (m > 0 ? m : largest > 0 ? largest : 1.0));
  return result;
}

/// Vectors n of the place with more of them that are none of the other's nearby: those of the first
/// that are least like any of the second.
MatrixXd additional_vectors(const MatrixXd& more, const MatrixXd& fewer) {
  const Index count = more.cols() - fewer.cols();
  const Eigen::JacobiSVD<MatrixXd> svd(more.transpose() * fewer, Eigen::ComputeFullU);
  return more * svd.matrixU().rightCols(count);
}

/// Sets of numbers that grow together (Tarjan 1975).
class Sets {
 public:
  explicit Sets(int n) : parent_(at(n)) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int i) {
    while (parent_[at(i)] != i) i = parent_[at(i)] = parent_[at(parent_[at(i)])];
    return i;
  }
  /// False if the two were together already.
  bool join(int i, int j) {
    i = find(i), j = find(j);
    parent_[at(i)] = j;
    return i != j;
  }

 private:
  std::vector<int> parent_;
};

int beam_coordinates(const System& system) {
  int sum = 0;
  for (const BeamIndex& beam : system.beams) sum += beam.nodes * beam.node_size();
  return sum;
}

}  // namespace

bool has_loops(const System& system) {
  if (!system.user_constraints.empty() || !system.couplers.empty()) return true;
  // The ground and all bodies whose motion is known are one vertex, a node of a beam is one each,
  // numbered by its first coordinate.
  const auto body_vertex = [&](int body) {
    return body > 0 && system.bodies[at(body) - 1].block >= 0 ? body : 0;
  };
  const auto side_vertex = [&](const JointSide& side) {
    if (side.kind != JointSide::Kind::node) return body_vertex(side.body);
    return static_cast<int>(system.bodies.size()) + 1 + side.node;
  };
  Sets sets(static_cast<int>(system.bodies.size()) + 1 + beam_coordinates(system));
  for (const JointIndex& joint : system.joints) {
    if (joint.rows == 0) continue;
    std::array<int, 2> ends{};
    if (joint.node_joint >= 0) {
      const NodeJoint& rows = system.node_joints[at(joint.node_joint)];
      ends = {side_vertex(rows.side[0]), side_vertex(rows.side[1])};
    } else {
      ends = {body_vertex(joint.body[0]), body_vertex(joint.body[1])};
    }
    if (!sets.join(ends[0], ends[1])) return true;
  }
  for (const NodeLock& lock : system.node_locks)
    if (!sets.join(lock.pair.body[0], lock.pair.body[1])) return true;
  return false;
}

std::shared_ptr<const Redundancy> find_redundancy(const System& system) {
  if (system.nc == 0) return nullptr;
  ConditionGeometry geometry(system);
  const std::vector<Visit> visits = visit_places(system, geometry);
  const Visit* usual = nullptr;  // of the places with the fewest redundant conditions the first
  for (const Visit& visit : visits)
    if (usual == nullptr || visit.null_space.cols() < usual->null_space.cols()) usual = &visit;
  if (usual == nullptr || usual->null_space.cols() == 0) return nullptr;
  auto result = std::make_shared<Redundancy>();
  result->count = static_cast<int>(usual->null_space.cols());
  result->null_space.assign(usual->null_space.data(),
                            usual->null_space.data() + usual->null_space.size());
  for (const Visit& visit : visits)
    if (visit.null_space.cols() == result->count)
      mark_undetermined(system, geometry, visit, result->undetermined);
  geometry.move_to(usual->q, usual->time);
  result->compliance = compliance(system, geometry.mobility());
  result->stand_ins = geometry.stand_ins();
  result->place = usual->q;
  const MatrixXd rows =
      in_joint_axes(system, geometry.workspace(), geometry.constants().data(), usual->null_space);
  result->conditions = name_conditions(system, rows);
  result->remedy = propose_remedy(system, rows);
  result->total = system.nc;
  if (const MatrixXd& start = visits.front().null_space; start.cols() > result->count) {
    geometry.move_to(visits.front().q, visits.front().time);
    const MatrixXd additional =
        in_joint_axes(system, geometry.workspace(), geometry.constants().data(),
                      additional_vectors(start, usual->null_space));
    // The two places are near each other, not the same, and so are the vectors.
    throw_singular_start(system, name_conditions(system, additional, 0.1));
  }
  return result;
}

std::string Redundancy::summary() const {
  return fmt::format("{} of {} conditions {} redundant: {} (each in the axes of its joint)", count,
                     total, count == 1 ? "is" : "are", conditions);
}

std::string Redundancy::note() const {
  return fmt::format(
      "{}. The motion does not depend on it; reactions that are not determined are given with the "
      "least sum of squares, and marked. To have all of them determined, {}",
      summary(), remedy);
}

void throw_contradiction(const Redundancy& redundancy, double time) {
  throw SimulationError(
      fmt::format("redundant conditions contradict each other at t = {} s, so that nothing could "
                  "move: {}",
                  time, redundancy.conditions),
      time);
}

}  // namespace tumble
