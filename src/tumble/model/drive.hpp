// Functions of time as the user describes them. How they are evaluated: drive_program.hpp.
#pragma once
#include <array>
#include <optional>
#include <variant>

#include "tumble/model/expression.hpp"

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

struct PiecewiseConstantDrive {
  std::vector<double> times;
  std::vector<double> values;
  static constexpr std::string_view type = "piecewise_constant";
  static constexpr std::string_view doc =
      "Each value from its time on, the first one also before: it jumps from one to the next, and "
      "so cannot impose a motion.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"times", "s", "increasing", Range::any, true}, s.times);
    v(Entry{"values", "", "one for each time", Range::any, true}, s.values);
  }
};

/// How a drive goes from row to row of its table.
enum class Interpolation { cubic, linear, monotone, hold };
inline constexpr std::array<std::string_view, 4> interpolation_names{"cubic", "linear", "monotone",
                                                                     "hold"};

struct TableDrive {
  Table table;
  Interpolation interpolation = Interpolation::cubic;
  static constexpr std::string_view type = "table";
  static constexpr std::string_view doc =
      "A curve through the rows of a table (time, value), held constant outside.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"table", "s",
            "CSV file of two columns, two columns of a longer one, {x: [...], y: [...]}, or a "
            "variable of a results file",
            Range::any, true},
      s.table);
    v(Entry{"interpolation", "",
            "`cubic`: the natural spline; `linear`: straight lines; `monotone`: cubics that do not "
            "pass the rows they connect; `hold`: each value until the next, which jumps. A step "
            "ends at every row of the last three"},
      s.interpolation);
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

// Random drives: stationary Gaussian processes of mean zero, given by their spectra. A realisation
// is made of `germs`, independent standard normal numbers that a study draws from the stream of the
// realisation and nobody writes down (docs/theory/random-excitation.md). Without germs, as in the
// nominal run, the process is zero, its mean. `germs` is no field of a model file.

struct WhiteNoiseDrive {
  double intensity = 0;
  double bandwidth = 0;
  std::optional<double> corner;
  std::optional<double> resonance;
  std::optional<double> damping;
  std::vector<double> germs;
  static constexpr std::string_view type = "white_noise";
  static constexpr std::string_view doc =
      "Band-limited Gaussian white noise: E{W(t) W(s)} = intensity delta(t - s), of which the "
      "frequencies up to `bandwidth` are there; on request behind a filter of first order "
      "(`corner`) or second order (`resonance`, `damping`). Zero in the nominal run.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"intensity", "",
            "two-sided spectral density per Hz, in the square of the unit of what it drives times "
            "s; the one-sided one is twice that",
            Range::non_negative, true},
      s.intensity);
    v(Entry{"bandwidth", "Hz",
            "the highest frequency: the same as independent values every 1 / (2 bandwidth), each "
            "of variance 2 intensity bandwidth",
            Range::positive, true},
      s.bandwidth);
    v(Entry{"corner", "Hz", "low-pass filter of first order: |H|^2 = 1 / (1 + (f / corner)^2)",
            Range::positive},
      s.corner);
    v(Entry{"resonance", "Hz",
            "low-pass filter of second order: |H|^2 = 1 / ((1 - r^2)^2 + (2 damping r)^2), r = f / "
            "resonance",
            Range::positive},
      s.resonance);
    v(Entry{"damping", "", "of the filter of second order, 1: critical", Range::positive},
      s.damping);
  }
};

/// Which part of the axis of frequencies a density is spread over.
enum class SpectrumSides { one, two };
inline constexpr std::array<std::string_view, 2> spectrum_sides_names{"one", "two"};

struct SpectrumDrive {
  Table table;
  SpectrumSides sides = SpectrumSides::one;
  std::vector<double> germs;
  static constexpr std::string_view type = "spectrum";
  static constexpr std::string_view doc =
      "Stationary Gaussian process with a table of its spectral density per Hz: straight lines "
      "between the rows, nothing outside. Zero in the nominal run.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"table", "Hz",
            "CSV file of two columns, or {x: [...], y: [...]}: frequency in Hz, density in the "
            "square of the unit of what it drives, per Hz",
            Range::any, true},
      s.table);
    v(Entry{"sides", "",
            "`one`: the variance is the integral of the density over the frequencies given; `two`: "
            "it is twice that, the density being that of f and of -f",
            Range::any, true},
      s.sides);
  }
};

/// ISO 8608:2016: classes of roads by their roughness.
enum class RoadClass { A, B, C, D, E, F, G, H };
inline constexpr std::array<std::string_view, 8> road_class_names{"A", "B", "C", "D",
                                                                  "E", "F", "G", "H"};

