// Which run of a study of variability response is which wave, and which is a random field.
#include "tumble/inputs/variability_inputs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tumble {
namespace {

namespace germ = flexibility_germ;

VariabilityRequest five_waves() {
  VariabilityRequest request;
  request.beam = "arm";
  request.std = 0.2;
  request.waves.count = 5;
  request.waves.to = 8;
  request.phases = 4;
  request.spectrum.kernel = FieldKernel::squared_exponential;
  request.spectrum.length = 1;
  request.check = 128;
  return request;
}

Model arm() {
  Beam beam;
  beam.name = "arm";
  beam.elements = 8;
  beam.section.rectangle = RectangleSection{0.03, 0.02};
  beam.youngs_modulus = 5e8;
  beam.poisson_ratio = 0.3;
  beam.density = 2000;
  beam.line = std::array<Vec3d, 2>{Vec3d{0, 0, 0}, Vec3d{1, 0, 0}};
  Model model;
  model.beams = {beam};
  model.simulation.duration = 1;
  model.simulation.step = 0.1;
  attach_flexibility(model, five_waves());
  return model;
}

TEST(VariabilityInputs, AreWavesWithAllPhasesAndThenFieldsOfBothLaws) {
  const VariabilityInputs inputs(arm(), five_waves(), 1);
  ASSERT_EQ(inputs.waves(), 20U);
  ASSERT_EQ(inputs.realizations(), 20U + 2 * 128);
  const auto run = [&](std::uint64_t realization) {
    std::vector<double> values(inputs.slots().size(), 7.0);
    inputs.fill(realization, values.data());
    return values;
  };
  for (std::uint64_t i = 0; i < 20; ++i) {
    const std::vector<double> wave = run(i);
    EXPECT_DOUBLE_EQ(wave[germ::amplitude], 0.2 * std::numbers::sqrt2) << i;
    EXPECT_DOUBLE_EQ(wave[germ::wave_number], 2.0 * static_cast<double>(i / 4)) << i;
    EXPECT_DOUBLE_EQ(wave[germ::phase], std::numbers::pi / 2 * static_cast<double>(i % 4)) << i;
    EXPECT_EQ(wave[germ::law], 0) << i;
    for (std::size_t k = germ::first_normal; k < wave.size(); ++k) EXPECT_EQ(wave[k], 0) << i;
  }
  for (const std::uint64_t i : {0U, 127U}) {
    const std::vector<double> gaussian = run(20 + i), lognormal = run(20 + 128 + i);
    EXPECT_EQ(gaussian[germ::amplitude], 0);
    EXPECT_EQ(gaussian[germ::law], 1);
    EXPECT_EQ(lognormal[germ::law], 2);
    for (std::size_t k = germ::first_normal; k < gaussian.size(); ++k) {
      EXPECT_NE(gaussian[k], 0);
      EXPECT_EQ(gaussian[k], lognormal[k]);
    }
  }
}

}  // namespace
}  // namespace tumble
