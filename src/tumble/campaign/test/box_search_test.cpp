// The search of a box against functions whose extremes are known.
#include "tumble/campaign/worst_case/box_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "tumble/chaos/box_bounds.hpp"

namespace tumble {
namespace {

using Function = std::function<double(std::span<const double>)>;

BoxSearch searched(std::size_t germs, int generations, std::uint64_t seed, const Function& f) {
  const DenseMatrix points = box_points(germs, 64, seed, "test");
  std::vector<double> values;
  for (std::size_t i = 0; i < points.rows(); ++i) values.push_back(f(points.row(i)));
  BoxSearch search(points, values, seed, 7);
  for (int g = 0; g < generations && !search.converged(); ++g) {
    const DenseMatrix asked = search.next();
    EXPECT_EQ(asked.rows(), BoxSearch::generation);
    values.clear();
    for (std::size_t i = 0; i < asked.rows(); ++i) {
      for (const double x : asked.row(i)) EXPECT_LE(std::fabs(x), 1);
      values.push_back(f(asked.row(i)));
    }
    search.tell(values);
  }
  return search;
}

TEST(BoxSearch, FindsExtremesInsideAndAtTheEdge) {
  const Function bump = [](auto x) { return std::cos(2 * (x[0] - 0.2)); };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const BoxSearch search = searched(1, 8, seed, bump);
    EXPECT_NEAR(search.largest(), 1, 1e-7) << seed;
    EXPECT_NEAR(search.smallest(), std::cos(2 * 1.2), 1e-6) << seed;
  }
  // Inside in both directions; the smallest value in a corner.
  const Function hill = [](auto x) {
    return std::exp(-2 * std::pow(x[0] - 0.3, 2) - std::pow(x[1] + 0.4, 2));
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const BoxSearch search = searched(2, 12, seed, hill);
    EXPECT_NEAR(search.largest(), 1, 1e-6) << seed;
    EXPECT_NEAR(search.smallest(), std::exp(-2 * 1.69 - 1.96), 1e-6) << seed;
  }
}

/// Rastrigin's function has 21 valleys in each direction here: the best of them is not where a
/// descent from anywhere ends.
TEST(BoxSearch, GetsOutOfValleysThatAreNotTheDeepest) {
  const Function many = [](auto x) {
    double sum = 0;
    for (const double v : x) {
      const double y = 5 * (v - 0.06);
      sum += y * y + 3 * (1 - std::cos(2 * std::acos(-1.0) * y));
    }
    return sum;
  };
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    found += searched(2, 40, seed, many).smallest() < 0.1 ? 1 : 0;
  EXPECT_GE(found, 19);
}

TEST(BoxSearch, EndsWhenItsPointsHaveComeTogether) {
  const BoxSearch flat = searched(3, 10, 1, [](auto) { return 2.5; });
  EXPECT_TRUE(flat.converged());
  EXPECT_EQ(flat.generations(), 0U);
  const BoxSearch linear = searched(3, 200, 1, [](auto x) { return x[0] - 2 * x[1] + x[2]; });
  EXPECT_TRUE(linear.converged());
  EXPECT_EQ(linear.largest(), 4);
  EXPECT_EQ(linear.smallest(), -4);
  EXPECT_LT(linear.generations(), 40U);
}

TEST(BoxSearch, PassesOverWhatHasNoValueAndRepeatsItself) {
  const Function broken = [](auto x) {
    return x[0] > 0.5 ? std::numeric_limits<double>::quiet_NaN() : x[0] + x[1];
  };
  const BoxSearch a = searched(2, 20, 3, broken), b = searched(2, 20, 3, broken);
  EXPECT_NEAR(a.largest(), 1.5, 1e-2);
  EXPECT_LE(a.largest(), 1.5);
  EXPECT_EQ(a.largest(), b.largest());
  EXPECT_EQ(a.smallest(), b.smallest());
}

}  // namespace
}  // namespace tumble
