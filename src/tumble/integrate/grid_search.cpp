#include "tumble/integrate/grid_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>
#include <thread>

#include "tumble/integrate/grid_layout.hpp"
#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/integrate/time_error.hpp"

namespace tumble {
namespace {

/// Estimates are good to some ten per cent, and other realisations may need more than those tried.
constexpr double aim = 0.7;
constexpr int most_trials = 10;
constexpr double most_steps_of_a_grid = 2e7;
/// Rounding and what Newton leaves, of the largest value of a unit that the machine can have.
constexpr double noise = 1e-7;

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
      floor_.push_back(noise * natural_size(members.front(), info(series.quantity).unit));
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
      for (const auto* values : {&series.values, &series.right_values})
        for (const double x : *values)
          if (std::isfinite(x)) peak = std::max(peak, std::fabs(x));
      peaks.push_back(peak);
    }
    return peaks;
  }

  void interrupt() const {
    if (options_.check_interrupt) options_.check_interrupt();
  }

  /// The largest estimated error over what is allowed, of any member.
  double try_grid(const std::vector<GridZone>& zones) {
    std::vector<double> excess(members_.size(), 0.0);
    for_each(members_.size(), options_.threads, [&](std::size_t i) {
      Model model = members_[i];
      model.simulation.grid = zones;
      const Schedule schedule = make_schedule(*plan_.system, model);
      RunOptions options;
      options.schedule = &schedule;
      options.progress = [this](double) { interrupt(); };
      RunOutcome outcome = run_recorded(plan_, model, options);
      if (outcome.failure) {
        // The step after the last one that worked may be the one to blame; a nominal run must end.
        if (i == 0) excess[i] = 1e4;
        return;
      }
      add_time_error(plan_, model, outcome.trajectory, options);
      if (i == 0) steps_ = outcome.trajectory.statistics.steps;
      const std::vector<double> limits = allowed(peaks_of(outcome.trajectory), 1);
      for (std::size_t q = 0; q < limits.size(); ++q) {
        const ProbeSeries& series = outcome.trajectory.series[q];
        for (const auto* errors : {&series.time_error, &series.right_time_error})
          for (const double error : *errors)
            if (error > excess[i] * limits[q]) excess[i] = error / limits[q];
      }
    });
    return *std::max_element(excess.begin(), excess.end());
  }

  /// Errors are of second order in all steps together: so are the scales that are tried.
  FoundGrid scale_until_it_fits(const std::vector<StepDemand>& demands) {
    FoundGrid best;
    double cheapest = std::numeric_limits<double>::infinity(), smallest = cheapest;
    double scale = 1, too_large = cheapest, good = 0;
    for (int trial = 0; trial < most_trials; ++trial) {
      const GridLayout layout = lay_grid(demands, breaks_, simulation_, scale);
      if (layout.cost > most_steps_of_a_grid) break;
      const double excess = try_grid(layout.zones);
      const bool fits = excess <= aim;
      if (fits ? layout.cost < cheapest : (cheapest == infinite() && excess < smallest)) {
        best.zones = layout.zones;
        best.estimate = excess * accuracy();
        best.steps = steps_;
        if (fits) cheapest = layout.cost;
        smallest = excess;
      }
      if (fits)
        good = std::max(good, scale);
      else
        too_large = std::min(too_large, scale);
      if (fits && excess > 0.5 * aim) break;
      double next = scale * std::clamp(std::sqrt(0.8 * aim / std::max(excess, 1e-6)), 0.125, 2.0);
      if (next >= too_large) next = 0.5 * (good > 0 ? good + too_large : too_large);
      if (std::fabs(next - scale) < 0.04 * scale || next <= good * 1.04) {
        if (good > 0) break;
        next = 0.7 * scale;
      }
      // Nowhere can steps grow beyond the time between outputs.
      if (fits && layout.cost <= least_cost()) break;
      scale = next;
    }
    if (best.zones.empty())
      throw SimulationError("simulation.accuracy asks for more steps than a run may have", 0.0);
    if (cheapest == infinite())
      best.warnings.push_back(fmt::format(
          "simulation.accuracy = {} was not reached: with {} steps the error is estimated as "
          "{:.2g} "
          "of the peak. A chaotic motion loses accuracy with time: ask for a shorter duration, or "
          "for less",
          format_number(accuracy()), best.steps, best.estimate));
    return best;
  }
  static double infinite() { return std::numeric_limits<double>::infinity(); }
  double least_cost() const {
    return simulation_.duration / simulation_.output_interval() +
           6 * static_cast<double>(breaks_.size() + 1);
  }

  const Plan& plan_;
  const std::vector<Model>& members_;
  const GridSearchOptions& options_;
  const Simulation& simulation_;
  const std::vector<double> breaks_;
  std::vector<double> floor_;  ///< smallest error asked for, by quantity
  std::vector<std::optional<StepDemand>> demands_;
  long steps_ = 0;
};

}  // namespace

FoundGrid find_grid(const Plan& plan, const std::vector<Model>& members,
                    const GridSearchOptions& options) {
  return GridSearch(plan, members, options).run();
}

}  // namespace tumble
