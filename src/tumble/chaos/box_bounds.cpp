#include "tumble/chaos/box_bounds.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <thread>

#include "tumble/random/design/design.hpp"
#include "tumble/random/stream/variable_id.hpp"

namespace tumble {
namespace {

/// Outputs that a thread takes at a time: a constant, because products in other blocks may round
/// differently.
constexpr std::size_t block_size = 32;
/// From so many points of the scan the search goes on, for each end.
constexpr std::size_t most_starts = 4;

/// Chebyshev's extreme points on [-1, 1], the ends among them: they crowd where polynomials bend
/// most.
double lobatto(std::size_t i, std::size_t count) {
  if (2 * i + 1 == count) return 0;
  return -std::cos(std::numbers::pi * static_cast<double>(i) / static_cast<double>(count - 1));
}

DenseMatrix scan_points(std::size_t germs, std::size_t terms) {
  constexpr std::array<std::size_t, 4> in_each{257, 33, 13, 9};
  if (germs <= in_each.size()) {
    const std::size_t side = in_each[germs - 1];
    std::size_t count = 1;
    for (std::size_t k = 0; k < germs; ++k) count *= side;
    DenseMatrix points(count, germs);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0, rest = i; k < germs; ++k, rest /= side)
        points(i, k) = lobatto(rest % side, side);
    return points;
  }
  // No more than some 128 MB of values of terms.
  const std::size_t room = std::clamp<std::size_t>((std::size_t{1} << 24) / terms, 256, 4096);
  const DenseMatrix corners = box_corners(germs, room / 4);
  const DenseMatrix inside = box_points(germs, room - room / 4, 1, "scan of the box");
  DenseMatrix points(corners.rows() + inside.rows(), germs);
  for (std::size_t i = 0; i < corners.rows(); ++i)
    std::ranges::copy(corners.row(i), points.row(i).begin());
  // Every second one is brought to the faces that it is near: extremes are mostly there.
  constexpr double near_face = 0.5;
  for (std::size_t i = 0; i < inside.rows(); ++i)
    for (std::size_t k = 0; k < germs; ++k) {
      const double x = inside(i, k);
      points(corners.rows() + i, k) =
          i % 2 == 0 && std::fabs(x) > near_face ? std::copysign(1.0, x) : x;
    }
  return points;
}

/// One polynomial, and how large it becomes.
class Climber {
 public:
  explicit Climber(const PolynomialBasis& basis) : basis_(basis), highest_(degrees(basis)) {
    for (std::size_t k = 0; k < basis.variables(); ++k)
      factors_.emplace_back(static_cast<std::size_t>(highest_[k]) + 1);
    along_.resize(static_cast<std::size_t>(*std::ranges::max_element(highest_)) + 1);
    values_.resize(along_.size());
  }

  /// `sign` times the polynomial, from `point` on, which becomes the place found.
  double climb(std::span<const double> coefficients, double sign, std::span<double> point) {
    coefficients_ = coefficients;
    sign_ = sign;
    for (std::size_t k = 0; k < point.size(); ++k) set(k, point[k]);
    double best = -std::numeric_limits<double>::infinity();
    constexpr int most_rounds = 60;
    std::vector<double> from(point.size());
    for (int round = 0; round < most_rounds; ++round) {
      const double before = best;
      std::ranges::copy(point, from.begin());
      for (std::size_t k = 0; k < point.size(); ++k) {
        if (highest_[k] == 0) continue;
        restrict_to(k);
        const auto [place, value] = highest_along(k);
        if (!(value > best)) continue;
        best = value;
        point[k] = place;
        set(k, place);
      }
      // On a ridge that is not parallel to a germ each of them gains little, and where they go
      // together much more (R. Hooke, T. A. Jeeves, J. ACM 8, 1961).
      if (round > 0) best = go_on(from, point, best);
      constexpr double little = 1e-13;
      if (round > 0 && !(best - before > little * std::max(std::fabs(best), std::fabs(before))))
        break;
    }
    return best;
  }

 private:
  static std::vector<int> degrees(const PolynomialBasis& basis) {
    return basis.terms().highest_degrees();
  }

  /// The value with all factors as they are.
  double value() const {
    const MultiIndexSet& terms = basis_.terms();
    double sum = 0;
    for (std::size_t term = 0; term < terms.size(); ++term) {
      const auto index = terms[term];
      double product = coefficients_[term];
      for (std::size_t j = 0; j < index.size(); ++j) product *= factors_[j][index[j]];
      sum += product;
    }
    return sign_ * sum;
  }

