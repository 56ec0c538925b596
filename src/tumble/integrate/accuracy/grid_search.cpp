#include "tumble/integrate/accuracy/grid_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>
#include <thread>

#include "tumble/integrate/accuracy/grid_layout.hpp"
#include "tumble/integrate/accuracy/time_error.hpp"
#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/integrate/run_work.hpp"
#include "tumble/integrate/step/schedule.hpp"
#include "tumble/math/special_functions.hpp"

namespace tumble {
namespace {

/// Of the accuracy: other realisations may need more than those tried.
constexpr double aim = 0.9;
constexpr int most_trials = 8;
constexpr double most_steps_of_a_grid = 2e7;
/// Rounding and what Newton leaves, of the largest value of a unit that the machine can have.
double noise(const Simulation& simulation) {
  return simulation.integrator == IntegrationMethod::radau ? 1e-10 : 1e-7;
}

/// Runs f(0) ... f(n - 1) in several threads; throws what the first of them threw.
void for_each(std::size_t n, int threads, const std::function<void(std::size_t)>& f) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> thrown(n);
  const auto work = [&] {
    for (std::size_t i; (i = next++) < n;) try {
        f(i);
      } catch (...) {
        thrown[i] = std::current_exception();
      }
  };
  {
    std::vector<std::jthread> workers;
    for (int i = 1; i < std::min(threads, static_cast<int>(n)); ++i) workers.emplace_back(work);
    work();
  }
  for (const auto& error : thrown)
    if (error) std::rethrow_exception(error);
}

/// The size that values of a unit have in this machine, as far as it is known from the start.
double natural_size(const Model& model, std::string_view unit) {
  double length = 1e-3, mass = 0, speed = 0;
  for (const Body& body : model.bodies) {
    for (int i = 0; i < 3; ++i) length = std::max(length, std::fabs(body.position[i]));
    mass += body.mass;
    speed = std::max(speed, std::sqrt(dot(body.velocity, body.velocity)));
  }
  const double acceleration =
      std::max(std::sqrt(dot(model.gravity, model.gravity)), speed * speed / length);
  const double fall = std::max(speed, std::sqrt(acceleration * length));
  if (unit == "m") return length;
  if (unit == "m/s") return fall;
  if (unit == "m/s^2") return acceleration;
  if (unit == "rad" || unit == "1") return 1;
  if (unit == "rad/s") return fall / length;
  if (unit == "rad/s^2") return acceleration / length;
  if (unit == "N") return mass * acceleration;
  if (unit == "N m" || unit == "J") return mass * acceleration * length;
  return 0;
}

bool same(const std::vector<GridZone>& a, const std::vector<GridZone>& b) {
  return std::ranges::equal(a, b, [](const GridZone& x, const GridZone& y) {
    return x.event == y.event && x.after == y.after && x.step == y.step;
  });
}

class GridSearch {
 public:
  GridSearch(const Plan& plan, const std::vector<Model>& members, const GridSearchOptions& options)
      : plan_(plan),
        members_(members),
        options_(options),
        simulation_(members.front().simulation),
        breaks_(make_schedule(*plan.system, members.front()).breaks),
        demands_(members.size()) {
    for (const ProbeSeries& series : make_series(members.front()))
      // What a conservative system has of total energy beside a constant is errors: its peak is
      // that of the energies it is made of.
      floor_.push_back(
          (series.quantity == Quantity::total_energy ? accuracy() : noise(simulation_)) *
          natural_size(members.front(), info(series.quantity).unit));
  }

  FoundGrid run() {
    for_each(members_.size(), options_.threads, [this](std::size_t i) { scout(i); });
    std::vector<StepDemand> demands;
    for (auto& demand : demands_)
      if (demand) demands.push_back(std::move(*demand));
    return scale_until_it_fits(demands);
  }

 private:
  double accuracy() const { return *simulation_.accuracy; }

  std::vector<double> allowed(const std::vector<double>& peaks, double part) const {
    std::vector<double> result;
    for (std::size_t q = 0; q < peaks.size(); ++q)
      result.push_back(part * std::max({accuracy() * peaks[q], floor_[q], 1e-300}));
    return result;
  }

  /// Peaks from a run with steps that are guessed. If they were far too large, what is allowed was
  /// too much, and those of the scout take their place.
  void scout(std::size_t i) {
    const Model& model = members_[i];
    try {
      std::vector<double> peaks = guessed_peaks(model);
      for (int attempt = 0; attempt < 3; ++attempt) {
        demands_[i] = find_step_demand(plan_, model, allowed(peaks, 0.5), options_.check_interrupt);
        bool good = true;
        for (std::size_t q = 0; q < peaks.size(); ++q)
          good = good && demands_[i]->peaks[q] > 0.5 * peaks[q];
        if (good) return;
        peaks = demands_[i]->peaks;
      }
    } catch (const SimulationError&) {
      if (i == 0) throw;
      demands_[i].reset();
    }
  }

