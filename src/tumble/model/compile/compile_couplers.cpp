// Coordinates of joints, and what acts on them: couplers, limits, friction.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tumble/model/compile/compiling.hpp"
#include "tumble/model/compile/find_named.hpp"

namespace tumble::compiling {

namespace {

/// Frames of a joint with the axis of a rotation, or the direction of a displacement, as z.
Mat3d with_third(const Mat3d& R, int k) {
  return Mat3d::from_columns(R.column((k + 1) % 3), R.column((k + 2) % 3), R.column(k));
}

/// An angle is one if the joint keeps the two axes parallel.
bool is_coordinate(const JointLayout& layout, int motion) {
  if (layout.locked.has[static_cast<std::size_t>(motion)]) return false;
  if (motion < 3) return true;
  for (int k = 3; k < 6; ++k) {
    const auto i = static_cast<std::size_t>(k);
    if (k != motion && (!layout.locked.has[i] || !layout.motion.drive[i].empty())) return false;
  }
  return true;
}

const char* word(CoordinateKind wanted) {
  switch (wanted) {
    case CoordinateKind::angle:
      return "angle";
    case CoordinateKind::displacement:
      return "displacement";
    case CoordinateKind::any:
      break;
  }
  return "angle or displacement";
}

/// The value of a coordinate in the described pose, in its frames.
double described_value(const FramePair& pair, int motion) {
  const Mat3d& A = pair.frame[0].R;
  if (motion < 3) return dot(A.column(motion), pair.frame[1].p - pair.frame[0].p);
  const Mat3d a = with_third(A, motion - 3), b = with_third(pair.frame[1].R, motion - 3);
  return atan2(dot(a.column(1), b.column(0)), dot(a.column(0), b.column(0)));
}

}  // namespace

CoordinatePlace find_coordinate(const Model& model, const CoordinateRef& reference,
                                CoordinateKind wanted) {
  const auto dot_at = reference.name.find('.');
  const std::string name = reference.name.substr(0, dot_at);
  const int joint = find_named(model.joints, name);
  if (joint < 0) return {-1, 0, "no joint has this name"};
  const auto layout = joint_layout(model, static_cast<std::size_t>(joint));
  if (!layout) return {-1, 0, fmt::format("joint '{}' has no angle and no displacement", name)};
  if (dot_at != std::string::npos) {
    const auto found = std::ranges::find(motion_names, reference.name.substr(dot_at + 1));
    if (found == motion_names.end())
      return {-1, 0, fmt::format("must name one of x, y, z, rx, ry, rz of joint '{}'", name)};
    const int motion = static_cast<int>(found - motion_names.begin());
    const bool fits =
        wanted == CoordinateKind::any || (wanted == CoordinateKind::angle) == (motion >= 3);
    if (!fits)
      return {
          -1, 0,
          fmt::format("must be {} {}", wanted == CoordinateKind::angle ? "an" : "a", word(wanted))};
    if (is_coordinate(*layout, motion)) return {joint, motion, {}};
    if (layout->locked.has[static_cast<std::size_t>(motion)])
      return {-1, 0, fmt::format("joint '{}' locks {}", name, *found)};
    return {-1, 0,
            fmt::format("joint '{}' leaves other rotations free, so that {} is no angle about one "
                        "axis",
                        name, *found)};
  }
  std::vector<int> motions;
  for (int k = 0; k < 6; ++k) {
    const bool fits =
        wanted == CoordinateKind::any || (wanted == CoordinateKind::angle) == (k >= 3);
    if (fits && is_coordinate(*layout, k)) motions.push_back(k);
  }
  if (motions.size() == 1) return {joint, motions.front(), {}};
  if (motions.empty()) return {-1, 0, fmt::format("joint '{}' has no {}", name, word(wanted))};
  std::vector<std::string> choices;
  for (const int k : motions)
    choices.push_back(fmt::format("{}.{}", name, motion_names[static_cast<std::size_t>(k)]));
  return {-1, 0, fmt::format("say which: {}", fmt::join(choices, " or "))};
}

int coordinate_index(System& system, const CoordinateRef& reference, CoordinateKind wanted) {
  const CoordinatePlace place = find_coordinate(system.nominal, reference, wanted);
  if (place.joint < 0) throw std::logic_error("no coordinate '" + reference.name + "'");
  for (std::size_t i = 0; i < system.coordinates.size(); ++i)
    if (system.coordinates[i].joint == place.joint && system.coordinates[i].motion == place.motion)
      return static_cast<int>(i);
  const auto joint = static_cast<std::size_t>(place.joint);
  const JointLayout layout = *joint_layout(system.nominal, joint);
  JointCoordinate coordinate;
  coordinate.joint = place.joint;
  coordinate.motion = place.motion;
  coordinate.pair.body = layout.frames(system.nominal).body;
  const auto frames = layout.frames;
  if (place.motion < 3) {
    coordinate.constants = reserve<JointCoordinate>(system);
    system.writers.push_back([frames, k = place.motion, at = coordinate.constants](
                                 const PrepareContext& context, double* c) {
      const FramePair pair = frames(context.model());
      const Frame a = context.local(pair.body[0], pair.frame[0]);
      constants_at<JointCoordinate>(c + at) = {a.p, a.R.column(k),
                                               context.local(pair.body[1], pair.frame[1]).p};
    });
  } else {
    TrackedAngle angle;
    angle.body = coordinate.pair.body;
    angle.owner = "joint '" + system.nominal.joints[joint].name + "'";
    // No drive says where it is: on the way from the described pose it is not yet there.
    angle.constants = reserve<TrackedAngle>(system);
    system.writers.push_back([frames, k = place.motion - 3, at = angle.constants](
                                 const PrepareContext& context, double* c) {
      FramePair pair = frames(context.model());
      for (Frame& frame : pair.frame) frame.R = with_third(frame.R, k);
      constants_at<TrackedAngle>(c + at) = local_axes(context, pair);
    });
    coordinate.tracked = static_cast<int>(system.tracked_angles.size());
    system.tracked_angles.push_back(angle);
  }
  system.coordinates.push_back(coordinate);
  return static_cast<int>(system.coordinates.size()) - 1;
}

void add_couplers(System& system) {
  for (std::size_t i = 0; i < system.nominal.couplers.size(); ++i) {
    const Coupler& coupler = system.nominal.couplers[i];
    CouplerLock lock;
    lock.name = coupler.name;
    lock.row = system.nc++;
    std::vector<std::function<FramePair(const Model&)>> frames;
    std::vector<int> motions;
    for (const CouplerTerm& term : terms_of(coupler.kind)) {
      const int at = coordinate_index(system, term.coordinate, term.wanted);
      lock.terms[static_cast<std::size_t>(lock.count++)].coordinate = at;
      const auto& coordinate = system.coordinates[static_cast<std::size_t>(at)];
      lock.in_length = lock.in_length || !coordinate.is_angle();
      frames.push_back(
          joint_layout(system.nominal, static_cast<std::size_t>(coordinate.joint))->frames);
      motions.push_back(coordinate.motion);
    }
    lock.in_length = lock.in_length || std::holds_alternative<BeltCoupler>(coupler.kind);
    lock.constants = reserve<CouplerLock>(system);
    system.writers.push_back(
        [frames, motions, i, at = lock.constants](const PrepareContext& context, double* c) {
          const CouplerKind& kind = context.model().couplers[i].kind;
          const auto terms = terms_of(kind);
          auto& k = constants_at<CouplerLock>(c + at);
          double described = 0;
          for (std::size_t t = 0; t < 3; ++t) {
            k.coefficient[t] = t < terms.size() ? terms[t].coefficient : 0.0;
            if (t < terms.size() && !offset_of(kind))
              described +=
                  terms[t].coefficient * described_value(frames[t](context.model()), motions[t]);
          }
          k.offset = offset_of(kind).value_or(described);
        });
    system.couplers.push_back(std::move(lock));
  }
}

void add_joint_limit(System& system, std::size_t index) {
  const auto& nominal = std::get<JointLimit>(system.nominal.forces[index].kind);
  JointLimitIndex entry;
  entry.name = system.nominal.forces[index].name;
  entry.coordinate = coordinate_index(system, nominal.joint, CoordinateKind::any);
  entry.constants = reserve<JointLimitIndex>(system);
  system.writers.push_back([index, at = entry.constants](const PrepareContext& context, double* c) {
    const auto& limit = std::get<JointLimit>(context.model().forces[index].kind);
    constexpr double nowhere = 1e100;
    constants_at<JointLimitIndex>(c + at) = {limit.lower.value_or(-nowhere),
                                             limit.upper.value_or(nowhere), limit.stiffness,
                                             limit.damping, limit.width};
  });
  system.all<JointLimitIndex>().push_back(entry);
}

void add_joint_friction(System& system, std::size_t index) {
  const auto& nominal = std::get<JointFriction>(system.nominal.forces[index].kind);
  JointFrictionIndex entry;
  entry.name = system.nominal.forces[index].name;
  entry.coordinate = coordinate_index(system, nominal.joint, CoordinateKind::any);
  const auto& coordinate = system.coordinates[static_cast<std::size_t>(entry.coordinate)];
  // The joint's rows that hold translations, but not the one that drives the coordinate itself.
  const JointIndex& joint = system.joints[static_cast<std::size_t>(coordinate.joint)];
  for (int r = 0; r < joint.rows; ++r) {
    const auto name = std::ranges::find(motion_names, joint.row_names[static_cast<std::size_t>(r)]);
    const int motion = static_cast<int>(name - motion_names.begin());
    if (motion < 3 && motion != coordinate.motion)
      entry.row[static_cast<std::size_t>(entry.rows++)] = joint.first_row + r;
  }
  entry.constants = reserve<JointFrictionIndex>(system);
  system.writers.push_back([index, turns = coordinate.is_angle(), at = entry.constants](
                               const PrepareContext& context, double* c) {
    const auto& f = std::get<JointFriction>(context.model().forces[index].kind);
    const double lever = turns ? f.radius : 1.0;
    const double excess = f.static_coefficient.value_or(f.coefficient) - f.coefficient;
    constants_at<JointFrictionIndex>(c + at) = {
        lever * f.coefficient, lever * excess, f.stribeck_rate > 0 ? 1 / f.stribeck_rate : 0.0,
        1 / f.transition_rate, f.preload,      f.constant};
  });
  system.all<JointFrictionIndex>().push_back(entry);
}

}  // namespace tumble::compiling
