// What an FMU says of itself: modelDescription.xml of FMI 3.0, and the token that ties it to the
// model beside it.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "tumble/fmu/variable_list.hpp"
#include "tumble/io/model_reader.hpp"

namespace tumble {

/// Where the text of the model lies among the resources of an FMU.
inline constexpr const char* fmu_model_file = "model.yaml";
/// Names in LogCategories, from everything to the worst.
inline constexpr const char* log_all = "logAll";
inline constexpr const char* log_warning = "logStatusWarning";
inline constexpr const char* log_error = "logStatusError";

/// Made of the model's text, the files that it refers to and the version of the program: who has it
/// from another modelDescription.xml gets no instance.
std::string instantiation_token(const ModelFile& file);

/// An identifier of C made of the name of a file: names the binary.
std::string model_identifier(const std::filesystem::path& model);

/// An FMU has steps of a given size. @throws InputError
void require_step(const Model& model, const std::string& path);
/// Files that a model refers to go into its FMU. @throws InputError if one lies elsewhere.
void require_files_below(const ModelFile& file, const std::string& path);

std::string model_description(const ModelFile& file, const std::vector<FmuVariable>& variables,
                              const std::string& identifier);

}  // namespace tumble
