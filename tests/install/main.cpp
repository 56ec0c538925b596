// A program outside the tree, which sees the public headers alone: it runs a model, the same with
// other numbers, and a study, so that the libraries it links are complete.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <tumble/tumble.hpp>

namespace {

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}

tumble::Model falling_stone() {
  tumble::Model model;
  model.gravity = {0, 0, -10};
  tumble::Body stone;
  stone.name = "stone";
  stone.mass = 2;
  stone.inertia = {1, 1, 1, 0, 0, 0};
  model.bodies = {stone};
  tumble::Probe fall;
  fall.name = "fall";
  fall.body = tumble::BodyRef{"stone"};
  fall.quantities = {tumble::Quantity::position};
  model.probes = {fall};
  model.simulation.duration = 1;
  model.simulation.step = 0.1;
  return model;
}

void run_models() {
  const tumble::Model model = falling_stone();
  const double height = tumble::simulate(model).series[0].values.back();
  std::printf("fell to %g m\n", height);
  expect(std::fabs(height + 5) < 1e-12, "the fall");

  const tumble::Plan plan = tumble::make_plan(model);
  expect(plan.degrees_of_freedom() == 6, "degrees of freedom");
  tumble::Realization other(plan.model());
  other.set(plan.parameters().find("gravity[2]"), -1.62);
  const double on_the_moon = tumble::run(plan, other.model()).series[0].values.back();
  expect(std::fabs(on_the_moon + 0.81) < 1e-12, "the fall on the moon");

  tumble::Model wrong = model;
  wrong.bodies[0].mass = -1;
  try {
    tumble::simulate(wrong);
    expect(false, "a negative mass");
  } catch (const tumble::InputError& error) {
    expect(error.diagnostics().at(0).field == "mass", "what is wrong");
  }
}

constexpr const char* thrown_ball = R"(
gravity: [0, 0, -10]
bodies:
  ball: {mass: 1, position: [0, 0, 0], inertia: none, velocity: [0, 0, 5]}
probes:
  ball: {body: ball, quantities: [position]}
simulation: {duration: 1, step: 1e-2, output_step: 0.1}
uncertainty:
  bodies.ball.velocity[2]: {law: uniform, min: 4, max: 6}
study: {method: monte-carlo, realizations: 16, seed: 1}
)";

struct Counter : tumble::Observer {
  void begin(std::uint64_t, std::uint64_t all, const std::string&) override { total = all; }
  std::uint64_t total = 0;
};

void run_a_study(const std::filesystem::path& directory) {
  const tumble::ModelFile file = tumble::read_model_text(thrown_ball, "ball");
  tumble::StudyOptions options;
  options.directory = directory;
  options.if_results_exist = tumble::IfResultsExist::overwrite;
  Counter counter;
  const tumble::StudyResults study = tumble::run_study(file, options, counter);
  tumble::require_success(study);
  expect(study.realizations == 16 && counter.total == 16 && study.failed == 0, "realisations");

  const tumble::ResultsReader results(study.file);
  const tumble::ResultsVariable* mean = results.find("ball_position_mean");
  expect(mean != nullptr && mean->unit == "m" && mean->sizes.at(0) == 11, "the mean's shape");
  // z(1 s) = v - 5 with the very velocities that were drawn.
  const std::vector<double> velocities = results.numbers("inputs");
  expect(results.text("input") == std::vector<std::string>{"bodies.ball.velocity[2]"}, "inputs");
  double sum = 0;
  for (const double v : velocities) sum += v - 5;
  expect(velocities.size() == 16, "drawn velocities");
  expect(std::fabs(results.numbers("ball_position_mean").back() - sum / 16) < 1e-9, "the mean");
  try {
    results.numbers("ball_position_men");
    expect(false, "a variable that is not there");
  } catch (const std::runtime_error& error) {
    expect(std::string(error.what()).find("ball_position_mean") != std::string::npos, "the hint");
  }
}

}  // namespace

int main(int, char** arguments) {
  run_models();
  run_a_study(arguments[1]);
  return 0;
}
