// Indices of sensitivity from blocks of runs that share random numbers: the kernels of one block,
// and what their means say.
//
// With the deviations from the mean of runs of a block, a = y(A), b = y(B), c = y(A with factor i
// of B), the variance that factor i causes alone and that which it takes part in are
//   V_i = E{b c},   T_i = E{(a - c)^2} / 2
// (I. M. Sobol', Mathematics and Computers in Simulation 55, 2001; M. J. W. Jansen, Computer
// Physics Communications 117, 1999), each over the variance of the two runs it is made of: E{(b^2 +
// c^2)/2} and E{(a^2 + c^2)/2} (A. Janon and others, ESAIM: Probability and Statistics 18, 2014). a
// b, whose mean is zero because A and B are independent, is the control of both: it takes away most
// of the error of small indices.
//
// Shapley effects (A. B. Owen, SIAM/ASA Journal on Uncertainty Quantification 2, 2014) share out
// Val(u) = Var E{y | x_u} = E{a c_u}, with c_u a run in which x_u is that of A and the rest is
// drawn again on condition of x_u:
//   Sh_i = sum over u without i of |u|! (k - 1 - |u|)! / k! (Val(u + i) - Val(u)).
#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace tumble {

/// A numerator, a denominator and a control: see controlled_ratios.hpp.
struct RatioKernel {
  double x, d, q;
};

/// `y`: the deviations of a block's runs from the mean. Calls take(index, kernel): by pick-freeze
/// index 2 i is of factor i alone and 2 i + 1 that of all it takes part in.
template <class Take>
void pick_freeze_kernels(std::span<const double> y, const Take& take) {
  const double a = y[0], b = y[1], q = a * b;
  for (std::size_t i = 0; i + 2 < y.size(); ++i) {
    const double c = y[i + 2];
    take(2 * i, RatioKernel{b * c, (b * b + c * c) / 2, q});
    take(2 * i + 1, RatioKernel{(a - c) * (a - c) / 2, (a * a + c * c) / 2, q});
  }
}

/// The weights of Val(u), u a set of bits, in the Shapley effect of each of k factors: [factor][u].
std::vector<double> shapley_weights(std::size_t factors);

/// Runs of a block by the sets of factors that are drawn again; index i is the effect of factor i.
template <class Take>
void shapley_kernels(std::span<const double> y, std::span<const double> weights, const Take& take) {
  const std::size_t sets = y.size();
  double variance = 0;
  for (const double each : y) variance += each * each;
  variance /= static_cast<double>(sets);
  for (std::size_t i = 0; i * sets < weights.size(); ++i) {
    const double* w = weights.data() + i * sets;
    double x = w[sets - 1] * variance;
    for (std::size_t drawn = 1; drawn + 1 < sets; ++drawn)
      x += w[sets - 1 - drawn] * y[0] * y[drawn];
    take(i, RatioKernel{x, variance, y[0] * y[sets - 1]});
  }
}

}  // namespace tumble
