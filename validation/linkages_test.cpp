// Planar linkages from textbooks, written down with hinges and sliders in space as one would: all
// of them have redundant conditions, some pass positions in which they could go on in two ways.
// Against closed forms.
#include <gmock/gmock.h>

#include <Eigen/Geometry>

#include "convergence.hpp"
#include "ode_reference.hpp"
#include "tumble/integrate/statics/equilibrium.hpp"
#include "tumble/integrate/watch/redundancy.hpp"
#include "tumble/model/compile.hpp"

namespace tumble::validation {
namespace {

using ::testing::HasSubstr;
constexpr double g = 9.81;
/// Every bar's inertia about its own axis, and more about the others [m²]: none is ever quite thin.
constexpr double thickness = 1e-3;

/// A linkage in a plane that lies askew in space: x to the right and z upwards in the plane.
class PlanarLinkage {
 public:
  explicit PlanarLinkage(Eigen::Quaterniond plane = Eigen::Quaterniond::Identity())
      : plane_(plane) {
    model.gravity = direction(0, -g);
    model.simulation.duration = 1;
    model.simulation.step = 1e-3;
  }
  Vec3d point(double x, double z) const { return direction(x, z); }
  Vec3d direction(double x, double z) const { return turned({x, 0, z}); }
  Vec3d normal() const { return turned({0, 1, 0}); }
  /// In-plane coordinates of a vector.
  Eigen::Vector3d seen(const double* v) const {
    return plane_.conjugate() * Eigen::Vector3d(v[0], v[1], v[2]);
  }

  /// A uniform bar of mass m.
  void bar(const std::string& name, Vec3d from, Vec3d to, double mass) {
    const Vec3d d = to - from;
    Body body;
    body.name = name;
    body.mass = mass;
    body.position = 0.5 * (from + to);
    const double square = dot(d, d) + 12 * thickness;
    body.inertia = {square - d.x * d.x, square - d.y * d.y, square - d.z * d.z,
                    -d.x * d.y,         -d.x * d.z,         -d.y * d.z};
    for (double& J : body.inertia) J *= mass / 12;
    model.bodies.push_back(body);
  }
  RevoluteJoint& hinge(const std::string& name, const char* first, const char* second, Vec3d at) {
    RevoluteJoint joint;
    joint.between = {MarkerRef{first}, MarkerRef{second}};
    joint.point = at;
    joint.axis = normal();
    model.joints.push_back({name, joint});
    return std::get<RevoluteJoint>(model.joints.back().kind);
  }
  PrismaticJoint& guide(const std::string& name, const char* first, const char* second, Vec3d at) {
    PrismaticJoint joint;
    joint.between = {MarkerRef{first}, MarkerRef{second}};
    joint.point = at;
    joint.axis = direction(1, 0);
    model.joints.push_back({name, joint});
    return std::get<PrismaticJoint>(model.joints.back().kind);
  }
  void watch_body(const std::string& name) {
    Probe probe;
    probe.name = name;
    probe.body = BodyRef{name};
    probe.quantities = {Quantity::position};
    model.probes.push_back(probe);
  }
  void watch_joint(const std::string& name, std::vector<Quantity> quantities) {
    Probe probe;
    probe.name = name;
    probe.joint = JointRef{name};
    probe.quantities = std::move(quantities);
    model.probes.push_back(probe);
  }
  std::pair<int, int> freedom_and_redundancy() const {
    const Plan plan = make_plan(compile(model));
    return {plan.degrees_of_freedom(), plan.redundancy ? plan.redundancy->count : 0};
  }

  Model model;

