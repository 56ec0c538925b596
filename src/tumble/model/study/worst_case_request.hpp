// What a worst-case study is to be: where the model is run inside the box of its intervals, which
// polynomials are fitted, and how long extremes are searched for.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tumble/model/entry.hpp"
#include "tumble/model/study/chaos_request.hpp"

namespace tumble {

struct WorstCaseRequest {
  ChaosPoints points = ChaosPoints::tensor;
  int degree = 4;
  std::optional<int> level = {};
  std::optional<int> runs = {};
  int validation = 64;
  int search_runs = 512;
  std::vector<std::string> quantities = {};

  static constexpr std::string_view doc =
      "Worst case, `method: worst-case`: bounds of the response for inputs of which nothing but an "
      "interval is known, the ends of their laws. Chebyshev polynomials are fitted to runs in the "
      "box of the intervals and bounded over it; runs that the fit has not seen measure its error, "
      "and a global search looks for runs beyond the bounds.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"points", "",
            "`tensor`: Chebyshev points, (degree + 1)^m for m inputs; `sparse-grid`: Smolyak; "
            "`regression`: as many quasi-random points as `runs`"},
      s.points);
    v(Entry{"degree", "",
            "`tensor`: of the polynomials in each input; `regression`: the total one. Not for "
            "sparse grids, which have a `level`"},
      s.degree);
    v(Entry{"level", "", "of a sparse grid; 2 if left out"}, s.level);
    v(Entry{"runs", "", "`regression`: how many; twice the number of terms if left out"}, s.runs);
    v(Entry{"validation", "",
            "runs at least that are kept out of the fit and measure its error, corners of the box "
            "among them; as many more as make the runs before the search a multiple of 64"},
      s.validation);
    v(Entry{"search_runs", "",
            "at most, of the global search for the smallest and the largest value of each "
            "quantity, in whole rounds of 64; 0: no search, and no runs where the polynomials have "
            "their extremes"},
      s.search_runs);
    v(Entry{"quantities", "", "names of the quantities of interest to search; all if left out"},
      s.quantities);
  }
};

}  // namespace tumble
