#include "tumble/io/results/derivatives_file.hpp"

#include <stdexcept>

#include "tumble/io/results/results_parts.hpp"

namespace tumble {

std::string derivatives_bytes(const Trajectory& trajectory,
                              const std::vector<Derivatives>& derivatives,
                              const ResultsMetadata& metadata) {
  for (const Derivatives& d : derivatives)
    if (d.times != trajectory.times || d.breaks != trajectory.breaks ||
        d.series.size() != trajectory.series.size())
      throw std::invalid_argument("derivatives by " + d.path + " are not those of the run");
  NetcdfWriter file;
  const NominalPart nominal(file, trajectory, true);
  const int slot = file.dimension("slot", derivatives.size());
  const int paths = file.variable("slot", NC_STRING, {slot});
  file.attribute(paths, "long_name", "numbers of the model, by their paths");
  const int units = file.variable("slot_unit", NC_STRING, {slot});
  file.attribute(units, "long_name", "units of these numbers");
  const int at_break = nominal.break_points();
  VariableForm form;
  form.no_unit = true;  // another one for each slot
  std::vector<int> values, right_values;
  for (const ProbeSeries& series : trajectory.series) {
    values.push_back(nominal.define(file, series, "derivative", {slot, nominal.time()},
                                    ": derivative by the slot", form));
    if (at_break >= 0)
      right_values.push_back(nominal.define(file, series, "derivative_right", {slot, at_break},
                                            ": derivative by the slot (right limit)", form));
  }
  put_global_attributes(file, trajectory, metadata);
  file.begin_data();
  nominal.put(file);
  std::vector<const char*> path_text, unit_text;
  for (const Derivatives& d : derivatives) {
    path_text.push_back(d.path.c_str());
    unit_text.push_back(d.unit.c_str());
  }
  file.put(paths, path_text);
  file.put(units, unit_text);
  const auto join = [&](std::size_t i, const std::vector<double> ProbeSeries::*list) {
    std::vector<double> all;
    for (const Derivatives& d : derivatives)
      all.insert(all.end(), (d.series[i].*list).begin(), (d.series[i].*list).end());
    return all;
  };
  for (std::size_t i = 0; i < trajectory.series.size(); ++i) {
    file.put(values[i], join(i, &ProbeSeries::values));
    if (at_break >= 0) file.put(right_values[i], join(i, &ProbeSeries::right_values));
  }
  return file.close();
}

}  // namespace tumble
