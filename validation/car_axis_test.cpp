// The car axis (Schneider 1990; DAE test set of Bari, version 2.4): two point masses on springs
// over a bumpy road, with constraints that users would have to write themselves. It exercises user
// constraints and user forces that depend on time through a drive.
//
// Of the model: gravity 1, the left spring (to a fixed point) is an ordinary one, the right spring
// (to the moving wheel) a user force, the first constraint a user constraint, the second a distance
// joint. The bodies' rotations and z are locked, so their inertia does not matter.
#include <numbers>

#include "convergence.hpp"
#include "tumble/integrate/step/integrator.hpp"
#include "tumble/model/compile.hpp"

namespace tumble::validation {
namespace {

constexpr double eps = .01, heavy = 10, mass = eps * eps * heavy / 2, rest_length = .5;

// At t = 3: positions and velocities of the left and the right mass, and the multipliers.
const Values positions_end = {0.04934557842755629, 0.4969894602303324, 1.0417425248854,
                              0.3739110272652214};
const Values velocities_end = {-0.07705836840321485, 0.007446866596327776, 0.01755681574942899,
                               0.7703410437794031};
const Values lambda_end = {-0.004736886750784630, -0.001104680411345730};

/// The wheel on the bump, (sqrt(1 - yb^2), yb), from the drive yb, with both derivatives.
struct Wheel {
  Taylor2<double> x, y;
  explicit Wheel(const UserContext& context) : y(context.drives[0]) {
    const double root = std::sqrt(1 - y.value * y.value);
    // f = sqrt(1 - y^2): f' = -y/f, f'' = -1/f^3.
    x = chain(y, root, -y.value / root, -1 / (root * root * root));
  }
};

/// xl xb + yl yb = 0: the left strut stays perpendicular to the axle.
class Perpendicular : public UserConstraint {
 public:
  int rows() const override { return 1; }
  void evaluate(const UserContext& context, ConstraintAnswer& answer) const override {
    const Wheel wheel(context);
    const Vec3d p = context.bodies[0].p_W, v = context.bodies[0].v_W;
    answer.value[0] = p.x * wheel.x.value + p.y * wheel.y.value;
    answer.time_rate[0] = p.x * wheel.x.rate + p.y * wheel.y.rate;
    answer.acceleration_bias[0] =
        2 * (v.x * wheel.x.rate + v.y * wheel.y.rate) + p.x * wheel.x.second + p.y * wheel.y.second;
    answer.gradient[0].translation = {wheel.x.value, wheel.y.value, 0};
  }
};

/// Unit spring from the wheel to the right mass.
class WheelSpring : public UserForce {
 public:
  void evaluate(const UserContext& context, std::span<Wrench> wrenches) const override {
    const Wheel wheel(context);
    const Vec3d d = context.bodies[0].p_W - Vec3d{wheel.x.value, wheel.y.value, 0};
    const double length = norm(d);
    wrenches[0].force = ((rest_length - length) / length) * d;
  }
};

Model car_axis(double step) {
  Model model;
  model.gravity = {0, -1, 0};
  HarmonicDrive bump;
  bump.amplitude = .1;
  bump.frequency = 10 / (2 * std::numbers::pi);
  model.drives.push_back({"bump", bump});
  for (const char* name : {"left", "right"}) {
    Body body;
    body.name = name;
    body.mass = mass;
    body.inertia = {mass, mass, mass, 0, 0, 0};
    body.position = {name == std::string("left") ? 0.0 : 1.0, .5, 0};
    body.velocity = {-.5, 0, 0};
    model.bodies.push_back(body);
    GeneralJoint plane;
    plane.between = {{{"ground"}, {name}}};
    plane.point = body.position;
    plane.locked_motions = {{false, false, true, true, true, true}};
    model.joints.push_back({std::string("plane_") + name, plane});
  }
  DistanceJoint axle;
  axle.between = {{{"left"}, {"right"}}};
  axle.points = {{model.bodies[0].position, model.bodies[1].position}};
  model.joints.push_back({"axle", axle});
  Spring strut;
  strut.between = {{{"ground"}, {"left"}}};
  strut.points = {{Vec3d{}, model.bodies[0].position}};
  strut.length = rest_length;
  strut.stiffness.slope = 1;
  model.forces.push_back({"strut", strut});
  model.user_constraints.push_back(
      {"perpendicular", std::make_shared<Perpendicular>(), {{"left"}}, {{"bump"}}, {}});
  model.user_forces.push_back(
      {"wheel", std::make_shared<WheelSpring>(), {{"right"}}, {{"bump"}}, {}});
  model.simulation.duration = 3;
  model.simulation.step = step;
  model.simulation.spectral_radius = 0.8;
  model.simulation.newton_tolerance = 1e-12;
  return model;
}

struct End {
  Values positions, velocities, lambda;
};

/// Steps by hand: the multiplier of a user constraint is in the state, not in a probe.
End run_to_end(double step, IntegrationMethod method = IntegrationMethod::generalized_alpha) {
  Model model = car_axis(step);
  model.simulation.integrator = method;
  const auto system = compile(model);
  const Plan plan = make_plan(system);
  const auto constants = prepare(*system, model);
  Integrator integrator(plan, constants);
  integrator.start(initial_state(*system, model), 0, 0.5 * step);
  integrator.restart(step);
  const long steps = std::lround(model.simulation.duration / step);
  for (long n = 1; n <= steps; ++n)
    if (!integrator.step(static_cast<double>(n) * step)) throw std::runtime_error("no convergence");
  const MotionState& state = integrator.state();
  End end;
  for (const auto& block : system->blocks)
    for (int k = 0; k < 2; ++k) {
      end.positions.push_back(state.q[static_cast<std::size_t>(block.q + k)]);
      end.velocities.push_back(state.v[static_cast<std::size_t>(block.v + k)]);
    }
  // The test set writes m p'' = f + lambda grad(g), we write m p'' = f - lambda grad(phi). Its
  // g1 is our phi1; its g2 = d^2 - 1 has the gradient 2 d n of our phi2 = d - 1, with d = 1.
  const auto perpendicular = static_cast<std::size_t>(system->user_constraints[0].row);
  const auto axle = static_cast<std::size_t>(system->joints[2].first_row);
  end.lambda = {-state.lambda[perpendicular], -state.lambda[axle] / 2};
  return end;
}

TEST(CarAxisSlow, ConvergesToTheTestSet) {
  std::vector<Values> p, v, lambda;
  Table table("Car axis, t = 3", {"positions", "velocities", "lambda"});
  for (const double h : {4e-4, 2e-4, 1e-4, 5e-5, 2.5e-5, 1.25e-5, 6.25e-6}) {
    const End end = run_to_end(h);
    p.push_back(end.positions);
    v.push_back(end.velocities);
    lambda.push_back(end.lambda);
    table.row(h, {largest_difference(p.back(), positions_end),
                  largest_difference(v.back(), velocities_end),
                  largest_difference(lambda.back(), lambda_end)});
  }
  table.expect_second_order(0, 7);
  table.expect_second_order(1, 7);
  EXPECT_LT(table.error(6, 0), 1e-6);
  EXPECT_LT(table.error(6, 1), 1e-6);
  // Positions of about 1 are rounded to 1e-16, which reaches the multipliers times mass / h^2 and
  // then through several steps: 2e-7 for the finest. Their order shows where steps are larger.
  table.expect_second_order(2, 3);

  const double p_error = largest_difference(extrapolate(p, 4, 3), positions_end);
  const double v_error = largest_difference(extrapolate(v, 4, 3), velocities_end);
  const double lambda_error = largest_difference(extrapolate(lambda, 0, 3), lambda_end);
  std::printf("  extrapolated  | %.2e          | %.2e          | %.2e\n", p_error, v_error,
              lambda_error);
  EXPECT_LT(p_error, 1e-8);
  EXPECT_LT(v_error, 1e-8);
  EXPECT_LT(lambda_error, 1e-7);
}

TEST(CarAxis, RadauIsOfFifthOrderAgainstTheTestSet) {
  Table table("Car axis by radau, t = 3", {"positions", "velocities", "lambda"});
  for (const double h : {0.01, 0.005, 0.0025}) {
    const End end = run_to_end(h, IntegrationMethod::radau);
    table.row(h, {largest_difference(end.positions, positions_end),
                  largest_difference(end.velocities, velocities_end),
                  largest_difference(end.lambda, lambda_end)});
  }
  table.expect_order(0, 4.7, 2e-8);
  table.expect_order(1, 4.7, 5e-7);
  table.expect_order(2, 4.5, 1e-9);
}

}  // namespace
}  // namespace tumble::validation
