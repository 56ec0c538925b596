// Random fields of beams, from the text of a model file to the material at a Gauss point.
#include <gtest/gtest.h>

#include <cmath>

#include "tumble/io/model/study_sections.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble {
namespace {

/// Two beams that meet at x = 1, with a section `uncertainty`.
std::string model_text(const std::string& uncertainty) {
  return R"(
gravity: [0, -9.81, 0]
beams:
  arm:
    dimension: planar
    line: [[0, 0, 0], [1, 0, 0]]
    elements: 5
    section: {rectangle: {height: 0.05, width: 0.01}}
    youngs_modulus: 2.0e7
    poisson_ratio: 0.3
    density: 7200
  forearm:
    dimension: planar
    line: [[1, 0, 0], [1.4, 0, 0]]
    elements: 2
    section: {rectangle: {height: 0.05, width: 0.01}}
    youngs_modulus: 2.0e7
    poisson_ratio: 0.3
    density: 7200
joints:
  hinge: {type: spherical, between: [ground, arm.start]}
  elbow: {type: spherical, between: [arm.end, forearm.start]}
simulation: {duration: 1, step: 1e-3}
uncertainty:
)" + uncertainty;
}

Model read(const std::string& uncertainty) {
  return read_model_text(model_text(uncertainty), "beams.yaml").model;
}

