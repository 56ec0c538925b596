// A results file with invented numbers, and a directory for it that goes with its scope.
#pragma once
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>

#include "tumble/base/atomic_file.hpp"
#include "tumble/io/netcdf/netcdf_writer.hpp"

namespace tumble::report::testing {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    static int number = 0;
    path_ = std::filesystem::temp_directory_path() /
            fmt::format("tumble_report_{}_{}", ::getpid(), number++);
    std::filesystem::create_directory(path_);
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A body on a hinge with a random mass.
inline std::string pendulum_yaml(const std::string& title = "Pendulum") {
  return fmt::format(R"(title: "{}"
gravity: [0, 0, -9.81]
bodies:
  bob: {{mass: 2, position: [0.5, 0, 0], inertia: [0.01, 0.05, 0.05]}}
joints:
  hinge: {{type: revolute, between: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0]}}
probes:
  tip: {{body: bob, point: [1, 0, 0], quantities: [position]}}
simulation: {{duration: 0.1, step: 1e-3, output_step: 0.01}}
uncertainty:
  bodies.bob.mass: {{law: normal, mean: 2, std: 0.1}}
study: {{method: monte-carlo, realizations: 100, seed: 7}}
)",
                     title);
}

struct Invented {
  std::string model = pendulum_yaml();
  std::string title = "Pendulum";
  std::size_t times = 11;
  double step = 0.01;
  std::vector<double> breaks = {};
  std::vector<double> probabilities = {0.05, 0.5, 0.95};
  std::size_t realizations = 100;
  long computed = 100;  ///< of them in the wall time, two seconds
  std::string warnings = {}, chaos_warnings = {};
  std::vector<double> convergence_n = {};
  std::vector<std::string> quantities = {"tip_position"};
  std::function<int(std::size_t)> status = [](std::size_t) { return 0; };
  std::function<double(std::size_t)> energy_mismatch;  ///< none: the results do not say
  std::function<double(std::size_t)> input = [](std::size_t r) {
    return 2 + 0.001 * static_cast<double>(r % 100);
  };
};

/// What a statistic of a quantity is at entry i: all different.
inline double invented_number(std::size_t quantity, std::string_view statistic, std::size_t i) {
  double seed = static_cast<double>(quantity);
  for (const char c : statistic) seed = 31 * seed + c;
  return std::sin(seed + static_cast<double>(i)) + 3;
}

inline void write_invented(const std::filesystem::path& directory, const Invented& what) {
  NetcdfWriter file;
  const int time = file.dimension("time", what.times), axis = file.dimension("axis", 3);
  const int quantile = file.dimension("quantile", what.probabilities.size());
  const int axis_2 = file.dimension("axis_2", 3);
  const int realization = file.dimension("realization", what.realizations);
  const int input = file.dimension("input", 1);
  std::vector<std::function<void()>> puts;
  const auto add = [&](const std::string& name, const std::vector<int>& dimensions,
                       std::vector<double> values, const char* unit = "m") {
    const int id = file.variable(name, NC_DOUBLE, dimensions);
    file.attribute(id, "units", unit);
    puts.push_back([&file, id, values = std::move(values)] { file.put(id, values); });
  };
  std::vector<double> times;
  for (std::size_t i = 0; i < what.times; ++i) times.push_back(static_cast<double>(i) * what.step);
  add("time", {time}, times, "s");
  add("quantile", {quantile}, what.probabilities, "1");
  if (!what.breaks.empty()) {
    const int brk = file.dimension("break", what.breaks.size());
    add("break", {brk}, what.breaks, "s");
  }
  if (!what.convergence_n.empty())
    add("convergence_n", {file.dimension("convergence_n", what.convergence_n.size())},
        what.convergence_n, "1");
  const int names = file.variable("axis", NC_STRING, {axis});
  puts.push_back([&file, names] { file.put(names, std::vector<const char*>{"x", "y", "z"}); });
  for (std::size_t q = 0; q < what.quantities.size(); ++q) {
    const auto numbers = [&](const std::string& statistic, std::size_t count) {
      std::vector<double> values;
      for (std::size_t i = 0; i < count; ++i) values.push_back(invented_number(q, statistic, i));
      return values;
    };
    const std::size_t size = 3 * what.times;
    for (const char* statistic : {"nominal", "mean", "std", "mean_se", "std_se", "min", "max"})
      add(what.quantities[q] + "_" + statistic, {time, axis}, numbers(statistic, size));
    for (const char* statistic : {"quantile", "quantile_lower", "quantile_upper"})
      add(what.quantities[q] + "_" + statistic, {quantile, time, axis},
          numbers(statistic, what.probabilities.size() * size));
    add(what.quantities[q] + "_cov", {time, axis, axis_2}, numbers("cov", 3 * size));
    for (const char* peak : {"peak_max", "peak_min"}) {
      std::vector<double> values;
      for (std::size_t r = 0; r < what.realizations; ++r)
        for (std::size_t a = 0; a < 3; ++a) values.push_back(static_cast<double>(10 * r + a));
      add(what.quantities[q] + "_" + peak, {realization, axis}, std::move(values));
    }
  }
  const int status = file.variable("status", NC_BYTE, {realization});
  std::vector<signed char> ended;
  std::vector<double> failure, inputs;
  for (std::size_t r = 0; r < what.realizations; ++r) {
    ended.push_back(static_cast<signed char>(what.status(r)));
    failure.push_back(what.status(r) == 0 ? std::numeric_limits<double>::quiet_NaN()
                                          : 0.001 * static_cast<double>(r));
    inputs.push_back(what.input(r));
  }
  puts.push_back([&file, status, &ended] { file.put(status, 0, ended); });
  add("failure_time", {realization}, failure, "s");
  add("energy_mismatch_nominal", {}, {1e-5});
  if (what.energy_mismatch) {
    std::vector<double> mismatch;
    for (std::size_t r = 0; r < what.realizations; ++r) mismatch.push_back(what.energy_mismatch(r));
    add("energy_mismatch", {realization}, std::move(mismatch));
  }
  const int paths = file.variable("input", NC_STRING, {input});
  puts.push_back([&file, paths] { file.put(paths, std::vector<const char*>{"bodies.bob.mass"}); });
  add("inputs", {realization, input}, inputs);
  file.attribute("tumble_version", "0.1.0");
  file.attribute("model_sha256", "0");
  file.long_attribute("title", what.title);
  file.long_attribute("model", what.model);
  file.attribute("model_path", "/somewhere/else/pendulum.yaml");
  file.attribute("method", "monte-carlo");
  file.attribute("seed", 7L);
  file.attribute("wall_time", 2.0);
  file.attribute("computed", what.computed);
  if (!what.warnings.empty()) file.long_attribute("warnings", what.warnings);
  if (!what.chaos_warnings.empty()) file.long_attribute("chaos_warnings", what.chaos_warnings);
  file.begin_data();
  for (const auto& put : puts) put();
  AtomicFile target(directory / "results.nc");
  target.write(file.close());
  target.commit();
}

}  // namespace tumble::report::testing
