// A model file with other values of its free parameters.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tumble/identify/maximize.hpp"
#include "tumble/inputs/input_density.hpp"
#include "tumble/io/model/study_sections.hpp"

namespace tumble {

class VariedModel {
 public:
  /// `text` of the model, `name` for messages. @throws InputError, also if a free parameter does
  /// not exist, or the model not with its least or its largest value.
  VariedModel(std::string text, std::string name, std::vector<std::string> overrides);

  /// As it is written.
  const ModelFile& file() const { return file_; }
  const Identification& request() const { return *file_.identification; }
  const std::string& name() const { return name_; }
  const ParameterBox& box() const { return box_; }
  const std::vector<double>& start() const { return start_; }

  /// @throws InputError where there is no such model.
  ModelFile at(const std::vector<double>& parameters) const;
  /// The laws of that model alone, which takes less reading. @throws InputError
  RandomLaws laws_at(const std::vector<double>& parameters) const;
  /// PATH=VALUE for every free parameter.
  std::vector<std::string> settings(const std::vector<double>& parameters) const;

  /// The random things whose laws the free parameters belong to.
  const std::set<RandomPart>& parts() const { return parts_; }
  /// For each free parameter, why there is no density ratio between its values; empty if there is.
  const std::vector<std::string>& reasons() const { return reasons_; }
  bool has_density_ratios() const;
  /// Whether the parameter changes which values are possible.
  bool moves_support(std::size_t parameter) const { return moves_support_[parameter]; }

 private:
  void find_part_with_laws();
  void check_bounds();
  void classify(std::size_t parameter);
  std::vector<double> support_at(const std::vector<double>& parameters) const;

  std::string text_, name_;
  std::vector<std::string> overrides_;
  ModelFile file_;
  std::string part_with_laws_;  ///< of the model file, overrides applied; empty: all of it
  ParameterBox box_;
  std::vector<double> start_;
  std::set<RandomPart> parts_;
  std::vector<std::string> reasons_;
  std::vector<bool> moves_support_;
};

/// The paths of all numbers that vary.
std::vector<std::string> random_paths(const ModelFile& file);

}  // namespace tumble
