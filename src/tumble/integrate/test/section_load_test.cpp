// Moments and follower forces on sections of beams, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "tumble/integrate/statics/equilibrium.hpp"
#include "tumble/integrate/test/test_machines.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

using namespace testing;
constexpr double pi = 3.141592653589793;

/// A cantilever of 1 m along x with EI = 1 N m² in both planes and 1 kg/m, hard to stretch and to
/// shear, by its stiffnesses.
Model slender(BeamDimension dimension, int elements, double stiff) {
  Model m = timed(1, 1e-3);
  Beam beam;
  beam.name = "arm";
  beam.dimension = dimension;
  beam.line = std::array<Vec3d, 2>{Vec3d{0, 0, 0}, Vec3d{1, 0, 0}};
  beam.elements = elements;
  beam.curvature = BeamCurvature::linear;
  StiffnessSection section;
  section.axial = section.shear_y = stiff;
  section.bending_z = section.mass_per_length = 1;
  if (dimension == BeamDimension::spatial)
    section.shear_z = stiff, section.torsion = 1, section.bending_y = 1;
  beam.section.stiffness = section;
  m.beams = {beam};
  FixedJoint clamp;
  clamp.between = between("ground", "arm.start");
  m.joints = {{"clamp", clamp}};
  Probe tip;
  tip.name = "tip";
  tip.beam = BeamRef{"arm"};
  tip.at = ArcFraction{1};
  tip.quantities = {Quantity::position};
  m.probes = {tip};
  return m;
}

Vec3d tip_of(const Model& m, int load_steps) {
  const Equilibrium found = find_equilibrium(make_plan(compile(m)), m, {load_steps, 60});
  const double* x = found.measured.back().data();
  return {x[0], x[1], x[2]};
}

// Under an end moment M a bar of bending stiffness EI has the curvature M/EI everywhere: with
// M = π EI/L it is half a circle of diameter 2L/π, with 2 π EI/L a whole one. Sixteen elements are
// off by 3e-5, twenty of a whole circle by 2e-4 (the kernels alone, in a mesh of their own).
TEST(SectionLoad, AnEndMomentRollsABarToACircle) {
  const auto rolled = [](BeamDimension dimension, const Vec3d& moment, bool follower, int n) {
    Model m = slender(dimension, n, 1e6);
    m.forces = {{"end", SectionLoad{{"arm"}, 1, {}, moment, follower, {}}}};
    return tip_of(m, 20);
  };
  for (const bool follower : {false, true}) {
    const Vec3d half = rolled(BeamDimension::planar, {0, 0, pi}, follower, 16);
    EXPECT_NEAR(half.x, 0, 1e-4) << follower;
    EXPECT_NEAR(half.y, 2 / pi, 1e-4) << follower;
    const Vec3d closed = rolled(BeamDimension::planar, {0, 0, 2 * pi}, follower, 20);
    EXPECT_NEAR(closed.x, 0, 1e-3) << follower;
    EXPECT_NEAR(closed.y, 0, 1e-3) << follower;
    // In space about the other axis; z is up for a moment about -y.
    const Vec3d up = rolled(BeamDimension::spatial, {0, -pi, 0}, follower, 16);
    EXPECT_NEAR(up.x, 0, 1e-4) << follower;
    EXPECT_NEAR(up.y, 0, 1e-8) << follower;
    EXPECT_NEAR(up.z, 2 / pi, 1e-4) << follower;
  }
}

// A moment about the axis twists by M L/GJ and moves nothing else. Of an element twisted by φ the
// section's vectors, interpolated linearly, turn as atan(s tan φ/2), s = -1 ... 1, and three Gauss
// points of ½ GJ K₁² give M L/GJ = n (φ + φ⁵/60 + 23 φ⁷/3150 + O(φ⁹)) with n elements: a bar too
// stiff by a part of fourth order, 2.2e-5 rad here with four elements. O(φ⁹) is 6e-10 rad of it.
TEST(SectionLoad, AMomentAboutTheAxisTwists) {
  for (const bool follower : {false, true})
    for (const int n : {4, 8}) {
      Model m = slender(BeamDimension::spatial, n, 1e6);
      m.probes[0].offset = std::array<double, 2>{0.1, 0};
      m.forces = {{"end", SectionLoad{{"arm"}, 1, {}, {0.8, 0, 0}, follower, {}}}};
      const Vec3d tip = tip_of(m, 4);
      const double x = 0.8 / n, square = x * x;
      const double missing = 0.8 * square * square * (1.0 / 60 + 23.0 / 3150 * square);
      EXPECT_NEAR(std::atan2(tip.z, tip.y), 0.8 - missing, 1e-9) << follower << ", " << n;
      EXPECT_NEAR(tip.x, 1, 1e-9) << follower << ", " << n;
    }
}

/// The largest real part of the eigenvalues of a cantilever that a tangential force compresses.
double growth(double force, int elements) {
  Model m = slender(BeamDimension::planar, elements, 1e5);
  m.forces = {{"end", SectionLoad{{"arm"}, 1, {-force, 0, 0}, {}, true, {}}}};
  const Plan plan = make_plan(compile(m));
  const Equilibrium straight = find_equilibrium(plan, m);
  double largest = 0;
  for (const VibrationMode& mode : find_vibrations(plan, m, straight.state, 4).modes)
    largest = std::max(largest, mode.eigenvalue.real());
  return largest;
}

/// Where it begins to grow: bisection of what does not vibrate stably.
double flutter_load(int elements) {
  double stable = 15, growing = 25;
  EXPECT_LT(growth(stable, elements), 1e-6);
  EXPECT_GT(growth(growing, elements), 0.1);
  for (int i = 0; i < 20; ++i) {
    const double middle = 0.5 * (stable + growing);
    (growth(middle, elements) < 1e-4 ? stable : growing) = middle;
  }
  return stable;
}

// M. Beck, ZAMP 3 (1952), 225-228: a column under a force along its tip flutters from
// 20.051 EI/L² on, and never buckles. Twelve elements find 20.0523; axial flexibility and rotary
// inertia of this column change some 4e-5 of it.
TEST(SectionLoadSlow, BecksColumnFlutters) {
  EXPECT_NEAR(flutter_load(12), 20.051, 5e-3);
  // A dead force of that size would have buckled it long before: at π²/4. Under P = 2.6 the
  // elastica K(k) = √P, y = 2k/√P leans by 0.392278, whichever way; a small force across it says
  // which.
  const auto leaning = [](double force) {
    Model m = slender(BeamDimension::planar, 8, 1e5);
    m.forces = {{"end", PointLoad{{"arm"}, 1, {-force, 1e-6, 0}, {}}}};
    return tip_of(m, 4).y;
  };
  EXPECT_NEAR(leaning(2.4), 0, 1e-4);
  EXPECT_NEAR(leaning(2.6), 0.392278, 1e-4);
}

}  // namespace
}  // namespace tumble
