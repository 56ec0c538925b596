#include <algorithm>
#include <set>

#include "tumble/model/compile/compiling.hpp"

namespace tumble::compiling {

namespace {

template <class J>
const J& kind_of(const Model& model, std::size_t index) {
  return std::get<J>(model.joints[index].kind);
}

/// Joints whose z axis is `axis`.
template <class J>
JointLayout layout(const J& joint, std::size_t index) requires std::is_base_of_v<AxisJoint, J> {
  return {[index](const Model& model) {
            const J& j = kind_of<J>(model, index);
            return frame_pair(model, j.between, j.point,
                              j.axis ? std::optional(axes_along(*j.axis)) : std::nullopt);
          },
          J::locked, joint.motion};
}

template <class J>
FramePair oriented_frames(const Model& model, const J& j) {
  return frame_pair(model, j.between, j.point,
                    j.orientation ? std::optional(rotation_matrix(*j.orientation)) : std::nullopt);
}

JointLayout layout(const FixedJoint& joint, std::size_t index) {
  return {[index](const Model& model) {
            return oriented_frames(model, kind_of<FixedJoint>(model, index));
          },
          FixedJoint::locked, joint.motion};
}

JointLayout layout(const GeneralJoint& joint, std::size_t index) {
  return {[index](const Model& model) {
            return oriented_frames(model, kind_of<GeneralJoint>(model, index));
          },
          joint.locked_motions, joint.motion};
}

JointLayout layout(const SphericalJoint&, std::size_t index) {
  return {[index](const Model& model) {
            const auto& j = kind_of<SphericalJoint>(model, index);
            return frame_pair(model, j.between, j.point, std::nullopt);
          },
          SphericalJoint::locked,
          {}};
}

JointLayout layout(const UniversalJoint&, std::size_t index) {
  return {[index](const Model& model) {
            const auto& j = kind_of<UniversalJoint>(model, index);
            return frame_pair(model, j.between, j.point,
                              j.axis_first && j.axis_second
                                  ? std::optional(axes_from_xy(*j.axis_first, *j.axis_second))
                                  : std::nullopt);
          },
          UniversalJoint::locked,
          {}};
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
  /// The writer gets both frames in body axes.
  template <class Write>
  void write(int at, Write write_constants) {
    system_.writers.push_back(
        [frames = layout_.frames, at, write_constants](const PrepareContext& context, double* c) {
          const FramePair pair = frames(context.model());
          write_constants(context.local(pair.body[0], pair.frame[0]),
                          context.local(pair.body[1], pair.frame[1]), c + at);
        });
  }

  void add_point_lock() {
    PointLock lock;
    lock.pair.body = joint_.body;
    for (int k = 0; k < 3; ++k) lock.rows[static_cast<std::size_t>(k)].row = next_row(k);
    lock.constants = reserve(system_, 6);
    write(lock.constants, [](const Frame& a, const Frame& b, double* c) {
      store3(c, a.p);
      store3(c + 3, b.p);
    });
    system_.point_locks.push_back(lock);
    locks_.r_A = lock.constants, locks_.r_B = lock.constants + 3;
    locks_.point_row = lock.rows[0].row;
  }
  void add_axis_lock(int k) {
    AxisLock lock;
    lock.pair.body = joint_.body;
    lock.row.row = next_row(k);
    lock.drive = drive(k);
    lock.constants = reserve(system_, 9);
    write(lock.constants, [k](const Frame& a, const Frame& b, double* c) {
      store3(c, a.p);
      store3(c + 3, a.R.column(k));
      store3(c + 6, b.p);
    });
    system_.axis_locks.push_back(lock);
    locks_.r_A = lock.constants, locks_.r_B = lock.constants + 6;
    locks_.axes[static_cast<std::size_t>(locks_.axis_count++)] = {lock.row.row, lock.constants + 3,
                                                                  lock.drive};
  }
  void add_dot_lock(int k, AxisPair axes, int turned) {
    DotLock lock;
    lock.pair.body = joint_.body;
    lock.row.row = next_row(3 + k);
    lock.turned = turned;
    locks_.turns = locks_.turns || turned >= 0;
    lock.axis = axes.first;
    lock.constants = reserve(system_, 6);
    write(lock.constants, [axes](const Frame& a, const Frame& b, double* c) {
      store3(c, a.R.column(axes.first));
      store3(c + 3, b.R.column(axes.second));
    });
    system_.dot_locks.push_back(lock);
    // Locks that share the first axis read it in one place, so that it is turned once.
    int a = lock.constants;
    if (locks_.dot_count > 0) {
      const auto& before = locks_.dots[static_cast<std::size_t>(locks_.dot_count) - 1];
      if (before.axis == axes.first) a = before.a;
    }
    locks_.dots[static_cast<std::size_t>(locks_.dot_count++)] = {
        lock.row.row, a, lock.constants + 3, turned, axes.first};
  }
  int add_turned_axes() {
    TurnedAxes turned;
    for (int k = 0; k < 3; ++k) turned.drive[static_cast<std::size_t>(k)] = drive(3 + k);
    turned.constants = reserve(system_, 9);
    write(turned.constants, [](const Frame& a, const Frame&, double* c) { write_matrix(c, a.R); });
    system_.turned_axes.push_back(turned);
    return static_cast<int>(system_.turned_axes.size()) - 1;
  }

  System& system_;
  JointIndex& joint_;
  const JointLayout& layout_;
  JointLocks locks_;
};

void write_joint_frames(const FramePair& pair, const PrepareContext& context, double* out) {
  write_frame(out, context.local(pair.body[0], pair.frame[0]));
  write_frame(out + 7, context.local(pair.body[1], pair.frame[1]));
}

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
  entry.constants = reserve(system, 14);
  system.writers.push_back(
      [frames = shape.frames, at = entry.constants](const PrepareContext& context, double* c) {
        write_joint_frames(frames(context.model()), context, c + at);
      });
  JointBuilder(system, entry, shape).add();
  if (!angle_is_probed) return;
  TrackedAngle angle;
  angle.body = entry.body;
  angle.owner = "joint '" + entry.name + "'";
  const auto& motion = shape.motion.drive;
  angle.hinged = shape.locks(3) && shape.locks(4) && motion[3].empty() && motion[4].empty();
  if (angle.hinged) angle.drive = drive_index(system, motion[5]);
  angle.constants = reserve(system, 18);
  system.writers.push_back(
      [frames = shape.frames, at = angle.constants](const PrepareContext& context, double* c) {
        const FramePair pair = frames(context.model());
        write_matrix(c + at, context.local(pair.body[0], pair.frame[0]).R);
        write_matrix(c + at + 9, context.local(pair.body[1], pair.frame[1]).R);
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
  entry.constants = reserve(system, 14);
  entry.rows = 1;
  entry.row_names = {"length"};
  system.writers.push_back([ends, at = entry.constants](const PrepareContext& context, double* c) {
    write_joint_frames(ends(context.model()), context, c + at);
  });
  DistanceLock lock;
  lock.pair.body = entry.body;
  lock.row.row = system.nc++;
  lock.drive = joint.motion ? drive_index(system, joint.motion->name) : -1;
  lock.constants = reserve(system, 7);
  system.writers.push_back(
      [ends, index, at = lock.constants](const PrepareContext& context, double* c) {
        const FramePair pair = ends(context.model());
        const auto& realized = kind_of<DistanceJoint>(context.model(), index);
        const auto& length =
            realized.start && realized.start->length ? realized.start->length : realized.length;
        store3(c + at, context.local(pair.body[0], pair.frame[0]).p);
        store3(c + at + 3, context.local(pair.body[1], pair.frame[1]).p);
        c[at + 6] = length ? *length : norm(pair.frame[1].p - pair.frame[0].p);
      });
  system.distance_locks.push_back(lock);
}

}  // namespace

std::optional<JointLayout> joint_layout(const Model& model, std::size_t index) {
  if (touches_beam(model, model.joints[index].kind)) return std::nullopt;
  return std::visit(
      [index](const auto& joint) -> std::optional<JointLayout> {
        if constexpr (std::is_same_v<std::decay_t<decltype(joint)>, DistanceJoint>)
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
