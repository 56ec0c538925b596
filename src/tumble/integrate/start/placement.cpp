#include "tumble/integrate/start/placement.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tumble/dynamics/joint_pose.hpp"
#include "tumble/integrate/step/integrator.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/model/compile/beam_shape.hpp"

namespace tumble {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A rigid motion in ground axes: x ↦ R x + t.
struct RigidMotion {
  Mat3d R = Mat3d::identity();
  Vec3d t;
  bool moves = false;

  Vec3d operator()(const Vec3d& x) const { return R * x + t; }
};
RigidMotion operator*(const RigidMotion& a, const RigidMotion& b) {
  if (!a.moves) return b;
  if (!b.moves) return a;
  return {a.R * b.R, a.R * b.t + a.t, true};
}
RigidMotion inverse(const RigidMotion& a) {
  return {transpose(a.R), -transpose_times(a.R, a.t), a.moves};
}

/// The motion that takes one place to another.
RigidMotion between(const Frame& from, const Frame& to) {
  const Mat3d R = to.R * transpose(from.R);
  return {R, to.p - R * from.p, true};
}

/// Moves the coordinates of a beam as if it were rigid.
void move_beam(const BeamIndex& beam, double plane, const RigidMotion& motion, double* q) {
  for (int node = 0; node < beam.nodes; ++node)
    for (int k = 0; k <= beam.dimension; ++k, q += beam.dimension) {
      Vec3d x{q[0], q[1], beam.dimension == 3 ? q[2] : (k == 0 ? plane : 0.0)};
      x = k == 0 ? motion(x) : motion.R * x;
      for (int i = 0; i < beam.dimension; ++i) q[i] = x[i];
    }
}

/// Disjoint sets of vertices.
class Groups {
 public:
  explicit Groups(std::size_t n) : of_(n) { std::iota(of_.begin(), of_.end(), 0); }
  int find(int i) {
    while (of_[at(i)] != i) i = of_[at(i)] = of_[at(of_[at(i)])];
    return i;
  }
  /// False if they were together already.
  bool join(int a, int b) {
    a = find(a), b = find(b);
    if (a == b) return false;
    of_[at(std::max(a, b))] = std::min(a, b);
    return true;
  }

 private:
  std::vector<int> of_;
};

}  // namespace

Placement::Placement(const Plan& plan, const Model& model, const std::vector<double>& constants,
                     const DescribedPose& pose, double inside)
    : system_(*plan.system),
      model_(model),
      constants_(constants),
      pose_(pose),
      w_(system_),
      kkt_(plan),
      c_(constants),
      q_(initial_state(system_, model).q),
      q_next_(q_),
      zero_v_(at(system_.nv), 0.0),
      zero_lambda_(at(system_.nc), 0.0),
      residual_(at(system_.nv + system_.nc), 0.0),
      delta_(residual_),
      first_values_(at(system_.nc), 0.0),
      path_of_joint_(system_.joints.size(), -1) {
  for (std::size_t i = 0; i < pose_.paths.size(); ++i) {
    const JointPath& path = pose_.paths[i];
    path_of_joint_[at(path.joint)] = static_cast<int>(i);
    for (std::size_t k = 0; k < 6; ++k)
      if (path.starts[k])
        start_rows_.push_back({static_cast<int>(i), static_cast<Motion>(k), 0, {}, {}, {}, {}});
  }
  forget_turns(system_, w_);
  update_drives(system_, constants_.data(), 0.0, inside, w_);
  grow_tree();
  find_errors();
  follow();
  w_.bushings_followed = true;
}

