// Where the numbers of a study's realisations come from: a table, the laws of its random inputs,
// blocks of draws that share random numbers, the points of polynomial chaos, or those that a method
// of reliability or a worst-case study asks for.
#pragma once
#include <memory>

#include "tumble/inputs/chaos_inputs.hpp"
#include "tumble/inputs/random_inputs.hpp"
#include "tumble/inputs/reliability_inputs.hpp"
#include "tumble/inputs/sensitivity_inputs.hpp"
#include "tumble/inputs/variability_inputs.hpp"
#include "tumble/inputs/worst_case_inputs.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/io/results/results_file.hpp"
#include "tumble/study/ensemble.hpp"
#include "tumble/study/sampling.hpp"

namespace tumble {

/// What the study says about draws; without a study those of Monte Carlo.
DesignParameters sampling_of(const ModelFile& file);

/// The laws and their design. What is wrong with them is told by an InputError at its line.
std::unique_ptr<const RandomInputs> random_inputs(const ModelFile& file,
                                                  const DesignParameters& sampling);

/// One line: settings, acceptance and effective sample size.
std::string to_string(const ChainSummary& chain);

/// The inputs of `file.study`; `file` must outlive it.
class StudyInputs {
 public:
  explicit StudyInputs(const ModelFile& file);

  const EnsembleInputs& ensemble() const { return ensemble_; }
  const std::vector<std::string>& paths() const { return paths_; }
  /// Null unless the numbers are draws.
  const RandomInputs* random() const { return random_.get(); }
  /// Null unless the study is one of sensitivity.
  const SensitivityInputs* sensitivity() const { return sensitivity_.get(); }
  /// Null unless the numbers are points of polynomial chaos.
  const ChaosInputs* chaos() const { return chaos_.get(); }
  /// Null unless the numbers are waves of a flexibility.
  const VariabilityInputs* variability() const { return variability_.get(); }
  /// Null unless a method of reliability chooses the points.
  const ReliabilityInputs* reliability() const { return reliability_.get(); }
  /// Null unless inputs are known by intervals only.
  const WorstCaseInputs* worst_case() const { return worst_case_.get(); }
  /// Null if the numbers come from a table or are waves.
  const RandomLaws* laws() const {
    return random_        ? &random_->laws()
           : chaos_       ? &chaos_->laws()
           : sensitivity_ ? &sensitivity_->random().laws()
           : reliability_ ? &reliability_->random().laws()
           : worst_case_  ? &worst_case_->laws()
                          : nullptr;
  }
  /// Laws that are reached through maps of independent numbers.
  const std::vector<GermMap>& germ_maps() const;
  /// How many there are, at most with a stopping rule.
  std::uint64_t realizations() const;
  /// How many there could be: all rows of a table, whatever the study takes of them.
  std::uint64_t available() const;
  /// How realisations depend on each other. Rows of a table count as independent.
  Sampling sampling() const;
  /// What to tell the user before the study begins.
  std::vector<std::string> warnings() const;

 private:
  /// All of ensemble_ but the germs of random drives.
  void choose();
  std::vector<std::string> input_warnings() const;

  const ModelFile& file_;
  std::unique_ptr<const RandomInputs> random_;
  std::unique_ptr<const ChaosInputs> chaos_;
  std::unique_ptr<const SensitivityInputs> sensitivity_;
  std::unique_ptr<const VariabilityInputs> variability_;
  std::unique_ptr<const ReliabilityInputs> reliability_;
  std::unique_ptr<const WorstCaseInputs> worst_case_;
  EnsembleInputs ensemble_;
  std::vector<std::string> paths_;
};

/// Adds to the attributes of results: the laws as solved, the design, and how the chains mixed.
void describe_inputs(const StudyInputs& inputs, ResultsMetadata& metadata);

}  // namespace tumble
