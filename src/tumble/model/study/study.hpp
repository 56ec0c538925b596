// What an ensemble of realisations of one model is to be: where their numbers come from, how many,
// and what is kept of them.
#pragma once
#include <cstdint>
#include <string_view>

#include "tumble/model/study/chaos_request.hpp"
#include "tumble/model/study/multilevel_request.hpp"
#include "tumble/model/study/reliability_request.hpp"
#include "tumble/model/study/sensitivity_request.hpp"
#include "tumble/model/study/study_requests.hpp"
#include "tumble/model/study/variability_request.hpp"
#include "tumble/model/study/worst_case_request.hpp"

namespace tumble {

enum class StudyMethod {
  table,
  monte_carlo,
  latin_hypercube,
  sobol,
  chaos,
  sensitivity,
  variability_response,
  reliability,
  multilevel,
  worst_case
};
inline constexpr std::array<std::string_view, 10> study_method_names{
    "table",       "monte-carlo",          "latin-hypercube", "sobol",      "chaos",
    "sensitivity", "variability-response", "reliability",     "multilevel", "worst-case"};

enum class QuantileMethod { exact, sketch };
inline constexpr std::array<std::string_view, 2> quantile_method_names{"exact", "sketch"};

/// What is drawn as the region of a number with the probability Pc.
enum class RegionKind { quantile, tolerance, simultaneous, chebyshev };
inline constexpr std::array<std::string_view, 4> region_kind_names{"quantile", "tolerance",
                                                                   "simultaneous", "chebyshev"};

/// Larger seeds would not come back from a double, which is what expressions, JSON and JavaScript
/// make of them.
inline constexpr std::int64_t largest_seed = 9007199254740991;  // 2^53 - 1

/// Which realisations have their trajectories in the results: none, all, or those listed.
struct StoredTrajectories {
  bool all = false;
  std::vector<std::uint64_t> list;  ///< ascending, from 0
  bool any() const { return all || !list.empty(); }
};

struct Study {
  StudyMethod method = StudyMethod::table;
  std::optional<FileName> file;
  std::optional<int> realizations;
  std::int64_t seed = 1;
  std::optional<int> randomizations;
  double confidence = 0.9;
  RegionKind region = RegionKind::quantile;
  double max_failed = 0.01;
  std::vector<double> quantiles;
  QuantileMethod quantile_method = QuantileMethod::exact;
  int sketch_size = 200;
  StoredTrajectories store;
  double interval_confidence = 0.95;
  std::optional<DensityRequest> densities;
  std::optional<StoppingRequest> until;
  std::optional<ChaosRequest> chaos;
  std::optional<SensitivityRequest> sensitivity;
  std::optional<VariabilityRequest> variability;
  std::optional<ReliabilityRequest> reliability;
  std::optional<MultilevelRequest> multilevel;
  std::optional<WorstCaseRequest> worst_case;

  static constexpr std::string_view doc =
      "Many runs of the model with different numbers. Without this section a run is nominal.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"method", "",
            "`table`: the numbers of each realisation are a row of `file`; `monte-carlo`: "
            "independent draws of what is in `uncertainty`; `latin-hypercube` and `sobol`: draws "
            "that fill the space of the random numbers more evenly; `chaos`: polynomials of the "
            "random "
            "numbers, fitted to runs at chosen points; `sensitivity`: draws in blocks that share "
            "some of their random numbers, which tell where the variance comes from; "
            "`variability-response`: waves of a beam's flexibility; `reliability`: points that "
            "tell "
            "how probable it is that a quantity passes a limit; `multilevel`: draws on coarse and "
            "fine grids, for one quantity of interest; `worst-case`: bounds of the response for "
            "inputs "
            "known by intervals only, the ends of their laws",
            Range::any, true},
      s.method);
    v(Entry{"file", "",
            "method `table`: CSV file; its header names parameter paths, each row below is a "
            "realisation"},
      s.file);
    v(Entry{"realizations", "",
            "how many, at most if there is `until`; all rows of a table if left out, to be left "
            "out "
            "with `chaos`, `variability-response`, `reliability` and `worst-case`, required "
            "otherwise; with "
            "`sensitivity` as "
            "many "
            "whole blocks as these make; with `multilevel` runs at most, a million if left out"},
      s.realizations);
    v(Entry{"seed", "",
            "of random inputs, from 0 to 9007199254740991 = 2^53 - 1; a table has none"},
      s.seed);
    v(Entry{"randomizations", "",
            "methods `latin-hypercube` and `sobol`: independent repetitions of at least 8 points, "
            "whose scatter gives the standard errors. If left out 16 from 128 realisations on, 8 "
            "from 64 on; fewer realisations are refused. 1: values without errors"},
      s.randomizations);
    v(Entry{"confidence", "",
            "Pc: the results hold the quantiles (1-Pc)/2, 0.5 and (1+Pc)/2 of every number",
            Range::fraction},
      s.confidence);
    v(Entry{"region", "",
            "what else the results hold for Pc, beside the quantiles. `tolerance`: at each time "
            "limits that hold Pc of all machines with the confidence `interval_confidence`; "
            "`simultaneous`: a band that holds whole trajectories of Pc of all machines with that "
            "confidence; both with `monte-carlo`. `chebyshev`: mean and std/sqrt(1 - Pc) on either "
            "side, which holds Pc whatever the distribution. `quantile`: nothing else"},
      s.region);
    v(Entry{"max_failed", "", "the study fails (status 1) if a larger fraction of its runs does",
            Range::fraction},
      s.max_failed);
    v(Entry{"quantiles", "", "further probabilities of quantiles"}, s.quantiles);
    v(Entry{"quantile_method", "",
            "`exact` keeps all values until the end; `sketch` bounds memory and has a stated "
            "error"},
      s.quantile_method);
    v(Entry{"sketch_size", "",
            "k of the sketch: ranks of n values are known within n (log2(n/k) + 1) / (4 k)"},
      s.sketch_size);
    v(Entry{"store", "", "whose trajectories to store: `none`, `all` or a list of realisations"},
      s.store);
    v(Entry{"interval_confidence", "",
            "of the confidence intervals of means, standard deviations and quantiles, and of "
            "regions",
            Range::fraction},
      s.interval_confidence);
    v(Entry{"densities", "", "at which times to estimate probability densities"}, s.densities);
    v(Entry{"until", "", "when there are enough realisations"}, s.until);
    v(Entry{"chaos", "", "method `chaos`: points and polynomials"}, s.chaos);
    v(Entry{"sensitivity", "", "method `sensitivity`: which indices, of which inputs"},
      s.sensitivity);
    v(Entry{"variability", "", "method `variability-response`: the beam, waves and a spectrum"},
      s.variability);
    v(Entry{"reliability", "", "method `reliability`: the quantity, its limit and how to find out"},
      s.reliability);
    v(Entry{"multilevel", "", "method `multilevel`: the quantity, how accurate, and the grids"},
      s.multilevel);
    v(Entry{"worst_case", "", "method `worst-case`: points, polynomials and the search"},
      s.worst_case);
  }
};

/// The independent copies that a Latin hypercube or Sobol' design of so many realisations is made
/// of: what the study says, otherwise 16, or 8 where that leaves copies of at least 8 points.
inline std::uint64_t randomizations_of(const Study& study, std::uint64_t realizations) {
  if (study.randomizations) return static_cast<std::uint64_t>(*study.randomizations);
  return realizations >= 128 ? 16 : realizations >= 64 ? 8 : 1;
}

}  // namespace tumble
