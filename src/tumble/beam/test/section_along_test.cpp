// Sections that vary along an element: invariants against quadrature, inertia against integrals,
// and a tapered cantilever of one material.
#include <gtest/gtest.h>

#include <numbers>

#include "tumble/beam/test/element_cases.hpp"
#include "tumble/beam/test/mesh.hpp"
#include "tumble/beam/test/quadrature_reference.hpp"

namespace tumble::beam::testing {
namespace {

template <class T>
struct VaryingSections : ::testing::Test {};
TYPED_TEST_SUITE(VaryingSections, ElementCases);

Section wavy_rectangle(double xi) {
  return Section::rectangular(0.05 * (1 - 0.4 * xi), 0.01 * (1 + 0.7 * xi * xi));
}
Section wavy_disc(double xi) { return Section::circular(0.02 * (1 + 0.3 * std::sin(3 * xi))); }

TYPED_TEST(VaryingSections, GiveForceTangentAndEnergyOfQuadrature) {
  constexpr int D = TypeParam::D;
  const auto reference = TypeParam::reference();
  std::mt19937 generator(17);
  std::vector<Lame> material;
  for (const auto& point : gauss_points(5)) material.push_back(varying(point.place));
  for (const auto at : {wavy_rectangle, wavy_disc}) {
    const SectionAlong section(std::function<Section(double)>{at});
    const auto element = continuum_element<D, TypeParam::curvature>(reference, section, material);
    for (const double size : {0.5, 0.1}) {
      const Eigen::VectorXd e = some_configuration(reference, size, generator);
      const auto expected =
          quadrature_force<D>(reference.length, section, coordinates(reference), e, varying);
      const auto got = element->evaluate(e, Eigen::VectorXd::Zero(e.size()), true);
      EXPECT_LT(relative(got.force, expected.force), 1e-12) << size;
      EXPECT_LT(relative(got.stiffness, expected.tangent), 1e-12) << size;
      EXPECT_NEAR(got.energy / expected.energy, 1, 1e-12) << size;
    }
  }
}

/// v^T M v of a velocity field is twice its kinetic energy, which is integrated here with 20 points
/// along the axis. With dimensions linear in x the integrand is a polynomial of degree 9 at most.
TYPED_TEST(VaryingSections, HaveTheInertiaOfTheirVolume) {
  constexpr int D = TypeParam::D;
  const auto reference = TypeParam::reference();
  const auto density = [](double xi) { return 7000 * (1 + 0.1 * xi); };
  const SectionAlong section(std::function<Section(double)>([](double xi) {
    return Section::rectangular(0.05 * (1 - 0.4 * xi), 0.01 * (1 + 0.7 * xi));
  }));
  std::vector<double> densities;
  for (const auto& point : gauss_points(5)) densities.push_back(density(point.place));
  const Eigen::MatrixXd M = mass_matrix<D, TypeParam::curvature>(reference, section, densities);
  const double L = reference.length;
  const Eigen::VectorXd X = coordinates(reference);
  const auto integral = [&](const std::function<double(double, double, double)>& f, int axial) {
    double sum = 0;
    for (const auto& a : gauss_points(axial))
      for (const auto& p : section(a.place).points(5)) {
        const Eigen::Map<const Eigen::MatrixXd> E0(X.data(), D, 2 * (D + 1));
        const Eigen::MatrixXd g = textbook_gradients<D>(L, a.place * L, p.y, p.z);
        sum += a.weight * L * p.weight * (E0 * g).determinant() * density(a.place) *
               f(a.place, p.y, p.z);
      }
    return sum;
  };
  // A translation: all positions move alike.
  Eigen::VectorXd shift = Eigen::VectorXd::Zero(X.size());
  shift(0) = shift(node_coordinates<D>) = 1;
  const double exact = integral([](double, double, double) { return 1.0; }, 20);
  EXPECT_NEAR(shift.dot(M * shift) / exact, 1, 1e-12);
  // A rotation of the sections of both nodes alike, r_y = e_x: points move by y.
  Eigen::VectorXd tilt = Eigen::VectorXd::Zero(X.size());
  tilt(2 * D) = tilt(node_coordinates<D> + 2 * D) = 1;
  const double second = integral([](double, double y, double) { return y * y; }, 20);
  EXPECT_NEAR(tilt.dot(M * tilt) / second, 1, 1e-12);
}

// A cantilever whose height falls linearly to half: EI(x) and GA(x) by integrals.
TEST(TaperedCantilever, BendsAsItsSectionsSay) {
  const double L = 1, E = 2e11, nu = 0.3, width = 0.02, P = 3;
  const auto section = [&](double x) { return Section::rectangular(0.03 * (1 - 0.5 * x), width); };
  double expected = 0;  // P (L-x)²/EI + P/kGA
  for (const auto& point : gauss_points(40)) {
    const auto s = section_stiffness(section(point.place * L), E, nu);
    const double arm = L * (1 - point.place);
    expected += point.weight * L * P * (arm * arm / s.bending_z + 1 / s.shear_y);
  }
  const auto tip = [&](int elements) {
    Mesh<2> mesh;
    int next = 0;
    add_straight_beam<2>(
        mesh, Eigen::Vector2d::Zero(), Eigen::Matrix2d::Identity(), L, elements,
        [&](double length) {
          std::vector<SectionStiffness> sections;
          for (const double xi : StructuralInvariants<2>::places())
            sections.push_back(section_stiffness(section((next + xi) * length), E, nu));
          ++next;
          return structural_element<2>(Reference<2>::straight(length), sections);
        });
    mesh.clamp(0);
    Eigen::VectorXd load = 0 * mesh.start;
    load(mesh.coordinate(mesh.last_node(), 1)) = P;
    return mesh.position(mesh.equilibrium(load, 1), mesh.last_node())(1);
  };
  const double a = tip(8), b = tip(16), c = tip(32), limit = c + (c - b) / 3;
  EXPECT_NEAR(std::log2((b - a) / (c - b)), 2, 0.1);
  EXPECT_NEAR(limit / expected, 1, 2e-5);
}

}  // namespace
}  // namespace tumble::beam::testing
