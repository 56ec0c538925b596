#include "tumble/random/inertia/inertia_law.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <boost/math/special_functions/digamma.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tumble/random/inertia/eigen_matrix.hpp"
#include "tumble/random/inertia/kummer_beta_solver.hpp"
#include "tumble/random/inertia/positive_definite.hpp"
#include "tumble/random/stream/variates.hpp"

namespace tumble {
namespace {

// In this file a = 2 - lambda_l and b = 2 - lambda_u: the powers of det(G) and det(Gmax-G) are a-2,
// b-2.

/// Near det(G) = 0 one eigenvalue g is small and has the density g^(-lambda_l), so E{g^-2} exists
/// for lambda_l < -1. The paper asks for lambda_l < -2.
std::vector<std::string> check_lower_exponent(double lambda_l, std::string_view given) {
  if (!(lambda_l < -1.0))
    throw std::invalid_argument(
        fmt::format("{} must be below -1: beyond it E{{||G^-1||^2}}, and with it the variance of "
                    "angular accelerations, is infinite",
                    given));
  if (lambda_l < -2.0) return {};
  return {
      fmt::format("{} is not below -2 as Batou and Soize ask: E{{||G^-1||^2}} is finite, but its "
                  "sample mean converges slowly",
                  given)};
}

void check_upper_exponent(double lambda_u) {
  if (!(lambda_u < 1.0))
    throw std::invalid_argument(
        fmt::format("lambda_u = {} must be below 1: beyond it det(Gmax - G)^-lambda_u, and with it "
                    "the density of G, cannot be integrated",
                    lambda_u));
}

void check_finite(std::string_view name, double value) {
  if (!std::isfinite(value))
    throw std::invalid_argument(fmt::format("{} = {} must be a finite number", name, value));
}

void check_dispersion(double delta) {
  if (!(delta > 0.0) || !std::isfinite(delta))
    throw std::invalid_argument(fmt::format(
        "the dispersion delta_G = {} must be positive; a body without dispersion is not random",
        delta));
}

KummerBetaSolution solve(const InertiaExponents& exponents, const Vec3<double>& mean,
                         std::vector<std::string>& warnings) {
  check_finite("lambda_l", exponents.lambda_l);
  check_finite("lambda_u", exponents.lambda_u);
  warnings =
      check_lower_exponent(exponents.lambda_l, fmt::format("lambda_l = {}", exponents.lambda_l));
  check_upper_exponent(exponents.lambda_u);
  return solve_kummer_beta(2.0 - exponents.lambda_l, 2.0 - exponents.lambda_u, mean);
}

KummerBetaSolution solve(const InertiaDispersion& dispersion, const Vec3<double>& mean,
                         std::vector<std::string>& warnings) {
  check_dispersion(dispersion.delta);
  std::optional<double> b;
  if (dispersion.lambda_u) {
    check_finite("lambda_u", *dispersion.lambda_u);
    check_upper_exponent(*dispersion.lambda_u);
    b = 2.0 - *dispersion.lambda_u;
  }
  KummerBetaSolution solution = solve_kummer_beta_for_dispersion(dispersion.delta, b, mean);
  const double lambda_l = 2.0 - solution.a;
  warnings = check_lower_exponent(
      lambda_l, fmt::format("lambda_l = {:.4g}, of delta_G = {},", lambda_l, dispersion.delta));
  return solution;
}

/// E{log det B} is the derivative of log_partition by a. Differences of fourth order: the step
/// leaves some 1e-12 of rounding errors and less of the truncation.
double mean_log_det(const KummerBetaSolution& s) {
  const double h = 0.003 * s.a;
  const auto f = [&](int k) {
    return matrix_kummer_beta(s.a + k * h, s.b, s.x, 0.7).log_partition;
  };
  return (8.0 * (f(1) - f(-1)) - (f(2) - f(-2))) / (12.0 * h);
}

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
const double log_volume_factor = 1.5 * std::log(2.0);  // of 2^(3/2) prod dG_jk

}  // namespace

// Let U be the matrix of eigenvalues of Gmax. In the axes of Gmax, G = U^(1/2) B U^(1/2) with
// 0 < B < I, and mu is diagonal: reversing an axis changes neither the support nor E{G} = I, and
// mu is unique, so its off-diagonal entries equal their negatives. What is left is the law of B
// with E{B} = U^-1 and x_i = u_i mu_i. As dG = det(U)^2 dB,
//   1/C_G = 2^(3/2) det(U)^(a+b-2) exp(log_partition).
InertiaLaw::InertiaLaw(const BoundedInertia& input) : scale_(input.mass, input.inertia) {
  const Mat3<double> bound = scale_.normalized_bound(input.moment_bound);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(to_eigen(bound));
  const Eigen::Vector3d u = eigen.eigenvalues();
  axes_ = from_eigen(eigen.eigenvectors());
  bound_ = {u[0], u[1], u[2]};
  const KummerBetaSolution solution = std::visit(
      [&](const auto& spread) {
        return solve(spread, {1.0 / u[0], 1.0 / u[1], 1.0 / u[2]}, report_.warnings);
      },
      input.spread);
  const double a = solution.a, b = solution.b;
  sampler_.emplace(a, b, solution.x, solution.moments.log_partition);

  const Mat3<double> covariance = solution.moments.covariance();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      diagonal_covariance_(i, j) = u[i] * u[j] * covariance(i, j);
      variances_(i, j) = u[i] * u[j] * (i == j ? covariance(i, i) : solution.moments.squares(i, j));
    }

