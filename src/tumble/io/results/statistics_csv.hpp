// The statistics of a study as CSV, for spreadsheets and quick plots: what its results file holds
// over time, one file for each probe and quantity,
//
//   time,count,nominal_x [m],mean_x [m],mean_se_x [m],...,quantile_0.05_x [m],...,region_upper_x
//   [m]
//
// and one with a row for each quantity of interest. Numbers are as in results_csv.hpp.
#pragma once
#include <filesystem>

#include "tumble/io/results/results_csv.hpp"
#include "tumble/model/study/quantity_of_interest.hpp"

namespace tumble {

/// `<probe>.<quantity>.statistics.csv`, and `quantities.statistics.csv` if there are quantities of
/// interest. `results`: the results file of the study whose nominal run is given.
/// @throws std::runtime_error if it cannot be read.
std::vector<CsvFile> statistics_csv(const std::filesystem::path& results, const Trajectory& nominal,
                                    const std::vector<QuantityOfInterest>& quantities);

/// The names alone.
std::vector<std::string> statistics_csv_names(const std::vector<Probe>& probes,
                                              const std::vector<QuantityOfInterest>& quantities);

}  // namespace tumble