  /// Along the line from `from` through `point`, as far as that rises and the box goes.
  double go_on(std::span<const double> from, std::span<double> point, double best) {
    double most = 1e6;
    bool moved = false;
    for (std::size_t k = 0; k < point.size(); ++k) {
      const double step = point[k] - from[k];
      if (step == 0) continue;
      moved = true;
      most = std::min(most, ((step > 0 ? 1.0 : -1.0) - point[k]) / step);
    }
    if (!moved || !(most > 0)) return best;
    const std::vector<double> start(point.begin(), point.end());
    const auto at_distance = [&](double distance) {
      for (std::size_t k = 0; k < start.size(); ++k)
        set(k, std::clamp(start[k] + distance * (start[k] - from[k]), -1.0, 1.0));
      return value();
    };
    // Doubled while it rises, then the golden section of the last two strides.
    double low = 0, middle = 0, high = std::min(1.0, most), at_middle = best;
    while (true) {
      const double at_high = at_distance(high);
      if (!(at_high > at_middle)) break;
      low = middle, middle = high, at_middle = at_high;
      if (high == most) break;
      high = std::min(2 * high, most);
    }
    for (int i = 0; i < 40 && high - low > 1e-6 * (1 + high); ++i) {
      const bool left = middle - low > high - middle;
      constexpr double smaller = 0.3819660112501051;
      const double x =
          left ? middle - smaller * (middle - low) : middle + smaller * (high - middle);
      const double at_x = at_distance(x);
      if (at_x > at_middle) {
        (left ? high : low) = middle;
        middle = x, at_middle = at_x;
      } else {
        (left ? low : high) = x;
      }
    }
    at_distance(at_middle > best ? middle : 0);
    for (std::size_t k = 0; k < start.size() && at_middle > best; ++k)
      point[k] = std::clamp(start[k] + middle * (start[k] - from[k]), -1.0, 1.0);
    return std::max(best, at_middle);
  }

  void set(std::size_t k, double x) { basis_.polynomials(k).evaluate(x, factors_[k]); }

  /// The polynomial in germ k alone, the others where they are.
  void restrict_to(std::size_t k) {
    const MultiIndexSet& terms = basis_.terms();
    std::ranges::fill(along_, 0.0);
    for (std::size_t term = 0; term < terms.size(); ++term) {
      const auto index = terms[term];
      double product = coefficients_[term];
      for (std::size_t j = 0; j < index.size(); ++j)
        if (j != k) product *= factors_[j][index[j]];
      along_[index[k]] += sign_ * product;
    }
  }

  double at(std::size_t k, double x) {
    const auto count = static_cast<std::size_t>(highest_[k]) + 1;
    basis_.polynomials(k).evaluate(x, std::span(values_).first(count));
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += along_[i] * values_[i];
    return sum;
  }

  struct Place {
    double x, value;
  };
  /// Between the neighbours of the best of many points, by the golden section.
  Place highest_along(std::size_t k) {
    const std::size_t count = 6 * static_cast<std::size_t>(highest_[k]) + 1;
    std::size_t top = 0;
    Place best{0, -std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < count; ++i) {
      const double x = lobatto(i, count), value = at(k, x);
      if (value > best.value) best = {x, value}, top = i;
    }
    double low = lobatto(top == 0 ? 0 : top - 1, count);
    double high = lobatto(std::min(top + 1, count - 1), count);
    constexpr double golden = 0.6180339887498949;
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double at_a = at(k, a), at_b = at(k, b);
    while (high - low > 1e-9) {
      if (at_a >= at_b) {
        high = b, b = a, at_b = at_a;
        a = high - golden * (high - low);
        at_a = at(k, a);
      } else {
        low = a, a = b, at_a = at_b;
        b = low + golden * (high - low);
        at_b = at(k, b);
      }
    }
    if (at_a > best.value) best = {a, at_a};
    if (at_b > best.value) best = {b, at_b};
    return best;
  }

  const PolynomialBasis& basis_;
  std::vector<int> highest_;
  std::vector<std::vector<double>> factors_;  ///< of each germ, where it is
  std::vector<double> along_, values_;
  std::span<const double> coefficients_;
  double sign_ = 1;
};

/// Places of the scan to climb from, the best first. Neighbours of one that is better lead where it
/// leads.
std::vector<std::size_t> starting_places(const DenseMatrix& values, std::size_t column, double sign,
                                         const DenseMatrix& points) {
  constexpr std::size_t looked_at = 128;
  constexpr double apart = 0.4;
  std::vector<std::pair<double, std::size_t>> best;
  for (std::size_t i = 0; i < values.rows(); ++i) best.emplace_back(-sign * values(i, column), i);
  const auto end = best.begin() + static_cast<std::ptrdiff_t>(std::min(looked_at, best.size()));
  std::partial_sort(best.begin(), end, best.end());
  std::vector<std::size_t> places;
  for (auto one = best.begin(); one != end && places.size() < most_starts; ++one) {
    const auto near = [&](std::size_t other) {
      double largest = 0;
      for (std::size_t k = 0; k < points.columns(); ++k)
        largest = std::max(largest, std::fabs(points(one->second, k) - points(other, k)));
      return largest < apart;
    };
    if (std::ranges::none_of(places, near)) places.push_back(one->second);
  }
  return places;
}

/// The largest magnitudes of the terms over the box.
std::vector<double> largest_terms(const PolynomialBasis& basis) {
  const std::vector<int> highest = basis.terms().highest_degrees();
  std::vector<std::vector<double>> largest;
  for (std::size_t k = 0; k < basis.variables(); ++k) {
    const std::size_t count = static_cast<std::size_t>(highest[k]) + 1;
    std::vector<double> low(count), high(count);
    basis.polynomials(k).evaluate(-1, low);
    basis.polynomials(k).evaluate(1, high);
    for (std::size_t i = 0; i < count; ++i)
      high[i] = std::max(std::fabs(low[i]), std::fabs(high[i]));
    largest.push_back(std::move(high));
  }
  std::vector<double> all(basis.size(), 1.0);
  for (std::size_t term = 0; term < basis.size(); ++term)
    for (std::size_t k = 0; k < basis.variables(); ++k)
      all[term] *= largest[k][basis.terms()[term][k]];
  return all;
}

}  // namespace

