#include <algorithm>
#include <set>

#include "tumble/model/compile/compiling.hpp"

namespace tumble::compiling {

namespace {

template <class J>
const J& kind_of(const Model& model, std::size_t index) {
  return std::get<J>(model.joints[index].kind);
}

template <class J>
std::optional<Mat3d> axes_of(const J& joint) {
  if constexpr (std::is_same_v<J, RevoluteSphericalJoint>) {
    return axes_along(joint.axis);
  } else if constexpr (std::is_same_v<J, ConstantVelocityJoint>) {
    if (joint.axis_first) return axes_along(*joint.axis_first);
  } else if constexpr (requires { joint.axis; }) {
    if (joint.axis) return axes_along(*joint.axis);
  } else if constexpr (requires { joint.axis_first; }) {
    if (joint.axis_first && joint.axis_second)
      return axes_from_xy(*joint.axis_first, *joint.axis_second);
  } else if constexpr (requires { joint.orientation; }) {
    if (joint.orientation) return rotation_matrix(*joint.orientation);
  }
  return std::nullopt;
}

/// The least rotation that takes one direction to another, which is not opposite to it:
/// R = I + ñ + ñ²/(1 + a·b), n = a × b.
Mat3d least_turn(const Vec3d& from, const Vec3d& to) {
  const Vec3d a = (1 / norm(from)) * from, b = (1 / norm(to)) * to;
  const Mat3d n = skew(cross(a, b));
  return Mat3d::identity() + n + (1 / (1 + dot(a, b))) * (n * n);
}

/// What is laid differently on the second body: the shaft of a joint that is described bent.
template <class J>
void lay_second(const J& joint, FramePair& pair) {
  if constexpr (std::is_same_v<J, ConstantVelocityJoint>)
    if (joint.axis_first && joint.axis_second)
      pair.frame[1].R = least_turn(*joint.axis_first, *joint.axis_second) * pair.frame[0].R;
}

template <class J>
JointLayout layout(const J& joint, std::size_t index) {
  JointLayout found;
  found.frames = [index](const Model& model) {
    const J& j = kind_of<J>(model, index);
    FramePair pair = frame_pair(model, j.between, j.point, axes_of(j));
    lay_second(j, pair);
    return pair;
  };
  found.twist = requires { J::locks_twist; };
  if constexpr (requires { joint.locked_motions; })
    found.locked = joint.locked_motions;
  else
    found.locked = J::locked;
  if constexpr (requires { joint.motion; }) found.motion = joint.motion;
  return found;
}

/// The two axes whose being perpendicular locks one rotation: of the first frame, of the second.
struct AxisPair {
  int first, second;
};

/// Rotation k is locked by a·b = 0 with a, b the two other axes. With two rotations locked, a is
/// the axis left free: the joint may then turn through any angle, and the gradient with respect to
/// the second body's rotation is constant in its own axes, so that a pivot taken there never fades.
AxisPair locking_axes(const std::array<bool, 3>& locked, int k) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  const int count = locked[0] + locked[1] + locked[2];
  if (count == 2) {
    const int free_axis = !locked[0] ? 0 : !locked[1] ? 1 : 2;
    return {free_axis, 3 - k - free_axis};
  }
  return {i, j};
}

/// How many numbers stand before a member of constants.
template <class Constants, class Member>
int place_of(Member Constants::*member) {
  const Constants constants{};
  return static_cast<int>(reinterpret_cast<const double*>(&(constants.*member)) -
                          reinterpret_cast<const double*>(&constants));
}

class JointBuilder {
 public:
  JointBuilder(System& system, JointIndex& joint, const JointLayout& shape)
      : system_(system), joint_(joint), layout_(shape) {}

  void add() {
    locks_.body = joint_.body;
    add_rows();
    if (joint_.rows == 0) return;
    joint_.locks = static_cast<int>(system_.joint_locks.size());
    system_.joint_locks.push_back(locks_);
  }

