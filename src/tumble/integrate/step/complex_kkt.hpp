// A(c1, c2) of kkt_solver.hpp with complex factors c1 and c2, of a single realisation.
#pragma once
#include <memory>

#include "tumble/dynamics/workspace.hpp"
#include "tumble/integrate/plan.hpp"
#include "tumble/math/complex_number.hpp"
#include "tumble/math/elimination.hpp"

namespace tumble {

class ComplexKkt {
 public:
  /// What the plan points at is kept by reference.
  explicit ComplexKkt(const Plan& plan);

  /// Factors the matrix made from the workspace's K, C, M. False if no order of elimination has
  /// pivots for it.
  bool factor(const Workspace<double>& w, ComplexNumber c1, ComplexNumber c2);
  /// With the last factor; rhs and x may be the same.
  void solve(const ComplexNumber* rhs, ComplexNumber* x);

  long factorizations() const { return factorizations_; }
  long pivot_searches() const { return pivot_searches_; }

 private:
  void assemble(const Workspace<double>& w, ComplexNumber c1, ComplexNumber c2);

  const System& system_;
  const Elimination* elimination_;
  const std::vector<double>* compliance_;
  std::shared_ptr<const Elimination> own_;  ///< an order found on the way, shared with copies
  std::vector<ComplexNumber> matrix_, factor_, scratch_;
  long factorizations_ = 0, pivot_searches_ = 0;
};

}  // namespace tumble
