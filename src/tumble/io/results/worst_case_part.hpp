// Worst case, in the results of an ensemble. In place of the statistics over realisations:
//
//   <probe>_<quantity>_bound_lower, _bound_upper (time[, axis | quat])    of the polynomials over
//   the
//       box
//   <probe>_<quantity>_inclusion_lower, _inclusion_upper (time[, ...])    that contain them for
//   certain <probe>_<quantity>_bound_error (time[, ...])    largest deviation of a run that the fit
//   has not
//       seen from its polynomials
//   <probe>_<quantity>_found_min, _found_max (time[, ...])    of all runs
//   quantity_<name>_bound_lower ... _found_max    the same of quantities of interest, with
//   quantity_<name>_found_min_realization, _found_max_realization
//   quantity_<name>_found_min_inputs, _found_max_inputs, _bound_lower_inputs, _bound_upper_inputs
//       (input)    the machines of the extremes of runs, and of the polynomials
//   quantity_<name>_time_error    unless switched off
//   quantity_<name>_searched_min, _searched_max    of the runs of its search
//   interval_lower, interval_upper (input)
//   role(realization) = 0 fit, 1 kept out of the fit, 2 extreme of the polynomials, 3 search
//   attributes worst_case_fit, worst_case_kept_out: how polynomials were fitted, and how many runs
//   the
//       errors rest on
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "tumble/io/results/results_parts.hpp"
#include "tumble/model/study/quantity_of_interest.hpp"
#include "tumble/study/layout.hpp"

namespace tumble {

struct EnsembleResults;

/// What a run of a worst-case study is for, as in the results.
enum class WorstCaseRole : signed char { fit = 0, kept_out = 1, extreme = 2, search = 3 };

/// Bounds of many outputs; NaN where there are none.
struct WorstCaseBounds {
  std::vector<double> lower, upper, inclusion_lower, inclusion_upper, error, found_min, found_max;
};

/// The worst cases of one quantity of interest.
struct WorstCaseQuantity {
  const QuantityOfInterest* quantity = nullptr;
  double lower, upper, inclusion_lower, inclusion_upper, error, found_min, found_max;
  double told_error;  ///< by runs that were chosen without a look at values, before the search
  std::uint64_t found_min_realization = 0, found_max_realization = 0;
  WorstCaseRole found_min_role = WorstCaseRole::fit, found_max_role = WorstCaseRole::fit;
  /// In the order of the inputs. What was never found has none.
  std::vector<double> lower_inputs, upper_inputs, found_min_inputs, found_max_inputs;
  /// Of the runs of its search alone, which knows nothing of the polynomials; NaN without one.
  double searched_min, searched_max;
  std::uint64_t search_runs = 0;
  /// Estimated error of the time integration, root mean square over some runs.
  std::optional<double> time_error = {};
  bool converged = false;  ///< the search ended because its points had come together

  /// The bounds with their error, and what was found beyond.
  double least() const;
  double most() const;
};

struct WorstCaseResults {
  std::string fit;      ///< in words; empty if there is none
  std::string failure;  ///< why not
  std::vector<WorstCaseRole> roles;
  std::uint64_t failed = 0;
  std::uint64_t kept_out = 0;  ///< runs that errors rest on: did not fail, and the fit has not seen
  WorstCaseBounds outputs;     ///< [time][number]
  std::vector<WorstCaseQuantity> quantities;
  std::vector<std::string> inputs;  ///< parameter paths
  std::vector<double> interval_lower, interval_upper;
  std::vector<std::string> warnings;

  std::uint64_t count(WorstCaseRole role) const;
};

/// Defined first, written once the file takes data.
class WorstCasePart {
 public:
  /// `results.worst_case` is there. The arguments outlive this.
  WorstCasePart(NetcdfWriter& file, const NominalPart& nominal, const EnsembleResults& results,
                int realization);
  /// What is over the dimension `input`.
  void define_inputs(int input);
  void put() const;

 private:
  void define_outputs();
  void define_quantity(const WorstCaseQuantity& found);
  void number(const std::string& name, const std::vector<int>& dimensions,
              std::vector<double> values, const std::string& what, const std::string& unit);

  NetcdfWriter& file_;
  const NominalPart& nominal_;
  const EnsembleResults& results_;
  const WorstCaseResults& found_;
  const StatisticsLayout& layout_;
  std::vector<std::function<void()>> puts_;
};

}  // namespace tumble
