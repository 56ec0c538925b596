// Steps for a model that asks for an accuracy, before it is run.
#pragma once
#include "tumble/campaign/observer.hpp"
#include "tumble/campaign/study_inputs.hpp"
#include "tumble/integrate/plan.hpp"

namespace tumble {

/// Finds the steps from the nominal run and, in a study, from a few of its realisations, puts them
/// into `model`, and makes `plan` anew with them. Which realisations does not depend on how many
/// the study has, so that it can be extended. Does nothing if the model gives its step. With
/// `integrator: auto` the method is generalized-alpha, which alone runs in lanes. Returns warnings.
/// `inputs`: null without a study.
std::vector<std::string> settle_time_grid(Model& model, Plan& plan, const StudyInputs* inputs,
                                          int threads, Observer& observer);

/// The same for a single run. With `integrator: auto` steps of generalized-alpha and of radau are
/// found, and the method whose run costs less by counted work is put into `model` with its steps.
std::vector<std::string> settle_single_run(Model& model, Plan& plan, int threads,
                                           Observer& observer);

/// A line for the summary; empty if the model gives its step.
std::string describe_time_grid(const Simulation& simulation);

}  // namespace tumble
