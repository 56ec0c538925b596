#include "tumble/model/field/attach_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "tumble/beam/gauss_points.hpp"
#include "tumble/field/admissible_range.hpp"
#include "tumble/field/correlated_fields.hpp"
#include "tumble/model/compile/beam_shape.hpp"
#include "tumble/model/field/beam_property.hpp"
#include "tumble/model/field/expanded_field.hpp"
#include "tumble/model/field/field_description.hpp"
#include "tumble/model/field/flexibility_field.hpp"

namespace tumble {
namespace {

PositionFunction function_along(const std::vector<double>& along,
                                const std::vector<double>& values) {
  if (along.size() != values.size())
    throw std::invalid_argument(fmt::format("along has {} places, and there are {} values for them",
                                            along.size(), values.size()));
  std::vector<PositionFunction::TablePoint> table;
  for (std::size_t i = 0; i < along.size(); ++i) table.push_back({along[i], values[i]});
  return PositionFunction::piecewise_linear(table);
}

FieldMarginal marginal_of(const FieldInput& input, double nominal, bool shared) {
  const bool varies = !input.mean_along.empty() || !input.std_along.empty();
  if (varies && shared)
    throw std::invalid_argument(
        "mean_along and std_along are for a field of one beam, whose arc length they follow");
  if (!input.along.empty() && !varies)
    throw std::invalid_argument("along must be left out without mean_along and std_along");
  if (input.mean && !input.mean_along.empty())
    throw std::invalid_argument("mean and mean_along exclude each other");
  const int spreads = (input.std ? 1 : 0) + (input.cv ? 1 : 0) + (input.std_along.empty() ? 0 : 1);
  if (spreads != 1) throw std::invalid_argument("needs one of std, cv and std_along");
  FieldMarginal marginal;
  marginal.law =
      input.distribution == FieldDistribution::gaussian ? FieldLaw::gaussian : FieldLaw::lognormal;
  marginal.mean = input.mean_along.empty() ? PositionFunction(input.mean.value_or(nominal))
                                           : function_along(input.along, input.mean_along);
  if (input.cv)
    marginal.std = PositionFunction(
        [mean = marginal.mean, cv = *input.cv](const Vec3d& x) { return cv * std::fabs(mean(x)); });
  else if (input.std)
    marginal.std = PositionFunction(*input.std);
  else
    marginal.std = function_along(input.along, input.std_along);
  return marginal;
}

class Attacher {
 public:
  Attacher(Model& model, Uncertainty& uncertainty) : model_(model), uncertainty_(uncertainty) {}

  std::vector<Diagnostic> attach_all() {
    for (const BeamUncertainty& u : uncertainty_.beams) {
      if (u.correlation) {
        attempt(u.beam, "correlation", [&] { attach_correlated(u); });
      } else {
        attach_own(u.beam, BeamProperty::youngs_modulus, u.youngs_modulus);
        attach_own(u.beam, BeamProperty::poisson_ratio, u.poisson_ratio);
      }
      attach_own(u.beam, BeamProperty::density, u.density);
      attach_own(u.beam, BeamProperty::height, u.height);
      attach_own(u.beam, BeamProperty::width, u.width);
      attach_own(u.beam, BeamProperty::radius, u.radius);
    }
    for (const SharedFieldInput& u : uncertainty_.shared_fields)
      attempt(u.name, {}, [&] { attach(u.name, u.property, u.of, u.field, u.of.size() > 0); });
    return std::move(mistakes_);
  }

 private:
  void attach_own(const std::string& beam, BeamProperty property,
                  const std::optional<FieldInput>& input) {
    if (!input) return;
    const std::string field(name_of(property));
    attempt(beam, field, [&] { attach(beam + "." + field, property, {beam}, *input, false); });
  }

  /// A described field with the beams that carry it.
  struct Expanded {
    RandomField field;
    std::vector<FieldCarrier> carriers;
  };

