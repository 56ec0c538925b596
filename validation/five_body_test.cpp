// The five-body application of Batou & Soize (2012) against MBDyn at a step twenty times finer
// (data/five-body/README.md says how those files were made and how accurate they are).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "source_directory.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

const std::string source = source_directory;

Model five_body() {
  return read_model(source + "/examples/batou-soize-2012/nominal.yaml", {}).model;
}

/// The model of one reference file.
Model five_body(const std::string& name) {
  Model model = five_body();
  Body& rb5 = model.bodies[4];
  if (name == "m1500") {
    rb5.mass = 1500;
    rb5.inertia = {600, 2500, 3000, 0, 0, 0};
  } else if (name == "com") {
    rb5.position = {0.45, 0.06, 0.505};
  }
  return model;
}

std::vector<std::vector<double>> reference(const std::string& name) {
  std::ifstream file(source + "/validation/data/five-body/" + name + ".csv");
  std::vector<std::vector<double>> rows;
  std::string line, cell;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::vector<double> row;
    while (std::getline(cells, cell, ',')) row.push_back(std::stod(cell));
    rows.push_back(std::move(row));
  }
  return rows;
}

const ProbeSeries& series(const Trajectory& trajectory, const std::string& probe,
                          Quantity quantity) {
  for (const auto& s : trajectory.series)
    if (s.probe == probe && s.quantity == quantity) return s;
  throw std::logic_error("no such series");
}

const std::vector<double> kinks{0.001, 0.006, 0.011, 0.016};

bool soon_after_kink(double t) {
  for (const double kink : kinks)
    if (t > kink + 1e-9 && t < kink + 3e-4 + 1e-9) return true;
  return false;
}

class FiveBodyAgainstMbdyn : public testing::TestWithParam<std::string> {};

TEST_P(FiveBodyAgainstMbdyn, PositionsAndAccelerationsAgree) {
  const auto rows = reference(GetParam());
  ASSERT_EQ(rows.size(), 301u);
  const Trajectory trajectory = simulate(five_body(GetParam()));
  ASSERT_EQ(trajectory.times.size(), rows.size());

  const auto compare = [&](Quantity quantity, std::size_t column, double relative,
                           double relative_after_kink, double floor) {
    const auto& values = series(trajectory, "pobs", quantity).values;
    for (std::size_t k = 0; k < 3; ++k) {
      double peak = 0, error = 0, error_after_kink = 0;
      for (const auto& row : rows) peak = std::max(peak, std::fabs(row[column + k]));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_NEAR(trajectory.times[i], rows[i][0], 1e-12);
        const double allowed =
            std::max(floor, (soon_after_kink(rows[i][0]) ? relative_after_kink : relative) * peak);
        EXPECT_NEAR(values[3 * i + k], rows[i][column + k], allowed)
            << info(quantity).name << "[" << k << "] at t = " << rows[i][0];
        double& largest = soon_after_kink(rows[i][0]) ? error_after_kink : error;
        largest = std::max(largest, std::fabs(values[3 * i + k] - rows[i][column + k]));
      }
      if (peak > 0)  // the figures of docs/validation.md
        std::printf("%s %.*s[%zu]: error %.1e, after a kink %.1e, peak %.3g\n", GetParam().c_str(),
                    static_cast<int>(info(quantity).name.size()), info(quantity).name.data(), k,
                    error, error_after_kink, peak);
    }
  };
  compare(Quantity::position, 1, 0, 0, 1e-7);
  compare(Quantity::velocity, 4, 1e-4, 1e-3, 1e-7);
  compare(Quantity::acceleration, 7, 1e-4, 1e-3, 5e-4);
  compare(Quantity::angular_velocity, 10, 1e-4, 1e-3, 1e-7);
  compare(Quantity::angular_acceleration, 13, 1e-4, 1e-3, 2e-4);
  compare(Quantity::rotation_vector, 16, 0, 0, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Cases, FiveBodyAgainstMbdyn, testing::Values("nominal", "m1500", "com"));

