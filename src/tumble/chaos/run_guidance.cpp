#include "tumble/chaos/run_guidance.hpp"

#include <fmt/core.h>

#include "tumble/chaos/basis/multi_index.hpp"
#include "tumble/chaos/fit/collocation_grid.hpp"

namespace tumble {

RunCounts run_counts(std::size_t variables, int degree) {
  const double terms = total_degree_terms(variables, degree);
  return {tensor_terms(variables, degree), sparse_grid_points_bound(variables, degree), 2 * terms,
          terms};
}

std::string run_guidance(std::size_t variables, int degree) {
  const RunCounts counts = run_counts(variables, degree);
  return fmt::format(
      "polynomial chaos: {} random numbers with polynomials up to degree {} take {}^{} = {:.6g} "
      "runs on a tensor grid, which is meant for 2 or 3 of them; about {:.6g} on a sparse grid of "
      "level {}; about {:.6g} by least squares on the {:.6g} polynomials of total degree {}; and "
      "as many as you like with LARS, which finds the few polynomials that matter (start with "
      "{:.6g}, and let the leave-one-out error decide)",
      variables, degree, degree + 1, variables, counts.tensor, counts.sparse_grid, degree,
      counts.least_squares, counts.total_degree_terms, degree,
      10 * static_cast<double>(variables) + 20);
}

}  // namespace tumble
