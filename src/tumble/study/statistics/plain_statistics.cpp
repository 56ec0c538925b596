#include "tumble/study/statistics/plain_statistics.hpp"

namespace tumble {
namespace {

double smallest(const LeafStatistics& s, const Sampling&, std::size_t time, std::size_t number) {
  return s.moments().minimum(time, number);
}

double largest(const LeafStatistics& s, const Sampling&, std::size_t time, std::size_t number) {
  return s.moments().maximum(time, number);
}

constexpr PlainStatistic list[] = {
    {"min", "smallest value", nullptr, smallest},
    {"max", "largest value", nullptr, largest},
};

}  // namespace

std::span<const PlainStatistic> plain_statistics() { return list; }

}  // namespace tumble
