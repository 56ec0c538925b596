#include "tumble/campaign/study_densities.hpp"

#include <algorithm>

#include "tumble/io/model/study_sections.hpp"

namespace tumble {

DensityResults study_densities(const ModelFile& file, const Trajectory& nominal,
                               const StatisticsLayout& layout, const StoredValues* values,
                               const ChaosResults* chaos, const Sampling& sampling, int threads) {
  const Study& study = file.study->study;
  const DensityRequest& request = *study.densities;
  std::vector<std::size_t> places;
  for (const double time : request.times)
    places.push_back(*output_index(file.model.simulation, time));
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  DensityOptions options;
  options.points = static_cast<std::size_t>(request.points);
  options.bandwidth_factor = request.bandwidth_factor;
  if (chaos == nullptr) options.sampling = sampling;
  options.threads = threads;
  DensityResults result;
  result.points = options.points;
  for (const std::size_t place : places) result.times.push_back(nominal.times[place]);
  result.curves = chaos != nullptr ? surrogate_densities(*chaos, study, layout, places, options)
                                   : ensemble_densities(*values, places, options);
  return result;
}

}  // namespace tumble
