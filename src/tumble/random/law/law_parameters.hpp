// What a user says to name the law of a random number: plain structs of named parameters.
//
// Where there are alternatives the parameters are optional, and exactly one of the combinations in
// the comment must be given. `mean`, `std` and `cv` are always those of the random number itself,
// cv being std / |mean|; `min` and `max` bound it.
#pragma once
#include <limits>
#include <optional>
#include <variant>
#include <vector>

namespace tumble {

/// mean and std, or mean and cv.
struct NormalLaw {
  static constexpr const char* type = "normal";
  std::optional<double> mean = {}, std = {}, cv = {};
};

/// mean and std, or mean and cv, or log_mean and log_std: mean and standard deviation of
/// log(x - min).
struct LognormalLaw {
  static constexpr const char* type = "lognormal";
  std::optional<double> mean = {}, std = {}, cv = {}, log_mean = {}, log_std = {};
  double min = 0;
};

/// min and max, or mean and std, or mean and cv.
struct UniformLaw {
  static constexpr const char* type = "uniform";
  std::optional<double> min = {}, max = {}, mean = {}, std = {}, cv = {};
};

/// The density rises linearly from min to mode and falls linearly to max.
struct TriangularLaw {
  static constexpr const char* type = "triangular";
  double min = 0, mode = 0.5, max = 1;
};

/// On [min, max], with density proportional to (x - min)^(alpha - 1) (max - x)^(beta - 1): alpha
/// and beta, or mean and std, or mean and cv.
struct BetaLaw {
  static constexpr const char* type = "beta";
  std::optional<double> alpha = {}, beta = {}, mean = {}, std = {}, cv = {};
  double min = 0, max = 1;
};

/// Density proportional to (x - min)^(shape - 1) exp(-(x - min) / scale): mean and std, or mean and
/// cv, or shape and scale.
struct GammaLaw {
  static constexpr const char* type = "gamma";
  std::optional<double> mean = {}, std = {}, cv = {}, shape = {}, scale = {};
  double min = 0;
};

/// P(X > x) = exp(-((x - min) / scale)^shape): shape and scale, or mean and std, or mean and cv.
struct WeibullLaw {
  static constexpr const char* type = "weibull";
  std::optional<double> shape = {}, scale = {}, mean = {}, std = {}, cv = {};
  double min = 0;
};

/// The law of maxima, P(X <= x) = exp(-exp(-(x - location) / scale)): mean and std, or mean and cv,
/// or location and scale.
struct GumbelLaw {
  static constexpr const char* type = "gumbel";
  std::optional<double> mean = {}, std = {}, cv = {}, location = {}, scale = {};
};

/// P(X > x) = exp(-rate (x - min)): mean, or rate.
struct ExponentialLaw {
  static constexpr const char* type = "exponential";
  std::optional<double> mean = {}, rate = {};
  double min = 0;
};

/// A normal variable on condition that it lies between min and max. normal_mean and normal_std are
/// those of the variable before the condition; the truncated one has others, which its report says.
struct TruncatedNormalLaw {
  static constexpr const char* type = "truncated normal";
  double normal_mean = 0, normal_std = 1;
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
};

/// What was observed, in any order.
///
/// `linear`: the quantile function is linear between the n sorted values, the k-th of which (from
/// 1) is the quantile of (k - 1) / (n - 1); every number from the smallest to the largest value may
/// be drawn. `step`: each value has the probability 1 / n, and nothing else is drawn.
struct EmpiricalLaw {
  static constexpr const char* type = "empirical";
  enum class Interpolation { linear, step };
  std::vector<double> values = {};
  Interpolation interpolation = Interpolation::linear;
};

/// Values with their weights, which need not add up to 1; without weights all are equally likely.
struct DiscreteLaw {
  static constexpr const char* type = "discrete";
  std::vector<double> values = {}, weights = {};
};

using ScalarLawParameters =
    std::variant<NormalLaw, LognormalLaw, UniformLaw, TriangularLaw, BetaLaw, GammaLaw, WeibullLaw,
                 GumbelLaw, ExponentialLaw, TruncatedNormalLaw, EmpiricalLaw, DiscreteLaw>;

}  // namespace tumble
