// From random matrices as described to the numbers that they are made of.
#pragma once
#include <vector>

#include "tumble/base/diagnostic.hpp"
#include "tumble/model/model.hpp"
#include "tumble/model/study/uncertainty.hpp"

namespace tumble {

/// Gives the model its random matrices, and `uncertainty` the laws of the independent numbers they
/// are made of, as scalars. @returns what cannot be: dispersions out of range, means that are not
/// symmetric and positive definite, numbers that follow a law of their own.
std::vector<Diagnostic> attach_matrices(Model& model, Uncertainty& uncertainty);

}  // namespace tumble
