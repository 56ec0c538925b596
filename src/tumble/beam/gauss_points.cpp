#include "tumble/beam/gauss_points.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

namespace tumble::beam {

std::vector<GaussPoint> gauss_points(int count) {
  if (count < 1 || count > 64)
    throw std::invalid_argument("number of Gauss points = " + std::to_string(count) +
                                ", must be from 1 to 64");
  std::vector<GaussPoint> points(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    double x = -std::cos(std::numbers::pi * (i + 0.75) / (count + 0.5)), slope = 1;
    constexpr int more_than_enough = 20;  // the iteration is quadratic and starts 1e-3 away
    for (int iteration = 0; iteration < more_than_enough; ++iteration) {
      double p = 1, p_before = 0;  // (k + 1) P_{k+1} = (2k + 1) x P_k - k P_{k-1}
      for (int k = 0; k < count; ++k) {
        const double next = ((2 * k + 1) * x * p - k * p_before) / (k + 1);
        p_before = p;
        p = next;
      }
      slope = count * (x * p - p_before) / (x * x - 1);
      const double change = p / slope;
      x -= change;
      if (std::abs(change) < 1e-16) break;
    }
    points[static_cast<std::size_t>(i)] = {0.5 * (1 + x), 1 / ((1 - x * x) * slope * slope)};
  }
  return points;
}

}  // namespace tumble::beam
