// The invariants against Gauss quadrature, differences, rigid motions and homogeneous strains.
#include <gtest/gtest.h>

#include "tumble/beam/test/element_cases.hpp"
#include "tumble/beam/test/quadrature_reference.hpp"

namespace tumble::beam::testing {
namespace {

template <class T>
struct Invariants : ::testing::Test {};
TYPED_TEST_SUITE(Invariants, ElementCases);

Lame uniform(double) { return lame(2e7, 0.3); }

std::vector<Lame> at_gauss_points(Lame (*material)(double)) {
  std::vector<Lame> out;
  for (const auto& point : gauss_points(5)) out.push_back(material(point.place));
  return out;
}

TYPED_TEST(Invariants, GiveForceTangentAndEnergyOfQuadrature) {
  constexpr int D = TypeParam::D;
  const auto reference = TypeParam::reference();
  std::mt19937 generator(5);
  for (const Section& section : {Section::rectangular(0.05, 0.01), Section::circular(0.02)})
    for (const auto material : {uniform, varying}) {
      const auto element =
          continuum_element<D, TypeParam::curvature>(reference, section, at_gauss_points(material));
      for (const double size : {0.5, 0.1, 1e-3}) {
        const Eigen::VectorXd e = some_configuration(reference, size, generator);
        const auto expected =
            quadrature_force<D>(reference.length, section, coordinates(reference), e, material);
        const auto got = element->evaluate(e, Eigen::VectorXd::Zero(e.size()), true);
        // What quadrature loses where strains are small is the rounding of Fᵀ F - I.
        const double rounding = 1e-12 + 1e-15 / size;
        EXPECT_LT(relative(got.force, expected.force), rounding) << size;
        EXPECT_LT(relative(got.stiffness, expected.tangent), 1e-12) << size;
        EXPECT_NEAR(got.energy / expected.energy, 1, rounding) << size;
      }
    }
}

TYPED_TEST(Invariants, AffineModulusNeedsOneMatrixPerTerm) {
  // E(x) = E0(x) + a E1(x) + b E2(x) with constant nu: A is the same combination.
  constexpr int D = TypeParam::D;
  constexpr Curvature curvature = TypeParam::curvature;
  using Constants = ContinuumConstants<D, curvature>;
  const ContinuumInvariants<D, curvature> invariants(TypeParam::reference(),
                                                     Section::rectangular(0.05, 0.01));
  const auto matrix = [&](auto modulus) {
    std::vector<Lame> material;
    for (const double xi : invariants.places()) {
      const Lame unit = lame(1.0, 0.3);
      material.push_back({modulus(xi) * unit.lambda, modulus(xi) * unit.shear});
    }
    std::vector<double> out(Constants::stiffness_size);
    invariants.write_stiffness(material, out.data());
    return out;
  };
  const auto mean = matrix([](double) { return 2e7; });
  const auto first = matrix([](double xi) { return 1e6 * (1 - xi); });
  const auto second =
      matrix([](double xi) { return 1e6 * (2 * xi - 1); });  // no material by itself
  const double a = 0.8, b = -1.7;
  const auto whole =
      matrix([&](double xi) { return 2e7 + a * 1e6 * (1 - xi) + b * 1e6 * (2 * xi - 1); });
  double largest = 0;
  for (const double x : whole) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < whole.size(); ++i)
    EXPECT_NEAR(mean[i] + a * first[i] + b * second[i], whole[i], 1e-14 * largest);
}

TYPED_TEST(Invariants, TangentsAreDerivativesOfTheForceWithDamping) {
  constexpr int D = TypeParam::D;
  const auto reference = TypeParam::reference();
  std::mt19937 generator(11);
  const auto element = continuum_element<D, TypeParam::curvature>(
      reference, Section::rectangular(0.05, 0.03), at_gauss_points(varying), 0.013);
  const Eigen::VectorXd e = some_configuration(reference, 0.2, generator);
  const Eigen::VectorXd rate = some_configuration(reference, 20, generator);
  const auto at = element->evaluate(e, rate, true);
  const auto difference = [&](bool of_rate, double step) {
    Eigen::MatrixXd out(e.size(), e.size());
    for (int j = 0; j < e.size(); ++j) {
      Eigen::VectorXd shift = Eigen::VectorXd::Zero(e.size());
      shift(j) = step;
      const auto force = [&](double sign) {
        return of_rate ? element->evaluate(e, rate + sign * shift, false).force
                       : element->evaluate(e + sign * shift, rate, false).force;
      };
      out.col(j) = (force(1) - force(-1)) / (2 * step);
    }
    return out;
  };
  // The force is cubic in the coordinates and linear in the velocities.
  EXPECT_LT(relative(at.stiffness, difference(false, 1e-5)), 1e-8);
  EXPECT_LT(relative(at.damping, difference(true, 1.0)), 1e-12);
  EXPECT_LT(relative(at.damping, at.damping.transpose()), 1e-14);
  EXPECT_GT(rate.dot(at.damping * rate), 0);  // damping takes energy out
}

TYPED_TEST(Invariants, RigidMotionIsFreeOfForce) {
  constexpr int D = TypeParam::D;
  const auto reference = TypeParam::reference();
  std::mt19937 generator(3);
  const double E = 2e7, section_area = 5e-4;
  const auto element = continuum_element<D, TypeParam::curvature>(
      reference, Section::rectangular(0.05, 0.01), at_gauss_points(uniform), 0.01);
  for (int k = 0; k < 10; ++k) {
    const auto R = some_rotation<D>(generator);
    const Eigen::Matrix<double, D, 1> shift = Eigen::Matrix<double, D, 1>::Constant(3.0 * k);
    const Eigen::VectorXd e = moved<D>(coordinates(reference), R, shift);
    // ė = ω × e + v with |ω| about 1: a skew matrix times the vectors, and v for the positions.
    Eigen::Matrix<double, D, D> spin = some_rotation<D>(generator);
    spin = (spin - spin.transpose()).eval();
    const Eigen::VectorXd turn = moved<D>(e, spin, shift);
    const auto answer = element->evaluate(e, turn, true);
    // A unit strain makes a force of about E A.
    EXPECT_LT(answer.force.cwiseAbs().maxCoeff(), 1e-12 * (1 + 3 * k) * E * section_area);
    EXPECT_LT(answer.energy, 1e-24 * (1 + 9 * k * k) * E * section_area);
    EXPECT_GE(answer.energy, -1e-30 * E);
    // Nor does a force arise when the element is displaced as a rigid body and its velocities turn
    // with it.
    const Eigen::VectorXd turned_rate = moved<D>(turn, spin, 0 * shift);
    const Eigen::VectorXd change = answer.stiffness * turn + answer.damping * turned_rate;
    EXPECT_LT(change.norm(), 1e-12 * answer.stiffness.norm() * (turn.norm() + turned_rate.norm()));
  }
}

/// Under r = F X the node between two elements of unequal length is in balance, and each element
/// has the energy V W(F).
template <int D>
void check_patch() {
  const Section section = Section::rectangular(0.05, 0.03);
  Eigen::Matrix<double, D, D> F = Eigen::Matrix<double, D, D>::Identity();
  F(0, 0) = 1.1, F(0, 1) = 0.07, F(1, 0) = -0.2, F(1, 1) = 0.9;
  if constexpr (D == 3) F(2, 2) = 1.05, F(0, 2) = 0.11, F(2, 1) = -0.04;
  const Eigen::Matrix<double, D, D> strain =
      0.5 * (F.transpose() * F - Eigen::Matrix<double, D, D>::Identity());
  const Lame m = uniform(0);
  const double density =
      0.5 * m.lambda * strain.trace() * strain.trace() + m.shear * strain.squaredNorm();
  Eigen::VectorXd inside = Eigen::VectorXd::Zero(node_coordinates<D>);
  double largest = 0;
  for (const double length : {0.1, 0.35}) {
    const auto reference = Reference<D>::straight(length);
    const auto element = continuum_element<D>(reference, section, at_gauss_points(uniform));
    const Eigen::VectorXd e =
        moved<D>(coordinates(reference), F, Eigen::Matrix<double, D, 1>::Zero());
    const auto answer = element->evaluate(e, e, false);
    EXPECT_NEAR(answer.energy, density * section.area() * length, 1e-13 * density);
    inside += length == 0.1 ? answer.force.tail(node_coordinates<D>)
                            : answer.force.head(node_coordinates<D>);
    largest = answer.force.cwiseAbs().maxCoeff();
  }
  // Positions and r_x are in balance. The slopes of the sections are not: they carry the stress
  // times the volume, whatever the element, because nothing else holds the sides of a free beam.
  EXPECT_LT(inside.head(2 * D).cwiseAbs().maxCoeff(), 1e-13 * largest);
}

TEST(Patch, CarriesHomogeneousStrainInThePlane) { check_patch<2>(); }
TEST(Patch, CarriesHomogeneousStrainInSpace) { check_patch<3>(); }

TEST(Lame, RefusesUnstableMaterials) {
  EXPECT_THROW(lame(0, 0.3), std::invalid_argument);
  EXPECT_THROW(lame(-1, 0.3), std::invalid_argument);
  EXPECT_THROW(lame(1, 0.5), std::invalid_argument);
  EXPECT_THROW(lame(1, -1), std::invalid_argument);
  EXPECT_DOUBLE_EQ(lame(2.6, 0.3).shear, 1.0);
  EXPECT_DOUBLE_EQ(lame(2.6, 0.3).lambda, 1.5);
}

TEST(ContinuumInvariants, RefuseWhatIsNoBeam) {
  const auto section = Section::rectangular(0.05, 0.01);
  using Straight = ContinuumInvariants<3, Curvature::straight>;
  EXPECT_THROW(Straight(Reference<3>::straight(0), section), std::invalid_argument);
  EXPECT_THROW(Straight(Reference<3>::straight(-1), section), std::invalid_argument);
  // A section of 2 m radius on an axis of 0.78 m radius.
  using Curved = ContinuumInvariants<3, Curvature::curved>;
  EXPECT_THROW(Curved(curved_reference<3>(), Section::circular(2)), std::invalid_argument);
  const Straight good(Reference<3>::straight(1), section);
  std::vector<double> constants(ContinuumConstants<3, Curvature::straight>::size);
  EXPECT_THROW(good.write_geometry(-1, constants.data()), std::invalid_argument);
  EXPECT_THROW(good.write_stiffness(std::vector<Lame>(4), constants.data()), std::invalid_argument);
}

}  // namespace
}  // namespace tumble::beam::testing
