// A scalar that records: dropped into a kernel in place of a double it writes down what is done to
// it, as a Program.
//
// A recording runs the kernel on several samples at once, as a batch does with its lanes, and takes
// the decisions that the batch would take: all() is true if it is true of every sample, any() if of
// one. Kernels take a general path if lanes differ, which is right for each of them whatever its
// numbers; only a short path needs a guard: that all() was true, or any() false. So a program has
// the short paths that the samples have in common, and few guards that fail near them.
#pragma once
#include <limits>
#include <span>
#include <stdexcept>

#include "tumble/math/cubic_spline.hpp"
#include "tumble/math/scalar.hpp"
#include "tumble/program/builder.hpp"

namespace tumble {

/// A kernel does something that programs cannot say. The message tells what.
struct NotRecordable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Recorded;
struct RecordedMask;

class Recorder {
 public:
  /// Records from now on what this thread does to Recorded numbers, until it is destroyed.
  Recorder(std::string name, std::size_t samples);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  int add_input(std::string name, int size);
  int add_output(std::string name, int size);
  /// A number of an input region, and what it is in each sample.
  Recorded input(int region, int index, std::span<const double> samples);
  void output(int region, int index, const Recorded& value);
  /// What was recorded, without what nothing depends on.
  Program finish();

  static Recorder& current();
  int make(Operation operation, int a, int b = -1, int c = -1);
  int literal(double value);
  bool all(const RecordedMask& mask);
  bool any(const RecordedMask& mask);
  double sample(int node, std::size_t k) const;

 private:
  std::size_t samples_;
  ProgramBuilder builder_;
  std::vector<double> values_;  ///< [node][sample]
  Recorder* outer_;
};

/// What comparing two of them yields.
struct RecordedMask {
  int node = -1;
  bool value = false;  ///< without a node: known whatever the inputs

  friend RecordedMask operator&(RecordedMask a, RecordedMask b);
  friend RecordedMask operator|(RecordedMask a, RecordedMask b);
  friend RecordedMask operator!(RecordedMask a);
  friend bool any(RecordedMask a) { return a.node < 0 ? a.value : Recorder::current().any(a); }
  friend bool all(RecordedMask a) { return a.node < 0 ? a.value : Recorder::current().all(a); }
  friend bool none(RecordedMask a) { return !any(a); }
};

/// A node of the program being recorded, or a number that is known already.
struct Recorded {
  int node = -1;
  double value = 0;

  Recorded() = default;
  /// Implicit, as in Batch. Nothing that kernels compute with is a NaN: one here stands for what is
  /// unknown while recording, such as the time.
  Recorded(double x) : value(x) {
    if (x != x)
      throw NotRecordable("it reads the time, or another number that recordings do not know");
  }

  int number() const { return node < 0 ? Recorder::current().literal(value) : node; }
  static Recorded make(Operation operation, const Recorded& a);
  static Recorded make(Operation operation, const Recorded& a, const Recorded& b);
  static Recorded make(Operation operation, const Recorded& a, const Recorded& b,
                       const Recorded& c);
  static RecordedMask compare(Operation operation, const Recorded& a, const Recorded& b);

  friend Recorded operator-(const Recorded& a) { return make(Operation::negate, a); }
  friend Recorded operator+(const Recorded& a, const Recorded& b) {
    return make(Operation::add, a, b);
  }
  friend Recorded operator-(const Recorded& a, const Recorded& b) {
    return make(Operation::subtract, a, b);
  }
  friend Recorded operator*(const Recorded& a, const Recorded& b) {
    return make(Operation::multiply, a, b);
  }
  friend Recorded operator/(const Recorded& a, const Recorded& b) {
    return make(Operation::divide, a, b);
  }
  Recorded& operator+=(const Recorded& b) { return *this = *this + b; }
  Recorded& operator-=(const Recorded& b) { return *this = *this - b; }
  Recorded& operator*=(const Recorded& b) { return *this = *this * b; }
  Recorded& operator/=(const Recorded& b) { return *this = *this / b; }
  friend Recorded fma(const Recorded& a, const Recorded& b, const Recorded& c) {
    return make(Operation::fma, a, b, c);
  }
  friend Recorded fnma(const Recorded& a, const Recorded& b, const Recorded& c) {
    return make(Operation::fnma, a, b, c);
  }
  friend Recorded sqrt(const Recorded& a) { return make(Operation::sqrt, a); }

  friend RecordedMask operator<(const Recorded& a, const Recorded& b) {
    return compare(Operation::less, a, b);
  }
  friend RecordedMask operator<=(const Recorded& a, const Recorded& b) {
    return compare(Operation::less_equal, a, b);
  }
  friend RecordedMask operator>(const Recorded& a, const Recorded& b) { return b < a; }
  friend RecordedMask operator>=(const Recorded& a, const Recorded& b) { return b <= a; }
  friend RecordedMask operator==(const Recorded& a, const Recorded& b) {
    return compare(Operation::equal, a, b);
  }
  friend RecordedMask operator!=(const Recorded& a, const Recorded& b) { return !(a == b); }

  friend Recorded select(const RecordedMask& mask, const Recorded& a, const Recorded& b);
  friend Recorded abs(const Recorded& a) { return make(Operation::abs, a); }
  friend Recorded copysign(const Recorded& size, const Recorded& sign) {
    return make(Operation::copysign, size, sign);
  }
  friend Recorded min(const Recorded& a, const Recorded& b) { return select(a < b, a, b); }
  friend Recorded max(const Recorded& a, const Recorded& b) { return select(a > b, a, b); }
  friend Recorded round(const Recorded& a) { return round_to_even(a); }
  friend Recorded power_of_two(const Recorded& n) { return make(Operation::power_of_two, n); }
  friend Recorded sin(const Recorded& x) { return elementary::sin(x); }
  friend Recorded cos(const Recorded& x) { return elementary::cos(x); }
  friend SinCos<Recorded> sincos(const Recorded& x) { return elementary::sincos(x); }
  friend Recorded exp(const Recorded& x) { return elementary::exp(x); }
  friend Recorded atan2(const Recorded& y, const Recorded& x) { return elementary::atan2(y, x); }

  // What needs the bits of a number, and not only operations on it.
  friend void load_lanes(Recorded& x, const double* lanes) { x = Recorded(*lanes); }
  friend void store_lanes(const Recorded& x, double* lanes) { *lanes = x.known(); }
  friend double first_lane(const Recorded& x) { return x.known(); }
  friend int find_interval(const Recorded*, int, const Recorded&) {
    throw NotRecordable("it looks up a table");
  }
  friend int cell_of(const Recorded&) { throw NotRecordable("it looks up a height field"); }
  friend Recorded cell_start(int cell, const Recorded&) { return Recorded(cell); }
  double known() const {
    if (node >= 0) throw NotRecordable("it looks at single lanes");
    return value;
  }
};

}  // namespace tumble
