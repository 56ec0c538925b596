#include "tumble/study/leaf_runner.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/integrate/start/start_state.hpp"
#include "tumble/integrate/statics/equilibrium.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/study/workers.hpp"

namespace tumble {
namespace {

using Clock = std::chrono::steady_clock;

/// Lanes know one method of integration.
bool runs_in_lanes(const Model& model) {
  return model.simulation.has_motion() &&
         model.simulation.integrator == IntegrationMethod::generalized_alpha;
}

RealizationOutcome inadmissible(const std::vector<Diagnostic>& mistakes) {
  Diagnostic first = mistakes.front();
  first.where = {};  // the file holds the nominal numbers
  return {RealizationStatus::inadmissible, 0.0, to_string(first)};
}

/// Of the nominal machine and of the first realisations: what these share, nearly all do, and a
/// batch that does not runs with kernels.
void numbers_of_some(const Plan& plan, const EnsembleInputs& inputs,
                     std::vector<std::vector<double>>& constants,
                     std::vector<std::vector<double>>& offsets) {
  constexpr std::uint64_t looked_at = 16;
  const System& system = *plan.system;
  constants = {prepare(system, system.nominal)};
  offsets = {probe_offsets(system, system.nominal)};
  Realization numbers(system.nominal);
  std::vector<double> values(inputs.slots.size());
  for (std::uint64_t i = 0; inputs.fill && i < looked_at; ++i) {
    inputs.fill(i, values.data());
    for (std::size_t k = 0; k < values.size(); ++k) numbers.set(inputs.slots[k], values[k]);
    excite(inputs, i, numbers);
    if (!check(numbers.model()).empty()) continue;
    try {
      constants.push_back(prepare(system, numbers.model()));
      offsets.push_back(probe_offsets(system, numbers.model()));
    } catch (const std::runtime_error&) {
      // An inadmissible one: the study says so.
    }
  }
}

/// The host's memory that leaves under way may take: a quarter of what there is.
std::uint64_t memory_for_leaves() {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || size <= 0) return 0;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) / 4;
}

bool starts_vary_with(const Model& model, const EnsembleInputs& inputs) {
  if (model.simulation.start != StartPose::described) return false;
  const ParameterTable table(model);
  std::vector<std::string> paths;
  for (const int slot : inputs.slots)
    paths.push_back(table.slots()[static_cast<std::size_t>(slot)].path);
  return may_change_start(model, paths);
}

}  // namespace

EnsembleSetup::EnsembleSetup(const Plan& p, const EnsembleInputs& i, const EnsembleOptions& o)
    : plan(runs_in_lanes(p.system->nominal) && o.parts == 1 ? rehearse(p) : p),
      inputs(i),
      options(o),
      layout(statistics_layout(*p.system)),
      schedule(refined(make_schedule(*p.system, p.system->nominal), o.parts)),
      all_breaks(p.system->drives.break_points(p.system->nominal.drives)),
      starts_vary(starts_vary_with(p.system->nominal, i)),
      states(make_state_quantities(p, options.quantities)) {
  device_refusal = "nothing of it runs in lanes";
  if (!runs_in_lanes(plan.system->nominal)) return;
  kernel = find_lane_kernel(options.width);
  if (kernel == nullptr && options.width != 0 && find_lane_kernel(0) != nullptr)
    throw std::invalid_argument(
        fmt::format("no kernel runs {} realisations in lock step", options.width));
  if (options.use_devices) open_devices();
  if (kernel == nullptr || options.programs == ProgramUse::none) return;
  generated = std::make_unique<GeneratedLanes>(
      plan, schedule, *kernel, options.programs, options.expected_realizations, [this] {
        std::vector<std::vector<double>> constants, offsets;
        numbers_of_some(plan, inputs, constants, offsets);
        return constants;
      });
}

void EnsembleSetup::open_devices() {
  if (kernel == nullptr) return;
  DeviceMarch::Request request;
  request.host_memory = memory_for_leaves();
  numbers_of_some(plan, inputs, request.constants, request.offsets);
  auto made = DeviceMarch::make(plan, schedule, request, KernelCache::of_user());
  if (auto* refusal = std::get_if<Refusal>(&made))
    device_refusal = refusal->reason;
  else
    device = std::move(std::get<std::unique_ptr<DeviceMarch>>(made));
}

int EnsembleSetup::threads() const {
  const int threads = worker_count(options.threads);
  return device ? threads + static_cast<int>(device->leaves_under_way()) : threads;
}

EnsembleSetup::~EnsembleSetup() {
  if (options.report_devices && options.use_devices) {
    if (device)
      options.report_devices(true, to_string(device->report()));
    else
      options.report_devices(false, "no graphics processor computes: " + device_refusal);
  }
  if (generated && options.report_programs) options.report_programs(generated->report());
}

