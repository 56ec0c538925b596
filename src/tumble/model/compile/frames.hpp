// From what users write (orientations, axes, points in ground axes at t = 0) to frames on bodies.
#pragma once
#include <array>
#include <optional>

#include "tumble/math/rotation.hpp"
#include "tumble/model/model.hpp"

namespace tumble {

/// A frame: origin and axes, relative to the ground or to a body as said by the context.
struct Frame {
  Vec3d p;
  Mat3d R = Mat3d::identity();
};

/// The rotation an Orientation stands for; quaternions and axes are normalised.
Mat3d rotation_matrix(const Orientation& orientation);

/// The unit quaternion (w >= 0) of a rotation matrix.
Quaternion<double> quaternion_of(const Mat3d& R);

/// Right-handed axes whose z is along `axis`; x and y are chosen deterministically.
Mat3d axes_along(const Vec3d& axis);

/// Right-handed axes with x along `x` and y in the plane of `x` and `y`.
Mat3d axes_from_xy(const Vec3d& x, const Vec3d& y);

/// Index of a body for kernels: 0 is the ground, i + 1 the i-th body. -1 if the name is unknown.
int body_index(const Model& model, const std::string& name);

/// Where a body's centre of mass is at t = 0, or the frame that is on a node.
Frame body_frame(const Model& model, int body);

/// Where an end of an element is at t = 0, in ground axes.
struct End {
  int body = 0;                 ///< index as in body_index()
  std::optional<Frame> marker;  ///< if the end was given as a marker
};
End resolve(const Model& model, const MarkerRef& reference);

/// The two frames of an element at t = 0 in ground axes: markers where given, otherwise the
/// element's own point and axes.
struct FramePair {
  std::array<int, 2> body{};
  std::array<Frame, 2> frame;
};
FramePair frame_pair(const Model& model, const std::array<MarkerRef, 2>& between,
                     const std::optional<Vec3d>& point, const std::optional<Mat3d>& axes);

/// The two ends of an element that acts along a line.
FramePair point_pair(const Model& model, const std::array<MarkerRef, 2>& between,
                     const std::optional<std::array<Vec3d, 2>>& points);

}  // namespace tumble
