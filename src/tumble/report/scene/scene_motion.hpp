// The motion behind a report's scene: poses of all bodies and beams, of the nominal run and of some
// realisations. Results hold probes only, so it is computed again from the model in the results
// file and the inputs of each realisation.
#pragma once
#include <functional>
#include <memory>

#include "tumble/integrate/plan.hpp"
#include "tumble/integrate/trajectory.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/study/ensemble.hpp"

namespace tumble::report {

/// Where beams are looked at: fractions of the length, four to an element, and the places of
/// probes.
using Stations = std::vector<double>;

/// A model with probes for its scene behind its own: for every body the position of the reference
/// point and the orientation, for every station of a beam its place and two points of the section,
/// and the energy of the whole.
struct SceneModel {
  explicit SceneModel(const Model& original);

  Model model;
  std::vector<Stations> stations;    ///< of each beam
  std::size_t own_numbers = 0;       ///< of the model's own probes, at one time
  std::size_t energy = 0;            ///< first of kinetic and potential energy, among all numbers
  std::vector<std::size_t> bodies;   ///< first of the position and quaternion of each
  std::vector<std::size_t> centres;  ///< first of the position of each centre of mass
  std::vector<std::size_t> beams;    ///< first number of the first station
  std::size_t numbers = 0;           ///< of all probes, at one time

  static constexpr std::size_t body_size = 7, station_size = 9;
  std::size_t beam_size(std::size_t beam) const { return station_size * stations[beam].size(); }
  /// Numbers of all poses at one time.
  std::size_t pose_size() const;
  /// Poses of all bodies, then of all beams, as the page has them, from the numbers of all probes.
  void poses(const double* numbers, double* out) const;
};

/// One run: [time][number] of the model's own probes, and [frame][pose].
struct SceneRun {
  std::vector<double> own, poses;
};

/// Runs and their times, chosen so that the page stays small.
struct SceneTimes {
  std::vector<std::size_t> frames;  ///< output times of the scene
  std::vector<std::size_t> shown;   ///< output times of the curves
};

SceneRun scene_run(const SceneModel& scene, const SceneTimes& times,
                   const std::vector<double>& values);

/// The nominal run, with all its numbers at all output times: [time][number].
struct NominalMotion {
  std::vector<double> values;
  RunStatistics statistics;
};
/// @throws SimulationError
NominalMotion nominal_motion(const Plan& plan, const SceneModel& scene);

/// How many realisations are drawn: those of small machines cost next to nothing, those of large
/// ones seconds. By counted work and not by a clock, so that a page is the same on every computer.
std::size_t affordable_runs(const System& system, const RunStatistics& nominal, std::size_t most);

/// Runs `count` realisations of `inputs`: the places of those that ended well, with their runs.
std::vector<std::pair<std::size_t, SceneRun>> realized_motions(const Plan& plan,
                                                               const SceneModel& scene,
                                                               const SceneTimes& times,
                                                               const EnsembleInputs& inputs,
                                                               std::size_t count);

/// The mean of poses; quaternions are brought to the side of the nominal one, summed and scaled.
std::vector<double> mean_poses(const SceneModel& scene, const std::vector<double>& nominal,
                               const std::vector<std::pair<std::size_t, SceneRun>>& runs);

}  // namespace tumble::report
