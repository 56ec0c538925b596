// The study section of a model file.
#pragma once
#include "tumble/io/model/read_context.hpp"
#include "tumble/io/model/study_sections.hpp"

namespace tumble {

/// Reads the fields of the section and checks their values. `inputs_vary`: the file has a section
/// `uncertainty` with something in it.
void read_study(ReadContext& context, const Node& node, bool inputs_vary, Study& study);

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
