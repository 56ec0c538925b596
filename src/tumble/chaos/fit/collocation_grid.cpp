#include "tumble/chaos/fit/collocation_grid.hpp"

#include <fmt/core.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>
#include <utility>

#include "tumble/chaos/basis/gauss_rule.hpp"
#include "tumble/chaos/basis/nested_rule.hpp"
#include "tumble/chaos/eigen_view.hpp"

namespace tumble {
namespace {

using Index = std::vector<MultiIndexSet::Degree>;

/// Calls f(place) for every place of a grid with these numbers of points, the last fastest.
template <class F>
void for_each_place(const std::vector<std::size_t>& sizes, const F& f) {
  std::vector<std::size_t> place(sizes.size(), 0);
  for (;;) {
    f(place);
    std::size_t k = sizes.size();
    while (k > 0 && ++place[k - 1] == sizes[k - 1]) place[--k] = 0;
    if (k == 0) return;
  }
}

/// All lists of levels with a sum of `sum`, the first ones highest first.
std::vector<std::vector<std::uint8_t>> levels_with_sum(std::size_t variables, int sum) {
  std::vector<std::vector<std::uint8_t>> list;
  std::vector<std::uint8_t> levels(variables, 0);
  const std::function<void(std::size_t, int)> extend = [&](std::size_t k, int left) {
    if (k + 1 == variables) {
      levels[k] = static_cast<std::uint8_t>(left);
      list.push_back(levels);
      return;
    }
    for (int level = left; level >= 0; --level) {
      levels[k] = static_cast<std::uint8_t>(level);
      extend(k + 1, left - level);
    }
  };
  extend(0, sum);
  return list;
}

double binomial(std::size_t n, std::size_t k) {
  double value = 1;
  for (std::size_t i = 1; i <= k; ++i)
    value *= static_cast<double>(n - k + i) / static_cast<double>(i);
  return std::round(value);
}

void check_inputs(const InputSpace& space) {
  if (space.size() == 0)
    throw std::invalid_argument("polynomial chaos: there are no random inputs");
}

/// p_k(x_i) w_i: by Theorem 1 of Wu et al. (2016) the inverse of the matrix p_k(x_i).
DenseMatrix projection(const OrthonormalPolynomials& polynomials, const QuadratureRule& rule) {
  const std::size_t n = rule.nodes.size();
  DenseMatrix transform(n, n);
  std::vector<double> p(n);
  for (std::size_t i = 0; i < n; ++i) {
    polynomials.evaluate(rule.nodes[i], p);
    for (std::size_t k = 0; k < n; ++k) transform(k, i) = p[k] * rule.weights[i];
  }
  return transform;
}

DenseMatrix interpolation(const OrthonormalPolynomials& polynomials,
                          const std::vector<double>& nodes) {
  const std::size_t n = nodes.size();
  DenseMatrix values(n, n);
  for (std::size_t i = 0; i < n; ++i) polynomials.evaluate(nodes[i], values.row(i));
  DenseMatrix transform(n, n);
  view(transform) = view(values).partialPivLu().inverse();
  return transform;
}

}  // namespace

struct CollocationGrid::Builder {
  std::vector<OrthonormalPolynomials> polynomials;
  std::vector<std::vector<Rule>> rules;
  std::vector<std::vector<double>> nodes;                      // by variable: all different nodes
  std::vector<std::vector<std::vector<std::size_t>>> numbers;  // of a rule's nodes among these
  std::vector<Part> parts, lower;
  std::map<std::vector<std::size_t>, std::size_t> places;  // of points, by numbers of nodes
  std::vector<const std::vector<std::size_t>*> order;
  std::vector<Index> indices;

  void add_rule(std::size_t variable, Rule rule) {
    std::vector<std::size_t> found;
    auto& known = nodes[variable];
    // Nodes that levels share are the same to the last bit.
    for (const double x : rule.nodes) {
      const auto place = std::find(known.begin(), known.end(), x);
      found.push_back(static_cast<std::size_t>(place - known.begin()));
      if (place == known.end()) known.push_back(x);
    }
    numbers[variable].push_back(std::move(found));
    rules[variable].push_back(std::move(rule));
  }

  explicit Builder(std::vector<OrthonormalPolynomials> list)
      : polynomials(std::move(list)),
        rules(polynomials.size()),
        nodes(polynomials.size()),
        numbers(polynomials.size()) {}

  static std::vector<std::size_t> sizes(const std::vector<std::vector<Rule>>& rules_of,
                                        const std::vector<std::uint8_t>& levels) {
    std::vector<std::size_t> list;
    for (std::size_t k = 0; k < levels.size(); ++k)
      list.push_back(rules_of[k][levels[k]].nodes.size());
    return list;
  }

