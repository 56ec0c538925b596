// Random fields along beams: mean, spread, what the expansion leaves out, and some realisations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/inputs/random_inputs.hpp"
#include "tumble/model/attach_fields.hpp"
#include "tumble/model/beam_shape.hpp"
#include "tumble/model/parameters.hpp"
#include "tumble/report/inputs.hpp"

namespace tumble::report {
namespace {

constexpr int places_per_element = 8;
constexpr std::size_t drawn_fields = 20;

double interpolated(const std::vector<double>& along, const std::vector<double>& values, double s) {
  const auto above = std::upper_bound(along.begin(), along.end(), s);
  if (above == along.begin()) return values.front();
  if (above == along.end()) return values.back();
  const auto i = static_cast<std::size_t>(above - along.begin());
  const double part = (s - along[i - 1]) / (along[i] - along[i - 1]);
  return values[i - 1] + part * (values[i] - values[i - 1]);
}

/// What the user asked for at a place s [m] along the beam.
struct Marginal {
  double mean, std;
};
Marginal asked_for(const FieldInput& input, double nominal, double s) {
  const double mean = input.mean_along.empty() ? input.mean.value_or(nominal)
                                               : interpolated(input.along, input.mean_along, s);
  if (input.cv) return {mean, *input.cv * std::abs(mean)};
  if (input.std) return {mean, *input.std};
  return {mean, interpolated(input.along, input.std_along, s)};
}

const FieldInput* input_of(const Uncertainty& uncertainty, const Model& model,
                           const MaterialField& field) {
  for (const SharedFieldInput& shared : uncertainty.shared_fields)
    if (shared.name == field.name) return &shared.field;
  for (const BeamUncertainty& beam : uncertainty.beams)
    for (const std::size_t i : field.beams) {
      if (beam.beam != model.beams[i].name) continue;
      const auto& own = field.property == MaterialProperty::youngs_modulus  ? beam.youngs_modulus
                        : field.property == MaterialProperty::poisson_ratio ? beam.poisson_ratio
                                                                            : beam.density;
      if (own) return &*own;
    }
  return nullptr;
}

double beam_number(const Beam& beam, MaterialProperty property) {
  return property == MaterialProperty::youngs_modulus  ? beam.youngs_modulus
         : property == MaterialProperty::poisson_ratio ? beam.poisson_ratio
                                                       : beam.density;
}

class FieldOnBeam {
 public:
  FieldOnBeam(const Model& model, std::size_t field, std::size_t beam, const FieldInput& input)
      : nominal_(model), field_(field), beam_(beam), input_(input) {
    const int count = places_per_element * model.beams[beam].elements;
    const double piece = beam_shape(model.beams[beam]).element_length / places_per_element;
    for (int i = 0; i <= count; ++i) places_.push_back(piece * i);
  }

  /// The field of a model with other germs.
  std::vector<double> values(const Model& model) const {
    std::vector<double> all;
    const int elements = model.beams[beam_].elements;
    for (int i = 0; i <= places_per_element * elements; ++i) {
      const int element = std::min(i / places_per_element, elements - 1);
      const double place = static_cast<double>(i) / places_per_element - element;
      all.push_back(field_value(model, model.fields[field_], beam_, element, place));
    }
    return all;
  }

