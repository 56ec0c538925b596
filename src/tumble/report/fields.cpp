// Random fields along beams: mean, spread, what the series leaves out, and realisations of the
// study, all from what results say of a field (docs/guide/random-fields.md).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/report/inputs.hpp"

namespace tumble::report {
namespace {

/// Numbers of some realisations, and which input each is.
struct InputRows {
  std::vector<std::string> names;
  std::vector<double> values;  ///< [row][input]
  std::vector<std::size_t> chosen;

  double at(std::size_t row, const std::string& name) const {
    const auto found = std::find(names.begin(), names.end(), name);
    // A number that no input varies is the nominal one, and nominal germs are zero.
    if (found == names.end()) return 0;
    return values[row * names.size() + static_cast<std::size_t>(found - names.begin())];
  }
};

InputRows input_rows(const ResultsView& results, const ShownRealizations& shown) {
  InputRows rows;
  const NetcdfReader::Variable* variable = results.file().find("inputs");
  if (variable == nullptr) return rows;
  rows.names = results.text("input");
  rows.values = shown.rows(results, *variable);
  rows.chosen = evenly(shown.numbers().size(), results.budget().field_samples);
  return rows;
}

/// A field as it is written: the variables that begin with `prefix`.
struct WrittenField {
  std::string prefix, name, unit;
  bool lognormal = false;
  std::vector<std::string> germ, beams;
  std::vector<double> place, mean, std, variance_error, modes;  ///< modes: [germ][place]

  WrittenField(const ResultsView& results, std::string prefix_of_all)
      : prefix(std::move(prefix_of_all)) {
    const auto numbers = [&](const char* what) {
      return results.numbers(prefix + what).value_or(std::vector<double>());
    };
    place = numbers("_place"), mean = numbers("_mean"), std = numbers("_std");
    variance_error = numbers("_variance_error"), modes = numbers("_modes");
    germ = results.text(prefix + "_germ"), beams = results.text(prefix + "_beam");
    const NetcdfReader& file = results.file();
    unit = file.text_attribute("units", file.find(prefix + "_mean")->id);
    lognormal =
        file.text_attribute("distribution", file.find(prefix + "_modes")->id) == "lognormal";
    // "fields.arm.youngs_modulus.germ[1]"; the germ of a correlated field comes first.
    const std::string& slot = germ.back();
    const std::size_t start = slot.find('.') + 1;
    name = slot.substr(start, slot.rfind(".germ[") - start);
  }

  std::size_t own_terms() const {
    return static_cast<std::size_t>(std::count_if(germ.begin(), germ.end(), [&](const auto& slot) {
      return slot.starts_with("fields." + name + ".germ[");
    }));
  }

  /// mean + Σ germ modes, or exp(log(mean) + Σ (germ modes - modes² / 2)).
  double value(const InputRows& rows, std::size_t row, std::size_t p) const {
    double sum = 0;
    for (std::size_t g = 0; g < germ.size(); ++g) {
      const double mode = modes[g * place.size() + p];
      sum += rows.at(row, germ[g]) * mode - (lognormal ? mode * mode / 2 : 0);
    }
    return lognormal ? mean[p] * std::exp(sum) : mean[p] + sum;
  }
};

/// The part of a field that is on one beam: places first ... last - 1.
Json describe(const WrittenField& field, const InputRows& rows, std::size_t first, std::size_t last,
              Blob& blob) {
  const Shape shape{last - first};
  const auto part = [&](const std::vector<double>& all) {
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(first);
    return blob.f64({from, all.begin() + static_cast<std::ptrdiff_t>(last)}, shape);
  };
  std::vector<double> samples;
  for (const std::size_t row : rows.chosen)
    for (std::size_t p = first; p < last; ++p) samples.push_back(field.value(rows, row, p));
  const bool several = field.beams.front() != field.beams.back();
  const std::size_t terms = field.own_terms();
  return {{"name", several ? field.name + " on " + field.beams[first] : field.name},
          {"unit", field.unit},
          {"method", fmt::format("{} term{}", terms, terms == 1 ? "" : "s")},
          {"place", part(field.place)},
          {"mean", part(field.mean)},
          {"std", part(field.std)},
          {"variance_error", part(field.variance_error)},
          {"samples", blob.f32(samples, {rows.chosen.size(), last - first})}};
}

}  // namespace

Json fields(const ResultsView& results, const ShownRealizations& shown, Blob& blob) {
  Json all = Json::array();
  const InputRows rows = input_rows(results, shown);
  for (const NetcdfReader::Variable& variable : results.file().variables()) {
    constexpr std::string_view begin = "field_", end = "_variance_error";
    if (!variable.name.starts_with(begin) || !variable.name.ends_with(end)) continue;
    const WrittenField field(results, variable.name.substr(0, variable.name.size() - end.size()));
    for (std::size_t first = 0; first < field.beams.size();) {
      std::size_t last = first;
      while (last < field.beams.size() && field.beams[last] == field.beams[first]) ++last;
      all.push_back(describe(field, rows, first, last, blob));
      first = last;
    }
  }
  return all;
}

}  // namespace tumble::report
