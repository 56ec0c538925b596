// Errors of the time integration in an ensemble, where some of the realisations do not reach the
// end.
#include "tumble/study/statistics/time_errors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tumble/model/compile.hpp"
#include "two_bars.hpp"

namespace tumble {
namespace {

class TimeErrors : public ::testing::Test {
 protected:
  TimeErrors() : plan_(make_plan(compile(two_bars()))) {
    inputs_.slots = {plan_.system->parameters.find("bodies.lower.mass"),
                     plan_.system->parameters.find("bodies.upper.velocity[2]")};
  }

  EnsembleTimeErrors of(std::function<void(std::uint64_t, double*)> fill) {
    inputs_.fill = std::move(fill);
    return TimeErrorSample(plan_, inputs_, {0, 1, 2, 3}).finish(100, 2);
  }

  Plan plan_;
  EnsembleInputs inputs_;
};

TEST_F(TimeErrors, LeaveOutRealizationsThatFail) {
  const auto sound = [](std::uint64_t r, double* x) {
    x[0] = 2000 + 100 * static_cast<double>(r);
    x[1] = 0;
  };
  const EnsembleTimeErrors all = of(sound);
  EXPECT_EQ(all.asked, 4u);
  EXPECT_EQ(all.used, 4u);
  const EnsembleTimeErrors three = of([&](std::uint64_t r, double* x) {
    sound(r, x);
    if (r == 2) x[1] = 1e12;  // far too fast for the step
  });
  EXPECT_EQ(three.asked, 4u);
  EXPECT_EQ(three.used, 3u);
  ASSERT_EQ(three.rms.size(), all.rms.size());
  for (std::size_t i = 0; i < all.rms.size(); ++i) {
    EXPECT_TRUE(std::isfinite(three.rms[i]));
    // The largest of four errors is among the three or not: 4/3 of the mean square at most.
    EXPECT_LE(three.rms[i], std::sqrt(4.0 / 3) * all.rms[i] * (1 + 1e-12));
  }
}

TEST_F(TimeErrors, AreUnknownWhereNoneIsLeft) {
  const EnsembleTimeErrors none = of([](std::uint64_t, double* x) {
    x[0] = -1;  // no machine
    x[1] = 0;
  });
  EXPECT_EQ(none.used, 0u);
  for (const double error : none.rms) EXPECT_TRUE(std::isnan(error));
  for (const double error : none.mean) EXPECT_TRUE(std::isnan(error));
}

}  // namespace
}  // namespace tumble
