#include "tumble/campaign/study_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tumble/campaign/laws_json.hpp"
#include "tumble/campaign/worst_case/worst_case_study.hpp"
#include "tumble/inputs/excitation_draws.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/excitation.hpp"

namespace tumble {
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

/// What the inputs cannot do with a method is a mistake of that field of the study.
template <class Inputs, class... Arguments>
std::unique_ptr<const Inputs> made_or_refused(const ModelFile& file, const std::string& field,
                                              const Arguments&... arguments) {
  try {
    return std::make_unique<Inputs>(arguments...);
  } catch (const std::invalid_argument& error) {
    Diagnostic mistake;
    mistake.where = locate(file.model, "study." + field);
    mistake.element = "study";
    mistake.field = field;
    mistake.expectation = error.what();
    throw InputError({mistake});
  }
}

void require_blocks(const ModelFile& file, const SensitivityInputs& inputs) {
  const int runs = file.study->study.realizations.value();
  const std::uint64_t least = inputs.least_blocks() * inputs.block();
  if (static_cast<std::uint64_t>(runs) >= least) return;
  Diagnostic mistake;
  mistake.where = locate(file.model, "study.realizations");
  mistake.element = "study";
  mistake.field = "realizations";
  mistake.value = std::to_string(runs);
  mistake.expectation = fmt::format("must be at least {}: {} blocks of {} runs, for {} {}", least,
                                    inputs.least_blocks(), inputs.block(), inputs.factors().size(),
                                    inputs.factors().size() == 1 ? "factor" : "factors");
  throw InputError({mistake});
}

}  // namespace

DesignParameters sampling_of(const ModelFile& file) {
  DesignParameters sampling;
  if (!file.study) return sampling;
  const Study& study = file.study->study;
  sampling.kind = design_of(study.method);
  sampling.seed = static_cast<std::uint64_t>(study.seed);
  sampling.realizations = static_cast<std::uint64_t>(study.realizations.value_or(0));
  sampling.randomizations = randomizations_of(study, sampling.realizations);
  return sampling;
}

std::unique_ptr<const RandomInputs> random_inputs(const ModelFile& file,
                                                  const DesignParameters& sampling) {
  return made_or_refused<RandomInputs>(file, "method", file.model, *file.uncertainty, sampling);
}

std::string to_string(const ChainSummary& chain) {
  return fmt::format(
      "{}: Markov chain, burn-in {}, thinning {}, acceptance {:.3f}, effective sample size {:.0f}",
      chain.variable, chain.burn_in, chain.thinning, chain.acceptance, chain.effective_sample_size);
}

StudyInputs::StudyInputs(const ModelFile& file) : file_(file) {
  choose();
  ensemble_.excite =
      excitation_draws(file.model, static_cast<std::uint64_t>(file.study->study.seed));
}

void StudyInputs::choose() {
  const ModelFile& file = file_;
  if (file.study->study.method == StudyMethod::table) {
    const InputTable& table = file.study->inputs;
    paths_ = table.paths;
    ensemble_ = {table.slots, [&table](std::uint64_t realization, double* values) {
                   table.read_row(realization, values);
                 }};
    return;
  }
  if (const Study& study = file.study->study; study.method == StudyMethod::chaos) {
    chaos_ = made_or_refused<ChaosInputs>(file, study.chaos ? "chaos" : "method", file.model,
                                          *file.uncertainty, study.chaos.value_or(ChaosRequest{}),
                                          static_cast<std::uint64_t>(study.seed));
    paths_ = chaos_->paths();
    ensemble_ = {chaos_->slots(),
                 [inputs = chaos_.get()](std::uint64_t realization, double* values) {
                   inputs->fill(realization, values);
                 }};
    return;
  }
  if (const Study& study = file.study->study; study.method == StudyMethod::sensitivity) {
    sensitivity_ = made_or_refused<SensitivityInputs>(
        file, study.sensitivity ? "sensitivity" : "method", file.model, *file.uncertainty,
        study.sensitivity.value_or(SensitivityRequest{}), static_cast<std::uint64_t>(study.seed));
    require_blocks(file, *sensitivity_);
    paths_ = sensitivity_->random().paths();
    ensemble_ = {sensitivity_->random().slots(),
                 [inputs = sensitivity_.get()](std::uint64_t realization, double* values) {
                   inputs->fill(realization, values);
                 }};
    return;
  }
  if (const Study& study = file.study->study; study.method == StudyMethod::variability_response) {
    variability_ =
        made_or_refused<VariabilityInputs>(file, "variability", file.model, *study.variability,
                                           static_cast<std::uint64_t>(study.seed));
    paths_ = variability_->paths();
    ensemble_ = {variability_->slots(),
                 [inputs = variability_.get()](std::uint64_t realization, double* values) {
                   inputs->fill(realization, values);
                 }};
    return;
  }
  if (const Study& study = file.study->study; study.method == StudyMethod::reliability) {
    reliability_ = made_or_refused<ReliabilityInputs>(
        file, "reliability", file.model, *file.uncertainty, static_cast<std::uint64_t>(study.seed));
    paths_ = reliability_->random().paths();
    // By number they are draws, for who wants a few to look at.
    ensemble_ = {reliability_->random().slots(),
                 [inputs = reliability_.get()](std::uint64_t realization, double* values) {
                   inputs->random().fill(realization, values);
                 }};
    ensemble_.fill_germs = [inputs = reliability_.get()](std::span<const double> germs,
                                                         double* values) {
      inputs->fill(germs, values);
    };
    return;
  }
  if (const Study& study = file.study->study; study.method == StudyMethod::worst_case) {
    worst_case_ = made_or_refused<WorstCaseInputs>(
        file, study.worst_case ? "worst_case" : "method", file.model, *file.uncertainty,
        study.worst_case.value_or(WorstCaseRequest{}), static_cast<std::uint64_t>(study.seed),
        realizations_per_leaf);
    paths_ = worst_case_->paths();
    // By number they are those of the first round; leaves of others bring their points along.
    ensemble_ = {worst_case_->slots(),
                 [inputs = worst_case_.get()](std::uint64_t realization, double* values) {
                   inputs->fill(realization, values);
                 }};
    ensemble_.fill_germs = [inputs = worst_case_.get()](std::span<const double> germs,
                                                        double* values) {
      inputs->fill(germs, values);
    };
    return;
  }
  random_ = random_inputs(file, sampling_of(file));
  paths_ = random_->paths();
  ensemble_ = {random_->slots(),
               [inputs = random_.get()](std::uint64_t realization, double* values) {
                 inputs->fill(realization, values);
               }};
}

