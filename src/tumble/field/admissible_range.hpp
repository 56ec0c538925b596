// Values of a field with which no body can exist: how likely they are, and whether a realisation
// has one.
#pragma once
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tumble/field/field_map.hpp"

namespace tumble {

/// lower < value < upper
struct AdmissibleRange {
  std::string_view quantity;
  std::string_view unit;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

inline constexpr AdmissibleRange admissible_young_modulus{
    .quantity = "Young's modulus", .unit = "Pa", .lower = 0};
/// Of a stable isotropic material.
inline constexpr AdmissibleRange admissible_poisson_ratio{
    .quantity = "Poisson's ratio", .unit = "1", .lower = -1, .upper = 0.5};
inline constexpr AdmissibleRange admissible_density{
    .quantity = "density", .unit = "kg/m^3", .lower = 0};

/// Probability that a realisation leaves a range at one or more of the points of a map.
struct ExitProbability {
  std::vector<double> at_points;  ///< exact, of the expansion that the map is made of
  std::size_t worst_point = 0;
  double at_least = 0;  ///< the largest of at_points
  /// The smaller of two bounds: the sum of at_points; and P(|xi| >= d), as a germ shorter than d,
  /// the distance from the origin to the closest germ that leaves the range, cannot.
  double at_most = 0;
};

ExitProbability exit_probability(const FieldMap& map, const AdmissibleRange& range);

/// A sentence for users, before a run: the chance, and what happens to such realisations.
std::string exit_announcement(const ExitProbability& probability, const AdmissibleRange& range);

struct InadmissibleValue {
  std::size_t point;
  double value;
};

/// The first value outside the range (or not a number), if there is one.
std::optional<InadmissibleValue> find_inadmissible(std::span<const double> field,
                                                   const AdmissibleRange& range);
/// "Young's modulus = -3 Pa at integration point 7 must be greater than 0 Pa", with the name of the
/// place.
std::string inadmissible_message(const InadmissibleValue& found, const AdmissibleRange& range,
                                 std::string_view place);

}  // namespace tumble
