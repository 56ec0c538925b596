#include "tumble/random/inertia/kummer_beta_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tumble/random/law/chebyshev_fit.hpp"
#include "tumble/random/law/panel_density.hpp"

namespace tumble {
namespace {

/// Steps of trapezoidal rules, in standard deviations: errors of exp(-2 pi^2 / 0.9^2) = 3e-11.
constexpr double quadrature_step = 0.9;
/// Densities below exp(-40) of the largest are left out.
constexpr double cut = -40.0;
/// What the last coefficients of a fit may be, in the logarithm of a density.
constexpr double fit_tolerance = 1e-9;
constexpr std::size_t most_points = 48;

/// log(1 - tanh(s)^2)
double log_sech_square(double s) {
  const double size = std::abs(s);
  return 2.0 * (std::log(2.0) - size - std::log1p(std::exp(-2.0 * size)));
}

/// t of s = log(t / (1-t)), and the logarithms of t and 1-t.
struct Logistic {
  explicit Logistic(double s) {
    const double small = std::exp(-std::abs(s)), larger = -std::log1p(small);
    t = (s > 0 ? 1.0 : small) / (1.0 + small);
    rest = (s > 0 ? small : 1.0) / (1.0 + small);
    log_t = s > 0 ? larger : larger + s;
    log_rest = s > 0 ? larger - s : larger;
  }
  double t, rest, log_t, log_rest;
};

/// The mode and the deviation, in s, of t^alpha (1-t)^beta exp(-z t); see scalar_kummer_beta.cpp.
struct LogisticShape {
  LogisticShape(double alpha, double beta, double z) {
    const double t = mode(alpha, beta, z), rest = mode(beta, alpha, -z);
    centre = std::log(t / rest);
    scale = 1.0 / std::sqrt(alpha * rest * rest + beta * t * t);
  }
  double centre, scale;

