// Realisations of one model, ready for the lane kernels: the input of the benchmarks.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>

#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/model/parameters.hpp"
#include "tumble/study/lanes/lane_kernel.hpp"

namespace tumble::benchmarks {

/// What prepare() and its like make of one realisation.
struct LaneMember {
  std::vector<double> constants, offsets;
  InitialState start;
};

/// Sets the numbers of a realisation, each by its path.
using SetNumber = std::function<void(const std::string& path, double value)>;
using VaryNumbers = std::function<void(int realization, const SetNumber& set)>;

struct LaneEnsemble {
  Plan plan;
  Schedule schedule;
  std::size_t numbers = 0;  ///< recorded at one output time
  long steps = 0;           ///< of one run
  std::vector<LaneMember> members;

  std::size_t row() const { return schedule.outputs.size() * numbers; }
};

inline LaneEnsemble make_ensemble(const Model& model, int realizations, const VaryNumbers& vary) {
  LaneEnsemble ensemble;
  ensemble.plan = rehearse(make_plan(compile(model)));
  const System& system = *ensemble.plan.system;
  ensemble.schedule = make_schedule(system, model);
  for (const Segment& segment : ensemble.schedule.segments) ensemble.steps += segment.steps;
  for (const ProbeSeries& series : make_series(model))
    ensemble.numbers += static_cast<std::size_t>(series.size);

  Realization realization(model);
  const SetNumber set = [&](const std::string& path, double value) {
    const int slot = system.parameters.find(path);
    if (slot < 0) throw std::logic_error("no parameter " + path);
    realization.set(slot, value);
  };
  for (int i = 0; i < realizations; ++i) {
    vary(i, set);
    if (!check(realization.model()).empty())
      throw std::logic_error("a realisation of the benchmark is not admissible");
    ensemble.members.push_back({prepare(system, realization.model()),
                                probe_offsets(system, realization.model()),
                                initial_state(system, realization.model())});
  }
  return ensemble;
}

/// Consecutive members of an ensemble as a lane kernel wants them, with room for their results.
class MemberBatch {
 public:
  MemberBatch(const LaneEnsemble& ensemble, int width)
      : ensemble_(ensemble),
        width_(static_cast<std::size_t>(width)),
        values_(width_, std::vector<double>(ensemble.row())),
        constants_(width_),
        offsets_(width_),
        q_(width_),
        v_(width_),
        outputs_(width_),
        failed_(std::make_unique<bool[]>(width_)),
        energy_mismatch_(width_) {}

  /// Members first, first + 1, ... The batch is valid until the next call.
  LaneBatch at(std::size_t first) {
    for (std::size_t i = 0; i < width_; ++i) {
      const LaneMember& member = ensemble_.members[(first + i) % ensemble_.members.size()];
      constants_[i] = member.constants.data();
      offsets_[i] = member.offsets.data();
      q_[i] = member.start.q.data();
      v_[i] = member.start.v.data();
      outputs_[i] = values_[i].data();
    }
    LaneBatch batch;
    batch.lanes = static_cast<int>(width_);
    batch.constants = constants_.data();
    batch.offsets = offsets_.data();
    batch.q = q_.data();
    batch.v = v_.data();
    batch.values = outputs_.data();
    batch.failed = failed_.get();
    batch.energy_mismatch = energy_mismatch_.data();
    batch.iterations = &iterations_;
    batch.factorizations = &factorizations_;
    return batch;
  }
  long iterations() const { return iterations_; }
  long factorizations() const { return factorizations_; }
  long failed() const { return std::count(failed_.get(), failed_.get() + width_, true); }

 private:
  const LaneEnsemble& ensemble_;
  std::size_t width_;
  std::vector<std::vector<double>> values_;
  std::vector<const double*> constants_, offsets_, q_, v_;
  std::vector<double*> outputs_;
  std::unique_ptr<bool[]> failed_;
  std::vector<double> energy_mismatch_;
  long iterations_ = 0, factorizations_ = 0;
};

}  // namespace tumble::benchmarks
