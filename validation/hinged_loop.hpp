// A closed loop of bodies on hinges with one degree of freedom, by minimal coordinates: a reference
// that shares nothing with the engine.
//
// The angles θ of the first n hinges describe a chain that hangs on the ground; the loop is closed
// where the last body's end and axis meet the last hinge. All θ that close it form a curve, and its
// length s is the coordinate:  θ' = t(θ), the null vector of the closure's Jacobian, so
//     θ̇ = t ṡ,   θ̈ = t s̈ + t' ṡ²,
// and s̈ follows from Newton's and Euler's equations, projected onto the motion. Reactions are the
// solution of least norm of all bodies' equations.
#pragma once
#include <Eigen/Dense>
#include <vector>

#include "tumble/model/model.hpp"

namespace tumble::validation {

class HingedLoop {
 public:
  using Vec = Eigen::Vector3d;
  using Mat = Eigen::Matrix3d;
  using Angles = Eigen::VectorXd;

  struct Link {
    double mass = 1;
    Vec centre;   ///< at the start, ground axes
    Mat inertia;  ///< about the centre, at the start, ground axes
  };
  /// Hinge i is between the link before it and link i; the last is between the last link and the
  /// ground.
  struct Hinge {
    Vec point, axis;
  };
  struct State {
    Angles angle;
    Angles direction;  ///< t, whose sign must not change on the way
    double speed = 0;  ///< ṡ
  };
  /// Of one hinge, on the body after it (on the ground, of the last one).
  struct Reaction {
    Vec force, torque;
  };

  std::vector<Link> links;
  std::vector<Hinge> hinges;
  Vec gravity = {0, 0, -9.81};

  /// At rest or moving with ṡ; the sign of t is that in which hinge 0 turns forward.
  State start(double speed) const {
    State state;
    state.angle = Angles::Zero(count());
    state.direction = tangent(state.angle, Angles::Unit(count(), 0));
    state.speed = speed;
    return state;
  }

  /// `steps` of Runge and Kutta's method of fourth order.
  void advance(State& state, double duration, int steps) const {
    const double h = duration / steps;
    for (int i = 0; i < steps; ++i) {
      const Rate k1 = rate(state), k2 = rate(moved(state, 0.5 * h, k1)),
                 k3 = rate(moved(state, 0.5 * h, k2)), k4 = rate(moved(state, h, k3));
      state.angle += h / 6 * (k1.angle + 2 * k2.angle + 2 * k3.angle + k4.angle);
      state.speed += h / 6 * (k1.speed + 2 * k2.speed + 2 * k3.speed + k4.speed);
      state.angle = closed(state.angle);
      state.direction = tangent(state.angle, state.direction);
    }
  }

  /// Where a point of a link is that was at `point` at the start.
  Vec place(const State& state, std::size_t link, const Vec& point) const {
    const Chain chain = hang(state.angle);
    return chain.hinge[link] + chain.R[link] * (point - hinges[link].point);
  }
  /// Of hinge 0 [rad/s].
  double rate_of_first(const State& state) const { return state.direction[0] * state.speed; }

