// The results of a run as a netCDF-4 file. Names, dimensions and attributes are what users' scripts
// rely on.
//
//   time(time)                          [s]
//   axis(axis) = x, y, z;  quat(quat) = w, x, y, z
//   break(break)                        [s]   only if drives have break points inside the run
//   <probe>_<quantity>_nominal(time[, axis | quat])            left limits at break points
//   <probe>_<quantity>_nominal_right(break[, axis | quat])     right limits
//   <probe>_<quantity>_time_error(time[, axis | quat])         estimated error of the integration
//   <probe>_<quantity>_time_error_right(break[, axis | quat])  in the right limits
//   quantity_<name>_nominal, _nominal_output_error             quantity_part.hpp
//   changed_body(changed_body), start_{position,rotation,velocity,angular_velocity}_change
//                                       only if joints do not allow the described start
//
// Components of a reaction that redundant conditions leave open are named by the attribute
// `undetermined` of its variables, "x z"; the global attribute `redundancy` says why.
//
// What may differ between two runs of the same model (wall time, host) is in global attributes; the
// variables are the same bit for bit.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tumble/integrate/trajectory.hpp"
#include "tumble/model/field/field_description.hpp"

namespace tumble {

struct QuantityResults;

/// Version of the library, as written to results.
std::string version();

/// Keeps HDF5 from closing files when the process ends, where it crashes if one of them could not
/// be written. For the whole process, so a matter of the program: to be called before anything is
/// read or written.
void leave_hdf5_out_of_exit();

/// What a results file says about the run besides its numbers.
struct ResultsMetadata {
  std::string title;
  std::string effective_yaml;  ///< the model as run, overrides applied
  /// Files the model refers to: path, SHA-256 in hexadecimal.
  std::vector<std::pair<std::string, std::string>> referenced_files;
  /// What a program outside added to the model: name, digest.
  std::vector<std::pair<std::string, std::string>> added_functions = {};
  double wall_time = 0;  ///< of the integration [s]
  std::string host;
  int threads = 1;
  int ranks = 1;
  std::string method = "nominal";
  long realizations = 1;
  std::optional<long> computed;  ///< of them in wall_time; the others were there before
  long failed = 0;
  std::optional<long> seed;
  std::string model_path;  ///< where a study's model was, for replaying its realisations
  /// Of what a study has in common with those that go on with it; empty without a study.
  std::string study_sha256 = {};
  std::vector<std::string> csv_files;  ///< names of the CSV files written beside the results
  /// Further global attributes, name and text, that say where the numbers come from.
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<FieldDescription> fields = {};  ///< random fields, written as fields_part.hpp says
};

/// The content of a results file. Composed in memory, so that a full disk is met by plain writes
/// with an error of their own and not inside HDF5, which cannot always close a file after one.
/// @throws std::invalid_argument if `trajectory` does not fit together.
std::string results_bytes(const Trajectory& trajectory, const ResultsMetadata& metadata);
/// With quantities of interest.
std::string results_bytes(const Trajectory& trajectory, const ResultsMetadata& metadata,
                          const std::vector<QuantityResults>& quantities);

/// Writes results_bytes() to `path`, complete or not at all. @throws std::system_error
void write_results(const std::filesystem::path& path, const Trajectory& trajectory,
                   const ResultsMetadata& metadata);

/// What tells whether results are those of a given model and version.
struct ResultsIdentity {
  std::string version;
  std::string model_sha256;
  std::string referenced_files;  ///< as in the attribute referenced_files_sha256
  std::string method;
  std::vector<std::string> csv_files;
  // What follows identifies nothing, but is read with it.
  std::string model;       ///< the effective YAML
  std::string model_path;  ///< of a study
  long realizations = 0;
  std::string time_grid = {};        ///< as in time_grid.hpp; empty if the model gives its step
  std::string study_sha256 = {};     ///< see ResultsMetadata
  std::string added_functions = {};  ///< likewise, as in the attribute of that name
};

/// The identity that results with this metadata, written by this version, would have.
ResultsIdentity identity_of(const ResultsMetadata& metadata);

/// Empty if `path` is not a results file.
std::optional<ResultsIdentity> read_results_identity(const std::filesystem::path& path);

}  // namespace tumble