// What is not allowed in the described pose: the values of rows whose motion nothing gives. Axes of
// dot locks are turned so that the described rotations fit; their errors are those of the paths.
void Placement::find_errors() {
  for (const DistanceLock& lock : system_.distance_locks) {
    const auto& k = constants_of(lock, constants_.data());
    const Frame &a = pose_.bodies[at(lock.pair.body[0])], &b = pose_.bodies[at(lock.pair.body[1])];
    first_lengths_.push_back(norm((b.p + b.R * k.ends.r_B) - (a.p + a.R * k.ends.r_A)));
    base_lengths_.push_back(k.length);
  }
  described_errors_.assign(system_.joints.size(), 0.0);
  for (std::size_t j = 0; j < system_.joints.size(); ++j) {
    for (std::size_t i = 0; i < system_.distance_locks.size(); ++i) {
      if (system_.distance_locks[i].row.row != system_.joints[j].first_row ||
          system_.joints[j].rows == 0)
        continue;
      const auto& joint = std::get<DistanceJoint>(model_.joints[j].kind);
      if (joint.start && joint.start->length)
        base_lengths_[i] = joint.length.value_or(first_lengths_[i]);
    }
  }
  update();
  for (int k = 0; k < 3; ++k)
    for (const Frame& body : pose_.bodies)
      length_scale_ = std::max(length_scale_, std::fabs(body.p[k]));
  for (const auto& beam : system_.beams)
    for (int node = 0; node < beam.nodes; ++node)
      for (int k = 0; k < beam.dimension; ++k)
        length_scale_ = std::max(length_scale_, std::fabs(w_.node_q[at(beam.node(node) + k)]));
  const double* weight = constants_.data() + system_.weight_constants;
  for (int i = 0; i < system_.nv; ++i) length_scale_ = std::max(length_scale_, weight[i]);
  measure();
  for (int row = 0; row < system_.nc; ++row)
    first_values_[at(row)] = residual_[at(system_.nv + row)];
  for (const AxisLock& lock : system_.axis_locks)
    if (lock.drive >= 0) first_values_[at(lock.row.row)] = 0;
  for (std::size_t i = 0; i < system_.distance_locks.size(); ++i)
    first_values_[at(system_.distance_locks[i].row.row)] = first_lengths_[i] - base_lengths_[i];
  for (std::size_t j = 0; j < system_.joints.size(); ++j) {
    const JointIndex& joint = system_.joints[j];
    double& error = described_errors_[j];
    for (int row = joint.first_row; row < joint.first_row + joint.rows; ++row)
      error = std::max(error, std::fabs(first_values_[at(row)]) / length_scale_);
    if (path_of_joint_[j] < 0) continue;
    const JointPath& path = pose_.paths[at(path_of_joint_[j])];
    error = std::max({error, norm(path.error), norm(path.offset) / length_scale_});
  }
}

// The spanning tree along which given motions carry what hangs on a joint: of the strongest joints.
void Placement::grow_tree() {
  struct Edge {
    int strength;
    std::array<int, 2> vertex;
    int path;
  };
  const int bodies = static_cast<int>(system_.bodies.size()) + 1;
  std::vector<Edge> edges;
  for (std::size_t j = 0; j < system_.joints.size(); ++j) {
    const JointIndex& joint = system_.joints[j];
    Edge edge{joint.rows, joint.body, path_of_joint_[j]};
    if (edge.path >= 0) {
      const JointPath& path = pose_.paths[at(edge.path)];
      edge.strength =
          static_cast<int>(std::count(joint.locked.has.begin(), joint.locked.has.end(), true));
      edge.strength += static_cast<int>(std::count(path.starts.begin(), path.starts.end(), true));
    }
    if (joint.node_joint >= 0) {
      const auto& reference = std::visit(
          [](const auto& kind) -> const std::array<MarkerRef, 2>& { return kind.between; },
          model_.joints[j].kind);
      for (std::size_t end = 0; end < 2; ++end) {
        const auto node = node_of(model_, reference[end]);
        edge.vertex[end] = node ? bodies + static_cast<int>(node->beam)
                                : system_.node_joints[at(joint.node_joint)].side[end].body;
      }
    }
    edges.push_back(edge);
  }
  for (const NodeLock& lock : system_.node_locks) edges.push_back({6, lock.pair.body, -1});
  std::stable_sort(edges.begin(), edges.end(),
                   [](const Edge& a, const Edge& b) { return a.strength > b.strength; });
  const std::size_t vertices = at(bodies) + system_.beams.size();
  Groups groups(vertices);
  std::vector<bool> reached(vertices, false);
  reached[0] = true;
  for (const Prescribed& p : system_.prescribed)
    if (p.translation) {
      groups.join(0, p.body);
      reached[at(p.body)] = true;
    }
  std::vector<std::vector<TreeEdge>> from(vertices);
  for (const Edge& edge : edges) {
    const auto [a, b] = edge.vertex;
    if (!groups.join(a, b)) continue;
    from[at(a)].push_back({a, b, edge.path, true});
    from[at(b)].push_back({b, a, edge.path, false});
  }
  // Machines that nothing holds stay where their first body is.
  std::vector<int> next;
  for (std::size_t v = 0; v < vertices; ++v)
    if (reached[v] || groups.find(static_cast<int>(v)) == static_cast<int>(v))
      next.push_back(static_cast<int>(v)), reached[v] = true;
  for (std::size_t i = 0; i < next.size(); ++i)
    for (const TreeEdge& edge : from[at(next[i])]) {
      if (reached[at(edge.child)]) continue;
      reached[at(edge.child)] = true;
      tree_.push_back(edge);
      next.push_back(edge.child);
    }
}

