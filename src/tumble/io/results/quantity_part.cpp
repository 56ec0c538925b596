#include "tumble/io/results/quantity_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tumble/base/diagnostic.hpp"

namespace tumble {
namespace {

std::string quantity_words(QuantityKind kind) {
  switch (kind) {
    case QuantityKind::rms:
      return "root mean square";
    case QuantityKind::mean:
      return "mean over time";
    case QuantityKind::final_value:
      return "final value";
    default:
      std::string words(quantity_kind_names[static_cast<std::size_t>(kind)]);
      std::ranges::replace(words, '_', ' ');
      return words;
  }
}

/// Files have NaN for what did not happen, as for what is not known.
double stored(double value) {
  return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
}

std::string per(const std::string& unit) {
  return unit.empty() || unit == "1" ? "1" : fmt::format("1/({})", unit);
}

}  // namespace

std::string describe(const QuantityOfInterest& quantity) {
  if (quantity.function != nullptr) return quantity.of;
  std::string text = quantity_words(quantity.kind);
  if (quantity.is_of_state()) {
    if (quantity.is_response())
      text +=
          fmt::format(" of {} by {} of amplitude 1 at {} Hz", quantity.of,
                      quantity.input.value_or(""), format_number(quantity.frequency.value_or(0)));
    else if (!quantity.is_modal())
      text = quantity.of + " at the equilibrium";
    else
      text += fmt::format(" of {}mode {}{}", quantity.undamped ? "undamped " : "", *quantity.mode,
                          quantity.follow == ModeFollowing::shape ? ", by its shape" : "");
    switch (quantity.about) {
      case ReferenceState::equilibrium:
        break;
      case ReferenceState::rest:
        text += quantity.kind == QuantityKind::equilibrium ? " of rest" : " about rest";
        break;
      case ReferenceState::steady:
        text += quantity.kind == QuantityKind::equilibrium ? " of the steady motion"
                                                           : " about the steady motion";
        break;
      case ReferenceState::start:
        text += " about the start";
        break;
    }
    return text;
  }
  if (quantity.kind == QuantityKind::first_crossing) {
    text += " of " + format_number(quantity.level.value_or(0));
    if (quantity.direction != CrossingDirection::either)
      text += quantity.direction == CrossingDirection::up ? " upwards by" : " downwards by";
    else
      text += " by";
    text += " " + quantity.of;
  } else if (quantity.of_event()) {
    text += " '" + quantity.of + "'";
  } else {
    text += " of " + quantity.of;
  }
  if (quantity.from) text += fmt::format(" from {} s", format_number(*quantity.from));
  if (quantity.to)
    text += fmt::format(" {} {} s", quantity.kind == QuantityKind::final_value ? "at" : "to",
                        format_number(*quantity.to));
  return text;
}

const std::vector<std::string_view>& quantity_variable_endings() {
  static const std::vector<std::string_view> endings{"_nominal",
                                                     "_nominal_output_error",
                                                     "_output_error",
                                                     "_count",
                                                     "_mean",
                                                     "_mean_se",
                                                     "_mean_error",
                                                     "_mean_interval_lower",
                                                     "_mean_interval_upper",
                                                     "_std",
                                                     "_std_se",
                                                     "_std_error",
                                                     "_std_interval_lower",
                                                     "_std_interval_upper",
                                                     "_min",
                                                     "_max",
                                                     "_quantile",
                                                     "_quantile_lower",
                                                     "_quantile_upper",
                                                     "_quantile_bound_lower",
                                                     "_quantile_bound_upper",
                                                     "_abscissa",
                                                     "_density",
                                                     "_density_se",
                                                     "_exceedance",
                                                     "_exceedance_lower",
                                                     "_exceedance_upper",
                                                     "_mean_output_error",
                                                     "_time_error",
                                                     "_mean_time_error",
                                                     "_probability",
                                                     "_probability_lower",
                                                     "_probability_upper",
                                                     "_chaos_error",
                                                     "_sobol_first",
                                                     "_sobol_first_lower",
                                                     "_sobol_first_upper",
                                                     "_sobol_total",
                                                     "_sobol_total_lower",
                                                     "_sobol_total_upper",
                                                     "_sobol_group",
                                                     "_sobol_group_lower",
                                                     "_sobol_group_upper",
                                                     "_sobol_group_total",
                                                     "_sobol_group_total_lower",
                                                     "_sobol_group_total_upper",
                                                     "_shapley",
                                                     "_shapley_lower",
                                                     "_shapley_upper",
                                                     "_morris_mean",
                                                     "_morris_mean_lower",
                                                     "_morris_mean_upper",
                                                     "_morris_mean_abs",
                                                     "_morris_mean_abs_lower",
                                                     "_morris_mean_abs_upper",
                                                     "_morris_std",
                                                     "_bound_lower",
                                                     "_bound_upper",
                                                     "_bound_error",
                                                     "_inclusion_lower",
                                                     "_inclusion_upper",
                                                     "_found_min",
                                                     "_found_max",
                                                     "_found_min_realization",
                                                     "_found_max_realization",
                                                     "_searched_min",
                                                     "_searched_max",
                                                     "_bound_lower_inputs",
                                                     "_bound_upper_inputs",
                                                     "_found_min_inputs",
                                                     "_found_max_inputs"};
  return endings;
}

QuantityPart::QuantityPart(NetcdfWriter& file, const std::vector<QuantityResults>& results,
                           const QuantityEnsemble* ensemble)
    : file_(file) {
  if (ensemble != nullptr && !results.empty() &&
      std::ranges::any_of(results, [](const auto& r) { return r.statistics.has_value(); }))
    point_ = file.dimension("quantity_point", QuantityStatisticsOptions::points);
  std::vector<const QuantityResults*> band;
  for (const QuantityResults& result : results) {
    const QuantityOfInterest& quantity = *result.quantity;
    if (!quantity.group.empty()) {
      band.push_back(&result);
      if (ensemble != nullptr)
        define_samples({quantity.name, describe(quantity), quantity.value_unit, {}}, *ensemble);
      if (&result != &results.back() && (&result)[1].quantity->group == quantity.group) continue;
      define_band(band, ensemble);
      band.clear();
      continue;
    }
    Names names{quantity.name, describe(quantity), quantity.value_unit, {}};
    define(names, "_nominal", {}, " (nominal run)", names.unit, {stored(result.nominal.value)});
    define(names, "_nominal_output_error", {},
           " (nominal run: difference from what every second output gives)", names.unit,
           {stored(result.nominal.output_error)});
    if (ensemble == nullptr) continue;
    define_samples(names, *ensemble);
    if (!result.statistics) {
      if (result.shares) define_shares(names, *result.shares, *ensemble);
      continue;
    }
    if (result.statistics->on_condition_of_success()) names.conditional = "success";
    define_statistics(names, result, *ensemble);
  }
}

int QuantityPart::variable(const Names& names, const std::string& ending,
                           const std::vector<int>& dimensions, const std::string& remark,
                           const std::string& unit) {
  const int id = file_.variable("quantity_" + names.name + ending, NC_DOUBLE, dimensions);
  file_.attribute(id, "units", unit);
  file_.attribute(id, "long_name", names.words + remark);
  return id;
}

int QuantityPart::define(const Names& names, const std::string& ending,
                         const std::vector<int>& dimensions, const std::string& remark,
                         const std::string& unit, std::vector<double> values) {
  const int id = variable(names, ending, dimensions, remark, unit);
  if (!names.conditional.empty()) file_.attribute(id, "conditional_on", names.conditional);
  values_.emplace_back(id, std::move(values));
  return id;
}

void QuantityPart::define_samples(const Names& names, const QuantityEnsemble& ensemble) {
  const std::vector<std::size_t> pieces{std::min<std::size_t>(ensemble.realizations, 16384)};
  samples_.push_back(variable(names, "", {ensemble.realization}, "", names.unit));
  errors_.push_back(variable(names, "_output_error", {ensemble.realization},
                             " (difference from what every second output gives)", names.unit));
  file_.chunk(samples_.back(), pieces);
  file_.chunk(errors_.back(), pieces);
}

void QuantityPart::define_band(const std::vector<const QuantityResults*>& band,
                               const QuantityEnsemble* ensemble) {
  const QuantityOfInterest& first = *band.front()->quantity;
  const int frequency = file_.dimension("quantity_" + first.group + "_frequency", band.size());
  Names names{first.group,
              fmt::format("{} of {} by {} of amplitude 1", quantity_words(first.kind), first.of,
                          first.input.value_or("")),
              first.value_unit,
              {}};
  const auto over_band = [&](const auto& value) {
    std::vector<double> values;
    for (const QuantityResults* one : band) values.push_back(stored(value(*one)));
    return values;
  };
  define(names, "_frequency", {frequency}, " (frequencies)", "Hz",
         over_band([](const auto& r) { return r.quantity->frequency.value(); }));
  define(names, "_band_nominal", {frequency}, " (nominal machine)", names.unit,
         over_band([](const auto& r) { return r.nominal.value; }));
  if (ensemble == nullptr || !std::ranges::all_of(band, [](const QuantityResults* r) {
        return r->statistics.has_value();
      }))
    return;
  if (std::ranges::any_of(
          band, [](const QuantityResults* r) { return r->statistics->on_condition_of_success(); }))
    names.conditional = "success";
  const auto add = [&](const char* ending, const std::string& remark, const std::string& unit,
                       const auto& value) {
    define(names, ending, {frequency}, " (" + remark + ")", unit,
           over_band([&](const QuantityResults& r) { return value(*r.statistics); }));
  };
  const auto& unit = names.unit;
  const std::string error = band.front()->chaos ? "error" : "standard error";
  add("_band_count", "values that statistics rest on", "1",
      [](const auto& s) { return static_cast<double>(s.happened); });
  add("_band_mean", "mean", unit, [](const auto& s) { return s.mean.value; });
  add("_band_mean_se", error + " of the mean", unit, [](const auto& s) { return s.mean.error; });
  add("_band_std", "standard deviation", unit, [](const auto& s) { return s.deviation.value; });
  add("_band_std_se", error + " of the standard deviation", unit,
      [](const auto& s) { return s.deviation.error; });
  if (ensemble->quantile < 0) return;
  const auto quantiles = [&](const char* ending, const std::string& remark, const auto& list) {
    std::vector<double> values;
    for (const QuantityResults* one : band) {
      const std::vector<double>& of_one = list(*one->statistics);
      if (of_one.empty()) return;
      for (const double x : of_one) values.push_back(stored(x));
    }
    define(names, ending, {frequency, ensemble->quantile}, " (" + remark + ")", unit,
           std::move(values));
  };
  const auto interval = [&](const char* which) {
    return fmt::format(
        "{} end of the {:.6g} % confidence interval of the quantile, at each "
        "frequency by itself",
        which, 100 * ensemble->interval_confidence);
  };
  quantiles(
      "_band_quantile", "quantiles", [](const auto& s) -> const auto& { return s.quantiles; });
  quantiles(
      "_band_quantile_lower", interval("lower"),
      [](const auto& s) -> const auto& { return s.quantile_lower; });
  quantiles(
      "_band_quantile_upper", interval("upper"),
      [](const auto& s) -> const auto& { return s.quantile_upper; });
}

void QuantityPart::define_statistics(const Names& all, const QuantityResults& result,
                                     const QuantityEnsemble& ensemble) {
  const QuantityStatistics& statistics = *result.statistics;
  Names names = all;
  if (result.quantity->may_not_happen()) {
    define_probability(names, statistics, ensemble);
    names.conditional = names.conditional.empty() ? "crossing" : "success and crossing";
  }
  define(names, "_count", {}, " (values that statistics rest on)", "1",
         {static_cast<double>(statistics.happened)});
  define_estimate(names, "mean", "mean", statistics.mean, result, ensemble);
  define_estimate(names, "std", "standard deviation", statistics.deviation, result, ensemble);
  if (result.chaos)
    define(names, "_chaos_error", {}, " (mean-square error of the polynomial over the variance)",
           "1", {result.chaos_error});
  if (result.shares) define_shares(names, *result.shares, ensemble);
  if (!result.chaos) {
    define(names, "_min", {}, " (smallest value)", names.unit, {statistics.minimum});
    define(names, "_max", {}, " (largest value)", names.unit, {statistics.maximum});
  }
  define(names, "_mean_output_error", {},
         " (mean of the differences from what every second output gives)", names.unit,
         {statistics.mean_output_error});
  if (result.time_error)
    define(names, "_time_error", {},
           " (estimated error of the time integration, root mean square over realisations)",
           names.unit, {*result.time_error});
  if (result.mean_time_error)
    define(names, "_mean_time_error", {},
           " (estimated error of the mean because of the time integration)", names.unit,
           {*result.mean_time_error});
  if (ensemble.quantile >= 0) define_quantiles(names, statistics, ensemble);
  define_curves(names, result, ensemble);
}

void QuantityPart::define_estimate(const Names& names, const std::string& ending,
                                   const std::string& word, const EstimateWithError& estimate,
                                   const QuantityResults& result,
                                   const QuantityEnsemble& ensemble) {
  define(names, "_" + ending, {}, fmt::format(" ({})", word), names.unit, {estimate.value});
  if (result.chaos) {
    define(names, "_" + ending + "_error", {}, fmt::format(" (error of the {})", word), names.unit,
           {estimate.error});
    return;
  }
  const int error =
      define(names, "_" + ending + "_se", {}, fmt::format(" (standard error of the {})", word),
             names.unit, {estimate.error});
  file_.attribute(error, "error_basis", ensemble.error_basis);
  const auto end = [&](const char* which, double value) {
    define(names, fmt::format("_{}_interval_{}", ending, which), {},
           fmt::format(" ({} end of the {:.6g} % confidence interval of the {})", which,
                       100 * ensemble.interval_confidence, word),
           names.unit, {value});
  };
  end("lower", estimate.interval.lower);
  end("upper", estimate.interval.upper);
}

void QuantityPart::define_shares(const Names& names, const QuantityShares& shares,
                                 const QuantityEnsemble& ensemble) {
  const auto indices = [&](const std::string& ending, int dimension, const std::string& what,
                           const std::string& unit, const SobolIndices& found) {
    if (found.values.empty() || dimension < 0) return;
    const auto add = [&](const char* end, const std::string& remark,
                         const std::vector<double>& values) {
      define(names, ending + end, {dimension}, fmt::format(" ({})", remark), unit, values);
    };
    add("", what, found.values);
    if (found.lower.empty()) return;
    const auto with = [&](const char* end) {
      return fmt::format("{}, {} end with {:.4g} % confidence", what, end,
                         100 * ensemble.interval_confidence);
    };
    add("_lower", with("lower"), found.lower);
    add("_upper", with("upper"), found.upper);
  };
  const std::string share = "share of the variance that ";
  indices("_sobol_first", ensemble.germ, share + "is due to one random number alone", "1",
          shares.first);
  indices("_sobol_total", ensemble.germ, share + "one random number takes part in", "1",
          shares.total);
  indices("_sobol_group", ensemble.group, share + "is due to one group alone", "1",
          shares.group_alone);
  indices("_sobol_group_total", ensemble.group, share + "one group takes part in", "1",
          shares.group_total);
  for (const OtherIndices& other : shares.others)
    indices(other.ending, other.groups ? ensemble.group : ensemble.germ, other.what,
            other.share ? "1" : names.unit, other.indices);
}

void QuantityPart::define_probability(const Names& names, const QuantityStatistics& statistics,
                                      const QuantityEnsemble& ensemble) {
  const EstimateWithError& p = statistics.probability;
  const int id =
      define(names, "_probability", {}, " (how probable it is that it happens)", "1", {p.value});
  file_.attribute(id, "counted", static_cast<double>(statistics.counted));
  const auto end = [&](const char* which, double value) {
    define(names, fmt::format("_probability_{}", which), {},
           fmt::format(" ({} end of the {:.6g} % confidence interval of that probability)", which,
                       100 * ensemble.interval_confidence),
           "1", {value});
  };
  end("lower", p.interval.lower);
  end("upper", p.interval.upper);
}

void QuantityPart::define_quantiles(const Names& names, const QuantityStatistics& statistics,
                                    const QuantityEnsemble& ensemble) {
  define(names, "_quantile", {ensemble.quantile}, " (quantiles)", names.unit, statistics.quantiles);
  const auto ends = [&](const char* ending, const std::string& remark,
                        const std::vector<double>& values) {
    if (!values.empty()) define(names, ending, {ensemble.quantile}, remark, names.unit, values);
  };
  const auto interval = [&](const char* which) {
    return fmt::format(" ({} end of the {:.6g} % confidence interval of the quantile)", which,
                       100 * ensemble.interval_confidence);
  };
  ends("_quantile_lower", interval("lower"), statistics.quantile_lower);
  ends("_quantile_upper", interval("upper"), statistics.quantile_upper);
  const auto bound = [](const char* which) {
    return fmt::format(" (what the quantile could have been if nothing had failed, at {})", which);
  };
  ends("_quantile_bound_lower", bound("least"), statistics.bound_lower);
  ends("_quantile_bound_upper", bound("most"), statistics.bound_upper);
}

void QuantityPart::define_curves(const Names& names, const QuantityResults& result,
                                 const QuantityEnsemble& ensemble) {
  const DistributionCurves& curves = result.statistics->curves;
  const int density =
      define(names, "_density", {point_}, " (probability density by Gaussian kernels)",
             per(names.unit), curves.density);
  file_.attribute(density, "bandwidth", curves.bandwidth);
  if (!curves.density_error.empty())
    define(names, "_density_se", {point_},
           " (standard error of the density, without that of smoothing)", per(names.unit),
           curves.density_error);
  Names all = names;
  if (result.quantity->may_not_happen())
    // What does not happen is beyond any value.
    all.conditional = result.statistics->on_condition_of_success() ? "success" : "";
  define(all, "_abscissa", {point_}, " (abscissae of density and exceedance)", names.unit,
         curves.at);
  define(all, "_exceedance", {point_}, " (probability that it is exceeded)", "1",
         curves.exceedance);
  if (curves.exceedance_lower.empty()) return;
  const auto end = [&](const char* which, const std::vector<double>& values) {
    define(all, fmt::format("_exceedance_{}", which), {point_},
           fmt::format(" ({} end of the {:.6g} % confidence interval of that probability, at each "
                       "abscissa by itself)",
                       which, 100 * ensemble.interval_confidence),
           "1", values);
  };
  end("lower", curves.exceedance_lower);
  end("upper", curves.exceedance_upper);
}

void QuantityPart::put() const {
  for (const auto& [id, values] : values_) file_.put(id, values);
}

void QuantityPart::put(const LeafRecord& leaf) const {
  const std::size_t quantities = samples_.size(), count = leaf.realizations();
  std::vector<double> values(count), errors(count);
  for (std::size_t q = 0; q < quantities; ++q) {
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = stored(leaf.quantities[i * quantities + q].value);
      errors[i] = stored(leaf.quantities[i * quantities + q].output_error);
    }
    file_.put(samples_[q], {leaf.first()}, {count}, values.data());
    file_.put(errors_[q], {leaf.first()}, {count}, errors.data());
  }
}

}  // namespace tumble
