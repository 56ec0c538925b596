#include "tumble/io/results/linear_file.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tumble/base/diagnostic.hpp"
#include "tumble/io/netcdf/netcdf_writer.hpp"
#include "tumble/io/results/results_file.hpp"
#include "tumble/io/text/json.hpp"
#include "tumble/math/special_functions.hpp"

namespace tumble {
namespace {

using Names = std::vector<StateSpace::Named>;

/// A coordinate of names, and their units.
class NamesPart {
 public:
  NamesPart(NetcdfWriter& file, const std::string& name, const Names& names,
            const std::string& words)
      : names_(names), dimension_(file.dimension(name, names.size())) {
    text_ = file.variable(name, NC_STRING, {dimension_});
    file.attribute(text_, "long_name", words);
    unit_ = file.variable(name + "_unit", NC_STRING, {dimension_});
    file.attribute(unit_, "long_name", "their units; empty where the model does not say");
  }
  int dimension() const { return dimension_; }
  void put(NetcdfWriter& file) const {
    std::vector<const char*> text, unit;
    for (const StateSpace::Named& n : names_) {
      text.push_back(n.name.c_str());
      unit.push_back(n.unit.c_str());
    }
    if (names_.empty()) return;
    file.put(text_, text);
    file.put(unit_, unit);
  }