const std::vector<GermMap>& StudyInputs::germ_maps() const {
  static const std::vector<GermMap> none;
  return random_        ? random_->germ_maps()
         : chaos_       ? chaos_->germ_maps()
         : sensitivity_ ? sensitivity_->random().germ_maps()
         : reliability_ ? reliability_->random().germ_maps()
                        : none;
}

std::uint64_t StudyInputs::realizations() const {
  if (variability_) return variability_->realizations();
  if (chaos_) return chaos_->realizations();
  if (worst_case_) return most_worst_case_runs(file_, *worst_case_);
  if (reliability_) {
    const ReliabilityRequest& request = *file_.study->study.reliability;
    const int check = request.cross_check ? request.cross_check_runs.value_or(request.runs) : 0;
    return static_cast<std::uint64_t>(request.runs) + static_cast<std::uint64_t>(check);
  }
  if (file_.study->study.method == StudyMethod::multilevel) return 0;  // found on the way
  const auto asked = static_cast<std::uint64_t>(file_.study->study.realizations.value());
  return sensitivity_ ? sensitivity_->blocks_in(asked) * sensitivity_->block() : asked;
}

std::uint64_t StudyInputs::available() const {
  const ModelFile& file = file_;
  if (file.study->study.method == StudyMethod::table) return file.study->inputs.rows();
  if (worst_case_) return worst_case_->points().rows();
  // Draws of a Latin hypercube depend on how many there are; others go on for ever.
  const bool open =
      sensitivity_ || (random_ && file.study->study.method != StudyMethod::latin_hypercube);
  return open ? std::uint64_t{1} << 32 : realizations();
}

Sampling StudyInputs::sampling() const {
  Sampling sampling;
  if (sensitivity_) {
    sampling.block = sensitivity_->block();
    sampling.effective_fraction = 1 / static_cast<double>(sampling.block);
  }
  if (!random_) return sampling;
  sampling.randomizations = random_->design().randomizations();
  for (const ChainSummary& chain : random_->chains())
    sampling.effective_fraction =
        std::min(sampling.effective_fraction.value_or(1.0), chain.effective_fraction);
  return sampling;
}

std::vector<std::string> StudyInputs::warnings() const {
  std::vector<std::string> sentences = input_warnings();
  std::ranges::move(excitation_warnings(file_.model), std::back_inserter(sentences));
  std::ranges::move(beam_warnings(file_.model), std::back_inserter(sentences));
  return sentences;
}

std::vector<std::string> StudyInputs::input_warnings() const {
  if (random_) return random_->warnings();
  if (sensitivity_) return sensitivity_->random().warnings();
  if (reliability_) return reliability_->random().warnings();
  if (chaos_) return chaos_->warnings();
  if (worst_case_) return worst_case_->warnings();
  if (variability_) return variability_->warnings();
  if (file_.uncertainty->empty()) return {};
  return {"study.method is table: the section uncertainty is not used"};
}

void describe_inputs(const StudyInputs& inputs, ResultsMetadata& metadata) {
  if (inputs.laws() == nullptr) return;
  metadata.attributes.emplace_back("laws", laws_json(*inputs.laws()).dump());
  std::string notes;
  for (const std::string& note : inputs.laws()->announcements()) notes += note + "\n";
  if (!notes.empty()) metadata.attributes.emplace_back("fields", notes);
  std::string maps;
  for (const GermMap& map : inputs.germ_maps()) maps += to_string(map) + "\n";
  if (!maps.empty()) metadata.attributes.emplace_back("germ_maps", maps);
  const RandomInputs* random = inputs.random();
  if (random == nullptr) return;
  if (const auto copies = random->design().randomizations(); copies > 0)
    metadata.attributes.emplace_back("randomizations", std::to_string(copies));
  std::string chains;
  for (const ChainSummary& chain : random->chains()) chains += to_string(chain) + "\n";
  if (!chains.empty()) metadata.attributes.emplace_back("chains", chains);
}

}  // namespace tumble
