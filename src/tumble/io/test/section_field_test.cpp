// Random fields of a section's dimensions, from the text of a model file to forces and inertia.
#include <gtest/gtest.h>

#include <cmath>

#include "tumble/integrate/run.hpp"
#include "tumble/integrate/statics/equilibrium.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/model/compile/beam_shape.hpp"

namespace tumble {
namespace {

/// A cantilever that a force bends.
struct Cantilever {
  std::string curve = "line: [[0, 0, 0], [1, 0, 0]]";
  std::string dimension = "spatial";
  std::string formulation = "structural";
  std::string section = "rectangle: {height: 0.03, width: 0.02}";
  int elements = 4;
  std::string uncertainty = {};

  std::string text() const {
    return R"(
gravity: [0, -9.81, 0]
beams:
  arm:
    dimension: )" +
           dimension + "\n    " + curve + "\n    elements: " + std::to_string(elements) +
           "\n    section: {" + section + R"(}
    youngs_modulus: 2.0e8
    poisson_ratio: 0.3
    density: 2000
    formulation: )" +
           formulation + R"(
joints:
  clamp: {type: fixed, between: [ground, arm.start]}
forces:
  load: {type: point_load, beam: arm, at: 1, force: [0, -0.1, 0]}
probes:
  tip: {beam: arm, at: 1, quantities: [position]}
  middle: {beam: arm, at: 0.4, offset: [0.002, 0.001], quantities: [stress, section_moment]}
simulation: {duration: 0.02, step: 1e-3}
)" + (uncertainty.empty() ? "" : "uncertainty:\n" + uncertainty);
  }
  ModelFile read(const std::vector<std::string>& set = {}) const {
    return read_model_text(text(), "arm.yaml", set);
  }
};

std::string mistakes(const Cantilever& cantilever) {
  try {
    cantilever.read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

Trajectory motion(const Model& model) { return run(make_plan(compile(model)), model); }

/// One term with a mode of 1 everywhere: a field whose values are all the same is a number.
TEST(SectionField, ThatIsTheSameEverywhereIsANumber) {
  Cantilever planar;
  planar.dimension = "planar";
  Cantilever curved;
  curved.curve = "arc: {start: [0, 0, 0], through: [0.5, 0.05, 0.1], end: [1, 0.2, 0.3]}";
  curved.formulation = "continuum";
  curved.section = "circle: {radius: 0.02}";
  Cantilever straight;
  straight.formulation = "continuum";
  const std::pair<Cantilever, std::string> cases[] = {
      {planar, "height"}, {straight, "width"}, {curved, "radius"}, {Cantilever{}, "width"}};
  for (auto [cantilever, property] : cases) {
    SCOPED_TRACE(cantilever.formulation + " " + cantilever.dimension + " " + property);
    const std::string slot = "beams.arm.section." +
                             std::string(property == "radius" ? "circle." : "rectangle.") +
                             property;
    const Trajectory expected = motion(cantilever.read({slot + "=0.025"}).model);
    const Trajectory other = motion(cantilever.read().model);
    cantilever.uncertainty =
        "  arm: {" + property + ": {length: 1.0e5, mean: 0.023, std: 0.001, terms: 1}}\n";
    Model model = cantilever.read().model;
    ASSERT_EQ(model.fields.size(), 1u);
    ASSERT_EQ(model.fields[0].germ.size(), 1u);
    // The sign of a mode is a convention.
    model.fields[0].germ[0] = 2;
    const RectangleSection none{};
    const BeamSection at = section_numbers_at(model, 0, 1, 0.3);
    const double found = property == "radius"   ? at.circle->radius
                         : property == "height" ? at.rectangle.value_or(none).height
                                                : at.rectangle.value_or(none).width;
    if (found < 0.023) model.fields[0].germ[0] = -2;
    const Trajectory got = motion(model);
    for (std::size_t s = 0; s < got.series.size(); ++s) {
      double largest = 0, difference = 0;
      const auto& a = got.series[s].values;
      const auto& b = expected.series[s].values;
      for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::fabs(b[i]));
        difference = std::max(difference, std::fabs(a[i] - b[i]));
      }
      EXPECT_LT(difference, 1e-7 * largest) << got.series[s].probe;
    }
    // It does matter.
    EXPECT_GT(std::fabs(other.series[0].values.back() - expected.series[0].values.back()) +
                  std::fabs(other.series[0].values.end()[-2] - expected.series[0].values.end()[-2]),
              1e-6);
  }
}

