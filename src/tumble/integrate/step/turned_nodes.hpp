// A factor of the step's matrix that turns with the nodes of beams.
//
// An element is stiff along itself and soft across, by a factor of its slenderness squared, so its
// stiffness is out of date as soon as it has turned by a small angle: with a step's turn of 0.01 an
// exact factor of the step before contracts by ten only. In axes that turn with the element it
// hardly changes, because elastic forces do not depend on where the element stands. With R the
// rotations of the nodes since A was factored, on all vectors of a node alike,
//     A(now) ≈ R A Rᵀ,      δ = R A⁻¹ Rᵀ r,
// exact for the stiffness of a beam that turns as a whole; masses, the same in all directions, do
// not mind. What bends since then, and the joints' gradients, are off by its angle, as without R.
// Only the speed of Newton's iteration depends on R, never what it converges to. (The idea is that
// of corotational elements, C. C. Rankin, F. A. Brogan, J. Pressure Vessel Technol. 108 (1986)
// 165-174, put to use for the factor alone.)
#pragma once
#include "tumble/dynamics/workspace.hpp"

namespace tumble {

template <class S>
class TurnedNodes {
 public:
  explicit TurnedNodes(const System& system) {
    for (const BeamIndex& beam : system.beams)
      for (int i = 0; i < beam.nodes; ++i) {
        Node& node = nodes_.emplace_back();
        node.q = beam.node(i);
        node.v = system.beam_v + beam.node(i);
        node.dimension = beam.dimension;
      }
  }

  bool none() const { return nodes_.empty(); }

  /// The matrix is factored at the workspace's kinematics, in these lanes.
  void factored(const Workspace<S>& w, const Mask<S>& lanes) {
    for (Node& node : nodes_) {
      const Mat3<S> now = axes(node, w);
      for (int k = 0; k < 9; ++k) {
        node.then.m[k] = select(lanes, now.m[k], node.then.m[k]);
        node.turn.m[k] = select(lanes, S(k % 4 == 0 ? 1.0 : 0.0), node.turn.m[k]);
      }
    }
  }

  /// R is from there to the workspace's kinematics, which a step from velocities `v` predicts by
  /// the increments `u`. Where accelerations move the vectors of sections by more than `resolved`,
  /// the step does not resolve the motion and predicts nothing worth following: R is the identity.
  void follow(const Workspace<S>& w, const S* u, const S* v, double h) {
    constexpr double resolved = 0.02;
    S largest(0.0);
    for (const Node& node : nodes_)
      for (int k = node.dimension; k < node.dimension * (node.dimension + 1); ++k)
        largest = max(largest, abs(fnma(S(h), v[node.v + k], u[node.v + k])));
    const Mask<S> follows = largest < S(resolved);
    for (Node& node : nodes_) {
      node.turn = axes(node, w) * transpose(node.then);
      for (int k = 0; k < 9; ++k)
        node.turn.m[k] = select(follows, node.turn.m[k], S(k % 4 == 0 ? 1.0 : 0.0));
    }
  }

  /// x = Rᵀ x, before the factor is used, and x = R x, after it.
  void turn_back(S* x) const {
    for (const Node& node : nodes_) apply(node, transpose(node.turn), x);
  }
  void turn(S* x) const {
    for (const Node& node : nodes_) apply(node, node.turn, x);
  }

 private:
  struct Node {
    int q = 0, v = 0;  ///< its first coordinate, of all beams' and in the residual
    int dimension = 3;
    Mat3<S> then, turn;  ///< its axes when the matrix was factored; R
  };

  /// Axes of a node: along r_x, and in its plane with r_y.
  static Mat3<S> axes(const Node& node, const Workspace<S>& w) {
    const S* q = w.node_q.data() + node.q;
    const bool plane = node.dimension == 2;
    const Vec3<S> along = plane ? Vec3<S>{q[2], q[3], S(0.0)} : load3(q + 3),
                  across = plane ? Vec3<S>{-q[3], q[2], S(0.0)} : load3(q + 6);
    const Vec3<S> x = (S(1.0) / norm(along)) * along;
    const Vec3<S> normal = cross(x, across);
    const Vec3<S> z = (S(1.0) / norm(normal)) * normal;
    return Mat3<S>::from_columns(x, cross(z, x), z);
  }

  static void apply(const Node& node, const Mat3<S>& turn, S* x) {
    x += node.v;
    for (int vector = 0; vector <= node.dimension; ++vector, x += node.dimension) {
      const Vec3<S> turned = turn * Vec3<S>{x[0], x[1], node.dimension == 3 ? x[2] : S(0.0)};
      x[0] = turned.x, x[1] = turned.y;
      if (node.dimension == 3) x[2] = turned.z;
    }
  }

  std::vector<Node> nodes_;
};

}  // namespace tumble
