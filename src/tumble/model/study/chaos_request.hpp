// What a study by polynomial chaos is to be: where the model is run, and which polynomials are
// fitted to what comes out.
#pragma once
#include <array>
#include <optional>
#include <string_view>

#include "tumble/model/entry.hpp"

namespace tumble {

enum class ChaosPoints { tensor, sparse_grid, regression };
inline constexpr std::array<std::string_view, 3> chaos_points_names{"tensor", "sparse-grid",
                                                                    "regression"};

enum class ChaosFitting { quadrature, least_squares, lars };
inline constexpr std::array<std::string_view, 3> chaos_fitting_names{"quadrature", "least-squares",
                                                                     "lars"};

enum class ChaosRule { leja, gauss };
inline constexpr std::array<std::string_view, 2> chaos_rule_names{"leja", "gauss"};

enum class ChaosOnFailure { stop, regression };
inline constexpr std::array<std::string_view, 2> chaos_on_failure_names{"stop", "regression"};

enum class ChaosGerms { matching, normal };
inline constexpr std::array<std::string_view, 2> chaos_germs_names{"matching", "normal"};

struct ChaosRequest {
  ChaosPoints points = ChaosPoints::tensor;
  int degree = 3;
  std::optional<int> level = {};
  std::optional<ChaosRule> rule = {};
  std::optional<ChaosFitting> fit = {};
  std::optional<double> q = {};
  std::optional<int> runs = {};
  ChaosGerms germs = ChaosGerms::matching;
  int validation = 64;
  double target_error = 0.01;
  ChaosOnFailure on_failure = ChaosOnFailure::stop;
  int surrogate_samples = 16384;

  static constexpr std::string_view doc =
      "Polynomial chaos, `method: chaos`: the model is run at chosen points of its random inputs, "
      "and polynomials of these inputs stand for it. The number of realisations follows from the "
      "points.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"points", "",
            "`tensor`: Gauss points, (degree + 1)^m for m random numbers; `sparse-grid`: Smolyak; "
            "`regression`: as many quasi-random points as `runs`"},
      s.points);
    v(Entry{"degree", "",
            "`tensor`: of the polynomials in each random number; `regression`: the total one, for "
            "`lars` the highest that is tried. Not for sparse grids, which have a `level`"},
      s.degree);
    v(Entry{"level", "", "of a sparse grid; 2 if left out"}, s.level);
    v(Entry{"rule", "", "of a sparse grid: `leja` points are nested, `gauss` points are not"},
      s.rule);
    v(Entry{"fit", "",
            "how coefficients are found: `quadrature` with grids, `least-squares` or `lars` "
            "(sparse: "
            "the terms are chosen by the data) with `regression`"},
      s.fit);
    v(Entry{"q", "",
            "`regression`: terms with (i_1^q + ... + i_m^q)^(1/q) <= degree, fewer interactions "
            "for "
            "a smaller q; 1, the total degree, if left out",
            Range::positive},
      s.q);
    v(Entry{"runs", "",
            "`regression`: how many; twice the number of terms if left out, required for `lars`"},
      s.runs);
    v(Entry{"germs", "",
            "what polynomials are written in: `matching`, each law's own random number; `normal`, "
            "a standard normal number for every law with a distribution function, which suits "
            "outputs like 1/mass better"},
      s.germs);
    v(Entry{"validation", "",
            "runs that are kept out of the fit and measure its errors, behind the points in "
            "`realization`; 0: none, and errors are guesses from the fit itself, marked "
            "unreliable"},
      s.validation);
    v(Entry{"target_error", "",
            "a warning tells if the share of the variance that the polynomials miss is larger for "
            "certain: if the lower end of its interval is",
            Range::positive},
      s.target_error);
    v(Entry{"on_failure", "",
            "if a run at a point of a grid fails: `stop` ends the study with status 1, "
            "`regression` "
            "fits fewer polynomials to the others"},
      s.on_failure);
    v(Entry{"surrogate_samples", "",
            "values of the polynomials that quantiles and densities are taken from; a power of 2 "
            "is "
            "best"},
      s.surrogate_samples);
  }
};

}  // namespace tumble
