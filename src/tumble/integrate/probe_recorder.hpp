// Turns the state of a run into the quantities its probes ask for.
#pragma once
#include <functional>

#include "tumble/integrate/integrator.hpp"

namespace tumble {

class ProbeRecorder {
 public:
  ProbeRecorder(const System& system, const Model& realized, const std::vector<double>& constants);

  /// Appends the current values to each series' `values`.
  void record(Integrator& integrator, std::vector<ProbeSeries>& series) const;
  /// Appends them to `right_values`: just after a break point.
  void record_right(Integrator& integrator, std::vector<ProbeSeries>& series) const;
  /// One empty series per probe and quantity.
  std::vector<ProbeSeries> make_series() const;

 private:
  /// What a measurement may read; `out` has room for four numbers.
  struct Scene {
    Workspace<double>& w;
    const MotionState& state;
    double* out;
  };
  using Measure = std::function<void(const Scene&)>;
  struct Entry {
    ProbeSeries series;  ///< empty prototype
    Measure measure;
  };

  Measure body_measure(int body, Quantity quantity, const Vec3d& r_B) const;
  Measure joint_measure(const JointIndex& joint, Quantity quantity) const;
  Measure force_measure(const std::string& name, Quantity quantity) const;
  Measure system_measure(Quantity quantity) const;
  void measure_all(Integrator& integrator, std::vector<ProbeSeries>& series,
                   std::vector<double> ProbeSeries::*target) const;

  const System& system_;
  const std::vector<double>& c_;
  std::vector<Entry> entries_;
};

/// Euler angles about moving axes 1, 2, 3 of R = R1(a) R2(b) R3(c).
Vec3d euler_123(const Mat3d& R);

}  // namespace tumble
