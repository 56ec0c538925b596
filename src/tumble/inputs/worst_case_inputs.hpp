// Inputs of which nothing but an interval is known: the box of a worst-case study.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tumble/chaos/chaos_plan.hpp"
#include "tumble/inputs/random_laws.hpp"
#include "tumble/model/study/worst_case_request.hpp"

namespace tumble {

/// One germ in [-1, 1], from one end of the interval to the other.
struct IntervalInput {
  std::string name;  ///< of the variable
  double min, max;
  std::vector<std::size_t> places;  ///< of the parameters that take its value

  /// Exact at the ends, and never outside.
  double value(double germ) const;
};

/// Each scalar law is replaced by the ends of its support. Germs are those of the arcsine law, beta
/// with both exponents 1/2, whose orthonormal polynomials are Chebyshev's and whose Gauss points
/// are Chebyshev's points; so polynomial chaos does the fit. Immutable; may be used by many
/// threads.
class WorstCaseInputs {
 public:
  /// Runs come in blocks of `block`.
  /// @throws InputError for inputs that have no interval, all of them; std::invalid_argument for a
  /// request that does not fit.
  WorstCaseInputs(const Model& nominal, const Uncertainty& uncertainty,
                  const WorstCaseRequest& request, std::uint64_t seed, std::uint64_t block);

  /// The parameters that vary: their paths, and their indices in the ParameterTable.
  const std::vector<std::string>& paths() const { return paths_; }
  const std::vector<int>& slots() const { return slots_; }
  const std::vector<IntervalInput>& intervals() const { return intervals_; }
  const RandomLaws& laws() const { return laws_; }
  const ChaosPlan& plan() const { return *plan_; }

  /// Germs of the runs before the search, by rows: those of the plan, then those that are kept out
  /// of the fit, corners of the box first. A whole number of blocks.
  const DenseMatrix& points() const { return points_; }
  /// Writes one value per slot. From any thread.
  void fill(std::uint64_t realization, double* values) const {
    fill(points_.row(realization), values);
  }
  void fill(std::span<const double> germs, double* values) const;

  /// Where a parameter's interval is.
  const IntervalInput& interval_of(std::size_t path) const { return intervals_[owner_[path]]; }
  /// What was made of the laws, for the user.
  std::vector<std::string> announcements() const;
  std::vector<std::string> warnings() const { return plan_->warnings(); }

 private:
  RandomLaws laws_;
  std::vector<std::string> paths_;
  std::vector<int> slots_;
  std::vector<IntervalInput> intervals_;
  std::vector<std::size_t> owner_;  ///< by path: the interval
  std::optional<ChaosPlan> plan_;
  DenseMatrix points_;
};

}  // namespace tumble
