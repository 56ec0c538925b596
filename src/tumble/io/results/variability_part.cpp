#include "tumble/io/results/variability_part.hpp"

#include <fmt/format.h>

#include "tumble/io/results/ensemble_results.hpp"

namespace tumble {

VariabilityPart::VariabilityPart(NetcdfWriter& file, const NominalPart& nominal,
                                 const EnsembleResults& results, int realization)
    : file_(file),
      nominal_(nominal),
      results_(results),
      found_(*results.variability),
      layout_(results.statistics->moments().layout()) {
  file.attribute("variability_std", found_.plan.std);
  file.attribute("variability_spectrum", found_.spectrum);
  file.attribute("variability_beyond", found_.response.beyond);
  define_coordinates(realization);
  for (std::size_t q = 0; q < layout_.quantities(); ++q) define_quantity(q);
}

void VariabilityPart::put() const {
  for (const auto& put_variable : puts_) put_variable();
}

void VariabilityPart::define_coordinates(int realization) {
  const VariabilityPlan& plan = found_.plan;
  wave_number_ = file_.dimension("wave_number", plan.wave_numbers.size());
  const int wave = file_.variable("wave_number", NC_DOUBLE, {wave_number_});
  file_.attribute(wave, "units", "rad/m");
  file_.attribute(wave, "long_name", "wave number of the flexibility along the beam");
  puts_.push_back([this, wave, &plan] { file_.put(wave, plan.wave_numbers); });
  const int role = file_.variable("role", NC_BYTE, {realization});
  file_.attribute(role, "flag_values", std::vector<signed char>{0, 1, 2});
  file_.attribute(role, "flag_meanings", "wave gaussian lognormal");
  file_.attribute(
      role, "long_name",
      "what the run is for: 0 a wave of the flexibility, 1 and 2 random fields of a law");
  puts_.push_back([this, role, &plan] {
    std::vector<signed char> roles(plan.wave_numbers.size() * plan.phases, 0);
    roles.insert(roles.end(), plan.check, 1);
    roles.insert(roles.end(), plan.check, 2);
    file_.put(role, 0, roles);
  });
  if (found_.response.checks.empty()) return;
  law_ = file_.dimension("law", 2);
  const int law = file_.variable("law", NC_STRING, {law_});
  file_.attribute(law, "long_name", "law of the random fields that the method is compared with");
  puts_.push_back([this, law] {
    file_.put(law, std::vector<const char*>{"gaussian", "lognormal"});
  });
}

void VariabilityPart::define(std::size_t q, const std::string& statistic, const std::string& remark,
                             std::optional<std::string> unit, int leading, std::size_t count,
                             std::function<const std::vector<double>&(std::size_t)> values) {
  std::vector<int> dimensions;
  if (leading >= 0) dimensions.push_back(leading);
  dimensions.push_back(nominal_.time());
  const int id = nominal_.define(file_, results_.nominal->series[q], statistic, dimensions, remark,
                                 {NC_DOUBLE, std::move(unit)});
  puts_.push_back([this, q, id, leading, count, values = std::move(values)] {
    const std::size_t size = layout_.size(q), first = layout_.number(q);
    std::vector<double> block(layout_.times() * size);
    for (std::size_t entry = 0; entry < count; ++entry) {
      const std::vector<double>& by_output = values(entry);
      for (std::size_t t = 0; t < layout_.times(); ++t)
        for (std::size_t a = 0; a < size; ++a)
          block[t * size + a] = by_output[t * layout_.numbers() + first + a];
      std::vector<std::size_t> start, counts;
      if (leading >= 0) start.push_back(entry), counts.push_back(1);
      start.push_back(0), counts.push_back(layout_.times());
      if (size > 1) start.push_back(0), counts.push_back(size);
      file_.put(id, start, counts, block.data());
    }
  });
}

void VariabilityPart::define_quantity(std::size_t q) {
  const VariabilityResponse& r = found_.response;
  const std::string unit(info(results_.nominal->series[q].quantity).unit);
  const std::string squared = unit.empty() ? unit : fmt::format("({})^2", unit);
  const std::size_t waves = found_.plan.wave_numbers.size();
  define(
      q, "dvrf", " (variability response function: variance over phases by that of f)", squared,
      wave_number_, waves, [&r](std::size_t w) -> const auto& { return r.dvrf[w]; });
  define(
      q, "dmrf", " (mean response function: mean over phases by the variance of f)", {},
      wave_number_, waves, [&r](std::size_t w) -> const auto& { return r.dmrf[w]; });
  const auto over_time = [&](const char* statistic, const char* remark,
                             const std::optional<std::string>& of_unit,
                             const std::vector<double>& values) {
    define(
        q, statistic, remark, of_unit, -1,
        1, [&values](std::size_t) -> const auto& { return values; });
  };
  over_time("variance", " (variance by the spectrum and dvrf; a conjecture unless linear in f)",
            squared, r.variance);
  over_time("variance_error",
            " (how wrong the integral over wave numbers may be; says nothing of the conjecture)",
            squared, r.variance_error);
  over_time("variance_bound",
            " (the variance at most, whatever the spectrum; a conjecture unless linear in f)",
            squared, r.variance_bound);
  over_time("response_mean", " (mean by the spectrum and dmrf; a conjecture unless linear in f)",
            {}, r.mean);
  if (r.checks.empty()) return;
  const std::size_t laws = r.checks.size();
  const auto by_law = [&](const char* statistic, const std::string& remark,
                          const std::optional<std::string>& of_unit,
                          std::vector<double> VariabilityCheck::*values) {
    define(
        q, statistic, remark, of_unit, law_, laws,
        [&r, values ](std::size_t l) -> const auto& { return r.checks[l].*values; });
  };
  by_law("check_mean", " (mean of runs with random fields)", {}, &VariabilityCheck::mean);
  by_law("check_std", " (standard deviation of runs with random fields)", {},
         &VariabilityCheck::std);
  by_law("check_std_se", " (standard error of check_std)", {}, &VariabilityCheck::std_se);
  const std::string what = "square root of the variance by dvrf over check_std, less 1";
  by_law("conjecture_error", fmt::format(" ({})", what), "1", &VariabilityCheck::conjecture_error);
  const std::string sure =
      fmt::format("with {:.4g} % confidence", 100 * results_.interval_confidence);
  by_law("conjecture_error_lower", fmt::format(" ({}, lower end {})", what, sure), "1",
         &VariabilityCheck::conjecture_error_lower);
  by_law("conjecture_error_upper", fmt::format(" ({}, upper end {})", what, sure), "1",
         &VariabilityCheck::conjecture_error_upper);
}

}  // namespace tumble
