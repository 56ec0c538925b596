// How large and how small polynomials of germs in [-1, 1] become, over the whole box.
//
// J. Wu, Y. Zhang, L. Chen, Z. Luo, "A Chebyshev interval method for nonlinear dynamic systems
// under uncertainty", Appl. Math. Model. 37 (2013): a Chebyshev expansion bounds its function by
// the sum of the magnitudes of its coefficients, the Chebyshev inclusion function. That is an outer
// bound of the polynomial, and wider than its range where terms do not reach their extremes
// together; so the range itself is found as well.
#pragma once
#include <vector>

#include "tumble/chaos/expansion.hpp"

namespace tumble {

/// By output; `..._at` has a row of germs for each.
struct BoxBounds {
  std::vector<double> lower, upper;
  DenseMatrix lower_at, upper_at;
  /// c_0 -+ sum of |c_i| max |Psi_i|: no value of the polynomial is outside.
  std::vector<double> inclusion_lower, inclusion_upper;
};

/// Of polynomials whose germs are all in [-1, 1], Jacobi's with exponents of at least -1/2:
/// Chebyshev's and Legendre's among them, which are largest at an end of the interval (G. Szegő,
/// "Orthogonal Polynomials", theorem 7.32.1).
///
/// The range is that of a scan (a grid with the ends of each germ up to four germs; Sobol' points
/// and corners of the box beyond) whose best points are improved one germ at a time, each time over
/// the whole interval, until nothing changes. The scan may miss the highest of several hills in
/// many germs: what is found is attained, what the inclusion says is never exceeded.
///
/// Outputs are shared among `threads`; the same bits however many there are. An output with
/// coefficients that are no numbers has bounds that are none.
BoxBounds box_bounds(const Expansion& expansion, int threads);

/// Points of [-1, 1]^m with m columns: corners of the box, all if there are at most `most`, else
/// `most` of them that are spread evenly.
DenseMatrix box_corners(std::size_t germs, std::size_t most);

/// `count` scrambled Sobol' points of [-1, 1]^m. More points with the same seed and use begin with
/// these.
DenseMatrix box_points(std::size_t germs, std::size_t count, std::uint64_t seed,
                       std::string_view use);

}  // namespace tumble
