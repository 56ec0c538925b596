// How wrong the numbers of an expansion may be.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "tumble/chaos/expansion.hpp"

namespace tumble {

/// One entry per output. Measured (validation.hpp), `mean` and `std` bound the error with some
/// confidence; if not, they are guesses from the fit itself, which may be far off either way.
struct ChaosErrors {
  std::vector<double> mean;      ///< of the mean, in the output's unit
  std::vector<double> std;       ///< of the standard deviation, in the output's unit
  std::vector<double> relative;  ///< E{(model - surrogate)^2} / variance
  std::string method;            ///< how they were found, for the user
  bool measured = false;         ///< by runs that the fit did not see
  std::vector<double> relative_lower, relative_upper;  ///< interval of `relative`, if measured
};

/// Tensor grids: the next lower degree leaves out the terms with the highest degree n_k in some
/// variable k. What these hold of the variance, e^2, stands for what the terms that are missing
/// hold; functions that are even or odd have every other term zero, so that e is the larger one of
/// the last two degrees. Errors: e for the mean (much less if coefficients fall quickly, because
/// Gauss means are exact to degree 2 n + 1), sqrt(variance + e^2) - std for the deviation.
/// Infinite for degree 0.
ChaosErrors shell_errors(const Expansion& expansion, std::span<const int> degrees);

/// Sparse grids: difference to the coefficients by the next lower level.
ChaosErrors level_errors(const Expansion& expansion, const DenseMatrix& lower_level_coefficients);

/// Regression on the values of N runs, one row each: `relative` is the leave-one-out error r. What
/// the terms do not describe, a deviation of s = sqrt(r v) with the variance v of the values, acts
/// as noise with a standard error of s / sqrt(N) in the mean; in the deviation the same and what is
/// missing, sqrt(variance + s^2) - std.
ChaosErrors regression_errors(const Expansion& expansion, std::vector<double> leave_one_out,
                              const DenseMatrix& values);

/// Sentences for outputs whose relative error is above `limit`: how many, and the worst.
std::vector<std::string> error_warnings(const ChaosErrors& errors, double limit = 0.01);

}  // namespace tumble
