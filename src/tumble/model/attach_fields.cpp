#include "tumble/model/attach_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>

#include "tumble/beam/gauss_points.hpp"
#include "tumble/field/admissible_range.hpp"
#include "tumble/field/correlated_fields.hpp"
#include "tumble/field/random_field.hpp"
#include "tumble/model/beam_shape.hpp"

namespace tumble {
namespace {

constexpr int axis_pieces = 2000;

/// The axis of a beam in space by arc length: an arc as a polygon, whose points are within
/// (angle / 2000)^2 / 8 of the radius.
FieldCurve curve_in_space(const Beam& beam) {
  Beam fine = beam;
  if (beam.arc) fine.elements = axis_pieces;
  const BeamShape shape = beam_shape(fine);
  const double piece = shape.element_length;
  const auto nodes = std::make_shared<std::vector<Frame>>(shape.nodes);
  const int last = fine.elements;
  return {piece * last, [nodes, piece, last](double s) {
            const int i = std::clamp(static_cast<int>(s / piece), 0, last - 1);
            const Vec3d &a = (*nodes)[static_cast<std::size_t>(i)].p,
                        &b = (*nodes)[static_cast<std::size_t>(i) + 1].p;
            return a + (s / piece - i) * (b - a);
          }};
}

/// One beam that carries a field.
struct Carrier {
  std::size_t beam;
  double element_length;
  int elements;
  FieldCurve curve;
};

/// What makes the map of a field at given points.
using MapMaker = std::function<FieldMap(std::span<const Vec3d>)>;

class ExpandedField final : public MaterialFieldValues {
 public:
  ExpandedField(MapMaker make_map, std::vector<Carrier> carriers)
      : make_map_(std::move(make_map)), carriers_(std::move(carriers)) {}

  double at(std::size_t beam, int element, double place,
            const std::vector<double>& germ) const override {
    const FieldMap& map = map_at(beam, element, place);
    if (map.points() == 0) return std::numeric_limits<double>::quiet_NaN();
    double value = 0;
    map.values(germ, {&value, 1});
    return value;
  }

 private:
  struct Key {
    std::size_t beam;
    int element;
    double place;
    auto operator<=>(const Key&) const = default;
  };

  const FieldMap& map_at(std::size_t beam, int element, double place) const {
    const Key key{beam, element, place};
    {
      const std::shared_lock reading(mutex_);
      if (const auto found = maps_.find(key); found != maps_.end()) return found->second;
    }
    FieldMap map;
    for (const Carrier& carrier : carriers_)
      if (carrier.beam == beam) {
        const Vec3d point = carrier.curve.point((element + place) * carrier.element_length);
        map = make_map_({&point, 1});
      }
    const std::unique_lock writing(mutex_);
    return maps_.emplace(key, std::move(map)).first->second;  // nodes of a map stay where they are
  }

  MapMaker make_map_;
  std::vector<Carrier> carriers_;
  mutable std::shared_mutex mutex_;
  mutable std::map<Key, FieldMap> maps_;
};

CorrelationKernel kernel_of(const FieldInput& input) {
  if (input.kernel == FieldKernel::exponential) return CorrelationKernel::exponential(input.length);
  if (input.kernel == FieldKernel::squared_exponential)
    return CorrelationKernel::squared_exponential(input.length);
  if (!input.smoothness) throw std::invalid_argument("kernel matern needs smoothness");
  return CorrelationKernel::matern(input.length, *input.smoothness);
}

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

double property_of(const Beam& beam, MaterialProperty property) {
  return property == MaterialProperty::youngs_modulus  ? beam.youngs_modulus
         : property == MaterialProperty::poisson_ratio ? beam.poisson_ratio
                                                       : beam.density;
}

std::string_view name_of(MaterialProperty property) {
  return material_property_names[static_cast<std::size_t>(property)];
}

AdmissibleRange range_of(MaterialProperty property) {
  return property == MaterialProperty::youngs_modulus  ? admissible_young_modulus
         : property == MaterialProperty::poisson_ratio ? admissible_poisson_ratio
                                                       : admissible_density;
}

class Attacher {
 public:
  Attacher(Model& model, Uncertainty& uncertainty) : model_(model), uncertainty_(uncertainty) {}

