// The results of a run as CSV, one file a probe, for spreadsheets and quick plots.
//
//   time,position_x [m],position_y [m],position_z [m],kinetic_energy [J]
//
// Numbers are the shortest decimals that read back as the same double.
#pragma once
#include <string>
#include <vector>

#include "tumble/integrate/trajectory.hpp"

namespace tumble {

struct CsvFile {
  std::string name;  ///< "pobs.csv"
  std::string content;
};

/// `<probe>.csv` with the values at the output times (left limits at break points) and, if drives
/// have break points, `<probe>.right.csv` with the right limits there.
std::vector<CsvFile> results_csv(const Trajectory& trajectory);

/// The names alone, without a run: what results_csv() would give for these probes.
std::vector<std::string> csv_names(const std::vector<Probe>& probes, bool breaks);

}  // namespace tumble
