// Drives that jump, and drives whose rows come from long files: as they are read, and what a
// machine does under them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "tumble/integrate/run.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/io/results/results_file.hpp"

namespace tumble {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A mass of 2 kg that a spring of 50 N/m holds at x = 1 m, under a force along x.
std::string oscillator(const std::string& drive, double step) {
  return "bodies: {bob: {mass: 2, position: [1, 0, 0], inertia: none}}\n"
         "forces:\n"
         "  coil: {type: spring, between: [ground, bob], points: [[0, 0, 0], [1, 0, 0]], length: "
         "1, "
         "stiffness: 50}\n"
         "  push: {type: applied, body: bob, force: [1, 0, 0], drive: push}\n"
         "drives: {push: " +
         drive +
         "}\nprobes: {bob: {body: bob, quantities: [position, acceleration]}}\n"
         "simulation: {duration: 0.8, output_step: 0.1, step: " +
         std::to_string(step) + "}\n";
}

/// x of the oscillator under forces that hold from their times on, at rest before: between them it
/// swings about F / k with 5 rad/s.
double under_steps(const std::vector<std::pair<double, double>>& forces, double t) {
  double x = 0, v = 0;
  for (std::size_t i = 0; i < forces.size() && forces[i].first < t; ++i) {
    const double end = i + 1 < forces.size() ? std::min(t, forces[i + 1].first) : t;
    const double angle = 5 * (end - forces[i].first), rest = forces[i].second / 50;
    const double s = x - rest;
    x = rest + s * std::cos(angle) + v / 5 * std::sin(angle);
    v = -5 * s * std::sin(angle) + v * std::cos(angle);
  }
  return x;
}

const std::vector<std::pair<double, double>> pushes{{0.0371, 3}, {0.411, -1}};
const std::string pushing =
    "{type: piecewise_constant, times: [0, 0.0371, 0.411], values: [0, 3, -1]}";

double largest_error(double step) {
  const Trajectory run = simulate(read_model_text(oscillator(pushing, step), "test.yaml").model);
  double error = 0;
  for (std::size_t i = 0; i < run.times.size(); ++i)
    error = std::max(
        error, std::fabs(run.series[0].values[3 * i] - 1 - under_steps(pushes, run.times[i])));
  return error;
}

// A step across a jump would be of first order. Coarser steps are divided after a jump, and their
// errors mixed.
TEST(DriveThatJumps, KeepsTheOrderOfTheMethod) {
  const double coarse = largest_error(0.0025), fine = largest_error(0.000625);
  EXPECT_LT(coarse, 4e-6);
  EXPECT_NEAR(coarse / fine, 16, 4);
}

TEST(DriveThatJumps, AccelerationsHaveBothLimits) {
  const Trajectory run = simulate(read_model_text(oscillator(pushing, 0.002), "test.yaml").model);
  ASSERT_THAT(run.breaks, ElementsAre(0.0371, 0.411));
  EXPECT_NEAR(run.series[1].right_values[0], 3.0 / 2, 1e-9);  // from rest
  const double x = under_steps(pushes, 0.411);
  EXPECT_NEAR(run.series[1].right_values[3], (-1 - 50 * x) / 2, 1e-4);
}

class DriveTables : public ::testing::Test {
 protected:
  DriveTables() { fs::create_directory(folder_); }
  ~DriveTables() override { fs::remove_all(folder_); }