  Expanded expand(BeamProperty property, const std::vector<std::string>& beams,
                  const FieldInput& input, bool shared) {
    std::vector<FieldCarrier> carriers;
    if (beams.empty()) throw std::invalid_argument("`of` must name at least one beam");
    std::optional<double> nominal;
    RandomFieldParameters parameters{
        .kernel = kernel_of(input.kernel, input.length, input.smoothness), .curves = {}};
    for (const std::string& beam_name : beams) {
      const int index = beam_index(model_, beam_name);
      if (index < 0) throw std::invalid_argument(fmt::format("there is no beam '{}'", beam_name));
      const Beam& beam = model_.beams[static_cast<std::size_t>(index)];
      const double own = number_of(beam, property);
      if (!nominal) nominal = own;
      if (!input.mean && own != *nominal)
        throw std::invalid_argument(
            fmt::format("'{}' has {} and '{}' {}; a field that they share needs `mean`",
                        beams.front(), format_number(*nominal), beam_name, format_number(own)));
      claim(beam_name, property);
      const BeamShape shape = beam_shape(beam);
      const double length = shape.element_length * beam.elements;
      FieldCarrier carrier{static_cast<std::size_t>(index), shape.element_length, beam.elements,
                           shared ? curve_in_space(beam) : arc_length_curve(length)};
      parameters.curves.push_back(carrier.curve);
      carriers.push_back(std::move(carrier));
    }
    parameters.marginal = marginal_of(input, *nominal, shared);
    parameters.method =
        input.series == FieldSeries::eole ? ExpansionMethod::eole : ExpansionMethod::karhunen_loeve;
    parameters.truncation.tolerance = input.tolerance;
    if (input.terms) parameters.truncation.terms = static_cast<std::size_t>(*input.terms);
    if (input.nodes) parameters.nodes = static_cast<std::size_t>(*input.nodes);
    return {RandomField(parameters), std::move(carriers)};
  }

  void attach(const std::string& name, BeamProperty property, const std::vector<std::string>& beams,
              const FieldInput& input, bool shared) {
    Expanded made = expand(property, beams, input, shared);
    announce_terms(name, made.field.expansion().report());
    add(name, property, BeamField::none, series_of(made.field), std::move(made.carriers));
  }

  /// Young's modulus and Poisson's ratio of one beam, with one expansion.
  void attach_correlated(const BeamUncertainty& u) {
    if (!u.youngs_modulus || !u.poisson_ratio)
      throw std::invalid_argument("needs the fields youngs_modulus and poisson_ratio");
    if (!(std::fabs(*u.correlation) < 1))
      throw std::invalid_argument(
          fmt::format("{} must lie between -1 and 1", format_number(*u.correlation)));
    const FieldInput &E = *u.youngs_modulus, &nu = *u.poisson_ratio;
    if (E.kernel != nu.kernel || E.length != nu.length || E.smoothness != nu.smoothness ||
        E.series != nu.series || E.tolerance != nu.tolerance || E.terms != nu.terms ||
        E.nodes != nu.nodes)
      throw std::invalid_argument(
          "the two fields must have the same kernel, length, smoothness, series, tolerance, terms "
          "and nodes");
    Expanded first = expand(BeamProperty::youngs_modulus, {u.beam}, E, false);
    Expanded second = expand(BeamProperty::poisson_ratio, {u.beam}, nu, false);
    const double r = *u.correlation;
    const auto fields = std::make_shared<CorrelatedFields>(
        std::vector{first.field.marginal(), second.field.marginal()},
        CorrelationMatrix{CorrelationMatrix::Of::variables, {{1, r}, {r, 1}}},
        first.field.shared_expansion());
    const std::size_t base = model_.fields.size();
    announce_terms(u.beam + ".youngs_modulus and poisson_ratio", first.field.expansion().report());
    add(u.beam + ".youngs_modulus", BeamProperty::youngs_modulus, BeamField::none,
        series_of(first.field), std::move(first.carriers));
    add(u.beam + ".poisson_ratio", BeamProperty::poisson_ratio, base,
        {second.field.marginal(), first.field.shared_expansion(),
         [fields](std::span<const Vec3d> points) { return fields->map(1, points); }},
        std::move(second.carriers));
  }

  void add(const std::string& name, BeamProperty property, std::size_t base, BeamFieldSeries series,
           std::vector<FieldCarrier> carriers) {
    require_free_name(name);
    announce_exits(name, property, series.make_map, carriers);
    const std::size_t terms = series.expansion->terms();
    BeamField made;
    made.name = name;
    made.property = property;
    made.base = base;
    for (const FieldCarrier& carrier : carriers) made.beams.push_back(carrier.beam);
    made.germ.assign(terms, 0.0);
    for (std::size_t i = 0; i < terms; ++i) {
      const std::string slot = fmt::format("fields.{}.germ[{}]", name, i);
      NormalLaw standard;
      standard.mean = 0.0;
      standard.std = 1.0;
      uncertainty_.scalars.push_back({slot, {slot}, standard});
    }
    made.values = std::make_shared<ExpandedField>(std::move(series), std::move(carriers));
    model_.fields.push_back(std::move(made));
  }

