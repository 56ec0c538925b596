// What single values must be, for those of a model and for those of its study alike.
#pragma once
#include "tumble/model/entry.hpp"

namespace tumble {

/// No number of a model may be larger than this, whatever its unit: products of four of them, such
/// as an energy, still are numbers.
inline constexpr double largest_number = 1e30;
/// Nor a length [m] larger than this, a tenth of a light year, where the position of a body is
/// known to 0.1 m.
inline constexpr double largest_length = 1e15;
/// Nor a number that must be positive smaller than this: its square still is a number.
inline constexpr double smallest_positive = 1e-100;

/// "must be > 0" or the like; empty for a number that is finite and in range.
std::string_view range_fault(Range range, double value, std::string_view unit = {});

/// The part of a value that is wrong, and what is expected of it.
struct ValueFault {
  std::string value;
  std::string expectation;
};

/// Numbers that do not make a rotation. Numbers that are not finite are left to range_fault().
std::optional<ValueFault> orientation_fault(const Orientation& orientation);

/// "[1, 2, 3]"
std::string format_list(const double* values, std::size_t size);
std::string format_vector(const Vec3d& v);

}  // namespace tumble