// Extrapolated from MBDyn runs; MBDyn's own output at the same step is 5-10 % off here.
TEST(FiveBody, RightLimitsAtKinks) {
  const Trajectory trajectory = simulate(five_body());
  ASSERT_EQ(trajectory.breaks.size(), kinks.size());
  const double pobs_az[] = {-3128.9, 3100.6, 9334.6, -9327.8};
  const double centre_az[] = {1599.46, -1643.27, 1639.18, -1618.50};
  const double wdy[] = {-1818.60, 1824.57, 2959.80, -2965.11};
  for (std::size_t i = 0; i < kinks.size(); ++i) {
    EXPECT_NEAR(trajectory.breaks[i], kinks[i], 1e-15);
    const auto right = [&](const char* probe, Quantity quantity, std::size_t k) {
      return series(trajectory, probe, quantity).right_values[3 * i + k];
    };
    EXPECT_NEAR(right("pobs", Quantity::acceleration, 2), pobs_az[i],
                0.005 * std::fabs(pobs_az[i]));
    EXPECT_NEAR(right("center", Quantity::acceleration, 2), centre_az[i],
                0.005 * std::fabs(centre_az[i]));
    EXPECT_NEAR(right("pobs", Quantity::angular_acceleration, 1), wdy[i],
                0.005 * std::fabs(wdy[i]));
  }
}

// y is a plane of symmetry of the nominal machine: nothing may leave it but rounding.
TEST(FiveBody, NominalMotionStaysPlanar) {
  const Trajectory trajectory = simulate(five_body());
  const auto largest = [&](Quantity quantity, std::size_t k, double from) {
    double value = 0;
    const auto& values = series(trajectory, "pobs", quantity).values;
    for (std::size_t i = 0; i < trajectory.times.size(); ++i)
      value = std::max(value, std::fabs(values[3 * i + k] - from));
    return value;
  };
  EXPECT_LE(largest(Quantity::position, 1, -1.0), 1e-15);
  EXPECT_LE(largest(Quantity::rotation_vector, 0, 0), 1e-15);
  EXPECT_LE(largest(Quantity::rotation_vector, 2, 0), 1e-15);
  EXPECT_LE(largest(Quantity::acceleration, 1, 0), 1e-9);
  EXPECT_LE(largest(Quantity::angular_acceleration, 0, 0), 1e-9);
  EXPECT_LE(largest(Quantity::angular_acceleration, 2, 0), 1e-9);
}

// The error against MBDyn falls with the square of the step until the reference's own accuracy:
// what is left at 1e-5 s is our truncation error and nothing systematic.
TEST(FiveBody, ErrorIsSecondOrderInTheStep) {
  const auto rows = reference("nominal");
  const auto error = [&](double step) {
    Model model = five_body();
    model.simulation.step = step;
    model.simulation.break_substeps = 1;
    const Trajectory trajectory = simulate(model);
    const auto& values = series(trajectory, "pobs", Quantity::acceleration).values;
    double largest = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (!soon_after_kink(rows[i][0]))
        largest = std::max(largest, std::fabs(values[3 * i + 2] - rows[i][9]));
    return largest;
  };
  const double coarse = error(1e-5), fine = error(5e-6);
  EXPECT_GT(std::log2(coarse / fine), 1.8);
  EXPECT_LT(std::log2(coarse / fine), 2.2);
}

// Moving the centre of mass through its parameter slot (joints stay, the reference point stays) and
// writing it into the file (the reference point moves along) describe the same machine.
TEST(FiveBody, CentreOfMassSlotEqualsCentreOfMassInFile) {
  const auto system = compile(five_body());
  const Plan plan = make_plan(system);
  Realization realization(system->nominal);
  const Vec3d moved{0.45, 0.06, 0.505};
  for (int k = 0; k < 3; ++k)
    realization.set(system->parameters.find("bodies.rb5.position[" + std::to_string(k) + "]"),
                    moved[k]);
  const Trajectory by_slot = run(plan, realization.model());
  const Trajectory by_file = simulate(five_body("com"));
  const auto& a = series(by_slot, "pobs", Quantity::acceleration).values;
  const auto& b = series(by_file, "pobs", Quantity::acceleration).values;
  ASSERT_EQ(a.size(), b.size());
  // Two discretisations of one motion: they differ by truncation, far below the bars above.
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 2e-2);
  const auto& p = series(by_slot, "pobs", Quantity::position).values;
  const auto& q = series(by_file, "pobs", Quantity::position).values;
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p[i], q[i], 1e-9);
}

TEST(FiveBody, RepeatedRunsGiveTheSameBits) {
  const Trajectory first = simulate(five_body()), second = simulate(five_body());
  for (std::size_t i = 0; i < first.series.size(); ++i) {
    EXPECT_EQ(first.series[i].values, second.series[i].values);
    EXPECT_EQ(first.series[i].right_values, second.series[i].right_values);
  }
}

}  // namespace
}  // namespace tumble
