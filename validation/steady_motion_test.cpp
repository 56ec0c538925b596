// Equilibria from any start, steady rotation, and complex modes, against closed forms.
#include <algorithm>

#include "beams.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/integrate/statics/equilibrium.hpp"
#include "tumble/model/compile.hpp"

namespace tumble::validation {
namespace {

using Q = Quantity;
using Complex = std::complex<double>;
constexpr double pi = 3.141592653589793, g = 9.81;

Body make_body(const std::string& name, double mass, const Vec3d& position,
               const std::array<double, 3>& inertia) {
  Body body;
  body.name = name;
  body.mass = mass;
  body.position = position;
  body.inertia = {inertia[0], inertia[1], inertia[2], 0, 0, 0};
  return body;
}
template <class J>
J between(const std::string& first, const std::string& second, const Vec3d& point) {
  J joint;
  joint.between = {MarkerRef{first}, MarkerRef{second}};
  joint.point = point;
  return joint;
}
RevoluteJoint hinge(const std::string& first, const std::string& second, const Vec3d& point,
                    const Vec3d& axis) {
  auto joint = between<RevoluteJoint>(first, second, point);
  joint.axis = axis;
  return joint;
}
Spring spring(const std::string& first, const std::string& second, const Vec3d& from,
              const Vec3d& to, double stiffness, double damping = 0) {
  Spring s;
  s.between = {MarkerRef{first}, MarkerRef{second}};
  s.points = std::array<Vec3d, 2>{from, to};
  s.stiffness.slope = stiffness;
  s.damping.slope = damping;
  return s;
}
Drive turning(const std::string& name, double rate) {
  PolynomialDrive drive;
  drive.coefficients = {0, rate};
  return {name, drive};
}
void watch(Model& model, const std::string& body, std::vector<Quantity> quantities) {
  Probe probe;
  probe.name = body;
  probe.body = BodyRef{body};
  probe.quantities = std::move(quantities);
  model.probes.push_back(probe);
}
void watch_joint(Model& model, const std::string& joint, std::vector<Quantity> quantities) {
  Probe probe;
  probe.name = joint;
  probe.joint = JointRef{joint};
  probe.quantities = std::move(quantities);
  model.probes.push_back(probe);
}
Model empty_model(const Vec3d& gravity = {0, 0, -g}) {
  Model model;
  model.gravity = gravity;
  model.simulation.duration = 1;
  model.simulation.step = 1e-3;
  return model;
}
bool mentions(const std::vector<std::string>& notes, const std::string& text) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& n) { return n.find(text) != std::string::npos; });
}

struct Found {
  Plan plan;
  Equilibrium at;
  Vibrations vibrations;
};
Found analyse(const Model& model, EquilibriumKind kind = EquilibriumKind::automatic) {
  Found out{make_plan(compile(model)), {}, {}};
  EquilibriumOptions options;
  options.kind = kind;
  out.at = find_equilibrium(out.plan, model, options);
  out.vibrations = find_vibrations(out.plan, model, out.at.state, 100, &out.at.motion);
  return out;
}
/// Every expected eigenvalue is there.
void expect_eigenvalues(const Vibrations& found, const std::vector<Complex>& expected,
                        double tolerance) {
  for (const Complex& s : expected) {
    double nearest = 1e300;
    for (const auto& mode : found.modes)
      nearest = std::min(
          {nearest, std::abs(mode.eigenvalue - s), std::abs(std::conj(mode.eigenvalue) - s)});
    EXPECT_LE(nearest, tolerance * std::abs(s)) << s;
  }
}

// --- from anywhere
// --------------------------------------------------------------------------------

/// A rod of 1 m on a hinge about y at the origin, its centre at `angle` from straight down.
Model rod(double angle) {
  Model model = empty_model();
  model.bodies = {
      make_body("rod", 2, {0.5 * std::sin(angle), 0, -0.5 * std::cos(angle)}, {0.2, 0.17, 0.1})};
  model.joints = {{"hinge", hinge("ground", "rod", {}, {0, 1, 0})}};
  watch(model, "rod", {Q::position});
  watch_joint(model, "hinge", {Q::force});
  return model;
}

