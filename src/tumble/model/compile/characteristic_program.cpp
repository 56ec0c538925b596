#include "tumble/model/compile/characteristic_program.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace tumble {
namespace {

int count_numbers(const Characteristic& c) {
  switch (c.form) {
    case Characteristic::Form::linear:
      return 1;
    case Characteristic::Form::polynomial:
    case Characteristic::Form::odd_polynomial:
      return static_cast<int>(c.coefficients.size());
    case Characteristic::Form::table:
      break;
  }
  return static_cast<int>(c.table.x.size());
}

}  // namespace

CharacteristicProgram::CharacteristicProgram(const Characteristic& characteristic)
    : form_(characteristic.form),
      smooth_(characteristic.smooth),
      count_(count_numbers(characteristic)) {
  if (form_ == Form::table && count_ == 0)
    throw std::logic_error("a characteristic has an empty table");
}

int CharacteristicProgram::constants_size() const {
  return form_ == Form::table ? offset_at_zero() + 1 : count_;
}

void CharacteristicProgram::write_constants(const Characteristic& characteristic,
                                            double* out) const {
  if (characteristic.form != form_ || characteristic.smooth != smooth_ ||
      count_numbers(characteristic) != count_)
    throw std::logic_error("this is not the characteristic that was compiled");
  if (form_ == Form::linear) {
    out[0] = characteristic.slope;
  } else if (form_ != Form::table) {
    std::copy(characteristic.coefficients.begin(), characteristic.coefficients.end(), out);
  } else {
    const std::vector<double>&x = characteristic.table.x, &y = characteristic.table.y;
    // A force that jumps has no slope to iterate with, so equal x are refused here.
    if (std::adjacent_find(x.begin(), x.end(), std::greater_equal<>()) != x.end())
      throw std::invalid_argument("the points of a table must be in increasing order");
    const CubicSpline spline(count_);
    smooth_ ? spline.write_natural(x, y, out) : spline.write_linear(x, y, out);
    out[offset_at_zero()] = integral_from_first_knot<double>(out, 0.0);
  }
}

}  // namespace tumble
