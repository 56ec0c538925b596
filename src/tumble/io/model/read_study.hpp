// The study section of a model file.
#pragma once
#include "tumble/io/model/read_context.hpp"
#include "tumble/io/model/study_sections.hpp"

namespace tumble {

/// What differs from one run of a model file to the next.
struct Variation {
  bool inputs = false;   ///< there is a section `uncertainty` with something in it
  bool excited = false;  ///< there are random drives
};

/// Reads the fields of the section and checks their values.
void read_study(ReadContext& context, const Node& node, const Variation& variation, Study& study);

/// Of a study of variability response: the flexibility of its beam becomes a field of the model.
void attach_waves(ReadContext& context, const Node& node, const Study& study, Model& model);

/// Once the model is known to be good: checks what the study asks of it, reads the files the study
/// refers to, and what depends on them: the number of realisations.
void read_study_files(ReadContext& context, const Node& node, const Model& model,
                      StudyFile& result);

/// The effective YAML less what may differ between runs that continue each other: the number of
/// realisations, what decides it, how many may fail, and what is only made from finished ones.
std::string study_identity_yaml(Node root);

}  // namespace tumble
