#include "tumble/inputs/make_scalar_law.hpp"

namespace tumble {
namespace {

ScalarLawParameters parameters_of(const NormalInput& i) {
  return NormalLaw{.mean = i.mean, .std = i.std, .cv = i.cv};
}
ScalarLawParameters parameters_of(const LognormalInput& i) {
  return LognormalLaw{.mean = i.mean,
                      .std = i.std,
                      .cv = i.cv,
                      .log_mean = i.log_mean,
                      .log_std = i.log_std,
                      .min = i.min};
}
ScalarLawParameters parameters_of(const UniformInput& i) {
  return UniformLaw{.min = i.min, .max = i.max, .mean = i.mean, .std = i.std, .cv = i.cv};
}
ScalarLawParameters parameters_of(const TriangularInput& i) {
  return TriangularLaw{.min = i.min, .mode = i.mode, .max = i.max};
}
ScalarLawParameters parameters_of(const BetaInput& i) {
  return BetaLaw{.alpha = i.alpha,
                 .beta = i.beta,
                 .mean = i.mean,
                 .std = i.std,
                 .cv = i.cv,
                 .min = i.min,
                 .max = i.max};
}
ScalarLawParameters parameters_of(const GammaInput& i) {
  return GammaLaw{
      .mean = i.mean, .std = i.std, .cv = i.cv, .shape = i.shape, .scale = i.scale, .min = i.min};
}
ScalarLawParameters parameters_of(const WeibullInput& i) {
  return WeibullLaw{
      .shape = i.shape, .scale = i.scale, .mean = i.mean, .std = i.std, .cv = i.cv, .min = i.min};
}
ScalarLawParameters parameters_of(const GumbelInput& i) {
  return GumbelLaw{
      .mean = i.mean, .std = i.std, .cv = i.cv, .location = i.location, .scale = i.scale};
}
ScalarLawParameters parameters_of(const ExponentialInput& i) {
  return ExponentialLaw{.mean = i.mean, .rate = i.rate, .min = i.min};
}
ScalarLawParameters parameters_of(const TruncatedNormalInput& i) {
  TruncatedNormalLaw law{.normal_mean = i.mean, .normal_std = i.std};
  if (i.min) law.min = *i.min;
  if (i.max) law.max = *i.max;
  return law;
}
ScalarLawParameters parameters_of(const EmpiricalInput& i) {
  return EmpiricalLaw{.values = i.values,
                      .interpolation = i.interpolation == EmpiricalInterpolation::linear
                                           ? EmpiricalLaw::Interpolation::linear
                                           : EmpiricalLaw::Interpolation::step};
}
ScalarLawParameters parameters_of(const DiscreteInput& i) {
  return DiscreteLaw{.values = i.values, .weights = i.weights};
}

}  // namespace

ScalarLaw make_scalar_law(const InputLaw& input) {
  return ScalarLaw(std::visit([](const auto& law) { return parameters_of(law); }, input));
}

}  // namespace tumble
