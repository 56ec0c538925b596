// Pendulums against independent codes. The references were computed elsewhere: an independent
// implementation with exact quadrature (generalized-alpha in the plane, DOP853 in space), and
// Project Chrono's ChElementBeamANCF_3243 with the same quadrature.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "source_directory.hpp"
#include "tumble/beam/test/mesh.hpp"

namespace tumble::beam::testing {
namespace {

using Track = std::map<long, Eigen::VectorXd>;  ///< by time in units of 10 ms

/// Positions of nodes every 10 ms, extrapolated from the steps h and h/2: the error is of second
/// order.
template <int D>
Track extrapolated_track(const Mesh<D>& mesh, const Eigen::Matrix<double, D, 1>& gravity,
                         double duration, double h, const std::vector<int>& nodes) {
  const auto run = [&](double step) {
    Track track;
    mesh.integrate(gravity, duration, step, 0.9, [&](const typename Mesh<D>::State& state) {
      const double ticks = state.time / 0.01;
      if (std::abs(ticks - std::round(ticks)) > 1e-6) return;
      Eigen::VectorXd p(D * static_cast<int>(nodes.size()));
      for (std::size_t i = 0; i < nodes.size(); ++i)
        p.segment<D>(D * static_cast<int>(i)) = mesh.position(state.q, nodes[i]);
      track[std::lround(ticks)] = p;
    });
    return track;
  };
  const Track coarse = run(h), fine = run(0.5 * h);
  Track out;
  for (const auto& [tick, p] : fine) out[tick] = (4 * p - coarse.at(tick)) / 3;
  return out;
}

struct PlanarCase {
  double nu;
  double tip[4][2];  ///< at t = 0.5, 1.0, 1.5, 2.0 s
};

void check_planar(const PlanarCase& expected) {
  // J. Wu et al., Nonlinear Dyn. (2016), 6.1: 1 m, 0.05 m high, 0.01 m wide, 5 elements, a hinge at
  // the origin, from rest along +x.
  Mesh<2> mesh;
  add_straight_beam<2>(
      mesh, {0, 0}, Eigen::Matrix2d::Identity(), 1.0, 5,
      continuum_maker<2>(Section::rectangular(0.05, 0.01), 2e7, expected.nu, 7200));
  mesh.hinge(0);
  const auto track = extrapolated_track<2>(mesh, {0, -9.81}, 2.0, 5e-4, {mesh.last_node()});
  for (int k = 0; k < 4; ++k) {
    const Eigen::VectorXd& tip = track.at(50 * (k + 1));
    EXPECT_NEAR(tip(0), expected.tip[k][0], 1e-5) << "t = " << 0.5 * (k + 1);
    EXPECT_NEAR(tip(1), expected.tip[k][1], 1e-5) << "t = " << 0.5 * (k + 1);
  }
}

/// The rows of a file of validation/data/ancf: times in units of 10 ms, and coordinates.
Track reference_track(const std::string& name) {
  std::ifstream file(std::string(source_directory) + "/validation/data/ancf/" + name);
  EXPECT_TRUE(file) << name;
  Track track;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream numbers(line);
    double time = 0;
    Eigen::VectorXd row(6);
    numbers >> time;
    for (int i = 0; i < 6; ++i) numbers >> row(i);
    EXPECT_TRUE(numbers) << line;
    track[std::lround(time / 0.01)] = row;
  }
  return track;
}

void expect_near(const Track& got, const Track& expected, double tolerance) {
  ASSERT_GT(expected.size(), 100u);
  double largest = 0;
  for (const auto& [tick, row] : expected) {
    ASSERT_TRUE(got.contains(tick));
    const double error = (got.at(tick) - row).cwiseAbs().maxCoeff();
    EXPECT_LE(error, tolerance) << "t = " << 0.01 * static_cast<double>(tick);
    largest = std::max(largest, error);
  }
  ::testing::Test::RecordProperty("largest error in m", std::to_string(largest));
}

TEST(PlanarPendulum, AgreesWithAnIndependentCode) {
  check_planar({0.3,
                {{-0.052783, -1.001692},
                 {-0.997833, 0.017920},
                 {0.204750, -0.981066},
                 {0.982352, 0.044117}}});
}

TEST(PlanarPendulum, AgreesWithAnIndependentCodeWithoutPoissonsRatio) {
  check_planar({0.0,
                {{-0.080536, -1.002586},
                 {-0.999792, -0.004072},
                 {0.227739, -0.979784},
                 {0.999586, -0.000598}}});
}

TEST(SpatialPendulum, AgreesWithAnIndependentCode) {
  Mesh<3> mesh;
  add_straight_beam<3>(mesh, {0, 0, 0}, Eigen::Matrix3d::Identity(), 1.0, 5,
                       continuum_maker<3>(Section::rectangular(0.05, 0.01), 2e7, 0, 7200));
  mesh.hinge(0);
  const auto track = extrapolated_track<3>(mesh, {0, -9.81, 0}, 2.0, 5e-4, {3, mesh.last_node()});
  expect_near(track, reference_track("spatial-element-single-pendulum-nu0.csv"), 2e-5);
}

TEST(DoublePendulum, AgreesWithAnIndependentCode) {
  const auto make = continuum_maker<3>(Section::rectangular(0.01, 0.01), 2e7, 0, 7200);
  Mesh<3> mesh;
  add_straight_beam<3>(mesh, {0, 0, 0}, Eigen::Matrix3d::Identity(), 0.3, 3, make);
  Eigen::Matrix3d axes;
  axes << 0, -1, 0, 1, 0, 0, 0, 0, 1;  // columns +y, -x, +z
  add_straight_beam<3>(mesh, {0.3, 0, 0}, axes, 0.4, 4, make, 3);
  mesh.hinge(0);
  const auto track = extrapolated_track<3>(mesh, {0, 0, -9.81}, 1.2, 2e-4, {3, mesh.last_node()});
  expect_near(track, reference_track("double-pendulum-nu0.csv"), 2e-5);
}

}  // namespace
}  // namespace tumble::beam::testing