TEST(Relaxation, PendulumHangsDownFromAnyAngle) {
  for (const double degrees : {0.0, 30.0, 90.0, 91.0, 135.0, 179.9, 180.0, -90.0, -180.0}) {
    const Found found = analyse(rod(degrees * pi / 180));
    const auto& m = found.at.measured.back();
    EXPECT_NEAR(m[0], 0, 1e-10) << degrees;
    EXPECT_NEAR(m[2], -0.5, 1e-10) << degrees;
    EXPECT_NEAR(m[5], 2 * g, 1e-8) << degrees;
    EXPECT_NEAR(found.vibrations.modes[0].square, 2 * g * 0.5 / (0.17 + 0.5), 1e-8) << degrees;
  }
}

TEST(Relaxation, TwoRodsReleasedLevelHangBelowEachOther) {
  Model model = empty_model();
  model.bodies = {make_body("upper", 1, {0.25, 0, 0}, {0.001, 0.02, 0.02}),
                  make_body("lower", 1, {0.75, 0, 0}, {0.001, 0.02, 0.02})};
  model.joints = {{"shoulder", hinge("ground", "upper", {}, {0, 1, 0})},
                  {"elbow", hinge("upper", "lower", {0.5, 0, 0}, {0, 1, 0})}};
  watch(model, "lower", {Q::position});
  const Found found = analyse(model);
  const auto& m = found.at.measured.back();
  EXPECT_NEAR(m[0], 0, 1e-9);
  EXPECT_NEAR(m[2], -0.75, 1e-9);
  // M and K of the hanging chain in its two angles.
  const double a = 0.02 + 0.0625 + 0.25, b = 0.125, c = 0.02 + 0.0625, p = 0.75 * g, r = 0.25 * g;
  const double A = a * c - b * b, B = -(a * r + c * p), C = p * r;
  for (int sign : {-1, 1}) {
    const double square = (-B + sign * std::sqrt(B * B - 4 * A * C)) / (2 * A);
    EXPECT_NEAR(found.vibrations.modes[sign < 0 ? 0 : 1].square, square, 1e-8 * square);
  }
}

TEST(Relaxation, TopOnABallJointHangsAndMayTurnFreely) {
  Model model = empty_model();
  model.bodies = {make_body("top", 15, {0, 1, 0}, {0.234, 0.46, 0.234})};
  model.bodies[0].angular_velocity = {0, 150, -4.61538};
  model.bodies[0].velocity = {4.61538, 0, 0};
  model.joints = {{"pivot", between<SphericalJoint>("ground", "top", {})}};
  watch(model, "top", {Q::position});
  const Found found = analyse(model);
  EXPECT_NEAR(found.at.measured.back()[2], -1, 1e-9);
  EXPECT_TRUE(mentions(found.at.notes, "body 'top' turns about (0, 0, 1)"));
  EXPECT_TRUE(mentions(found.at.notes, "velocities are left out"));
}

// An inverted pendulum on a torsion spring: upright above k = m g l, beside it below, where
// k θ = m g l sin θ.
TEST(Relaxation, InvertedPendulumBucklesAtItsLoad) {
  const double l = 0.5, load = 2 * g * l, inertia = 0.17 + 2 * l * l;
  for (const double ratio : {1.05, 0.95, 0.5}) {
    Model model = rod(pi);
    TorsionSpring s;
    s.between = {MarkerRef{"ground"}, MarkerRef{"rod"}};
    s.point = Vec3d{};
    s.axis = Vec3d{0, 1, 0};
    s.stiffness.slope = ratio * load;
    model.forces = {{"spring", s}};
    const Found found = analyse(model);
    const auto& m = found.at.measured.back();
    double angle = 0;
    if (ratio < 1) {
      angle = 2;
      for (int i = 0; i < 200; ++i) angle = std::sin(angle) / ratio;
      if (ratio == 0.5) {
        EXPECT_NEAR(angle, 1.895494267, 1e-9);
      }
    }
    EXPECT_NEAR(std::fabs(m[0]), l * std::sin(angle), 1e-9) << ratio;
    EXPECT_NEAR(m[2], l * std::cos(angle), 1e-9) << ratio;
    const double square = load * (ratio - std::cos(angle)) / inertia;
    EXPECT_NEAR(found.vibrations.modes[0].square, square, 1e-8 * square) << ratio;
  }
}

