// Exact independent draws from a Kummer-Beta law of matrices, by rejection.
#pragma once
#include <Eigen/Core>
#include <cstddef>
#include <string_view>

#include "tumble/random/inertia/matrix_kummer_beta.hpp"
#include "tumble/random/stream/draws.hpp"

namespace tumble {

/// Laws that are easy to draw and close to the target
///   det(B)^(a-2) det(I-B)^(b-2) exp(-tr(X B)).
/// Each has one free number per axis, chosen to make rejection rarest; the choice and the rate of
/// acceptance are known in closed form (docs/theory/inertia-law.md).
enum class KummerBetaProposal {
  wishart,             ///< B = N^(-1/2) W N^(-1/2), W a Wishart matrix; needs b >= 2
  mirrored_wishart,    ///< I - B of that form: for means close to I
  scaled_matrix_beta,  ///< F (I+F)^-1, F = Q F_0 Q, F_0 a matrix F variate: for b < 2
};
std::string_view name_of(KummerBetaProposal proposal);

class KummerBetaSampler {
 public:
  /// `log_partition` is that of matrix_kummer_beta(a, b, x). Takes the proposal that
  /// needs the least time. For a >= 2 and b > 1.
  KummerBetaSampler(double a, double b, const Vec3<double>& x, double log_partition);
  /// With a proposal of the caller's choice.
  KummerBetaSampler(double a, double b, const Vec3<double>& x, double log_partition,
                    KummerBetaProposal proposal);

  KummerBetaProposal proposal() const { return proposal_; }
  /// The probability that a proposed matrix is accepted.
  double acceptance() const { return acceptance_; }
  /// 0 < B < I. Adds the number of matrices it had to propose to `proposals`, if there is one.
  Eigen::Matrix3d draw(Draws& draws, std::size_t* proposals = nullptr) const;

 private:
  struct Matrix {
    Eigen::Matrix3d b;
    double log_ratio;  // of target to proposal, not normalised; minus infinity outside 0 < B < I
  };
  Matrix propose(Draws& draws) const;
  Matrix propose_wishart(double a, double b, const Vec3<double>& x, Draws& draws) const;
  Matrix propose_matrix_beta(Draws& draws) const;

  double a_, b_;
  Vec3<double> x_;
  KummerBetaProposal proposal_;
  Vec3<double> free_;  // N, or Q^2
  double log_bound_;   // of log_ratio
  double acceptance_;
};

}  // namespace tumble
