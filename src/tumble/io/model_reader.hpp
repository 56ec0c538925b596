// From a model file to a Model, with every mistake reported at once.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tumble/io/model/read_study.hpp"
#include "tumble/model/model.hpp"
#include "tumble/model/study/quantity_of_interest.hpp"
#include "tumble/model/study/uncertainty.hpp"

namespace tumble {

struct ModelFile {
  Model model;
  std::string effective_yaml;  ///< the file after overrides, in a canonical layout
  std::vector<std::pair<std::string, std::string>> referenced_files;  ///< path, SHA-256
  std::vector<QuantityOfInterest> quantities;
  Uncertainty uncertainty;
  std::optional<StudyFile> study;
  std::string study_identity;  ///< see study_identity_yaml(); empty without a study
};

/// The text of a model file. @throws InputError if it cannot be read.
std::string read_model_file(const std::filesystem::path& path);

/// Reads and checks a model file. `overrides` are PATH=VALUE, applied in order before reading.
/// @throws InputError with all mistakes, sorted by line.
ModelFile read_model(const std::filesystem::path& path,
                     const std::vector<std::string>& overrides = {});

/// The same from text in memory. `file_name` is used in messages; files the model refers to are
/// looked up in its directory.
ModelFile read_model_text(std::string_view text, const std::string& file_name,
                          const std::vector<std::string>& overrides = {});

}  // namespace tumble
