#include "tumble/io/results/fields_part.hpp"

#include <fmt/format.h>

namespace tumble {
namespace {

std::vector<const char*> pointers(const std::vector<std::string>& words) {
  std::vector<const char*> out;
  for (const std::string& word : words) out.push_back(word.c_str());
  return out;
}

}  // namespace

FieldsPart::FieldsPart(NetcdfWriter& file, const std::vector<FieldDescription>& fields)
    : file_(file), fields_(fields) {
  for (const FieldDescription& field : fields) {
    const std::string name = results_name(field.name);
    const int place = file.dimension(name + "_place", field.places.size()),
              germ = file.dimension(name + "_germ", field.germ.size());
    const auto define = [&](const char* what, nc_type type, const std::vector<int>& over,
                            const std::string& unit, const std::string& text) {
      const int id = file.variable(fmt::format("{}_{}", name, what), type, over);
      if (!unit.empty()) file.attribute(id, "units", unit);
      file.attribute(id, "long_name", fmt::format("random field {}: {}", field.name, text));
      return id;
    };
    Ids ids{};
    ids.place = define("place", NC_DOUBLE, {place}, "m", "arc length from the start of the beam");
    ids.beam = define("beam", NC_STRING, {place}, "", "the beam that the place is on");
    ids.germ = define("germ", NC_STRING, {germ}, "", "parameter paths of its random numbers");
    ids.mean = define("mean", NC_DOUBLE, {place}, field.unit, "mean");
    ids.std = define("std", NC_DOUBLE, {place}, field.unit, "standard deviation as described");
    ids.variance_error = define("variance_error", NC_DOUBLE, {place}, "1",
                                "part of the variance that its series leaves out");
    ids.modes = define("modes", NC_DOUBLE, {germ, place}, field.lognormal ? "1" : field.unit,
                       field.lognormal ? "value = exp(log(mean) + sum(germ modes - modes^2 / 2))"
                                       : "value = mean + sum(germ modes)");
    file.attribute(ids.modes, "distribution", field.lognormal ? "lognormal" : "gaussian");
    ids_.push_back(ids);
  }
}

void FieldsPart::put() const {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const FieldDescription& field = fields_[i];
    const Ids& ids = ids_[i];
    file_.put(ids.beam, pointers(field.beams));
    file_.put(ids.germ, pointers(field.germ));
    const auto put_values = [&](int id, double FieldPlace::*value) {
      std::vector<double> values;
      for (const FieldPlace& place : field.places) values.push_back(place.*value);
      file_.put(id, values);
    };
    put_values(ids.place, &FieldPlace::arc_length);
    put_values(ids.mean, &FieldPlace::mean);
    put_values(ids.std, &FieldPlace::std);
    put_values(ids.variance_error, &FieldPlace::variance_error);
    std::vector<double> modes;
    for (std::size_t g = 0; g < field.germ.size(); ++g)
      for (const FieldPlace& place : field.places) modes.push_back(place.modes[g]);
    file_.put(ids.modes, modes);
  }
}

}  // namespace tumble
