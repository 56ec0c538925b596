// Designs: points where they should be, whoever asks for them, and errors that are honest.
#include "tumble/random/design/design.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <stdexcept>
#include <thread>

#include "tumble/random/design/design_kinds.hpp"
#include "tumble/random/design/owen_scrambling.hpp"
#include "tumble/random/design/shuffle.hpp"
#include "tumble/random/design/sobol_sequence.hpp"
#include "tumble/random/stream/stream.hpp"
#include "tumble/random/stream/variable_id.hpp"

namespace tumble {
namespace {

std::vector<DesignCoordinate> coordinates(std::size_t dimension) {
  std::vector<DesignCoordinate> list;
  for (std::size_t i = 0; i < dimension; ++i)
    list.push_back({.variable = variable_id("x" + std::to_string(i)), .number = i % 3});
  return list;
}

std::unique_ptr<const Design> design(DesignKind kind, std::uint64_t seed,
                                     std::uint64_t realizations, std::uint64_t randomizations,
                                     std::size_t dimension) {
  return make_design({kind, seed, realizations, randomizations}, coordinates(dimension));
}

constexpr DesignKind all_kinds[] = {DesignKind::monte_carlo, DesignKind::latin_hypercube,
                                    DesignKind::sobol};

TEST(Design, HasItsPointsInAnyOrderAndAnyThread) {
  for (const DesignKind kind : all_kinds) {
    const auto d = design(kind, 3, 240, 4, 5);
    EXPECT_EQ(d->dimension(), 5u);
    std::vector<double> forwards, backwards(240 * 5), elsewhere(240 * 5);
    for (std::size_t i = 0; i < 240 * 5; ++i) forwards.push_back(d->u(i / 5, i % 5));
    for (std::size_t i = 240 * 5; i-- > 0;) backwards[i] = d->u(i / 5, i % 5);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (std::size_t i = t; i < 240 * 5; i += 4) elsewhere[i] = d->u(i / 5, i % 5);
      });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(forwards, backwards);
    EXPECT_EQ(forwards, elsewhere);
    for (const double u : forwards) {
      EXPECT_GT(u, 0);
      EXPECT_LT(u, 1);
    }
    EXPECT_EQ(std::set<double>(forwards.begin(), forwards.end()).size(), forwards.size());
    EXPECT_NE(d->u(0, 0), design(kind, 4, 240, 4, 5)->u(0, 0)) << "another seed";
  }
}

// Adding an input at the end, or realisations, leaves what there is.
TEST(Design, KeepsItsPointsWhenItGrows) {
  for (const DesignKind kind : {DesignKind::monte_carlo, DesignKind::sobol}) {
    const auto small = design(kind, 8, 64, 4, 3), large = design(kind, 8, 4096, 4, 7);
    EXPECT_TRUE(small->can_be_extended());
    for (std::uint64_t r = 0; r < 64; ++r)
      for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(small->u(r, i), large->u(r, i));
  }
  const auto hypercube = design(DesignKind::latin_hypercube, 8, 64, 4, 3);
  EXPECT_FALSE(hypercube->can_be_extended());
  EXPECT_THROW(hypercube->u(64, 0), std::out_of_range);
}

TEST(MonteCarloDesign, HasTheNumbersOfTheStreams) {
  const auto d = design(DesignKind::monte_carlo, 5, 0, 1, 4);
  EXPECT_EQ(d->randomizations(), 0u);
  for (std::uint64_t r : {0, 1, 77})
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(d->u(r, i), Stream(5, r, variable_id("x" + std::to_string(i))).uniform(i % 3));
}

TEST(Shuffle, IsAPermutation) {
  for (const std::uint64_t n : {1, 2, 3, 5, 64, 1000}) {
    const Shuffle shuffle(n, 1, 2, {.variable = 3});
    std::set<std::uint64_t> places;
    for (std::uint64_t k = 0; k < n; ++k) places.insert(shuffle(k));
    EXPECT_EQ(places.size(), n);
    EXPECT_EQ(*places.rbegin(), n - 1);
  }
}

