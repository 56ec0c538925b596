#include "study_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

#include "summary.hpp"
#include "tumble/io/netcdf/netcdf_reader.hpp"
#include "tumble/study/quantiles/regions.hpp"

namespace tumble::app {
namespace {

constexpr std::size_t most_rows = 9;
constexpr std::size_t sparkline_width = 48;

/// Where a quantity is most uncertain.
struct WidestPoint {
  std::string name, unit;
  double nominal_peak = 0, mean = 0, std = 0, low = 0, high = 0, time = 0;
  std::optional<double> mean_se, time_error;  ///< of the mean
  std::optional<double> std_se;
  double relative = 0;         ///< std over the largest mean of any component
  std::vector<double> widths;  ///< of the confidence region over time
};

class StudyTable {
 public:
  StudyTable(const std::filesystem::path& results, const Trajectory& nominal)
      : file_(results), nominal_(nominal) {}

  std::string text() const {
    std::vector<WidestPoint> rows;
    for (const ProbeSeries& series : nominal_.series)
      if (auto row = widest_point(series)) rows.push_back(std::move(*row));
    if (rows.empty()) return {};
    const auto widest = std::ranges::max_element(rows, {}, &WidestPoint::relative);
    std::size_t width = 22;
    for (const WidestPoint& row : rows) width = std::max(width, row.name.size() + 1);
    std::string text =
        fmt::format("{:<{}}{:>12}{:>12}{:>10}{:>11}{:>11}{:>10}  {:<27} {}\n",
                    "where most uncertain", width, "nominal peak", "mean", "its error",
                    "time error", "std", "its error", region_title(), "t [s]");
    auto out = std::back_inserter(text);
    for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i) {
      const WidestPoint& r = rows[i];
      fmt::format_to(
          out, "{:<{}}{:>12.5g}{:>12.5g}{:>10}{:>11}{:>11.3g}{:>10}  {:<27} {:<9.4g} {}\n", r.name,
          width, r.nominal_peak, r.mean, short_number(r.mean_se), short_number(r.time_error), r.std,
          short_number(r.std_se), fmt::format("{:.5g} ... {:.5g}", r.low, r.high), r.time, r.unit);
    }
    if (rows.size() > most_rows)
      fmt::format_to(out, "and {} more in the results\n", rows.size() - most_rows);
    fmt::format_to(out, "widest: {}, std {:.3g} of its size; width of the region over time\n{}\n",
                   widest->name, widest->relative, sparkline(widest->widths, sparkline_width));
    return text;
  }

 private:
  static std::string short_number(const std::optional<double>& x) {
    return x ? fmt::format("{:.2g}", *x) : "-";
  }

  std::string region_title() const {
    const auto* quantile = file_.find("quantile");
    const std::vector<double> p = file_.numbers(*quantile);
    std::string kind = file_.text_attribute("region");
    if (kind == "chebyshev") kind = "Chebyshev";
    return fmt::format("{:g} % {}region", std::round(1e10 * (p.at(2) - p.at(0))) / 1e8,
                       kind.empty() || kind == "quantile" ? "" : kind + " ");
  }

  /// Values [time][component] of a statistic; of quantiles those with the given place.
  std::optional<std::vector<double>> values(const ProbeSeries& series, const char* statistic,
                                            std::size_t place = 0) const {
    const auto* variable =
        file_.find(fmt::format("{}_{}_{}", series.probe, info(series.quantity).name, statistic));
    if (variable == nullptr) return std::nullopt;
    const std::vector<double> all = file_.numbers(*variable);
    const auto size = static_cast<std::ptrdiff_t>(series.values.size());
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(place) * size;
    return std::vector<double>(begin, begin + size);
  }

