// Orders of elimination that serve runs of other numbers than the ones they were found for: lanes
// cannot search new pivots on the way.
#include <gtest/gtest.h>

#include <cstdio>

#include "tumble/integrate/run.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

/// Five rods in a line on hinges whose axes alternate, let go from the horizontal.
Model chain() {
  Model model;
  model.gravity = {0, 0, -9.81};
  std::string before = "ground";
  for (int i = 0; i < 5; ++i) {
    Body rod;
    rod.name = "rod" + std::to_string(i);
    rod.mass = 1;
    rod.position = {i + 0.5, 0, 0};
    rod.inertia = {0.01, 1.0 / 12, 1.0 / 12, 0, 0, 0};
    RevoluteJoint hinge;
    hinge.between = {MarkerRef{before}, MarkerRef{rod.name}};
    hinge.point = Vec3d{static_cast<double>(i), 0, 0};
    hinge.axis = i % 2 == 0 ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    model.joints.push_back({"hinge" + std::to_string(i), hinge});
    model.bodies.push_back(rod);
    before = rod.name;
  }
  model.simulation.duration = 10;
  model.simulation.step = 1e-3;
  model.simulation.output_step = 10;
  return model;
}

/// How many of 32 chains, whose fourth rods weigh 0.5 to 1.74 kg, need new pivots on their way.
int chains_with_faded_pivots(const Plan& plan) {
  int faded = 0;
  for (int i = 0; i < 32; ++i) {
    Model model = plan.system->nominal;
    model.bodies[3].mass = 0.5 + 0.04 * i;
    faded += run(plan, model).statistics.pivot_searches > 0;
  }
  return faded;
}

// The motion is chaotic, so that these chains go ways that the rehearsed one never went; most of
// them still find its pivots good.
TEST(RehearsalSlow, MakesFadingPivotsRare) {
  const Plan plan = make_plan(compile(chain()));
  const int without = chains_with_faded_pivots(plan);
  const int with = chains_with_faded_pivots(rehearse(plan));
  std::printf("chains that met a fading pivot: %d of 32, rehearsed %d\n", without, with);
  EXPECT_GE(without, 4);
  EXPECT_LE(3 * with, without);
}

// A run that fails on its way is still a rehearsal as far as it came.
TEST(Rehearsal, EndsQuietlyWhereTheNominalRunDoes) {
  Model model = chain();
  model.simulation.max_iterations = 1;
  model.simulation.max_halvings = 0;
  const Plan plan = make_plan(compile(model));
  EXPECT_EQ(rehearse(plan).system, plan.system);
}

TEST(Rehearsal, DependsOnTheNominalModelAlone) {
  Model model = chain();
  model.simulation.output_step = 0.5;
  model.simulation.duration = 0.5;
  const Plan plan = make_plan(compile(model));
  EXPECT_EQ(*rehearse(plan).elimination, *rehearse(plan).elimination);
}

}  // namespace
}  // namespace tumble
