// Random drives: their spectra, and their processes as functions of given germs.
#include "tumble/model/excitation/process.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "tumble/model/compile/drive_program.hpp"
#include "tumble/model/excitation.hpp"
#include "tumble/model/excitation/spectrum.hpp"
#include "tumble/model/parameters.hpp"
#include "tumble/model/test/two_lanes.hpp"

namespace tumble {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

WhiteNoiseDrive white(double intensity, double bandwidth) {
  WhiteNoiseDrive drive;
  drive.intensity = intensity;
  drive.bandwidth = bandwidth;
  return drive;
}
RoadDrive road(RoadClass grade, double speed) {
  RoadDrive drive;
  drive.road_class = grade;
  drive.speed = speed;
  return drive;
}

/// Any numbers do where nothing is said of chance.
std::vector<double> some_germs(std::size_t n) {
  std::vector<double> z;
  for (std::size_t i = 0; i < n; ++i)
    z.push_back(std::sin(1.0 + 2.7 * static_cast<double>(i * i % 91)));
  return z;
}

struct ProcessUnderTest {
  ProcessUnderTest(std::vector<Drive> d, double duration)
      : drives(std::move(d)), program(drives, duration) {
    for (Drive& drive : drives)
      if (auto* germs = germs_of(drive.kind))
        *germs = some_germs(process_grid(drives, drive, duration).germs());
    constants.resize(static_cast<std::size_t>(program.constants_size()));
    program.write_constants(drives, constants.data());
  }
  Taylor2<double> operator()(double t, std::size_t drive = 0) const {
    std::vector<Taylor2<double>> out(drives.size());
    program.evaluate(constants.data(), t, t, out.data());
    return out[drive];
  }
  std::vector<Drive> drives;
  DriveProgram program;
  std::vector<double> constants;
};

TEST(Spectrum, OfRoadsIsThatOfIso8608) {
  // Table C.1 of ISO 8608:2016: geometric means of Gd(n0) in 1e-6 m^3.
  const double means[] = {16, 64, 256, 1024, 4096, 16384, 65536, 262144};
  for (int i = 0; i < 8; ++i) {
    const DriveKind drive = road(static_cast<RoadClass>(i), 20);
    EXPECT_DOUBLE_EQ(road_roughness(std::get<RoadDrive>(drive)), 1e-6 * means[i]);
    // At n0 = 0.1 1/m, 2 Hz: Gd(n0) / v; one octave higher a quarter of it.
    EXPECT_NEAR(spectral_density(drive, 2), 1e-6 * means[i] / 20, 1e-12 * means[i]);
    EXPECT_NEAR(spectral_density(drive, 4), 1e-6 * means[i] / 80, 1e-12 * means[i]);
    // In space the variance has no speed: Gd(n0) n0^2 (1/n_1 - 1/n_2).
    EXPECT_NEAR(variance_between(drive, 0, 1e9), 1e-8 * means[i] * (1 / 0.011 - 1 / 2.83),
                1e-12 * means[i]);
  }
  EXPECT_EQ(spectral_density(road(RoadClass::A, 20), 0.2), 0);  // below 0.011 1/m
  EXPECT_EQ(spectral_density(road(RoadClass::A, 20), 57), 0);   // above 2.83 1/m
}

TEST(Spectrum, IntegratesToTheVariance) {
  WhiteNoiseDrive first = white(3, 50), second = white(3, 400);
  first.corner = 5;
  second.resonance = 4;
  second.damping = 0.02;
  EXPECT_DOUBLE_EQ(variance_between(white(3, 50), 0, 100), 2 * 3 * 50);
  EXPECT_DOUBLE_EQ(variance_between(first, 0, 50), 2 * 3 * 5 * std::atan(10.0));
  // Of the oscillator under white noise: q w / (4 z) for |H| = 1 at zero; beyond 400 Hz lies 8e-6.
  EXPECT_NEAR(variance_between(second, 0, 400), 3 * two_pi * 4 / (4 * 0.02), 2e-5);
  SpectrumDrive table{{"", {1, 3, 4}, {2, 2, 0}}, SpectrumSides::one, {}};
  EXPECT_DOUBLE_EQ(variance_between(table, 0, 10), 5);
  EXPECT_DOUBLE_EQ(variance_between(table, 2, 3.5), 2 + 0.75);
  EXPECT_DOUBLE_EQ(spectral_density(table, 3.25), 1.5);
  table.sides = SpectrumSides::two;
  EXPECT_DOUBLE_EQ(variance_between(table, 0, 10), 10);
  RoadDrive pink = road(RoadClass::B, 10);
  pink.exponent = 1;
  EXPECT_NEAR(variance_between(pink, 1, 2), 64e-6 * 0.1 * std::log(2.0), 1e-18);
}

TEST(Process, IsTheSumOfItsWaves) {
  const DriveKind kind = white(0.7, 9);
  const double duration = 2.5;
  const ProcessUnderTest u({{"w", kind}}, duration);
  const ProcessGrid grid = process_grid(u.drives, u.drives[0], duration);
  EXPECT_EQ(grid.period, 5);
  EXPECT_EQ(grid.frequencies, 45);
  const std::vector<double> z = some_germs(grid.germs());
  const double s = std::sqrt(2 * 0.7 / grid.period);  // of each wave but the first and the last
  double largest[3] = {}, size[3] = {};
  for (double t = 0; t <= duration; t += 0.0137) {
    double exact[3] = {s / std::sqrt(2.0) * z[0], 0, 0};
    for (std::size_t k = 1; k <= 45; ++k) {
      const double w = two_pi * static_cast<double>(k) / grid.period,
                   scale = k < 45 ? s : s / std::sqrt(2.0);
      const double a = scale * z[2 * k - 1], b = scale * z[2 * k];
      exact[0] += a * std::cos(w * t) + b * std::sin(w * t);
      exact[1] += w * (b * std::cos(w * t) - a * std::sin(w * t));
      exact[2] -= w * w * (a * std::cos(w * t) + b * std::sin(w * t));
    }
    const Taylor2<double> found = u(t);
    const double got[3] = {found.value, found.rate, found.second};
    for (int i = 0; i < 3; ++i) {
      largest[i] = std::max(largest[i], std::fabs(got[i] - exact[i]));
      size[i] = std::max(size[i], std::fabs(exact[i]));
    }
  }
  // White noise has all its size at high frequencies: the worst that can happen.
  EXPECT_LT(largest[0], 1e-5 * size[0]);
  EXPECT_LT(largest[1], 1e-4 * size[1]);
  EXPECT_LT(largest[2], 1e-3 * size[2]);
}

TEST(Process, HasDerivativesThatFitItsValues) {
  const ProcessUnderTest u({{"road", road(RoadClass::C, 15)}}, 3);
  const double h = 1e-5;  // differences are off by h^2 / 6 of a derivative of 1e5
  for (double t = 0.01; t < 3; t += 0.0173) {
    const auto left = u(t - h), here = u(t), right = u(t + h);
    EXPECT_NEAR(here.rate, (right.value - left.value) / (2 * h), 5e-6);
    EXPECT_NEAR(here.second, (right.rate - left.rate) / (2 * h), 2e-3);
  }
}

TEST(Process, IsTheSameLater) {
  DelayedDrive rear{{"front"}, {}, 2.7};
  const ProcessUnderTest u({{"rear", rear}, {"front", road(RoadClass::C, 20)}}, 4);
  const double delay = 2.7 / 20;
  for (double t = 0.2; t < 4; t += 0.0371) {
    EXPECT_NEAR(u(t).value, u(t - delay, 1).value, 1e-8);
    EXPECT_NEAR(u(t).rate, u(t - delay, 1).rate, 1e-5);
  }
  EXPECT_TRUE(u.program.break_points(u.drives).empty());
}

TEST(Process, IsZeroWithoutGerms) {
  std::vector<Drive> drives{{"w", white(1, 10)}};
  const DriveProgram program(drives, 1.0);
  std::vector<double> constants(static_cast<std::size_t>(program.constants_size()), 7.0);
  program.write_constants(drives, constants.data());
  for (const double c : constants) EXPECT_EQ(c, 0);
  germs_of(drives[0].kind)->assign(3, 1.0);
  EXPECT_THROW(program.write_constants(drives, constants.data()), std::logic_error);
}

TEST(Process, HasEachLaneItsOwn) {
  std::vector<Drive> drives{{"w", white(1, 10)}};
  const DriveProgram program(drives, 1.0);
  const auto size = static_cast<std::size_t>(program.constants_size());
  std::vector<double> a(size), b(size);
  auto& germs = *germs_of(drives[0].kind);
  germs = some_germs(process_grid(drives, drives[0], 1.0).germs());
  program.write_constants(drives, a.data());
  for (double& z : germs) z = 1 - z;
  program.write_constants(drives, b.data());
  std::vector<TwoLanes> both;
  for (std::size_t i = 0; i < size; ++i) both.emplace_back(a[i], b[i]);
  for (const double t : {0.0, 0.3, 0.77, 1.0}) {
    Taylor2<double> alone[2];
    Taylor2<TwoLanes> pair;
    program.evaluate(a.data(), t, t, &alone[0]);
    program.evaluate(b.data(), t, t, &alone[1]);
    program.evaluate(both.data(), t, t, &pair);
    EXPECT_EQ(pair.value.a, alone[0].value);
    EXPECT_EQ(pair.second.b, alone[1].second);
  }
}

TEST(Process, FollowsItsOwnNumbersOnTheNominalGrid) {
  Model model;
  model.simulation.duration = 2;
  model.drives = {{"road", road(RoadClass::C, 20)}};
  Realization realization(model);
  const std::size_t germs = realization.germs();
  EXPECT_EQ(germs, excitation_germs(model));
  realization.set(ParameterTable(model).find("drives.road.speed"), 15);
  realization.excite(some_germs(germs));
  const DriveProgram program(model.drives, 2.0);
  std::vector<double> constants(static_cast<std::size_t>(program.constants_size()));
  program.write_constants(realization.model().drives, constants.data());
  EXPECT_NE(constants[0], 0);
  realization.excite({});
  EXPECT_TRUE(germs_of(realization.model().drives[0].kind)->empty());
  EXPECT_THROW(realization.excite(some_germs(germs - 1)), std::invalid_argument);
}

}  // namespace
}  // namespace tumble
