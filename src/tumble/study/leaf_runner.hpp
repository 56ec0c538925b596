// One thread's means to compute leaves: a model of its own, and buffers that are used again.
#pragma once
#include "tumble/integrate/run.hpp"
#include "tumble/model/parameters.hpp"
#include "tumble/study/ensemble.hpp"
#include "tumble/study/lanes/device_leaf.hpp"
#include "tumble/study/lanes/lane_kernel.hpp"
#include "tumble/study/state_quantities.hpp"

namespace tumble {

/// What the runners of a study share; all of it constant.
struct EnsembleSetup {
  EnsembleSetup(const Plan& plan, const EnsembleInputs& inputs, const EnsembleOptions& options);
  ~EnsembleSetup();

  const Plan plan;  ///< rehearsed, if realisations run in lanes
  const EnsembleInputs& inputs;
  const EnsembleOptions& options;
  LayoutPointer layout;
  Schedule schedule;                   ///< of the nominal model
  std::vector<double> all_breaks;      ///< break points of the nominal drives, outside the run too
  const LaneKernel* kernel = nullptr;  ///< null: the scalar engine runs everything
  /// Whether each realisation's start is compared with its description; otherwise what is said of
  /// the nominal run holds for all.
  bool starts_vary = false;
  std::unique_ptr<const StateQuantities> states;  ///< null: no quantity is of a state
  std::unique_ptr<GeneratedLanes> generated;      ///< null: kernels alone
  std::unique_ptr<DeviceMarch> device;            ///< null: the processor computes everything
  std::string device_refusal;                     ///< why, if devices were asked for
  /// Realisations that a runner has in hand.
  std::size_t group() const {
    if (device) return DeviceLeaf::size;
    return kernel ? static_cast<std::size_t>(kernel->width) : 1;
  }
  /// Threads that keep the processor, or the devices, busy.
  int threads() const;

 private:
  void open_devices();
};

class LeafRunner {
 public:
  explicit LeafRunner(const EnsembleSetup& setup);
  LeafResult run(const LeafTask& task);
  /// Computes `count` realisations, at most group(); results are in ended().
  void run_group(const std::uint64_t* realizations, std::size_t count);

  /// One realisation of the group last run.
  struct Ended {
    RealizationOutcome outcome;
    std::size_t valid_times = 0;
    std::vector<double> inputs;
    std::vector<double> values;    ///< [time][number], as far as valid
    std::vector<double> breaks;    ///< of its drives, inside the run
    std::vector<double> of_state;  ///< quantities that need no run; empty if there are none
    std::vector<EventTally> events;
  };
  const Ended& ended(std::size_t i) const { return members_[i].ended; }
  /// None of a realisation that failed: what it would have come to is not known.
  static std::span<const EventTally> events_of(const Ended& ended);

 private:
  struct Member {
    Ended ended;
    double* row = nullptr;  ///< where its values go
    bool in_lane = false;
    std::vector<double> constants, offsets, departure;
    InitialState start;
  };
  void compute_group(const std::uint64_t* realizations, std::size_t count);
  void prepare_member(std::uint64_t realization, Member& member);
  bool find_states(const Model& model, Ended& ended) const;
  void run_alone(std::uint64_t realization, Member& member);
  struct Pack;
  void run_lanes(const std::uint64_t* realizations, const std::vector<std::size_t>& places);
  void run_batch(const std::uint64_t* realizations, std::span<const std::size_t> places);
  void run_devices(const std::uint64_t* realizations, const std::vector<std::size_t>& places);
  std::string changed_start(const Member& member, const Model& model, double step) const;
  /// Of a realisation whose germs travel with its leaf; empty of others.
  std::span<const double> germs_of(std::uint64_t realization) const;
  void fill_inputs(std::uint64_t realization, std::vector<double>& inputs) const;
  void set_numbers(std::uint64_t realization, const std::vector<double>& inputs);

  const EnsembleSetup& setup_;
  Realization realization_;
  std::vector<double> germs_;  ///< of random drives
  std::vector<Member> members_;
  std::unique_ptr<LaneRunner> lanes_;
  std::unique_ptr<DeviceLeaf> device_;
  QuantityEvaluator quantities_;
  LeafTask task_;  ///< under way
};

}  // namespace tumble