/// The mean of a field falls linearly, its deviation is next to nothing: a tapered cantilever under
/// a small force P at its end bends by P ∫ (L-x)²/EI + 1/kGA dx.
TEST(SectionField, TapersABeam) {
  constexpr double E = 2e8, G = E / 2.6, width = 0.02, P = 1e-5, k = 10 * 1.3 / (12 + 11 * 0.3);
  const auto height = [](double x) { return 0.03 * (1 - 0.5 * x); };
  double expected = 0;
  constexpr int pieces = 20000;  // midpoints: an error of 1e-9
  for (int i = 0; i < pieces; ++i) {
    const double x = (i + 0.5) / pieces, h = height(x);
    expected +=
        P * ((1 - x) * (1 - x) / (E * width * h * h * h / 12) + 1 / (k * G * width * h)) / pieces;
  }
  const auto tip = [&](int elements) {
    Cantilever cantilever;
    cantilever.elements = elements;
    cantilever.uncertainty =
        "  arm: {height: {length: 2, along: [0, 1], mean_along: [0.03, 0.015], "
        "std_along: [1.0e-12, 1.0e-12]}}\n";
    const Model model =
        cantilever.read({"gravity=[0, 0, 0]", "forces.load.force=[0, 1.0e-5, 0]"}).model;
    return find_equilibrium(make_plan(compile(model)), model).measured.back()[1];
  };
  const double a = tip(8), b = tip(16), c = tip(32), limit = c + (c - b) / 3;
  EXPECT_NEAR(std::log2((b - a) / (c - b)), 2, 0.1);
  EXPECT_NEAR(limit / expected, 1, 2e-5);
}

/// Mass is ∫ ρ A dx, in both formulations: height and width linear in x, Simpson's rule is exact.
TEST(SectionField, CarriesItsMass) {
  for (const char* formulation : {"structural", "continuum"}) {
    Cantilever cantilever;
    cantilever.formulation = formulation;
    cantilever.uncertainty =
        "  arm: {height: {length: 2, along: [0, 1], mean_along: [0.03, 0.015], "
        "std_along: [1.0e-13, 1.0e-13]},\n"
        "        width: {length: 2, along: [0, 1], mean_along: [0.01, 0.02], "
        "std_along: [1.0e-13, 1.0e-13]}}\n";
    // All of the beam moves along x: the momentum is the mass.
    const Model model = cantilever
                            .read({"beams.arm.velocity=[1, 0, 0]", "joints={}", "forces={}",
                                   "probes={arm: {beam: arm, quantities: [linear_momentum]}}"})
                            .model;
    const double area[3] = {0.03 * 0.01, 0.0225 * 0.015, 0.015 * 0.02};
    EXPECT_NEAR(motion(model).series[0].values[0], 2000 * (area[0] + 4 * area[1] + area[2]) / 6,
                1e-12);
  }
}

TEST(SectionField, ImpossibleValuesAreFoundAndAnnounced) {
  Cantilever cantilever;
  cantilever.uncertainty = "  arm: {height: {length: 2, cv: 0.3}}\n";
  const ModelFile file = cantilever.read();
  ASSERT_EQ(file.uncertainty->announcements.size(), 2u);
  EXPECT_NE(file.uncertainty->announcements[1].find("height of the section"), std::string::npos)
      << file.uncertainty->announcements[1];
  Model model = file.model;
  EXPECT_TRUE(check(model).empty());
  std::vector<Diagnostic> found;
  for (const double germ : {-5.0, 5.0}) {
    for (double& xi : model.fields[0].germ) xi = germ;
    for (Diagnostic& d : check(model)) found.push_back(std::move(d));
  }
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].field, "height");
  EXPECT_EQ(found[0].unit, "m");
}

/// A realisation whose section is thicker than the arc's radius folds the beam.
TEST(SectionField, ThickerThanItsArcIsFound) {
  Cantilever cantilever;
  cantilever.curve = "arc: {start: [0, 0, 0], through: [0.1, 0.1, 0], end: [0.2, 0, 0]}";
  cantilever.section = "circle: {radius: 0.05}";
  cantilever.uncertainty =
      "  arm: {radius: {length: 100, std: 0.01, distribution: lognormal, terms: 1}}\n";
  Model model = cantilever.read().model;
  EXPECT_TRUE(check(model).empty());
  std::size_t found = 0;
  for (const double germ : {-6.0, 6.0}) {
    model.fields[0].germ[0] = germ;
    for (const Diagnostic& d : check(model)) {
      EXPECT_EQ(d.field, "section");
      EXPECT_NE(d.expectation.find("radius of the arc"), std::string::npos) << d.expectation;
      ++found;
    }
  }
  EXPECT_EQ(found, 1u);
}

TEST(SectionField, NeedsASectionThatHasTheDimension) {
  const auto says = [](const std::string& uncertainty, const std::string& words) {
    Cantilever cantilever;
    cantilever.uncertainty = uncertainty;
    const std::string found = mistakes(cantilever);
    EXPECT_NE(found.find(words), std::string::npos) << found;
    EXPECT_NE(found.find("arm.yaml:"), std::string::npos) << found;
  };
  says("  arm: {radius: {length: 2, cv: 0.1}}\n",
       "the section of beam 'arm' is a rectangle and has no radius");
  says("  pipe: {property: radius, of: [arm], length: 2, cv: 0.1}\n", "has no radius");
  says(
      "  arm: {height: {length: 2, cv: 0.1}}\n"
      "  beams.arm.section.rectangle.height: {law: normal, mean: 0.03, std: 0.001}\n",
      "beams.arm.section.rectangle.height varies already");
  says(
      "  arm: {height: {length: 2, cv: 0.1}}\n"
      "  arm_height: {property: height, of: [arm], length: 2, cv: 0.1}\n",
      "varies already, with the field 'arm.height'");
  says("  arm: {}\n", "must have one of youngs_modulus, poisson_ratio, density, height");
}

}  // namespace
}  // namespace tumble
