#include "tumble/field/position_function.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace tumble {
namespace {

using TablePoint = PositionFunction::TablePoint;

/// By how much of its range a place may lie outside a table: ends that were computed, not typed.
constexpr double slack = 1e-9;

void check_table(const std::vector<TablePoint>& table) {
  if (table.size() < 2)
    throw std::invalid_argument(
        fmt::format("random field: a table of values over position has {} points; give two or more",
                    table.size()));
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!std::isfinite(table[i].place) || !std::isfinite(table[i].value))
      throw std::invalid_argument(
          fmt::format("random field: point {} of a table, value {} at {} m, must be finite", i + 1,
                      table[i].value, table[i].place));
    if (i > 0 && !(table[i].place > table[i - 1].place))
      throw std::invalid_argument(
          fmt::format("random field: places of a table must increase, but {} m follows {} m",
                      table[i].place, table[i - 1].place));
  }
}

double interpolate(const std::vector<TablePoint>& table, double place) {
  const double begin = table.front().place, end = table.back().place;
  const double margin = slack * (end - begin);
  if (!(place >= begin - margin && place <= end + margin))
    throw std::invalid_argument(
        fmt::format("random field: place {} m lies outside the table, which covers {} m to {} m",
                    place, begin, end));
  const double inside = std::clamp(place, begin, end);
  // The first interval whose right end is not before the place.
  const auto right =
      std::lower_bound(table.begin() + 1, table.end() - 1, inside,
                       [](const TablePoint& point, double value) { return point.place < value; });
  const auto left = right - 1;
  const double t = (inside - left->place) / (right->place - left->place);
  return (1 - t) * left->value + t * right->value;
}

}  // namespace

PositionFunction::PositionFunction(double constant)
    : function_([constant](const Vec3d&) { return constant; }) {}

PositionFunction::PositionFunction(std::function<double(const Vec3d&)> function)
    : function_(std::move(function)) {
  if (!function_) throw std::invalid_argument("random field: a function of position is empty");
}

PositionFunction PositionFunction::piecewise_linear(std::vector<TablePoint> table, Axis axis) {
  check_table(table);
  return PositionFunction([table = std::move(table), axis](const Vec3d& place) {
    return interpolate(table, place[static_cast<int>(axis)]);
  });
}

double PositionFunction::operator()(const Vec3d& place) const {
  const double value = function_(place);
  if (!std::isfinite(value))
    throw std::invalid_argument(fmt::format(
        "random field: mean or standard deviation = {} at ({}, {}, {}) m must be finite", value,
        place.x, place.y, place.z));
  return value;
}

}  // namespace tumble
