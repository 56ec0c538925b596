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
    element->mass = mass_matrix<D, Curvature::straight>(reference, section,
                                                        std::vector<double>(5, density));
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

TEST(LinearCurvature, ErrorsOfFrequenciesAreOfFourthOrder) {
  for (const bool is_clamped : {true, false}) {
    const auto& expected = is_clamped ? clamped : unsupported;
    const auto a = frequencies<2>(is_clamped, 4, 3), b = frequencies<2>(is_clamped, 8, 3);
    for (std::size_t i = 0; i < 3; ++i) {
      const double coarse = a[i] / expected[i] - 1, fine = b[i] / expected[i] - 1;
      std::printf("%d %zu %g %g\n", is_clamped, i, coarse, fine);
      EXPECT_NEAR(std::log2(std::abs(coarse / fine)), 4, 0.7) << i;
    }
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
  add_straight_beam<D>(mesh, Eigen::Matrix<double, D, 1>::Zero(),
                       Eigen::Matrix<double, D, D>::Identity(), 1.0, elements,
                       [&section](double length) {
                         return structural_element<D>(Reference<D>::straight(length),
                                                      std::vector<SectionStiffness>(5, section), 0,
                                                      true);
                       });
  mesh.clamp(0);
  Eigen::VectorXd load = 0 * mesh.start;
  load(mesh.coordinate(mesh.last_node(), direction)) = force;
  const Eigen::VectorXd q = mesh.equilibrium(load, 10);
  const auto tip = mesh.position(q, mesh.last_node());
  return {tip(direction), 1 - tip(0)};
}

// Closed form by elliptic integrals, to five digits.
TEST(LinearCurvature, AnElasticaDoesNotLock) {
  for (const int n : {4, 8, 16}) {
    const auto tip = elastica_tip<2>(10, n, 1);
    std::printf("%d %g %g\n", n, tip(0) / 0.81061 - 1, tip(1) / 0.55500 - 1);
  }
  for (const int n : {4, 8}) {
    const auto tip = elastica_tip<3>(10, n, 2);
    std::printf("%d %g %g\n", n, tip(0) / 0.81061 - 1, tip(1) / 0.55500 - 1);
  }
  for (const int n : {2, 4, 8}) {
    const auto tip = elastica_tip<2>(1, n, 1);
    std::printf("%d %g %g\n", n, tip(0) / 0.30172 - 1, tip(1) / 0.05643 - 1);
  }
}

}  // namespace
}  // namespace tumble::beam::testing
