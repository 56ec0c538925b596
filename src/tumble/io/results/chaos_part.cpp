#include "tumble/io/results/chaos_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tumble {

ChaosPart::ChaosPart(NetcdfWriter& file, const NominalPart& nominal, const EnsembleResults& results,
                     int realization, bool failed)
    : file_(file),
      nominal_(nominal),
      results_(results),
      chaos_(*results.chaos),
      layout_(results.statistics->moments().layout()),
      failed_(failed) {
  define_role(realization);
  if (!chaos_.fit) {
    file.attribute("chaos_failure", chaos_.failure);
    return;
  }
  const ChaosFit& fit = *chaos_.fit;
  file.attribute("chaos_method", fit.method);
  file.attribute("chaos_error_method", fit.errors.measured
                                           ? fit.errors.method
                                           : fit.errors.method + " (a guess, not reliable)");
  if (fit.condition) file.attribute("chaos_condition", *fit.condition);
  std::string warnings;
  for (const std::string& warning : chaos_.warnings) warnings += warning + "\n";
  if (!warnings.empty()) file.long_attribute("chaos_warnings", warnings);

  means_ = fit.expansion.means();
  variances_ = fit.expansion.variances();
  for (std::size_t g = 0; g < chaos_.space->size(); ++g) {
    first_.push_back(fit.expansion.first_sobol(g));
    total_.push_back(fit.expansion.total_sobol(g));
  }
  for (const GermGroup& group : chaos_.space->groups()) {
    group_first_.push_back(fit.expansion.closed_sobol(group.germs));
    group_total_.push_back(fit.expansion.total_sobol(group.germs));
  }
  define_germs();
  define_groups();
  quantile_ = file.dimension("quantile", results.probabilities.size());
  axis_2_ = file.dimension("axis_2", 3);
  quat_2_ = file.dimension("quat_2", 4);
  for (const ProbeSeries& s : results.nominal->series)
    if (s.size == 6 && tensor_2_ < 0) tensor_2_ = file.dimension("tensor_2", 6);
  const int quantile = file.variable("quantile", NC_DOUBLE, {quantile_});
  file.attribute(quantile, "long_name", "probability of a quantile");
  puts_.push_back([this, quantile] { file_.put(quantile, results_.probabilities); });
  const int count = file.variable("count", NC_INT64, {nominal.time()});
  file.attribute(count, "long_name", "runs that the polynomials at this time are fitted to");
  puts_.push_back([this, count] {
    file_.put(count, std::vector<long long>(layout_.times(), static_cast<long long>(chaos_.runs)));
  });
  for (std::size_t q = 0; q < layout_.quantities(); ++q) define_quantity(q);
  if (!results.densities.times.empty())
    densities_.emplace(file, nominal, results, failed,
                       fmt::format("from {} values of the polynomials as if they were independent, "
                                   "without that of smoothing and that of the polynomials",
                                   chaos_.samples));
  principal_.emplace(file, nominal, *results.nominal, failed,
                     [this](std::size_t t, std::size_t q, std::size_t a, std::size_t b) {
                       return chaos_.fit->expansion.covariance(output(t, q, a), output(t, q, b));
                     });
}

void ChaosPart::put() const {
  for (const auto& put_variable : puts_) put_variable();
  if (densities_) densities_->put();
  if (principal_) principal_->put();
}

void ChaosPart::define_role(int realization) {
  const int role = file_.variable("role", NC_BYTE, {realization});
  file_.attribute(role, "flag_meanings", "fit validation");
  file_.attribute(
      role, "long_name",
      "what the run is for: 0 polynomials are fitted to it, 1 it measures their errors");
  if (chaos_.validation_failed > 0)
    file_.attribute("validation_failed",
                    fmt::format("{} runs, of inputs with a probability of {:.2g}",
                                chaos_.validation_failed, chaos_.validation_failed_share));
  puts_.push_back([this, role] {
    std::vector<signed char> roles(results_.realizations, 1);
    std::fill_n(roles.begin(), chaos_.first_validation, static_cast<signed char>(0));
    file_.put(role, 0, roles);
  });
}

