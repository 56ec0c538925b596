// The sections of a model file on what is made of the model's runs: `quantities`, `uncertainty`,
// `study` and `identification`.
#pragma once
#include "tumble/io/model_reader.hpp"
#include "tumble/io/table/input_table.hpp"
#include "tumble/model/study/identification.hpp"
#include "tumble/model/study/quantity_of_interest.hpp"
#include "tumble/model/study/study.hpp"
#include "tumble/model/study/uncertainty.hpp"

namespace tumble {

struct StudyFile {
  Study study;
  InputTable inputs;  ///< method table
};

}  // namespace tumble
