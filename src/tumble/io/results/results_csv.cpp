#include "tumble/io/results/results_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tumble {
namespace {

std::vector<std::string_view> component_labels(int size) {
  if (size == 3) return {"x", "y", "z"};
  if (size == 4) return {"w", "x", "y", "z"};
  return {"xx", "yy", "zz", "xy", "xz", "yz"};
}

std::string table(const std::vector<const ProbeSeries*>& columns, std::string_view first_column,
                  const std::vector<double>& instants, std::vector<double> ProbeSeries::*values) {
  std::string text(first_column);
  auto out = std::back_inserter(text);
  for (const ProbeSeries* series : columns) {
    const QuantityInfo& quantity = info(series->quantity);
    if (series->size == 1) fmt::format_to(out, ",{} [{}]", quantity.name, quantity.unit);
    if (series->size == 1) continue;
    for (const std::string_view label : component_labels(series->size))
      fmt::format_to(out, ",{}_{} [{}]", quantity.name, label, quantity.unit);
  }
  text += '\n';
  for (std::size_t row = 0; row < instants.size(); ++row) {
    fmt::format_to(out, "{}", instants[row]);
    for (const ProbeSeries* series : columns) {
      const auto size = static_cast<std::size_t>(series->size);
      for (std::size_t i = 0; i < size; ++i)
        fmt::format_to(out, ",{}", (series->*values).at(row * size + i));
    }
    text += '\n';
  }
  return text;
}

std::string file_name(const std::string& probe, bool right) {
  return probe + (right ? ".right.csv" : ".csv");
}

}  // namespace

std::vector<CsvFile> results_csv(const Trajectory& trajectory) {
  std::vector<std::string> probes;  // in the order of the model
  for (const ProbeSeries& series : trajectory.series)
    if (std::ranges::find(probes, series.probe) == probes.end()) probes.push_back(series.probe);

  std::vector<CsvFile> files;
  for (const std::string& probe : probes) {
    std::vector<const ProbeSeries*> columns;
    for (const ProbeSeries& series : trajectory.series)
      if (series.probe == probe) columns.push_back(&series);
    files.push_back(
        {file_name(probe, false), table(columns, "time", trajectory.times, &ProbeSeries::values)});
    if (!trajectory.breaks.empty())
      files.push_back({file_name(probe, true),
                       table(columns, "break", trajectory.breaks, &ProbeSeries::right_values)});
  }
  return files;
}

std::vector<std::string> csv_names(const std::vector<Probe>& probes, bool breaks) {
  std::vector<std::string> names;
  for (const Probe& probe : probes) {
    names.push_back(file_name(probe.name, false));
    if (breaks) names.push_back(file_name(probe.name, true));
  }
  return names;
}

}  // namespace tumble
