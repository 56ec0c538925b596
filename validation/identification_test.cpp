// The dispersion of the mass of Rb5 from measured accelerations, against an independent solution by
// quadrature (validation/data/identification/README.md); exponents of the inertia's law, which few
// machines do not tell.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "source_directory.hpp"
#include "tumble/campaign/identification_run.hpp"
#include "tumble/inputs/random_inputs.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/io/results/identification_results.hpp"

namespace tumble {
namespace {

namespace fs = std::filesystem;

const fs::path source = source_directory;

class IdentificationCase : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("tumble-identification-{}", ::getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  IdentificationOutcome identify(const fs::path& model, const fs::path& data,
                                 const std::vector<std::string>& settings,
                                 IdentificationMethod method = {}) {
    IdentificationOptions options;
    options.model = model.string();
    options.data = data;
    options.overrides = settings;
    options.directory = folder_ / "out";
    options.if_results_exist = IfResultsExist::overwrite;
    options.method = method;
    Observer nobody;
    return run_identification(options, nobody);
  }

  fs::path folder_;
  const fs::path five_body_ = source / "examples/identification/five-body.yaml";
  const fs::path accelerations_ = source / "examples/identification/five-body.csv";
  const std::string quick_ = "identification.intervals={points: 5, bootstrap: 0}";
};

using IdentificationSlow = IdentificationCase;
using IdentificationLong = IdentificationCase;

TEST_F(IdentificationSlow, DispersionFromAccelerations) {
  const auto outcome = identify(five_body_, accelerations_, {quick_});
  const auto& p = outcome.results->parameters[0];
  EXPECT_NEAR(p.estimate, 0.32164, 0.005);
  EXPECT_NEAR(p.lower, 0.2340, 0.01);
  EXPECT_NEAR(p.upper, 0.4691, 0.01);
  // What errors are said to be, they are.
  EXPECT_NEAR(p.estimate, 0.32164, 4 * p.estimate_error);
  EXPECT_NEAR(p.lower, 0.2340, 4 * p.lower_error + 5e-5);
  EXPECT_NEAR(p.upper, 0.4691, 4 * p.upper_error + 5e-5);
  EXPECT_NEAR(outcome.results->log_likelihood, -225.6274,
              4 * outcome.results->log_likelihood_error);
}

TEST_F(IdentificationSlow, GaussianLikelihoodGivesItsOwnNumberAndSaysSo) {
  const auto outcome =
      identify(five_body_, accelerations_, {quick_, "identification.likelihood=gaussian"});
  const auto& p = outcome.results->parameters[0];
  EXPECT_NEAR(p.estimate, 0.3038, 0.005);
  EXPECT_NEAR(p.lower, 0.2543, 0.01);
  EXPECT_NEAR(p.upper, 0.3728, 0.01);
  EXPECT_THAT(outcome.warnings, testing::Contains(testing::HasSubstr("falsely narrow")));
}

TEST_F(IdentificationSlow, DispersionFromTheMassesThemselves) {
  // The masses behind the accelerations; log s + 1 - psi(s) = mean(m/m0) - mean(log m/m0).
  const std::vector<double> masses{2031.473222, 2320.10158,  1777.577249, 3082.732765, 3375.943624,
                                   5287.382189, 2468.501499, 1340.130137, 3188.001345, 3727.084173,
                                   2391.695859, 3481.687918, 4227.646043, 2426.337856, 4202.773018,
                                   3026.169187, 4279.505335, 2253.932518, 2045.204916, 3868.13509};
  std::ofstream data(folder_ / "masses.csv");
  data << "mass\n";
  for (const double m : masses) data << format_number(m) << "\n";
  data.close();
  const auto outcome = identify(
      five_body_, folder_ / "masses.csv",
      {quick_, "identification.observations=[{parameter: bodies.rb5.mass, column: mass}]"});
  const auto& p = outcome.results->parameters[0];
  EXPECT_NEAR(p.estimate, 0.330092, 1e-4);
  EXPECT_NEAR(p.lower, 0.2502, 1e-4);
  EXPECT_NEAR(p.upper, 0.4623, 1e-4);
}

TEST_F(IdentificationLong, PosteriorWithAFlatPriorIsAsWideAsTheProfile) {
  const auto outcome = identify(five_body_, accelerations_,
                                {quick_, "identification.bayes={particles: 100, replicas: 4}"},
                                IdentificationMethod::bayes);
  const auto& p = outcome.results->parameters[0];
  const double width = p.upper - p.lower;
  EXPECT_NEAR(p.posterior_upper - p.posterior_lower, width, 0.15 * width);
  EXPECT_LT(p.r_hat, 1.05);
}

/// 20 draws of the inputs of case 2, as measurements without error.
TEST_F(IdentificationLong, TwentyInertiasDoNotIdentifyLambdaU) {
  const ModelFile file = read_model(source / "examples/batou-soize-2012/case2.yaml");
  const RandomInputs inputs(file.model, *file.uncertainty, {.seed = 1, .realizations = 20});
  std::ofstream data(folder_ / "inertias.csv");
  std::string observations;
  for (std::size_t i = 0; i < inputs.paths().size(); ++i) {
    data << (i > 0 ? "," : "") << inputs.paths()[i];
    observations += fmt::format("{}{{parameter: \"{}\"}}", i > 0 ? ", " : "", inputs.paths()[i]);
  }
  data << "\n";
  std::vector<double> row(inputs.paths().size());
  for (std::uint64_t r = 0; r < 20; ++r) {
    inputs.fill(r, row.data());
    for (std::size_t i = 0; i < row.size(); ++i)
      data << (i > 0 ? "," : "") << format_number(row[i]);
    data << "\n";
  }
  data.close();
  const auto outcome = identify(
      source / "examples/batou-soize-2012/case2.yaml", folder_ / "inertias.csv",
      {fmt::format(
          "identification={{parameters: {{uncertainty.rb5.inertia.lambda_l: {{min: -12, max: "
          "-1.5}}, uncertainty.rb5.inertia.lambda_u: {{min: -12, max: 0.9}}}}, "
          "observations: [{}], intervals: {{points: 5}}}}",
          observations)});
  EXPECT_THAT(outcome.verdicts[1], testing::HasSubstr("not identifiable"));
  // No unbiased estimator has smaller standard errors than 1.25 and 2.79.
  EXPECT_NEAR(outcome.results->parameters[0].standard_error, 1.25, 0.5);
  EXPECT_NEAR(outcome.results->parameters[1].standard_error, 2.79, 1.0);
}

}  // namespace
}  // namespace tumble