void Placement::correct() {
  double angle = 0;
  for (const JointPath& path : pose_.paths) angle = std::max(angle, norm(path.error));
  cover(&StartProgress::corrected, angle);
}

void Placement::move() {
  double angle = 0, sum = 0;
  bool moves = false;
  for (const JointPath& path : pose_.paths) {
    angle = std::max(angle, path.turn());
    sum += path.turn();
    moves = moves || path.turn() > 0 || path.slide() > 0;
  }
  for (std::size_t i = 0; i < base_lengths_.size(); ++i) {
    const DistanceLock& lock = system_.distance_locks[i];
    moves = moves || lock.drive >= 0 ||
            constants_of(lock, constants_.data()).length != base_lengths_[i];
  }
  if (!moves) {
    progress_.moved = 1;
    return;
  }
  // Angles between any two bodies change by less than half a turn from one place to the next, so
  // that those which are counted through turns are counted right.
  if (!w_.angle.empty() || !w_.euler.empty() || !w_.bushing.empty())
    angle = std::max(angle, 0.2 * sum);
  cover(&StartProgress::moved, angle);
}

/// Covers a part of the way in pieces in which no joint turns by more than half a radian, and
/// smaller ones where those fail.
void Placement::cover(double StartProgress::*part, double angle) {
  constexpr double most = 0.5, least = 1.0 / 4096;
  const double usual = 1 / std::max(1.0, std::ceil(angle / most));
  double piece = usual;
  while (progress_.*part < 1) {
    const StartProgress before = progress_;
    const std::vector<double> q_before = q_;
    StartProgress target = progress_;
    target.*part += piece;
    if (target.*part > 1 - 1e-9) target.*part = 1;
    const bool last = target.*part == 1;
    std::exception_ptr failure;
    bool reached = false;
    try {
      reached = reach(target, last);
    } catch (const SimulationError&) {
      failure = std::current_exception();
    }
    if (reached) {
      follow();
      piece = std::min(usual, 2 * piece);
      continue;
    }
    if (piece < least * usual) {
      if (part == &StartProgress::moved && !start_rows_.empty()) throw_out_of_reach();
      if (failure) std::rethrow_exception(failure);
      throw_not_assembled(system_, worst_, violation_, 0.0);
    }
    progress_ = before;
    q_ = q_before;
    update();
    piece *= 0.5;
  }
}

// Gauss-Newton in the mass metric, as in the integrator: of all motions that satisfy the linearised
// conditions, the one with the least  δᵀ M δ.
bool Placement::reach(const StartProgress& target, bool last) {
  constexpr int limit = 30;
  constexpr double epsilon = 2.220446049250313e-16;
  const double floor = 4 * epsilon * length_scale_;
  const double good = last ? 1e3 * floor : 1e-6 * std::max(1.0, length_scale_);
  carry_along(target);
  progress_ = target;
  for (int iteration = 0; iteration < limit; ++iteration) {
    update();
    violation_ = measure();
    if (!std::isfinite(violation_)) return false;
    if (violation_ <= good) return aligned();
    solve_increment();
    double largest = 1;
    for (const auto& block : system_.blocks)
      if (block.kind == Block::Kind::rigid)
        for (int k = 3; k < 6; ++k) largest = std::max(largest, std::fabs(delta_[at(block.v + k)]));
    for (int i = 0; i < system_.nv; ++i) delta_[at(i)] /= largest;
    compose(system_, q_.data(), delta_.data(), q_next_.data());
    q_.swap(q_next_);
  }
  return false;
}

