// Andrews' squeezing mechanism (Giles 1978; Hairer & Wanner, "Solving ODEs II", VII.7; DAE test
// set of Bari): seven bodies in a plane, three loops, accelerations of 1e5 rad/s^2. Here the bodies
// are spatial. A tree of seven hinges about z holds them in the plane; the three loops are closed
// by joints that lock x and y only, since a hinge there would lock the plane a second time.
#include "convergence.hpp"
#include "tumble/integrate/watch/redundancy.hpp"
#include "tumble/model/compile.hpp"

namespace tumble::validation {
namespace {

// Data of the test set [SI].
constexpr double xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072;
constexpr double d = .028, da = .0115, e = .02, ea = .01421, rr = .007, ra = .00092;
constexpr double ss = .035, sa = .01874, sb = .01043, sc = .018, sd = .02, ta = .02308, tb = .00916;
constexpr double u = .04, ua = .01228, ub = .00449, zf = .02, zt = .04, fa = .01421;
constexpr double c0 = 4530, l0 = .07785, mom = .033;
constexpr double mass[] = {.04325, .00365, .02373, .00706, .07050, .00706, .05498};
constexpr double inertia[] = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5};

// beta, Theta, gamma, Phi, delta, Omega, epsilon.
const Values q_start = {-0.06171389001427645, 0,
                        0.4552798191630704,   0.2226683901658859,
                        0.4873649795438426,   -0.2226683901658859,
                        1.2305474445498212};
// At t = 0.03 s: re-integrated independently; the published q1 = 15.81077119629904 differs from it
// by 1e-9.
const Values q_end = {15.8107711951537, -15.7563710584118, 0.04082224011965, -0.53473011634207,
                      0.52440996587995, 0.53473011634207,  1.04808074104194};
constexpr double v1_end = 1139.92030225911, lambda1_end = 199.175348105;

/// a (cos angle, sin angle) + b (-sin angle, cos angle)
Vec3d in_plane(double angle, double a, double b = 0) {
  return {a * std::cos(angle) - b * std::sin(angle), a * std::sin(angle) + b * std::cos(angle), 0};
}

Model squeezer(double step) {
  const double beta = q_start[0], gamma = q_start[2], delta = q_start[4], epsilon = q_start[6];
  const double k2 = beta + q_start[1], k4 = q_start[3] + delta, k6 = q_start[5] + epsilon;
  const Vec3d O, A{xa, ya, 0}, B{xb, yb, 0}, C{xc, yc, 0};
  const Vec3d knee = in_plane(beta, rr);              // K1 - K2
  const Vec3d elbow4 = A + in_plane(delta, zt);       // K5 - K4
  const Vec3d elbow6 = A + in_plane(epsilon, 0, -u);  // K7 - K6
  const Vec3d tip = knee - in_plane(k2, d);           // where the loops close

  Model model;
  const double angle[] = {beta, k2, gamma, k4, delta, k6, epsilon};
  const Vec3d centre[] = {in_plane(beta, ra),
                          knee - in_plane(k2, da),
                          B + in_plane(gamma, sb, -sa),
                          elbow4 + in_plane(k4, 0, -(e - ea)),
                          A + in_plane(delta, ta, tb),
                          elbow6 + in_plane(k6, zf - fa),
                          A + in_plane(epsilon, -ub, -ua)};
  for (std::size_t i = 0; i < 7; ++i) {
    Body k;
    k.name = "K" + std::to_string(i + 1);
    k.mass = mass[i];
    k.inertia = {inertia[i], inertia[i], inertia[i], 0, 0, 0};  // only zz matters in the plane
    k.position = centre[i];
    k.orientation = {Orientation::Form::rotation_vector, "", {0, 0, angle[i]}};
    model.bodies.push_back(k);
  }

  const auto hinge = [&](const char* name, const char* first, const char* second, const Vec3d& at) {
    RevoluteJoint joint;
    joint.between = {{{first}, {second}}};
    joint.point = at;
    joint.axis = Vec3d{0, 0, 1};
    model.joints.push_back({name, joint});
    Probe probe;
    probe.name = name;
    probe.joint = JointRef{name};
    probe.quantities = {Quantity::angle, Quantity::angle_rate};
    model.probes.push_back(probe);
  };
  hinge("beta", "ground", "K1", O);
  hinge("Theta", "K1", "K2", knee);
  hinge("gamma", "ground", "K3", B);
  hinge("Phi", "K5", "K4", elbow4);
  hinge("delta", "ground", "K5", A);
  hinge("Omega", "K7", "K6", elbow6);
  hinge("epsilon", "ground", "K7", A);

  for (const char* other : {"K3", "K4", "K6"}) {
    GeneralJoint loop;
    loop.between = {{{"K2"}, {other}}};
    loop.point = tip;
    loop.locked_motions = {{true, true, false, false, false, false}};
    model.joints.push_back({std::string("loop") + other, loop});
  }
  // The test set has M q'' = f - G^T lambda with g1 = x(tip on K2) - x(tip on K3): lambda_1 pulls
  // the tip of K2 by -lambda_1 and that of K3 by +lambda_1 along x. The reaction of our joint is
  // the force on its second body, K3, in ground axes, so its x component is lambda_1.
  Probe loop;
  loop.name = "loop";
  loop.joint = JointRef{"loopK3"};
  loop.quantities = {Quantity::force};
  model.probes.push_back(loop);

  AppliedForce motor;
  motor.body = {"K1"};
  motor.torque = {0, 0, mom};
  model.forces.push_back({"motor", motor});
  Spring spring;
  spring.between = {{{"K3"}, {"ground"}}};
  spring.points = {{B + in_plane(gamma, sd, -sc), C}};
  spring.length = l0;
  spring.stiffness.slope = c0;
  model.forces.push_back({"spring", spring});

  model.simulation.duration = 0.03;
  model.simulation.step = step;
  model.simulation.output_step = 0.03;
  model.simulation.spectral_radius = 0.8;
  model.simulation.newton_tolerance = 1e-12;
  return model;
}

Values angles(const Trajectory& t) {
  const char* names[] = {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"};
  Values q;
  for (std::size_t i = 0; i < 7; ++i)
    q.push_back(q_start[i] + at_end(t, names[i], Quantity::angle)[0]);
  return q;
}

// The published start closes the first loop: the point where K2 meets K3 is ss from K3's bearing.
TEST(AndrewsSqueezer, StartsClosed) {
  const double beta = q_start[0], theta = q_start[1], gamma = q_start[2];
  const double x = rr * std::cos(beta) - d * std::cos(beta + theta);
  const double y = rr * std::sin(beta) - d * std::sin(beta + theta);
  EXPECT_NEAR(x, ss * std::sin(gamma) + xb, 1e-15);
  EXPECT_NEAR(y, -ss * std::cos(gamma) + yb, 1e-15);
}

TEST(AndrewsSqueezer, HasOneDegreeOfFreedomAndNoRedundantConstraint) {
  const auto system = compile(squeezer(1e-5));
  EXPECT_EQ(system->nv, 42);
  EXPECT_EQ(system->nc, 7 * 5 + 3 * 2);
  EXPECT_EQ(make_plan(system).redundancy, nullptr);
  // And the check has teeth: one loop closed by a ball joint holds the plane a second time.
  Model redundant = squeezer(1e-5);
  std::get<GeneralJoint>(redundant.joints[7].kind).locked_motions.has[2] = true;
  const Plan plan = make_plan(compile(redundant));
  ASSERT_NE(plan.redundancy, nullptr);
  EXPECT_EQ(plan.redundancy->count, 1);
  EXPECT_EQ(plan.degrees_of_freedom(), 1);
}

TEST(AndrewsSqueezerSlow, ConvergesToTheTestSet) {
  std::vector<Values> q, v, lambda;
  Table table("Andrews' squeezer, t = 0.03 s", {"q [rad]", "v1 [rad/s]", "lambda_1 [N]"});
  for (const double h : {1.6e-5, 8e-6, 4e-6, 2e-6, 1e-6, 5e-7}) {
    const Trajectory run = simulate(squeezer(h));
    EXPECT_EQ(run.statistics.halvings, 0);
    q.push_back(angles(run));
    v.push_back(at_end(run, "beta", Quantity::angle_rate));
    lambda.push_back({at_end(run, "loop", Quantity::force)[0]});
    table.row(h, {largest_difference(q.back(), q_end), largest_difference(v.back(), {v1_end}),
                  largest_difference(lambda.back(), {lambda1_end})});
  }
  table.expect_second_order(0, 6);
  table.expect_second_order(1, 6);
  EXPECT_LT(table.error(5, 0), 1e-6);
  EXPECT_LT(table.error(5, 1), 1e-4);
  // Positions are rounded to 1e-17 m, which reaches the multipliers divided by h^2: 1e-4 N for the
  // finest step. Their order shows where the error of the method is well above that.
  table.expect_second_order(2, 4);

  const double q_error = largest_difference(extrapolate(q, 3, 3), q_end);
  const double v_error = largest_difference(extrapolate(v, 3, 3), {v1_end});
  const double lambda_error = largest_difference(extrapolate(lambda, 0, 3), {lambda1_end});
  std::printf("  extrapolated  | %.2e          | %.2e          | %.2e\n", q_error, v_error,
              lambda_error);
  EXPECT_LT(q_error, 1e-8);
  EXPECT_LT(v_error, 1e-6);
  EXPECT_LT(lambda_error, 1e-4);
}

TEST(AndrewsSqueezer, RadauIsOfFifthOrderAgainstTheTestSet) {
  Table table("Andrews' squeezer by radau, t = 0.03 s", {"q [rad]", "v1 [rad/s]", "lambda_1 [N]"});
  for (const double h : {1e-4, 5e-5, 2.5e-5}) {
    Model model = squeezer(h);
    model.simulation.integrator = IntegrationMethod::radau;
    const Trajectory run = simulate(model);
    EXPECT_EQ(run.statistics.halvings, 0);
    EXPECT_LT(run.statistics.constraint_drift, 1e-15);
    table.row(h, {largest_difference(angles(run), q_end),
                  largest_difference(at_end(run, "beta", Quantity::angle_rate), {v1_end}),
                  largest_difference({at_end(run, "loop", Quantity::force)[0]}, {lambda1_end})});
  }
  table.expect_order(0, 4.5, 1e-8);
  table.expect_order(1, 4.5, 1e-5);
  table.expect_order(2, 4.5, 1e-5);
}

}  // namespace
}  // namespace tumble::validation
