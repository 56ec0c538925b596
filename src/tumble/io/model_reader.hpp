// From a model file to a Model, with every mistake reported at once.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tumble/model/model.hpp"

namespace tumble {

struct Identification;
struct QuantityOfInterest;
struct StudyFile;
struct Uncertainty;

struct ModelFile {
  ModelFile();

  Model model;
  std::string effective_yaml;  ///< the file after overrides, in a canonical layout
  std::vector<std::pair<std::string, std::string>> referenced_files;  ///< path, SHA-256
  /// Functions that a program outside added to what was read, and a digest of each: results of
  /// others are not gone on with.
  std::vector<std::pair<std::string, std::string>> added_functions;

  // The sections on what is made of the model's runs (io/model/study_sections.hpp).
  std::shared_ptr<const std::vector<QuantityOfInterest>> quantities;  ///< never null
  std::shared_ptr<const Uncertainty> uncertainty;                     ///< never null
  std::shared_ptr<const StudyFile> study;                             ///< null: there is none
  std::shared_ptr<const Identification> identification;               ///< null: there is none
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