LeafRunner::LeafRunner(const EnsembleSetup& setup)
    : setup_(setup),
      realization_(setup.plan.system->nominal),
      germs_(setup.inputs.excite ? realization_.germs() : 0),
      members_(setup.group()),
      quantities_(setup.options.quantities, setup.schedule.outputs, setup.layout->numbers()) {
  if (setup.kernel != nullptr) lanes_ = setup.kernel->runner(setup.plan, setup.schedule);
  if (setup.device) device_ = std::make_unique<DeviceLeaf>(*setup.device, setup.plan);
  for (Member& member : members_) {
    member.ended.inputs.resize(setup.inputs.slots.size());
    member.ended.values.resize(setup.layout->row());
    member.ended.events.resize(setup.plan.system->events.size());
    member.row = member.ended.values.data();
  }
}

std::span<const EventTally> LeafRunner::events_of(const Ended& ended) {
  if (ended.outcome.status != RealizationStatus::ok) return {};
  return ended.events;
}

LeafResult LeafRunner::run(const LeafTask& task) {
  task_ = task;
  const EnsembleOptions& options = setup_.options;
  StatisticsOptions statistics;
  statistics.sketch_size = options.sketch_size;
  statistics.randomizations = options.randomizations;
  statistics.store_values = options.keep_values && options.keep_values(task.leaf);
  const auto start = Clock::now();
  Clock::duration integration{};
  LeafBuilder builder(setup_.layout, statistics, task.leaf);
  LeafRecord record;
  record.leaf = task.leaf;
  record.input_count = setup_.inputs.slots.size();
  for (std::uint64_t done = 0; done < task.count;) {
    const std::size_t count = std::min<std::size_t>(members_.size(), task.count - done);
    const auto group_start = Clock::now();
    std::vector<std::uint64_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), builder.next());
    for (std::size_t i = 0; i < count; ++i) {
      double* const room = builder.room(i);
      members_[i].row = room != nullptr ? room : members_[i].ended.values.data();
    }
    compute_group(numbers.data(), count);
    integration += Clock::now() - group_start;
    std::uint64_t failed = 0;
    std::vector<Moments::Run> runs;
    for (std::size_t i = 0; i < count; ++i) {
      const Ended& ended = members_[i].ended;
      const double* const row = members_[i].row;
      if (options.observe) options.observe(numbers[i], row, ended.valid_times, events_of(ended));
      runs.push_back({row, ended.valid_times});
      record.inputs.insert(record.inputs.end(), ended.inputs.begin(), ended.inputs.end());
      record.outcomes.push_back(ended.outcome);
      failed += ended.outcome.status == RealizationStatus::ok ? 0 : 1;
      if (quantities_.size() == 0) continue;
      const auto found =
          quantities_.add(row, ended.valid_times, ended.breaks, ended.of_state, events_of(ended));
      record.quantities.insert(record.quantities.end(), found.begin(), found.end());
    }
    builder.add_usable(runs);
    done += count;
    if (options.progress) options.progress(count, failed);
  }
  quantities_.finish(record.quantities);
  LeafStatistics reduced = builder.take_statistics();
  record.summaries = builder.take_summaries();
  record.values = builder.take_values();
  using Seconds = std::chrono::duration<double>;
  return {std::move(record),
          std::move(reduced),
          {Seconds(integration).count(), Seconds(Clock::now() - start - integration).count()}};
}

void LeafRunner::run_group(const std::uint64_t* realizations, std::size_t count) {
  for (Member& member : members_) member.row = member.ended.values.data();
  compute_group(realizations, count);
}

void LeafRunner::compute_group(const std::uint64_t* realizations, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) prepare_member(realizations[i], members_[i]);
  std::vector<std::size_t> in_lane;
  for (std::size_t i = 0; i < count; ++i)
    if (members_[i].in_lane) in_lane.push_back(i);
  if (device_ && !in_lane.empty())
    run_devices(realizations, in_lane);
  else if (setup_.kernel != nullptr)
    run_lanes(realizations, in_lane);
  for (std::size_t i = 0; i < count; ++i) {
    Ended& ended = members_[i].ended;
    const std::size_t usable = usable_times(*setup_.layout, members_[i].row, 1, ended.valid_times);
    if (usable == ended.valid_times) continue;
    ended.valid_times = usable;
    ended.outcome = {RealizationStatus::failed, setup_.schedule.outputs[usable],
                     fmt::format("a probed quantity is no finite number at t = {} s",
                                 format_number(setup_.schedule.outputs[usable]))};
  }
}

std::span<const double> LeafRunner::germs_of(std::uint64_t realization) const {
  if (!task_.germs) return {};
  const std::size_t germs = task_.germs->size() / task_.count;
  return {task_.germs->data() + (realization - task_.leaf * realizations_per_leaf) * germs, germs};
}

