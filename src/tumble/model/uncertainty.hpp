// What is not exactly known, as the user describes it: distributions of parameters, and
// maximum-entropy laws of rigid bodies (docs/theory/random-inputs.md). The laws themselves, with
// their solved parameters and samplers, are made from these descriptions by the module `study`.
#pragma once
#include <variant>

#include "tumble/model/study.hpp"

namespace tumble {

// Distributions of a number. Where two ways of giving one parameter exist, exactly one is given.

struct NormalInput {
  double mean = 0;
  std::optional<double> std, cv;
  static constexpr std::string_view type = "normal";
  static constexpr std::string_view doc = "Gaussian.";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"mean", "", "", Range::any, true}, s.mean);
    v(Field{"std", "", "standard deviation", Range::positive}, s.std);
    v(Field{"cv", "", "coefficient of variation, instead of std", Range::positive}, s.cv);
  }
};

struct LognormalInput {
  double mean = 0;
  std::optional<double> std, cv;
  static constexpr std::string_view type = "lognormal";
  static constexpr std::string_view doc = "The logarithm is Gaussian; mean and std are its own.";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"mean", "", "of the variable itself", Range::positive, true}, s.mean);
    v(Field{"std", "", "standard deviation of the variable itself", Range::positive}, s.std);
    v(Field{"cv", "", "coefficient of variation, instead of std", Range::positive}, s.cv);
  }
};

struct UniformInput {
  double min = 0, max = 0;
  static constexpr std::string_view type = "uniform";
  static constexpr std::string_view doc = "Equally likely between two bounds.";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"min", "", "", Range::any, true}, s.min);
    v(Field{"max", "", "above min", Range::any, true}, s.max);
  }
};

struct TriangularInput {
  double min = 0, mode = 0, max = 0;
  static constexpr std::string_view type = "triangular";
  static constexpr std::string_view doc = "A triangle over [min, max] with its top at mode.";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"min", "", "", Range::any, true}, s.min);
    v(Field{"mode", "", "the most likely value", Range::any, true}, s.mode);
    v(Field{"max", "", "above min", Range::any, true}, s.max);
  }
};

struct BetaInput {
  double min = 0, max = 1;
  std::optional<double> alpha, beta, mean, std;
  static constexpr std::string_view type = "beta";
  static constexpr std::string_view doc =
      "Beta on [min, max], by its two shapes or by mean and standard deviation.";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"min", "", ""}, s.min);
    v(Field{"max", "", "above min"}, s.max);
    v(Field{"alpha", "", "exponent at min, plus 1", Range::positive}, s.alpha);
    v(Field{"beta", "", "exponent at max, plus 1", Range::positive}, s.beta);
    v(Field{"mean", "", "instead of alpha and beta, with std"}, s.mean);
    v(Field{"std", "", "instead of alpha and beta, with mean", Range::positive}, s.std);
  }
};

struct GammaInput {
  std::optional<double> mean, std, cv, shape, scale;
  static constexpr std::string_view type = "gamma";
  static constexpr std::string_view doc = "Gamma, by mean and std or cv, or by shape and scale.";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"mean", "", "with std or cv", Range::positive}, s.mean);
    v(Field{"std", "", "standard deviation", Range::positive}, s.std);
    v(Field{"cv", "", "coefficient of variation, instead of std", Range::positive}, s.cv);
    v(Field{"shape", "", "with scale, instead of mean", Range::positive}, s.shape);
    v(Field{"scale", "", "mean / shape", Range::positive}, s.scale);
  }
};

struct WeibullInput {
  double shape = 0, scale = 0, location = 0;
  static constexpr std::string_view type = "weibull";
  static constexpr std::string_view doc = "P(X > x) = exp(-((x - location)/scale)^shape).";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"shape", "", "", Range::positive, true}, s.shape);
    v(Field{"scale", "", "", Range::positive, true}, s.scale);
    v(Field{"location", "", "the smallest value"}, s.location);
  }
};

struct GumbelInput {
  std::optional<double> mean, std, location, scale;
  static constexpr std::string_view type = "gumbel";
  static constexpr std::string_view doc =
      "Of largest values: P(X <= x) = exp(-exp(-(x - location)/scale)).";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"mean", "", "with std"}, s.mean);
    v(Field{"std", "", "with mean", Range::positive}, s.std);
    v(Field{"location", "", "the mode, with scale, instead of mean"}, s.location);
    v(Field{"scale", "", "", Range::positive}, s.scale);
  }
};

struct ExponentialInput {
  double mean = 0, location = 0;
  static constexpr std::string_view type = "exponential";
  static constexpr std::string_view doc = "P(X > x) = exp(-(x - location)/(mean - location)).";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"mean", "", "above location", Range::any, true}, s.mean);
    v(Field{"location", "", "the smallest value"}, s.location);
  }
};

struct TruncatedNormalInput {
  double mean = 0, std = 0;
  std::optional<double> min, max;
  static constexpr std::string_view type = "truncated_normal";
  static constexpr std::string_view doc =
      "Gaussian, given that it lies between bounds; mean and std are those before cutting.";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"mean", "", "before cutting", Range::any, true}, s.mean);
    v(Field{"std", "", "before cutting", Range::positive, true}, s.std);
    v(Field{"min", "", "none if left out"}, s.min);
    v(Field{"max", "", "none if left out"}, s.max);
  }
};