// Chi-square of the 24 orders of four cards exceeds 70.5, and of the 20 places of two of five cards
// 63.7 (23 and 19 degrees of freedom), with probability 1e-6.
TEST(Shuffle, IsUniform) {
  constexpr int count = 24'000;
  std::map<std::uint64_t, double> orders, pairs;
  for (int copy = 0; copy < count; ++copy) {
    const Shuffle four(4, 10, copy, {.variable = 3}), five(5, 11, copy, {.variable = 3});
    ++orders[four(0) * 16 + four(1) * 4 + four(2)];
    ++pairs[five(1) * 5 + five(3)];
  }
  const auto chi_square = [](const std::map<std::uint64_t, double>& cells, double expected) {
    double sum = 0;
    for (const auto& [cell, n] : cells) sum += (n - expected) * (n - expected) / expected;
    return sum;
  };
  EXPECT_EQ(orders.size(), 24u);
  EXPECT_EQ(pairs.size(), 20u);
  EXPECT_LT(chi_square(orders, count / 24.0), 70.5);
  EXPECT_LT(chi_square(pairs, count / 20.0), 63.7);
}

TEST(LatinHypercubeDesign, HasOnePointInEachStratum) {
  constexpr std::uint64_t realizations = 300, copies = 3, n = realizations / copies;
  const auto d = design(DesignKind::latin_hypercube, 2, realizations, copies, 6);
  EXPECT_EQ(d->randomizations(), copies);
  std::vector<std::vector<std::uint64_t>> orders;
  for (std::uint64_t copy = 0; copy < copies; ++copy)
    for (std::size_t i = 0; i < 6; ++i) {
      std::vector<std::uint64_t> order;
      for (std::uint64_t point = 0; point < n; ++point)
        order.push_back(static_cast<std::uint64_t>(d->u(copy + copies * point, i) * n));
      EXPECT_EQ(std::set<std::uint64_t>(order.begin(), order.end()).size(), n);
      orders.push_back(order);
    }
  // No two coordinates, and no two copies, have the same permutation.
  std::sort(orders.begin(), orders.end());
  EXPECT_EQ(std::adjacent_find(orders.begin(), orders.end()), orders.end());
}

// python3-scipy 1.10.1: point 0xaaaaa in the order of the Gray code is the xor of the first twenty
// direction numbers of each coordinate, point 0xfffff in the natural order.
//   s = scipy.stats.qmc.Sobol(64, scramble=False, bits=30); s.fast_forward(0xaaaaa)
//   [int(x * 2**20) for x in s.random(1)[0]]
TEST(SobolSequence, HasTheDirectionNumbersOfSciPy) {
  const std::vector<std::uint64_t> expected = {
      0xfffff, 0x10011, 0x4f4fb, 0xbd08d, 0x749c3, 0x50119, 0x61703, 0xd8def, 0x172ef, 0x5c2ad,
      0x0d3b9, 0x10037, 0xdedbb, 0x94fad, 0x4243b, 0x48533, 0x51041, 0x491cb, 0x1e4d5, 0x54b65,
      0xc32c9, 0xf5671, 0xe3007, 0xebb1d, 0x1ad17, 0xfc00b, 0xcf1ef, 0x9ffdd, 0xb8119, 0xd5c1f,
      0xa54ff, 0xf4771, 0x39b7f, 0xa424f, 0x2513f, 0xea127, 0x05031, 0xfdab9, 0xf0b71, 0x226bd,
      0x7ed0d, 0x38c0d, 0x42449, 0x58647, 0x375cf, 0xe06c1, 0x96535, 0x35575, 0x48797, 0xcd8c1,
      0x17e49, 0x34507, 0x67403, 0x98185, 0x5766d, 0xaf7e7, 0xd86e5, 0x95dc7, 0xbffc7, 0xdb897,
      0x1c40d, 0xde147, 0xde3bf, 0x2674f};
  const SobolSequence sequence(64);
  for (std::size_t i = 0; i < 64; ++i)
    EXPECT_EQ(sequence.coordinate(0xfffff, i), expected[i] << 32) << i;
}

