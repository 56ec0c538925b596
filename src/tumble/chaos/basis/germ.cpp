#include "tumble/chaos/basis/germ.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tumble {
namespace {

ScalarLaw normal_germ() { return ScalarLaw(NormalLaw{.mean = 0, .std = 1}); }
ScalarLaw uniform_germ() { return ScalarLaw(UniformLaw{.min = -1, .max = 1}); }

double parameter(const LawReport& report, const char* name) {
  for (const NamedValue& parameter : report.parameters)
    if (parameter.name == name) return parameter.value;
  throw std::logic_error(fmt::format("the law {} has no parameter {}", report.name, name));
}

}  // namespace

const char* name_of(PolynomialFamily family) {
  switch (family) {
    case PolynomialFamily::hermite:
      return "Hermite";
    case PolynomialFamily::legendre:
      return "Legendre";
    case PolynomialFamily::laguerre:
      return "Laguerre";
    case PolynomialFamily::jacobi:
      return "Jacobi";
    case PolynomialFamily::stieltjes:
      return "Stieltjes";
  }
  throw std::logic_error("a family of polynomials of no known kind");
}

Germ::Germ(PolynomialFamily family, ScalarLaw germ_law)
    : family_(family), germ_law_(std::move(germ_law)) {}

Germ::Germ(const ScalarLaw& law, GermChoice choice)
    : Germ(PolynomialFamily::hermite, normal_germ()) {
  const LawReport report = law.report();
  const auto is = [&](std::string_view name) { return report.name == name; };
  if (choice == GermChoice::normal || is(NormalLaw::type) || is(LognormalLaw::type) ||
      (is(WeibullLaw::type) && parameter(report, "shape") < 0.5)) {
    input_ = law;
  } else if (is(UniformLaw::type)) {
    family_ = PolynomialFamily::legendre;
    germ_law_ = uniform_germ();
    shift_ = 0.5 * (report.support.min + report.support.max);
    scale_ = 0.5 * (report.support.max - report.support.min);
  } else if (is(GammaLaw::type) || is(ExponentialLaw::type)) {
    const bool gamma = is(GammaLaw::type);
    family_ = PolynomialFamily::laguerre;
    alpha_ = gamma ? parameter(report, "shape") : 1;
    germ_law_ = ScalarLaw(GammaLaw{.shape = alpha_, .scale = 1});
    shift_ = report.support.min;
    scale_ = gamma ? parameter(report, "scale") : 1 / parameter(report, "rate");
  } else if (is(BetaLaw::type)) {
    const double low = parameter(report, "alpha"), high = parameter(report, "beta");
    family_ = PolynomialFamily::jacobi;
    alpha_ = high - 1;  // Jacobi's alpha belongs to the upper end
    beta_ = low - 1;
    germ_law_ = ScalarLaw(BetaLaw{.alpha = low, .beta = high, .min = -1, .max = 1});
    shift_ = 0.5 * (report.support.min + report.support.max);
    scale_ = 0.5 * (report.support.max - report.support.min);
  } else {
    family_ = PolynomialFamily::stieltjes;
    germ_law_ = law;
    measure_ = std::make_shared<const DiscreteMeasure>(standardized_measure(law));
    shift_ = law.mean();
    scale_ = law.std();
  }
}

Germ Germ::standard_normal() { return {PolynomialFamily::hermite, normal_germ()}; }

Germ Germ::unit_interval() {
  Germ germ(PolynomialFamily::legendre, uniform_germ());
  germ.shift_ = germ.scale_ = 0.5;
  return germ;
}

std::string Germ::description() const {
  switch (family_) {
    case PolynomialFamily::laguerre:
      return fmt::format("Laguerre (shape = {:.6g})", alpha_);
    case PolynomialFamily::jacobi:
      return fmt::format("Jacobi (alpha = {:.6g}, beta = {:.6g})", alpha_, beta_);
    case PolynomialFamily::stieltjes:
      return fmt::format("polynomials of the {} law", germ_law_.name());
    default:
      return name_of(family_);
  }
}

int Germ::most_degree() const {
  constexpr int most = OrthonormalPolynomials::most_degree;
  if (!measure_) return most;
  return static_cast<int>(std::min<std::size_t>(measure_->nodes.size() - 1, most));
}

OrthonormalPolynomials Germ::polynomials(int degree) const {
  switch (family_) {
    case PolynomialFamily::hermite:
      return hermite_polynomials(degree);
    case PolynomialFamily::legendre:
      return legendre_polynomials(degree);
    case PolynomialFamily::laguerre:
      return laguerre_polynomials(alpha_, degree);
    case PolynomialFamily::jacobi:
      return jacobi_polynomials(alpha_, beta_, degree);
    case PolynomialFamily::stieltjes:
      return stieltjes_polynomials(*measure_, degree);
  }
  throw std::logic_error("a family of polynomials of no known kind");
}

double Germ::from_uniform(double u) const {
  const double value = germ_law_.quantile(u);
  return measure_ ? (value - shift_) / scale_ : value;
}

double Germ::to_uniform(double germ) const {
  return germ_law_.cdf(measure_ ? shift_ + scale_ * germ : germ);
}

double Germ::input(double germ) const {
  if (input_) return input_->from_normal_score(germ);
  const double value = shift_ + scale_ * germ;
  if (!measure_) return value;
  // Rounding must not carry it out of its support.
  const Support support = germ_law_.support();
  return std::clamp(value, support.min, support.max);
}

}  // namespace tumble
