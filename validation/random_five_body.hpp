// The five-body application with an uncertain Rb5 (Batou & Soize 2012, section 4.3): what the
// tests of its four cases share.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "source_directory.hpp"
#include "tumble/inputs/random_inputs.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/study/ensemble.hpp"

namespace tumble::validation {

/// Acceleration of P_obs [m/s^2] and angular acceleration of Rb5 [rad/s^2].
inline constexpr std::array<const char*, 6> response_names{"ax", "ay", "az", "wdx", "wdy", "wdz"};
inline constexpr std::size_t response_size = response_names.size();

/// Case 1 to 4, recording nothing but the six components.
inline ModelFile five_body_case(int number) {
  ModelFile file = read_model(std::string(source_directory) + "/examples/batou-soize-2012/case" +
                              std::to_string(number) + ".yaml");
  for (Probe& probe : file.model.probes) {
    if (probe.name != "pobs") continue;
    probe.quantities = {Quantity::acceleration, Quantity::angular_acceleration};
    file.model.probes = {Probe(probe)};
    return file;
  }
  throw std::logic_error("no probe pobs");
}

/// The six components of every realisation at every output time.
class Responses {
 public:
  Responses(std::size_t realizations, std::size_t times)
      : realizations_(realizations),
        times_(times),
        values_(realizations * times * response_size, std::nan("")) {}

  std::size_t realizations() const { return realizations_; }
  std::size_t times() const { return times_; }
  double* row(std::size_t realization) {
    return values_.data() + realization * times_ * response_size;
  }
  double operator()(std::size_t realization, std::size_t time, std::size_t component) const {
    return values_[(realization * times_ + time) * response_size + component];
  }
  std::vector<double> sample(std::size_t time, std::size_t component) const {
    std::vector<double> values(realizations_);
    for (std::size_t i = 0; i < realizations_; ++i) values[i] = (*this)(i, time, component);
    return values;
  }

 private:
  std::size_t realizations_, times_;
  std::vector<double> values_;
};

/// Runs the realisations as a study does, on one core. @throws std::runtime_error if one fails.
inline Responses run_realizations(const Model& model, const EnsembleInputs& inputs,
                                  std::size_t realizations) {
  const Plan plan = rehearse(make_plan(compile(model)));
  const LayoutPointer layout = statistics_layout(*plan.system);
  Responses responses(realizations, layout->times());
  EnsembleOptions options;
  options.threads = 1;
  options.keep_values = [](std::uint64_t) { return true; };
  run_ensemble(plan, inputs, leaf_source(realizations), options, [&](LeafResult&& leaf) {
    if (leaf.record.failures() != 0) throw std::runtime_error("a realisation failed");
    for (std::size_t i = 0; i < leaf.record.realizations(); ++i)
      std::copy_n(leaf.record.values->row(i), layout->row(),
                  responses.row(leaf.record.first() + i));
  });
  return responses;
}

inline Responses run_study(const ModelFile& file, std::uint64_t seed, std::size_t realizations) {
  const RandomInputs inputs(file.model, *file.uncertainty,
                            {.seed = seed, .realizations = realizations});
  return run_realizations(
      file.model,
      {inputs.slots(), [&](std::uint64_t i, double* values) { inputs.fill(i, values); }},
      realizations);
}

/// The output times that averages are taken over: all but the start (t <= 0.5 ms) and the 0.4 ms
/// from each kink of the imposed motions, that is, the four output times in [kink, kink + 0.4 ms).
/// Deviations are largest there: without the next four the average of az in case 1 falls by 10 %.
inline std::vector<std::size_t> averaged_times(const Model& model, std::size_t times) {
  std::vector<std::size_t> chosen;
  const double rounding = 1e-9;
  for (std::size_t k = 0; k < times; ++k) {
    const double t = static_cast<double>(k) * model.simulation.output_step.value();
    bool keep = t > 0.5e-3 + rounding;
    for (const double kink : {1e-3, 6e-3, 11e-3, 16e-3})
      keep = keep && (t < kink - rounding || t > kink + 0.4e-3 - rounding);
    if (keep) chosen.push_back(k);
  }
  return chosen;
}

}  // namespace tumble::validation