  std::vector<Reaction> reactions(const State& state) const {
    const Chain chain = hang(state.angle);
    const Rate now = rate(state);
    const Angles second = state.direction * now.speed + bend(state) * (state.speed * state.speed);
    const std::vector<LinkMotion> motion = move(chain, now.angle, second);
    const Eigen::Index n = count();
    // Unknown: three forces and two moments a hinge, all of unit directions.
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(6 * n, 5 * (n + 1));
    Eigen::VectorXd b(6 * n);
    std::vector<Eigen::Matrix<double, 3, 2>> across;
    for (Eigen::Index j = 0; j <= n; ++j) {
      const Vec z = j < n ? chain.axis[at(j)] : hinges[at(n)].axis.normalized();
      const Vec x = z.unitOrthogonal();
      across.emplace_back();
      across.back() << x, z.cross(x);
    }
    for (Eigen::Index i = 0; i < n; ++i) {
      const LinkMotion& m = motion[at(i)];
      const Mat J = chain.R[at(i)] * links[at(i)].inertia * chain.R[at(i)].transpose();
      b.segment<3>(6 * i) = links[at(i)].mass * (m.acceleration - gravity);
      b.segment<3>(6 * i + 3) = J * m.turning + m.spin.cross(J * m.spin);
      for (const Eigen::Index j : {i, i + 1}) {
        const double sign = j == i ? 1 : -1;
        const Vec arm = chain.hinge[at(j)] - m.centre;
        A.block<3, 3>(6 * i, 5 * j) = sign * Mat::Identity();
        A.block<3, 3>(6 * i + 3, 5 * j) = sign * cross_matrix(arm);
        A.block<3, 2>(6 * i + 3, 5 * j + 3) = sign * across[at(j)];
      }
    }
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
    solver.setThreshold(1e-8);
    const Eigen::VectorXd x = solver.compute(A).solve(b);
    std::vector<Reaction> result;
    for (Eigen::Index j = 0; j <= n; ++j)
      result.push_back({x.segment<3>(5 * j), across[at(j)] * x.segment<2>(5 * j + 3)});
    return result;
  }

  /// The same mechanism as a model, as one would write it down: bodies link0, link1, ..., hinges
  /// hinge0, ..., probes of them and of the centres. Starts with the speeds of `state`.
  Model model(const State& state) const {
    const Chain chain = hang(state.angle);
    const auto motion = move(chain, state.direction * state.speed, Angles::Zero(count()));
    const auto vector = [](const Vec& v) { return Vec3d{v.x(), v.y(), v.z()}; };
    Model m;
    m.gravity = vector(gravity);
    for (std::size_t i = 0; i < links.size(); ++i) {
      Body body;
      body.name = "link" + std::to_string(i);
      body.mass = links[i].mass;
      body.position = vector(links[i].centre);
      const Mat& J = links[i].inertia;
      body.inertia = {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)};
      body.velocity = vector(motion[i].velocity);
      body.angular_velocity = vector(motion[i].spin);
      m.bodies.push_back(body);
      Probe probe;
      probe.name = body.name;
      probe.body = BodyRef{body.name};
      probe.quantities = {Quantity::position};
      m.probes.push_back(probe);
    }
    for (std::size_t j = 0; j < hinges.size(); ++j) {
      RevoluteJoint hinge;
      const std::string before = j == 0 ? "ground" : m.bodies[j - 1].name;
      const std::string after = j < links.size() ? m.bodies[j].name : "ground";
      hinge.between = {MarkerRef{before}, MarkerRef{after}};
      hinge.point = vector(hinges[j].point);
      hinge.axis = vector(hinges[j].axis);
      m.joints.push_back({"hinge" + std::to_string(j), hinge});
      Probe probe;
      probe.name = m.joints.back().name;
      probe.joint = JointRef{probe.name};
      probe.quantities = {Quantity::force, Quantity::torque};
      m.probes.push_back(probe);
    }
    return m;
  }

 private:
  struct Chain {
    std::vector<Mat> R;
    std::vector<Vec> hinge;  ///< one more than links: the end of the last
    std::vector<Vec> axis;   ///< the same; the last as the last link carries it
  };
  struct LinkMotion {
    Vec centre, velocity, acceleration, spin, turning;
  };
  struct Rate {
    Angles angle;
    double speed;
  };

