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
        for (int k = 0; k < beam.node_size(); ++k)
          node.diagonal.push_back(
              static_cast<std::size_t>(system.pattern.slot(node.v + k, node.v + k)));
      }
  }

  bool none() const { return nodes_.empty(); }

  /// A run begins: nothing is known.
  void start() {
    stiffest_ = S(unknown);
    stopped_ = false;
    stay(S(0.0) < S(1.0));
  }

  /// A single realisation has to halve a step: from now on R is the identity. Its restarts have
  /// accelerations that tell nothing of the motion.
  void stop() { stopped_ = true; }

  /// The matrix A is factored at the workspace's kinematics, in these lanes.
  void factored(const Workspace<S>& w, const std::vector<S>& matrix, const Mask<S>& lanes) {
    const S zero(0.0);
    S stiffest(1.0);
    for (Node& node : nodes_) {
      const Mat3<S> now = axes(node, w);
      for (int k = 0; k < 9; ++k) node.then.m[k] = select(lanes, now.m[k], node.then.m[k]);
      for (const std::size_t slot : node.diagonal) {
        const Mask<S> has_mass = w.M[slot] > zero;
        const S mass = select(has_mass, w.M[slot], S(1.0));
        stiffest = max(stiffest, select(has_mass, abs(matrix[slot]) / mass, S(unknown)));
      }
    }
    stiffest_ = select(lanes, stiffest, stiffest_);
    turning_ = turning_ & !lanes;
  }

  /// R is from there to the workspace's kinematics, which a step from velocities `v` predicts by
  /// the increments `u`, and the identity in lanes where R is not worth it:
  /// - Where accelerations move the vectors of sections by more than `resolved`, the step does not
  ///   resolve the motion and predicts nothing to follow.
  /// - A factor that does not turn satisfies linear constraints, such as those of a point mass on a
  ///   node, to the last bit, velocities included. With R they are off by rounding, and at the next
  ///   restart stiffness and damping make accelerations of it, max A_ii/M_ii as large as what
  ///   `rounding` of the positions is in accelerations. Beside those of the motion that must be
  ///   little: light and stiff beams that hardly move keep their factor as it is.
  /// Returns lanes in which a node has turned by more than `far`: they want a new factor, and where
  /// factors are `due` anyway sooner than that, so that lanes want theirs in the same step. With G
  /// Rᵀ in place of G multipliers are corrected up to the angle, and no criterion of convergence
  /// sees what is left: of a prediction 2λ - λ' a third of it or more would grow from step to step.
  Mask<S> follow(const Workspace<S>& w, const S* u, const S* v, double h, const S& rounding,
                 const S& acceleration, bool due = false) {
    const Mask<S> none = S(1.0) < S(0.0);
    if (stopped_) return none;
    constexpr double resolved = 0.02, little = 0.05, far_if_due = 0.03;
    const double far = due ? far_if_due : 0.1;
    S largest(0.0);
    for (const Node& node : nodes_)
      for (int k = node.dimension; k < node.dimension * (node.dimension + 1); ++k)
        largest = max(largest, abs(fnma(S(h), v[node.v + k], u[node.v + k])));
    followed_ = turning_ =
        (largest < S(resolved)) & (stiffest_ * rounding <= S(little) * acceleration);
    if (!any(followed_)) return none;
    S least_trace(3.0);  // 1 + 2 cos(angle)
    for (Node& node : nodes_) {
      node.turn = axes(node, w) * transpose(node.then);
      least_trace = min(least_trace, node.turn.m[0] + node.turn.m[4] + node.turn.m[8]);
    }
    return followed_ & !(least_trace > S(3.0 - far * far));
  }
  /// Lanes in which R is, or has been until A was factored again.
  const Mask<S>& followed() const { return followed_; }
  /// R is the identity in these lanes.
  void stay(const Mask<S>& lanes) {
    followed_ = followed_ & !lanes;
    turning_ = turning_ & !lanes;
  }

  /// x = Rᵀ x, before the factor is used, and x = R x, after it.
  void turn_back(S* x) const {
    if (!any(turning_)) return;
    for (const Node& node : nodes_) apply(transpose(node.turn), node, x);
  }
  void turn(S* x) const {
    if (!any(turning_)) return;
    for (const Node& node : nodes_) apply(node.turn, node, x);
  }

 private:
  struct Node {
    int q = 0, v = 0;  ///< its first coordinate, of all beams' and in the residual
    int dimension = 3;
    std::vector<std::size_t> diagonal;  ///< slots of the matrix
    Mat3<S> then, turn;                 ///< its axes when the matrix was factored; R
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

  // Lanes that do not turn keep their bits, the sign of zero included.
  void apply(const Mat3<S>& turn, const Node& node, S* x) const {
    x += node.v;
    for (int vector = 0; vector <= node.dimension; ++vector, x += node.dimension) {
      const Vec3<S> turned = turn * Vec3<S>{x[0], x[1], node.dimension == 3 ? x[2] : S(0.0)};
      for (int k = 0; k < node.dimension; ++k) x[k] = select(turning_, turned[k], x[k]);
    }
  }

  static constexpr double unknown = 1e300;
  std::vector<Node> nodes_;
  S stiffest_ = S(unknown);  ///< max A_ii/M_ii over the nodes' coordinates when A was factored
  Mask<S> followed_ = S(1.0) < S(0.0), turning_ = followed_;
  bool stopped_ = false;
};

}  // namespace tumble