  std::vector<Diagnostic> attach_all() {
    for (const BeamUncertainty& u : uncertainty_.beams) {
      if (u.correlation) {
        attempt(u.beam, "correlation", [&] { attach_correlated(u); });
      } else {
        attach_own(u.beam, MaterialProperty::youngs_modulus, u.youngs_modulus);
        attach_own(u.beam, MaterialProperty::poisson_ratio, u.poisson_ratio);
      }
      attach_own(u.beam, MaterialProperty::density, u.density);
    }
    for (const SharedFieldInput& u : uncertainty_.shared_fields)
      attempt(u.name, {}, [&] { attach(u.name, u.property, u.of, u.field, u.of.size() > 0); });
    return std::move(mistakes_);
  }

 private:
  void attach_own(const std::string& beam, MaterialProperty property,
                  const std::optional<FieldInput>& input) {
    if (!input) return;
    const std::string field(name_of(property));
    attempt(beam, field, [&] { attach(beam + "." + field, property, {beam}, *input, false); });
  }

  /// A described field with the beams that carry it.
  struct Expanded {
    RandomField field;
    std::vector<Carrier> carriers;
  };

  Expanded expand(MaterialProperty property, const std::vector<std::string>& beams,
                  const FieldInput& input, bool shared) {
    std::vector<Carrier> carriers;
    RandomFieldParameters parameters{.kernel = kernel_of(input), .curves = {}};
    for (const std::string& beam_name : beams) {
      const int index = beam_index(model_, beam_name);
      if (index < 0) throw std::invalid_argument(fmt::format("there is no beam '{}'", beam_name));
      const Beam& beam = model_.beams[static_cast<std::size_t>(index)];
      claim(beam_name, property);
      const BeamShape shape = beam_shape(beam);
      const double length = shape.element_length * beam.elements;
      Carrier carrier{static_cast<std::size_t>(index), shape.element_length, beam.elements,
                      shared ? curve_in_space(beam) : arc_length_curve(length)};
      parameters.curves.push_back(carrier.curve);
      carriers.push_back(std::move(carrier));
    }
    parameters.marginal =
        marginal_of(input, property_of(model_.beams[carriers.front().beam], property), shared);
    parameters.method =
        input.series == FieldSeries::eole ? ExpansionMethod::eole : ExpansionMethod::karhunen_loeve;
    parameters.truncation.tolerance = input.tolerance;
    if (input.terms) parameters.truncation.terms = static_cast<std::size_t>(*input.terms);
    if (input.nodes) parameters.nodes = static_cast<std::size_t>(*input.nodes);
    return {RandomField(parameters), std::move(carriers)};
  }

  void attach(const std::string& name, MaterialProperty property,
              const std::vector<std::string>& beams, const FieldInput& input, bool shared) {
    Expanded made = expand(property, beams, input, shared);
    const auto terms = made.field.germ_size();
    const FieldExpansion& expansion = made.field.expansion();
    announce_terms(name, expansion.report());
    add(name, property, terms, MaterialField::none, std::move(made.carriers),
        [field = made.field](std::span<const Vec3d> points) { return field.map(points); });
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
    Expanded first = expand(MaterialProperty::youngs_modulus, {u.beam}, E, false);
    Expanded second = expand(MaterialProperty::poisson_ratio, {u.beam}, nu, false);
    const double r = *u.correlation;
    const auto fields = std::make_shared<CorrelatedFields>(
        std::vector{first.field.marginal(), second.field.marginal()},
        CorrelationMatrix{CorrelationMatrix::Of::variables, {{1, r}, {r, 1}}},
        first.field.shared_expansion());
    const std::size_t terms = first.field.germ_size(), base = model_.fields.size();
    announce_terms(u.beam + ".youngs_modulus and poisson_ratio", first.field.expansion().report());
    add(u.beam + ".youngs_modulus", MaterialProperty::youngs_modulus, terms, MaterialField::none,
        std::move(first.carriers),
        [field = first.field](std::span<const Vec3d> points) { return field.map(points); });
    add(u.beam + ".poisson_ratio", MaterialProperty::poisson_ratio, terms, base,
        std::move(second.carriers),
        [fields](std::span<const Vec3d> points) { return fields->map(1, points); });
  }

