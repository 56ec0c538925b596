// Random fields in results: their values follow from the germ as the engine has them.
#include "tumble/io/results/fields_part.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "tumble/io/model_reader.hpp"
#include "tumble/io/results/results_file.hpp"
#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/field/attach_fields.hpp"

namespace tumble {
namespace {

constexpr const char* text = R"(
beams:
  arm:
    line: [[0, 0, 0], [1, 0, 0]]
    elements: 3
    section: {rectangle: {height: 0.05, width: 0.01}}
    youngs_modulus: 2.0e7
    poisson_ratio: 0.3
    density: 7200
  leg:
    line: [[1, 0, 0], [1, 0.5, 0]]
    elements: 2
    section: {rectangle: {height: 0.05, width: 0.01}}
    youngs_modulus: 2.0e7
    poisson_ratio: 0.3
    density: 7200
simulation: {duration: 1, step: 0.1}
uncertainty:
  arm:
    youngs_modulus: {length: 2, cv: 0.1}
    poisson_ratio: {length: 2, std: 0.02}
    correlation: -0.5
    height: {length: 0.4, cv: 0.2, distribution: lognormal}
  steel: {property: density, of: [arm, leg], length: 1, std: 70}
)";

class FieldsInResults : public testing::Test {
 protected:
  FieldsInResults() : path_(testing::TempDir() + "tumble_fields_" + std::to_string(::getpid())) {
    Trajectory trajectory;
    trajectory.times = {0};
    ResultsMetadata metadata;
    metadata.fields = describe_fields(model_);
    write_results(path_, trajectory, metadata);
    file_.emplace(path_);
  }
  ~FieldsInResults() override { std::filesystem::remove(path_); }

  std::vector<double> numbers(const std::string& name) const {
    const auto* variable = file_->find(name);
    EXPECT_NE(variable, nullptr) << name;
    return variable == nullptr ? std::vector<double>{} : file_->numbers(*variable);
  }
  std::vector<std::string> words(const std::string& name) const {
    const auto* variable = file_->find(name);
    EXPECT_NE(variable, nullptr) << name;
    return variable == nullptr ? std::vector<std::string>{} : file_->text(*variable);
  }
  /// The value of a field at a place by what the file says alone.
  double value(const std::string& name, const std::map<std::string, double>& inputs,
               std::size_t place) const {
    const auto mean = numbers(name + "_mean"), modes = numbers(name + "_modes");
    const auto germ = words(name + "_germ");
    double sum = 0, squares = 0;
    for (std::size_t g = 0; g < germ.size(); ++g) {
      const double mode = modes[g * mean.size() + place];
      sum += inputs.at(germ[g]) * mode;
      squares += mode * mode;
    }
    const auto* variable = file_->find(name + "_modes");
    const int id = variable->id;
    return file_->text_attribute("distribution", id) == "gaussian"
               ? mean[place] + sum
               : std::exp(std::log(mean[place]) + sum - squares / 2);
  }

  Model model_ = read_model_text(text, "beams.yaml").model;
  std::string path_;
  std::optional<NetcdfReader> file_;
};

TEST_F(FieldsInResults, GiveTheValuesThatElementsHave) {
  std::map<std::string, double> inputs;
  double next = 0.3;
  for (BeamField& field : model_.fields)
    for (std::size_t i = 0; i < field.germ.size(); ++i) {
      field.germ[i] = next;
      inputs["fields." + field.name + ".germ[" + std::to_string(i) + "]"] = next;
      next = -0.9 * next + 0.1;
    }
  const auto check_field = [&](const std::string& name, const auto& engine) {
    const auto places = numbers(name + "_place");
    const auto beams = words(name + "_beam");
    ASSERT_EQ(places.size(), beams.size());
    ASSERT_GT(places.size(), 24u);
    for (std::size_t p = 0; p < places.size(); ++p) {
      const std::size_t beam = beams[p] == "arm" ? 0 : 1;
      const double length = beam == 0 ? 1.0 / 3 : 0.25;
      const int last = model_.beams[beam].elements - 1;
      const int element = std::min(static_cast<int>(places[p] / length + 1e-9), last);
      const double expected = engine(beam, element, places[p] / length - element);
      EXPECT_NEAR(value(name, inputs, p) / expected, 1, 1e-9) << name << " " << places[p];
    }
  };
  check_field("field_arm_youngs_modulus", [&](std::size_t b, int e, double x) {
    return material_at(model_, b, e, x).youngs_modulus;
  });
  check_field("field_arm_poisson_ratio", [&](std::size_t b, int e, double x) {
    return material_at(model_, b, e, x).poisson_ratio;
  });
  check_field("field_arm_height", [&](std::size_t b, int e, double x) {
    return section_numbers_at(model_, b, e, x).rectangle->height;
  });
  check_field("field_steel",
              [&](std::size_t b, int e, double x) { return material_at(model_, b, e, x).density; });
  // The Gauss points of the continuum formulation are among the places.
  const auto places = numbers("field_arm_youngs_modulus_place");
  for (const double place : field_places())
    EXPECT_TRUE(std::any_of(places.begin(), places.end(), [&](double s) {
      return std::fabs(s - (1 + place) / 3) < 1e-12;
    })) << place;
}

TEST_F(FieldsInResults, HaveMeanDeviationAndError) {
  const auto mean = numbers("field_arm_youngs_modulus_mean"),
             deviation = numbers("field_arm_youngs_modulus_std"),
             error = numbers("field_arm_youngs_modulus_variance_error"),
             modes = numbers("field_arm_youngs_modulus_modes");
  for (std::size_t p = 0; p < mean.size(); ++p) {
    EXPECT_DOUBLE_EQ(mean[p], 2e7);
    EXPECT_DOUBLE_EQ(deviation[p], 2e6);
    double squares = 0;
    for (std::size_t g = 0; g * mean.size() < modes.size(); ++g)
      squares += modes[g * mean.size() + p] * modes[g * mean.size() + p];
    EXPECT_NEAR(error[p], 1 - squares / 4e12, 1e-12);
    EXPECT_LT(error[p], 0.05);
  }
  // A correlated field is made of the numbers of the other, and of its own.
  const auto germ = words("field_arm_poisson_ratio_germ");
  ASSERT_EQ(germ.size(), 4u);
  EXPECT_EQ(germ[0], "fields.arm.youngs_modulus.germ[0]");
  EXPECT_EQ(germ[3], "fields.arm.poisson_ratio.germ[1]");
}

TEST(FieldNames, MustBeToldApartInResults) {
  const auto says = [](const std::string& more, const std::string& words) {
    try {
      read_model_text(text + more, "beams.yaml");
      ADD_FAILURE() << "not refused: " << more;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  says("  arm_height: {property: youngs_modulus, of: [leg], length: 1, cv: 0.1}\n",
       "cannot tell it from field 'arm.height'");
  says(
      "  position: {property: youngs_modulus, of: [leg], length: 1, cv: 0.1}\n"
      "probes: {field: {beam: leg, at: 1, quantities: [position]}}\n",
      "cannot tell it from position of probe 'field'");
}

}  // namespace
}  // namespace tumble
