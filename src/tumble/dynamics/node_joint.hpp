// Joints of beams (docs/theory/beam-joints.md): rows between two sides, each the ground, a rigid
// body or a node.
//   p_2 - p_1 = 0                  points
//   Σ a·b = 0                      sums of one or two products of attached vectors
// A vector is attached to a body by constant coordinates in its axes, and to a node, whose section
// is spanned by d = r_y and e = r_z, by constant coefficients k:
//   a = k₀ (d × e) + k₁ d + k₂ e
// The section alone carries it: with r_x in place of the normal d × e a clamp would forbid shear.
// In the structural formulation the frame of a section is that of its normal and e, and d is held
// to it by a penalty; there m = e × (d × e) = (e·e) d - (e·d) e takes the place of d, so that
// joints do not load that penalty. In the plane e is the unit vector of z, and m = d.
#pragma once
#include "tumble/dynamics/pair_tangent.hpp"

namespace tumble {

/// A vector of a side, its rate, and its second derivative at zero accelerations.
template <class S>
struct AttachedVector {
  Vec3<S> value, rate, bias;
};

/// A vector of a node at the workspace's kinematics, number k of r, r_x, r_y, r_z.
template <class S>
Vec3<S> node_vector(const JointSide& side, int k, const std::vector<S>& from) {
  const S* x = from.data() + side.node + side.dimension * k;
  return {x[0], x[1], side.dimension == 3 ? x[2] : S(0.0)};
}
template <class S>
struct NodeSection {
  Vec3<S> d, e;
  Vec3<S> y;  ///< d or m
};
template <class S>
bool has_frame(const JointSide& side) {
  return side.structural && side.dimension == 3;
}
template <class S>
NodeSection<S> node_section(const JointSide& side, const Workspace<S>& w) {
  const bool planar = side.dimension == 2;
  NodeSection<S> s;
  s.d = s.y = node_vector(side, 2, w.node_q);
  s.e = planar ? Vec3<S>{S(0.0), S(0.0), S(1.0)} : node_vector(side, 3, w.node_q);
  if (has_frame<S>(side)) s.y = dot(s.e, s.e) * s.d - dot(s.e, s.d) * s.e;
  return s;
}

template <class S>
Vec3<S> attached_vector(const JointSide& side, const S* k, const Workspace<S>& w) {
  switch (side.kind) {
    case JointSide::Kind::ground:
      return load3(k);
    case JointSide::Kind::body:
      return w.body[static_cast<std::size_t>(side.body)].R_WB * load3(k);
    case JointSide::Kind::node:
      break;
  }
  const auto s = node_section(side, w);
  return k[0] * cross(s.d, s.e) + k[1] * s.y + k[2] * s.e;
}

template <class S>
AttachedVector<S> attached_motion(const JointSide& side, const S* k, const Workspace<S>& w) {
  AttachedVector<S> a;
  a.value = attached_vector(side, k, w);
  if (side.kind == JointSide::Kind::body) {
    const Vec3<S>& omega = w.body[static_cast<std::size_t>(side.body)].w_W;
    a.rate = cross(omega, a.value);
    a.bias = cross(omega, a.rate);
  } else if (side.kind == JointSide::Kind::node) {
    const auto s = node_section(side, w);
    const Vec3<S> d_rate = node_vector(side, 2, w.node_v);
    Vec3<S> e_rate;
    if (side.dimension == 3) e_rate = node_vector(side, 3, w.node_v);
    a.rate = k[0] * (cross(d_rate, s.e) + cross(s.d, e_rate)) + k[2] * e_rate;
    a.bias = (k[0] + k[0]) * cross(d_rate, e_rate);
    if (has_frame<S>(side)) {
      const S two(2.0), ee = dot(s.e, s.e), ed = dot(s.e, s.d), ee_rate = two * dot(s.e, e_rate),
                        ed_rate = dot(e_rate, s.d) + dot(s.e, d_rate);
      a.rate += k[1] * (ee * d_rate + ee_rate * s.d - ed * e_rate - ed_rate * s.e);
      a.bias += (two * k[1]) * (ee_rate * d_rate + dot(e_rate, e_rate) * s.d - ed_rate * e_rate -
                                dot(e_rate, d_rate) * s.e);
    } else {
      a.rate += k[1] * d_rate;
    }
  }
  return a;
}

/// Derivatives of an attached vector by the side's unknowns: the rotation of a body in its axes, or
/// d and e of a node.
template <class S>
struct AttachedDerivative {
  Mat3<S> by[2];
};
template <class S>
AttachedDerivative<S> attached_derivative(const JointSide& side, const S* k,
                                          const Workspace<S>& w) {
  AttachedDerivative<S> a;
  if (side.kind == JointSide::Kind::body) {
    a.by[0] = -(w.body[static_cast<std::size_t>(side.body)].R_WB * skew(load3(k)));
  } else if (side.kind == JointSide::Kind::node) {
    const auto s = node_section(side, w);
    a.by[0] = -(k[0] * skew(s.e));
    a.by[1] = k[2] * Mat3<S>::identity() + k[0] * skew(s.d);
    if (has_frame<S>(side)) {
      a.by[0] += k[1] * (dot(s.e, s.e) * Mat3<S>::identity() - outer(s.e, s.e));
      a.by[1] +=
          k[1] * (S(2.0) * outer(s.d, s.e) - outer(s.e, s.d) - dot(s.e, s.d) * Mat3<S>::identity());
    } else {
      a.by[0] += k[1] * Mat3<S>::identity();
    }
  }
  return a;
}

/// Where a side's point is.
template <class S>
Vec3<S> side_point(const JointSide& side, const S* c, const Workspace<S>& w) {
  switch (side.kind) {
    case JointSide::Kind::ground:
      return load3(c + side.point);
    case JointSide::Kind::body: {
      const auto& b = w.body[static_cast<std::size_t>(side.body)];
      return b.p_W + b.R_WB * load3(c + side.point);
    }
    case JointSide::Kind::node:
      break;
  }
  Vec3<S> p = node_vector(side, 0, w.node_q);
  if (side.dimension == 2) p.z = c[side.plane];
  return p;
}

/// The multipliers of the point rows as a vector; zero where there is no row.
template <class S>
Vec3<S> point_multiplier(const NodeJoint& joint, const S* lambda) {
  const S* l = lambda + joint.row;
  return {l[0], l[1], joint.components == 3 ? l[2] : S(0.0)};
}

/// The torque of the joint on its second side about the point, ground axes: a rotation δθ of all
/// that is attached there changes Σ a·b by δθ·(b × a).
template <class S>
Vec3<S> joint_torque(const NodeJoint& joint, const S* c, const S* lambda, const Workspace<S>& w) {
  Vec3<S> torque;
  for (int r = 0; r < joint.dots; ++r) {
    const auto& dot_row = joint.dot[static_cast<std::size_t>(r)];
    for (int t = 0; t < dot_row.terms; ++t) {
      const auto i = static_cast<std::size_t>(t);
      torque += lambda[joint.row + joint.components + r] *
                cross(attached_vector(joint.side[0], c + dot_row.a[i], w),
                      attached_vector(joint.side[1], c + dot_row.b[i], w));
    }
  }
  return torque;
}

/// Adds a generalized force on vector k of a node.
template <class S>
void add_to_node(const JointSide& side, int k, const Vec3<S>& f, Workspace<S>& w) {
  S* force = w.node_force.data() + side.node + side.dimension * k;
  for (int i = 0; i < side.dimension; ++i) force[i] = force[i] + f[i];
}

/// Adds λ times the gradient of a·b by what a is attached to.
template <class S>
void add_attached_force(const JointSide& side, const S* k, const Vec3<S>& a, const Vec3<S>& lb,
                        Workspace<S>& w) {
  if (side.kind == JointSide::Kind::body) {
    w.body[static_cast<std::size_t>(side.body)].torque_W += cross(a, lb);
  } else if (side.kind == JointSide::Kind::node) {
    const auto derivative = attached_derivative(side, k, w);
    add_to_node(side, 2, transpose_times(derivative.by[0], lb), w);
    if (side.dimension == 3) add_to_node(side, 3, transpose_times(derivative.by[1], lb), w);
  }
}

template <class S>
void residual(const NodeJoint& joint, const S* c, const S* lambda, Workspace<S>& w, S* phi) {
  const Vec3<S> d = side_point(joint.side[1], c, w) - side_point(joint.side[0], c, w);
  for (int k = 0; k < joint.components; ++k) phi[joint.row + k] = d[k];
  for (std::size_t s = 0; s < 2; ++s) {
    const JointSide& side = joint.side[s];
    const Vec3<S> l = point_multiplier(joint, lambda), f = s == 0 ? -l : l;
    if (side.kind == JointSide::Kind::body) {
      auto& b = w.body[static_cast<std::size_t>(side.body)];
      b.force_W += f;
      b.torque_W += cross(b.R_WB * load3(c + side.point), f);
    } else if (side.kind == JointSide::Kind::node) {
      add_to_node(side, 0, f, w);
    }
  }
  for (int r = 0; r < joint.dots; ++r) {
    const auto& row = joint.dot[static_cast<std::size_t>(r)];
    const int at = joint.row + joint.components + r;
    S value(0.0);
    for (int t = 0; t < row.terms; ++t) {
      const S *ka = c + row.a[static_cast<std::size_t>(t)],
              *kb = c + row.b[static_cast<std::size_t>(t)];
      const Vec3<S> a = attached_vector(joint.side[0], ka, w),
                    b = attached_vector(joint.side[1], kb, w);
      value = value + dot(a, b);
      add_attached_force(joint.side[0], ka, a, lambda[at] * b, w);
      add_attached_force(joint.side[1], kb, b, lambda[at] * a, w);
    }
    phi[at] = value;
  }
}

template <class S>
void rates(const NodeJoint& joint, const S* c, const Workspace<S>& w, S* time_rate, S* bias) {
  Vec3<S> second;  // of p_2 - p_1
  for (std::size_t s = 0; s < 2; ++s) {
    const JointSide& side = joint.side[s];
    if (side.kind != JointSide::Kind::body) continue;
    const auto& b = w.body[static_cast<std::size_t>(side.body)];
    const Vec3<S> a = cross(b.w_W, cross(b.w_W, b.R_WB * load3(c + side.point)));
    second += s == 0 ? -a : a;
  }
  for (int k = 0; k < joint.components; ++k) {
    time_rate[joint.row + k] = S(0.0);
    bias[joint.row + k] = second[k];
  }
  for (int r = 0; r < joint.dots; ++r) {
    const auto& row = joint.dot[static_cast<std::size_t>(r)];
    S value(0.0);
    for (int t = 0; t < row.terms; ++t) {
      const auto i = static_cast<std::size_t>(t);
      const auto a = attached_motion(joint.side[0], c + row.a[i], w);
      const auto b = attached_motion(joint.side[1], c + row.b[i], w);
      value = value + dot(a.bias, b.value) + S(2.0) * dot(a.rate, b.rate) + dot(a.value, b.bias);
    }
    time_rate[joint.row + joint.components + r] = S(0.0);
    bias[joint.row + joint.components + r] = value;
  }
}

namespace node_joint {

/// Writes `count` entries of a row's gradient, and their transposes.
template <class S>
void write_entries(const NodeJoint::Entries& entries, const Vec3<S>& g, int count,
                   Workspace<S>& w) {
  if (entries.gradient < 0) return;
  for (int k = 0; k < count; ++k) {
    w.K[static_cast<std::size_t>(entries.gradient + k)] = g[k];
    w.K[static_cast<std::size_t>(entries.transpose[static_cast<std::size_t>(k)])] = g[k];
  }
}
template <class S>
void add_part(const BlockSlots& slots, const Mat3<S>& m, int rows, int columns, Workspace<S>& w) {
  if (slots.row[0] < 0) return;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      S& k = w.K[static_cast<std::size_t>(slots.row[static_cast<std::size_t>(i)] + j)];
      k = k + m(i, j);
    }
}

template <class S>
void point_tangent(const NodeJoint& joint, const S* c, const S* lambda, Workspace<S>& w) {
  for (std::size_t s = 0; s < 2; ++s) {
    const JointSide& side = joint.side[s];
    if (side.kind == JointSide::Kind::ground) continue;
    const S sign(s == 0 ? -1.0 : 1.0);
    for (int k = 0; k < joint.components; ++k)
      write_entries(joint.translation[static_cast<std::size_t>(k)][s], Vec3<S>{sign, sign, sign}, 1,
                    w);
    if (side.kind != JointSide::Kind::body) continue;
    // δ(R r) = -R r̃ δθ, and the torque r × Rᵀ f turns with Rᵀ.
    const Mat3<S>& R = w.body[static_cast<std::size_t>(side.body)].R_WB;
    const Vec3<S> r = load3(c + side.point);
    const Mat3<S> turn = sign * (R * skew(r));
    for (int k = 0; k < joint.components; ++k)
      write_entries(joint.rotation[static_cast<std::size_t>(k)][s], -turn.row(k), 3, w);
    const Vec3<S> f = sign * point_multiplier(joint, lambda);
    add_part(joint.blocks[2 * s][2 * s], skew(r) * skew(transpose_times(R, f)), 3, 3, w);
  }
}

/// λ times the second derivative of an attached vector a in the direction b.
template <class S>
void own_tangent(const NodeJoint& joint, std::size_t s, const S* k, const Vec3<S>& lb,
                 Workspace<S>& w) {
  const JointSide& side = joint.side[s];
  if (side.kind == JointSide::Kind::body) {
    const Mat3<S>& R = w.body[static_cast<std::size_t>(side.body)].R_WB;
    add_part(joint.blocks[2 * s][2 * s], skew(load3(k)) * skew(transpose_times(R, lb)), 3, 3, w);
  } else if (side.kind == JointSide::Kind::node && side.dimension == 3) {
    Mat3<S> m = -(k[0] * skew(lb));
    if (side.structural) {
      const auto section = node_section(side, w);
      const Vec3<S>&d = section.d, &e = section.e;
      m += k[1] * (S(2.0) * outer(lb, e) - outer(e, lb) - dot(lb, e) * Mat3<S>::identity());
      add_part(joint.blocks[2 * s + 1][2 * s + 1],
               k[1] * ((S(2.0) * dot(lb, d)) * Mat3<S>::identity() - outer(lb, d) - outer(d, lb)),
               3, 3, w);
    }
    add_part(joint.blocks[2 * s][2 * s + 1], m, 3, 3, w);
    add_part(joint.blocks[2 * s + 1][2 * s], transpose(m), 3, 3, w);
  }
}

}  // namespace node_joint

