// Flexible pendulums against independent codes, from the described machine to its motion.
//
// The references were computed elsewhere (validation/data/ancf/README.md): an implementation of its
// own with exact quadrature, generalized-alpha in the plane and DOP853 in space, and Project
// Chrono's ChElementBeamANCF_3243 with the same quadrature.
#include <fstream>
#include <sstream>

#include "beams.hpp"
#include "source_directory.hpp"

namespace tumble::validation {
namespace {

using Q = Quantity;

// J. Wu et al., Nonlinear Dyn. 85 (2016), 6.1: 1 m, 0.05 m high, 0.01 m wide, from rest along +x.
Model pendulum(BeamDimension dimension, double nu, double step) {
  Model model;
  model.gravity = {0, -9.81, 0};
  Beam arm = beam("arm", {0, 0, 0}, {1, 0, 0}, 5);
  arm.dimension = dimension;
  arm.section.rectangle = RectangleSection{0.05, 0.01};
  arm.youngs_modulus = 2e7;
  arm.poisson_ratio = nu;
  arm.density = 7200;
  arm.formulation = BeamFormulation::continuum;
  model.beams = {arm};
  connect(model, "hinge", "ground", "arm.start");
  model.probes = {point_probe("middle", "arm", 0.6, {Q::position}),
                  point_probe("tip", "arm", 1, {Q::position})};
  model.simulation.duration = 2;
  model.simulation.step = step;
  model.simulation.output_step = 0.01;
  model.simulation.spectral_radius = 0.9;
  return model;
}

/// Positions of probes at all outputs, extrapolated from steps h and h/2.
std::vector<Values> extrapolated(const std::function<Model(double)>& make, double h,
                                 const std::vector<std::string>& probes) {
  const Trajectory coarse = simulate(make(h)), fine = simulate(make(h / 2));
  std::vector<Values> rows;
  for (std::size_t k = 0; k < fine.times.size(); ++k) {
    Values row;
    for (const auto& probe : probes) {
      const Values p = extrapolate(
          {at_output(coarse, probe, Q::position, k), at_output(fine, probe, Q::position, k)});
      row.insert(row.end(), p.begin(), p.end());
    }
    rows.push_back(row);
  }
  return rows;
}

/// The rows of a file of validation/data/ancf without their times, which are multiples of 10 ms.
std::vector<Values> reference(const std::string& name) {
  std::ifstream file(std::string(source_directory) + "/validation/data/ancf/" + name);
  EXPECT_TRUE(file) << name;
  std::vector<Values> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream numbers(line);
    double time = 0;
    Values row(6);
    numbers >> time;
    for (double& x : row) numbers >> x;
    EXPECT_TRUE(numbers) << line;
    EXPECT_NEAR(time, 0.01 * static_cast<double>(rows.size()), 1e-9);
    rows.push_back(row);
  }
  return rows;
}

void expect_near(const std::vector<Values>& got, const std::vector<Values>& expected,
                 double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  double largest = 0;
  for (std::size_t k = 0; k < got.size(); ++k)
    largest = std::max(largest, largest_difference(got[k], expected[k]));
  std::printf("largest difference: %.2e m\n", largest);
  EXPECT_LE(largest, tolerance);
}

void expect_planar(double nu, const double (&tip)[4][2]) {
  const auto rows = extrapolated([nu](double h) { return pendulum(BeamDimension::planar, nu, h); },
                                 5e-4, {"tip"});
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(rows[50 * (k + 1)][0], tip[k][0], 1e-5) << "t = " << 0.5 * double(k + 1);
    EXPECT_NEAR(rows[50 * (k + 1)][1], tip[k][1], 1e-5) << "t = " << 0.5 * double(k + 1);
    EXPECT_EQ(rows[50 * (k + 1)][2], 0);
  }
}

TEST(BeamPendulum, InThePlaneAgreesWithAnIndependentCode) {
  expect_planar(
      0.3,
      {{-0.052783, -1.001692}, {-0.997833, 0.017920}, {0.204750, -0.981066}, {0.982352, 0.044117}});
}
TEST(BeamPendulum, InThePlaneWithoutPoissonsRatioAgreesWithAnIndependentCode) {
  expect_planar(0.0, {{-0.080536, -1.002586},
                      {-0.999792, -0.004072},
                      {0.227739, -0.979784},
                      {0.999586, -0.000598}});
}

TEST(BeamPendulum, OfSpatialElementsAgreesWithAnIndependentCode) {
  const auto rows = extrapolated([](double h) { return pendulum(BeamDimension::spatial, 0, h); },
                                 5e-4, {"middle", "tip"});
  expect_near(rows, reference("spatial-element-single-pendulum-nu0.csv"), 2e-5);
}

TEST(BeamPendulum, DoubleInSpaceAgreesWithAnIndependentCode) {
  const auto make = [](double step) {
    Model model = pendulum(BeamDimension::spatial, 0, step);
    model.gravity = {0, 0, -9.81};
    model.beams.resize(2, model.beams[0]);
    model.beams[0].line = std::array<Vec3d, 2>{Vec3d{0, 0, 0}, Vec3d{0.3, 0, 0}};
    model.beams[0].elements = 3;
    model.beams[1].line = std::array<Vec3d, 2>{Vec3d{0.3, 0, 0}, Vec3d{0.3, 0.4, 0}};
    model.beams[1].elements = 4;
    model.beams[1].name = "lower";
    for (auto& b : model.beams) b.section.rectangle = RectangleSection{0.01, 0.01};
    connect(model, "elbow", "arm.end", "lower.start");
    model.probes = {point_probe("tip1", "arm", 1, {Q::position}),
                    point_probe("tip2", "lower", 1, {Q::position})};
    model.simulation.duration = 1.2;
    return model;
  };
  expect_near(extrapolated(make, 2e-4, {"tip1", "tip2"}), reference("double-pendulum-nu0.csv"),
              2e-5);
}

}  // namespace
}  // namespace tumble::validation
