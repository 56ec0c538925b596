// Where and how fast a run starts, and what of it differs from the description.
#pragma once
#include "tumble/integrate/step/integrator.hpp"

namespace tumble {

/// The state an integrator starts with. A described start that joints allow is left as it is, and
/// so is one that they nearly allow: the integrator's own assembly finds the nearest.
/// `inside` is a time inside the first step.
/// @throws SimulationError if the joints cannot be assembled, InputError if a joint's start is out
/// of reach or contradicted.
InitialState described_start(const Plan& plan, const Model& model,
                             const std::vector<double>& constants, double inside);

/// The described start, or the equilibrium that is found from there, as the model asks for. What
/// is doubtful about an equilibrium is added to `warnings`.
/// @throws SimulationError also if there is no equilibrium.
InitialState start_state(const Plan& plan, const Model& model, const std::vector<double>& constants,
                         double inside, std::vector<std::string>* warnings = nullptr);

/// What joints did not allow of the described start, the largest change first. Motions that drives
/// and starts of joints give are not among it. `started` is an integrator just after its first
/// restart().
std::vector<StartChange> start_changes(const Plan& plan, const Model& model,
                                       const std::vector<double>& constants, double inside,
                                       Integrator& started);

/// Whether a study that sets these parameters may make starts differ from the description where
/// the nominal one does not, or the other way round: those of places, joints, drives and
/// velocities. The centre of mass may do so only where velocities, which are its own, are given;
/// masses decide how much a start changes, not whether.
bool may_change_start(const Model& model, const std::vector<std::string>& paths);

/// A sentence for each change, of many for the largest alone.
std::vector<std::string> describe(const std::vector<StartChange>& changes);

/// @throws InputError if the model refuses changes of its start and there are some.
void refuse_changed_start(const Model& model, const std::vector<StartChange>& changes);

}  // namespace tumble
