// Properties that vary at random along beams, as the user describes them.
#pragma once
#include "tumble/model/beam.hpp"

namespace tumble {

enum class FieldKernel { exponential, squared_exponential, matern, peaked };
inline constexpr std::array<std::string_view, 4> field_kernel_names{
    "exponential", "squared_exponential", "matern", "peaked"};

enum class FieldDistribution { gaussian, lognormal };
inline constexpr std::array<std::string_view, 2> field_distribution_names{"gaussian", "lognormal"};

enum class FieldSeries { eole, karhunen_loeve };
inline constexpr std::array<std::string_view, 2> field_series_names{"eole", "karhunen_loeve"};

struct FieldInput {
  FieldKernel kernel = FieldKernel::squared_exponential;
  double length = 0;
  std::optional<double> smoothness;
  std::optional<double> mean, std, cv;
  std::vector<double> along, mean_along, std_along;
  FieldDistribution distribution = FieldDistribution::gaussian;
  FieldSeries series = FieldSeries::eole;
  double tolerance = 0.05;
  std::optional<int> terms, nodes;
  static constexpr std::string_view doc =
      "A random field. Its mean is the beam's number unless said otherwise; std or cv, or "
      "std_along.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"kernel", "",
            "correlation over the distance d: exp(-d/a), exp(-d^2/a^2), Matern's with "
            "smoothness, or peaked: (1 - 3 r^2)/(1 + r^2)^3 with r = d/a, for straight lines"},
      s.kernel);
    v(Entry{"length", "m", "the correlation length a", Range::positive, true}, s.length);
    v(Entry{"smoothness", "", "nu of kernel `matern`", Range::positive}, s.smoothness);
    v(Entry{"mean", parameter_like_property, "the beam's own number if left out"}, s.mean);
    v(Entry{"std", parameter_like_property, "standard deviation", Range::positive}, s.std);
    v(Entry{"cv", "", "coefficient of variation, instead of std", Range::positive}, s.cv);
    v(Entry{"along", "m",
            "arc lengths at which mean_along and std_along are given; linear between"},
      s.along);
    v(Entry{"mean_along", parameter_like_property, "instead of mean"}, s.mean_along);
    v(Entry{"std_along", parameter_like_property, "instead of std"}, s.std_along);
    v(Entry{"distribution", "", "of the values"}, s.distribution);
    v(Entry{"series", "", "`eole`: expansion optimal linear estimation; or Karhunen and Loeve's"},
      s.series);
    v(Entry{"tolerance", "", "the fewest terms with a relative variance error below this",
            Range::positive},
      s.tolerance);
    v(Entry{"terms", "", "this many, instead of tolerance", Range::positive}, s.terms);
    v(Entry{"nodes", "", "of the series; chosen by the correlation length if left out",
            Range::positive},
      s.nodes);
  }

  static constexpr std::string_view parameter_like_property = "that of the property";
};

struct BeamUncertainty {
  std::string beam;
  std::optional<FieldInput> youngs_modulus, poisson_ratio, density, height, width, radius;
  std::optional<double> correlation;
  static constexpr std::string_view doc =
      "Under the name of a beam: which of its properties vary along it.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"youngs_modulus", "Pa", "a random field along the beam"}, s.youngs_modulus);
    v(Entry{"poisson_ratio", "1", "a random field along the beam"}, s.poisson_ratio);
    v(Entry{"density", "kg/m^3", "a random field along the beam"}, s.density);
    v(Entry{"height", "m", "of a rectangular section: a random field along the beam"}, s.height);
    v(Entry{"width", "m", "of a rectangular section: a random field along the beam"}, s.width);
    v(Entry{"radius", "m", "of a circular section: a random field along the beam"}, s.radius);
    v(Entry{"correlation", "",
            "of youngs_modulus and poisson_ratio at the same place, between -1 and 1; both fields "
            "then have the same kernel, length, series, nodes and terms"},
      s.correlation);
  }
};

/// One field over the points that several beams occupy in space at t = 0.
struct SharedFieldInput {
  std::string name;
  BeamProperty property = BeamProperty::youngs_modulus;
  std::vector<std::string> of;
  FieldInput field;
  static constexpr std::string_view doc =
      "Under a name of its own: one field over the points of several beams in space.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"property", "", "what varies", Range::any, true}, s.property);
    v(Entry{"of", "", "names of beams", Range::any, true}, s.of);
    FieldInput::entries(s.field, v);
  }
};

}  // namespace tumble
