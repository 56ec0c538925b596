#include "tumble/integrate/step/regularized_kkt.hpp"

#include <algorithm>
#include <cmath>

#include "tumble/math/static_lu.hpp"

namespace tumble {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

RegularizedKkt::RegularizedKkt(const System& system, int redundant)
    : system_(system), redundant_(redundant) {
  const SparsePattern& original = system.pattern;
  PatternBuilder builder(original.n);
  for (int row = 0; row < original.n; ++row) {
    for (int s = original.row_start[at(row)]; s < original.row_start[at(row + 1)]; ++s)
      builder.add(row, original.column[at(s)]);
    if (row >= system.nv) builder.add(row, row);
  }
  pattern_ = builder.build();
  for (int row = 0; row < original.n; ++row) {
    for (int s = original.row_start[at(row)]; s < original.row_start[at(row + 1)]; ++s)
      slot_.push_back(pattern_.slot(row, original.column[at(s)]));
    if (row >= system.nv)
      diagonal_.push_back(pattern_.slot(row, row));
    else
      mass_slot_.push_back(original.slot(row, row));
  }
  values_.resize(at(pattern_.nonzeros()));
  scratch_.resize(at(pattern_.n));
  scale_.resize(at(system.nc));
  guess_.resize(at((redundant + 1) * system.nc));
  image_.resize(at(pattern_.n));
}

bool RegularizedKkt::factor(const std::vector<double>& matrix, const std::vector<double>& masses) {
  std::fill(values_.begin(), values_.end(), 0.0);
  for (std::size_t s = 0; s < slot_.size(); ++s) {
    if (!std::isfinite(matrix[s])) return false;
    values_[at(slot_[s])] = matrix[s];
  }
  const SparsePattern& original = system_.pattern;
  // Of what has no mass, as frames on nodes have none.
  double heaviest = 0;
  for (const int slot : mass_slot_)
    if (slot >= 0) heaviest = std::max(heaviest, masses[at(slot)]);
  for (int i = 0; i < system_.nc; ++i) {
    const int row = system_.nv + i;
    double& d = scale_[at(i)];
    d = 0;
    for (int s = original.row_start[at(row)]; s < original.row_start[at(row + 1)]; ++s) {
      const int slot = mass_slot_[at(original.column[at(s)])];
      // Beside stiff springs and dampers masses are nothing, and every constraint would look weak.
      if (slot < 0) continue;
      double m = std::max(masses[at(slot)], std::fabs(matrix[at(slot)]));
      if (!(m > 0)) m = heaviest;
      if (m > 0) d += matrix[at(s)] * matrix[at(s)] / m;
    }
    if (!(d > 0)) return false;
    values_[at(diagonal_[at(i)])] = -softness * d;
  }
  // An iterate that left has numbers whose squares are beyond all.
  if (!std::ranges::all_of(values_, [](double x) { return std::isfinite(x); })) return false;
  if (elimination_) {
    if (!factorize(*elimination_, values_.data(), factor_.data())) return true;
  }
  auto result = analyze(pattern_, std::span(&values_, 1));
  if (std::holds_alternative<EliminationFailure>(result)) return false;
  elimination_ = std::make_shared<const Elimination>(std::get<Elimination>(std::move(result)));
  factor_.resize(at(elimination_->factor_size));
  return !factorize(*elimination_, values_.data(), factor_.data());
}

void RegularizedKkt::solve(const double* rhs, double* x) {
  tumble::solve(*elimination_, factor_.data(), rhs, x, scratch_.data());
}

// x ← (S + δ D)⁻¹ D x; with xᵀ D x = 1 the quotient xᵀ D (S + δ D)⁻¹ D x tends to 1/(μ + δ). One x
// for each redundant combination, where μ = 0, and one more, each D-orthogonal to those before it.
double RegularizedKkt::smallest_eigenvalue() {
  constexpr int iterations = 6;
  const int nc = system_.nc;
  double fraction = 0.5;
  for (double& x : guess_) {
    fraction +=
        0.6180339887498949;  // golden-section steps fill (0, 1) evenly: no direction is left out
    fraction -= std::floor(fraction);
    x = fraction - 0.4;
  }
  const auto product = [&](const double* x, const double* y) {
    double sum = 0;
    for (int i = 0; i < nc; ++i) sum += scale_[at(i)] * x[i] * y[i];
    return sum;
  };
  double largest = 1;
  for (int k = 0; k < iterations; ++k)
    for (int j = 0; j <= redundant_; ++j) {
      double* x = guess(j);
      for (int repeat = 0; repeat < 2; ++repeat)  // the first leaves rounding of a large part
        for (int before = 0; before < j; ++before) {
          const double* n = guess(before);
          const double share = product(n, x) / product(n, n);
          for (int i = 0; i < nc; ++i) x[i] -= share * n[i];
        }
      const double size = 1 / std::sqrt(product(x, x));
      std::fill(image_.begin(), image_.begin() + system_.nv, 0.0);
      for (int i = 0; i < nc; ++i) {
        x[i] *= size;
        image_[at(system_.nv + i)] = -scale_[at(i)] * x[i];
      }
      solve(image_.data(), image_.data());
      largest = 0;
      for (int i = 0; i < nc; ++i) {
        const double y = image_[at(system_.nv + i)];
        largest += x[i] * scale_[at(i)] * y;
        x[i] = y;
      }
    }
  return largest > 0 ? 1 / largest - softness : 0.0;
}

}  // namespace tumble
