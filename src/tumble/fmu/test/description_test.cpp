// What an FMU says of itself.
#include <gtest/gtest.h>

#include "tumble/fmu/model_description.hpp"
#include "tumble/fmu/unit_exponents.hpp"
#include "tumble/io/machine_reader.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble {
namespace {

TEST(UnitExponents, OfEveryUnitOfAModel) {
  EXPECT_EQ(unit_exponents("N m s/rad"), (UnitExponents{1, 2, -1, -1}));
  EXPECT_EQ(unit_exponents("kg m^2/s"), (UnitExponents{1, 2, -1, 0}));
  EXPECT_EQ(unit_exponents("N m/(rad/s)^3"), (UnitExponents{1, 2, 1, -3}));
  EXPECT_EQ(unit_exponents("N/(m)^2"), (UnitExponents{1, -1, -2, 0}));
  EXPECT_EQ(unit_exponents("1/m"), (UnitExponents{0, -1, 0, 0}));
  EXPECT_EQ(unit_exponents("Pa"), (UnitExponents{1, -1, -2, 0}));
  EXPECT_EQ(unit_exponents("W"), (UnitExponents{1, 2, -3, 0}));
  EXPECT_EQ(unit_exponents(""), UnitExponents{});
  for (const char* none : {"N, N m", "furlong", "(m", "m)", "m^", "m^x"})
    EXPECT_FALSE(unit_exponents(none)) << none;
  for (const QuantityInfo& quantity : quantity_table())
    EXPECT_TRUE(unit_exponents(quantity.unit)) << quantity.name;
}

TEST(StructuredName, QuotesWhatIsNoIdentifier) {
  EXPECT_EQ(structured_name("bodies.rb5.inertia[3]"), "bodies.rb5.inertia[3]");
  EXPECT_EQ(structured_name("bodies.left-arm.position[0]"), "bodies.'left-arm'.position[0]");
  EXPECT_EQ(structured_name("left-arm"), "'left-arm'");
  EXPECT_EQ(structured_name("forces.s.points[0][2]"), "forces.s.points[0,2]");
}

TEST(ModelIdentifier, IsAnIdentifier) {
  EXPECT_EQ(model_identifier("cars/one-two.v3.yaml"), "one_two_v3");
  EXPECT_EQ(model_identifier("5-body.yaml"), "model_5_body");
  EXPECT_EQ(model_identifier("stdin"), "stdin");
}

const char* const machine = R"(
title: A <machine> & "its" parts
bodies:
  a: {mass: 1, position: [0, 0, 0], inertia: [1, 1, 1]}
  b: {mass: 1, position: [1, 0, 0], inertia: [1, 1, 1]}
joints:
  hinge: {type: revolute, between: [ground, a], point: [0, 0, 0], axis: [0, 0, 1], motion: {rz: turn}}
forces:
  bush: {type: bushing, between: [a, b], point: [1, 0, 0], stiffness: [1, 1, 1, 2, 2, 2]}
  spring: {type: spring, between: [ground, b], points: [[0, 0, 1], [1, 0, 0]], actuator: both}
  load: {type: applied, body: b, force: [1, 0, 0], drive: factor}
drives:
  turn: {type: input, frequency: 3}
  pull: {type: input, start: 2}
  factor: {type: input}
  two: {type: input}
  scaled: {type: product, of: [two, factor]}
  both: {type: sum, of: [pull, scaled]}
probes:
  p: {body: b, quantities: [position, orientation, kinetic_energy]}
simulation: {duration: 1, step: 0.01}
)";

TEST(FmuVariables, HaveTheUnitsOfWhatTheyDrive) {
  const ModelFile file = read_machine_text(machine, "machine.yaml");
  const auto list = fmu_variables(file.model);
  std::map<std::string, std::string> units;
  for (const FmuVariable& v : list) units[v.name] = v.unit;
  EXPECT_EQ(units.at("turn"), "rad");
  EXPECT_EQ(units.at("pull"), "N");
  EXPECT_EQ(units.at("factor"), "");  // of a force, and of a drive
  EXPECT_EQ(units.at("two"), "");
  EXPECT_EQ(units.at("forces.bush.stiffness[2]"), "N/m");
  EXPECT_EQ(units.at("forces.bush.stiffness[3]"), "N m/rad");
  EXPECT_FALSE(units.contains("drives.pull.start"));
  EXPECT_TRUE(units.contains("drives.turn.frequency"));
  EXPECT_EQ(list[0].name, "time");
  EXPECT_EQ(list[2].start, 2);
  // As many parameters as slots, less the starts of the four inputs; 3 + 4 + 1 outputs.
  EXPECT_EQ(list.size(), 1 + 4 + 8 + ParameterTable(file.model).slots().size() - 4);
}

TEST(ModelDescription, EscapesWhatUsersWrite) {
  const ModelFile file = read_machine_text(machine, "machine.yaml");
  const std::string xml = model_description(file, fmu_variables(file.model), "machine");
  EXPECT_NE(xml.find("description=\"A &lt;machine&gt; &amp; &quot;its&quot; parts\""),
            std::string::npos);
}

TEST(InstantiationToken, DependsOnTheModel) {
  const ModelFile one = read_machine_text(machine, "machine.yaml");
  std::string text = machine;
  text.replace(text.find("mass: 1"), 7, "mass: 3");
  const ModelFile other = read_machine_text(text, "machine.yaml");
  EXPECT_EQ(instantiation_token(one), instantiation_token(read_machine_text(machine, "x.yaml")));
  EXPECT_NE(instantiation_token(one), instantiation_token(other));
  EXPECT_EQ(instantiation_token(one),
            instantiation_token(read_machine_text(one.effective_yaml, "m.yaml")));
}

TEST(FmuVariables, AnInputIsNotCalledTime) {
  std::string text = machine;
  text.replace(text.find("  two: {"), 8, "  time: {");
  text.replace(text.find("[two,"), 5, "[time,");
  const ModelFile file = read_machine_text(text, "machine.yaml");
  try {
    fmu_variables(file.model);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(
        to_string(error.diagnostics().at(0)),
        "machine.yaml:16: drive 'time': an input of an FMU must have another name: time is the "
        "independent variable");
  }
}

TEST(RequireStep, AnAccuracyIsNone) {
  std::string text = machine;
  text.replace(text.find("step: 0.01"), 10, "accuracy: 1e-3");
  const ModelFile file = read_machine_text(text, "machine.yaml");
  EXPECT_THROW(require_step(file.model, "machine.yaml"), InputError);
}

TEST(MachineText, LeavesTheStudyOut) {
  const std::string study = std::string(machine) +
                            "uncertainty: {b: {mass: {cv: 0.1}}}\n"
                            "study: {method: monte-carlo, realizations: 3}\n";
  const std::string text = machine_text(read_model_text(study, "m.yaml").effective_yaml);
  EXPECT_EQ(text.find("uncertainty"), std::string::npos);
  EXPECT_EQ(text, read_model_text(machine, "m.yaml").effective_yaml);
}

}  // namespace
}  // namespace tumble
