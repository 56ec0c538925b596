#include "tumble/identify/maximize.hpp"

#include <algorithm>
#include <cmath>
#include <nlopt.hpp>

namespace tumble {
namespace {

/// What is searched, in units of the box.
struct ScaledSearch {
  const ScalarFunction& f;
  const ParameterBox& box;
  Maximum best;

  std::vector<double> from_unit(const std::vector<double>& u) const {
    std::vector<double> x(u.size());
    for (std::size_t i = 0; i < u.size(); ++i)
      x[i] = std::clamp(box.lower[i] + u[i] * box.width(i), box.lower[i], box.upper[i]);
    return x;
  }
  double operator()(const std::vector<double>& u) {
    const std::vector<double> x = from_unit(u);
    const double value = f(x);
    if (!std::isfinite(value)) return -1e30;
    if (best.at.empty() || value > best.value) best = {x, value};
    return value;
  }
  static double call(const std::vector<double>& u, std::vector<double>&, void* search) {
    return (*static_cast<ScaledSearch*>(search))(u);
  }
};

}  // namespace

Maximum maximize(const ScalarFunction& f, const ParameterBox& box,
                 const std::vector<std::vector<double>>& starts, const SearchOptions& options) {
  ScaledSearch search{f, box, {starts.front(), -std::numeric_limits<double>::infinity()}};
  for (const std::vector<double>& start : starts) {
    std::vector<double> u(box.size());
    for (std::size_t i = 0; i < u.size(); ++i)
      u[i] = std::clamp((start[i] - box.lower[i]) / box.width(i), 0.0, 1.0);
    nlopt::opt optimizer(nlopt::LN_SBPLX, static_cast<unsigned>(box.size()));
    optimizer.set_max_objective(&ScaledSearch::call, &search);
    optimizer.set_lower_bounds(0.0);
    optimizer.set_upper_bounds(1.0);
    optimizer.set_xtol_abs(options.tolerance);
    optimizer.set_maxeval(options.most_evaluations);
    optimizer.set_initial_step(options.first_step);
    double value = 0;
    try {
      optimizer.optimize(u, value);
    } catch (const nlopt::roundoff_limited&) {
      // The best point so far is as good as it gets.
    }
  }
  return search.best;
}

std::vector<std::vector<double>> spread_starts(const ParameterBox& box,
                                               const std::vector<double>& first,
                                               std::size_t count) {
  std::vector<std::vector<double>> starts{first};
  // Multiples of powers of the inverse of phi_d, which solves x^(d+1) = x + 1 (M. Roberts, 2018):
  // even in every dimension.
  double phi = 2;
  const auto d = static_cast<double>(box.size());
  for (int i = 0; i < 60; ++i) phi = std::pow(1 + phi, 1 / (d + 1));
  for (std::size_t k = 1; k <= count; ++k) {
    std::vector<double> point(box.size());
    for (std::size_t i = 0; i < point.size(); ++i) {
      const double step = std::pow(1 / phi, static_cast<double>(i + 1));
      const double u = std::fmod(0.5 + static_cast<double>(k) * step, 1.0);
      point[i] = box.lower[i] + (0.02 + 0.96 * u) * box.width(i);
    }
    starts.push_back(std::move(point));
  }
  return starts;
}

}  // namespace tumble
