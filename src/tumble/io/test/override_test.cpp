#include "tumble/io/model/override.hpp"

#include <gtest/gtest.h>

#include "tumble/io/model_reader.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble {
namespace {

const char* text = R"(
constants: {k: 2}
bodies:
  a: {mass: k, position: [1, 2, 3], inertia: [4, 5, 6]}
  b: {mass: 1, position: [0, 0, 0], inertia: [[4, 0.1, 0.2], [0.1, 5, 0.3], [0.2, 0.3, 6]],
      orientation: {rotation_vector: [0, 0, 1]}}
  c: {mass: 1, position: [0, 0, 0], inertia: [1, 1, 1], orientation: {x: [1, 0, 0], y: [0, 1, 0]}}
forces:
  left:
    type: bushing
    between: [a, b]
    point: [0, 0, 0]
    stiffness: [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0],
                [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]]
  spring: {type: spring, between: [a, b], points: [[0, 0, 0], [0, 0, 1]],
           stiffness: {polynomial: [0, 1]}}
simulation: {duration: 1, step: 0.01}
)";

Model with(std::vector<std::string> overrides) {
  return read_model_text(text, "o.yaml", overrides).model;
}

double slot(const std::vector<std::string>& overrides, const std::string& path) {
  const Model model = with(overrides);
  const int i = ParameterTable(model).find(path);
  EXPECT_GE(i, 0) << path;
  return i < 0 ? 0 : Realization(model).get(i);
}

TEST(Override, ReachesFieldsItemsAndConstants) {
  EXPECT_EQ(with({"bodies.a.mass=7"}).bodies[0].mass, 7);
  EXPECT_EQ(with({"bodies.a.mass=3*k"}).bodies[0].mass, 6);
  EXPECT_EQ(with({"constants.k=9"}).bodies[0].mass, 9);
  EXPECT_EQ(with({"bodies.a.position[1]=-1e-5"}).bodies[0].position.y, -1e-5);
  EXPECT_EQ(with({"bodies.a.inertia=[1200, 5000, 6000]"}).bodies[0].inertia[1], 5000);
  EXPECT_EQ(with({"simulation.step=0.02", "simulation.step=0.05"}).simulation.step, 0.05);
  EXPECT_EQ(with({"title=A new name"}).title, "A new name");
  EXPECT_EQ(with({"gravity=[0, 0, -9.81]"}).gravity.z, -9.81);
  EXPECT_EQ(with({"simulation.output_step=0.1"}).simulation.output_step, 0.1);
  EXPECT_EQ(with({"title=a=b"}).title, "a=b");
}

// Every slot that `tumble parameters` lists can be set under its name, however the file wrote it.
TEST(Override, ReachesEveryParameterSlot) {
  const ParameterTable table(with({}));
  for (const auto& slot_of : table.slots()) {
    const bool small = slot_of.path.find("inertia") != std::string::npos;
    const bool diagonal =
        small && slot_of.path.back() == ']' && slot_of.path[slot_of.path.size() - 2] < '3';
    // Values that keep the model valid: inertia inside the triangle inequality.
    const std::string value = !small ? "1.75" : diagonal ? "1.9" : "0.01";
    if (diagonal && slot_of.path.find("bodies.c") == std::string::npos) continue;
    EXPECT_EQ(slot({slot_of.path + "=" + value}, slot_of.path), std::stod(value)) << slot_of.path;
  }
}

TEST(Override, InertiaSlotsOfOtherForms) {
  EXPECT_EQ(with({"bodies.a.inertia[3]=0.5"}).bodies[0].inertia,
            (std::array<double, 6>{4, 5, 6, 0.5, 0, 0}));
  EXPECT_EQ(with({"bodies.b.inertia[5]=0.7"}).bodies[1].inertia,
            (std::array<double, 6>{4, 5, 6, 0.1, 0.2, 0.7}));
}

std::string refusal(const std::vector<std::string>& overrides) {
  try {
    with(overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Override, Mistakes) {
  EXPECT_EQ(refusal({"bodies.a.mass"}), "override bodies.a.mass: must have the form PATH=VALUE");
  EXPECT_EQ(refusal({"=3"}), "override =3: expected a key at position 1 of the path");
  EXPECT_EQ(refusal({"[0]=3"}),
            "override [0]=3: expected a key or an index like [0] at position 1 of the path");
  EXPECT_EQ(
      refusal({"bodies.a.position[x]=3"}),
      "override bodies.a.position[x]=3: expected a key or an index like [0] at position 18 of "
      "the path");
  EXPECT_EQ(refusal({"forces.lift.damping=[0, 0, 0, 0, 0, 0]"}),
            "override forces.lift.damping=[0, 0, 0, 0, 0, 0]: nothing is named 'lift' in 'forces'; "
            "did you mean 'left'?");
  EXPECT_EQ(refusal({"simulaton.step=1"}),
            "override simulaton.step=1: unknown section 'simulaton'; there are title, constants, "
            "gravity, "
            "ground, bodies, beams, joints, couplers, forces, drives, states, events, probes, "
            "quantities, "
            "simulation, uncertainty, study and identification; did you mean 'simulation'?");
  EXPECT_EQ(refusal({"bodies.a.inertia[6]=1"}),
            "override bodies.a.inertia[6]=1: 'inertia' has no item [6]");
  EXPECT_EQ(refusal({"probes.p.body=a"}),
            "override probes.p.body=a: nothing is named 'p' in 'probes'");
  EXPECT_EQ(refusal({"beams.b.length=3"}),
            "override beams.b.length=3: nothing is named 'b' in 'beams'");
  // Two mistakes, both told; a mistake that an override causes elsewhere is told where it shows.
  EXPECT_EQ(refusal({"simulation.duration=0.005", "bodies.a.mas=1"}),
            "o.yaml:17: simulation: step = 0.01 s, must be <= the duration, 0.005 s\n"
            "override bodies.a.mas=1: body 'a': unknown key 'mas'; did you mean 'mass'?");
}

TEST(Override, FailedOverrideLeavesTheTreeAlone) {
  std::vector<Diagnostic> errors;
  Document document = parse_document("bodies: {a: {}}", "o.yaml", errors);
  const std::string before = emit_yaml(document.root);
  apply_override(document, "bodies.a.markers.m.position=[0, 0, 0]", errors);
  EXPECT_EQ(errors.size(), 1u);
  EXPECT_EQ(emit_yaml(document.root), before);
}

}  // namespace
}  // namespace tumble
