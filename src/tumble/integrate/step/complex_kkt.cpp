#include "tumble/integrate/step/complex_kkt.hpp"

#include <variant>

#include "tumble/integrate/step/kkt_solver.hpp"

namespace tumble {

ComplexKkt::ComplexKkt(const Plan& plan)
    : system_(*plan.system),
      elimination_(plan.elimination.get()),
      compliance_(plan.compliance()),
      matrix_(static_cast<std::size_t>(system_.pattern.nonzeros() +
                                       (compliance_ != nullptr ? system_.nc : 0))),
      factor_(static_cast<std::size_t>(elimination_->factor_size)),
      scratch_(static_cast<std::size_t>(system_.pattern.n)) {}

void ComplexKkt::assemble(const Workspace<double>& w, ComplexNumber c1, ComplexNumber c2) {
  for (const int s : system_.dynamic_slots) {
    const auto i = static_cast<std::size_t>(s);
    matrix_[i] = ComplexNumber(w.M[i]) + w.C[i] * c1 + w.K[i] * c2;
  }
  for (const int s : system_.constraint_slots) {
    const auto i = static_cast<std::size_t>(s);
    matrix_[i] = ComplexNumber(w.K[i]);
  }
  for (const int s : system_.friction_slots) {
    const auto i = static_cast<std::size_t>(s);
    matrix_[i] = matrix_[i] + ComplexNumber(w.C[i]);
  }
  if (compliance_ == nullptr) return;
  const auto first = static_cast<std::size_t>(system_.pattern.nonzeros());
  for (std::size_t i = 0; i < compliance_->size(); ++i)
    matrix_[first + i] = ComplexNumber(-(*compliance_)[i]);
}

// Where a pivot fades, an order is found from the real and the imaginary parts together: numbers
// that vanish in both vanish in the matrix.
bool ComplexKkt::factor(const Workspace<double>& w, ComplexNumber c1, ComplexNumber c2) {
  assemble(w, c1, c2);
  ++factorizations_;
  if (!factorize(*elimination_, matrix_.data(), factor_.data())) return true;
  std::vector<double> sample;
  for (const ComplexNumber& x : matrix_) sample.push_back(x.re + x.im);
  for (const double x : sample)
    if (!(abs(x) < 1e300)) return false;
  auto result = analyze_kkt(system_, std::span(&sample, 1));
  ++pivot_searches_;
  if (std::holds_alternative<EliminationFailure>(result)) return false;
  own_ = std::make_shared<const Elimination>(std::get<Elimination>(std::move(result)));
  elimination_ = own_.get();
  factor_.resize(static_cast<std::size_t>(elimination_->factor_size));
  return !factorize(*elimination_, matrix_.data(), factor_.data());
}

void ComplexKkt::solve(const ComplexNumber* rhs, ComplexNumber* x) {
  tumble::solve(*elimination_, factor_.data(), rhs, x, scratch_.data());
}

}  // namespace tumble
