// Velocities at t = 0 (docs/theory/starts.md#velocities): those that were given hold as far as
// joints allow, and among what is left the kinetic energy is least.
#pragma once
#include "tumble/integrate/plan.hpp"
#include "tumble/integrate/start/joint_path.hpp"
#include "tumble/integrate/step/kkt_solver.hpp"

namespace tumble {

/// Where some velocities are given and others are not, or joints give rates, the run's own
/// projection, which takes all of them for given, would not do.
bool needs_start_velocities(const System& system, const Model& model);

class StartVelocities {
 public:
  /// At the positions q. All are kept by reference.
  StartVelocities(const Plan& plan, const Model& model, const std::vector<double>& constants,
                  const std::vector<JointPath>& paths, const std::vector<double>& q, double inside);

  /// The given velocities of bodies and beams as coordinates' rates, zero where none is given: what
  /// the run's own projection starts from.
  const std::vector<double>& given() const { return given_; }
  /// @throws InputError if rates of joints contradict each other or velocities of bodies.
  std::vector<double> find();

  /// By joint: how far velocities violate its rows, as speeds over the size of the machine [1/s].
  std::vector<double> violations(const std::vector<double>& v, double length_scale);
  const Workspace<double>& workspace() const { return w_; }

 private:
  /// A rate of a joint that was given.
  struct RateRow {
    int joint;
    double rate;
    std::string field, unit;
    std::array<int, 2> body{};
    std::array<Vec3d, 4> by{};  ///< by translation and rotation of either body, ground axes
    double known = 0;           ///< what known motions add
    double weight = 0;          ///< the inertia it moves
    std::vector<double> gradient = {};
  };

  void add_rates();
  void add_rate(const JointPath& path, Motion motion, double rate);
  void add_length_rate(int joint, const DistanceLock& lock, double rate);
  void set_gradient(RateRow& row) const;
  void project(const std::vector<double>& force, const double* rhs, std::vector<double>& v);
  std::vector<double> minimise(bool rates);
  /// Adds W (v - v*) of bodies and beams with given velocities v*, or W v; returns v·W v of it.
  double add_misfit(const std::vector<double>& v, bool target, std::vector<double>& out) const;
  double rate_error(const RateRow& row, const std::vector<double>& v) const;
  void refuse_contradictions(const std::vector<double>& v);
  [[noreturn]] void throw_contradiction(const RateRow& row, const std::string& why) const;

  const System& system_;
  const Model& model_;
  const std::vector<double>& c_;
  const std::vector<JointPath>& paths_;
  Workspace<double> w_;
  KktSolver<double> kkt_;
  std::vector<double> given_;
  std::vector<double> time_rate_, bias_;
  std::vector<RateRow> rates_;
  bool bodies_given_ = false;
};

}  // namespace tumble
