// Statistics of every number at every time that stand by themselves: a name, words, and a function
// of what a study keeps. The results file, sweeps and the page go through this list.
#pragma once
#include <span>

#include "tumble/study/sampling.hpp"
#include "tumble/study/statistics/leaf_statistics.hpp"

namespace tumble {

struct PlainStatistic {
  const char* name;   ///< of the variable: <probe>_<quantity>_<name>
  const char* words;  ///< what it is, in results and on the page
  const char* unit;   ///< null: that of the quantity
  double (*value)(const LeafStatistics& statistics, const Sampling& sampling, std::size_t time,
                  std::size_t number);
};

std::span<const PlainStatistic> plain_statistics();

}  // namespace tumble
