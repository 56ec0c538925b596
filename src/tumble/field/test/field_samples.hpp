// Realisations of germs for tests, from fixed streams.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "tumble/random/law/normal_score.hpp"
#include "tumble/random/stream/stream.hpp"

namespace tumble {

/// Independent standard normal numbers.
inline std::vector<double> sample_germ(std::size_t size, std::uint64_t seed,
                                       std::uint64_t realization) {
  std::vector<double> germ;
  for (std::size_t i = 0; i < size; ++i)
    germ.push_back(standard_normal_score(Stream(seed, realization, i).uniform(0)));
  return germ;
}

/// E{X Y} of many pairs, with its standard error from the sample.
class ProductMean {
 public:
  void add(double x, double y) {
    const double product = x * y;
    ++count_;
    sum_ += product;
    squares_ += product * product;
  }
  double mean() const { return sum_ / count_; }
  double standard_error() const {
    return std::sqrt((squares_ / count_ - mean() * mean()) / count_);
  }

 private:
  double count_ = 0, sum_ = 0, squares_ = 0;
};

}  // namespace tumble