  Part make_part(std::vector<std::uint8_t> levels, double factor) {
    Part part;
    part.factor = factor;
    const std::vector<std::size_t> size = sizes(rules, levels);
    double count = 1;
    for (const std::size_t n : size) count *= static_cast<double>(n);
    if (count + static_cast<double>(order.size()) > 2.0 * most_points)
      refuse(count + static_cast<double>(order.size()));
    std::vector<std::size_t> key(levels.size());
    Index index(levels.size());
    for_each_place(size, [&](const std::vector<std::size_t>& place) {
      for (std::size_t k = 0; k < place.size(); ++k) {
        key[k] = numbers[k][levels[k]][place[k]];
        index[k] = static_cast<MultiIndexSet::Degree>(place[k]);
      }
      const auto [found, is_new] = places.emplace(key, places.size());
      if (is_new) order.push_back(&found->first);
      part.points.push_back(found->second);
      indices.push_back(index);
    });
    if (order.size() > most_points) refuse(static_cast<double>(order.size()));
    part.levels = std::move(levels);
    return part;
  }

  [[noreturn]] static void refuse(double points) {
    throw std::invalid_argument(fmt::format(
        "polynomial chaos: a grid of at least {:.6g} points, each a run, is more than {}; take a "
        "lower degree or level, or regression (least squares, LARS), whose number of runs is yours "
        "to choose",
        points, most_points));
  }

  /// Smolyak's formula for one level.
  std::vector<Part> combination(int level) {
    std::vector<Part> list;
    const auto m = polynomials.size();
    for (int below = 0; below <= level && static_cast<std::size_t>(below) < m; ++below) {
      const double factor =
          (below % 2 == 0 ? 1.0 : -1.0) * binomial(m - 1, static_cast<std::size_t>(below));
      for (auto& levels : levels_with_sum(m, level - below))
        list.push_back(make_part(std::move(levels), factor));
    }
    return list;
  }
};

CollocationGrid::CollocationGrid(Builder&& builder)
    : rules_(std::move(builder.rules)),
      parts_(std::move(builder.parts)),
      lower_(std::move(builder.lower)),
      points_(builder.order.size(), builder.polynomials.size()),
      weights_(builder.order.size(), 0.0),
      basis_(builder.polynomials,
             MultiIndexSet::of(builder.polynomials.size(), std::move(builder.indices))) {
  for (std::size_t i = 0; i < builder.order.size(); ++i)
    for (std::size_t k = 0; k < points_.columns(); ++k)
      points_(i, k) = builder.nodes[k][(*builder.order[i])[k]];

  Index index(points_.columns());
  std::vector<char> used(points_.rows(), 0);
  for (auto* parts : {&parts_, &lower_})
    for (Part& part : *parts) {
      std::size_t row = 0;
      for_each_place(
          Builder::sizes(rules_, part.levels), [&](const std::vector<std::size_t>& place) {
            double weight = part.factor;
            for (std::size_t k = 0; k < place.size(); ++k) {
              index[k] = static_cast<MultiIndexSet::Degree>(place[k]);
              weight *=
                  rules_[k][part.levels[k]].transform(0, place[k]);  // coefficient 0 is the mean
            }
            part.terms.push_back(basis_.terms().find(index));
            if (parts == &parts_) {
              weights_[part.points[row]] += weight;
              used[part.points[row]] = 1;
            }
            ++row;
          });
    }

  report_.points = points_.rows();
  report_.absolute_weights = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    report_.negative_weights += weights_[i] < 0 ? 1 : 0;
    report_.absolute_weights += std::abs(weights_[i]);
    report_.extra_points += used[i] ? 0 : 1;
  }
  if (report_.negative_weights > 0)
    report_.warnings.push_back(fmt::format(
        "sparse grid: {} of {} weights are negative (sum of magnitudes {:.3g}, of all 1): a mean "
        "may leave the range of the values, and errors of single values may grow so much",
        report_.negative_weights, report_.points, report_.absolute_weights));
}

CollocationGrid CollocationGrid::tensor(const InputSpace& space, std::span<const int> degrees) {
  check_inputs(space);
  Builder builder(space.polynomials(degrees));
  double count = 1;
  for (std::size_t k = 0; k < degrees.size(); ++k) {
    const auto& polynomials = builder.polynomials[k];
    QuadratureRule rule = gauss_rule(polynomials, degrees[k] + 1);
    DenseMatrix transform = projection(polynomials, rule);
    builder.add_rule(k, {std::move(rule.nodes), std::move(transform)});
    count *= degrees[k] + 1.0;
  }
  if (count > most_points) Builder::refuse(count);
  builder.parts.push_back(builder.make_part(std::vector<std::uint8_t>(degrees.size(), 0), 1));
  return CollocationGrid(std::move(builder));
}

