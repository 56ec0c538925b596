#include "tumble/io/text/number_with_unit.hpp"

#include <gtest/gtest.h>

namespace tumble {
namespace {

TEST(NumberWithUnit, TellsThePlainNumberInTheUnitOfTheField) {
  EXPECT_EQ(advice_for_unit("2.5 kg", "kg"), "write 2.5, in kg and without a unit");
  EXPECT_EQ(advice_for_unit("250 g", "kg"), "write 0.25, in kg and without a unit");
  EXPECT_EQ(advice_for_unit("-3mm", "m"), "write -0.003, in m and without a unit");
  EXPECT_EQ(advice_for_unit("7.85 g/cm^3", "kg/m^3"), "write 7850, in kg/m^3 and without a unit");
  EXPECT_EQ(advice_for_unit("210 GPa", "Pa"), "write 210000000000, in Pa and without a unit");
  EXPECT_EQ(advice_for_unit("5 N/mm", "N/m"), "write 5000, in N/m and without a unit");
  EXPECT_EQ(advice_for_unit("36 km/h", "m/s"), "write 10, in m/s and without a unit");
  EXPECT_EQ(advice_for_unit("2 kg m2", "kg m^2"), "write 2, in kg m^2 and without a unit");
  EXPECT_EQ(advice_for_unit("4 Nm/rad", "N m/rad"), "write 4, in N m/rad and without a unit");
  EXPECT_EQ(advice_for_unit("30 rpm", "rad/s"), "write 3.14159265359, in rad/s and without a unit");
}

TEST(NumberWithUnit, AnglesSharesAndNumbersWithoutAUnit) {
  EXPECT_EQ(advice_for_unit("90 deg", "rad"), "write 90*deg");
  EXPECT_EQ(advice_for_unit("45.5 degrees", "rad"), "write 45.5*deg");
  EXPECT_EQ(advice_for_unit("45\u00b0", "rad"), "write 45*deg");
  EXPECT_EQ(advice_for_unit("50%", "1"), "write 0.5");
  EXPECT_EQ(advice_for_unit("50 %", ""), "write 0.5");
  EXPECT_EQ(advice_for_unit("3 mm", ""), "write 0.003, in SI units and without a unit");
}

TEST(NumberWithUnit, ConvertsNothingThatDoesNotFit) {
  EXPECT_EQ(advice_for_unit("3 kg", "m"), "write a number, in m and without a unit");
  EXPECT_EQ(advice_for_unit("90 deg", "m"), "write a number, in m and without a unit");
  EXPECT_EQ(advice_for_unit("3 N/m", "N/m, N m/rad"),
            "write a number, in N/m, N m/rad and without a unit");
}

TEST(NumberWithUnit, LeavesOtherMistakesAlone) {
  for (const char* text :
       {"", "kg", "3 furlongs", "3 4", "3 +", "2 * x", "1e999 kg", "3 m^99", "3 /"})
    EXPECT_EQ(advice_for_unit(text, "m"), "") << text;
}

}  // namespace
}  // namespace tumble
