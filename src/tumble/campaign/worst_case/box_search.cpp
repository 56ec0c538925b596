#include "tumble/campaign/worst_case/box_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "tumble/chaos/box_bounds.hpp"
#include "tumble/chaos/fit/least_squares.hpp"
#include "tumble/random/stream/draws.hpp"
#include "tumble/random/stream/variable_id.hpp"

namespace tumble {
namespace {

constexpr double no_value = -std::numeric_limits<double>::infinity();

double signed_value(double value, double sign) {
  return std::isfinite(value) ? sign * value : no_value;
}

/// One of `count`, none of those in `not_these`.
std::size_t another(Draws& draws, std::size_t count, std::initializer_list<std::size_t> not_these) {
  while (true) {
    const auto i =
        std::min(count - 1, static_cast<std::size_t>(draws.uniform() * static_cast<double>(count)));
    if (std::find(not_these.begin(), not_these.end(), i) == not_these.end()) return i;
  }
}

}  // namespace

std::size_t BoxSearch::Side::best_place() const {
  return static_cast<std::size_t>(std::ranges::max_element(members, {}, &Member::value) -
                                  members.begin());
}

BoxSearch::BoxSearch(const DenseMatrix& points, std::span<const double> values, std::uint64_t seed,
                     std::uint64_t use)
    : germs_(points.columns()), seed_(seed), use_(use), sides_{Side{-1, {}}, Side{1, {}}} {
  for (std::size_t i = 0; i < points.rows(); ++i)
    known_.push_back({{points.row(i).begin(), points.row(i).end()}, values[i]});
  // The best of every 32nd point: better than chance, and still everywhere in the box.
  for (Side& side : sides_)
    for (std::size_t first = 0; first < population; ++first) {
      Member best{{}, no_value};
      for (std::size_t i = first; i < known_.size(); i += population)
        if (const double value = signed_value(known_[i].value, side.sign);
            best.point.empty() || value > best.value)
          best = {known_[i].point, value};
      side.members.push_back(std::move(best));
    }
}

/// x + F (best - x) + F (y - z), or v + F (y - z) with a fourth member v for every second member,
/// each coordinate taken from it with the probability 0.9, and clipped to the box: extremes are
/// often at its faces.
std::vector<double> BoxSearch::trial(const Side& side, std::size_t member,
                                     std::size_t number) const {
  Draws draws(Stream(seed_, generations_ * generation + number, use_));
  const std::vector<double>& x = side.members[member].point;
  const std::vector<double>& best = side.members[side.best_place()].point;
  const double factor = 0.4 + 0.5 * draws.uniform();
  const std::size_t a = another(draws, population, {member});
  const std::size_t b = another(draws, population, {member, a});
  const std::size_t c = another(draws, population, {member, a, b});
  const std::size_t sure = another(draws, germs_, {});
  std::vector<double> point = x;
  for (std::size_t k = 0; k < germs_; ++k) {
    constexpr double crossover = 0.9;
    const bool taken = draws.uniform() < crossover || k == sure;
    if (!taken) continue;
    const double from =
        member % 2 == 0 ? x[k] + factor * (best[k] - x[k]) : side.members[c].point[k];
    point[k] = std::clamp(from + factor * (side.members[a].point[k] - side.members[b].point[k]),
                          -1.0, 1.0);
  }
  return point;
}

std::vector<double> BoxSearch::local_extreme(const Side& side) const {
  const std::size_t terms = (germs_ + 1) * (germs_ + 2) / 2;
  constexpr std::size_t most_terms = 136;  // 15 germs: beyond, a generation tells too little
  if (terms > most_terms) return {};
  const std::vector<double>& centre = side.members[side.best_place()].point;
  const auto distance = [&](const Member& m) {
    double largest = 0;
    for (std::size_t k = 0; k < germs_; ++k)
      largest = std::max(largest, std::fabs(m.point[k] - centre[k]));
    return largest;
  };
  std::vector<std::pair<double, std::size_t>> near;
  for (std::size_t i = 0; i < known_.size(); ++i)
    if (std::isfinite(known_[i].value)) near.emplace_back(distance(known_[i]), i);
  const std::size_t wanted = 2 * terms;
  if (near.size() < wanted) return {};
  std::ranges::sort(near);
  // Points that hardly differ say more about rounding than about the function.
  constexpr double apart = 1e-7;
  near.resize(wanted);
  const double reach = near.back().first;
  if (!(reach > apart)) return {};

  std::vector<OrthonormalPolynomials> family(germs_, legendre_polynomials(2));
  const PolynomialBasis basis(std::move(family), MultiIndexSet::total_degree(germs_, 2));
  DenseMatrix points(wanted, germs_), values(wanted, 1);
  for (std::size_t i = 0; i < wanted; ++i) {
    const Member& member = known_[near[i].second];
    values(i, 0) = member.value;
    for (std::size_t k = 0; k < germs_; ++k) points(i, k) = (member.point[k] - centre[k]) / reach;
  }
  try {
    LeastSquaresFit fit = LeastSquares(basis.at(points)).fit(values);
    const BoxBounds bounds = box_bounds(Expansion(basis, std::move(fit.coefficients)), 1);
    const auto at = (side.sign > 0 ? bounds.upper_at : bounds.lower_at).row(0);
    std::vector<double> place(germs_);
    for (std::size_t k = 0; k < germs_; ++k)
      place[k] = std::clamp(centre[k] + reach * at[k], -1.0, 1.0);
    return place;
  } catch (const std::invalid_argument&) {  // all of them lie on a face of the box
    return {};
  }
}

DenseMatrix BoxSearch::next() {
  asked_ = DenseMatrix(generation, germs_);
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    // In the place of the worst member: it has least to lose.
    const auto& members = sides_[s].members;
    const auto worst = static_cast<std::size_t>(
        std::ranges::min_element(members, {}, &Member::value) - members.begin());
    for (std::size_t i = 0; i < population; ++i) {
      std::vector<double> point;
      if (i == worst) point = local_extreme(sides_[s]);
      if (point.empty()) point = trial(sides_[s], i, s * population + i);
      std::ranges::copy(point, asked_.row(s * population + i).begin());
    }
  }
  ++generations_;
  return asked_;
}

void BoxSearch::tell(std::span<const double> values) {
  if (values.size() != generation) throw std::invalid_argument("a generation has 64 values");
  for (std::size_t i = 0; i < generation; ++i) {
    Member told{{asked_.row(i).begin(), asked_.row(i).end()}, values[i]};
    Side& side = sides_[i / population];
    Member& member = side.members[i % population];
    const double value = signed_value(values[i], side.sign);
    if (value >= member.value) member = {told.point, value};
    known_.push_back(std::move(told));
  }
}

bool BoxSearch::converged() const {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Member& m : known_)
    if (std::isfinite(m.value)) low = std::min(low, m.value), high = std::max(high, m.value);
  constexpr double together = 1e-9;
  const double enough = together * (high - low);
  return std::ranges::all_of(sides_, [&](const Side& side) {
    const auto [worst, best] = std::ranges::minmax_element(side.members, {}, &Member::value);
    return best->value - worst->value <= enough;
  });
}

}  // namespace tumble
