#include "tumble/study/weighting.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace tumble {
namespace {

/// (b0 + b1 s + b2 s^2) / (a0 + a1 s + s^2)
struct Section {
  double b0, b1, b2, a0, a1;
};

/// ISO 2631-1:1997, table A.1, with the transfer functions of annex A: high-pass and low-pass of
/// Butterworth, acceleration-velocity transition, upward step.
std::vector<Section> sections_of(Weighting weighting) {
  const double two_pi = 2 * std::numbers::pi, root2 = std::numbers::sqrt2;
  const double w1 = two_pi * 0.4, w2 = two_pi * 100;
  std::vector<Section> sections{{0, 0, 1, w1 * w1, root2 * w1},
                                {w2 * w2, 0, 0, w2 * w2, root2 * w2}};
  const double w3 = two_pi * (weighting == Weighting::Wk ? 12.5 : 2.0), q4 = 0.63;
  // (1 + s/w3) / (1 + s/(Q4 w4) + (s/w4)^2), w4 = w3 in both.
  sections.push_back({w3 * w3, w3, 0, w3 * w3, w3 / q4});
  if (weighting == Weighting::Wk) {
    const double w5 = two_pi * 2.37, q5 = 0.91, w6 = two_pi * 3.35, q6 = 0.91;
    // (1 + s/(Q5 w5) + (s/w5)^2) / (1 + s/(Q6 w6) + (s/w6)^2) (w5/w6)^2
    sections.push_back({w5 * w5, w5 / q5, 1, w6 * w6, w6 / q6});
  }
  return sections;
}

/// By halving and squaring: Taylor's series to rounding at a norm of at most 1/2.
Eigen::MatrixXd exponential(Eigen::MatrixXd a) {
  const double size = a.cwiseAbs().rowwise().sum().maxCoeff();
  const int halvings = std::max(0, static_cast<int>(std::ceil(std::log2(size / 0.5))));
  a /= std::pow(2.0, halvings);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Identity(a.rows(), a.cols()), term = sum;
  for (int k = 1; k <= 18; ++k) {
    term = (term * a / k).eval();
    sum += term;
  }
  for (int i = 0; i < halvings; ++i) sum = (sum * sum).eval();
  return sum;
}

/// Coefficients of t^0 ... t^3, t in steps from x[i], of the cubic through x[i-1] ... x[i+2], or at
/// the ends through the first and the last four.
std::array<double, 4> cubic_at(const std::vector<double>& x, std::size_t i) {
  const std::size_t first = std::min(i > 0 ? i - 1 : 0, x.size() - 4);
  const double* y = &x[first];
  const double d1 = y[1] - y[0], d2 = y[2] - 2 * y[1] + y[0],
               d3 = y[3] - 3 * y[2] + 3 * y[1] - y[0];
  // Newton's form about y[0], moved to the sample i.
  const double c1 = d1 - d2 / 2 + d3 / 3, c2 = (d2 - d3) / 2, c3 = d3 / 6;
  const auto s = static_cast<double>(i - first);
  return {y[0] + s * (c1 + s * (c2 + s * c3)), c1 + s * (2 * c2 + 3 * s * c3), c2 + 3 * s * c3, c3};
}

}  // namespace

std::complex<double> weighting_response(Weighting weighting, double frequency) {
  const std::complex<double> s(0, 2 * std::numbers::pi * frequency);
  std::complex<double> h = 1;
  for (const Section& c : sections_of(weighting))
    h *= (c.b0 + c.b1 * s + c.b2 * s * s) / (c.a0 + c.a1 * s + s * s);
  return h;
}

// Sections one behind the other, x' = A x + B u, y = C x + D u, in time counted in steps. With the
// Taylor coefficients of the input as four more unknowns, c0' = c1, c1' = 2 c2, c2' = 3 c3, one
// exponential of the whole gives the step (C. F. Van Loan, IEEE Trans. Autom. Control 23, 1978).
WeightingFilter::WeightingFilter(Weighting weighting, double step) {
  const std::vector<Section> sections = sections_of(weighting);
  states_ = 2 * static_cast<int>(sections.size());
  const int n = states_;
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n + 4, n + 4);
  Eigen::RowVectorXd signal = Eigen::RowVectorXd::Zero(n + 4);  // what enters the next section
  signal(n) = 1;
  for (int k = 0; k < n; k += 2) {
    const Section& c = sections[static_cast<std::size_t>(k / 2)];
    // Scaled by the section's own frequency, or the exponential would lose digits.
    const double w = std::sqrt(c.a0);
    a(k, k + 1) = w;
    a(k + 1, k) = -w;
    a(k + 1, k + 1) = -c.a1;
    a.row(k + 1) += signal;
    const Eigen::RowVectorXd through = c.b2 * signal;
    signal = through;
    signal(k) += (c.b0 - c.b2 * c.a0) / w;
    signal(k + 1) += c.b1 - c.b2 * c.a1;
  }
  a *= step;
  for (int j = 0; j < 3; ++j) a(n + j, n + j + 1) = j + 1;
  const Eigen::MatrixXd flow = exponential(a);
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) transition_[at(i)][at(j)] = flow(i, j);
    for (int j = 0; j < 4; ++j) input_[at(j)][at(i)] = flow(i, n + j);
    output_[at(i)] = signal(i);
  }
  through_ = signal(n);
}

std::vector<double> WeightingFilter::apply(const std::vector<double>& x) const {
  std::vector<double> y(x.size(), 0.0);
  if (x.size() < 4) return y;
  const auto n = static_cast<std::size_t>(states_);
  State state{};
  for (std::size_t k = 0; k < x.size(); ++k) {
    y[k] = through_ * x[k];
    for (std::size_t i = 0; i < n; ++i) y[k] += output_[i] * state[i];
    if (k + 1 == x.size()) break;
    const auto cubic = cubic_at(x, k);
    State next{};
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) next[i] += transition_[i][j] * state[j];
      for (std::size_t j = 0; j < 4; ++j) next[i] += input_[j][i] * cubic[j];
    }
    state = next;
  }
  return y;
}

}  // namespace tumble