TEST(Relaxation, FreeShaftIsNeutralAndAFallingBodyHasNoEquilibrium) {
  Model shaft = rod(0);
  shaft.bodies[0].position = {};
  const Found neutral = analyse(shaft);
  EXPECT_TRUE(mentions(neutral.at.notes, "body 'rod' turns about (0, 1, 0)"));
  Model falling = rod(0);
  falling.joints.clear();
  falling.probes.pop_back();
  try {
    analyse(falling);
    FAIL() << "a falling body has no equilibrium";
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("body 'rod' moves along (0, 0, 1)"), std::string::npos)
        << error.what();
  }
}

// --- frequencies
// ----------------------------------------------------------------------------------

// ω = 2 √(k/m) sin(j π / (2 (n + 1))) of a chain between two walls.
TEST(Modes, OfASpringChainAreExact) {
  constexpr int n = 7;
  const double k = 350, mass = 0.8;
  Model model = empty_model({});
  std::string before = "ground";
  for (int i = 1; i <= n; ++i) {
    const std::string name = "m" + std::to_string(i);
    model.bodies.push_back(make_body(name, mass, {double(i), 0, 0}, {0.1, 0.1, 0.1}));
    auto guide = between<PrismaticJoint>("ground", name, {double(i), 0, 0});
    guide.axis = Vec3d{1, 0, 0};
    model.joints.push_back({"guide" + name, guide});
    model.forces.push_back(
        {"s" + name, spring(before, name, {i - 1.0, 0, 0}, {double(i), 0, 0}, k)});
    before = name;
  }
  model.forces.push_back({"last", spring(before, "ground", {n, 0, 0}, {n + 1.0, 0, 0}, k)});
  const Found found = analyse(model);
  ASSERT_EQ(found.vibrations.modes.size(), std::size_t(n));
  for (int j = 1; j <= n; ++j) {
    const double omega = 2 * std::sqrt(k / mass) * std::sin(j * pi / (2 * (n + 1)));
    EXPECT_NEAR(found.vibrations.modes[std::size_t(j - 1)].frequency(), omega / (2 * pi),
                1e-12 * omega);
  }
}

// m ẍ + c ẋ + k x = 0.
TEST(Modes, OfADampedOscillator) {
  const double mass = 2, k = 500;
  for (const double c : {0.0, 6.0, 60.0, 80.0}) {
    Model model = empty_model();
    model.bodies = {make_body("body", mass, {0, 0, 1}, {1, 1, 1})};
    auto guide = between<PrismaticJoint>("ground", "body", {0, 0, 1});
    guide.axis = Vec3d{0, 0, 1};
    model.joints = {{"guide", guide}};
    model.forces = {{"spring", spring("ground", "body", {}, {0, 0, 1}, k, c)}};
    const Found found = analyse(model);
    const Complex root = std::sqrt(Complex(c * c - 4 * mass * k));
    expect_eigenvalues(found.vibrations, {(-c + root) / (2 * mass), (-c - root) / (2 * mass)},
                       1e-12);
    const VibrationMode& mode = found.vibrations.modes[0];
    const double zeta = c / (2 * std::sqrt(k * mass));
    EXPECT_NEAR(mode.damping_ratio(), std::min(zeta, 1.0), 1e-12);
    EXPECT_NEAR(mode.frequency(), zeta < 1 ? std::sqrt(k / mass * (1 - zeta * zeta)) / (2 * pi) : 0,
                1e-12);
    EXPECT_EQ(found.vibrations.modes.size(), zeta < 1 ? 1u : 2u);
  }
}