  /// Results hold a field's variables beside those of other fields and of probes.
  void require_free_name(const std::string& name) const {
    const std::string in_results = results_name(name);
    const auto refuse = [&](const std::string& other) {
      throw std::invalid_argument(
          fmt::format("results call the field {} and cannot tell it from {}", in_results, other));
    };
    for (const BeamField& field : model_.fields)
      if (results_name(field.name) == in_results) refuse(fmt::format("field '{}'", field.name));
    for (const Probe& probe : model_.probes)
      for (const Quantity quantity : probe.quantities)
        if (fmt::format("{}_{}", probe.name, info(quantity).name) == in_results)
          refuse(fmt::format("{} of probe '{}'", info(quantity).name, probe.name));
  }

  /// A property follows one law.
  void claim(const std::string& beam, BeamProperty property) {
    const std::string slot = slot_of(beam, property);
    for (const ScalarUncertainty& scalar : uncertainty_.scalars)
      if (std::ranges::find(scalar.paths, slot) != scalar.paths.end())
        throw std::invalid_argument(fmt::format("{} varies already, with '{}'", slot, scalar.name));
    for (const BeamField& field : model_.fields)
      for (const std::size_t i : field.beams)
        if (field.property == property && model_.beams[i].name == beam)
          throw std::invalid_argument(
              fmt::format("{} varies already, with the field '{}'", slot, field.name));
  }

  void announce_terms(const std::string& name, const ExpansionReport& report) {
    uncertainty_.announcements.push_back(
        fmt::format("field {}: {} {}, largest relative error of the variance {:.4f}", name,
                    report.terms, report.terms == 1 ? "term" : "terms", report.largest_error));
  }

  void announce_exits(const std::string& name, BeamProperty property, const FieldMapMaker& make_map,
                      const std::vector<FieldCarrier>& carriers) {
    std::vector<Vec3d> points;
    for (const FieldCarrier& carrier : carriers)
      for (int e = 0; e < carrier.elements; ++e)
        for (const double place : field_places())
          if (place < 1 || e + 1 == carrier.elements)  // a node once, not for both its elements
            points.push_back(carrier.point(e, place));
    const AdmissibleRange& range = admissible_range(property);
    const ExitProbability exit = exit_probability(make_map(points), range);
    if (exit.at_most > 1e-12)
      uncertainty_.announcements.push_back(
          fmt::format("field {}: {}", name, exit_announcement(exit, range)));
  }

  template <class Make>
  void attempt(const std::string& entry, const std::string& field, const Make& make) {
    try {
      make();
    } catch (const std::invalid_argument& error) {
      mistakes_.push_back(uncertainty_mistake(model_, entry, field, error.what()));
    }
  }

  Model& model_;
  Uncertainty& uncertainty_;
  std::vector<Diagnostic> mistakes_;
};

}  // namespace

double field_value(const Model& model, const BeamField& field, std::size_t beam, int element,
                   double place) {
  if (field.base == BeamField::none) return field.values->at(beam, element, place, field.germ);
  std::vector<double> joint = model.fields[field.base].germ;
  joint.insert(joint.end(), field.germ.begin(), field.germ.end());
  return field.values->at(beam, element, place, joint);
}

const std::vector<double>& field_places() {
  static const std::vector<double> places = [] {
    std::vector<double> all{0, 1};
    for (const int count : {3, 5})
      for (const beam::GaussPoint& point : beam::gauss_points(count)) all.push_back(point.place);
    return all;
  }();
  return places;
}

std::vector<Diagnostic> attach_fields(Model& model, Uncertainty& uncertainty) {
  return Attacher(model, uncertainty).attach_all();
}

const BeamField* field_in_place_of(const Model& model, const std::string& slot) {
  for (const BeamField& field : model.fields)
    for (const std::size_t beam : field.beams)
      if (slot_of(model.beams[beam].name, field.property) == slot) return &field;
  return nullptr;
}

}  // namespace tumble
