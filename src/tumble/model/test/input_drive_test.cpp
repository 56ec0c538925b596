// Inputs, and the filter of second order behind them.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <unsupported/Eigen/MatrixFunctions>

#include "tumble/model/compile/drive_program.hpp"

namespace tumble {
namespace {

constexpr double pi = std::numbers::pi;

/// x and x' after a time s, by the exponential of the matrix of the filter's equations.
Eigen::Vector2d exact(const InputFilter& f, double s) {
  const double w = f.angular_frequency;
  Eigen::Matrix2d A;
  A << 0, 1, -w * w, -2 * f.damping * w;
  const Eigen::Matrix2d E = (A * s).exp();
  return Eigen::Vector2d(f.input, 0) + E * Eigen::Vector2d(f.value - f.input, f.rate);
}

class FilterOfDamping : public ::testing::TestWithParam<double> {};

TEST_P(FilterOfDamping, FollowsItsEquation) {
  const double w = 2 * pi * 3;
  const InputFilter f{1.5, 0.7, -0.4, 2.0, w, GetParam()};
  for (const double s : {0.0, 1e-9, 1e-4, 0.01, 0.1, 0.5, 2.0}) {
    const Eigen::Vector2d wanted = exact(f, s);
    const Taylor2<double> u = f.at(0.7 + s);
    // The clock itself rounds: 1e-16 s times the speed.
    EXPECT_NEAR(u.value, wanted[0], 1e-12) << s;
    EXPECT_NEAR(u.rate, wanted[1], 1e-11 * w) << s;
    EXPECT_NEAR(u.second, w * w * (f.input - u.value) - 2 * f.damping * w * u.rate, 1e-9 * w * w);
  }
  const Taylor2<double> late = f.at(1e6);
  EXPECT_NEAR(late.value, 1.5, 1e-12);
  EXPECT_NEAR(late.rate, 0, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, FilterOfDamping,
                         ::testing::Values(0.01, 0.4, 1 - 1e-3, 1 - 1e-9, 1.0, 1 + 1e-12, 1 + 1e-7,
                                           1 + 1e-4, 1.02, 1.5, 5.0));

TEST(InputDrive, HoldsWhatItIsSetTo) {
  const std::vector<Drive> drives{{"other", ConstantDrive{3}}, {"u", InputDrive{0.5, {}, {}}}};
  const DriveProgram program(drives);
  EXPECT_EQ(program.inputs(), std::vector<int>{1});
  EXPECT_TRUE(program.break_points(drives).empty());
  std::vector<double> constants(static_cast<std::size_t>(program.constants_size()));
  program.write_constants(drives, constants.data());
  std::vector<Taylor2<double>> out(2);
  program.evaluate(constants.data(), 4.0, 4.0, out.data());
  EXPECT_EQ(out[1].value, 0.5);
  program.set_input(constants.data(), 1, -2, 5.0);
  EXPECT_EQ(program.input(constants.data(), 1), -2);
  program.evaluate(constants.data(), 6.0, 6.0, out.data());
  EXPECT_EQ(out[1].value, -2);
  EXPECT_EQ(out[1].rate, 0);
  EXPECT_EQ(out[0].value, 3);
  EXPECT_THROW(program.set_input(constants.data(), 0, 1, 1), std::logic_error);
}

TEST(InputDrive, AFilterGoesOnFromWhereItIs) {
  const std::vector<Drive> drives{{"u", InputDrive{0.5, 2.0, 0.3}}};
  const DriveProgram program(drives);
  std::vector<double> constants(static_cast<std::size_t>(program.constants_size()));
  program.write_constants(drives, constants.data());
  Taylor2<double> before, after;
  program.evaluate(constants.data(), 3.0, 3.0, &before);
  EXPECT_EQ(before.value, 0.5);
  EXPECT_EQ(before.rate, 0);
  program.set_input(constants.data(), 0, 2, 3.0);
  program.evaluate(constants.data(), 3.1, 3.1, &before);
  // Setting it again to what it is changes nothing but rounding.
  program.set_input(constants.data(), 0, 2, 3.1);
  program.evaluate(constants.data(), 3.1, 3.1, &after);
  EXPECT_NEAR(after.value, before.value, 1e-14);
  EXPECT_NEAR(after.rate, before.rate, 1e-13);
  EXPECT_NEAR(after.second, before.second, 1e-11);
  // Another value makes the acceleration jump by w^2 times the change, and nothing else.
  program.set_input(constants.data(), 0, 1, 3.1);
  program.evaluate(constants.data(), 3.1, 3.1, &after);
  const double w = 2 * pi * 2;
  EXPECT_NEAR(after.value, before.value, 1e-14);
  EXPECT_NEAR(after.rate, before.rate, 1e-13);
  EXPECT_NEAR(after.second, before.second - w * w, 1e-10);
}

TEST(InputDrive, FilterIsPartOfTheStructure) {
  const DriveProgram program({{"u", InputDrive{0.5, 2.0, {}}}});
  std::vector<double> constants(static_cast<std::size_t>(program.constants_size()));
  EXPECT_THROW(program.write_constants({{"u", InputDrive{0.5, {}, {}}}}, constants.data()),
               std::logic_error);
}

}  // namespace
}  // namespace tumble