CollocationGrid CollocationGrid::sparse(const InputSpace& space, int level, GridRule rule) {
  check_inputs(space);
  const int most_level = rule == GridRule::leja ? 11 : 50;  // for lack of candidates, of degrees
  if (level < 0 || level > most_level)
    throw std::invalid_argument(
        fmt::format("sparse grid: level = {} must lie between 0 and {}", level, most_level));
  if (total_degree_terms(space.size(), level) > most_points)
    Builder::refuse(total_degree_terms(space.size(), level));
  const int points = rule == GridRule::leja ? 2 * level + 2 : level + 1;
  Builder builder(space.polynomials(space.degrees_up_to(points - 1)));
  for (std::size_t k = 0; k < space.size(); ++k) {
    const auto& polynomials = builder.polynomials[k];
    const int most = polynomials.degree() + 1;  // points: a discrete law has not more values
    const bool symmetric = polynomials.is_symmetric();
    // Among the few values of a discrete law there is nothing to choose from.
    const Germ& germ = space.germ(k);
    constexpr int candidates = OrthonormalPolynomials::most_degree;
    const bool nested = rule == GridRule::leja && germ.most_degree() >= candidates;
    const std::vector<double> sequence =
        nested ? leja_points(germ.polynomials(candidates), points) : std::vector<double>();
    for (int l = 0; l <= level; ++l) {
      if (nested) {
        const int wanted = l == 0 ? 1 : 2 * l + (symmetric ? 1 : 2);
        const std::vector<double> nodes(sequence.begin(), sequence.begin() + wanted);
        builder.add_rule(k, {nodes, interpolation(polynomials, nodes)});
      } else {
        QuadratureRule gauss = gauss_rule(polynomials, std::min(l + 1, most));
        DenseMatrix transform = projection(polynomials, gauss);
        builder.add_rule(k, {std::move(gauss.nodes), std::move(transform)});
      }
    }
  }
  builder.parts = builder.combination(level);
  if (level > 0) builder.lower = builder.combination(level - 1);
  return CollocationGrid(std::move(builder));
}

DenseMatrix CollocationGrid::coefficients(const DenseMatrix& values) const {
  return sum_of_parts(parts_, values);
}

DenseMatrix CollocationGrid::lower_level_coefficients(const DenseMatrix& values) const {
  if (!has_lower_level()) throw std::logic_error("polynomial chaos: this grid has no lower level");
  return sum_of_parts(lower_, values);
}

DenseMatrix CollocationGrid::sum_of_parts(const std::vector<Part>& parts,
                                          const DenseMatrix& values) const {
  if (values.rows() != points_.rows())
    throw std::invalid_argument(fmt::format(
        "polynomial chaos: values at {} points for a grid of {}; a grid cannot do without one",
        values.rows(), points_.rows()));
  const std::size_t outputs = values.columns();
  DenseMatrix sum(basis_.size(), outputs);
  RowMajorMatrix block, changed;
  for (const Part& part : parts) {
    const auto count = static_cast<Eigen::Index>(part.points.size());
    block.resize(count, static_cast<Eigen::Index>(outputs));
    for (Eigen::Index i = 0; i < count; ++i)
      block.row(i) =
          view(values).row(static_cast<Eigen::Index>(part.points[static_cast<std::size_t>(i)]));
    // One variable after the other: its index is the middle one of (before, own, after).
    Eigen::Index after = count * static_cast<Eigen::Index>(outputs), before = 1;
    for (std::size_t k = 0; k < rules_.size(); ++k) {
      const auto transform = view(rules_[k][part.levels[k]].transform);
      const Eigen::Index own = transform.rows();
      after /= own;
      for (Eigen::Index b = 0; b < before; ++b) {
        Eigen::Map<RowMajorMatrix> slab(block.data() + b * own * after, own, after);
        changed.noalias() = transform * slab;
        slab = changed;
      }
      before *= own;
    }
    for (Eigen::Index i = 0; i < count; ++i)
      view(sum).row(static_cast<Eigen::Index>(part.terms[static_cast<std::size_t>(i)])) +=
          part.factor * block.row(i);
  }
  return sum;
}

double sparse_grid_points_bound(std::size_t variables, int level) {
  // The sum of prod (l_k + 1) over |l| = s is the coefficient of x^s in (1 - x)^(-2 m).
  double points = 0;
  for (int below = 0; below <= level && static_cast<std::size_t>(below) < variables; ++below)
    points += total_degree_terms(2 * variables - 1, level - below);
  return points;
}

}  // namespace tumble
