// Which variables the results files of a sweep's points have in common.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tumble/io/netcdf/netcdf_reader.hpp"
#include "tumble/io/results/sweep_results.hpp"

namespace tumble {

struct SweepStructure {
  using Variable = NetcdfReader::Variable;
  std::size_t model = 0;              ///< the first point with results; the others are like it
  std::vector<Variable> coordinates;  ///< the same at all points
  std::vector<Variable> stacked;      ///< of the same shape at all points
  /// Over the dimension `failure`, whose length is a point's own; a point without failures has
  /// none.
  std::vector<Variable> failures;
  std::vector<std::size_t> failure_counts;  ///< a point
  std::vector<long> realizations, failed;   ///< a point
  std::set<std::string> left_out;
  /// Stacked variables that some points do not have, with how many: they have NaN there. Bounds of
  /// what failed realisations could have been are only where some failed.
  std::map<std::string, std::size_t> missing;
  /// The first point that has a stacked variable, where that is not `model`.
  std::map<std::string, std::size_t> first_with;
  std::string germ_maps;  ///< of all points, one line a map
  /// Attributes of stacked variables that say what holds at one point and need not at another, with
  /// the text for all of them; none if what the points say is dropped.
  std::map<std::string, std::map<std::string, std::optional<std::string>>> restated;
  std::uint64_t text_bytes = 0;  ///< the most that text will take in the file
};

/// @throws std::invalid_argument if no point has results.
SweepStructure common_structure(const std::vector<SweepPoint>& points);

}  // namespace tumble
