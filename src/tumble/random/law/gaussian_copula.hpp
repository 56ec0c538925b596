// Dependence between random numbers through correlated normal scores.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "tumble/random/law/scalar_law.hpp"

namespace tumble {

struct CorrelationMatrix {
  enum class Of {
    variables,     ///< of the random numbers themselves; the scores are solved for (Nataf)
    normal_scores  ///< of the scores, as it stands
  };
  Of of = Of::variables;
  std::vector<std::vector<double>> rows = {};
};

/// Random numbers x_i = F_i^-1(Phi(z_i)) with laws F_i, where the scores z are normal with zero
/// means, unit variances and a correlation matrix. Immutable; may be used by many threads.
class GaussianCopula {
 public:
  /// Throws std::invalid_argument, with the entry or the eigenvalue to blame, for a matrix that is
  /// no correlation matrix, and for a correlation that the laws cannot have.
  GaussianCopula(std::vector<ScalarLaw> laws, const CorrelationMatrix& correlation);

  std::size_t size() const { return laws_.size(); }
  const ScalarLaw& law(std::size_t i) const { return laws_[i]; }
  /// Of scores i and j.
  double score_correlation(std::size_t i, std::size_t j) const;
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// From independent uniform numbers u in (0, 1) to the dependent ones: z = L Phi^-1(u), x_i =
  /// F_i^-1(Phi(z_i)), with the Cholesky factor L of the correlation of the scores. Variable i
  /// depends on u_0 ... u_i. Both have size() numbers, and may be the same.
  void map(std::span<const double> u, std::span<double> x) const;
  /// The same from the independent scores Phi^-1(u), which reach further into the upper tail than a
  /// u next to 1 can say.
  void map_scores(std::span<const double> scores, std::span<double> x) const;

  /// The correlated scores z = L Phi^-1(u), and the numbers that have given ones.
  void scores(std::span<const double> u, std::span<double> z) const;
  void from_scores(std::span<const double> z, std::span<double> x) const;
  /// Makes of a draw `z` of the scores one on condition that those with `given` have the values of
  /// `known`: z + C_.g C_gg^-1 (known_g - z_g), which is normal with the conditional mean and
  /// covariance (conditioning by kriging).
  void condition(const std::vector<bool>& given, std::span<const double> known,
                 std::span<double> z) const;

 private:
  void check_sizes(std::size_t in, std::size_t out) const;

  std::vector<ScalarLaw> laws_;
  std::vector<double> scores_;    ///< correlation of scores, by rows
  std::vector<double> cholesky_;  ///< L, by rows
  std::vector<std::string> warnings_;
};

}  // namespace tumble
