#include "tumble/chaos/error/validation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "tumble/chaos/eigen_view.hpp"
#include "tumble/math/special_functions.hpp"

namespace tumble {
namespace {

constexpr double fewest_degrees = 3;
constexpr std::size_t student_cells = 64;
constexpr std::size_t neighbours = 12;    // of a quantile
constexpr double neighbour_factor = 2.2;  // Student's quantile for about as many

/// Student's quantiles at 1 / degrees = k / (64 * 3), k = 0 ... 64; smooth in between.
std::vector<double> student_table(double confidence) {
  std::vector<double> table;
  for (std::size_t k = 0; k <= student_cells; ++k) {
    const double inverse =
        std::max(1e-6, static_cast<double>(k) / (fewest_degrees * student_cells));
    const boost::math::students_t_distribution<double> law(1 / inverse);
    table.push_back(boost::math::quantile(law, 0.5 * (1 + confidence)));
  }
  return table;
}

/// The nearest two points, then the nearest two of the others, and so on. A last one without a
/// partner is its own.
std::vector<std::pair<std::size_t, std::size_t>> near_pairs(const DenseMatrix& places,
                                                            std::span<const std::size_t> kept) {
  std::vector<std::tuple<double, std::size_t, std::size_t>> distances;
  for (std::size_t i = 0; i < kept.size(); ++i)
    for (std::size_t j = i + 1; j < kept.size(); ++j) {
      double square = 0;
      for (std::size_t k = 0; k < places.columns(); ++k) {
        const double difference = places(kept[i], k) - places(kept[j], k);
        square += difference * difference;
      }
      distances.emplace_back(square, i, j);
    }
  std::ranges::sort(distances);
  std::vector<char> taken(kept.size(), 0);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const auto& [square, i, j] : distances) {
    if (taken[i] != 0 || taken[j] != 0) continue;
    taken[i] = taken[j] = 1;
    pairs.emplace_back(i, j);
  }
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (taken[i] == 0) pairs.emplace_back(i, i);
  return pairs;
}

}  // namespace

Validation::Validation(const Expansion& expansion, const ValidationPoints& points,
                       const DenseMatrix& values, std::span<const std::uint8_t> failed,
                       double confidence)
    : expansion_(expansion),
      means_(expansion.means()),
      variances_(expansion.variances()),
      student_(student_table(confidence)) {
  if (values.rows() != points.weights.size() || values.columns() != expansion.outputs() ||
      (!failed.empty() && failed.size() != values.rows()))
    throw std::invalid_argument(
        fmt::format("polynomial chaos: {} values at {} points, {} marks of failures, for {} points "
                    "of validation and {} outputs",
                    values.columns(), values.rows(), failed.size(), points.weights.size(),
                    expansion.outputs()));
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < values.rows(); ++i)
    if (failed.empty() || failed[i] == 0) kept.push_back(i);
  if (kept.size() < least_points)
    throw std::invalid_argument(
        fmt::format("polynomial chaos: {} runs are left to measure errors; {} are the least",
                    kept.size(), least_points));
  double sum = 0;
  for (const std::size_t i : kept) sum += points.weights[i];
  DenseMatrix germs(kept.size(), points.germs.columns());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    weights_.push_back(points.weights[kept[i]] / sum);
    std::ranges::copy(points.germs.row(kept[i]), germs.row(i).begin());
  }
  pairs_ = near_pairs(points.places, kept);
  basis_ = expansion.basis().at(germs);
  set_residuals(values, kept);
  set_variances();
}

void Validation::set_residuals(const DenseMatrix& values, std::span<const std::size_t> kept) {
  const std::size_t outputs = expansion_.outputs(), n = points();
  surrogate_ = residuals_ = DenseMatrix(outputs, n);
  view(surrogate_).noalias() =
      view(expansion_.coefficients()).transpose() * view(basis_).transpose();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t o = 0; o < outputs; ++o) residuals_(o, i) = values(kept[i], o);
  const double factor = 3 - 2 * tail_share(expansion_.basis().variables());
  for (std::size_t o = 0; o < outputs; ++o) {
    double largest = 0, heaviest = 0, sum = 0;
    for (const double value : residuals_.row(o)) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < n; ++i) {
      // What differs by rounding alone does not differ.
      double& r = residuals_(o, i);
      r -= surrogate_(o, i);
      if (std::abs(r) <= 1e-13 * largest) r = 0;
      const double square = weights_[i] * r * r;
      sum += square;
      heaviest = std::max(heaviest, square);
    }
    squares_.push_back(sum);
    unseen_.push_back(factor * heaviest);
  }
}