 private:
  static double mode(double alpha, double beta, double z) {
    const double b = alpha + beta + z, root = std::sqrt(b * b - 4.0 * alpha * z);
    return b > 0.0 ? 2.0 * alpha / (b + root) : (b - root) / (2.0 * z);
  }
};

/// The t at a normal score in the law of density t^(alpha-1) (1-t)^(beta-1) exp(-z t).
Logistic scalar_quantile(double alpha, double beta, double z, double score) {
  const LogisticShape shape(alpha, beta, z);
  const auto log_density = [&](double s) {
    const Logistic l(s);
    return alpha * l.log_t + beta * l.log_rest - z * l.t;
  };
  return Logistic(panels_around(log_density, shape.centre, shape.scale).at_score(score));
}

/// Where n log(1-p) + rest(p), rest(0) = 0, falls to the cut.
template <class F>
double end_of(double n, const F& rest) {
  const auto falls = [&](double s) {
    const double p = std::tanh(s) * std::tanh(s);
    return n * log_sech_square(s) + rest(p) < cut - 2.0;
  };
  // From the right, because the density may rise before it falls.
  double s = 12.0;
  while (s > 1e-6 && falls(0.9 * s)) s *= 0.9;
  return std::tanh(s) * std::tanh(s);
}

bool has_converged(const std::vector<double>& c) {
  const std::size_t n = c.size();
  return std::abs(c[n - 1]) + std::abs(c[n - 2]) < fit_tolerance;
}

/// Coefficients of f on (0, length), as many as it takes.
template <class F>
std::vector<double> fit(const F& f, double length) {
  for (std::size_t n = 8;; n = n * 3 / 2) {
    std::vector<double> values(n);
    for (std::size_t k = 0; k < n; ++k) values[k] = f(chebyshev_point(k, n, length));
    std::vector<double> c = chebyshev_coefficients(values);
    if (has_converged(c) || n >= most_points) return c;
  }
}

/// Of a function of (p, r): along one line of each direction first, to know how many points it
/// takes.
template <class F>
std::vector<std::vector<double>> fit(const F& f, double p_end, double r_end) {
  std::size_t np = 0, nr = 0;
  for (const double part : {0.0, 0.6}) {
    np = std::max(np, fit([&](double p) { return f(p, part * r_end); }, p_end).size());
    nr = std::max(nr, fit([&](double r) { return f(part * p_end, r); }, r_end).size());
  }
  std::vector<std::vector<double>> in_r(np, std::vector<double>(nr));
  for (std::size_t i = 0; i < np; ++i) {
    std::vector<double> values(nr);
    for (std::size_t k = 0; k < nr; ++k)
      values[k] = f(chebyshev_point(i, np, p_end), chebyshev_point(k, nr, r_end));
    in_r[i] = chebyshev_coefficients(values);
  }
  for (std::size_t k = 0; k < nr; ++k) {
    std::vector<double> values(np);
    for (std::size_t i = 0; i < np; ++i) values[i] = in_r[i][k];
    const std::vector<double> c = chebyshev_coefficients(values);
    for (std::size_t i = 0; i < np; ++i) in_r[i][k] = c[i];
  }
  return in_r;
}

/// sum_k c_k(p) T_k(r): the coefficients c_k at one p.
std::vector<double> row_at(const std::vector<std::vector<double>>& c, double p, double p_end) {
  std::vector<double> row(c[0].size()), column(c.size());
  for (std::size_t k = 0; k < row.size(); ++k) {
    for (std::size_t i = 0; i < c.size(); ++i) column[i] = c[i][k];
    row[k] = chebyshev_sum(column, p, p_end);
  }
  return row;
}

/// Of the law of s = artanh(w) with the density (1-w^2)^n: a deviation.
double deviation(double n) { return 1.0 / std::sqrt(2.0 * n); }

}  // namespace

// In s_1 and s_2 of w_1 = tanh(s_1), w_2 = sqrt(1-w_1^2) tanh(s_2) the density of w has the powers
// a + b - 1 and a + b - 3/2 of sech^2, see matrix_kummer_beta.cpp.
KummerBetaMap::KummerBetaMap(double a, double b, const Vec3<double>& x) : a_(a), b_(b), x_(x) {
  const auto exact = border_of_kummer_beta(a, b, x, quadrature_step);
  const double n1 = a + b - 1.0, n2 = a + b - 1.5, at_zero = exact(0, 0);
  const auto border = [&](double p, double r) { return exact(p, r) - at_zero; };
  p_end_ = end_of(n1, [&](double p) { return border(p, 0) - x.y * p; });
  r_end_ = end_of(n2, [&](double r) { return border(0, r) - x.z * r; });
  const double other = end_of(n2, [&](double r) {
    return border(0.5 * p_end_, r) - border(0.5 * p_end_, 0) - x.z * (1 - 0.5 * p_end_) * r;
  });
  r_end_ = std::max(r_end_, other);
  border_ = fit(border, p_end_, r_end_);

  marginal_ = fit(
      [&](double p) {
        const std::vector<double> row = row_at(border_, p, p_end_);
        const auto log_density = [&](double s) {
          const double r = std::tanh(s) * std::tanh(s);
          return n2 * log_sech_square(s) - x.z * (1 - p) * r + chebyshev_sum(row, r, r_end_) -
                 row[0];
        };
        return std::log(panels_around(log_density, 0.0, deviation(n2)).mass()) + log_density(0.0) +
               row[0];
      },
      p_end_);

  const ScalarKummerBetaRule last(a - 1.0, b - 1.0, std::abs(x.z), quadrature_step);
  last_end_ = std::log1p(std::max(std::abs(x.z), 1e-9) / (a + b));
  last_ = fit(
      [&](double l) {
        const double size = (a + b) * std::expm1(l);
        return x.z < 0 ? last(-size, cut).log_partition - size : last(size, cut).log_partition;
      },
      last_end_);
}

double KummerBetaMap::log_last(double z) const {
  const double size = std::abs(z);
  return chebyshev_sum(last_, std::log1p(size / (a_ + b_)), last_end_) + (x_.z < 0 ? size : 0.0);
}

Eigen::Matrix3d KummerBetaMap::operator()(std::span<const double> scores) const {
  const double n1 = a_ + b_ - 1.0, n2 = a_ + b_ - 1.5;
  const auto first = [&](double s) {
    const double p = std::tanh(s) * std::tanh(s);
    return n1 * log_sech_square(s) - x_.y * p + chebyshev_sum(marginal_, p, p_end_);
  };
  const double s1 = panels_around(first, 0.0, deviation(n1)).at_score(scores[0]);
  const double w1 = std::tanh(s1), p = w1 * w1, rest = std::exp(log_sech_square(s1));

  const std::vector<double> row = row_at(border_, p, p_end_);
  const auto second = [&](double s) {
    const double r = std::tanh(s) * std::tanh(s);
    return n2 * log_sech_square(s) - x_.z * rest * r + chebyshev_sum(row, r, r_end_);
  };
  const double s2 = panels_around(second, 0.0, deviation(n2)).at_score(scores[1]);
  const double w2 = std::sqrt(rest) * std::tanh(s2), q = x_.y * p + x_.z * w2 * w2;

  const Logistic t = scalar_quantile(a_, b_, x_.x - q, scores[2]);

  // R of I - w w^T = R^T R, upper triangular.
  const double r11 = std::sqrt(rest), r12 = -w1 * w2 / r11;
  const double r22 = std::exp(0.5 * log_sech_square(s2));
  const Minor m = minor(x_.y * r11 * r11 + x_.z * r12 * r12, x_.z * r12 * r22, x_.z * r22 * r22,
                        scores.subspan(3));
  const double d12 = std::sqrt(m.t * (1 - m.t)) * m.w;
  const double d22 = (1 - m.w * m.w) * m.d + (1 - m.t) * m.w * m.w;
  const double c11 = r11 * r11 * m.t, c12 = r11 * (r12 * m.t + r22 * d12),
               c22 = r12 * r12 * m.t + 2 * r12 * r22 * d12 + r22 * r22 * d22;
  const double v = std::sqrt(t.t * t.rest);
  Eigen::Matrix3d b;
  b << t.t, v * w1, v * w2,                              //
      v * w1, c11 + t.rest * p, c12 + t.rest * w1 * w2,  //
      v * w2, c12 + t.rest * w1 * w2, c22 + t.rest * w2 * w2;
  return b;
}

// With c = sqrt(t (1-t)) the density of (t, w), in s of w = tanh(s) and the logistic variable of t:
//   t^(a-1/2) (1-t)^(b-1/2) (1-w^2)^(a+b-2) exp(-y11 t - 2 y12 c w - y22 (1-t) w^2 + last(w)),
// last(w) = log_last(y22 (1-w^2)).
KummerBetaMap::Minor KummerBetaMap::minor(double y11, double y12, double y22,
                                          std::span<const double> scores) const {
  const double n = a_ + b_ - 2.0, alpha = a_ - 0.5, beta = b_ - 0.5;
  const auto of_w = [&](double s) {
    const double log_rest = log_sech_square(s);
    return n * log_rest + log_last(y22 * std::exp(log_rest));
  };
  // Nodes of the trapezoidal rule over w, both signs at once. c is at most 1/2.
  struct Node {
    double w, log_weight;
  };
  std::vector<Node> nodes;
  const double step = quadrature_step * std::min(deviation(n + std::max(y22, 0.0)), 0.4);
  const double origin = of_w(0);
  for (int k = 0; k < 1000; ++k) {
    const double w = std::tanh(k * step), weight = of_w(k * step) - origin;
    if (weight + std::abs(y12) * w + std::max(-y22, 0.0) * w * w < cut) break;
    nodes.push_back({w, weight + (k == 0 ? std::log(0.5) : 0.0)});
  }
  const auto log_marginal = [&](double s) {
    const Logistic l(s);
    const double tilt = std::abs(2 * y12 * std::sqrt(l.t * l.rest)), narrow = y22 * l.rest;
    const auto exponent = [&](const Node& node) {
      return node.log_weight + (tilt - narrow * node.w) * node.w;
    };
    // With y22 in the thousands all but a few terms are nothing: from the largest on they fall.
    double largest = -std::numeric_limits<double>::infinity();
    std::size_t count = 0;
    for (; count < nodes.size(); ++count) {
      const double here = exponent(nodes[count]);
      if (here > largest)
        largest = here;
      else if (here < largest + cut)
        break;
    }
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k)
      sum += std::exp(exponent(nodes[k]) - largest) * (1.0 + std::exp(-2.0 * tilt * nodes[k].w));
    return alpha * l.log_t + beta * l.log_rest - y11 * l.t + largest + std::log(sum);
  };
  const LogisticShape shape(alpha, beta, y11);
  const Logistic t(panels_around(log_marginal, shape.centre, shape.scale).at_score(scores[0]));

  const double tilt = 2 * y12 * std::sqrt(t.t * t.rest);
  const auto log_density = [&](double s) {
    const double w = std::tanh(s);
    return of_w(s) - tilt * w - y22 * t.rest * w * w;
  };
  const double s = panels_around(log_density, 0.0, deviation(n)).at_score(scores[1]);
  const double left = std::exp(log_sech_square(s));
  return {t.t, std::tanh(s), scalar_quantile(a_ - 1.0, b_ - 1.0, y22 * left, scores[2]).t};
}

}  // namespace tumble