 private:
  void add_rows() {
    Prescribed* prescribed = nullptr;
    if (joint_.prescribed >= 0)
      prescribed = &system_.prescribed[static_cast<std::size_t>(joint_.prescribed)];
    const bool whole_point = layout_.locks(0) && layout_.locks(1) && layout_.locks(2) &&
                             !imposed(0) && !imposed(1) && !imposed(2);
    if (prescribed != nullptr && prescribed->translation) {
      for (int k = 0; k < 3; ++k) prescribed->displacement[static_cast<std::size_t>(k)] = drive(k);
    } else if (whole_point) {
      add_point_lock();
    } else {
      for (int k = 0; k < 3; ++k)
        if (layout_.locks(static_cast<std::size_t>(k))) add_axis_lock(k);
    }
    const std::array<bool, 3> rotations{layout_.locks(3), layout_.locks(4), layout_.locks(5)};
    int turned = -1;
    if (imposed(3) || imposed(4) || imposed(5)) turned = add_turned_axes();
    if (prescribed != nullptr) {
      prescribed->constants = joint_.constants;
      prescribed->turned = turned;
      return;
    }
    for (int k = 0; k < 3; ++k)
      if (rotations[static_cast<std::size_t>(k)])
        add_dot_lock(k, locking_axes(rotations, k), turned);
    if (layout_.twist) add_twist_lock();
  }

  bool imposed(std::size_t k) const { return !layout_.motion.drive[k].empty(); }
  int drive(int k) const {
    return drive_index(system_, layout_.motion.drive[static_cast<std::size_t>(k)]);
  }
  int next_row(int motion) {
    joint_.row_names.emplace_back(motion_names[static_cast<std::size_t>(motion)]);
    ++joint_.rows;
    return system_.nc++;
  }
  /// `make` gets both frames in body axes.
  template <class Element, class Make>
  void write(const Element& element, Make make) {
    system_.writers.push_back([frames = layout_.frames, at = element.constants, make](
                                  const PrepareContext& context, double* c) {
      const FramePair pair = frames(context.model());
      constants_at<Element>(c + at) = make(context.local(pair.body[0], pair.frame[0]),
                                           context.local(pair.body[1], pair.frame[1]));
    });
  }

  void add_point_lock() {
    PointLock lock;
    lock.pair.body = joint_.body;
    for (int k = 0; k < 3; ++k) lock.rows[static_cast<std::size_t>(k)].row = next_row(k);
    lock.constants = reserve<PointLock>(system_);
    write(lock, [](const Frame& a, const Frame& b) { return PairPoints<double>{a.p, b.p}; });
    system_.point_locks.push_back(lock);
    locks_.r_A = lock.constants + place_of(&PairPoints<double>::r_A);
    locks_.r_B = lock.constants + place_of(&PairPoints<double>::r_B);
    locks_.point_row = lock.rows[0].row;
  }
  void add_axis_lock(int k) {
    AxisLock lock;
    lock.pair.body = joint_.body;
    lock.row.row = next_row(k);
    lock.drive = drive(k);
    lock.constants = reserve<AxisLock>(system_);
    using Constants = AxisLock::Constants<double>;
    write(lock, [k](const Frame& a, const Frame& b) { return Constants{a.p, a.R.column(k), b.p}; });
    system_.axis_locks.push_back(lock);
    locks_.r_A = lock.constants + place_of(&Constants::r_A);
    locks_.r_B = lock.constants + place_of(&Constants::r_B);
    locks_.axes[static_cast<std::size_t>(locks_.axis_count++)] = {
        lock.row.row, lock.constants + place_of(&Constants::e_A), lock.drive};
  }
  void add_dot_lock(int k, AxisPair axes, int turned) {
    DotLock lock;
    lock.pair.body = joint_.body;
    lock.row.row = next_row(3 + k);
    lock.turned = turned;
    locks_.turns = locks_.turns || turned >= 0;
    lock.axis = axes.first;
    lock.constants = reserve<DotLock>(system_);
    using Constants = DotLock::Constants<double>;
    write(lock, [axes](const Frame& a, const Frame& b) {
      return Constants{a.R.column(axes.first), b.R.column(axes.second)};
    });
    system_.dot_locks.push_back(lock);
    // Locks that share the first axis read it in one place, so that it is turned once.
    int a = lock.constants + place_of(&Constants::a_A);
    if (locks_.dot_count > 0) {
      const auto& before = locks_.dots[static_cast<std::size_t>(locks_.dot_count) - 1];
      if (before.axis == axes.first) a = before.a;
    }
    locks_.dots[static_cast<std::size_t>(locks_.dot_count++)] = {
        lock.row.row, a, lock.constants + place_of(&Constants::b_B), turned, axes.first};
  }
  void add_twist_lock() {
    TwistLock lock;
    lock.pair.body = joint_.body;
    lock.row.row = next_row(5);
    lock.constants = reserve<TwistLock>(system_);
    write(lock, [](const Frame& a, const Frame& b) {
      return TwistLock::Constants<double>{a.R.column(0), a.R.column(1), b.R.column(0),
                                          b.R.column(1)};
    });
    joint_.twist = static_cast<int>(system_.twist_locks.size());
    system_.twist_locks.push_back(lock);
  }
  int add_turned_axes() {
    TurnedAxes turned;
    for (int k = 0; k < 3; ++k) turned.drive[static_cast<std::size_t>(k)] = drive(3 + k);
    turned.constants = reserve<TurnedAxes>(system_);
    write(turned, [](const Frame& a, const Frame&) { return TurnedAxes::Constants<double>{a.R}; });
    system_.turned_axes.push_back(turned);
    return static_cast<int>(system_.turned_axes.size()) - 1;
  }

