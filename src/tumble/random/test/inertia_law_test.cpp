// The law of a random tensor of inertia: the values of the paper, other bodies, given dispersions,
// no upper bound, and what is refused.
#include "tumble/random/inertia/inertia_law.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <ctime>
#include <stdexcept>
#include <string>

#include "tumble/random/inertia/eigen_matrix.hpp"
#include "tumble/random/inertia/kummer_beta_solver.hpp"

namespace tumble {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Mat3<double> diagonal(double a, double b, double c) { return {{a, 0, 0, 0, b, 0, 0, 0, c}}; }

using Spread = std::variant<InertiaExponents, InertiaDispersion>;

/// Case 2 of Batou and Soize (2012), section 4.3.
BoundedInertia case2(const Spread& spread = InertiaExponents{-5, -5}) {
  return {3000, diagonal(1200, 5000, 6000), diagonal(9.61, 1.0, 0.0625), spread};
}

template <class Input>
std::string message_of(const Input& input) {
  try {
    InertiaLaw law(input);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

// Independent computation with 40 million importance draws (standard errors of mu below 0.001); the
// paper prints mu = diag(5.78, 3.34, -0.5) with noise off the diagonal, C_G = 0.67, delta_G = 0.45.
TEST(InertiaLaw, HasTheValuesOfThePaper) {
  const InertiaReport report = InertiaLaw(case2()).report();
  const double expected[3] = {5.7656, 3.3480, -0.4926};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(report.mu(i, j), i == j ? expected[i] : 0.0, 0.003) << i << j;
  EXPECT_NEAR(std::exp(report.log_constant), 0.669, 0.01 * 0.669);
  EXPECT_NEAR(report.dispersion, 0.4568, 0.001);
  EXPECT_NEAR(report.mean_log_det, -0.3564, 0.001);
  EXPECT_LT(report.mu_accuracy, 1e-8);
  EXPECT_LT(report.mean_residual, 1e-12);
  EXPECT_GT(report.acceptance, 0.2);
  EXPECT_THAT(report.warnings, IsEmpty());
  // Our own digits, so that a change of them is noticed.
  EXPECT_NEAR(report.mu(0, 0), 5.7658001, 1e-6);
  EXPECT_NEAR(report.mu(1, 1), 3.3475122, 1e-6);
  EXPECT_NEAR(report.mu(2, 2), -0.4919363, 1e-6);
  EXPECT_NEAR(report.dispersion, 0.4567186, 1e-6);
  EXPECT_NEAR(report.mean_log_det, -0.3563955, 1e-6);
}

// Of processor time, which a busy machine does not stretch; not under the sanitizers, which do. It
// takes some 20 ms.
TEST(InertiaLawSlow, IsSolvedInHalfASecond) {
  const std::clock_t begin = std::clock();
  const InertiaLaw law(case2()), wide(case2(InertiaDispersion{0.3, {}}));
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 0.5);
}

/// A body with no axis of symmetry in the frame, and a bound in yet other axes.
BoundedInertia turned(const Spread& spread) {
  const Mat3<double> moments{{0.8, 0.2, -0.1, 0.2, 0.5, 0.15, -0.1, 0.15, 0.3}};
  const Mat3<double> bound{{2.0, -0.3, 0.2, -0.3, 1.5, 0.4, 0.2, 0.4, 1.9}};
  return {12, inertia_from_moments(12, moments), bound, spread};
}

TEST(InertiaLaw, HoldsTheMeanForAnyBody) {
  for (const Spread& spread :
       {Spread(InertiaExponents{-5, -5}), Spread(InertiaExponents{-1.5, 0.4}),
        Spread(InertiaExponents{-30, -3}), Spread(InertiaExponents{-2.5, -60}),
        Spread(InertiaExponents{-400, -400})})
    for (const BoundedInertia& input : {turned(spread), case2(spread)}) {
      const InertiaLaw law(input);
      const InertiaReport& report = law.report();
      EXPECT_LT(report.mean_residual, 1e-10);
      EXPECT_LT(report.mu_accuracy, 1e-5);
      // mu and Gmax have common axes.
      const Eigen::Matrix3d mu = to_eigen(report.mu), bound = to_eigen(*report.bound);
      EXPECT_LT((mu * bound - bound * mu).norm(), 1e-10 * mu.norm() * bound.norm());
      // The dual at mu, away from it in random directions, off-diagonal ones included: it can only
      // be larger. Here by the partition at the eigenvalues of Gmax^(1/2) mu Gmax^(1/2).
      const double a = 2 - report.lambda_l, b = 2 - *report.lambda_u;
      const Eigen::Matrix3d root =
          Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(bound).operatorSqrt();
      const auto dual = [&](const Eigen::Matrix3d& m) {
        const Eigen::Vector3d x =
            Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(root * m * root).eigenvalues();
        return matrix_kummer_beta(a, b, {x[0], x[1], x[2]}, 0.6).log_partition + m.trace();
      };
      const double at_mu = dual(mu);
      Eigen::Matrix3d direction;
      direction << 0.5, 0.7, -0.4, 0.7, -0.8, 0.6, -0.4, 0.6, 0.3;
      const double h = 0.02 / report.dispersion;
      const double plus = dual(mu + h * direction), minus = dual(mu - h * direction);
      EXPECT_GT(plus, at_mu);
      EXPECT_GT(minus, at_mu);
      // Its derivative, tr(direction (I - E{G})), vanishes: what is left of it is of third order in
      // h.
      EXPECT_LT(std::abs(plus - minus), 0.1 * (plus + minus - 2 * at_mu));
      // Variances in the law's axes add up to the dispersion, which does not depend on axes.
      double sum = 0;
      for (const double variance : law.variances().m) sum += variance;
      EXPECT_NEAR(std::sqrt(sum / 3), report.dispersion, 1e-12);
    }
}

// With Zmax far away the law is the unbounded one; mu tends to (2 - lambda_l) I.
TEST(InertiaLaw, TendsToTheUnboundedLaw) {
  BoundedInertia input = case2();
  input.moment_bound = 1e5 * input.moment_bound;
  const InertiaReport bounded = InertiaLaw(input).report();
  const InertiaLaw unbounded(UnboundedInertia{3000, input.inertia, std::sqrt(2.0 / 7)});
  EXPECT_NEAR(unbounded.report().lambda_l, -5, 1e-12);
  EXPECT_NEAR(bounded.dispersion, unbounded.report().dispersion, 1e-4);
  EXPECT_NEAR(bounded.mean_log_det, unbounded.report().mean_log_det, 1e-4);
  EXPECT_LT((to_eigen(bounded.mu) - to_eigen(unbounded.report().mu)).norm(), 1e-3);
}

// Eq. (58) at delta = 0.4, a = 12.5.
TEST(InertiaLaw, WithoutABoundHasTheConstantOfThePaper) {
  const InertiaLaw law(UnboundedInertia{1, diagonal(1, 1, 1), 0.4});
  const double d = 2 / 0.16;
  double log_constant = -1.5 * std::log(2 * std::acos(-1.0)) + 3 * d * std::log(d);
  for (int j = 1; j <= 3; ++j) log_constant -= std::lgamma(d + (1 - j) / 2.0);
  EXPECT_NEAR(law.report().log_constant, log_constant, 1e-12);
  EXPECT_EQ(law.report().dispersion, 0.4);
  EXPECT_FALSE(law.report().bound);
  double sum = 0;
  for (const double variance : law.variances().m) sum += variance;
  EXPECT_NEAR(std::sqrt(sum / 3), 0.4, 1e-14);
}

TEST(InertiaLaw, ReachesAGivenDispersion) {
  for (const BoundedInertia& input :
       {case2(InertiaDispersion{0.3, {}}), case2(InertiaDispersion{0.02, {}}),
        case2(InertiaDispersion{0.3, -5.0}), case2(InertiaDispersion{0.55, {}}),
        turned(InertiaDispersion{0.25, -2.0}), turned(InertiaDispersion{0.25, {}})}) {
    const InertiaDispersion& wish = std::get<InertiaDispersion>(input.spread);
    const InertiaReport report = InertiaLaw(input).report();
    EXPECT_NEAR(report.dispersion, wish.delta, 1e-9 * wish.delta);
    EXPECT_DOUBLE_EQ(*report.lambda_u, wish.lambda_u.value_or(report.lambda_l));
    EXPECT_LT(report.mean_residual, 1e-10);
  }
  // The dispersion of case 2 leads back to its exponents.
  const double delta = InertiaLaw(case2()).report().dispersion;
  EXPECT_NEAR(InertiaLaw(case2(InertiaDispersion{delta, {}})).report().lambda_l, -5, 1e-6);
  EXPECT_NEAR(InertiaLaw(case2(InertiaDispersion{delta, -5.0})).report().lambda_l, -5, 1e-6);
}

TEST(InertiaLaw, RefusesUnreachableDispersionsWithTheRange) {
  EXPECT_THAT(message_of(case2(InertiaDispersion{0.9, {}})),
              HasSubstr("delta_G = 0.9 cannot be reached: with this bound Zmax and lambda_u = "
                        "lambda_l it must be between 0.001218 and 0.6915"));
  EXPECT_THAT(
      message_of(case2(InertiaDispersion{1e-4, -5.0})),
      HasSubstr("delta_G = 0.0001 cannot be reached: with this bound Zmax and lambda_u = -5 "
                "it must be between"));
  EXPECT_THAT(message_of(case2(InertiaDispersion{0.0, {}})),
              HasSubstr("delta_G = 0 must be positive"));
  EXPECT_THAT(message_of(case2(InertiaDispersion{NAN, {}})), HasSubstr("must be positive"));
}

TEST(InertiaLaw, RefusesExponentsWithTheReason) {
  EXPECT_THAT(message_of(case2(InertiaExponents{-1, -5})),
              HasSubstr("lambda_l = -1 must be below -1: beyond it E{||G^-1||^2}, and with it the "
                        "variance of angular accelerations, is infinite"));
  EXPECT_THAT(message_of(case2(InertiaExponents{-5, 1})),
              HasSubstr("lambda_u = 1 must be below 1: beyond it det(Gmax - G)^-lambda_u, and with "
                        "it the density of G, cannot be integrated"));
  EXPECT_THAT(message_of(case2(InertiaDispersion{0.3, 1.5})),
              HasSubstr("lambda_u = 1.5 must be below 1"));
  EXPECT_THAT(message_of(case2(InertiaExponents{-INFINITY, -5})),
              HasSubstr("lambda_l = -inf must be a finite number"));
  EXPECT_THAT(message_of(case2(InertiaExponents{-5, NAN})),
              HasSubstr("lambda_u = nan must be a finite number"));
  BoundedInertia tight = case2();
  tight.moment_bound = diagonal(9.61, 1.0, 0.03);
  EXPECT_THAT(message_of(tight), HasSubstr("the bound Zmax must exceed the nominal Z"));
  // delta^2 = 2/(2 - lambda) and lambda < -1: delta < sqrt(2/3) = 0.816.
  EXPECT_THAT(message_of(UnboundedInertia{1, diagonal(1, 1, 1), 0.82}),
              HasSubstr("of delta_G = 0.82, must be below -1"));
  EXPECT_THAT(message_of(UnboundedInertia{1, diagonal(1, 1, 1), -0.1}),
              HasSubstr("delta_G = -0.1 must be positive"));
  EXPECT_THAT(message_of(UnboundedInertia{1, diagonal(1, 1, 2), 0.1}),
              HasSubstr("must be below the sum of the others"));
}

TEST(InertiaLaw, WarnsBetweenTheTwoLimits) {
  EXPECT_THAT(InertiaLaw(case2(InertiaExponents{-1.5, -5})).report().warnings,
              ElementsAre(HasSubstr("lambda_l = -1.5 is not below -2 as Batou and Soize ask")));
  EXPECT_THAT(InertiaLaw(case2(InertiaExponents{-2.5, -5})).report().warnings, IsEmpty());
  EXPECT_THAT(InertiaLaw(case2(InertiaDispersion{0.65, {}})).report().warnings,
              ElementsAre(HasSubstr("of delta_G = 0.65, is not below -2")));
  EXPECT_THAT(InertiaLaw(UnboundedInertia{1, diagonal(1, 1, 1), 0.75}).report().warnings,
              ElementsAre(HasSubstr("of delta_G = 0.75, is not below -2")));
}

// The bound is 2e-6 above the nominal Z in one direction and 1e5 times as large in another.
TEST(InertiaLaw, SaysWhenExactDrawsAreHopeless) {
  BoundedInertia input = case2();
  input.moment_bound = diagonal(1.6e5, 0.5, 0.0333334);
  const InertiaLaw law(input);
  EXPECT_THAT(law.report().warnings, ElementsAre(HasSubstr("accept one proposal in")));
  Draws draws(Stream(1, 2, 3));
  EXPECT_THROW(law.draw_normalized(draws), std::runtime_error);
}

}  // namespace
}  // namespace tumble
