#include "tumble/model/compile/characteristic_program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "tumble/model/test/two_lanes.hpp"

namespace tumble {
namespace {

using Form = Characteristic::Form;

struct Compiled {
  explicit Compiled(const Characteristic& c) : program(c) {
    constants.resize(static_cast<std::size_t>(program.constants_size()));
    program.write_constants(c, constants.data());
  }
  double operator()(double x) const { return program.evaluate(constants.data(), x).value; }
  double slope(double x) const { return program.evaluate(constants.data(), x).slope; }
  double energy(double x) const { return program.energy(constants.data(), x); }

  CharacteristicProgram program;
  std::vector<double> constants;
};

Characteristic linear(double slope) { return {Form::linear, slope, {}, {}, true}; }
Characteristic polynomial(Form form, std::vector<double> c) {
  return {form, 0, std::move(c), {}, true};
}
Characteristic table(std::vector<double> x, std::vector<double> y, bool smooth) {
  return {Form::table, 0, {}, {"", std::move(x), std::move(y)}, smooth};
}

/// One of each form, and tables that do not contain 0.
std::vector<Characteristic> everything() {
  return {linear(3),
          polynomial(Form::polynomial, {1, -2, 3, 0.5}),
          polynomial(Form::odd_polynomial, {2, 1, -0.5}),
          table({-1, 0, 0.5, 2}, {-4, 0, 3, 5}, true),
          table({-1, 0, 0.5, 2}, {-4, 0, 3, 5}, false),
          table({1, 2, 2.5}, {1, 3, 7}, true),
          table({-3, -2, -1.5}, {1, 3, 7}, false)};
}

TEST(CharacteristicProgram, Linear) {
  const Compiled y(linear(3));
  EXPECT_EQ(y(-2), -6);
  EXPECT_EQ(y.slope(-2), 3);
  EXPECT_EQ(y.energy(-2), 6);
}

TEST(CharacteristicProgram, Polynomial) {
  const Compiled y(polynomial(Form::polynomial, {1, -2, 3}));
  EXPECT_DOUBLE_EQ(y(2), 9);
  EXPECT_DOUBLE_EQ(y.slope(2), 10);
  EXPECT_DOUBLE_EQ(y.energy(2), 2 - 4 + 8);
  EXPECT_DOUBLE_EQ(y(-2), 17);
}

TEST(CharacteristicProgram, OddPolynomialIsOdd) {
  const Compiled y(polynomial(Form::odd_polynomial, {2, 1, 3}));  // 2 x + |x| x + 3 x^3
  EXPECT_DOUBLE_EQ(y(2), 4 + 4 + 24);
  EXPECT_DOUBLE_EQ(y.slope(2), 2 + 4 + 36);
  EXPECT_DOUBLE_EQ(y.energy(2), 4 + 8.0 / 3 + 12);
  for (double x : {0.0, 0.3, 2.0}) {
    EXPECT_EQ(y(-x), -y(x));
    EXPECT_EQ(y.slope(-x), y.slope(x));
    EXPECT_EQ(y.energy(-x), y.energy(x));
  }
  EXPECT_EQ(y.slope(0), 2);
}

TEST(CharacteristicProgram, NoCoefficientsMeansNoForce) {
  for (Form form : {Form::polynomial, Form::odd_polynomial}) {
    const Compiled y(polynomial(form, {}));
    EXPECT_EQ(y(2), 0);
    EXPECT_EQ(y.slope(2), 0);
    EXPECT_EQ(y.energy(2), 0);
  }
}

TEST(CharacteristicProgram, CubicTable) {
  const Compiled y(table({0, 1, 2}, {0, 1, 0}, true));  // 1.5 x - 0.5 x^3 on [0, 1]
  EXPECT_NEAR(y(0.5), 0.6875, 1e-15);
  EXPECT_NEAR(y.slope(0.5), 1.125, 1e-15);
  EXPECT_NEAR(y.energy(2), 1.25, 1e-15);
  EXPECT_NEAR(y(4), -3, 1e-14);  // end slope -1.5
  EXPECT_NEAR(y.slope(4), -1.5, 1e-14);
  EXPECT_NEAR(y.energy(4), 1.25 - 3, 1e-14);
  EXPECT_NEAR(y(-2), -3, 1e-14);
  EXPECT_NEAR(y.energy(-2), 3, 1e-14);
}

TEST(CharacteristicProgram, PiecewiseLinearTable) {
  const Compiled y(table({-1, 0, 2}, {-4, 0, 2}, false));
  EXPECT_DOUBLE_EQ(y(-0.5), -2);
  EXPECT_DOUBLE_EQ(y(1), 1);
  EXPECT_DOUBLE_EQ(y.energy(-1), 2);
  EXPECT_DOUBLE_EQ(y(-3), -12);
  EXPECT_DOUBLE_EQ(y.slope(-3), 4);
  EXPECT_DOUBLE_EQ(y(5), 5);
  EXPECT_DOUBLE_EQ(y.slope(5), 1);
  EXPECT_DOUBLE_EQ(y.energy(5), 12.5);
  EXPECT_DOUBLE_EQ(y.slope(0), 1);
}

TEST(CharacteristicProgram, OnePointIsConstant) {
  const Compiled y(table({1}, {5}, true));
  EXPECT_EQ(y(-7), 5);
  EXPECT_EQ(y.slope(3), 0);
  EXPECT_EQ(y.energy(2), 10);
}

TEST(CharacteristicProgram, SlopeAndEnergyAgreeWithFiniteDifferences) {
  const double h = 1e-5;
  for (const Characteristic& c : everything()) {
    const Compiled y(c);
    for (double x : {-3.4, -1.7, -0.6, 0.2, 1.1, 2.2, 3.3}) {
      EXPECT_NEAR(y.slope(x), (y(x + h) - y(x - h)) / (2 * h), 1e-7);
      EXPECT_NEAR(y(x), (y.energy(x + h) - y.energy(x - h)) / (2 * h), 1e-7);
    }
    EXPECT_EQ(y.energy(0), 0);
  }
}

TEST(CharacteristicProgram, ContinuesSmoothlyOutsideATable) {
  const Compiled y(table({-1, 0, 0.5, 2}, {-4, 0, 3, 5}, true));
  for (double end : {-1.0, 2.0}) {
    EXPECT_NEAR(y(end - 1e-9), y(end + 1e-9), 1e-7);
    EXPECT_NEAR(y.slope(end - 1e-9), y.slope(end + 1e-9), 1e-7);
  }
  EXPECT_DOUBLE_EQ(y(12), y(2) + 10 * y.slope(2));
}

TEST(CharacteristicProgram, NotANumberStaysVisible) {
  for (const Characteristic& c : everything()) EXPECT_TRUE(std::isnan(Compiled(c)(std::nan(""))));
}

TEST(CharacteristicProgram, LanesOfABatch) {
  for (const Characteristic& c : everything()) {
    Characteristic d = c;
    d.slope = 5;
    for (double& v : d.coefficients) v *= 1.3;
    for (double& v : d.table.x) v += 0.4;
    for (double& v : d.table.y) v -= 0.2;
    const Compiled a(c), b(d);
    std::vector<TwoLanes> constants;
    for (std::size_t i = 0; i < a.constants.size(); ++i)
      constants.emplace_back(a.constants[i], b.constants[i]);
    const TwoLanes x(0.3, -1.2);
    const auto y = a.program.evaluate(constants.data(), x);
    const TwoLanes energy = a.program.energy(constants.data(), x);
    EXPECT_DOUBLE_EQ(y.value.a, a(x.a));
    EXPECT_DOUBLE_EQ(y.value.b, b(x.b));
    EXPECT_DOUBLE_EQ(y.slope.b, b.slope(x.b));
    EXPECT_DOUBLE_EQ(energy.a, a.energy(x.a));
    EXPECT_DOUBLE_EQ(energy.b, b.energy(x.b));
  }
}

TEST(CharacteristicProgram, RefusesWhatCheckReports) {
  EXPECT_THROW(Compiled(table({}, {}, true)), std::logic_error);
  EXPECT_THROW(Compiled(table({1, 1}, {0, 1}, false)), std::logic_error);
  EXPECT_THROW(Compiled(table({1, 2}, {0}, true)), std::logic_error);
  const Compiled y(linear(1));
  double out[9];
  EXPECT_THROW(y.program.write_constants(polynomial(Form::polynomial, {1}), out), std::logic_error);
}

}  // namespace
}  // namespace tumble
