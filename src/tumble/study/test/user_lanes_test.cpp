// Forces and constraints that users write, in lanes.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>

#include "lanes_for_tests.hpp"
#include "tumble/dynamics/test/user_samples.hpp"

namespace tumble {
namespace {

Body body(const std::string& name, const Vec3d& position) {
  Body b;
  b.name = name;
  b.mass = 1.5;
  b.position = position;
  b.inertia = {0.02, 0.03, 0.04, 0, 0, 0};
  return b;
}

Probe watching(const std::string& name) {
  Probe probe;
  probe.name = name;
  probe.body = BodyRef{name};
  probe.quantities = {Quantity::position, Quantity::orientation, Quantity::angular_velocity};
  return probe;
}

/// An arm on a hinge that attracts a tumbling body; a drive turns both.
Model attracted() {
  Model model;
  model.gravity = {0, 0, -9.81};
  model.bodies = {body("arm", {0.4, 0, 0}), body("moon", {1, 0.3, 0.2})};
  model.bodies[1].angular_velocity = {2, -1, 3};
  RevoluteJoint hinge;
  hinge.between = {MarkerRef{"ground"}, MarkerRef{"arm"}};
  hinge.point = Vec3d{0, 0, 0};
  hinge.axis = Vec3d{0, 1, 0};
  model.joints = {{"hinge", hinge}};
  HarmonicDrive wave;
  wave.amplitude = 0.8;
  wave.frequency = 2;
  model.drives = {{"wave", wave}};
  model.user_forces.push_back({"pull",
                               std::make_shared<testing::CubicAttraction>(),
                               {BodyRef{"arm"}, BodyRef{"moon"}},
                               {DriveRef{"wave"}},
                               {{"stiffness", "N/m^3", 30}, {"drag", "N s/m^3", 0.7}}});
  model.probes = {watching("arm"), watching("moon")};
  model.simulation.duration = 0.3;
  model.simulation.step = 2e-3;
  model.simulation.output_step = 0.05;
  return model;
}

TEST(UserLanes, ForcesHaveTheBitsOfTheScalarEngine) {
  expect_bits_of_scalar_engine(
      attracted(),
      {"user.pull.stiffness", "user.pull.drag", "drives.wave.frequency", "bodies.moon.mass"},
      [](std::uint64_t r, double* values) {
        const auto x = static_cast<double>(r);
        values[0] = 30 + 2 * x, values[1] = 0.7 - 0.03 * x;
        values[2] = 2 + 0.1 * x, values[3] = 1.5 + 0.02 * x;
      });
}

/// A point of a body on a circle, |p + arm|² = r² in the plane y = 0, with r(t) = number + drive.
class Breathing : public UserConstraint {
 public:
  int rows() const override { return 2; }
  void evaluate(const UserContext& context, ConstraintAnswer& answer) const override {
    const BodyView& b = context.bodies[0];
    const Taylor2<double>& u = context.drives[0];
    const double r = context.numbers[0] + u.value;
    const Vec3d arm = b.R_WB * Vec3d{0.1, 0, -0.05}, p = b.p_W + arm;
    const Vec3d rate = b.v_W + cross(b.w_W, arm), bias = cross(b.w_W, cross(b.w_W, arm));
    answer.value[0] = 0.5 * (dot(p, p) - r * r);
    answer.gradient[0] = {p, cross(arm, p)};
    answer.time_rate[0] = -r * u.rate;
    answer.acceleration_bias[0] = dot(rate, rate) + dot(p, bias) - u.rate * u.rate - r * u.second;
    answer.value[1] = p.y;
    answer.gradient[1] = {{0, 1, 0}, cross(arm, Vec3d{0, 1, 0})};
    answer.acceleration_bias[1] = bias.y;
  }
};

TEST(UserLanes, ConstraintsHaveTheBitsOfTheScalarEngine) {
  Model model;
  model.gravity = {0, 0, -9.81};
  model.bodies = {body("bead", {1, 0, 0})};
  HarmonicDrive wave;
  wave.amplitude = 0.1;
  wave.frequency = 3;
  model.drives = {{"wave", wave}};
  model.user_constraints.push_back({"circle",
                                    std::make_shared<Breathing>(),
                                    {BodyRef{"bead"}},
                                    {DriveRef{"wave"}},
                                    {{"radius", "m", 1.1}}});
  model.probes = {watching("bead")};
  model.simulation.duration = 0.3;
  model.simulation.step = 2e-3;
  model.simulation.output_step = 0.05;
  expect_bits_of_scalar_engine(model, {"user.circle.radius", "bodies.bead.mass"},
                               [](std::uint64_t r, double* values) {
                                 const auto x = static_cast<double>(r);
                                 values[0] = 1.1 + 0.01 * x, values[1] = 1.5 + 0.1 * x;
                               });
}

/// A mass on a spring that only works between -0.9 and 1.1 m, if `number` is so.
class Spring : public UserForce {
 public:
  enum class Beyond { answers, is_no_number, throws };

  explicit Spring(Beyond beyond) : beyond_(beyond) {}

