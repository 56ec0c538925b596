#include "tumble/model/field/flexibility_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/field/beam_property.hpp"

namespace tumble {
namespace {

/// The check compares standard deviations: what the series leaves out of the variance should be
/// small beside what it is to show. Rough fields would need very many terms for that, and the
/// logarithm of a lognormal field that varies much has no correlation so close: the first of these
/// that exists.
constexpr double series_tolerances[] = {1e-4, 1e-3, 1e-2, 0.05};

RandomField expand(RandomFieldParameters parameters) {
  for (const double tolerance : series_tolerances) {
    parameters.truncation.tolerance = tolerance;
    try {
      return RandomField(parameters);
    } catch (const std::invalid_argument&) {
      if (tolerance == series_tolerances[std::size(series_tolerances) - 1]) throw;
    }
  }
  throw std::logic_error("there is no tolerance to try");
}

class FlexibilityField final : public BeamFieldValues {
 public:
  FlexibilityField(double youngs_modulus, double element_length,
                   std::shared_ptr<const ExpandedField> gaussian,
                   std::shared_ptr<const ExpandedField> lognormal, std::size_t gaussian_terms,
                   std::size_t lognormal_terms, std::array<double, 2> errors)
      : youngs_modulus_(youngs_modulus),
        element_length_(element_length),
        gaussian_(std::move(gaussian)),
        lognormal_(std::move(lognormal)),
        gaussian_terms_(gaussian_terms),
        lognormal_terms_(lognormal_terms),
        variance_errors_(errors) {}

  double at(std::size_t beam, int element, double place,
            const std::vector<double>& germ) const override {
    namespace g = flexibility_germ;
    const double s = (element + place) * element_length_;
    double flexibility =
        1 + germ[g::amplitude] * std::cos(germ[g::wave_number] * s + germ[g::phase]);
    const auto normals = [&](std::size_t terms) {
      return std::vector<double>(
          germ.begin() + g::first_normal,
          germ.begin() + static_cast<std::ptrdiff_t>(g::first_normal + terms));
    };
    const auto law = static_cast<FlexibilityLaw>(static_cast<int>(germ[g::law]));
    if (law == FlexibilityLaw::gaussian)
      flexibility += gaussian_->at(beam, element, place, normals(gaussian_terms_)) - 1;
    if (law == FlexibilityLaw::lognormal)
      flexibility += lognormal_->at(beam, element, place, normals(lognormal_terms_)) - 1;
    // Not above zero is no material; a modulus that is none says so to the checks.
    return flexibility > 0 ? youngs_modulus_ / flexibility
                           : -std::numeric_limits<double>::infinity();
  }
  FieldPlace describe(std::size_t, int, double) const override {
    throw std::logic_error("a flexibility of waves is no series");
  }
  bool lognormal() const override { return false; }
  bool is_series() const override { return false; }
  const std::array<double, 2>& variance_errors() const { return variance_errors_; }

 private:
  double youngs_modulus_, element_length_;
  std::shared_ptr<const ExpandedField> gaussian_, lognormal_;
  std::size_t gaussian_terms_, lognormal_terms_;
  std::array<double, 2> variance_errors_;
};

}  // namespace

CorrelationKernel kernel_of(FieldKernel kernel, double length, std::optional<double> smoothness) {
  switch (kernel) {
    case FieldKernel::exponential:
      return CorrelationKernel::exponential(length);
    case FieldKernel::squared_exponential:
      return CorrelationKernel::squared_exponential(length);
    case FieldKernel::matern:
      if (!smoothness) throw std::invalid_argument("kernel matern needs smoothness");
      return CorrelationKernel::matern(length, *smoothness);
    case FieldKernel::peaked:
      return CorrelationKernel::peaked(length);
  }
  throw std::logic_error("unknown kernel");
}

std::string flexibility_name(const VariabilityRequest& request) {
  return request.beam + ".flexibility";
}

void attach_flexibility(Model& model, const VariabilityRequest& request) {
  const int index = beam_index(model, request.beam);
  if (index < 0) throw std::invalid_argument(fmt::format("there is no beam '{}'", request.beam));
  if (!(request.std < std::numbers::sqrt2 / 2))
    throw std::invalid_argument(
        fmt::format("std = {} must be below 1/sqrt(2): a wave sqrt(2) std cos(...) of the "
                    "flexibility must stay above -1",
                    format_number(request.std)));
  const auto place = static_cast<std::size_t>(index);
  const Beam& beam = model.beams[place];
  for (const BeamField& field : model.fields)
    if (field.property == BeamProperty::youngs_modulus &&
        std::ranges::find(field.beams, place) != field.beams.end())
      throw std::invalid_argument(
          fmt::format("the Young's modulus of '{}' varies already, with the field '{}'",
                      request.beam, field.name));
  const BeamShape shape = beam_shape(beam);
  const FieldCarrier carrier{place, shape.element_length, beam.elements,
                             arc_length_curve(shape.element_length * beam.elements)};
  RandomFieldParameters parameters{
      .kernel =
          kernel_of(request.spectrum.kernel, request.spectrum.length, request.spectrum.smoothness),
      .curves = {carrier.curve}};
  parameters.marginal.mean = PositionFunction(1.0);
  parameters.marginal.std = PositionFunction(request.std);
  BeamField made;
  made.name = flexibility_name(request);
  made.property = BeamProperty::youngs_modulus;
  made.beams = {place};
  std::shared_ptr<const ExpandedField> fields[2];
  std::size_t terms[2] = {0, 0};
  std::array<double, 2> errors{};
  if (request.check > 0)
    for (const FieldLaw law : {FieldLaw::gaussian, FieldLaw::lognormal}) {
      parameters.marginal.law = law;
      const RandomField field = expand(parameters);
      const std::size_t i = law == FieldLaw::gaussian ? 0 : 1;
      const ExpansionReport& report = field.expansion().report();
      errors[i] = std::max(report.largest_error, report.excess_variance);
      terms[i] = field.germ_size();
      fields[i] = std::make_shared<const ExpandedField>(series_of(field), std::vector{carrier});
    }
  made.germ.assign(flexibility_germ::first_normal + std::max(terms[0], terms[1]), 0.0);
  made.values = std::make_shared<FlexibilityField>(
      beam.youngs_modulus, shape.element_length, fields[0], fields[1], terms[0], terms[1], errors);
  model.fields.push_back(std::move(made));
}

std::array<double, 2> flexibility_variance_errors(const Model& model,
                                                  const VariabilityRequest& request) {
  for (const BeamField& field : model.fields)
    if (const auto* found = dynamic_cast<const FlexibilityField*>(field.values.get());
        found != nullptr && field.name == flexibility_name(request))
      return found->variance_errors();
  throw std::logic_error("the model lacks its flexibility");
}

}  // namespace tumble
