#include "tumble/io/chaos_part.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace tumble {

ChaosPart::ChaosPart(NetcdfWriter& file, const NominalPart& nominal, const EnsembleResults& results,
                     bool failed)
    : file_(file),
      nominal_(nominal),
      results_(results),
      chaos_(*results.chaos),
      layout_(results.statistics->moments().layout()),
      failed_(failed) {
  if (!chaos_.fit) {
    file.attribute("chaos_failure", chaos_.failure);
    return;
  }
  const ChaosFit& fit = *chaos_.fit;
  file.attribute("chaos_method", fit.method);
  file.attribute("chaos_error_method", fit.errors.method);
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
  define_germs();
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
      shown.push_back(space.name(g).c_str());
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
  const auto over_time = [&](const char* statistic, const char* remark,
                             const std::vector<double>& values) {
    define(q, statistic, remark, {}, -1, 1,
           [&values](std::size_t, std::size_t o) { return values[o]; });
  };
  over_time("mean", " (mean, from polynomial chaos)", means_);
  define(q, "std", " (standard deviation, from polynomial chaos)", {}, -1, 1,
         [this](std::size_t, std::size_t o) { return std::sqrt(variances_[o]); });
  over_time("mean_error", " (estimated error of the mean)", fit.errors.mean);
  over_time("std_error", " (estimated error of the standard deviation)", fit.errors.std);
  define(q, "chaos_error", " (estimated share of the variance that the polynomials miss)", "1", -1,
         1, [&fit](std::size_t, std::size_t o) { return fit.errors.relative[o]; });
  define_covariance(q);
  const std::size_t probabilities = results_.probabilities.size();
  define(q, "quantile", " (quantiles, from values of the polynomials)", {}, quantile_,
         probabilities, [this, probabilities](std::size_t p, std::size_t o) {
           return chaos_.quantiles[o * probabilities + p];
         });
  define(q, "chaos", " (coefficients of orthonormal polynomials)", {}, term_,
         fit.expansion.basis().size(),
         [&fit](std::size_t term, std::size_t o) { return fit.expansion.coefficients()(term, o); });
  define(q, "sobol_first", " (share of the variance that is due to one random number alone)", "1",
         germ_, first_.size(), [this](std::size_t g, std::size_t o) { return first_[g][o]; });
  define(q, "sobol_total", " (share of the variance that one random number takes part in)", "1",
         germ_, total_.size(), [this](std::size_t g, std::size_t o) { return total_[g][o]; });
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
