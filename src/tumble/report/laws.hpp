// What is known about the law of each random input, by its parameter path.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tumble/inputs/random_laws.hpp"

namespace tumble::report {

struct InputLaw {
  std::string words;                                            ///< "gamma, mean 3000, cv 0.5"
  std::vector<std::pair<std::string, std::string>> parameters;  ///< solved, ready to print
  std::function<double(double)> density;                        ///< empty if it is not known
  double low = 0, high = 0;  ///< where the density is of interest
};

/// By parameter path. Densities are exact marginals: of scalar laws, of a random mass and the
/// inertia it scales, and of the coordinates of a centre of mass in a box along the axes. Entries
/// of a random inertia have none in closed form.
std::map<std::string, InputLaw> input_laws(const RandomLaws& laws);

/// A curve of a density.
struct DensityPoints {
  std::vector<double> x, y;
};

/// tr(G) of a random inertia, the paper's Figure 17. G is a matrix beta or gamma variable, tilted
/// by an exponential, so that its trace has the cumulant generating function
///   K(s) = log Z(X - s U) - log Z(X),
/// Z the partition function of matrix_kummer_beta.hpp and U the eigenvalues of Gmax. The density is
/// H. E. Daniels' saddlepoint approximation (Ann. Math. Stat. 25, 1954),
///   f(K'(s)) = exp(K(s) - s K'(s)) / sqrt(2 pi K''(s)),
/// scaled to the integral 1. Without a bound K is that of a gamma law, for which it is exact.
DensityPoints trace_density(const InertiaLaw& law);

}  // namespace tumble::report
