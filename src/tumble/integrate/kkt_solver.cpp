#include "tumble/integrate/kkt_solver.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tumble {

std::string describe_singularity(const System& system, const EliminationFailure& failure) {
  // A dependent set of rows names the elements that contradict or repeat each other; of those the
  // constraints are what a user can change.
  std::vector<std::string> names;
  const auto collect = [&](const std::vector<int>& rows, bool constraints_only) {
    for (const int row : rows) {
      if (constraints_only && row < system.nv) continue;
      if (names.size() == 8) {
        names.emplace_back("...");
        return;
      }
      names.push_back(system.describe_row(row));
    }
  };
  collect(failure.dependent_rows, true);
  if (names.empty()) collect(failure.rows, true);
  if (names.empty()) collect(failure.rows, false);
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::unique_ptr<const Elimination> search_pivots(const System& system,
                                                 const std::vector<double>& matrix, double time) {
  const auto& pattern = system.pattern;
  for (int row = 0; row < pattern.n; ++row)
    for (int s = pattern.row_start[static_cast<std::size_t>(row)];
         s < pattern.row_start[static_cast<std::size_t>(row) + 1]; ++s)
      if (!std::isfinite(matrix[static_cast<std::size_t>(s)]))
        throw SimulationError(
            fmt::format("a number overflowed at t = {} s: {}", time, system.describe_row(row)),
            time);
  auto result = analyze(system.pattern, std::span(&matrix, 1));
  if (const auto* failure = std::get_if<EliminationFailure>(&result))
    throw SimulationError(fmt::format("singular system at t = {} s: {}", time,
                                      describe_singularity(system, *failure)),
                          time);
  return std::make_unique<const Elimination>(std::get<Elimination>(std::move(result)));
}

void throw_unfactorable(double time) {
  throw SimulationError("the equations cannot be factorised at t = " + format_number(time) + " s",
                        time);
}

}  // namespace tumble
