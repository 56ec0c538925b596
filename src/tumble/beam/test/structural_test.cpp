// The structural formulation, element by element: derivatives, rigid motions, hand-computed states.
#include <gtest/gtest.h>

#include "tumble/beam/test/element_cases.hpp"

namespace tumble::beam::testing {
namespace {

template <class T>
struct Structural : ::testing::Test {};
TYPED_TEST_SUITE(Structural, ElementCases);

/// Stiffnesses that differ in size and along the axis.
std::vector<SectionStiffness> some_sections() {
  std::vector<SectionStiffness> out;
  for (int i = 0; i < 5; ++i) {
    const double f = 1 + 0.1 * i;
    out.push_back({100 * f, 40 * f, 30 * f, 2 * f, 3 * f, 1.5 * f, 90 * f, 50 * f});
  }
  return out;
}

TYPED_TEST(Structural, ForceIsTheDerivativeOfTheEnergy) {
  constexpr int D = TypeParam::D;
  const auto reference = TypeParam::reference();
  std::mt19937 generator(7);
  const auto element = structural_element<D>(reference, some_sections());
  for (const double size : {0.3, 0.01}) {
    const Eigen::VectorXd e = some_configuration(reference, size, generator), rest = 0 * e;
    const auto at = element->evaluate(e, rest, true);
    const double h = 1e-4;
    Eigen::VectorXd difference(e.size());
    for (int i = 0; i < e.size(); ++i) {
      // Fourth order: error h⁴ times the fifth derivative.
      const auto energy = [&](double k) {
        Eigen::VectorXd moved = e;
        moved(i) += k * h;
        return element->evaluate(moved, rest, false).energy;
      };
      difference(i) = (8 * (energy(1) - energy(-1)) - (energy(2) - energy(-2))) / (12 * h);
    }
    EXPECT_LT(relative(at.force, difference), 1e-8) << size;
    EXPECT_LT(relative(at.stiffness, at.stiffness.transpose()), 1e-12) << size;
  }
}

TYPED_TEST(Structural, TangentsAreDerivativesOfTheForceWithDamping) {
  constexpr int D = TypeParam::D;
  const auto reference = TypeParam::reference();
  std::mt19937 generator(8);
  for (const double damping_time : {0.0, 0.02}) {
    const auto element = structural_element<D>(reference, some_sections(), damping_time);
    const Eigen::VectorXd e = some_configuration(reference, 0.2, generator);
    const Eigen::VectorXd rate = some_configuration(reference, 5, generator);
    const auto at = element->evaluate(e, rate, true);
    const auto difference = [&](bool of_rate, double step) {
      Eigen::MatrixXd out(e.size(), e.size());
      for (int j = 0; j < e.size(); ++j) {
        const auto force = [&](double k) {
          Eigen::VectorXd shift = Eigen::VectorXd::Zero(e.size());
          shift(j) = k * step;
          return of_rate ? element->evaluate(e, rate + shift, false).force
                         : element->evaluate(e + shift, rate, false).force;
        };
        out.col(j) = (8 * (force(1) - force(-1)) - (force(2) - force(-2))) / (12 * step);
      }
      return out;
    };
    EXPECT_LT(relative(at.stiffness, difference(false, 1e-4)), 1e-8);
    if (damping_time == 0) {
      EXPECT_EQ(at.damping.cwiseAbs().maxCoeff(), 0);
      continue;
    }
    EXPECT_LT(relative(at.damping, difference(true, 1.0)), 1e-11);  // linear
    EXPECT_LT(relative(at.damping, at.damping.transpose()), 1e-13);
    EXPECT_GT(rate.dot(at.damping * rate), 0);
  }
}

TYPED_TEST(Structural, RigidMotionIsFreeOfForce) {
  constexpr int D = TypeParam::D;
  const auto reference = TypeParam::reference();
  std::mt19937 generator(9);
  const auto element = structural_element<D>(reference, some_sections(), 0.01);
  for (int k = 0; k < 10; ++k) {
    const Eigen::Matrix<double, D, 1> shift = Eigen::Matrix<double, D, 1>::Constant(0.3 * k);
    const Eigen::VectorXd e = moved<D>(coordinates(reference), some_rotation<D>(generator), shift);
    Eigen::Matrix<double, D, D> spin = some_rotation<D>(generator);
    spin = (spin - spin.transpose()).eval();
    const auto answer = element->evaluate(e, moved<D>(e, spin, shift), false);
    EXPECT_LT(answer.force.cwiseAbs().maxCoeff(), 1e-12 * 100);  // a unit strain makes 100 N
    EXPECT_LT(answer.energy, 1e-26 * 100);
  }
}

TYPED_TEST(Structural, OnlyRigidMotionIsFreeOfStrain) {
  constexpr int D = TypeParam::D;
  const auto reference = TypeParam::reference();
  const auto element = structural_element<D>(reference, some_sections());
  const Eigen::VectorXd e = coordinates(reference);
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(element->evaluate(e, 0 * e, true).stiffness)
          .eigenvalues();
  const int rigid = D == 2 ? 3 : 6;
  const double largest = values(values.size() - 1);
  EXPECT_LT(values.head(rigid).cwiseAbs().maxCoeff(), 1e-13 * largest);
  EXPECT_GT(values(rigid), 1e-6 * largest);
}

/// An element of 0.2 m whose second node is at `position` with its section turned by `axes`, both
/// ends pointing along their own normals; uniform stiffnesses.
double energy_of(const Eigen::Vector3d& position, const Eigen::Matrix3d& axes,
                 const Eigen::Matrix3d& slopes, const SectionStiffness& stiffness) {
  const auto reference = Reference<3>::straight(0.2);
  const auto element =
      structural_element<3>(reference, std::vector<SectionStiffness>(5, stiffness));
  Eigen::VectorXd e = coordinates(reference);
  e.segment<3>(3) = slopes.col(0);  // r_x of the first node
  e.segment<3>(12) = position;
  e.segment<3>(15) = slopes.col(1);  // r_x of the second
  for (int k = 1; k < 3; ++k) e.segment<3>(15 + 3 * k) = axes.col(k);
  return element->evaluate(e, 0 * e, false).energy;
}

TEST(StructuralElement, HasTheEnergyOfElementaryStates) {
  const double L = 0.2, x = 1e-3;
  const Eigen::Matrix3d I = Eigen::Matrix3d::Identity();
  const SectionStiffness s{700, 50, 60, 7, 11, 13, 500, 300};
  const auto slopes = [](const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
    Eigen::Matrix3d m = Eigen::Matrix3d::Zero();
    m.col(0) = a, m.col(1) = b;
    return m;
  };
  const Eigen::Vector3d ex(1, 0, 0), ey(0, 1, 0), ez(0, 0, 1);
  // Stretched by x: ½ EA x² L.
  EXPECT_NEAR(energy_of((1 + x) * L * ex, I, slopes((1 + x) * ex, (1 + x) * ex), s),
              0.5 * s.axial * x * x * L, 1e-15);
  // Sheared: the axis leaves the sections at the slope x.
  for (const auto& [direction, stiffness] : {std::pair{ey, s.shear_y}, std::pair{ez, s.shear_z}}) {
    const Eigen::Vector3d slope = ex + x * direction;
    EXPECT_NEAR(energy_of(L * slope, I, slopes(slope, slope), s), 0.5 * stiffness * x * x * L,
                1e-15);
  }
  // Twisted by the angle x and bent to arcs of it: ½ GJ x²/L, ½ EI x²/L but for terms of x⁴.
  const Eigen::Matrix3d twist = Eigen::AngleAxisd(x, ex).matrix();
  EXPECT_NEAR(energy_of(L * ex, twist, slopes(ex, ex), s), 0.5 * s.torsion * x * x / L, 1e-11);
  const Eigen::Vector3d arc(std::sin(x) / x, 0, (1 - std::cos(x)) / x);
  const Eigen::Matrix3d bend_z = Eigen::AngleAxisd(x, ez).matrix();
  EXPECT_NEAR(
      energy_of(L * Eigen::Vector3d(arc.x(), arc.z(), 0), bend_z, slopes(ex, bend_z * ex), s),
      0.5 * s.bending_z * x * x / L, 1e-11);
  const Eigen::Matrix3d bend_y = Eigen::AngleAxisd(-x, ey).matrix();
  EXPECT_NEAR(energy_of(L * arc, bend_y, slopes(ex, bend_y * ex), s), 0.5 * s.bending_y * x * x / L,
              1e-11);
  // One section larger by x in y, and one oblique by x: L/2 of the penalties.
  Eigen::Matrix3d axes = I;
  axes(1, 1) = 1 + x;
  const double strain = x + 0.5 * x * x;
  EXPECT_NEAR(energy_of(L * ex, axes, slopes(ex, ex), s), 0.25 * L * s.stretch * strain * strain,
              1e-15);
  axes = I;
  axes(2, 1) = x;  // r_y leans towards r_z, and the normal stays
  EXPECT_NEAR(energy_of(L * ex, axes, slopes(ex, ex), s),
              0.25 * L * (s.distortion * x * x + s.stretch * 0.25 * x * x * x * x), 1e-15);
}

// Both ends leaning alike, by the slope s, while they stay where they are: the axis runs as the
// Legendre polynomial P₂, Γ = s P₂. Its mean square is s²/5, and against it stands not the full k
// but 1/(1/k + L²/(12 EI)), as that of a bent beam.
TEST(StructuralElement, IsSoftAgainstWhatItsAxisCannotDoInBending) {
  const double L = 0.2, s = 1e-3;
  const Eigen::Matrix3d I = Eigen::Matrix3d::Identity();
  const SectionStiffness k{700, 50, 60, 7, 0.011, 0.013, 500, 300};
  const Eigen::Vector3d ex(1, 0, 0), ey(0, 1, 0), ez(0, 0, 1);
  struct Case {
    Eigen::Vector3d direction;
    double stiffness, bending;
  };
  // Stretch may be relieved by bending either way: by the softer one.
  for (const Case& c : {Case{ex, k.axial, k.bending_y}, Case{ey, k.shear_y, k.bending_z},
                        Case{ez, k.shear_z, k.bending_y}}) {
    Eigen::Matrix3d slopes = Eigen::Matrix3d::Zero();
    slopes.col(0) = slopes.col(1) = ex + s * c.direction;
    const double soft = 1 / (1 / c.stiffness + L * L / (12 * c.bending));
    EXPECT_LT(soft, 0.2 * c.stiffness);
    EXPECT_NEAR(energy_of(L * ex, I, slopes, k), 0.5 * soft * s * s / 5 * L, 1e-12 * soft * s * s);
  }
}

TEST(StructuralElement, SectionStiffnessesAreThoseOfTheSection) {
  const auto s = section_stiffness(Section::rectangular(0.2, 0.1), 2.6e9, 0.3);
  EXPECT_DOUBLE_EQ(s.axial, 2.6e9 * 0.02);
  EXPECT_DOUBLE_EQ(s.bending_z, 2.6e9 * 0.1 * 0.008 / 12);
  EXPECT_DOUBLE_EQ(s.bending_y, 2.6e9 * 0.2 * 0.001 / 12);
  EXPECT_NEAR(s.torsion, 1e9 * 0.2287 * 0.2 * 0.001, 1e9 * 0.2 * 0.001 * 1e-4);
  EXPECT_NEAR(s.shear_y, 13 / 15.3 * 1e9 * 0.02, 1);
  EXPECT_THROW(section_stiffness(Section::circular(1), 1, 0.5), std::invalid_argument);
}

TEST(StructuralElement, RefusesWhatIsNoBeam) {
  EXPECT_THROW(StructuralInvariants<2>(Reference<2>::straight(0)), std::invalid_argument);
  auto reference = Reference<3>::straight(1);
  reference.nodes[6] = reference.nodes[7] = reference.nodes[8] = 0;     // r_y of the first node ...
  reference.nodes[18] = reference.nodes[19] = reference.nodes[20] = 0;  // ... and of the second
  EXPECT_THROW(StructuralInvariants<3>{reference}, std::invalid_argument);
  const StructuralInvariants<3> good(Reference<3>::straight(1));
  std::vector<double> constants(StructuralConstants<3>::size);
  EXPECT_THROW(good.write_geometry(-1, constants.data()), std::invalid_argument);
  EXPECT_THROW(good.write_stiffness(std::vector<SectionStiffness>(3), constants.data()),
               std::invalid_argument);
}

}  // namespace
}  // namespace tumble::beam::testing
