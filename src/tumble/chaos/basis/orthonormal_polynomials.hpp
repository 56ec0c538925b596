// Polynomials that are orthonormal under a probability law: E{p_i(X) p_j(X)} = delta_ij.
//
// W. Gautschi, "Orthogonal Polynomials: Computation and Approximation" (Oxford, 2004), section 1.3.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace tumble {

/// p_0 = 1 and  sqrt(b_{k+1}) p_{k+1}(x) = (x - a_k) p_k(x) - sqrt(b_k) p_{k-1}(x).
/// Every law with enough moments has such coefficients; they are all that evaluation and Gauss
/// rules need.
class OrthonormalPolynomials {
 public:
  /// No rule or expansion has a use for more; beyond it polynomials in a tail come near overflow.
  static constexpr int most_degree = 100;

  /// `a` holds a_0 ... a_n, `b` holds b_0 ... b_n with b_0 = 1 (not used) and the others positive:
  /// polynomials up to degree n, Gauss rules up to n + 1 points.
  OrthonormalPolynomials(std::vector<double> a, std::vector<double> b);

  int degree() const { return static_cast<int>(a_.size()) - 1; }
  double a(int k) const { return a_[static_cast<std::size_t>(k)]; }
  double b(int k) const { return b_[static_cast<std::size_t>(k)]; }
  /// Whether the law is symmetric about a_0, to the last bit of the coefficients.
  bool is_symmetric() const;

  /// p_0(x), p_1(x), ... into `values`, which has at most degree() + 1 places.
  void evaluate(double x, std::span<double> values) const;

 private:
  std::vector<double> a_, b_, root_b_;
};

// The classical families, by their weights as probability densities: Gautschi (2004), table 1.1.

/// Hermite: exp(-x^2 / 2) / sqrt(2 pi). a_k = 0, b_k = k.
OrthonormalPolynomials hermite_polynomials(int degree);

/// Legendre: 1 / 2 on [-1, 1]. a_k = 0, b_k = k^2 / (4 k^2 - 1).
OrthonormalPolynomials legendre_polynomials(int degree);

/// Laguerre, generalised: x^(shape - 1) exp(-x) / Gamma(shape) for x > 0.
/// a_k = 2 k + shape, b_k = k (k + shape - 1).
OrthonormalPolynomials laguerre_polynomials(double shape, int degree);

/// Jacobi: proportional to (1 - x)^alpha (1 + x)^beta on [-1, 1], both exponents above -1.
OrthonormalPolynomials jacobi_polynomials(double alpha, double beta, int degree);

}  // namespace tumble
