// From the described pose to the one a run starts from (docs/theory/starts.md).
//
// Steps hold joints in the pose they start in. Which of the poses that satisfy the joints'
// equations that is, is decided here, once per realisation and for one double, before lanes begin.
#pragma once
#include "tumble/dynamics/turns.hpp"
#include "tumble/integrate/plan.hpp"
#include "tumble/integrate/start/joint_path.hpp"
#include "tumble/integrate/step/kkt_solver.hpp"

namespace tumble {

/// Positions on the way from the described pose to the start.
class Placement {
 public:
  /// All are kept by reference.
  Placement(const Plan& plan, const Model& model, const std::vector<double>& constants,
            const DescribedPose& pose, double inside);

  /// Removes what joints do not allow in the described pose, with the least motion in the mass
  /// metric. @throws SimulationError if they cannot be assembled.
  void correct();
  /// Then turns and moves joints to where drives and starts want them; what hangs on them follows.
  /// @throws InputError if a start is out of reach, naming it.
  void move();

  const std::vector<double>& q() const { return q_; }
  /// What is counted through turns, followed on the way: as in InitialState.
  std::vector<double> turns() const { return turns_of(w_); }
  /// The place of a body now; 0 is the ground.
  Frame body(int index) const {
    const auto& b = w_.body[static_cast<std::size_t>(index)];
    return {b.p_W, b.R_WB};
  }
  /// By joint: how far off it was as described, as a part of the machine's size or as an angle.
  const std::vector<double>& described_errors() const { return described_errors_; }
  double length_scale() const { return length_scale_; }

 private:
  /// A joint that carries along what hangs on it. Vertices are the bodies, the ground first, then
  /// the beams.
  struct TreeEdge {
    int parent, child;
    int path;      ///< among the paths, -1 if nothing is given in it
    bool forward;  ///< the child is the joint's second side
  };
  /// A condition that a start adds to those of the joints: a displacement, or that a direction
  /// fixed in A is across one fixed in B. The turned directions `along` tell its two roots apart.
  struct StartRow {
    int path;
    Motion motion;
    double value = 0;
    Vec3d a, b, along_a, along_b;  ///< ground axes
    bool turns() const { return motion >= Motion::rx; }
  };

  void find_errors();
  void grow_tree();
  void cover(double StartProgress::*part, double angle);
  bool reach(const StartProgress& target, bool last);
  void carry_along(const StartProgress& to);
  void update();
  void follow();
  void set_directions(StartRow& row) const;
  double measure();
  bool aligned() const;
  void solve_increment();
  std::vector<double> gradient(const StartRow& row) const;
  [[noreturn]] void throw_out_of_reach() const;

  const System& system_;
  const Model& model_;
  const std::vector<double>& constants_;
  const DescribedPose& pose_;

  Workspace<double> w_;
  KktSolver<double> kkt_;
  std::vector<double> c_;  ///< constants with the axes of dot locks as they are on the way
  std::vector<double> q_, q_next_, zero_v_, zero_lambda_, residual_, delta_;
  std::vector<double> first_values_;   ///< of rows in the described pose, as far as not allowed
  std::vector<double> base_lengths_;   ///< of distance locks: before given motions
  std::vector<double> first_lengths_;  ///< as described
  std::vector<double> described_errors_;
  std::vector<int> path_of_joint_;
  std::vector<TreeEdge> tree_;  ///< parents before children
  std::vector<StartRow> start_rows_;
  StartProgress progress_;
  double length_scale_ = 0;
  double violation_ = 0;
  int worst_ = 0;  ///< row of the largest violation, nv + ...; beyond nv + nc a start's
};

}  // namespace tumble
