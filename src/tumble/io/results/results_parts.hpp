// What the results of single runs and of ensembles have in common.
#pragma once
#include "tumble/io/netcdf/netcdf_writer.hpp"
#include "tumble/io/results/results_file.hpp"

namespace tumble {

/// What a variable is unless it holds values of its quantity.
struct VariableForm {
  nc_type type = NC_DOUBLE;
  std::optional<std::string> unit = {};  ///< that of the quantity if left out
  bool components = true;                ///< whether it has the quantity's dimension of components
  bool no_unit = false;                  ///< where CF has no name for it
};

/// Dimensions, coordinates and the nominal run: defined first, written once the file takes data.
class NominalPart {
 public:
  /// `alone`: the nominal run is all there is, and its time errors are those of the results; in a
  /// study only those of its right limits are.
  /// @throws std::invalid_argument if `trajectory` does not fit together.
  NominalPart(NetcdfWriter& file, const Trajectory& trajectory, bool alone);
  void put(NetcdfWriter& file) const;

  /// A variable of one quantity: `<probe>_<quantity>[_<statistic>]` over `leading` and, unless the
  /// quantity is a scalar, its components. `remark` ends its long name.
  int define(NetcdfWriter& file, const ProbeSeries& series, const std::string& statistic,
             std::vector<int> leading, const std::string& remark,
             const VariableForm& form = {}) const;
  /// The dimension of a quantity's components, axis, quat or tensor; -1 for a scalar.
  int components(const ProbeSeries& series) const {
    return series.size == 1 ? -1 : series.size == 3 ? axis_ : series.size == 4 ? quat_ : tensor_;
  }
  int time() const { return time_; }
  int break_points() const { return break_; }  ///< -1 if there are none

 private:
  const Trajectory& trajectory_;
  int time_ = -1, break_ = -1, axis_ = -1, quat_ = -1, tensor_ = -1;
  int time_variable_ = -1, axis_variable_ = -1, quat_variable_ = -1, break_variable_ = -1,
      tensor_variable_ = -1, energy_mismatch_ = -1;
  std::vector<std::pair<int, const std::vector<double>*>> data_;
  /// What joints did not allow of the described start; only where there is something.
  int changed_body_ = -1;
  struct ChangeVariable {
    int id;
    double StartChange::*value;
  };
  std::vector<ChangeVariable> changes_;

  int event_ = -1, event_time_ = -1, event_energy_ = -1;

  void define_start_changes(NetcdfWriter& file);
  void define_events(NetcdfWriter& file);
};

/// Unit and meaning of `energy_mismatch`, of one run or of each.
void describe_energy_mismatch(NetcdfWriter& file, int variable);

/// Global attributes.
void put_metadata(NetcdfWriter& file, const ResultsMetadata& metadata);
/// The same, and how the nominal run went.
void put_global_attributes(NetcdfWriter& file, const Trajectory& nominal,
                           const ResultsMetadata& metadata);

}  // namespace tumble
