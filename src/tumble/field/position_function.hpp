// A number that depends on the place: mean and standard deviation of a random field.
#pragma once
#include <functional>
#include <vector>

#include "tumble/math/vec3.hpp"

namespace tumble {

/// Places are points in space, or arc lengths s as the points (s, 0, 0).
class PositionFunction {
 public:
  struct TablePoint {
    double place, value;
  };
  enum class Axis { x, y, z };  ///< arc length is x

  /// The same everywhere.
  PositionFunction(double constant);  // NOLINT: a number may stand for the function
  /// Any function, which several threads may call.
  explicit PositionFunction(std::function<double(const Vec3d&)> function);
  /// Linear between the points of a table over one coordinate. Places increase strictly; there are
  /// two or more; outside them the function is refused, not extrapolated.
  static PositionFunction piecewise_linear(std::vector<TablePoint> table, Axis axis = Axis::x);

  /// Throws std::invalid_argument outside a table, and for a value that is not finite.
  double operator()(const Vec3d& place) const;

 private:
  std::function<double(const Vec3d&)> function_;
};

}  // namespace tumble
