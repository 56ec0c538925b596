// Functions of time as the user describes them. How they are evaluated: drive_program.hpp.
#pragma once
#include <variant>

#include "tumble/model/entry.hpp"

namespace tumble {

struct ConstantDrive {
  double value = 0;
  static constexpr std::string_view type = "constant";
  static constexpr std::string_view doc = "u(t) = value.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"value", "", "the value, in the unit of what it drives", Range::any, true}, s.value);
  }
};

struct PiecewiseLinearDrive {
  std::vector<double> times;
  std::vector<double> values;
  static constexpr std::string_view type = "piecewise_linear";
  static constexpr std::string_view doc =
      "Straight lines between points, constant before the first and after the last.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"times", "s", "increasing", Range::any, true}, s.times);
    v(Entry{"values", "", "one for each time", Range::any, true}, s.values);
  }
};

struct TableDrive {
  Table table;
  static constexpr std::string_view type = "table";
  static constexpr std::string_view doc =
      "Natural cubic spline through the rows of a table (time, value), held constant outside.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"table", "s", "CSV file of two columns, or {x: [...], y: [...]}", Range::any, true},
      s.table);
  }
};

struct HarmonicDrive {
  double amplitude = 1;
  double frequency = 0;
  double phase = 0;
  double offset = 0;
  double start = 0;
  static constexpr std::string_view type = "harmonic";
  static constexpr std::string_view doc =
      "offset + amplitude sin(2 pi frequency (t - start) + phase) from `start` on, held at its "
      "starting value before.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"amplitude", "", "amplitude"}, s.amplitude);
    v(Entry{"frequency", "Hz", "cycles per second", Range::non_negative, true}, s.frequency);
    v(Entry{"phase", "rad", "phase at `start`"}, s.phase);
    v(Entry{"offset", "", "mean value"}, s.offset);
    v(Entry{"start", "s", "when the oscillation begins"}, s.start);
  }
};

struct PolynomialDrive {
  std::vector<double> coefficients;
  double origin = 0;
  static constexpr std::string_view type = "polynomial";
  static constexpr std::string_view doc = "c0 + c1 (t - origin) + c2 (t - origin)^2 + ...";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"coefficients", "", "c0, c1, c2, ...", Range::any, true}, s.coefficients);
    v(Entry{"origin", "s", "where powers are centred"}, s.origin);
  }
};

struct SmoothStepDrive {
  double start = 0, end = 0;
  double from = 0, to = 1;
  static constexpr std::string_view type = "smooth_step";
  static constexpr std::string_view doc =
      "From one value to another by the quintic with zero first and second derivative at both "
      "ends.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"start", "s", "when it leaves `from`", Range::any, true}, s.start);
    v(Entry{"end", "s", "when it reaches `to`; later than start", Range::any, true}, s.end);
    v(Entry{"from", "", "value before"}, s.from);
    v(Entry{"to", "", "value after"}, s.to);
  }
};

struct SumDrive {
  std::vector<DriveRef> of;
  static constexpr std::string_view type = "sum";
  static constexpr std::string_view doc = "The sum of other drives.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"of", "", "names of drives", Range::any, true}, s.of);
  }
};

struct ProductDrive {
  std::vector<DriveRef> of;
  static constexpr std::string_view type = "product";
  static constexpr std::string_view doc = "The product of other drives.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"of", "", "names of drives", Range::any, true}, s.of);
  }
};

using DriveKind = std::variant<ConstantDrive, PiecewiseLinearDrive, TableDrive, HarmonicDrive,
                               PolynomialDrive, SmoothStepDrive, SumDrive, ProductDrive>;

struct Drive {
  std::string name;
  DriveKind kind;
};

}  // namespace tumble
