#include "tumble/io/statistics_part.hpp"

#include <fmt/format.h>

#include "tumble/study/standard_errors.hpp"

namespace tumble {
namespace {

std::string error_basis(const Sampling& sampling) {
  if (sampling.in_copies())
    return fmt::format("the scatter of {} independent randomisations of the design",
                       sampling.randomizations);
  if (sampling.effective_fraction)
    return fmt::format("Markov chains: {:.3g} n independent values for n realisations",
                       *sampling.effective_fraction);
  return "independent realisations";
}

}  // namespace

StatisticsPart::StatisticsPart(NetcdfWriter& file, const NominalPart& nominal,
                               const EnsembleResults& results, bool failed)
    : file_(file),
      nominal_(nominal),
      results_(results),
      moments_(results.statistics->moments()),
      layout_(moments_.layout()),
      failed_(failed) {
  quantile_ = file.dimension("quantile", results.probabilities.size());
  axis_2_ = file.dimension("axis_2", 3);
  quat_2_ = file.dimension("quat_2", 4);
  for (const ProbeSeries& s : results.nominal->series)
    if (s.size == 6 && tensor_2_ < 0) tensor_2_ = file.dimension("tensor_2", 6);
  const int quantile = file.variable("quantile", NC_DOUBLE, {quantile_});
  file.attribute(quantile, "long_name", "probability of a quantile");
  puts_.push_back([this, quantile] { file_.put(quantile, results_.probabilities); });
  file.attribute("interval_confidence", results.interval_confidence);
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
                       return moments_.covariance(t, q, a, b);
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
  conditional(over_time(q, "mean", " (mean)",
                        [this](std::size_t t, std::size_t n) { return moments_.mean(t, n); }));
  conditional(over_time(
      q, "std", " (standard deviation, n - 1)",
      [this](std::size_t t, std::size_t n) { return moments_.standard_deviation(t, n); }));
  with_error_basis(over_time(
      q, "mean_se", " (standard error of the mean)",
      [&](std::size_t t, std::size_t n) { return mean_error(statistics, sampling, t, n); }));
  with_error_basis(over_time(
      q, "std_se", " (standard error of the standard deviation; unreliable for heavy tails)",
      [&](std::size_t t, std::size_t n) { return deviation_error(statistics, sampling, t, n); }));
  covariance(q);
  conditional(over_time(q, "min", " (smallest value)",
                        [this](std::size_t t, std::size_t n) { return moments_.minimum(t, n); }));
  conditional(over_time(q, "max", " (largest value)",
                        [this](std::size_t t, std::size_t n) { return moments_.maximum(t, n); }));
  realization_over_time(
      q, "min_realization", " (which has the smallest value, the first of equal)",
      [this](std::size_t t, std::size_t n) { return moments_.minimum_realization(t, n); });
  realization_over_time(
      q, "max_realization", " (which has the largest value, the first of equal)",
      [this](std::size_t t, std::size_t n) { return moments_.maximum_realization(t, n); });
  define_quantiles(q);
  if (failed_ && q < results_.ranges.size() && results_.ranges[q]) define_bounds(q);
}

void StatisticsPart::define_quantiles(std::size_t q) {
  const EnsembleQuantiles& found = results_.quantiles;
  conditional(over_quantiles(q, "quantile", " (quantiles)", found.estimate));
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

void StatisticsPart::define_bounds(std::size_t q) {
  const auto bound = [this, q](double MomentBounds::*which) {
    return [this, q, which](std::size_t t, std::size_t n) {
      return moment_bounds(moments_.mean(t, n), moments_.standard_deviation(t, n),
                           moments_.count(t), results_.statistics->realizations(),
                           *results_.ranges[q]).*
             which;
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
            bound(&MomentBounds::deviation_lower));
  over_time(q, "std_upper", remark("upper", "standard deviation"),
            bound(&MomentBounds::deviation_upper));
}

int StatisticsPart::over_time(std::size_t q, const std::string& statistic,
                              const std::string& remark, const Entry& entry) {
  const int id =
      nominal_.define(file_, results_.nominal->series[q], statistic, {nominal_.time()}, remark);
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

void StatisticsPart::covariance(std::size_t q) {
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
                  fmt::format("{} {} (covariance, n - 1)", s.probe, info(s.quantity).name));
  conditional(id);
  puts_.push_back([this, q, id] {
    std::vector<double> values;
    for (std::size_t t = 0; t < layout_.times(); ++t)
      for (std::size_t a = 0; a < layout_.size(q); ++a)
        for (std::size_t b = 0; b < layout_.size(q); ++b)
          values.push_back(moments_.covariance(t, q, a, b));
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
