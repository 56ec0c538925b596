#include "tumble/model/compile/table_curve.hpp"

#include "tumble/math/cubic_spline.hpp"

namespace tumble {

void write_table(const TableDrive& drive, double* out) {
  const auto& [file, x, y] = drive.table;
  const CubicSpline curve(static_cast<int>(x.size()));
  switch (drive.interpolation) {
    case Interpolation::cubic:
      return curve.write_natural(x, y, out);
    case Interpolation::linear:
      return curve.write_linear(x, y, out);
    case Interpolation::monotone:
      return curve.write_monotone(x, y, out);
    case Interpolation::hold:
      return curve.write_steps(x, y, out);
  }
}

}  // namespace tumble