template <class S>
void tangent(const NodeJoint& joint, const S* c, const S* lambda, Workspace<S>& w) {
  using namespace node_joint;
  point_tangent(joint, c, lambda, w);
  for (int r = 0; r < joint.dots; ++r) {
    const auto& row = joint.dot[static_cast<std::size_t>(r)];
    const S l = lambda[joint.row + joint.components + r];
    Vec3<S> gradient[4];
    for (int t = 0; t < row.terms; ++t) {
      const S *ka = c + row.a[static_cast<std::size_t>(t)],
              *kb = c + row.b[static_cast<std::size_t>(t)];
      const Vec3<S> a = attached_vector(joint.side[0], ka, w),
                    b = attached_vector(joint.side[1], kb, w);
      const auto A = attached_derivative(joint.side[0], ka, w),
                 B = attached_derivative(joint.side[1], kb, w);
      own_tangent(joint, 0, ka, l * b, w);
      own_tangent(joint, 1, kb, l * a, w);
      for (std::size_t i = 0; i < 2; ++i) {
        gradient[i] += transpose_times(A.by[i], b);
        gradient[2 + i] += transpose_times(B.by[i], a);
        for (std::size_t j = 0; j < 2; ++j) {
          const Mat3<S> m = l * transpose_times(A.by[i], B.by[j]);
          add_part(joint.blocks[i][2 + j], m, joint.side[0].dimension, joint.side[1].dimension, w);
          add_part(joint.blocks[2 + j][i], transpose(m), joint.side[1].dimension,
                   joint.side[0].dimension, w);
        }
      }
    }
    for (std::size_t i = 0; i < 4; ++i)
      write_entries(joint.attached[static_cast<std::size_t>(r)][i], gradient[i],
                    joint.side[i / 2].dimension, w);
  }
}

}  // namespace tumble
