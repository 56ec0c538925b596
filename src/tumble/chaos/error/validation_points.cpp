#include "tumble/chaos/error/validation_points.hpp"

#include <algorithm>
#include <utility>

#include "tumble/random/design/design.hpp"
#include "tumble/random/stream/variable_id.hpp"

namespace tumble {
namespace {

/// The map of the header for v up to 1/2; beyond it, 1 - tail(1 - v).
double tail(double v) {
  const double square = v * v;
  return square * square * (35 + v * (-84 + v * (70 - 20 * v)));
}

double pulled_apart(double v) { return v <= 0.5 ? tail(v) : 1 - tail(1 - v); }

double slope(double v) {
  const double product = v * (1 - v);
  return 140 * product * product * product;
}

/// v with (1 - share) u(v) + share v = x.
double place_of(double x, double share) {
  if (share == 1) return x;
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double v = 0.5 * (low + high);
    ((1 - share) * pulled_apart(v) + share * v < x ? low : high) = v;
  }
  return 0.5 * (low + high);
}

}  // namespace

double tail_share(std::size_t germs) { return std::min(1.0, 3.0 / static_cast<double>(germs)); }

ValidationPoints validation_points(const InputSpace& space, std::size_t count, std::uint64_t seed) {
  std::vector<DesignCoordinate> coordinates;
  for (const std::string& name : space.names())
    coordinates.push_back({variable_id("validation of " + name)});
  const auto design = make_design(
      {.kind = DesignKind::sobol, .seed = seed, .realizations = count, .randomizations = 1},
      std::move(coordinates));
  const double share = tail_share(space.size());
  ValidationPoints points{DenseMatrix(count, space.size()), DenseMatrix(count, space.size()),
                          std::vector<double>(count, 1.0)};
  // Next to its ends a probability has no germ any more.
  constexpr double least = 1e-300, most = 1 - 0x1p-53;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < space.size(); ++k) {
      const double x = design->u(i, k), v = place_of(x, share);
      points.places(i, k) = x;
      points.germs(i, k) = std::clamp(pulled_apart(v), least, most);
      points.weights[i] *= slope(v) / ((1 - share) * slope(v) + share);
    }
    space.germs_from_uniforms(points.germs.row(i), points.germs.row(i));
  }
  return points;
}

}  // namespace tumble
