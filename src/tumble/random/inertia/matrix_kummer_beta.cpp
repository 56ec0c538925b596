// One row and column at a time. Write
//   B = [ t    v^T ]      v = sqrt(t (1-t)) w,   C = D + (1-t) w w^T,
//       [ v    C   ]
// Then det B = t det D and det(I-B) = (1-t) det(E - D) with E = I - w w^T, and the domain is
// 0 < t < 1, |w| < 1, 0 < D < E. With E = R^T R and D = R^T D' R, 0 < D' < I, the density becomes
//   t^(a-1) (1-t)^(b-1) exp(-(x_1 - q) t)  ·  (1-|w|^2)^(a+b-5/2) exp(-q)
//     ·  det(D')^(a-2) det(I-D')^(b-2) exp(-tr(R X_2 R^T D')),    q = w^T X_2 w,
// X_2 the rest of X. Given w, t is a scalar Kummer-Beta variable and D' a 2 x 2 Kummer-Beta matrix;
// only the eigenvalues of R X_2 R^T matter. The same step takes D' apart, with parameters a - 1/2
// and b - 1/2, and what remains is a scalar with a - 1, b - 1. Three integrals over (-1, 1) are
// left.
#include "tumble/random/inertia/matrix_kummer_beta.hpp"

#include <algorithm>
#include <cmath>

#include "tumble/math/special_functions.hpp"
#include "tumble/random/law/scalar_kummer_beta.hpp"

namespace tumble {
namespace {

/// As MatrixKummerBeta, for two rows and X = diag(y1, y2).
struct PairKummerBeta {
  double log_partition = 0.0;
  double mean[2]{};
  double products[2][2]{};
  double off_square = 0.0;  ///< E{D_12^2}
};

/// Terms below exp(-38) = 3e-17 of the largest one are left out.
constexpr double whole_cut = -38.0;

/// The trapezoidal rule for an even function of w in (-1, 1) that is largest at w = 0, in the
/// variable s of w = tanh(s): there the integrands of this file are analytic around the real axis
/// and decay exponentially.
///
/// `add(s, multiplicity, before)` adds the term at +s and -s and returns its logarithm relative to
/// the one at s = 0. `before` is that of the term before, from which an inner integral knows
/// how little it still matters. Ends below `cut`.
template <class Add>
void sum_over_even(double step, double cut, Add&& add) {
  double relative = 0.0;
  add(0.0, 1.0, relative);
  for (int k = 1; relative > cut; ++k) relative = add(k * step, 2.0, std::min(0.0, relative));
}

/// log(1 - tanh(s)^2) for s >= 0, without overflow.
double log_sech_square(double s) {
  return 2.0 * (std::log(2.0) - s - std::log1p(std::exp(-2.0 * s)));
}

/// A step in s from the curvature of the integrand's logarithm at s = 0. The curvature of
/// (1-w^2)^n alone is 2 n; the exponential changes it by 2 y (1 - E{...}), and may cancel most of
/// it. The second bound is for the poles of 1 - tanh(s)^2 at a distance of pi/2 from the real axis:
/// the error of the trapezoidal rule is exp(-pi^2 / step), 5e-16 at a step of 0.28.
double step_for(double step, double n, double tilt) {
  return std::min(step / std::sqrt(2.0 * std::max(n + tilt, 0.25 * n)), 0.4 * step);
}

class Rule {
 public:
  Rule(double a, double b, double largest, double step)
      : a_(a),
        b_(b),
        step_(step),
        first_(a, b, 3.0 * largest, step),
        second_(a - 0.5, b - 0.5, 3.0 * largest, step),
        third_(a - 1.0, b - 1.0, 3.0 * largest, step) {}

  MatrixKummerBeta triple(const Vec3<double>& x) const;
  double border(const Vec3<double>& x, double p, double r) const;
  PairKummerBeta pair(double y1, double y2, double cut) const;

