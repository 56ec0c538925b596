// The likelihood of measurements from an ensemble of weighted runs.
//
// An experiment measures numbers y of one machine, drawn from a law with parameters theta. Runs of
// machines x_j, drawn from a proposal, respond with q_j; weights w_j = p_theta(x_j) /
// p_proposal(x_j) make one ensemble stand for every theta. What then stands for p(y | theta),
// docs/theory/ identification.md derives.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

namespace tumble {

/// What was measured: a row an experiment, a column a number. NaN: missing.
struct Measurements {
  std::size_t experiments = 0, numbers = 0;
  std::vector<double> values;  ///< [experiment][number]
  std::vector<double> noise;   ///< [number] standard deviation of the error; 0: exact

  double at(std::size_t experiment, std::size_t number) const {
    return values[experiment * numbers + number];
  }
};

/// What runs responded.
struct Responses {
  std::size_t draws = 0, numbers = 0;
  std::vector<double> values;  ///< [draw][number]

  double at(std::size_t draw, std::size_t number) const { return values[draw * numbers + number]; }
};

/// Draws are put into groups by their index, and errors told from what leaving out one group
/// changes. Draws of one randomisation of a design are in one group.
inline constexpr std::size_t draw_groups = 16;

struct LikelihoodValue {
  std::vector<double> experiments;      ///< log p(y_i | theta)
  std::vector<double> left_out;         ///< [group][experiment]: the same without a group of draws
  double effective_size = 0;            ///< of the weights: (sum w)^2 / sum w^2
  std::vector<double> effective_sizes;  ///< [experiment]: of the draws that explain it

  double total() const;
  /// Of one experiment after the other, each so many times.
  double total(const std::vector<double>& counts) const;
  /// sum_i of left_out - experiments, by group.
  std::vector<double> differences() const;
};

/// sqrt((g - 1) / g sum (x_k - mean)^2): the standard error of what g values, each without one of
/// g groups, say (the jackknife).
double jackknife_error(const std::vector<double>& values);

class EnsembleLikelihood {
 public:
  virtual ~EnsembleLikelihood() = default;
  /// `log_weights`: of the draws, up to a constant; minus infinity for draws that do not count.
  virtual LikelihoodValue evaluate(const std::vector<double>& log_weights) const = 0;
};

/// p(y | theta) = sum_j w_j prod_k N(y_k; q_jk, s_k^2) / sum_j w_j over the numbers k that are not
/// missing. All noises must be positive. `group`: of each draw, below draw_groups.
std::unique_ptr<EnsembleLikelihood> marginal_likelihood(const Measurements& measurements,
                                                        const Responses& responses,
                                                        std::vector<std::size_t> group);

/// p(y | theta) = N(y; m, C + diag(s^2)) with the weighted mean m and covariance C of the
/// responses.
std::unique_ptr<EnsembleLikelihood> gaussian_likelihood(const Measurements& measurements,
                                                        const Responses& responses,
                                                        std::vector<std::size_t> group);

/// p(y | theta) = sum_j w_j prod_k N(y_k; q_jk, h_k^2 + s_k^2) / sum_j w_j with the bandwidths of a
/// normal reference, h_k = std_k (4 / ((d + 2) n_eff))^(1 / (d + 4)) (D. W. Scott, Multivariate
/// Density Estimation, 1992, section 6.3). For one or two numbers.
/// @throws std::invalid_argument for more.
std::unique_ptr<EnsembleLikelihood> kernel_likelihood(const Measurements& measurements,
                                                      const Responses& responses,
                                                      std::vector<std::size_t> group);

}  // namespace tumble
