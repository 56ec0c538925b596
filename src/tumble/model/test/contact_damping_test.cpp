#include "tumble/model/contact_damping.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tumble {
namespace {

// The equation that the damping solves, in long double.
TEST(ContactDamping, GivesTheRestitution) {
  for (const double restitution : {0.1, 0.3, 0.5, 0.9, 0.999, 1 - 1e-6})
    for (const double impact : {0.01, 1.0, 30.0}) {
      const long double x =
          static_cast<long double>(damping_of_restitution(restitution, impact)) * impact;
      const long double in = x - std::log1p(x);
      const long double out = -restitution * x - std::log1p(-restitution * x);
      // Both are x²/2 and less; their difference in x is (1 - e²) x.
      EXPECT_NEAR(static_cast<double>(in / out), 1, 1e-12) << restitution << " " << impact;
      EXPECT_GT(x, 0);
    }
}

TEST(ContactDamping, IsHuntAndCrossleysWhereLittleIsLost) {
  // e = 1 - (2/3) a v
  EXPECT_NEAR(damping_of_restitution(0.999, 2), 1.5 * 0.001 / 2, 1e-6);
  EXPECT_EQ(damping_of_restitution(1, 2), 0);
  // All but stopped: 1 - a e v is below rounding.
  EXPECT_NEAR(damping_of_restitution(1e-3, 2), 500, 1e-9);
}

}  // namespace
}  // namespace tumble
