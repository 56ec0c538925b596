#include "tumble/integrate/start/joint_path.hpp"

#include <algorithm>
#include <cmath>

namespace tumble {
namespace {

Vec3d logarithm(const Mat3d& R) { return rotation_vector(quaternion_of(R)); }

Vec3d axis(int k) {
  Vec3d e;
  e[k] = 1;
  return e;
}

std::array<Frame, 2> local_frames(const PairFrames<double>& k) {
  return {Frame{k.r_A, matrix(k.q_A)}, Frame{k.r_B, matrix(k.q_B)}};
}

/// The least rotation that takes the unit vector a to b; of opposite ones, about an axis across a.
Vec3d least_rotation(const Vec3d& a, const Vec3d& b) {
  const Vec3d n = cross(a, b);
  const double sine = norm(n), angle = std::atan2(sine, dot(a, b));
  if (sine > 1e-12) return (angle / sine) * n;
  if (angle < 1) return {};
  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (std::fabs(a[i]) < std::fabs(a[k])) k = i;
  const Vec3d across = cross(a, axis(k));
  return (angle / norm(across)) * across;
}

/// With one rotation locked, axis i of A is across axis j of B: to where A's axis would have to be
/// turned so that the described pose fits.
Vec3d turn_across(int i, int k, const Vec3d& b) {
  const Vec3d a = axis(i), across = a - dot(a, b) * b;
  const double size = norm(across);
  if (size > 1e-6) return least_rotation(a, (1 / size) * across);
  const Vec3d other = axis(k) - b[k] * b;
  return least_rotation(a, (1 / norm(other)) * other);
}

/// A start's rotations, where they are given: to what, and which.
void give_turns(const JointStart& start, JointPath& path) {
  for (int k = 0; k < 3; ++k) {
    const auto motion = static_cast<std::size_t>(3 + k);
    path.turn_to[k] = start.value[motion].value_or(path.turn_from[k]);
    path.starts[motion] = start.value[motion].has_value();
  }
}

/// Splits the described rotation of B in A into error and given rotation.
void split_rotation(const JointIndex& index, const JointStart& start, const Mat3d& R,
                    JointPath& path) {
  const auto locked = [&](int k) { return index.locked.has[static_cast<std::size_t>(3 + k)]; };
  const auto imposed = [&](int k) { return index.drive[static_cast<std::size_t>(3 + k)] >= 0; };
  const bool starts = start.value[3] || start.value[4] || start.value[5];
  const int count = locked(0) + locked(1) + locked(2);
  if (count == 3) {
    const Vec3d whole = logarithm(R);
    for (int k = 0; k < 3; ++k)
      if (imposed(k)) path.turn_from[k] = whole[k];
    path.error = logarithm(R * transpose(matrix(exp_quaternion(path.turn_from))));
  } else if (count == 2) {
    const int free = !locked(0) ? 0 : !locked(1) ? 1 : 2, i = (free + 1) % 3, j = (free + 2) % 3;
    path.error = least_rotation(axis(free), R.column(free));
    if (!starts) return;
    const Mat3d about = transpose_times(matrix(exp_quaternion(path.error)), R);
    path.turn_from[free] = std::atan2(about(j, i), about(i, i));
    give_turns(start, path);
  } else if (count == 1) {
    const int k = locked(0) ? 0 : locked(1) ? 1 : 2, i = (k + 1) % 3, j = (k + 2) % 3;
    path.error = turn_across(i, k, R.column(j));
    if (!starts) return;
    // exp(α e_i) exp(β e_j): its column j is e_j cos α + e_k sin α, its row i has cos β and sin β.
    const Mat3d about = transpose_times(matrix(exp_quaternion(path.error)), R);
    path.first_arm = i;
    path.turn_from[i] = std::atan2(about(k, j), about(j, j));
    path.turn_from[j] = std::atan2(about(i, k), about(i, i));
    give_turns(start, path);
  } else if (starts) {
    path.turn_from = logarithm(R);
    give_turns(start, path);
    for (std::size_t k = 3; k < 6; ++k) path.starts[k] = true;
  }
}

/// Where nothing counts turns, many of them are as well begun near the end: exp(2π n u) is the
/// identity, and commutes with rotations about u. Where something does, only as many are left out
/// as no start has, but a drive may.
void leave_out_turns(bool counted, JointPath& path) {
  constexpr double turn = 6.283185307179586;
  const double most = turn * (counted ? 2 * most_start_turns : 64);
  const auto whole = [&](double size) { return turn * std::floor((size - most) / turn); };
  if (path.first_arm >= 0) {
    for (int k = 0; k < 3; ++k)
      if (const double size = std::fabs(path.turn_to[k]); size > most && std::isfinite(size))
        path.turn_from[k] += std::copysign(whole(size), path.turn_to[k]);
    return;
  }
  const double size = norm(path.turn_to);
  if (size <= most || !std::isfinite(size)) return;
  if (norm(cross(path.turn_from, path.turn_to)) > 1e-9 * size) return;
  path.turn_from += (whole(size) / size) * path.turn_to;
}

JointPath joint_path(const JointIndex& index, const JointStart& start, const DescribedPose& pose,
                     const double* constants, bool counted) {
  JointPath path;
  path.body = index.body;
  path.local = local_frames(constants_of(index, constants));
  Frame world[2];
  for (std::size_t end = 0; end < 2; ++end) {
    const Frame& body = pose.bodies[static_cast<std::size_t>(index.body[end])];
    const Frame& local = path.local[end];
    world[end] = {body.p + body.R * local.p, body.R * local.R};
  }
  split_rotation(index, start, transpose_times(world[0].R, world[1].R), path);
  const Vec3d d = transpose_times(world[0].R, world[1].p - world[0].p);
  const auto given = [&](std::size_t k) {
    return pose.drives[static_cast<std::size_t>(index.drive[k])].value;
  };
  for (std::size_t k = 0; k < 3; ++k) {
    const int j = static_cast<int>(k);
    if (index.drive[3 + k] >= 0) path.turn_to[j] = given(3 + k);
    if (index.drive[k] >= 0) {
      path.slides[k] = true;
      path.slide_from[j] = d[j];
      path.slide_to[j] = given(k);
    } else if (index.locked.has[k]) {
      path.offset[j] = d[j];
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    if (!start.value[k] || index.locked.has[k]) continue;
    path.starts[k] = path.slides[k] = true;
    path.slide_from[static_cast<int>(k)] = d[static_cast<int>(k)];
    path.slide_to[static_cast<int>(k)] = *start.value[k];
  }
  leave_out_turns(counted, path);
  return path;
}

}  // namespace

DescribedPose described_pose(const System& system, const Model& model,
                             const std::vector<double>& constants, double inside) {
  DescribedPose pose;
  const PrepareContext context(system.nominal, model);
  for (std::size_t i = 0; i <= model.bodies.size(); ++i)
    pose.bodies.push_back(context.start(static_cast<int>(i)));
  pose.drives.resize(static_cast<std::size_t>(system.drives.size()));
  system.drives.evaluate(constants.data() + system.drive_constants, 0.0, inside,
                         pose.drives.data());
  const bool counted = !system.described_turns().empty();
  for (std::size_t i = 0; i < system.joints.size(); ++i) {
    const auto& has = system.joints[i].locked.has;
    if (std::none_of(has.begin(), has.end(), [](bool b) { return b; })) continue;
    pose.paths.push_back(joint_path(system.joints[i], start_of(model.joints[i].kind), pose,
                                    constants.data(), counted));
    pose.paths.back().joint = static_cast<int>(i);
  }
  for (const DistanceLock& lock : system.distance_locks)
    if (lock.drive >= 0 && pose.drives[static_cast<std::size_t>(lock.drive)].value != 0)
      pose.lengths_given = true;
  for (const Joint& joint : model.joints)
    if (start_of(joint.kind).length) pose.lengths_given = true;
  for (const Coupler& coupler : model.couplers)
    if (offset_of(coupler.kind)) pose.lengths_given = true;
  return pose;
}

bool DescribedPose::needs_placement() const {
  if (lengths_given) return true;
  constexpr double far = 0.5;  // rad: well within reach of the root that is meant
  double size = 0;
  for (const Frame& body : bodies)
    for (int k = 0; k < 3; ++k) size = std::max(size, std::fabs(body.p[k]));
  return std::any_of(paths.begin(), paths.end(), [&](const JointPath& path) {
    return norm(path.error) > far || path.turn() > 1e-12 || path.slide() > 1e-12 * size;
  });
}

void place_prescribed(const System& system, const DescribedPose& pose,
                      const StartProgress& progress, Workspace<double>& w) {
  for (const Prescribed& p : system.prescribed) {
    const auto found =
        std::find_if(pose.paths.begin(), pose.paths.end(),
                     [&](const JointPath& candidate) { return candidate.joint == p.joint; });
    const JointPath& path = *found;
    const auto& parent = w.body[static_cast<std::size_t>(p.parent)];
    auto& b = w.body[static_cast<std::size_t>(p.body)];
    const Mat3d A = parent.R_WB * path.local[0].R;
    b.R_WB = A * path.rotation_at(progress) * transpose(path.local[1].R);
    b.q_WB = quaternion_of(b.R_WB);
    if (!p.translation) continue;
    const Vec3d u = (1 - progress.corrected) * path.offset + path.slide_at(progress.moved);
    b.p_W = parent.p_W + parent.R_WB * path.local[0].p + A * u - b.R_WB * path.local[1].p;
  }
}

void fit_axes(const System& system, const DescribedPose& pose, const StartProgress& progress,
              const std::vector<double>& constants, std::vector<double>& c, Workspace<double>& w) {
  std::vector<int> lock_constants(static_cast<std::size_t>(system.nc), -1);
  for (const DotLock& lock : system.dot_locks)
    lock_constants[static_cast<std::size_t>(lock.row.row)] = lock.constants;
  for (const JointPath& path : pose.paths) {
    const JointIndex& joint = system.joints[static_cast<std::size_t>(path.joint)];
    if (joint.locks < 0) continue;
    const JointLocks& locks = system.joint_locks[static_cast<std::size_t>(joint.locks)];
    const Mat3d R = path.local[0].R * path.rotation_at(progress);
    for (int k = 0; k < locks.dot_count; ++k) {
      const auto& row = locks.dots[static_cast<std::size_t>(k)];
      if (row.turned >= 0) {
        for (int i = 0; i < 3; ++i)
          w.turned[static_cast<std::size_t>(row.turned)].axis[i] = R.column(i);
        continue;
      }
      // Locks that share an axis read it in one place.
      for (const int to : {row.a, lock_constants[static_cast<std::size_t>(row.row)]}) {
        if (progress.corrected == 1)
          std::copy_n(constants.begin() + to, 3, c.begin() + to);
        else
          store3(&c[static_cast<std::size_t>(to)], R.column(row.axis));
      }
    }
  }
}

}  // namespace tumble