  System& system_;
  JointIndex& joint_;
  const JointLayout& layout_;
  JointLocks locks_;
};

/// The joints whose angle a probe asks for.
std::set<std::string> joints_with_probed_angle(const Model& model) {
  std::set<std::string> names;
  for (const auto& probe : model.probes)
    if (probe.joint && std::ranges::count(probe.quantities, Quantity::angle) > 0)
      names.insert(probe.joint->name);
  return names;
}

template <class J>
void add_joint(System& system, std::size_t index, const J& joint, bool angle_is_probed,
               JointIndex& entry) {
  const JointLayout shape = layout(joint, index);
  entry.body = shape.frames(system.nominal).body;
  for (std::size_t k = 0; k < 6; ++k) {
    entry.locked.has[k] = shape.locks(k);
    entry.drive[k] = drive_index(system, shape.motion.drive[k]);
  }
  entry.constants = reserve<JointIndex>(system);
  system.writers.push_back(
      [frames = shape.frames, at = entry.constants](const PrepareContext& context, double* c) {
        constants_at<JointIndex>(c + at) = local_frames(context, frames(context.model()));
      });
  JointBuilder(system, entry, shape).add();
  if (!angle_is_probed) return;
  TrackedAngle angle;
  angle.body = entry.body;
  angle.owner = "joint '" + entry.name + "'";
  const auto& motion = shape.motion.drive;
  angle.hinged = shape.locks(3) && shape.locks(4) && motion[3].empty() && motion[4].empty();
  if (angle.hinged) angle.drive = drive_index(system, motion[5]);
  angle.constants = reserve<TrackedAngle>(system);
  system.writers.push_back(
      [frames = shape.frames, at = angle.constants](const PrepareContext& context, double* c) {
        constants_at<TrackedAngle>(c + at) = local_axes(context, frames(context.model()));
      });
  entry.tracked = static_cast<int>(system.tracked_angles.size());
  system.tracked_angles.push_back(angle);
}

void add_joint(System& system, std::size_t index, const DistanceJoint& joint,
               bool /*angle_is_probed*/, JointIndex& entry) {
  const auto ends = [index](const Model& model) {
    const auto& j = kind_of<DistanceJoint>(model, index);
    return point_pair(model, j.between, j.points);
  };
  entry.body = ends(system.nominal).body;
  entry.constants = reserve<JointIndex>(system);
  entry.rows = 1;
  entry.row_names = {"length"};
  system.writers.push_back([ends, at = entry.constants](const PrepareContext& context, double* c) {
    constants_at<JointIndex>(c + at) = local_frames(context, ends(context.model()));
  });
  DistanceLock lock;
  lock.pair.body = entry.body;
  lock.row.row = system.nc++;
  lock.drive = joint.motion ? drive_index(system, joint.motion->name) : -1;
  lock.constants = reserve<DistanceLock>(system);
  system.writers.push_back([ends, index, at = lock.constants](const PrepareContext& context,
                                                              double* c) {
    const FramePair pair = ends(context.model());
    const auto& realized = kind_of<DistanceJoint>(context.model(), index);
    const auto& length =
        realized.start && realized.start->length ? realized.start->length : realized.length;
    constants_at<DistanceLock>(c + at) = {
        local_points(context, pair), length ? *length : norm(pair.frame[1].p - pair.frame[0].p)};
  });
  system.distance_locks.push_back(lock);
}

/// A link from an axis to a point: that stays in its plane across the axis, e·d = 0 with d from the
/// foot of the perpendicular, and at its distance from the axis.
void add_joint(System& system, std::size_t index, const RevoluteSphericalJoint& /*nominal*/,
               bool /*angle_is_probed*/, JointIndex& entry) {
  const auto frames = [index](const Model& model) {
    const auto& j = kind_of<RevoluteSphericalJoint>(model, index);
    FramePair pair = point_pair(model, j.between, j.points);
    for (Frame& frame : pair.frame) frame.R = axes_along(j.axis);
    const Vec3d e = pair.frame[0].R.column(2);
    pair.frame[0].p += dot(e, pair.frame[1].p - pair.frame[0].p) * e;
    return pair;
  };
  JointLayout shape;
  shape.frames = frames;
  shape.locked.has[static_cast<std::size_t>(Motion::z)] = true;
  entry.body = frames(system.nominal).body;
  entry.locked = shape.locked;
  entry.constants = reserve<JointIndex>(system);
  system.writers.push_back(
      [frames, at = entry.constants](const PrepareContext& context, double* c) {
        constants_at<JointIndex>(c + at) = local_frames(context, frames(context.model()));
      });
  JointBuilder(system, entry, shape).add();
  DistanceLock lock;
  lock.pair.body = entry.body;
  lock.row.row = system.nc++;
  ++entry.rows;
  entry.row_names.emplace_back("length");
  lock.constants = reserve<DistanceLock>(system);
  system.writers.push_back(
      [frames, index, at = lock.constants](const PrepareContext& context, double* c) {
        const FramePair pair = frames(context.model());
        const auto& realized = kind_of<RevoluteSphericalJoint>(context.model(), index);
        constants_at<DistanceLock>(c + at) = {
            local_points(context, pair),
            realized.length ? *realized.length : norm(pair.frame[1].p - pair.frame[0].p)};
      });
  system.distance_locks.push_back(lock);
}

}  // namespace

