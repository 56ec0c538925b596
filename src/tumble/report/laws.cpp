#include "tumble/report/laws.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace tumble::report {
namespace {

std::string short_number(double value) { return fmt::format("{:.6g}", value); }

std::string vector_text(const Vec3d& v) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x, v.y, v.z);
}

std::string matrix_text(const Mat3d& m) {
  const bool diagonal = std::abs(m(0, 1)) + std::abs(m(0, 2)) + std::abs(m(1, 2)) <=
                        1e-12 * (std::abs(m(0, 0)) + std::abs(m(1, 1)) + std::abs(m(2, 2)));
  if (diagonal) return fmt::format("diag{}", vector_text({m(0, 0), m(1, 1), m(2, 2)}));
  return fmt::format("[{}, {}, {}]", vector_text(m.row(0)), vector_text(m.row(1)),
                     vector_text(m.row(2)));
}

/// Of a factor times the variable of a scalar law.
InputLaw scaled(const ScalarLaw& law, double factor) {
  const LawReport report = law.report();
  InputLaw known;
  known.words = fmt::format("{}, mean {}", report.name, short_number(factor * report.mean));
  if (report.mean != 0)
    known.words += ", cv " + short_number(report.std / std::abs(report.mean));
  else
    known.words += ", std " + short_number(std::abs(factor) * report.std);
  for (const NamedValue& p : report.parameters)
    known.parameters.emplace_back(p.name, short_number(p.value));
  if (!law.has_density() || factor == 0) return known;
  known.low = factor * law.quantile(1e-3);
  known.high = factor * law.quantile_upper(1e-3);
  if (known.low > known.high) std::swap(known.low, known.high);
  known.density = [law, factor](double x) {
    try {
      return law.pdf(x / factor) / std::abs(factor);
    } catch (const std::overflow_error&) {  // infinite at an end of the support
      return std::numeric_limits<double>::quiet_NaN();
    }
  };
  return known;
}

/// exp(-lambda x) on [low, high], Eqs. (18)-(23) of Batou & Soize (2012) for one edge of a box.
std::function<double(double)> truncated_exponential(double lambda, double low, double high) {
  return [=](double x) {
    if (x < low || x > high) return 0.0;
    const double length = high - low;
    if (std::abs(lambda * length) < 1e-9) return 1 / length;
    return lambda * std::exp(-lambda * (x - low)) / -std::expm1(-lambda * length);
  };
}

bool is_along_axes(const Domain& domain) {
  const Bounds bounds = domain.bounds();
  const Vec3d size = bounds.upper - bounds.lower;
  return domain.kind() == "box" &&
         std::abs(size.x * size.y * size.z - domain.volume()) <= 1e-9 * domain.volume();
}

InputLaw centre(const CentreLaw& law, int axis) {
  const CentreLawReport& report = law.report();
  InputLaw known;
  known.words = fmt::format("maximum entropy in a {} with the mean {}", law.domain().kind(),
                            short_number(law.mean()[axis]));
  known.parameters = {{"lambda_r", vector_text(report.lambda)},
                      {"C0", short_number(report.c0_relative)},
                      {"std", short_number(std::sqrt(report.covariance(axis, axis)))}};
  if (!is_along_axes(law.domain())) return known;
  const Bounds bounds = law.domain().bounds();
  known.low = bounds.lower[axis];
  known.high = bounds.upper[axis];
  known.density = truncated_exponential(report.lambda[axis], known.low, known.high);
  return known;
}

InputLaw inertia(const InertiaLaw& law) {
  const InertiaReport& report = law.report();
  InputLaw known;
  known.words = report.bound ? "Kummer-Beta, with the nominal inertia as mean"
                             : "matrix gamma, with the nominal inertia as mean";
  known.parameters = {{"lambda_l", short_number(report.lambda_l)}};
  if (report.lambda_u) known.parameters.emplace_back("lambda_u", short_number(*report.lambda_u));
  known.parameters.emplace_back("mu", matrix_text(report.mu));
  known.parameters.emplace_back("C_G", short_number(std::exp(report.log_constant)));
  known.parameters.emplace_back("delta_G", short_number(report.dispersion));
  known.parameters.emplace_back("E{log det G}", short_number(report.mean_log_det));
  if (report.bound) known.parameters.emplace_back("G_max", matrix_text(*report.bound));
  return known;
}

}  // namespace

std::map<std::string, InputLaw> input_laws(const RandomLaws& laws) {
  std::map<std::string, InputLaw> known;
  for (const BodyLaws& body : laws.bodies()) {
    const std::string prefix = "bodies." + body.body + ".";
    if (body.mass) known[prefix + "mass"] = scaled(body.mass->law, 1);
    if (body.centre)
      for (int axis = 0; axis < 3; ++axis)
        known[fmt::format("{}position[{}]", prefix, axis)] = centre(body.centre->law, axis);
    for (std::size_t i = 0; i < 6 && body.inertia_varies(); ++i) {
      InputLaw& entry = known[fmt::format("{}inertia[{}]", prefix, i)];
      // Eq. (32): with the mass alone random, the inertia follows it.
      entry = body.inertia ? inertia(body.inertia->law)
                           : scaled(body.mass->law, body.nominal_inertia[i] / body.nominal_mass);
    }
  }
  for (const ScalarVariable& variable : laws.scalars())
    for (const std::string& path : variable.paths) {
      known[path] = scaled(variable.law, 1);
      if (path != variable.name) known[path].parameters.emplace_back("variable", variable.name);
    }
  return known;
}

}  // namespace tumble::report
