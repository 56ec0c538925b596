// Which numbers of a model are to be found from measurements, and what was measured.
//
// Not part of a Model: like `uncertainty` and `study` it says what is made of its runs. Read by
// io/model/read_identification.hpp.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tumble/base/entry.hpp"
#include "tumble/model/study/input_law.hpp"

namespace tumble {

/// What stands for the probability of the measurements of one experiment.
enum class LikelihoodKind { marginal, gaussian, kernel };
inline constexpr std::array<std::string_view, 3> likelihood_kind_names{"marginal", "gaussian",
                                                                       "kernel"};

/// A number that is free, under the path that `--set` knows.
struct FreeParameter {
  std::string path;
  double min = 0, max = 0;
  std::optional<double> start = {};
  std::optional<InputLaw> prior = {};
  static constexpr std::string_view doc =
      "A free number, under its path as `--set` knows it: `uncertainty.rb5.mass.cv`, "
      "`forces.left.stiffness[2]`.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"min", parameter_unit, "the smallest value it may have", Range::any, true}, s.min);
    v(Entry{"max", parameter_unit, "the largest", Range::any, true}, s.max);
    v(Entry{"start", parameter_unit,
            "where the search begins, among other places; the middle if left out"},
      s.start);
    v(Entry{"prior", "", "`--method bayes`: its law; uniform from min to max if left out"},
      s.prior);
  }
};

/// The names of one or several columns.
struct ColumnNames {
  std::vector<std::string> names;
};

/// What some columns of the data hold.
struct ObservationInput {
  std::string probe, quantity, axis, parameter;
  std::vector<double> times;
  std::optional<double> from, to;
  int every = 1;
  std::optional<double> noise;
  std::optional<int> principal;
  ColumnNames column;
  static constexpr std::string_view doc =
      "What was measured: a component of a probe at some times, a quantity of interest, or a "
      "random input itself. Each number has a column of the data, named "
      "`probe.quantity.axis@time`, by the quantity of interest or by the parameter's path, unless "
      "`column` says otherwise.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"probe", "", "name of a probe"}, s.probe);
    v(Entry{"quantity", "", "what the probe measures; without `probe`, a quantity of interest"},
      s.quantity);
    v(Entry{"axis", "", "the component, `x`, `y`, `z` and so on; none of a scalar"}, s.axis);
    v(Entry{"times", "s", "output times", Range::non_negative}, s.times);
    v(Entry{"from", "s", "without `times`: the first output time of a whole series; 0 if left out",
            Range::non_negative},
      s.from);
    v(Entry{"to", "s", "its last; the end of the run if left out", Range::non_negative}, s.to);
    v(Entry{"every", "", "take every so-many-th output time of the series", Range::positive},
      s.every);
    v(Entry{"principal", "",
            "project the series on so many principal components of the ensemble; the share of the "
            "variance that they keep is reported",
            Range::positive},
      s.principal);
    v(Entry{"parameter", "",
            "path of a random input that was measured itself, such as `bodies.rb5.mass`"},
      s.parameter);
    v(Entry{"noise", "",
            "standard deviation of the measurement's error, in the unit of what is measured. Left "
            "out, what was measured is exact: "
            "for random inputs, and for the likelihoods `gaussian` and `kernel`",
            Range::positive},
      s.noise);
    v(Entry{"column", "", "name of its column in the data, or a list of them, one a time"},
      s.column);
  }
};

/// One column of the data, as reading makes it of the observations.
struct ObservedColumn {
  enum class Kind { probed, quantity, input };
  std::string name;             ///< in the header of the data
  std::size_t observation = 0;  ///< that it belongs to
  Kind kind = Kind::probed;
  std::size_t place = 0;  ///< of the number among those probed at an instant, or of the quantity
  std::size_t time = 0;   ///< output time, of what is probed
  double seconds = 0;     ///< the same in s
  std::string what;       ///< "pobs.acceleration.z", or the path of the input
  std::string unit;
};

enum class EnsembleDesign { automatic, sobol, monte_carlo };
inline constexpr std::array<std::string_view, 3> ensemble_design_names{"automatic", "sobol",
                                                                       "monte-carlo"};

struct IdentificationEnsemble {
  int draws = 4000;
  std::int64_t seed = 1;
  EnsembleDesign design = EnsembleDesign::automatic;
  int rounds = 3;
  static constexpr std::string_view doc = "The runs that stand for the law of the response.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"draws", "", "runs of an ensemble, at least 256", Range::positive}, s.draws);
    v(Entry{"seed", "", "of their random inputs"}, s.seed);
    v(Entry{"design", "",
            "`sobol`: draws that fill the space of the random numbers evenly; `monte-carlo`: "
            "independent ones; `automatic`: Sobol' points unless an inertia is random"},
      s.design);
    v(Entry{"rounds", "",
            "how many ensembles there may be: where few draws are near the data, another one is "
            "made from laws around the estimate",
            Range::positive},
      s.rounds);
  }
};

struct IntervalRequest {
  double level = 0.95;
  int bootstrap = 0;
  int points = 41;
  static constexpr std::string_view doc = "How sure the estimates are.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"level", "", "confidence of intervals", Range::fraction}, s.level);
    v(Entry{"bootstrap", "", "estimates from resampled experiments; 0: none", Range::non_negative},
      s.bootstrap);
    v(Entry{"points", "", "at which profiles of the likelihood are stored", Range::positive},
      s.points);
  }
};

struct BayesRequest {
  int particles = 400;
  int replicas = 4;
  static constexpr std::string_view doc = "Sequential Monte Carlo, `--method bayes`.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"particles", "", "draws of the posterior in each replica", Range::positive},
      s.particles);
    v(Entry{"replicas", "", "independent repetitions, which are compared with each other",
            Range::positive},
      s.replicas);
  }
};

struct Identification {
  std::vector<FreeParameter> parameters;
  std::vector<ObservationInput> observations;
  LikelihoodKind likelihood = LikelihoodKind::marginal;
  IdentificationEnsemble ensemble;
  IntervalRequest intervals;
  BayesRequest bayes;
  std::vector<ObservedColumn> columns;  ///< not a field: what the observations amount to
  static constexpr std::string_view doc =
      "Numbers that `tumble identify` finds from measurements. A run or a study does without.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"parameters", "", "what is free, by its path", Range::any, true}, s.parameters);
    v(Entry{"observations", "", "what the columns of the data are", Range::any, true},
      s.observations);
    v(Entry{"likelihood", "",
            "`marginal`: the law of the measurements as the ensemble has it, with their noise; "
            "`gaussian`: a normal law with the ensemble's means and covariances; `kernel`: a "
            "density "
            "from kernels, for one or two numbers"},
      s.likelihood);
    v(Entry{"ensemble", "", "runs"}, s.ensemble);
    v(Entry{"intervals", "", "of the estimates"}, s.intervals);
    v(Entry{"bayes", "", "`--method bayes`"}, s.bayes);
  }
};

}  // namespace tumble
