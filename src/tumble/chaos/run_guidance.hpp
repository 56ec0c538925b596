// How many runs an expansion takes, and what to do when they are too many.
#pragma once
#include <string>
#include <vector>

namespace tumble {

/// Runs for `variables` random numbers with polynomials up to `degree`; infinite beyond counting.
struct RunCounts {
  double tensor;         ///< (degree + 1)^variables
  double sparse_grid;    ///< level `degree` with Gauss points, at most
  double least_squares;  ///< twice the terms of total degree
  double total_degree_terms;
};

RunCounts run_counts(std::size_t variables, int degree);

/// A few sentences that compare the ways, for a user whose tensor grid has too many points.
std::string run_guidance(std::size_t variables, int degree);

}  // namespace tumble
