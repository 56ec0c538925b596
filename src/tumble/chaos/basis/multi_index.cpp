#include "tumble/chaos/basis/multi_index.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace tumble {
namespace {

using Degree = MultiIndexSet::Degree;
using Index = std::vector<Degree>;

int total_of(std::span<const Degree> index) {
  return std::accumulate(index.begin(), index.end(), 0);
}

/// The order of terms.
bool comes_before(std::span<const Degree> a, std::span<const Degree> b) {
  const int total_a = total_of(a), total_b = total_of(b);
  if (total_a != total_b) return total_a < total_b;
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), std::greater<>());
}

void check_degree(int degree) {
  if (degree < 0 || degree > 100)
    throw std::invalid_argument(
        fmt::format("polynomial chaos: degree = {} must lie between 0 and 100", degree));
}

[[noreturn]] void refuse_size(std::size_t variables) {
  throw std::invalid_argument(fmt::format(
      "polynomial chaos: a set of polynomials in {} variables has more than {} terms; take a lower "
      "degree, or a hyperbolic set with a smaller q",
      variables, MultiIndexSet::most_terms));
}

/// Calls visit(index) for all indices below a bound, until it returns false: `cost(k, i)` is what
/// degree i in variable k adds, and `budget` what all may add up to.
template <class Cost, class Visit>
void visit_within(std::size_t variables, const Cost& cost, double budget, const Visit& visit) {
  Index index(variables, 0);
  const std::function<bool(std::size_t, double)> extend = [&](std::size_t k, double left) {
    if (k == variables) return visit(index);
    for (int i = 0; i <= 100 && cost(k, i) <= left; ++i) {
      index[k] = static_cast<Degree>(i);
      if (!extend(k + 1, left - cost(k, i))) return false;
    }
    index[k] = 0;
    return true;
  };
  extend(0, budget);
}

template <class Cost>
std::vector<Index> indices_within(std::size_t variables, const Cost& cost, double budget) {
  std::vector<Index> list;
  visit_within(variables, cost, budget, [&](const Index& index) {
    if (list.size() == MultiIndexSet::most_terms) refuse_size(variables);
    list.push_back(index);
    return true;
  });
  return list;
}

/// Of a hyperbolic set. Powers are rounded: an index on the boundary belongs to the set.
double hyperbolic_budget(int degree, double q) {
  check_degree(degree);
  if (!(q > 0 && q <= 1))
    throw std::invalid_argument(fmt::format(
        "polynomial chaos: q = {} of a hyperbolic set must be above 0 and at most 1", q));
  return std::pow(degree, q) * (1 + 1e-12);
}

auto hyperbolic_cost(double q) {
  return [q](std::size_t, int i) { return i == 0 ? 0.0 : std::pow(i, q); };
}

}  // namespace

MultiIndexSet MultiIndexSet::of(std::size_t variables, std::vector<Index> indices) {
  indices.push_back(Index(variables, 0));
  for (const Index& index : indices)
    if (index.size() != variables)
      throw std::invalid_argument(fmt::format(
          "polynomial chaos: an index of {} degrees for {} variables", index.size(), variables));
  std::sort(indices.begin(), indices.end(), comes_before);
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  if (indices.size() > most_terms) refuse_size(variables);
  MultiIndexSet set(variables);
  for (const Index& index : indices)
    set.degrees_.insert(set.degrees_.end(), index.begin(), index.end());
  return set;
}

MultiIndexSet MultiIndexSet::tensor(std::span<const int> degrees) {
  for (const int degree : degrees) check_degree(degree);
  // Every degree up to the variable's own is free, those above are not to be had.
  const auto cost = [&](std::size_t k, int i) { return i <= degrees[k] ? 0.0 : 1.0; };
  return of(degrees.size(), indices_within(degrees.size(), cost, 0.0));
}

MultiIndexSet MultiIndexSet::total_degree(std::size_t variables, int degree) {
  return hyperbolic(variables, degree, 1);
}

MultiIndexSet MultiIndexSet::hyperbolic(std::size_t variables, int degree, double q) {
  const double budget = hyperbolic_budget(degree, q);
  return of(variables, indices_within(variables, hyperbolic_cost(q), budget));
}

int MultiIndexSet::total(std::size_t term) const { return total_of((*this)[term]); }

std::vector<int> MultiIndexSet::highest_degrees() const {
  std::vector<int> highest(variables_, 0);
  for (std::size_t term = 0; term < size(); ++term)
    for (std::size_t k = 0; k < variables_; ++k)
      highest[k] = std::max<int>(highest[k], (*this)[term][k]);
  return highest;
}

MultiIndexSet MultiIndexSet::within(std::span<const int> degrees) const {
  std::vector<std::size_t> kept;
  for (std::size_t term = 0; term < size(); ++term)
    if (std::ranges::equal((*this)[term], degrees, std::ranges::less_equal())) kept.push_back(term);
  return subset(kept);
}

MultiIndexSet MultiIndexSet::subset(std::span<const std::size_t> terms) const {
  std::vector<Index> indices;
  for (const std::size_t term : terms) {
    const auto index = (*this)[term];
    indices.emplace_back(index.begin(), index.end());
  }
  return of(variables_, std::move(indices));
}

std::size_t MultiIndexSet::find(std::span<const Degree> index) const {
  std::size_t low = 0, high = size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (comes_before((*this)[middle], index))
      low = middle + 1;
    else
      high = middle;
  }
  const bool found = low < size() && std::ranges::equal((*this)[low], index);
  return found ? low : size();
}

double tensor_terms(std::size_t variables, int degree) {
  return std::pow(degree + 1.0, static_cast<double>(variables));
}

double total_degree_terms(std::size_t variables, int degree) {
  double terms = 1;  // binomial coefficient (m + p choose p), factor by factor
  for (int k = 1; k <= degree; ++k) terms *= (static_cast<double>(variables) + k) / k;
  return std::round(terms);
}

std::size_t hyperbolic_terms(std::size_t variables, int degree, double q, std::size_t most) {
  std::size_t count = 0;
  visit_within(variables, hyperbolic_cost(q), hyperbolic_budget(degree, q),
               [&](const Index&) { return ++count < most; });
  return count;
}

}  // namespace tumble