/// Moves bodies and beams with the joints that hold them, to where given motions are made as far as
/// the target says. A joint that turns on does so about where it is now.
void Placement::carry_along(const StartProgress& to) {
  const StartProgress now = progress_;
  std::vector<Frame> before;
  for (std::size_t i = 0; i < w_.body.size(); ++i) before.push_back(body(static_cast<int>(i)));
  progress_ = to;
  place_prescribed(system_, pose_, progress_, w_);
  std::vector<RigidMotion> motion(before.size() + system_.beams.size());
  for (const Prescribed& p : system_.prescribed)
    if (p.translation) motion[at(p.body)] = between(before[at(p.body)], body(p.body));
  for (const TreeEdge& edge : tree_) {
    RigidMotion own;
    if (edge.path >= 0) {
      const JointPath& path = pose_.paths[at(edge.path)];
      if (path.turn() > 0 || path.slide() > 0) {
        const Frame &a = before[at(path.body[0])], &b = before[at(path.body[1])];
        const Mat3d A =
            a.R * path.local[0].R * matrix(exp_quaternion((1 - now.corrected) * path.error));
        const Mat3d turn = path.given_rotation(path.turn_at(to.moved)) *
                           transpose(path.given_rotation(path.turn_at(now.moved)));
        const Vec3d point = b.p + b.R * path.local[1].p;
        own.R = A * turn * transpose(A);
        own.t = point - own.R * point + A * (path.slide_at(to.moved) - path.slide_at(now.moved));
        own.moves = true;
      }
    }
    motion[at(edge.child)] = motion[at(edge.parent)] * (edge.forward ? own : inverse(own));
  }
  for (std::size_t i = 0; i < system_.bodies.size(); ++i) {
    const RigidMotion& m = motion[i + 1];
    if (!m.moves || system_.bodies[i].block < 0) continue;
    const Block& block = system_.blocks[at(system_.bodies[i].block)];
    double* q = &q_[at(block.q)];
    store3(q, m(load3(q)));
    if (block.kind != Block::Kind::rigid) continue;
    const auto turned = normalized(quaternion_of(m.R) * Quaternion<double>{q[3], q[4], q[5], q[6]});
    q[3] = turned.w, q[4] = turned.x, q[5] = turned.y, q[6] = turned.z;
  }
  for (std::size_t i = 0; i < system_.beams.size(); ++i) {
    const RigidMotion& m = motion[before.size() + i];
    const BeamIndex& beam = system_.beams[i];
    if (m.moves)
      move_beam(beam, beam.dimension == 2 ? constants_[at(beam.plane)] : 0.0, m,
                &q_[at(system_.beam_q + beam.coordinates)]);
  }
}

/// Kinematics at the coordinates and the progress made.
void Placement::update() {
  place_prescribed(system_, pose_, progress_, w_);
  update_bodies(system_, q_.data(), zero_v_.data(), w_);
  fit_axes(system_, pose_, progress_, constants_, c_, w_);
}

/// Counts turns: from the last place that was reached to this one.
void Placement::follow() {
  for (std::size_t i = 0; i < w_.angle.size(); ++i)
    w_.angle[i].value = tracked_angle(system_, static_cast<int>(i), c_.data(), w_);
  for (std::size_t i = 0; i < w_.euler.size(); ++i)
    w_.euler[i].angles.value = followed_euler(system_.tracked_eulers[i], w_.euler[i], w_).angles;
  for (const BushingIndex& bushing : system_.all<BushingIndex>())
    w_.bushing[at(bushing.index)].theta.value = bushing_state(bushing, c_.data(), w_).theta;
}