  static std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }
  Eigen::Index count() const { return static_cast<Eigen::Index>(links.size()); }
  static Mat cross_matrix(const Vec& v) {
    Mat m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
  }

  Chain hang(const Angles& angle) const {
    Chain chain;
    Mat R = Mat::Identity();
    Vec p = hinges[0].point;
    for (std::size_t i = 0; i < links.size(); ++i) {
      const Vec axis = hinges[i].axis.normalized();
      chain.hinge.push_back(p);
      chain.axis.push_back(R * axis);
      R = R * Eigen::AngleAxisd(angle[static_cast<Eigen::Index>(i)], axis).toRotationMatrix();
      chain.R.push_back(R);
      p += R * (hinges[i + 1].point - hinges[i].point);
    }
    chain.hinge.push_back(p);
    chain.axis.push_back(R * hinges.back().axis.normalized());
    return chain;
  }

  std::vector<LinkMotion> move(const Chain& chain, const Angles& rate, const Angles& second) const {
    std::vector<LinkMotion> motion;
    Vec v = Vec::Zero(), a = Vec::Zero(), w = Vec::Zero(), alpha = Vec::Zero();
    for (std::size_t i = 0; i < links.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      alpha += chain.axis[i] * second[k] + w.cross(chain.axis[i]) * rate[k];
      w += chain.axis[i] * rate[k];
      const auto velocity = [&](const Vec& r) -> Vec { return v + w.cross(r); };
      const auto acceleration = [&](const Vec& r) -> Vec {
        return a + alpha.cross(r) + w.cross(w.cross(r));
      };
      const Vec r = chain.R[i] * (links[i].centre - hinges[i].point);
      motion.push_back({chain.hinge[i] + r, velocity(r), acceleration(r), w, alpha});
      const Vec bar = chain.hinge[i + 1] - chain.hinge[i];
      const Vec next_v = velocity(bar), next_a = acceleration(bar);
      v = next_v, a = next_a;
    }
    return motion;
  }

  Eigen::MatrixXd jacobian(const Chain& chain) const {
    Eigen::MatrixXd J(6, count());
    for (Eigen::Index i = 0; i < count(); ++i) {
      J.block<3, 1>(0, i) = chain.axis[at(i)].cross(chain.hinge.back() - chain.hinge[at(i)]);
      J.block<3, 1>(3, i) = chain.axis[at(i)].cross(chain.axis.back());
    }
    return J;
  }
  /// The nearest angles that close the loop, to rounding.
  Angles closed(Angles angle) const {
    for (int i = 0; i < 20; ++i) {
      const Chain chain = hang(angle);
      Eigen::Matrix<double, 6, 1> gap;
      gap << chain.hinge.back() - hinges.back().point,
          chain.axis.back() - hinges.back().axis.normalized();
      if (gap.cwiseAbs().maxCoeff() < 1e-14) break;
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
      solver.setThreshold(1e-6);
      angle -= solver.compute(jacobian(chain)).solve(gap);
    }
    return angle;
  }
  Angles tangent(const Angles& angle, const Angles& before) const {
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(jacobian(hang(angle)), Eigen::ComputeFullV);
    const Angles t = svd.matrixV().col(count() - 1);
    return t.dot(before) < 0 ? Angles(-t) : t;
  }
  /// t', by central differences along the curve.
  Angles bend(const State& state) const {
    const double h = 1e-4;
    const Angles t = tangent(state.angle, state.direction);
    const Angles ahead = closed(state.angle + h * t), behind = closed(state.angle - h * t);
    const double length = (ahead - behind).dot(t);
    return (tangent(ahead, t) - tangent(behind, t)) / length;
  }
  Rate rate(const State& state) const {
    const Angles t = tangent(state.angle, state.direction);
    const Chain chain = hang(state.angle);
    const auto unit = move(chain, t, Angles::Zero(count()));  // velocities of ṡ = 1
    const auto free = move(chain, t * state.speed, bend(state) * (state.speed * state.speed));
    double inertia = 0, power = 0;
    for (std::size_t i = 0; i < links.size(); ++i) {
      const Mat J = chain.R[i] * links[i].inertia * chain.R[i].transpose();
      inertia +=
          links[i].mass * unit[i].velocity.squaredNorm() + unit[i].spin.dot(J * unit[i].spin);
      power += links[i].mass * (free[i].acceleration - gravity).dot(unit[i].velocity) +
               (J * free[i].turning + free[i].spin.cross(J * free[i].spin)).dot(unit[i].spin);
    }
    return {t * state.speed, -power / inertia};
  }
  State moved(const State& state, double h, const Rate& rate) const {
    State next = state;
    next.angle += h * rate.angle;
    next.speed += h * rate.speed;
    return next;
  }
};

}  // namespace tumble::validation
