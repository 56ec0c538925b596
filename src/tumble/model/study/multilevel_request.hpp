// What a multilevel study is to be: of which quantity, how accurate, on which grids.
#pragma once
#include <utility>

#include "tumble/model/entry.hpp"

namespace tumble {

enum class MultilevelStatistic { mean, variance };
inline constexpr std::array<std::string_view, 2> multilevel_statistic_names{"mean", "variance"};

/// Elements of some beams, by name.
struct ElementCounts {
  std::vector<std::pair<std::string, int>> list;
};

struct LevelInput {
  std::optional<double> step;
  ElementCounts elements;
  static constexpr std::string_view doc =
      "A level of a multilevel study: a grid in time and along beams. What is left out is as the "
      "model says.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"step", "s", "time step, in place of `simulation.step`", Range::positive}, s.step);
    v(Entry{"elements", "", "elements of beams by name, in place of `beams.NAME.elements`"},
      s.elements);
  }
};

struct MultilevelTarget {
  std::optional<double> relative_error, absolute_error;
  static constexpr std::string_view doc =
      "How far the estimate may be off, with the confidence `interval_confidence`: by chance and "
      "because the finest grid is not infinitely fine, together. One of the two.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"relative_error", "", "of the estimate", Range::positive}, s.relative_error);
    v(Entry{"absolute_error", "that of the statistic", "as it is", Range::positive},
      s.absolute_error);
  }
};

struct MultilevelRequest {
  std::string quantity;
  MultilevelStatistic statistic = MultilevelStatistic::mean;
  MultilevelTarget target;
  std::vector<LevelInput> levels;
  int pilot = 32;

  static constexpr std::string_view doc =
      "Multilevel Monte Carlo, `method: multilevel`: many runs on a coarse grid, and few pairs of "
      "runs with the same random numbers on two neighbouring grids, which tell how much finer "
      "grids "
      "change the answer. How many follows from the variances that are measured, and from counted "
      "work.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"quantity", "", "name of the quantity of interest", Range::any, true}, s.quantity);
    v(Entry{"statistic", "", "what of it the target is about; the results have both"}, s.statistic);
    v(Entry{"target", "", "how accurate", Range::any, true}, s.target);
    v(Entry{"levels", "",
            "grids, the coarsest first; those beyond the second are used where the target needs "
            "them",
            Range::any, true},
      s.levels);
    v(Entry{"pilot", "", "pairs on each level before numbers of pairs are chosen; in blocks of 32"},
      s.pilot);
  }
};

}  // namespace tumble