/// The directions that a start of a rotation wants across each other, and along each other.
void Placement::set_directions(StartRow& row) const {
  const JointPath& path = pose_.paths[at(row.path)];
  const Mat3d A = w_.body[at(path.body[0])].R_WB * path.local[0].R;
  const Mat3d B = w_.body[at(path.body[1])].R_WB * path.local[1].R;
  const int axis = static_cast<int>(row.motion) - 3;
  const int next = (axis + 1) % 3, last = (axis + 2) % 3;
  const Mat3d turned = A * path.rotation_at(progress_);
  if (path.first_arm < 0) {
    row.a = row.along_a = turned.column(next);
    row.b = B.column(last);
    row.along_b = B.column(next);
    return;
  }
  // The cross as the first body carries it, and as the second does: B's arm in the one tells the
  // first angle, A's arm in the other the second.
  const int arm = (path.first_arm + 1) % 3;
  Vec3d back;
  back[arm] = -path.turn_at(progress_.moved)[arm];
  const Mat3d unturned = matrix(exp_quaternion(back));
  if (axis == path.first_arm) {
    const Mat3d carried = turned * unturned;
    row.a = carried.column(last), row.along_a = carried.column(next);
    row.b = row.along_b = B.column(next);
  } else {
    const Mat3d carried = B * unturned;
    row.a = row.along_a = (turned * unturned).column(last);
    row.b = carried.column(next), row.along_b = carried.column(last);
  }
}

/// The largest violation of a condition; leaves the values less their targets in the residual and
/// in the rows of starts.
double Placement::measure() {
  residual(system_, c_.data(), zero_v_.data(), zero_lambda_.data(), w_, residual_.data());
  double* phi = residual_.data() + system_.nv;
  const double left = 1 - progress_.corrected;
  for (int row = 0; row < system_.nc; ++row) phi[row] -= left * first_values_[at(row)];
  for (const JointPath& path : pose_.paths) {
    const JointIndex& joint = system_.joints[at(path.joint)];
    if (joint.locks < 0) continue;
    const JointLocks& locks = system_.joint_locks[at(joint.locks)];
    for (int k = 0; k < locks.axis_count; ++k) {
      const auto& axis = locks.axes[at(k)];
      if (axis.drive < 0) continue;
      int direction = 0;
      for (int j = 0; j < 3; ++j)
        if (joint.row_names[at(axis.row - joint.first_row)] == motion_names[at(j)]) direction = j;
      phi[axis.row] -= path.slide_at(progress_.moved)[direction] - w_.drive[at(axis.drive)].value;
    }
  }
  for (std::size_t i = 0; i < system_.distance_locks.size(); ++i) {
    const DistanceLock& lock = system_.distance_locks[i];
    double given = constants_of(lock, constants_.data()).length - base_lengths_[i];
    if (lock.drive >= 0) given += w_.drive[at(lock.drive)].value;
    phi[lock.row.row] += (1 - progress_.moved) * given;
  }
  double violation = 0;
  const auto look = [&](double value, int row) {
    if (std::fabs(value) <= violation) return;
    violation = std::fabs(value);
    worst_ = row;
  };
  for (int row = 0; row < system_.nc; ++row) look(phi[row], system_.nv + row);
  for (std::size_t i = 0; i < start_rows_.size(); ++i) {
    StartRow& row = start_rows_[i];
    const JointPath& path = pose_.paths[at(row.path)];
    const auto &a = w_.body[at(path.body[0])], &b = w_.body[at(path.body[1])];
    if (row.turns()) {
      set_directions(row);
      row.value = dot(row.a, row.b);
    } else {
      const int k = static_cast<int>(row.motion);
      const Vec3d d = (b.p_W + b.R_WB * path.local[1].p) - (a.p_W + a.R_WB * path.local[0].p);
      row.value = dot(a.R_WB * path.local[0].R.column(k), d) - path.slide_at(progress_.moved)[k];
    }
    look(row.value, system_.nv + system_.nc + static_cast<int>(i));
  }
  return violation;
}

bool Placement::aligned() const {
  for (const JointLocks& locks : system_.joint_locks)
    if (!(joint_alignment(locks, c_.data(), w_) > 0.5)) return false;
  for (const NodeJoint& joint : system_.node_joints)
    if (!(joint_alignment(joint, c_.data(), w_) > 0)) return false;
  for (const StartRow& row : start_rows_)
    if (row.turns() && !(dot(row.along_a, row.along_b) > 0.5)) return false;
  return true;
}

