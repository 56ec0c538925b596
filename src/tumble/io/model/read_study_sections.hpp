// The sections of a model file on what is made of the machine's runs, apart from those on the
// machine: who wants the machine alone (machine_reader.hpp) links nothing of studies.
#pragma once
#include "tumble/io/model/read_context.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/model/study/quantity_of_interest.hpp"
#include "tumble/model/study/uncertainty.hpp"

namespace tumble {

/// A file whose machine has been read.
struct StudyPlace {
  ReadContext& context;
  const Node& root;
  std::vector<Diagnostic>& errors;  ///< those of the context
  std::vector<QuantityOfInterest>& quantities;
  Uncertainty& uncertainty;
  ModelFile& file;
};
using StudyReader = void(const StudyPlace&);

/// What is beyond the machine; null: it is left out, or refused.
struct ReadersBeyond {
  StudyReader* study = nullptr;
  ResultsTableReader* results_table = nullptr;
  ModalFileReader* modal_file = nullptr;
};

/// read_model_text(), with what `beyond` reads.
ModelFile read_sections(std::string_view text, const std::string& file_name,
                        const std::vector<std::string>& overrides, const ReadersBeyond& beyond);

}  // namespace tumble
