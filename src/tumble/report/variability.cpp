#include "tumble/report/variability.hpp"

namespace tumble::report {

Json variability(const ResultsView& results) {
  const auto waves = results.numbers("wave_number");
  if (!waves) return nullptr;
  const NetcdfReader& file = results.file();
  return {{"wave_numbers", *waves},
          {"std", file.number_attribute("variability_std").value_or(0)},
          {"spectrum", file.text_attribute("variability_spectrum")},
          {"beyond", file.number_attribute("variability_beyond").value_or(0)}};
}

}  // namespace tumble::report
