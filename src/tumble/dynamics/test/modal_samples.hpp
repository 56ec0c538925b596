// A flexible body made of a few points of mass, whose integrals are plain sums.
#pragma once
#include "tumble/dynamics/test/element_models.hpp"
#include "tumble/dynamics/test/instant.hpp"
#include "tumble/model/settle_nodes.hpp"

namespace tumble::testing {

/// Points x from the centre of mass with masses m, and modes of displacements Φ, orthogonal in the
/// metric of mass but not to the motions of the rigid body: every term of the equations is at work.
struct PointCloud {
  std::vector<double> m;
  std::vector<Vec3d> x;
  std::vector<std::vector<Vec3d>> shape;  ///< [mode][point]

  explicit PointCloud(int points = 7, int modes = 3, std::uint32_t seed = 5) {
    Random random(seed);
    Vec3d moment;
    double mass = 0;
    for (int k = 0; k < points; ++k) {
      m.push_back(random.between(0.1, 0.4));
      x.push_back({random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)});
      moment += m.back() * x.back();
      mass += m.back();
    }
    for (Vec3d& point : x) point -= (1 / mass) * moment;
    for (int i = 0; i < modes; ++i) {
      std::vector<Vec3d> phi;
      for (int k = 0; k < points; ++k)
        phi.push_back({random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)});
      for (const auto& other : shape) {
        const double part = product(phi, other) / product(other, other);
        for (std::size_t k = 0; k < m.size(); ++k) phi[k] -= part * other[k];
      }
      shape.push_back(phi);
    }
  }

  double product(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) const {
    double sum = 0;
    for (std::size_t k = 0; k < m.size(); ++k) sum += m[k] * dot(a[k], b[k]);
    return sum;
  }

  /// Adds a·b I - ½ (a bᵀ + b aᵀ), times a factor, to six numbers.
  static void add_inertia(double factor, const Vec3d& a, const Vec3d& b, double* J) {
    const double trace = dot(a, b);
    J[0] += factor * (trace - a.x * b.x);
    J[1] += factor * (trace - a.y * b.y);
    J[2] += factor * (trace - a.z * b.z);
    J[3] -= factor * 0.5 * (a.x * b.y + a.y * b.x);
    J[4] -= factor * 0.5 * (a.x * b.z + a.z * b.x);
    J[5] -= factor * 0.5 * (a.y * b.z + a.z * b.y);
  }

  /// Nodes are the points, and turn by numbers of no meaning.
  ModalData data() const {
    ModalData d;
    Random random(17);
    d.modes = static_cast<int>(shape.size());
    for (std::size_t k = 0; k < m.size(); ++k) {
      d.mass += m[k];
      add_inertia(m[k], x[k], x[k], d.inertia.data());
    }
    for (std::size_t i = 0; i < shape.size(); ++i) {
      d.modal_mass.push_back(product(shape[i], shape[i]));
      d.modal_stiffness.push_back(2.0 + static_cast<double>(i));
      Vec3d moment, rotation;
      std::array<double, 6> rate{};
      for (std::size_t k = 0; k < m.size(); ++k) {
        moment += m[k] * shape[i][k];
        rotation += m[k] * cross(x[k], shape[i][k]);
        add_inertia(2 * m[k], x[k], shape[i][k], rate.data());
      }
      d.moment.push_back(moment);
      d.rotation.push_back(rotation);
      d.inertia_rate.insert(d.inertia_rate.end(), rate.begin(), rate.end());
      for (std::size_t j = 0; j < shape.size(); ++j) {
        Vec3d coupling;
        std::array<double, 6> curve{};
        for (std::size_t k = 0; k < m.size(); ++k) {
          coupling += m[k] * cross(shape[i][k], shape[j][k]);
          add_inertia(2 * m[k], shape[i][k], shape[j][k], curve.data());
        }
        d.coupling.push_back(coupling);
        d.inertia_curve.insert(d.inertia_curve.end(), curve.begin(), curve.end());
      }
    }
    for (std::size_t k = 0; k < m.size(); ++k) {
      d.node.push_back(static_cast<int>(10 + k));
      d.position.push_back(x[k]);
      for (const auto& phi : shape) {
        d.displacement.push_back(phi[k]);
        d.turn.push_back(random.between(0.2, 0.7) * random.direction());
      }
    }
    return d;
  }

  Body body(const std::string& name) const {
    Body b;
    b.name = name;
    b.orientation = turned({0.4, -0.3, 0.2});
    b.modal = ModalPart{};
    b.modal->file.name = "cloud";
    b.modal->origin = {0.3, -0.2, 0.5};
    b.modal->damping = {0.03, 0.05, 0.07};
    b.modal->damping.resize(shape.size(), 0.01);
    b.modal->rayleigh = {0.2, 0.1};
    b.modal->data = std::make_shared<const ModalData>(data());
    settle_modal(b);
    return b;
  }
};

inline Body node_body(const std::string& name, const std::string& of, int number) {
  Body b;
  b.name = name;
  b.node = ModalNode{of, number};
  return b;
}

/// The cloud with two nodes, of which a joint holds one to a rigid body.
inline Model flexible_model() {
  Model m = base_model();
  m.bodies = {PointCloud().body("cloud"), node_body("tip", "cloud", 12),
              node_body("root", "cloud", 15), m.bodies[2]};
  settle_nodes(m);
  SphericalJoint joint;
  joint.between = {MarkerRef{"tip"}, MarkerRef{"bystander"}};
  joint.point = m.bodies[1].position;
  m.joints.push_back({"ball", joint});
  return m;
}

}  // namespace tumble::testing