TEST(SobolSequence, BeginsAtTheOriginAndGoesOnByHalves) {
  const SobolSequence sequence(3);
  const auto x = [&](std::uint64_t index, std::size_t i) {
    return static_cast<double>(sequence.coordinate(index, i)) * 0x1p-52;
  };
  // Joe and Kuo's first points, in the natural order.
  const double first[4][3] = {{0, 0, 0}, {0.5, 0.5, 0.5}, {0.25, 0.75, 0.75}, {0.75, 0.25, 0.25}};
  for (std::uint64_t n = 0; n < 4; ++n)
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(x(n, i), first[n][i]);
}

// Digits before the first difference of two numbers stay equal, and the first difference stays one:
// what makes nets stay nets.
TEST(OwenScrambling, IsNested) {
  const DesignCoordinate c{.variable = 5};
  for (unsigned k = 0; k < 52; ++k) {
    const std::uint64_t x = Stream(1, 0, k).word(0) >> 12, y = Stream(1, 0, k).word(1) >> 12;
    // The digits of x down to digit k, that digit flipped, and the rest of y.
    const std::uint64_t below = (std::uint64_t{1} << k) - 1;
    const std::uint64_t other = (x & ~below) ^ (std::uint64_t{1} << k) ^ (y & below);
    const std::uint64_t difference = owen_scramble(x, 1, 2, c) ^ owen_scramble(other, 1, 2, c);
    EXPECT_EQ(difference >> k, 1u) << k;
  }
}

// Each digit is flipped or not by a fair coin that depends on the digits before: for 20000 pairs of
// digits before it, the number of flips is within 5 standard deviations (71) of one half, a
// false-alarm rate of 6e-7 for each digit.
TEST(OwenScrambling, FlipsEveryDigitByCoinsOfItsOwn) {
  const DesignCoordinate c{.variable = 5};
  for (const unsigned digit : {0u, 7u, 8u, 20u, 30u, 51u}) {
    int flips = 0;
    for (std::uint64_t n = 0; n < 20'000; ++n) {
      const std::uint64_t x = Stream(2, n, digit).word(0) >> 12;
      const std::uint64_t copy =
          digit > 20 ? 0 : n;  // enough digits before make coins of their own
      flips += static_cast<int>(((x ^ owen_scramble(x, 3, copy, c)) >> (51 - digit)) & 1);
    }
    EXPECT_NEAR(flips, 10'000, 5 * 71) << digit;
  }
}

// Of the first 2^m points, one in every interval of length 2^-m for each coordinate; and for the
// first two coordinates, one in every box of 2^-a by 2^-b with a + b = m.
TEST(SobolDesign, IsANet) {
  constexpr unsigned m = 8;
  constexpr std::uint64_t n = 1 << m, copies = 3;
  const auto d = design(DesignKind::sobol, 6, n * copies, copies, 64);
  const auto cell = [](double u, unsigned digits) {
    return static_cast<std::uint64_t>(std::ldexp(u, static_cast<int>(digits)));
  };
  for (std::uint64_t copy = 0; copy < copies; ++copy) {
    for (std::size_t i = 0; i < 64; ++i) {
      std::set<std::uint64_t> cells;
      for (std::uint64_t k = 0; k < n; ++k) cells.insert(cell(d->u(copy + copies * k, i), m));
      EXPECT_EQ(cells.size(), n) << i;
    }
    for (unsigned a = 0; a <= m; ++a) {
      std::set<std::uint64_t> boxes;
      for (std::uint64_t k = 0; k < n; ++k)
        boxes.insert(cell(d->u(copy + copies * k, 0), a) << m |
                     cell(d->u(copy + copies * k, 1), m - a));
      EXPECT_EQ(boxes.size(), n) << a;
    }
  }
}

// Any one scrambled point is uniform: Kolmogorov-Smirnov over 20000 copies, false-alarm rate 3e-7.
TEST(SobolDesign, HasUniformPoints) {
  constexpr std::uint64_t copies = 20'000;
  const auto d = design(DesignKind::sobol, 7, copies, copies, 3);
  for (const std::uint64_t point : {0, 5}) {
    std::vector<double> u;
    for (std::uint64_t copy = 0; copy < copies; ++copy) u.push_back(d->u(copy + copies * point, 2));
    std::sort(u.begin(), u.end());
    double distance = 0;
    for (std::size_t k = 0; k < copies; ++k)
      distance = std::max({distance, static_cast<double>(k + 1) / copies - u[k],
                           u[k] - static_cast<double>(k) / copies});
    EXPECT_LT(std::sqrt(copies) * distance, 2.8) << point;
  }
}

/// exp(u_0 + u_1 / 2 + u_2 / 3 + u_3 / 4), whose mean is the product of k (exp(1 / k) - 1).
double smooth(const Design& d, std::uint64_t realization) {
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) sum += d.u(realization, i) / static_cast<double>(i + 1);
  return std::exp(sum);
}