// A disc (A = 0.01, C = 0.018 kg m²) at 500 rad/s on a tilt spring of 100 N m/rad:
// A s² ∓ i C Ω s + k = 0, whose roots are i 910.98 and i 10.98 rad/s.
constexpr double disc_A = 0.01, disc_C = 0.018, disc_spin = 500, disc_k = 100;
std::vector<Complex> disc_roots(double A, double k) {
  const double h = disc_C * disc_spin, root = std::sqrt(h * h + 4 * A * k);
  return {Complex(0, (h + root) / (2 * A)), Complex(0, (root - h) / (2 * A))};
}
Model disc() {
  Model model = empty_model({});
  model.bodies = {make_body("disc", 1, {}, {disc_A, disc_A, disc_C})};
  Bushing tilt;
  tilt.between = {MarkerRef{"ground"}, MarkerRef{"disc"}};
  tilt.point = Vec3d{};
  tilt.stiffness = {0, 0, 0, disc_k, disc_k, 0};
  tilt.damping = {0, 0, 0, 0, 0, 0};
  model.forces = {{"tilt", tilt}};
  return model;
}

TEST(Modes, OfASpinningDiscWithItsDescribedSpin) {
  Model model = disc();
  model.bodies[0].angular_velocity = {0, 0, disc_spin};
  model.joints = {{"ball", between<SphericalJoint>("ground", "disc", {})}};
  const Found found = analyse(model);
  expect_eigenvalues(found.vibrations, disc_roots(disc_A, disc_k), 1e-8);
  std::vector<double> frequencies;
  for (const auto& mode : found.vibrations.modes)
    if (mode.frequency() > 0.1) frequencies.push_back(mode.frequency());
  ASSERT_EQ(frequencies.size(), 2u);
  EXPECT_NEAR(frequencies[0], 1.747, 1e-3);
  EXPECT_NEAR(frequencies[1], 144.99, 1e-2);
  // Without the spin: √(k/A)/2π twice.
  const Found still = analyse(model, EquilibriumKind::rest);
  expect_eigenvalues(still.vibrations, {Complex(0, 100)}, 1e-10);
}

TEST(Modes, OfADiscThatADriveSpins) {
  Model model = disc();
  auto bearing = between<GeneralJoint>("ground", "disc", {});
  bearing.locked_motions = MotionSet{{true, true, true, false, false, true}};
  bearing.motion.drive[5] = "spin";
  model.drives = {turning("spin", disc_spin)};
  model.joints = {{"bearing", bearing}};
  const Found found = analyse(model);
  ASSERT_EQ(found.vibrations.modes.size(), 2u);
  expect_eigenvalues(found.vibrations, disc_roots(disc_A, disc_k), 1e-8);
}

// In gimbals, whose inertia adds to the disc's: (A1 s² + k)(A2 s² + k) + (C Ω s)² = 0. Nothing
// changes as the disc turns.
TEST(Modes, OfADiscInGimbals) {
  const double outer = 0.002, inner = 0.003;
  Model model = empty_model({});
  model.bodies = {make_body("ring", 0.1, {}, {outer, 0.002, 0.002}),
                  make_body("frame", 0.1, {}, {inner, 0.0025, 0.003}),
                  make_body("disc", 1, {}, {disc_A, disc_A, disc_C})};
  model.joints = {{"x", hinge("ground", "ring", {}, {1, 0, 0})},
                  {"y", hinge("ring", "frame", {}, {0, 1, 0})},
                  {"z", hinge("frame", "disc", {}, {0, 0, 1})}};
  std::get<RevoluteJoint>(model.joints[2].kind).motion.drive[5] = "spin";
  model.drives = {turning("spin", disc_spin)};
  for (const auto& [first, second, axis] :
       {std::tuple{"ground", "ring", Vec3d{1, 0, 0}}, {"ring", "frame", Vec3d{0, 1, 0}}}) {
    TorsionSpring s;
    s.between = {MarkerRef{first}, MarkerRef{second}};
    s.point = Vec3d{};
    s.axis = axis;
    s.stiffness.slope = disc_k;
    model.forces.push_back({std::string("spring_") + second, s});
  }
  const Found found = analyse(model);
  EXPECT_FALSE(mentions(found.at.frame, "t = 0 only"));
  EXPECT_TRUE(mentions(found.at.frame, "seen from the ground"));
  const double A1 = disc_A + outer + inner, A2 = disc_A + 0.0025, h = disc_C * disc_spin;
  const double a = A1 * A2, b = -(disc_k * (A1 + A2) + h * h), c = disc_k * disc_k;
  for (int sign : {-1, 1})
    expect_eigenvalues(
        found.vibrations,
        {Complex(0, std::sqrt((-b + sign * std::sqrt(b * b - 4 * a * c)) / (2 * a)))}, 1e-8);
}