  std::vector<double> guessed_peaks(const Model& model) const {
    Model rough = model;
    const double step = std::min(largest_step(plan_, model), 0.25 * simulation_.output_interval());
    rough.simulation.grid = {{0, 0.0, step}};
    const Schedule schedule = make_schedule(*plan_.system, rough);
    RunOptions options;
    options.schedule = &schedule;
    options.progress = [this](double) { interrupt(); };
    return peaks_of(run_recorded(plan_, model, options).trajectory);
  }

  static std::vector<double> peaks_of(const Trajectory& trajectory) {
    std::vector<double> peaks;
    for (const ProbeSeries& series : trajectory.series) {
      double peak = 0;
      // At outputs: what a kink leaves for an instant is more than any curve over them shows.
      for (const double x : series.values)
        if (std::isfinite(x)) peak = std::max(peak, std::fabs(x));
      peaks.push_back(peak);
    }
    return peaks;
  }

  void interrupt() const {
    if (options_.check_interrupt) options_.check_interrupt();
  }

  /// What a grid does to the members: errors over what is allowed, the largest of any.
  struct Trial {
    double error = 0;       ///< estimated with half of all steps
    BandScales made = {};   ///< of it in each band, from half the steps there alone
    BandScales steps = {};  ///< of the nominal run
    double work = 0;        ///< of it
  };

  static double since_event(const Schedule& schedule, double time) {
    const auto next =
        std::upper_bound(schedule.breaks.begin(), schedule.breaks.end(), time * (1 + 1e-12));
    return next == schedule.breaks.begin() ? time : std::max(0.0, time - *std::prev(next));
  }

  /// The same with half the steps in one band.
  Schedule refined_in_band(const Schedule& schedule, std::size_t band) const {
    Schedule result = schedule;
    for (Segment& segment : result.segments)
      if (grid_band(since_event(schedule, segment.from), simulation_.output_interval()) == band) {
        segment.steps *= 2;
        segment.step_size /= 2;
      }
    return result;
  }

  /// By how much two runs differ, over `limits`; infinity if one ended before the other.
  double largest_error(const Trajectory& run, const RunOutcome& finer,
                       const std::vector<double>& limits) const {
    if (finer.failure) return std::numeric_limits<double>::infinity();
    double largest = 0;
    std::vector<double> error(6);
    for (std::size_t q = 0; q < limits.size(); ++q) {
      const ProbeSeries &a = run.series[q], &b = finer.trajectory.series[q];
      const auto size = static_cast<std::size_t>(a.size);
      error.resize(std::max(error.size(), size));
      for (const auto values : {&ProbeSeries::values, &ProbeSeries::right_values})
        for (std::size_t i = 0; i + size <= (a.*values).size(); i += size) {
          time_error(simulation_.order(), a.quantity, a.size, &(a.*values)[i], &(b.*values)[i],
                     error.data());
          for (std::size_t k = 0; k < size; ++k)
            largest = std::max(largest, std::fabs(error[k]) / limits[q]);
        }
    }
    return largest;
  }

  Trial try_member(std::size_t i, const std::vector<GridZone>& zones) {
    Model model = members_[i];
    model.simulation.grid = zones;
    const Schedule schedule = make_schedule(*plan_.system, model);
    const auto run = [&](const Schedule& steps) {
      RunOptions options;
      options.schedule = &steps;
      options.progress = [this](double) { interrupt(); };
      return run_recorded(plan_, model, options);
    };
    Trial trial;
    const RunOutcome base = run(schedule);
    if (base.failure) {
      // Smaller steps may help the nominal run, which must not fail; others are passed over.
      if (i == 0) trial.error = 1e4, trial.made.fill(1e4);
      return trial;
    }
    trial.work = run_work(*plan_.system, base.trajectory.statistics);
    const std::vector<double> limits = allowed(peaks_of(base.trajectory), 1);
    const double error = largest_error(base.trajectory, run(refined(schedule, 2)), limits);
    if (std::isfinite(error)) trial.error = error;
    for (const Segment& segment : schedule.segments)
      trial.steps[grid_band(since_event(schedule, segment.from), simulation_.output_interval())] +=
          static_cast<double>(segment.steps);
    for (std::size_t band = 0; band < grid_bands; ++band) {
      if (trial.steps[band] == 0) continue;
      const double part =
          largest_error(base.trajectory, run(refined_in_band(schedule, band)), limits);
      if (std::isfinite(part)) trial.made[band] = part;
    }
    return trial;
  }

