// Events in lanes: the bits of the scalar engine, whether an event records, switches or ends.
#include <gtest/gtest.h>

#include <cmath>

#include "tumble/integrate/run.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/study/ensemble.hpp"
#include "tumble/study/lanes/lane_kernel.hpp"

namespace tumble {
namespace {

/// A mass on a spring that is thrown against a second one, which it may not reach.
Model thrown() {
  Model m;
  Body b;
  b.name = "b";
  b.mass = 1;
  b.rotates = false;
  b.velocity = {2, 0, 0};
  m.bodies = {b};
  ExpressionForce f;
  f.on_body = BodyRef{"b"};
  f.force = std::vector<Expression>{"-4*b.position.x - k*(b.position.x - 0.9)", "0", "0"};
  f.parameters.numbers = {{"k", 0}};
  m.forces = {{"it", f}};
  Probe probe;
  probe.name = "b";
  probe.body = BodyRef{"b"};
  probe.quantities = {Quantity::position, Quantity::velocity};
  m.probes = {probe};
  m.events.resize(3);
  m.events[0].name = "meets";
  m.events[0].when = Expression("b.position.x");
  m.events[0].level = 0.9;
  m.events[0].direction = EventDirection::rising;
  m.events[0].action = EventAction::change;
  m.events[0].change = "forces.it.parameters.k";
  m.events[0].to = 50;
  m.events[1].name = "half";
  m.events[1].when = Expression("b.position.x");
  m.events[1].level = 0.45;
  m.events[2].name = "out";
  m.events[2].when = Expression("b.position.x");
  m.events[2].level = 1.1;
  m.events[2].action = EventAction::end;
  m.simulation.duration = 3;
  m.simulation.step = 0.01;
  m.simulation.output_step = 0.1;
  return m;
}

std::vector<QuantityOfInterest> quantities() {
  std::vector<QuantityOfInterest> all;
  for (std::size_t e = 0; e < 3; ++e)
    for (const QuantityKind kind :
         {QuantityKind::first_event, QuantityKind::last_event, QuantityKind::event_count}) {
      QuantityOfInterest q;
      q.name = std::to_string(all.size());
      q.kind = kind;
      q.event = e;
      all.push_back(q);
    }
  return all;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

TEST(EventLanes, HaveTheBitsOfTheScalarEngineAtEveryWidth) {
  const Model model = thrown();
  const Plan plan = make_plan(compile(model));
  const Plan rehearsed = rehearse(plan);
  EnsembleInputs inputs;
  inputs.slots = {plan.system->parameters.find("bodies.b.velocity[0]"),
                  plan.system->parameters.find("events.half.level")};
  ASSERT_GE(inputs.slots[1], 0);
  inputs.fill = [](std::uint64_t r, double* values) {
    values[0] = 1.5 + 0.1 * static_cast<double>(r), values[1] = 0.3 + 0.01 * static_cast<double>(r);
  };
  const auto wanted = quantities();
  constexpr std::size_t count = 16;
  int kernels = 0, switched = 0, ended = 0;
  for (const LaneKernel& kernel : available_lane_kernels()) {
    SCOPED_TRACE(kernel.width);
    ++kernels;
    EnsembleOptions options;
    options.width = kernel.width;
    options.quantities = wanted;
    options.keep_values = [](std::uint64_t) { return true; };
    std::vector<LeafRecord> leaves;
    run_ensemble(plan, inputs, leaf_source(count), options,
                 [&](LeafResult&& leaf) { leaves.push_back(std::move(leaf.record)); });
    ASSERT_EQ(leaves.size(), 1u);
    Realization realization(plan.system->nominal);
    for (std::size_t r = 0; r < count; ++r) {
      ASSERT_EQ(leaves[0].outcomes[r].status, RealizationStatus::ok)
          << leaves[0].outcomes[r].reason;
      for (std::size_t i = 0; i < 2; ++i)
        realization.set(inputs.slots[i], leaves[0].inputs[2 * r + i]);
      const Trajectory alone = run(rehearsed, realization.model());
      switched += alone.event_tallies[0].count > 0;
      ended += alone.ended.has_value();
      EXPECT_EQ(leaves[0].values->valid_times(r), alone.times.size());
      const double* row = leaves[0].values->row(r);
      for (std::size_t t = 0; t < alone.times.size(); ++t)
        for (const ProbeSeries& series : alone.series)
          for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(*row++, series.values[3 * t + k]) << r;
      const auto expected = quantities_of(alone, wanted, {});
      for (std::size_t q = 0; q < wanted.size(); ++q)
        EXPECT_TRUE(same(leaves[0].quantities[r * wanted.size() + q].value, expected[q].value))
            << r << " " << q;
    }
  }
  // Some met the spring, some did not, some went out.
  EXPECT_GT(switched, 3 * kernels);
  EXPECT_LT(switched, 15 * kernels);
  EXPECT_GT(ended, 0);
  EXPECT_LT(ended, 15 * kernels);
}

}  // namespace
}  // namespace tumble
