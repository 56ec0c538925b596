// Probes at all nodes of a beam by one entry.
#include "tumble/model/expand_probes.hpp"

#include <gtest/gtest.h>

#include "tumble/integrate/run.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

constexpr const char* text = R"(
beams:
  arm:
    line: [[1, 0, 0], [2, 0, 0]]
    elements: 4
    section: {rectangle: {height: 0.05, width: 0.01}}
    youngs_modulus: 2.0e7
    density: 7200
probes:
  tip: {beam: arm, at: 1, quantities: [velocity]}
  nodes: {beam: arm, at: nodes, offset: [0.01, 0], quantities: [position]}
simulation: {duration: 0.001, step: 0.001}
)";

TEST(ProbesAtNodes, AreOneForEachNode) {
  const Model model = read_model_text(text, "arm.yaml").model;
  ASSERT_EQ(model.probes.size(), 6u);
  EXPECT_EQ(model.probes[0].name, "tip");
  const Trajectory trajectory = run(make_plan(compile(model)), model);
  for (std::size_t node = 0; node < 5; ++node) {
    const ProbeSeries& series = trajectory.series[1 + node];
    EXPECT_EQ(series.probe, "nodes" + std::to_string(node));
    EXPECT_NEAR(series.values[0], 1 + 0.25 * static_cast<double>(node), 1e-14);
    EXPECT_NEAR(series.values[1], 0.01, 1e-14);
  }
  // Each is an element of its own, found where the entry was written.
  EXPECT_EQ(locate(model, "probes.nodes3.offset[0]").line, 11);
}

TEST(ProbesAtNodes, CannotBeCompiledAsOne) {
  Model model = read_model_text(text, "arm.yaml").model;
  model.probes[1].at->every_node = true;
  EXPECT_THROW(compile(model), std::invalid_argument);
  EXPECT_TRUE(expand_probes(model).empty());
  EXPECT_EQ(model.probes[1].name, "nodes00");
}

}  // namespace
}  // namespace tumble