std::string mistakes(const std::string& uncertainty) {
  try {
    read_model_text(model_text(uncertainty), "beams.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

/// Sum of the products of the deviations of two properties over unit germs: their covariance.
template <class A, class B>
double covariance(Model model, const BeamMaterial& mean, std::size_t beam, int element,
                  double place, A a, B b) {
  double sum = 0;
  for (BeamField& field : model.fields)
    for (double& xi : field.germ) {
      xi = 1;
      const BeamMaterial m = material_at(model, beam, element, place);
      sum += (m.*a - mean.*a) * (m.*b - mean.*b);
      xi = 0;
    }
  return sum;
}

constexpr auto E = &BeamMaterial::youngs_modulus;
constexpr auto nu = &BeamMaterial::poisson_ratio;

// Section 2 of VALUES.md, the paper's three beams: 2 terms for 1 m with a = 2 m, 2 terms for 0.4 m
// with a = 1 m, at a tolerance of 5 %.
TEST(RandomField, HasTheFewestTerms) {
  const Model model = read(
      "  arm: {youngs_modulus: {length: 2, cv: 0.1}}\n"
      "  forearm: {youngs_modulus: {length: 1, cv: 0.1}}\n");
  ASSERT_EQ(model.fields.size(), 2u);
  EXPECT_EQ(model.fields[0].germ.size(), 2u);
  EXPECT_EQ(model.fields[1].germ.size(), 2u);
  EXPECT_EQ(ParameterTable(model)
                .slots()[static_cast<std::size_t>(
                    ParameterTable(model).find("fields.arm.youngs_modulus.germ[1]"))]
                .path,
            "fields.arm.youngs_modulus.germ[1]");
}

// The variance left after truncation: at most 0.0032 short of the field's (VALUES.md, 101 nodes).
TEST(RandomField, GivesTheMaterialItsMeanAndVariance) {
  const Model model = read("  arm: {youngs_modulus: {length: 2, cv: 0.1}}\n");
  for (const int element : {0, 2, 4})
    for (const double place : {0.1, 0.5}) {
      const BeamMaterial mean = material_at(model, 0, element, place);
      EXPECT_DOUBLE_EQ(mean.youngs_modulus, 2e7);
      EXPECT_EQ(mean.density, 7200);
      const double variance = covariance(model, mean, 0, element, place, E, E) / (2e6 * 2e6);
      EXPECT_LE(variance, 1 + 1e-12);
      EXPECT_GE(variance, 1 - 0.0032);
    }
  EXPECT_EQ(material_at(model, 1, 0, 0.5).youngs_modulus, 2e7);  // the other beam
}

TEST(RandomField, LognormalValuesArePositive) {
  Model model = read("  arm: {density: {length: 1, cv: 0.5, distribution: lognormal}}\n");
  for (double& xi : model.fields.at(0).germ) xi = -6;
  for (int element = 0; element < 5; ++element)
    EXPECT_GT(material_at(model, 0, element, 0.5).density, 0);
  EXPECT_TRUE(check(model).empty());
}

// One field over two beams is continuous where they meet; fields of their own are not.
TEST(RandomField, MayBeSharedByBeams) {
  Model model =
      read("  steel: {property: youngs_modulus, of: [arm, forearm], length: 2, std: 2.0e6}\n");
  ASSERT_EQ(model.fields.size(), 1u);
  model.fields[0].germ[0] = 1.3;
  model.fields[0].germ[1] = -0.7;
  const double end = material_at(model, 0, 4, 1.0).youngs_modulus,
               start = material_at(model, 1, 0, 0.0).youngs_modulus;
  EXPECT_NEAR(end, start, 1e-6);
  EXPECT_GT(std::fabs(end - material_at(model, 0, 0, 0.0).youngs_modulus), 1e5);
}

// The mean of a field is the beam's own number: beams with different ones have no common field
// unless its mean is said.
TEST(RandomField, SharedByBeamsWithDifferentNumbersNeedsAMean) {
  std::string text = model_text(
      "  steel: {property: youngs_modulus, of: [arm, forearm], length: 2, std: 2.0e6}\n");
  const std::size_t second = text.rfind("youngs_modulus: 2.0e7");
  text.replace(second, 21, "youngs_modulus: 5.0e7");
  try {
    read_model_text(text, "beams.yaml");
    FAIL() << "one of the beams has got the other's modulus";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'arm' has 20000000 and 'forearm' 50000000"),
              std::string::npos)
        << error.what();
  }
  text.replace(text.find("length: 2, std"), 9, "length: 2, mean: 3.0e7");
  const Model model = read_model_text(text, "beams.yaml").model;
  for (const std::size_t beam : {std::size_t{0}, std::size_t{1}})
    EXPECT_DOUBLE_EQ(material_at(model, beam, 1, 0.5).youngs_modulus, 3e7);
}

TEST(RandomField, MeanAndDeviationMayFollowTheArcLength) {
  const Model model = read(
      "  arm: {youngs_modulus: {length: 2, along: [0, 1], mean_along: [2.0e7, 4.0e7], "
      "std_along: [1.0e6, 3.0e6]}}\n");
  const BeamMaterial mean = material_at(model, 0, 2, 0.5);
  EXPECT_NEAR(mean.youngs_modulus, 3e7, 1e-6);
  EXPECT_NEAR(covariance(model, mean, 0, 2, 0.5, E, E), 4e12, 0.0032 * 4e12);
}

TEST(RandomField, ModulusAndPoissonRatioMayBeCorrelated) {
  const Model model = read(
      "  arm: {youngs_modulus: {length: 2, cv: 0.1}, poisson_ratio: {length: 2, std: 0.03}, "
      "correlation: -0.6}\n");
  ASSERT_EQ(model.fields.size(), 2u);
  const BeamMaterial mean = material_at(model, 0, 1, 0.3);
  EXPECT_DOUBLE_EQ(mean.poisson_ratio, 0.3);
  const double vE = covariance(model, mean, 0, 1, 0.3, E, E),
               vn = covariance(model, mean, 0, 1, 0.3, nu, nu),
               c = covariance(model, mean, 0, 1, 0.3, E, nu);
  EXPECT_NEAR(vn, 0.0009, 0.0032 * 0.0009);
  EXPECT_NEAR(c / std::sqrt(vE * vn), -0.6, 1e-12);
}

// A negative modulus is found before a run, and its chance is announced.
TEST(RandomField, ImpossibleValuesAreFoundAndAnnounced) {
  const ModelFile file =
      read_model_text(model_text("  arm: {youngs_modulus: {length: 2, cv: 0.3}}\n"), "beams.yaml");
  Model model = file.model;
  EXPECT_TRUE(check(model).empty());
  for (double& xi : model.fields[0].germ) xi = -4;
  const auto found = check(model);
  for (double& xi : model.fields[0].germ) xi = 4;
  const auto other_way = check(model);
  ASSERT_EQ(found.size() + other_way.size(), 1u);  // the sign of a mode is a convention
  EXPECT_EQ((found.empty() ? other_way : found)[0].field, "youngs_modulus");
  ASSERT_EQ(file.uncertainty->announcements.size(), 2u);
  EXPECT_NE(file.uncertainty->announcements[0].find("2 terms"), std::string::npos);
  // P(Z < -1/0.3) = 4.29e-4 at a point where the variance is complete.
  EXPECT_NE(file.uncertainty->announcements[1].find("Young's modulus"), std::string::npos);
}

TEST(RandomField, MistakesAreTold) {
  const auto says = [](const std::string& uncertainty, const std::string& words) {
    const std::string found = mistakes(uncertainty);
    EXPECT_NE(found.find(words), std::string::npos) << found;
    EXPECT_NE(found.find("beams.yaml:"), std::string::npos) << found;
  };
  says("  arm: {youngs_modulus: {length: 2}}\n", "needs one of std, cv and std_along");
  says("  arm: {youngs_modulus: {length: 2, cv: 0.1, std: 1.0e6}}\n", "needs one of std, cv");
  says("  arm: {youngs_modulus: {length: -2, cv: 0.1}}\n", "must be > 0");
  says("  arm: {youngs_modulus: {length: 2, cv: 0.1, kernel: matern}}\n", "smoothness");
  says("  arm: {youngs_modulus: {length: 2, cv: 0.1, kernel: gauss}}\n", "squared_exponential");
  says("  arm: {youngs_modulus: {length: 2, cv: 0.1, terms: 200}}\n", "terms");
  says("  steel: {property: density, of: [leg], length: 2, cv: 0.1}\n", "no beam 'leg'");
  says("  steel: {property: density, of: [], length: 2, cv: 0.1}\n", "at least one beam");
  says(
      "  arm: {density: {length: 2, cv: 0.1}}\n"
      "  beams.arm.density: {law: normal, mean: 7200, std: 10}\n",
      "varies already");
  says(
      "  arm: {density: {length: 2, cv: 0.1}}\n"
      "  steel: {property: density, of: [arm, forearm], length: 2, cv: 0.1}\n",
      "varies already");
  says("  arm: {youngs_modulus: {length: 2, cv: 0.1}, correlation: 0.5}\n",
       "needs the fields youngs_modulus and poisson_ratio");
  says(
      "  arm: {youngs_modulus: {length: 2, cv: 0.1}, poisson_ratio: {length: 1, std: 0.01}, "
      "correlation: 0.5}\n",
      "same kernel");
}

// What pairs of runs on two meshes rest on: the same germs are the same material at the same place.
TEST(RandomField, IsTheSameOnEveryMesh) {
  const std::string fields =
      "  arm: {youngs_modulus: {kernel: exponential, length: 0.3, cv: 0.1, tolerance: 0.1}}\n"
      "  joint: {property: density, of: [arm, forearm], length: 0.4, cv: 0.2, series: "
      "karhunen_loeve}\n";
  const auto on_mesh = [&](int times) {
    return read_model_text(model_text(fields), "beams.yaml",
                           {"beams.arm.elements=" + std::to_string(5 * times),
                            "beams.forearm.elements=" + std::to_string(2 * times)})
        .model;
  };
  Model coarse = on_mesh(1);
  for (const int times : {2, 3, 7}) {
    Model fine = on_mesh(times);
    ASSERT_EQ(fine.fields.size(), coarse.fields.size());
    for (std::size_t f = 0; f < fine.fields.size(); ++f) {
      ASSERT_EQ(fine.fields[f].germ.size(), coarse.fields[f].germ.size());
      for (std::size_t i = 0; i < fine.fields[f].germ.size(); ++i)
        fine.fields[f].germ[i] = coarse.fields[f].germ[i] =
            std::sin(1.0 + 2.3 * static_cast<double>(i));
    }
    for (std::size_t beam = 0; beam < 2; ++beam)
      for (int element = 0; element < coarse.beams[beam].elements; ++element)
        for (const double place : {0.0, 1.0}) {
          // An end of a coarse element is one of a fine element too.
          const int there = element * times + (place == 1 ? times - 1 : 0);
          const BeamMaterial a = material_at(coarse, beam, element, place);
          const BeamMaterial b = material_at(fine, beam, there, place);
          EXPECT_NEAR(b.youngs_modulus, a.youngs_modulus, 1e-9 * a.youngs_modulus);
          EXPECT_NEAR(b.density, a.density, 1e-9 * a.density);
        }
  }
}

}  // namespace
}  // namespace tumble