DenseMatrix box_corners(std::size_t germs, std::size_t most) {
  if (germs < 63 && (std::uint64_t{1} << germs) <= most) {
    DenseMatrix corners(std::size_t{1} << germs, germs);
    for (std::size_t i = 0; i < corners.rows(); ++i)
      for (std::size_t k = 0; k < germs; ++k) corners(i, k) = (i >> k) % 2 == 0 ? -1 : 1;
    return corners;
  }
  // Those next to quasi-random points, each once; there are more than twice as many.
  std::vector<std::vector<double>> chosen;
  std::set<std::vector<double>> known;
  for (std::size_t tried = 4 * most; chosen.size() < most; tried *= 2) {
    const DenseMatrix points = box_points(germs, tried, 1, "corners of the box");
    chosen.clear();
    known.clear();
    for (std::size_t i = 0; i < tried && chosen.size() < most; ++i) {
      std::vector<double> corner;
      for (const double x : points.row(i)) corner.push_back(x < 0 ? -1 : 1);
      if (known.insert(corner).second) chosen.push_back(std::move(corner));
    }
  }
  DenseMatrix corners(most, germs);
  for (std::size_t i = 0; i < most; ++i) std::ranges::copy(chosen[i], corners.row(i).begin());
  return corners;
}

DenseMatrix box_points(std::size_t germs, std::size_t count, std::uint64_t seed,
                       std::string_view use) {
  std::vector<DesignCoordinate> coordinates;
  for (std::size_t k = 0; k < germs; ++k) coordinates.push_back({variable_id(use), k});
  const auto design = make_design(
      {.kind = DesignKind::sobol, .seed = seed, .realizations = count, .randomizations = 1},
      std::move(coordinates));
  DenseMatrix points(count, germs);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < germs; ++k) points(i, k) = 2 * design->u(i, k) - 1;
  return points;
}

BoxBounds box_bounds(const Expansion& expansion, int threads) {
  const PolynomialBasis& basis = expansion.basis();
  const std::size_t outputs = expansion.outputs(), germs = basis.variables();
  const DenseMatrix points = scan_points(germs, basis.size());
  const DenseMatrix terms = basis.at(points);
  const std::vector<double> largest = largest_terms(basis);
  BoxBounds found;
  for (std::vector<double>* list :
       {&found.lower, &found.upper, &found.inclusion_lower, &found.inclusion_upper})
    list->resize(outputs, std::numeric_limits<double>::quiet_NaN());
  found.lower_at = found.upper_at = DenseMatrix(outputs, germs);

  const auto one = [&](Climber& climber, const DenseMatrix& values, std::size_t column,
                       std::size_t output) {
    std::vector<double> coefficients(basis.size());
    for (std::size_t t = 0; t < basis.size(); ++t)
      coefficients[t] = expansion.coefficients()(t, output);
    if (!std::ranges::all_of(coefficients, [](double c) { return std::isfinite(c); })) return;
    double reach = 0;
    for (std::size_t t = 1; t < basis.size(); ++t) reach += std::fabs(coefficients[t]) * largest[t];
    for (const double sign : {-1.0, 1.0}) {
      double best = -std::numeric_limits<double>::infinity();
      std::vector<double> point(germs), at(germs);
      for (const std::size_t start : starting_places(values, column, sign, points)) {
        std::ranges::copy(points.row(start), point.begin());
        const double value = climber.climb(coefficients, sign, point);
        if (value > best) best = value, at = point;
      }
      (sign < 0 ? found.lower : found.upper)[output] = sign * best + 0.0;  // no -0
      std::ranges::copy(at, (sign < 0 ? found.lower_at : found.upper_at).row(output).begin());
    }
    // Sums round; what is attained is inside by definition.
    found.inclusion_lower[output] = std::min(coefficients[0] - reach, found.lower[output]);
    found.inclusion_upper[output] = std::max(coefficients[0] + reach, found.upper[output]);
  };

  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    Climber climber(basis);
    while (true) {
      const std::size_t first = block_size * next++;
      if (first >= outputs) return;
      const std::size_t count = std::min(block_size, outputs - first);
      const DenseMatrix values = expansion.from_terms(terms, first, count);
      for (std::size_t i = 0; i < count; ++i) one(climber, values, i, first + i);
    }
  };
  std::vector<std::jthread> helpers;
  for (int i = 1; i < threads; ++i) helpers.emplace_back(work);
  work();
  helpers.clear();
  return found;
}

}  // namespace tumble
