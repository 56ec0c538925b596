// The curve through the rows of a drive's table.
#pragma once
#include "tumble/model/drive.hpp"

namespace tumble {

/// Constants of the CubicSpline over its rows, as its interpolation asks for.
void write_table(const TableDrive& drive, double* out);

}  // namespace tumble
