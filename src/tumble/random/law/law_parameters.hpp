// Distributions of one number, as a user describes them: parameters, documentation, and in which
// combinations they are given. The reader of model files, the schema and the laws themselves go by
// these declarations.
//
// Where a law can be given in several ways the parameters are optional; exactly those of one of its
// `forms` are given. `mean`, `std` and `cv` (= std / |mean|) are those of the number itself, except
// where a law says otherwise; `min` and `max` bound it.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tumble/base/entry.hpp"

namespace tumble {

/// The unit of a law's fields that are measured like the number itself.
inline constexpr std::string_view parameter_unit = "that of the parameter";

/// Parameters that are given together; the second may be empty.
using LawForm = std::array<std::string_view, 2>;

/// What a law computes (law_kernel.hpp).
class LawKernel;
using Kernel = std::unique_ptr<const LawKernel>;

struct NormalLaw {
  std::optional<double> mean = {}, std = {}, cv = {};
  static constexpr std::string_view type = "normal";
  static constexpr std::string_view doc = "Gaussian: mean, and std or cv.";
  static constexpr std::array forms{LawForm{"mean", "std"}, LawForm{"mean", "cv"}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"mean", parameter_unit, "", Range::any, true}, s.mean);
    v(Entry{"std", parameter_unit, "standard deviation", Range::positive}, s.std);
    v(Entry{"cv", "", "coefficient of variation, instead of std", Range::positive}, s.cv);
  }
};
Kernel make_kernel(const NormalLaw& law);

struct LognormalLaw {
  std::optional<double> mean = {}, std = {}, cv = {}, log_mean = {}, log_std = {};
  double min = 0;
  static constexpr std::string_view type = "lognormal";
  static constexpr std::string_view doc =
      "log(x - min) is Gaussian: mean, and std or cv; or log_mean and log_std.";
  static constexpr std::array forms{LawForm{"mean", "std"}, LawForm{"mean", "cv"},
                                    LawForm{"log_mean", "log_std"}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"mean", parameter_unit, "of the variable itself, not of its logarithm"}, s.mean);
    v(Entry{"std", parameter_unit, "standard deviation of the variable itself", Range::positive},
      s.std);
    v(Entry{"cv", "", "coefficient of variation, instead of std", Range::positive}, s.cv);
    v(Entry{"log_mean", "", "mean of log(x - min), with log_std"}, s.log_mean);
    v(Entry{"log_std", "", "standard deviation of log(x - min)", Range::positive}, s.log_std);
    v(Entry{"min", parameter_unit, "the bound from below"}, s.min);
  }
};
Kernel make_kernel(const LognormalLaw& law);

struct UniformLaw {
  std::optional<double> min = {}, max = {}, mean = {}, std = {}, cv = {};
  static constexpr std::string_view type = "uniform";
  static constexpr std::string_view doc =
      "Equally likely between two bounds: min and max; or mean, and std or cv.";
  static constexpr std::array forms{LawForm{"min", "max"}, LawForm{"mean", "std"},
                                    LawForm{"mean", "cv"}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"min", parameter_unit, "with max"}, s.min);
    v(Entry{"max", parameter_unit, "above min"}, s.max);
    v(Entry{"mean", parameter_unit, "the middle, instead of bounds"}, s.mean);
    v(Entry{"std", parameter_unit, "standard deviation, (max - min)/sqrt(12)", Range::positive},
      s.std);
    v(Entry{"cv", "", "coefficient of variation, instead of std", Range::positive}, s.cv);
  }
};
Kernel make_kernel(const UniformLaw& law);

struct TriangularLaw {
  double min = 0, mode = 0.5, max = 1;
  static constexpr std::string_view type = "triangular";
  static constexpr std::string_view doc = "The density is a triangle with its top at mode.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"min", parameter_unit, "", Range::any, true}, s.min);
    v(Entry{"mode", parameter_unit, "the most likely value", Range::any, true}, s.mode);
    v(Entry{"max", parameter_unit, "above min", Range::any, true}, s.max);
  }
};
Kernel make_kernel(const TriangularLaw& law);