std::vector<double> Placement::gradient(const StartRow& row) const {
  const JointPath& path = pose_.paths[at(row.path)];
  const auto &a = w_.body[at(path.body[0])], &b = w_.body[at(path.body[1])];
  Vec3d by[4];  // translation and rotation of either body, ground axes
  if (row.turns()) {
    const Vec3d ab = cross(row.a, row.b);
    by[1] = ab, by[3] = -ab;
  } else {
    const Vec3d e = a.R_WB * path.local[0].R.column(static_cast<int>(row.motion));
    const Vec3d r_B = b.R_WB * path.local[1].p, rho = b.p_W + r_B - a.p_W;
    by[0] = -e, by[1] = cross(e, rho), by[2] = e, by[3] = cross(r_B, e);
  }
  std::vector<double> g(at(system_.nv), 0.0);
  for (std::size_t end = 0; end < 2; ++end) {
    if (path.body[end] == 0) continue;
    const auto& index = system_.bodies[at(path.body[end]) - 1];
    if (index.block < 0) continue;
    const Block& block = system_.blocks[at(index.block)];
    add3(&g[at(block.v)], by[2 * end]);
    if (block.kind == Block::Kind::rigid)
      add3(&g[at(block.v + 3)], transpose_times(w_.body[at(path.body[end])].R_WB, by[2 * end + 1]));
  }
  return g;
}

// [M Gᵀ Eᵀ; G 0 0; E 0 0] [δ; μ; ν] = [0; -φ; -ε], E the gradients of the starts' rows: the border
// is eliminated last, and where starts depend on each other, in the sense of least squares.
void Placement::solve_increment() {
  tangent(system_, c_.data(), zero_v_.data(), zero_lambda_.data(), w_);
  kkt_.factor(w_, 0, 0, nullptr, 0.0, true);
  for (int i = 0; i < system_.nv; ++i) residual_[at(i)] = 0;
  for (std::size_t i = at(system_.nv); i < residual_.size(); ++i) residual_[i] = -residual_[i];
  kkt_.solve(residual_.data(), delta_.data());
  if (start_rows_.empty()) return;
  const auto n = static_cast<Eigen::Index>(start_rows_.size());
  using Vector = Eigen::VectorXd;
  const auto view = [&](std::vector<double>& x) {
    return Eigen::Map<Vector>(x.data(), system_.nv);
  };
  Eigen::MatrixXd E(n, system_.nv), Y(system_.nv, n);
  Vector rest(n);
  std::vector<double> rhs(residual_.size(), 0.0), y(residual_.size());
  for (Eigen::Index i = 0; i < n; ++i) {
    const StartRow& row = start_rows_[static_cast<std::size_t>(i)];
    std::vector<double> g = gradient(row);
    E.row(i) = view(g);
    std::copy(g.begin(), g.end(), rhs.begin());
    kkt_.solve(rhs.data(), y.data());
    Y.col(i) = view(y);
    rest[i] = row.value;
  }
  rest += E * view(delta_);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> border;
  border.setThreshold(1e-10);
  border.compute(E * Y);
  view(delta_) -= Y * border.solve(rest);
}

void Placement::throw_out_of_reach() const {
  const StartRow& row = *std::max_element(
      start_rows_.begin(), start_rows_.end(), [this](const StartRow& a, const StartRow& b) {
        const JointPath &first = pose_.paths[at(a.path)], &second = pose_.paths[at(b.path)];
        return first.turn() + first.slide() < second.turn() + second.slide();
      });
  const JointPath& path = pose_.paths[at(row.path)];
  const Joint& joint = model_.joints[at(path.joint)];
  // What a start of all three rotations leaves out stays as described.
  const auto given = start_of(joint.kind).value[static_cast<std::size_t>(row.motion)];
  Diagnostic d;
  d.element = "joint '" + joint.name + "'";
  d.field = start_field(joint.kind, row.motion, false);
  d.where = locate(model_, "joints." + joint.name + "." + d.field);
  d.value = given ? format_number(*given) : "as described";
  d.unit = unit_of_start(row.motion, false);
  d.expectation =
      "out of reach of the described pose: other joints, or their starts, do not allow it";
  throw InputError({d});
}

}  // namespace tumble