  void evaluate(const UserContext& context, std::span<Wrench> wrenches) const override {
    ++asked;
    const double x = context.bodies[0].p_W.x, limit = context.numbers[1];
    wrenches[0].force.x = -context.numbers[0] * x;
    if (beyond_ == Beyond::answers || x > limit) return;
    if (beyond_ == Beyond::throws) throw UserElementFailure("torn", context.time);
    wrenches[0].force.x = std::numeric_limits<double>::quiet_NaN();
  }
  void evaluate_states(std::span<const UserContext> states,
                       std::span<Wrench> wrenches) const override {
    ++calls;
    UserForce::evaluate_states(states, wrenches);
  }

  mutable std::atomic<long> asked = 0, calls = 0;

 private:
  Beyond beyond_;
};

/// Torn in every third realisation, after a quarter of a period.
struct TearingStudy {
  explicit TearingStudy(Spring::Beyond beyond) : spring(std::make_shared<Spring>(beyond)) {
    model.bodies = {body("mass", {1, 0, 0})};
    model.user_forces.push_back(
        {"spring", spring, {BodyRef{"mass"}}, {}, {{"stiffness", "N/m", 60}, {"limit", "m", -2}}});
    model.probes = {watching("mass")};
    model.simulation.duration = 0.5;
    model.simulation.step = 1e-3;
    model.simulation.output_step = 0.05;
  }

  LeafRecord run(int width, std::uint64_t count = 21) const {
    const Plan plan = make_plan(compile(model));
    EnsembleInputs inputs;
    for (const char* path : {"user.spring.stiffness", "user.spring.limit"})
      inputs.slots.push_back(plan.system->parameters.find(path));
    inputs.fill = [](std::uint64_t r, double* values) {
      values[0] = 60 + static_cast<double>(r), values[1] = r % 3 == 1 ? -0.3 : -2;
    };
    EnsembleOptions options;
    options.width = width;
    options.keep_values = [](std::uint64_t) { return true; };
    std::vector<LeafRecord> leaves;
    run_ensemble(plan, inputs, leaf_source(count), options,
                 [&](LeafResult&& leaf) { leaves.push_back(std::move(leaf.record)); });
    return std::move(leaves.at(0));
  }

  /// x(t) = cos(√(k/m) t), until what happens to the spring at `limit`.
  static double expected(std::uint64_t r, double t) {
    return std::cos(std::sqrt((60 + static_cast<double>(r)) / 1.5) * t);
  }

  std::shared_ptr<Spring> spring;
  Model model;
};

TEST(UserLanes, TheRealisationThatThrowsFailsAlone) {
  for (const auto beyond : {Spring::Beyond::throws, Spring::Beyond::is_no_number})
    for (const LaneKernel& kernel : available_lane_kernels()) {
      SCOPED_TRACE(kernel.width);
      const LeafRecord record = TearingStudy(beyond).run(kernel.width);
      for (std::uint64_t r = 0; r < record.outcomes.size(); ++r) {
        const RealizationOutcome& outcome = record.outcomes[r];
        SCOPED_TRACE(r);
        if (r % 3 == 1) {
          ASSERT_EQ(outcome.status, RealizationStatus::failed);
          EXPECT_NE(outcome.reason.find(beyond == Spring::Beyond::throws
                                            ? "torn"
                                            : "user force 'spring': the force on body 'mass'"),
                    std::string::npos)
              << outcome.reason;
          // Where the cosine passes -0.3, to a step.
          const double k = 60 + static_cast<double>(r);
          EXPECT_NEAR(outcome.failure_time, std::acos(-0.3) / std::sqrt(k / 1.5), 2e-3);
        } else {
          ASSERT_EQ(outcome.status, RealizationStatus::ok) << outcome.reason;
          const double* row = record.values->row(r);
          for (int t = 0; t <= 10; ++t)
            EXPECT_NEAR(row[10 * t], TearingStudy::expected(r, 0.05 * t), 2e-5);
        }
      }
    }
}

TEST(UserLanes, FailuresOfNeighboursLeaveNoTrace) {
  const LeafRecord whole = TearingStudy(Spring::Beyond::answers).run(8);
  for (const LaneKernel& kernel : available_lane_kernels()) {
    const LeafRecord torn = TearingStudy(Spring::Beyond::throws).run(kernel.width);
    for (std::uint64_t r = 0; r < whole.outcomes.size(); ++r)
      for (std::size_t i = 0; i < 110 && r % 3 != 1; ++i)
        ASSERT_EQ(torn.values->row(r)[i], whole.values->row(r)[i]) << r;
  }
}

TEST(UserLanes, AreAskedOnceForAll) {
  TearingStudy one(Spring::Beyond::answers), eight(Spring::Beyond::answers);
  one.run(1, 16);
  eight.run(8, 16);
  EXPECT_LT(4 * eight.spring->calls, one.spring->calls);
  // Lanes that have converged are not asked; only factors that another lane wants cost more.
  EXPECT_LT(eight.spring->asked, 1.3 * static_cast<double>(one.spring->asked));
  // Nor are those that no realisation is in.
  TearingStudy alone(Spring::Beyond::answers), single(Spring::Beyond::answers);
  alone.run(8, 1);
  single.run(1, 1);
  EXPECT_EQ(alone.spring->asked, single.spring->asked);
}

}  // namespace
}  // namespace tumble
