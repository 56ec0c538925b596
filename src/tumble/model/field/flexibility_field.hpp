// The flexibility of a beam as a function of place, for variability response:
//
//   1/E(s) = (1 + f(s)) / E0,   f(s) = A cos(kappa s + phi) + a random field of mean zero.
//
// Its germ is {A, kappa, phi, law, xi_1, xi_2, ...}: law 0 adds no random field, 1 a Gaussian f, 2
// one whose 1 + f is lognormal, both of the same spectrum and standard deviation.
#pragma once
#include "tumble/model/field/expanded_field.hpp"
#include "tumble/model/model.hpp"
#include "tumble/model/study/variability_request.hpp"

namespace tumble {

namespace flexibility_germ {
inline constexpr std::size_t amplitude = 0, wave_number = 1, phase = 2, law = 3, first_normal = 4;
}
enum class FlexibilityLaw { none, gaussian, lognormal };

/// The kernel that a description stands for. @throws std::invalid_argument if it lacks something.
CorrelationKernel kernel_of(FieldKernel kernel, double length, std::optional<double> smoothness);

/// Name of the field that takes the place of the beam's Young's modulus: "arm.flexibility".
std::string flexibility_name(const VariabilityRequest& request);

/// Adds the field to the model. @throws std::invalid_argument if the model has no such beam, if its
/// modulus varies already, or if a field of this spectrum does not exist.
void attach_flexibility(Model& model, const VariabilityRequest& request);

/// Of a model with the field: the largest relative error of its variance, Gaussian and lognormal,
/// that the series of the random fields leave or that the closest correlation that exists makes.
std::array<double, 2> flexibility_variance_errors(const Model& model,
                                                  const VariabilityRequest& request);

}  // namespace tumble
