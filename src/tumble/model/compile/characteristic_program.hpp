// How a scalar characteristic y(x) of a spring or damper is evaluated.
//
// As for drives, structure is here and numbers are in an array of constants per realisation.
// Outside its table a characteristic continues with the slope it has at the end, so that a spring
// pressed further than it was measured keeps pushing harder instead of giving way.
#pragma once
#include "tumble/math/cubic_spline.hpp"
#include "tumble/model/entry.hpp"

namespace tumble {

class CharacteristicProgram {
 public:
  template <class S>
  struct Value {
    S value;  ///< y
    S slope;  ///< dy/dx; at a kink of a piecewise linear table: to the right
  };

  /// An empty table, which check() reports to users, is a std::logic_error here.
  explicit CharacteristicProgram(const Characteristic& characteristic);

  int constants_size() const;

  /// Writes constants_size() numbers. The characteristic may differ from that of the constructor in
  /// its numbers only; otherwise std::logic_error.
  void write_constants(const Characteristic& characteristic, double* out) const;

  template <class S>
  Value<S> evaluate(const S* constants, const S& x) const;

  /// The integral of y from 0 to x.
  template <class S>
  S energy(const S* constants, const S& x) const;

 private:
  using Form = Characteristic::Form;

  template <class S>
  S clamp_to_table(const S* constants, const S& x) const {
    return max(constants[0], min(constants[count_ - 1], x));
  }
  template <class S>
  S integral_from_first_knot(const S* constants, const S& x) const;
  int offset_at_zero() const { return CubicSpline(count_).constants_size(); }

  Form form_;
  bool smooth_;
  int count_;  ///< coefficients, points of a table or 1
};

/// Σ c_i x^i and its derivative by Horner's rule.
template <class S>
CharacteristicProgram::Value<S> horner(const S* coefficients, int n, const S& x) {
  CharacteristicProgram::Value<S> p{S(0.0), S(0.0)};
  for (int i = n - 1; i >= 0; --i) {
    p.slope = p.slope * x + p.value;
    p.value = p.value * x + coefficients[i];
  }
  return p;
}

/// Σ c_i x^i / (i + shift): what remains of an integral after taking out x^shift.
template <class S>
S horner_integral(const S* coefficients, int n, int shift, const S& x) {
  S p(0.0);
  for (int i = n - 1; i >= 0; --i) p = p * x + S(1.0 / (i + shift)) * coefficients[i];
  return p;
}

template <class S>
CharacteristicProgram::Value<S> CharacteristicProgram::evaluate(const S* constants,
                                                                const S& x) const {
  switch (form_) {
    case Form::linear:
      return {constants[0] * x, constants[0]};
    case Form::polynomial:
      return horner(constants, count_, x);
    case Form::odd_polynomial: {  // y = x p(|x|), dy/dx = p + |x| p'
      const S size = abs(x);
      const Value<S> p = horner(constants, count_, size);
      return {x * p.value, p.value + size * p.slope};
    }
    case Form::table:
      break;
  }
  const S held = clamp_to_table(constants, x);
  const Taylor2<S> y =
      CubicSpline(count_).evaluate(constants, find_interval(constants, count_, held), held);
  return {y.value + y.rate * (x - held), y.rate};
}

template <class S>
S CharacteristicProgram::integral_from_first_knot(const S* constants, const S& x) const {
  const CubicSpline spline(count_);
  const S held = clamp_to_table(constants, x);
  const auto i = find_interval(constants, count_, held);
  const Taylor2<S> y = spline.evaluate(constants, i, held);
  const S beyond = x - held;
  return spline.integral(constants, i, held) + beyond * (y.value + S(0.5) * (y.rate * beyond));
}

template <class S>
S CharacteristicProgram::energy(const S* constants, const S& x) const {
  switch (form_) {
    case Form::linear:
      return S(0.5) * (constants[0] * (x * x));
    case Form::polynomial:
      return x * horner_integral(constants, count_, 1, x);
    case Form::odd_polynomial:
      return x * x * horner_integral(constants, count_, 2, S(abs(x)));
    case Form::table:
      break;
  }
  return integral_from_first_knot(constants, x) - constants[offset_at_zero()];
}

}  // namespace tumble
