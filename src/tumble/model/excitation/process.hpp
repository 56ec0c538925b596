// One realisation of a random drive as a smooth function of time.
//
// Spectral representation (M. Shinozuka, G. Deodatis, Appl. Mech. Rev. 44, 1991, with Gaussian
// amplitudes): on frequencies f_k = k / P, k = 0 ... K,
//     u(t) = s_0 z_0 + sum_k s_k (z_(2k-1) cos 2 pi f_k t + z_2k sin 2 pi f_k t),
// s_k^2 being the integral of the one-sided density over the interval of width 1 / P around f_k and
// z the germs, independent standard normal numbers. u is exactly Gaussian and stationary, and of
// exactly the variance of the spectrum, with the period P, twice the time that the run and its
// delays see.
//
// Values and two derivatives are summed by fast Fourier transforms at nodes, and between these lies
// the quintic that has them at both ends: two derivatives are continuous. With at least 6 nodes in
// a period of the highest frequency it is off by at most 3e-5 of the amplitude there, and by the
// sixth power of that part at lower ones.
#pragma once
#include <cstddef>
#include <vector>

#include "tumble/math/fourier.hpp"
#include "tumble/math/taylor2.hpp"
#include "tumble/model/drive.hpp"

namespace tumble {

/// Structure: it follows from the nominal drives and is the same in all realisations.
struct ProcessGrid {
  double period = 0;    ///< P [s]
  int frequencies = 0;  ///< K
  int points = 0;       ///< in a period, a power of two
  int nodes = 0;        ///< those that are kept: of the run
  double step() const { return period / points; }
  std::size_t germs() const { return 2 * static_cast<std::size_t>(frequencies) + 1; }
  /// Numbers of a process: three per node.
  int numbers() const { return 3 * nodes; }
};

/// Frequencies times periods that a process may have; a model that asks for more is refused.
inline constexpr double most_frequencies = 1 << 19;

/// Of a random drive, or of one that follows it; `drives` are all of the model. `frequencies` is
/// not limited here, but see most_frequencies.
ProcessGrid process_grid(const std::vector<Drive>& drives, const Drive& random, double duration);

/// u(t - delay) at the nodes: u, u' h, u'' h^2 for each, h the distance of nodes. Without germs all
/// are zero. Frequencies beyond those of the grid, which an uncertain speed may bring, are left
/// out. @throws std::logic_error if there are other germs than the grid has.
void write_process(const DriveKind& random, const ProcessGrid& grid, const FourierSums& sums,
                   double delay, double* out);

/// Of what write_process() wrote, at time t; the first and last quintic go on outside.
template <class S>
Taylor2<S> evaluate_process(const S* c, int nodes, double step, double t) {
  const double x = t / step;
  int i = x > 0 ? static_cast<int>(x) : 0;
  if (i > nodes - 2) i = nodes - 2;
  const double s = x - i;
  // Weights of the quintic's six numbers, and their derivatives: Hermite's basis on [0, 1].
  const double s2 = s * s, s3 = s2 * s, r = 1 - s, b = s2 * r * r;
  const double end = s3 * (10 - s * (15 - 6 * s));
  const double value[6] = {1 - end, s * r * r * r * (1 + 3 * s), 0.5 * s2 * r * r * r,
                           end,     -s3 * r * (4 - 3 * s),       0.5 * s3 * r * r};
  const double rate[6] = {-30 * b, r * r * (1 + s * (2 - 15 * s)), 0.5 * s * r * r * (2 - 5 * s),
                          30 * b,  s2 * (-12 + s * (28 - 15 * s)), 0.5 * s2 * r * (3 - 5 * s)};
  const double bend = 60 * s * r * (r - s);
  const double second[6] = {-bend, s * (-36 + s * (96 - 60 * s)), 1 + s * (-9 + s * (18 - 10 * s)),
                            bend,  s * (-24 + s * (84 - 60 * s)), s * (3 + s * (-12 + 10 * s))};
  const S* const node = c + 3 * i;
  Taylor2<S> u{S(0.0), S(0.0), S(0.0)};
  for (int j = 0; j < 6; ++j) {
    u.value = fma(S(value[j]), node[j], u.value);
    u.rate = fma(S(rate[j]), node[j], u.rate);
    u.second = fma(S(second[j]), node[j], u.second);
  }
  return {u.value, S(1 / step) * u.rate, S(1 / (step * step)) * u.second};
}

}  // namespace tumble
