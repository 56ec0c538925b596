#include "tumble/field/admissible_range.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "tumble/random/law/normal_score.hpp"

namespace tumble {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The argument of the field's law that gives the value: the value itself, or its logarithm.
double score_of(FieldLaw law, double value) {
  if (law == FieldLaw::gaussian || std::isinf(value)) return value;
  return value > 0 ? std::log(value) : -infinity;
}

/// (score - offset) / s, and its limits where the field does not vary.
double standardized(double score, double offset, double s) {
  if (s > 0) return (score - offset) / s;
  return score > offset ? infinity : score < offset ? -infinity : 0;
}

/// How many of the normal variables the field depends on.
std::size_t effective_germ_size(const ModeMatrix& modes) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < modes.terms; ++i)
    for (std::size_t p = 0; p < modes.points; ++p)
      if (modes(p, i) != 0) {
        ++count;
        break;
      }
  return count;
}

/// P(|xi| >= distance) of that many independent standard normal variables.
double tail_of_length(std::size_t dimension, double distance) {
  if (distance <= 0) return 1;
  if (dimension == 0 || std::isinf(distance)) return 0;
  return boost::math::gamma_q(0.5 * static_cast<double>(dimension), 0.5 * distance * distance);
}

std::string with_unit(double value, std::string_view unit) {
  return unit == "1" ? fmt::format("{}", value) : fmt::format("{} {}", value, unit);
}

std::string condition(const AdmissibleRange& range) {
  const std::string above = "greater than " + with_unit(range.lower, range.unit);
  const std::string below = "less than " + with_unit(range.upper, range.unit);
  if (std::isinf(range.upper)) return above;
  if (std::isinf(range.lower)) return below;
  return above + " and " + below;
}

}  // namespace

ExitProbability exit_probability(const FieldMap& map, const AdmissibleRange& range) {
  const double lower = score_of(map.law, range.lower), upper = score_of(map.law, range.upper);
  ExitProbability result;
  double sum = 0, distance = infinity;
  for (std::size_t p = 0; p < map.points(); ++p) {
    const double s = map.score_std(p);
    const double down = standardized(lower, map.offset[p], s);
    const double up = standardized(upper, map.offset[p], s);
    const bool inside = down < 0 && up > 0;
    // A field without variance is inside or it is not.
    const double chance = s > 0    ? standard_normal_cdf(down) + standard_normal_cdf(-up)
                          : inside ? 0.0
                                   : 1.0;
    if (chance > result.at_least) {
      result.at_least = chance;
      result.worst_point = p;
    }
    result.at_points.push_back(chance);
    sum += chance;
    distance = std::min({distance, -down, up});
  }
  const double radial = tail_of_length(effective_germ_size(map.modes), distance);
  // Rounding must not put a bound on the wrong side of what it bounds.
  result.at_most = std::max(result.at_least, std::min({1.0, sum, radial}));
  return result;
}

std::string exit_announcement(const ExitProbability& probability, const AdmissibleRange& range) {
  if (probability.at_most == 0)
    return fmt::format("{}: every realisation is {}.", range.quantity, condition(range));
  const std::string chance =
      probability.at_most > 1.005 * probability.at_least
          ? fmt::format("between {:.2g} and {:.2g}", probability.at_least, probability.at_most)
          : fmt::format("{:.2g}", probability.at_least);
  return fmt::format(
      "{} must be {}; the chance that a realisation is not, somewhere, is {}. Such a "
      "realisation is recorded as failed.",
      range.quantity, condition(range), chance);
}

std::optional<InadmissibleValue> find_inadmissible(std::span<const double> field,
                                                   const AdmissibleRange& range) {
  for (std::size_t p = 0; p < field.size(); ++p)
    if (!(field[p] > range.lower && field[p] < range.upper)) return InadmissibleValue{p, field[p]};
  return std::nullopt;
}

std::string inadmissible_message(const InadmissibleValue& found, const AdmissibleRange& range,
                                 std::string_view place) {
  return fmt::format("{} = {} at {} must be {}", range.quantity, with_unit(found.value, range.unit),
                     place, condition(range));
}

}  // namespace tumble
