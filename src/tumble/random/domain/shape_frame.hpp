// Place and axes of a shape in space, and the checks that shapes have in common.
#pragma once
#include <string>
#include <string_view>

#include "tumble/random/domain/domain.hpp"

namespace tumble {

/// The columns of `axes` are the axes of the shape.
struct ShapeFrame {
  Vec3d origin;
  Mat3d axes = Mat3d::identity();

  Vec3d to_local(const Vec3d& x) const { return transpose_times(axes, x - origin); }
  Vec3d to_space(const Vec3d& local) const { return origin + axes * local; }
};

/// A frame with `third` as its third axis and the others anywhere across it.
ShapeFrame frame_along(const Vec3d& origin, const Vec3d& third);

/// "(1, 2.5, -3)", with seven digits.
std::string format_point(const Vec3d& x);

/// These throw std::invalid_argument with a sentence about `quantity`, as in "radius of the ball".
void require_finite(std::string_view quantity, const Vec3d& x);
void require_positive(std::string_view quantity, double value);
/// Orthonormal columns to within 1e-9; of either handedness, because all our shapes are symmetric.
void require_axes(std::string_view quantity, const Mat3d& axes);

}  // namespace tumble
