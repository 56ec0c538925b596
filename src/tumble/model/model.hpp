// The description of a machine: names and numbers, no computation.
//
// A Model comes from a file (io) or is filled in code; both go through the same check() and the
// same compile(). Nothing here knows how motion is computed.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tumble/base/diagnostic.hpp"
#include "tumble/model/beam.hpp"
#include "tumble/model/beam_field.hpp"
#include "tumble/model/body.hpp"
#include "tumble/model/coupler.hpp"
#include "tumble/model/drive.hpp"
#include "tumble/model/event.hpp"
#include "tumble/model/force.hpp"
#include "tumble/model/joint.hpp"
#include "tumble/model/probe.hpp"
#include "tumble/model/random_matrix.hpp"
#include "tumble/model/simulation.hpp"
#include "tumble/model/user_element.hpp"

namespace tumble {

struct Model {
  std::string title;
  Vec3d gravity;  ///< [m/s^2], ground axes
  std::vector<Marker> ground_markers;
  std::vector<Body> bodies;
  std::vector<Beam> beams;
  std::vector<BeamField> fields;       ///< of the beams' material; see attach_fields()
  std::vector<RandomMatrix> matrices;  ///< of elements; see attach_matrices()
  std::vector<Joint> joints;
  std::vector<Coupler> couplers;
  std::vector<Force> forces;
  std::vector<Drive> drives;
  std::vector<StateVariable> states;
  std::vector<Event> events;
  std::vector<Probe> probes;
  Simulation simulation;

  /// Elements only code can supply.
  std::vector<UserEntry<UserForce>> user_forces;
  std::vector<UserEntry<UserConstraint>> user_constraints;

  /// Where each path ("bodies.rb5.mass") was written, if the model came from a file.
  std::map<std::string, SourceLocation> locations;
};

/// Every mistake in the model: ranges, names, references, physical admissibility.
std::vector<Diagnostic> check(const Model& model);

/// The location of a path or of its nearest ancestor that has one.
SourceLocation locate(const Model& model, const std::string& path);

}  // namespace tumble