void LeafRunner::fill_inputs(std::uint64_t realization, std::vector<double>& inputs) const {
  if (task_.germs)
    setup_.inputs.fill_germs(germs_of(realization), inputs.data());
  else
    setup_.inputs.fill(realization, inputs.data());
}

void LeafRunner::set_numbers(std::uint64_t realization, const std::vector<double>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    realization_.set(setup_.inputs.slots[i], inputs[i]);
  if (germs_.empty()) return;
  if (task_.germs)  // those of drives are the last
    std::ranges::copy(germs_of(realization).last(germs_.size()), germs_.begin());
  else
    setup_.inputs.excite(realization, germs_.data());
  realization_.excite(germs_);
}

/// Leaves the member complete, or ready for its lane.
void LeafRunner::prepare_member(std::uint64_t realization, Member& member) {
  Ended& ended = member.ended;
  ended.outcome = {};
  ended.valid_times = 0;
  ended.breaks.clear();
  ended.of_state.clear();
  member.in_lane = false;
  fill_inputs(realization, ended.inputs);
  set_numbers(realization, ended.inputs);
  const Model& model = realization_.model();
  const System& system = *setup_.plan.system;
  const std::vector<Diagnostic> mistakes = check(model);
  if (!mistakes.empty()) {
    ended.outcome = inadmissible(mistakes);
    return;
  }
  if (setup_.states && !find_states(model, ended)) return;
  const bool same_steps = system.drives.break_points(model.drives) == setup_.all_breaks;
  if (setup_.kernel == nullptr || !same_steps) {
    run_alone(realization, member);
    return;
  }
  try {
    member.constants = prepare(system, model);
    member.offsets = probe_offsets(system, model);
    const double step = start_step(setup_.schedule, model);
    member.start = start_state(setup_.plan, model, member.constants, 0.5 * step);
    if (setup_.starts_vary) ended.outcome.changed_start = changed_start(member, model, step);
    if (member.start.turns.empty()) member.start.turns = system.described_turns();
    member.in_lane = true;
  } catch (const SimulationError& error) {
    ended.outcome = {RealizationStatus::failed, error.time(), error.what()};
  } catch (const InputError& error) {
    ended.outcome = inadmissible(error.diagnostics());
  } catch (const std::runtime_error& error) {
    ended.outcome = {RealizationStatus::inadmissible, 0.0, error.what()};
  }
}

/// False if there is a state that the realisation does not have: it fails before it moves.
bool LeafRunner::find_states(const Model& model, Ended& ended) const {
  try {
    ended.of_state = setup_.states->evaluate(model);
    return true;
  } catch (const SimulationError& error) {
    ended.outcome = {RealizationStatus::failed, 0.0, error.what()};
  } catch (const InputError& error) {
    ended.outcome = inadmissible(error.diagnostics());
  } catch (const std::runtime_error& error) {
    ended.outcome = {RealizationStatus::failed, 0.0, error.what()};
  }
  return false;
}

/// @throws InputError if the model refuses it.
std::string LeafRunner::changed_start(const Member& member, const Model& model, double step) const {
  Integrator integrator(setup_.plan, member.constants);
  integrator.start(member.start, 0.0, 0.5 * step);
  integrator.restart(step);
  const auto changes = start_changes(setup_.plan, model, member.constants, 0.5 * step, integrator);
  refuse_changed_start(model, changes);
  return changes.empty() ? std::string{} : changes.front().sentence;
}

void LeafRunner::run_alone(std::uint64_t realization, Member& member) {
  Ended& ended = member.ended;
  fill_inputs(realization, ended.inputs);
  set_numbers(realization, ended.inputs);
  RunOutcome run;
  try {
    const Schedule schedule =
        refined(make_schedule(*setup_.plan.system, realization_.model()), setup_.options.parts);
    RunOptions options;
    options.schedule = &schedule;
    options.start_changes = setup_.starts_vary;
    run = run_recorded(setup_.plan, realization_.model(), options);
  } catch (const InputError& error) {
    ended.outcome = inadmissible(error.diagnostics());
    ended.valid_times = 0;
    return;
  } catch (const std::runtime_error& error) {
    run.failure = RunFailure{0.0, error.what(), nullptr};
  }
  ended.outcome = {};
  if (run.failure)
    ended.outcome = {RealizationStatus::failed, run.failure->time, run.failure->reason};
  ended.outcome.energy_mismatch = run.trajectory.statistics.energy.relative_mismatch;
  if (!run.trajectory.start_changes.empty())
    ended.outcome.changed_start = run.trajectory.start_changes.front().sentence;
  ended.valid_times = run.trajectory.times.size();
  ended.events = run.trajectory.event_tallies;
  ended.breaks = run.trajectory.breaks;
  const std::size_t numbers = setup_.layout->numbers();
  std::size_t first = 0;
  for (const ProbeSeries& series : run.trajectory.series) {
    const auto size = static_cast<std::size_t>(series.size);
    for (std::size_t t = 0; t < ended.valid_times; ++t)
      std::copy_n(&series.values[t * size], size, member.row + t * numbers + first);
    first += size;
  }
}

