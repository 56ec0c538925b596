// From a Model to a System, and from other numbers of the same structure to constants.
#pragma once
#include "tumble/model/system.hpp"

namespace tumble {

/// What becomes of coordinates that joints impose as functions of time: they cost neither unknowns
/// nor multipliers when eliminated; tests of the joints' own equations keep them.
enum class PrescribedMotion { eliminate, keep };

/// Checks and compiles. @throws InputError with every mistake.
std::shared_ptr<const System> compile(const Model& model,
                                      PrescribedMotion motion = PrescribedMotion::eliminate);

/// The constants kernels read, for the numbers of `model`, which differs from the nominal one in
/// its slots only. Whoever changes slots sees to it that check() still passes.
std::vector<double> prepare(const System& system, const Model& model);

/// As the model describes it.
InitialState initial_state(const System& system, const Model& model);

}  // namespace tumble
