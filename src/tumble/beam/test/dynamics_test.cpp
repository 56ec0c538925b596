// Frequencies of whole beams, and what time integration must preserve.
#include <gtest/gtest.h>

#include <numbers>

#include "tumble/beam/test/mesh.hpp"

namespace tumble::beam::testing {
namespace {

constexpr double E = 2e11, nu = 0.3, density = 7800;
const Section section = Section::rectangular(0.02, 0.02);

enum class Ends { clamped_free, free_free, hinged };

/// Circular frequencies of bending of a steel beam of 1 m, without rigid motions.
template <int D>
std::vector<double> frequencies(Ends ends, int elements, int count) {
  Mesh<D> mesh;
  add_straight_beam<D>(mesh, Eigen::Matrix<double, D, 1>::Zero(),
                       Eigen::Matrix<double, D, D>::Identity(), 1.0, elements,
                       structural_maker<D>(section, E, nu, density));
  if (ends == Ends::clamped_free) mesh.clamp(0);
  if (ends == Ends::hinged) {
    mesh.hinge(0);
    mesh.fix(mesh.last_node(), 1, 2);
  }
  const Eigen::VectorXd values = mesh.eigenvalues(mesh.start);
  const int rigid = ends == Ends::free_free ? (D == 2 ? 3 : 6) : 0;
  EXPECT_LT(rigid > 0 ? values.head(rigid).cwiseAbs().maxCoeff() : 0.0, 1e-6 * values(rigid));
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(std::sqrt(values(rigid + i)));
  return out;
}

/// Errors fall with the square of the element's length, to the values of Timoshenko's beam.
void check_convergence(Ends ends, const std::vector<double>& expected) {
  const int count = static_cast<int>(expected.size());
  const auto a = frequencies<2>(ends, 8, count), b = frequencies<2>(ends, 16, count),
             c = frequencies<2>(ends, 32, count);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double order = std::log2((a[i] - b[i]) / (b[i] - c[i]));
    EXPECT_NEAR(order, 2, 0.25) << i;
    EXPECT_NEAR((4 * c[i] - b[i]) / (3 * expected[i]), 1, 5e-5) << i;
  }
}

// Roots of the determinant of Timoshenko's transfer matrix (SciPy: matrix exponential and Brent),
// k = 0.849673, radian per second. Euler and Bernoulli's beam has 102.7916, 644.184, 1803.73
// clamped and 654.089, 1803.02, 3534.64 free.
TEST(Frequencies, OfAClampedBeamConverge) {
  check_convergence(Ends::clamped_free, {102.7593364904341, 642.7761244465497, 1794.3844902350718});
}
TEST(Frequencies, OfAFreeBeamConverge) {
  check_convergence(Ends::free_free, {653.1418771887625, 1795.5715577009544, 3506.237808434872});
}

TEST(Frequencies, OfAHingedBeamConverge) {
  // Closed form: ρ²I/(kG) ω⁴ - (ρA + ρI κ² (1 + E/(kG))) ω² + EI κ⁴ = 0 with κ = nπ/L.
  const double kG = section.shear_coefficient_y(nu) * E / (2 * (1 + nu));
  const double A = section.area(), I = section.I_z();
  std::vector<double> expected;
  for (int n = 1; n <= 3; ++n) {
    const double k2 = std::pow(n * std::numbers::pi, 2);
    const double a = density * density * I / kG, b = density * (A + I * k2 * (1 + E / kG)),
                 c = E * I * k2 * k2;
    expected.push_back(std::sqrt(2 * c / (b + std::sqrt(b * b - 4 * a * c))));
  }
  check_convergence(Ends::hinged, expected);
}

TEST(Frequencies, OfASquareBeamInSpaceComeInPairs) {
  const auto space = frequencies<3>(Ends::clamped_free, 8, 4);
  const auto plane = frequencies<2>(Ends::clamped_free, 8, 2);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(space[i] / plane[i / 2], 1, 1e-6) << i;
}

/// Largest change of the total energy of a falling pendulum, relative to what falls.
double energy_error(double step) {
  Mesh<2> mesh;
  add_straight_beam<2>(mesh, {0, 0}, Eigen::Matrix2d::Identity(), 1.0, 5,
                       continuum_maker<2>(Section::rectangular(0.05, 0.01), 2e7, 0.3, 7200));
  mesh.hinge(0);
  const Eigen::MatrixXd M = mesh.mass();
  const Eigen::VectorXd weight = M * mesh.free_fall({0, -9.81});
  double largest = 0;
  mesh.integrate({0, -9.81}, 0.5, step, 0.9, [&](const Mesh<2>::State& s) {
    const double strain = mesh.forces(s.q, s.v, false).energy;
    const double total = strain + 0.5 * s.v.dot(M * s.v) - weight.dot(s.q);
    largest = std::max(largest, std::abs(total));  // zero at the beginning
  });
  const double fallen = 9.81 * 7200 * 5e-4 * 0.5;
  return largest / fallen;
}

TEST(Integration, EnergyErrorIsOfSecondOrder) {
  const double coarse = energy_error(1e-3), fine = energy_error(5e-4);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3);
  EXPECT_LT(fine, 1e-3);
}

