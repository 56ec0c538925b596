// Expressions and state variables: controllers against SciPy (data/control/make_reference.py), and
// bushings written as expressions against bushings.
#include <fstream>
#include <sstream>

#include "convergence.hpp"
#include "source_directory.hpp"
#include "tumble/integrate/derivatives.hpp"
#include "tumble/io/model_reader.hpp"

namespace tumble::validation {
namespace {

using Q = Quantity;

const std::string source = source_directory;

Model example(const std::string& name, const std::vector<std::string>& overrides) {
  return read_model(source + "/examples/" + name, overrides).model;
}

Trajectory run_of(const Model& model) { return run(make_plan(model), model); }

/// Rows of numbers, the first of each being a time.
std::vector<Values> reference(const std::string& name) {
  std::ifstream file(source + "/validation/data/control/" + name);
  std::vector<Values> rows;
  std::string line, cell;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    rows.emplace_back();
    while (std::getline(cells, cell, ',')) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

/// The largest difference between a run and a reference, by what `unknowns` reads of an output.
template <class Unknowns>
double error_of(const Trajectory& run, const std::vector<Values>& rows, const Unknowns& unknowns) {
  EXPECT_EQ(run.times.size(), rows.size());
  double largest = 0;
  for (std::size_t k = 0; k < rows.size() && k < run.times.size(); ++k) {
    EXPECT_NEAR(run.times[k], rows[k][0], 1e-12);
    largest = std::max(largest,
                       largest_difference(unknowns(k), Values(rows[k].begin() + 1, rows[k].end())));
  }
  return largest;
}

/// The error falls with the square of the step and reaches 1e-7.
template <class Error>
void expect_second_order(const char* name, double step, const Error& error) {
  const double coarse = error(2 * step), fine = error(step);
  std::printf("%s: errors %.2e and %.2e, order %.2f\n", name, coarse, fine,
              observed_order(coarse, fine));
  EXPECT_LT(fine, 1e-7);
  EXPECT_NEAR(observed_order(coarse, fine), 2, 0.1);
}

TEST(ControlledSlow, CartAndPoleFollowAnIndependentIntegration) {
  const auto rows = reference("cart-pole.csv");
  expect_second_order("cart and pole", 2e-5, [&](double step) {
    const Trajectory run =
        run_of(example("control/cart-pole.yaml",
                       {"simulation.step=" + format_number(step), "simulation.output_step=0.1"}));
    return error_of(run, rows, [&](std::size_t k) {
      return Values{
          at_output(run, "track", Q::displacement, k)[2], at_output(run, "hinge", Q::angle, k)[0],
          at_output(run, "track", Q::displacement_rate, k)[2],
          at_output(run, "hinge", Q::angle_rate, k)[0], at_output(run, "push", Q::value, k)[0]};
    });
  });
}

// The other states are integrated beside the motion, to the order of the method.
TEST(Controlled, RadauFollowsTheIndependentIntegrationOfTheCartAndPole) {
  const auto rows = reference("cart-pole.csv");
  const auto error = [&](double step) {
    const Trajectory run = run_of(example(
        "control/cart-pole.yaml", {"simulation.step=" + format_number(step),
                                   "simulation.output_step=0.1", "simulation.integrator=radau"}));
    return error_of(run, rows, [&](std::size_t k) {
      return Values{
          at_output(run, "track", Q::displacement, k)[2], at_output(run, "hinge", Q::angle, k)[0],
          at_output(run, "track", Q::displacement_rate, k)[2],
          at_output(run, "hinge", Q::angle_rate, k)[0], at_output(run, "push", Q::value, k)[0]};
    });
  };
  const double coarse = error(0.01), fine = error(0.005);
  std::printf("cart and pole by radau: errors %.2e and %.2e, order %.2f\n", coarse, fine,
              observed_order(coarse, fine));
  EXPECT_LT(fine, 1e-7);
  EXPECT_GT(observed_order(coarse, fine), 4.6);
}

TEST(ControlledSlow, DoublePendulumUnderPidFollowsAnIndependentIntegration) {
  const auto rows = reference("double-pendulum-pid.csv");
  expect_second_order("double pendulum under PID", 2e-5, [&](double step) {
    const Trajectory run =
        run_of(example("control/double-pendulum-pid.yaml",
                       {"simulation.step=" + format_number(step), "simulation.output_step=0.05"}));
    return error_of(run, rows, [&](std::size_t k) {
      const double p1 = at_output(run, "shoulder", Q::angle, k)[0],
                   w1 = at_output(run, "shoulder", Q::angle_rate, k)[0];
      return Values{p1,
                    p1 + at_output(run, "elbow", Q::angle, k)[0],
                    w1,
                    w1 + at_output(run, "elbow", Q::angle_rate, k)[0],
                    at_output(run, "shoulder_error", Q::value, k)[0],
                    at_output(run, "elbow_error", Q::value, k)[0]};
    });
  });
}

/// The five-body machine does the same with its bushings written down: rounding apart, which the
/// stiff supports make some 1e-12 of.
TEST(Expressions, FiveBodyBushingsGiveTheSameMotion) {
  const Trajectory written = run_of(example("control/five-body-expressions.yaml", {}));
  const Trajectory builtin = run_of(example("batou-soize-2012/nominal.yaml", {}));
  const Trajectory softer =
      run_of(example("control/five-body-expressions.yaml", {"forces.rb1-rb3.parameters.k=0.99e9"}));
  EXPECT_GT(largest_difference(find(softer, "pobs", Q::position).values,
                               find(builtin, "pobs", Q::position).values),
            1e-8)
      << "the formulas are not what moves the machine";
  for (const Quantity q : {Q::position, Q::velocity, Q::acceleration, Q::angular_velocity,
                           Q::angular_acceleration, Q::rotation_vector}) {
    const Values &a = find(written, "pobs", q).values, &b = find(builtin, "pobs", q).values;
    double size = 0;
    for (const double x : b) size = std::max(size, std::fabs(x));
    const double difference = largest_difference(a, b) / size;
    std::printf("%s: relative difference %.2e\n", std::string(info(q).name).c_str(), difference);
    EXPECT_LT(difference, 1e-10);
  }
}

/// Derivatives of a controlled run by a parameter of an expression, against differences of runs.
TEST(Expressions, RunsHaveDerivativesByParameters) {
  const std::vector<std::string> few{"simulation.duration=0.5", "simulation.output_step=0.1"};
  const Model model = example("control/cart-pole.yaml", few);
  const Plan plan = make_plan(model);
  for (const char* slot :
       {"states.push.parameters.lag", "forces.rubbing.parameters.c", "states.push.start"}) {
    const Derivatives found = differentiate(plan, model, slot);
    const int index = plan.parameters().find(slot);
    const double value = Realization(model).get(index);
    const auto shifted = [&](double by) {
      Realization realization(model);
      realization.set(index, value + by);
      return run(plan, realization.model());
    };
    // What a difference leaves out is some (h / value)^2 of it.
    const double h = 1e-3 * (value != 0 ? value : 0.1);
    const Trajectory up = shifted(h), down = shifted(-h);
    for (std::size_t s = 0; s < up.series.size(); ++s)
      for (std::size_t i = 0; i < up.series[s].values.size(); ++i) {
        const double slope = (up.series[s].values[i] - down.series[s].values[i]) / (2 * h);
        EXPECT_NEAR(found.series[s].values[i], slope, 2e-5 * (1 + std::fabs(slope)))
            << slot << " " << up.series[s].probe << " " << i;
      }
  }
}

}  // namespace
}  // namespace tumble::validation