double Validation::take_mean(std::span<double> numbers) const {
  double mean = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) mean += weights_[i] * numbers[i];
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = weights_[i] * (numbers[i] - mean);
  return mean;
}

Validation::Spread Validation::spread_of(std::span<const double> parts) const {
  double second = 0, fourth = 0;
  for (const auto& [i, j] : pairs_) {
    const double difference = i == j ? std::sqrt(2.0) * parts[i] : parts[i] - parts[j];
    const double square = difference * difference;
    second += square;
    fourth += square * square;
  }
  const double inverse = second > 0 ? std::min(fourth / (second * second), 1 / fewest_degrees) : 0;
  const double place = inverse * fewest_degrees * student_cells;
  const auto cell = std::min(static_cast<std::size_t>(place), student_cells - 1);
  const double part = place - static_cast<double>(cell);
  return {std::sqrt(second), (1 - part) * student_[cell] + part * student_[cell + 1]};
}

void Validation::set_variances() {
  const std::size_t outputs = expansion_.outputs(), n = points();
  shift_parts_ = residuals_;
  model_variance_parts_ = DenseMatrix(outputs, n);
  std::vector<double> own(n);
  for (std::size_t o = 0; o < outputs; ++o) {
    const std::span<double> shift = shift_parts_.row(o), gain = model_variance_parts_.row(o);
    shifts_.push_back(take_mean(shift));
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double r = residuals_(o, i), p = surrogate_(o, i);
      gain[i] = r * (r + 2 * (p - means_[o]));
      mean += weights_[i] * (p + r);
    }
    const double more = take_mean(gain) - shifts_[o] * shifts_[o];
    for (std::size_t i = 0; i < n; ++i) {
      gain[i] -= 2 * shifts_[o] * shift[i];
      const double deviation = surrogate_(o, i) + residuals_(o, i) - mean;
      own[i] = deviation * deviation;
    }
    model_variances_.push_back(variances_[o] + more);
    // By what the model has more than the polynomial, or by itself where the polynomial is so wrong
    // that this is known better.
    const double by_itself = take_mean(own);
    if (model_variances_[o] > 0 && spread_of(gain).error <= spread_of(own).error) continue;
    model_variances_[o] = by_itself;
    std::ranges::copy(own, gain.begin());
  }
}

ChaosErrors Validation::errors() const {
  ChaosErrors errors;
  errors.method = fmt::format("{} runs kept out of the fit", points());
  errors.measured = true;
  std::vector<double> parts(points());
  for (std::size_t o = 0; o < expansion_.outputs(); ++o) {
    const double square = squares_[o], variance = model_variances_[o];
    errors.mean.push_back(std::abs(shifts_[o]) + spread_of(shift_parts_.row(o)).half_width());
    const Spread of_variance = spread_of(model_variance_parts_.row(o));
    const double std = std::sqrt(variances_[o]);
    const double below = std::sqrt(std::max(0.0, variance - of_variance.half_width()));
    const double above =
        std::sqrt(variance + of_variance.quantile * hypotenuse(of_variance.error, unseen_[o]));
    errors.std.push_back(std::max(std::abs(below - std), std::abs(above - std)));

    const bool exact = square == 0;
    if (exact || !(variance > 0)) {
      const double share = exact ? 0 : std::numeric_limits<double>::infinity();
      for (auto* list : {&errors.relative, &errors.relative_lower, &errors.relative_upper})
        list->push_back(share);
      continue;
    }
    const double share = square / variance;
    for (std::size_t i = 0; i < parts.size(); ++i)
      parts[i] = (weights_[i] * (residuals_(o, i) * residuals_(o, i) - square) -
                  share * model_variance_parts_(o, i)) /
                 square;
    const Spread relative = spread_of(parts);
    errors.relative.push_back(share);
    errors.relative_lower.push_back(share * std::exp(-relative.half_width()));
    errors.relative_upper.push_back(
        share * std::exp(relative.quantile * hypotenuse(relative.error, unseen_[o] / square)));
  }
  return errors;
}

