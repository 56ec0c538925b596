#include "tumble/io/results/principal_part.hpp"

#include <utility>

#include "tumble/study/statistics/principal_deviations.hpp"

namespace tumble {

PrincipalPart::PrincipalPart(NetcdfWriter& file, const NominalPart& nominal,
                             const Trajectory& trajectory, bool failed, Covariance covariance)
    : file_(file), times_(trajectory.times.size()), covariance_(std::move(covariance)) {
  int principal = -1;
  for (std::size_t q = 0; q < trajectory.series.size(); ++q) {
    const ProbeSeries& series = trajectory.series[q];
    if (series.size != 3) continue;
    if (principal < 0) principal = file.dimension("principal", 3);
    Variables v{q, 0, 0};
    v.deviations = nominal.define(file, series, "principal_std", {nominal.time(), principal},
                                  " (principal standard deviations, the largest first)",
                                  {NC_DOUBLE, {}, false});
    v.directions =
        nominal.define(file, series, "principal_axes", {nominal.time(), principal},
                       " (unit directions of the principal standard deviations)", {NC_DOUBLE, "1"});
    if (failed)
      for (const int id : {v.deviations, v.directions})
        file.attribute(id, "conditional_on", "success");
    variables_.push_back(v);
  }
}

void PrincipalPart::put() const {
  for (const Variables& v : variables_) {
    std::vector<double> deviations, directions;
    for (std::size_t t = 0; t < times_; ++t) {
      Mat3d matrix;
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b) matrix.m[3 * a + b] = covariance_(t, v.quantity, a, b);
      const PrincipalDeviations found = principal_deviations(matrix);
      for (int k = 0; k < 3; ++k) deviations.push_back(found.deviations[k]);
      directions.insert(directions.end(), found.directions.m, found.directions.m + 9);
    }
    file_.put(v.deviations, deviations);
    file_.put(v.directions, directions);
  }
}

}  // namespace tumble
