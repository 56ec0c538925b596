// Large deflections and stiffnesses of whole beams.
#include <gtest/gtest.h>

#include <numbers>

#include "tumble/beam/gauss_points.hpp"
#include "tumble/beam/loads.hpp"
#include "tumble/beam/test/mesh.hpp"

namespace tumble::beam::testing {
namespace {

/// Extrapolates results with n and 2n elements whose error is of second order.
Eigen::VectorXd extrapolated(const Eigen::VectorXd& n, const Eigen::VectorXd& twice) {
  return (4 * twice - n) / 3;
}

/// EI = 1 N m² on 1 m, hardly extensible and hardly to be sheared: an elastica.
SectionStiffness elastica_section() { return {1e7, 1e7, 1e7, 1, 1, 1, 1e7, 1e7}; }

/// Tip of a cantilever under a dead tip force across it: deflection and shortening.
template <int D>
Eigen::VectorXd elastica_tip(double force, int elements, int direction) {
  Mesh<D> mesh;
  add_straight_beam<D>(mesh, Eigen::Matrix<double, D, 1>::Zero(),
                       Eigen::Matrix<double, D, D>::Identity(), 1.0, elements, [](double length) {
                         return structural_element<D>(
                             Reference<D>::straight(length),
                             std::vector<SectionStiffness>(5, elastica_section()));
                       });
  mesh.clamp(0);
  Eigen::VectorXd load = 0 * mesh.start;
  load(mesh.coordinate(mesh.last_node(), direction)) = force;
  const Eigen::VectorXd q = mesh.equilibrium(load, 10);
  const auto tip = mesh.position(q, mesh.last_node());
  return Eigen::Vector2d(tip(direction), 1 - tip(0));
}

template <int D>
void check_elastica(double force, double deflection, double shortening, int direction, int n,
                    double tolerance) {
  const Eigen::VectorXd a = elastica_tip<D>(force, n, direction),
                        b = elastica_tip<D>(force, 2 * n, direction),
                        c = elastica_tip<D>(force, 4 * n, direction), limit = extrapolated(b, c);
  EXPECT_NEAR(limit(0), deflection, tolerance);
  EXPECT_NEAR(limit(1), shortening, tolerance);
  // Of second order from coarse meshes on: nothing locks.
  const double order = std::log2(std::abs((a(0) - b(0)) / (b(0) - c(0))));
  EXPECT_NEAR(order, 2, 0.25);
  EXPECT_NEAR(a(0), deflection, 0.4 * deflection / (n * n));
}

// Closed form by elliptic integrals, to five digits.
TEST(Elastica, PlanarCantileverConverges) {
  check_elastica<2>(1, 0.30172, 0.05643, 1, 8, 1e-5);
  check_elastica<2>(10, 0.81061, 0.55500, 1, 16, 1e-5);
}
TEST(Elastica, SpatialCantileverConvergesInBothPlanes) {
  check_elastica<3>(1, 0.30172, 0.05643, 1, 4, 1e-5);
  check_elastica<3>(10, 0.81061, 0.55500, 2, 8, 1e-4);
}

/// K. J. Bathe, S. Bolourchi, Int. J. Numer. Methods Eng. 14 (1979), 961-986: an eighth of a circle
/// of radius 100 in with a unit square section, E = 1e7 psi, 600 lb across its plane.
Eigen::Vector3d bend_displacement(int elements, bool structural) {
  const double radius = 100, angle = std::numbers::pi / 4, length = radius * angle / elements;
  const Section section = Section::rectangular(1, 1);
  const auto node = [&](int i) {
    const double t = angle * i / elements;
    Eigen::Matrix3d axes;
    axes.col(0) = Eigen::Vector3d(std::sin(t), std::cos(t), 0);
    axes.col(1) = Eigen::Vector3d(-std::cos(t), std::sin(t), 0);
    axes.col(2) = axes.col(0).cross(axes.col(1));
    return node_at<3>({radius * (1 - std::cos(t)), radius * std::sin(t), 0}, axes);
  };
  Mesh<3> mesh;
  mesh.add_node(node(0));
  for (int i = 1; i <= elements; ++i) {
    mesh.add_node(node(i));
    Reference<3> reference{length, {}};
    Eigen::Map<Eigen::VectorXd>(reference.nodes.data(), 24) << node(i - 1), node(i);
    if (structural)
      mesh.add_element(
          i - 1, i,
          structural_element<3>(
              reference, std::vector<SectionStiffness>(5, section_stiffness(section, 1e7, 0))));
    else
      mesh.add_element(i - 1, i,
                       continuum_element<3, Curvature::curved>(reference, section,
                                                               std::vector<Lame>(5, lame(1e7, 0))));
  }
  mesh.clamp(0);
  Eigen::VectorXd load = 0 * mesh.start;
  load(mesh.coordinate(mesh.last_node(), 2)) = 600;
  const Eigen::VectorXd q = mesh.equilibrium(load, 6);
  return mesh.position(q, mesh.last_node()) - mesh.position(mesh.start, mesh.last_node());
}

TEST(FortyFiveDegreeBend, ConvergesWithTheStructuralFormulation) {
  const Eigen::VectorXd a = bend_displacement(8, true), b = bend_displacement(16, true),
                        limit = extrapolated(a, b);
  // The same rod (GJ with J = 0.140577, k = 5/6) by shooting: Reissner's equations of equilibrium
  // integrated with SciPy's DOP853 at 1e-12, the clamp's moment found so that none is left at the
  // tip.
  const Eigen::Vector3d shooting(-13.73165, -23.81909, 53.60799);
  EXPECT_LT((limit - shooting).cwiseAbs().maxCoeff(), 0.01);
  // Published with one digit, for eight elements of another theory.
  const Eigen::Vector3d bathe(-13.4, -23.5, 53.4);
  EXPECT_LT((limit - bathe).norm(), 0.01 * bathe.norm());
}

TEST(FortyFiveDegreeBend, ContinuumFormulationOfCurvedElementsApproachesIt) {
  // G (I_y + I_z) in place of GJ, and no shear correction. Shooting as above with J = 1/6 and k =
  // 1:
  const Eigen::Vector3d shooting(-13.60452, -23.56024, 53.47486);
  const Eigen::VectorXd a = bend_displacement(8, false), b = bend_displacement(16, false),
                        c = bend_displacement(32, false);
  const double coarse = (a - shooting).norm(), middle = (b - shooting).norm(),
               fine = (c - shooting).norm();
  EXPECT_GT(coarse, 5.0);  // eight elements lock: a tenth of the displacement is missing
  EXPECT_LT(middle, 0.25 * coarse);
  EXPECT_LT(fine, 0.3 * middle);
}

/// Torque on the tip of a clamped beam of 1 m by the twist of r_z there. `share` of the torque acts
/// on r_y, the rest on r_z.
double torsional_stiffness(const std::function<std::unique_ptr<Element<3>>(double)>& make,
                           int elements, double share) {
  Mesh<3> mesh;
  add_straight_beam<3>(mesh, {0, 0, 0}, Eigen::Matrix3d::Identity(), 1.0, elements, make);
  mesh.clamp(0);
  // Virtual work of a torque about x on a section that turns: δr_y = δφ e_z, δr_z = -δφ e_y.
  const double torque = 1e-3;
  Eigen::VectorXd load = 0 * mesh.start;
  load(mesh.coordinate(mesh.last_node(), 6 + 2)) = share * torque;
  load(mesh.coordinate(mesh.last_node(), 9 + 1)) = -(1 - share) * torque;
  const Eigen::VectorXd q = mesh.equilibrium(load, 1);
  return -torque / q(mesh.coordinate(mesh.last_node(), 9 + 1));
}

TEST(Torsion, StructuralFormulationHasGJ) {
  const double E = 2.6e9, nu = 0.3;
  for (const auto& section : {Section::rectangular(0.04, 0.02), Section::circular(0.02)})
    for (const int elements : {1, 4}) {
      const double GJ = 1e9 * section.torsion_constant();
      for (const double share : {0.0, 0.5})
        EXPECT_NEAR(torsional_stiffness(structural_maker<3>(section, E, nu, 1), elements, share),
                    GJ, 1e-6 * GJ);
    }
}

TEST(Torsion, ContinuumFormulationHasThePolarMoment) {
  // Sections stay plane in this element: a rectangle does not warp and is too stiff.
  const auto section = Section::rectangular(0.04, 0.02);
  const double polar = 1e9 * (section.I_y() + section.I_z());
  const double share = section.I_z() / (section.I_y() + section.I_z());  // as shear stress has it
  const double stiffness =
      torsional_stiffness(continuum_maker<3>(section, 2.6e9, 0.3, 1), 4, share);
  EXPECT_NEAR(stiffness / polar, 1, 1e-6);
  EXPECT_NEAR(stiffness / (1e9 * section.torsion_constant()), 1.82, 0.005);
}

/// Tip deflection of a slender cantilever (1 m, height 0.02 m) under a small force, times 3 EI / F.
double relative_deflection(bool structural, double nu, int elements) {
  const double E = 2e9, force = 1e-4;
  const auto section = Section::rectangular(0.02, 0.02);
  Mesh<2> mesh;
  add_straight_beam<2>(
      mesh, {0, 0}, Eigen::Matrix2d::Identity(), 1.0, elements,
      structural ? structural_maker<2>(section, E, nu, 1) : continuum_maker<2>(section, E, nu, 1));
  mesh.clamp(0);
  Eigen::VectorXd load = 0 * mesh.start;
  load(mesh.coordinate(mesh.last_node(), 1)) = force;
  const Eigen::VectorXd q = mesh.equilibrium(load, 1);
  return q(mesh.coordinate(mesh.last_node(), 1)) * 3 * E * section.I_z() / force;
}

TEST(Locking, OfTheContinuumFormulationIsPoissons) {
  // Stress across the section cannot vanish, because r_y does not vary with y: the bending
  // stiffness is (λ + 2G) I instead of E/(1 - ν²) I of plane strain, on any mesh.
  const double nu = 0.3, E = 1, stiff = lame(E, nu).lambda + 2 * lame(E, nu).shear;
  const double limit =
      (4 * relative_deflection(false, nu, 64) - relative_deflection(false, nu, 32)) / 3;
  EXPECT_NEAR(limit * stiff / E, 1, 2e-3);
  EXPECT_LT(limit, 0.75);
  // Without Poisson's ratio both formulations have the same error 1/(4 n²): constant curvature in
  // an element, no locking in shear.
  for (const int n : {2, 4, 8}) {
    EXPECT_NEAR(relative_deflection(false, 0, n), 1 - 0.25 / (n * n), 2e-3) << n;
    EXPECT_NEAR(relative_deflection(true, 0, n), 1 - 0.25 / (n * n), 2e-3) << n;
    EXPECT_NEAR(relative_deflection(true, nu, n), 1 - 0.25 / (n * n), 2e-3) << n;
  }
}

TEST(Loads, LineLoadsBalanceAndBendAsTheyShould) {
  // Work of a linear load on every polynomial motion of the axis, by quadrature.
  const double L = 0.7, f[2] = {3, -5};
  const auto load = line_load<3>(L);
  for (int i = 0; i < element_vectors<3>; ++i) {
    double sum = 0;
    for (const auto& p : gauss_points(4))
      sum += p.weight * L * shape_values<3>(L, {p.place}).s[i] *
             (f[0] * (1 - p.place) + f[1] * p.place);
    EXPECT_NEAR(load.first.s[i] * f[0] + load.second.s[i] * f[1], sum, 1e-15);
  }
  // A cantilever under its weight: F L³/(8 EI).
  const double E = 2e9, weight = 1e-3;
  const auto section = Section::rectangular(0.02, 0.02);
  const auto tip = [&](int n) {
    Mesh<2> mesh;
    add_straight_beam<2>(mesh, {0, 0}, Eigen::Matrix2d::Identity(), 1.0, n,
                         structural_maker<2>(section, E, 0, 1));
    mesh.clamp(0);
    const auto share = line_load<2>(1.0 / n);
    Eigen::VectorXd forces = 0 * mesh.start;
    for (int element = 0; element < n; ++element)
      for (int i = 0; i < element_vectors<2>; ++i)
        forces(mesh.coordinate(element + i / 3, 2 * (i % 3) + 1)) -=
            weight * (share.first.s[i] + share.second.s[i]);
    const Eigen::VectorXd q = mesh.equilibrium(forces, 1);
    return q(mesh.coordinate(n, 1));
  };
  const double limit = (4 * tip(16) - tip(8)) / 3, kGA = 5.0 / 6 * 1e9 * section.area();
  EXPECT_NEAR(-limit / (weight / (8 * E * section.I_z()) + weight / (2 * kGA)), 1, 1e-5);
}

TEST(Loads, PointLoadsActWhereTheyAreApplied) {
  // Σ s_i e_i of the undeformed element is the point.
  const auto reference = Reference<3>::straight(0.4);
  const auto s = point_load<3>(0.4, {0.3, 0.01, -0.02});
  Eigen::Vector3d point(0, 0, 0);
  for (int i = 0; i < element_vectors<3>; ++i)
    point += s.s[i] * coordinates(reference).segment<3>(3 * i);
  EXPECT_LT((point - Eigen::Vector3d(0.12, 0.01, -0.02)).norm(), 1e-16);
}

}  // namespace
}  // namespace tumble::beam::testing