std::vector<double> Validation::quantile_errors(std::span<const double> quantiles,
                                                std::size_t probabilities) const {
  std::vector<double> bounds(quantiles.size());
  std::vector<std::pair<double, std::size_t>> near(points());
  for (std::size_t o = 0; o < expansion_.outputs(); ++o) {
    const auto bound_of = [&](std::size_t count) {
      double sum = 0, weight = 0;
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t i = near[k].second;
        sum += weights_[i] * residuals_(o, i) * residuals_(o, i);
        weight += weights_[i];
      }
      return neighbour_factor * std::sqrt(sum / weight);
    };
    for (std::size_t q = 0; q < probabilities; ++q) {
      const double quantile = quantiles[o * probabilities + q];
      for (std::size_t i = 0; i < near.size(); ++i)
        near[i] = {std::abs(surrogate_(o, i) - quantile), i};
      std::ranges::nth_element(near, near.begin() + neighbours - 1);
      double bound = bound_of(neighbours);
      // Points within the bound could change sides; there may be more of them.
      const auto end = std::partition(near.begin() + neighbours, near.end(),
                                      [&](const auto& p) { return p.first <= bound; });
      const auto count = static_cast<std::size_t>(end - near.begin());
      if (count > neighbours) bound = bound_of(count);
      bounds[o * probabilities + q] = bound;
    }
  }
  return bounds;
}

template <class Choose>
Intervals Validation::sobol(std::span<const std::size_t> group, const Choose& choose) const {
  // P p at all points and outputs, from the terms that P keeps.
  std::vector<Eigen::Index> terms;
  const MultiIndexSet& set = expansion_.basis().terms();
  for (std::size_t term = 1; term < set.size(); ++term) {
    bool inside = false, outside = false;
    for (std::size_t k = 0; k < set[term].size(); ++k)
      if (set[term][k] != 0) (std::ranges::find(group, k) != group.end() ? inside : outside) = true;
    if (choose(inside, outside)) terms.push_back(static_cast<Eigen::Index>(term));
  }
  const Eigen::MatrixXd basis = view(basis_)(Eigen::all, terms);
  const RowMajorMatrix coefficients = view(expansion_.coefficients())(terms, Eigen::all);
  const RowMajorMatrix projected = coefficients.transpose() * basis.transpose();
  Intervals intervals;
  std::vector<double> parts(points());
  for (std::size_t o = 0; o < expansion_.outputs(); ++o) {
    const auto row = static_cast<Eigen::Index>(o);
    const double variance = model_variances_[o];
    if (!(variances_[o] > 0 && variance > 0)) {
      intervals.lower.push_back(std::numeric_limits<double>::quiet_NaN());
      intervals.upper.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const double size = coefficients.col(row).squaredNorm();
    for (std::size_t i = 0; i < parts.size(); ++i)
      parts[i] = 2 * residuals_(o, i) * projected(row, static_cast<Eigen::Index>(i));
    const double index = (size + take_mean(parts)) / variance;
    for (std::size_t i = 0; i < parts.size(); ++i)
      parts[i] = (parts[i] - index * model_variance_parts_(o, i)) / variance;
    const Spread spread = spread_of(parts);
    // Holds the index that is reported, and nothing that no index can be.
    const double reported = std::min(size / variances_[o], 1.0);
    const double low = index - spread.half_width();
    const double high = index + squares_[o] / variance +
                        spread.quantile * hypotenuse(spread.error, unseen_[o] / variance);
    intervals.lower.push_back(std::min(std::max(low, 0.0), reported));
    intervals.upper.push_back(std::max(std::min(high, 1.0), reported));
  }
  return intervals;
}

Intervals Validation::closed_sobol(std::span<const std::size_t> group) const {
  return sobol(group, [](bool inside, bool outside) { return inside && !outside; });
}

Intervals Validation::total_sobol(std::span<const std::size_t> group) const {
  return sobol(group, [](bool inside, bool) { return inside; });
}

}  // namespace tumble