double mean_of_smooth() {
  double product = 1;
  for (int k = 1; k <= 4; ++k) product *= k * std::expm1(1.0 / k);
  return product;
}

/// Means over the copies of a design with `points` points in each.
std::vector<double> means_of_copies(DesignKind kind, std::uint64_t seed, std::uint64_t points,
                                    std::uint64_t copies) {
  const auto d = design(kind, seed, points * copies, copies, 4);
  std::vector<double> means(copies);
  for (std::uint64_t r = 0; r < points * copies; ++r)
    means[r % copies] += smooth(*d, r) / static_cast<double>(points);
  return means;
}

double root_mean_square_error(DesignKind kind, std::uint64_t points) {
  constexpr std::uint64_t copies = 40;
  double squares = 0;
  for (const double mean : means_of_copies(kind, 21, points, copies))
    squares += std::pow(mean - mean_of_smooth(), 2);
  return std::sqrt(squares / copies);
}

// Sixteen times the points: errors of Monte Carlo fall by 4; those of scrambled Sobol' points by 64
// in the limit, and by some 40 here. The ratio of two root mean squares over 40 copies scatters by
// 1/sqrt(40) = 16 %, so 15 is more than 5 standard deviations from either in the logarithm: a
// false-alarm rate below 1e-6.
TEST(SobolDesign, IntegratesFasterThanMonteCarlo) {
  const double few = root_mean_square_error(DesignKind::sobol, 64);
  const double many = root_mean_square_error(DesignKind::sobol, 1024);
  EXPECT_GT(few / many, 15) << few << ' ' << many;
  const double monte_carlo = root_mean_square_error(DesignKind::monte_carlo, 1024);
  EXPECT_GT(monte_carlo / many, 100) << monte_carlo << ' ' << many;
}

// A Latin hypercube removes the additive part of the function, here 97 % of its variance: M. Stein,
// Technometrics 29 (1987). Errors are 6 times smaller; 2.5 is more than 5 standard deviations off.
TEST(LatinHypercubeDesign, IntegratesBetterThanMonteCarlo) {
  const double hypercube = root_mean_square_error(DesignKind::latin_hypercube, 256);
  const double monte_carlo = root_mean_square_error(DesignKind::monte_carlo, 256);
  EXPECT_GT(monte_carlo / hypercube, 2.5) << monte_carlo << ' ' << hypercube;
}