void ChaosPart::define_groups() {
  const std::vector<GermGroup>& groups = chaos_.space->groups();
  group_ = file_.dimension("group", groups.size());
  const int names = file_.variable("group", NC_STRING, {group_});
  file_.attribute(
      names, "long_name",
      "random inputs whose Sobol' indices do not depend on the order of variables: "
      "correlated ones, and the numbers of a field, a centre of mass or an inertia, as one");
  const int members = file_.variable("germ_group", NC_INT64, {germ_});
  file_.attribute(members, "long_name", "group of each germ, counted from 0");
  puts_.push_back([this, names, members, &groups] {
    std::vector<const char*> shown;
    std::vector<long long> group_of(chaos_.space->size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
      shown.push_back(groups[g].name.c_str());
      for (const std::size_t germ : groups[g].germs) group_of[germ] = static_cast<long long>(g);
    }
    file_.put(names, shown);
    file_.put(members, group_of);
  });
}

void ChaosPart::define_germs() {
  const InputSpace& space = *chaos_.space;
  const MultiIndexSet& terms = chaos_.fit->expansion.basis().terms();
  germ_ = file_.dimension("germ", space.size());
  term_ = file_.dimension("term", terms.size());
  const int names = file_.variable("germ", NC_STRING, {germ_});
  file_.attribute(names, "long_name", "independent random numbers that polynomials are written in");
  const int families = file_.variable("germ_polynomials", NC_STRING, {germ_});
  file_.attribute(families, "long_name", "orthonormal polynomials of the random number");
  const int index = file_.variable("chaos_index", NC_INT64, {term_, germ_});
  file_.attribute(index, "long_name",
                  "degrees of the polynomials whose product is the term; the first term is 1");
  puts_.push_back([this, names, families, index, &space, &terms] {
    std::vector<std::string> descriptions;
    std::vector<const char*> shown, described;
    for (std::size_t g = 0; g < space.size(); ++g)
      descriptions.push_back(space.germ(g).description());
    for (std::size_t g = 0; g < space.size(); ++g) {
      shown.push_back(space.label(g).c_str());
      described.push_back(descriptions[g].c_str());
    }
    file_.put(names, shown);
    file_.put(families, described);
    std::vector<long long> degrees;
    for (std::size_t term = 0; term < terms.size(); ++term)
      for (const auto degree : terms[term]) degrees.push_back(degree);
    file_.put(index, degrees);
  });
}

int ChaosPart::define(std::size_t q, const std::string& statistic, const std::string& remark,
                      std::optional<std::string> unit, int leading, std::size_t count,
                      std::function<double(std::size_t entry, std::size_t output)> value) {
  std::vector<int> dimensions;
  if (leading >= 0) dimensions.push_back(leading);
  dimensions.push_back(nominal_.time());
  const int id = nominal_.define(file_, results_.nominal->series[q], statistic, dimensions, remark,
                                 {NC_DOUBLE, std::move(unit)});
  if (failed_) file_.attribute(id, "conditional_on", "success");
  puts_.push_back([this, q, id, leading, count, value = std::move(value)] {
    const std::size_t size = layout_.size(q);
    std::vector<double> values(layout_.times() * size);
    // Entry by entry: all coefficients at once may be more than memory should hold twice.
    for (std::size_t entry = 0; entry < count; ++entry) {
      for (std::size_t t = 0; t < layout_.times(); ++t)
        for (std::size_t a = 0; a < size; ++a) values[t * size + a] = value(entry, output(t, q, a));
      std::vector<std::size_t> start, counts;
      if (leading >= 0) start.push_back(entry), counts.push_back(1);
      start.push_back(0), counts.push_back(layout_.times());
      if (size > 1) start.push_back(0), counts.push_back(size);
      file_.put(id, start, counts, values.data());
    }
  });
  return id;
}

