// Indices of sensitivity from the runs of any finished study: no new ones.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "tumble/campaign/observer.hpp"
#include "tumble/io/results/quantity_part.hpp"

namespace tumble {

/// Sobol' indices of groups, of one probed quantity at its times or of a quantity of interest.
struct GivenDataIndices {
  std::string name;                     ///< "pobs_acceleration", "quantity_top_speed"
  std::vector<std::string> dimensions;  ///< of one value of it: time, axis; none for a scalar
  std::vector<std::size_t> sizes;
  SobolIndices alone, total;        ///< [group][time][axis]
  std::vector<std::string> axes;    ///< names; one that is empty for a scalar
  std::vector<std::size_t> widest;  ///< by axis: the time with the largest variance
  std::vector<double> times;        ///< [s]; empty for a quantity of interest
};

struct GivenDataResults {
  std::filesystem::path file;       ///< that was written
  std::vector<std::string> groups;  ///< names
  std::size_t runs = 0;             ///< that indices rest on
  std::size_t failed = 0;           ///< that are left out
  bool trajectories = false;        ///< whether values over time were to be had
  double level = 0.95;              ///< of intervals
  std::vector<GivenDataIndices> indices;
};

/// Of the study in `directory`, into `directory`/sensitivity.nc. Values over time are those that
/// results store or that the journal has kept; quantities of interest are always there.
/// @throws RequestError if there is no such study, or none whose runs are draws; InputError
GivenDataResults given_data_sensitivity(const std::filesystem::path& directory, Observer& observer);

}  // namespace tumble