// 400 studies of 8 copies, with the interval mean +- 2.365 standard errors (Student's t, 7 degrees
// of freedom, 95 %). Means of so few points are not quite normal: fewer than 345 hits have a
// probability of 1e-6 if the coverage is 93 %, more than 397 if it is 95 %.
TEST(Design, HasHonestErrorsFromItsRandomizations) {
  for (const DesignKind kind : {DesignKind::latin_hypercube, DesignKind::sobol}) {
    int covered = 0;
    for (std::uint64_t study = 0; study < 400; ++study) {
      const auto means = means_of_copies(kind, 1000 + study, 16, 8);
      double mean = 0, squares = 0;
      for (const double m : means) mean += m / 8;
      for (const double m : means) squares += (m - mean) * (m - mean);
      const double standard_error = std::sqrt(squares / (8 * 7));
      if (std::abs(mean - mean_of_smooth()) < 2.365 * standard_error) ++covered;
    }
    EXPECT_GE(covered, 345);
    EXPECT_LE(covered, 397);
  }
}

// 200 points in 16 copies: 13 in each of the first eight, 12 in the others, and in each copy and
// coordinate one in each stratum.
TEST(Design, HypercubesMayDifferByOneStratum) {
  constexpr std::uint64_t n = 200, copies = 16;
  const auto d = design(DesignKind::latin_hypercube, 5, n, copies, 2);
  for (std::uint64_t copy = 0; copy < copies; ++copy) {
    const std::uint64_t strata = copy < n % copies ? 13 : 12;
    for (std::size_t coordinate = 0; coordinate < 2; ++coordinate) {
      std::vector<int> points(strata);
      for (std::uint64_t r = copy; r < n; r += copies)
        ++points[static_cast<std::size_t>(d->u(r, coordinate) * static_cast<double>(strata))];
      EXPECT_THAT(points, testing::Each(1));
    }
  }
  EXPECT_THROW(d->u(n, 0), std::out_of_range);
}

