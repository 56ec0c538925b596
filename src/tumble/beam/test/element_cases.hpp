// The elements that invariants are compared with quadrature for, and how matrices are compared.
#pragma once
#include <gtest/gtest.h>

#include "tumble/beam/test/element.hpp"

namespace tumble::beam::testing {

template <int d, Curvature c>
struct ElementCase {
  static constexpr int D = d;
  static constexpr Curvature curvature = c;
  static Reference<d> reference() {
    return c == Curvature::straight ? Reference<d>::straight(0.2) : curved_reference<d>();
  }
};
using ElementCases =
    ::testing::Types<ElementCase<2, Curvature::straight>, ElementCase<2, Curvature::curved>,
                     ElementCase<3, Curvature::straight>, ElementCase<3, Curvature::curved>>;

/// Modulus and Poisson's ratio both vary along the axis.
inline Lame varying(double xi) {
  return lame(2e7 * (1 + 0.3 * xi - 0.5 * xi * xi), 0.3 - 0.2 * xi);
}

/// The largest difference of entries over the largest entry.
inline double relative(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}

}  // namespace tumble::beam::testing
