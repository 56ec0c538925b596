#include "tumble/io/table/results_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tumble/base/diagnostic.hpp"
#include "tumble/io/netcdf/netcdf_reader.hpp"
#include "tumble/io/text/document.hpp"
#include "tumble/io/text/expression.hpp"

namespace tumble {
namespace {

/// A request that the file cannot answer.
struct Unfit {
  std::string message;
  std::string suggestion;
};

const NetcdfReader::Variable& over_time(const NetcdfReader& file, const std::string& name) {
  const auto fits = [](const NetcdfReader::Variable& v) {
    return v.type == NC_DOUBLE && !v.is_coordinate() &&
           std::ranges::find(v.dimensions, "time") != v.dimensions.end();
  };
  const NetcdfReader::Variable* found = file.find(name);
  if (found != nullptr && fits(*found)) return *found;
  std::vector<std::string> known;
  for (const NetcdfReader::Variable& v : file.variables())
    if (fits(v)) known.push_back(v.name);
  throw Unfit{fmt::format("the results have no {} '{}'",
                          found == nullptr ? "variable" : "numbers over time in", printable(name)),
              nearest_name(name, known)};
}

/// Which entry of a dimension is meant.
std::size_t place_in(const NetcdfReader& file, const std::string& dimension, std::size_t size,
                     const std::string& wanted) {
  const NetcdfReader::Variable* coordinate = file.find(dimension);
  if (coordinate != nullptr && !coordinate->is_coordinate()) coordinate = nullptr;
  if (coordinate != nullptr && coordinate->is_text()) {
    const std::vector<std::string> names = file.text(*coordinate);
    const auto found = std::ranges::find(names, wanted);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    throw Unfit{fmt::format("the results have no {} '{}'", dimension, printable(wanted)),
                nearest_name(wanted, names)};
  }
  const auto number = parse_number(wanted);
  if (!number)
    throw Unfit{fmt::format("{} '{}' must be a number", dimension, printable(wanted)), {}};
  if (coordinate != nullptr) {
    const std::vector<double> values = file.numbers(*coordinate);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::fabs(values[i] - *number) <= 1e-9 * std::max(1.0, std::fabs(values[i]))) return i;
    throw Unfit{fmt::format("the results have no {} {}", dimension, printable(wanted)), {}};
  }
  if (*number != std::floor(*number) || *number < 0 || *number >= static_cast<double>(size))
    throw Unfit{fmt::format("{} {} must be a whole number from 0 to {}", dimension,
                            printable(wanted), size - 1),
                {}};
  return static_cast<std::size_t>(*number);
}

Table read_curve(const NetcdfReader& file, const ResultsCurve& curve) {
  const NetcdfReader::Variable& variable = over_time(file, curve.variable);
  std::vector<std::size_t> start, count;
  for (std::size_t d = 0; d < variable.dimensions.size(); ++d) {
    const std::string& dimension = variable.dimensions[d];
    const auto given =
        std::ranges::find(curve.at, dimension, [](const auto& p) { return p.first; });
    if (dimension == "time") {
      start.push_back(0);
      count.push_back(variable.sizes[d]);
      continue;
    }
    if (given == curve.at.end())
      throw Unfit{fmt::format("'{}' has the dimension {}: say which in `at`, like {{{}: ...}}",
                              variable.name, dimension, dimension),
                  {}};
    start.push_back(place_in(file, dimension, variable.sizes[d], given->second));
    count.push_back(1);
  }
  for (const auto& [dimension, value] : curve.at)
    if (dimension == "time" ||
        std::ranges::find(variable.dimensions, dimension) == variable.dimensions.end())
      throw Unfit{fmt::format("'{}' has no dimension '{}' to choose from", variable.name,
                              printable(dimension)),
                  nearest_name(dimension, variable.dimensions)};
  const NetcdfReader::Variable* time = file.find("time");
  if (time == nullptr || !time->is_coordinate()) throw Unfit{"the results have no times", {}};
  Table table;
  table.x = file.numbers(*time);
  table.y.resize(table.x.size());
  file.read(variable, start, count, table.y.data());
  for (std::size_t i = 0; i < table.y.size(); ++i)
    if (!std::isfinite(table.y[i]))
      throw Unfit{
          fmt::format("'{}' has no number at {} s", variable.name, format_number(table.x[i])), {}};
  return table;
}

}  // namespace

Table read_results_table(const std::filesystem::path& path, const ResultsCurve& curve,
                         std::string& error, std::string& suggestion) {
  try {
    if (!std::filesystem::is_regular_file(path)) throw Unfit{"there is no such file", {}};
    return read_curve(NetcdfReader(path), curve);
  } catch (const Unfit& unfit) {
    error = unfit.message;
    suggestion = unfit.suggestion;
  } catch (const std::runtime_error& failure) {
    error = failure.what();
  }
  return {};
}

}  // namespace tumble