  Trial try_grid(const std::vector<GridZone>& zones) {
    std::vector<Trial> trials(members_.size());
    for_each(members_.size(), options_.threads,
             [&](std::size_t i) { trials[i] = try_member(i, zones); });
    Trial worst = trials.front();
    for (const Trial& trial : trials) {
      worst.error = std::max(worst.error, trial.error);
      for (std::size_t b = 0; b < grid_bands; ++b)
        worst.made[b] = std::max(worst.made[b], trial.made[b]);
    }
    return worst;
  }

  /// New scales. With E_b the error made in band b, N_b its steps and p the order, steps scaled by
  /// s_b make an error Σ E_b s_bᵖ at a cost Σ N_b/s_b, which for a given error is least with
  /// s_bᵖ⁺¹ = κ N_b/E_b.
  BandScales rescaled(const BandScales& scales, const Trial& trial) const {
    const int order = simulation_.order();
    BandScales factor;
    double total = 0;
    for (std::size_t b = 0; b < grid_bands; ++b) {
      const double ratio = std::max(trial.steps[b], 1.0) / std::max(trial.made[b], 1e-4);
      if (order == 2) {
        factor[b] = cube_root(ratio);
        total += trial.made[b] * factor[b] * factor[b];
      } else {
        factor[b] = std::pow(ratio, 1.0 / (order + 1));
        total += trial.made[b] * std::pow(factor[b], order);
      }
    }
    // Errors of bands are not largest at the same time: what they are together is known.
    double sum = 0;
    for (const double made : trial.made) sum += made;
    if (sum > 0) total *= trial.error / sum;
    const double room = 0.85 * aim / std::max(total, 1e-6);
    const double level = order == 2 ? std::sqrt(room) : std::pow(room, 1.0 / order);
    BandScales next;
    for (std::size_t b = 0; b < grid_bands; ++b)
      next[b] = std::min(32.0, scales[b] * std::clamp(level * factor[b], 0.125, 2.0));
    return next;
  }

  FoundGrid scale_until_it_fits(const std::vector<StepDemand>& demands) {
    FoundGrid best;
    double cheapest = infinite(), smallest = infinite();
    BandScales scales;
    scales.fill(1.0);
    for (int trial = 0; trial < most_trials; ++trial) {
      const GridLayout layout = lay_grid(demands, breaks_, simulation_, scales);
      // Each trial is some seven runs of every member: it must promise to pay.
      if (layout.cost > most_steps_of_a_grid || layout.cost > 0.95 * cheapest ||
          (trial > 0 && same(layout.zones, last_)))
        break;
      last_ = layout.zones;
      const Trial tried = try_grid(layout.zones);
      const bool fits = tried.error <= aim;
      if (fits ? layout.cost < cheapest : (cheapest == infinite() && tried.error < smallest)) {
        best.zones = layout.zones;
        best.work = tried.work;
        best.fits = fits;
        best.estimate = tried.error * accuracy();
        best.steps = static_cast<long>(tried.steps[0] + tried.steps[1] + tried.steps[2]);
        if (fits) cheapest = layout.cost;
        smallest = tried.error;
      }
      scales = rescaled(scales, tried);
    }
    if (best.zones.empty())
      throw SimulationError("simulation.accuracy asks for more steps than a run may have", 0.0);
    if (cheapest == infinite())
      best.warnings.push_back(fmt::format(
          "simulation.accuracy = {} was not reached: with {} steps the error is "
          "estimated as {:.2g} of the peak. A chaotic motion loses accuracy with time: ask for a "
          "shorter duration, or for less",
          format_number(accuracy()), best.steps, best.estimate));
    return best;
  }
  static double infinite() { return std::numeric_limits<double>::infinity(); }

  const Plan& plan_;
  const std::vector<Model>& members_;
  const GridSearchOptions& options_;
  const Simulation& simulation_;
  const std::vector<double> breaks_;
  std::vector<double> floor_;  ///< smallest error asked for, by quantity
  std::vector<std::optional<StepDemand>> demands_;
  std::vector<GridZone> last_;  ///< tried
};

}  // namespace

FoundGrid find_grid(const Plan& plan, const std::vector<Model>& members,
                    const GridSearchOptions& options) {
  return GridSearch(plan, members, options).run();
}

}  // namespace tumble
