#include "tumble/model/compile/frames.hpp"

#include <cmath>
#include <stdexcept>

#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/compile/find_named.hpp"

namespace tumble {

namespace {

Vec3d unit(const Vec3d& v) { return (1.0 / norm(v)) * v; }

Mat3d elementary_rotation(int axis, double angle) {
  Vec3d u;
  u[axis] = angle;
  return matrix(exp_quaternion(u));
}

Mat3d from_numbers(const Orientation& o) {
  const auto& n = o.numbers;
  switch (o.form) {
    case Orientation::Form::quaternion:
      return matrix(normalized(Quaternion<double>{n.at(0), n.at(1), n.at(2), n.at(3)}));
    case Orientation::Form::rotation_vector:
      return matrix(exp_quaternion(Vec3d{n.at(0), n.at(1), n.at(2)}));
    case Orientation::Form::euler: {
      // Moving axes: R = R_i(a) R_j(b) R_k(c).
      Mat3d R = Mat3d::identity();
      for (std::size_t i = 0; i < 3; ++i) {
        const char c = o.sequence.at(i);
        const int axis = c >= 'x' ? c - 'x' : c >= 'X' ? c - 'X' : c - '1';
        R = R * elementary_rotation(axis, n.at(i));
      }
      return R;
    }
    case Orientation::Form::axes:
      return axes_from_xy({n.at(0), n.at(1), n.at(2)}, {n.at(3), n.at(4), n.at(5)});
  }
  throw std::logic_error("unknown orientation form");
}

}  // namespace

Mat3d rotation_matrix(const Orientation& orientation) { return from_numbers(orientation); }

Quaternion<double> quaternion_of(const Mat3d& R) {
  // Shepperd's choice of the largest component keeps the square root away from zero.
  const double t = R(0, 0) + R(1, 1) + R(2, 2);
  const double candidates[4] = {t, R(0, 0), R(1, 1), R(2, 2)};
  int k = 0;
  for (int i = 1; i < 4; ++i)
    if (candidates[i] > candidates[k]) k = i;
  Quaternion<double> q;
  if (k == 0) {
    q = {1 + t, R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)};
  } else if (k == 1) {
    q = {R(2, 1) - R(1, 2), 1 + 2 * R(0, 0) - t, R(0, 1) + R(1, 0), R(0, 2) + R(2, 0)};
  } else if (k == 2) {
    q = {R(0, 2) - R(2, 0), R(0, 1) + R(1, 0), 1 + 2 * R(1, 1) - t, R(1, 2) + R(2, 1)};
  } else {
    q = {R(1, 0) - R(0, 1), R(0, 2) + R(2, 0), R(1, 2) + R(2, 1), 1 + 2 * R(2, 2) - t};
  }
  if (q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
  return normalized(q);
}

Mat3d axes_from_xy(const Vec3d& x, const Vec3d& y) {
  const Vec3d e1 = unit(x), e3 = unit(cross(x, y));
  return Mat3d::from_columns(e1, cross(e3, e1), e3);
}

Mat3d axes_along(const Vec3d& axis) {
  const Vec3d z = unit(axis);
  // The ground axis least aligned with z gives the best conditioned x; ties go to the lower index.
  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (std::fabs(z[i]) < std::fabs(z[k]) - 1e-9) k = i;
  Vec3d e;
  e[k] = 1;
  const Vec3d x = unit(e - dot(e, z) * z);
  return Mat3d::from_columns(x, cross(z, x), z);
}

int body_index(const Model& model, const std::string& name) {
  if (name == "ground") return 0;
  const int index = find_named(model.bodies, name);
  return index < 0 ? -1 : index + 1;
}

Frame body_frame(const Model& model, int body) {
  if (body == 0) return {};
  const Body& b = model.bodies[static_cast<std::size_t>(body) - 1];
  if (b.at_node) return node_frame(model, node_of(model, {b.name}).value());
  return {b.position, rotation_matrix(b.orientation)};
}

End resolve(const Model& model, const MarkerRef& reference) {
  if (reference.frame) {
    const int body = body_index(model, reference.name);
    if (body < 0) throw std::logic_error("no frame on node '" + reference.name + "'");
    return {body, body_frame(model, body)};
  }
  const auto dot_at = reference.name.find('.');
  End end;
  end.body = body_index(model, reference.name.substr(0, dot_at));
  if (end.body < 0) throw std::logic_error("unknown body '" + reference.name + "'");
  if (dot_at == std::string::npos) return end;
  const std::string marker_name = reference.name.substr(dot_at + 1);
  const auto& markers = end.body == 0
                            ? model.ground_markers
                            : model.bodies[static_cast<std::size_t>(end.body) - 1].markers;
  for (const auto& marker : markers)
    if (marker.name == marker_name) {
      end.marker = Frame{marker.position, rotation_matrix(marker.orientation)};
      return end;
    }
  throw std::logic_error("unknown marker '" + reference.name + "'");
}

FramePair frame_pair(const Model& model, const std::array<MarkerRef, 2>& between,
                     const std::optional<Vec3d>& point, const std::optional<Mat3d>& axes) {
  const End ends[2] = {resolve(model, between[0]), resolve(model, between[1])};
  // What the element does not say, a marker says; with one marker it serves both ends; without
  // any, the second body's own centre of mass (or the first's, if the second is the ground). Of
  // nodes the first says how both ends are turned, if no marker does: sections of two beams need
  // not be aligned.
  Frame common;
  const std::size_t first =
      ends[0].marker && (!between[0].frame || !ends[1].marker || between[1].frame) ? 0 : 1;
  const auto& marker = ends[first].marker;
  if (point) {
    common.p = *point;
  } else if (marker) {
    common.p = marker->p;
  } else {
    const int body = ends[1].body > 0 ? ends[1].body : ends[0].body;
    common.p = body_frame(model, body).p;
  }
  if (axes)
    common.R = *axes;
  else if (marker)
    common.R = marker->R;
  FramePair pair;
  for (std::size_t i = 0; i < 2; ++i) {
    pair.body[i] = ends[i].body;
    pair.frame[i] = common;
    if (ends[i].marker && !point) pair.frame[i].p = ends[i].marker->p;
    if (ends[i].marker && !axes && !between[i].frame) pair.frame[i].R = ends[i].marker->R;
  }
  return pair;
}

FramePair point_pair(const Model& model, const std::array<MarkerRef, 2>& between,
                     const std::optional<std::array<Vec3d, 2>>& points) {
  FramePair pair;
  for (std::size_t i = 0; i < 2; ++i) {
    const End end = resolve(model, between[i]);
    pair.body[i] = end.body;
    if (points)
      pair.frame[i].p = (*points)[i];
    else if (end.marker)
      pair.frame[i].p = end.marker->p;
    else if (end.body > 0)
      pair.frame[i].p = body_frame(model, end.body).p;
  }
  return pair;
}

}  // namespace tumble
