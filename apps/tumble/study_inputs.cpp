#include "study_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tumble::app {
namespace {

DesignKind design_of(StudyMethod method) {
  switch (method) {
    case StudyMethod::latin_hypercube:
      return DesignKind::latin_hypercube;
    case StudyMethod::sobol:
      return DesignKind::sobol;
    default:
      return DesignKind::monte_carlo;
  }
}

}  // namespace

DesignParameters sampling_of(const ModelFile& file) {
  DesignParameters sampling;
  if (!file.study) return sampling;
  const Study& study = file.study->study;
  sampling.kind = design_of(study.method);
  sampling.seed = static_cast<std::uint64_t>(study.seed);
  sampling.realizations = static_cast<std::uint64_t>(study.realizations.value_or(0));
  sampling.randomizations = static_cast<std::uint64_t>(study.randomizations);
  return sampling;
}

std::unique_ptr<const RandomInputs> random_inputs(const ModelFile& file,
                                                  const DesignParameters& sampling) {
  try {
    return std::make_unique<RandomInputs>(file.model, file.uncertainty, sampling);
  } catch (const std::invalid_argument& error) {
    Diagnostic mistake;
    mistake.where = locate(file.model, "study.method");
    mistake.element = "study";
    mistake.field = "method";
    mistake.expectation = error.what();
    throw InputError({mistake});
  }
}

std::string to_string(const ChainSummary& chain) {
  return fmt::format(
      "{}: Markov chain, burn-in {}, thinning {}, acceptance {:.3f}, effective sample size {:.0f}",
      chain.variable, chain.burn_in, chain.thinning, chain.acceptance, chain.effective_sample_size);
}

StudyInputs::StudyInputs(const ModelFile& file) : file_(file) {
  if (file.study->study.method == StudyMethod::table) {
    const InputTable& table = file.study->inputs;
    paths_ = table.paths;
    ensemble_ = {table.slots, [&table](std::uint64_t realization, double* values) {
                   table.read_row(realization, values);
                 }};
    return;
  }
  random_ = random_inputs(file, sampling_of(file));
  paths_ = random_->paths();
  ensemble_ = {random_->slots(),
               [inputs = random_.get()](std::uint64_t realization, double* values) {
                 inputs->fill(realization, values);
               }};
}

Sampling StudyInputs::sampling() const {
  Sampling sampling;
  if (!random_) return sampling;
  sampling.randomizations = random_->design().randomizations();
  for (const ChainSummary& chain : random_->chains())
    sampling.effective_fraction =
        std::min(sampling.effective_fraction.value_or(1.0), chain.effective_fraction);
  return sampling;
}

std::vector<std::string> StudyInputs::warnings() const {
  if (random_) return random_->warnings();
  if (file_.uncertainty.empty()) return {};
  return {"study.method is table: the section uncertainty is not used"};
}

}  // namespace tumble::app
