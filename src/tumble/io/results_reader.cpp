#include "tumble/io/results_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tumble/base/diagnostic.hpp"
#include "tumble/io/netcdf/netcdf_reader.hpp"

namespace tumble {
namespace {

const NetcdfReader::Variable& variable(const NetcdfReader& file, const std::string& name) {
  const NetcdfReader::Variable* found = file.find(name);
  if (found == nullptr)
    throw std::runtime_error(fmt::format("the results have changed: '{}' is gone", name));
  return *found;
}

}  // namespace

ResultsReader::ResultsReader(std::filesystem::path file) : file_(std::move(file)) {
  const NetcdfReader reader(file_);
  for (const NetcdfReader::Variable& v : reader.variables())
    variables_.push_back(
        {v.name, reader.text_attribute("units", v.id), v.dimensions, v.sizes, v.is_text()});
}

const ResultsVariable* ResultsReader::find(const std::string& name) const {
  const auto found = std::ranges::find(variables_, name, &ResultsVariable::name);
  return found == variables_.end() ? nullptr : &*found;
}

const ResultsVariable& ResultsReader::require(const std::string& name, bool is_text) const {
  const ResultsVariable* found = find(name);
  if (found == nullptr) {
    std::vector<std::string> known;
    for (const ResultsVariable& v : variables_) known.push_back(v.name);
    const std::string nearest = nearest_name(name, known);
    throw std::runtime_error(
        fmt::format("{} has no variable '{}'{}", file_.string(), name,
                    nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
  }
  if (found->is_text != is_text)
    throw std::runtime_error(fmt::format("{}: the variable '{}' holds {}", file_.string(), name,
                                         is_text ? "numbers, not text" : "text, not numbers"));
  return *found;
}

std::vector<double> ResultsReader::numbers(const std::string& name) const {
  require(name, false);
  const NetcdfReader reader(file_);
  return reader.numbers(variable(reader, name));
}

std::vector<std::string> ResultsReader::text(const std::string& name) const {
  require(name, true);
  const NetcdfReader reader(file_);
  return reader.text(variable(reader, name));
}

std::string ResultsReader::attribute(const std::string& name) const {
  return NetcdfReader(file_).text_attribute(name.c_str());
}

}  // namespace tumble
