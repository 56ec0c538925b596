// What a study of reliability found, in the results of an ensemble in place of its statistics:
//
//   probability, probability_lower, probability_upper, probability_cv, reliability_index
//   probability_output_lower, probability_output_upper    if all values were wrong by their
//       `_output_error`, away from the limit and towards it
//   runs, search_runs, failed_runs
//   probability_breitung, probability_hohenbichler, curvature(curvature)
//   level_threshold, level_conditional_probability, level_acceptance, level_runs (level)
//   replica_probability(replica)
//   germ(germ), design_point_germs, design_point_importance (design_point, germ)
//   design_point_inputs(design_point, input)
//   design_point_index, design_point_share, design_point_converged (design_point)
//   effective_runs, nominal_share_of_estimate    by importance sampling
//   cross_check_probability, _lower, _upper, _cv, cross_check_runs
//   attributes reliability_method, reliability_quantity, reliability_limit, reliability_side,
//       reliability_cross_check
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tumble/io/results/results_parts.hpp"
#include "tumble/model/study/reliability_request.hpp"
#include "tumble/reliability/probability_estimate.hpp"

namespace tumble {

struct ReliabilityResults {
  ReliabilityRequest request;
  std::string unit;  ///< of the quantity
  double confidence = 0.95;
  ProbabilityEstimate estimate;
  std::optional<ProbabilityEstimate> cross_check;
  std::vector<std::string> germs;                        ///< names
  std::vector<std::string> inputs;                       ///< parameter paths
  std::vector<std::vector<double>> design_point_inputs;  ///< the parameters at each design point

  const char* side() const { return request.above ? "above" : "below"; }
  double limit() const { return request.above ? *request.above : *request.below; }
};

/// Defined first, written once the file takes data.
class ReliabilityPart {
 public:
  /// The arguments outlive this.
  ReliabilityPart(NetcdfWriter& file, const ReliabilityResults& found);
  /// After the dimension `input`, -1 if there is none.
  void define_inputs(int input);
  void put() const;

 private:
  void number(const std::string& name, double value, const std::string& what,
              const std::string& unit = "1");
  void count(const std::string& name, std::uint64_t value, const std::string& what);
  void array(const std::string& name, const std::vector<int>& dimensions,
             std::vector<double> values, const std::string& what, const std::string& unit = "1");
  void define_levels();
  void define_design_points();

  NetcdfWriter& file_;
  const ReliabilityResults& found_;
  int design_point_ = -1;
  std::vector<std::function<void()>> puts_;
};

}  // namespace tumble
