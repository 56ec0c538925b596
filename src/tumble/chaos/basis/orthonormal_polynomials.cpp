#include "tumble/chaos/basis/orthonormal_polynomials.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace tumble {
namespace {

std::size_t coefficients_for(int degree) {
  if (degree < 0 || degree > OrthonormalPolynomials::most_degree)
    throw std::invalid_argument(fmt::format("degree = {} of polynomials must lie between 0 and {}",
                                            degree, OrthonormalPolynomials::most_degree));
  return static_cast<std::size_t>(degree) + 1;
}

/// From functions a(k) for k >= 0 and b(k) for k >= 1.
template <class A, class B>
OrthonormalPolynomials family(int degree, const A& a_of, const B& b_of) {
  std::vector<double> a(coefficients_for(degree)), b(a.size(), 1.0);
  for (std::size_t k = 0; k < a.size(); ++k) {
    a[k] = a_of(static_cast<double>(k));
    if (k > 0) b[k] = b_of(static_cast<double>(k));
  }
  return {std::move(a), std::move(b)};
}

double zero(double) { return 0; }

}  // namespace

OrthonormalPolynomials::OrthonormalPolynomials(std::vector<double> a, std::vector<double> b)
    : a_(std::move(a)), b_(std::move(b)) {
  if (a_.empty() || a_.size() != b_.size())
    throw std::invalid_argument(fmt::format(
        "{} coefficients a and {} coefficients b of a recurrence: there must be equally "
        "many, at least one",
        a_.size(), b_.size()));
  for (std::size_t k = 0; k < b_.size(); ++k) {
    if (!std::isfinite(a_[k]) || !(b_[k] > 0 && std::isfinite(b_[k])))
      throw std::invalid_argument(fmt::format(
          "recurrence: a[{}] = {} must be finite and b[{}] = {} positive", k, a_[k], k, b_[k]));
    root_b_.push_back(std::sqrt(b_[k]));
  }
}

bool OrthonormalPolynomials::is_symmetric() const {
  return std::all_of(a_.begin(), a_.end(), [this](double a) { return a == a_.front(); });
}

void OrthonormalPolynomials::evaluate(double x, std::span<double> values) const {
  if (values.size() > a_.size())
    throw std::invalid_argument(fmt::format("polynomials up to degree {} were asked for degree {}",
                                            degree(), values.size() - 1));
  double before = 0, here = 1;
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = here;
    if (k + 1 == values.size()) break;
    const double next =
        ((x - a_[k]) * here - (k == 0 ? 0.0 : root_b_[k] * before)) / root_b_[k + 1];
    before = here;
    here = next;
  }
}

OrthonormalPolynomials hermite_polynomials(int degree) {
  return family(degree, zero, [](double k) { return k; });
}

OrthonormalPolynomials legendre_polynomials(int degree) {
  return family(degree, zero, [](double k) { return k * k / (4 * k * k - 1); });
}

OrthonormalPolynomials laguerre_polynomials(double shape, int degree) {
  if (!(shape > 0 && std::isfinite(shape)))
    throw std::invalid_argument(
        fmt::format("laguerre: shape = {} must be a finite number above 0", shape));
  return family(
      degree, [shape](double k) { return 2 * k + shape; },
      [shape](double k) { return k * (k + shape - 1); });
}

OrthonormalPolynomials jacobi_polynomials(double alpha, double beta, int degree) {
  if (!(alpha > -1 && std::isfinite(alpha) && beta > -1 && std::isfinite(beta)))
    throw std::invalid_argument(fmt::format(
        "jacobi: exponents alpha = {} and beta = {} must be finite numbers above -1", alpha, beta));
  const double sum = alpha + beta;
  return family(
      degree,
      [&](double k) {
        // For k = 0 a factor alpha + beta, which may be 0, is cancelled.
        if (k == 0) return (beta - alpha) / (sum + 2);
        return (beta - alpha) * sum / ((2 * k + sum) * (2 * k + sum + 2));
      },
      [&](double k) {
        const double s = 2 * k + sum;
        // For k = 1 a factor 1 + alpha + beta is.
        if (k == 1) return 4 * (1 + alpha) * (1 + beta) / (s * s * (s + 1));
        return 4 * k * (k + alpha) * (k + beta) * (k + sum) / (s * s * (s + 1) * (s - 1));
      });
}

}  // namespace tumble
