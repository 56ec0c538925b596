#include "tumble/integrate/accuracy/grid_layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tumble {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
/// What a new step size costs, in steps. A restart of generalized-alpha makes three factors and
/// solves some ten times, and the next steps have no history to start from; radau, whose steps cost
/// more, has to make the matrix for its stages anew.
double change_cost_of(const Simulation& simulation) { return simulation.order() > 2 ? 1 : 25; }
constexpr int halvings = 24;
constexpr std::size_t most_cells = 2048;

/// A span of time after an event within which steps have one size.
struct Cell {
  double from = 0, to = 0;
  double allowed = 0;  ///< the largest step
};

/// Of one event: output times, and before the first of them `parts` times a halving of the time
/// between outputs, so that steps can grow with the time since the event.
std::vector<double> boundaries(double event, double length, double every, int parts) {
  const double gone = std::fmod(event, every);
  double first = every - gone;  // from the event to the next output
  if (gone < 1e-9 * every || first < 1e-9 * every) first = every;
  std::vector<double> all{0.0};
  for (int j = parts; j > 0; --j)
    if (const double b = std::ldexp(every, -j); b < first * (1 - 1e-9)) all.push_back(b);
  const double outputs = std::ceil(length / every);
  const double stride = std::ceil(outputs / static_cast<double>(most_cells));
  for (double k = 0; first + k * every < length * (1 - 1e-9); k += stride)
    all.push_back(first + k * every);
  all.push_back(length);
  return all;
}

/// The smallest of what any demand allows, by cell.
std::vector<Cell> make_cells(const std::vector<StepDemand>& demands, std::size_t event,
                             const std::vector<double>& bounds, double every,
                             const BandScales& scales) {
  std::vector<Cell> cells;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i)
    cells.push_back({bounds[i], bounds[i + 1], every});
  for (const StepDemand& demand : demands) {
    if (event >= demand.events.size()) continue;
    std::size_t c = 0;
    for (const AllowedStep& span : demand.events[event]) {
      while (c + 1 < cells.size() && cells[c].to <= span.from) ++c;
      for (std::size_t k = c; k < cells.size() && cells[k].from < span.to; ++k) {
        const double scale = scales[grid_band(cells[k].from, every)];
        cells[k].allowed = std::min({cells[k].allowed, scale * span.step, span.limit});
      }
    }
  }
  return cells;
}

/// Into how many steps the time between outputs may be divided: 1, 2, 3, 4, 5, 6, 8, 10, 12, 16,
/// ...
std::vector<double> make_ladder() {
  std::vector<double> ladder{1, 2, 3};
  for (int k = 2; k < halvings; ++k)
    for (const double part : {1.0, 1.25, 1.5}) ladder.push_back(std::ldexp(part, k));
  return ladder;
}

struct Laid {
  std::vector<std::size_t> rung;  ///< by cell
  double cost = unbounded;
};

/// Dynamic programming over the cells: what is the cheapest way to be at a rung of the ladder.
Laid lay_event(const std::vector<Cell>& cells, const std::vector<double>& ladder, double every,
               double change_cost) {
  std::vector<double> cost(ladder.size(), 0.0);
  std::vector<std::vector<std::size_t>> came(cells.size(), std::vector<std::size_t>(ladder.size()));
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const auto cheapest =
        static_cast<std::size_t>(std::min_element(cost.begin(), cost.end()) - cost.begin());
    const double length = cells[c].to - cells[c].from;
    std::vector<double> next(ladder.size(), unbounded);
    for (std::size_t k = 0; k < ladder.size(); ++k) {
      const double step = every / ladder[k];
      if (step > cells[c].allowed * (1 + 1e-9) && k + 1 < ladder.size()) continue;
      const bool stay = cost[k] <= cost[cheapest] + change_cost;
      came[c][k] = stay ? k : cheapest;
      const double steps = std::ceil(length / step * (1 - 1e-9));
      // A span that is no multiple of the step is covered by other ones.
      const bool odd = steps * step > length * (1 + 1e-6);
      next[k] =
          (stay ? cost[k] : cost[cheapest] + change_cost) + steps + (odd ? 2 * change_cost : 0);
    }
    cost = std::move(next);
  }
  Laid laid;
  auto k = static_cast<std::size_t>(std::min_element(cost.begin(), cost.end()) - cost.begin());
  laid.cost = cost[k] + change_cost;
  laid.rung.resize(cells.size());
  for (std::size_t c = cells.size(); c-- > 0;) {
    laid.rung[c] = k;
    k = came[c][k];
  }
  return laid;
}

}  // namespace

std::size_t grid_band(double since_event, double output_interval) {
  const double outputs = since_event / output_interval * (1 + 1e-9);
  return outputs < 1 ? 0 : outputs < 10 ? 1 : 2;
}

GridLayout lay_grid(const std::vector<StepDemand>& demands, const std::vector<double>& breaks,
                    const Simulation& simulation, const BandScales& scales) {
  static const std::vector<double> ladder = make_ladder();
  const double every = simulation.output_interval();
  GridLayout layout;
  for (std::size_t event = 0; event <= breaks.size(); ++event) {
    const double start = event == 0 ? 0.0 : breaks[event - 1];
    const double end = event < breaks.size() ? breaks[event] : simulation.duration;
    Laid cheapest;
    std::vector<Cell> chosen;
    for (int parts = 0; parts <= 12; ++parts) {
      std::vector<Cell> cells =
          make_cells(demands, event, boundaries(start, end - start, every, parts), every, scales);
      Laid laid = lay_event(cells, ladder, every, change_cost_of(simulation));
      if (laid.cost >= cheapest.cost) continue;
      cheapest = std::move(laid);
      chosen = std::move(cells);
    }
    layout.cost += cheapest.cost;
    for (std::size_t c = 0; c < chosen.size(); ++c)
      if (c == 0 || cheapest.rung[c] != cheapest.rung[c - 1])
        layout.zones.push_back(
            {static_cast<int>(event), chosen[c].from, every / ladder[cheapest.rung[c]]});
  }
  return layout;
}

}  // namespace tumble