 private:
  double a_, b_, step_;
  ScalarKummerBetaRule first_, second_, third_;
};

// D = [ t  v ]      v = sqrt(t (1-t)) w,   c = (1-w^2) u + (1-t) w^2,
//     [ v  c ]
// t of second_ with z = y1 - y2 w^2, u of third_ with z = y2 (1-w^2), and the weight
// (1-w^2)^(a+b-3) exp(-y2 w^2) dw = (1-w^2)^(a+b-2) exp(-y2 w^2) ds.
PairKummerBeta Rule::pair(double y1, double y2, double cut) const {
  const double n = a_ + b_ - 2.0;
  const double step = step_for(step_, n, y2 * (1.0 - second_(y1, cut).mean - third_(y2, cut).mean));
  PairKummerBeta sum;
  double total = 0.0, origin = 0.0;
  sum_over_even(step, cut, [&](double s, double multiplicity, double before) {
    const double w = std::tanh(s), w2 = w * w, log_rest = log_sech_square(s);
    const double rest = std::exp(log_rest);
    const ScalarKummerBeta t = second_(y1 - y2 * w2, cut - before),
                           u = third_(y2 * rest, cut - before);
    const double log_term = n * log_rest - y2 * w2 + t.log_partition + u.log_partition;
    if (s == 0.0) origin = log_term;
    const double weight = multiplicity * std::exp(log_term - origin);
    const double spread = t.mean - t.mean_square;                   // E{t (1-t)}
    const double left = 1.0 - t.mean, left_square = left - spread;  // E{1-t}, E{(1-t)^2}
    total += weight;
    sum.mean[0] += weight * t.mean;
    sum.mean[1] += weight * (rest * u.mean + left * w2);
    sum.products[0][0] += weight * t.mean_square;
    sum.products[0][1] += weight * (t.mean * rest * u.mean + spread * w2);
    sum.products[1][1] += weight * (rest * rest * u.mean_square + 2.0 * rest * u.mean * left * w2 +
                                    left_square * w2 * w2);
    sum.off_square += weight * spread * w2;
    return log_term - origin;
  });
  sum.log_partition = origin + std::log(step * total);
  for (double* value : {&sum.mean[0], &sum.mean[1], &sum.products[0][0], &sum.products[0][1],
                        &sum.products[1][1], &sum.off_square})
    *value /= total;
  sum.products[1][0] = sum.products[0][1];
  return sum;
}

/// V diag(y) V^T = [ p  r ]
///                 [ r  q ], by one rotation of Jacobi.
struct Eigen2 {
  Eigen2(double p, double r, double q) {
    const double angle = 0.5 * std::atan2(2.0 * r, p - q);
    c = std::cos(angle), s = std::sin(angle);
    y1 = c * c * p + 2.0 * c * s * r + s * s * q;
    y2 = s * s * p - 2.0 * c * s * r + c * c * q;
  }
  double c, s, y1, y2;  // V = [ c  -s ; s  c ]
};

// The weight is (1-|w|^2)^(a+b-5/2) exp(-q) dw_1 dw_2. With w_1 = tanh(s_1) and
// w_2 = sqrt(1-w_1^2) tanh(s_2) it is (sech s_1)^(2(a+b-1)) (sech s_2)^(2(a+b-3/2)) exp(-q) ds_1
// ds_2.
MatrixKummerBeta Rule::triple(const Vec3<double>& x) const {
  const double n1 = a_ + b_ - 1.0, n2 = a_ + b_ - 1.5;
  const PairKummerBeta at_zero = pair(x.y, x.z, whole_cut);
  const double left_at_zero = 1.0 - first_(x.x, whole_cut).mean;
  const double step1 = step_for(step_, n1, x.y * (left_at_zero - at_zero.mean[0]));
  const double step2 = step_for(step_, n2, x.z * (left_at_zero - at_zero.mean[1]));
  MatrixKummerBeta sum;
  double total = 0.0, origin = 0.0;
  sum_over_even(step1, whole_cut, [&](double s1, double multiplicity1, double before1) {
    const double w1 = std::tanh(s1), log_rest1 = log_sech_square(s1);
    double row_origin = 0.0;
    sum_over_even(step2, whole_cut - before1, [&](double s2, double multiplicity2, double before2) {
      const double cut = whole_cut - before1 - before2;
      const double log_rest2 = log_sech_square(s2);
      const double w2 = std::exp(0.5 * log_rest1) * std::tanh(s2);
      const double q = x.y * w1 * w1 + x.z * w2 * w2;
      // R of I - w w^T = R^T R, upper triangular.
      const double r11 = std::exp(0.5 * log_rest1), r12 = -w1 * w2 / r11;
      const double r22 = std::exp(0.5 * log_rest2);
      const Eigen2 v(x.y * r11 * r11 + x.z * r12 * r12, x.z * r12 * r22, x.z * r22 * r22);
      const PairKummerBeta d = pair(v.y1, v.y2, cut);
      const ScalarKummerBeta t = first_(x.x - q, cut);
      const double log_term =
          n1 * log_rest1 + n2 * log_rest2 - q + t.log_partition + d.log_partition;
      if (s2 == 0.0) row_origin = log_term;
      if (s1 == 0.0 && s2 == 0.0) origin = log_term;
      const double weight = multiplicity1 * multiplicity2 * std::exp(log_term - origin);

      // D = S D' S^T in the axes in which D' has uncorrelated entries, S = R^T V.
      const double S[2][2] = {{r11 * v.c, -r11 * v.s},
                              {r12 * v.c + r22 * v.s, -r12 * v.s + r22 * v.c}};
      double mean[2], product[2][2];
      for (int i = 0; i < 2; ++i)
        mean[i] = S[i][0] * S[i][0] * d.mean[0] + S[i][1] * S[i][1] * d.mean[1];
      const double mean_off = S[0][0] * S[1][0] * d.mean[0] + S[0][1] * S[1][1] * d.mean[1];
      double off_square = (S[0][0] * S[1][1] + S[0][1] * S[1][0]) *
                          (S[0][0] * S[1][1] + S[0][1] * S[1][0]) * d.off_square;
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          product[i][j] = 4.0 * S[i][0] * S[i][1] * S[j][0] * S[j][1] * d.off_square;
          for (int k = 0; k < 2; ++k)
            for (int l = 0; l < 2; ++l)
              product[i][j] += S[i][k] * S[i][k] * S[j][l] * S[j][l] * d.products[k][l];
          off_square += S[0][i] * S[1][i] * S[0][j] * S[1][j] * d.products[i][j];
        }

      const double w[2] = {w1, w2};
      const double spread = t.mean - t.mean_square;
      const double left = 1.0 - t.mean, left_square = left - spread;
      total += weight;
      sum.mean.x += weight * t.mean;
      sum.products(0, 0) += weight * t.mean_square;
      for (int i = 0; i < 2; ++i) {
        const double wi = w[i] * w[i];
        sum.mean[i + 1] += weight * (mean[i] + left * wi);
        sum.products(0, i + 1) += weight * (t.mean * mean[i] + spread * wi);
        sum.squares(0, i + 1) += weight * spread * wi;
        for (int j = i; j < 2; ++j) {
          const double wj = w[j] * w[j];
          sum.products(i + 1, j + 1) +=
              weight *
              (product[i][j] + left * (wi * mean[j] + wj * mean[i]) + left_square * wi * wj);
        }
      }
      sum.squares(1, 2) +=
          weight * (off_square + 2.0 * left * w1 * w2 * mean_off + left_square * w1 * w1 * w2 * w2);
      return log_term - row_origin;
    });
    return row_origin - origin;
  });
  sum.log_partition = origin + std::log(step1 * step2 * total);
  sum.mean = (1.0 / total) * sum.mean;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      sum.products(i, j) /= total;
      sum.products(j, i) = sum.products(i, j);
      sum.squares(i, j) = i == j ? sum.products(i, i) : sum.squares(i, j) / total;
      sum.squares(j, i) = sum.squares(i, j);
    }
  return sum;
}