  void add(const std::string& name, MaterialProperty property, std::size_t terms, std::size_t base,
           std::vector<Carrier> carriers, MapMaker make_map) {
    announce_exits(name, property, make_map, carriers);
    MaterialField made;
    made.name = name;
    made.property = property;
    made.base = base;
    for (const Carrier& carrier : carriers) made.beams.push_back(carrier.beam);
    made.germ.assign(terms, 0.0);
    for (std::size_t i = 0; i < terms; ++i) {
      const std::string slot = fmt::format("fields.{}.germ[{}]", name, i);
      NormalInput standard;
      standard.std = 1.0;
      uncertainty_.scalars.push_back({slot, {slot}, standard});
    }
    made.values = std::make_shared<ExpandedField>(std::move(make_map), std::move(carriers));
    model_.fields.push_back(std::move(made));
  }

  /// A property follows one law.
  void claim(const std::string& beam, MaterialProperty property) {
    const std::string slot = fmt::format("beams.{}.{}", beam, name_of(property));
    for (const ScalarUncertainty& scalar : uncertainty_.scalars)
      if (std::ranges::find(scalar.paths, slot) != scalar.paths.end())
        throw std::invalid_argument(fmt::format("{} varies already, with '{}'", slot, scalar.name));
    for (const MaterialField& field : model_.fields)
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

  void announce_exits(const std::string& name, MaterialProperty property, const MapMaker& make_map,
                      const std::vector<Carrier>& carriers) {
    std::vector<Vec3d> points;
    for (const Carrier& carrier : carriers)
      for (int e = 0; e < carrier.elements; ++e)
        for (const double place : material_places())
          points.push_back(carrier.curve.point((e + place) * carrier.element_length));
    const ExitProbability exit = exit_probability(make_map(points), range_of(property));
    if (exit.at_most > 1e-12)
      uncertainty_.announcements.push_back(
          fmt::format("field {}: {}", name, exit_announcement(exit, range_of(property))));
  }

  template <class Make>
  void attempt(const std::string& entry, const std::string& field, const Make& make) {
    try {
      make();
    } catch (const std::invalid_argument& error) {
      Diagnostic d;
      d.where = locate(model_, "uncertainty." + entry + (field.empty() ? "" : "." + field));
      d.element = "uncertainty '" + entry + "'";
      d.field = field;
      d.expectation = error.what();
      mistakes_.push_back(std::move(d));
    }
  }

  Model& model_;
  Uncertainty& uncertainty_;
  std::vector<Diagnostic> mistakes_;
};

}  // namespace

double field_value(const Model& model, const MaterialField& field, std::size_t beam, int element,
                   double place) {
  if (field.base == MaterialField::none) return field.values->at(beam, element, place, field.germ);
  std::vector<double> joint = model.fields[field.base].germ;
  joint.insert(joint.end(), field.germ.begin(), field.germ.end());
  return field.values->at(beam, element, place, joint);
}

const std::vector<double>& material_places() {
  static const std::vector<double> places = [] {
    std::vector<double> all;
    for (const int count : {3, 5})
      for (const beam::GaussPoint& point : beam::gauss_points(count)) all.push_back(point.place);
    return all;
  }();
  return places;
}

PropertyRange admissible(MaterialProperty property) {
  const AdmissibleRange range = range_of(property);
  return {range.lower, range.upper};
}

std::vector<Diagnostic> attach_fields(Model& model, Uncertainty& uncertainty) {
  return Attacher(model, uncertainty).attach_all();
}

}  // namespace tumble
