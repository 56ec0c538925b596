#include "tumble/io/results/statistics_part.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tumble/study/statistics/plain_statistics.hpp"

namespace tumble {
namespace {

/// Of variances and covariances.
const char* divisor(const Sampling& sampling) { return sampling.is_design() ? "n" : "n - 1"; }

}  // namespace

std::string error_basis(const Sampling& sampling) {
  if (sampling.in_copies())
    return fmt::format("the scatter of {} independent randomisations of the design",
                       sampling.randomizations);
  if (sampling.is_design())
    return "none: one randomisation of the design, whose points depend on each other, says nothing "
           "about its errors";
  if (sampling.block > 0)
    return fmt::format("blocks of {} realisations that share random numbers, each counted once",
                       sampling.block);
  if (sampling.effective_fraction)
    return fmt::format("Markov chains: {:.3g} n independent values for n realisations",
                       *sampling.effective_fraction);
  return "independent realisations";
}

StatisticsPart::StatisticsPart(NetcdfWriter& file, const NominalPart& nominal,
                               const EnsembleResults& results, bool failed)
    : file_(file),
      nominal_(nominal),
      results_(results),
      moments_(results.statistics->moments()),
      layout_(moments_.layout()),
      failed_(failed),
      intervals_(*results.statistics, results.sampling, results.interval_confidence) {
  quantile_ = file.dimension("quantile", results.probabilities.size());
  axis_2_ = file.dimension("axis_2", 3);
  quat_2_ = file.dimension("quat_2", 4);
  for (const ProbeSeries& s : results.nominal->series)
    if (s.size == 6 && tensor_2_ < 0) tensor_2_ = file.dimension("tensor_2", 6);
  const int quantile = file.variable("quantile", NC_DOUBLE, {quantile_});
  file.attribute(quantile, "long_name", "probability of a quantile");
  puts_.push_back([this, quantile] { file_.put(quantile, results_.probabilities); });
  file.attribute("interval_confidence", results.interval_confidence);
  define_region();
  const int count = file.variable("count", NC_INT64, {nominal.time()});
  file.attribute(count, "long_name", "realisations that the statistics at this time rest on");
  puts_.push_back([this, count] {
    std::vector<long long> counts(layout_.times());
    for (std::size_t t = 0; t < counts.size(); ++t)
      counts[t] = static_cast<long long>(moments_.count(t));
    file_.put(count, counts);
  });
  for (std::size_t q = 0; q < layout_.quantities(); ++q) define_quantity(q);
  if (!results.densities.times.empty())
    densities_.emplace(file, nominal, results, failed, "without that of smoothing");
  principal_.emplace(file, nominal, *results.nominal, failed,
                     [this](std::size_t t, std::size_t q, std::size_t a, std::size_t b) {
                       return covariance(t, q, a, b);
                     });
}

void StatisticsPart::put() const {
  for (const auto& put_variable : puts_) put_variable();
  if (densities_) densities_->put();
  principal_->put();
}

void StatisticsPart::define_quantity(std::size_t q) {
  const LeafStatistics& statistics = *results_.statistics;
  const Sampling& sampling = results_.sampling;
  const int mean = over_time(q, "mean", " (mean)",
                             [this](std::size_t t, std::size_t n) { return moments_.mean(t, n); });
  const int deviation = over_time(
      q, "std", fmt::format(" (standard deviation, {})", divisor(sampling)),
      [&](std::size_t t, std::size_t n) { return ensemble_deviation(statistics, sampling, t, n); });
  if (sampling.has_errors()) {
    conditional(mean);
    conditional(deviation);
    define_errors(q);
  } else {
    with_error_basis(mean);
    with_error_basis(deviation);
  }
  define_covariance(q);
  for (const PlainStatistic& plain : plain_statistics())
    conditional(over_time(
        q, plain.name, fmt::format(" ({})", plain.words),
        [&statistics, &sampling, value = plain.value](std::size_t t, std::size_t n) {
          return value(statistics, sampling, t, n);
        },
        plain.unit));
  realization_over_time(
      q, "min_realization", " (which has the smallest value, the first of equal)",
      [this](std::size_t t, std::size_t n) { return moments_.minimum_realization(t, n); });
  realization_over_time(
      q, "max_realization", " (which has the largest value, the first of equal)",
      [this](std::size_t t, std::size_t n) { return moments_.maximum_realization(t, n); });
  define_quantiles(q);
  if (!results_.region.lower.empty()) define_region_of(q);
  if (failed_ && q < results_.ranges.size() && results_.ranges[q]) define_bounds(q);
}

void StatisticsPart::define_errors(std::size_t q) {
  const LeafStatistics& statistics = *results_.statistics;
  const Sampling& sampling = results_.sampling;
  const std::uint64_t most = layout_.times() == 0 ? 0 : moments_.count(0);
  const DegreesOfFreedom degrees = degrees_of_freedom(sampling, most, sampling.randomizations);
  const auto say = [&](int variable, double of_freedom) {
    with_error_basis(variable);
    file_.attribute(variable, "degrees_of_freedom", of_freedom);
  };
  say(over_time(
          q, "mean_se", " (standard error of the mean)",
          [&](std::size_t t, std::size_t n) { return mean_error(statistics, sampling, t, n); }),
      degrees.mean);
  say(over_time(q, "std_se",
                " (standard error of the standard deviation; unreliable for heavy tails)",
                [&](std::size_t t, std::size_t n) {
                  return deviation_error(statistics, sampling, t, n);
                }),
      degrees.deviation);
  const auto remark = [&](const char* end, const char* what) {
    return fmt::format(" ({} end of the {:.6g} % confidence interval of the {})", end,
                       100 * results_.interval_confidence, what);
  };
  using Ends = Interval (ConfidenceIntervals::*)(std::size_t, std::size_t) const;
  const auto end_of = [this](Ends interval, double Interval::*end) {
    return [this, interval, end](std::size_t t, std::size_t n) {
      return (intervals_.*interval)(t, n).*end;
    };
  };
  say(over_time(q, "mean_interval_lower", remark("lower", "mean"),
                end_of(&ConfidenceIntervals::mean, &Interval::lower)),
      degrees.mean);
  say(over_time(q, "mean_interval_upper", remark("upper", "mean"),
                end_of(&ConfidenceIntervals::mean, &Interval::upper)),
      degrees.mean);
  say(over_time(q, "std_interval_lower", remark("lower", "standard deviation"),
                end_of(&ConfidenceIntervals::deviation, &Interval::lower)),
      degrees.deviation);
  say(over_time(q, "std_interval_upper", remark("upper", "standard deviation"),
                end_of(&ConfidenceIntervals::deviation, &Interval::upper)),
      degrees.deviation);
}

void StatisticsPart::define_quantiles(std::size_t q) {
  const EnsembleQuantiles& found = results_.quantiles;
  const int quantiles = over_quantiles(q, "quantile", " (quantiles)", found.estimate);
  conditional(quantiles);
  if (!results_.sampling.has_errors())
    file_.attribute(quantiles, "error_basis", error_basis(results_.sampling));
  if (!found.lower.empty()) {
    const auto remark = [&](const char* end) {
      return fmt::format(" ({} end of the {:.6g} % confidence interval of the quantile)", end,
                         100 * results_.interval_confidence);
    };
    with_error_basis(over_quantiles(q, "quantile_lower", remark("lower"), found.lower));
    with_error_basis(over_quantiles(q, "quantile_upper", remark("upper"), found.upper));
  }
  if (!found.bound_lower.empty()) {
    const auto remark = [](const char* end) {
      return fmt::format(
          " ({} bound of the quantile, whatever failed realisations would have been)", end);
    };
    over_quantiles(q, "quantile_bound_lower", remark("lower"), found.bound_lower);
    over_quantiles(q, "quantile_bound_upper", remark("upper"), found.bound_upper);
  }
}

void StatisticsPart::define_region() {
  const RegionKind kind = results_.region_kind;
  file_.attribute("region", region_kind_names[static_cast<std::size_t>(kind)]);
  file_.attribute("region_probability", results_.confidence);
  region_shortfall_ = region_shortfall(
      moments_, {kind, results_.confidence, results_.interval_confidence, results_.sampling});
  if (!region_shortfall_.empty()) file_.attribute("region_shortfall", region_shortfall_);
  if (kind == RegionKind::quantile && !results_.sampling.is_design() && layout_.times() > 0)
    file_.attribute("region_expected_content",
                    expected_content(results_.confidence, moments_.count(0)));
}

void StatisticsPart::define_region_of(std::size_t q) {
  const auto remark = [this](const char* end) -> std::string {
    const double content = 100 * results_.confidence, sure = 100 * results_.interval_confidence;
    if (!region_shortfall_.empty()) return fmt::format(" ({} end of the region)", end);
    switch (results_.region_kind) {
      case RegionKind::tolerance:
        return fmt::format(
            " ({} end of a region that at this time holds {:g} % of all machines "
            "with a confidence of {:g} %)",
            end, content, sure);
      case RegionKind::simultaneous:
        return fmt::format(
            " ({} end of a band that holds the whole trajectories of {:g} % of all "
            "machines with a confidence of {:g} %)",
            end, content, sure);
      default:
        return fmt::format(
            " ({} end of the region of Chebyshev's inequality for {:g} %, from mean and standard "
            "deviation)",
            end, content);
    }
  };
  const auto end_of = [this](const std::vector<double>& ends) {
    return [this, &ends](std::size_t t, std::size_t n) { return ends[t * layout_.numbers() + n]; };
  };
  const int ends[] = {over_time(q, "region_lower", remark("lower"), end_of(results_.region.lower)),
                      over_time(q, "region_upper", remark("upper"), end_of(results_.region.upper))};
  for (const int id : ends) {
    conditional(id);
    if (!region_shortfall_.empty()) file_.attribute(id, "comment", region_shortfall_);
  }
}

void StatisticsPart::define_bounds(std::size_t q) {
  const auto bound = [this, q](double MomentBounds::*which) {
    return [this, q, which](std::size_t t, std::size_t n) {
      return moment_bounds(moments_.mean(t, n), moments_.standard_deviation(t, n),
                           moments_.count(t), results_.statistics->realizations(),
                           *results_.ranges[q]).*
             which;
    };
  };
  const double factor =
      std::sqrt(covariance_factor(results_.sampling, results_.statistics->realizations()));
  const auto deviation_bound = [bound, factor](double MomentBounds::*which) {
    return [of_independent = bound(which), factor](std::size_t t, std::size_t n) {
      return factor * of_independent(t, n);
    };
  };
  const auto remark = [](const char* end, const char* what) {
    return fmt::format(
        " ({} bound of the {}, wherever in the declared range failed realisations would have been)",
        end, what);
  };
  over_time(q, "mean_lower", remark("lower", "mean"), bound(&MomentBounds::mean_lower));
  over_time(q, "mean_upper", remark("upper", "mean"), bound(&MomentBounds::mean_upper));
  over_time(q, "std_lower", remark("lower", "standard deviation"),
            deviation_bound(&MomentBounds::deviation_lower));
  over_time(q, "std_upper", remark("upper", "standard deviation"),
            deviation_bound(&MomentBounds::deviation_upper));
}

int StatisticsPart::over_time(std::size_t q, const std::string& statistic,
                              const std::string& remark, const Entry& entry, const char* unit) {
  VariableForm form;
  if (unit != nullptr) form.unit = unit;
  const int id = nominal_.define(file_, results_.nominal->series[q], statistic, {nominal_.time()},
                                 remark, form);
  puts_.push_back([this, q, id, entry] {
    std::vector<double> values;
    for (std::size_t t = 0; t < layout_.times(); ++t)
      for (std::size_t a = 0; a < layout_.size(q); ++a)
        values.push_back(entry(t, layout_.number(q) + a));
    file_.put(id, values);
  });
  return id;
}

void StatisticsPart::realization_over_time(
    std::size_t q, const std::string& statistic, const std::string& remark,
    const std::function<std::int64_t(std::size_t, std::size_t)>& entry) {
  const int id = nominal_.define(file_, results_.nominal->series[q], statistic, {nominal_.time()},
                                 remark, {NC_INT64, "1"});
  puts_.push_back([this, q, id, entry] {
    std::vector<long long> values;
    for (std::size_t t = 0; t < layout_.times(); ++t)
      for (std::size_t a = 0; a < layout_.size(q); ++a) {
        const std::int64_t realization = entry(t, layout_.number(q) + a);
        values.push_back(realization == Moments::no_realization ? -1 : realization);
      }
    file_.put(id, values);
  });
}

int StatisticsPart::over_quantiles(std::size_t q, const std::string& statistic,
                                   const std::string& remark, const std::vector<double>& values) {
  const int id = nominal_.define(file_, results_.nominal->series[q], statistic,
                                 {quantile_, nominal_.time()}, remark);
  puts_.push_back([this, q, id, &values] {
    const std::size_t count = results_.probabilities.size();
    std::vector<double> ordered;
    for (std::size_t p = 0; p < count; ++p)
      for (std::size_t t = 0; t < layout_.times(); ++t)
        for (std::size_t a = 0; a < layout_.size(q); ++a)
          ordered.push_back(values[(t * layout_.numbers() + layout_.number(q) + a) * count + p]);
    file_.put(id, ordered);
  });
  return id;
}

double StatisticsPart::covariance(std::size_t t, std::size_t q, std::size_t a,
                                  std::size_t b) const {
  return covariance_factor(results_.sampling, moments_.count(t)) * moments_.covariance(t, q, a, b);
}

void StatisticsPart::define_covariance(std::size_t q) {
  const ProbeSeries& s = results_.nominal->series[q];
  std::vector<int> dimensions{nominal_.time()};
  if (s.size > 1) {
    dimensions.push_back(nominal_.components(s));
    dimensions.push_back(s.size == 3 ? axis_2_ : s.size == 4 ? quat_2_ : tensor_2_);
  }
  const int id = file_.variable(fmt::format("{}_{}_cov", s.probe, info(s.quantity).name), NC_DOUBLE,
                                dimensions);
  const std::string unit(info(s.quantity).unit);
  if (!unit.empty()) file_.attribute(id, "units", fmt::format("({})^2", unit));
  file_.attribute(id, "long_name",
                  fmt::format("{} {} (covariance, {})", s.probe, info(s.quantity).name,
                              divisor(results_.sampling)));
  conditional(id);
  puts_.push_back([this, q, id] {
    std::vector<double> values;
    for (std::size_t t = 0; t < layout_.times(); ++t)
      for (std::size_t a = 0; a < layout_.size(q); ++a)
        for (std::size_t b = 0; b < layout_.size(q); ++b) values.push_back(covariance(t, q, a, b));
    file_.put(id, values);
  });
}

void StatisticsPart::conditional(int variable) {
  if (failed_) file_.attribute(variable, "conditional_on", "success");
}

void StatisticsPart::with_error_basis(int variable) {
  conditional(variable);
  file_.attribute(variable, "error_basis", error_basis(results_.sampling));
}

}  // namespace tumble