  const Eigen::Vector3d mu(solution.x.x / u[0], solution.x.y / u[1], solution.x.z / u[2]);
  const double log_det_bound = u.array().log().sum();
  report_.moments = scale_.moments();
  report_.bound = bound;
  report_.lambda_l = 2.0 - a;
  report_.lambda_u = 2.0 - b;
  report_.mu = from_eigen(
      symmetric_part(eigen.eigenvectors() * mu.asDiagonal() * eigen.eigenvectors().transpose()));
  report_.mu_accuracy = solution.accuracy;
  report_.mean_residual = solution.residual;
  report_.iterations = solution.iterations;
  report_.log_constant =
      -(log_volume_factor + (a + b - 2.0) * log_det_bound + solution.moments.log_partition);
  report_.dispersion = solution.dispersion();
  report_.mean_log_det = log_det_bound + mean_log_det(solution);
  report_.acceptance = sampler_->acceptance();
  report_.generator = name_of(sampler_->proposal());
  if (report_.acceptance < 0.01)
    report_.warnings.push_back(fmt::format(
        "exact draws of the inertia accept one proposal in {:.3g} only: the mean of Z is close to "
        "Zmax in some directions and far in others, or lambda_u is above 0",
        1.0 / report_.acceptance));
}

// Eq. (57) with a = 2/delta^2: det(G)^(a-2) exp(-a tr(G)), a Wishart matrix divided by a. From
// delta^2 = 2/(2-lambda), Eq. (56) with its sign put right. Entries have the variances
// (1 + [j=k]) delta^2/4.
InertiaLaw::InertiaLaw(const UnboundedInertia& input) : scale_(input.mass, input.inertia) {
  check_dispersion(input.delta);
  const double a = 2.0 / (input.delta * input.delta);
  report_.lambda_l = 2.0 - a;
  report_.warnings = check_lower_exponent(
      report_.lambda_l, fmt::format("lambda = 2 - 2/delta_G^2 = {:.4g}, of delta_G = {},",
                                    report_.lambda_l, input.delta));
  axes_ = Mat3<double>::identity();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      variances_(i, j) = (i == j ? 2.0 : 1.0) * 0.5 / a;
      diagonal_covariance_(i, j) = i == j ? 1.0 / a : 0.0;
    }
  report_.moments = scale_.moments();
  report_.mu = a * Mat3<double>::identity();
  report_.log_constant = 3.0 * a * std::log(a) - log_volume_factor - log_matrix_gamma(a);
  report_.dispersion = input.delta;
  report_.mean_log_det = -3.0 * std::log(a);
  for (int j = 0; j < 3; ++j) report_.mean_log_det += boost::math::digamma(a - 0.5 * j);
  report_.generator = "Wishart";
}

Mat3<double> InertiaLaw::draw_normalized(Draws& draws) const {
  if (!sampler_) {
    const double a = 2.0 - report_.lambda_l;
    const Eigen::Matrix3d factor = wishart_factor(a, draws);
    return from_eigen(symmetric_part(factor * factor.transpose() / a));
  }
  if (report_.acceptance < 1e-6)
    throw std::runtime_error(fmt::format(
        "exact draws of the inertia would accept one proposal in {:.3g}: use the Markov chain",
        1.0 / report_.acceptance));
  const Eigen::Vector3d root = Eigen::Vector3d(bound_.x, bound_.y, bound_.z).cwiseSqrt();
  const Eigen::Matrix3d to_axes = to_eigen(axes_) * root.asDiagonal();
  return from_eigen(symmetric_part(to_axes * sampler_->draw(draws) * to_axes.transpose()));
}

Mat3<double> InertiaLaw::draw(double mass, Draws& draws) const {
  return inertia_of(mass, draw_normalized(draws));
}

Mat3<double> InertiaLaw::inertia_of(double mass, const Mat3<double>& normalized) const {
  return inertia_from_moments(mass, scale_.moments_of(normalized));
}

double InertiaLaw::log_density(const Mat3<double>& normalized) const {
  const Eigen::Matrix3d g = to_eigen(normalized);
  const auto log_det = log_det_if_positive(g);
  if (!log_det) return minus_infinity;
  double log_density = report_.log_constant - report_.lambda_l * *log_det -
                       to_eigen(report_.mu).cwiseProduct(g).sum();
  if (report_.bound) {
    const auto log_det_rest = log_det_if_positive(to_eigen(*report_.bound) - g);
    if (!log_det_rest) return minus_infinity;
    log_density -= *report_.lambda_u * *log_det_rest;
  }
  return log_density;
}

}  // namespace tumble