struct RoadDrive {
  std::optional<RoadClass> road_class;
  std::optional<double> roughness;
  double speed = 0;
  double exponent = 2;
  double from = 0.011;
  double to = 2.83;
  std::vector<double> germs;
  static constexpr std::string_view type = "road";
  static constexpr std::string_view doc =
      "Height of a rough road under a wheel (ISO 8608): displacement with the one-sided spectral "
      "density Gd(n) = Gd(n0) (n / n0)^-exponent in the spatial frequency n, n0 = 0.1 1/m, "
      "travelled at a speed. Zero in the nominal run.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"class", "",
            "of ISO 8608, by the geometric mean of its roughness: A 16e-6 m^3, and four times as "
            "much from class to class. Either this or roughness"},
      s.road_class);
    v(Entry{"roughness", "m^3", "Gd(n0)", Range::non_negative}, s.roughness);
    v(Entry{"speed", "m/s", "of the vehicle", Range::positive, true}, s.speed);
    v(Entry{"exponent", "", "waviness of the road", Range::non_negative}, s.exponent);
    v(Entry{"from", "1/m", "lowest spatial frequency", Range::positive}, s.from);
    v(Entry{"to", "1/m", "highest spatial frequency", Range::positive}, s.to);
  }
};

struct DelayedDrive {
  DriveRef of;
  std::optional<double> delay;
  std::optional<double> distance;
  static constexpr std::string_view type = "delayed";
  static constexpr std::string_view doc =
      "The same realisation of a random drive, later: u(t) = of(t - delay). For the rear axle on "
      "the road of the front axle.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"of", "", "name of a drive of type road, white_noise or spectrum", Range::any, true},
      s.of);
    v(Entry{"delay", "s", "either this or distance", Range::non_negative}, s.delay);
    v(Entry{"distance", "m", "behind, on a road: the delay is distance / speed",
            Range::non_negative},
      s.distance);
  }
};

/// What another program sets while a machine runs inside it (docs/guide/fmu.md).
struct InputDrive {
  double start = 0;
  std::optional<double> frequency;
  std::optional<double> damping;
  /// Of the filter; 1: critical.
  double damping_ratio() const { return damping.value_or(1.0); }
  static constexpr std::string_view type = "input";
  static constexpr std::string_view doc =
      "An input of an FMU: held from one communication point to the next, as it is or behind a "
      "filter of second order (`frequency`, `damping`), which an imposed motion needs. In runs "
      "and studies of the program itself it keeps its start value.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"start", "", "the value until another is set, in the unit of what it drives"}, s.start);
    v(Entry{"frequency", "Hz",
            "of a filter of second order that follows the input: x\" = w^2 (input - x) - 2 damping "
            "w x', w = 2 pi frequency, so that position, velocity and acceleration belong together",
            Range::positive},
      s.frequency);
    v(Entry{"damping", "", "of the filter; 1, critical, if left out", Range::positive}, s.damping);
  }
};

struct IntegralDrive {
  DriveRef of;
  double initial = 0;
  static constexpr std::string_view type = "integral";
  static constexpr std::string_view doc =
      "The integral of another drive over time, exactly: an imposed velocity as a motion and, of "
      "an integral, an imposed acceleration.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"of", "",
            "name of a drive made of constants, steps, polynomials, harmonics, tables, straight "
            "lines, "
            "smooth steps, sums and integrals",
            Range::any, true},
      s.of);
    v(Entry{"initial", "", "its value at t = 0"}, s.initial);
  }
};

struct ExpressionDrive {
  Expression value;
  ExpressionParameters parameters;
  static constexpr std::string_view type = "expression";
  static constexpr std::string_view doc =
      "A formula of `time` and parameters, with exact first and second derivatives. It must be "
      "smooth: where it has kinks or jumps, steps do not land on them.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"value", "", "the formula, in the unit of what it drives", Range::any, true}, s.value);
    v(Entry{"parameters", "", "numbers that the formula calls by name"}, s.parameters);
  }
};

using DriveKind =
    std::variant<ConstantDrive, PiecewiseLinearDrive, TableDrive, HarmonicDrive, PolynomialDrive,
                 SmoothStepDrive, SumDrive, ProductDrive, WhiteNoiseDrive, SpectrumDrive, RoadDrive,
                 DelayedDrive, InputDrive, IntegralDrive, ExpressionDrive, PiecewiseConstantDrive>;

struct Drive {
  std::string name;
  DriveKind kind;
};

}  // namespace tumble