  ModelFile read(const std::string& drive) const {
    return read_model_text(oscillator(drive, 0.01), (folder_ / "model.yaml").string());
  }
  Table table(const std::string& drive) const {
    const ModelFile file = read(drive);
    EXPECT_EQ(file.referenced_files.size(), 1u);
    return std::get<TableDrive>(file.model.drives.at(0).kind).table;
  }
  std::string message(const std::string& drive) const {
    try {
      read(drive);
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing was thrown";
  }
  void write(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("tumble_drive_tables_" + std::to_string(::getpid()));
};

TEST_F(DriveTables, TakesTwoColumnsOfMany) {
  write("m.csv", "# measured\nt, left, note, right\n0, 1, a, 10\n0.5, 2, , 20\n1, 3, c;d, 30\n");
  const Table left = table("{type: table, table: {file: m.csv, columns: [t, left]}}");
  EXPECT_THAT(left.x, ElementsAre(0, 0.5, 1));
  EXPECT_THAT(left.y, ElementsAre(1, 2, 3));
  EXPECT_THAT(table("{type: table, table: {file: m.csv, columns: [left, right]}}").y,
              ElementsAre(10, 20, 30));
}

TEST_F(DriveTables, SaysWhichColumnIsMissingOrWrong) {
  write("m.csv", "t, left, right\n0, 1, 10\n0.5, x, 20\n1, 3\n");
  EXPECT_THAT(message("{type: table, table: {file: m.csv, columns: [t, lefft]}}"),
              HasSubstr("m.csv:1: no column is named 'lefft'; did you mean 'left'?"));
  EXPECT_THAT(message("{type: table, table: {file: m.csv, columns: [t, left]}}"),
              HasSubstr("m.csv:3: column 'left' = 'x', must be a number"));
  EXPECT_THAT(message("{type: table, table: {file: m.csv, columns: [t, right]}}"),
              HasSubstr("m.csv:4: must have at least 3 columns, found 2"));
  EXPECT_THAT(message("{type: table, table: {file: m.csv, columns: [t]}}"),
              HasSubstr("must be the names of two columns, like [time, value]"));
  EXPECT_THAT(message("{type: table, table: {file: gone.csv, columns: [t, left]}}"),
              HasSubstr("cannot be read"));
}

TEST_F(DriveTables, FollowsAVariableOfAResultsFile) {
  Trajectory t;
  t.times = {0, 0.25, 0.5};
  t.series = {{"tip", Quantity::velocity, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {}},
              {"all", Quantity::total_energy, 1, {10, 11, std::nan("")}, {}}};
  write_results(folder_ / "r.nc", t, ResultsMetadata{});
  const Table z = table(
      "{type: table, interpolation: linear, table: {results: r.nc, variable: tip_velocity_nominal, "
      "at: {axis: z}}}");
  EXPECT_THAT(z.x, ElementsAre(0, 0.25, 0.5));
  EXPECT_THAT(z.y, ElementsAre(3, 6, 9));

  const auto of = [&](const std::string& what) {
    return message("{type: table, table: {results: r.nc, " + what + "}}");
  };
  EXPECT_THAT(of("variable: tip_velocity_nominal"),
              HasSubstr("'tip_velocity_nominal' has the dimension axis: say which in `at`"));
  EXPECT_THAT(of("variable: tip_velocity_nominal, at: {axis: w}"),
              HasSubstr("the results have no axis 'w'"));
  EXPECT_THAT(of("variable: tip_velocity_nominal, at: {axis: z, realization: 3}"),
              HasSubstr("'tip_velocity_nominal' has no dimension 'realization' to choose from"));
  EXPECT_THAT(of("variable: tip_velocity_nominl, at: {axis: z}"),
              HasSubstr("did you mean 'tip_velocity_nominal'?"));
  EXPECT_THAT(of("variable: axis"), HasSubstr("the results have no numbers over time in 'axis'"));
  EXPECT_THAT(of("variable: all_total_energy_nominal"),
              HasSubstr("'all_total_energy_nominal' has no number at 0.5 s"));
  EXPECT_THAT(of("at: {axis: z}"), HasSubstr("table.variable, required but missing"));
  EXPECT_THAT(message("{type: table, table: {results: gone.nc, variable: v}}"),
              HasSubstr("there is no such file"));
  write("text.nc", "not netCDF");
  EXPECT_THAT(message("{type: table, table: {results: text.nc, variable: v}}"),
              HasSubstr("text.nc"));
}

}  // namespace
}  // namespace tumble