TEST(Integration, FreeFallIsExact) {
  // A beam in an oblique direction, at rest: no force, no rotation, positions g t²/2.
  Mesh<3> mesh;
  std::mt19937 generator(4);
  const Eigen::Vector3d begin(1, 2, 3), gravity(0.5, -1, -9.81);
  add_straight_beam<3>(mesh, begin, some_rotation<3>(generator), 0.6, 3,
                       continuum_maker<3>(Section::circular(0.01), 2e7, 0.3, 7200));
  Mesh<3>::State last;
  mesh.integrate(gravity, 0.1, 1e-3, 0.9, [&](const Mesh<3>::State& s) { last = s; });
  const Eigen::VectorXd expected = mesh.start + 0.5 * 0.01 * mesh.free_fall(gravity);
  EXPECT_LT((last.q - expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Inertia, IsThatOfTheBody) {
  // Kinetic energy of rigid motions: ½ m v², and of a rotation ½ ω·Jω of the box.
  const double length = 0.3;
  const auto box = Section::rectangular(0.05, 0.02);
  const auto reference = Reference<3>::straight(length);
  const Eigen::MatrixXd M =
      mass_matrix<3, Curvature::straight>(reference, box, std::vector<double>(5, 1000.0));
  const double mass = 1000 * box.area() * length;
  const Eigen::VectorXd e = coordinates(reference);
  const auto energy = [&](const Eigen::Matrix3d& spin, const Eigen::Vector3d& v) {
    const Eigen::VectorXd rate = moved<3>(e, spin, v);
    return 0.5 * rate.dot(M * rate);
  };
  EXPECT_NEAR(energy(Eigen::Matrix3d::Zero(), {1, 2, 3}), 0.5 * mass * 14, 1e-13);
  const double J[3] = {mass * (0.05 * 0.05 + 0.02 * 0.02) / 12,
                       mass * (length * length / 3 + 0.02 * 0.02 / 12),
                       mass * (length * length / 3 + 0.05 * 0.05 / 12)};
  for (int axis = 0; axis < 3; ++axis) {
    Eigen::Matrix3d spin = Eigen::Matrix3d::Zero();
    spin((axis + 2) % 3, (axis + 1) % 3) = 1, spin((axis + 1) % 3, (axis + 2) % 3) = -1;
    EXPECT_NEAR(energy(spin, Eigen::Vector3d::Zero()), 0.5 * J[axis], 1e-15) << axis;
  }
}

TEST(Inertia, OfACurvedBeamConvergesToThatOfItsVolume) {
  // Pappus: the volume of an arc is area times length of the axis. Section vectors interpolated
  // between two turned ones are shorter, by the square of the angle; so is the volume.
  const Section disc = Section::circular(0.02);
  const auto missing = [&](double angle) {
    const auto reference = curved_reference<3>(0.7, angle);
    const Eigen::MatrixXd M =
        mass_matrix<3, Curvature::curved>(reference, disc, std::vector<double>(5, 1000.0));
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(M).eigenvalues()(0), 0);
    const Eigen::VectorXd shift =
        moved<3>(0 * coordinates(reference), Eigen::Matrix3d::Zero(), {0, 0, 1});
    return 1 - shift.dot(M * shift) / (1000 * disc.area() * 0.7);
  };
  // A vector that turns by φ is shorter by φ²/12 on average: the twist of 0.3 turns both of a
  // section, the bend one of them.
  EXPECT_NEAR(missing(0.2), (2 * 0.3 * 0.3 + 0.2 * 0.2) / 12, 2e-3);
  EXPECT_NEAR(missing(0.4) - missing(0.2), (0.4 * 0.4 - 0.2 * 0.2) / 12, 2e-3);
}

TEST(Inertia, KernelMultipliesByTheMatrix) {
  std::mt19937 generator(2);
  const auto reference = curved_reference<3>();
  const Section disc = Section::circular(0.02);
  const std::vector<double> densities = {1000, 1100, 900, 1200, 1000};
  const auto check = [&]<Curvature curvature>() {
    const Eigen::MatrixXd M = mass_matrix<3, curvature>(reference, disc, densities);
    const MassInvariants<3, curvature> invariants(reference, disc);
    std::vector<double> mass(static_cast<std::size_t>(invariants.size));
    invariants.write(densities, mass.data());
    const Eigen::VectorXd a = some_configuration(reference, 1, generator);
    Eigen::VectorXd f = Eigen::VectorXd::Zero(24);
    add_inertia_force<3, curvature>(mass.data(), a.data(), a.data() + 12, f.data(), f.data() + 12);
    EXPECT_LT((f - M * a).norm(), 1e-15 * (M * a).norm() + 1e-16);
  };
  check.operator()<Curvature::straight>();
  check.operator()<Curvature::curved>();
  EXPECT_THROW((MassInvariants<3, Curvature::straight>(reference, disc)
                    .write(std::vector<double>(3, 1.0), nullptr)),
               std::invalid_argument);
}

}  // namespace
}  // namespace tumble::beam::testing
