// Points and weights of Gauss-Legendre quadrature, for the set-up of beams.
#pragma once
#include <vector>

namespace tumble::beam {

struct GaussPoint {
  double place, weight;
};

/// `count` points on [0, 1]: exact for polynomials up to degree 2 count - 1. The abscissae are
/// found by Newton's iteration on the Legendre polynomial, starting from Tricomi's estimate.
/// @throws std::invalid_argument unless 1 <= count <= 64.
std::vector<GaussPoint> gauss_points(int count);

}  // namespace tumble::beam
