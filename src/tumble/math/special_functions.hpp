// Functions that the C library rounds differently on different processors: where it is compiled for
// arm64 it fuses products with sums in them, and for x86-64 it does not. These have the same bits
// everywhere, those of glibc 2.36 on x86-64. exp, log, pow, sin, cos, tan and their inverses,
// log1p, expm1 and tanh need no place here: glibc fuses in both.
//
// For what comes before and after the steps of a run; kernels have those of elementary.hpp.
#pragma once

namespace tumble {

/// 2/√π ∫ exp(-t²) dt from x to infinity. Errors of this and the next two are below 4 units in the
/// last place, of the last below 1.
double erfc(double x);
/// ln Γ(x) for x > 0.
double log_gamma(double x);
double cube_root(double x);
/// √(x² + y²) without overflow or underflow on the way.
double hypotenuse(double x, double y);

}  // namespace tumble