struct BetaLaw {
  std::optional<double> alpha = {}, beta = {}, mean = {}, std = {}, cv = {};
  double min = 0, max = 1;
  static constexpr std::string_view type = "beta";
  static constexpr std::string_view doc =
      "Density proportional to (x - min)^(alpha - 1) (max - x)^(beta - 1): alpha and beta; or "
      "mean, "
      "and std or cv.";
  static constexpr std::array forms{LawForm{"alpha", "beta"}, LawForm{"mean", "std"},
                                    LawForm{"mean", "cv"}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"alpha", "", "with beta", Range::positive}, s.alpha);
    v(Entry{"beta", "", "with alpha", Range::positive}, s.beta);
    v(Entry{"mean", parameter_unit, "instead of alpha and beta"}, s.mean);
    v(Entry{"std", parameter_unit, "standard deviation", Range::positive}, s.std);
    v(Entry{"cv", "", "coefficient of variation, instead of std", Range::positive}, s.cv);
    v(Entry{"min", parameter_unit, ""}, s.min);
    v(Entry{"max", parameter_unit, "above min"}, s.max);
  }
};
Kernel make_kernel(const BetaLaw& law);

struct GammaLaw {
  std::optional<double> mean = {}, std = {}, cv = {}, shape = {}, scale = {};
  double min = 0;
  static constexpr std::string_view type = "gamma";
  static constexpr std::string_view doc =
      "Density proportional to (x - min)^(shape - 1) exp(-(x - min)/scale): mean, and std or cv; "
      "or "
      "shape and scale.";
  static constexpr std::array forms{LawForm{"mean", "std"}, LawForm{"mean", "cv"},
                                    LawForm{"shape", "scale"}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"mean", parameter_unit, "above min"}, s.mean);
    v(Entry{"std", parameter_unit, "standard deviation", Range::positive}, s.std);
    v(Entry{"cv", "", "coefficient of variation, instead of std", Range::positive}, s.cv);
    v(Entry{"shape", "", "with scale, instead of mean", Range::positive}, s.shape);
    v(Entry{"scale", parameter_unit, "(mean - min)/shape", Range::positive}, s.scale);
    v(Entry{"min", parameter_unit, "the bound from below"}, s.min);
  }
};
Kernel make_kernel(const GammaLaw& law);

struct WeibullLaw {
  std::optional<double> shape = {}, scale = {}, mean = {}, std = {}, cv = {};
  double min = 0;
  static constexpr std::string_view type = "weibull";
  static constexpr std::string_view doc =
      "P(X > x) = exp(-((x - min)/scale)^shape): shape and scale; or mean, and std or cv.";
  static constexpr std::array forms{LawForm{"shape", "scale"}, LawForm{"mean", "std"},
                                    LawForm{"mean", "cv"}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"shape", "", "with scale", Range::positive}, s.shape);
    v(Entry{"scale", parameter_unit, "with shape", Range::positive}, s.scale);
    v(Entry{"mean", parameter_unit, "above min, instead of shape and scale"}, s.mean);
    v(Entry{"std", parameter_unit, "standard deviation", Range::positive}, s.std);
    v(Entry{"cv", "", "coefficient of variation, instead of std", Range::positive}, s.cv);
    v(Entry{"min", parameter_unit, "the bound from below"}, s.min);
  }
};
Kernel make_kernel(const WeibullLaw& law);

struct GumbelLaw {
  std::optional<double> mean = {}, std = {}, cv = {}, location = {}, scale = {};
  static constexpr std::string_view type = "gumbel";
  static constexpr std::string_view doc =
      "Of largest values, P(X <= x) = exp(-exp(-(x - location)/scale)): mean, and std or cv; or "
      "location and scale.";
  static constexpr std::array forms{LawForm{"mean", "std"}, LawForm{"mean", "cv"},
                                    LawForm{"location", "scale"}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"mean", parameter_unit, ""}, s.mean);
    v(Entry{"std", parameter_unit, "standard deviation", Range::positive}, s.std);
    v(Entry{"cv", "", "coefficient of variation, instead of std", Range::positive}, s.cv);
    v(Entry{"location", parameter_unit, "the most likely value, with scale"}, s.location);
    v(Entry{"scale", parameter_unit, "with location", Range::positive}, s.scale);
  }
};
Kernel make_kernel(const GumbelLaw& law);

