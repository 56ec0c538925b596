// Conditions of joints that repeat each other.
//
// In a loop of hinges with parallel axes every hinge holds the bodies in the plane, once more than
// needed; a door on two hinges is held by the second as it is by the first. The gradient G of all
// conditions then has fewer independent rows than rows wherever the conditions hold: there are
// vectors n with Gᵀ n = 0, and to the multipliers any multiple of them may be added. The motion is
// determined, and so is every reaction in which no such n takes part.
//
// Tumble keeps all rows and makes them a little soft (docs/theory/constraints.md, Redundant
// constraints): the same operations whatever the numbers, so lanes can do it. This file finds the
// redundancy of the nominal model; redundancy_watch.hpp follows it along a run.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "tumble/model/system.hpp"

namespace tumble {

/// How soft redundant conditions are, relative to what their bodies' masses make of a multiplier:
/// φ = c₂ ε D λ, with c₂ about h²/3. Less, and rounding of φ drowns the reactions; more, and places
/// where redundant conditions do not quite hold are felt in them (docs/validation.md).
inline constexpr double condition_softness = 1e-7;

/// What all runs of a model with redundant conditions share.
struct Redundancy {
  int count = 0;  ///< conditions in excess: nc less the rank of G
  /// ε D, one a condition: D is the mean of G M⁻¹ Gᵀ over the joint's forces, or moments.
  std::vector<double> compliance;
  /// Orthonormal vectors n with Gᵀ n = 0 at the nominal start, one after the other.
  std::vector<double> null_space;
  /// Added to the diagonal of M: see ConditionGeometry::stand_ins().
  std::vector<double> stand_ins;
  /// For every number that one measurement of the probes gives: does such an n take part in it?
  std::vector<bool> undetermined;
  std::vector<double> place;  ///< positions at which all conditions hold: the start, if it is usual
  int total = 0;              ///< conditions
  std::string conditions;     ///< "joint 'left' (z, rx), joint 'right' (z)", each in its own axes
  std::string remedy;         ///< which locks to leave out

  std::string summary() const;  ///< how many and which
  std::string note() const;     ///< what a user should know
};

/// Looks for conditions that are redundant wherever the mechanism can go, at the start and at
/// places that it can reach from there: a mechanism that only starts in a singular position has
/// none. Null if there are none.
std::shared_ptr<const Redundancy> find_redundancy(const System& system);

/// False if bodies and joints form trees, which cannot have redundant conditions.
bool has_loops(const System& system);

[[noreturn]] void throw_contradiction(const Redundancy& redundancy, double time);

}  // namespace tumble