// A rigid rotor on two damped isotropic bearings at ± a: it bounces with m s² + 2 c s + 2 k = 0 and
// tilts with A s² ∓ i C Ω s + 2 a² (c s + k) = 0, forward and backward. The bearings sit on the
// axis, so nothing changes as it turns.
TEST(Modes, OfAJeffcottRotorWhirlForwardAndBackward) {
  const double mass = 12, A = 0.3, C = 0.4, k = 2e5, c = 40, a = 0.25;
  for (const double spin : {0.0, 300.0, 2000.0}) {
    Model model = empty_model({});
    model.bodies = {make_body("rotor", mass, {}, {A, A, C})};
    auto motor = between<GeneralJoint>("ground", "rotor", {});
    motor.locked_motions = MotionSet{{false, false, true, false, false, true}};
    motor.motion.drive[5] = "spin";
    model.drives = {turning("spin", spin)};
    model.joints = {{"motor", motor}};
    for (const double z : {-a, a}) {
      Bushing bearing;
      bearing.between = {MarkerRef{"ground"}, MarkerRef{"rotor"}};
      bearing.point = Vec3d{0, 0, z};
      bearing.stiffness = {k, k, 0, 0, 0, 0};
      bearing.damping = {c, c, 0, 0, 0, 0};
      model.forces.push_back({z < 0 ? "left" : "right", bearing});
    }
    watch(model, "rotor", {Q::position});
    const Found found = analyse(model);
    EXPECT_FALSE(mentions(found.at.frame, "t = 0 only")) << spin;
    ASSERT_EQ(found.vibrations.modes.size(), 4u) << spin;
    std::vector<Complex> expected;
    const auto solve = [&](Complex p, Complex q, Complex r) {
      const Complex root = std::sqrt(q * q - 4.0 * p * r);
      expected.push_back((-q + root) / (2.0 * p));
      expected.push_back((-q - root) / (2.0 * p));
    };
    solve(mass, 2 * c, 2 * k);
    solve(A, Complex(2 * a * a * c, -C * spin), 2 * a * a * k);
    expect_eigenvalues(found.vibrations, expected, 1e-8);
  }
}

// Steady precession of a symmetric top at 60 degrees from the vertical: from
// I1 θ̈ = -∂V/∂θ, V = (pφ - pψ cos θ)²/(2 I1 sin² θ) + m g l cos θ, its nutation.
TEST(Modes, OfASteadilyPrecessingTop) {
  const double mass = 1, l = 0.2, at = 0.01, axial = 0.005, theta = pi / 3, spin = 500;
  const double I1 = at + mass * l * l, cosine = std::cos(theta), sine = std::sin(theta);
  // I1 φ̇² cos θ - C n φ̇ + m g l = 0, the slow root.
  const double h = axial * spin;
  const double rate = (h - std::sqrt(h * h - 4 * I1 * cosine * mass * g * l)) / (2 * I1 * cosine);
  Model model = empty_model();
  Body top = make_body("top", mass, {l * sine, 0, l * cosine}, {at, at, axial});
  top.orientation.form = Orientation::Form::rotation_vector;
  top.orientation.numbers = {0, theta, 0};
  const Vec3d axis{sine, 0, cosine};
  // Body axes: spin n is the whole component of ω along the axis.
  const Vec3d omega = Vec3d{0, 0, rate} + (spin - rate * cosine) * axis;
  top.angular_velocity = omega;
  top.velocity = cross(omega, l * axis);
  model.bodies = {top};
  model.joints = {{"pivot", between<SphericalJoint>("ground", "top", {})}};
  const Found found = analyse(model);
  EXPECT_TRUE(mentions(found.at.frame, "described motion is steady"));
  EXPECT_NEAR(found.at.motion.spin.z, rate, 1e-6 * rate);
  const double p_psi = h, p_phi = I1 * sine * sine * rate + h * cosine;
  const auto force = [&](double x) {
    const double s = std::sin(x), c = std::cos(x);
    return (p_phi - p_psi * c) * (p_psi - p_phi * c) / (I1 * s * s * s) - mass * g * l * s;
  };
  const double step = 1e-4;
  const double square = (8 * (force(theta + step) - force(theta - step)) -
                         (force(theta + 2 * step) - force(theta - 2 * step))) /
                        (12 * step * I1);
  expect_eigenvalues(found.vibrations, {Complex(0, std::sqrt(square))}, 1e-7);
}