/// Some members side by side, as a lane kernel takes them.
struct LeafRunner::Pack {
  Pack(std::vector<Member>& members, std::span<const std::size_t> places)
      : failed(std::make_unique<bool[]>(places.size())), energy_mismatch(places.size()) {
    for (const std::size_t i : places) {
      Member& member = members[i];
      constants.push_back(member.constants.data());
      offsets.push_back(member.offsets.data());
      q.push_back(member.start.q.data());
      v.push_back(member.start.v.data());
      turns.push_back(member.start.turns.data());
      values.push_back(member.row);
      departures.push_back(member.departure.data());
      events.push_back(member.ended.events.data());
    }
    batch.lanes = static_cast<int>(places.size());
    batch.constants = constants.data();
    batch.offsets = offsets.data();
    batch.q = q.data();
    batch.v = v.data();
    batch.turns = turns.data();
    batch.values = values.data();
    batch.departures = departures.data();
    batch.events = events.data();
    batch.failed = failed.get();
    batch.energy_mismatch = energy_mismatch.data();
    batch.iterations = &iterations;
    batch.factorizations = &factorizations;
  }
  Pack(const Pack&) = delete;
  Pack& operator=(const Pack&) = delete;

  std::vector<const double*> constants, offsets, q, v, turns;
  std::vector<double*> values, departures;
  std::vector<EventTally*> events;
  std::unique_ptr<bool[]> failed;
  std::vector<double> energy_mismatch;
  long iterations = 0, factorizations = 0;
  LaneBatch batch;
};

/// As many at a time as the kernel takes.
void LeafRunner::run_lanes(const std::uint64_t* realizations,
                           const std::vector<std::size_t>& places) {
  const std::span<const std::size_t> all(places);
  const auto width = static_cast<std::size_t>(setup_.kernel->width);
  for (std::size_t i = 0; i < all.size(); i += width)
    run_batch(realizations, all.subspan(i, std::min(width, all.size() - i)));
}

void LeafRunner::run_batch(const std::uint64_t* realizations, std::span<const std::size_t> places) {
  Pack pack(members_, places);
  if (setup_.generated) {
    pack.batch.programs = setup_.generated->programs();
    const auto start = Clock::now();
    lanes_->run(pack.batch);
    setup_.generated->note_batch(lanes_->used_programs(), places.size(),
                                 std::chrono::duration<double>(Clock::now() - start).count());
  } else {
    lanes_->run(pack.batch);
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    Member& member = members_[places[i]];
    if (pack.failed[i]) {
      run_alone(realizations[places[i]], member);
    } else {
      member.ended.valid_times = setup_.schedule.outputs.size();
      member.ended.breaks = setup_.schedule.breaks;
      member.ended.outcome.energy_mismatch = pack.energy_mismatch[i];
    }
  }
}

/// Lanes make the starts, a device takes the steps. What it leaves goes through lanes from the
/// beginning.
void LeafRunner::run_devices(const std::uint64_t* realizations,
                             const std::vector<std::size_t>& places) {
  device_->clear();
  std::vector<std::size_t> sent, left;
  const std::span<const std::size_t> all(places);
  const auto width = static_cast<std::size_t>(setup_.kernel->width);
  for (std::size_t first = 0; first < all.size(); first += width) {
    const auto some = all.subspan(first, std::min(width, all.size() - first));
    for (const std::size_t i : some)
      members_[i].departure.resize(departure_size(*setup_.plan.system));
    Pack pack(members_, some);
    lanes_->depart(pack.batch);
    for (std::size_t i = 0; i < some.size(); ++i) {
      const Member& member = members_[some[i]];
      const bool goes = !pack.failed[i] &&
                        device_->put(some[i], member.constants, member.offsets, member.departure);
      (goes ? sent : left).push_back(some[i]);
    }
  }
  const bool back = !sent.empty() && device_->run();
  std::array<double*, DeviceLeaf::size> rows{};
  std::uint64_t computed = 0;
  for (const std::size_t i : sent) {
    const std::optional<double> mismatch = back ? device_->judge(i) : std::nullopt;
    if (!mismatch) {
      left.push_back(i);
      continue;
    }
    Member& member = members_[i];
    member.ended.valid_times = setup_.schedule.outputs.size();
    member.ended.breaks = setup_.schedule.breaks;
    member.ended.outcome.energy_mismatch = *mismatch;
    rows[i] = member.row;
    ++computed;
  }
  device_->copy_values(rows);
  setup_.device->note(computed, left.size());
  run_lanes(realizations, left);
}

}  // namespace tumble
