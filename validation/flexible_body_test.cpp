// Flexible bodies in a floating frame: frequencies, motions and what motions conserve, against
// closed forms, a minimal equation of motion, rigid bodies and the project's own beams.
#include <numbers>

#include "beams.hpp"
#include "ode_reference.hpp"
#include "tumble/convert/test/flexible_bar.hpp"
#include "tumble/integrate/statics/equilibrium.hpp"

namespace tumble::validation {
namespace {

using flexible_test::Bar;
using Q = Quantity;

Probe body_probe(const std::string& body, std::vector<Quantity> quantities) {
  Probe probe;
  probe.name = body;
  probe.body = BodyRef{body};
  probe.quantities = std::move(quantities);
  return probe;
}

Model bar_model(const Bar& bar, int fixed_modes) {
  Model model;
  model.bodies = bar.bodies("bar", fixed_modes);
  settle_nodes(model);
  model.simulation.duration = 1;
  model.simulation.step = 1e-3;
  model.simulation.spectral_radius = 0.9;
  return model;
}

/// A joint at a point.
template <class Joint>
void hold(Model& model, const std::string& name, const std::string& second, Joint joint,
          const Vec3d& point) {
  joint.point = point;
  connect(model, name, "ground", second, joint);
}

std::vector<double> frequencies(const Model& model, int count) {
  const Plan plan = make_plan(model);
  const Equilibrium rest = find_equilibrium(plan, model, {});
  std::vector<double> list;
  for (const VibrationMode& mode : find_vibrations(plan, model, rest.state, count).modes)
    list.push_back(mode.frequency());
  return list;
}

// Euler and Bernoulli: ω = β² sqrt(E I / ρ A) / L², β L of the clamped-free and of the clamped-
// clamped bar (Blevins, Formulas for Natural Frequency and Mode Shape, 1979, table 8-1). Sixteen
// cubic elements are within (β l)⁴/2880 of them, 2e-6 for β l = 0.3.
TEST(FlexibleBody, HasTheFrequenciesOfAClampedBar) {
  const Bar bar;
  Model model = bar_model(bar, 40);
  hold(model, "clamp", "root", FixedJoint{}, {});
  const double unit = std::sqrt(bar.E / (bar.density * bar.area())) /
                      (2 * std::numbers::pi * bar.length * bar.length);
  const auto free_end = frequencies(model, 4);
  const double y = unit * std::sqrt(bar.I_z()), z = unit * std::sqrt(bar.I_y());
  ASSERT_GE(free_end.size(), 4u);
  EXPECT_NEAR(free_end[0], 1.8751041 * 1.8751041 * y, 1e-5 * free_end[0]);
  EXPECT_NEAR(free_end[1], 1.8751041 * 1.8751041 * z, 1e-5 * free_end[1]);
  EXPECT_NEAR(free_end[2], 4.6940911 * 4.6940911 * y, 1e-4 * free_end[2]);
  EXPECT_NEAR(free_end[3], 4.6940911 * 4.6940911 * z, 1e-4 * free_end[3]);

  hold(model, "other", "tip", FixedJoint{}, {bar.length, 0, 0});
  const auto held = frequencies(model, 2);
  ASSERT_GE(held.size(), 2u);
  EXPECT_NEAR(held[0], 4.7300407 * 4.7300407 * y, 1e-5 * held[0]);
  EXPECT_NEAR(held[1], 4.7300407 * 4.7300407 * z, 1e-5 * held[1]);
}

// Under a force F at its free end a clamped bar bends by F L³ / 3 E I and turns by F L² / 2 E I:
// shapes of interfaces are exact in statics. The rotation is followed by a link of no mass.
TEST(FlexibleBody, BendsLikeACantilever) {
  const Bar bar;
  Model model = bar_model(bar, 2);
  hold(model, "clamp", "root", FixedJoint{}, {});
  AppliedForce load;
  load.body = BodyRef{"tip"};
  load.force = {0, -0.5, 0};
  model.forces.push_back({"load", load});
  const Plan plan = make_plan(model);
  const Equilibrium rest = find_equilibrium(plan, model, {});
  const double down = 0.5 * std::pow(bar.length, 3) / (3 * bar.E * bar.I_z());
  const int tip = plan.system->blocks[static_cast<std::size_t>(plan.system->bodies[2].block)].q;
  const double* q = &rest.state.q[static_cast<std::size_t>(tip)];
  // The angle of 2.1e-3 rad makes the difference of arc and chord 1e-6 of the deflection.
  EXPECT_NEAR(q[1], -down, 1e-5 * down);
  EXPECT_NEAR(2 * q[6], -1.5 * down / bar.length, 1e-5 * down);
}

// Two points of mass m on x that a spring holds at a distance, and four that do not move in the
// body: turning about z, L = (2 m (a + u)² + J) ω stays and 2 m ü = 2 m (a + u) ω² - k u.
TEST(FlexibleBody, StretchesAsADumbbellThatSpinsDoes) {
  constexpr double m = 1.5, a = 0.6, J = 0.4, k = 900, spin = 8, end = 1.0;
  ModalData data;
  data.modes = 1;
  data.mass = 2 * m + 2;
  const double across = 2 * m * a * a;
  data.inertia = {0.5, across + 0.3, across + J, 0, 0, 0};
  data.modal_mass = {2 * m};
  data.modal_stiffness = {k};
  data.moment = data.rotation = data.coupling = {Vec3d{}};
  data.inertia_rate = {0, 4 * m * a, 4 * m * a, 0, 0, 0};
  data.inertia_curve = {0, 4 * m, 4 * m, 0, 0, 0};
  data.node = {1};
  data.position = {{a, 0, 0}};
  data.displacement = {{1, 0, 0}};
  data.turn = {{0, 0, 0}};
  Body bell;
  bell.name = "bell";
  bell.modal = ModalPart{};
  bell.modal->data = std::make_shared<const ModalData>(data);
  bell.angular_velocity = Vec3d{0, 0, spin};
  bell.velocity = Vec3d{0.3, 0, 0};
  settle_modal(bell);
  Body point;
  point.name = "point";
  point.node = ModalNode{"bell", 1};
  Model model;
  model.bodies = {bell, point};
  settle_nodes(model);
  model.probes = {body_probe("point", {Q::position, Q::velocity}),
                  body_probe("bell", {Q::angular_velocity})};
  model.simulation.duration = end;
  model.simulation.output_step = end;
  model.simulation.spectral_radius = 0.9;

  const double momentum = (across + J) * spin;
  const auto motion = integrate<3>(
      [&](double, const Vector<3>& y) {  // u, u̇, angle
        const double r = a + y[0], w = momentum / (2 * m * r * r + J);
        return Vector<3>{y[1], r * w * w - k / (2 * m) * y[0], w};
      },
      Vector<3>{0, 0, 0}, 0, end, 1e-4);
  const double r = a + motion[0], angle = motion[2], w = momentum / (2 * m * r * r + J);
  std::vector<Values> computed;
  for (const double h : {1e-3, 5e-4}) {
    model.simulation.step = h;
    const Trajectory t = simulate(model);
    Values row = at_output(t, "point", Q::position, 1);
    const Values turning = at_output(t, "bell", Q::angular_velocity, 1);
    row.insert(row.end(), turning.begin(), turning.end());
    computed.push_back(row);
  }
  const Values got = extrapolate(computed);
  EXPECT_NEAR(got[0], 0.3 * end + r * std::cos(angle), 2e-6);
  EXPECT_NEAR(got[1], r * std::sin(angle), 2e-6);
  EXPECT_NEAR(got[2], 0, 1e-12);
  EXPECT_NEAR(got[5], w, 2e-5);
}

// Thrown into the air, bent and turning about all axes. Momentum and energy of the exact motion
// stay; the method's error is of second order and, with 200 steps to the period of the highest mode
// that moves much, below 1e-4 of the energy that bending holds.
TEST(FlexibleBody, KeepsEnergyAndMomentumInFlight) {
  Bar bar;
  bar.E = 1e9;
  std::array<double, 2> drift{};
  for (const int halved : {0, 1}) {
    Model model = bar_model(bar, 4);
    model.gravity = {0, 0, -9.81};
    Body& body = model.bodies[0];
    body.velocity = Vec3d{1, 2, 3};
    body.angular_velocity = Vec3d{3, 2, -4};
    body.modal->modes = 6;
    body.modal->amplitudes = {0.02, 0.01, -0.01};
    body.modal->rates = {0.5, -0.3};
    settle_nodes(model);
    model.probes = {system_probe(
        {Q::total_energy, Q::linear_momentum, Q::angular_momentum, Q::kinetic_energy})};
    model.simulation.duration = 0.5;
    model.simulation.step = halved == 0 ? 2e-4 : 1e-4;
    model.simulation.output_step = 0.05;
    const Trajectory t = simulate(model);
    const std::size_t last = t.times.size() - 1;
    const double e0 = at_output(t, "system", Q::total_energy, 0)[0];
    for (std::size_t k = 1; k <= last; ++k) {
      drift[static_cast<std::size_t>(halved)] =
          std::max(drift[static_cast<std::size_t>(halved)],
                   std::fabs(at_output(t, "system", Q::total_energy, k)[0] - e0));
      const Values p0 = at_output(t, "system", Q::linear_momentum, 0),
                   p = at_output(t, "system", Q::linear_momentum, k);
      EXPECT_NEAR(p[0], p0[0], 1e-9 * bar.mass());
      EXPECT_NEAR(p[1], p0[1], 1e-9 * bar.mass());
      EXPECT_NEAR(p[2], p0[2] - 9.81 * bar.mass() * t.times[k], 1e-8 * bar.mass());
    }
  }
  EXPECT_LT(drift[1], 1e-3);
  EXPECT_LT(drift[1], 0.35 * drift[0]);  // second order: 0.25
}

// With modes a thousand times as stiff as the motion is quick, what is left is the rigid body; the
// deflection that remains is m ω² L³/E I, 1e-8 of its length.
TEST(FlexibleBody, OfGreatStiffnessIsRigid) {
  Bar bar;
  Model flexible = bar_model(bar, 0);
  flexible.bodies[0].modal->modes = 4;
  flexible.bodies[0].modal->stiffness_factor = 1e5;
  flexible.gravity = {0, -9.81, 0};
  hold(flexible, "hinge", "root", SphericalJoint{}, {});
  flexible.probes = {body_probe("tip", {Q::position})};
  flexible.simulation.step = 2e-3;
  flexible.simulation.output_step = 0.1;
  Model rigid = flexible;
  const ModalData& data = *flexible.bodies[0].modal->data;
  rigid.bodies = {rigid.bodies[0]};
  rigid.bodies[0].modal.reset();
  rigid.joints.clear();
  SphericalJoint hinge;
  hinge.between = {MarkerRef{"ground"}, MarkerRef{"bar"}};
  hinge.point = Vec3d{};
  rigid.joints.push_back({"hinge", hinge});
  rigid.probes = {body_probe("bar", {Q::position})};
  rigid.probes[0].point = Vec3d{bar.length, 0, 0};
  ASSERT_NEAR(data.mass, bar.mass(), 1e-9);
  const Trajectory a = simulate(flexible), b = simulate(rigid);
  for (std::size_t k = 0; k < a.times.size(); ++k) {
    const Values p = at_output(a, "tip", Q::position, k), q = at_output(b, "bar", Q::position, k);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(p[i], q[i], 1e-6);
  }
}

// The start of a joint at a node turns the whole body: from there the bar hangs straight, and
// stays.
TEST(FlexibleBody, StartsWhereAJointTurnsIt) {
  const Bar bar;
  Model model = bar_model(bar, 2);
  model.gravity = {0, -9.81, 0};
  RevoluteJoint hinge;
  hinge.axis = {0, 0, 1};
  hinge.start = AngleStart{};
  hinge.start->angle = -std::numbers::pi / 2;
  hold(model, "hinge", "root", hinge, {});
  model.probes = {body_probe("tip", {Q::position})};
  model.simulation.duration = 0.1;
  model.simulation.output_step = 0.1;
  const Trajectory t = simulate(model);
  const double stretch = 9.81 * bar.density * bar.length * bar.length / (2 * bar.E);
  for (std::size_t k = 0; k < 2; ++k) {
    const Values p = at_output(t, "tip", Q::position, k);
    EXPECT_NEAR(p[0], 0, 1e-9);
    EXPECT_NEAR(p[1], -bar.length, 3 * stretch);  // it starts without strain and vibrates along
  }
}

/// Largest distance of the tips of a pendulum that bends, as a flexible body and as a
/// geometrically exact chain of beam elements.
double distance_from_beam(double E) {
  Bar bar;
  bar.E = E;
  bar.nu = 0;
  Model model = bar_model(bar, 6);
  model.bodies[0].modal->modes = 8;
  model.gravity = {0, -9.81, 0};
  hold(model, "hinge", "root", SphericalJoint{}, {});
  model.probes = {body_probe("tip", {Q::position})};
  model.simulation.duration = 0.4;
  model.simulation.step = 2.5e-4;
  model.simulation.output_step = 0.02;

  Model chain = model;
  chain.bodies.clear();
  Beam arm = beam("arm", {0, 0, 0}, {bar.length, 0, 0}, 24);
  arm.dimension = BeamDimension::planar;
  arm.section.rectangle = RectangleSection{bar.height, bar.width};
  arm.youngs_modulus = bar.E;
  arm.poisson_ratio = bar.nu;
  arm.density = bar.density;
  chain.beams = {arm};
  chain.joints.clear();
  connect(chain, "hinge", "ground", "arm.start");
  chain.probes = {point_probe("tip", "arm", 1, {Q::position})};
  const Trajectory a = simulate(model), b = simulate(chain);
  double largest = 0;
  for (std::size_t k = 0; k < a.times.size(); ++k) {
    const Values p = at_output(a, "tip", Q::position, k), q = at_output(b, "tip", Q::position, k);
    largest = std::max(largest, std::hypot(p[0] - q[0], p[1] - q[1]));
  }
  return largest;
}

// Under its own weight the bar vibrates by some millimetres, 5 mm for the softer one, of 1 m.
// Tension stiffens a beam and no modes: by N L²/π² E I, some per cent of a frequency for the softer
// one, a phase that grows with time. So what is left of the difference falls with the deflection
// times that, E^(-3/2): by 8 where E is four times as large, less where the chain's own error is
// left.
TEST(FlexibleBody, SwingsLikeABeam) {
  const double soft = distance_from_beam(8e9), stiff = distance_from_beam(32e9);
  EXPECT_LT(soft, 5e-4);
  EXPECT_LT(stiff, 1e-4);
  EXPECT_LT(stiff, soft / 4);
}

}  // namespace
}  // namespace tumble::validation