  Json describe(const Realization& zero_germs, const std::vector<std::vector<double>>& samples,
                Blob& blob) const {
    const MaterialField& field = nominal_.fields[field_];
    const bool lognormal = input_.distribution == FieldDistribution::lognormal;
    const auto linear = [lognormal](double x) { return lognormal ? std::log(x) : x; };
    const std::vector<double> middle = values(zero_germs.model());
    std::vector<double> variance(places_.size(), 0.0), mean, std, error;
    for (const auto& [f, g] : germs()) {
      Model moved = zero_germs.model();
      moved.fields[f].germ[g] = 1;
      const std::vector<double> there = values(moved);
      for (std::size_t i = 0; i < places_.size(); ++i)
        variance[i] += std::pow(linear(there[i]) - linear(middle[i]), 2);
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const Marginal wanted =
          asked_for(input_, beam_number(nominal_.beams[beam_], field.property), places_[i]);
      const double cv = wanted.std / wanted.mean;
      const double wanted_variance = lognormal ? std::log1p(cv * cv) : wanted.std * wanted.std;
      mean.push_back(lognormal ? middle[i] * std::exp(variance[i] / 2) : middle[i]);
      std.push_back(lognormal ? mean[i] * std::sqrt(std::expm1(variance[i]))
                              : std::sqrt(variance[i]));
      error.push_back(1 - variance[i] / wanted_variance);
    }
    const Shape shape{places_.size()};
    std::vector<double> all;
    for (const auto& sample : samples) all.insert(all.end(), sample.begin(), sample.end());
    const bool several = field.beams.size() > 1;
    static constexpr std::array<const char*, 3> units{"Pa", "1", "kg/m^3"};
    return {{"name", several ? field.name + " on " + nominal_.beams[beam_].name : field.name},
            {"unit", units[static_cast<std::size_t>(field.property)]},
            {"method", fmt::format("{}, {} term{}",
                                   input_.series == FieldSeries::eole ? "EOLE" : "Karhunen-Loève",
                                   field.germ.size(), field.germ.size() == 1 ? "" : "s")},
            {"place", blob.f64(places_, shape)},
            {"mean", blob.f64(mean, shape)},
            {"std", blob.f64(std, shape)},
            {"variance_error", blob.f64(error, shape)},
            {"samples", blob.f32(all, {samples.size(), places_.size()})}};
  }

 private:
  /// Every number that the field depends on: field, place in its germ.
  std::vector<std::pair<std::size_t, std::size_t>> germs() const {
    std::vector<std::pair<std::size_t, std::size_t>> all;
    for (const std::size_t f : {nominal_.fields[field_].base, field_})
      if (f != MaterialField::none)
        for (std::size_t g = 0; g < nominal_.fields[f].germ.size(); ++g) all.emplace_back(f, g);
    return all;
  }

  const Model& nominal_;
  std::size_t field_, beam_;
  const FieldInput& input_;
  std::vector<double> places_;
};

/// Models with drawn germs, as in a study by Monte Carlo with the same seed.
std::vector<std::unique_ptr<Realization>> drawn_models(const ResultsView& results) {
  const ModelFile& file = *results.model();
  DesignParameters design;
  design.seed = static_cast<std::uint64_t>(results.file().integer_attribute("seed").value_or(1));
  design.realizations = drawn_fields;
  const RandomInputs inputs(file.model, file.uncertainty, design);
  std::vector<double> values(inputs.slots().size());
  std::vector<std::unique_ptr<Realization>> models;
  for (std::size_t r = 0; r < drawn_fields; ++r) {
    inputs.fill(r, values.data());
    models.push_back(std::make_unique<Realization>(file.model));
    for (std::size_t i = 0; i < values.size(); ++i)
      models.back()->set(inputs.slots()[i], values[i]);
  }
  return models;
}

}  // namespace

Json fields(const ResultsView& results, Blob& blob) {
  Json all = Json::array();
  if (!results.model() || !results.is_study() || results.method() == "table") return all;
  const ModelFile& file = *results.model();
  if (file.model.fields.empty()) return all;
  const auto drawn = drawn_models(results);
  const Realization nominal(file.model);
  for (std::size_t f = 0; f < file.model.fields.size(); ++f) {
    const MaterialField& field = file.model.fields[f];
    const FieldInput* input = input_of(file.uncertainty, file.model, field);
    if (input == nullptr) continue;
    for (const std::size_t beam : field.beams) {
      const FieldOnBeam part(file.model, f, beam, *input);
      std::vector<std::vector<double>> samples;
      for (const auto& realization : drawn) samples.push_back(part.values(realization->model()));
      all.push_back(part.describe(nominal, samples, blob));
    }
  }
  return all;
}

}  // namespace tumble::report
