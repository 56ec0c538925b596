#include "tumble/integrate/grid_layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace tumble {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
/// What a new step size costs: a restart makes three factors and solves some ten times.
constexpr double change_cost = 8;
constexpr int most_halvings = 24;
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

struct Laid {
  std::vector<int> level;  ///< by cell: steps are `base` halved so often
  double cost = unbounded;
};

/// Dynamic programming over the cells: what is the cheapest way to be at a level.
Laid lay_event(const std::vector<Cell>& cells, double base) {
  constexpr std::size_t levels = most_halvings + 1;
  std::vector<double> cost(levels, 0.0);
  std::vector<std::vector<int>> came(cells.size(), std::vector<int>(levels, 0));
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const auto cheapest =
        static_cast<int>(std::min_element(cost.begin(), cost.end()) - cost.begin());
    std::vector<double> next(levels, unbounded);
    for (std::size_t k = 0; k < levels; ++k) {
      const double step = std::ldexp(base, -static_cast<int>(k)),
                   length = cells[c].to - cells[c].from;
      if (step > cells[c].allowed * (1 + 1e-9) && k + 1 < levels) continue;
      const bool stay = cost[k] <= cost[static_cast<std::size_t>(cheapest)] + change_cost;
      came[c][k] = stay ? static_cast<int>(k) : cheapest;
      const double steps = std::ceil(length / step * (1 - 1e-9));
      // A span that is no multiple of the step is covered by other ones.
      const bool odd = steps * step > length * (1 + 1e-6);
      next[k] = (stay ? cost[k] : cost[static_cast<std::size_t>(cheapest)] + change_cost) + steps +
                (odd ? 2 * change_cost : 0);
    }
    cost = std::move(next);
  }
  Laid laid;
  auto k = static_cast<std::size_t>(std::min_element(cost.begin(), cost.end()) - cost.begin());
  laid.cost = cost[k] + change_cost;
  laid.level.resize(cells.size());
  for (std::size_t c = cells.size(); c-- > 0;) {
    laid.level[c] = static_cast<int>(k);
    k = static_cast<std::size_t>(came[c][k]);
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
  const double every = simulation.output_interval();
  double most = 0;  // the largest step that is allowed anywhere
  for (const StepDemand& demand : demands)
    for (const auto& event : demand.events)
      for (const AllowedStep& span : event)
        most =
            std::max(most, std::min(scales[grid_band(span.from, every)] * span.step, span.limit));
  const double first = std::max(1.0, std::ceil(every / most * (1 - 1e-9)));
  // Beyond twice the first denominator come halves of steps that were there already.
  const double stride = std::max(1.0, std::floor(first / 16));
  GridLayout best;
  best.cost = unbounded;
  for (double m = first; m <= 2 * first + 1; m += stride) {
    GridLayout layout;
    for (std::size_t event = 0; event <= breaks.size(); ++event) {
      const double start = event == 0 ? 0.0 : breaks[event - 1];
      const double end = event < breaks.size() ? breaks[event] : simulation.duration;
      Laid cheapest;
      std::vector<Cell> chosen;
      for (int parts = 0; parts <= 12; ++parts) {
        std::vector<Cell> cells =
            make_cells(demands, event, boundaries(start, end - start, every, parts), every, scales);
        Laid laid = lay_event(cells, every / m);
        if (laid.cost >= cheapest.cost) continue;
        cheapest = std::move(laid);
        chosen = std::move(cells);
      }
      layout.cost += cheapest.cost;
      for (std::size_t c = 0; c < chosen.size(); ++c)
        if (c == 0 || cheapest.level[c] != cheapest.level[c - 1])
          layout.zones.push_back(
              {static_cast<int>(event), chosen[c].from, std::ldexp(every / m, -cheapest.level[c])});
    }
    if (layout.cost < best.cost) best = std::move(layout);
  }
  return best;
}

}  // namespace tumble