struct ExponentialLaw {
  std::optional<double> mean = {}, rate = {};
  double min = 0;
  static constexpr std::string_view type = "exponential";
  static constexpr std::string_view doc = "P(X > x) = exp(-rate (x - min)): mean, or rate.";
  static constexpr std::array forms{LawForm{"mean"}, LawForm{"rate"}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"mean", parameter_unit, "above min"}, s.mean);
    v(Entry{"rate", "", "1/(mean - min), instead of mean", Range::positive}, s.rate);
    v(Entry{"min", parameter_unit, "the bound from below"}, s.min);
  }
};
Kernel make_kernel(const ExponentialLaw& law);

struct TruncatedNormalLaw {
  double normal_mean = 0, normal_std = 1;  ///< of the variable before the condition
  std::optional<double> min = {}, max = {};
  static constexpr std::string_view type = "truncated_normal";
  static constexpr std::string_view doc =
      "Gaussian on condition that it lies between bounds, one of which may be left out. mean and "
      "std are those without the condition.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"mean", parameter_unit, "before cutting", Range::any, true}, s.normal_mean);
    v(Entry{"std", parameter_unit, "before cutting", Range::positive, true}, s.normal_std);
    v(Entry{"min", parameter_unit, "no bound if left out"}, s.min);
    v(Entry{"max", parameter_unit, "above min; no bound if left out"}, s.max);
  }
};
Kernel make_kernel(const TruncatedNormalLaw& law);

enum class EmpiricalInterpolation { linear, step };
inline constexpr std::array<std::string_view, 2> empirical_interpolation_names{"linear", "step"};

/// What was observed, in any order: numbers in place, or a column of a CSV file, which the reader
/// puts into `values`.
///
/// `linear`: the quantile function is linear between the n sorted values, the k-th of which (from
/// 1) is the quantile of (k - 1) / (n - 1); every number from the smallest to the largest value may
/// be drawn. `step`: each value has the probability 1 / n, and nothing else is drawn.
struct EmpiricalLaw {
  using Interpolation = EmpiricalInterpolation;
  std::vector<double> values = {};
  std::optional<FileName> file = {};
  std::string column = {};
  EmpiricalInterpolation interpolation = EmpiricalInterpolation::linear;
  static constexpr std::string_view type = "empirical";
  static constexpr std::string_view doc = "As observed: values, or file.";
  static constexpr std::array forms{LawForm{"values"}, LawForm{"file"}};
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"values", parameter_unit, "what was observed, in any order"}, s.values);
    v(Entry{"file", "", "CSV file that holds them, instead of values"}, s.file);
    v(Entry{"column", "", "its name in the header of the file; the first column if left out"},
      s.column);
    v(Entry{"interpolation", "",
            "`linear`: anything between the smallest and the largest value; `step`: only values "
            "that are there"},
      s.interpolation);
  }
};
Kernel make_kernel(const EmpiricalLaw& law);

struct DiscreteLaw {
  std::vector<double> values = {}, weights = {};  ///< weights need not add up to 1
  static constexpr std::string_view type = "discrete";
  static constexpr std::string_view doc = "One of several values.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"values", parameter_unit, "", Range::any, true}, s.values);
    v(Entry{"weights", "", "their probabilities up to a factor; equal if left out",
            Range::non_negative},
      s.weights);
  }
};
Kernel make_kernel(const DiscreteLaw& law);

using ScalarLawParameters =
    std::variant<NormalLaw, LognormalLaw, UniformLaw, TriangularLaw, BetaLaw, GammaLaw, WeibullLaw,
                 GumbelLaw, ExponentialLaw, TruncatedNormalLaw, EmpiricalLaw, DiscreteLaw>;

}  // namespace tumble