  std::optional<WidestPoint> widest_point(const ProbeSeries& series) const {
    if (series.size > 3) return std::nullopt;  // components of quaternions and tensors tell little
    const auto mean = values(series, "mean"), std = values(series, "std");
    auto low = values(series, "region_lower"), high = values(series, "region_upper");
    if (!low || !high) low = values(series, "quantile", 0), high = values(series, "quantile", 2);
    if (!mean || !std || !low || !high) return std::nullopt;
    std::size_t at = 0;
    double size = 0;
    for (std::size_t i = 0; i < std->size(); ++i) {
      if ((*std)[i] > (*std)[at] || std::isnan((*std)[at])) at = i;
      if (std::abs((*mean)[i]) > size) size = std::abs((*mean)[i]);
    }
    const auto components = static_cast<std::size_t>(series.size), axis = at % components;
    WidestPoint point;
    point.name = fmt::format("{} {}", series.probe, info(series.quantity).name);
    if (components > 1) point.name += fmt::format(" {}", "xyz"[axis]);
    point.unit = info(series.quantity).unit;
    for (std::size_t i = axis; i < series.values.size(); i += components)
      point.widths.push_back((*high)[i] - (*low)[i]);
    point.nominal_peak = peak(series, axis);
    point.mean = (*mean)[at];
    point.std = (*std)[at];
    if (const auto errors = values(series, "mean_se")) point.mean_se = (*errors)[at];
    if (const auto errors = values(series, "std_se")) point.std_se = (*errors)[at];
    // Of polynomial chaos.
    if (const auto errors = values(series, "mean_error")) point.mean_se = (*errors)[at];
    if (const auto errors = values(series, "std_error")) point.std_se = (*errors)[at];
    if (const auto errors = values(series, "mean_time_error")) point.time_error = (*errors)[at];
    point.low = (*low)[at];
    point.high = (*high)[at];
    point.time = nominal_.times[at / components];
    // What a conservative system has of total energy beside a constant is errors.
    if (size > 0 && std::isfinite(point.std) && series.quantity != Quantity::total_energy)
      point.relative = point.std / size;
    return point;
  }

  NetcdfReader file_;
  const Trajectory& nominal_;
};

}  // namespace

std::string sparkline(const std::vector<double>& values, std::size_t width) {
  static constexpr std::array<const char*, 8> bars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  width = std::min(width, values.size());
  double largest = 0;
  for (const double value : values)
    if (std::isfinite(value)) largest = std::max(largest, value);
  std::string line;
  for (std::size_t i = 0; i < width; ++i) {
    double value = -1;
    for (std::size_t k = i * values.size() / width; k < (i + 1) * values.size() / width; ++k)
      if (std::isfinite(values[k])) value = std::max(value, values[k]);
    if (value < 0)
      line += ' ';
    else
      line +=
          bars[largest > 0 ? std::min<std::size_t>(7, static_cast<std::size_t>(8 * value / largest))
                           : 0];
  }
  return line;
}

namespace {

/// What another region than that between quantiles holds.
std::string region_note(const Study& study, const std::string& shortfall) {
  if (!shortfall.empty()) return shortfall + "\n";
  const double content = 100 * study.confidence, sure = 100 * study.interval_confidence;
  switch (study.region) {
    case RegionKind::quantile:
      break;
    case RegionKind::tolerance:
      return fmt::format(
          "the region holds {:g} % of all machines at each time, with a confidence of {:g} %\n",
          content, sure);
    case RegionKind::simultaneous:
      return fmt::format(
          "the region holds the whole trajectories of {:g} % of all machines, each component by "
          "itself, with a confidence of {:g} %\n",
          content, sure);
    case RegionKind::chebyshev:
      return fmt::format(
          "the region is that of Chebyshev's inequality: whatever their law, at least {:g} % of "
          "all machines are in it if mean and std are right\n",
          content);
  }
  return {};
}

}  // namespace

std::string error_notes(const std::filesystem::path& results, const Study& study,
                        const Sampling& sampling, std::uint64_t realizations,
                        std::uint64_t failed) {
  std::string text;
  auto out = std::back_inserter(text);
  if (sampling.in_copies())
    fmt::format_to(
        out,
        "errors are standard errors, from the scatter of {} randomisations; {:g} % intervals are "
        "in the results\n",
        sampling.randomizations, 100 * study.interval_confidence);
  else if (!sampling.has_errors())
    text += "no errors: one randomisation of the design says nothing about them\n";
  else
    fmt::format_to(out, "errors are standard errors; {:g} % intervals are in the results\n",
                   100 * study.interval_confidence);
  if (study.region != RegionKind::quantile)
    text += region_note(study, NetcdfReader(results).text_attribute("region_shortfall"));
  // What quantiles of few values hold less than they say.
  constexpr double noticeable = 0.01;
  const double content = expected_content(study.confidence, realizations - failed);
  if (study.region == RegionKind::quantile && !sampling.is_design() &&
      study.confidence - content > noticeable)
    fmt::format_to(out,
                   "the {:g} % region is that of {} values: on average it holds {:.0f} % of all "
                   "machines\n",
                   100 * study.confidence, realizations - failed, 100 * content);
  if (failed > 0)
    fmt::format_to(out,
                   "on condition of success: {} of {} realisations failed and are left out; the "
                   "results say what quantiles could have been\n",
                   failed, realizations);
  return text;
}

std::string study_table(const std::filesystem::path& results, const Trajectory& nominal) {
  return StudyTable(results, nominal).text();
}

}  // namespace tumble::app
