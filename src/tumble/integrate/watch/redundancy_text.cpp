#include "tumble/integrate/watch/redundancy_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tumble/model/compile/compiling.hpp"

namespace tumble {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double smallest_share = 1e-6;  // of a unit vector: less is rounding

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// A lock that a user could leave out.
struct Lock {
  std::size_t joint;
  int motion;  ///< among motion_names; -1: the length of a distance joint
  Index row;
};

bool is_imposed(const JointKind& kind, int motion) {
  return std::visit(
      [motion](const auto& joint) {
        if constexpr (requires { joint.motion.drive; })
          return !joint.motion.drive[at(motion)].empty();
        else if constexpr (requires { joint.motion; })
          return joint.motion.has_value();
        else
          return false;
      },
      kind);
}

/// Those of body joints whose motion no drive imposes and of whose rows none was taken out.
std::vector<Lock> free_locks(const System& system) {
  std::vector<Lock> locks;
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const JointIndex& joint = system.joints[j];
    if (joint.node_joint >= 0 || joint.prescribed >= 0) continue;
    for (int r = 0; r < joint.rows; ++r) {
      const auto name = std::ranges::find(motion_names, joint.row_names[at(r)]);
      const int motion =
          name == motion_names.end() ? -1 : static_cast<int>(name - motion_names.begin());
      if (!is_imposed(system.nominal.joints[j].kind, motion))
        locks.push_back({j, motion, joint.first_row + r});
    }
  }
  return locks;
}

/// Locks to leave out so that no combination of conditions is left that vanishes, and how clearly
/// none is; empty if these locks do not suffice.
struct Choice {
  std::vector<Lock> locks;
  double margin = 0;
};
Choice choose(const std::vector<Lock>& locks, const MatrixXd& rows) {
  const Index count = rows.cols();
  if (static_cast<Index>(locks.size()) < count) return {};
  MatrixXd columns(count, static_cast<Index>(locks.size()));
  for (std::size_t i = 0; i < locks.size(); ++i)
    columns.col(static_cast<Index>(i)) = rows.row(locks[i].row).transpose();
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(columns);
  Choice choice;
  choice.margin = std::abs(qr.matrixR()(count - 1, count - 1));
  if (choice.margin < smallest_share) return {};
  for (Index i = 0; i < count; ++i)
    choice.locks.push_back(locks[at(qr.colsPermutation().indices()[i])]);
  return choice;
}

/// The axes of a joint that has none of its own in the file, as a general joint would need them.
std::string orientation_text(const System& system, std::size_t joint) {
  const JointKind& kind = system.nominal.joints[joint].kind;
  const bool written = std::visit(
      [](const auto& j) {
        return requires { j.orientation; };
      },
      kind);
  const auto axes = compiling::joint_axes(kind);
  if (written || !axes) return {};
  double turned = 0;
  for (int k = 0; k < 3; ++k) turned = std::max(turned, 1 - (*axes)(k, k));
  if (turned < 1e-15) return {};
  const auto vector = [&](int k) {
    const Vec3d e = axes->column(k);
    const auto number = [](double x) { return fmt::format("{}", x == 0 ? 0.0 : x); };
    return fmt::format("[{}, {}, {}]", number(e.x), number(e.y), number(e.z));
  };
  return fmt::format("orientation: {{x: {}, y: {}}}, ", vector(0), vector(1));
}

std::string describe_change(const System& system, std::size_t joint,
                            const std::vector<Lock>& left_out) {
  const JointIndex& index = system.joints[joint];
  const std::string& name = system.nominal.joints[joint].name;
  std::vector<std::string> kept;
  for (int r = 0; r < index.rows; ++r)
    if (std::ranges::none_of(left_out,
                             [&](const Lock& lock) { return lock.row == index.first_row + r; }))
      kept.push_back(index.row_names[at(r)]);
  if (kept.empty()) return fmt::format("leave out joint '{}'", name);
  std::ranges::sort(kept, {}, [](const std::string& motion) {
    return std::ranges::find(motion_names, motion) - motion_names.begin();
  });
  return fmt::format("make joint '{}' one of `type: general, {}locked: [{}]`", name,
                     orientation_text(system, joint), fmt::join(kept, ", "));
}

}  // namespace

MatrixXd in_joint_axes(const System& system, const Workspace<double>& w, const double* constants,
                       const MatrixXd& null_space) {
  MatrixXd turned = null_space;
  for (const JointIndex& joint : system.joints) {
    if (joint.locks < 0) continue;
    const int first = system.joint_locks[at(joint.locks)].point_row;
    if (first < 0) continue;
    const Mat3d R = matrix(w.body[at(joint.body[0])].q_WB * constants_of(joint, constants).q_A);
    for (Index j = 0; j < turned.cols(); ++j) {
      double* n = turned.col(j).data() + first;
      store3(n, transpose_times(R, load3(n)));
    }
  }
  return turned;
}

std::string name_conditions(const System& system, const MatrixXd& rows, double least) {
  std::vector<std::pair<std::string, std::string>> elements;  // "joint 'a'" and "x, ry"
  for (Index row = 0; row < rows.rows(); ++row) {
    if (rows.row(row).norm() < least) continue;
    const std::string full = system.describe_row(system.nv + static_cast<int>(row));
    const auto open = full.rfind(" (");
    const std::string name = full.substr(0, open);
    const std::string motion =
        open == std::string::npos ? "" : full.substr(open + 2, full.size() - open - 3);
    if (!elements.empty() && elements.back().first == name)
      elements.back().second += ", " + motion;
    else
      elements.emplace_back(name, motion);
  }
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < elements.size() && i < most; ++i)
    text += fmt::format("{}{} ({})", i > 0 ? ", " : "", elements[i].first, elements[i].second);
  if (elements.size() > most) text += fmt::format(" and {} more", elements.size() - most);
  return text;
}

std::string propose_remedy(const System& system, const MatrixXd& rows) {
  const std::vector<Lock> locks = free_locks(system);
  std::map<std::size_t, std::vector<Lock>> by_joint;
  for (const Lock& lock : locks) by_joint[lock.joint].push_back(lock);
  // One joint, of several that do as well the last: it usually closes the loop.
  Choice best;
  for (const auto& [joint, own] : by_joint) {
    Choice choice = choose(own, rows);
    if (choice.margin >= std::max(0.5 * best.margin, smallest_share)) best = std::move(choice);
  }
  if (best.locks.empty()) best = choose(locks, rows);
  if (best.locks.empty())
    return system.couplers.empty() ? "leave out one of the joints"
                                   : "leave out one of the joints or couplers";
  std::map<std::size_t, std::vector<Lock>> changes;
  for (const Lock& lock : best.locks) changes[lock.joint].push_back(lock);
  std::vector<std::string> sentences;
  for (const auto& [joint, left_out] : changes)
    sentences.push_back(describe_change(system, joint, left_out));
  return fmt::format("{}", fmt::join(sentences, ", "));
}

}  // namespace tumble