void ChaosPart::define_quantity(std::size_t q) {
  const ChaosFit& fit = *chaos_.fit;
  const auto over_time = [&](const char* statistic, const std::string& remark,
                             const std::vector<double>& values) {
    define(q, statistic, remark, {}, -1, 1,
           [&values](std::size_t, std::size_t o) { return values[o]; });
  };
  over_time("mean", " (mean, from polynomial chaos)", means_);
  define(q, "std", " (standard deviation, from polynomial chaos)", {}, -1, 1,
         [this](std::size_t, std::size_t o) { return std::sqrt(variances_[o]); });
  const bool measured = fit.errors.measured;
  const std::string sure =
      fmt::format("with {:.4g} % confidence", 100 * results_.interval_confidence);
  const std::string guess = "guessed from the fit itself, not reliable: ";
  const auto text = [&](const char* what) {
    return fmt::format(" ({}{})", measured ? sure + " at most the " : guess, what);
  };
  over_time("mean_error", text("error of the mean"), fit.errors.mean);
  over_time("std_error", text("error of the standard deviation"), fit.errors.std);
  const auto share = [&](const char* statistic, const std::string& remark,
                         const std::vector<double>& values) {
    define(q, statistic, remark, "1", -1, 1,
           [&values](std::size_t, std::size_t o) { return values[o]; });
  };
  const char* missed = "share of the variance that the polynomials miss";
  share("chaos_error", fmt::format(" ({}{})", measured ? "" : guess, missed), fit.errors.relative);
  if (measured) {
    share("chaos_error_lower", fmt::format(" ({}, lower end {})", missed, sure),
          fit.errors.relative_lower);
    share("chaos_error_upper", fmt::format(" ({}, upper end {})", missed, sure),
          fit.errors.relative_upper);
  }
  define_covariance(q);
  const std::size_t probabilities = results_.probabilities.size();
  const auto quantiles = [&](const char* statistic, const std::string& remark,
                             const std::vector<double>& values) {
    define(q, statistic, remark, {}, quantile_, probabilities,
           [&values, probabilities](std::size_t p, std::size_t o) {
             return values[o * probabilities + p];
           });
  };
  quantiles("quantile", " (quantiles, from values of the polynomials)", chaos_.quantiles);
  if (measured) {
    quantiles("quantile_lower", fmt::format(" (quantiles, lower end {})", sure),
              chaos_.quantile_lower);
    quantiles("quantile_upper", fmt::format(" (quantiles, upper end {})", sure),
              chaos_.quantile_upper);
  }
  define(q, "chaos", " (coefficients of orthonormal polynomials)", {}, term_,
         fit.expansion.basis().size(),
         [&fit](std::size_t term, std::size_t o) { return fit.expansion.coefficients()(term, o); });
  define_sobol(q, "sobol_first", "share of the variance that is due to one random number alone",
               germ_, first_, chaos_.germ_first);
  define_sobol(q, "sobol_total", "share of the variance that one random number takes part in",
               germ_, total_, chaos_.germ_total);
  define_sobol(q, "sobol_group", "share of the variance that is due to one group alone", group_,
               group_first_, chaos_.group_closed);
  define_sobol(q, "sobol_group_total", "share of the variance that one group takes part in", group_,
               group_total_, chaos_.group_total);
}

void ChaosPart::define_sobol(std::size_t q, const std::string& statistic, const std::string& remark,
                             int leading, const std::vector<std::vector<double>>& indices,
                             const std::vector<Intervals>& intervals) {
  define(q, statistic, fmt::format(" ({})", remark), "1", leading, indices.size(),
         [&indices](std::size_t g, std::size_t o) { return indices[g][o]; });
  if (intervals.empty()) return;
  const std::string sure =
      fmt::format("with {:.4g} % confidence", 100 * results_.interval_confidence);
  define(q, statistic + "_lower", fmt::format(" ({}, lower end {})", remark, sure), "1", leading,
         indices.size(),
         [&intervals](std::size_t g, std::size_t o) { return intervals[g].lower[o]; });
  define(q, statistic + "_upper", fmt::format(" ({}, upper end {})", remark, sure), "1", leading,
         indices.size(),
         [&intervals](std::size_t g, std::size_t o) { return intervals[g].upper[o]; });
}

void ChaosPart::define_covariance(std::size_t q) {
  const ProbeSeries& s = results_.nominal->series[q];
  std::vector<int> dimensions{nominal_.time()};
  if (s.size > 1) {
    dimensions.push_back(nominal_.components(s));
    dimensions.push_back(s.size == 3 ? axis_2_ : s.size == 4 ? quat_2_ : tensor_2_);
  }
  const std::string unit(info(s.quantity).unit);
  const int id =
      nominal_.define(file_, s, "cov", dimensions, " (covariance, from polynomial chaos)",
                      {NC_DOUBLE, unit.empty() ? unit : fmt::format("({})^2", unit), false});
  if (failed_) file_.attribute(id, "conditional_on", "success");
  puts_.push_back([this, q, id] {
    std::vector<double> values;
    for (std::size_t t = 0; t < layout_.times(); ++t)
      for (std::size_t a = 0; a < layout_.size(q); ++a)
        for (std::size_t b = 0; b < layout_.size(q); ++b)
          values.push_back(chaos_.fit->expansion.covariance(output(t, q, a), output(t, q, b)));
    file_.put(id, values);
  });
}

}  // namespace tumble
