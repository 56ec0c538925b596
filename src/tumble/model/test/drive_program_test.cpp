#include "tumble/model/compile/drive_program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "tumble/model/test/two_lanes.hpp"

namespace tumble {
namespace {

const double pi = std::numbers::pi;

struct Compiled {
  explicit Compiled(std::vector<Drive> d) : drives(std::move(d)), program(drives) {
    constants.resize(static_cast<std::size_t>(program.constants_size()));
    program.write_constants(drives, constants.data());
  }
  explicit Compiled(DriveKind kind) : Compiled(std::vector<Drive>{{"u", std::move(kind)}}) {}

  Taylor2<double> operator()(double t, double inside, std::size_t drive = 0) const {
    std::vector<Taylor2<double>> out(static_cast<std::size_t>(program.size()));
    program.evaluate(constants.data(), t, inside, out.data());
    return out[drive];
  }
  Taylor2<double> operator()(double t) const { return (*this)(t, t); }
  std::vector<double> breaks() const { return program.break_points(drives); }

  std::vector<Drive> drives;
  DriveProgram program;
  std::vector<double> constants;
};

void expect_value(const Taylor2<double>& u, double value, double rate, double second) {
  EXPECT_NEAR(u.value, value, 1e-13 * (1 + std::fabs(value)));
  EXPECT_NEAR(u.rate, rate, 1e-13 * (1 + std::fabs(rate)));
  EXPECT_NEAR(u.second, second, 1e-13 * (1 + std::fabs(second)));
}

/// All derivatives against central differences, at times away from breaks.
void expect_derivatives(const Compiled& u, const std::vector<double>& times) {
  const double h = 1e-5;
  for (std::size_t i = 0; i < u.drives.size(); ++i)
    for (double t : times) {
      const auto left = u(t - h, t, i), here = u(t, t, i), right = u(t + h, t, i);
      // Products reach 1e5 here; the differences are good to about ten digits of that.
      const double tolerance =
          1e-8 * (1 + std::fabs(here.value) + std::fabs(here.rate) + std::fabs(here.second));
      const std::string where = u.drives[i].name + " at " + std::to_string(t);
      EXPECT_NEAR(here.rate, (right.value - left.value) / (2 * h), tolerance) << where;
      EXPECT_NEAR(here.second, (right.rate - left.rate) / (2 * h), tolerance) << where;
    }
}

using Times = std::vector<double>;

const PiecewiseLinearDrive lines{{0, 1, 3}, {2, 4, 0}};
const TableDrive table{{"", {0, 1, 2}, {0, 1, 0}}};
const HarmonicDrive wave{2, 0.5, pi / 6, 3, 1};
const PolynomialDrive cubic{{1, 2, 3, 4}, 0.5};
const SmoothStepDrive step{1, 3, 2, 6};
const PiecewiseConstantDrive levels{{0, 1, 3}, {2, 4, 0}};
const TableDrive monotone{{"", {0, 1, 1.5, 3, 4, 4.25, 6}, {0, 2, 2.5, 2.5, 1, 3, 10}},
                          Interpolation::monotone};

/// Every kind, with sums and products nested and named before what they refer to.
std::vector<Drive> everything() {
  return {{"nested", ProductDrive{{{"both"}, {"cubic"}, {"both"}}}},
          {"both", SumDrive{{{"wave"}, {"product"}, {"step"}}}},
          {"product", ProductDrive{{{"lines"}, {"table"}, {"constant"}}}},
          {"constant", ConstantDrive{-0.5}},
          {"lines", lines},
          {"table", table},
          {"wave", wave},
          {"cubic", cubic},
          {"step", step}};
}

TEST(DriveProgram, Constant) {
  expect_value(Compiled(ConstantDrive{7})(12.0), 7, 0, 0);
  EXPECT_TRUE(Compiled(ConstantDrive{7}).breaks().empty());
}

TEST(DriveProgram, PiecewiseLinear) {
  const Compiled u(lines);
  expect_value(u(-1.0), 2, 0, 0);
  expect_value(u(0.25), 2.5, 2, 0);
  expect_value(u(2.0), 2, -2, 0);
  expect_value(u(5.0), 0, 0, 0);
  EXPECT_EQ(u.breaks(), (Times{0, 1, 3}));
}

TEST(DriveProgram, PiecewiseLinearLimitsAtBreaks) {
  const Compiled u(lines);
  expect_value(u(0.0, -0.1), 2, 0, 0);
  expect_value(u(0.0, 0.1), 2, 2, 0);
  expect_value(u(1.0, 0.9), 4, 2, 0);
  expect_value(u(1.0, 1.1), 4, -2, 0);
  expect_value(u(3.0, 2.9), 0, -2, 0);
  expect_value(u(3.0, 3.1), 0, 0, 0);
}

TEST(DriveProgram, PiecewiseConstantJumps) {
  const Compiled u(levels);
  expect_value(u(-1.0), 2, 0, 0);
  expect_value(u(0.25), 2, 0, 0);
  expect_value(u(1.0, 0.9), 2, 0, 0);
  expect_value(u(1.0, 1.1), 4, 0, 0);
  expect_value(u(3.0, 2.9), 4, 0, 0);
  expect_value(u(3.0, 3.1), 0, 0, 0);
  EXPECT_EQ(u.breaks(), (Times{0, 1, 3}));
  const Compiled held(TableDrive{{"", {0, 1, 3}, {2, 4, 0}}, Interpolation::hold});
  for (const double t : {-1.0, 0.25, 1.5, 7.0}) expect_value(held(t), u(t).value, 0, 0);
  EXPECT_EQ(held.breaks(), u.breaks());
}

TEST(DriveProgram, LinearTableIsPiecewiseLinear) {
  const Compiled u(TableDrive{{"", {0, 1, 3}, {2, 4, 0}}, Interpolation::linear}), v(lines);
  for (const double t : {-1.0, 0.25, 2.0, 5.0}) expect_value(u(t), v(t).value, v(t).rate, 0);
  EXPECT_EQ(u.breaks(), v.breaks());
}

// Values and rates by SciPy 1.10, PchipInterpolator.
TEST(DriveProgram, MonotoneTable) {
  const Compiled u(monotone);
  const double expected[][3] = {{0.3, 0.743, 2.2823809523809526},
                                {1.2, 2.2685714285714287, 1.2857142857142858},
                                {2.0, 2.5, 0.0},
                                {3.4, 1.972, -2.16},
                                {4.1, 1.564363636363633, 9.658181818181799},
                                {5.0, 7.088126159554731, 4.774582560296846}};
  for (const auto& [t, value, rate] : expected) {
    EXPECT_NEAR(u(t).value, value, 1e-13);
    EXPECT_NEAR(u(t).rate, rate, 1e-12);
  }
  expect_derivatives(u, {0.3, 1.2, 2.0, 3.4, 4.1, 5.0});
  EXPECT_EQ(u.breaks(), (Times{0, 1, 1.5, 3, 4, 4.25, 6}));
  // Where rows stay or turn, so does the curve: nowhere beyond them.
  for (double t = 0; t < 6; t += 0.01) {
    const double value = u(t).value;
    EXPECT_GE(value, t < 3 ? 0 : 1);
    EXPECT_LE(value, t < 4 ? 2.5 : 10);
  }
}

TEST(DriveProgram, RepeatedTimeIsAJump) {
  const Compiled u(PiecewiseLinearDrive{{0, 1, 1}, {0, 2, 5}});
  expect_value(u(1.0, 0.5), 2, 2, 0);
  expect_value(u(1.0, 1.5), 5, 0, 0);
  EXPECT_EQ(u.breaks(), (Times{0, 1}));
}

TEST(DriveProgram, LongPiecewiseLinear) {
  PiecewiseLinearDrive d;
  for (int i = 0; i < 1001; ++i) d.times.push_back(i), d.values.push_back(i % 2);
  const Compiled u(d);
  for (int i = 0; i < 1000; ++i) {
    expect_value(u(i + 0.25), i % 2 ? 0.75 : 0.25, i % 2 ? -1 : 1, 0);
    expect_value(u(i + 1, i + 0.5), (i + 1) % 2, i % 2 ? -1 : 1, 0);
  }
}

TEST(DriveProgram, Table) {
  const Compiled u(table);  // y = 1.5 t - 0.5 t^3 on [0, 1], symmetric about 1
  expect_value(u(0.5), 0.6875, 1.125, -1.5);
  expect_value(u(1.5), 0.6875, -1.125, -1.5);
  expect_value(u(-1.0), 0, 0, 0);
  expect_value(u(9.0), 0, 0, 0);
  expect_value(u(0.0, -0.1), 0, 0, 0);
  expect_value(u(0.0, 0.1), 0, 1.5, 0);
  expect_value(u(2.0, 1.9), 0, -1.5, 0);
  expect_value(u(2.0, 2.1), 0, 0, 0);
  EXPECT_EQ(u.breaks(), (Times{0, 2}));
}

TEST(DriveProgram, StepAcrossInnerKnotsOfATable) {
  const Compiled u(table);
  expect_value(u(1.5, 0.9), 0.6875, -1.125, -1.5);
  expect_value(u(0.5, 1.1), 0.6875, 1.125, -1.5);
}

TEST(DriveProgram, Harmonic) {
  const Compiled u(wave);  // 3 + 2 sin(pi (t - 1) + pi/6)
  expect_value(u(0.0), 4, 0, 0);
  expect_value(u(1.0, 0.9), 4, 0, 0);
  expect_value(u(1.0, 1.1), 4, pi * std::sqrt(3.0), -pi * pi);
  expect_value(u(2.0), 2, -pi * std::sqrt(3.0), pi * pi);
  EXPECT_EQ(u.breaks(), (Times{1}));
}

TEST(DriveProgram, Polynomial) {
  expect_value(Compiled(cubic)(2.5), 1 + 4 + 12 + 32, 2 + 12 + 48, 6 + 48);
  expect_value(Compiled(PolynomialDrive{{}, 0})(1.0), 0, 0, 0);
  EXPECT_TRUE(Compiled(cubic).breaks().empty());
}

TEST(DriveProgram, SmoothStep) {
  const Compiled u(step);
  expect_value(u(0.0), 2, 0, 0);
  expect_value(u(2.0), 4, 4 * 30.0 / 16 / 2, 0);
  expect_value(u(1.5), 2 + 4 * 0.103515625, 4 * 30 * 9.0 / 256 / 2, 4 * 60 * (3.0 / 32) / 4);
  expect_value(u(4.0), 6, 0, 0);
  EXPECT_EQ(u.breaks(), (Times{1, 3}));
}

TEST(DriveProgram, SmoothStepIsContinuousAtBothEnds) {
  const Compiled u(step);
  for (double inside : {0.9, 1.1}) expect_value(u(1.0, inside), 2, 0, 0);
  for (double inside : {2.9, 3.1}) expect_value(u(3.0, inside), 6, 0, 0);
}

TEST(DriveProgram, SumAndProduct) {
  const Compiled u({{"p", ProductDrive{{{"a"}, {"b"}}}},
                    {"s", SumDrive{{{"a"}, {"b"}, {"p"}}}},
                    {"a", PolynomialDrive{{0, 1}, 0}},
                    {"b", PolynomialDrive{{0, 0, 1}, 0}}});
  expect_value(u(2.0, 2.0, 0), 8, 12, 12);
  expect_value(u(2.0, 2.0, 1), 14, 17, 14);
  expect_value(Compiled(SumDrive{})(1.0), 0, 0, 0);
  expect_value(Compiled(ProductDrive{})(1.0), 1, 0, 0);
}

TEST(DriveProgram, CompositesHaveTheLimitsOfTheirParts) {
  const Compiled u(
      {{"p", ProductDrive{{{"two"}, {"lines"}}}}, {"two", ConstantDrive{2}}, {"lines", lines}});
  expect_value(u(1.0, 0.9), 8, 4, 0);
  expect_value(u(1.0, 1.1), 8, -4, 0);
}

TEST(DriveProgram, DerivativesAgreeWithFiniteDifferences) {
  expect_derivatives(Compiled(everything()), {-0.3, 0.4, 0.8, 1.2, 1.9, 2.4, 2.9, 3.5});
}

TEST(DriveProgram, BreakPointsAreTheUnion) {
  EXPECT_EQ(Compiled(everything()).breaks(), (Times{0, 1, 2, 3}));
}

TEST(DriveProgram, BreakPointsThatDifferByRoundingAreOne) {
  const Compiled u({{"a", HarmonicDrive{1, 1, 0, 0, 0.1 + 0.2}},
                    {"b", HarmonicDrive{1, 1, 0, 0, 0.3}},
                    {"c", HarmonicDrive{1, 1, 0, 0, 0.3 + 1e-12}}});
  ASSERT_EQ(u.breaks().size(), 2u);
  EXPECT_EQ(u.breaks()[0], 0.3);
}

TEST(DriveProgram, PerturbedNumbersUseTheSameProgram) {
  Compiled u(everything());
  std::get<ConstantDrive>(u.drives[3].kind).value = 4;
  std::get<TableDrive>(u.drives[5].kind).table.y = {0, 2, 0};
  u.program.write_constants(u.drives, u.constants.data());
  expect_value(u(0.5, 0.5, 5), 1.375, 2.25, -3);
  expect_value(u(0.5, 0.5, 2), 3 * 1.375 * 4, 4 * (2 * 1.375 + 3 * 2.25),
               4 * (2 * 2 * 2.25 + 3 * -3));
}

TEST(DriveProgram, LanesOfABatch) {
  Compiled first(everything()), second(everything());
  std::get<HarmonicDrive>(second.drives[6].kind).frequency = 0.7;
  std::get<TableDrive>(second.drives[5].kind).table.y = {1, 2, -3};
  std::get<PiecewiseLinearDrive>(second.drives[4].kind).values = {1, 2, -3};
  std::get<SmoothStepDrive>(second.drives[8].kind).to = 9;
  second.program.write_constants(second.drives, second.constants.data());
  std::vector<TwoLanes> constants;
  for (std::size_t i = 0; i < first.constants.size(); ++i)
    constants.emplace_back(first.constants[i], second.constants[i]);
  std::vector<Taylor2<TwoLanes>> out(first.drives.size());
  for (double t : {-1.0, 0.5, 1.0, 1.7, 4.0}) {
    first.program.evaluate(constants.data(), t, t - 0.01, out.data());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto a = first(t, t - 0.01, i), b = second(t, t - 0.01, i);
      expect_value(a, out[i].value.a, out[i].rate.a, out[i].second.a);
      expect_value(b, out[i].value.b, out[i].rate.b, out[i].second.b);
    }
  }
}

TEST(DriveProgram, RefusesWhatCheckReports) {
  using Drives = std::vector<Drive>;
  const SumDrive of_a{{{"a"}}}, of_b{{{"b"}}};
  EXPECT_THROW(DriveProgram(Drives{{"a", of_a}}), std::logic_error);
  EXPECT_THROW(DriveProgram(Drives{{"a", of_b}, {"b", of_a}}), std::logic_error);
  EXPECT_THROW(DriveProgram(Drives{{"a", of_b}}), std::logic_error);
  EXPECT_THROW(DriveProgram(Drives{{"a", step}, {"a", step}}), std::logic_error);
  EXPECT_THROW(DriveProgram(Drives{{"a", PiecewiseLinearDrive{}}}), std::logic_error);
  EXPECT_THROW(Compiled(PiecewiseLinearDrive{{0, 1}, {0}}), std::logic_error);
}

TEST(DriveProgram, RefusesOtherDrives) {
  const Compiled u(lines);
  std::vector<double> out(100);
  EXPECT_THROW(u.program.write_constants({{"u", step}}, out.data()), std::logic_error);
  EXPECT_THROW(u.program.write_constants({}, out.data()), std::logic_error);
  EXPECT_THROW(u.program.break_points({{"u", PiecewiseLinearDrive{{0, 1}, {0, 1}}}}),
               std::logic_error);
}

}  // namespace
}  // namespace tumble
