#include "tumble/integrate/step/kkt_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tumble {

std::string describe_singularity(const System& system, const EliminationFailure& failure) {
  // A dependent set of rows names the elements that contradict or repeat each other; of those the
  // constraints are what a user can change. One entry an element, with all its rows.
  std::vector<std::pair<std::string, std::string>> elements;  // "joint 'a'" and "x, ry"
  const auto collect = [&](const std::vector<int>& rows, bool constraints_only) {
    for (const int row : rows) {
      if (constraints_only && row < system.nv) continue;
      const std::string full = system.describe_row(row);
      const auto open = full.rfind(" (");
      const std::string name = full.substr(0, open);
      const std::string motion =
          open == std::string::npos ? "" : full.substr(open + 2, full.size() - open - 3);
      const auto known = std::find_if(elements.begin(), elements.end(),
                                      [&](const auto& element) { return element.first == name; });
      if (known == elements.end())
        elements.emplace_back(name, motion);
      else
        known->second += ", " + motion;
    }
  };
  collect(failure.dependent_rows, true);
  if (elements.empty()) collect(failure.rows, true);
  if (elements.empty()) collect(failure.rows, false);
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < elements.size() && i < most; ++i) {
    if (i > 0) text += ", ";
    text += elements[i].first;
    if (!elements[i].second.empty()) text += " (" + elements[i].second + ")";
  }
  if (elements.size() > most) text += fmt::format(" and {} more", elements.size() - most);
  return text;
}

std::variant<Elimination, EliminationFailure> analyze_kkt(
    const System& system, std::span<const std::vector<double>> samples) {
  const SparsePattern& plain = system.pattern;
  const auto slots = static_cast<std::size_t>(plain.nonzeros());
  if (samples.empty() || samples.front().size() == slots) return analyze(plain, samples);
  // The same pattern with the constraints' part of the diagonal, whose slots stand at the end of
  // their rows; `source` says where their values, and those behind them, are in a sample.
  SparsePattern soft;
  soft.n = plain.n;
  std::vector<std::size_t> source;
  for (int row = 0; row < plain.n; ++row) {
    const auto r = static_cast<std::size_t>(row);
    for (int s = plain.row_start[r]; s < plain.row_start[r + 1]; ++s) {
      soft.column.push_back(plain.column[static_cast<std::size_t>(s)]);
      source.push_back(static_cast<std::size_t>(s));
    }
    if (row >= system.nv) {
      soft.column.push_back(row);
      source.push_back(slots + static_cast<std::size_t>(row - system.nv));
    }
    soft.row_start.push_back(static_cast<int>(soft.column.size()));
  }
  std::vector<std::vector<double>> sorted;
  for (const auto& sample : samples) {
    auto& values = sorted.emplace_back();
    for (const std::size_t s : source) values.push_back(sample[s]);
  }
  auto result = analyze(soft, sorted);
  if (auto* found = std::get_if<Elimination>(&result)) {
    std::vector<int> load(source.size());
    for (std::size_t s = 0; s < source.size(); ++s) load[source[s]] = found->load[s];
    found->load = std::move(load);
  }
  return result;
}

void require_finite(const System& system, const std::vector<double>& matrix, double time) {
  const auto& pattern = system.pattern;
  for (int row = 0; row < pattern.n; ++row)
    for (int s = pattern.row_start[static_cast<std::size_t>(row)];
         s < pattern.row_start[static_cast<std::size_t>(row) + 1]; ++s)
      if (!std::isfinite(matrix[static_cast<std::size_t>(s)]))
        throw SimulationError(
            fmt::format("a number overflowed at t = {} s: {}", time, system.describe_row(row)),
            time);
}

std::unique_ptr<const Elimination> search_pivots(const System& system,
                                                 const std::vector<double>& matrix, double time) {
  require_finite(system, matrix, time);
  auto result = analyze_kkt(system, std::span(&matrix, 1));
  if (const auto* failure = std::get_if<EliminationFailure>(&result))
    throw SimulationError(fmt::format("singular system at t = {} s: {}", time,
                                      describe_singularity(system, *failure)),
                          time);
  return std::make_unique<const Elimination>(std::get<Elimination>(std::move(result)));
}

void throw_unfactorable(const System& system, const Elimination& elimination, double time) {
  throw SimulationError(fmt::format("the equations cannot be factorised at t = {} s: {}", time,
                                    system.describe_row(elimination.row_of.back())),
                        time);
}

template class KktSolver<double>;

}  // namespace tumble
