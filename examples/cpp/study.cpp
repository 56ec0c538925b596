// A study from C++: a ball thrown with a velocity that is not exactly known. The guide "The C++
// interface" explains it. Ends with status 0 if the results are what theory says.
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "tumble/campaign/replay.hpp"
#include "tumble/campaign/single_run.hpp"
#include "tumble/campaign/study_run.hpp"
#include "tumble/io/results_reader.hpp"

namespace {

const char* const thrown_ball = R"(
gravity: [0, 0, -9.81]
bodies:
  ball: {mass: 1, position: [0, 0, 0], inertia: none, velocity: [0, 0, 5]}
probes:
  ball: {body: ball, quantities: [position]}
simulation: {duration: 1, step: 1e-2, output_step: 0.1}
uncertainty:
  bodies.ball.velocity[2]: {law: normal, mean: 5, std: 0.2}
study: {method: monte-carlo, realizations: 400, seed: 1}
)";

/// Prints what there is to say; the library itself prints nothing.
class Printer : public tumble::Observer {
  void say(tumble::Message, const std::string& sentence) override {
    std::fprintf(stderr, "%s\n", sentence.c_str());
  }
};

}  // namespace

int main() {
  const tumble::ModelFile file = tumble::read_model_text(thrown_ball, "ball");
  tumble::StudyOptions options;
  options.directory = std::filesystem::temp_directory_path() / "tumble-example-study";
  options.if_results_exist = tumble::IfResultsExist::overwrite;
  Printer printer;
  const tumble::StudyResults study = tumble::run_study(file, options, printer);
  tumble::require_success(study);

  const tumble::ResultsReader results(study.file);
  const auto last_z = [&](const char* variable) { return results.numbers(variable).back(); };
  std::printf("%ld throws: height after 1 s %.4f m, standard error %.4f m, deviation %.4f m\n",
              static_cast<long>(study.realizations), last_z("ball_position_mean"),
              last_z("ball_position_mean_se"), last_z("ball_position_std"));

  // z(1 s) = 5 - 9.81 / 2 on average, and scatters as the velocity does.
  const bool mean_holds = std::fabs(last_z("ball_position_mean") - (5 - 9.81 / 2)) <
                          4 * last_z("ball_position_mean_se");
  const bool deviation_holds = std::fabs(last_z("ball_position_std") - 0.2) < 0.03;

  // One throw of them again, and the nominal one.
  const tumble::ReplayResults seventh = tumble::replay(options.directory, 7, printer);
  tumble::SingleOptions once;
  once.directory = options.directory / "nominal";
  const tumble::SingleResults nominal = tumble::run_single(file, once, printer);
  const auto last = [](const tumble::Trajectory& run) { return run.series[0].values.back(); };
  std::printf("throw 7, with %.4f m/s: %.4f m; with 5 m/s: %.4f m\n", seventh.inputs[0].value,
              last(seventh.trajectory), last(nominal.trajectory));
  const bool throws_hold =
      std::fabs(last(seventh.trajectory) - (seventh.inputs[0].value - 9.81 / 2)) < 1e-9 &&
      std::fabs(last(nominal.trajectory) - (5 - 9.81 / 2)) < 1e-9;
  std::filesystem::remove_all(options.directory);
  return mean_holds && deviation_holds && throws_hold ? 0 : 1;
}