// --- steady rotation
// ------------------------------------------------------------------------------

/// A pendulum (1 kg, centre 0.5 m below its hinge) on a shaft that turns about z.
Model pendulum_on_shaft(double rate) {
  Model model = empty_model();
  model.bodies = {make_body("shaft", 1, {}, {0.1, 0.1, 0.1}),
                  make_body("rod", 1, {0, 0, -0.5}, {0.02, 0.02, 0.001})};
  model.joints = {{"bearing", hinge("ground", "shaft", {}, {0, 0, 1})},
                  {"hinge", hinge("shaft", "rod", {}, {0, 1, 0})}};
  std::get<RevoluteJoint>(model.joints[0].kind).motion.drive[5] = "motor";
  model.drives = {turning("motor", rate)};
  watch(model, "rod", {Q::position});
  watch_joint(model, "hinge", {Q::angle, Q::force});
  return model;
}

// cos θ = m g l/(Ω² B), B = m l² + Jx - Jz, and it swings with Ω² B sin² θ/(m l² + Jy); below the
// critical speed it hangs, with (m g l - Ω² B)/(m l² + Jy).
TEST(SteadyRotation, PendulumOnATurningShaft) {
  const double l = 0.5, B = l * l + 0.02 - 0.001, hinge_inertia = l * l + 0.02;
  for (const double rate : {3.0, 6.0, -6.0, 12.0}) {
    const Found found = analyse(pendulum_on_shaft(rate));
    const auto& m = found.at.measured.back();
    const double cosine = std::min(1.0, g * l / (rate * rate * B)), theta = std::acos(cosine);
    if (std::fabs(rate) == 6) {
      EXPECT_NEAR(theta * 180 / pi, 59.6, 0.05);
    }
    EXPECT_NEAR(std::fabs(m[3]), theta, 1e-8) << rate;
    EXPECT_NEAR(-m[2], l * cosine, 1e-9) << rate;
    // The shaft carries weight and centripetal force.
    EXPECT_NEAR(std::hypot(m[4], m[5]), rate * rate * l * std::sin(theta), 1e-7) << rate;
    EXPECT_NEAR(m[6], g, 1e-8) << rate;
    const double square = (theta > 0 ? rate * rate * B * std::sin(theta) * std::sin(theta)
                                     : g * l - rate * rate * B) /
                          hinge_inertia;
    ASSERT_EQ(found.vibrations.modes.size(), 1u);
    EXPECT_NEAR(found.vibrations.modes[0].eigenvalue.imag(), std::sqrt(square), 1e-7) << rate;
    EXPECT_NEAR(found.at.motion.spin.z, rate, 1e-12);
    // At rest it hangs straight down and bears its weight alone.
    const auto still = analyse(pendulum_on_shaft(rate), EquilibriumKind::rest).at.measured.back();
    EXPECT_NEAR(still[2], -l, 1e-12);
    EXPECT_NEAR(std::hypot(still[4], still[5]), 0, 1e-12);
  }
}