TEST(Design, RefusesWhatItCannotBe) {
  using testing::HasSubstr;
  const auto refusal = [](DesignKind kind, std::uint64_t realizations, std::uint64_t randomizations,
                          std::size_t dimension) -> std::string {
    try {
      design(kind, 1, realizations, randomizations, dimension);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal(DesignKind::latin_hypercube, 100, 0, 2), HasSubstr("randomizations = 0"));
  EXPECT_THAT(refusal(DesignKind::sobol, 100, 0, 2), HasSubstr("randomizations = 0"));
  EXPECT_THAT(refusal(DesignKind::latin_hypercube, 7, 8, 2),
              HasSubstr("realizations = 7 must be at least randomizations = 8"));
  EXPECT_THAT(refusal(DesignKind::latin_hypercube, 0, 8, 2), HasSubstr("realizations = 0"));
  EXPECT_THAT(refusal(DesignKind::latin_hypercube, std::uint64_t{1} << 40, 2, 1),
              HasSubstr("strata"));
  EXPECT_THAT(refusal(DesignKind::sobol, 16, 2, 3668), HasSubstr("use monte carlo"));
  EXPECT_EQ(refusal(DesignKind::sobol, 16, 2, 3667), "accepted");
  EXPECT_THROW(design(DesignKind::sobol, 1, 16, 2, 1)->u(std::uint64_t{1} << 53, 0),
               std::out_of_range);
}

TEST(Design, WarnsOfErrorsThatCannotBeKnownAndOfUnbalancedPoints) {
  using testing::ElementsAre;
  using testing::HasSubstr;
  EXPECT_TRUE(design(DesignKind::monte_carlo, 1, 0, 1, 2)->warnings(100).empty());
  EXPECT_TRUE(design(DesignKind::sobol, 1, 0, 16, 2)->warnings(1024).empty());
  EXPECT_TRUE(design(DesignKind::latin_hypercube, 1, 160, 16, 2)->warnings(160).empty());
  EXPECT_THAT(design(DesignKind::latin_hypercube, 1, 160, 1, 2)->warnings(160),
              ElementsAre(HasSubstr("no standard errors")));
  EXPECT_THAT(design(DesignKind::sobol, 1, 0, 4, 2)->warnings(1024),
              ElementsAre(HasSubstr("from 4 randomisations are rough")));
  EXPECT_THAT(design(DesignKind::sobol, 1, 0, 16, 2)->warnings(1000),
              ElementsAre(HasSubstr("errors smallest, at 1024")));
}

// M. D. Morris (1991): from point to point of a walk one coordinate moves by half of its range,
// each once, in an order that is random; points lie in the middles of the levels.
TEST(MorrisDesign, MovesEachCoordinateOnceInEveryWalk) {
  constexpr std::size_t dimension = 5, walks = 600;
  const MorrisDesign d({.kind = DesignKind::morris, .seed = 3, .realizations = 0, .levels = 6},
                       coordinates(dimension));
  std::map<std::size_t, int> first_moves;
  std::map<double, int> starts;
  for (std::uint64_t walk = 0; walk < walks; ++walk) {
    std::set<std::size_t> moved;
    for (std::size_t step = 0; step < dimension; ++step) {
      const std::uint64_t point = walk * (dimension + 1) + step;
      for (std::size_t k = 0; k < dimension; ++k) {
        const double before = d.u(point, k), after = d.u(point + 1, k);
        const double level = before * 6 - 0.5;
        ASSERT_NEAR(level, std::round(level), 1e-12);
        ASSERT_TRUE(before > 0 && before < 1);
        if (k == d.moved(walk, step))
          ASSERT_NEAR(std::fabs(after - before), MorrisDesign::jump, 1e-12);
        else
          ASSERT_EQ(after, before);
      }
      moved.insert(d.moved(walk, step));
    }
    EXPECT_EQ(moved.size(), dimension);
    ++first_moves[d.moved(walk, 0)];
    ++starts[d.u(walk * (dimension + 1), 2)];
    EXPECT_THROW(d.moved(walk, dimension), std::out_of_range);
  }
  // Every coordinate is the first to move equally often, and every level a start: five standard
  // deviations of a count.
  EXPECT_EQ(first_moves.size(), dimension);
  for (const auto& [coordinate, count] : first_moves)
    EXPECT_NEAR(count, walks / 5.0, 5 * std::sqrt(walks * 0.2 * 0.8)) << coordinate;
  EXPECT_EQ(starts.size(), 6u);
  for (const auto& [level, count] : starts)
    EXPECT_NEAR(count, walks / 6.0, 5 * std::sqrt(walks * (1 / 6.0) * (5 / 6.0))) << level;
}

// The largest study: neither strata nor points run into each other at its end.
TEST(Design, OfAThousandMillionRealisations) {
  constexpr std::uint64_t n = 1'000'000'000, copies = 16, strata = n / copies;
  const auto cube = design(DesignKind::latin_hypercube, 3, n, copies, 2);
  for (std::size_t coordinate = 0; coordinate < 2; ++coordinate) {
    std::set<std::uint64_t> taken;
    std::size_t asked = 0;
    for (const std::uint64_t first : {std::uint64_t{0}, n / 2, n - 200 * copies})
      for (std::uint64_t i = first; i < first + 200 * copies; i += copies, ++asked) {
        const double u = cube->u(i + 5, coordinate);
        ASSERT_TRUE(u > 0 && u < 1);
        taken.insert(static_cast<std::uint64_t>(u * static_cast<double>(strata)));
      }
    EXPECT_EQ(taken.size(), asked);
    EXPECT_LT(*taken.rbegin(), strata);
  }
  // Any 2^k points of a Sobol' sequence whose numbers begin with the same digits have one in each
  // interval of length 2^-k.
  const auto sobol = design(DesignKind::sobol, 3, n, copies, 5);
  constexpr std::uint64_t points = 1024, first = (strata / points - 1) * points;
  for (std::size_t coordinate = 0; coordinate < 5; ++coordinate) {
    std::set<int> taken;
    for (std::uint64_t point = first; point < first + points; ++point)
      taken.insert(static_cast<int>(sobol->u(point * copies + 7, coordinate) * points));
    EXPECT_EQ(taken.size(), points);
  }
}

}  // namespace
}  // namespace tumble
