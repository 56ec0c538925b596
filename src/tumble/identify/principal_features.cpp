#include "tumble/identify/principal_features.hpp"

#include <Eigen/Dense>

namespace tumble {

void PrincipalDirections::project(std::span<const double> row, double* coordinates) const {
  for (std::size_t c = 0; c < directions; ++c) {
    coordinates[c] = 0;
    for (std::size_t k = 0; k < numbers; ++k)
      coordinates[c] += vectors[c * numbers + k] * (row[k] - mean[k]);
  }
}

PrincipalDirections principal_directions(const Responses& responses, std::size_t first,
                                         std::size_t count, std::size_t directions) {
  const auto n = static_cast<Eigen::Index>(count);
  const auto draws = static_cast<Eigen::Index>(responses.draws);
  Eigen::MatrixXd rows(draws, n);
  for (Eigen::Index j = 0; j < draws; ++j)
    for (Eigen::Index k = 0; k < n; ++k)
      rows(j, k) = responses.at(static_cast<std::size_t>(j), first + static_cast<std::size_t>(k));
  const Eigen::RowVectorXd mean = rows.colwise().mean();
  rows.rowwise() -= mean;
  const Eigen::MatrixXd covariance = rows.transpose() * rows / static_cast<double>(responses.draws);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance);
  PrincipalDirections result;
  result.numbers = count;
  result.directions = directions;
  result.mean.assign(mean.data(), mean.data() + n);
  double kept = 0;
  for (std::size_t c = 0; c < directions; ++c) {
    const Eigen::Index i = n - 1 - static_cast<Eigen::Index>(c);
    Eigen::VectorXd v = solver.eigenvectors().col(i);
    Eigen::Index largest = 0;
    v.cwiseAbs().maxCoeff(&largest);
    if (v[largest] < 0) v = -v;
    result.vectors.insert(result.vectors.end(), v.data(), v.data() + n);
    kept += solver.eigenvalues()[i];
  }
  const double total = covariance.trace();
  result.share = total > 0 ? kept / total : 1;
  return result;
}

}  // namespace tumble
