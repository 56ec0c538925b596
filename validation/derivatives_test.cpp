// Derivatives of runs against an outside reference: the slider-crank of the SUNDIALS suite (example
// idasSlCrank_FSA_dns), whose G = ∫ T dt over 10 s, T the kinetic energy, is differentiated by the
// stiffness and the damping of its spring. Values converged independently with its equations.
#include "tumble/integrate/derivatives.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "tumble/integrate/run.hpp"
#include "tumble/model/model.hpp"

namespace tumble {
namespace {

constexpr double crank_length = 0.5, rod_length = 1;

/// The crank turns about the origin; the rod's mass is in the slider on the x axis, and its far
/// end, a length beyond the slider, is pulled along x. All in the plane z = 0.
Model slider_crank(double step) {
  const double p = std::asin(-crank_length), x = std::cos(p);  // the crank upright
  Model m;
  Body crank;
  crank.name = "crank";
  crank.mass = 1;
  crank.inertia = {1, 1, 1, 0, 0, 0};
  Body rod = crank;
  rod.name = "rod";
  rod.position = {x, 0, 0};
  rod.inertia = {2, 2, 2, 0, 0, 0};
  m.bodies = {crank, rod};
  const auto hinge = [](const char* first, const char* second, const Vec3d& point) {
    RevoluteJoint joint;
    joint.between = {MarkerRef{first}, MarkerRef{second}};
    joint.point = point;
    joint.axis = Vec3d{0, 0, 1};
    return joint;
  };
  m.joints.push_back({"pivot", hinge("ground", "crank", {})});
  m.joints.push_back({"pin", hinge("crank", "rod", {0, crank_length, 0})});
  GeneralJoint guide;
  guide.between = {MarkerRef{"ground"}, MarkerRef{"rod"}};
  guide.point = rod.position;
  guide.locked_motions = MotionSet{{false, true, false, false, false, false}};
  m.joints.push_back({"guide", guide});
  Spring spring;
  spring.between = {MarkerRef{"crank"}, MarkerRef{"rod"}};
  spring.points = std::array<Vec3d, 2>{
      Vec3d{0, 0.5 * crank_length, 0},
      Vec3d{x - 0.5 * rod_length * std::cos(p), -0.5 * rod_length * std::sin(p), 0}};
  spring.length = 1;
  spring.stiffness.slope = spring.damping.slope = 1;
  m.forces.push_back({"spring", spring});
  AppliedForce pull;
  pull.body = BodyRef{"rod"};
  pull.point = Vec3d{x + rod_length * std::cos(p), rod_length * std::sin(p), 0};
  pull.force = {1, 0, 0};
  m.forces.push_back({"pull", pull});
  Probe all;
  all.name = "all";
  all.system = true;
  all.quantities = {Quantity::kinetic_energy};
  m.probes = {all};
  m.simulation.duration = 10;
  m.simulation.step = step;
  m.simulation.output_step = 0.01;
  m.simulation.spectral_radius = 0.9;
  m.simulation.newton_tolerance = 1e-12;
  return m;
}

/// By Simpson's rule.
double integral(const std::vector<double>& values, double interval) {
  double sum = values.front() + values.back();
  for (std::size_t i = 1; i + 1 < values.size(); ++i) sum += (i % 2 == 1 ? 4 : 2) * values[i];
  return sum * interval / 3;
}

TEST(Derivatives, SliderCrankOfSundials) {
  struct Found {
    double G, by_k, by_c;
  };
  const auto find = [](double step) -> Found {
    const Model model = slider_crank(step);
    const Plan plan = make_plan(model);
    const double interval = *model.simulation.output_step;
    const auto by = [&](const char* path) {
      return integral(differentiate(plan, model, path).series[0].values, interval);
    };
    return {integral(run(plan, model).series[0].values, interval), by("forces.spring.stiffness"),
            by("forces.spring.damping")};
  };
  const Found coarse = find(5e-3), fine = find(2.5e-3);
  std::printf("G %.8f, dG/dk %.8f, dG/dc %.8f\n", fine.G, fine.by_k, fine.by_c);
  EXPECT_NEAR(fine.G, 3.3366067994828, 2e-5);
  EXPECT_NEAR(fine.by_k, 0.33344810613, 2e-5);
  EXPECT_NEAR(fine.by_c, -0.36375403397, 2e-5);
  // Of second order: extrapolated to steps of zero.
  const auto limit = [](double a, double b) { return b + (b - a) / 3; };
  EXPECT_NEAR(limit(coarse.G, fine.G), 3.3366067994828, 1e-7);
  EXPECT_NEAR(limit(coarse.by_k, fine.by_k), 0.33344810613, 1e-7);
  EXPECT_NEAR(limit(coarse.by_c, fine.by_c), -0.36375403397, 1e-7);
}

}  // namespace
}  // namespace tumble
