#include "tumble/device/itinerary.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "tumble/dynamics/context.hpp"
#include "tumble/dynamics/turns.hpp"
#include "tumble/integrate/step/follow_schedule.hpp"
#include "tumble/integrate/watch/energy_account.hpp"

namespace tumble {

namespace {

/// An instant at which drives are evaluated.
struct DriveInstant {
  double time, inside;
};

class Walk {
 public:
  Walk(const Schedule& schedule, Itinerary& itinerary) : itinerary_(itinerary), dates_(schedule) {
    dates_.begin();
    change_size(schedule.segments[0].step_size);
    follow_schedule(schedule, *this);
    close();
    itinerary_.outputs = schedule.outputs.size();
  }
  const std::vector<DriveInstant>& instants() const { return instants_; }

  // What follow_schedule() asks for.
  void set_step(double h) { restart(h, false); }
  bool step(double, double after) {
    inside_ = 0.5 * (time_ + after);
    time_ = after;
    DeviceStep step;
    step.time = after;
    step.number = static_cast<int>(itinerary_.steps.size());
    step.context = instant(after, inside_);
    step.size = size_;
    step.after_restart = fresh_ ? 1 : 0;
    fresh_ = false;
    itinerary_.steps.push_back(step);
    return true;
  }
  bool reach(std::size_t i, const Segment& segment) {
    const bool due = dates_.due(i);
    if (segment.output) itinerary_.steps.back().output = ++output_;
    if (!due) return true;
    close();
    DeviceLaunch look;
    look.kind = DeviceLaunch::Kind::look;
    look.time = time_;
    look.context = itinerary_.steps.back().context;
    look.note = itinerary_.looks++;
    itinerary_.launches.push_back(look);
    return true;
  }
  void leave_break(double, double next_step) { restart(next_step, true); }

 private:
  int instant(double time, double inside) {
    instants_.push_back({time, inside});
    return static_cast<int>(instants_.size()) - 1;
  }
  void change_size(double h) {
    const auto found = std::ranges::find(itinerary_.sizes, h);
    size_ = static_cast<int>(found - itinerary_.sizes.begin());
    if (found == itinerary_.sizes.end()) itinerary_.sizes.push_back(h);
    fresh_ = true;
  }
  void restart(double h, bool is_break) {
    close();
    change_size(h);
    DeviceLaunch launch;
    launch.kind = DeviceLaunch::Kind::restart;
    launch.time = time_;
    const double inside = time_ + 0.5 * h;
    launch.context = instant(time_, inside);
    launch.context_ahead = instant(time_ + h, inside);
    launch.size = size_;
    launch.is_break = is_break;
    if (is_break) launch.note = itinerary_.breaks++;
    itinerary_.launches.push_back(launch);
  }
  /// The steps since the last launch.
  void close() {
    const int last = static_cast<int>(itinerary_.steps.size());
    if (closed_ == last) return;
    DeviceLaunch launch;
    launch.first = closed_;
    launch.last = closed_ = last;
    itinerary_.launches.push_back(launch);
  }

  Itinerary& itinerary_;
  AccountDates dates_;
  std::vector<DriveInstant> instants_;
  double time_ = 0, inside_ = 0;
  int size_ = 0, output_ = 0, closed_ = 0;
  bool fresh_ = true;
};

std::vector<std::vector<double>> evaluate(const System& system,
                                          const std::vector<double>& constants,
                                          const std::vector<DriveInstant>& instants) {
  Workspace<double> w(system);
  forget_turns(system, w);
  // As a run begins.
  update_drives(system, constants.data(), 0.0, instants.front().inside, w);
  std::vector<std::vector<double>> rows;
  for (const DriveInstant& at : instants) {
    update_drives(system, constants.data(), at.time, at.inside, w);
    std::vector<double>& row = rows.emplace_back();
    visit_context(system, w, [&](double x) { row.push_back(x); });
  }
  return rows;
}

bool same_bits(const std::vector<std::vector<double>>& a,
               const std::vector<std::vector<double>>& b) {
  const auto same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  return std::ranges::equal(
      a, b, [&](const auto& x, const auto& y) { return std::ranges::equal(x, y, same); });
}

}  // namespace

std::variant<Itinerary, Refusal> make_itinerary(const Plan& plan, const Schedule& schedule,
                                                const std::vector<std::vector<double>>& constants,
                                                const std::vector<int>& shared) {
  const System& system = *plan.system;
  Itinerary itinerary;
  const Walk walk(schedule, itinerary);
  itinerary.contexts = evaluate(system, constants[0], walk.instants());
  itinerary.drive_numbers = itinerary.contexts.empty() ? 0 : itinerary.contexts[0].size();
  itinerary.drive_numbers -= 2 * system.tracked_angles.size();
  itinerary.drive_numbers -= 7 * system.all<BushingIndex>().size();
  // Drives must not read what realisations do not share. Numbers that nothing survives stand in for
  // it, of both signs: what arithmetic does to a NaN shows, and so does a comparison.
  const double inf = std::numeric_limits<double>::infinity();
  for (const double poison : {std::numeric_limits<double>::quiet_NaN(), inf, -inf, 0.0}) {
    std::vector<double> poisoned(constants[0].size(), poison);
    for (const int i : shared)
      poisoned[static_cast<std::size_t>(i)] = constants[0][static_cast<std::size_t>(i)];
    if (!same_bits(evaluate(system, poisoned, walk.instants()), itinerary.contexts))
      return Refusal{"its drives differ from realisation to realisation"};
  }
  for (const auto& other : constants)
    if (!same_bits(evaluate(system, other, walk.instants()), itinerary.contexts))
      return Refusal{"its drives differ from realisation to realisation"};
  return itinerary;
}

}  // namespace tumble
