#include "tumble/io/results/statistics_csv.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string_view>

#include "tumble/io/netcdf/netcdf_reader.hpp"
#include "tumble/study/statistics/plain_statistics.hpp"

namespace tumble {
namespace {

/// What may be over time or over quantiles and time, in the order of columns; a study has those
/// that its results file has.
std::vector<std::string> statistics_over_time() {
  std::vector<std::string> names{"nominal",
                                 "mean",
                                 "mean_se",
                                 "mean_error",
                                 "mean_interval_lower",
                                 "mean_interval_upper",
                                 "mean_lower",
                                 "mean_upper",
                                 "mean_time_error",
                                 "time_error",
                                 "std",
                                 "std_se",
                                 "std_error",
                                 "std_interval_lower",
                                 "std_interval_upper",
                                 "std_lower",
                                 "std_upper",
                                 "chaos_error",
                                 "chaos_error_lower",
                                 "chaos_error_upper"};
  for (const PlainStatistic& plain : plain_statistics()) names.emplace_back(plain.name);
  for (const char* name :
       {"quantile", "quantile_lower", "quantile_upper", "quantile_bound_lower",
        "quantile_bound_upper", "region_lower", "region_upper", "bound_lower", "bound_upper",
        "bound_error", "inclusion_lower", "inclusion_upper", "found_min", "found_max"})
    names.emplace_back(name);
  return names;
}

constexpr std::array statistics_of_quantities{"nominal",
                                              "nominal_output_error",
                                              "count",
                                              "probability",
                                              "probability_lower",
                                              "probability_upper",
                                              "mean",
                                              "mean_se",
                                              "mean_error",
                                              "mean_interval_lower",
                                              "mean_interval_upper",
                                              "mean_output_error",
                                              "mean_time_error",
                                              "time_error",
                                              "std",
                                              "std_se",
                                              "std_error",
                                              "std_interval_lower",
                                              "std_interval_upper",
                                              "chaos_error",
                                              "min",
                                              "max",
                                              "quantile",
                                              "quantile_lower",
                                              "quantile_upper",
                                              "quantile_bound_lower",
                                              "quantile_bound_upper",
                                              "bound_lower",
                                              "bound_upper",
                                              "bound_error",
                                              "inclusion_lower",
                                              "inclusion_upper",
                                              "found_min",
                                              "found_max",
                                              "searched_min",
                                              "searched_max"};

constexpr const char* quantities_name = "quantities.statistics.csv";

std::string file_name(const std::string& probe, Quantity quantity) {
  return fmt::format("{}.{}.statistics.csv", probe, info(quantity).name);
}

/// Columns of the same length, with their headings.
class Columns {
 public:
  void add(std::string heading, std::vector<double> values) {
    headings_.push_back(std::move(heading));
    columns_.push_back(std::move(values));
  }
  std::string text() const {
    std::string text = fmt::format("{}\n", fmt::join(headings_, ","));
    auto out = std::back_inserter(text);
    for (std::size_t row = 0; row < columns_.front().size(); ++row)
      for (std::size_t c = 0; c < columns_.size(); ++c)
        fmt::format_to(out, "{}{}", columns_[c][row], c + 1 < columns_.size() ? ',' : '\n');
    return text;
  }

 private:
  std::vector<std::string> headings_;
  std::vector<std::vector<double>> columns_;
};

class StatisticsTables {
 public:
  explicit StatisticsTables(const std::filesystem::path& results) : file_(results) {
    if (const auto* quantile = file_.find("quantile")) probabilities_ = file_.numbers(*quantile);
  }

  std::string over_time(const ProbeSeries& series) const {
    Columns table;
    table.add("time", file_.numbers(*file_.find("time")));
    if (const auto* count = file_.find("count")) table.add("count", file_.numbers(*count));
    const std::string prefix = fmt::format("{}_{}_", series.probe, info(series.quantity).name);
    for (const std::string& statistic : statistics_over_time()) {
      if (const auto* found = file_.find(prefix + statistic))
        add(table, statistic, *found);
      else if (statistic.starts_with("region_"))
        add_region(table, prefix, statistic);
    }
    return table.text();
  }

