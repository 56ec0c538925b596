#include "tumble/integrate/kkt_solver.hpp"

#include <fmt/format.h>

namespace tumble {

void assemble_kkt(const System& system, Workspace<double>& w, double c1, double c2, const double* u,
                  std::vector<double>& matrix) {
  if (u != nullptr) {
    for (const auto& body : system.bodies) {
      const int v = system.blocks[static_cast<std::size_t>(body.block)].v;
      const Mat3d T = right_tangent(load3(u + v + 3));
      for (const int slot : body.rotation_columns) {
        double* k = &w.K[static_cast<std::size_t>(slot)];
        store3(k, transpose_times(T, load3(k)));
      }
    }
  }
  for (const int s : system.dynamic_slots) {
    const auto i = static_cast<std::size_t>(s);
    matrix[i] = w.M[i] + c1 * w.C[i] + c2 * w.K[i];
  }
  for (const int s : system.constraint_slots) {
    const auto i = static_cast<std::size_t>(s);
    matrix[i] = w.K[i];
  }
}

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

KktSolver::KktSolver(const System& system, std::shared_ptr<const Elimination> elimination)
    : system_(system),
      elimination_(std::move(elimination)),
      matrix_(static_cast<std::size_t>(system.pattern.nonzeros())),
      factor_(static_cast<std::size_t>(elimination_->factor_size)),
      scratch_(static_cast<std::size_t>(system.pattern.n)) {}

void KktSolver::factor(Workspace<double>& w, double c1, double c2, const double* u, double time) {
  assemble_kkt(system_, w, c1, c2, u, matrix_);
  ++factorizations_;
  if (!factorize(*elimination_, matrix_.data(), factor_.data())) return;
  search_pivots(time);
  if (factorize(*elimination_, matrix_.data(), factor_.data()))
    throw SimulationError("the equations cannot be factorised at t = " + format_number(time) + " s",
                          time);
}

void KktSolver::search_pivots(double time) {
  const auto& pattern = system_.pattern;
  for (int row = 0; row < pattern.n; ++row)
    for (int s = pattern.row_start[static_cast<std::size_t>(row)];
         s < pattern.row_start[static_cast<std::size_t>(row) + 1]; ++s)
      if (!std::isfinite(matrix_[static_cast<std::size_t>(s)]))
        throw SimulationError(
            fmt::format("a number overflowed at t = {} s: {}", time, system_.describe_row(row)),
            time);
  ++pivot_searches_;
  auto result = analyze(system_.pattern, std::span(&matrix_, 1));
  if (const auto* failure = std::get_if<EliminationFailure>(&result))
    throw SimulationError(fmt::format("singular system at t = {} s: {}", time,
                                      describe_singularity(system_, *failure)),
                          time);
  elimination_ = std::make_shared<const Elimination>(std::get<Elimination>(std::move(result)));
  factor_.resize(static_cast<std::size_t>(elimination_->factor_size));
}

void KktSolver::solve(const double* rhs, double* x) {
  tumble::solve(*elimination_, factor_.data(), rhs, x, scratch_.data());
}

}  // namespace tumble
