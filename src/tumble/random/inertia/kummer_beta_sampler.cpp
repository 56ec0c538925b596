#include "tumble/random/inertia/kummer_beta_sampler.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tumble/random/inertia/positive_definite.hpp"
#include "tumble/random/stream/variates.hpp"

namespace tumble {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

/// The free numbers of a proposal, the largest log(target / proposal), and the logarithm of the
/// integral of the proposal, both laws without their normalisation.
struct Envelope {
  Vec3<double> free;
  double log_bound = 0.0, log_integral = 0.0;

  double log_acceptance(double log_partition) const {
    return log_partition - log_bound - log_integral;
  }
};

// The proposal det(B)^(a-2) exp(-tr(N B)) has the integral Gamma_3(a) prod_i n_i^-a. The ratio is
//   det(I-B)^(b-2) exp(tr((N-X) B)).
// As det(I-B) <= prod_i (1-B_ii) (Hadamard), for b >= 2 it is largest at a diagonal B with
// 1-B_ii = (b-2)/(n_i-x_i). The acceptance is largest if, besides, B_ii = a/n_i, which makes n_i
// the larger root of
//   n^2 - (x + a + b - 2) n + a x = 0.
Envelope wishart_envelope(double a, double b, const Vec3<double>& x) {
  Envelope envelope;
  envelope.log_integral = log_matrix_gamma(a);
  for (int i = 0; i < 3; ++i) {
    const double p = 0.5 * (x[i] + a + b - 2.0);
    const double root = std::sqrt(std::max(0.0, p * p - a * x[i]));
    // The second form is for p < 0, which takes a negative x.
    const double n = p > 0.0 ? p + root : a * x[i] / (p - root);
    const double largest = std::min(1.0, a / n);
    envelope.free[i] = n;
    envelope.log_bound += (n - x[i]) * largest;
    if (b > 2.0) envelope.log_bound += (b - 2.0) * std::log1p(-largest);
    envelope.log_integral -= a * std::log(n);
  }
  return envelope;
}

// The proposal det(B)^(a-2) det(I-B)^(b-2) det(Q^2 + (I-Q^2) B)^-(a+b) is the law of F (I+F)^-1
// with F = Q F_0 Q, and has the integral B_3(a, b) prod_i q_i^-b, q_i = Q_ii^2. The ratio is
//   exp(-tr(X B)) det(Q^2 + (I-Q^2) B)^(a+b).
// If no two q_i are on different sides of 1, Hadamard's inequality makes it largest at a diagonal B
// again, with q + (1-q) B_ii = (a+b) (1-q)/x. The acceptance is largest if, besides,
// B_ii = q a/(b + q a), which makes q the positive root of
//   a q^2 + (x + b - a) q - b = 0,
// below 1 for x > 0 and above for x < 0. So q_i is 1 for the x_i of the other sign than `sign`;
// there the ratio is largest at the end of (0, 1).
Envelope matrix_beta_envelope(double a, double b, const Vec3<double>& x, double sign) {
  Envelope envelope;
  envelope.log_integral = log_matrix_beta(a, b);
  for (int i = 0; i < 3; ++i) {
    if (sign * x[i] <= 0.0) {
      envelope.free[i] = 1.0;
      envelope.log_bound += std::max(0.0, -x[i]);
      continue;
    }
    const double p = 0.5 * (x[i] + b - a), root = std::sqrt(p * p + a * b);
    const double q = p > 0.0 ? b / (p + root) : (root - p) / a;
    const double largest = q * a / (b + q * a);
    envelope.free[i] = q;
    envelope.log_bound += -x[i] * largest + (a + b) * std::log(q + (1.0 - q) * largest);
    envelope.log_integral -= b * std::log(q);
  }
  return envelope;
}

Envelope best_matrix_beta_envelope(double a, double b, const Vec3<double>& x) {
  const Envelope below = matrix_beta_envelope(a, b, x, 1.0);
  const Envelope above = matrix_beta_envelope(a, b, x, -1.0);
  return below.log_acceptance(0.0) > above.log_acceptance(0.0) ? below : above;
}

Envelope envelope_of(KummerBetaProposal proposal, double a, double b, const Vec3<double>& x) {
  switch (proposal) {
    case KummerBetaProposal::wishart:
      return wishart_envelope(a, b, x);
    case KummerBetaProposal::mirrored_wishart: {
      // I - B has the parameters b, a, -x, and exp(-tr X) stands before its law.
      Envelope envelope = wishart_envelope(b, a, -x);
      envelope.log_bound -= x.x + x.y + x.z;
      return envelope;
    }
    case KummerBetaProposal::scaled_matrix_beta:
      return best_matrix_beta_envelope(a, b, x);
  }
  throw std::logic_error("a proposal without an envelope");
}

KummerBetaProposal best_proposal(double a, double b, const Vec3<double>& x) {
  KummerBetaProposal best = KummerBetaProposal::scaled_matrix_beta;
  // Its two Wishart matrices take twice the time of one.
  double highest = envelope_of(best, a, b, x).log_acceptance(0.0) - std::log(2.0);
  for (const auto other : {KummerBetaProposal::wishart, KummerBetaProposal::mirrored_wishart}) {
    // With b < 2 the target is infinite where det(I-B) = 0, and a Wishart density is not.
    if (other == KummerBetaProposal::wishart && b < 2.0) continue;
    const double acceptance = envelope_of(other, a, b, x).log_acceptance(0.0);
    if (acceptance > highest) best = other, highest = acceptance;
  }
  return best;
}

Eigen::Vector3d to_vector(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

}  // namespace

std::string_view name_of(KummerBetaProposal proposal) {
  switch (proposal) {
    case KummerBetaProposal::wishart:
      return "truncated Wishart";
    case KummerBetaProposal::mirrored_wishart:
      return "truncated Wishart from the upper bound";
    case KummerBetaProposal::scaled_matrix_beta:
      return "scaled matrix Beta";
  }
  throw std::logic_error("a proposal without a name");
}

KummerBetaSampler::KummerBetaSampler(double a, double b, const Vec3<double>& x,
                                     double log_partition)
    : KummerBetaSampler(a, b, x, log_partition, best_proposal(a, b, x)) {}

KummerBetaSampler::KummerBetaSampler(double a, double b, const Vec3<double>& x,
                                     double log_partition, KummerBetaProposal proposal)
    : a_(a), b_(b), x_(x), proposal_(proposal) {
  if (proposal == KummerBetaProposal::wishart && b < 2.0)
    throw std::invalid_argument("a Wishart proposal needs b >= 2: the ratio is unbounded");
  const Envelope envelope = envelope_of(proposal, a, b, x);
  free_ = envelope.free;
  log_bound_ = envelope.log_bound;
  acceptance_ = std::exp(envelope.log_acceptance(log_partition));
}

Eigen::Matrix3d KummerBetaSampler::draw(Draws& draws, std::size_t* proposals) const {
  while (true) {
    if (proposals) ++*proposals;
    const Matrix proposed = propose(draws);
    if (std::log(draws.uniform()) < proposed.log_ratio - log_bound_) return proposed.b;
  }
}

KummerBetaSampler::Matrix KummerBetaSampler::propose(Draws& draws) const {
  switch (proposal_) {
    case KummerBetaProposal::wishart:
      return propose_wishart(a_, b_, x_, draws);
    case KummerBetaProposal::mirrored_wishart: {
      Matrix mirrored = propose_wishart(b_, a_, -x_, draws);
      return {Eigen::Matrix3d::Identity() - mirrored.b, mirrored.log_ratio - (x_.x + x_.y + x_.z)};
    }
    case KummerBetaProposal::scaled_matrix_beta:
      return propose_matrix_beta(draws);
  }
  throw std::logic_error("a proposal without a generator");
}

KummerBetaSampler::Matrix KummerBetaSampler::propose_wishart(double a, double b,
                                                             const Vec3<double>& x,
                                                             Draws& draws) const {
  const Eigen::Vector3d n = to_vector(free_);
  const Eigen::Matrix3d factor =
      n.cwiseSqrt().cwiseInverse().asDiagonal() * wishart_factor(a, draws);
  const Eigen::Matrix3d matrix = factor * factor.transpose();
  const auto log_det = log_det_if_positive(Eigen::Matrix3d::Identity() - matrix);
  if (!log_det) return {matrix, minus_infinity};
  return {matrix, (b - 2.0) * *log_det + (n - to_vector(x)).dot(matrix.diagonal())};
}

// F_0 = T^-T W T^-1 with W a Wishart matrix of a and T T^T one of b: given T, it is a Wishart
// matrix of the scale (T T^T)^-1.
KummerBetaSampler::Matrix KummerBetaSampler::propose_matrix_beta(Draws& draws) const {
  const Eigen::Vector3d q = to_vector(free_);
  const Eigen::Matrix3d w = wishart_factor(a_, draws), t = wishart_factor(b_, draws);
  const Eigen::Matrix3d factor =
      q.cwiseSqrt().asDiagonal() *
      t.transpose().triangularView<Eigen::Upper>().solve(w);  // F = factor factor^T
  const Eigen::Matrix3d identity = Eigen::Matrix3d::Identity();
  const Eigen::Matrix3d inverse = (identity + factor * factor.transpose()).llt().solve(identity);
  const Eigen::Matrix3d matrix = identity - 0.5 * (inverse + inverse.transpose());
  if (!log_det_if_positive(matrix) || !log_det_if_positive(identity - matrix))
    return {matrix, minus_infinity};  // by rounding
  const Eigen::Matrix3d mixed =
      Eigen::Matrix3d(q.asDiagonal()) + (Eigen::Vector3d::Ones() - q).asDiagonal() * matrix;
  return {matrix, (a_ + b_) * std::log(mixed.determinant()) - to_vector(x_).dot(matrix.diagonal())};
}

}  // namespace tumble