 private:
  const Names& names_;
  int dimension_, text_, unit_;
};

void put_head(NetcdfWriter& file, const LinearFileHead& head) {
  file.attribute("title", head.title);
  file.attribute("tumble_version", version());
  file.attribute("about", head.about);
  file.long_attribute("model", head.model);
}

void put_matrix(NetcdfWriter& file, int variable, const std::vector<double>& values) {
  if (!values.empty()) file.put(variable, values);
}

std::string of(const StateSpace::Named& n) {
  return n.unit.empty() ? n.name : fmt::format("{} [{}]", n.name, n.unit);
}

}  // namespace

double FrequencyResponse::amplitude(std::size_t i) const {
  return hypotenuse(values[i].real(), values[i].imag());
}

double FrequencyResponse::phase(std::size_t i) const {
  return std::atan2(values[i].imag(), values[i].real());
}

std::string state_space_netcdf(const StateSpace& found, const LinearFileHead& head) {
  NetcdfWriter file;
  const NamesPart states(file, "state", found.states, "states"),
      inputs(file, "input", found.inputs, "inputs"),
      outputs(file, "output", found.outputs, "outputs");
  const int again = file.dimension("state_2", found.states.size());
  const int a = file.variable("A", NC_DOUBLE, {states.dimension(), again}),
            b = file.variable("B", NC_DOUBLE, {states.dimension(), inputs.dimension()}),
            c = file.variable("C", NC_DOUBLE, {outputs.dimension(), states.dimension()}),
            d = file.variable("D", NC_DOUBLE, {outputs.dimension(), inputs.dimension()});
  file.attribute(a, "long_name", "dx/dt = A x + B u");
  file.attribute(b, "long_name", "dx/dt = A x + B u");
  file.attribute(c, "long_name", "z = C x + D u");
  file.attribute(d, "long_name", "z = C x + D u");
  put_head(file, head);
  file.begin_data();
  for (const NamesPart* part : {&states, &inputs, &outputs}) part->put(file);
  put_matrix(file, a, found.A);
  put_matrix(file, b, found.B);
  put_matrix(file, c, found.C);
  put_matrix(file, d, found.D);
  return file.close();
}

std::string state_space_json(const StateSpace& found) {
  Json json;
  const auto names = [&](const char* key, const Names& list) {
    Json texts = Json::array(), units = Json::array();
    for (const StateSpace::Named& n : list) {
      texts.push_back(n.name);
      units.push_back(n.unit);
    }
    json[key] = std::move(texts);
    json[std::string(key) + "_units"] = std::move(units);
  };
  names("states", found.states);
  names("inputs", found.inputs);
  names("outputs", found.outputs);
  const auto matrix = [&](const char* key, const std::vector<double>& values, std::size_t rows,
                          std::size_t columns) {
    json[key] = Json::array();
    for (std::size_t i = 0; i < rows; ++i)
      json[key].push_back(
          std::vector<double>(&values[0] + i * columns, &values[0] + (i + 1) * columns));
  };
  const std::size_t n = found.states.size(), m = found.inputs.size(), p = found.outputs.size();
  const auto put = [&](const char* key, const std::vector<double>& values, std::size_t rows,
                       std::size_t columns) {
    if (columns > 0) return matrix(key, values, rows, columns);
    json[key] = Json::array();
    for (std::size_t i = 0; i < rows; ++i) json[key].push_back(Json::array());
  };
  put("A", found.A, n, n);
  put("B", found.B, n, m);
  put("C", found.C, p, n);
  put("D", found.D, p, m);
  return json.dump(2) + "\n";
}

std::string state_space_matrix_market(const StateSpace& found, char matrix) {
  const bool by_states = matrix == 'A' || matrix == 'C';
  const Names &rows = matrix == 'A' || matrix == 'B' ? found.states : found.outputs,
              &columns = by_states ? found.states : found.inputs;
  const std::vector<double>& values = matrix == 'A'   ? found.A
                                      : matrix == 'B' ? found.B
                                      : matrix == 'C' ? found.C
                                                      : found.D;
  std::string text = "%%MatrixMarket matrix array real general\n";
  for (std::size_t i = 0; i < rows.size(); ++i)
    text += fmt::format("% row {}: {}\n", i + 1, of(rows[i]));
  for (std::size_t j = 0; j < columns.size(); ++j)
    text += fmt::format("% column {}: {}\n", j + 1, of(columns[j]));
  text += fmt::format("{} {}\n", rows.size(), columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (std::size_t i = 0; i < rows.size(); ++i)
      text += format_number(values[i * columns.size() + j]) + "\n";
  return text;
}

std::string frequency_response_netcdf(const FrequencyResponse& found, const LinearFileHead& head) {
  NetcdfWriter file;
  const int frequency = file.dimension("frequency", found.frequencies.size());
  const int f = file.variable("frequency", NC_DOUBLE, {frequency});
  file.attribute(f, "units", "Hz");
  const NamesPart inputs(file, "input", found.inputs, "inputs"),
      outputs(file, "output", found.outputs, "outputs");
  const std::vector<int> shape{frequency, outputs.dimension(), inputs.dimension()};
  const int amplitude = file.variable("amplitude", NC_DOUBLE, shape),
            phase = file.variable("phase", NC_DOUBLE, shape);
  file.attribute(amplitude, "long_name", "amplitude of the output where that of the input is 1");
  file.attribute(phase, "long_name", "by which the output is ahead of the input");
  file.attribute(phase, "units", "rad");
  put_head(file, head);
  file.begin_data();
  file.put(f, found.frequencies);
  inputs.put(file);
  outputs.put(file);
  std::vector<double> amplitudes, phases;
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    amplitudes.push_back(found.amplitude(i));
    phases.push_back(found.phase(i));
  }
  put_matrix(file, amplitude, amplitudes);
  put_matrix(file, phase, phases);
  return file.close();
}

std::string frequency_response_csv(const FrequencyResponse& found) {
  std::string text = "frequency [Hz]";
  for (const StateSpace::Named& output : found.outputs)
    for (const StateSpace::Named& input : found.inputs)
      text += fmt::format(",{0} by {1} amplitude,{0} by {1} phase [rad]", output.name, input.name);
  text += "\n";
  const std::size_t each = found.outputs.size() * found.inputs.size();
  for (std::size_t k = 0; k < found.frequencies.size(); ++k) {
    text += format_number(found.frequencies[k]);
    for (std::size_t i = k * each; i < (k + 1) * each; ++i)
      text += "," + format_number(found.amplitude(i)) + "," + format_number(found.phase(i));
    text += "\n";
  }
  return text;
}

}  // namespace tumble