/// Numbers in place, or a column of a CSV file.
struct EmpiricalInput {
  std::vector<double> values;
  std::optional<FileName> file;
  std::string column;
  static constexpr std::string_view type = "empirical";
  static constexpr std::string_view doc = "As measured: a sample, interpolated between its values.";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"values", "", "the sample"}, s.values);
    v(Field{"file", "", "CSV file that holds it, instead of values"}, s.file);
    v(Field{"column", "", "its column's name in the header; the first if left out"}, s.column);
  }
};

struct DiscreteInput {
  std::vector<double> values, weights;
  static constexpr std::string_view type = "discrete";
  static constexpr std::string_view doc = "One of several values.";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"values", "", "", Range::any, true}, s.values);
    v(Field{"weights", "", "their probabilities up to a factor; equal if left out"}, s.weights);
  }
};

using InputLaw = std::variant<NormalInput, LognormalInput, UniformInput, TriangularInput, BetaInput,
                              GammaInput, WeibullInput, GumbelInput, ExponentialInput,
                              TruncatedNormalInput, EmpiricalInput, DiscreteInput>;

/// One random number and the parameters that take its value.
struct ScalarUncertainty {
  std::string name;                ///< of the variable: a parameter path, or a name of its own
  std::vector<std::string> paths;  ///< parameter slots; only its own path if the name is one
  InputLaw law;
};

// Maximum-entropy laws of a body (Batou & Soize 2012).

struct MassUncertainty {
  double cv = 0;
  static constexpr std::string_view doc =
      "Gamma with the nominal mass as mean; the inertia is scaled with it.";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"cv", "", "coefficient of variation, below 1/sqrt(2)", Range::positive, true}, s.cv);
  }
};

// Where the centre of mass may be; ground axes at t = 0.
struct BoxDomain {
  Vec3d center, size;
  std::optional<Orientation> orientation;
  static constexpr std::string_view type = "box";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"center", "m", "", Range::any, true}, s.center);
    v(Field{"size", "m", "its three edges", Range::positive, true}, s.size);
    v(Field{"orientation", "", "of its edges; along the ground's axes if left out"}, s.orientation);
  }
};
struct BallDomain {
  Vec3d center;
  double radius = 0;
  static constexpr std::string_view type = "ball";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"center", "m", "", Range::any, true}, s.center);
    v(Field{"radius", "m", "", Range::positive, true}, s.radius);
  }
};
struct EllipsoidDomain {
  Vec3d center, semi_axes;
  std::optional<Orientation> orientation;
  static constexpr std::string_view type = "ellipsoid";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"center", "m", "", Range::any, true}, s.center);
    v(Field{"semi_axes", "m", "", Range::positive, true}, s.semi_axes);
    v(Field{"orientation", "", "of its axes; along the ground's if left out"}, s.orientation);
  }
};
struct CylinderDomain {
  Vec3d center, axis{0, 0, 1};
  double radius = 0, length = 0;
  static constexpr std::string_view type = "cylinder";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"center", "m", "", Range::any, true}, s.center);
    v(Field{"radius", "m", "", Range::positive, true}, s.radius);
    v(Field{"length", "m", "", Range::positive, true}, s.length);
    v(Field{"axis", "", "its direction; z if left out"}, s.axis);
  }
};
/// The convex hull of points, or the intersection of half-spaces n·x <= d.
struct PolytopeDomain {
  std::vector<Vec3d> vertices;
  std::vector<std::array<double, 4>> half_spaces;  ///< n(3), d
  static constexpr std::string_view type = "polytope";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"vertices", "m", "points whose convex hull it is"}, s.vertices);
    v(Field{"half_spaces", "", "rows [nx, ny, nz, d] with n.x <= d, instead of vertices"},
      s.half_spaces);
  }
};
struct MeshDomain {
  FileName file;
  double scale = 1;
  static constexpr std::string_view type = "mesh";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"file", "", "STL file of a closed surface", Range::any, true}, s.file);
    v(Field{"scale", "", "metres per unit of the file", Range::positive}, s.scale);
  }
};
using CenterDomain = std::variant<BoxDomain, BallDomain, EllipsoidDomain, CylinderDomain,
                                  PolytopeDomain, MeshDomain>;

enum class Sampler { exact, metropolis };
inline constexpr std::array<std::string_view, 2> sampler_names{"exact", "metropolis"};

/// The chain of Metropolis-Hastings, if that is the sampler.
struct ChainSettings {
  int burn_in = 1000, thinning = 10;
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"burn_in", "", "moves before the first draw"}, s.burn_in);
    v(Field{"thinning", "", "moves from one draw to the next"}, s.thinning);
  }
};

struct CenterUncertainty {
  CenterDomain domain;
  Sampler sampler = Sampler::exact;
  ChainSettings chain;
};

struct InertiaUncertainty {
  std::optional<double> lambda_l, lambda_u, delta;
  /// Three numbers (a diagonal), nine (a matrix by rows), or none if made from the body's shape.
  std::vector<double> z_max;
  bool z_max_from_shape = false;
  Sampler sampler = Sampler::exact;
  ChainSettings chain;
};

struct BodyUncertainty {
  std::string body;
  std::optional<MassUncertainty> mass;
  std::optional<CenterUncertainty> center_of_mass;
  std::optional<InertiaUncertainty> inertia;
};

/// Dependence of scalar variables by a Gaussian copula.
struct Correlation {
  std::vector<std::string> variables;
  std::vector<double> matrix;     ///< by rows
  bool of_normal_scores = false;  ///< otherwise of the variables themselves (Nataf)
};

struct Uncertainty {
  std::vector<BodyUncertainty> bodies;
  std::vector<ScalarUncertainty> scalars;
  std::vector<Correlation> correlations;
  bool empty() const { return bodies.empty() && scalars.empty(); }
};

}  // namespace tumble
