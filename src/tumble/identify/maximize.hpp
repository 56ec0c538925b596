// The largest value of a function of a few numbers in a box, without derivatives.
#pragma once
#include <functional>
#include <vector>

namespace tumble {

/// The box of the free parameters.
struct ParameterBox {
  std::vector<double> lower, upper;
  std::size_t size() const { return lower.size(); }
  double width(std::size_t i) const { return upper[i] - lower[i]; }
};

struct Maximum {
  std::vector<double> at;
  double value = 0;
};

using ScalarFunction = std::function<double(const std::vector<double>&)>;

struct SearchOptions {
  double tolerance = 1e-7;   ///< of each number, as a share of the box
  double first_step = 0.15;  ///< the same
  int most_evaluations = 2000;
};

/// Subplex of T. Rowan in NLopt, from every start; the best of them. Values that are not finite
/// count as very small. The same calls give the same bits: there is neither chance nor a clock.
Maximum maximize(const ScalarFunction& f, const ParameterBox& box,
                 const std::vector<std::vector<double>>& starts, const SearchOptions& options = {});

/// Points of the box that are spread evenly, `first` and then `count` others.
std::vector<std::vector<double>> spread_starts(const ParameterBox& box,
                                               const std::vector<double>& first, std::size_t count);

}  // namespace tumble
