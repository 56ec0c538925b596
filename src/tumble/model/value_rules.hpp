// What single values must be, for those of a model and for those of its study alike.
#pragma once
#include "tumble/model/field.hpp"

namespace tumble {

/// "must be > 0" or the like; empty for a number that is finite and in range.
std::string_view range_fault(Range range, double value);

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
