// The error of the time integration, estimated from a second run with half the steps.
//
// With p the order of the method, e the error of the run and y' the run with half the steps,
//   y - y' = e - e/2ᵖ + O(hᵖ⁺¹),   hence   e ≈ 2ᵖ/(2ᵖ - 1) (y - y')
// (Richardson). The finer run is taken, not a coarser one: outputs may be a single step apart, and
// where the order is not yet seen, |y - y'| is still about e as long as y' is better than y.
// docs/theory/integration.md#time-error
#pragma once
#include "tumble/integrate/run.hpp"

namespace tumble {

/// The error of values of a quantity, given those of the run with half the steps: one number a
/// component, with its sign. Angles are compared modulo a turn, quaternions up to their sign.
/// @param order of the method, Simulation::order()
void time_error(int order, Quantity quantity, int components, const double* values,
                const double* finer, double* error);

/// Repeats the run of `model` that left `trajectory` with half the steps, and fills in the errors
/// of its series. If the repetition fails, errors from there on are NaN, and a warning says so.
void add_time_error(const Plan& plan, const Model& model, Trajectory& trajectory,
                    const RunOptions& options = {});

/// The largest estimate of any component over the run, over the largest value: 0 of a quantity that
/// stays zero; NaN is passed over.
double relative_time_error(const ProbeSeries& series);

}  // namespace tumble