std::optional<Mat3d> joint_axes(const JointKind& kind) {
  return std::visit([](const auto& joint) { return axes_of(joint); }, kind);
}

std::optional<JointLayout> joint_layout(const Model& model, std::size_t index) {
  if (touches_beam(model, model.joints[index].kind)) return std::nullopt;
  return std::visit(
      [index](const auto& joint) -> std::optional<JointLayout> {
        if constexpr (requires { joint.points; })
          return std::nullopt;
        else
          return layout(joint, index);
      },
      model.joints[index].kind);
}

void add_joints(System& system) {
  const std::set<std::string> with_probed_angle = joints_with_probed_angle(system.nominal);
  std::vector<int> prescribed(system.nominal.joints.size(), -1);
  for (std::size_t p = 0; p < system.prescribed.size(); ++p)
    prescribed[static_cast<std::size_t>(system.prescribed[p].joint)] = static_cast<int>(p);
  for (std::size_t i = 0; i < system.nominal.joints.size(); ++i) {
    JointIndex entry;
    entry.prescribed = prescribed[i];
    entry.name = system.nominal.joints[i].name;
    entry.first_row = system.nc;
    if (touches_beam(system.nominal, system.nominal.joints[i].kind))
      add_node_joint(system, i, entry);
    else
      std::visit(
          [&](const auto& joint) {
            add_joint(system, i, joint, with_probed_angle.contains(entry.name), entry);
          },
          system.nominal.joints[i].kind);
    system.joints.push_back(std::move(entry));
  }
}

}  // namespace tumble::compiling
