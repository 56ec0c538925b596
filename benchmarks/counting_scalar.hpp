// A double that counts what is done to it: dropped into the engine's templates it tells how many
// floating-point operations a kernel takes, whatever its author thinks.
#pragma once
#include "tumble/math/cubic_spline.hpp"
#include "tumble/math/scalar.hpp"

namespace tumble {

/// Additions, subtractions, multiplications, divisions and square roots are one operation each, a
/// fused multiply-add is two; comparing, selecting and changing signs are none.
inline long counted_operations = 0;

/// What comparing two of them yields: like the mask of a batch no bool, so that kernels treat it as
/// they treat lanes.
struct CountingMask {
  bool value = false;

  friend CountingMask operator&(CountingMask a, CountingMask b) { return {a.value && b.value}; }
  friend CountingMask operator|(CountingMask a, CountingMask b) { return {a.value || b.value}; }
  friend CountingMask operator!(CountingMask a) { return {!a.value}; }
  friend bool any(CountingMask a) { return a.value; }
  friend bool all(CountingMask a) { return a.value; }
};

struct Counting {
  double value = 0;

  Counting() = default;
  Counting(double x) : value(x) {}  // NOLINT: implicit, as in Batch

  static Counting counted(double x, long operations) {
    counted_operations += operations;
    return x;
  }

  friend Counting operator-(Counting a) { return -a.value; }
  friend Counting operator+(Counting a, Counting b) { return counted(a.value + b.value, 1); }
  friend Counting operator-(Counting a, Counting b) { return counted(a.value - b.value, 1); }
  friend Counting operator*(Counting a, Counting b) { return counted(a.value * b.value, 1); }
  friend Counting operator/(Counting a, Counting b) { return counted(a.value / b.value, 1); }
  Counting& operator+=(Counting b) { return *this = *this + b; }
  Counting& operator-=(Counting b) { return *this = *this - b; }
  Counting& operator*=(Counting b) { return *this = *this * b; }
  Counting& operator/=(Counting b) { return *this = *this / b; }
  friend Counting fma(Counting a, Counting b, Counting c) {
    return counted(fma(a.value, b.value, c.value), 2);
  }
  friend Counting fnma(Counting a, Counting b, Counting c) { return fma(-a, b, c); }
  friend Counting sqrt(Counting a) { return counted(sqrt(a.value), 1); }

  friend CountingMask operator<(Counting a, Counting b) { return {a.value < b.value}; }
  friend CountingMask operator<=(Counting a, Counting b) { return {a.value <= b.value}; }
  friend CountingMask operator>(Counting a, Counting b) { return {a.value > b.value}; }
  friend CountingMask operator>=(Counting a, Counting b) { return {a.value >= b.value}; }
  friend CountingMask operator==(Counting a, Counting b) { return {a.value == b.value}; }
  friend CountingMask operator!=(Counting a, Counting b) { return {a.value != b.value}; }

  friend Counting select(CountingMask mask, Counting a, Counting b) { return mask.value ? a : b; }
  friend Counting abs(Counting a) { return abs(a.value); }
  friend Counting copysign(Counting size, Counting sign) {
    return copysign(size.value, sign.value);
  }
  friend Counting min(Counting a, Counting b) { return min(a.value, b.value); }
  friend Counting max(Counting a, Counting b) { return max(a.value, b.value); }
  friend Counting round(Counting a) { return round_to_even(a); }
  friend Counting power_of_two(Counting n) { return counted(power_of_two(n.value), 1); }
  friend Counting sin(Counting x) { return elementary::sin(x); }
  friend Counting cos(Counting x) { return elementary::cos(x); }
  friend SinCos<Counting> sincos(Counting x) { return elementary::sincos(x); }
  friend Counting exp(Counting x) { return elementary::exp(x); }
  friend Counting atan2(Counting y, Counting x) { return elementary::atan2(y, x); }

  friend void load_lanes(Counting& x, const double* lanes) { x.value = *lanes; }
  friend void store_lanes(Counting x, double* lanes) { *lanes = x.value; }
  friend double first_lane(Counting x) { return x.value; }
  friend int find_interval(const Counting* knots, int n, Counting x) {
    return find_shared_interval(knots, n, x.value);
  }
};

}  // namespace tumble