// Watt's governor, arms of length l on the spindle's axis, links of the same length to a sleeve:
// cos θ = (m + M) g l/(Ω² B).
TEST(SteadyRotation, WattGovernor) {
  const double l = 0.3, ball = 1.5, sleeve = 4, start = 0.5, rate = 12;
  Model model = empty_model();
  const Vec3d right{l * std::sin(start), 0, -l * std::cos(start)}, left{-right.x, 0, right.z},
      low{0, 0, 2 * right.z};
  const auto arm = [&](const std::string& name, const Vec3d& place, double angle) {
    Body body = make_body(name, ball, place, {0.004, 0.004, 0.001});
    body.orientation.form = Orientation::Form::rotation_vector;
    body.orientation.numbers = {0, angle, 0};
    return body;
  };
  model.bodies = {make_body("spindle", 1, {}, {0.1, 0.1, 0.1}), arm("right", right, -start),
                  arm("left", left, start), make_body("sleeve", sleeve, low, {0.01, 0.01, 0.01})};
  auto guide = between<PrismaticJoint>("spindle", "sleeve", low);
  guide.axis = Vec3d{0, 0, 1};
  model.joints = {{"bearing", hinge("ground", "spindle", {}, {0, 0, 1})},
                  {"hinge_right", hinge("spindle", "right", {}, {0, 1, 0})},
                  {"hinge_left", hinge("spindle", "left", {}, {0, 1, 0})},
                  {"guide", guide}};
  std::get<RevoluteJoint>(model.joints[0].kind).motion.drive[5] = "motor";
  for (const auto& [name, place] : {std::pair{"right", right}, {"left", left}}) {
    DistanceJoint link;
    link.between = {MarkerRef{name}, MarkerRef{"sleeve"}};
    link.points = std::array<Vec3d, 2>{place, low};
    model.joints.push_back({std::string("link_") + name, link});
  }
  model.drives = {turning("motor", rate)};
  watch(model, "sleeve", {Q::position});
  const Found found = analyse(model);
  const double B = ball * l * l + 0.004 - 0.001;
  const double cosine = (ball + sleeve) * g * l / (rate * rate * B);
  ASSERT_LT(cosine, 1);
  EXPECT_NEAR(found.at.measured.back()[2], -2 * l * cosine, 1e-9);
}

// A clamped blade at Ω √(ρA L⁴/EI) = 2 flaps with 4.1373 √(EI/ρA)/L² (Wright, Smith, Thresher &
// Wang, J. Appl. Mech. 49 (1982) 197-202); in the plane of rotation ω² is less by Ω², because the
// centrifugal force does not turn with the deflection.
TEST(SteadyRotation, BladeIsStiffenedByItsRotation) {
  const double unit = std::sqrt(2.1e11 * 1e-4 / 12 / 7850), rate = 2 * unit;
  const auto flap_and_lag = [&](int elements) {
    Model model = empty_model({});
    model.bodies = {make_body("hub", 1, {}, {0.1, 0.1, 0.1})};
    Beam blade = beam("blade", {}, {1, 0, 0}, elements);
    blade.section.rectangle = RectangleSection{0.01, 0.01};
    blade.youngs_modulus = 2.1e11;
    blade.density = 7850;
    model.beams = {blade};
    model.joints = {{"bearing", hinge("ground", "hub", {}, {0, 0, 1})}};
    std::get<RevoluteJoint>(model.joints[0].kind).motion.drive[5] = "motor";
    connect(model, "root", "hub", "blade.start", FixedJoint{});
    model.drives = {turning("motor", rate)};
    const Found found = analyse(model);
    EXPECT_FALSE(is_rest(found.at.motion));
    const double lag = found.vibrations.modes[0].eigenvalue.imag();
    const double flap = found.vibrations.modes[1].eigenvalue.imag();
    EXPECT_NEAR(flap * flap - lag * lag, rate * rate, 1e-3 * rate * rate);
    return flap / unit;
  };
  const double coarse = flap_and_lag(4), fine = flap_and_lag(8);
  EXPECT_NEAR(fine + (fine - coarse) / 3, 4.1373, 5e-3);
}

TEST(SteadyRotation, ACrankHasNoneAndRestsWithoutInertiaForces) {
  Model model = pendulum_on_shaft(50);
  // About a level axis gravity does not turn with the machine.
  model.bodies[1].position = {0.3, 0, -0.4};
  model.joints[0] = {"bearing", hinge("ground", "shaft", {}, {1, 0, 0})};
  std::get<RevoluteJoint>(model.joints[0].kind).motion.drive[5] = "motor";
  const Found found = analyse(model);
  EXPECT_TRUE(is_rest(found.at.motion));
  EXPECT_TRUE(mentions(found.at.notes, "drives held at their values at t = 0"));
  EXPECT_NEAR(found.at.measured.back()[6], g, 1e-9);
  EXPECT_THROW(analyse(model, EquilibriumKind::steady), SimulationError);
}

}  // namespace
}  // namespace tumble::validation