// The factors that t and D' leave when they are integrated out. Of R X_2 R^T only trace and
// determinant matter, x_2 + x_3 - q and x_2 x_3 (1-|w|^2).
double Rule::border(const Vec3<double>& x, double p, double r) const {
  const double q = x.y * p + x.z * (1.0 - p) * r;
  const double half_trace = 0.5 * (x.y + x.z - q), det = x.y * x.z * (1.0 - p) * (1.0 - r);
  const double root = std::sqrt(std::max(half_trace * half_trace - det, 0.0));
  return first_(x.x - q, whole_cut).log_partition +
         pair(half_trace + root, half_trace - root, whole_cut).log_partition;
}

}  // namespace

std::function<double(double, double)> border_of_kummer_beta(double a, double b,
                                                            const Vec3<double>& x, double step) {
  const double largest = std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)});
  return [rule = Rule(a, b, largest, step), x](double p, double r) { return rule.border(x, p, r); };
}

MatrixKummerBeta matrix_kummer_beta(double a, double b, const Vec3<double>& x, double step) {
  const double largest = std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)});
  return Rule(a, b, largest, step).triple(x);
}

double log_matrix_gamma(double a) {
  const double log_pi = std::log(3.14159265358979323846);
  return 1.5 * log_pi + log_gamma(a) + log_gamma(a - 0.5) + log_gamma(a - 1.0);
}

double log_matrix_beta(double a, double b) {
  return log_matrix_gamma(a) + log_matrix_gamma(b) - log_matrix_gamma(a + b);
}

}  // namespace tumble
