// Elements whose curvature is linear: few of them, and closer by orders.
#include <gtest/gtest.h>

#include <numbers>

#include "tumble/beam/test/mesh.hpp"

namespace tumble::beam::testing {
namespace {

constexpr double E = 2e11, nu = 0.3, density = 7800;
const Section square = Section::rectangular(0.02, 0.02);

template <int D>
auto linear_maker(const Section& section) {
  return [section](double length) {
    const auto reference = Reference<D>::straight(length);
    auto element = structural_element<D>(
        reference, std::vector<SectionStiffness>(5, section_stiffness(section, E, nu)), 0, true);
    element->mass =
        mass_matrix<D, Curvature::straight>(reference, section, std::vector<double>(5, density));
    return element;
  };
}

template <int D>
std::vector<double> frequencies(bool clamped, int elements, int count) {
  Mesh<D> mesh;
  add_straight_beam<D>(mesh, Eigen::Matrix<double, D, 1>::Zero(),
                       Eigen::Matrix<double, D, D>::Identity(), 1.0, elements,
                       linear_maker<D>(square));
  if (clamped) mesh.clamp(0);
  const Eigen::VectorXd values = mesh.eigenvalues(mesh.start);
  std::vector<double> out;
  for (int i = 0; i < count; ++i)
    out.push_back(std::sqrt(values((clamped ? 0 : D == 2 ? 3 : 6) + i)));
  return out;
}

// Timoshenko's beam of 1 m: roots of the determinant of its transfer matrix, as in
// dynamics_test.cpp.
const std::vector<double> clamped{102.7593364904341, 642.7761244465497, 1794.3844902350718};
const std::vector<double> unsupported{653.1418771887625, 1795.5715577009544, 3506.237808434872};

TEST(LinearCurvature, FourElementsFindTheFirstModesOfACantilever) {
  const auto found = frequencies<2>(true, 4, 3);
  EXPECT_NEAR(found[0] / clamped[0], 1, 1e-3);
  EXPECT_NEAR(found[1] / clamped[1], 1, 5e-3);
  EXPECT_NEAR(found[2] / clamped[2], 1, 1e-2);
  const auto space = frequencies<3>(true, 4, 6);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(space[i] / found[i / 2], 1, 1e-6) << i;
}

// Rotary inertia is still that of a straight line between the nodes' sections: what it has for a
// share in the error, 1e-4 of the second order, shows at last. Constant curvature has 1/(4 n²),
// 4e-3.
TEST(LinearCurvature, EightElementsAreOrdersBetter) {
  const auto a = frequencies<2>(true, 8, 3), b = frequencies<2>(false, 8, 3);
  const double cantilever[] = {2e-5, 2e-4, 1e-3}, free_beam[] = {1.5e-4, 8e-4, 3e-3};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(a[i] / clamped[i], 1, cantilever[i]) << i;
    EXPECT_NEAR(b[i] / unsupported[i], 1, free_beam[i]) << i;
  }
}

/// Of a cantilever under a tip force, small enough for Timoshenko's theory.
TEST(LinearCurvature, OneElementBendsAsTimoshenkosBeam) {
  for (const double height : {0.001, 0.02, 0.2}) {
    const Section section = Section::rectangular(height, 0.02);
    const SectionStiffness k = section_stiffness(section, E, nu);
    for (const int direction : {1, 2}) {
      Mesh<3> mesh;
      add_straight_beam<3>(mesh, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity(), 1.0, 1,
                           linear_maker<3>(section));
      mesh.fix(0, 0, 3), mesh.fix(0, 6, 12);  // shear leaves the slope of the axis open
      const double EI = direction == 1 ? k.bending_z : k.bending_y,
                   GA = direction == 1 ? k.shear_y : k.shear_z, force = 1e-5 * EI;
      Eigen::VectorXd load = 0 * mesh.start;
      load(mesh.coordinate(1, direction)) = force;
      const Eigen::VectorXd q = mesh.equilibrium(load, 1);
      const double expected = force / (3 * EI) + force / GA;
      EXPECT_NEAR(mesh.position(q, 1)(direction) / expected, 1, 1e-7) << height << direction;
    }
  }
}

/// EI = 1 N m² on 1 m, hardly extensible and hardly to be sheared: an elastica.
template <int D>
Eigen::Vector2d elastica_tip(double force, int elements, int direction) {
  Mesh<D> mesh;
  const SectionStiffness section{1e7, 1e7, 1e7, 1, 1, 1, 1e7, 1e7};
  add_straight_beam<D>(
      mesh, Eigen::Matrix<double, D, 1>::Zero(), Eigen::Matrix<double, D, D>::Identity(), 1.0,
      elements, [&section](double length) {
        return structural_element<D>(Reference<D>::straight(length),
                                     std::vector<SectionStiffness>(5, section), 0, true);
      });
  mesh.clamp(0);
  Eigen::VectorXd load = 0 * mesh.start;
  load(mesh.coordinate(mesh.last_node(), direction)) = force;
  const Eigen::VectorXd q = mesh.equilibrium(load, 10);
  const auto tip = mesh.position(q, mesh.last_node());
  return {tip(direction), 1 - tip(0)};
}

// Closed form by elliptic integrals, to five digits. EA L²/EI = 1e7: without what is taken out of
// the strains four elements are off by 13 % under the small load, and eight by 6 % under the large.
TEST(LinearCurvature, AnElasticaDoesNotLock) {
  const auto check = [](const Eigen::Vector2d& tip, double deflection, double shortening,
                        double tolerance) {
    EXPECT_NEAR(tip(0) / deflection, 1, tolerance);
    EXPECT_NEAR(tip(1) / shortening, 1, 2 * tolerance);
  };
  check(elastica_tip<2>(1, 4, 1), 0.30172, 0.05643, 1e-3);
  check(elastica_tip<2>(1, 8, 1), 0.30172, 0.05643, 1e-4);
  check(elastica_tip<2>(10, 8, 1), 0.81061, 0.55500, 2e-3);
  check(elastica_tip<2>(10, 16, 1), 0.81061, 0.55500, 3e-5);
  for (const int direction : {1, 2}) {
    check(elastica_tip<3>(1, 4, direction), 0.30172, 0.05643, 1e-3);
    check(elastica_tip<3>(10, 8, direction), 0.81061, 0.55500, 2e-3);
  }
}

// Of a square section, that bends alike in all planes, in one between its axes.
TEST(LinearCurvature, AnElasticaDoesNotLockInASkewPlane) {
  for (const auto& [force, elements, tolerance] :
       {std::tuple{1.0, 8, 2e-3}, std::tuple{10.0, 16, 5e-3}}) {
    const double deflection = force == 1 ? 0.30172 : 0.81061;
    for (const double angle : {0.3, 0.785398163397448}) {
      Mesh<3> mesh;
      const SectionStiffness section{1e7, 1e7, 1e7, 1, 1, 1, 1e7, 1e7};
      add_straight_beam<3>(mesh, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity(), 1.0,
                           elements, [&section](double length) {
                             return structural_element<3>(Reference<3>::straight(length),
                                                          std::vector<SectionStiffness>(5, section),
                                                          0, true);
                           });
      mesh.clamp(0);
      Eigen::VectorXd load = 0 * mesh.start;
      load(mesh.coordinate(mesh.last_node(), 1)) = force * std::cos(angle);
      load(mesh.coordinate(mesh.last_node(), 2)) = force * std::sin(angle);
      const auto tip = mesh.position(mesh.equilibrium(load, 10), mesh.last_node());
      const double along = std::cos(angle) * tip(1) + std::sin(angle) * tip(2),
                   across = std::cos(angle) * tip(2) - std::sin(angle) * tip(1);
      EXPECT_NEAR(along / deflection, 1, tolerance) << angle;
      EXPECT_NEAR(across, 0, tolerance) << angle;
    }
  }
}

/// Energy, force and tangent of one far bent, sheared and twisted element, by differences.
template <int D>
void check_derivatives(double damping_time) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> some(-0.2, 0.2);
  SectionStiffness k{3, 2, 1.5, 0.4, 0.5, 0.7, 3, 2};
  const auto element = structural_element<D>(
      curved_reference<D>(0.8, 0.5), std::vector<SectionStiffness>(5, k), damping_time, true);
  Eigen::VectorXd e = coordinates(curved_reference<D>(0.8, 0.5)), rate = 0 * e;
  for (int i = 0; i < e.size(); ++i) e(i) += some(generator), rate(i) = some(generator);
  const Eigen::VectorXd at_rest = 0 * e;
  const double h = 1e-5;
  const auto here = element->evaluate(e, rate, true);
  for (int i = 0; i < e.size(); ++i) {
    Eigen::VectorXd up = e, down = e;
    up(i) += h, down(i) -= h;
    if (damping_time == 0) {
      const double rise = element->evaluate(up, at_rest, false).energy -
                          element->evaluate(down, at_rest, false).energy;
      EXPECT_NEAR(rise / (2 * h), here.force(i), 1e-8) << i;
    }
    const Eigen::VectorXd column =
        (element->evaluate(up, rate, false).force - element->evaluate(down, rate, false).force) /
        (2 * h);
    EXPECT_LT((column - here.stiffness.col(i)).cwiseAbs().maxCoeff(), 1e-7) << i;
  }
}

TEST(LinearCurvature, ForceAndTangentAreDerivatives) {
  check_derivatives<2>(0);
  check_derivatives<3>(0);
  check_derivatives<2>(0.3);
  check_derivatives<3>(0.3);
}

}  // namespace
}  // namespace tumble::beam::testing