 private:
  Vec3d turned(const Eigen::Vector3d& v) const {
    const Eigen::Vector3d t = plane_ * v;
    return {t.x(), t.y(), t.z()};
  }
  Eigen::Quaterniond plane_;
};

Eigen::Quaterniond askew() {
  return Eigen::Quaterniond(Eigen::AngleAxisd(0.8, Eigen::Vector3d(0.4, 0.3, -1).normalized()));
}

/// Three parallel cranks of 1 m and 1 kg, `angle` from upright, under a coupler of 2 kg.
PlanarLinkage three_cranks(double angle, const Eigen::Quaterniond& plane) {
  PlanarLinkage linkage(plane);
  const double s = std::sin(angle), c = std::cos(angle);
  const std::array<double, 3> foot{0, 1, 2.5};
  const std::array<const char*, 3> crank{"left", "middle", "right"};
  for (std::size_t i = 0; i < 3; ++i)
    linkage.bar(crank[i], linkage.point(foot[i], 0), linkage.point(foot[i] + s, c), 1);
  linkage.bar("coupler", linkage.point(s, c), linkage.point(2.5 + s, c), 2);
  for (std::size_t i = 0; i < 3; ++i) {
    linkage.hinge(std::string(crank[i]) + "_foot", "ground", crank[i], linkage.point(foot[i], 0));
    linkage.hinge(std::string(crank[i]) + "_top", crank[i], "coupler",
                  linkage.point(foot[i] + s, c));
  }
  linkage.watch_body("coupler");
  return linkage;
}

/// Their angle from upright after some time: I θ̈ = W sin θ.
double fallen(double angle, double time) {
  const double inertia = 3 * (1.0 / 3 + thickness) + 2, weight = g * (3 * 0.5 + 2);
  return integrate(
      [&](double, const Vector<2>& y) {
        return Vector<2>{y[1], weight / inertia * std::sin(y[0])};
      },
      Vector<2>{angle, 0}, 0, time, 1e-4)[0];
}

// Two loops, three redundant conditions each, and one more: the third crank repeats in the plane
// what the other two hold.
TEST(Linkages, ThreeCranksFallAsOne) {
  for (const auto& plane : {Eigen::Quaterniond::Identity(), askew()}) {
    PlanarLinkage linkage = three_cranks(0.3, plane);
    EXPECT_EQ(linkage.freedom_and_redundancy(), std::pair(1, 7));
    const auto error = [&](double step, double time) {
      linkage.model.simulation.step = linkage.model.simulation.output_step = step;
      linkage.model.simulation.duration = time;
      const Trajectory run = simulate(linkage.model);
      const Eigen::Vector3d end = linkage.seen(at_end(run, "coupler", Quantity::position).data());
      const double angle = fallen(0.3, time);
      return (end - Eigen::Vector3d(1.25 + std::sin(angle), 0, std::cos(angle))).norm();
    };
    const double coarse = error(2e-3, 0.6), fine = error(1e-3, 0.6);
    EXPECT_LT(fine, 1e-5);
    EXPECT_LT(fine, coarse / 3.3);
    // Flat at about 0.66 s, and on to the other side: all bars in one line, and redundant besides.
    for (const double step : {5e-3, 1e-3, 2e-4})
      EXPECT_LT(error(step, 1.2), 300 * step * step) << step;
  }
}

TEST(Linkages, AFlatStartOfRedundantHingesSaysWhatToDo) {
  const auto message = [](const PlanarLinkage& linkage) -> std::string {
    try {
      make_plan(compile(linkage.model));
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  for (const auto& plane : {Eigen::Quaterniond::Identity(), askew()}) {
    const std::string flat = message(three_cranks(M_PI / 2, plane));
    EXPECT_THAT(flat, HasSubstr("starts in a singular position"));
    EXPECT_THAT(flat, HasSubstr("joint 'right_top' ("));
    EXPECT_THAT(flat, HasSubstr("turn it by a small angle"));
    EXPECT_EQ(message(three_cranks(M_PI / 2 - 0.01, plane)), "");
  }
}

/// Crank and rod of 1 m, the slider's guide through the crank's hinge; the crank starts at `angle`
/// from the guide. Where it stands across the guide the slider is at the crank's hinge, and crank
/// and rod could go on turning as one.
PlanarLinkage slider_crank(double angle, double rod, const char* drive) {
  PlanarLinkage linkage;
  const double c = std::cos(angle), s = std::sin(angle);
  const double x = c + std::sqrt(rod * rod - s * s);
  linkage.bar("crank", linkage.point(0, 0), linkage.point(c, s), 1);
  linkage.bar("rod", linkage.point(c, s), linkage.point(x, 0), 1);
  linkage.bar("slider", linkage.point(x - 0.1, 0), linkage.point(x + 0.1, 0), 3);
  linkage.hinge("main", "ground", "crank", linkage.point(0, 0)).motion.drive[5] = drive;
  linkage.hinge("crankpin", "crank", "rod", linkage.point(c, s));
  linkage.hinge("pin", "rod", "slider", linkage.point(x, 0));
  linkage.guide("guide", "ground", "slider", linkage.point(x, 0));
  linkage.watch_body("slider");
  linkage.watch_joint("main", {Quantity::angle, Quantity::torque});
  return linkage;
}

// x = r cos a + √(l² - r² sin² a), from the dead centre on. The hinge turns about +y, from x
// towards -z.
TEST(Linkages, ASliderCrankOfHingesStartsAtItsDeadCentre) {
  PlanarLinkage linkage = slider_crank(0, 2.5, "motor");
  linkage.model.drives = {{"motor", PolynomialDrive{{0, 4}, 0}}};
  EXPECT_EQ(linkage.freedom_and_redundancy(), std::pair(0, 3));
  linkage.model.simulation.duration = 2;
  linkage.model.simulation.output_step = 0.02;
  const Trajectory run = simulate(linkage.model);
  const Values& x = find(run, "slider", Quantity::position).values;
  for (std::size_t k = 0; k < run.times.size(); ++k) {
    const double a = 4 * run.times[k], s = std::sin(a);
    EXPECT_NEAR(x[3 * k], std::cos(a) + std::sqrt(6.25 - s * s), 1e-8);
  }
}

// With rod and crank of equal length x = 2 cos a: through the singular positions at a quarter and
// three quarters of a turn on the branch it came on, whichever the step.
TEST(Linkages, AnIsoscelesSliderCrankPassesItsSingularPositions) {
  PlanarLinkage linkage = slider_crank(0.5, 1, "motor");
  linkage.model.drives = {{"motor", PolynomialDrive{{0, -2}, 0}}};
  EXPECT_EQ(linkage.freedom_and_redundancy(), std::pair(0, 3));
  linkage.model.simulation.duration = 4;
  linkage.model.simulation.output_step = 0.02;
  for (const double step : {1e-2, 1e-3, 1e-4}) {
    linkage.model.simulation.step = step;
    const Trajectory run = simulate(linkage.model);
    const Values& x = find(run, "slider", Quantity::position).values;
    double largest = 0;
    for (std::size_t k = 0; k < run.times.size(); ++k)
      largest = std::max(largest, std::fabs(x[3 * k] - 2 * std::cos(0.5 + 2 * run.times[k])));
    EXPECT_LT(largest, 1e-6) << step;
  }
}

// A break point of a drive exactly where the mechanism is singular: the run is restarted there.
// (The motor's own speed must not jump there: no impulse could tell slider and rod which way to go
// on.)
TEST(Linkages, ARestartInASingularPositionGoesOnTheWayItCame) {
  for (const bool redundant : {true, false})
    for (const double step : {1e-2, 1e-3, 1e-4}) {
      SCOPED_TRACE(testing::Message()
                   << (redundant ? "hinges in space" : "planar") << ", " << step);
      PlanarLinkage linkage = slider_crank(M_PI / 2 - 1, 1, "motor");
      if (!redundant) {
        GeneralJoint pin;
        const auto& old = std::get<RevoluteJoint>(linkage.model.joints[2].kind);
        pin.between = old.between;
        pin.point = old.point;
        pin.locked_motions.has = {true, false, true, false, false, false};
        linkage.model.joints[2].kind = pin;
      }
      PiecewiseLinearDrive idle;
      idle.times = {0.5, 10};
      idle.values = {0, 1};
      linkage.model.drives = {{"motor", PolynomialDrive{{0, -2}, 0}}, {"idle", idle}};
      linkage.model.simulation.duration = 1.5;
      linkage.model.simulation.step = step;
      linkage.model.simulation.output_step = 0.05;
      const Trajectory run = simulate(linkage.model);
      const Values& x = find(run, "slider", Quantity::position).values;
      for (std::size_t k = 0; k < run.times.size(); ++k) {
        const double t = run.times[k];
        EXPECT_NEAR(x[3 * k], 2 * std::cos(M_PI / 2 - 1 + 2 * t), 1e-6) << t;
      }
    }
}

/// A scissor lift: bars of 2 m and 10 kg, hinged at their middles, `angle` from the ground, under a
/// platform of 50 kg; one foot and one top slide.
PlanarLinkage scissor_lift(double angle) {
  PlanarLinkage linkage;
  const double x = 2 * std::cos(angle), z = 2 * std::sin(angle);
  linkage.bar("rising", linkage.point(0, 0), linkage.point(x, z), 10);
  linkage.bar("falling", linkage.point(0, z), linkage.point(x, 0), 10);
  linkage.bar("platform", linkage.point(0, z), linkage.point(2, z), 50);
  linkage.bar("foot", linkage.point(x - 0.1, 0), linkage.point(x + 0.1, 0), 1);
  linkage.bar("shoe", linkage.point(x - 0.1, z), linkage.point(x + 0.1, z), 1);
  linkage.hinge("corner", "ground", "rising", linkage.point(0, 0));
  linkage.hinge("centre", "rising", "falling", linkage.point(x / 2, z / 2));
  linkage.hinge("top", "falling", "platform", linkage.point(0, z));
  linkage.hinge("heel", "falling", "foot", linkage.point(x, 0));
  linkage.hinge("toe", "rising", "shoe", linkage.point(x, z));
  linkage.guide("floor", "ground", "foot", linkage.point(x, 0));
  linkage.guide("rail", "platform", "shoe", linkage.point(x, z));
  linkage.watch_body("platform");
  linkage.watch_joint("floor", {Quantity::force});
  return linkage;
}

// Virtual work: with the heights z = 2 sin φ of platform and shoe, half of it of the bars, and
// x = 2 cos φ of the foot, the jack pushes inwards with
//   F = (m_platform + m_shoe + m_bar) g cot φ.
TEST(Linkages, AScissorLiftIsHeldByTheForceOfVirtualWork) {
  for (const double angle : {0.2, 0.7, 1.2}) {
    PlanarLinkage linkage = scissor_lift(angle);
    EXPECT_EQ(linkage.freedom_and_redundancy(), std::pair(1, 6));
    auto& jack = std::get<PrismaticJoint>(linkage.model.joints[5].kind);
    jack.motion.drive[2] = "jack";
    linkage.model.drives = {{"jack", ConstantDrive{0}}};
    linkage.model.simulation.duration = 0.01;
    const Trajectory run = simulate(linkage.model);
    const ProbeSeries& force = find(run, "floor", Quantity::force);
    EXPECT_EQ(force.undetermined, std::vector<int>{1});
    EXPECT_NEAR(force.values[0], -61 * g / std::tan(angle), 1e-5 * 61 * g / std::tan(angle));
  }
}

// x = 2 cos φ of the foot gives the height 2 sin φ of the platform, which stays level and does not
// move sideways.
TEST(Linkages, AScissorLiftRisesAsItsFootMovesIn) {
  PlanarLinkage linkage = scissor_lift(0.3);
  auto& jack = std::get<PrismaticJoint>(linkage.model.joints[5].kind);
  jack.motion.drive[2] = "jack";
  linkage.model.drives = {{"jack", PolynomialDrive{{0, -0.5}, 0}}};
  linkage.model.simulation.duration = 2;
  linkage.model.simulation.output_step = 0.1;
  const Trajectory run = simulate(linkage.model);
  const Values& place = find(run, "platform", Quantity::position).values;
  for (std::size_t k = 0; k < run.times.size(); ++k) {
    const double cosine = std::cos(0.3) - 0.25 * run.times[k];
    EXPECT_NEAR(place[3 * k + 2], 2 * std::sqrt(1 - cosine * cosine), 1e-6);
    EXPECT_NEAR(place[3 * k], 1, 1e-6);
  }
}

// Upright cranks under a coupler stand if a spring at one foot is stiff enough:
//   ω² = (k - W)/I,  W = g (m_cranks/2 + m_coupler),
// and hang, if they start hanging, with ω² = (k + W)/I.
TEST(Linkages, VibrationsOfRedundantHingesAreThoseOfTheirOneAngle) {
  const double inertia = 3 * (1.0 / 3 + thickness) + 2, weight = g * (3 * 0.5 + 2);
  for (const auto& plane : {Eigen::Quaterniond::Identity(), askew()})
    for (const double angle : {0.0, M_PI}) {
      PlanarLinkage linkage = three_cranks(angle, plane);
      TorsionSpring spring;
      spring.between = {MarkerRef{"ground"}, MarkerRef{"left"}};
      spring.axis = linkage.normal();
      spring.stiffness.slope = 100;
      spring.damping.slope = 0.6;
      linkage.model.forces = {{"spring", spring}};
      for (const char* foot : {"left_foot", "middle_foot", "right_foot"})
        linkage.watch_joint(foot, {Quantity::force});
      const Plan plan = make_plan(compile(linkage.model));
      const Equilibrium rest = find_equilibrium(plan, linkage.model, {});
      const Vibrations found = find_vibrations(plan, linkage.model, rest.state, 10, &rest.motion);
      ASSERT_EQ(found.modes.size(), 1u);
      const double square = (100 + (angle > 0 ? weight : -weight)) / inertia,
                   decay = 0.6 / (2 * inertia);
      EXPECT_NEAR(found.modes[0].eigenvalue.real(), -decay, 1e-9);
      EXPECT_NEAR(found.modes[0].eigenvalue.imag(), std::sqrt(square - decay * decay), 1e-8);
      // The feet carry all of the weight together, whichever way they share it.
      Eigen::Vector3d sum = Eigen::Vector3d::Zero();
      for (std::size_t i = 0; i < 3; ++i) sum += linkage.seen(&rest.measured.back()[3 + 3 * i]);
      EXPECT_NEAR((sum - Eigen::Vector3d(0, 0, 5 * g)).norm(), 0, 1e-8);
    }
}

}  // namespace
}  // namespace tumble::validation
