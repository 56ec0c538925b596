// Good sections `uncertainty`; what is refused is in tests/faulty.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tumble/base/sha256.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/io/table/csv_column.hpp"

namespace tumble {
namespace {

const char* model_text = R"(
constants: {spread: 0.1}
bodies:
  rb5: {mass: 3000, position: [0.6, 0, 0.5], inertia: [1200, 5000, 6000],
        shape: {box: {size: [5, 2, 0.5]}}}
  b: {mass: 2, position: [1, 0, 0], inertia: [1, 1, 1]}
forces:
  left: {type: spring, between: [rb5, b], points: [[0, 0, 0], [1, 0, 0]], stiffness: 10, damping: 1}
  right: {type: spring, between: [rb5, b], points: [[0, 0, 0], [1, 0, 1]], stiffness: 10,
          damping: 1}
  mount: {type: bushing, between: [ground, b], point: [1, 0, 0], stiffness: [9, 9, 9, 1, 1, 1]}
simulation: {duration: 1, step: 0.01}
)";

ModelFile read_file(const std::string& section, const std::vector<std::string>& overrides = {},
                    const std::string& name = "test.yaml") {
  return read_model_text(model_text + section, name, overrides);
}

Uncertainty read(const std::string& section, const std::vector<std::string>& overrides = {}) {
  return *read_file(section, overrides).uncertainty;
}

/// The law of the mass of body b.
template <class Law>
Law law(const std::string& text) {
  const Uncertainty u = read("uncertainty: {bodies.b.mass: {law: " + text + "}}");
  EXPECT_EQ(u.scalars.size(), 1u);
  EXPECT_EQ(u.scalars.at(0).name, "bodies.b.mass");
  EXPECT_EQ(u.scalars.at(0).paths, std::vector<std::string>{"bodies.b.mass"});
  return std::get<Law>(u.scalars.at(0).law);
}

CentreUncertainty center(const std::string& text) {
  const Uncertainty u = read("uncertainty: {rb5: {center_of_mass: {" + text + "}}}");
  EXPECT_FALSE(u.bodies.at(0).mass);
  EXPECT_FALSE(u.bodies.at(0).inertia);
  return u.bodies.at(0).center_of_mass.value();
}

InertiaUncertainty inertia(const std::string& text) {
  return read("uncertainty: {rb5: {inertia: {" + text + "}}}").bodies.at(0).inertia.value();
}

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

TEST(Uncertainty, WithoutTheSectionNothingVaries) { EXPECT_TRUE(read("").empty()); }

TEST(Uncertainty, LawsByMeanAndSpread) {
  EXPECT_EQ(law<NormalLaw>("normal, mean: 2, std: 20*spread").std, 2);
  EXPECT_EQ(law<NormalLaw>("normal, mean: 2, cv: 0.1").cv, 0.1);
  EXPECT_FALSE(law<NormalLaw>("normal, mean: 2, cv: 0.1").std);
  const auto lognormal = law<LognormalLaw>("lognormal, mean: 2, cv: 0.1, min: 1");
  EXPECT_EQ(lognormal.mean, 2);
  EXPECT_EQ(lognormal.min, 1);
  EXPECT_EQ(law<UniformLaw>("uniform, mean: 2, std: 0.1").std, 0.1);
  const auto beta = law<BetaLaw>("beta, mean: 2, std: 0.5, min: 1, max: 3");
  EXPECT_EQ(beta.std, 0.5);
  EXPECT_EQ(beta.max, 3);
  EXPECT_EQ(law<GammaLaw>("gamma, mean: 2, cv: 0.5").cv, 0.5);
  EXPECT_EQ(law<WeibullLaw>("weibull, mean: 2, std: 0.1").mean, 2);
  EXPECT_EQ(law<GumbelLaw>("gumbel, mean: 2, std: 0.1").std, 0.1);
  EXPECT_EQ(law<ExponentialLaw>("exponential, mean: 2, min: 1").min, 1);
}

TEST(Uncertainty, LawsByTheirOwnParameters) {
  const auto lognormal = law<LognormalLaw>("lognormal, log_mean: 0, log_std: 0.1");
  EXPECT_EQ(lognormal.log_mean, 0);
  EXPECT_EQ(lognormal.log_std, 0.1);
  EXPECT_FALSE(lognormal.mean);
  const auto uniform = law<UniformLaw>("uniform, min: 1, max: 3");
  EXPECT_EQ(uniform.min, 1);
  EXPECT_EQ(uniform.max, 3);
  const auto triangular = law<TriangularLaw>("triangular, min: 1, mode: 1, max: 3");
  EXPECT_EQ(triangular.mode, 1);
  EXPECT_EQ(triangular.max, 3);
  const auto beta = law<BetaLaw>("beta, alpha: 2, beta: 3");
  EXPECT_EQ(beta.alpha, 2);
  EXPECT_EQ(beta.beta, 3);
  EXPECT_EQ(beta.max, 1);
  const auto gamma = law<GammaLaw>("gamma, shape: 4, scale: 0.5");
  EXPECT_EQ(gamma.shape, 4);
  EXPECT_EQ(gamma.scale, 0.5);
  const auto weibull = law<WeibullLaw>("weibull, shape: 2, scale: 1");
  EXPECT_EQ(weibull.shape, 2);
  EXPECT_EQ(weibull.scale, 1);
  const auto gumbel = law<GumbelLaw>("gumbel, location: 2, scale: 0.5");
  EXPECT_EQ(gumbel.location, 2);
  EXPECT_EQ(gumbel.scale, 0.5);
  EXPECT_EQ(law<ExponentialLaw>("exponential, rate: 0.5").rate, 0.5);
  const auto cut = law<TruncatedNormalLaw>("truncated_normal, mean: 2, std: 1, min: 0");
  EXPECT_EQ(cut.normal_std, 1);
  EXPECT_EQ(cut.min, 0);
  EXPECT_FALSE(cut.max);
  const auto empirical = law<EmpiricalLaw>("empirical, values: [3, 1, 2], interpolation: step");
  EXPECT_EQ(empirical.values, (Numbers{3, 1, 2}));
  EXPECT_EQ(empirical.interpolation, EmpiricalInterpolation::step);
  const auto discrete = law<DiscreteLaw>("discrete, values: [1, 2], weights: [0, 3]");
  EXPECT_EQ(discrete.values, (Numbers{1, 2}));
  EXPECT_EQ(discrete.weights, (Numbers{0, 3}));
}

// The unit of a bushing's stiffness has a comma, which marks fields that are matrices; a law's are
// not.
TEST(Uncertainty, LawOfAnEntryOfAMatrix) {
  const Uncertainty u =
      read("uncertainty: {\"forces.mount.stiffness[2]\": {law: discrete, values: [8, 9]}}");
  EXPECT_EQ(std::get<DiscreteLaw>(u.scalars.at(0).law).values, (Numbers{8, 9}));
}

TEST(Uncertainty, BodyAsInThePaper) {
  const Uncertainty u = read(R"(
uncertainty:
  rb5:
    mass: {cv: 0.5}
    center_of_mass: {box: {center: [0.55, 0, 0.5], size: [0.5, 0.2, 0.02]}, sampler: exact}
    inertia: {lambda_l: -5, lambda_u: -5, z_max: [9.61, 1.0, 0.0625]}
)");
  ASSERT_EQ(u.bodies.size(), 1u);
  const BodyUncertainty& body = u.bodies[0];
  EXPECT_EQ(body.body, "rb5");
  EXPECT_EQ(body.mass.value().cv, 0.5);
  const auto& box = std::get<BoxRegion>(body.center_of_mass.value().region);
  EXPECT_EQ(box.center.x, 0.55);
  EXPECT_EQ(box.size.z, 0.02);
  EXPECT_FALSE(box.orientation);
  const InertiaUncertainty& J = body.inertia.value();
  EXPECT_EQ(J.lambda_l, -5);
  EXPECT_EQ(J.lambda_u, -5);
  EXPECT_FALSE(J.delta);
  EXPECT_EQ(J.z_max.value().from, SecondMomentBound::From::numbers);
  EXPECT_EQ(J.z_max->numbers, (std::array<double, 6>{9.61, 1.0, 0.0625, 0, 0, 0}));
}

TEST(Uncertainty, Regions) {
  const auto box = std::get<BoxRegion>(
      center("box: {center: [0, 0, 0], size: [1, 2, 3], orientation: {rotation_vector: [0, 0, 1]}}")
          .region);
  EXPECT_EQ(box.orientation.value().form, Orientation::Form::rotation_vector);
  EXPECT_EQ(std::get<BallRegion>(center("ball: {center: [1, 0, 0], radius: 2}").region).radius, 2);
  const auto ellipsoid = std::get<EllipsoidRegion>(
      center("ellipsoid: {center: [1, 0, 0], semi_axes: [1, 2, 3]}").region);
  EXPECT_EQ(ellipsoid.semi_axes.y, 2);
  const auto cylinder = std::get<CylinderRegion>(
      center("cylinder: {center: [1, 0, 0], radius: 2, length: 3, axis: [0, 2, 0]}").region);
  EXPECT_EQ(cylinder.length, 3);
  EXPECT_EQ(cylinder.axis.y, 2);
  const auto hull = std::get<PolytopeRegion>(
      center("polytope: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}").region);
  ASSERT_EQ(hull.vertices.size(), 4u);
  EXPECT_EQ(hull.vertices[3].z, 1);
  const auto cut = std::get<PolytopeRegion>(
      center("polytope: {half_spaces: [[-1, 0, 0, 0], [0, -1, 0, 0], [0, 0, -1, 0], [1, 1, 1, 2]]}")
          .region);
  ASSERT_EQ(cut.half_spaces.size(), 4u);
  EXPECT_EQ(cut.half_spaces[3], (std::array<double, 4>{1, 1, 1, 2}));
}

TEST(Uncertainty, Samplers) {
  const std::string ball = "ball: {center: [0, 0, 0], radius: 1}";
  EXPECT_EQ(center(ball).sampler, SamplingMethod::exact);
  const auto chain = center(ball + ", sampler: metropolis, chain: {burn_in: 0, thinning: 7}");
  EXPECT_EQ(chain.sampler, SamplingMethod::metropolis);
  EXPECT_EQ(chain.chain.burn_in, 0);
  EXPECT_EQ(chain.chain.thinning, 7);
  EXPECT_EQ(inertia("delta: 0.4, sampler: metropolis").sampler, SamplingMethod::metropolis);
}

TEST(Uncertainty, InertiaForms) {
  const auto unbounded = inertia("delta: 0.4");
  EXPECT_EQ(unbounded.delta, 0.4);
  EXPECT_FALSE(unbounded.z_max);
  const auto target = inertia("delta: 0.4, lambda_u: -3, z_max: [9, 1, 1, 0.1, 0.2, 0.3]");
  EXPECT_EQ(target.lambda_u, -3);
  EXPECT_EQ(target.z_max.value().numbers, (std::array<double, 6>{9, 1, 1, 0.1, 0.2, 0.3}));
  const auto rows = inertia("delta: 0.4, z_max: [[9, 0.1, 0.2], [0.1, 1, 0.3], [0.2, 0.3, 1]]");
  EXPECT_EQ(rows.z_max.value().numbers, target.z_max->numbers);
  EXPECT_EQ(inertia("delta: 0.4, z_max: shape").z_max.value().from,
            SecondMomentBound::From::body_shape);
  const auto region =
      inertia("delta: 0.4, z_max: {cylinder: {center: [0, 0, 0], radius: 1, length: 4}}");
  EXPECT_EQ(region.z_max.value().from, SecondMomentBound::From::region);
  EXPECT_EQ(std::get<CylinderRegion>(region.z_max->region).length, 4);
}

TEST(Uncertainty, SharedVariablesAndCorrelation) {
  const Uncertainty u = read(R"(
uncertainty:
  friction: {law: lognormal, mean: 0.8, std: 0.1, of: [forces.left.damping, forces.right.damping]}
  gravity[2]: {law: normal, mean: -9.81, std: 0.01}
  bodies.b.mass: {law: normal, mean: 2, cv: 0.1}
  forces.left.stiffness: {law: normal, mean: 10, cv: 0.1}
  correlation:
    - {variables: [friction, "gravity[2]"], matrix: [[1, -0.5], [-0.5, 1]], of: normal_scores}
    - {variables: [bodies.b.mass, forces.left.stiffness], matrix: [[1, 0.2], [0.2, 1]]}
)");
  ASSERT_EQ(u.scalars.size(), 4u);
  EXPECT_EQ(u.scalars[0].name, "friction");
  EXPECT_EQ(u.scalars[0].paths, (Names{"forces.left.damping", "forces.right.damping"}));
  EXPECT_EQ(u.scalars[1].paths, Names{"gravity[2]"});
  ASSERT_EQ(u.correlations.size(), 2u);
  EXPECT_EQ(u.correlations[0].variables, (Names{"friction", "gravity[2]"}));
  EXPECT_EQ(u.correlations[0].matrix, (std::vector<Numbers>{{1, -0.5}, {-0.5, 1}}));
  EXPECT_EQ(u.correlations[0].of, CorrelationOf::normal_scores);
  EXPECT_EQ(u.correlations[1].of, CorrelationOf::variables);
}

/// What is said in place of a correlation of 1 or -1 is something that can be done.
TEST(Uncertainty, FullCorrelationHasAnotherName) {
  using testing::HasSubstr;
  const auto correlated = [](const std::string& variables, const std::string& one) {
    return "  correlation: {variables: [" + variables + "], matrix: [[1, " + one + "], [" + one +
           ", 1]]}\n";
  };
  const auto message = [](const std::string& section) -> std::string {
    try {
      read("uncertainty:\n" + section);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string numbers =
      "  forces.left.stiffness: {law: gamma, mean: 10, cv: 0.5}\n"
      "  friction: {law: gamma, mean: 1, cv: 0.5, of: [forces.left.damping, "
      "forces.right.damping]}\n";
  EXPECT_THAT(message(numbers + correlated("forces.left.stiffness, friction", "1")),
              HasSubstr("must lie strictly between -1 and 1; parameters that are to be equal "
                        "follow one variable with a name of its own, {law: ..., of: "
                        "[forces.left.stiffness, forces.left.damping, forces.right.damping]}, "
                        "which takes the place of both"));
  EXPECT_EQ(message("  common: {law: gamma, mean: 10, cv: 0.5, of: [forces.left.stiffness, "
                    "forces.left.damping, forces.right.damping]}\n"),
            "accepted");

  const std::string masses = "  rb5: {mass: {cv: 0.5}}\n  b: {mass: {cv: 0.3, variable: lot}}\n";
  EXPECT_THAT(message(masses + correlated("bodies.rb5.mass, lot", "1")),
              HasSubstr("have one variable, as mass: {cv: ..., variable: NAME} of the bodies rb5, "
                        "b, which takes the place of both"));
  EXPECT_EQ(message("  rb5: {mass: {cv: 0.5, variable: NAME}}\n"
                    "  b: {mass: {cv: 0.3, variable: NAME}}\n"),
            "accepted");

  const auto opposite = message(numbers + correlated("forces.left.stiffness, friction", "-1"));
  EXPECT_THAT(opposite, HasSubstr("-0.999 with of: normal_scores comes close to it"));
  EXPECT_THAT(opposite, testing::Not(HasSubstr("equal")));
  const auto mixed = message(numbers + masses + correlated("friction, lot", "1"));
  EXPECT_THAT(mixed, HasSubstr("; 0.999 with of: normal_scores comes close to it"));
  EXPECT_THAT(message(numbers + correlated("forces.left.stiffness, friction", "1.5")),
              testing::Not(HasSubstr("comes close")));
}

TEST(Uncertainty, OverridesReachEveryEntry) {
  const std::string section = R"(
uncertainty:
  rb5: {inertia: {lambda_l: -5, lambda_u: -5, z_max: [9.61, 1.0, 0.0625]}}
  bodies.b.position[1]: {law: normal, mean: 0, std: 0.1}
  correlation: {variables: [bodies.b.mass, "bodies.b.position[1]"], matrix: [[1, 0.3], [0.3, 1]]}
  bodies.b.mass: {law: normal, mean: 2, std: 0.1}
)";
  const auto J = [&](const std::string& change) {
    return read(section, {change}).bodies.at(0).inertia.value();
  };
  EXPECT_EQ(J("uncertainty.rb5.inertia.lambda_l=-4").lambda_l, -4);
  EXPECT_EQ(J("uncertainty.rb5.inertia.z_max[2]=0.07").z_max.value().numbers[2], 0.07);
  EXPECT_EQ(J("uncertainty.rb5.inertia={delta: 0.4}").delta, 0.4);
  const auto normal = [&](const std::string& change, std::size_t i) {
    return std::get<NormalLaw>(read(section, {change}).scalars.at(i).law);
  };
  EXPECT_EQ(normal("uncertainty.bodies.b.position[1].std=0.2", 0).std, 0.2);
  EXPECT_EQ(normal("uncertainty.bodies.b.mass.mean=2+spread", 1).mean, 2.1);
  EXPECT_EQ(normal("uncertainty.bodies.b.mass={law: normal, mean: 3, std: 1}", 1).mean, 3);
  EXPECT_EQ(read(section, {"uncertainty.correlation.of=normal_scores"}).correlations.at(0).of,
            CorrelationOf::normal_scores);
  // New entries, also in a file without the section.
  EXPECT_EQ(read("", {"uncertainty.rb5.mass.cv=0.3"}).bodies.at(0).mass.value().cv, 0.3);
  const auto fresh =
      read("", {"uncertainty.bodies.b.inertia[3]={law: normal, mean: 0, std: 0.1}"}).scalars.at(0);
  EXPECT_EQ(fresh.name, "bodies.b.inertia[3]");
  EXPECT_EQ(std::get<NormalLaw>(fresh.law).std, 0.1);
}

TEST(Uncertainty, EffectiveModelReadsBackTheSame) {
  const std::string section = R"(
uncertainty: {"gravity[2]": {law: normal, mean: -9.8, std: 0.1}, rb5: {mass: {cv: 0.5}}}
)";
  const ModelFile file = read_file(section, {"uncertainty.gravity[2].std=0.2"});
  const ModelFile again = read_model_text(file.effective_yaml, "again.yaml");
  EXPECT_EQ(again.effective_yaml, file.effective_yaml);
  EXPECT_EQ(std::get<NormalLaw>(again.uncertainty->scalars.at(0).law).std, 0.2);
  EXPECT_EQ(again.uncertainty->bodies.at(0).mass.value().cv, 0.5);
}

// Laws are solved later; what is wrong with them then is told at the line they were written in.
TEST(Uncertainty, PlacesAreKept) {
  const ModelFile file = read_file("uncertainty:\n  rb5:\n    mass:\n      cv: 0.5\n");
  const auto line = [&](const char* path) { return locate(file.model, path).line; };
  EXPECT_EQ(line("uncertainty.rb5"), line("simulation") + 2);
  EXPECT_EQ(line("uncertainty.rb5.mass"), line("simulation") + 3);
  EXPECT_EQ(line("uncertainty.rb5.mass.cv"), line("simulation") + 4);
}

TEST(Uncertainty, SurrogateSamplesHaveTwoEnds) {
  const auto samples = [](std::size_t count) {
    return read_file(fmt::format(
                         "uncertainty: {{bodies.b.mass: {{law: uniform, min: 1, max: 2}}}}\n"
                         "study: {{method: chaos, chaos: {{degree: 2, surrogate_samples: {}}}}}\n",
                         count))
        .study->study.chaos->surrogate_samples;
  };
  EXPECT_EQ(samples(16), 16u);
  EXPECT_EQ(samples(16777216), 16777216u);
  EXPECT_THROW(samples(15), InputError);
  EXPECT_THROW(samples(16777217), InputError);
}

TEST(Uncertainty, MonteCarloStudy) {
  const std::string section = "uncertainty: {rb5: {mass: {cv: 0.5}}}\n";
  const auto file = read_file(section + "study: {method: monte-carlo, realizations: 500, seed: 3}");
  EXPECT_EQ(file.study->study.method, StudyMethod::monte_carlo);
  EXPECT_EQ(file.study->study.realizations, 500);
  // -n gives the number on the command line.
  EXPECT_EQ(read_file(section + "study: {method: monte-carlo}", {"study.realizations=7"})
                .study->study.realizations,
            7);
}

/// Files beside the model.
class UncertaintyFiles : public testing::Test {
 protected:
  UncertaintyFiles() { std::filesystem::create_directories(folder_); }
  ~UncertaintyFiles() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  ModelFile read(const std::string& section) const {
    return read_file(section, {}, (folder_ / "model.yaml").string());
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("tumble_uncertainty_" + std::to_string(::getpid()));
};

TEST_F(UncertaintyFiles, AreReadAndHashed) {
  const std::string csv = "# weights\nname; weight\nA; 1.5\n\"B\"; 2\n",
                    stl = "solid s\nendsolid s\n";
  write("sample.csv", csv);
  write("hull.stl", stl);
  const ModelFile file = read(R"(
uncertainty:
  bodies.b.mass: {law: empirical, file: sample.csv, column: weight}
  rb5: {center_of_mass: {mesh: {file: hull.stl, scale: 1e-3}}}
)");
  EXPECT_EQ(std::get<EmpiricalLaw>(file.uncertainty->scalars.at(0).law).values, (Numbers{1.5, 2}));
  const auto& mesh =
      std::get<MeshRegion>(file.uncertainty->bodies.at(0).center_of_mass.value().region);
  EXPECT_EQ(mesh.file.name, "hull.stl");
  EXPECT_EQ(mesh.scale, 1e-3);
  EXPECT_EQ(file.referenced_files, (std::vector<std::pair<std::string, std::string>>{
                                       {"hull.stl", sha256(stl)}, {"sample.csv", sha256(csv)}}));
}

TEST(CsvColumn, HeadersSeparatorsAndMistakes) {
  std::vector<Diagnostic> errors;
  EXPECT_EQ(parse_csv_column("1\n2\r\n\n3", "f", "", errors), (Numbers{1, 2, 3}));
  EXPECT_EQ(parse_csv_column("\xEF\xBB\xBFx\ty\n1\t2\n", "f", "y", errors), Numbers{2});
  EXPECT_EQ(parse_csv_column("x,y\n1,two\n", "f", "", errors), Numbers{1});
  EXPECT_EQ(parse_csv_column("", "f", "x", errors), Numbers{});
  EXPECT_TRUE(errors.empty());
  std::string bad = "x\n";
  for (int i = 0; i < 1000; ++i) bad += "?\n";
  parse_csv_column(bad, "f", "x", errors);
  EXPECT_EQ(errors.size(), 20u);
}

}  // namespace
}  // namespace tumble
