#include "tumble/model/compile/integral_drive.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "tumble/math/cubic_spline.hpp"
#include "tumble/model/compile/table_curve.hpp"

namespace tumble {
namespace {

int length(const auto& list) { return static_cast<int>(list.size()); }
std::size_t at(int i) { return static_cast<std::size_t>(i); }

int find_drive(const std::vector<Drive>& drives, const DriveRef& reference) {
  const auto found = std::ranges::find(drives, reference.name, &Drive::name);
  if (found == drives.end()) throw std::logic_error("no drive is named " + reference.name);
  return static_cast<int>(found - drives.begin());
}

/// A function that can be integrated: a polynomial in t - centre for each piece, and from `start`
/// on amplitude sin(omega (t - start) + phase).
struct Primitive {
  std::vector<double> knots, centre;
  std::vector<std::vector<double>> piece;
  bool harmonic = false;
  double start = 0, omega = 0, phase = 0, amplitude = 0;

  void add(double from, std::vector<double> coefficients) {
    centre.push_back(from);
    piece.push_back(std::move(coefficients));
  }
  std::size_t piece_at(double t) const {
    return static_cast<std::size_t>(std::upper_bound(knots.begin(), knots.end(), t) -
                                    knots.begin());
  }
  double polynomial(std::size_t i, double t) const {
    return polynomial_at(piece[i].data(), length(piece[i]), t - centre[i]);
  }
  double wave(double t) const { return amplitude * sin(omega * (t - start) + phase); }
  double operator()(double t) const {
    return polynomial(piece_at(t), t) + (harmonic && t >= start ? wave(t) : 0.0);
  }
};

Primitive primitive(const ConstantDrive& d) {
  Primitive p;
  p.add(0, {d.value});
  return p;
}
Primitive primitive(const PolynomialDrive& d) {
  Primitive p;
  p.add(d.origin, d.coefficients);
  return p;
}
/// Of n knots with constants of a CubicSpline; held constant outside.
Primitive of_spline(const std::vector<double>& knots, const std::vector<double>& c, int degree) {
  Primitive p;
  p.knots = knots;
  const auto n = knots.size();
  const auto padded = [degree](double value) {
    std::vector<double> coefficients(at(degree + 1), 0.0);
    coefficients[0] = value;
    return coefficients;
  };
  p.add(knots.front(), padded(c[n]));
  for (std::size_t i = 0; i + 1 < n; ++i) {
    std::vector<double> coefficients;
    for (int k = 0; k <= degree; ++k) coefficients.push_back(c[n * at(k + 1) + i]);
    p.add(knots[i], coefficients);
  }
  p.add(knots.back(), padded(c[2 * n - 1]));
  return p;
}
Primitive primitive(const PiecewiseLinearDrive& d) {
  const CubicSpline lines(length(d.times));
  std::vector<double> c(at(lines.constants_size()));
  lines.write_linear(d.times, d.values, c.data());
  return of_spline(d.times, c, 1);
}
Primitive primitive(const PiecewiseConstantDrive& d) {
  const CubicSpline steps(length(d.times));
  std::vector<double> c(at(steps.constants_size()));
  steps.write_steps(d.times, d.values, c.data());
  return of_spline(d.times, c, 0);
}
Primitive primitive(const TableDrive& d) {
  const CubicSpline spline(length(d.table.x));
  std::vector<double> c(at(spline.constants_size()));
  write_table(d, c.data());
  return of_spline(d.table.x, c, 3);
}
Primitive primitive(const SmoothStepDrive& d) {
  Primitive p;
  p.knots = {d.start, d.end};
  const double rise = d.to - d.from, r = d.end > d.start ? 1 / (d.end - d.start) : 0.0;
  const double r3 = r * r * r;
  p.add(d.start, {d.from, 0, 0, 0, 0, 0});
  p.add(d.start, {d.from, 0, 0, 10 * rise * r3, -15 * rise * r3 * r, 6 * rise * r3 * r * r});
  p.add(d.end, {d.to, 0, 0, 0, 0, 0});
  return p;
}
Primitive primitive(const HarmonicDrive& d) {
  Primitive p;
  p.knots = {d.start};
  p.add(d.start, {d.offset + d.amplitude * sin(d.phase)});
  p.add(d.start, {d.offset});
  p.harmonic = true;
  p.start = d.start;
  p.omega = 2 * std::numbers::pi * d.frequency;
  p.phase = d.phase;
  p.amplitude = d.amplitude;
  return p;
}
template <class Kind>
Primitive primitive(const Kind&) {
  throw std::logic_error("this drive has no integral in closed form");
}

/// The integral that vanishes at t = 0.
Primitive integrated(Primitive p) {
  if (p.harmonic && p.omega == 0) {  // it stands still: a constant from its start on
    for (std::size_t i = 0; i < p.piece.size(); ++i)
      if (i > 0) p.piece[i][0] += p.amplitude * sin(p.phase);
    p.amplitude = 0;
  } else if (p.harmonic) {
    p.amplitude /= p.omega;
    p.phase -= std::numbers::pi / 2;
  }
  for (auto& coefficients : p.piece) {
    coefficients.insert(coefficients.begin(), 0.0);
    for (std::size_t k = 1; k < coefficients.size(); ++k) coefficients[k] /= static_cast<double>(k);
  }
  // One piece goes on where the last ended, and so does the wave where it begins.
  for (std::size_t i = 1; i < p.piece.size(); ++i) {
    const double t = p.knots[i - 1];
    const double wave = p.harmonic ? p.wave(t) : 0.0;
    p.piece[i][0] += p.polynomial(i - 1, t) - p.polynomial(i, t) - wave;
  }
  const double first = p(0);
  for (auto& coefficients : p.piece) coefficients[0] -= first;
  return p;
}

Primitive term_primitive(const std::vector<Drive>& drives, const IntegralTerm& term) {
  Primitive p =
      std::visit([](const auto& kind) { return primitive(kind); }, drives[at(term.drive)].kind);
  for (int i = 0; i < term.order; ++i) p = integrated(std::move(p));
  return p;
}

/// Goes down through sums and integrals: initial(order, value) for each integral, base(drive,
/// order) for what is integrated.
template <class Initial, class Base>
void walk(const std::vector<Drive>& drives, int drive, int order, const Initial& initial,
          const Base& base) {
  const DriveKind& kind = drives[at(drive)].kind;
  if (const auto* integral = std::get_if<IntegralDrive>(&kind)) {
    initial(order, integral->initial);
    walk(drives, find_drive(drives, integral->of), order + 1, initial, base);
  } else if (const auto* sum = std::get_if<SumDrive>(&kind)) {
    for (const DriveRef& part : sum->of)
      walk(drives, find_drive(drives, part), order, initial, base);
  } else {
    base(drive, order);
  }
}

}  // namespace

int IntegralShape::numbers() const {
  int sum = initial;
  for (const IntegralTerm& term : terms) sum += term.numbers();
  return sum;
}

double count_integral_terms(const std::vector<Drive>& drives, int drive) {
  std::vector<double> count(drives.size(), -1);  // sums may share parts, and those parts others
  const auto visit = [&](const auto& self, int i) -> double {
    double& known = count[at(i)];
    if (known >= 0) return known;
    double sum = 1;
    if (const auto* integral = std::get_if<IntegralDrive>(&drives[at(i)].kind)) {
      sum = self(self, find_drive(drives, integral->of));
    } else if (const auto* parts = std::get_if<SumDrive>(&drives[at(i)].kind)) {
      sum = 0;
      for (const DriveRef& part : parts->of) sum += self(self, find_drive(drives, part));
    }
    return known = sum;
  };
  return visit(visit, drive);
}

int drive_without_integral(const std::vector<Drive>& drives, int drive) {
  int found = -1;
  walk(
      drives, drive, 0, [](int, double) {},
      [&](int base, int order) {
        const DriveKind& kind = drives[at(base)].kind;
        const bool known = std::holds_alternative<ConstantDrive>(kind) ||
                           std::holds_alternative<PiecewiseLinearDrive>(kind) ||
                           std::holds_alternative<PiecewiseConstantDrive>(kind) ||
                           std::holds_alternative<TableDrive>(kind) ||
                           std::holds_alternative<HarmonicDrive>(kind) ||
                           std::holds_alternative<PolynomialDrive>(kind) ||
                           std::holds_alternative<SmoothStepDrive>(kind);
        if (order > 0 && !known && found < 0) found = base;
      });
  return found;
}

IntegralShape integral_shape(const std::vector<Drive>& drives, int drive) {
  IntegralShape shape;
  walk(
      drives, drive, 0,
      [&](int order, double) { shape.initial = std::max(shape.initial, order + 1); },
      [&](int base, int order) {
        IntegralTerm term;
        term.drive = base;
        term.order = order;
        const Primitive p =
            std::visit([](const auto& kind) { return primitive(kind); }, drives[at(base)].kind);
        term.knots = length(p.knots);
        term.coefficients = length(p.piece.front()) + order;
        term.harmonic = p.harmonic;
        shape.terms.push_back(term);
      });
  return shape;
}

void write_integral(const std::vector<Drive>& drives, int drive, const IntegralShape& shape,
                    double* out) {
  std::fill_n(out, shape.initial, 0.0);
  walk(
      drives, drive, 0,
      [&](int order, double value) {
        double factorial = 1;
        for (int k = 2; k <= order; ++k) factorial *= k;
        out[order] += value / factorial;
      },
      [](int, int) {});
  out += shape.initial;
  for (const IntegralTerm& term : shape.terms) {
    const Primitive p = term_primitive(drives, term);
    out = std::copy(p.knots.begin(), p.knots.end(), out);
    out = std::copy(p.centre.begin(), p.centre.end(), out);
    for (const auto& coefficients : p.piece)
      out = std::copy(coefficients.begin(), coefficients.end(), out);
    if (!term.harmonic) continue;
    for (const double x : {p.start, p.omega, p.phase, p.amplitude}) *out++ = x;
  }
}

}  // namespace tumble
