// Turns the state of a run into the quantities its probes ask for.
#pragma once
#include <functional>

#include "tumble/integrate/step/integrator.hpp"

namespace tumble {

/// S is double, or a batch whose lanes are measured together.
template <class S>
class BasicProbeRecorder {
 public:
  /// `offsets`: for each probe the observed point from its body's reference point, body axes [m],
  /// zero for probes of beams, joints, forces and the system (see probe_offsets()). Both arrays are
  /// read when measuring.
  BasicProbeRecorder(const System& system, const S* offsets, const S* constants);

  /// Numbers written by one measurement: the sizes of all series together.
  int size() const { return size_; }
  /// Writes the quantities of all probes, in the order of the model, at the integrator's state.
  void measure(BasicIntegrator<S>& integrator, S* out) const {
    const BasicMotionState<S>& state = integrator.reported();
    measure(integrator.observe(), state, out);
  }
  /// The same at any state, with the workspace's kinematics of that state.
  void measure(Workspace<S>& w, const BasicMotionState<S>& state, S* out) const;

 private:
  /// What a measurement may read; `out` has room for the quantity's numbers.
  struct Scene {
    Workspace<S>& w;
    const BasicMotionState<S>& state;
    S* out;
  };
  using Measure = std::function<void(const Scene&)>;
  struct Entry {
    int size;
    Measure measure;
  };

  Measure body_measure(int body, Quantity quantity, const S* r_B) const;
  Measure beam_measure(const BeamProbeIndex& probe, Quantity quantity) const;
  Measure joint_measure(const JointIndex& joint, Quantity quantity) const;
  Measure force_measure(const std::string& name, Quantity quantity) const;
  Measure coupler_measure(const std::string& name, Quantity quantity) const;
  Measure state_measure(const StateIndex& state, Quantity quantity) const;
  Measure system_measure(Quantity quantity) const;

  const System& system_;
  const S* c_;
  std::vector<Entry> entries_;
  int size_ = 0;
};

using ProbeRecorder = BasicProbeRecorder<double>;

/// The offsets BasicProbeRecorder needs, three numbers a probe, for a realised model.
std::vector<double> probe_offsets(const System& system, const Model& realized);

/// One empty series per probe and quantity, in the order measurements are written.
std::vector<ProbeSeries> make_series(const Model& model);
/// The same, with the components marked that redundant conditions leave undetermined.
std::vector<ProbeSeries> make_series(const Plan& plan);

[[noreturn]] void throw_unknown_quantity(Quantity quantity);

}  // namespace tumble