  /// A row for each; nothing where a statistic of another is none of its own.
  std::string of_quantities(const std::vector<QuantityOfInterest>& quantities) const {
    std::string text = "quantity,unit";
    auto out = std::back_inserter(text);
    std::vector<std::string> present;
    for (const char* statistic : statistics_of_quantities)
      for (const QuantityOfInterest& quantity : quantities)
        if (const auto* found = find(quantity, statistic)) {
          present.emplace_back(statistic);
          if (found->dimensions.empty())
            fmt::format_to(out, ",{}", statistic);
          else
            for (const double p : probabilities_) fmt::format_to(out, ",{}_{:.6g}", statistic, p);
          break;
        }
    text += '\n';
    for (const QuantityOfInterest& quantity : quantities) {
      if (!quantity.group.empty()) continue;  // bands are in the results file alone
      fmt::format_to(out, "{},{}", quantity.name, quantity.value_unit);
      for (const std::string& statistic : present) {
        const auto* found = find(quantity, statistic);
        const std::size_t width = statistic.starts_with("quantile") ? probabilities_.size() : 1;
        if (found == nullptr)
          text.append(width, ',');
        else
          for (const double value : file_.numbers(*found)) fmt::format_to(out, ",{}", value);
      }
      text += '\n';
    }
    return text;
  }

 private:
  const NetcdfReader::Variable* find(const QuantityOfInterest& quantity,
                                     const std::string& statistic) const {
    return file_.find(fmt::format("quantity_{}_{}", quantity.name, statistic));
  }

  void add(Columns& table, const std::string& statistic,
           const NetcdfReader::Variable& variable) const {
    if (variable.dimensions.front() != "quantile") return add_slice(table, statistic, variable, 0);
    for (std::size_t p = 0; p < probabilities_.size(); ++p)
      add_slice(table, fmt::format("{}_{:.6g}", statistic, probabilities_[p]), variable, p);
  }

  /// Where results have no region of their own, it lies between the first and the third quantile.
  void add_region(Columns& table, const std::string& prefix, const std::string& statistic) const {
    const auto* quantiles = file_.find(prefix + "quantile");
    if (quantiles != nullptr && probabilities_.size() >= 3)
      add_slice(table, statistic, *quantiles, statistic == "region_lower" ? 0 : 2);
  }

  /// The columns of a variable over [quantile,] time [, component].
  void add_slice(Columns& table, const std::string& heading, const NetcdfReader::Variable& variable,
                 std::size_t slice) const {
    const bool leading = variable.dimensions.front() == "quantile";
    const std::size_t first = leading ? 1 : 0;
    const std::size_t times = variable.sizes[first];
    const bool components = variable.dimensions.size() > first + 1;
    const std::size_t size = components ? variable.sizes[first + 1] : 1;
    const std::string unit = file_.text_attribute("units", variable.id);
    std::vector<std::string> labels;
    if (components) labels = file_.text(*file_.find(variable.dimensions.back()));
    const std::vector<double> all = file_.numbers(variable);
    for (std::size_t c = 0; c < size; ++c) {
      std::vector<double> values(times);
      for (std::size_t t = 0; t < times; ++t) values[t] = all[(slice * times + t) * size + c];
      table.add(fmt::format("{}{} [{}]", heading, components ? "_" + labels[c] : "", unit),
                std::move(values));
    }
  }

  NetcdfReader file_;
  std::vector<double> probabilities_;
};

}  // namespace

std::vector<CsvFile> statistics_csv(const std::filesystem::path& results, const Trajectory& nominal,
                                    const std::vector<QuantityOfInterest>& quantities) {
  const StatisticsTables tables(results);
  std::vector<CsvFile> files;
  for (const ProbeSeries& series : nominal.series)
    files.push_back({file_name(series.probe, series.quantity), tables.over_time(series)});
  if (!quantities.empty()) files.push_back({quantities_name, tables.of_quantities(quantities)});
  return files;
}

std::vector<std::string> statistics_csv_names(const std::vector<Probe>& probes,
                                              const std::vector<QuantityOfInterest>& quantities) {
  std::vector<std::string> names;
  for (const Probe& probe : probes)
    for (const Quantity quantity : probe.quantities)
      names.push_back(file_name(probe.name, quantity));
  if (!quantities.empty()) names.emplace_back(quantities_name);
  return names;
}

}  // namespace tumble
